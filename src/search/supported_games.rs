//! Which games a search is for, and how it says why a game is not one of them.

use crate::machine::Machine;
use crate::model::Claim;
use crate::text::span::Span;

/// A class of games.
#[derive(Debug)]
pub struct Games {
    /// What it asks of a game, after "needs".
    pub needs: &'static str,
    /// Where a game says that it is not one of them, and what there is instead; `None` for one that is. Hidden
    /// information is not looked at.
    pub lacks: fn(&Machine) -> Option<(Span, String)>,
}

impl Games {
    /// Whether a game is one of them. `setting` is asked where it is not: for the setting that needs one of them, and for
    /// those in its place with which the game can be played.
    ///
    /// # Errors
    /// What is wrong with the game, and where its text says so.
    pub fn suits(
        &self,
        machine: &Machine,
        setting: impl FnOnce() -> (String, Vec<String>),
    ) -> Result<(), Box<Unsuited>> {
        let Some((span, but)) = (self.lacks)(machine) else {
            return Ok(());
        };
        let (setting, instead) = setting();
        Err(Box::new(Unsuited {
            span,
            setting,
            needs: self.needs,
            but,
            instead,
        }))
    }
}

/// All games.
pub static ANY: Games = Games {
    needs: "nothing",
    lacks: |_| None,
};

/// Two players, each on a side of their own, whose payoffs add up to a constant.
pub static CONSTANT_SUM: Games = Games {
    needs: "two players whose payoffs add up to a constant",
    lacks: |machine| {
        let payoff = &machine.description().payoff;
        let but = match machine.player_count() {
            1 => "there is one player".to_string(),
            2 if payoff.claim == Claim::GeneralSum => "these are general-sum".to_string(),
            2 if payoff.sides.len() == 2 => return None,
            2 => "both are in one team".to_string(),
            n => format!("there are {n} players"),
        };
        Some((payoff.span, but))
    },
};

/// Two players or more, each on a side of their own.
pub static OPPONENTS: Games = Games {
    needs: "two players or more, each on a side of their own",
    lacks: |machine| {
        let payoff = &machine.description().payoff;
        let but = match machine.player_count() {
            1 => "there is one player",
            n if payoff.sides.len() < n => "some are in one team",
            _ => return None,
        };
        Some((payoff.span, but.to_string()))
    },
};

/// Two players or more.
pub static OTHERS: Games = Games {
    needs: "somebody else who plays",
    lacks: |machine| {
        let payoff = &machine.description().payoff;
        let alone = machine.player_count() == 1;
        alone.then(|| (payoff.span, "there is one player".to_string()))
    },
};

/// Why a search cannot play a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsuited {
    /// In the text of the game.
    pub span: Span,
    /// The setting that stands in the way, such as `select=rm`.
    pub setting: String,
    /// What it needs, after "needs".
    pub needs: &'static str,
    /// What there is instead: `there are 3 players`.
    pub but: String,
    /// Settings in the place of that one with which the search can play the game.
    pub instead: Vec<String>,
}
