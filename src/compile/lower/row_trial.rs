//! Trials by rows: where little of the state decides which tuples there can be, these stand in tables, one list for each
//! value of that, and a trial takes one of a list by its number and asks of it what else has to hold.

use super::Builder;
use super::expr::one;
use super::listing::plain;
use super::relaxed::Relaxed;
use super::trial::{ATTEMPTS, Begun, Drawn, Product, RAREST, WORTH, set_asked, share};
use crate::ir::*;
use crate::model::types::{Type, bits};
use crate::model::{Expr, ExprKind, Part};

/// The most tuples in the lists of a product.
const MOST_ROWS: usize = 1 << 16;
/// The most instructions that finding them may take.
const STEPS_EACH: u64 = 2_000_000;
/// Other trials must be expected to miss so many times as often.
const CHEAPER: f64 = 1.1;
/// How often a condition is taken to hold.
const HOLDS: f64 = 0.5;

/// The tuples of one product.
pub(super) struct RowList {
    keys: Vec<Expr>,
    /// The small sets of which parts are elements, as further keys: each a number of so many bits.
    sets: Vec<(usize, Expr)>,
    rest: Vec<(usize, Expr)>,
    /// For each combination of keys where its tuples begin, and how many there are.
    spans: Table,
    /// The values of all parts of each tuple.
    rows: Table,
    /// How many there are in the mean, and at most.
    mean: f64,
    most: u64,
    /// How many tuples there are in the mean without the last part.
    prefixes: f64,
}

/// Whether there is any of so many tuples is found by going through them.
const FEW: f64 = 32.0;

impl Builder<'_> {
    /// The lists of products whose parts have their slots; `None` where trials by them cost more than half of what it costs to list,
    /// or about as much as other trials.
    pub(super) fn row_lists(&mut self, products: &[Product<'_>]) -> Option<Vec<RowList>> {
        // One of a set is drawn as well.
        if let [product] = products
            && plain(product.parts)
            && product.cond.is_none()
        {
            return None;
        }
        // With marks and without, the same games are played.
        self.unmarked(|b| {
            if b.by_values(products).is_some() {
                return None;
            }
            let mut all = Vec::new();
            for product in products {
                let relaxed = b.relaxed(*product, true)?;
                let with_sets = !relaxed.sets.is_empty();
                let mut found = b.row_list(*product, relaxed);
                if found.is_none() && with_sets {
                    let relaxed = b.relaxed(*product, false)?;
                    found = b.row_list(*product, relaxed);
                }
                all.push(found?);
            }
            let other = b.cost_of_trials(products);
            b.is_worth(products, &all, other).then_some(all)
        })
    }

    pub(super) fn trial_by_rows(
        &mut self,
        products: &[Product<'_>],
        lists: &[RowList],
        drawn: Drawn,
    ) -> Trial {
        let most = lists.iter().map(|list| list.most).sum::<u64>();
        let (least, greatest) = ATTEMPTS;
        let attempts = (most / 4).clamp(least, greatest) as u32;
        self.trial_with(attempts, |b, hit| {
            b.attempt_by_rows(products, lists, drawn, hit)
        })
    }

    /// Goes to `found` if there is a tuple, and else on; false where there are too many of them.
    pub(super) fn any_by_rows(
        &mut self,
        products: &[Product<'_>],
        lists: &[RowList],
        found: &mut dyn FnMut(&mut Self),
    ) -> bool {
        if self.marked() || lists.iter().any(|list| list.mean > FEW) {
            return false;
        }
        for (product, list) in std::iter::zip(products, lists) {
            let (first, length) = self.span_of(list);
            let end = self.combined(Op::Add, first, length);
            let row = self.scalar();
            self.copy(one(row), one(first));
            let (head, body) = (self.new_block(), self.new_block());
            let (next, done) = (self.new_block(), self.new_block());
            self.jump(head);
            self.start(head);
            let more = self.combined(Op::Lt, row, end);
            self.branch(more, body, done);
            self.start(body);
            self.take_row(product, list, row, next);
            found(self);
            self.start(next);
            self.emit(Instr::Immediate {
                op: Op::Add,
                dst: row,
                a: row,
                value: 1,
            });
            self.jump(head);
            self.start(done);
        }
        true
    }

    /// Where the parts of a product are.
    fn slots_of(&self, product: &Product<'_>) -> Option<Vec<Operand>> {
        let parts = product.parts.iter();
        parts
            .map(|part| self.locals.get(&part.local).copied())
            .collect()
    }

    /// Finds the tuples by running the code that lists them.
    fn row_list(&mut self, product: Product<'_>, relaxed: Relaxed) -> Option<RowList> {
        let slots = &self.slots_of(&product)?[..];
        let Relaxed {
            parts,
            cond,
            keys,
            sets,
            rest,
        } = relaxed;
        let most = parts.iter().map(|part| self.size_of(&part.domain).most);
        let most = most.fold(1, u64::saturating_mul);
        if cond.is_none() && most > MOST_ROWS as u64 {
            return None;
        }
        let before = self.named;
        let mut given = Vec::new();
        let mut code = self.ahead(|b| {
            for key in &keys {
                let slot = b.temporary(1);
                given.push(slot);
                b.given.push((key.clone(), slot));
            }
            b.tuples(&parts, cond.as_ref(), 0, &mut |b, parts, _| {
                b.emit(Instr::Emit {
                    alternative: 0,
                    parts: parts.to_vec(),
                    weight: None,
                    rank: None,
                    bulk: None,
                });
            });
        });
        if code.reads_below(before, slots) {
            return None;
        }
        let combinations = keys.iter().filter_map(|key| key.ty.size()).product();
        let mut rows = Rows::new(product.parts, &sets);
        let allowed = self.steps.min(STEPS_EACH);
        let mut left = allowed;
        let types = keys.iter().map(|key| &key.ty);
        let places: Vec<(&Type, Operand)> = std::iter::zip(types, given).collect();
        let ran = (0..combinations).try_for_each(|number: u64| {
            code.give(&places, number)?;
            let mut found = Vec::new();
            code.run(&self.tables, &mut left, &mut |code, _| {
                slots
                    .iter()
                    .for_each(|slot| found.extend_from_slice(code.value(*slot)));
                (found.len() <= MOST_ROWS).then_some(())
            })?;
            rows.add(&found)
        });
        self.steps -= allowed - left;
        ran?;
        let most = rows.spans.iter().skip(1).step_by(2).copied().max()?;
        let mean = |count: usize| 2.0 * count as f64 / rows.spans.len() as f64;
        let list = RowList {
            keys,
            rest,
            sets,
            mean: mean(rows.count),
            most,
            prefixes: mean(rows.prefixes),
            spans: Table {
                words: 2,
                values: rows.spans,
            },
            rows: Table {
                words: product.parts.len() as u16,
                values: rows.values,
            },
        };
        // What hangs on no state at all is listed elsewhere.
        let fixed = list.keys.is_empty() && list.sets.is_empty() && list.rest.is_empty();
        (most > 0 && !fixed).then_some(list)
    }

    fn is_worth(
        &mut self,
        products: &[Product<'_>],
        lists: &[RowList],
        other: Option<f64>,
    ) -> bool {
        let (mut tried, mut hits, mut listed) = (0.0, 0.0, 0.0);
        for (product, list) in std::iter::zip(products, lists) {
            let (mut all, mut earlier, mut bulk) = (1.0, 1.0, true);
            // How many values of the last part a listing looks at, where it does not take them as a set.
            let mut seen = 1.0;
            for (i, cond) in &list.rest {
                let part = &product.parts[*i];
                let last = i + 1 == product.parts.len();
                let share = self.share_of_type(product.parts, part, cond);
                let by_sets = share.is_some() || self.is_by_sets(part.local, &part.domain, cond);
                bulk &= !last || by_sets;
                let share = share.unwrap_or(HOLDS);
                all *= share;
                seen *= if last && by_sets { share } else { 1.0 };
                earlier *= if last { 1.0 } else { share };
            }
            tried += list.mean;
            hits += list.mean * all;
            // A listing takes the values of the last part as a set, word by word, or looks at each of them.
            let words = product
                .parts
                .last()
                .map_or(1, |part| part.domain.ty.words());
            listed += match bulk {
                true => list.prefixes * earlier * (1 + words) as f64,
                false => earlier * list.prefixes.max(list.mean * seen),
            };
        }
        let cost = tried / hits;
        cost * WORTH <= listed && other.is_none_or(|other| cost * CHEAPER <= other)
    }

    /// The share of all values of the type of a part that are in a set, or outside of it, where a condition asks that.
    fn share_of_type(&mut self, parts: &[Part], part: &Part, cond: &Expr) -> Option<f64> {
        let (set, inside) = set_asked(part.local, cond)?;
        let all = set.ty.element().and_then(Type::size)?;
        let size = self.size_of(set);
        let mut others = parts.iter().filter(|other| other.local != part.local);
        // What lies around another part is but a few of all.
        let near = !size.known && others.any(|other| set.reads_local(other.local));
        let of_all = if near { RAREST } else { size.mean / all as f64 };
        Some(share(of_all, inside))
    }

    fn attempt_by_rows(
        &mut self,
        products: &[Product<'_>],
        lists: &[RowList],
        drawn: Drawn,
        hit: Slot,
    ) -> Begun {
        if self.marked() {
            // Marks are reached where the tuples are found.
            for product in products {
                self.tuples(product.parts, product.cond, 0, &mut |_, _, _| {});
            }
        }
        let mut spans = Vec::new();
        let total = self.number(0);
        for list in lists {
            let span = self.span_of(list);
            self.emit(Instr::Binary {
                op: Op::Add,
                dst: total,
                a: total,
                b: span.1,
            });
            spans.push(span);
        }
        let counts = spans.iter().map(|(_, length)| *length).enumerate();
        let counts: Vec<(usize, Slot)> = counts.collect();
        let begun = self.begin_attempts(products, Some(total), hit);
        let (miss, found) = (begun.miss, (drawn.chosen, hit));
        self.one_alternative((&counts, total), found, &mut |b, i, place| {
            let row = b.combined(Op::Add, spans[i].0, place);
            b.take_row(&products[i], &lists[i], row, miss);
        });
        begun
    }

    /// Where the tuples of the present state begin, and how many there are.
    fn span_of(&mut self, list: &RowList) -> (Slot, Slot) {
        let mut index: Option<Slot> = None;
        for key in &list.keys {
            let ordinal = self.ordinal(key, &key.ty, key.span);
            index = Some(match index {
                None => ordinal,
                Some(outer) => self.row_major(outer, &key.ty, ordinal),
            });
        }
        for (_, set) in &list.sets {
            let word = self.small_set(set);
            let size = set.ty.element().and_then(Type::size).unwrap_or(0);
            index = Some(match index {
                None => word,
                Some(outer) => {
                    let outer = self.immediate(Op::Mul, outer, 1 << size);
                    self.combined(Op::Add, outer, word)
                }
            });
        }
        let Some(index) = index else {
            return (self.number(0), self.number(list.most as i64));
        };
        let table = self.table(list.spans.clone());
        let span = self.row(table, index, 2);
        (span.slot, span.slot + 1)
    }

    /// A set of few values as a number, a bit for each; what a filter asks is asked of one after the other, without branches.
    fn small_set(&mut self, set: &Expr) -> Slot {
        match &set.kind {
            ExprKind::Let { local, value, body } => {
                self.let_local(*local, value);
                self.small_set(body)
            }
            ExprKind::Fold(fold)
                if fold.is_filter()
                    && !self.marked()
                    && let Some(domain) = self.constant(&fold.domain)
                    && let Some(cond) = &fold.cond
                    && let Some(ty) = fold.domain.ty.element() =>
            {
                let word = self.number(0);
                for ordinal in bits(&domain) {
                    let value = ty.value_at(ordinal) as u64;
                    self.locals.remove(&fold.local);
                    self.bound.insert(fold.local, vec![value]);
                    let holds = self.value(cond).slot;
                    self.add_bit(word, holds, ordinal);
                }
                self.bound.remove(&fold.local);
                word
            }
            _ => {
                let values = self.value(set);
                let word = self.number(0);
                for ordinal in 0..set.ty.element().and_then(Type::size).unwrap_or(0) {
                    let (element, holds) = (self.number(ordinal as i64), self.scalar());
                    self.emit(Instr::SetTest {
                        dst: holds,
                        set: values,
                        element,
                    });
                    self.add_bit(word, holds, ordinal);
                }
                word
            }
        }
    }

    fn add_bit(&mut self, word: Slot, holds: Slot, place: u64) {
        let bit = self.immediate(Op::Mul, holds, 1 << place);
        self.emit(Instr::Binary {
            op: Op::Or,
            dst: word,
            a: word,
            b: bit,
        });
    }

    /// Takes a tuple by its row; goes on where it is one of the listing's.
    fn take_row(&mut self, product: &Product<'_>, list: &RowList, row: Slot, miss: BlockId) {
        let slots = self.slots_of(product).unwrap_or_default();
        let table = self.table(list.rows.clone());
        let values = self.row(table, row, slots.len() as u16);
        for (value, slot) in std::iter::zip(values.slot.., slots) {
            self.copy(slot, one(value));
        }
        for (_, cond) in &list.rest {
            let holds = self.value(cond).slot;
            self.unless(holds, miss);
        }
    }
}

/// Tuples as they are found.
struct Rows {
    /// How many parts there are.
    width: usize,
    /// The parts that are elements of small sets: where each is, its least value and how many it may have.
    sets: Vec<(usize, i64, u64)>,
    values: Vec<u64>,
    count: usize,
    prefixes: usize,
    spans: Vec<u64>,
}

impl Rows {
    fn new(parts: &[Part], sets: &[(usize, Expr)]) -> Rows {
        let sets = sets.iter().filter_map(|(part, set)| {
            let element = set.ty.element()?;
            Some((*part, element.value_at(0), element.size()?))
        });
        Rows {
            width: parts.len(),
            sets: sets.collect(),
            values: Vec::new(),
            count: 0,
            prefixes: 0,
            spans: Vec::new(),
        }
    }

    /// Adds what was found for one combination of keys: of that for each of the small sets what they have. `None` for too many.
    fn add(&mut self, found: &[u64]) -> Option<()> {
        let bits: u64 = self.sets.iter().map(|(.., size)| size).sum();
        for sets in 0..1 << bits {
            let first = self.count;
            let mut last: Option<&[u64]> = None;
            for row in found.chunks_exact(self.width) {
                if !self.is_in(row, sets, bits) {
                    continue;
                }
                let (_, prefix) = row.split_last()?;
                self.prefixes += usize::from(last != Some(prefix));
                last = Some(prefix);
                self.values.extend_from_slice(row);
                self.count += 1;
            }
            self.spans
                .extend([first, self.count - first].map(|n| n as u64));
        }
        (self.count <= MOST_ROWS).then_some(())
    }

    /// Whether the parts are in small sets, the first of which is in the highest of so many bits.
    fn is_in(&self, row: &[u64], sets: u64, mut bits: u64) -> bool {
        self.sets.iter().all(|&(part, least, size)| {
            bits -= size;
            let ordinal = (row[part] as i64 - least) as u64;
            sets >> (bits + ordinal) & 1 == 1
        })
    }
}
