//! Moves in one line: `chance: 3; Ann: 2; Ben: 1`, or `3; 2; 1`, from the start of a game.

use super::codes;
use super::expect::no_such;
use crate::machine::{Action, Event, FindError, Machine, PlayError, State, Turn};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// Why moves cannot be played.
#[derive(Debug)]
pub enum MovesError {
    /// The span is in the text of the moves.
    Text(Box<Diagnostic>),
    /// The rules ran into an error; the span is in the text of the game.
    Rules(PlayError),
}

impl From<PlayError> for MovesError {
    fn from(error: PlayError) -> MovesError {
        MovesError::Rules(error)
    }
}

/// The state after moves that are written one after the other with `;` or line breaks between them. Each is a player's
/// name (or `chance`), a colon and what one would type, or only that: then it is whoever comes next in seating order
/// among those who choose at the time.
///
/// # Errors
/// When a text is no move of that player at that time, when not everybody has a move who chooses at the same time as the
/// last one, or where the rules run into an error.
pub fn play_moves(machine: &Machine, text: &str) -> Result<State, MovesError> {
    play_moves_observed(machine, text, &mut |_| {})
}

/// As [`play_moves`], with every event on the way.
///
/// # Errors
/// As [`play_moves`].
pub fn play_moves_observed(
    machine: &Machine,
    text: &str,
    sink: &mut dyn FnMut(Event<'_>),
) -> Result<State, MovesError> {
    Ok(play(machine, text, sink)?.0)
}

/// What moves are as steps of play: one action for each player to move, or the outcome.
///
/// # Errors
/// As [`play_moves`].
pub fn read_moves(machine: &Machine, text: &str) -> Result<Vec<Vec<Action>>, MovesError> {
    Ok(play(machine, text, &mut |_| {})?.1)
}

/// Plays moves; the state after them, and the steps.
fn play(
    machine: &Machine,
    text: &str,
    sink: &mut dyn FnMut(Event<'_>),
) -> Result<(State, Vec<Vec<Action>>), MovesError> {
    let mut line = Line {
        machine,
        state: machine.initial_observed(sink)?,
        sink,
        chosen: Vec::new(),
        steps: Vec::new(),
    };
    let mut start = 0;
    for part in text.split([';', '\n']) {
        let skipped = part.len() - part.trim_start().len();
        let span = Span::new(start + skipped, start + skipped + part.trim().len());
        if !part.trim().is_empty() {
            line.step(part.trim(), span)?;
        }
        start += part.len() + 1;
    }
    if line.chosen.is_empty() {
        return Ok((line.state, line.steps));
    }
    let end = Span::new(text.trim_end().len(), text.trim_end().len());
    let what = "not everybody has chosen who chooses at this time";
    Err(line.not_now(end, what))
}

struct Line<'m, 's> {
    machine: &'m Machine,
    sink: &'s mut dyn FnMut(Event<'_>),
    state: State,
    /// Those who have chosen of the players to move.
    chosen: Vec<(usize, Action)>,
    /// What was played.
    steps: Vec<Vec<Action>>,
}

impl Line<'_, '_> {
    fn step(&mut self, text: &str, span: Span) -> Result<(), MovesError> {
        let machine = self.machine;
        let (who, typed) = self.split(text);
        let mover = match machine.turn(&self.state) {
            Turn::Terminal => return Err(self.not_now(span, "nothing comes after the end")),
            Turn::Chance => None,
            Turn::Decision(players) => {
                let open = |p: usize| {
                    players.contains(p) && self.chosen.iter().all(|(chosen, _)| *chosen != p)
                };
                (0..machine.player_count()).find(|p| match who {
                    Some(Who::Player(named)) => *p == named && open(*p),
                    _ => open(*p),
                })
            }
        };
        match (who, mover) {
            (Some(Who::Player(p)), mover) if mover != Some(p) => {
                let what = format!("it is not {}'s turn", machine.player_name(p));
                return Err(self.not_now(span, &what));
            }
            (Some(Who::Chance), Some(_)) => {
                return Err(self.not_now(span, "nothing is drawn here"));
            }
            _ => {}
        }
        let (found, what) = match mover {
            None => (machine.find_outcome(&self.state, typed), "outcome"),
            Some(p) => (machine.find_action(&self.state, p, typed), "move"),
        };
        let action = found.map_err(|error| match error {
            FindError::Play(error) => MovesError::Rules(error),
            error => MovesError::Text(Box::new(no_such(&error, typed, span, what))),
        })?;
        let Some(player) = mover else {
            return self.play(vec![action]);
        };
        self.chosen.push((player, action));
        if let Turn::Decision(players) = machine.turn(&self.state)
            && self.chosen.len() == players.len()
        {
            self.chosen.sort_by_key(|(p, _)| *p);
            let actions: Vec<Action> = self.chosen.drain(..).map(|(_, a)| a).collect();
            self.play(actions)?;
        }
        Ok(())
    }

    fn play(&mut self, actions: Vec<Action>) -> Result<(), MovesError> {
        self.machine
            .step_observed(&mut self.state, &actions, self.sink)?;
        self.steps.push(actions);
        Ok(())
    }

    /// Who is named, if anybody is, and the move. A colon may also be a part of the move.
    fn split<'t>(&self, text: &'t str) -> (Option<Who>, &'t str) {
        if let Some((name, rest)) = text.split_once(':') {
            let name = name.trim();
            let player = (0..self.machine.player_count())
                .find(|&p| self.machine.player_name(p) == name)
                .map(Who::Player);
            let who = player.or((name == "chance").then_some(Who::Chance));
            if who.is_some() {
                return (who, rest.trim());
            }
        }
        (None, text)
    }

    fn not_now(&self, span: Span, what: &str) -> MovesError {
        let hint = match self.machine.turn(&self.state) {
            Turn::Terminal => "the game is over".to_string(),
            Turn::Chance => "something is drawn here: write the outcome".to_string(),
            Turn::Decision(players) => {
                let waiting = (0..self.machine.player_count()).filter(|p| {
                    players.contains(*p) && self.chosen.iter().all(|(chosen, _)| chosen != p)
                });
                let names: Vec<&str> = waiting.map(|p| self.machine.player_name(p)).collect();
                format!("to move: {}", names.join(", "))
            }
        };
        let d = Diagnostic::error(codes::NOT_NOW, span, what);
        MovesError::Text(Box::new(d.hint(hint)))
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Who {
    Player(usize),
    Chance,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Settings;
    use crate::model::PlayerSet;

    const GAME: &str = "game Bids {
      players { Ann, Ben }
      state { bid : [Player] 1..3  prize : 1..2 }
      play {
        draw n in 1..2 into prize as \"{n}\"
        together each p in Player { p chooses c in 1..3 into bid[p] as \"bid: {c}\" }
        Ann chooses { stop  go => { Ben chooses { stop  go } } }
      }
      payoff zero-sum: [p in Player] 0
    }";

    fn played(text: &str) -> Result<Turn, String> {
        let (machine, _) = crate::load(GAME, &Settings::new()).unwrap();
        match play_moves(&machine, text) {
            Ok(state) => Ok(machine.turn(&state)),
            Err(MovesError::Text(d)) => Err(format!(
                "{} `{}`: {}; {}",
                d.code.0,
                &text[d.span.range()],
                d.message,
                d.hint.unwrap_or_default()
            )),
            Err(MovesError::Rules(e)) => Err(e.to_string()),
        }
    }

    #[test]
    fn moves_are_played_with_names_and_without() {
        assert_eq!(played(""), Ok(Turn::Chance));
        assert_eq!(played(" 2 ;"), Ok(Turn::Decision(PlayerSet::first(2))));
        let all = [
            "chance: 2; Ann: 1; Ben: 3",
            "chance: 2\nBen: 3\nAnn: bid: 1\n",
            "2; 1; 3",
            "2; Ben: 3; bid: 1",
        ];
        for text in all {
            assert_eq!(
                played(text),
                Ok(Turn::Decision(PlayerSet::only(0))),
                "{text}"
            );
        }
        assert_eq!(
            played("2; 1; 3; go"),
            Ok(Turn::Decision(PlayerSet::only(1)))
        );
        assert_eq!(played("2; 1; 3; go; Ben: stop"), Ok(Turn::Terminal));
    }

    #[test]
    fn what_does_not_fit_is_told_at_its_place() {
        let wrong = [
            (
                "2; 4",
                "E0904 `4`: there is no move `4`; possible: bid: 1 | bid: 2 | bid: 3",
            ),
            ("3", "E0904 `3`: there is no outcome `3`; possible: 1 | 2"),
            (
                "Ann: 1",
                "E0905 `Ann: 1`: it is not Ann's turn; something is drawn here: write the outcome",
            ),
            (
                "2; Ann: 1; Ann: 2",
                "E0905 `Ann: 2`: it is not Ann's turn; to move: Ben",
            ),
            (
                "2; chance: 1",
                "E0905 `chance: 1`: nothing is drawn here; to move: Ann, Ben",
            ),
            (
                "2; 1 ",
                "E0905 ``: not everybody has chosen who chooses at this time; to move: Ben",
            ),
            (
                "2; 1; 3; stop; go",
                "E0905 `go`: nothing comes after the end; the game is over",
            ),
        ];
        for (text, message) in wrong {
            assert_eq!(played(text), Err(message.to_string()), "{text}");
        }
    }

    /// A text that hides what was drawn says it here all the same.
    #[test]
    fn outcomes_of_one_text_go_by_what_was_drawn() {
        let game = "game Lots {
          players { Ann, Ben }
          state { lot : 1..3 seen by none }
          play {
            draw n in 1..3, m in 1..2 into lot as if n < 3 then \"a lot is drawn\" else \"{n} {m}\"
            Ann chooses { stop  go }
          }
          payoff zero-sum: [p in Player] 0
        }";
        let (machine, _) = crate::load(game, &Settings::new()).unwrap();
        let read = |text: &str| read_moves(&machine, text).map(|steps| steps.len());
        for text in [
            "2, 1",
            "chance: a lot is drawn (2, 1); stop",
            "3 2",
            "lot 1 2",
        ] {
            assert!(read(text).is_ok(), "{text}");
        }
        let Err(MovesError::Text(d)) = read("a lot is drawn") else {
            panic!("this could be several outcomes");
        };
        assert!(d.hint.unwrap().contains("a lot is drawn (1, 2)"));
    }
}
