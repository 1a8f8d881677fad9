//! Plays games at random to meet the errors of play that no check of the text can exclude: a choice without an option,
//! a value out of its range, payoffs that do not add up; and moves that cannot be told apart by their texts. It finds some
//! of them; it proves nothing.

use super::transcript::random_step;
use crate::machine::{Action, Machine, PlayError, SharedText, State, Turn};
use crate::random::stream;
use rustc_hash::FxHashMap;

/// How far to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most games.
    pub games: u64,
    /// The most plies in all games together.
    pub plies: u64,
    pub seed: u64,
    /// Whether the texts of moves are compared.
    pub texts: bool,
}

/// What random games came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The error that a game ran into; nothing is played after it.
    pub error: Option<PlayError>,
    /// Choices in which two moves had one text, each told once.
    pub shared_texts: Vec<SharedText>,
    pub survey: Survey,
}

/// What random games had in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// The games that came to their end.
    pub games: u64,
    /// All plies, those of a game that was cut off included.
    pub plies: u64,
    /// Whether `stop` put an end to it.
    pub stopped: bool,
    /// By player the least and the greatest payoff, in units of 1/[`Machine::payoff_denominator`]; empty without games.
    pub payoffs: Vec<(i64, i64)>,
}

/// In each place where players choose, the texts of the moves are compared this often: to compare them takes far longer
/// than to choose one, and places that come late in a game should have their share.
const LOOKS: u32 = 20;
/// The most moves of one choice whose texts are compared.
const COMPARED: usize = 1000;

/// Plays random games until one of the limits is reached, something went wrong, or `stop`, asked before every ply with the
/// number of games that are over, says so.
pub fn random_games(
    machine: &Machine,
    options: &Limits,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Found {
    let mut found = Found::default();
    let error = games(machine, options, stop, &mut found).err();
    Found { error, ..found }
}

fn games(
    machine: &Machine,
    options: &Limits,
    stop: &mut dyn FnMut(u64) -> bool,
    found: &mut Found,
) -> Result<(), PlayError> {
    let Found {
        shared_texts,
        survey,
        ..
    } = found;
    let mut looks: FxHashMap<u32, u32> = FxHashMap::default();
    // What happens before the first choice or draw is the same in every game, and may take long.
    let mut start: Option<State> = None;
    for game in 0..options.games {
        let mut random = stream(options.seed, &[game]);
        let mut state = match &start {
            Some(start) => start.clone(),
            None => start.insert(machine.initial()?).clone(),
        };
        let mut last: Option<(State, Vec<Action>)> = None;
        let after = |last: &Option<(State, Vec<Action>)>, error| match last {
            Some((before, actions)) => machine.explain(before, actions, error),
            None => error,
        };
        loop {
            let looked = looks.entry(machine.node(&state)).or_default();
            if options.texts && *looked < LOOKS {
                *looked += 1;
                compare_texts(machine, &state, shared_texts).map_err(|e| after(&last, e))?;
            }
            let next = random_step(machine, &state, &mut random).map_err(|e| after(&last, e))?;
            let Some(actions) = next else {
                break;
            };
            survey.stopped = stop(game);
            if survey.plies == options.plies || survey.stopped {
                return Ok(());
            }
            survey.plies += 1;
            let before = state.clone();
            machine.step(&mut state, &actions)?;
            last = Some((before, actions));
        }
        let units = machine.payoff_units(&state);
        survey.pay(&units.map_err(|e| after(&last, e))?);
    }
    Ok(())
}

impl Survey {
    fn pay(&mut self, units: &[i64]) {
        self.games += 1;
        if self.payoffs.is_empty() {
            self.payoffs = units.iter().map(|&n| (n, n)).collect();
        }
        for ((least, most), &n) in self.payoffs.iter_mut().zip(units) {
            (*least, *most) = ((*least).min(n), (*most).max(n));
        }
    }
}

/// Adds the choices of a state in which two moves have one text, unless they are known already.
fn compare_texts(
    machine: &Machine,
    state: &State,
    shared: &mut Vec<SharedText>,
) -> Result<(), PlayError> {
    let Turn::Decision(players) = machine.turn(state) else {
        return Ok(());
    };
    for p in players {
        if let Some(one) = machine.shared_text(state, p, COMPARED)?
            && shared.iter().all(|s| s.span != one.span)
        {
            shared.push(one);
        }
    }
    Ok(())
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
        let options = Limits {
            games: 20,
            plies: 1000,
            seed: 1,
            texts: true,
        };
        let error = random_games(&machine, &options, &mut |_| false).error;
        error.map(|e| e.code.0)
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
        let options = Limits {
            games: u64::MAX,
            plies: 5,
            seed: 1,
            texts: true,
        };
        let found = random_games(&machine, &options, &mut |_| false);
        assert_eq!((found.error, found.shared_texts), (None, Vec::new()));
        let survey = found.survey;
        assert_eq!((survey.games, survey.plies, survey.stopped), (0, 5, false));
        let mut asked = 0;
        let mut stop = |_| {
            asked += 1;
            asked > 3
        };
        let options = Limits {
            plies: u64::MAX,
            ..options
        };
        assert!(random_games(&machine, &options, &mut stop).survey.stopped);
        assert_eq!(asked, 4);
    }

    #[test]
    fn moves_with_one_text_are_told_once_for_each_choice() {
        let text = "game Texts { players { Ann, Ben } state { n : 0..3 } play { repeat 3 times { \
                    Ann chooses x in 0..n, y in 0..n as \"{x + y}\"  Ben chooses x in 0..n  n += 1 } } \
                    payoff zero-sum: [p in Player] 0 }";
        let (machine, _) = crate::load(text, &Settings::new()).expect("a game");
        let options = Limits {
            games: 3,
            plies: 100,
            seed: 1,
            texts: true,
        };
        let found = random_games(&machine, &options, &mut |_| false);
        assert_eq!(found.error, None);
        let [one] = &found.shared_texts[..] else {
            panic!("{found:?}");
        };
        // With n at 1 both 0 + 1 and 1 + 0 are there.
        assert_eq!(one.text, "1");
        assert!(text[one.span.range()].starts_with("Ann chooses"));
    }
}
