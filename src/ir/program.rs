//! A program: the graph of blocks with all that belongs to it.

use super::{Instr, KnowledgeCode, Layout, Marks, Node, Slot};
use crate::model::types::Type;
use crate::model::{Description, PlayerSet, VarId};
use crate::text::diagnostics::Code;
use crate::text::span::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// Index into [`Program::faults`].
pub type FaultId = u32;

#[derive(Debug)]
pub struct Program {
    pub description: Arc<Description>,
    /// What the frame holds; temporaries follow after the last named one.
    pub slots: Vec<SlotInfo>,
    /// The length of the frame in words.
    pub frame: u32,
    /// Where each variable's elements begin, by `VarId`.
    pub vars: Vec<VarSlots>,
    pub blocks: Vec<Block>,
    /// Where play begins.
    pub entry: BlockId,
    pub nodes: Vec<Node>,
    pub payoff: PayoffCode,
    pub layout: Layout,
    /// Constant tables, each a row of equal-sized values.
    pub tables: Vec<Table>,
    pub faults: Vec<Fault>,
    /// What helps players, one to one with the description's.
    pub knowledge: Vec<KnowledgeCode>,
    /// Where each piece of code that keeps notes up begins, and where play goes on after it.
    pub notes: FxHashMap<BlockId, BlockId>,
    /// The coverage points of `Reach`; empty unless the game was compiled with marks.
    pub marks: Marks,
}

/// One named value of the frame.
#[derive(Clone, Debug)]
pub struct SlotInfo {
    pub name: String,
    pub slot: Slot,
    pub ty: Type,
    /// The variable that it is an element of; locals have none.
    pub var: Option<VarId>,
}

#[derive(Clone, Debug)]
pub struct VarSlots {
    pub base: Slot,
    pub words: u16,
    pub elements: u32,
    /// Who sees each element.
    pub viewers: Vec<PlayerSet>,
}

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub instrs: Vec<Instr>,
    pub term: Term,
    /// In steps, of which a run has a bounded number; 0 counts as 1.
    pub cost: u32,
}

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Term {
    Jump(BlockId),
    Branch {
        cond: Slot,
        then: BlockId,
        otherwise: BlockId,
    },
    /// Play rests at a node.
    Rest(NodeId),
    /// The end of a listing or of a payoff.
    #[default]
    Return,
    /// An error of play.
    Fail(FaultId),
}

#[derive(Clone, Debug)]
pub struct PayoffCode {
    pub code: BlockId,
    /// One slot a player, in units of 1/`den`.
    pub values: Vec<Slot>,
    pub den: i64,
    /// The least and the greatest value of each.
    pub bounds: Vec<(i64, i64)>,
    /// What the accumulators have earned, one slot a player, and the code that adds it up.
    pub accumulated: Option<(BlockId, Vec<Slot>)>,
    /// The variables that are accumulators.
    pub accumulators: Vec<VarId>,
    /// What is wrong when the claimed sum is not kept.
    pub fault: FaultId,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub words: u16,
    pub values: Vec<u64>,
}

/// What an error of play says.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    pub code: Code,
    pub span: Span,
    /// `{}` stands for the offending value.
    pub message: String,
    pub hint: Option<String>,
}

impl Program {
    /// How much there is of it: an instruction is 1, and so are 64 entries of tables.
    pub fn size(&self) -> usize {
        let code: usize = self.blocks.iter().map(|block| 1 + block.instrs.len()).sum();
        let tables: usize = self.tables.iter().map(|table| table.values.len()).sum();
        code + tables / 64
    }

    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}
