//! No peeking: the true state is swapped for another one that the player cannot tell from it, and nothing changes for the
//! player. What it is handed is the same, and it decides the same from the same seed, at the table and as a hint.

use crate::records::walk::{self, Told};
use crate::records::writer::program;
use crate::small;
use indexmap::IndexMap;
use ruse::internal::arena::Ply;
use ruse::internal::arena::session::{Occupant, Session, Waiting};
use ruse::internal::check::Settings;
use ruse::internal::machine::{Actions, Machine, Observation, State, Turn};
use ruse::internal::players::catalogue::{CATALOGUE, Way};
use ruse::internal::players::{Clock, Patience, PlayerSpec, suits};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// More histories of a game are not walked.
const MOST: usize = 3_000;
/// So many information states of a game are played from.
const PLAYED: usize = 8;

/// A question, as a player gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    node: u32,
    actions: Actions,
}

/// An information state: what was handed to the player there, and for each true state a way that leads to it.
struct Met {
    asked: Asked,
    ways: BTreeMap<Vec<u64>, Vec<Ply>>,
}

/// What is met on the histories of a game.
struct Walk<'m> {
    machine: &'m Machine,
    name: &'m str,
    histories: usize,
    plies: Vec<Ply>,
    seen: Vec<Vec<Observation>>,
    /// By player and all that it observed.
    met: IndexMap<(usize, Vec<Observation>), Met>,
}

impl Walk<'_> {
    fn tell(&mut self, events: &[Told]) {
        for (viewers, observation) in events {
            viewers
                .iter()
                .for_each(|p| self.seen[p].push(observation.clone()));
        }
    }

    fn walk(&mut self, state: &State) {
        let machine = self.machine;
        if self.histories >= MOST {
            return;
        }
        let node = machine.node(state);
        match machine.turn(state) {
            Turn::Terminal => {
                self.histories += 1;
                return;
            }
            Turn::Chance => {}
            Turn::Decision(movers) => movers.iter().for_each(|player| {
                let mut actions = Actions::default();
                machine.legal(state, player, &mut actions).expect("options");
                self.ask(state, player, Asked { node, actions });
            }),
        }
        let Some(steps) = walk::steps(machine, state, 500).expect("steps") else {
            return;
        };
        for step in steps {
            let lengths: Vec<usize> = self.seen.iter().map(Vec::len).collect();
            let actions = step.actions.clone();
            self.plies.push(Ply { node, actions });
            self.tell(&step.events);
            self.walk(&step.after);
            self.plies.pop();
            for (seen, length) in std::iter::zip(&mut self.seen, lengths) {
                seen.truncate(length);
            }
        }
    }

    /// Everything that a player is handed follows from what it observed.
    fn ask(&mut self, state: &State, player: usize, asked: Asked) {
        let key = (player, self.seen[player].clone());
        let met = self.met.entry(key).or_insert_with(|| Met {
            asked: asked.clone(),
            ways: BTreeMap::new(),
        });
        assert_eq!(met.asked, asked, "{}", self.name);
        let key = self.machine.exact_key(state).to_vec();
        met.ways.entry(key).or_insert_with(|| self.plies.clone());
    }
}

/// What players for hidden information can do beside what they usually do.
const OPTIONS: [&str; 4] = [
    "ismcts(playouts=12, redeterminize=true)",
    "ismcts(playouts=12, reuse=true, variant=so)",
    "smooth_uct(playouts=12, reuse=true, belief=posterior)",
    "determinized(playouts=12, trees=separate, w=1)",
];

/// Every player that decides by itself, with little to search, and `more`.
fn players(machine: &Machine, more: &[&str]) -> Vec<PlayerSpec> {
    let entries = CATALOGUE.iter().filter(|e| match e.way {
        Way::Random | Way::Search(_) => true,
        Way::Saved | Way::Answering | Way::Committed(_) | Way::Solved => false,
    });
    let specs = entries.map(|e| match e.parameter("playouts") {
        Some(_) => format!("{}(playouts=12)", e.name),
        None => e.name.to_string(),
    });
    let more = more.iter().map(|text| String::from(*text));
    let specs = specs.chain(more);
    let specs = specs.map(|text| PlayerSpec::parse(&text).expect(&text));
    specs.filter(|spec| suits(spec, machine).is_ok()).collect()
}

/// What a player says after a way of play: as a hint, and at the table.
fn said(machine: &Arc<Machine>, seat: usize, spec: &PlayerSpec, way: &[Ply]) -> (usize, Actions) {
    let clock: Clock = Arc::new(|| Duration::ZERO);
    let people = vec![Occupant::Person; machine.player_count()];
    let mut session = Session::new(machine, people.clone(), 7, 0, &clock).expect("a session");
    session.take_up(way, Patience::ENDLESS).expect("the way");
    let hint = session
        .hint(seat, spec, Patience::ENDLESS)
        .expect("a hint")
        .option;

    let mut seats = people;
    seats[seat] = Occupant::Player(spec.clone());
    let mut session = Session::new(machine, seats, 7, 0, &clock).expect("a session");
    session.take_up(way, Patience::ENDLESS).expect("the way");
    let at = way.len();
    // Others who choose at the same time are people, and are asked first.
    while session.plies().len() == at {
        match session.advance(Patience::ENDLESS).expect("play") {
            Waiting::Choice(other) if session.plies().len() == at => {
                assert!(session.choose(other, 0).expect("a choice"));
            }
            _ => break,
        }
    }
    let ply = &session.plies()[at];
    let movers: Vec<usize> = movers(machine, way);
    let place = movers.iter().position(|p| *p == seat).expect("a mover");
    (hint, Actions(vec![ply.actions[place].clone()]))
}

fn movers(machine: &Machine, way: &[Ply]) -> Vec<usize> {
    let mut state = machine.initial().expect("a start");
    for ply in way {
        machine.step(&mut state, &ply.actions).expect("a step");
    }
    match machine.turn(&state) {
        Turn::Decision(movers) => movers.iter().collect(),
        _ => Vec::new(),
    }
}

/// How many information states with several true states were met, and from how many of them was played.
#[derive(Default)]
struct Count {
    several: usize,
    played: usize,
}

fn check(name: &str, machine: &Arc<Machine>, more: &[&str], count: &mut Count) {
    let Ok((state, events)) = walk::begin(machine) else {
        return;
    };
    let players_at = machine.player_count();
    let mut walk = Walk {
        machine,
        name,
        histories: 0,
        plies: Vec::new(),
        seen: vec![Vec::new(); players_at],
        met: IndexMap::new(),
    };
    walk.tell(&events);
    walk.walk(&state);
    let several = walk.met.into_iter();
    let several: Vec<_> = several.filter(|(_, met)| met.ways.len() > 1).collect();
    count.several += several.len();
    let choices = several
        .iter()
        .filter(|(_, met)| met.asked.actions.len() > 1)
        .collect::<Vec<_>>();
    let stride = choices.len().div_ceil(PLAYED).max(1);
    for ((seat, _), met) in choices.into_iter().step_by(stride) {
        let mut ways = met.ways.values();
        let (Some(first), Some(last)) = (ways.next(), ways.next_back()) else {
            continue;
        };
        for spec in players(machine, more) {
            let (one, other) = (
                said(machine, *seat, &spec, first),
                said(machine, *seat, &spec, last),
            );
            assert_eq!(one, other, "{name}: {spec}");
        }
        count.played += 1;
    }
}

#[test]
fn nobody_sees_the_true_state_of_small_games() {
    let mut count = Count::default();
    for (name, machine) in small::shipped() {
        check(&name, &machine, &OPTIONS, &mut count);
    }
    println!("{} met, {} played", count.several, count.played);
    assert!(count.several > 1_000 && count.played > 100);
}

#[test]
fn nobody_sees_the_true_state_of_examples() {
    let mut count = Count::default();
    for (name, machine) in small::examples().into_iter().chain(small::right()) {
        check(&name, &Arc::new(machine), &[], &mut count);
    }
    println!("{} met, {} played", count.several, count.played);
    assert!(count.several > 100 && count.played > 50);
}

#[test]
fn nobody_sees_the_true_state_of_random_games() {
    let mut count = Count::default();
    let accepted = (0..).map(program).filter_map(|program| {
        let (machine, _) = ruse::load(&program.text, &Settings::new()).ok()?;
        Some((program.text, Arc::new(machine)))
    });
    for (text, machine) in accepted.take(120) {
        check(&text, &machine, &[], &mut count);
    }
    println!("{} met, {} played", count.several, count.played);
    assert!(count.several > 1_000 && count.played > 100);
}
