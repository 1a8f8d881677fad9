//! The loops that go through the tuples of a choice or a draw.

use super::Builder;
use super::expr::one;
use super::invariant::hangs_on;
use super::subset_conditions::Like;
use super::trial::Product;
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{Expr, ExprKind, Fold, FoldOp, LocalId, Part, Sizes};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// What is written for each tuple: its parts, and the set and the count of a part that is counted instead of walked.
pub(super) type Found<'f, B> = dyn FnMut(&mut B, &[Operand], Option<Bulk>) + 'f;

impl Builder<'_> {
    /// Nested loops over the parts of a product; `found` writes what each tuple does. Goes on after the last tuple.
    /// `bulk`: the values of so many last parts are not walked over one by one, if the condition and the sets let that be;
    /// `found` gets all of them at once.
    pub(super) fn tuples(
        &mut self,
        parts: &[Part],
        cond: Option<&Expr>,
        mut bulk: usize,
        found: &mut Found<'_, Self>,
    ) {
        let mark = self.temporaries;
        let exit = self.new_block();
        let product = Product {
            parts,
            cond,
            weight: None,
        };
        if self.tuples_by_values(product, exit, found) {
            self.temporaries = mark;
            self.start(exit);
            return;
        }
        let (parts, cond) = self.subsets_of_fitting(parts, cond);
        let (parts, cond) = (&parts[..], cond.as_deref());
        let conditions = self.conditions(parts, cond);
        self.ask_or_go_back(conditions.before.as_deref(), exit);
        let own = conditions.after.last().and_then(Option::as_deref);
        let filtered = self.filtered(parts, own, bulk > 0);
        let cond = own.filter(|_| filtered.is_none());
        let mut at_once = false;
        if let Some(cond) = cond {
            let unread = unread(cond, parts);
            at_once = bulk > 0 && unread == 0;
            bulk = bulk.min(unread);
        }
        bulk = bulk.min(apart(parts)).min(unasked(&conditions.after));
        let locals: Vec<LocalId> = parts.iter().map(|part| part.local).collect();
        let further = parts.iter().skip(1);
        let sizes = parts.iter().filter_map(|part| part.sizes.as_ref());
        let mut inside: Vec<&Expr> = further.map(|part| &part.domain).collect();
        inside.extend(sizes.flat_map(|s| std::iter::once(&s.least).chain(&s.most)));
        inside.extend(conditions.each());
        let last = parts.len().saturating_sub(1);
        let earlier = conditions.after[..last].iter().map(Option::as_deref);
        let asked: Vec<Option<&Expr>> = earlier.chain([cond]).collect();
        self.around_loop(&locals, &inside, |b| {
            b.product_loops(parts, (&asked, at_once), (bulk, filtered), exit, found);
        });
        self.temporaries = mark;
        self.start(exit);
    }

    /// The values of the last part for which the condition holds, where that depends on no other part; unless the set is
    /// wanted as a whole, only where no value has to be looked at by itself.
    fn filtered(&mut self, parts: &[Part], cond: Option<&Expr>, whole: bool) -> Option<Operand> {
        let (cond, (last, others)) = (cond?, parts.split_last()?);
        if others.is_empty() || last.sizes.is_some() || unread(cond, parts) > 0 {
            return None;
        }
        let others: FxHashSet<LocalId> = others.iter().map(|part| part.local).collect();
        let alone = |e: &Expr| !hangs_on(e, &others) && self.is_total(e);
        if !alone(cond) || !alone(&last.domain) {
            return None;
        }
        let expr = |kind, ty: &Type| Expr {
            kind,
            ty: ty.clone(),
            span: cond.span,
        };
        let filter = Fold {
            op: FoldOp::SetOf,
            local: last.local,
            domain: last.domain.clone(),
            cond: Some(cond.clone()),
            body: expr(ExprKind::Local(last.local), &self.local_type(last.local)),
        };
        if !whole && !self.is_kept_at_once(&filter) {
            return None;
        }
        let slot = self.locals.get(&last.local).copied();
        let set = self.value(&expr(ExprKind::Fold(Box::new(filter)), &last.domain.ty));
        self.bound.remove(&last.local);
        self.locals.remove(&last.local);
        self.locals.extend(slot.map(|slot| (last.local, slot)));
        Some(set)
    }

    pub(super) fn product_loops(
        &mut self,
        parts: &[Part],
        (asked, at_once): (&[Option<&Expr>], bool),
        (bulk_parts, filtered): (usize, Option<Operand>),
        exit: BlockId,
        found: &mut Found<'_, Self>,
    ) {
        let mut all = None;
        let mut back = exit;
        let mut operands = Vec::new();
        let demanded = self.on_demand.len();
        for (i, part) in parts.iter().enumerate() {
            let slot = match self.locals.get(&part.local) {
                Some(slot) => *slot,
                None => self.bind(part.local),
            };
            let last = i + 1 == parts.len();
            let bulk = i + bulk_parts >= parts.len();
            if let Some(sizes) = &part.sizes {
                let cond = asked.get(i).copied().flatten();
                (back, all) = self.subsets((part, sizes), cond, slot, bulk, back);
                operands.push(slot);
                self.ask_or_go_back(cond, back);
                continue;
            }
            let lo = part.domain.ty.element().map_or(0, |t| t.value_at(0));
            let mut cond = asked.get(i).copied().flatten();
            let kept = match cond {
                Some(cond) if at_once && last => self.kept(part.local, &part.domain, cond),
                Some(cond) => self.kept_at_once(part.local, &part.domain, cond),
                None => None,
            };
            if kept.is_some() {
                cond = None;
            }
            if let Some(set) = kept.filter(|_| at_once && last) {
                all = Some(Bulk::Elements { set, lo });
                operands.push(slot);
                continue;
            }
            let domain = match kept.or(filtered.filter(|_| last)) {
                Some(set) => set,
                None => self.value(&part.domain),
            };
            if bulk {
                all = Some(match all {
                    Some(Bulk::Elements { set, lo: first }) => Bulk::Pairs {
                        first: (set, first),
                        second: (domain, lo),
                    },
                    _ => Bulk::Elements { set: domain, lo },
                });
                operands.push(slot);
                self.ask_or_go_back(cond, back);
                continue;
            }
            let head = self.loop_over(slot.slot, domain, lo, back);
            operands.push(slot);
            back = head;
            self.ask_or_go_back(cond, back);
            if i + 1 + bulk_parts < parts.len() {
                self.compute_on_demand_from(parts, i + 1, asked);
            }
        }
        self.on_demand.truncate(demanded);
        found(self, &operands, all);
        self.jump(back);
    }

    /// What the loops over the parts from one on read again and again.
    fn compute_on_demand_from(&mut self, parts: &[Part], from: usize, asked: &[Option<&Expr>]) {
        let later: Vec<LocalId> = parts[from..].iter().map(|part| part.local).collect();
        let domains = parts[from..].iter().skip(1).map(|part| &part.domain);
        let conds = asked.iter().skip(from).copied().flatten();
        let inside: Vec<&Expr> = domains.chain(conds).collect();
        self.compute_on_demand(&later, &inside);
    }

    /// Goes on where a condition holds, and else where the next value is.
    fn ask_or_go_back(&mut self, cond: Option<&Expr>, back: BlockId) {
        if let Some(cond) = cond {
            let take = self.new_block();
            let holds = self.value(cond).slot;
            let skip = self.marked_way(CoveragePointKind::Failed, cond.span, back);
            self.branch(holds, take, skip);
            self.start(take);
            self.mark(CoveragePointKind::Held, cond.span);
        }
    }

    /// A loop over the subsets of a set, by size and then in order. Returns where the next one is looked for; in bulk only
    /// the sizes are walked over, and the set and the size come back too. Sizes for which the condition cannot hold are left out.
    fn subsets(
        &mut self,
        (part, sizes): (&Part, &Sizes),
        cond: Option<&Expr>,
        dst: Operand,
        bulk: bool,
        mut back: BlockId,
    ) -> (BlockId, Option<Bulk>) {
        let set = self.value(&part.domain);
        let least = self.value(&sizes.least);
        let count = self.scalar();
        self.copy(one(count), least);
        if let Some(most) = &sizes.most {
            let size = self.scalar();
            self.emit(Instr::SetCount { dst: size, set });
            let most = self.value(most).slot;
            let last = self.combined(Op::Min, most, size);
            let (head, more, go) = (self.new_block(), self.new_block(), self.new_block());
            self.jump(head);
            self.start(more);
            self.emit(Instr::Immediate {
                op: Op::Add,
                dst: count,
                a: count,
                value: 1,
            });
            self.jump(head);
            self.start(head);
            let within = self.combined(Op::Le, count, last);
            self.branch(within, go, back);
            self.start(go);
            if let Some(fits) = cond.and_then(|cond| self.of_size(part, cond, count)) {
                let fits = self.value(&fits).slot;
                self.unless(fits, more);
            }
            back = more;
        }
        if bulk {
            return (back, Some(Bulk::Subsets { set, count }));
        }
        let like = cond.and_then(|cond| self.alike(part, cond));
        let back = match like {
            Some(like) => self.subsets_of_like(part, &like, (set, count), dst, back),
            None => self.subsets_with((set, count), dst, back),
        };
        (back, None)
    }

    /// The subsets of a set with so many elements.
    fn subsets_with(
        &mut self,
        (set, count): (Operand, Slot),
        dst: Operand,
        back: BlockId,
    ) -> BlockId {
        let found = self.scalar();
        self.emit(Instr::SubsetFirst {
            dst,
            set,
            count,
            found,
        });
        let (head, next, body) = (self.new_block(), self.new_block(), self.new_block());
        self.jump(head);
        self.start(next);
        self.emit(Instr::SubsetNext { dst, set, found });
        self.jump(head);
        self.start(head);
        self.branch(found, body, back);
        self.start(body);
        next
    }

    /// The same, in the same order, of elements that are alike: for each of them as the greatest one, with those before it that
    /// are like it.
    fn subsets_of_like(
        &mut self,
        part: &Part,
        like: &Like,
        (set, count): (Operand, Slot),
        dst: Operand,
        back: BlockId,
    ) -> BlockId {
        let ty = &part.domain.ty;
        let element = ty.element().cloned().unwrap_or(Type::Bool);
        let lo = element.value_at(0);
        let greatest = self.scalar();
        let all = self.slot_expr(set, ty.clone(), &part.domain);
        let element = self.slot_expr(one(greatest), element, &part.domain);
        let Some(like) = like.before(all, &element) else {
            return self.subsets_with((set, count), dst, back);
        };
        let head = self.loop_over(greatest, set, lo, back);
        let others = self.immediate(Op::Add, count, -1);
        let (like, rest) = (self.value(&like), self.temporary(set.words));
        let next = self.subsets_with((like, others), rest, head);
        self.copy(dst, rest);
        let greatest = self.immediate(Op::Sub, greatest, lo);
        self.emit(Instr::SetInsert {
            set: dst,
            element: greatest,
        });
        next
    }
}

/// One part that is an element of a set.
pub(super) fn plain(parts: &[Part]) -> bool {
    matches!(parts, [single] if single.sizes.is_none())
}

/// How many last parts can be taken in bulk where conditions are asked after these parts: the values of one that is asked are
/// walked over, but for the last, of which others have seen to that.
fn unasked(conditions: &[Option<Cow<'_, Expr>>]) -> usize {
    let earlier = conditions.iter().rev().skip(1);
    1 + earlier.take_while(|cond| cond.is_none()).count()
}

/// Of how many last parts the values need not be walked over one by one: the weight does not look at them. Where places
/// are `marked`, elements are walked over: a place is only reached if there is one.
pub(super) fn in_bulk(parts: &[Part], weight: Option<&Expr>, marked: bool) -> usize {
    let Some(last) = parts.last() else {
        return 0;
    };
    let most = if marked {
        usize::from(last.sizes.is_some())
    } else {
        2
    };
    most.min(weight.map_or(most, |weight| unread(weight, parts)))
}

/// How many last parts an expression does not look at.
pub(super) fn unread(e: &Expr, parts: &[Part]) -> usize {
    let mut read = FxHashSet::default();
    e.for_each(|e| {
        if let ExprKind::Local(local) = e.kind {
            read.insert(local);
        }
    });
    let parts = parts.iter().rev();
    parts.take_while(|p| !read.contains(&p.local)).count()
}

/// How many last parts can be taken in bulk together: two if both are elements, and the set of the last does not depend on
/// the other.
pub(super) fn apart(parts: &[Part]) -> usize {
    match parts {
        [.., one, last] if one.sizes.is_none() && last.sizes.is_none() => {
            let own = std::iter::once(one.local).collect();
            if hangs_on(&last.domain, &own) { 1 } else { 2 }
        }
        _ => 1,
    }
}
