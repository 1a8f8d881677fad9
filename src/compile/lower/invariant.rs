//! What a loop reads again and again though it stays the same is computed once, before the loop.
//!
//! Only loops inside the loop are worth it, and only what cannot fail: it is computed even where the loop turns out to
//! have nothing to run over.

use super::Builder;
use crate::ir::{Instr, Operand, Slot};
use crate::model::types::Type;
use crate::model::visit::Visitor;
use crate::model::{
    BinaryOp, Block, Expr, ExprKind, Fold, FoldOp, LocalId, Place, Stmt, StmtKind, VarId,
};
use rustc_hash::FxHashSet;

impl Builder<'_> {
    /// Writes a loop over some locals, with what is `inside` of it; what of that does not depend on the locals is computed
    /// here and now.
    pub(super) fn around_loop(
        &mut self,
        varying: &[LocalId],
        inside: &[&Expr],
        write: impl FnOnce(&mut Self),
    ) {
        let before = self.invariants.len();
        // Marks are reached where the text says so.
        if !self.marked() {
            let varying = Varying::of(varying);
            let Invariants { found, lets } = self.invariants_in(varying, inside);
            for (local, value) in lets {
                self.let_local(local, value);
            }
            for e in found {
                let value = self.value(e);
                self.invariants.push((std::ptr::from_ref(e), value));
            }
        }
        write(self);
        self.invariants.truncate(before);
    }

    /// What of some expressions does not depend on some locals is computed once, where it is first read: the loops over these
    /// locals may have nothing to run over. It is forgotten with `on_demand` as long as before.
    pub(super) fn compute_on_demand(&mut self, varying: &[LocalId], inside: &[&Expr]) {
        if !self.marked() {
            self.demand(Varying::of(varying), inside);
        }
    }

    /// The same for a loop of statements over a local, and for what it asks before each round. Only where nothing is chosen or
    /// drawn in it: what is computed is not kept from one question to the next.
    pub(super) fn compute_on_demand_in(
        &mut self,
        local: Option<LocalId>,
        asked: Option<&Expr>,
        body: &Block,
    ) {
        if self.marked() {
            return;
        }
        let mut done = Done::default();
        asked.into_iter().for_each(|e| done.expr(e));
        body.walk(&mut done);
        if done.rests {
            return;
        }
        done.varying.locals.extend(local);
        // What is stored at once is read as it was before.
        if let Some((var, _)) = self.aside {
            done.varying.vars.remove(&var);
        }
        self.demand(done.varying, &done.exprs);
    }

    fn demand(&mut self, varying: Varying, inside: &[&Expr]) {
        let mut all: Vec<(&Expr, Slot, Operand)> = Vec::new();
        for e in self.invariants_in(varying, inside).found {
            // What is looked up is at hand as soon as whether it is known.
            let mut long = false;
            e.for_each(|e| {
                long |= match &e.kind {
                    ExprKind::Call { function, .. } => function.goes_through_cells(),
                    kind => matches!(kind, ExprKind::Fold(_)),
                };
            });
            if !long || self.is_computed_once(e) {
                continue;
            }
            let written_before = all.iter().find(|(before, ..)| before.is_same(e));
            let (known, value) = match written_before {
                Some((_, known, value)) => (*known, *value),
                None => {
                    let known = self.number(0);
                    let value = self.temporary(e.ty.words() as u16);
                    // Read only once there is a value; written here so that nothing seems to be wanted from before.
                    self.set_constant(value, &e.ty, &[0]);
                    (known, value)
                }
            };
            all.push((e, known, value));
            self.on_demand.push((std::ptr::from_ref(e), known, value));
        }
    }

    /// The value of an expression that is computed on demand, computed if it was not yet.
    pub(super) fn demanded(&mut self, e: &Expr) -> Option<Operand> {
        let of = |(of, ..): &(*const Expr, Slot, Operand)| std::ptr::eq(*of, e);
        let at = self.on_demand.iter().rposition(of)?;
        let demand = self.on_demand.remove(at);
        let (_, known, value) = demand;
        let (make, done) = (self.new_block(), self.new_block());
        self.branch(known, done, make);
        self.start(make);
        self.scope(|b| b.compute(e, value));
        self.emit(Instr::Const {
            dst: known,
            value: 1,
        });
        self.jump(done);
        self.start(done);
        self.on_demand.insert(at, demand);
        Some(value)
    }

    /// Whether the value of an expression is computed only once.
    pub(super) fn is_computed_once(&self, e: &Expr) -> bool {
        let mut on_demand = self.on_demand.iter();
        on_demand.any(|(of, ..)| std::ptr::eq(*of, e)) || self.invariant(e).is_some()
    }

    /// The value of an expression that was computed before the loop, or what stands for it in the innermost one; in code that
    /// is run while the game is compiled also one that is given.
    pub(super) fn invariant(&self, e: &Expr) -> Option<Operand> {
        let given = || self.given.iter().find(|(key, _)| key.is_same(e));
        let known = self
            .invariants
            .iter()
            .rev()
            .find(|(of, _)| std::ptr::eq(*of, e));
        known
            .map(|(_, value)| *value)
            .or_else(|| given().map(|(_, value)| *value))
    }

    fn invariants_in<'e>(&self, mut varying: Varying, inside: &[&'e Expr]) -> Invariants<'e> {
        let mut all = Invariants::default();
        // What is bound comes before what reads it.
        let mut lets: Vec<(LocalId, &Expr)> = Vec::new();
        // Expressions inside of what was found, and those of an `after`, which are of another state.
        let mut covered: FxHashSet<*const Expr> = FxHashSet::default();
        let mut in_arms: FxHashSet<*const Expr> = FxHashSet::default();
        for e in inside {
            e.for_each(|e| {
                if matches!(e.kind, ExprKind::After { .. }) {
                    e.for_each(|e| {
                        covered.insert(std::ptr::from_ref(e));
                    });
                }
                // Mostly another arm is taken: what is bound in one is bound there.
                if let ExprKind::Match {
                    arms, otherwise, ..
                } = &e.kind
                {
                    let bodies = arms.iter().map(|arm| &arm.body);
                    for body in bodies.chain(otherwise.as_deref()) {
                        body.for_each(|e| {
                            in_arms.insert(std::ptr::from_ref(e));
                        });
                    }
                }
                let is_covered = covered.contains(&std::ptr::from_ref(e));
                match &e.kind {
                    // The arguments of a def are bound by `let`.
                    ExprKind::Let { local, value, .. }
                        if !is_covered
                            && !in_arms.contains(&std::ptr::from_ref(e))
                            && !varying.reach(value)
                            && self.is_total(value) =>
                    {
                        lets.push((*local, value));
                    }
                    _ => varying.locals.extend(binds(e)),
                }
                let worth = matches!(
                    e.kind,
                    ExprKind::Fold(_) | ExprKind::Call { table: Some(_), .. }
                );
                if worth
                    && !is_covered
                    && self.invariant(e).is_none()
                    && !varying.reach(e)
                    && self.is_total(e)
                    && self.constant(e).is_none()
                {
                    all.found.push(e);
                    e.for_each(|e| {
                        covered.insert(std::ptr::from_ref(e));
                    });
                }
            });
        }
        all.lets = read_by(&all.found, lets);
        all
    }

    /// Whether an expression has a value whatever the state.
    pub(super) fn is_total(&self, e: &Expr) -> bool {
        let mut total = true;
        e.for_each(|e| total = total && self.is_total_itself(e));
        total
    }

    /// The same, if all that is inside of it has a value.
    pub(super) fn is_total_itself(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Const(_)
            | ExprKind::ConstSet(_)
            | ExprKind::ConstArray(_)
            | ExprKind::Local(_)
            | ExprKind::If { .. }
            | ExprKind::Match { .. }
            | ExprKind::Let { .. }
            | ExprKind::Field { .. }
            | ExprKind::Unwrap { checked: false, .. }
            | ExprKind::Record(_)
            | ExprKind::Unary { .. }
            | ExprKind::Call { table: Some(_), .. } => true,
            ExprKind::Cast(inner) => {
                self.always_fits(&inner.ty, &e.ty) || self.lies_within(inner, &e.ty)
            }
            ExprKind::Call { function, args, .. } => function.is_total(args),
            ExprKind::Var { var, indices } => {
                let types = &self.d.var(*var).indices;
                std::iter::zip(indices, types).all(|(e, index)| fits(e, &index.ty))
            }
            ExprKind::Element { array, index } => {
                matches!(&array.ty, Type::Array { index: ty, .. } if fits(index, ty))
            }
            ExprKind::SetOf(list) => {
                let element = e.ty.element();
                element.is_some_and(|ty| list.iter().all(|e| fits(e, ty)))
            }
            // Its type has room for all integers from the least to the greatest.
            ExprKind::RangeSet { .. } => true,
            ExprKind::Binary {
                op: BinaryOp::Div | BinaryOp::Mod,
                right,
                ..
            } => self.constant(right).is_some_and(|by| by[0] != 0),
            ExprKind::Binary { .. } => true,
            ExprKind::Fold(fold) => match fold.op {
                FoldOp::Min | FoldOp::Max => false,
                FoldOp::SetOf => e.ty.element().is_some_and(|ty| fits(&fold.body, ty)),
                _ => true,
            },
            _ => false,
        }
    }

    /// Whether a cast from one type to another has nothing to check.
    fn always_fits(&self, from: &Type, to: &Type) -> bool {
        let there = matches!(to, Type::Optional(to) if self.same_words(from, to));
        there || self.same_words(from, to)
    }
}

/// What is not the same in all rounds of a loop.
#[derive(Default)]
struct Varying {
    locals: FxHashSet<LocalId>,
    vars: FxHashSet<VarId>,
}

impl Varying {
    fn of(locals: &[LocalId]) -> Varying {
        Varying {
            locals: locals.iter().copied().collect(),
            ..Varying::default()
        }
    }

    /// Whether an expression may come to something else in another round.
    fn reach(&self, e: &Expr) -> bool {
        let mut reads = false;
        e.for_each(|e| {
            reads |= matches!(&e.kind, ExprKind::Var { var, .. } if self.vars.contains(var));
        });
        reads || hangs_on(e, &self.locals)
    }
}

/// What the statements of a loop do.
#[derive(Default)]
struct Done<'d> {
    varying: Varying,
    /// All outermost expressions.
    exprs: Vec<&'d Expr>,
    /// Whether something is chosen or drawn.
    rests: bool,
}

impl<'d> Visitor<'d> for Done<'d> {
    fn expr(&mut self, e: &'d Expr) {
        self.exprs.push(e);
    }

    fn place(&mut self, place: &'d Place) {
        self.varying.vars.insert(place.var);
        place.walk(self);
    }

    fn stmt(&mut self, stmt: &'d Stmt) {
        self.rests |= matches!(
            stmt.kind,
            StmtKind::Choice(_)
                | StmtKind::Draw(_)
                | StmtKind::Deal(_)
                | StmtKind::Together(_)
                | StmtKind::OneMove(_)
        );
        match &stmt.kind {
            StmtKind::Let { local, .. }
            | StmtKind::Each { local, .. }
            | StmtKind::Turns { local, .. } => {
                self.varying.locals.insert(*local);
            }
            _ => {}
        }
        stmt.walk(self);
    }
}

/// What does not change while a loop runs.
#[derive(Default)]
struct Invariants<'e> {
    /// What is worth to be computed before the loop.
    found: Vec<&'e Expr>,
    /// What is bound in the loop and read there, in order.
    lets: Vec<(LocalId, &'e Expr)>,
}

/// Those of some locals that are read by some expressions, or by the values of such locals.
fn read_by<'e>(found: &[&Expr], mut lets: Vec<(LocalId, &'e Expr)>) -> Vec<(LocalId, &'e Expr)> {
    let mut read: FxHashSet<LocalId> = FxHashSet::default();
    let reads = |e: &Expr, read: &mut FxHashSet<LocalId>| {
        e.for_each(|e| {
            if let ExprKind::Local(local) = e.kind {
                read.insert(local);
            }
        });
    };
    found.iter().for_each(|e| reads(e, &mut read));
    lets.reverse();
    lets.retain(|(local, value)| {
        let is_read = read.contains(local);
        if is_read {
            reads(value, &mut read);
        }
        is_read
    });
    lets.reverse();
    lets
}

/// The local that an expression binds.
pub(super) fn binds(e: &Expr) -> Option<LocalId> {
    match &e.kind {
        ExprKind::Let { local, .. } | ExprKind::Array { local, .. } => Some(*local),
        ExprKind::Fold(fold) => Some(fold.local),
        _ => None,
    }
}

/// The loops of an expression, and whether it asks a board.
pub(super) fn loops_in(e: &Expr) -> (Vec<&Fold>, bool) {
    let (mut folds, mut boards) = (Vec::new(), false);
    e.for_each(|e| match &e.kind {
        ExprKind::Fold(fold) => folds.push(&**fold),
        ExprKind::Call { table: Some(_), .. } => boards = true,
        _ => {}
    });
    (folds, boards)
}

/// Whether an expression reads one of some locals that it does not bind itself.
pub(super) fn hangs_on(e: &Expr, locals: &FxHashSet<LocalId>) -> bool {
    let (mut own, mut read) = (FxHashSet::default(), Vec::new());
    e.for_each(|e| {
        own.extend(binds(e));
        if let ExprKind::Local(local) = e.kind {
            read.push(local);
        }
    });
    read.iter().any(|l| locals.contains(l) && !own.contains(l))
}

/// Whether all values of an expression are among those of a type.
fn fits(e: &Expr, ty: &Type) -> bool {
    match (e.ty.bounds(), ty.bounds()) {
        (Some((from, to)), Some((lo, hi))) => lo <= from && to <= hi,
        _ => false,
    }
}
