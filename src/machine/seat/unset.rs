//! Which values nobody has set, as far as a player was told.
//!
//! A variable without an initial value in the text has one all the same, its least, which means nothing before somebody sets
//! it. An element counts as set once the player has seen another value there, or something was stored there: whoever sees an
//! element could know that, by the rules of who sees what. Where these ask for less, because what is there already is stored,
//! and where the rules only try what a store would lead to, whether something was stored is not asked. There an element counts
//! as set once the player was told of something that may have set it: of a choice or a draw that goes into it, and where a
//! statement stores to it, of anything after which that may have happened. So what counts as set follows from what the player
//! could know, and from nothing else. Where the rules count on a variable, by `+=`, its beginning is a value like others.

use crate::machine::Machine;
use crate::model::types::Type;
use crate::model::visit::Visitor;
use crate::model::{
    Choice, Expr, ExprKind, Part, Place, PlaceIndex, SiteId, Stmt, StmtKind, StoreOp, VarId,
};

/// How the rules set a variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Setters {
    /// What it begins with is a value like others.
    means_something: bool,
    /// The rules take from it or deal from it.
    taken_from: bool,
    /// Whether something was stored to an element is not for everybody to know who sees it, or not what the machine says.
    untold: bool,
    /// By a statement: before the first choice in the text, or not.
    stored_early: bool,
    stored: bool,
    /// By a choice or a draw; true: the element of the chooser.
    chosen: Vec<(SiteId, bool)>,
}

impl Setters {
    /// Of all variables of a game, by `VarId`.
    pub fn of_game(machine: &Machine) -> Vec<Setters> {
        let description = machine.description();
        let setters = description.vars.iter().map(|var| Setters {
            means_something: var.is_begun,
            untold: var.stored_unseen,
            ..Setters::default()
        });
        let mut finder = Finder {
            setters: setters.collect(),
            after_choice: false,
            in_one_move: false,
        };
        description.play.walk(&mut finder);
        let mut setters = finder.setters;
        let mut tries = Tries::default();
        description.play.walk(&mut tries);
        for shown in &description.shown {
            tries.expr(&shown.body);
        }
        for var in tries.vars {
            setters[var.0 as usize].untold = true;
        }
        setters
    }

    /// Whether an element is set from the beginning.
    pub fn are_begun(&self) -> bool {
        self.means_something
    }

    /// Whether the rules take from it or deal from it.
    pub fn are_counted(&self) -> bool {
        self.taken_from
    }

    /// Whether an element is set once something was stored there.
    pub fn are_told(&self) -> bool {
        !self.untold
    }

    /// Whether something that was told may have set an element: a move at a place of the text, by somebody or by chance, or,
    /// without a place, a reveal. `owner` is the player that the element belongs to, if its only index is one.
    pub fn may_set(&self, site: Option<SiteId>, by: Option<usize>, owner: Option<usize>) -> bool {
        let chosen = self.chosen.iter().any(|(at, of_chooser)| {
            Some(*at) == site && !(*of_chooser && owner.is_some() && owner != by)
        });
        chosen || self.stored_early || (self.stored && by.is_some())
    }
}

/// Looks for what sets variables.
struct Finder {
    setters: Vec<Setters>,
    after_choice: bool,
    in_one_move: bool,
}

impl Finder {
    fn of(&mut self, var: VarId) -> &mut Setters {
        &mut self.setters[var.0 as usize]
    }

    fn store(&mut self, place: &Place) {
        let early = !self.after_choice;
        let setters = self.of(place.var);
        setters.stored = true;
        setters.stored_early |= early;
    }

    fn parts(&mut self, site: SiteId, chooser: Option<&Expr>, parts: &[Part]) {
        for place in parts.iter().filter_map(|part| part.into.as_ref()) {
            if self.in_one_move {
                self.store(place);
                continue;
            }
            let of_chooser = match (place.indices.as_slice(), chooser) {
                ([PlaceIndex::One(index)], Some(chooser)) => is_same_local(index, chooser),
                _ => false,
            };
            self.of(place.var).chosen.push((site, of_chooser));
        }
    }
}

fn is_same_local(a: &Expr, b: &Expr) -> bool {
    matches!((&a.kind, &b.kind), (ExprKind::Local(a), ExprKind::Local(b)) if a == b)
}

impl<'d> Visitor<'d> for Finder {
    fn expr(&mut self, _: &'d Expr) {}

    fn stmt(&mut self, s: &'d Stmt) {
        match &s.kind {
            StmtKind::Note(_) => return,
            StmtKind::Store { place, op, .. } => match op {
                StoreOp::Set => self.store(place),
                StoreOp::Add | StoreOp::Sub => {
                    let setters = self.of(place.var);
                    setters.means_something = true;
                    setters.taken_from |= *op == StoreOp::Sub;
                }
            },
            StmtKind::Deal(deal) => {
                let from = self.of(deal.from.var);
                from.means_something = true;
                from.taken_from = true;
                self.of(deal.to.var).means_something = true;
            }
            StmtKind::Draw(draw) => self.parts(draw.site, None, &draw.parts),
            StmtKind::OneMove(_) => {
                let around = std::mem::replace(&mut self.in_one_move, true);
                self.after_choice = true;
                s.walk(self);
                self.in_one_move = around;
                return;
            }
            _ => {}
        }
        s.walk(self);
    }

    fn choice(&mut self, c: &'d Choice) {
        self.after_choice = true;
        for alternative in &c.alternatives {
            self.parts(c.site, Some(&c.chooser), &alternative.parts);
        }
        c.walk(self);
    }
}

/// Looks for variables that the machine stores to though play does not: in what an `after` only tries, and while it looks for
/// the ways of one move.
#[derive(Default)]
struct Tries {
    vars: Vec<VarId>,
    around: usize,
}

impl Tries {
    fn within(&mut self, walk: impl FnOnce(&mut Tries)) {
        self.around += 1;
        walk(self);
        self.around -= 1;
    }
}

impl<'d> Visitor<'d> for Tries {
    fn expr(&mut self, e: &'d Expr) {
        match &e.kind {
            ExprKind::After { .. } => self.within(|tries| e.walk(tries)),
            _ => e.walk(self),
        }
    }

    fn stmt(&mut self, s: &'d Stmt) {
        match &s.kind {
            StmtKind::OneMove(_) => self.within(|tries| s.walk(tries)),
            _ => s.walk(self),
        }
    }

    fn place(&mut self, p: &'d Place) {
        if self.around > 0 {
            self.vars.push(p.var);
        }
        p.walk(self);
    }
}

/// Whether a value is that of nobody and nothing: `none`, or a set without elements.
pub(super) fn is_nothing(ty: &Type, words: &[u64]) -> bool {
    matches!(ty, Type::Optional(_) | Type::Set(_)) && words.iter().all(|word| *word == 0)
}
