//! Histories that fit again, where those that there were do not any more: by simulated annealing from histories that fit up
//! to the question before.

use super::history::{End, Mismatch, Particle, Place, Tail, Values};
use super::kernels::{any, changes, exchanged, hidden_values, replay_from, two_values, wish_of};
use super::kinds::Change;
use super::replay::{Otherwise, Replay, Wish, Wishes};
use crate::machine::{Action, PlayError};
use crate::random::Stream;
use rand::RngExt;

/// So many steps and listings may be tried.
const WORK: u64 = 500_000;

/// After so many proposals a search begins anew.
const PROPOSALS: usize = 1000;

/// So many histories are enough.
const ENOUGH: usize = 32;

/// By how much a history may fit worse, in observations.
const TEMPERATURE: f64 = 0.3;

/// Histories that fit up to the question of the replay; none where none was found in time.
pub fn repair(
    replay: &mut Replay<'_>,
    fitted: &[Particle],
    rng: &mut Stream,
) -> Result<Vec<Particle>, PlayError> {
    let mut found = Vec::new();
    let limit = replay.work + WORK;
    replay.explains = true;
    let mut starts = fitted.iter().cycle();
    while found.len() < ENOUGH.min(fitted.len()) && replay.work < limit {
        let Some(start) = starts.next() else {
            break;
        };
        found.extend(search(replay, start.clone(), limit, rng)?);
    }
    replay.explains = false;
    Ok(found)
}

fn search(
    replay: &mut Replay<'_>,
    mut particle: Particle,
    limit: u64,
    rng: &mut Stream,
) -> Result<Option<Particle>, PlayError> {
    particle.ln = 0.0;
    let wishes = Wishes {
        old: &[],
        wish: &|_, _, _| Wish::Same,
        otherwise: Otherwise::Draw,
    };
    let start = (particle.state.clone(), particle.used);
    let tail = replay.run(particle.steps.len(), start, &wishes, rng)?;
    let mut end = tail.end.clone();
    particle.replace(tail);
    for _ in 0..PROPOSALS {
        let End::Stuck(mismatch) = &end else {
            return Ok(Some(particle));
        };
        if replay.work > limit || particle.hidden.is_empty() {
            break;
        }
        replay.work += 1;
        let Some(tail) = propose(replay, &particle, mismatch, rng)? else {
            continue;
        };
        let worse = energy(replay, &tail.end) - energy(replay, &end);
        if worse <= 0.0 || rng.random::<f64>() < libm::exp(-worse / TEMPERATURE) {
            end = tail.end.clone();
            particle.replace(tail);
        }
    }
    Ok(None)
}

/// How badly a history fits: how much of what was seen is not reached, and how much differs there.
fn energy(replay: &Replay<'_>, end: &End) -> f64 {
    match end {
        End::Asked => -1.0,
        End::Stuck(mismatch) => {
            let left = replay.length().saturating_sub(mismatch.at);
            left as f64 + 1.0 - 1.0 / (1.0 + mismatch.differing as f64)
        }
    }
}

/// Another history: often one that has what was seen in the place of what there is.
fn propose(
    replay: &mut Replay<'_>,
    particle: &Particle,
    mismatch: &Mismatch,
    rng: &mut Stream,
) -> Result<Option<Tail>, PlayError> {
    let changed = match rng.random_range(0..6u32) {
        0 => None,
        1 => two_values(replay, particle, rng)
            .map(|(kind, a, b)| changes(replay, particle, kind, Change::Transpose(a, b))),
        2 => {
            let one = any(&particle.hidden, rng);
            let other = any(&particle.hidden, rng);
            Some(exchanged(replay, particle, one, other))
        }
        _ => guided(replay, particle, mismatch, rng),
    };
    let Some(changed) = changed else {
        let chosen = any(&particle.hidden, rng);
        let wish = |place: Place| match place == chosen {
            true => Wish::Any,
            false => Wish::Same,
        };
        return replay_from(replay, particle, chosen.0, (&wish, Otherwise::Draw), rng);
    };
    let Some(((from, _), _)) = changed.first() else {
        return Ok(None);
    };
    let wish = wish_of(&changed);
    replay_from(replay, particle, *from, (&wish, Otherwise::Draw), rng)
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
    let mut want = match wanted.is_empty() {
        false => any(&wanted, rng),
        true if found.is_empty() => return None,
        true => any(&found, rng),
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
