//! What happens in a game, as text: the options and the moves, what they tell whom, and after each step whatever has
//! changed of what the players see.

use super::TestedGame;
use crate::machine::{
    Action, Actions, Event, Machine, Observation, PlayError, State, Turn, ViewEntry,
};
use crate::model::PlayerSet;
use crate::model::types::show_ratio;
use crate::random::Stream;
use crate::text::plural::plural;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::fmt::Write;

/// More options than this are shown by their first and last ones.
const MOST_OPTIONS: usize = 60;
const SHOWN_OF_MANY: usize = 20;

/// A text that grows with the game.
#[derive(Clone)]
pub struct Transcript {
    tested: TestedGame,
    /// By player, what was last written of each variable that the player sees.
    views: Vec<Vec<ViewEntry>>,
    /// What shown defs gave when that was last written.
    shown: FxHashMap<String, String>,
    /// What was shown before something happened, since the views were last written.
    shown_lines: Vec<String>,
    /// What was told since then.
    event_lines: Vec<String>,
    /// Whether something has happened since then.
    happens: bool,
    text: String,
}

impl Transcript {
    /// The first node of play, and a transcript of what there is to see at it.
    ///
    /// # Errors
    /// Where the rules run into an error before it.
    pub fn begin(tested: &TestedGame) -> Result<(Transcript, State), PlayError> {
        let mut transcript = Transcript {
            tested: tested.clone(),
            views: vec![Vec::new(); tested.machine.player_count()],
            shown: FxHashMap::default(),
            shown_lines: Vec::new(),
            event_lines: Vec::new(),
            happens: true,
            text: String::new(),
        };
        let machine = tested.machine.clone();
        let state = machine.initial_observed(&mut |event| transcript.hear(&event))?;
        transcript.write_changes(&state);
        Ok((transcript, state))
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Goes on from here with an empty text.
    pub fn continued(&self) -> Transcript {
        Transcript {
            text: String::new(),
            ..self.clone()
        }
    }

    /// A line of one's own.
    pub fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    /// Takes one step and writes it down. `actions` as for [`Machine::step`].
    ///
    /// # Errors
    /// As [`Machine::step`] and [`Machine::legal`].
    pub fn step(&mut self, state: &mut State, actions: &[Action]) -> Result<(), PlayError> {
        let machine = self.tested.machine.clone();
        let start = self.text.len();
        match machine.turn(state) {
            Turn::Terminal => {}
            Turn::Chance => {
                for outcome in actions.iter().take(1) {
                    let whole = machine.outcome_text(state, outcome, None);
                    let others = self
                        .seen_otherwise(&whole, |p| machine.outcome_text(state, outcome, Some(p)));
                    self.line(&format!("  chance: {whole}{others}"));
                }
            }
            Turn::Decision(players) => {
                let players: Vec<usize> = players.iter().collect();
                for &p in &players {
                    let texts = option_texts(&machine, state, p)?;
                    self.line(&format!(
                        "  {} may: {}",
                        machine.player_name(p),
                        few(&texts)
                    ));
                }
                for (&p, action) in players.iter().zip(actions) {
                    let whole = machine.action_text(state, p, action, None);
                    let others = self
                        .seen_otherwise(&whole, |v| machine.action_text(state, p, action, Some(v)));
                    self.line(&format!("  {}: {whole}{others}", machine.player_name(p)));
                }
            }
        }
        self.happens = false;
        machine.step_observed(state, actions, &mut |event| self.hear(&event))?;
        // What is shown with what happens came about before.
        let before: String = self.shown_lines.drain(..).map(|l| l + "\n").collect();
        self.text.insert_str(start, &before);
        self.write_changes(state);
        Ok(())
    }

    /// Takes up to `plies` steps at random, or goes on to the end. Returns whether it came to the end.
    ///
    /// # Errors
    /// As [`Transcript::step`].
    pub fn random(
        &mut self,
        state: &mut State,
        random: &mut Stream,
        plies: Option<u64>,
    ) -> Result<bool, PlayError> {
        let mut left = plies.unwrap_or(u64::MAX);
        while let Some(actions) = random_step(&self.tested.machine, state, random)? {
            if left == 0 {
                return Ok(false);
            }
            left -= 1;
            self.step(state, &actions)?;
        }
        Ok(true)
    }

    /// As [`Transcript::random`]; only where it leads is written down.
    ///
    /// # Errors
    /// As [`Machine::step`] and [`Machine::sample`].
    pub fn skip(
        &mut self,
        state: &mut State,
        random: &mut Stream,
        plies: u64,
    ) -> Result<(), PlayError> {
        let machine = self.tested.machine.clone();
        let mut done = 0;
        while done < plies
            && let Some(actions) = random_step(&machine, state, random)?
        {
            machine.step(state, &actions)?;
            done += 1;
        }
        self.line(&format!("  … {}", plural(done, "ply")));
        self.write_changes(state);
        Ok(())
    }

    /// Writes the payoffs, once the game is over.
    ///
    /// # Errors
    /// As [`Machine::payoff_units`].
    pub fn payoffs(&mut self, state: &State) -> Result<(), PlayError> {
        let machine = self.tested.machine.clone();
        let den = machine.payoff_denominator();
        let payoffs: Vec<String> = machine
            .payoff_units(state)?
            .iter()
            .enumerate()
            .map(|(p, n)| format!("{} {}", machine.player_name(p), show_ratio(*n, den)))
            .collect();
        self.line(&format!("  payoffs: {}", payoffs.join(", ")));
        Ok(())
    }

    /// Keeps an event as a line, where it is a reveal or tells a shown value that has changed.
    fn hear(&mut self, event: &Event<'_>) {
        let observation = Observation::from(event);
        let texts = self.tested.event_texts.clone();
        let shown_to = texts.shown_to(&observation);
        self.happens |= shown_to.is_none();
        let Some((name, value)) = texts.read(&observation) else {
            return;
        };
        let name = name.unwrap_or_default();
        let who = self.who_see(shown_to.unwrap_or(event.viewers));
        let line = format!("    {who} {name}: {value}");
        if shown_to.is_none() {
            return self.event_lines.push(line);
        }
        if self.shown.insert(name, value.clone()) == Some(value) {
            return;
        }
        match self.happens {
            true => self.event_lines.push(line),
            false => self.shown_lines.push(line),
        }
    }

    /// Writes the events so far and, at a decision or the end of the game, what has changed of what the players see.
    fn write_changes(&mut self, state: &State) {
        for line in std::mem::take(&mut self.event_lines) {
            self.line(&line);
        }
        let machine = self.tested.machine.clone();
        if machine.turn(state) == Turn::Chance {
            return;
        }
        let views: Vec<Vec<ViewEntry>> = (0..machine.player_count())
            .map(|p| machine.view(state, p).entries)
            .collect();
        // The variables in the order of the file, each with those for whom it changed.
        let mut changed: Vec<(PlayerSet, String)> = Vec::new();
        for entry in machine.whole_view(state).entries {
            let fresh = (0..views.len())
                .filter(|&p| views[p].contains(&entry) && !self.views[p].contains(&entry))
                .collect::<PlayerSet>();
            if fresh.is_empty() {
                continue;
            }
            let shown = format!("{} {}", entry.name, entry.value);
            match changed.iter_mut().find(|(mask, _)| *mask == fresh) {
                Some((_, line)) => {
                    line.push_str(", ");
                    line.push_str(&shown);
                }
                None => changed.push((fresh, shown)),
            }
        }
        let everyone = machine.description().everyone();
        changed.sort_by_key(|(mask, _)| (*mask != everyone, Reverse(mask.word().reverse_bits())));
        for (mask, line) in changed {
            if mask == everyone {
                self.line(&format!("    {line}"));
            } else {
                let who = self.who_see(mask);
                self.line(&format!("    {who} {line}"));
            }
        }
        self.views = views;
    }

    /// `all see`, `Alice sees`, `Alice and Bob see`.
    fn who_see(&self, players: PlayerSet) -> String {
        let machine = &self.tested.machine;
        let names: Vec<&str> = players.iter().map(|p| machine.player_name(p)).collect();
        match names.as_slice() {
            [one] => format!("{one} sees"),
            _ if players == machine.description().everyone() => "all see".to_string(),
            [most @ .., last] => format!("{} and {last} see", most.join(", ")),
            [] => "nobody sees".to_string(),
        }
    }

    /// How a move shows to those who do not see it whole: ` (Bob sees ·)`.
    fn seen_otherwise(&self, whole: &str, text: impl Fn(usize) -> String) -> String {
        let mut seen: Vec<(String, PlayerSet)> = Vec::new();
        for p in 0..self.tested.machine.player_count() {
            let text = text(p);
            match seen.iter_mut().find(|(t, _)| *t == text) {
                Some((_, mask)) => mask.insert(p),
                None if text != whole => seen.push((text, PlayerSet::only(p))),
                None => {}
            }
        }
        if seen.is_empty() {
            return String::new();
        }
        let parts: Vec<String> = seen
            .iter()
            .map(|(text, mask)| format!("{} {text}", self.who_see(*mask)))
            .collect();
        format!(" ({})", parts.join("; "))
    }
}

/// The texts of a player's options, as the player sees them.
pub(super) fn option_texts(
    machine: &Machine,
    state: &State,
    player: usize,
) -> Result<Vec<String>, PlayError> {
    let mut options = Actions::default();
    machine.legal(state, player, &mut options)?;
    let text = |a| machine.action_text(state, player, a, Some(player));
    Ok(options.iter().map(text).collect())
}

fn few(texts: &[String]) -> String {
    if texts.len() <= MOST_OPTIONS {
        return texts.join(" | ");
    }
    let first = texts[..SHOWN_OF_MANY].join(" | ");
    let last = texts.last().map_or("", String::as_str);
    format!("{first} | … | {last} ({} options)", texts.len())
}

/// What happens next, at random: the actions of a step; `None` at the end.
///
/// # Errors
/// As [`Machine::sample`] and [`Machine::sample_chance`].
pub fn random_step(
    machine: &Machine,
    state: &State,
    random: &mut Stream,
) -> Result<Option<Vec<Action>>, PlayError> {
    match machine.turn(state) {
        Turn::Terminal => Ok(None),
        Turn::Chance => Ok(Some(vec![machine.sample_chance(state, random)?])),
        Turn::Decision(players) => players
            .iter()
            .map(|p| machine.sample(state, p, random))
            .collect::<Result<_, _>>()
            .map(Some),
    }
}
