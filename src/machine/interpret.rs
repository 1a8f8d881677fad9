//! The interpreter: runs a program's blocks over a frame. It is the meaning of the IR; any faster engine is tested
//! against it.

use super::history::Event;
use super::sampling::nth_element;
use super::subsets::{Words, choose, first_subset, next_subset, nth_subset};
use crate::ir::*;
use crate::model::PlayerSet;
use crate::model::reach;

/// How many steps may be taken between two nodes; a block is one, or more where it does much at once.
pub const MAX_STEPS: u64 = 20_000_000;

/// What the surroundings of a run want to hear of.
pub(super) trait Host {
    /// Whether events are wanted at all.
    const EVENTS: bool;
    fn event(&mut self, event: Event<'_>);
    /// A tuple of a listing; returns whether more are wanted.
    fn emit(&mut self, tuple: Tuple<'_>) -> bool;
    /// Something is sampled, in a trial.
    fn sample(&mut self, _frame: &mut [u64], _code: &SampleCode) -> Result<(), Trouble> {
        Ok(())
    }
}

/// One tuple of a listing, or with `bulk` one for each value of the last part.
pub(super) struct Tuple<'a> {
    pub frame: &'a [u64],
    pub alternative: u32,
    pub parts: &'a [Operand],
    pub weight: Option<u64>,
    pub bulk: Option<Values<'a>>,
}

/// The values of the last part, or the last two, of tuples that are emitted at once.
#[derive(Copy, Clone)]
pub(super) enum Values<'a> {
    /// The subsets with so many elements.
    Subsets(&'a [u64], u64),
    /// The elements; the one with ordinal 0 has this value.
    Elements(&'a [u64], i64),
    /// The elements of one set, each with those of the other.
    Pairs((&'a [u64], i64), (&'a [u64], i64)),
}

impl Values<'_> {
    /// How many there are.
    pub fn len(&self) -> u64 {
        let size = |set: &[u64]| set.iter().map(|w| u64::from(w.count_ones())).sum();
        match self {
            Values::Subsets(set, count) => choose(size(set), *count),
            Values::Elements(set, _) => size(set),
            Values::Pairs((a, _), (b, _)) => size(a).saturating_mul(size(b)),
        }
    }

    /// How many parts they are for.
    pub fn parts(&self) -> usize {
        match self {
            Values::Subsets(..) | Values::Elements(..) => 1,
            Values::Pairs(..) => 2,
        }
    }

    /// The value with `rank` others before it.
    pub fn nth(&self, rank: u64) -> Words {
        match self {
            Values::Subsets(set, count) => nth_subset(set, *count, rank),
            Values::Elements(set, lo) => {
                let ordinal = nth_element(set, rank).unwrap_or(0);
                Words::from_slice(&[(lo + ordinal as i64) as u64])
            }
            Values::Pairs((a, lo), (b, other)) => {
                let each = Values::Elements(b, *other);
                let size = each.len().max(1);
                let mut values = Values::Elements(a, *lo).nth(rank / size);
                values.extend_from_slice(&each.nth(rank % size));
                values
            }
        }
    }
}

/// Nobody listens.
pub(super) struct Silent;

impl Host for Silent {
    const EVENTS: bool = false;
    fn event(&mut self, _: Event<'_>) {}
    fn emit(&mut self, _: Tuple<'_>) -> bool {
        true
    }
}

/// Tells a sink of every event.
pub(super) struct Telling<'a>(pub &'a mut dyn FnMut(Event<'_>));

impl Host for Telling<'_> {
    const EVENTS: bool = true;
    fn event(&mut self, event: Event<'_>) {
        (self.0)(event);
    }
    fn emit(&mut self, _: Tuple<'_>) -> bool {
        true
    }
}

/// Why a run ended well.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Rest(NodeId),
    Return,
    /// The host wanted no more tuples.
    Enough,
}

/// Why a run ended badly.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    Fault {
        fault: FaultId,
        value: i64,
    },
    TooManySteps,
    /// An index outside an array: only an action that was never offered leads here.
    Index,
}

pub(super) fn run<H: Host>(
    p: &Program,
    frame: &mut [u64],
    from: BlockId,
    host: &mut H,
) -> Result<Stop, Trouble> {
    let mut at = from;
    let mut fuel = MAX_STEPS;
    loop {
        let block = p.block(at);
        let cost = u64::from(block.cost.max(1));
        if cost >= fuel {
            return Err(Trouble::TooManySteps);
        }
        fuel -= cost;
        for instr in &block.instrs {
            match instr {
                Instr::Event(event) => {
                    if H::EVENTS {
                        tell(p, frame, event, host);
                    }
                }
                Instr::Emit {
                    alternative,
                    parts,
                    weight,
                    bulk,
                    ..
                } => {
                    let tuple = Tuple {
                        frame,
                        alternative: *alternative,
                        parts,
                        weight: weight.map(|w| frame[w as usize]),
                        bulk: bulk.map(|bulk| match bulk {
                            Bulk::Subsets { set: s, count } => {
                                Values::Subsets(set(frame, s), frame[count as usize])
                            }
                            Bulk::Elements { set: s, lo } => Values::Elements(set(frame, s), lo),
                            Bulk::Pairs {
                                first: (a, lo),
                                second: (b, other),
                            } => Values::Pairs((set(frame, a), lo), (set(frame, b), other)),
                        }),
                    };
                    if !host.emit(tuple) {
                        return Ok(Stop::Enough);
                    }
                }
                Instr::Sample(code) => host.sample(frame, code)?,
                _ => execute(p, frame, instr)?,
            }
        }
        at = match block.term {
            Term::Jump(to) => to,
            Term::Branch {
                cond,
                then,
                otherwise,
            } => {
                if frame[cond as usize] != 0 {
                    then
                } else {
                    otherwise
                }
            }
            Term::Rest(node) => return Ok(Stop::Rest(node)),
            Term::Return => return Ok(Stop::Return),
            Term::Fail(fault) => return Err(Trouble::Fault { fault, value: 0 }),
        };
    }
}

fn set(frame: &[u64], o: Operand) -> &[u64] {
    &frame[o.slot as usize..o.slot as usize + o.words as usize]
}

fn scalar(frame: &[u64], slot: Slot) -> i64 {
    frame[slot as usize] as i64
}

pub(super) fn binary(op: Op, a: i64, b: i64) -> i64 {
    match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        // A divisor of 0 is excluded by its type.
        Op::Div => {
            let (q, r) = (a.checked_div(b).unwrap_or(0), a.checked_rem(b).unwrap_or(0));
            if r != 0 && (r < 0) != (b < 0) {
                q - 1
            } else {
                q
            }
        }
        Op::Mod => {
            let r = a.checked_rem(b).unwrap_or(0);
            if r != 0 && (r < 0) != (b < 0) {
                r + b
            } else {
                r
            }
        }
        Op::Min => a.min(b),
        Op::Max => a.max(b),
        Op::Eq => i64::from(a == b),
        Op::Ne => i64::from(a != b),
        Op::Lt => i64::from(a < b),
        Op::Le => i64::from(a <= b),
        Op::And => a & b,
        Op::Or => a | b,
    }
}

#[inline(always)]
pub(super) fn execute(p: &Program, frame: &mut [u64], instr: &Instr) -> Result<(), Trouble> {
    match instr {
        Instr::Const { dst, value } => frame[*dst as usize] = *value as u64,
        Instr::Copy { dst, src, words } => {
            if *words == 1 {
                frame[*dst as usize] = frame[*src as usize];
            } else {
                let src = *src as usize;
                frame.copy_within(src..src + *words as usize, *dst as usize);
            }
        }
        Instr::Binary { op, dst, a, b } => {
            frame[*dst as usize] = binary(*op, scalar(frame, *a), scalar(frame, *b)) as u64;
        }
        Instr::Immediate { op, dst, a, value } => {
            frame[*dst as usize] = binary(*op, scalar(frame, *a), *value) as u64;
        }
        Instr::Not { dst, a } => frame[*dst as usize] = u64::from(frame[*a as usize] == 0),
        Instr::Select {
            dst,
            cond,
            a,
            b,
            words,
        } => {
            let src = if frame[*cond as usize] != 0 { *a } else { *b } as usize;
            frame.copy_within(src..src + *words as usize, *dst as usize);
        }
        Instr::Load {
            dst,
            base,
            index,
            words,
            count,
        } => {
            let i = frame[*index as usize];
            if i >= u64::from(*count) {
                return Err(Trouble::Index);
            }
            let src = *base as usize + i as usize * *words as usize;
            frame.copy_within(src..src + *words as usize, *dst as usize);
        }
        Instr::Store {
            base,
            index,
            src,
            words,
            count,
        } => {
            let i = frame[*index as usize];
            if i >= u64::from(*count) {
                return Err(Trouble::Index);
            }
            let src = *src as usize;
            let dst = *base as usize + i as usize * *words as usize;
            frame.copy_within(src..src + *words as usize, dst);
        }
        Instr::Hops {
            dst,
            from,
            to,
            table,
            words,
            bits,
        } => {
            let values = &p.tables[*table as usize].values;
            let words = *words as usize;
            let at = (frame[*from as usize] as usize).saturating_mul(words);
            let row = values.get(at..at.saturating_add(words));
            let steps = row.and_then(|row| reach::unpack(row, frame[*to as usize], *bits));
            frame[*dst as usize] = steps.ok_or(Trouble::Index)?;
        }
        Instr::Table {
            dst,
            table,
            index,
            words,
        } => {
            let values = &p.tables[*table as usize].values;
            let words = *words as usize;
            let at = (frame[*index as usize] as usize).saturating_mul(words);
            let Some(row) = values.get(at..at.saturating_add(words)) else {
                return Err(Trouble::Index);
            };
            frame[*dst as usize..*dst as usize + words].copy_from_slice(row);
        }
        Instr::Check {
            value,
            lo,
            hi,
            fault,
        } => {
            let v = scalar(frame, *value);
            if v < *lo || v > *hi {
                return Err(Trouble::Fault {
                    fault: *fault,
                    value: v,
                });
            }
        }
        Instr::Reach { place } => p.marks.reach(*place),
        Instr::SetAround { .. } | Instr::SetGroup { .. } | Instr::SetRun { .. } => {
            execute_walk(p, frame, instr);
        }
        _ => return execute_set(frame, instr),
    }
    Ok(())
}

/// The walks over a board. They end in a set of their own, since `dst` may be one of the sets that they read.
fn execute_walk(p: &Program, frame: &mut [u64], instr: &Instr) {
    let row = |table: u32, words: u16| {
        let (values, words) = (&p.tables[table as usize].values, words as usize);
        move |node: u64| {
            let at = (node as usize).saturating_mul(words);
            values.get(at..at.saturating_add(words)).unwrap_or(&[])
        }
    };
    let (dst, found) = match instr {
        Instr::SetAround { dst, src, table } => {
            let next = row(*table, dst.words);
            (dst, reach::around(set(frame, *src), next))
        }
        Instr::SetGroup {
            dst,
            from,
            within,
            table,
        } => {
            let next = row(*table, dst.words);
            let found = reach::group(set(frame, *from), set(frame, *within), next);
            (dst, found)
        }
        Instr::SetRun {
            dst,
            from,
            way,
            within,
            table,
            ways,
            both,
        } => {
            let next = row(*table, 1);
            let ways = u64::from(*ways);
            let step = |way: u64| {
                move |cell: u64| {
                    next(cell.wrapping_mul(ways).wrapping_add(way))
                        .first()?
                        .checked_sub(1)
                }
            };
            let (from, way) = (frame[*from as usize], frame[*way as usize]);
            let within = set(frame, *within);
            let found = if *both {
                reach::line(from, within, step(way), step((way + ways / 2) % ways))
            } else {
                reach::run(from, within, step(way))
            };
            (dst, found)
        }
        _ => return,
    };
    frame[dst.slot as usize..dst.slot as usize + found.len()].copy_from_slice(&found);
}

fn execute_set(frame: &mut [u64], instr: &Instr) -> Result<(), Trouble> {
    match instr {
        Instr::SetConst { dst, words } => {
            frame[*dst as usize..*dst as usize + words.len()].copy_from_slice(words);
        }
        Instr::SetBinary {
            op,
            dst,
            a,
            b,
            words,
        } => {
            for w in 0..*words as usize {
                let (x, y) = (frame[*a as usize + w], frame[*b as usize + w]);
                frame[*dst as usize + w] = match op {
                    SetOp::Union => x | y,
                    SetOp::Difference => x & !y,
                    SetOp::Intersect => x & y,
                };
            }
        }
        Instr::SetTest {
            dst,
            set: s,
            element,
        } => {
            let e = frame[*element as usize];
            let word = set(frame, *s).get((e / 64) as usize).copied().unwrap_or(0);
            frame[*dst as usize] = word >> (e % 64) & 1;
        }
        Instr::SetInsert { set: s, element } => {
            let e = frame[*element as usize];
            if e / 64 >= u64::from(s.words) {
                return Err(Trouble::Index);
            }
            frame[s.slot as usize + (e / 64) as usize] |= 1 << (e % 64);
        }
        Instr::SetRemove { set: s, element } => {
            let e = frame[*element as usize];
            if e / 64 < u64::from(s.words) {
                frame[s.slot as usize + (e / 64) as usize] &= !(1 << (e % 64));
            }
        }
        Instr::SetCount { dst, set: s } => {
            let n: u32 = set(frame, *s).iter().map(|w| w.count_ones()).sum();
            frame[*dst as usize] = u64::from(n);
        }
        Instr::SetNext { dst, set: s, after } => {
            let from = scalar(frame, *after).wrapping_add(1);
            frame[*dst as usize] = next_bit(set(frame, *s), from) as u64;
        }
        Instr::SetLast { dst, set: s } => {
            let words = set(frame, *s);
            let last = words
                .iter()
                .enumerate()
                .rev()
                .find(|(_, w)| **w != 0)
                .map_or(-1, |(i, w)| {
                    i as i64 * 64 + 63 - i64::from(w.leading_zeros())
                });
            frame[*dst as usize] = last as u64;
        }
        Instr::SetEq { dst, a, b, words } => {
            let same =
                (0..*words as usize).all(|w| frame[*a as usize + w] == frame[*b as usize + w]);
            frame[*dst as usize] = u64::from(same);
        }
        Instr::SetSubset { dst, a, b, words } => {
            let within =
                (0..*words as usize).all(|w| frame[*a as usize + w] & !frame[*b as usize + w] == 0);
            frame[*dst as usize] = u64::from(within);
        }
        Instr::SetBefore { dst, src, element } => {
            let e = scalar(frame, *element);
            for w in 0..src.words as usize {
                let keep = e.saturating_sub(w as i64 * 64).clamp(0, 64) as u32;
                let mask = if keep == 64 {
                    u64::MAX
                } else {
                    (1 << keep) - 1
                };
                frame[*dst as usize + w] = frame[src.slot as usize + w] & mask;
            }
        }
        Instr::SetTop { dst, src, count } => {
            let mut left = scalar(frame, *count).max(0);
            for w in (0..src.words as usize).rev() {
                let mut rest = frame[src.slot as usize + w];
                let mut taken = 0;
                while rest != 0 && left > 0 {
                    let bit = 1 << (63 - rest.leading_zeros());
                    rest &= !bit;
                    taken |= bit;
                    left -= 1;
                }
                frame[*dst as usize + w] = taken;
            }
        }
        Instr::SetRange { dst, lo, hi } => {
            let (lo, hi) = (scalar(frame, *lo).max(0), scalar(frame, *hi));
            for w in 0..dst.words as usize {
                frame[dst.slot as usize + w] = 0;
            }
            for e in lo..=hi.min(i64::from(dst.words) * 64 - 1) {
                frame[dst.slot as usize + e as usize / 64] |= 1 << (e % 64);
            }
        }
        Instr::SubsetFirst {
            dst,
            set: s,
            count,
            found,
        } => {
            let s: Words = set(frame, *s).into();
            let count = frame[*count as usize];
            let dst = dst.slot as usize;
            let there = first_subset(&s, count, &mut frame[dst..dst + s.len()]);
            frame[*found as usize] = u64::from(there);
        }
        Instr::SubsetNext { dst, set: s, found } => {
            let s: Words = set(frame, *s).into();
            let dst = dst.slot as usize;
            let there = next_subset(&s, &mut frame[dst..dst + s.len()]);
            frame[*found as usize] = u64::from(there);
        }
        Instr::SetShift {
            dst,
            src,
            lo,
            by,
            size,
            fault,
        } => {
            // Through a copy: the two may overlap.
            let words: smallvec::SmallVec<[u64; 8]> = set(frame, *src).into();
            for w in 0..dst.words as usize {
                frame[dst.slot as usize + w] = 0;
            }
            for e in crate::model::types::bits(&words) {
                let moved = e as i64 + by;
                if moved < 0 || moved as u64 >= *size {
                    return Err(Trouble::Fault {
                        fault: *fault,
                        value: lo + e as i64,
                    });
                }
                frame[dst.slot as usize + moved as usize / 64] |= 1 << (moved % 64);
            }
        }
        // The rest is done by `execute` and `run`.
        _ => {}
    }
    Ok(())
}

/// The least element at or after `from`, or −1.
pub(super) fn next_bit(words: &[u64], from: i64) -> i64 {
    let from = from.max(0) as usize;
    let mut w = from / 64;
    if w >= words.len() {
        return -1;
    }
    let mut word = words[w] & u64::MAX << (from % 64);
    while word == 0 {
        w += 1;
        if w == words.len() {
            return -1;
        }
        word = words[w];
    }
    (w * 64) as i64 + i64::from(word.trailing_zeros())
}

/// Splits an event among those who see different parts of it, and tells each group what it sees.
fn tell<H: Host>(p: &Program, frame: &[u64], event: &EventCode, host: &mut H) {
    let everyone = p.description.everyone();
    let chooser = event.chooser.map(|slot| frame[slot as usize] as u8);
    let own = chooser.map_or(PlayerSet::EMPTY, |c| PlayerSet::only(usize::from(c)));
    let seen = |viewers: Slot| PlayerSet::from_word(frame[viewers as usize]) & everyone | own;
    let mut left = PlayerSet::from_word(frame[event.viewers as usize]) & everyone | own;
    for (_, viewers) in &event.parts {
        left |= seen(*viewers);
    }
    let mut values: smallvec::SmallVec<[u64; 16]> = smallvec::SmallVec::new();
    while let Some(first) = left.lowest() {
        let mut group = left;
        let mut pattern = 0u64;
        values.clear();
        if let Some(alternative) = event.alternative {
            values.push(u64::from(alternative));
        }
        for (i, (value, viewers)) in event.parts.iter().enumerate() {
            let sees = seen(*viewers);
            if sees.contains(first) {
                group &= sees;
                pattern |= 1 << (i % 64);
                values.extend_from_slice(set(frame, *value));
            } else {
                group -= sees;
            }
        }
        host.event(Event {
            site: event.site,
            viewers: group,
            chooser,
            whole: pattern.count_ones() as usize == event.parts.len(),
            pattern,
            values: &values,
        });
        left -= group;
    }
}
