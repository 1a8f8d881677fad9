//! What the rules do, as text that a person can review: two seeded random games of every variant, with what each player
//! comes to see. A changed rule shows as a readable diff in `snapshots/rules/`. Written by the same code as `ruse test`.

use crate::support::snapshots::snapshots;
use crate::support::{load, text, variants};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::review::{TestedGame, Transcript};
use ruse::internal::text::sources::Sources;

fn transcript(table: &TestedGame, seed: u64) -> String {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut transcript, mut state) = Transcript::begin(table).expect("a first node");
    let ended = transcript.random(&mut state, &mut random, None);
    assert!(ended.expect("no error"));
    transcript.payoffs(&state).expect("payoffs");
    format!("game {seed}\n{}", transcript.text())
}

#[test]
fn rules_play_as_recorded() {
    snapshots("rules").bind(|| {
        for (game, set) in variants() {
            let table = TestedGame::new(load(game, &set), &Sources::new(game, text(game)));
            let games = [transcript(&table, 1), transcript(&table, 2)];
            let faces: Vec<String> = set.iter().map(|(k, v)| format!("-{k}-{v}")).collect();
            insta::assert_snapshot!(format!("{game}{}", faces.concat()), games.concat());
        }
    });
}
