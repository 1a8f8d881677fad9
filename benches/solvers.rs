//! How fast solvers over information states are: growing a tree, iterations of CFR and its variants, linear programs.
//!
//! Leduc poker and liar's dice with one die of six sides each. Times are those that the thread spent on a processor where the
//! system tells them.
//!
//! `cargo bench --bench solvers -- [--seconds N]`; without `--bench`, as under `cargo test`, a short look at small games.

mod measure {
    pub mod clock;
}

use measure::clock;
use ruse::internal::check::Settings;
use ruse::internal::machine::Machine;
use ruse::internal::solve::linear_program::linear_program;
use ruse::internal::solve::regret::{
    Cfr, CfrPlus, ExternalSampling, OutcomeSampling, RegretMinimizer,
};
use ruse::internal::solve::tree::build;
use ruse::internal::solve::zero_sum::constant_sum;
use ruse::internal::solve::{Sequences, TreeOptions, exploitability};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut seconds, mut asked, mut full) = (0.02, None, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => (seconds, full) = (5.0, true),
            "--seconds" => asked = arguments.next().and_then(|n| n.parse().ok()),
            _ => {}
        }
    }
    let seconds: f64 = asked.unwrap_or(seconds);
    println!("seconds {}", clock::NAME);
    if full || asked.is_some() {
        game("leduc-poker", &[], seconds);
        game("liars-dice", &[("sides", "6")], seconds);
    } else {
        game("kuhn-poker", &[], seconds);
        game("liars-dice", &[("sides", "3")], seconds);
    }
}

fn load(name: &str, settings: &[(&str, &str)]) -> Arc<Machine> {
    let settings: Settings = settings
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect();
    let shipped = ruse::internal::shipped::find(name).expect("a shipped game");
    match ruse::load(shipped.text, &settings) {
        Ok((machine, _)) => Arc::new(machine),
        Err(problems) => panic!("{name}: {} problems", problems.len()),
    }
}

/// The result of some work, and the seconds that it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = clock::now();
    let result = work();
    (result, (clock::now() - start).as_secs_f64())
}

fn game(name: &str, settings: &[(&str, &str)], seconds: f64) {
    let machine = load(name, settings);
    let never = Arc::new(AtomicBool::new(false));
    let options = TreeOptions::default();
    let (tree, growing) = timed(|| build(&machine, &options, &mut |_| {}, &never));
    let tree = tree.expect("a tree");
    let (sequences, listing) = timed(|| Sequences::new(&tree));
    println!(
        "\n{name} {settings:?}: {} nodes, {} information states",
        tree.nodes().len(),
        tree.information_states().len()
    );
    println!("  tree {growing:.3} s, sequences {listing:.3} s");

    let sum = constant_sum(&machine);
    let (solution, solving) = timed(|| linear_program(&tree, &sequences, sum, &never));
    let solution = solution.expect("a solution");
    println!(
        "  lp        {solving:>10.3} s  value {:.9} within {:.1e}",
        solution.value,
        solution.bounds.1 - solution.bounds.0
    );

    let methods: [(&str, Box<dyn RegretMinimizer>); 4] = [
        ("cfr", Box::new(Cfr::new(&tree, &sequences))),
        ("cfr+", Box::new(CfrPlus::new(&tree, &sequences))),
        ("external", Box::new(ExternalSampling::new(&tree, 1))),
        (
            "outcome",
            Box::new(OutcomeSampling::new(&tree, OutcomeSampling::EXPLORATION, 1)),
        ),
    ];
    for (what, mut method) in methods {
        let mut spent = 0.0;
        while spent < seconds {
            spent += timed(|| (0..16).for_each(|_| method.iterate())).1;
        }
        let found = exploitability(&sequences, &method.average());
        println!(
            "  {what:<9} {:>10.0} iterations/s  NashConv {:.1e} after {}",
            method.iterations() as f64 / spent,
            found.nash_conv,
            method.iterations()
        );
    }
}
