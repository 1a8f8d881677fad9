//! Tuples of a listing: what is emitted, one by one or many at once.

use super::instruction::per_word;
use super::table::Names;
use super::verify::Verifier;
use super::{Operand, Slot};

/// A binomial coefficient with long divisions.
const TO_COUNT_SUBSETS: u64 = 512;

/// Tuples that are emitted at once: one for each value of the last part, or of the last two, in order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Bulk {
    /// Every subset of a set with so many elements.
    Subsets { set: Operand, count: Slot },
    /// Every element of a set, whose element with ordinal 0 has the value `lo`.
    Elements { set: Operand, lo: i64 },
    /// Every element of a set for the part before the last, and with each of them every element of another set for the
    /// last; each set with the value of its ordinal 0.
    Pairs {
        first: (Operand, i64),
        second: (Operand, i64),
    },
}

impl Bulk {
    /// How many parts the values are for.
    pub fn parts(&self) -> usize {
        match self {
            Bulk::Subsets { .. } | Bulk::Elements { .. } => 1,
            Bulk::Pairs { .. } => 2,
        }
    }
    pub(super) fn work(&self) -> u64 {
        match self {
            Bulk::Subsets { .. } => TO_COUNT_SUBSETS,
            Bulk::Elements { set, .. } => per_word(set.words),
            Bulk::Pairs { first, second } => per_word(first.0.words + second.0.words),
        }
    }

    /// That there are parts for its values.
    pub(super) fn law(&self, parts: &[Operand], v: &Verifier<'_>) -> Result<(), String> {
        match (self, parts) {
            (Bulk::Subsets { set, .. }, [.., last]) => v.subset(*last, *set),
            (Bulk::Elements { .. }, [.., last]) if last.words == 1 => Ok(()),
            (Bulk::Pairs { .. }, [.., one, other]) if (one.words, other.words) == (1, 1) => Ok(()),
            _ => Err("a bulk without a part for it".into()),
        }
    }
}

/// How a tuple prints.
pub(super) fn text(
    alternative: u32,
    parts: &[Operand],
    [weight, rank]: [&Option<Slot>; 2],
    bulk: Option<&Bulk>,
    n: &Names<'_>,
) -> String {
    let mut parts: Vec<String> = parts.iter().map(|part| n.set(part)).collect();
    match (bulk, &mut parts[..]) {
        (Some(Bulk::Pairs { first, second }), [.., one, other]) => {
            *one += &format!(" of {}", n.set(&first.0));
            *other += &format!(" of {}", n.set(&second.0));
        }
        (Some(Bulk::Subsets { set, count }), [.., last]) => {
            *last += &format!(" of each {} of {}", n.slot(count), n.set(set));
        }
        (Some(Bulk::Elements { set, .. }), [.., last]) => *last += &format!(" of {}", n.set(set)),
        _ => {}
    }
    let mut text = format!("emit {alternative} ({})", parts.join(", "));
    if let Some(weight) = weight {
        text += &format!(" weight {}", n.slot(weight));
    }
    if let Some(rank) = rank {
        text += &format!(" rank {}", n.slot(rank));
    }
    text
}
