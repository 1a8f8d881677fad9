//! What the rules do, as text that a person can review: two seeded random games of every variant, with what each player
//! sees change at each step. A changed rule shows as a readable diff in `snapshots/`.

mod support;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::machine::{Actions, Machine, State, Turn, ViewEntry};
use std::collections::HashMap;
use std::fmt::Write;
use support::{load, movers, random_step, variants};

/// What everybody sees, then what each player sees besides: as far as it is not what was written last.
fn views(
    machine: &Machine,
    state: &State,
    written: &mut HashMap<String, String>,
    out: &mut String,
) {
    let views: Vec<_> = (0..machine.player_count())
        .map(|p| machine.view(state, p).entries)
        .collect();
    let mut line = |who: &str, entries: Vec<&ViewEntry>| {
        let mut shown = Vec::new();
        for e in entries {
            let before = written.insert(format!("{who}{}", e.name), e.value.clone());
            if before.as_ref() != Some(&e.value) {
                shown.push(format!("{} {}", e.name, e.value));
            }
        }
        if !shown.is_empty() {
            let _ = writeln!(out, "    {who}{}", shown.join(", "));
        }
    };
    let common = |e: &&ViewEntry| views.iter().all(|v| v.contains(e));
    line("", views[0].iter().filter(common).collect());
    for (p, view) in views.iter().enumerate() {
        let own: Vec<&ViewEntry> = view.iter().filter(|e| !common(e)).collect();
        line(&format!("{} sees ", machine.player_name(p)), own);
    }
}

/// How a move shows to those who do not see it whole.
fn shown(machine: &Machine, whole: &str, text: impl Fn(usize) -> String) -> String {
    let mut others: Vec<(String, Vec<&str>)> = Vec::new();
    for p in 0..machine.player_count() {
        let seen = text(p);
        if seen == whole {
            continue;
        }
        let name = machine.player_name(p);
        match others.iter_mut().find(|(known, _)| *known == seen) {
            Some((_, names)) => names.push(name),
            None => others.push((seen, vec![name])),
        }
    }
    let shown: Vec<String> = others
        .iter()
        .map(|(seen, names)| match names.as_slice() {
            [name] => format!("{name} sees {seen}"),
            [most @ .., last] => format!("{} and {last} see {seen}", most.join(", ")),
            [] => String::new(),
        })
        .collect();
    if shown.is_empty() {
        String::new()
    } else {
        format!(" ({})", shown.join("; "))
    }
}

fn transcript(machine: &Machine, seed: u64, out: &mut String) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut state = machine.initial().expect("a first node");
    let mut written = HashMap::new();
    let _ = writeln!(out, "game {seed}");
    while let Some(actions) = random_step(machine, &state, &mut rng) {
        match machine.turn(&state) {
            Turn::Chance => {
                let whole = machine.outcome_text(&state, &actions[0], None);
                let others = shown(machine, &whole, |p| {
                    machine.outcome_text(&state, &actions[0], Some(p))
                });
                let _ = writeln!(out, "  chance: {whole}{others}");
            }
            _ => {
                for (p, action) in movers(machine, &state).into_iter().zip(&actions) {
                    let mut options = Actions::default();
                    machine.legal(&state, p, &mut options).expect("options");
                    let texts: Vec<String> = options
                        .iter()
                        .map(|a| machine.action_text(&state, p, a, Some(p)))
                        .collect();
                    let whole = machine.action_text(&state, p, action, None);
                    let others = shown(machine, &whole, |v| {
                        machine.action_text(&state, p, action, Some(v))
                    });
                    let _ = writeln!(
                        out,
                        "  {}: {whole}{others} of {}",
                        machine.player_name(p),
                        texts.join(" | ")
                    );
                }
            }
        }
        machine.step(&mut state, &actions).expect("a step");
        if machine.turn(&state) != Turn::Chance {
            views(machine, &state, &mut written, out);
        }
    }
    let payoffs: Vec<String> = machine
        .payoffs(&state)
        .expect("payoffs")
        .iter()
        .map(f64::to_string)
        .collect();
    let _ = writeln!(out, "  payoffs: {}", payoffs.join(", "));
}

#[test]
fn rules_play_as_recorded() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (game, set) in variants() {
            let machine = load(game, &set);
            let mut out = String::new();
            for seed in 1..=2 {
                transcript(&machine, seed, &mut out);
            }
            let faces: Vec<String> = set.iter().map(|(k, v)| format!("-{k}-{v}")).collect();
            insta::assert_snapshot!(format!("rules-{game}{}", faces.concat()), out);
        }
    });
}
