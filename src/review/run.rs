//! Plays a script, writes down what happens, and tells what is not as the script says.

use super::counts;
use super::expect::{self, Position};
use super::script::{LineKind, Play, Script, Text};
use super::transcript::Transcript;
use super::{TestedGame, codes};
use crate::check::Settings;
use crate::machine::{Action, FindError, PlayError, State, Turn};
use crate::random::stream;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use indexmap::IndexMap;

/// The most histories that a script may have counted.
const MOST_HISTORIES: u64 = 5_000_000;

/// What came of a script.
#[derive(Debug, Default)]
pub struct Report {
    /// The snapshot.
    pub text: String,
    /// What is wrong; the spans are in the script.
    pub problems: Vec<Diagnostic>,
    /// Errors that the rules ran into, each under the settings of its play; the spans are in the game.
    pub faults: Vec<(Settings, PlayError)>,
    /// How many plays there were.
    pub plays: usize,
}

/// Plays every play of a script. `table` gives the game under some settings, or `None` where it has told by itself why
/// there is none; then the plays under these settings are left out.
pub fn run(script: &Script, tested: &mut dyn FnMut(&Settings) -> Option<TestedGame>) -> Report {
    let mut report = Report::default();
    // Where each play ended, for those that go on from there.
    let mut ends: IndexMap<&str, (Transcript, State)> = IndexMap::new();
    let (mut heading, mut seen) = (String::new(), String::new());
    for play in &script.plays {
        report.plays += 1;
        let settings = script.settings_of(play);
        let Some(tested) = tested(&settings) else {
            continue;
        };
        if tested.heading() != heading {
            heading = tested.heading();
            report.text.push_str(&format!("{heading}\n\n"));
            if tested.who_sees_what() != seen {
                seen = tested.who_sees_what().to_string();
                report.text.push_str(&format!("{seen}\n"));
            }
        }
        let begun = match &play.after {
            None => Transcript::begin(&tested),
            Some(after) => match ends.get(after.text.as_str()) {
                Some((transcript, state)) => Ok((transcript.continued(), state.clone())),
                None => continue,
            },
        };
        let mut player = Player {
            tested: &tested,
            chosen: Vec::new(),
            started: play.after.is_some(),
            problems: &mut report.problems,
        };
        let played = match begun {
            Ok((transcript, state)) => player.play(play, transcript, state),
            Err(error) => Err(Failed::Rules(play.title.span, error)),
        };
        let title = match &play.after {
            Some(after) => format!("play \"{}\" after \"{}\"", play.title.text, after.text),
            None => format!("play \"{}\"", play.title.text),
        };
        report.text.push_str(&format!("{title}\n"));
        match played {
            Ok((transcript, state)) => {
                report.text.push_str(transcript.text());
                ends.insert(&play.title.text, (transcript, state));
            }
            Err(Failed::Script) => {}
            Err(Failed::Rules(span, error)) => {
                let message = format!("the rules ran into an error: {}", error.message);
                let d = Diagnostic::error(codes::RULES_FAILED, span, message);
                report
                    .problems
                    .push(d.hint(format!("`ruse explain {}` tells more", error.code.0)));
                report.faults.push((settings, error));
            }
        }
        report.text.push('\n');
    }
    report.text.truncate(report.text.trim_end().len());
    report.text.push('\n');
    report
}

/// Why a play could not go on.
enum Failed {
    /// The problem has been told.
    Script,
    Rules(Span, PlayError),
}

struct Player<'a> {
    tested: &'a TestedGame,
    /// Actions of a simultaneous decision, until all players have given theirs.
    chosen: Vec<(usize, Action)>,
    /// Whether something has happened since the game began.
    started: bool,
    problems: &'a mut Vec<Diagnostic>,
}

impl Player<'_> {
    fn play(
        &mut self,
        play: &Play,
        mut transcript: Transcript,
        mut state: State,
    ) -> Result<(Transcript, State), Failed> {
        let mut paid = false;
        for line in &play.lines {
            let rules = |e| Failed::Rules(line.span, e);
            match &line.kind {
                LineKind::Chance(text) => {
                    self.nobody_waits(&state, line.span)?;
                    if self.tested.machine.turn(&state) != Turn::Chance {
                        return self.not_now(&state, line.span, "nothing is drawn here");
                    }
                    let found = self.tested.machine.find_outcome(&state, &text.text);
                    let outcome = self.found(found, text, "outcome")?;
                    transcript.step(&mut state, &[outcome]).map_err(rules)?;
                    self.started = true;
                }
                LineKind::Move { player, text } => {
                    let p = self.player(player)?;
                    self.choose(&state, p, text)?;
                    let Turn::Decision(players) = self.tested.machine.turn(&state) else {
                        continue;
                    };
                    if self.chosen.len() < players.len() {
                        continue;
                    }
                    self.chosen.sort_by_key(|(p, _)| *p);
                    let actions: Vec<Action> = self.chosen.drain(..).map(|(_, a)| a).collect();
                    transcript.step(&mut state, &actions).map_err(rules)?;
                    self.started = true;
                }
                LineKind::Random { plies, seed } => {
                    self.nobody_waits(&state, line.span)?;
                    let mut random = stream(*seed, &[0]);
                    let plies = Some(*plies);
                    transcript
                        .random(&mut state, &mut random, plies)
                        .map_err(rules)?;
                    self.started = true;
                }
                LineKind::Skip { plies, seed } => {
                    self.nobody_waits(&state, line.span)?;
                    let mut random = stream(*seed, &[0]);
                    transcript
                        .skip(&mut state, &mut random, *plies)
                        .map_err(rules)?;
                    self.started = true;
                }
                LineKind::Playouts { games, seed } => {
                    self.nobody_waits(&state, line.span)?;
                    for game in 1..=*games {
                        transcript.line(&format!("  playout {game}"));
                        let mut playout = transcript.continued();
                        let mut state = state.clone();
                        let mut random = stream(*seed, &[game]);
                        playout
                            .random(&mut state, &mut random, None)
                            .map_err(rules)?;
                        playout.payoffs(&state).map_err(rules)?;
                        for line in playout.text().lines() {
                            transcript.line(&format!("  {line}"));
                        }
                    }
                }
                LineKind::Counts(plies) => {
                    self.counts(&mut transcript, *plies, line.span)?;
                }
                LineKind::Payoffs(list) => {
                    self.nobody_waits(&state, line.span)?;
                    self.expect(&state, &line.kind, line.span)?;
                    if !paid && !list.is_empty() {
                        self.pay(&mut transcript, &state, line.span, &mut paid)?;
                    }
                }
                kind => self.expect(&state, kind, line.span)?,
            }
        }
        let last = play.lines.last().map_or(play.title.span, |l| l.span);
        self.nobody_waits(&state, last)?;
        self.pay(&mut transcript, &state, last, &mut paid)?;
        Ok((transcript, state))
    }

    /// Writes the payoffs down, once, if the game is over.
    fn pay(
        &mut self,
        transcript: &mut Transcript,
        state: &State,
        span: Span,
        paid: &mut bool,
    ) -> Result<(), Failed> {
        if !*paid && self.tested.machine.turn(state) == Turn::Terminal {
            *paid = true;
            let written = transcript.payoffs(state);
            written.map_err(|e| Failed::Rules(span, e))?;
        }
        Ok(())
    }

    fn expect(&mut self, state: &State, kind: &LineKind, span: Span) -> Result<(), Failed> {
        let position = Position {
            machine: &self.tested.machine,
            state,
            span,
        };
        match expect::expect(&position, kind) {
            Ok(problem) => self.problems.extend(problem),
            Err(error) => return Err(Failed::Rules(span, error)),
        }
        Ok(())
    }

    fn counts(
        &mut self,
        transcript: &mut Transcript,
        plies: u64,
        span: Span,
    ) -> Result<(), Failed> {
        if self.started || !self.chosen.is_empty() {
            let message = "histories are counted from the start of the game";
            let d = Diagnostic::error(codes::BAD_ORDER, span, message);
            self.problems
                .push(d.hint("put `counts` first, in a `play` without `after`"));
            return Ok(());
        }
        match counts::counts(&self.tested.machine, plies, MOST_HISTORIES) {
            Ok(None) => {
                let message = format!("there are more than {MOST_HISTORIES} histories");
                let d = Diagnostic::error(codes::NOT_AS_EXPECTED, span, message);
                self.problems.push(d.hint("count fewer plies"));
                Ok(())
            }
            Ok(Some(found)) => {
                for line in counts::lines(&found) {
                    transcript.line(&line);
                }
                Ok(())
            }
            Err(crate::solve::SolveError::Rules(error)) => Err(Failed::Rules(span, error)),
            Err(error) => {
                let d = Diagnostic::error(codes::NOT_AS_EXPECTED, span, error.to_string());
                self.problems.push(d);
                Ok(())
            }
        }
    }

    fn player(&mut self, name: &Text) -> Result<usize, Failed> {
        expect::player(&self.tested.machine, name).map_err(|d| {
            self.problems.push(*d);
            Failed::Script
        })
    }

    fn found(
        &mut self,
        found: Result<Action, FindError>,
        text: &Text,
        what: &str,
    ) -> Result<Action, Failed> {
        found.map_err(|error| match error {
            FindError::Play(error) => Failed::Rules(text.span, error),
            error => {
                self.problems
                    .push(expect::no_such(&error, &text.text, text.span, what));
                Failed::Script
            }
        })
    }

    /// Takes a player's action down.
    fn choose(&mut self, state: &State, player: usize, text: &Text) -> Result<(), Failed> {
        let machine = &self.tested.machine;
        let name = machine.player_name(player);
        let asked = match machine.turn(state) {
            Turn::Decision(players) => players.contains(player),
            _ => false,
        };
        if !asked {
            let what = format!("it is not {name}'s turn");
            return self.not_now(state, text.span, &what);
        }
        if self.chosen.iter().any(|(p, _)| *p == player) {
            let what = format!("{name} has chosen already");
            return self.not_now(state, text.span, &what);
        }
        let found = machine.find_action(state, player, &text.text);
        let action = self.found(found, text, "move")?;
        self.chosen.push((player, action));
        Ok(())
    }

    /// Of those who choose at the same time, all or none must have chosen.
    fn nobody_waits(&mut self, state: &State, span: Span) -> Result<(), Failed> {
        if self.chosen.is_empty() {
            return Ok(());
        }
        let what = "not everybody has chosen who chooses at this time";
        self.not_now(state, span, what)
    }

    fn not_now<T>(&mut self, state: &State, span: Span, what: &str) -> Result<T, Failed> {
        let machine = &self.tested.machine;
        let hint = match machine.turn(state) {
            Turn::Terminal => "the game is over".to_string(),
            Turn::Chance => {
                "something is drawn here: `chance: …`, or `random 1` for any outcome".to_string()
            }
            Turn::Decision(players) => {
                let waiting = players
                    .iter()
                    .filter(|p| self.chosen.iter().all(|(c, _)| c != p));
                let names: Vec<&str> = waiting.map(|p| machine.player_name(p)).collect();
                format!("to move: {}", names.join(", "))
            }
        };
        let d = Diagnostic::error(codes::NOT_NOW, span, what);
        self.problems.push(d.hint(hint));
        Err(Failed::Script)
    }
}
