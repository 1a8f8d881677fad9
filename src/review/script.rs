//! A script: lines of play with what is expected of them, as a person writes them down.
//!
//! The spans are in the text of the script.

use crate::check::Settings;
use crate::text::span::Span;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// The path of the game, from where the script is.
    pub game: Option<Text>,
    /// `set seats = 2` before the first play: for all of them.
    pub settings: Vec<Setting>,
    pub plays: Vec<Play>,
}

/// A piece of the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub param: Text,
    pub value: String,
}

/// `play "a bluff"`, up to the next one.
#[derive(Clone, Debug, PartialEq)]
pub struct Play {
    pub title: Text,
    /// `after "the deal"`: the play from whose end this one goes on.
    pub after: Option<Text>,
    /// For this play alone.
    pub settings: Vec<Setting>,
    pub lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub kind: LineKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum LineKind {
    /// `chance: queen`.
    Chance(Text),
    /// `Alice: bet`.
    Move { player: Text, text: Text },
    /// `options Alice: bet | pass`; without `exactly` it is `includes`, which allows more.
    Options {
        player: Text,
        texts: Vec<Text>,
        exactly: bool,
    },
    /// `refuse Alice: raise`.
    Refuse { player: Text, text: Text },
    /// `sees Alice: card[Alice] = queen`.
    Sees {
        player: Text,
        name: Text,
        value: Text,
    },
    /// `hides Alice: card[Bob]`.
    Hides { player: Text, name: Text },
    /// `turn Alice, Bob` or `turn chance`.
    Turn(Vec<Text>),
    /// `payoffs Alice 2, Bob -2`.
    Payoffs(Vec<(Text, Text)>),
    /// `end`.
    End,
    /// `random 12 seed 3`.
    Random { plies: u64, seed: u64 },
    /// `skip 12 seed 3`: as `random`, and not written down.
    Skip { plies: u64, seed: u64 },
    /// `playouts 3 seed 1`.
    Playouts { games: u64, seed: u64 },
    /// `counts 3`.
    Counts(u64),
}

impl Script {
    /// The settings of a play, given those that were fixed from outside.
    pub fn settings_of(&self, play: &Play) -> Settings {
        let own = match &play.after {
            Some(after) => self
                .plays
                .iter()
                .find(|p| p.title.text == after.text)
                .map_or(&play.settings, |p| &p.settings),
            None => &play.settings,
        };
        let all = self.settings.iter().chain(own);
        all.map(|s| (s.param.text.clone(), s.value.clone()))
            .collect()
    }
}
