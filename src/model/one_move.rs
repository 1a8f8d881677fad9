//! One move made of several choices, and how many there may be in it.

use super::visit::Visitor;
use super::{Alternative, Block, Choice, Expr, LocalId, Part, SiteId, Stmt, StmtKind};
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
        visitor.block(&self.body);
        self.greatest.iter().for_each(|e| visitor.expr(e));
        self.otherwise.iter().for_each(|b| visitor.block(b));
    }

    /// The choices that it is made of, in the order of the text.
    pub fn choices(&self) -> Vec<&Choice> {
        let mut list = Vec::new();
        self.body.for_each_choice(|choice| list.push(choice));
        list
    }

    /// The most choices that there can be on one way.
    pub fn longest(&self) -> u64 {
        self.longest_of(&|_| true)
    }

    /// The most choices of some kind that there can be on one way.
    pub fn longest_of(&self, counted: &dyn Fn(&Choice) -> bool) -> u64 {
        in_block(&self.body, counted)
    }

    /// The choices after which no other can come, wherever they stand in the text.
    pub fn last_choices(&self) -> Vec<SiteId> {
        let mut places = Places::default();
        places.block(&self.body, false);
        let Places { mut last, followed } = places;
        last.retain(|site| !followed.contains(site));
        last
    }
}

/// Where choices stand.
#[derive(Default)]
struct Places {
    last: Vec<SiteId>,
    followed: Vec<SiteId>,
}

impl Places {
    /// `followed`: whether a choice may come after the block.
    fn block(&mut self, block: &Block, mut followed: bool) {
        for stmt in block.stmts.iter().rev() {
            self.stmt(stmt, followed);
            followed |= in_stmt(stmt, &|_| true) > 0;
        }
    }

    fn stmt(&mut self, stmt: &Stmt, followed: bool) {
        match &stmt.kind {
            StmtKind::If {
                then, otherwise, ..
            } => [then, otherwise]
                .into_iter()
                .for_each(|b| self.block(b, followed)),
            StmtKind::Match {
                arms, otherwise, ..
            } => {
                let blocks = arms.iter().map(|arm| &arm.body).chain(otherwise);
                blocks.for_each(|b| self.block(b, followed));
            }
            StmtKind::Each { body, .. }
            | StmtKind::Repeat { body, .. }
            | StmtKind::While { body, .. }
            | StmtKind::Turns { body, .. } => self.block(body, true),
            StmtKind::Choice(choice) => {
                let bodies = choice.alternatives.iter().map(|a| &a.body);
                bodies.clone().for_each(|b| self.block(b, followed));
                choice
                    .otherwise
                    .iter()
                    .for_each(|b| self.block(b, followed));
                let followed = followed || bodies.map(|b| in_block(b, &|_| true)).any(|n| n > 0);
                match followed {
                    true => self.followed.push(choice.site),
                    false => self.last.push(choice.site),
                }
            }
            StmtKind::Block(body) | StmtKind::AtOnce { body, .. } => self.block(body, followed),
            _ => {}
        }
    }
}

fn in_block(block: &Block, counted: &dyn Fn(&Choice) -> bool) -> u64 {
    let choices = block.stmts.iter().map(|stmt| in_stmt(stmt, counted));
    choices.fold(0, u64::saturating_add)
}

fn in_stmt(stmt: &Stmt, counted: &dyn Fn(&Choice) -> bool) -> u64 {
    let in_block = |block: &Block| in_block(block, counted);
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
            let most = element.and_then(super::types::Type::size);
            rounds(most.unwrap_or(0), in_block(body))
        }
        StmtKind::Repeat { count, body } => {
            let most = count.ty.bounds().map_or(0, |(_, hi)| hi);
            rounds(u64::try_from(most).unwrap_or(0), in_block(body))
        }
        StmtKind::While { bound, body, .. } | StmtKind::Turns { bound, body, .. } => {
            rounds(*bound, in_block(body))
        }
        StmtKind::Choice(choice) => {
            let bodies = choice.alternatives.iter().map(|a| &a.body);
            let after = most(&mut bodies.chain(&choice.otherwise));
            after.saturating_add(u64::from(counted(choice)))
        }
        StmtKind::Block(body) | StmtKind::AtOnce { body, .. } => in_block(body),
        _ => 0,
    }
}

fn rounds(most: u64, in_body: u64) -> u64 {
    most.saturating_mul(in_body)
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
        Alternative::possible_values(&self.parts, locals)
    }

    /// Of how many values the parts could be, by their types alone.
    pub fn possible_values(parts: &[Part], locals: &[Local]) -> Option<u64> {
        let size = |local: LocalId| locals[local.0 as usize].ty.size();
        parts
            .iter()
            .try_fold(1u64, |all, part| all.checked_mul(size(part.local)?))
    }
}
