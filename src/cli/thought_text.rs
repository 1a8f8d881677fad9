//! How long players thought, in words.

use super::output::{self, plural};
use crate::players::{PlayerSpec, Thought};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long each player of a match thought, summed up over its games.
pub struct Thoughts(Mutex<Vec<Thought>>);

impl Thoughts {
    /// Of so many players.
    pub fn new(players: usize) -> Thoughts {
        Thoughts(Mutex::new(vec![Thought::default(); players]))
    }

    pub fn add(&self, who: usize, thought: Thought) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sum) = all.get_mut(who) {
            *sum += thought;
        }
    }

    /// Tells it as details.
    pub fn tell(self, specs: &[PlayerSpec]) {
        let all = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (spec, thought) in std::iter::zip(specs, all) {
            if thought.choices > 0 {
                output::detail(|| mean(spec, thought));
            }
        }
    }
}

fn milliseconds(time: Duration) -> f64 {
    1000.0 * time.as_secs_f64()
}

/// How long a player thought about a choice.
fn mean(spec: &PlayerSpec, thought: Thought) -> String {
    let each = |time| milliseconds(time) / thought.choices as f64;
    let belief = match thought.belief.is_zero() {
        true => String::new(),
        false => format!(", {:.2} ms of it for its belief", each(thought.belief)),
    };
    format!(
        "{spec} thought for {:.2} ms about each of {}{belief}",
        each(thought.all),
        plural(thought.choices, "choice")
    )
}

/// What bringing a belief up to date took of a budget in milliseconds, where that is a good share of it. With another budget it
/// is not told, so that the same seed gives the same text.
pub fn belief_share(spec: &PlayerSpec, belief: Duration) -> Option<String> {
    let ms = spec.count("ms")?;
    let took = milliseconds(belief);
    if 4.0 * took < ms as f64 {
        return None;
    }
    let took = format!("bringing the belief up to date took {took:.0} ms");
    Some(match belief < Duration::from_millis(ms) {
        true => format!("{took} of the {ms} that `ms` allows"),
        false => format!(
            "{took}, which `ms={ms}` counts too: that left time for one playout; more `ms` or fewer `states` leave time for others"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(player: &str, micros: u64) -> Option<String> {
        let spec = PlayerSpec::parse(player).unwrap();
        belief_share(&spec, Duration::from_micros(micros))
    }

    #[test]
    fn a_small_share_is_not_told() {
        assert_eq!(share("ismcts(ms=20)", 4_900), None);
        assert_eq!(share("ismcts(playouts=20)", 4_900_000), None);
    }

    #[test]
    fn a_good_share_is_told_and_one_that_is_all() {
        assert_eq!(
            share("ismcts(ms=20)", 12_400).unwrap(),
            "bringing the belief up to date took 12 ms of the 20 that `ms` allows"
        );
        assert_eq!(
            share("ismcts(ms=20)", 62_000).unwrap(),
            "bringing the belief up to date took 62 ms, which `ms=20` counts too: that left time for one playout; more \
             `ms` or fewer `states` leave time for others"
        );
    }

    #[test]
    fn means_are_of_choices() {
        let spec = PlayerSpec::parse("ismcts(ms=20)").unwrap();
        let mut thought = Thought::default();
        for (all, belief) in [(30, 10), (50, 20)] {
            thought += Thought {
                choices: 1,
                all: Duration::from_millis(all),
                belief: Duration::from_millis(belief),
            };
        }
        assert_eq!(
            mean(&spec, thought),
            "ismcts(ms=20) thought for 40.00 ms about each of 2 choices, 15.00 ms of it for its belief"
        );
        let one = Thought {
            choices: 1,
            belief: Duration::ZERO,
            ..thought
        };
        assert_eq!(
            mean(&spec, one),
            "ismcts(ms=20) thought for 80.00 ms about each of 1 choice"
        );
    }
}
