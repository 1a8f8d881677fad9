//! Sampling by rejection: code that draws a tuple without listing, and may miss.
//!
//! One part is drawn from its set, mostly the first, and so is every part whose set hangs on no other. For each further part a number is
//! drawn below the most elements that its set can have, and the trial misses where there are not so many; it also misses where
//! the condition fails. So every tuple is hit with the same probability, 1 over the number of elements of those sets times the bounds. Between alternatives a
//! trial decides by these products. A set that is stated as a filter of another one is drawn from that other one, and the
//! filter is one more condition.

use super::Builder;
use super::as_filter::as_filter;
use super::conditions::conjuncts;
use super::estimate::Size;
use super::expr::one;
use super::in_order::InOrder;
use super::invariant::{hangs_on, loops_in};
use super::row_trial::RowList;
use crate::ir::*;
use crate::model::types::{Type, bits};
use crate::model::{BinaryOp, Expr, ExprKind, LocalId, Part, UnaryOp};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Listing must be expected to look at so many times as many tuples as trials do.
pub(super) const WORTH: f64 = 2.0;
/// How often a condition is taken to hold that sets decide, where nothing is known of these.
const BY_SETS: f64 = 0.5;
/// No condition is taken to hold less often than this, nor to fail.
pub(super) const RAREST: f64 = 0.02;
/// A loop over so many elements is short.
pub(super) const SHORT: u64 = 6;
/// How many misses there may be, at least and at most.
pub(super) const ATTEMPTS: (u64, u64) = (4, 32);

/// One alternative of a choice, or a draw.
#[derive(Copy, Clone)]
pub(super) struct Product<'e> {
    pub parts: &'e [Part],
    pub cond: Option<&'e Expr>,
    /// Only draws have one.
    pub weight: Option<&'e Expr>,
}

impl<'e> Product<'e> {
    /// The condition of an alternative without values: whether that is there is asked before one is drawn of all.
    fn asked_at_once(&self) -> Option<&'e Expr> {
        self.cond.filter(|_| self.parts.is_empty())
    }
}

/// What a trial leaves, and where.
#[derive(Copy, Clone)]
pub(super) struct Drawn {
    /// The slot that takes the number of the alternative.
    pub chosen: Slot,
    /// Where there is nothing at all.
    pub fault: FaultId,
    /// Then something else is done instead.
    pub perhaps_none: bool,
}

/// Where a trial goes on that was begun.
pub(super) struct Begun {
    /// Where a further attempt begins.
    pub again: BlockId,
    /// Where an attempt goes that misses.
    pub miss: BlockId,
    /// Where it goes if no tuple is possible.
    pub nothing: Option<BlockId>,
    /// Where all are gone through, if no list is made of them.
    pub sweep: Option<BlockId>,
}

/// A smaller set that a part is drawn from than the one that the text names, and the conditions that say so.
pub(super) struct Smaller {
    pub domain: Expr,
    pub size: Size,
    pub said: Vec<Expr>,
    /// What an element of it has to meet still.
    pub filter: Option<Expr>,
    /// The set of which it is what so many earlier parts leave, whatever these are.
    pub left_of: Option<(Expr, u64)>,
}

/// Where the values of a part are drawn from.
struct Source<'e> {
    domain: Cow<'e, Expr>,
    /// The conditions that hold for whatever is drawn from it.
    said: Vec<Expr>,
    /// For a filter: what the condition calls the element.
    filter: Option<(LocalId, Cow<'e, Expr>)>,
    size: Size,
    /// The set is that of the first part without so many elements, so that it need not be known how many there are.
    fewer_by: Option<u64>,
    /// Which of all parts it is, from the least, where they are put in order.
    rank: Option<usize>,
    /// The set hangs on no other part, and is known before any is drawn: that of the first, and others of which that can be said.
    ahead: bool,
}

/// The sets that are known before any part is drawn, one for each part.
type Ahead = Vec<Option<Operand>>;

impl Builder<'_> {
    /// The trial of a listing of a kind; `None` where listing is as good.
    pub(super) fn trial_of(
        &mut self,
        kind: &ListingKind,
        products: &[Product<'_>],
        rows: Option<&[RowList]>,
        drawn: Drawn,
    ) -> Option<Trial> {
        match (kind, products) {
            (ListingKind::Loop { weighted, .. }, _) if !weighted => {
                if let Some(rows) = rows {
                    return Some(self.trial_by_rows(products, rows, drawn));
                }
                let trial = self.trial(products, drawn);
                trial.or_else(|| self.trial_by_number(products, drawn))
            }
            (ListingKind::Set { .. }, [product]) => self.trial_of_filter(*product, drawn),
            _ => None,
        }
    }

    /// That of products whose parts have their slots.
    fn trial(&mut self, products: &[Product<'_>], drawn: Drawn) -> Option<Trial> {
        if let Some(all) = self.by_values(products) {
            return Some(self.trial_by_values(products, &all, drawn));
        }
        let ordered = self.all_as_drawn(products);
        let products = &with_parts(products, &ordered)[..];
        // With marks and without, the same games are played.
        let (sources, attempts) = self.unmarked(|b| {
            let (sources, Cost { attempts, .. }) = b.sources_and_cost(products, true)?;
            Some((sources, attempts))
        })?;
        Some(self.trial_with(attempts, |b, hit| b.attempt(products, &sources, drawn, hit)))
    }

    /// A trial of so many attempts; `write` writes one, and says where the next begins.
    pub(super) fn trial_with(
        &mut self,
        attempts: u32,
        write: impl FnOnce(&mut Self, Slot) -> Begun,
    ) -> Trial {
        let (lo, hi) = (Trial::MISSED as i64, Trial::NOTHING as i64);
        let hit = self.named("hit", Type::Int { lo, hi }).slot;
        let begun = self.aside_with(|b| b.scope(|b| write(b, hit)));
        let (code, begun) = begun;
        Trial {
            code,
            again: begun.again,
            miss: Some(begun.miss),
            nothing: begun.nothing,
            hit,
            attempts,
            sweep: begun.sweep,
        }
    }

    /// Ends what attempts share, of which `count` tuples are possible, and begins the first.
    pub(super) fn begin_attempts(
        &mut self,
        products: &[Product<'_>],
        count: Option<Slot>,
        hit: Slot,
    ) -> Begun {
        let (again, miss) = (self.new_block(), self.new_block());
        let nothing = count.map(|count| {
            let (some, nothing) = (self.new_block(), self.new_block());
            let possible = self.immediate(Op::Ne, count, 0);
            self.branch(possible, some, nothing);
            self.start(nothing);
            self.ends(hit, Trial::NOTHING);
            self.start(some);
            nothing
        });
        self.jump(again);
        self.start(again);
        self.begin_attempt(products, hit);
        Begun {
            again,
            miss,
            nothing,
            sweep: None,
        }
    }

    /// How many trials may be expected until one hits; `None` where they are not worth it. Bounds of the state count for nothing: how
    /// much they leave is not known, and a list is as good where there is one.
    pub(super) fn cost_of_trials(&mut self, products: &[Product<'_>]) -> Option<f64> {
        let ordered = self.all_as_drawn(products);
        let products = &with_parts(products, &ordered)[..];
        let (_, Cost { trials, .. }) = self.sources_and_cost(products, false)?;
        Some(trials)
    }

    fn sources_and_cost<'e>(
        &mut self,
        products: &[Product<'e>],
        within_bounds: bool,
    ) -> Option<(Vec<Vec<Source<'e>>>, Cost)> {
        let sources = self.sources(products, within_bounds)?;
        let asked = std::iter::zip(products, &sources);
        let asked: Vec<Vec<Asked>> = asked.map(|(p, of)| self.asked_of(*p, of)).collect();
        let cost = cost(products, &sources, &asked)?;
        Some((sources, cost))
    }

    /// The same of the elements of one set: where that is a filter whose elements have to be looked at one by one, and
    /// none of them can be an error of play.
    fn trial_of_filter(&mut self, product: Product<'_>, drawn: Drawn) -> Option<Trial> {
        let [part] = product.parts else {
            return None;
        };
        let fold = match &part.domain.kind {
            ExprKind::Fold(fold) => Cow::Borrowed(&**fold),
            _ => Cow::Owned(as_filter(&part.domain)?),
        };
        let total = self.is_total(&part.domain) && self.constant(&part.domain).is_none();
        match total && !self.unmarked(|b| b.is_kept_at_once(&fold)) {
            true => self.trial(&[product], drawn),
            false => None,
        }
    }

    fn all_as_drawn<'e>(&mut self, products: &[Product<'e>]) -> Vec<Cow<'e, [Part]>> {
        products.iter().map(|p| self.as_drawn(p.parts)).collect()
    }

    /// The parts in the order in which they are drawn: of the first it need not be known how many values there are, so that is
    /// one of which nothing is known, if it hangs on no other and cannot be an error of play.
    fn as_drawn<'e>(&mut self, parts: &'e [Part]) -> Cow<'e, [Part]> {
        let all: FxHashSet<LocalId> = parts.iter().map(|part| part.local).collect();
        let mut known = parts.iter().map(|part| self.size_of(&part.domain).known);
        let unknown = known.position(|known| !known).filter(|place| *place > 0);
        let early = |e: &Expr| !hangs_on(e, &all) && self.is_total(e);
        match unknown.filter(|place| early(&parts[*place].domain)) {
            Some(place) => {
                let mut parts = parts.to_vec();
                parts[..=place].rotate_right(1);
                Cow::Owned(parts)
            }
            None => Cow::Borrowed(parts),
        }
    }

    fn sources<'e>(
        &mut self,
        products: &[Product<'e>],
        within_bounds: bool,
    ) -> Option<Vec<Vec<Source<'e>>>> {
        let of_one = |product: &Product<'e>| {
            let Product { parts, cond, .. } = *product;
            let all: FxHashSet<LocalId> = parts.iter().map(|part| part.local).collect();
            let conds = self.conditions_to_leave_out(parts, cond);
            if let Some(order) = self.in_order(parts, cond, &conds) {
                return Some(self.sources_in_order(parts, &order, conds));
            }
            let (distinct, narrowed) = (
                self.distinct(parts, &conds),
                self.narrowed(parts, &conds, within_bounds),
            );
            let smaller = std::iter::zip(distinct, narrowed).map(|(one, other)| one.or(other));
            let mut smaller: Vec<Option<Smaller>> = smaller.collect();
            if let Some(first @ None) = smaller.first_mut() {
                *first = self.first_by_sets(parts, &conds);
            }
            let alone = self.asks_only_apart(parts, cond, &conds);
            let left_of: Vec<Option<(Expr, u64)>> = smaller
                .iter_mut()
                .map(|smaller| smaller.as_mut()?.left_of.take().filter(|_| alone))
                .collect();
            let parts = std::iter::zip(parts, smaller);
            let sources = parts.map(|(part, smaller)| self.source(part, smaller));
            let mut sources: Vec<Source<'e>> = sources.collect::<Option<_>>()?;
            if let Some((first, further)) = sources.split_first_mut() {
                for (source, left_of) in std::iter::zip(further, left_of.into_iter().skip(1)) {
                    let of_first = |set: &Expr| first.filter.is_none() && first.domain.is_same(set);
                    source.fewer_by = left_of.filter(|(set, _)| of_first(set)).map(|(_, n)| n);
                }
            }
            for (i, source) in sources.iter_mut().enumerate() {
                let alone = source.fewer_by.is_none() && source.filter.is_none();
                source.ahead = i == 0 || alone && self.is_ahead(&source.domain, &all);
            }
            Some(sources)
        };
        products.iter().map(of_one).collect()
    }

    /// Whether a set that is another one in other states is known before any of these is drawn.
    pub(super) fn is_ahead(&mut self, domain: &Expr, parts: &FxHashSet<LocalId>) -> bool {
        !hangs_on(domain, parts) && self.is_total(domain) && self.constant(domain).is_none()
    }

    fn sources_in_order<'e>(
        &mut self,
        parts: &[Part],
        order: &InOrder,
        conds: Vec<Cow<'_, Expr>>,
    ) -> Vec<Source<'e>> {
        let size = self.size_of(&order.set);
        let source = |place: usize| Source {
            domain: Cow::Owned(order.left_at(parts, place)),
            said: Vec::new(),
            filter: None,
            size: size.without(place as u64),
            fewer_by: (place > 0).then_some(place as u64),
            rank: order.ascending.iter().position(|at| *at == place),
            ahead: place == 0,
        };
        let mut sources: Vec<Source<'e>> = (0..parts.len()).map(source).collect();
        if let Some(last) = sources.last_mut() {
            last.said = conds.into_iter().map(Cow::into_owned).collect();
        }
        sources
    }

    fn source<'e>(&mut self, part: &'e Part, smaller: Option<Smaller>) -> Option<Source<'e>> {
        if part.sizes.is_some() {
            return None;
        }
        if let Some(smaller) = smaller {
            return Some(Source {
                domain: Cow::Owned(smaller.domain),
                said: smaller.said,
                filter: smaller.filter.map(|cond| (part.local, Cow::Owned(cond))),
                size: smaller.size,
                fewer_by: None,
                rank: None,
                ahead: false,
            });
        }
        let mut domain = Cow::Borrowed(&part.domain);
        let mut filter = None;
        if let ExprKind::Fold(fold) = &part.domain.kind
            && fold.is_filter()
            && let Some(cond) = &fold.cond
        {
            filter = Some((fold.local, Cow::Borrowed(cond)));
            domain = Cow::Borrowed(&fold.domain);
        } else if let Some(fold) = as_filter(&domain) {
            filter = fold.cond.map(|cond| (fold.local, Cow::Owned(cond)));
            domain = Cow::Owned(fold.domain);
        }
        let mut size = self.size_of(&domain);
        // What is looked up in a table is not tried out: then fewer attempts miss.
        let looked_up = filter.is_some().then(|| self.size_by_table(&part.domain));
        if let Some(looked_up) = looked_up.flatten().filter(|t| t.most < size.most) {
            (domain, filter, size) = (Cow::Borrowed(&part.domain), None, looked_up);
        }
        Some(Source {
            domain,
            said: Vec::new(),
            filter,
            size,
            fewer_by: None,
            rank: None,
            ahead: false,
        })
    }

    fn attempt(
        &mut self,
        products: &[Product<'_>],
        sources: &[Vec<Source<'_>>],
        drawn: Drawn,
        hit: Slot,
    ) -> Begun {
        let Drawn { chosen, fault, .. } = drawn;
        if let ([product], [sources]) = (products, sources) {
            let ahead = self.sets_ahead(product, sources);
            let asked = drawn.perhaps_none && !ahead.is_empty();
            let count = asked.then(|| self.count_of_tuples(&ahead, sources, Op::Min));
            let begun = self.begin_attempts(products, count, hit);
            self.product(product, sources, &ahead, begun.miss, fault);
            self.end_attempt(0, chosen, hit);
            return begun;
        }
        // How many tuples each alternative could have, and which of them all is meant.
        let mut all_ahead = Vec::new();
        let total = self.number(0);
        let mut counts = Vec::new();
        for (i, sources) in sources.iter().enumerate() {
            let ahead = self.sets_ahead(&products[i], sources);
            let mut count = match (&ahead[..], products[i].asked_at_once()) {
                ([_, ..], _) => self.count_of_tuples(&ahead, sources, Op::Mul),
                ([], Some(cond)) => self.count_of_one(cond),
                ([], None) => self.number(1),
            };
            let bound = bound(sources);
            if bound > 1 {
                count = self.immediate(Op::Mul, count, bound as i64);
            }
            // Those that are put in order are hit in every order in which they are drawn.
            let ranked = sources.iter().filter(|source| source.rank.is_some());
            let orders: i64 = (1..=ranked.count() as i64).product();
            if orders > 1 {
                count = self.immediate(Op::Div, count, orders);
            }
            self.emit(Instr::Binary {
                op: Op::Add,
                dst: total,
                a: total,
                b: count,
            });
            all_ahead.push(ahead);
            counts.push(count);
        }
        let begun = self.begin_attempts(products, Some(total), hit);
        let miss = begun.miss;
        let counts: Vec<(usize, Slot)> = counts.into_iter().enumerate().collect();
        self.one_alternative((&counts, total), (chosen, hit), &mut |b, i, _| {
            b.product(&products[i], &sources[i], &all_ahead[i], miss, fault);
        });
        begun
    }

    /// An alternative without values is there once, or it is not.
    pub(super) fn count_of_one(&mut self, cond: &Expr) -> Slot {
        let holds = self.value(cond).slot;
        let count = self.scalar();
        self.copy(one(count), one(holds));
        if self.marked() {
            let next = self.new_block();
            let failed = self.marked_way(CoveragePointKind::Failed, cond.span, next);
            self.unless(count, failed);
            self.mark(CoveragePointKind::Held, cond.span);
            self.jump(next);
            self.start(next);
        }
        count
    }

    /// How many tuples there are of the parts that are drawn from sets that are known and from what others leave of the first; with the
    /// least of the sizes in the place of their product, whether there are any, however many.
    fn count_of_tuples(&mut self, ahead: &Ahead, sources: &[Source<'_>], op: Op) -> Slot {
        let mut counts = Vec::new();
        for &set in ahead.iter().flatten() {
            let dst = self.scalar();
            self.emit(Instr::SetCount { dst, set });
            counts.push(dst);
        }
        let Some((&first, others)) = counts.split_first() else {
            return self.number(1);
        };
        let mut count = first;
        for other in others {
            count = self.combined(op, count, *other);
        }
        for fewer in sources.iter().filter_map(|source| source.fewer_by) {
            let left = self.immediate(Op::Sub, first, fewer as i64);
            let left = self.immediate(Op::Max, left, 0);
            count = self.combined(op, count, left);
        }
        count
    }

    /// The sets that parts are drawn from, as far as they are known before any is. What one may say of its part binds the name of
    /// that, which then has its slot again.
    fn sets_ahead(&mut self, product: &Product<'_>, sources: &[Source<'_>]) -> Ahead {
        let mut sets = Ahead::new();
        for (part, source) in std::iter::zip(product.parts, sources) {
            if !source.ahead {
                sets.push(None);
                continue;
            }
            let slot = self.locals.get(&part.local).copied();
            sets.push(Some(self.value(&source.domain)));
            self.bound.remove(&part.local);
            self.locals.remove(&part.local);
            self.locals.extend(slot.map(|slot| (part.local, slot)));
        }
        sets
    }

    /// Draws one of all tuples, of which there are some, by its number. They are of some kinds, each of an alternative, with so many tuples;
    /// `take` writes how one is taken, by its kind and the number among the tuples of that.
    pub(super) fn one_alternative(
        &mut self,
        (counts, total): (&[(usize, Slot)], Slot),
        (chosen, hit): (Slot, Slot),
        take: &mut dyn FnMut(&mut Self, usize, Slot),
    ) {
        let place = self.scalar();
        self.emit(Instr::Sample(Box::new(SampleCode::Below {
            dst: place,
            bound: total,
        })));
        for (i, (alternative, count)) in counts.iter().enumerate() {
            let last = i + 1 == counts.len();
            let next = self.new_block();
            if !last {
                let here = self.new_block();
                let within = self.combined(Op::Lt, place, *count);
                self.branch(within, here, next);
                self.start(here);
            }
            take(self, i, place);
            self.end_attempt(*alternative, chosen, hit);
            if !last {
                self.start(next);
                self.emit(Instr::Binary {
                    op: Op::Sub,
                    dst: place,
                    a: place,
                    b: *count,
                });
            }
        }
    }

    /// Draws the parts of one alternative, from sets that are computed already where they are known ahead; goes on where all fit.
    fn product(
        &mut self,
        product: &Product<'_>,
        sources: &[Source<'_>],
        ahead: &Ahead,
        miss: BlockId,
        fault: FaultId,
    ) {
        for (i, (part, source)) in product.parts.iter().zip(sources).enumerate() {
            let slot = match self.locals.get(&part.local) {
                Some(slot) => *slot,
                None => self.bind(part.local),
            };
            let lo = source.domain.ty.element().map_or(0, |t| t.value_at(0));
            let whole = match (ahead[i], source.fewer_by) {
                (None, Some(_)) => Some(self.value(&source.domain)),
                (set, _) => set,
            };
            if let Some(set) = whole {
                self.emit(Instr::Sample(Box::new(SampleCode::Element {
                    dst: slot.slot,
                    set,
                    lo,
                    fault,
                })));
            } else if let Some(set) = self.always_so_many(source) {
                self.emit(Instr::Sample(Box::new(SampleCode::Element {
                    dst: slot.slot,
                    set,
                    lo,
                    fault,
                })));
            } else {
                let set = self.value(&source.domain);
                let hit = self.scalar();
                self.emit(Instr::Sample(Box::new(SampleCode::Member {
                    dst: slot.slot,
                    set,
                    lo,
                    bound: source.size.most.max(1),
                    hit,
                })));
                self.unless(hit, miss);
            }
            if let Some((local, cond)) = &source.filter {
                self.bound.remove(local);
                self.locals.insert(*local, slot);
                let holds = self.value(cond).slot;
                self.unless(holds, miss);
            }
        }
        let ranked = product
            .parts
            .iter()
            .zip(sources)
            .filter_map(|(part, source)| {
                let slot = self.locals.get(&part.local)?;
                Some((source.rank?, slot.slot))
            });
        let slots: BTreeMap<usize, Slot> = ranked.collect();
        self.put_in_order(&slots.into_values().collect::<Vec<_>>());
        let said: Vec<&Expr> = sources.iter().flat_map(|source| &source.said).collect();
        self.ask_besides(product, &said, miss);
    }

    /// Goes on where the condition of a product holds, of which some is said to hold for what was drawn.
    pub(super) fn ask_besides(&mut self, product: &Product<'_>, said: &[&Expr], miss: BlockId) {
        let asked = product.asked_at_once().is_some();
        let cond = match product.cond.filter(|_| !asked) {
            // What was left out is there, and fails.
            Some(cond) if self.marked() => {
                if !said.is_empty() {
                    self.mark(CoveragePointKind::Failed, cond.span);
                }
                Some(Cow::Borrowed(cond))
            }
            cond => cond.and_then(|cond| self.besides(product.parts, said, cond)),
        };
        if let Some(cond) = cond {
            let holds = self.value(&cond).slot;
            let failed = self.marked_way(CoveragePointKind::Failed, cond.span, miss);
            self.unless(holds, failed);
            self.mark(CoveragePointKind::Held, cond.span);
        }
    }

    /// A set that has as many elements as are drawn of, whatever the state: none of these is missed.
    fn always_so_many(&mut self, source: &Source<'_>) -> Option<Operand> {
        let words = self.constant(&source.domain)?;
        let all = bits(&words).count() as u64 == source.size.most;
        (all && source.size.most > 0).then(|| self.value(&source.domain))
    }

    pub(super) fn unless(&mut self, holds: Slot, miss: BlockId) {
        let go = self.new_block();
        self.branch(holds, go, miss);
        self.start(go);
    }

    /// A trial that misses leaves nothing of what was there before, so that nothing of that is wanted.
    fn begin_attempt(&mut self, products: &[Product<'_>], hit: Slot) {
        self.ends(hit, Trial::MISSED);
        for part in products.iter().flat_map(|product| product.parts) {
            if let Some(slot) = self.locals.get(&part.local).copied() {
                self.no_value(slot, &self.local_type(part.local));
            }
        }
    }

    pub(super) fn end_attempt(&mut self, alternative: usize, chosen: Slot, hit: Slot) {
        self.emit(Instr::Const {
            dst: chosen,
            value: alternative as i64,
        });
        self.ends(hit, Trial::HIT);
    }

    pub(super) fn ends(&mut self, hit: Slot, how: u64) {
        let value = how as i64;
        self.emit(Instr::Const { dst: hit, value });
    }
}

/// How many values the parts could have at most of which that is not known once the sets that come ahead are.
fn bound(sources: &[Source<'_>]) -> u64 {
    let further = sources.iter().filter(|s| !s.ahead && s.fewer_by.is_none());
    let bounds = further.map(|s| s.size.most.max(1));
    bounds.fold(1, u64::saturating_mul)
}

/// What the condition of a product asks of one part.
#[derive(Copy, Clone)]
struct Asked {
    /// The share of the values that are in the sets where they have to be.
    share: f64,
    /// It asks nothing else of it.
    by_sets: bool,
    /// It asks something of which it is not known how often it holds.
    unknown: bool,
    /// To ask it of one value takes a long loop.
    loops: bool,
}

impl Builder<'_> {
    /// What the condition of a product asks of each part.
    fn asked_of(&mut self, product: Product<'_>, sources: &[Source<'_>]) -> Vec<Asked> {
        let said: Vec<&Expr> = sources.iter().flat_map(|source| &source.said).collect();
        let conditions = self.conditions(product.parts, product.cond);
        let all = std::iter::zip(product.parts, &conditions.after);
        all.map(|(part, cond)| {
            let mut asked = Asked {
                share: 1.0,
                by_sets: true,
                unknown: false,
                loops: false,
            };
            let conds = cond.iter().flat_map(|cond| conjuncts(cond));
            for cond in conds.filter(|cond| !said.iter().any(|said| said.is_same(cond))) {
                asked.loops |= self.loops_long(&cond);
                match self.share(part, &cond) {
                    Some(share) => asked.share *= share,
                    None => match self.share_by_values(&cond) {
                        Some(share) => {
                            asked.share *= share;
                            asked.by_sets &= self.is_looked_up(part.local, &cond);
                        }
                        None => (asked.by_sets, asked.unknown) = (false, true),
                    },
                }
            }
            asked
        })
        .collect()
    }

    /// Whether an expression loops over a set that may be large, or over a board.
    fn loops_long(&mut self, e: &Expr) -> bool {
        let (folds, boards) = loops_in(e);
        !folds.is_empty() && (boards || folds.iter().any(|f| self.size_of(&f.domain).most > SHORT))
    }

    /// The share of the values of a part that are in a set, or outside of it, where a condition asks that.
    fn share(&mut self, part: &Part, cond: &Expr) -> Option<f64> {
        if let Some((set, inside)) = set_asked(part.local, cond) {
            let (all, some) = (self.size_of(&part.domain), self.size_of(set));
            // A set that the state decides lies anywhere, and not within some neighbours.
            let of = match all.known && !some.known {
                true => set.ty.element().and_then(Type::size).unwrap_or(all.most) as f64,
                false => all.mean,
            };
            return Some(share(some.mean / of.max(1.0), inside));
        }
        self.is_by_sets(part.local, &part.domain, cond)
            .then_some(BY_SETS)
    }

    /// The same of a condition of which sets decide.
    pub(super) fn share_of(&mut self, part: &Part, cond: &Expr) -> f64 {
        self.share(part, cond).unwrap_or(BY_SETS)
    }
}

/// The set that a name has to be in for a condition to hold, or with `false` outside of.
pub(super) fn set_asked(local: LocalId, cond: &Expr) -> Option<(&Expr, bool)> {
    match &cond.kind {
        ExprKind::Unary {
            op: UnaryOp::Not,
            value,
        } => set_asked(local, value).map(|(set, inside)| (set, !inside)),
        ExprKind::Binary {
            op: BinaryOp::In,
            left,
            right,
        } if matches!(left.kind, ExprKind::Local(l) if l == local) => Some((right, true)),
        _ => None,
    }
}

/// How often a value is taken to be inside of a set with such a share of all, or outside.
pub(super) fn share(of_all: f64, inside: bool) -> f64 {
    let within = of_all.clamp(RAREST, 1.0 - RAREST);
    if inside { within } else { 1.0 - within }
}

/// Products with other parts.
fn with_parts<'e>(products: &[Product<'e>], parts: &'e [Cow<'e, [Part]>]) -> Vec<Product<'e>> {
    let products = std::iter::zip(products, parts);
    products
        .map(|(product, parts)| Product { parts, ..*product })
        .collect()
}

/// What trials cost.
struct Cost {
    /// How many misses there may be.
    attempts: u32,
    /// How many may be expected until one hits.
    trials: f64,
}

/// `None` where trials are not worth it.
fn cost(
    products: &[Product<'_>],
    sources: &[Vec<Source<'_>>],
    asked: &[Vec<Asked>],
) -> Option<Cost> {
    let (mut listed, mut possible, mut hits) = (0.0, 0.0, 0.0);
    let mut most: u64 = 0;
    for ((product, sources), asked) in std::iter::zip(std::iter::zip(products, sources), asked) {
        let first = sources.first().map_or(1.0, |s| s.size.mean.max(1.0));
        let filters = sources.iter().filter(|s| s.filter.is_some()).count();
        let open = asked.iter().any(|asked| asked.unknown);
        let conditions = filters + usize::from(product.cond.is_some() && open);
        let share: f64 = asked.iter().map(|asked| asked.share).product();
        let further = sources.iter().skip(1);
        let fits: f64 = further.clone().map(|s| s.size.mean.max(0.1)).product();
        let (known, open): (Vec<_>, Vec<_>) =
            further.partition(|s| s.ahead || s.fewer_by.is_some());
        let all_known: f64 = known.iter().map(|s| s.size.mean.max(0.1)).product();
        let bound = bound(sources);
        if product.asked_at_once().is_some() {
            let holds = 0.5;
            (listed, possible, hits) = (listed + holds, possible + holds, hits + holds);
            most = most.saturating_add(1);
            continue;
        }
        // Where something may be missed it has to be known how often.
        let misses = !open.is_empty() || conditions > 0 || share < 1.0;
        let guessed = known.iter().any(|s| s.ahead && !s.size.known);
        if bound > u64::from(u32::MAX) || open.iter().any(|s| !s.size.known) || misses && guessed {
            return None;
        }
        // A listing looks at the tuples without the last part, which it may take in bulk; and of what is asked of a part by
        // sets alone, at the values that are in them.
        let bulk = match (sources.last(), asked.last()) {
            (Some(last), Some(asked))
                if sources.len() > 1 && asked.by_sets && last.filter.is_none() =>
            {
                last.size.mean
            }
            _ => 1.0,
        };
        let earlier = asked.len().saturating_sub(1);
        let looked_at = asked[..earlier].iter().filter(|asked| asked.by_sets);
        let looked_at: f64 = looked_at.map(|asked| asked.share).product();
        listed += first * fits * looked_at / bulk.max(1.0);
        possible += first * all_known * bound as f64;
        hits += first * fits * share * 0.5f64.powi(conditions as i32);
        let all = sources.iter().map(|s| s.size.most.max(1));
        most = most.saturating_add(all.fold(1, u64::saturating_mul));
    }
    // Those of several alternatives are counted in one number.
    if products.len() > 1 && most > i64::MAX as u64 {
        return None;
    }
    // Sets find all values at once, of which one is then taken.
    let at_once =
        matches!(asked, [one] if matches!(one[..], [asked] if asked.by_sets && asked.loops));
    let alone = sources.iter().all(Vec::is_empty);
    // Which of them are there is looked at in a listing as well, and none is missed.
    if alone && sources.len() > 1 {
        let attempts = ATTEMPTS.0 as u32;
        return Some(Cost {
            attempts,
            trials: 1.0,
        });
    }
    let simple = matches!(sources, [only] if only.len() == 1 && only[0].filter.is_none())
        && products.iter().all(|p| p.cond.is_none());
    if alone || simple || at_once || possible.min(hits) <= 0.0 || listed < WORTH * possible / hits {
        return None;
    }
    Some(Cost {
        attempts: (most / 4).clamp(ATTEMPTS.0, ATTEMPTS.1) as u32,
        trials: possible / hits,
    })
}
