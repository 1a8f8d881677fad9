//! Statements to blocks: stores, branches and loops.

use super::super::codes;
use super::conditions::conjuncts;
use super::expr::{Element, one, writes_last};
use super::fold::FEW_WORDS;
use super::{Builder, Loop, Rounds};
use crate::ir::*;
use crate::model::types::Type;
use crate::model::visit::Visitor;
use crate::model::{
    BinaryOp, Block, Expr, ExprKind, LocalId, MatchArm, Place, PlaceIndex, ReadingId, Stmt,
    StmtKind, StoreOp, VarId,
};
use rustc_hash::FxHashSet;

/// A loop over a type of so few values computes what stays the same in every round again: to ask whether it was costs as much.
const FEW_ROUNDS: u64 = 4;

impl Builder<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.scope(|b| b.stmt(stmt));
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.mark(CoveragePointKind::Statement, stmt.span);
        if !matches!(stmt.kind, StmtKind::While { .. }) {
            self.show_for(stmt.reading);
        }
        match &stmt.kind {
            StmtKind::Let { local, value } => self.let_local(*local, value),
            StmtKind::Store { place, op, value } => self.assign(place, *op, value),
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => self.if_stmt(cond, then, otherwise),
            StmtKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => {
                let value = self.value(scrutinee).slot;
                let join = self.new_block();
                for MatchArm { values, body } in arms {
                    let next = self.match_arm(value, values);
                    self.block(body);
                    self.jump(join);
                    self.start(next);
                }
                if let Some(body) = otherwise {
                    self.block(body);
                }
                self.jump(join);
                self.start(join);
            }
            StmtKind::Each {
                local,
                domain,
                cond,
                body,
            } => self.each(*local, domain, cond.as_ref(), body, stmt.reading),
            StmtKind::Repeat { count, body } => self.repeat(count, body),
            StmtKind::While { cond, bound, body } => {
                self.while_loop(cond, *bound, body, stmt.reading);
            }
            StmtKind::Turns { .. } => self.turns(stmt),
            StmtKind::Together(arms) => self.together(arms, stmt.span),
            StmtKind::OneMove(one) => self.one_move(one),
            StmtKind::Choice(choice) if self.moving.is_some() => self.part_of_move(choice),
            StmtKind::Choice(choice) => self.choice(choice),
            StmtKind::Draw(draw) => self.draw(draw),
            StmtKind::Deal(deal) => self.deal(deal),
            StmtKind::Expr(e) => {
                self.value(e);
            }
            StmtKind::Said { event, text } => self.reveal_said(event, text),
            StmtKind::Break { around } => {
                let left = self.loops.iter().rev().nth(*around as usize);
                if let Some(Loop { exit, .. }) = left.copied() {
                    self.leave(Term::Jump(exit));
                }
            }
            StmtKind::Continue => {
                if let Some(Loop { next, .. }) = self.loops.last().copied() {
                    self.leave(Term::Jump(next));
                }
            }
            StmtKind::End(site) => {
                if let Some(end) = self.end_of_tried_move() {
                    return self.leave(Term::Jump(end));
                }
                let everyone = self.number(self.d.everyone().word() as i64);
                self.event(*site, None, None, Vec::new(), Some(everyone));
                self.rest_terminal();
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::AtOnce { var, body } => self.at_once(*var, body),
            // No rule reads what is noted.
            StmtKind::Note(_) if self.end_of_tried_move().is_some() => {}
            StmtKind::Note(block) => self.note(block),
        }
    }

    /// What is stored to the variable goes aside, and is put in its place in the end.
    fn at_once(&mut self, var: VarId, body: &Block) {
        self.scope(|b| {
            let slots = &b.vars[var.0 as usize];
            let aside = b.stretch(slots.elements * u32::from(slots.words));
            b.copy_variable(var, aside, false);
            let outer = b.aside.replace((var, aside));
            b.block(body);
            b.aside = outer;
            b.copy_variable(var, aside, true);
        });
    }

    /// Where stores to a variable go.
    fn stored_at(&self, var: VarId) -> Slot {
        match self.aside {
            Some((of, aside)) if of == var => aside,
            _ => self.vars[var.0 as usize].base,
        }
    }

    /// Where an element is stored.
    fn stored_element(&mut self, place: &Place, indices: &[Expr]) -> Element {
        match self.element(place.var, indices, place.span) {
            Element::Fixed(of) => {
                let over = of.slot - self.vars[place.var.0 as usize].base;
                let slot = self.stored_at(place.var) + over;
                Element::Fixed(Operand { slot, ..of })
            }
            indexed => indexed,
        }
    }

    /// Keeps notes up in blocks of their own, which can be left out.
    fn note(&mut self, block: &Block) {
        let (first, after) = (self.new_block(), self.new_block());
        self.jump(first);
        self.start(first);
        self.block(block);
        self.jump(after);
        self.start(after);
        self.notes.push((first, after));
    }

    fn if_stmt(&mut self, cond: &Expr, then: &Block, otherwise: &Block) {
        if let Some(known) = self.constant(cond) {
            if known[0] == 0 && otherwise.stmts.is_empty() {
                self.mark(CoveragePointKind::Failed, cond.span);
            }
            return self.block(if known[0] != 0 { then } else { otherwise });
        }
        let holds = self.value(cond).slot;
        let (yes, no, join) = (self.new_block(), self.new_block(), self.new_block());
        self.branch(holds, yes, no);
        self.start(yes);
        self.block(then);
        self.jump(join);
        self.start(no);
        if otherwise.stmts.is_empty() {
            self.mark(CoveragePointKind::Failed, cond.span);
        }
        self.block(otherwise);
        self.jump(join);
        self.start(join);
    }

    // ---- stores -------------------------------------------------------------------------------

    fn assign(&mut self, place: &Place, op: StoreOp, value: &Expr) {
        let ty = self.d.var(place.var).ty.clone();
        // The store checks the range itself, and then names the variable.
        let value = match (&value.kind, &ty) {
            (ExprKind::Cast(inner), Type::Int { .. }) if matches!(inner.ty, Type::Int { .. }) => {
                inner
            }
            _ => value,
        };
        if let (Some(indices), true) = (fixed_indices(place), op == StoreOp::Set)
            && writes_last(value)
            && !matches!(ty, Type::Number { .. })
            && let Element::Fixed(dst) = self.stored_element(place, &indices)
        {
            self.compute(value, dst);
            return self.check_range(dst.slot, &ty, &value.ty, place);
        }
        if let (Some(indices), Type::Set(element)) = (fixed_indices(place), &ty)
            && op != StoreOp::Set
            && let ExprKind::SetOf(list) = &value.kind
            && let [single] = list.as_slice()
            && self.constant(value).is_none()
        {
            // One element goes in or out: a single bit.
            let ordinal = self.ordinal(single, element, place.span);
            match self.stored_element(place, &indices) {
                Element::Fixed(set) => self.one_bit(op, set, ordinal),
                Element::Indexed(index) => {
                    let set = self.load(place, index);
                    self.one_bit(op, set, ordinal);
                    self.store_at(place, index, set);
                }
            }
            return;
        }
        let value_operand = self.value(value);
        self.store(place, op, value_operand, &value.ty);
    }

    fn one_bit(&mut self, op: StoreOp, set: Operand, element: Slot) {
        self.emit(if op == StoreOp::Add {
            Instr::SetInsert { set, element }
        } else {
            Instr::SetRemove { set, element }
        });
    }

    /// Stores a value that is already in a slot.
    pub(super) fn store(&mut self, place: &Place, op: StoreOp, value: Operand, value_ty: &Type) {
        if fixed_indices(place).is_some() {
            return self.store_from(place, 0, Vec::new(), op, value, value_ty);
        }
        // Several elements: the value and the indices are those from before the first of them changes.
        let kept = self.temporary(value.words);
        self.copy(kept, value);
        let indices = place
            .indices
            .iter()
            .map(|index| {
                let (PlaceIndex::One(e) | PlaceIndex::Each(e)) = index;
                if self.constant(e).is_some() {
                    return index.clone();
                }
                let value = self.value(e);
                let before = self.named("index", e.ty.clone());
                self.copy(before, value);
                let read = self.slot_expr(before, e.ty.clone(), e);
                match index {
                    PlaceIndex::One(_) => PlaceIndex::One(read),
                    PlaceIndex::Each(_) => PlaceIndex::Each(read),
                }
            })
            .collect();
        let place = Place {
            indices,
            ..place.clone()
        };
        self.store_from(&place, 0, Vec::new(), op, kept, value_ty);
    }

    /// Fixes the indices one by one, with a loop for each set of indices.
    fn store_from(
        &mut self,
        place: &Place,
        at: usize,
        mut fixed: Vec<Expr>,
        op: StoreOp,
        value: Operand,
        value_ty: &Type,
    ) {
        let Some(index) = place.indices.get(at) else {
            return self.store_element(place, &fixed, op, value, value_ty);
        };
        match index {
            PlaceIndex::One(e) => {
                fixed.push(e.clone());
                self.store_from(place, at + 1, fixed, op, value, value_ty);
            }
            PlaceIndex::Each(set) => {
                let element = set.ty.element().cloned().unwrap_or(Type::Bool);
                let lo = element.value_at(0);
                if let Some(ordinals) = self.few_elements(set) {
                    for ordinal in ordinals {
                        let mut fixed = fixed.clone();
                        fixed.push(Expr {
                            kind: ExprKind::Const(element.value_at(ordinal)),
                            ty: element.clone(),
                            span: set.span,
                        });
                        self.scope(|b| b.store_from(place, at + 1, fixed, op, value, value_ty));
                    }
                    return;
                }
                let domain = self.value(set);
                let counter = self.named("index", element.clone());
                let exit = self.new_block();
                let head = self.loop_over(counter.slot, domain, lo, exit);
                fixed.push(self.slot_expr(counter, element.clone(), set));
                let most = element.size().unwrap_or(u64::MAX);
                self.rounds(head, most, |b| {
                    b.scope(|b| b.store_from(place, at + 1, fixed, op, value, value_ty));
                });
                self.jump(head);
                self.start(exit);
            }
        }
    }

    /// An expression that reads a slot: a local made up for it.
    pub(super) fn slot_expr(&mut self, slot: Operand, ty: Type, like: &Expr) -> Expr {
        // Locals of the description are numbered from 0; made-up ones count down from the top.
        let local = LocalId(u32::MAX - self.made_up.len() as u32);
        self.made_up.push(ty.clone());
        self.locals.insert(local, slot);
        Expr {
            kind: ExprKind::Local(local),
            ty,
            span: like.span,
        }
    }

    fn store_element(
        &mut self,
        place: &Place,
        indices: &[Expr],
        op: StoreOp,
        value: Operand,
        value_ty: &Type,
    ) {
        let ty = self.d.var(place.var).ty.clone();
        match self.stored_element(place, indices) {
            Element::Fixed(dst) => {
                self.update(dst, op, value, &ty);
                self.check_range_after(dst.slot, op, &ty, value_ty, place);
            }
            Element::Indexed(index) => {
                let current = if op == StoreOp::Set {
                    self.temporary(ty.words() as u16)
                } else {
                    self.load(place, index)
                };
                self.update(current, op, value, &ty);
                self.check_range_after(current.slot, op, &ty, value_ty, place);
                self.store_at(place, index, current);
            }
        }
    }

    fn load(&mut self, place: &Place, index: Slot) -> Operand {
        let slots = &self.vars[place.var.0 as usize];
        let (words, count) = (slots.words, slots.elements);
        let base = self.stored_at(place.var);
        let dst = self.temporary(words);
        self.emit(Instr::Load {
            dst: dst.slot,
            base,
            index,
            words,
            count,
        });
        dst
    }

    fn store_at(&mut self, place: &Place, index: Slot, src: Operand) {
        let slots = &self.vars[place.var.0 as usize];
        let (words, count) = (slots.words, slots.elements);
        let base = self.stored_at(place.var);
        self.emit(Instr::Store {
            base,
            index,
            src: src.slot,
            words,
            count,
        });
    }

    fn update(&mut self, dst: Operand, op: StoreOp, value: Operand, ty: &Type) {
        match (op, ty) {
            (StoreOp::Set, _) => self.copy(dst, value),
            (StoreOp::Add, Type::Set(_)) => self.set_binary(BinaryOp::Union, dst, dst, value),
            (StoreOp::Sub, Type::Set(_)) => self.set_binary(BinaryOp::Difference, dst, dst, value),
            (_, _) => self.emit(Instr::Binary {
                op: if op == StoreOp::Add { Op::Add } else { Op::Sub },
                dst: dst.slot,
                a: dst.slot,
                b: value.slot,
            }),
        }
    }

    fn check_range_after(
        &mut self,
        slot: Slot,
        op: StoreOp,
        ty: &Type,
        value_ty: &Type,
        place: &Place,
    ) {
        if op == StoreOp::Set {
            self.check_range(slot, ty, value_ty, place);
        } else if matches!(ty, Type::Int { .. }) {
            self.plant_check(slot, ty, place);
        }
    }

    /// Plants a check where the value's type allows more than the variable's.
    fn check_range(&mut self, slot: Slot, ty: &Type, value_ty: &Type, place: &Place) {
        if let (Type::Int { lo, hi }, Some((from, to))) = (ty, value_ty.bounds())
            && (from < *lo || to > *hi)
        {
            self.plant_check(slot, ty, place);
        }
    }

    fn plant_check(&mut self, slot: Slot, ty: &Type, place: &Place) {
        let Type::Int { lo, hi } = ty else { return };
        let name = &self.d.var(place.var).name;
        let fault = self.fault_with(
            codes::OUT_OF_RANGE,
            place.span,
            format!("`{name}` would become {{}}, and its range is {ty}"),
            Some("widen the range of the variable, or guard the statement"),
        );
        self.emit(Instr::Check {
            value: slot,
            lo: *lo,
            hi: *hi,
            fault,
        });
    }

    // ---- loops --------------------------------------------------------------------------------

    fn looped(&mut self, next: BlockId, exit: BlockId, most: u64, body: &Block) {
        self.loops.push(Loop { next, exit });
        self.rounds(next, most, |b| b.block(body));
        self.loops.pop();
        self.jump(next);
        self.start(exit);
    }

    /// Writes what a loop does in each of at most so many rounds.
    fn rounds(&mut self, head: BlockId, most: u64, write: impl FnOnce(&mut Self)) {
        let (first, from) = (self.current, self.blocks.len() as u32);
        write(self);
        self.rounds.push(Rounds {
            head,
            first,
            others: from..self.blocks.len() as u32,
            most,
        });
    }

    fn each(
        &mut self,
        local: LocalId,
        domain: &Expr,
        cond: Option<&Expr>,
        body: &Block,
        reading: Option<ReadingId>,
    ) {
        let element = domain.ty.element().cloned().unwrap_or(Type::Bool);
        let lo = element.value_at(0);
        let demanded = self.on_demand.len();
        if element.size().is_none_or(|size| size > FEW_ROUNDS) {
            self.compute_on_demand_in(Some(local), cond, body);
        }
        let kept = cond.filter(|cond| reading.is_none() && !writes_what_it_reads(cond, body));
        let kept = kept.and_then(|cond| self.kept_at_once(local, domain, cond));
        let cond = cond.filter(|_| kept.is_none());
        let kept = match reading {
            None => kept.or_else(|| self.kept_before_each(local, domain, cond, body)),
            Some(_) => None,
        };
        let constant = self.constant(domain).filter(|_| kept.is_none());
        let snapshot = if constant.is_none() {
            let set = kept.unwrap_or_else(|| self.value(domain));
            let snapshot = self.named("rest", domain.ty.clone());
            self.copy(snapshot, set);
            Some(snapshot)
        } else {
            None
        };
        let counter = self.bind(local);
        let (head, start, exit) = (self.new_block(), self.new_block(), self.new_block());
        match snapshot.filter(|set| set.words <= FEW_WORDS) {
            Some(left) => {
                self.jump(head);
                self.start(head);
                self.take_first(counter.slot, left, lo, start, exit);
            }
            None => {
                self.emit(Instr::Const {
                    dst: counter.slot,
                    value: lo - 1,
                });
                self.jump(head);
                self.start(head);
                self.scope(|b| {
                    let set = match (snapshot, &constant) {
                        (Some(set), _) => set,
                        (None, Some(words)) => b.constant_operand(&domain.ty, words),
                        (None, None) => b.value(domain),
                    };
                    b.advance(counter.slot, set, lo, start, exit);
                });
            }
        }
        self.start(start);
        if let Some(cond) = cond {
            self.show_again(reading);
            let take = self.new_block();
            let holds = self.scope(|b| b.value(cond).slot);
            let skip = self.marked_way(CoveragePointKind::Failed, cond.span, head);
            self.branch(holds, take, skip);
            self.start(take);
            self.mark(CoveragePointKind::Held, cond.span);
        }
        let most = match constant {
            Some(words) => words.iter().map(|word| u64::from(word.count_ones())).sum(),
            None => element.size().unwrap_or(u64::MAX),
        };
        self.looped(head, exit, most, body);
        self.on_demand.truncate(demanded);
    }

    /// The elements of a set for which the body of a loop can do anything, as far as sets quickly say: it may ask of each whether it
    /// is one of them. `None` where they say nothing.
    fn kept_before_each(
        &mut self,
        local: LocalId,
        domain: &Expr,
        cond: Option<&Expr>,
        body: &Block,
    ) -> Option<Operand> {
        if self.marked() {
            return None;
        }
        let inside = sole_condition(body);
        let (mut total, mut kept) = (true, Vec::new());
        for cond in cond.into_iter().chain(inside).flat_map(conjuncts) {
            total &= self.is_total(&cond);
            if total
                && !writes_what_it_reads(&cond, body)
                && self.is_quickly_by_sets(local, domain, &cond)
            {
                kept.push(cond);
            }
        }
        let conds: Vec<&Expr> = kept.iter().map(|cond| &**cond).collect();
        if conds.is_empty() {
            return None;
        }
        self.kept_one_by_one(local, domain, &conds)?.pop()
    }

    fn repeat(&mut self, count: &Expr, body: &Block) {
        let most = count.ty.bounds().map_or(0, |b| b.1).max(0);
        let constant = self.constant(count).map(|w| w[0] as i64);
        let bound = if constant.is_none() {
            let value = self.value(count);
            let kept = self.named("rounds", Type::Int { lo: 0, hi: most });
            self.copy(kept, value);
            Some(kept.slot)
        } else {
            None
        };
        let demanded = self.on_demand.len();
        self.compute_on_demand_in(None, None, body);
        let counter = self.named("round", Type::Int { lo: 0, hi: most });
        self.emit(Instr::Const {
            dst: counter.slot,
            value: 0,
        });
        let (head, start, exit) = (self.new_block(), self.new_block(), self.new_block());
        self.jump(head);
        self.start(head);
        self.scope(|b| {
            let more = b.scalar();
            match (bound, constant) {
                (Some(bound), _) => b.emit(Instr::Binary {
                    op: Op::Lt,
                    dst: more,
                    a: counter.slot,
                    b: bound,
                }),
                (None, n) => b.emit(Instr::Immediate {
                    op: Op::Lt,
                    dst: more,
                    a: counter.slot,
                    value: n.unwrap_or(0),
                }),
            }
            b.branch(more, start, exit);
        });
        self.start(start);
        self.count(counter.slot);
        self.looped(head, exit, most as u64, body);
        self.on_demand.truncate(demanded);
    }

    fn count(&mut self, counter: Slot) {
        self.emit(Instr::Immediate {
            op: Op::Add,
            dst: counter,
            a: counter,
            value: 1,
        });
    }

    /// Leaves for `exit` once the counter has reached the bound, and counts.
    fn bounded(&mut self, counter: Slot, bound: u64, exit: BlockId) {
        let go = self.new_block();
        self.scope(|b| {
            let more = b.immediate(Op::Lt, counter, bound as i64);
            b.branch(more, go, exit);
        });
        self.start(go);
        self.count(counter);
    }

    fn counter(&mut self, bound: u64) -> Slot {
        let counter = self.named(
            "count",
            Type::Int {
                lo: 0,
                hi: bound as i64,
            },
        );
        self.emit(Instr::Const {
            dst: counter.slot,
            value: 0,
        });
        counter.slot
    }

    fn while_loop(&mut self, cond: &Expr, bound: u64, body: &Block, reading: Option<ReadingId>) {
        let counter = self.counter(bound);
        let demanded = self.on_demand.len();
        self.compute_on_demand_in(None, Some(cond), body);
        let (head, start, exit) = (self.new_block(), self.new_block(), self.new_block());
        self.jump(head);
        self.start(head);
        let ended = self.marked_way(CoveragePointKind::Ended, cond.span, exit);
        let spent = self.marked_bound(&[cond], cond.span, exit, |b, still| {
            let holds = b.scope(|b| b.value(cond).slot);
            b.branch(holds, still, ended);
        });
        self.bounded(counter, bound, spent);
        self.show_for(reading);
        let holds = self.scope(|b| b.value(cond).slot);
        self.branch(holds, start, ended);
        self.start(start);
        self.looped(head, exit, bound, body);
        self.on_demand.truncate(demanded);
    }

    /// The element of a set after another, and whether there is none.
    fn next_or_none(&mut self, next: Slot, none: Slot, set: Operand, after: Slot) {
        self.emit(Instr::SetNext {
            dst: next,
            set,
            after,
        });
        self.emit(Instr::Immediate {
            op: Op::Lt,
            dst: none,
            a: next,
            value: 0,
        });
    }

    fn turns(&mut self, stmt: &Stmt) {
        let StmtKind::Turns {
            local,
            first,
            among,
            cond,
            bound,
            body,
        } = &stmt.kind
        else {
            return;
        };
        let (local, bound, cond) = (*local, *bound, cond.as_ref());
        let counter = self.counter(bound);
        // `me` doubles as the search position: the player after whom the next turn is looked for.
        let first = self.value(first).slot;
        let me = self.bind(local).slot;
        self.emit(Instr::Immediate {
            op: Op::Sub,
            dst: me,
            a: first,
            value: 1,
        });
        let (head, wrap, found, exit) = (
            self.new_block(),
            self.new_block(),
            self.new_block(),
            self.new_block(),
        );
        self.jump(head);
        self.start(head);
        let (spent, ended) = match cond {
            Some(cond) => {
                let ended = self.marked_way(CoveragePointKind::Ended, cond.span, exit);
                let looked_at = [among, cond];
                let spent = self.marked_bound(&looked_at, cond.span, exit, |b, still| {
                    let ways = [b.new_block(), b.new_block(), ended];
                    b.next_turn(me, among, Some(cond), ways);
                    b.jump(still);
                });
                (spent, ended)
            }
            None => (exit, exit),
        };
        self.bounded(counter, bound, spent);
        self.show_again(stmt.reading);
        self.next_turn(me, among, cond, [wrap, found, ended]);
        self.looped(head, exit, bound, body);
    }

    /// Gives the turn to the player after `me`, and goes on; where nobody is left, or the condition fails, to `ended`. The
    /// search begins anew in `wrap`, and ends in `found`.
    fn next_turn(
        &mut self,
        me: Slot,
        among: &Expr,
        cond: Option<&Expr>,
        [wrap, found, ended]: [BlockId; 3],
    ) {
        self.scope(|b| {
            let set = b.value(among);
            let next = b.scalar();
            let none = b.scalar();
            b.next_or_none(next, none, set, me);
            let take = b.new_block();
            b.branch(none, wrap, take);
            b.start(wrap);
            let before = b.number(-1);
            b.next_or_none(next, none, set, before);
            b.branch(none, ended, take);
            b.start(take);
            b.copy(one(me), one(next));
            b.jump(found);
        });
        self.start(found);
        if let Some(cond) = cond {
            let take = self.new_block();
            let holds = self.scope(|b| b.value(cond).slot);
            self.branch(holds, take, ended);
            self.start(take);
        }
    }
}

/// The index expressions of a place without sets of indices.
fn fixed_indices(place: &Place) -> Option<Vec<Expr>> {
    place
        .indices
        .iter()
        .map(|index| match index {
            PlaceIndex::One(e) => Some(e.clone()),
            PlaceIndex::Each(_) => None,
        })
        .collect()
}

/// Without which a block does nothing.
fn sole_condition(body: &Block) -> Option<&Expr> {
    match &body.stmts[..] {
        [
            Stmt {
                kind: StmtKind::If {
                    cond, otherwise, ..
                },
                reading: None,
                ..
            },
        ] if otherwise.stmts.is_empty() => Some(cond),
        _ => None,
    }
}

/// Whether a block may store to a variable that an expression reads.
fn writes_what_it_reads(e: &Expr, block: &Block) -> bool {
    struct Written(FxHashSet<VarId>);
    impl<'d> Visitor<'d> for Written {
        fn place(&mut self, place: &'d Place) {
            self.0.insert(place.var);
            place.walk(self);
        }
    }
    let mut written = Written(FxHashSet::default());
    block.walk(&mut written);
    let mut reads = false;
    e.for_each(|e| {
        reads |= matches!(&e.kind, ExprKind::Var { var, .. } if written.0.contains(var));
    });
    reads
}
