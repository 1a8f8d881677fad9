//! What is learned from one game is right in the mean, aimed or not: against the exact counterfactual values of a small game.

use super::*;
use crate::machine::Event;
use crate::random::stream;
use crate::solve::Tree;
use crate::solve::tree::{NodeKind, TreeOptions, build, retrace};
use std::sync::atomic::AtomicBool;

/// A card each, a secret bid, an answer to a hint of it, and two guesses at the same time.
const GAME: &str = "game Hints {
  players { Ann, Ben }
  state { card : [p: Player] 1..3 seen by p  bid : 0..2 seen by Ann  low : bool  answer : bool  guess : [Player] 1..2 }
  play {
    each p in Player { draw c in 1..3 into card[p] where every q in Player before p: card[q] != c }
    Ann chooses secretly b in 0..2 into bid
    low = reveal(bid == 0)
    if not low { Ben chooses a in { true, false } into answer }
    together each p in Player { p chooses g in 1..2 into guess[p] }
  }
  payoff zero-sum: [p in Player]
    (if (card[Ann] > card[Ben]) == (p == Ann) then 1 + bid else -1 - bid) +
    (if answer == (bid == 2) then 0 else if p == Ann then 3 else -3) +
    (if (guess[Ann] == guess[Ben]) == (p == Ann) then bid else -bid)
}";

fn machine() -> Arc<Machine> {
    let loaded = crate::load(GAME, &crate::check::Settings::new());
    Arc::new(loaded.unwrap_or_else(|p| panic!("{p:?}")).0)
}

/// What a player saw on the way to an information state, and where it is asked.
fn question(machine: &Machine, tree: &Tree, number: usize) -> (Vec<Observation>, u32, Actions) {
    let state = &tree.information_states()[number];
    let player = state.player as usize;
    let mut seen = Vec::new();
    let mut note = |event: Event<'_>| {
        if event.viewers.contains(player) {
            seen.push(Observation::from(&event));
        }
    };
    let mut at = machine.initial_observed(&mut note).unwrap();
    for step in retrace(machine, tree, state.node).unwrap().steps {
        machine.step_observed(&mut at, &step, &mut note).unwrap();
    }
    let mut actions = Actions::default();
    machine.legal(&at, player, &mut actions).unwrap();
    (seen, machine.node(&at), actions)
}

/// Exact means of what one game teaches when `explorer` explores: its counterfactual regrets, and the strategies of the
/// other player by how likely that one and chance come there. Where a question can still come, who does not explore chooses what
/// leads to it with the probability `trembling` at the least.
fn exact(
    tree: &Tree,
    tables: &mut RegretTables,
    explorer: usize,
    question: usize,
    trembling: f64,
) -> (Vec<f64>, Vec<f64>) {
    let nodes = tree.nodes();
    let (mut others, mut own) = (vec![1.0; nodes.len()], vec![1.0; nodes.len()]);
    let mut chance = vec![1.0; nodes.len()];
    let probabilities = |tables: &mut RegretTables, n: usize| match nodes[n].kind {
        NodeKind::Terminal(_) => Vec::new(),
        NodeKind::Chance(_) => tree.probabilities(&nodes[n]).to_vec(),
        NodeKind::Decision(s) => {
            let range = tree.information_states()[s as usize].range();
            tables.at(range).to_vec()
        }
    };
    let mover = |n: usize| match nodes[n].kind {
        NodeKind::Decision(s) => Some(tree.information_states()[s as usize].player as usize),
        _ => None,
    };
    let asked = |n: usize| matches!(nodes[n].kind, NodeKind::Decision(s) if s as usize == question);
    let mut leads: Vec<bool> = (0..nodes.len()).map(asked).collect();
    for n in (0..nodes.len()).rev() {
        let first = nodes[n].first as usize;
        let children = first..first + probabilities(tables, n).len();
        leads[n] |= leads[children].contains(&true);
    }
    let played = |tables: &mut RegretTables, n: usize| {
        let mut strategy = probabilities(tables, n);
        let first = nodes[n].first as usize;
        let fitting = &leads[first..first + strategy.len()];
        let mass: f64 = std::iter::zip(&strategy, fitting)
            .map(|(p, fits)| if *fits { *p } else { 0.0 })
            .sum();
        let others = mover(n).is_some_and(|mover| mover != explorer);
        if !others || asked(n) || !leads[n] || mass >= trembling {
            return strategy;
        }
        let count = fitting.iter().filter(|fits| **fits).count() as f64;
        for (p, fits) in std::iter::zip(&mut strategy, fitting) {
            *p = match *fits {
                true if mass == 0.0 => trembling / count,
                true => *p * trembling / mass,
                false => *p * (1.0 - trembling) / (1.0 - mass),
            };
        }
        strategy
    };
    let mut sums = vec![0.0; tree.choice_count()];
    for n in 0..nodes.len() {
        let kept = probabilities(tables, n);
        for (i, p) in played(tables, n).into_iter().enumerate() {
            let child = nodes[n].first as usize + i;
            let explores = mover(n) == Some(explorer);
            others[child] = others[n] * if explores { 1.0 } else { p };
            own[child] = own[n] * if explores { p } else { 1.0 };
            chance[child] = chance[n] * if mover(n).is_none() { p } else { 1.0 };
            if let NodeKind::Decision(s) = nodes[n].kind
                && !explores
            {
                let first = tree.information_states()[s as usize].first as usize;
                sums[first + i] += others[n] * kept[i];
            }
        }
    }
    let mut regrets = vec![0.0; tree.choice_count()];
    let mut value = vec![0.0; nodes.len()];
    for n in (0..nodes.len()).rev() {
        if let NodeKind::Terminal(vector) = nodes[n].kind {
            value[n] = tree.payoffs(vector)[explorer];
            continue;
        }
        let first = nodes[n].first as usize;
        let strategy = played(tables, n);
        value[n] = (0..strategy.len())
            .map(|i| strategy[i] * value[first + i])
            .sum();
        if let NodeKind::Decision(s) = nodes[n].kind
            && mover(n) == Some(explorer)
        {
            let choice = tree.information_states()[s as usize].first as usize;
            for i in 0..strategy.len() {
                regrets[choice + i] += others[n] * (value[first + i] - value[n]);
            }
        }
    }
    (regrets, sums)
}

#[test]
fn what_a_game_teaches_is_right_in_the_mean_whatever_it_aims_at() {
    let machine = machine();
    let tree = build(
        &machine,
        &TreeOptions::default(),
        &mut |_| {},
        &AtomicBool::new(false),
    )
    .unwrap();
    // Everything is known from the beginning, at the places that it has in the tree.
    let mut memory = Memory::new(2);
    let mut tables = RegretTables::default();
    for (number, state) in tree.information_states().iter().enumerate() {
        let player = state.player as usize;
        let (seen, node, actions) = question(&machine, &tree, number);
        let mut search = Search::new(&OPTIONS, &machine, player);
        seen.iter().for_each(|o| search.observe(o));
        let key = key(&search.keys, player, node, &actions);
        let added = memory.find_or_add(player, key, actions.len(), &mut tables);
        assert_eq!(added, Some((state.range(), false)));
    }
    // Strategies that are not even, in which some choices are never taken.
    let regrets: Vec<f64> = (0..tables.regrets.len())
        .map(|i| [3.0, 1.0, 0.0, 2.0, 5.0][i * 7 % 5])
        .collect();
    tables.regrets.clone_from(&regrets);
    let asked = tree.information_states().iter().enumerate();
    let asked: Vec<usize> = asked
        .filter(|(n, s)| n % 5 == 0 && s.choices > 1)
        .map(|(n, _)| n)
        .collect();
    for explorer in 0..2 {
        for &number in &asked {
            for (targeting, trembling, baselines) in [
                (0.0, 0.0, false),
                (0.8, 0.0, false),
                (0.8, 0.3, false),
                (0.0, 0.3, true),
                (0.8, 0.0, true),
                (0.8, 0.3, true),
            ] {
                let (exact_regrets, exact_sums) =
                    exact(&tree, &mut tables, explorer, number, trembling);
                let player = tree.information_states()[number].player as usize;
                let (seen, node, actions) = question(&machine, &tree, number);
                let mut target = Target::new(&machine, player, &seen, node, &actions);
                let start = Start::new(&machine, Some(&mut target)).unwrap();
                let mut engines = Engines::new(&machine, &RollOuts::Uniform);
                let mut sampler = OutcomeSampler::new(tables.clone(), 0.5);
                sampler.targeting = targeting;
                sampler.trembling = trembling;
                if baselines {
                    sampler = sampler.with_baselines(2);
                }
                let mut rng = stream(number as u64, &[explorer as u64]);
                let games = 8000;
                let none = vec![[0.0; 2]; regrets.len()];
                let (mut learned, mut remembered) = (none.clone(), none);
                for _ in 0..games {
                    let mut walk = GameWalk::new(
                        &machine,
                        &start,
                        Some(&mut target),
                        &mut memory,
                        &mut engines,
                    );
                    sampler.play(&mut walk, explorer, &mut rng).unwrap();
                    let note = |all: &mut Vec<[f64; 2]>, i: usize, x: f64| {
                        all[i][0] += x;
                        all[i][1] += x * x;
                    };
                    for (i, before) in regrets.iter().enumerate() {
                        note(&mut learned, i, sampler.tables.regrets[i] - before);
                        note(&mut remembered, i, sampler.tables.sums[i]);
                    }
                    sampler.tables.regrets.clone_from(&regrets);
                    sampler.tables.sums.fill(0.0);
                }
                for (what, found, exact) in [
                    ("regret", &learned, &exact_regrets),
                    ("sum", &remembered, &exact_sums),
                ] {
                    for i in 0..regrets.len() {
                        let n = f64::from(games);
                        let mean = found[i][0] / n;
                        let error = ((found[i][1] / n - mean * mean).max(0.0) / n).sqrt();
                        let off = (mean - exact[i]).abs();
                        assert!(
                            off <= 5.0 * error + 1e-9,
                            "{what} {i} with {explorer} exploring, δ = {targeting}, η = {trembling}, baselines {baselines}, aimed at {number}: {mean} ± {error} and {}",
                            exact[i]
                        );
                    }
                }
            }
        }
    }
}

/// Nobody should pay; where both did, one of ten guesses wins.
const PAID: &str = "game Paid {
  players { Ann, Ben }
  state { paid : [Player] bool  guess : 0..9 }
  play {
    Ann chooses a in { true, false } into paid[Ann]
    Ben chooses b in { true, false } into paid[Ben]
    if paid[Ann] and paid[Ben] { Ann chooses w in 0..9 into guess }
  }
  payoff zero-sum: [p in Player]
    (if paid[p] then -3 else 0) + (if paid[opponent(p)] then 3 else 0) +
    (if guess != 7 then 0 else if p == Ann then 1 else -1)
}";

/// After choices that no strategy makes any more, of its own and of the other, the search still learns what is best; without
/// trembling it does not.
#[test]
fn it_learns_behind_what_nobody_should_have_chosen() {
    let loaded = crate::load(PAID, &crate::check::Settings::new());
    let machine = Arc::new(loaded.unwrap_or_else(|p| panic!("{p:?}")).0);
    let won = |trembling, seed| {
        let options = Options {
            trembling,
            ..OPTIONS
        };
        let mut search = Search::new(&options, &machine, 0);
        let mut state = machine.initial_observed(&mut |_: Event<'_>| {}).unwrap();
        for player in 0..2 {
            let mut actions = Actions::default();
            machine.legal(&state, player, &mut actions).unwrap();
            let paid = actions
                .iter()
                .find(|a| a.0.last() == Some(&1))
                .unwrap()
                .clone();
            machine
                .step_observed(&mut state, &[paid], &mut |event: Event<'_>| {
                    search.observe(&Observation::from(&event));
                })
                .unwrap();
        }
        let mut actions = Actions::default();
        machine.legal(&state, 0, &mut actions).unwrap();
        let budget = Budget::playouts(2000);
        let mut rng = stream(seed, &[]);
        let found = search
            .search(machine.node(&state), &actions, &budget, &mut rng)
            .unwrap();
        let win = actions.iter().position(|a| a.0.last() == Some(&7)).unwrap();
        found.strategy[win]
    };
    let seeds = [5, 6, 7];
    let with = seeds.map(|seed| won(0.05, seed));
    let without = seeds.map(|seed| won(0.0, seed));
    assert!(with.iter().all(|p| *p > 0.75), "{with:?}");
    assert!(without.iter().any(|p| *p < 0.5), "{without:?}");
}

/// With linear averages the n-th game counts n times in the average strategy, and for nothing else.
#[test]
fn later_games_count_more_in_linear_averages() {
    let machine = machine();
    let start = Start::new(&machine, None).unwrap();
    let sampler = |linear| {
        let mut sampler = OutcomeSampler::new(RegretTables::default(), 0.5);
        sampler.linear_averages = linear;
        sampler
    };
    let mut samplers = [sampler(false), sampler(true)];
    let mut memories = [Memory::new(2), Memory::new(2)];
    let mut counted = 0;
    for game in 1..=200 {
        let mut learned = Vec::new();
        for (sampler, memory) in std::iter::zip(&mut samplers, &mut memories) {
            sampler.tables.sums.fill(0.0);
            let mut engines = Engines::new(&machine, &RollOuts::Uniform);
            let mut walk = GameWalk::new(&machine, &start, None, memory, &mut engines);
            let mut rng = stream(7, &[game]);
            sampler
                .play(&mut walk, game as usize % 2, &mut rng)
                .unwrap();
            learned.push((sampler.tables.regrets.clone(), sampler.tables.sums.clone()));
        }
        let [even, linear] = &learned[..] else {
            unreachable!()
        };
        assert_eq!(even.0, linear.0);
        for (even, linear) in std::iter::zip(&even.1, &linear.1) {
            assert!((linear - game as f64 * even).abs() <= 1e-9 * linear.abs());
            counted += usize::from(*even > 0.0);
        }
    }
    assert!(counted > 200);
}

const OPTIONS: Options = Options {
    targeting: 0.9,
    exploration: 0.4,
    trembling: 0.05,
    baselines: false,
    positive_regrets: false,
    linear_averages: false,
    roll_outs: RollOuts::Uniform,
};
