//! What a machine tells, against what the reader says.

use super::super::records::laws::LONGEST;
use super::super::records::walk::{Step, Told, begin, steps, words};
use super::{Rest, Segment, Stop, read};
use ruse::internal::machine::{
    Action, Actions, Machine, Observation, Outcomes, PlayError, State, Turn,
};

/// What came of a comparison.
#[derive(Default)]
pub struct Compared {
    /// Histories that were read to their ends.
    pub ends: usize,
    /// The first history that is told otherwise, in words.
    pub differs: Option<String>,
    pub whole: bool,
}

/// A step of the machine: what it told, and where it came to rest.
struct Stepped {
    events: Vec<Told>,
    rest: Rest,
}

struct Walk<'m> {
    machine: &'m Machine,
    most: usize,
    script: Vec<Vec<Action>>,
    stepped: Vec<Stepped>,
    texts: Vec<String>,
    /// Histories that were left before their ends.
    left: usize,
    compared: Compared,
}

/// Compares every history to the end, or so many.
///
/// # Errors
/// Those of play.
pub fn compare(machine: &Machine, most: usize) -> Result<Compared, PlayError> {
    let (state, events) = begin(machine)?;
    let mut walk = Walk {
        machine,
        most,
        script: Vec::new(),
        stepped: Vec::new(),
        texts: Vec::new(),
        left: 0,
        compared: Compared {
            whole: true,
            ..Compared::default()
        },
    };
    walk.go(state, events)?;
    Ok(walk.compared)
}

impl Walk<'_> {
    fn go(&mut self, state: State, events: Vec<Told>) -> Result<(), PlayError> {
        let rest = rest(self.machine, &state)?;
        let over = rest == Rest::End;
        self.stepped.push(Stepped { events, rest });
        if over {
            self.end();
        } else if self.script.len() < LONGEST
            && let Some(steps) = steps(self.machine, &state, self.most)?
        {
            for step in steps {
                let walked = self.compared.ends + self.left;
                if walked >= self.most || self.compared.differs.is_some() {
                    self.compared.whole = false;
                    break;
                }
                let Step {
                    actions,
                    events,
                    after,
                    ..
                } = step;
                self.texts.push(words(self.machine, &state, &actions));
                self.script.push(actions);
                self.go(after, events)?;
                self.script.pop();
                self.texts.pop();
            }
        } else {
            self.left += 1;
            self.compared.whole = false;
        }
        self.stepped.pop();
        Ok(())
    }

    fn end(&mut self) {
        self.compared.ends += 1;
        let what = match read(self.machine.description(), &self.script) {
            Err(Stop::Large) => {
                self.compared.whole = false;
                return;
            }
            Err(stop) => Some(format!("the reader stops: {stop:?}")),
            Ok(segments) => self.differs(&segments),
        };
        self.compared.differs = what.map(|w| format!("{w}\n  after: {}", self.texts.join("; ")));
    }

    fn differs(&self, segments: &[Segment]) -> Option<String> {
        if segments.len() != self.stepped.len() {
            let (one, other) = (self.stepped.len(), segments.len());
            return Some(format!("{one} rests, or {other}"));
        }
        for seat in self.machine.description().everyone() {
            for (i, (own, read)) in std::iter::zip(&self.stepped, segments).enumerate() {
                let name = self.machine.player_name(seat);
                if own.rest != read.rest {
                    let (one, other) = (&own.rest, &read.rest);
                    return Some(format!("at rest {i}: {one:?}\nor {other:?}"));
                }
                let told = told(seat, &own.events);
                let read_told = self::told(seat, &read.events);
                if told != read_told {
                    return Some(format!(
                        "at rest {i}, {name} is told {told:?}\nor {read_told:?}"
                    ));
                }
            }
        }
        None
    }
}

/// What a seat is told of.
fn told(seat: usize, events: &[Told]) -> Vec<&Observation> {
    let own = events.iter().filter(|(who, _)| who.contains(seat));
    own.map(|(_, event)| event).collect()
}

fn rest(machine: &Machine, state: &State) -> Result<Rest, PlayError> {
    Ok(match machine.turn(state) {
        Turn::Terminal => Rest::End,
        Turn::Chance => {
            let mut outcomes = Outcomes::default();
            machine.outcomes(state, &mut outcomes)?;
            outcomes.list.sort();
            Rest::Chance(outcomes.list)
        }
        Turn::Decision(movers) => {
            let mut list = Vec::new();
            for player in movers {
                let mut options = Actions::default();
                machine.legal(state, player, &mut options)?;
                list.push((player as u64, options.0));
            }
            Rest::Decision(list)
        }
    })
}
