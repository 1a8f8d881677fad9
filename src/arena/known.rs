//! What a player can know of where play is, in words: boards as far as they are certain, and how likely each value of what
//! the player does not see is. It is made of the states of the player's belief, and of no other.

use crate::belief::Hypothesis;
use crate::machine::{Element, Machine, Picture, RenderedBoard};
use crate::model::types::Type;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};
use serde::Serialize;
use smallvec::SmallVec;

/// What stands where a board differs from one state to another.
const OPEN: &str = "?";

/// Larger sets are not taken apart into their elements.
const MOST_MEMBERS: u64 = 4096;

/// A variable, or one element of it, that the player does not see.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Marginal {
    pub name: String,
    /// It is a set, and `values` are what may be in it, each with the probability that it is.
    pub set: bool,
    /// What is possible, the most likely first.
    pub values: Vec<Chance>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chance {
    pub value: String,
    pub probability: f64,
}

impl Marginal {
    /// Whether the player knows it for certain, though nobody showed it.
    pub fn is_certain(&self) -> bool {
        match self.set {
            true => self.values.iter().all(|c| is_one(c.probability)),
            false => self.values.len() == 1,
        }
    }
}

/// Whether a probability is 1 but for rounding.
fn is_one(probability: f64) -> bool {
    probability > 1.0 - 1e-9
}

/// How likely each value is of all that a player does not see, in the order of the file.
pub fn marginals(machine: &Machine, player: usize, states: &[Hypothesis]) -> Vec<Marginal> {
    let hidden = machine.unseen(player);
    let marginals = hidden.iter().map(|element| match members(element) {
        Some((ty, size)) => of_set(machine, element, ty, size, states),
        None => of_value(machine, element, states),
    });
    marginals.collect()
}

/// What may be in a set, and how much.
fn members<'a>(element: &Element<'a>) -> Option<(&'a Type, u64)> {
    let Type::Set(ty) = element.ty else {
        return None;
    };
    let size = ty.size().filter(|size| *size <= MOST_MEMBERS)?;
    Some((ty, size))
}

fn of_set(
    machine: &Machine,
    element: &Element<'_>,
    ty: &Type,
    size: u64,
    states: &[Hypothesis],
) -> Marginal {
    let mut shares = vec![0.0; size as usize];
    for hypothesis in states {
        let words = machine.words_of(&hypothesis.state, element);
        for (i, share) in shares.iter_mut().enumerate() {
            if words[i / 64] >> (i % 64) & 1 == 1 {
                *share += hypothesis.weight;
            }
        }
    }
    let possible = (0..).zip(shares).filter(|(_, share)| *share > 0.0);
    let values = possible.map(|(i, probability)| Chance {
        value: ty.show(ty.value_at(i)),
        probability,
    });
    Marginal {
        name: element.name.to_string(),
        set: true,
        values: likeliest_first(values.collect()),
    }
}

fn of_value(machine: &Machine, element: &Element<'_>, states: &[Hypothesis]) -> Marginal {
    let mut shares: IndexMap<SmallVec<[u64; 8]>, f64, FxBuildHasher> = IndexMap::default();
    for hypothesis in states {
        let words = machine.words_of(&hypothesis.state, element);
        *shares.entry(words).or_default() += hypothesis.weight;
    }
    shares.sort_unstable_keys();
    let values = shares.into_iter().map(|(words, probability)| Chance {
        value: element.ty.show_words(&words),
        probability,
    });
    Marginal {
        name: element.name.to_string(),
        set: false,
        values: likeliest_first(values.collect()),
    }
}

/// Values that are as likely as one another stay in their order. A sum of many shares may have been rounded up above 1.
fn likeliest_first(mut values: Vec<Chance>) -> Vec<Chance> {
    for chance in &mut values {
        chance.probability = chance.probability.min(1.0);
    }
    let rounded = |c: &Chance| (c.probability * 1e9).round();
    values.sort_by(|a, b| rounded(b).total_cmp(&rounded(a)));
    values
}

/// The boards of all seats, the player's own first, with `?` wherever they are not the same in all states. One that shows the
/// same as another stands there once, and nothing is drawn of what is `unset` as far as the player was told.
pub fn boards(
    machine: &Machine,
    player: usize,
    states: &[Hypothesis],
    unset: &FxHashSet<&str>,
) -> Vec<RenderedBoard> {
    let others = (0..machine.player_count()).filter(|p| *p != player);
    let mut all: Vec<RenderedBoard> = Vec::new();
    for seat in std::iter::once(player).chain(others) {
        let mut states = states.iter();
        let Some(first) = states.next() else { break };
        let mut certain = machine.render_set(&first.state, Some(seat), unset);
        // What the player sees is the same in all of them.
        let others = if seat == player { 0 } else { states.len() };
        for hypothesis in states.take(others) {
            let seen = machine.render_set(&hypothesis.state, Some(seat), unset);
            for (board, other) in std::iter::zip(&mut certain, &seen) {
                open_where_different(board, other);
            }
        }
        for mut board in certain {
            let same = |b: &&mut RenderedBoard| b.name == board.name && b.picture == board.picture;
            let name = machine.player_name(seat).to_string();
            match all.iter_mut().find(same) {
                Some(known) => known.viewers.push(name),
                None => {
                    board.viewers = vec![name];
                    all.push(board);
                }
            }
        }
    }
    // Where all see the same there is nobody to name.
    let everybody = machine.player_count();
    for board in &mut all {
        if board.viewers.len() == everybody {
            board.viewers.clear();
        }
    }
    all
}

/// Opens what another drawing of the same board shows otherwise.
fn open_where_different(board: &mut RenderedBoard, other: &RenderedBoard) {
    match (&mut board.picture, &other.picture) {
        (Picture::Cells(cells), Picture::Cells(others)) => {
            let rows = std::iter::zip(&mut cells.rows, &others.rows);
            let pairs = rows.flat_map(|((_, row), (_, other))| std::iter::zip(row, other));
            for (cell, _) in pairs.filter(|(cell, other)| *cell != *other) {
                *cell = OPEN.to_string();
            }
        }
        (Picture::Map(map), Picture::Map(others)) => {
            let nodes = std::iter::zip(&mut map.nodes, &others.nodes);
            for (node, other) in nodes.filter(|(node, other)| node.mark != other.mark) {
                node.mark = OPEN.to_string();
                node.rule = node.rule.or(other.rule);
                if node.ways.is_empty() {
                    node.ways.clone_from(&other.ways);
                }
            }
        }
        _ => {}
    }
}
