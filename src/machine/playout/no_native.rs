//! Stands in for native code where there is none.

use super::engine::NoNative;
use super::frames::Frame;
use super::group::Group;
use super::listener::Listener;
use crate::compile::playout::Flow;
use crate::ir::Program;
use crate::ir::meaning::Trouble;
use rand::rngs::Xoshiro256PlusPlus;
use std::ops::ControlFlow;

/// There is none.
#[derive(Debug)]
pub(super) enum NativeCode {}

/// A generator as it was.
pub(super) struct Before(Xoshiro256PlusPlus);

impl Before {
    pub fn of(rng: &Xoshiro256PlusPlus) -> Before {
        Before(rng.clone())
    }

    pub fn put_back(self, rng: &mut Xoshiro256PlusPlus) {
        *rng = self.0;
    }
}

/// Nothing is kept.
#[derive(Debug, Default)]
pub(super) struct Records;

impl Records {
    pub fn total(&self) -> u64 {
        0
    }
}

impl NativeCode {
    pub fn new(_: &Program, _: &Flow) -> Result<NativeCode, NoNative> {
        Err(NoNative::NoCompiler)
    }

    pub fn after(_: &Program, _: &Flow, other: &NativeCode) -> Result<NativeCode, NoNative> {
        match *other {}
    }

    pub fn is_counted(&self, _: u32) -> bool {
        match *self {}
    }

    pub fn run_taking(
        &self,
        _: &Program,
        _: &mut Frame,
        _: (u32, u64),
        _: &mut Xoshiro256PlusPlus,
        _: &mut Records,
    ) -> Result<(u64, u64), Trouble> {
        match *self {}
    }

    pub fn run(
        &self,
        _: &Program,
        _: &mut Frame,
        _: u32,
        _: &mut Xoshiro256PlusPlus,
        _: &mut Records,
        _: Option<&mut Listener<'_>>,
    ) -> Result<(), Trouble> {
        match *self {}
    }

    pub fn find<'r>(&self, _: &'r Records, _: u64) -> Option<(Group<'r>, u64)> {
        match *self {}
    }

    pub fn each(
        &self,
        _: &Records,
        _: &mut dyn FnMut(&Group<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match *self {}
    }
}
