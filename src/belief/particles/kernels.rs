//! Other histories in the place of one, by Metropolis and Hastings, so that each stays as likely as it is given what the
//! player saw.

use super::history::{End, Part, Particle, Place, Step, Tail};
use super::kinds::Change;
use super::replay::{Otherwise, Replay, Wish, Wishes};
use crate::belief::told::WHOLE;
use crate::machine::{Action, PlayError};
use crate::random::Stream;
use rand::RngExt;

/// A kind of values and one of these.
pub type Value = (u16, u64);

/// How a history is proposed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Something hidden is drawn again. What comes later stays as it was where that is possible, and is drawn again elsewhere.
    Redraw,
    /// Two values of a type change places throughout what is hidden: two cards, say.
    Transpose,
    /// What was hidden in two places changes places: two pieces of a set-up, say.
    Exchange,
}

pub const KERNELS: [Kernel; 3] = [Kernel::Redraw, Kernel::Transpose, Kernel::Exchange];

/// How often two values that the player has seen nowhere are tried by [`Kernel::Transpose`], of those that it may try.
const UNSEEN: f64 = 0.8;

/// Proposes another history; whether it was taken. `seen`: the values that the player has seen somewhere ([`seen_values`]).
pub fn step(
    kernel: Kernel,
    replay: &mut Replay<'_>,
    (particle, seen): (&mut Particle, &[Value]),
    rng: &mut Stream,
) -> Result<bool, PlayError> {
    if particle.hidden.is_empty() {
        return Ok(false);
    }
    let proposed = match kernel {
        Kernel::Redraw => redraw(replay, particle, rng)?,
        Kernel::Transpose => transpose(replay, particle, seen, rng)?,
        Kernel::Exchange => exchange(replay, particle, rng)?,
    };
    let Some((tail, ln)) = proposed else {
        return Ok(false);
    };
    let accepted = ln >= 0.0 || rng.random::<f64>() < libm::exp(ln);
    if accepted {
        particle.replace(tail);
    }
    Ok(accepted)
}

/// A place in a list.
pub fn any<T: Copy>(list: &[T], rng: &mut Stream) -> T {
    list[rng.random_range(0..list.len() as u64) as usize]
}

/// Plays on as wished from a step in which something is hidden.
pub fn replay_from(
    replay: &mut Replay<'_>,
    particle: &Particle,
    from: usize,
    (wish, otherwise): (&dyn Fn(Place) -> Wish, Otherwise),
    rng: &mut Stream,
) -> Result<Option<Tail>, PlayError> {
    let Some(before) = particle.steps[from].before.clone() else {
        return Ok(None);
    };
    let wishes = Wishes {
        old: &particle.steps,
        wish: &|step, part, _| wish((step, part)),
        otherwise,
    };
    replay.run(from, before, &wishes, rng).map(Some)
}

/// A history, with the logarithm of the ratio that it is accepted by.
type Proposal = Option<(Tail, f64)>;

fn redraw(
    replay: &mut Replay<'_>,
    particle: &Particle,
    rng: &mut Stream,
) -> Result<Proposal, PlayError> {
    let chosen = any(&particle.hidden, rng);
    let from = chosen.0;
    let wish = |place| match place == chosen {
        true => Wish::Any,
        false => Wish::Same,
    };
    let tail = replay_from(replay, particle, from, (&wish, Otherwise::Draw), rng)?;
    let Some(tail) = tail.filter(|tail| matches!(tail.end, End::Asked)) else {
        return Ok(None);
    };
    let same = |new: &Step| new.parts[chosen.1].action == particle.part(chosen).action;
    if tail.steps.first().is_some_and(|new| same(new)) {
        return Ok(None);
    }
    let Some(back) = back(replay, particle, chosen, &tail)? else {
        return Ok(None);
    };
    let before: f64 = particle.steps[from..].iter().map(|step| step.ln).sum();
    let kept = particle.hidden.iter().filter(|(step, _)| *step < from);
    let places = (kept.count() + tail.count_hidden()) as f64;
    let choice = libm::log(particle.hidden.len() as f64 / places);
    let ln = tail.ln() - before + back - tail.drawn + choice;
    Ok(Some((tail, ln)))
}

/// The logarithm of the probability of drawing the old history from the new one; `None` where it could not be drawn.
fn back(
    replay: &mut Replay<'_>,
    particle: &Particle,
    chosen: Place,
    tail: &Tail,
) -> Result<Option<f64>, PlayError> {
    let mut ln = 0.0;
    for (i, step) in particle.steps.iter().enumerate().skip(tail.from) {
        let new = tail.steps.get(i - tail.from);
        let new = new.filter(|new| new.node == step.node && new.parts.len() == step.parts.len());
        for (m, part) in step.parts.iter().enumerate() {
            let hidden = part.seen != WHOLE;
            let other = new.map(|new| &new.parts[m]);
            let same = other.is_some_and(|other| other.action == part.action);
            if (i, m) != chosen {
                if same {
                    continue;
                }
                let open = other.is_some_and(|other| other.seen == WHOLE);
                if open || (!hidden && other.is_some()) {
                    return Ok(None);
                }
            }
            if !hidden {
                continue;
            }
            let kept = other.filter(|_| (i, m) != chosen);
            match replay.draw_again(step, m, kept.map(|other| &other.action))? {
                (Some(drawn), _) => ln += drawn,
                (None, _) => return Ok(None),
            }
        }
    }
    Ok(Some(ln))
}

fn transpose(
    replay: &mut Replay<'_>,
    particle: &Particle,
    seen: &[Value],
    rng: &mut Stream,
) -> Result<Proposal, PlayError> {
    // A card that was played must have been where it came from: late in a game hardly any others can change places.
    let two = match rng.random::<f64>() < UNSEEN {
        true => two_unseen(replay, particle, seen, rng),
        false => two_values(replay, particle, rng),
    };
    let Some((kind, a, b)) = two else {
        return Ok(None);
    };
    let changes = changes(replay, particle, kind, Change::Transpose(a, b));
    symmetric(replay, particle, &changes, rng)
}

/// Two values of a type that are hidden somewhere and seen nowhere. These stay the same ones when two of them change places, so
/// that it is as likely then to change them back.
fn two_unseen(
    replay: &Replay<'_>,
    particle: &Particle,
    seen: &[Value],
    rng: &mut Stream,
) -> Option<(u16, u64, u64)> {
    let mut values = hidden_values(replay, particle);
    values.retain(|value| seen.binary_search(value).is_err());
    let several = |kind| values.iter().filter(|(k, _)| *k == kind).count() > 1;
    let (kind, a, others) = one_value(&values, several, rng)?;
    Some((kind, a, any(&others, rng).1))
}

/// A value of one of the kinds that fit, with its kind and the others of that.
fn one_value(
    values: &[Value],
    fits: impl Fn(u16) -> bool,
    rng: &mut Stream,
) -> Option<(u16, u64, Vec<Value>)> {
    let mut kinds: Vec<u16> = values.iter().map(|(kind, _)| *kind).collect();
    kinds.dedup();
    kinds.retain(|kind| fits(*kind));
    if kinds.is_empty() {
        return None;
    }
    let kind = any(&kinds, rng);
    let of_kind = values.iter().filter(|(k, _)| *k == kind);
    let mut others: Vec<Value> = of_kind.copied().collect();
    let first = rng.random_range(0..others.len() as u64) as usize;
    let (_, a) = others.swap_remove(first);
    Some((kind, a, others))
}

/// The values of choices and draws that the player has seen on the way, each once: the same of all histories that fit.
pub fn seen_values(replay: &Replay<'_>, particle: &Particle) -> Vec<Value> {
    let parts = particle.steps.iter().flat_map(|step| {
        let parts = step.parts.iter();
        parts.flat_map(|part| replay.kinds.shown(step.node, part))
    });
    let mut values: Vec<Value> = parts.collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// Two values of a type, the first of which is hidden somewhere: as likely after they have changed places as before.
pub fn two_values(
    replay: &Replay<'_>,
    particle: &Particle,
    rng: &mut Stream,
) -> Option<(u16, u64, u64)> {
    let values = hidden_values(replay, particle);
    let several = |kind| replay.kinds.size(kind) > 1;
    let (kind, a, others) = one_value(&values, several, rng)?;
    if !others.is_empty() && rng.random::<bool>() {
        return Some((kind, a, any(&others, rng).1));
    }
    let b = rng.random_range(0..replay.kinds.size(kind) - 1);
    Some((kind, a, b + u64::from(b >= a)))
}

/// The values that the player did not see, each once.
pub fn hidden_values(replay: &Replay<'_>, particle: &Particle) -> Vec<Value> {
    let places = particle.hidden.iter();
    let values = places.flat_map(|&place| {
        let node = particle.steps[place.0].node;
        replay.kinds.hidden(node, particle.part(place))
    });
    let mut values: Vec<Value> = values.collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// The places that a change of values changes, and what happens there then.
pub fn changes(
    replay: &Replay<'_>,
    particle: &Particle,
    kind: u16,
    change: Change,
) -> Vec<(Place, Action)> {
    let places = particle.hidden.iter();
    let changes = places.filter_map(|&place| {
        let node = particle.steps[place.0].node;
        let action = replay
            .kinds
            .changed(node, particle.part(place), kind, change)?;
        Some((place, action))
    });
    changes.collect()
}

fn exchange(
    replay: &mut Replay<'_>,
    particle: &Particle,
    rng: &mut Stream,
) -> Result<Proposal, PlayError> {
    let one = any(&particle.hidden, rng);
    let at = |place: Place| (particle.steps[place.0].node, particle.part(place));
    let mut others = particle.hidden.clone();
    others.retain(|place| *place != one && replay.kinds.alike(at(one), at(*place)));
    if others.is_empty() {
        return Ok(None);
    }
    let other = any(&others, rng);
    let changes = exchanged(replay, particle, one, other);
    symmetric(replay, particle, &changes, rng)
}

/// What happens in two places when what was hidden there is exchanged.
pub fn exchanged(
    replay: &Replay<'_>,
    particle: &Particle,
    one: Place,
    other: Place,
) -> Vec<(Place, Action)> {
    let at = |place: Place| (particle.steps[place.0].node, particle.part(place));
    let Some((a, b)) = replay.kinds.exchanged(at(one), at(other)) else {
        return Vec::new();
    };
    let mut both = vec![(one, a), (other, b)];
    both.sort_by_key(|(place, _)| *place);
    both
}

/// What a history wishes for with these changes, in order.
pub fn wish_of(changes: &[(Place, Action)]) -> impl Fn(Place) -> Wish {
    |place| match changes.binary_search_by_key(&place, |(place, _)| *place) {
        Ok(i) => Wish::Other(changes[i].1.clone()),
        Err(_) => Wish::Same,
    }
}

/// The history with these changes, if it is one and hides just what the old one did.
fn symmetric(
    replay: &mut Replay<'_>,
    particle: &Particle,
    changes: &[(Place, Action)],
    rng: &mut Stream,
) -> Result<Proposal, PlayError> {
    let Some(((from, _), _)) = changes.first() else {
        return Ok(None);
    };
    let wish = wish_of(changes);
    let tail = replay_from(replay, particle, *from, (&wish, Otherwise::Stop), rng)?;
    let Some(tail) = tail.filter(|tail| matches!(tail.end, End::Asked)) else {
        return Ok(None);
    };
    let old = &particle.steps[*from..];
    let alike = old.len() == tail.steps.len()
        && std::iter::zip(old, &tail.steps).all(|(old, new)| {
            let seen =
                |parts: &[Part]| -> Vec<u64> { parts.iter().map(|part| part.seen).collect() };
            old.node == new.node && seen(&old.parts) == seen(&new.parts)
        });
    let before: f64 = old.iter().map(|step| step.ln).sum();
    let ln = tail.ln() - before;
    Ok(alike.then_some((tail, ln)))
}
