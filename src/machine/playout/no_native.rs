//! Stands in for native code where there is none.

use super::run::Frame;
use crate::compile::playout::Flow;
use crate::ir::Program;
use crate::ir::meaning::Trouble;
use rand::rngs::Xoshiro256PlusPlus;

/// There is none.
#[derive(Debug)]
pub(super) enum NativeCode {}

/// Nothing is kept.
#[derive(Debug, Default)]
pub(super) struct Records;

impl NativeCode {
    pub fn new(_: &Program, _: &Flow) -> Option<NativeCode> {
        None
    }

    pub fn run(
        &self,
        _: &Program,
        _: &mut Frame,
        _: u32,
        _: &mut Xoshiro256PlusPlus,
        _: &mut Records,
    ) -> Result<(), Trouble> {
        match *self {}
    }
}
