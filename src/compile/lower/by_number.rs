//! Choices of which little can be said ahead, and of which it takes long to ask whether an option is there: of a man, of where it
//! goes, and whether its king is safe afterwards. What is asked quickly is asked of all tuples, which are counted and not kept; one
//! of them is drawn by its number, found by counting again, and the rest is asked of that alone.

use super::Builder;
use super::conditions::{both, conjuncts, last_read};
use super::expr::one;
use super::invariant::hangs_on;
use super::trial::{Begun, Drawn, Product, SHORT};
use crate::ir::*;
use crate::model::{Expr, ExprKind, LocalId, Part};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// How many misses there may be: few options are left to somebody whose king stands in check, and each attempt goes through half of all
/// tuples.
const ATTEMPTS: u32 = 16;
/// Of more tuples than these a list is made.
const MOST_TUPLES: u64 = 1 << 17;
/// No attempt is made once so many tuples have been gone through for others: then all are looked at soon.
const MOST_PASSED: i64 = 1 << 15;

/// So many tuples at the most may be asked the same.
const MOST_TOGETHER: f64 = 4.0;

/// What is asked of the tuples of a product, in order.
struct Asked<'e> {
    quickly: Vec<Cow<'e, Expr>>,
    /// Whether what is left takes long.
    long: bool,
}

/// A way through all tuples, which is gone to count them, to the one that was drawn, and through those that fit.
struct Walk {
    /// The parts of each product, and those of the tuple that a sweep keeps.
    slots: Vec<Vec<Operand>>,
    kept: Vec<Vec<Operand>>,
    chosen: Slot,
    kept_chosen: Slot,
    hit: Slot,
    /// How many tuples are passed still.
    left: Slot,
    total: Slot,
    /// How many tuples there are, as often as they were gone through for an attempt.
    passed: Slot,
    /// Whether each is looked at, and how many were found to fit.
    sweeps: Slot,
    found: Slot,
    head: BlockId,
    missed: BlockId,
}

impl Builder<'_> {
    /// A trial that takes a tuple by its number among all that fit what is asked quickly; `None` where nothing takes long that is
    /// asked of each tuple.
    pub(super) fn trial_by_number(
        &mut self,
        products: &[Product<'_>],
        drawn: Drawn,
    ) -> Option<Trial> {
        // With marks and without, the same games are played.
        let asked: Vec<Asked<'_>> = self.unmarked(|b| {
            let asked = products.iter().map(|product| b.asked_quickly(product));
            asked.collect::<Option<_>>()
        })?;
        let long = asked.iter().any(|asked| asked.long);
        let begin = |b: &mut Self, hit| b.attempt_by_number(products, &asked, drawn, hit);
        long.then(|| self.trial_with(ATTEMPTS, begin))
    }

    /// `None` where tuples cannot be counted so.
    fn asked_quickly<'e>(&mut self, product: &Product<'e>) -> Option<Asked<'e>> {
        let parts = product.parts;
        let most = parts.iter().map(|part| self.size_of(&part.domain).most);
        let most = most.fold(1, u64::saturating_mul);
        let has_subsets = parts.iter().any(|part| part.sizes.is_some());
        if product.weight.is_some() || has_subsets || most > MOST_TUPLES {
            return None;
        }
        let mut quickly = self.conditions_to_leave_out(parts, product.cond);
        quickly.retain(|cond| !self.takes_long(parts, cond));
        let said: Vec<&Expr> = quickly.iter().map(|cond| &**cond).collect();
        let rest = product
            .cond
            .and_then(|cond| self.besides(parts, &said, cond));
        let mut long = false;
        for cond in rest.iter().flat_map(|rest| conjuncts(rest)) {
            if !self.takes_long(parts, &cond) {
                continue;
            }
            // A list asks once for all values of the parts behind.
            let behind = last_read(&cond, parts).map_or(0, |part| part + 1);
            let together = parts[behind..]
                .iter()
                .map(|part| self.size_of(&part.domain).mean);
            if together.product::<f64>() > MOST_TOGETHER {
                return None;
            }
            long |= parts.len() > 1;
        }
        Some(Asked { quickly, long })
    }

    /// Whether something is gone through anew for each tuple.
    fn takes_long(&mut self, parts: &[Part], cond: &Expr) -> bool {
        let own: FxHashSet<LocalId> = parts.iter().map(|part| part.local).collect();
        let mut folds = Vec::new();
        cond.for_each(|e| match &e.kind {
            ExprKind::Fold(fold) if hangs_on(e, &own) => folds.push(&fold.domain),
            // All that is read in it is of another state.
            ExprKind::After { .. } if hangs_on(e, &own) => e.for_each(|e| {
                if let ExprKind::Fold(fold) = &e.kind {
                    folds.push(&fold.domain);
                }
            }),
            _ => {}
        });
        folds.iter().any(|domain| self.size_of(domain).most > SHORT)
    }

    fn attempt_by_number(
        &mut self,
        products: &[Product<'_>],
        asked: &[Asked<'_>],
        drawn: Drawn,
        hit: Slot,
    ) -> Begun {
        let walk = self.begin_walk(products, drawn.chosen, hit);
        // Marks are reached where the tuple that was drawn is asked about.
        let mut places = self.places.take();
        for (i, (product, asked)) in std::iter::zip(products, asked).enumerate() {
            let said: Vec<&Expr> = asked.quickly.iter().map(|cond| &**cond).collect();
            let cond = asked.quickly.iter().cloned();
            let cond = cond.fold(None, |all, cond| Some(both(all, cond)));
            self.scope(|b| {
                b.tuples(product.parts, cond.as_deref(), 1, &mut |b, _, all| {
                    b.among_these(all, &walk, i, |b, failed| {
                        std::mem::swap(&mut b.places, &mut places);
                        b.ask_besides(product, &said, failed);
                        std::mem::swap(&mut b.places, &mut places);
                    });
                });
            });
        }
        self.places = places;
        self.end_walk(products, &walk)
    }

    fn begin_walk(&mut self, products: &[Product<'_>], chosen: Slot, hit: Slot) -> Walk {
        let parts = products.iter().map(|product| product.parts);
        let slots: Vec<Vec<Operand>> = parts.map(|parts| self.slots_of_parts(parts)).collect();
        let kept = slots.iter().map(|slots| {
            let kept = slots.iter().map(|slot| self.temporary(slot.words));
            kept.collect()
        });
        let walk = Walk {
            kept: kept.collect(),
            slots,
            chosen,
            hit,
            left: self.scalar(),
            total: self.scalar(),
            passed: self.scalar(),
            sweeps: self.scalar(),
            found: self.scalar(),
            kept_chosen: self.scalar(),
            head: self.new_block(),
            missed: self.new_block(),
        };
        // What is left at the ends is written here too, so that nothing seems to be wanted from before.
        self.ends(walk.hit, Trial::MISSED);
        for (product, kept) in std::iter::zip(products, &walk.kept) {
            for (part, kept) in std::iter::zip(product.parts, kept) {
                self.no_value(*kept, &self.local_type(part.local));
            }
        }
        self.constants(&[(walk.found, 0), (walk.kept_chosen, 0), (walk.passed, 0)]);
        self.constants(&[(walk.sweeps, 0), (walk.left, i64::MAX)]);
        self.jump(walk.head);
        self.start(walk.head);
        walk
    }

    /// Passes the next tuples of a product, those with the elements of a set or a single one, or takes the one that is looked for. `ask`
    /// goes to a block where that does not fit.
    fn among_these(
        &mut self,
        all: Option<Bulk>,
        walk: &Walk,
        product: usize,
        ask: impl FnOnce(&mut Self, BlockId),
    ) {
        let set = match all {
            Some(Bulk::Elements { set, lo }) => Some((set, lo)),
            _ => None,
        };
        let count = match set {
            Some((set, _)) => {
                let dst = self.scalar();
                self.emit(Instr::SetCount { dst, set });
                dst
            }
            None => self.number(1),
        };
        let [look, here, next] = [(); 3].map(|()| self.new_block());
        let [failed, more, fits, keep] = [(); 4].map(|()| self.new_block());
        self.jump(look);
        self.start(look);
        // In this order: what is rarely done comes behind the loops.
        let passed = self.combined(Op::Le, count, walk.left);
        self.branch(passed, next, here);
        self.start(here);
        let slots = &walk.slots[product];
        if let (Some((set, lo)), Some(last)) = (set, slots.last()) {
            let (dst, rank) = (last.slot, walk.left);
            self.emit(Instr::SetNth { dst, set, rank });
            if lo != 0 {
                self.add(dst, lo);
            }
        }
        ask(self, failed);
        self.branch(walk.sweeps, keep, fits);
        self.start(fits);
        self.end_attempt(product, walk.chosen, walk.hit);

        // Of those that fit so far each is the one that is kept with the same probability.
        self.start(keep);
        self.add(walk.found, 1);
        let place = self.scalar();
        self.emit(Instr::Sample(Box::new(SampleCode::Below {
            dst: place,
            bound: walk.found,
        })));
        let taken = self.new_block();
        self.branch(place, more, taken);
        self.start(taken);
        for (kept, slot) in std::iter::zip(&walk.kept[product], slots) {
            self.copy(*kept, *slot);
        }
        self.constants(&[(walk.kept_chosen, product as i64)]);
        self.jump(more);
        self.start(failed);
        self.branch(walk.sweeps, more, walk.missed);
        self.start(more);
        self.add(walk.left, 1);
        self.jump(look);
        self.start(next);
        self.emit(Instr::Binary {
            op: Op::Sub,
            dst: walk.left,
            a: walk.left,
            b: count,
        });
    }

    /// What follows when all tuples have been passed: after the first time one is drawn; after a sweep the one that was kept is there.
    fn end_walk(&mut self, products: &[Product<'_>], walk: &Walk) -> Begun {
        let [counted, swept, sweep] = [(); 3].map(|()| self.new_block());
        self.branch(walk.sweeps, swept, counted);
        self.start(counted);
        let most = self.number(i64::MAX);
        self.emit(Instr::Binary {
            op: Op::Sub,
            dst: walk.total,
            a: most,
            b: walk.left,
        });
        let mut begun = self.begin_attempts(products, Some(walk.total), walk.hit);
        let (go, few) = (
            self.new_block(),
            self.immediate(Op::Le, walk.passed, MOST_PASSED),
        );
        self.branch(few, go, begun.miss);
        self.start(go);
        self.emit(Instr::Binary {
            op: Op::Add,
            dst: walk.passed,
            a: walk.passed,
            b: walk.total,
        });
        self.emit(Instr::Sample(Box::new(SampleCode::Below {
            dst: walk.left,
            bound: walk.total,
        })));
        self.jump(walk.head);
        self.start(walk.missed);
        self.jump(begun.miss);

        self.start(sweep);
        self.constants(&[(walk.sweeps, 1), (walk.left, 0), (walk.found, 0)]);
        self.jump(walk.head);
        self.start(swept);
        let (some, none) = (self.new_block(), self.new_block());
        self.branch(walk.found, some, none);
        self.start(none);
        match begun.nothing {
            Some(nothing) => self.jump(nothing),
            None => self.jump(begun.miss),
        }
        self.start(some);
        for (kept, slots) in std::iter::zip(&walk.kept, &walk.slots) {
            for (kept, slot) in std::iter::zip(kept, slots) {
                self.copy(*slot, *kept);
            }
        }
        self.copy(one(walk.chosen), one(walk.kept_chosen));
        self.ends(walk.hit, Trial::HIT);
        begun.sweep = Some(sweep);
        begun
    }

    fn constants(&mut self, all: &[(Slot, i64)]) {
        for &(dst, value) in all {
            self.emit(Instr::Const { dst, value });
        }
    }

    fn add(&mut self, dst: Slot, value: i64) {
        let (op, a) = (Op::Add, dst);
        self.emit(Instr::Immediate { op, dst, a, value });
    }
}
