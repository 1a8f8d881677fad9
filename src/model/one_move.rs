//! One move made of several choices, and how many there may be in it.

use super::visit::Visitor;
use super::{Alternative, Block, Choice, Expr, LocalId, SiteId, Stmt, StmtKind};
use crate::model::Local;
use crate::text::span::Span;

/// What is left out at the beginning of the text of a move: it separates the text of a choice from that of the one before.
pub const SEPARATORS: [char; 2] = [',', ' '];

/// `one move { … }`: the ways through its statements, each with all that is chosen on it, are the options of one question.
/// All choices in it are of the chooser and seen by everybody.
#[derive(Clone, Debug)]
pub struct OneMove {
    pub site: SiteId,
    /// A player, or a local that is bound outside.
    pub chooser: Expr,
    pub body: Block,
    /// An integer; of all ways those are options after which it is greatest.
    pub greatest: Option<Expr>,
    pub otherwise: Option<Block>,
    pub span: Span,
}

impl OneMove {
    /// Goes through what stands directly inside.
    pub fn walk<'d>(&'d self, visitor: &mut (impl Visitor<'d> + ?Sized)) {
        visitor.expr(&self.chooser);
        self.body.walk(visitor);
        self.greatest.iter().for_each(|e| visitor.expr(e));
        self.otherwise.iter().for_each(|b| b.walk(visitor));
    }

    /// The choices that it is made of, in the order of the text.
    pub fn choices(&self) -> Vec<&Choice> {
        let mut list = Vec::new();
        self.body.for_each_choice(|choice| list.push(choice));
        list
    }

    /// The most choices that there can be on one way.
    pub fn longest(&self) -> u64 {
        in_block(&self.body)
    }
}

fn in_block(block: &Block) -> u64 {
    let choices = block.stmts.iter().map(in_stmt);
    choices.fold(0, u64::saturating_add)
}

fn in_stmt(stmt: &Stmt) -> u64 {
    let most = |blocks: &mut dyn Iterator<Item = &Block>| blocks.map(in_block).max().unwrap_or(0);
    match &stmt.kind {
        StmtKind::If {
            then, otherwise, ..
        } => most(&mut [then, otherwise].into_iter()),
        StmtKind::Match {
            arms, otherwise, ..
        } => most(&mut arms.iter().map(|arm| &arm.body).chain(otherwise)),
        StmtKind::Each { domain, body, .. } => {
            let element = domain.ty.element();
            rounds(
                element.and_then(super::types::Type::size).unwrap_or(0),
                body,
            )
        }
        StmtKind::Repeat { count, body } => {
            let most = count.ty.bounds().map_or(0, |(_, hi)| hi);
            rounds(u64::try_from(most).unwrap_or(0), body)
        }
        StmtKind::While { bound, body, .. } | StmtKind::Turns { bound, body, .. } => {
            rounds(*bound, body)
        }
        StmtKind::Choice(choice) => {
            let bodies = choice.alternatives.iter().map(|a| &a.body);
            let after = most(&mut bodies.chain(&choice.otherwise));
            after.saturating_add(1)
        }
        StmtKind::Block(block) => in_block(block),
        _ => 0,
    }
}

fn rounds(most: u64, body: &Block) -> u64 {
    most.saturating_mul(in_block(body))
}

impl Choice {
    /// How many options it could have, by the types of its values alone; `None`: more than can be counted.
    pub fn possible(&self, locals: &[Local]) -> Option<u64> {
        let each = self.alternatives.iter().map(|a| a.possible(locals));
        each.reduce(|a, b| a?.checked_add(b?)).unwrap_or(Some(0))
    }
}

impl Alternative {
    /// As [`Choice::possible`].
    pub fn possible(&self, locals: &[Local]) -> Option<u64> {
        let size = |local: LocalId| locals[local.0 as usize].ty.size();
        let mut parts = self.parts.iter();
        parts.try_fold(1u64, |all, part| all.checked_mul(size(part.local)?))
    }
}
