//! Stores that stand on every side of a branch: they happen whatever side is taken.

use crate::model::*;

/// How many statements at the beginning and at the end of all of these blocks are the same stores.
pub(super) fn equal_ends(blocks: &[&[Stmt]]) -> (usize, usize) {
    let Some((first, others)) = blocks.split_first() else {
        return (0, 0);
    };
    let shortest = blocks.iter().map(|b| b.len()).min().unwrap_or(0);
    let all = |n: usize, m: usize| {
        let mut others = others.iter();
        others.all(|b| same_store(&first[n], &b[b.len() - 1 - m]))
    };
    let before = (0..shortest)
        .take_while(|&n| others.iter().all(|b| same_store(&first[n], &b[n])))
        .count();
    let after = (0..shortest - before)
        .take_while(|&m| all(first.len() - 1 - m, m))
        .count();
    (before, after)
}

fn same_store(a: &Stmt, b: &Stmt) -> bool {
    // What a statement reads of shown defs is told where it stands.
    if a.reading.is_some() || b.reading.is_some() {
        return false;
    }
    match (&a.kind, &b.kind) {
        (
            StmtKind::Store { place, op, value },
            StmtKind::Store {
                place: other_place,
                op: other_op,
                value: other,
            },
        ) => {
            let indices = std::iter::zip(&place.indices, &other_place.indices);
            let same = |(a, b): (&PlaceIndex, &PlaceIndex)| match (a, b) {
                (PlaceIndex::One(a), PlaceIndex::One(b))
                | (PlaceIndex::Each(a), PlaceIndex::Each(b)) => a.is_same(b),
                _ => false,
            };
            place.var == other_place.var
                && op == other_op
                && place.indices.len() == other_place.indices.len()
                && indices.into_iter().all(same)
                && value.is_same(other)
        }
        _ => false,
    }
}
