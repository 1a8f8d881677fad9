//! The machine on small made-up games: what every construct of the language does at run time.
//!
//! A test gives a state and a play; the values come back as text from the view of all variables. Shipped games are tested
//! in `tests/`.

mod agree;
mod chance;
mod choices;
mod distribution;
mod errors;
mod events;
mod flow;
mod misuse;
mod payoffs;
mod playouts;
mod seats;
mod values;

use super::{Action, Actions, Machine, Observation, Outcomes, PlayError, State, Turn};
use crate::model::SiteKind;
use indexmap::IndexMap;

/// A game from its whole text.
#[track_caller]
pub(crate) fn game(text: &str) -> Machine {
    game_with(text, &[])
}

/// A game under settings.
#[track_caller]
pub(crate) fn game_with(text: &str, settings: &[(&str, &str)]) -> Machine {
    let settings = settings
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect();
    match crate::load(text, &settings) {
        Ok((machine, _)) => machine,
        Err(problems) => {
            let shown: Vec<String> = problems
                .iter()
                .map(|d| d.render("small.game", text, false))
                .collect();
            panic!("{text}\n{}", shown.join("\n"));
        }
    }
}

/// The text of a game of Ann and Ben in which nothing is at stake. `items` may hold types, defs and rules besides.
pub(crate) fn text(items: &str, state: &str, play: &str) -> String {
    format!(
        "game Small {{\n  players {{ Ann, Ben }}\n{items}\n  state {{\n{state}\n  }}\n  play {{\n{play}\n  }}\n  \
         payoff general-sum: [whoever in Player] 0\n}}\n"
    )
}

#[track_caller]
pub(crate) fn small(items: &str, state: &str, play: &str) -> Machine {
    game(&text(items, state, play))
}

/// What one player or everybody saw.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub kind: SiteKind,
    /// The names of those who saw it, as `Ann`, `Ben` or `Ann Ben`.
    pub viewers: String,
    pub observation: Observation,
    pub whole: bool,
}

/// A game under way, with all events so far.
pub(crate) struct Run<'m> {
    pub machine: &'m Machine,
    pub state: State,
    pub events: Vec<Seen>,
}

fn seen(machine: &Machine, event: &super::Event<'_>) -> Seen {
    let names: Vec<&str> = event
        .viewers
        .iter()
        .map(|p| machine.player_name(p))
        .collect();
    Seen {
        kind: machine.description().site(event.site).kind,
        viewers: names.join(" "),
        observation: Observation::from(event),
        whole: event.whole,
    }
}

impl<'m> Run<'m> {
    #[track_caller]
    pub fn new(machine: &'m Machine) -> Run<'m> {
        let mut events = Vec::new();
        let state = machine
            .initial_observed(&mut |e| events.push(seen(machine, &e)))
            .expect("a first node");
        Run {
            machine,
            state,
            events,
        }
    }

    /// The players to move, by name.
    pub fn movers(&self) -> Vec<usize> {
        match self.machine.turn(&self.state) {
            Turn::Decision(mask) => mask.iter().collect(),
            _ => Vec::new(),
        }
    }

    pub fn over(&self) -> bool {
        self.machine.turn(&self.state) == Turn::Terminal
    }

    /// The texts of one player's options.
    #[track_caller]
    pub fn options(&self, player: usize) -> Vec<String> {
        let mut actions = Actions::default();
        self.machine
            .legal(&self.state, player, &mut actions)
            .expect("options");
        actions
            .iter()
            .map(|a| self.machine.action_text(&self.state, player, a, None))
            .collect()
    }

    /// The texts of what may be drawn, with their weights.
    #[track_caller]
    pub fn outcomes(&self) -> Vec<(String, u64)> {
        let mut outcomes = Outcomes::default();
        self.machine
            .outcomes(&self.state, &mut outcomes)
            .expect("outcomes");
        assert_eq!(
            outcomes.total,
            outcomes.list.iter().map(|(_, w)| w).sum::<u64>()
        );
        outcomes
            .list
            .iter()
            .map(|(a, w)| (self.machine.outcome_text(&self.state, a, None), *w))
            .collect()
    }

    /// The actions that some texts mean: one for each mover, or one outcome.
    #[track_caller]
    pub fn actions(&self, texts: &[&str]) -> Vec<Action> {
        let find = |list: Vec<Action>, show: &dyn Fn(&Action) -> String, text: &str| {
            let shown: Vec<String> = list.iter().map(show).collect();
            let at = shown.iter().position(|t| t == text);
            let at = at.unwrap_or_else(|| panic!("no `{text}` among {shown:?}"));
            list[at].clone()
        };
        if self.machine.turn(&self.state) == Turn::Chance {
            let mut outcomes = Outcomes::default();
            self.machine
                .outcomes(&self.state, &mut outcomes)
                .expect("outcomes");
            let list = outcomes.list.into_iter().map(|(a, _)| a).collect();
            let show = |a: &Action| self.machine.outcome_text(&self.state, a, None);
            return vec![find(list, &show, texts[0])];
        }
        let movers = self.movers();
        assert_eq!(movers.len(), texts.len(), "movers {movers:?} for {texts:?}");
        movers
            .into_iter()
            .zip(texts)
            .map(|(p, text)| {
                let mut actions = Actions::default();
                self.machine
                    .legal(&self.state, p, &mut actions)
                    .expect("options");
                let show = |a: &Action| self.machine.action_text(&self.state, p, a, None);
                find(actions.0, &show, text)
            })
            .collect()
    }

    /// Plays one step; a joint move has its parts between bars: `1 | 2`.
    #[track_caller]
    pub fn play(&mut self, joint: &str) -> &mut Run<'m> {
        self.try_play(joint).expect("a step");
        self
    }

    #[track_caller]
    pub fn try_play(&mut self, joint: &str) -> Result<(), PlayError> {
        let texts: Vec<&str> = joint.split(" | ").collect();
        let actions = self.actions(&texts);
        let (machine, events) = (self.machine, &mut self.events);
        machine.step_observed(&mut self.state, &actions, &mut |e| {
            events.push(seen(machine, &e));
        })
    }

    /// The value of a variable, or of one element: `hand[Ann]`.
    #[track_caller]
    pub fn get(&self, name: &str) -> String {
        let view = self.machine.whole_view(&self.state);
        let known: IndexMap<String, String> = view
            .entries
            .into_iter()
            .map(|e| (e.name, e.value))
            .collect();
        known
            .get(name)
            .cloned()
            .unwrap_or_else(|| panic!("no `{name}` among {known:?}"))
    }
}

/// Plays some moves and gives the values of some variables after them.
#[track_caller]
pub(crate) fn after(machine: &Machine, moves: &[&str], names: &[&str]) -> Vec<String> {
    let mut run = Run::new(machine);
    for joint in moves {
        run.play(joint);
    }
    names.iter().map(|name| run.get(name)).collect()
}

/// The values of variables in a game without moves.
#[track_caller]
pub(crate) fn done(items: &str, state: &str, play: &str, expected: &[(&str, &str)]) {
    let machine = small(items, state, play);
    let run = Run::new(&machine);
    assert!(run.over(), "somebody has to move");
    for (name, value) in expected {
        assert_eq!(run.get(name), *value, "{name}");
    }
}
