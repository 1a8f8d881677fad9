//! A game on the table: what may be done, by its text, and what is where.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::check::Settings;
use ruse::internal::machine::{
    Action, Actions, Event, Machine, Observation, Outcomes, PlayError, State, Turn,
};
use ruse::internal::model::PlayerSet;
use ruse::internal::text::diagnostics::Diagnostic;

pub struct Table {
    pub machine: Machine,
    pub state: State,
    /// What each player has seen so far.
    pub seen: Vec<Vec<Observation>>,
}

pub fn report(text: &str, problems: &[Diagnostic]) -> String {
    let list: Vec<String> = problems
        .iter()
        .map(|d| d.render("test.game", text, false))
        .collect();
    list.join("\n\n")
}

/// A game around some items and a play, for Ann and Ben.
pub fn around(items: &str, play: &str) -> String {
    format!(
        "game Test {{\n  players {{ Ann, Ben }}\n{items}\n  play {{\n{play}\n  }}\n  payoff general-sum: [p in Player] 0\n}}"
    )
}

pub fn table(items: &str, play: &str) -> Table {
    set_up(&around(items, play), &[])
}

pub fn set_up(text: &str, settings: &[(&str, &str)]) -> Table {
    let settings: Settings = settings
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect();
    let machine = match ruse::load(text, &settings) {
        Ok((machine, _)) => machine,
        Err(problems) => panic!("{}", report(text, &problems)),
    };
    let mut events = Vec::new();
    let state = machine
        .initial_observed(&mut |e| events.push((e.viewers, Observation::from(&e))))
        .expect("a first node");
    let mut table = Table {
        state,
        seen: vec![Vec::new(); machine.player_count()],
        machine,
    };
    table.take_in(events);
    table
}

impl Table {
    fn take_in(&mut self, events: Vec<(PlayerSet, Observation)>) {
        for (viewers, observation) in events {
            for (p, seen) in self.seen.iter_mut().enumerate() {
                if viewers.contains(p) {
                    seen.push(observation.clone());
                }
            }
        }
    }

    pub fn actions(&self, player: usize) -> Vec<Action> {
        let mut actions = Actions::default();
        self.machine
            .legal(&self.state, player, &mut actions)
            .expect("options");
        actions.0
    }

    /// The texts of what a player may do, in order.
    pub fn options(&self, player: usize) -> Vec<String> {
        self.actions(player)
            .iter()
            .map(|a| self.machine.action_text(&self.state, player, a, None))
            .collect()
    }

    /// The texts of what may be drawn, in order.
    pub fn draws(&self) -> Vec<String> {
        let mut outcomes = Outcomes::default();
        self.machine
            .outcomes(&self.state, &mut outcomes)
            .expect("outcomes");
        outcomes
            .list
            .iter()
            .map(|(a, w)| {
                let text = self.machine.outcome_text(&self.state, a, None);
                if *w == 1 {
                    text
                } else {
                    format!("{text} by {w}")
                }
            })
            .collect()
    }

    /// The moves of the players to move, or the outcome, by their texts.
    pub fn play(&mut self, texts: &[&str]) -> &mut Table {
        self.try_play(texts).expect("a step");
        self
    }

    pub fn try_play(&mut self, texts: &[&str]) -> Result<(), PlayError> {
        let actions: Vec<Action> = match self.machine.turn(&self.state) {
            Turn::Terminal => panic!("the game is over"),
            Turn::Chance => {
                let mut outcomes = Outcomes::default();
                self.machine
                    .outcomes(&self.state, &mut outcomes)
                    .expect("outcomes");
                let wanted = outcomes
                    .list
                    .iter()
                    .find(|(a, _)| self.machine.outcome_text(&self.state, a, None) == texts[0]);
                let all = self.draws();
                vec![wanted.unwrap_or_else(|| panic!("{all:?}")).0.clone()]
            }
            Turn::Decision(mask) => mask
                .iter()
                .zip(texts)
                .map(|(p, text)| {
                    let options = self.options(p);
                    let i = options.iter().position(|o| o == text);
                    self.actions(p)[i.unwrap_or_else(|| panic!("{text}: {options:?}"))].clone()
                })
                .collect(),
        };
        let mut events = Vec::new();
        let mut sink = |e: Event<'_>| events.push((e.viewers, Observation::from(&e)));
        self.machine
            .step_observed(&mut self.state, &actions, &mut sink)?;
        self.take_in(events);
        Ok(())
    }

    /// The value of a variable or an element, as it prints.
    pub fn value(&self, name: &str) -> String {
        let view = self.machine.whole_view(&self.state);
        let entry = view.entries.iter().find(|e| e.name == name);
        entry
            .unwrap_or_else(|| panic!("no {name} in {:?}", view.entries))
            .value
            .clone()
    }

    /// How often each option comes up in `n` samples, in the order of the options.
    pub fn counts(&self, player: usize, n: usize) -> Vec<usize> {
        let options = self.actions(player);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut counts = vec![0; options.len()];
        for _ in 0..n {
            let action = self
                .machine
                .sample(&self.state, player, &mut rng)
                .expect("a sample");
            let i = options.iter().position(|a| *a == action);
            counts[i.expect("a sample that is listed")] += 1;
        }
        counts
    }
}
