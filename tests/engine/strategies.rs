//! Strategies at the table: what is played on every history is what the file says, or what the solver found.

use crate::records::walk;
use crate::small;
use crate::support::load;
use rand::RngExt;
use ruse::internal::machine::{Actions, Machine, Observation, State, Turn};
use ruse::internal::players::{
    Patience, Player, PlayerError, PlayerSpec, Preparation, PrepareError, Question,
};
use ruse::internal::random::stream;
use ruse::internal::solve::tree::build;
use ruse::internal::solve::zero_sum::suited;
use ruse::internal::solve::{
    GameId, Profile, Sequences, TreeError, TreeOptions, exploitability, strategy_file,
};
use ruse::internal::text::sources::Sources;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Larger trees are left out.
const MOST: u32 = 20_000;

fn sources() -> Sources {
    Sources::new("any.game", "game Any")
}

fn prepared(spec: &str, machine: &Arc<Machine>, file: &str) -> Result<PlayerSpec, PrepareError> {
    let spec = PlayerSpec::parse(spec).expect(spec);
    spec.prepare(&mut Preparation {
        machine,
        sources: &sources(),
        files: &mut |path| match path {
            "here.json" => Ok(file.to_string()),
            _ => Err(format!("{path} is not here")),
        },
        progress: &mut (),
        clock: &|| Duration::ZERO,
        cancel: &Arc::new(AtomicBool::new(false)),
    })
}

/// What everybody is paid in the mean where all seats play by a spec.
struct Table<'a> {
    machine: &'a Arc<Machine>,
    spec: &'a PlayerSpec,
    seen: Vec<Vec<Observation>>,
    paid: Vec<f64>,
}

impl Table<'_> {
    fn paid(machine: &Arc<Machine>, spec: &PlayerSpec) -> Vec<f64> {
        let (state, events) = walk::begin(machine).expect("a start");
        let players = machine.player_count();
        let mut table = Table {
            machine,
            spec,
            seen: vec![Vec::new(); players],
            paid: vec![0.0; players],
        };
        table.tell(&events);
        table.walk(&state, 1.0);
        table.paid
    }

    fn tell(&mut self, events: &[walk::Told]) {
        for (viewers, observation) in events {
            viewers
                .iter()
                .for_each(|p| self.seen[p].push(observation.clone()));
        }
    }

    /// How likely each action of a player is, and the actions.
    fn mix(&self, state: &State, seat: usize) -> Result<(Actions, Vec<f64>), PlayerError> {
        let mut actions = Actions::default();
        self.machine.legal(state, seat, &mut actions)?;
        let mut player = self
            .spec
            .strategy_player(self.machine)?
            .expect("a strategy");
        player.begin(seat, 1)?;
        for observation in &self.seen[seat] {
            player.observe(observation)?;
        }
        let question = Question {
            node: self.machine.node(state),
            seat,
            actions: &actions,
            patience: Patience::ENDLESS,
        };
        let mix = player.probabilities(&question)?;
        let chosen = player.choose(&question)?;
        assert!(mix[chosen] > 0.0);
        assert!((mix.iter().sum::<f64>() - 1.0).abs() < 1e-6);
        Ok((actions, mix))
    }

    fn walk(&mut self, state: &State, reach: f64) {
        let machine = self.machine;
        let mixes = match machine.turn(state) {
            Turn::Terminal => {
                let payoffs = machine.payoffs(state).expect("payoffs");
                for (paid, payoff) in std::iter::zip(&mut self.paid, payoffs) {
                    *paid += reach * payoff;
                }
                return;
            }
            Turn::Chance => Vec::new(),
            Turn::Decision(movers) => movers
                .iter()
                .map(|p| self.mix(state, p).expect("a mix"))
                .collect(),
        };
        let steps = walk::steps(machine, state, usize::MAX)
            .expect("steps")
            .expect("all");
        let total: u64 = steps.iter().map(|s| s.weight).sum();
        for step in steps {
            let mut share = step.weight as f64 / total as f64;
            if !mixes.is_empty() {
                let chosen = std::iter::zip(&mixes, &step.actions);
                share = chosen
                    .map(|((actions, mix), action)| {
                        mix[actions.iter().position(|a| a == action).expect("an option")]
                    })
                    .product();
            }
            let lengths: Vec<usize> = self.seen.iter().map(Vec::len).collect();
            self.tell(&step.events);
            self.walk(&step.after, reach * share);
            for (seen, length) in std::iter::zip(&mut self.seen, lengths) {
                seen.truncate(length);
            }
        }
    }
}

#[track_caller]
fn close(what: &str, found: &[f64], expected: &[f64]) {
    for (x, y) in std::iter::zip(found, expected) {
        assert!((x - y).abs() < 1e-6, "{what}: {found:?}, not {expected:?}");
    }
}

/// All information states have their own mix, so a wrong row anywhere changes what is paid.
#[test]
fn a_file_is_played_as_it_stands() {
    let mut games = 0;
    let never = AtomicBool::new(false);
    for (number, (name, machine)) in small::shipped().into_iter().enumerate() {
        let options = TreeOptions {
            most_nodes: MOST,
            skip_forced: number % 2 == 1,
        };
        let tree = match build(&machine, &options, &mut |_| {}, &never) {
            Err(TreeError::TooManyNodes(_)) => continue,
            tree => tree.expect(&name),
        };
        let mut rng = stream(number as u64, &[]);
        let weights: Vec<f64> = (0..tree.choice_count()).map(|_| rng.random()).collect();
        let profile = Profile::from_weights(&tree, &weights);
        let id = GameId::of(&machine, &sources());
        let mut file = Vec::new();
        strategy_file::write(&mut file, &id, &machine, &tree, &profile).expect("a file");
        let file = String::from_utf8(file).expect("text");
        let spec = prepared("strategy(file=here.json)", &machine, &file).expect(&name);
        let expected = exploitability(&Sequences::new(&tree), &profile).values;
        close(&name, &Table::paid(&machine, &spec), &expected);
        games += 1;
    }
    assert!(games >= 20, "{games} games");
}

/// The value of the game, by every method that takes it.
#[test]
fn a_solved_game_pays_its_value() {
    let mut games = 0;
    for (name, machine) in small::shipped() {
        if suited(&machine, "lp").is_err() {
            continue;
        }
        let Ok(lp) = prepared(&format!("solve(method=lp, nodes={MOST})"), &machine, "") else {
            continue;
        };
        let value = Table::paid(&machine, &lp);
        let cfr = format!("cfr+, iterations=500, nodes={MOST}");
        for method in ["backward", &cfr] {
            match prepared(&format!("solve(method={method})"), &machine, "") {
                Ok(spec) => {
                    let found = Table::paid(&machine, &spec);
                    let off = (found[0] - value[0]).abs();
                    assert!(off < 0.05, "{name} by {method}: {found:?}, not {value:?}");
                }
                Err(PrepareError::Game(_)) if method == "backward" => {}
                Err(error) => panic!("{name} by {method}: {error}"),
            }
        }
        games += 1;
    }
    assert!(games >= 12, "{games} games");
}

#[test]
fn what_does_not_fit_is_refused() {
    let kuhn = load("kuhn-poker", &[]);
    let refused = |spec: &str, file: &str| prepared(spec, &kuhn, file).unwrap_err().to_string();
    let missing = refused("strategy(file=elsewhere.json)", "");
    assert_eq!(missing, "elsewhere.json is not here");
    let none = refused("strategy(file=here.json)", "nothing");
    assert!(none.contains("is no file of strategies"), "{none}");
    let large = refused("solve(method=lp, nodes=10)", "");
    assert!(large.starts_with("E0775: "), "{large}");
    let hidden = refused("solve(method=backward)", "");
    assert!(hidden.starts_with("E0771: "), "{hidden}");

    // A strategy is for the very game that it was prepared for.
    let ready = prepared("solve", &kuhn, "").expect("a small game");
    let again = load("kuhn-poker", &[]);
    assert!(matches!(ready.strategy_player(&kuhn), Ok(Some(_))));
    let other = ready.strategy_player(&again).map(drop);
    assert!(matches!(other, Err(PlayerError::Unprepared(_))));
}
