//! Choices of an element and of one of few values, such as a man and the direction in which it goes. For each of the values sets say
//! of which elements the condition holds; so it is known how many tuples there are, one of them is drawn by its number, and none
//! is missed.

use super::Builder;
use super::conditions::{both, conjuncts};
use super::invariant::hangs_on;
use super::listing::Found;
use super::made::{binary, expr, with_local};
use super::set_filter::seen_through;
use super::trial::{Begun, Drawn, Product};
use crate::ir::*;
use crate::model::types::bits;
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp, LocalId, Part};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// For so many combinations of the few values sets are made, of all alternatives.
const MOST: usize = 16;
/// Sets of so many words are made in the time of a trial.
const WORDS_A_TRIAL: f64 = 3.0;
/// How often a condition is taken to hold.
const HOLDS: f64 = 0.5;
/// So often it is found out of a choice what sets decide.
const TIMES_ASKED: u64 = 8;
/// A part has few values that has no more than so many.
const FEW: u64 = 8;

/// How the tuples of one product are found.
pub(super) struct ByValues {
    /// Which part is an element of the sets; `None` where the product has no parts.
    element: Option<usize>,
    /// The parts of few values.
    few: Vec<usize>,
    /// All combinations of their values.
    combinations: Vec<Vec<u64>>,
    /// The parts that have one value, in order.
    lets: Vec<usize>,
    /// What is asked, whatever the parts are.
    before: Option<Expr>,
    /// What is asked of the element, with each combination.
    cond: Option<Expr>,
    /// All that the text asks.
    said: Vec<Expr>,
    /// What it took to find out what sets decide, of [`Builder::fuel`] and of [`Builder::run_steps`].
    work: (u64, u64),
}

impl ByValues {
    /// Whether what is asked of the element hangs on the few values.
    fn asks_of_few(&self, product: &Product<'_>) -> bool {
        let few = self.few.iter().map(|part| product.parts[*part].local);
        let few: FxHashSet<LocalId> = few.collect();
        self.cond.as_ref().is_some_and(|cond| hangs_on(cond, &few))
    }

    /// How many words all its sets have.
    fn words(&self, product: &Product<'_>) -> usize {
        let ty = self.element.map(|part| &product.parts[part].domain.ty);
        ty.map_or(0, |ty| self.combinations.len() * ty.words())
    }

    /// The share of trials that may be expected to hit: half of them for each question to the state.
    fn share(&self) -> f64 {
        let questions = self.cond.iter().flat_map(conjuncts);
        let of_state = questions.filter(|cond| cond.free_locals().is_none());
        HOLDS.powi(of_state.count() as i32)
    }
}

/// The tuples that share a combination.
struct Together {
    product: usize,
    combination: usize,
    elements: Option<Operand>,
    count: Slot,
}

impl Builder<'_> {
    /// How the tuples of a choice are found by sets, one for each combination of few values; `None` where they are not.
    pub(super) fn by_values(&mut self, products: &[Product<'_>]) -> Option<Vec<ByValues>> {
        // With marks and without, the same games are played.
        self.unmarked(|b| {
            let all = products.iter().map(|product| b.product_by_values(product));
            let all: Vec<ByValues> = all.collect::<Option<_>>()?;
            let each = std::iter::zip(products, &all);
            let asked = each.clone().any(|(product, by)| by.asks_of_few(product));
            let sets: usize = all.iter().map(|by| by.combinations.len()).sum();
            let words = each.map(|(product, by)| by.words(product));
            let words: usize = words.sum();
            let hits: f64 = all.iter().map(ByValues::share).sum();
            let trials = all.len() as f64 / hits;
            (asked && sets <= MOST && words as f64 <= WORDS_A_TRIAL * trials).then_some(all)
        })
    }

    fn product_by_values(&mut self, product: &Product<'_>) -> Option<ByValues> {
        let Product {
            parts,
            cond,
            weight,
        } = *product;
        let mut by = ByValues {
            element: None,
            few: Vec::new(),
            combinations: vec![Vec::new()],
            lets: Vec::new(),
            before: None,
            cond: None,
            said: self
                .conditions_to_leave_out(parts, cond)
                .into_iter()
                .map(Cow::into_owned)
                .collect(),
            work: (0, 0),
        };
        if parts.is_empty() {
            return weight.is_none().then_some(by);
        }
        let asked = cond.map_or(0, |cond| self.each_of(parts, cond).len());
        let harmless = parts
            .iter()
            .all(|part| part.sizes.is_none() && self.is_harmless_part(part));
        if weight.is_some() || asked != by.said.len() || !harmless {
            return None;
        }
        let mut conds = self.sort_parts(parts, &mut by)?;
        conds.extend(by.said.iter().cloned());
        let own: FxHashSet<LocalId> = parts.iter().map(|part| part.local).collect();
        let (within, before): (Vec<Expr>, Vec<Expr>) =
            conds.into_iter().partition(|cond| hangs_on(cond, &own));
        let joined = |conds: Vec<Expr>| {
            let conds = conds.into_iter().map(Cow::<Expr>::Owned);
            let all = conds.fold(None, |all, cond| Some(both(all, cond)));
            all.map(Cow::into_owned)
        };
        by.before = joined(before);
        by.cond = joined(within);
        for part in by.lets.iter().rev() {
            if let (Some(cond), [value]) = (&by.cond, let_value(&parts[*part])?) {
                by.cond = Some(with_local(cond, parts[*part].local, value)?);
            }
        }
        if let (Some(element), Some(cond)) = (by.element, &by.cond) {
            by.cond = Some(seen_through(parts[element].local, cond));
        }
        let before = (self.fuel, self.run_steps);
        let decided = self.sets_decide(parts, &by);
        by.work = (before.0 - self.fuel, before.1 - self.run_steps);
        // The same is asked a few times of each choice.
        self.fuel = before.0 - by.work.0 / TIMES_ASKED;
        self.run_steps = before.1 - by.work.1 / TIMES_ASKED;
        decided.then_some(by)
    }

    /// Finds out which part is what, and what is asked of those of few values so that they are elements of their sets.
    fn sort_parts(&self, parts: &[Part], by: &mut ByValues) -> Option<Vec<Expr>> {
        let mut conds = Vec::new();
        let own: FxHashSet<LocalId> = parts.iter().map(|part| part.local).collect();
        for (i, part) in parts.iter().enumerate() {
            if let_value(part).is_some() {
                by.lets.push(i);
                continue;
            }
            let Some(values) = self.few_values(part) else {
                let alone = !hangs_on(&part.domain, &own);
                if !alone || by.element.replace(i).is_some() {
                    return None;
                }
                continue;
            };
            by.few.push(i);
            let earlier = std::mem::take(&mut by.combinations);
            for combination in earlier {
                by.combinations.extend(values.iter().map(|value| {
                    let mut combination = combination.clone();
                    combination.push(*value);
                    combination
                }));
            }
            if by.combinations.len() > MOST {
                return None;
            }
            if self.constant(&part.domain).is_none() {
                let ty = part.domain.ty.element()?;
                let value = expr(ExprKind::Local(part.local), ty, &part.domain);
                conds.push(binary(BinaryOp::In, value, part.domain.clone()));
            }
        }
        by.element.is_some().then_some(conds)
    }

    /// The values that a part can have, if they are few.
    fn few_values(&self, part: &Part) -> Option<Vec<u64>> {
        let ty = part.domain.ty.element()?;
        let ordinals: Vec<u64> = match self.constant(&part.domain) {
            Some(words) => bits(&words).take(FEW as usize + 1).collect(),
            None => (0..ty.size().filter(|size| *size <= FEW)?).collect(),
        };
        let values = ordinals.iter().map(|i| ty.value_at(*i) as u64);
        (ordinals.len() as u64 <= FEW).then(|| values.collect())
    }

    fn sets_decide(&mut self, parts: &[Part], by: &ByValues) -> bool {
        let (Some(element), Some(cond)) = (by.element, &by.cond) else {
            return true;
        };
        let part = &parts[element];
        by.combinations.iter().all(|combination| {
            self.with_values(parts, by, combination, |b| {
                b.constant(cond).is_some() || b.is_kept_by_own(part.local, &part.domain, cond)
            })
        })
    }

    /// Does something while the few values are known.
    fn with_values<T>(
        &mut self,
        parts: &[Part],
        by: &ByValues,
        combination: &[u64],
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let locals = parts.iter().map(|part| part.local);
        let locals: Vec<LocalId> = locals.collect();
        let slots: Vec<Option<Operand>> = locals.iter().map(|l| self.locals.remove(l)).collect();
        let around = self.copies;
        self.copies = around.saturating_mul(by.combinations.len());
        for (part, value) in std::iter::zip(&by.few, combination) {
            self.bound.insert(locals[*part], vec![*value]);
        }
        let given = act(self);
        self.copies = around;
        for (local, slot) in std::iter::zip(locals, slots) {
            self.bound.remove(&local);
            self.locals.remove(&local);
            self.locals.extend(slot.map(|slot| (local, slot)));
        }
        given
    }

    pub(super) fn trial_by_values(
        &mut self,
        products: &[Product<'_>],
        all: &[ByValues],
        drawn: Drawn,
    ) -> Trial {
        self.trial_with(1, |b, hit| b.attempt_by_values(products, all, drawn, hit))
    }

    fn attempt_by_values(
        &mut self,
        products: &[Product<'_>],
        all: &[ByValues],
        drawn: Drawn,
        hit: Slot,
    ) -> Begun {
        let total = self.number(0);
        let mut found = Vec::new();
        for (i, (product, by)) in std::iter::zip(products, all).enumerate() {
            let before = found.len();
            self.found_by_values((i, product), by, &mut found);
            for together in &found[before..] {
                self.emit(Instr::Binary {
                    op: Op::Add,
                    dst: total,
                    a: total,
                    b: together.count,
                });
            }
        }
        let begun = self.begin_attempts(products, Some(total), hit);
        let counts: Vec<(usize, Slot)> = found.iter().map(|f| (f.product, f.count)).collect();
        self.one_alternative((&counts, total), (drawn.chosen, hit), &mut |b, i, _| {
            let (together, product) = (&found[i], &products[found[i].product]);
            let by = &all[together.product];
            b.take_by_values(product, by, together, drawn.fault);
            let said: Vec<&Expr> = by.said.iter().collect();
            b.ask_besides(product, &said, begun.miss);
        });
        begun
    }

    /// The loop over the tuples of a product that are found so, in order: for each element that is in any of the sets, the combinations
    /// in whose set it is. False where the element does not come first, or there is nothing to be won.
    pub(super) fn tuples_by_values(
        &mut self,
        product: Product<'_>,
        exit: BlockId,
        found: &mut Found<'_, Self>,
    ) -> bool {
        if self.marked() {
            return false;
        }
        let by = self.product_by_values(&product);
        let first = |by: &ByValues| by.element == Some(0) && by.asks_of_few(&product);
        let Some(by) = by.filter(first) else {
            return false;
        };
        let mut sets = Vec::new();
        self.found_by_values((0, &product), &by, &mut sets);
        let slots = self.slots_of_parts(product.parts);
        let ty = &product.parts[0].domain.ty;
        let lo = ty.element().map_or(0, |ty| ty.value_at(0));
        let all = self.constant_operand(ty, &[]);
        for set in sets.iter().filter_map(|together| together.elements) {
            self.set_binary(BinaryOp::Union, all, all, set);
        }
        let element = slots[0].slot;
        let head = self.loop_over(element, all, lo, exit);
        for together in &sets {
            let (take, next) = (self.new_block(), self.new_block());
            if let Some(set) = together.elements {
                let (holds, ordinal) = (self.scalar(), self.immediate(Op::Sub, element, lo));
                self.emit(Instr::SetTest {
                    dst: holds,
                    set,
                    element: ordinal,
                });
                self.branch(holds, take, next);
            }
            self.start(take);
            self.give_few(product.parts, &slots, &by, together);
            found(self, &slots, None);
            self.jump(next);
            self.start(next);
        }
        self.jump(head);
        true
    }

    /// The sets of a product, and how many elements they have.
    fn found_by_values(
        &mut self,
        (number, product): (usize, &Product<'_>),
        by: &ByValues,
        found: &mut Vec<Together>,
    ) {
        let Some(part) = by.element.map(|element| &product.parts[element]) else {
            let count = match product.cond {
                Some(cond) => self.count_of_one(cond),
                None => self.number(1),
            };
            found.push(Together {
                product: number,
                combination: 0,
                elements: None,
                count,
            });
            return;
        };
        let counts: Vec<Slot> = by.combinations.iter().map(|_| self.number(0)).collect();
        let (done, mut sets) = (self.new_block(), Vec::new());
        if let Some(before) = &by.before {
            // What is not asked has no elements.
            for _ in &counts {
                sets.push(self.constant_operand(&part.domain.ty, &[]));
            }
            let holds = self.unmarked(|b| b.value(before).slot);
            self.unless(holds, done);
        }
        // What was found out once is found out again.
        let left = (self.fuel, self.run_steps);
        self.fuel += by.work.0;
        self.run_steps += by.work.1;
        for (i, combination) in by.combinations.iter().enumerate() {
            let set = self.unmarked(|b| {
                b.with_values(product.parts, by, combination, |b| {
                    b.elements_with(part, by.cond.as_ref())
                })
            });
            let Some(mut set) = set else {
                continue;
            };
            if let Some(kept) = sets.get(i) {
                self.copy(*kept, set);
                set = *kept;
            }
            self.emit(Instr::SetCount {
                dst: counts[i],
                set,
            });
            found.push(Together {
                product: number,
                combination: i,
                elements: Some(set),
                count: counts[i],
            });
        }
        (self.fuel, self.run_steps) = left;
        self.jump(done);
        self.start(done);
    }

    /// The elements of a part for which a condition holds, with the few values that are known; `None` where it holds for none, whatever the
    /// state is.
    fn elements_with(&mut self, part: &Part, cond: Option<&Expr>) -> Option<Operand> {
        let Some(cond) = cond else {
            return Some(self.value(&part.domain));
        };
        if let Some(known) = self.constant(cond) {
            return (known[0] != 0).then(|| self.value(&part.domain));
        }
        if let Some(kept) = self.kept_by_own(part.local, &part.domain, cond) {
            return Some(kept);
        }
        let element = part.domain.ty.element()?;
        let filter = Fold {
            op: FoldOp::SetOf,
            local: part.local,
            domain: part.domain.clone(),
            cond: Some(cond.clone()),
            body: expr(ExprKind::Local(part.local), element, cond),
        };
        let filter = ExprKind::Fold(Box::new(filter));
        Some(self.value(&expr(filter, &part.domain.ty, cond)))
    }

    /// Gives the parts their values.
    fn take_by_values(
        &mut self,
        product: &Product<'_>,
        by: &ByValues,
        together: &Together,
        fault: FaultId,
    ) {
        let slots = self.slots_of_parts(product.parts);
        if let (Some(element), Some(set)) = (by.element, together.elements) {
            let ty = product.parts[element].domain.ty.element();
            self.emit(Instr::Sample(Box::new(SampleCode::Element {
                dst: slots[element].slot,
                set,
                lo: ty.map_or(0, |ty| ty.value_at(0)),
                fault,
            })));
        }
        self.give_few(product.parts, &slots, by, together);
    }

    /// Gives the parts of few values theirs, and those that have one.
    fn give_few(&mut self, parts: &[Part], slots: &[Operand], by: &ByValues, together: &Together) {
        let values = &by.combinations[together.combination];
        for (part, value) in std::iter::zip(&by.few, values) {
            self.emit(Instr::Const {
                dst: slots[*part].slot,
                value: *value as i64,
            });
        }
        for part in &by.lets {
            if let Some([value]) = let_value(&parts[*part]) {
                let value = self.unmarked(|b| b.value(value));
                self.copy(slots[*part], value);
            }
        }
    }

    pub(super) fn slots_of_parts(&mut self, parts: &[Part]) -> Vec<Operand> {
        let slot = |part: &Part| match self.locals.get(&part.local) {
            Some(slot) => *slot,
            None => self.bind(part.local),
        };
        parts.iter().map(slot).collect()
    }
}

/// The value of a part that has one.
fn let_value(part: &Part) -> Option<&[Expr]> {
    match &part.domain.kind {
        ExprKind::SetOf(values) if values.len() == 1 => Some(values),
        _ => None,
    }
}
