//! Histories that fit again, where those that there were do not any more: by simulated annealing from histories that fitted up
//! to the question before, and from new ones.
//!
//! A history goes on past values that were seen otherwise, as far as the same choices can be made in it, and what differs on
//! the whole of its way is its energy: so one thing that is mended counts, wherever it is.

use super::history::{End, Mismatch, Particle, Place, Tail, Values};
use super::kernels::{any, changes, exchanged, hidden_values, replay_from, two_values, wish_of};
use super::kinds::Change;
use super::replay::{Otherwise, Replay, Wish, Wishes};
use crate::machine::{Action, PlayError};
use crate::random::Stream;
use rand::RngExt;

/// So many steps and listings may be tried.
const WORK: u64 = 500_000;

/// So many in any case.
const LEAST: u64 = 200_000;

/// So many more, where nothing is found in these and there is time.
const MORE: u64 = 3_000_000;

/// After so many proposals a search begins anew; after more, the more searches there were.
const PROPOSALS: usize = 4000;

/// So many histories are enough.
const ENOUGH: usize = 32;

/// By how much a history may fit worse at the beginning of a search and at its end, in observations.
const TEMPERATURES: (f64, f64) = (0.3, 0.05);

/// The most places that are drawn again at once.
const BLOCK: usize = 4;

/// Histories that fit up to the question of the replay; none where none was found in the steps that may be tried: these are
/// more if `more` says so, and few once time is over.
pub fn repair(
    replay: &mut Replay<'_>,
    fitted: &[Particle],
    (more, in_time): (bool, &dyn Fn() -> bool),
    rng: &mut Stream,
) -> Result<Vec<Particle>, PlayError> {
    let mut found = Vec::new();
    let least = replay.work + LEAST;
    let mut limit = replay.work + WORK;
    let last = limit + MORE;
    replay.explains = true;
    for search in 0.. {
        if replay.work >= limit && found.is_empty() && limit < last && more && in_time() {
            limit = last;
        }
        if replay.work >= limit || found.len() >= ENOUGH.min(fitted.len()) {
            break;
        }
        if replay.work >= least && !in_time() {
            break;
        }
        // From the beginning now and then, and the more often the longer nothing is found.
        let anew = limit == last || search % 4 == 3;
        let start = match fitted.get(search % fitted.len().max(1)) {
            Some(start) if !anew || search % 2 == 0 => Some(start.clone()),
            _ => beginning(replay)?,
        };
        let Some(start) = start else { break };
        let proposals = PROPOSALS * (1 + search / 4);
        found.extend(anneal(
            replay,
            start,
            (proposals, limit),
            (least, in_time),
            rng,
        )?);
    }
    replay.explains = false;
    replay.allows = 0.0;
    Ok(found)
}

/// Before the first step.
fn beginning(replay: &Replay<'_>) -> Result<Option<Particle>, PlayError> {
    let begun = replay.initial()?;
    Ok(begun.map(Particle::new))
}

/// A history on its way to one that fits.
struct Attempt {
    particle: Particle,
    misfits: Vec<(usize, Mismatch)>,
    end: End,
}

impl Attempt {
    /// The cost of what was seen otherwise before a step.
    fn cost_before(&self, step: usize) -> f64 {
        let before = self.misfits.iter().filter(|(at, _)| *at < step);
        before.map(|(_, misfit)| misfit.cost()).sum()
    }

    fn energy(&self, replay: &Replay<'_>) -> f64 {
        self.cost_before(usize::MAX) + left(replay, &self.end)
    }

    fn fits(&self) -> bool {
        self.misfits.is_empty() && matches!(self.end, End::Asked)
    }

    fn replace(&mut self, mut tail: Tail) {
        self.misfits.retain(|(at, _)| *at < tail.from);
        self.misfits.append(&mut tail.misfits);
        self.end = tail.end.clone();
        self.particle.replace(tail);
    }

    /// Something that does not fit.
    fn misfit(&self, rng: &mut Stream) -> Option<&Mismatch> {
        let stuck = match &self.end {
            End::Asked => None,
            End::Stuck(mismatch) => Some(&**mismatch),
        };
        let count = self.misfits.len() + usize::from(stuck.is_some());
        let place = rng.random_range(0..count.max(1) as u64) as usize;
        self.misfits.get(place).map(|(_, m)| m).or(stuck)
    }
}

/// How much of what was seen is not reached, and how much differs there.
fn left(replay: &Replay<'_>, end: &End) -> f64 {
    match end {
        End::Asked => 0.0,
        End::Stuck(mismatch) => {
            replay.length().saturating_sub(mismatch.at) as f64 + mismatch.cost()
        }
    }
}

/// Changes a history until it fits, up to a number of proposals and of work, and beyond the least work until time is over.
fn anneal(
    replay: &mut Replay<'_>,
    mut particle: Particle,
    (proposals, limit): (usize, u64),
    (least, in_time): (u64, &dyn Fn() -> bool),
    rng: &mut Stream,
) -> Result<Option<Particle>, PlayError> {
    particle.ln = 0.0;
    let wishes = Wishes {
        old: &[],
        wish: &|_, _, _| Wish::Same,
        otherwise: Otherwise::Draw,
    };
    replay.allows = f64::INFINITY;
    let tail = replay.run(particle.steps.len(), particle.at.clone(), &wishes, rng)?;
    let mut attempt = Attempt {
        particle,
        misfits: Vec::new(),
        end: End::Asked,
    };
    attempt.replace(tail);
    let (hot, cold) = TEMPERATURES;
    for proposal in 0..proposals {
        if attempt.fits() {
            return Ok(Some(attempt.particle));
        }
        if replay.work > limit || attempt.particle.hidden.is_empty() {
            break;
        }
        if replay.work > least && !in_time() {
            break;
        }
        replay.work += 1;
        let Some((from, wishes)) = propose(replay, &attempt, rng) else {
            continue;
        };
        // The acceptance is drawn first, so that what is too bad is played no further than that shows.
        let temperature = hot * libm::pow(cold / hot, proposal as f64 / proposals as f64);
        let drawn = f64::max(rng.random(), f64::MIN_POSITIVE);
        let most = attempt.energy(replay) - temperature * libm::log(drawn);
        let before = attempt.cost_before(from);
        replay.allows = f64::max(most - before, f64::MIN_POSITIVE);
        let wish = |place: Place| wishes.of(place);
        let wish = (&wish as &dyn Fn(Place) -> Wish, Otherwise::Draw);
        let Some(tail) = replay_from(replay, &attempt.particle, from, wish, rng)? else {
            continue;
        };
        if before + tail.cost + left(replay, &tail.end) <= most {
            attempt.replace(tail);
        }
    }
    Ok(attempt.fits().then_some(attempt.particle))
}

/// What is to become of a history.
enum Proposed {
    /// This is drawn again.
    Redraw(Vec<Place>),
    /// This happens.
    Change(Vec<(Place, Action)>),
}

impl Proposed {
    fn of(&self, place: Place) -> Wish {
        match self {
            Proposed::Redraw(places) if places.contains(&place) => Wish::Any,
            Proposed::Redraw(_) => Wish::Same,
            Proposed::Change(changes) => wish_of(changes)(place),
        }
    }
}

/// Another history, and the first step that is another in it: often one that has what was seen in the place of what there is.
fn propose(replay: &Replay<'_>, attempt: &Attempt, rng: &mut Stream) -> Option<(usize, Proposed)> {
    let particle = &attempt.particle;
    let changed = match rng.random_range(0..8u32) {
        0 => None,
        1 => {
            // Some that follow one another.
            let first = rng.random_range(0..particle.hidden.len() as u64) as usize;
            let count = rng.random_range(2..=BLOCK as u64) as usize;
            let places = particle.hidden.iter().skip(first).take(count);
            let places: Vec<Place> = places.copied().collect();
            return Some((places[0].0, Proposed::Redraw(places)));
        }
        2 => two_values(replay, particle, rng)
            .map(|(kind, a, b)| changes(replay, particle, kind, Change::Transpose(a, b))),
        3 => {
            let one = any(&particle.hidden, rng);
            let other = any(&particle.hidden, rng);
            Some(exchanged(replay, particle, one, other))
        }
        _ => {
            let misfit = attempt.misfit(rng)?;
            guided(replay, particle, misfit, rng)
        }
    };
    match changed {
        None => {
            let place = any(&particle.hidden, rng);
            Some((place.0, Proposed::Redraw(vec![place])))
        }
        Some(changed) => {
            let ((from, _), _) = changed.first()?;
            Some((*from, Proposed::Change(changed)))
        }
    }
}

/// Puts a value that was seen, or any other that is hidden, in the place of one that there is, or of any that is hidden.
fn guided(
    replay: &Replay<'_>,
    particle: &Particle,
    mismatch: &Mismatch,
    rng: &mut Stream,
) -> Option<Vec<(Place, Action)>> {
    let hidden = hidden_values(replay, particle);
    let known = |values: &Values| -> Vec<(u16, u64)> {
        let of_kind = |v: &&(u16, u64)| hidden.iter().any(|h| h.0 == v.0);
        values.iter().filter(of_kind).copied().collect()
    };
    let (wanted, mut found) = (known(&mismatch.wanted), known(&mismatch.found));
    let loose = rng.random_range(0..3u32) == 0;
    let near = known(&mismatch.near);
    let mut want = match (wanted.is_empty(), found.is_empty()) {
        (false, _) => any(&wanted, rng),
        (true, false) => any(&found, rng),
        // What was seen may follow from what is hidden at the values that it is about, and need not be of their type.
        (true, true) if rng.random() => any_of(&near, rng)?,
        (true, true) => return None,
    };
    found.retain(|v| v.0 == want.0);
    let others = |not: u64| -> Vec<(u16, u64)> {
        let others = hidden.iter().filter(|v| v.0 == want.0 && v.1 != not);
        others.copied().collect()
    };
    let have = match found.is_empty() {
        false => any(&found, rng),
        true => any_of(&others(want.1), rng)?,
    };
    if loose || have == want {
        want = any_of(&others(have.1), rng)?;
    }
    let ((kind, want), (_, have)) = (want, have);
    let holds = |value: u64| -> Vec<Place> {
        let holding = particle.hidden.iter().filter(|&&place| {
            let node = particle.steps[place.0].node;
            let values = replay.kinds.hidden(node, particle.part(place));
            values.contains(&(kind, value))
        });
        holding.copied().collect()
    };
    match rng.random_range(0..3u32) {
        0 => {
            let (here, there) = (holds(have), holds(want));
            let (here, there) = (any_of(&here, rng)?, any_of(&there, rng)?);
            Some(exchanged(replay, particle, here, there))
        }
        1 => {
            let mut changed = changes(replay, particle, kind, Change::Replace(have, want));
            if changed.is_empty() {
                return None;
            }
            let one = rng.random_range(0..changed.len() as u64) as usize;
            Some(vec![changed.swap_remove(one)])
        }
        _ => Some(changes(
            replay,
            particle,
            kind,
            Change::Transpose(have, want),
        )),
    }
}

fn any_of<T: Copy>(list: &[T], rng: &mut Stream) -> Option<T> {
    (!list.is_empty()).then(|| any(list, rng))
}
