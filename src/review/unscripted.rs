//! The test of a game that has no script: what the first plies hold, and a few games at random.

use super::TestedGame;
use super::counts::{counts, lines};
use super::transcript::Transcript;
use crate::machine::PlayError;
use crate::random::stream;

/// Plies are counted as long as there are no more histories than this in all.
const MOST_HISTORIES: u64 = 2_000;
const MOST_PLIES: u64 = 6;
/// How many games are played, and how far.
const GAMES: u64 = 2;
const LONGEST: u64 = 200;

/// The text of a game that is tested by itself.
///
/// # Errors
/// The first error that a game ran into.
pub fn unscripted(tested: &TestedGame) -> Result<String, PlayError> {
    let mut text = format!("{}\n\n{}\n", tested.heading(), tested.who_sees_what());
    let mut found = Vec::new();
    for plies in 1..=MOST_PLIES {
        match counts(&tested.machine, plies, MOST_HISTORIES) {
            Ok(Some(more)) if more.len() > found.len() => found = more,
            _ => break,
        }
    }
    if !found.is_empty() {
        text.push_str("counts\n");
        for line in lines(&found) {
            text.push_str(&line);
            text.push('\n');
        }
        text.push('\n');
    }
    for game in 1..=GAMES {
        let (mut transcript, mut state) = Transcript::begin(tested)?;
        let ended = transcript.random(&mut state, &mut stream(1, &[game]), Some(LONGEST))?;
        if ended {
            transcript.payoffs(&state)?;
        } else {
            transcript.line(&format!("  … and so on after {LONGEST} plies"));
        }
        text.push_str(&format!("random game {game}\n{}\n", transcript.text()));
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    Ok(text)
}
