//! Which elements of variables count things of one kind among several: how many of each card somebody holds.

use super::fields::board;
use super::unset::Setters;
use crate::machine::Machine;
use crate::model::Var;
use crate::model::types::Type;

/// Fewer kinds are read at a glance, with those of which there is nothing.
const FEWEST_KINDS: u64 = 5;

/// Whether the elements of a variable are counts, by kinds that have names: what the rules take from, down to 0.
pub(super) fn is_tally(machine: &Machine, var: &Var, setters: &Setters) -> bool {
    let Some(kind) = var.indices.last().map(|index| &index.ty) else {
        return false;
    };
    let has_names = matches!(kind, Type::Enum(_) | Type::Product(_));
    setters.are_counted()
        && matches!(var.ty, Type::Int { lo: 0, .. })
        && has_names
        && board(machine.description(), kind).is_none()
        && kind.size().is_some_and(|size| size >= FEWEST_KINDS)
}
