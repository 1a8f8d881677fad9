//! Which fields of boards a change touches.

use crate::machine::Machine;
use crate::machine::render;
use crate::model::types::Type;
use crate::model::{Description, Var};
use std::sync::Arc;

/// A field: the name of its board, and its own.
pub type Field = (Arc<str>, String);

/// How an element of a variable speaks of the fields of a board.
#[derive(Clone, Debug)]
pub(super) enum Speaks {
    /// It is one of them, or a set of them, or none.
    Of(Arc<str>, Type),
    /// It is the value of one.
    On(Field),
}

impl Speaks {
    /// Of element `number` of a variable.
    pub fn new(machine: &Machine, var: &Var, number: u64) -> Option<Speaks> {
        let description = machine.description();
        let value = match &var.ty {
            Type::Set(ty) | Type::Optional(ty) => ty,
            ty => ty,
        };
        if let Some(board) = board(description, value) {
            return Some(Speaks::Of(board, value.clone()));
        }
        let index = &var.indices.last()?.ty;
        let board = board(description, index)?;
        let cell = number % index.size().unwrap_or(1).max(1);
        Some(Speaks::On((board, index.show(index.value_at(cell)))))
    }

    /// The fields that differ between two values of the element, whose type this is.
    pub fn touched(&self, ty: &Type, old: &[u64], new: &[u64], fields: &mut Vec<Field>) {
        let (board, node) = match self {
            Speaks::On(field) => return fields.push(field.clone()),
            Speaks::Of(board, node) => (board, node),
        };
        let mut add = |ordinal: u64| {
            fields.push((Arc::clone(board), node.show(node.value_at(ordinal))));
        };
        match ty {
            Type::Set(_) => {
                for (i, (old, new)) in (0..).zip(std::iter::zip(old, new)) {
                    let differ = old ^ new;
                    let bits = (0..64).filter(|bit| differ >> bit & 1 == 1);
                    bits.for_each(|bit| add(64 * i + bit));
                }
            }
            Type::Optional(_) => {
                let both = [old, new].into_iter().filter_map(|words| words.first());
                both.filter_map(|word| word.checked_sub(1)).for_each(add);
            }
            _ => {
                let both = [old, new].into_iter().filter_map(|words| words.first());
                both.for_each(|word| add(node.ordinal(*word as i64)));
            }
        }
    }
}

/// The name of the board that a type is the type of the fields of.
pub(super) fn board(description: &Description, ty: &Type) -> Option<Arc<str>> {
    let declared = description.boards.iter().find(|board| board.node == *ty);
    match (declared, ty) {
        (Some(board), _) => Some(board.name.as_str().into()),
        (None, Type::Enum(cells)) if render::has_shape(description, ty) => {
            Some(cells.name.as_str().into())
        }
        _ => None,
    }
}
