//! A stand-in for the evaluator of the check.

use crate::check::description::*;
use rustc_hash::FxHashMap;

pub fn evaluate(_expr: &Expr, _locals: &FxHashMap<LocalId, Vec<u64>>) -> Option<Vec<u64>> {
    None
}
