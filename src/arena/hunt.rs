//! Plays games at random to meet the errors of play that no check of the text can exclude: a choice without an option,
//! a value out of its range, payoffs that do not add up. It finds some of them; it proves nothing.

use crate::machine::{Action, Machine, PlayError, State, Turn};
use crate::random::{Stream, stream};

/// How far to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HuntOptions {
    /// The most games.
    pub games: u64,
    /// The most plies in all games together.
    pub plies: u64,
    pub seed: u64,
}

/// Plays random games until one of the limits is reached or `stop`, asked before every ply, says so.
///
/// # Errors
/// The first error that a game ran into.
pub fn hunt(
    machine: &Machine,
    options: &HuntOptions,
    stop: &mut dyn FnMut() -> bool,
) -> Result<(), PlayError> {
    let mut left = options.plies;
    for game in 0..options.games {
        let mut random = stream(options.seed, &[game]);
        let mut state = machine.initial()?;
        let mut last: Option<(State, Vec<Action>)> = None;
        let after = |last: &Option<(State, Vec<Action>)>, error| match last {
            Some((before, actions)) => machine.explain(before, actions, error),
            None => error,
        };
        while let Some(actions) =
            actions(machine, &state, &mut random).map_err(|e| after(&last, e))?
        {
            if left == 0 || stop() {
                return Ok(());
            }
            left -= 1;
            let before = state.clone();
            machine.step(&mut state, &actions)?;
            last = Some((before, actions));
        }
        machine.payoffs(&state).map_err(|e| after(&last, e))?;
    }
    Ok(())
}

/// What happens next, at random; `None` at the end.
fn actions(
    machine: &Machine,
    state: &State,
    random: &mut Stream,
) -> Result<Option<Vec<Action>>, PlayError> {
    match machine.turn(state) {
        Turn::Terminal => Ok(None),
        Turn::Chance => Ok(Some(vec![machine.sample_chance(state, random)?])),
        Turn::Decision(players) => (0..machine.player_count())
            .filter(|p| players >> p & 1 == 1)
            .map(|p| machine.sample(state, p, random))
            .collect::<Result<_, _>>()
            .map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Settings;

    /// The code of the first error, if any.
    fn found(play: &str, payoff: &str) -> Option<&'static str> {
        let text = format!(
            "game Trap {{ players {{ Ann, Ben }} state {{ n : 0..3  open : set of 1..3 }} play {{ {play} }} \
             payoff zero-sum: [p in Player] {payoff} }}"
        );
        let (machine, _) = crate::load(&text, &Settings::new()).expect("a game");
        let options = HuntOptions {
            games: 20,
            plies: 1000,
            seed: 1,
        };
        hunt(&machine, &options, &mut || false)
            .err()
            .map(|e| e.code.0)
    }

    #[test]
    fn what_goes_wrong_in_play_is_met() {
        let walk = "repeat 3 times { Ann chooses x in { 0, 1 }  n += x }";
        assert_eq!(found(walk, "0"), None);
        let long = "repeat 5 times { Ann chooses x in { 0, 1 }  n += x }";
        assert_eq!(found(long, "0"), Some("E0701"));
        assert_eq!(found("Ann chooses x in open", "0"), Some("E0702"));
        assert_eq!(found(walk, "1"), Some("E0706"));
    }

    #[test]
    fn it_ends_when_it_is_told_to() {
        let text = "game Long { players { Ann, Ben } play { repeat 1000000 times { Ann chooses x in 1..2 } } \
                    payoff zero-sum: [p in Player] 1 }";
        let (machine, _) = crate::load(text, &Settings::new()).expect("a game");
        let options = HuntOptions {
            games: u64::MAX,
            plies: 5,
            seed: 1,
        };
        assert!(hunt(&machine, &options, &mut || false).is_ok());
        let mut asked = 0;
        let mut stop = || {
            asked += 1;
            asked > 3
        };
        let options = HuntOptions {
            plies: u64::MAX,
            ..options
        };
        assert!(hunt(&machine, &options, &mut stop).is_ok());
        assert_eq!(asked, 4);
    }
}
