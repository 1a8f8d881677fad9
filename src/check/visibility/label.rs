//! Labels: who could know a value, and why somebody could not.

use crate::model::{Description, PlayerSet, VarId};
use crate::text::span::Span;
use smallvec::SmallVec;

/// One reason why not everybody could know that play is where it is: a branch, a loop, an `else`.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Who could know it.
    pub known: PlayerSet,
    pub span: Span,
    /// What stands at `span`, as it reads after "whether": "this branch is taken".
    pub what: &'static str,
    /// For each player who could not know it, something that it depends on.
    pub because: SmallVec<[(usize, String); 2]>,
    /// The variables that it is made of, where somebody could not know it.
    pub reads: SmallVec<[VarId; 2]>,
}

impl Guard {
    pub fn reason(&self, player: usize) -> Option<&str> {
        self.because
            .iter()
            .find(|(p, _)| *p == player)
            .map(|(_, text)| text.as_str())
    }
}

/// Who could know a value, or could be shown it because it is made of drawn things only.
#[derive(Clone, Debug)]
pub struct Clean {
    /// Those who could know it anyway.
    pub sure: PlayerSet,
    /// Those for whom it is made of drawn things, as long as every one of `piles` is.
    pub drawn: PlayerSet,
    pub piles: SmallVec<[VarId; 2]>,
    /// Those for whom it may be all but something that is neither known nor a pile: where this is left out, that is left.
    pub all_but: PlayerSet,
}

impl Clean {
    pub fn known(sure: PlayerSet) -> Clean {
        Clean {
            sure,
            drawn: PlayerSet::EMPTY,
            piles: SmallVec::new(),
            all_but: PlayerSet::EMPTY,
        }
    }

    /// The label of something made of both.
    pub fn and(mut self, other: &Clean) -> Clean {
        let drawn = (self.sure | self.drawn) & (other.sure | other.drawn);
        self.sure &= other.sure;
        self.drawn = drawn;
        self.all_but |= other.all_but;
        for pile in &other.piles {
            if !self.piles.contains(pile) {
                self.piles.push(*pile);
            }
        }
        self
    }

    /// These could know it besides. What everybody could know, whatever it is made of, is as good as a pile.
    pub fn also_known(mut self, known: PlayerSet, everyone: PlayerSet) -> Clean {
        self.sure |= known;
        if self.sure == everyone {
            self.piles.clear();
        }
        self
    }

    pub fn restricted(mut self, mask: PlayerSet) -> Clean {
        self.sure &= mask;
        self.drawn &= mask;
        self
    }
}

/// `Alice`, `Alice and Bob`, `everybody`, `nobody`.
pub fn names(d: &Description, mask: PlayerSet) -> String {
    if mask.is_empty() {
        return "nobody".into();
    }
    if mask == d.everyone() && d.player_count() > 2 {
        return "everybody".into();
    }
    let list: Vec<&str> = mask.iter().map(|p| name(d, p)).collect();
    match list.split_last() {
        Some((last, [])) => (*last).to_string(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => "nobody".into(),
    }
}

pub fn name(d: &Description, player: usize) -> &str {
    d.players
        .values
        .get(player)
        .map_or("somebody", |v| v.name.as_str())
}
