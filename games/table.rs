//! The games of the folder beside it as the program carries them: file names without the ending, and texts. A test
//! compares the table with the folder.

macro_rules! games {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!($name, ".game")))),*]
    };
}

/// In alphabetical order.
pub const GAMES: &[(&str, &str)] = games! {
    "amazons"
    "backgammon"
    "battleship"
    "blotto"
    "breakthrough"
    "cheat"
    "chess"
    "connect-four"
    "dark-hex"
    "draughts"
    "go"
    "gomoku"
    "goofspiel"
    "goofspiel-hidden"
    "hanabi"
    "hex"
    "kuhn-poker"
    "leduc-poker"
    "liars-dice"
    "limit-holdem"
    "matching-pennies"
    "oshi-zumo"
    "patrol"
    "patrol-sight"
    "phantom-tic-tac-toe"
    "resistance"
    "reversi"
    "rock-paper-scissors"
    "scotland-yard"
    "scotland-yard-mini"
    "sealed-bid"
    "stratego"
    "stratego-small"
    "tic-tac-toe"
    "whist"
};
