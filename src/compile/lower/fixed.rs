//! Draws and choices that are the same in every state: what is possible is found once and stands in tables, and one of it is
//! sampled by its number.

use super::Builder;
use super::ahead::Ahead;
use super::invariant::hangs_on;
use super::trial::Product;
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{Expr, LocalId, Sizes};
use rustc_hash::FxHashSet;

/// The most tuples of such a listing, and the most words of all its tables.
const MOST_ROWS: usize = 1 << 14;
const MOST_WORDS: usize = 1 << 16;
/// The most that all weights of a listing may add up to where one of the tuples is found by its number.
const MOST_WEIGHT: u64 = 1 << 16;
/// The most instructions that finding them may take, for one listing and for all of a game.
const STEPS_EACH: u64 = 40_000_000;
pub(super) const STEPS: u64 = 48_000_000;

/// Where one of so many tuples fits, trials are as good.
const OFTEN: u64 = 8;

/// What can be drawn or chosen.
struct Fixed {
    /// Of each part its value for each tuple, in the order in which they are listed.
    parts: Vec<Table>,
    rows: usize,
    /// With weights: the weight of each tuple.
    weights: Option<Vec<u64>>,
}

impl Builder<'_> {
    /// How a product with a condition or weights, whose parts have their slots, is listed and sampled where it hangs
    /// on no state; `None` also where it has no tuple or too many, or an error of play among them.
    pub(super) fn fixed(
        &mut self,
        product: Product<'_>,
        slots: &[Operand],
        chosen: Slot,
    ) -> Option<(Option<ListingKind>, Option<Trial>)> {
        // With marks and without, the same games are played.
        let fixed = self.unmarked(|b| b.all_of(product, slots))?;
        let (kind, trial) = self.fixed_listing(fixed, product, (slots, chosen));
        // Marks are reached where the tuples are found.
        Some((Some(kind).filter(|_| !self.marked()), trial))
    }

    fn all_of(&mut self, product: Product<'_>, slots: &[Operand]) -> Option<Fixed> {
        let Product {
            parts,
            cond,
            weight,
        } = product;
        let sizes = parts.iter().filter_map(|part| part.sizes.as_ref());
        let domains = parts.iter().map(|part| &part.domain);
        let counts = sizes.clone().flat_map(Sizes::exprs);
        let mut all = domains.chain(counts).chain(cond).chain(weight);
        let own: FxHashSet<LocalId> = parts.iter().map(|part| part.local).collect();
        let dependent = parts.iter().any(|part| hangs_on(&part.domain, &own));
        let chosen = cond.is_some() || weight.is_some() || dependent;
        if !chosen || !all.all(|e| self.hangs_only_on(e, &own)) {
            return None;
        }
        let code = self.ahead(|b| {
            b.weighted_tuples(product, |b, parts, weight| {
                b.emit(Instr::Emit {
                    alternative: 0,
                    parts: parts.to_vec(),
                    weight,
                    rank: None,
                    bulk: None,
                });
            });
        });
        let fixed = self.enumerated(code, slots, weight.is_some())?;
        // One is soon hit by trial where so many fit.
        let most = parts.iter().map(|part| self.size_of(&part.domain).most);
        let most = most.fold(1, u64::saturating_mul);
        let tried = weight.is_none() && parts.iter().all(|part| part.sizes.is_none());
        (!tried || most / OFTEN > fixed.rows as u64).then_some(fixed)
    }

    fn weighted_tuples(
        &mut self,
        product: Product<'_>,
        mut found: impl FnMut(&mut Self, &[Operand], Option<Slot>),
    ) {
        self.tuples(product.parts, product.cond, 0, &mut |b, parts, _| {
            let weight = product.weight.map(|weight| b.value(weight).slot);
            found(b, parts, weight);
        });
    }

    /// Whether an expression reads nothing but constants and some locals.
    fn hangs_only_on(&self, e: &Expr, locals: &FxHashSet<LocalId>) -> bool {
        let known = |local: &LocalId| locals.contains(local) || self.bound.contains_key(local);
        e.free_locals().is_some_and(|read| read.iter().all(known))
    }

    /// Runs the code that lists.
    fn enumerated(&mut self, mut code: Ahead, slots: &[Operand], weighted: bool) -> Option<Fixed> {
        let empty = |slot: &Operand| Table {
            words: slot.words,
            values: Vec::new(),
        };
        let mut fixed = Fixed {
            parts: slots.iter().map(empty).collect(),
            rows: 0,
            weights: weighted.then(Vec::new),
        };
        let words: usize = slots.iter().map(|slot| usize::from(slot.words)).sum();
        let given = self.steps.min(STEPS_EACH);
        let mut left = given;
        let ran = code.run(&self.tables, &mut left, &mut |code, weight| {
            fixed.rows += 1;
            if fixed.rows > MOST_ROWS || fixed.rows * words > MOST_WORDS {
                return None;
            }
            for (table, slot) in std::iter::zip(&mut fixed.parts, slots) {
                table.values.extend_from_slice(code.value(*slot));
            }
            if let (Some(weights), Some(weight)) = (&mut fixed.weights, weight) {
                weights.push(u64::try_from(weight as i64).ok()?);
            }
            Some(())
        });
        self.steps -= given - left;
        ran?;
        (fixed.rows > 0).then_some(fixed)
    }

    /// How such a product is listed, and how one of it is sampled.
    fn fixed_listing(
        &mut self,
        fixed: Fixed,
        product: Product<'_>,
        to: (&[Operand], Slot),
    ) -> (ListingKind, Option<Trial>) {
        let slots = to.0;
        let Fixed {
            parts,
            rows,
            weights,
        } = fixed;
        let tables: Vec<u32> = parts.into_iter().map(|table| self.table(table)).collect();
        let trial = match &weights {
            None => self.numbered((0..rows as u64).collect(), &tables, product, to),
            Some(weights) => self.weighed(weights, &tables, product, to),
        };
        let weighted = weights.is_some();
        let weights = weights.map(|values| self.table(Table { words: 1, values }));
        let code = self.aside(|b| {
            b.scope(|b| {
                let row = b.scalar();
                let (head, body, done) = (b.new_block(), b.new_block(), b.new_block());
                b.emit(Instr::Const { dst: row, value: 0 });
                b.jump(head);
                b.start(head);
                let more = b.immediate(Op::Lt, row, rows as i64);
                b.branch(more, body, done);
                b.start(body);
                b.look_up_all(&tables, row, slots);
                let weight = weights.map(|table| b.row(table, row, 1).slot);
                b.emit(Instr::Emit {
                    alternative: 0,
                    parts: slots.to_vec(),
                    weight,
                    rank: None,
                    bulk: None,
                });
                b.emit(Instr::Immediate {
                    op: Op::Add,
                    dst: row,
                    a: row,
                    value: 1,
                });
                b.jump(head);
                b.start(done);
            });
        });
        let kind = ListingKind::Loop {
            code,
            weighted,
            ranked: false,
        };
        (kind, trial)
    }

    /// Samples by weight: each tuple has as many numbers as it weighs.
    fn weighed(
        &mut self,
        weights: &[u64],
        tables: &[u32],
        product: Product<'_>,
        to: (&[Operand], Slot),
    ) -> Option<Trial> {
        let total = weights.iter().try_fold(0u64, |sum, w| sum.checked_add(*w));
        if !total.is_some_and(|total| (1..=MOST_WEIGHT).contains(&total)) {
            return None;
        }
        let rows = std::iter::zip(0.., weights);
        let rows = rows.flat_map(|(row, weight)| std::iter::repeat_n(row, *weight as usize));
        self.numbered(rows.collect(), tables, product, to)
    }

    /// Samples a number, which always hits: the row that each number stands for.
    fn numbered(
        &mut self,
        rows: Vec<u64>,
        tables: &[u32],
        product: Product<'_>,
        (slots, chosen): (&[Operand], Slot),
    ) -> Option<Trial> {
        let total = rows.len() as i64;
        let plain = std::iter::zip(0.., &rows).all(|(number, row)| number == *row);
        let rows = (!plain).then(|| {
            self.table(Table {
                words: 1,
                values: rows,
            })
        });
        let hit = self.named("hit", Type::Bool).slot;
        let code = self.aside(|b| {
            if b.marked() {
                b.weighted_tuples(product, |_, _, _| {});
            }
            b.scope(|b| {
                let (bound, mut row) = (b.number(total), b.scalar());
                b.emit(Instr::Sample(Box::new(SampleCode::Below {
                    dst: row,
                    bound,
                })));
                if let Some(table) = rows {
                    row = b.row(table, row, 1).slot;
                }
                b.look_up_all(tables, row, slots);
                for (dst, value) in [(chosen, 0), (hit, 1)] {
                    b.emit(Instr::Const { dst, value });
                }
            });
        });
        Some(Trial {
            code,
            again: code,
            miss: None,
            nothing: None,
            hit,
            attempts: 1,
            sweep: None,
        })
    }

    fn look_up_all(&mut self, tables: &[u32], row: Slot, slots: &[Operand]) {
        for (table, slot) in std::iter::zip(tables, slots) {
            self.look_up(*table, row, *slot);
        }
    }
}
