//! Instructions: a row for each, with all that is to be known of it but its meaning.

use super::table::Access::{Part, Read, Write};
use super::table::{Names, Reader, Renamer, instructions};
use super::tuple::{self, Bulk};
use super::verify::Verifier;
use super::{EventCode, FaultId, Op, SampleCode, SetOp, Table};

/// The first slot of a value.
pub type Slot = u32;

/// A value in the frame: its first slot and how many words it takes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    pub slot: Slot,
    pub words: u16,
}

instructions! {
    with t, n, tables, v;

    /// One step of straight-line code. Scalars are slots; sets are operands of one or more words.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub enum Instr {
        Const { dst: Slot, value: i64 } => {
            touches { t.number(Write, dst); }
            text { format!("{} = {value}", n.slot(dst)) }
        }
        Copy { dst: Slot, src: Slot, words: u16 } => {
            touches {
                t.any_at(Read, src, u32::from(*words));
                t.any_at(Write, dst, u32::from(*words));
            }
            text {
                match words {
                    1 => format!("{} = {}", n.slot(dst), n.slot(src)),
                    _ => format!("{}:{words} = {}:{words}", n.slot(dst), n.slot(src)),
                }
            }
            work { per_word(*words) }
        }
        Binary { op: Op, dst: Slot, a: Slot, b: Slot } => {
            touches {
                t.number(Read, a);
                t.number(Read, b);
                t.number(Write, dst);
            }
            text { format!("{} = {} {} {}", n.slot(dst), n.slot(a), op.sign(), n.slot(b)) }
            long { matches!(op, Op::Div | Op::Mod) }
        }
        /// As `Binary` with a constant on the right.
        Immediate { op: Op, dst: Slot, a: Slot, value: i64 } => {
            touches {
                t.number(Read, a);
                t.number(Write, dst);
            }
            text { format!("{} = {} {} {value}", n.slot(dst), n.slot(a), op.sign()) }
            long { matches!(op, Op::Div | Op::Mod) }
        }
        Not { dst: Slot, a: Slot } => {
            touches {
                t.number(Read, a);
                t.number(Write, dst);
            }
            text { format!("{} = not {}", n.slot(dst), n.slot(a)) }
        }
        /// `dst = if cond then a else b`.
        Select { dst: Slot, cond: Slot, a: Slot, b: Slot, words: u16 } => {
            touches {
                t.number(Read, cond);
                t.any_at(Read, a, u32::from(*words));
                t.any_at(Read, b, u32::from(*words));
                t.any_at(Write, dst, u32::from(*words));
            }
            text { format!("{} = {} ? {} : {}", n.slot(dst), n.slot(cond), n.slot(a), n.slot(b)) }
            work { per_word(*words) }
        }
        /// `dst = frame[base + index * words …]`, for an index below `count`.
        Load { dst: Slot, base: Slot, index: Slot, words: u16, count: u32 } => {
            touches {
                t.number(Read, index);
                t.any_at(Read, base, *count * u32::from(*words));
                t.any_at(Write, dst, u32::from(*words));
            }
            text { format!("{} = {}[{}] of {count}", n.slot(dst), n.slot(base), n.slot(index)) }
            work { per_word(*words) }
            law { v.at_least_one(*count, "an array without elements") }
        }
        Store { base: Slot, index: Slot, src: Slot, words: u16, count: u32 } => {
            touches {
                t.number(Read, index);
                t.any_at(Read, src, u32::from(*words));
                t.any_at(Part, base, *count * u32::from(*words));
            }
            text { format!("{}[{}] of {count} = {}", n.slot(base), n.slot(index), n.slot(src)) }
            work { per_word(*words) }
            law { v.at_least_one(*count, "an array without elements") }
        }
        /// `dst = tables[table][index]`.
        Table { dst: Slot, table: u32, index: Slot, words: u16 } => {
            touches {
                t.number(Read, index);
                t.any_at(Write, dst, u32::from(*words));
            }
            text { format!("{} = table {table}[{}]", n.slot(dst), n.slot(index)) }
            work { per_word(*words) }
            law { v.table(*table, *words) }
        }
        /// An error of play unless `lo <= value <= hi`.
        Check { value: Slot, lo: i64, hi: i64, fault: FaultId } => {
            touches { t.number(Read, value); }
            text { format!("check {} in {lo}..{hi}", n.slot(value)) }
            law { v.fault(*fault) }
            pure { false }
        }
        SetConst { dst: Slot, words: Vec<u64> } => {
            touches { t.set_at(Write, dst, words.len() as u32); }
            text {
                let bits: Vec<String> = words.iter().map(|w| format!("{w:#x}")).collect();
                format!("{} = bits {}", n.slot(dst), bits.join(" "))
            }
            work { per_word(words.len() as u16) }
        }
        /// Makes room for words that nobody reads before they are written: what stands in them means nothing.
        Reserve { dst: Slot, words: u32 } => {
            touches { t.any_at(Write, dst, *words); }
            text { format!("reserve {}:{words}", n.slot(dst)) }
            work { 0 }
            pure { false }
        }
        SetBinary { op: SetOp, dst: Slot, a: Slot, b: Slot, words: u16 } => {
            touches {
                t.set_at(Read, a, u32::from(*words));
                t.set_at(Read, b, u32::from(*words));
                t.set_at(Write, dst, u32::from(*words));
            }
            text { format!("{} = {} {} {}", n.slot(dst), n.slot(a), op.sign(), n.slot(b)) }
            work { per_word(*words) }
        }
        /// `dst = element in set`; false for an element outside.
        SetTest { dst: Slot, set: Operand, element: Slot } => {
            touches {
                t.number(Read, element);
                t.set(Read, set);
                t.number(Write, dst);
            }
            text { format!("{} = {} ∈ {}", n.slot(dst), n.slot(element), n.set(set)) }
        }
        SetInsert { set: Operand, element: Slot } => {
            touches {
                t.number(Read, element);
                t.set(Part, set);
            }
            text { format!("{} ∪= {}", n.set(set), n.slot(element)) }
        }
        SetRemove { set: Operand, element: Slot } => {
            touches {
                t.number(Read, element);
                t.set(Part, set);
            }
            text { format!("{} ∖= {}", n.set(set), n.slot(element)) }
        }
        SetCount { dst: Slot, set: Operand } => {
            touches {
                t.set(Read, set);
                t.number(Write, dst);
            }
            text { format!("{} = size {}", n.slot(dst), n.set(set)) }
            work { per_word(set.words) }
        }
        /// The least element after `after`, or −1.
        SetNext { dst: Slot, set: Operand, after: Slot } => {
            touches {
                t.number(Read, after);
                t.set(Read, set);
                t.number(Write, dst);
            }
            text { format!("{} = next in {} after {}", n.slot(dst), n.set(set), n.slot(after)) }
            work { per_word(set.words) }
        }
        /// The element with so many others before it, or −1.
        SetNth { dst: Slot, set: Operand, rank: Slot } => {
            touches {
                t.number(Read, rank);
                t.set(Read, set);
                t.number(Write, dst);
            }
            text { format!("{} = element {} of {}", n.slot(dst), n.slot(rank), n.set(set)) }
            work { per_word(set.words) }
        }
        /// The greatest element, or −1.
        SetLast { dst: Slot, set: Operand } => {
            touches {
                t.set(Read, set);
                t.number(Write, dst);
            }
            text { format!("{} = last in {}", n.slot(dst), n.set(set)) }
            work { per_word(set.words) }
        }
        SetEq { dst: Slot, a: Slot, b: Slot, words: u16 } => {
            touches {
                t.any_at(Read, a, u32::from(*words));
                t.any_at(Read, b, u32::from(*words));
                t.number(Write, dst);
            }
            text { format!("{} = {} same as {}", n.slot(dst), n.slot(a), n.slot(b)) }
            work { per_word(*words) }
        }
        /// `a ⊆ b`.
        SetSubset { dst: Slot, a: Slot, b: Slot, words: u16 } => {
            touches {
                t.set_at(Read, a, u32::from(*words));
                t.set_at(Read, b, u32::from(*words));
                t.number(Write, dst);
            }
            text { format!("{} = {} ⊆ {}", n.slot(dst), n.slot(a), n.slot(b)) }
            work { per_word(*words) }
        }
        /// The elements of `src` that come before `element`.
        SetBefore { dst: Slot, src: Operand, element: Slot } => {
            touches {
                t.number(Read, element);
                t.set(Read, src);
                t.set_at(Write, dst, u32::from(src.words));
            }
            text { format!("{} = {} before {}", n.slot(dst), n.set(src), n.slot(element)) }
            work { per_word(src.words) }
            long { true }
        }
        /// The places, from 0, at which an array of `count` numbers holds a value.
        SetWhere { dst: Operand, base: Slot, count: u32, value: Slot } => {
            touches {
                t.number(Read, value);
                t.any_at(Read, base, *count);
                t.set(Write, dst);
            }
            text { format!("{} = places in {} of {count} with {}", n.set(dst), n.slot(base), n.slot(value)) }
            work { u64::from(*count) }
            long { true }
        }
        /// The places, from 0, at which an array of `count` numbers holds one of some values, which are below 64.
        SetAmong { dst: Operand, base: Slot, count: u32, values: Slot } => {
            touches {
                t.number(Read, values);
                t.any_at(Read, base, *count);
                t.set(Write, dst);
            }
            text { format!("{} = places in {} of {count} with any of {}", n.set(dst), n.slot(base), n.slot(values)) }
            work { u64::from(*count) }
            long { true }
        }
        /// The `count` greatest elements of `src`.
        SetTop { dst: Slot, src: Operand, count: Slot } => {
            touches {
                t.number(Read, count);
                t.set(Read, src);
                t.set_at(Write, dst, u32::from(src.words));
            }
            text { format!("{} = top {} of {}", n.slot(dst), n.slot(count), n.set(src)) }
            work { per_element(src.words) }
            long { true }
        }
        /// The elements from `lo` to `hi`, both included.
        SetRange { dst: Operand, lo: Slot, hi: Slot } => {
            touches {
                t.number(Read, lo);
                t.number(Read, hi);
                t.set(Write, dst);
            }
            text { format!("{} = {}..{}", n.set(dst), n.slot(lo), n.slot(hi)) }
            work { per_element(dst.words) }
            long { true }
        }
        /// The nodes next to those of `src`: the rows of the table for its elements, joined.
        SetNeighbours { dst: Operand, src: Operand, table: u32 } => {
            touches {
                t.set(Read, src);
                t.set(Write, dst);
            }
            text { format!("{} = next to {} by table {table}", n.set(dst), n.set(src)) }
            work { over_board(*table, tables) }
            law {
                v.same_words(&[*dst, *src])?;
                v.table(*table, dst.words)
            }
            long { true }
        }
        /// What can be reached from `from` by steps inside `within`. The table holds the neighbours of each node.
        SetGroup { dst: Operand, from: Operand, within: Operand, table: u32 } => {
            touches {
                t.set(Read, from);
                t.set(Read, within);
                t.set(Write, dst);
            }
            text {
                let (dst, from, within) = (n.set(dst), n.set(from), n.set(within));
                format!("{dst} = group of {from} in {within} by table {table}")
            }
            work { over_board(*table, tables) }
            law {
                v.same_words(&[*dst, *from, *within])?;
                v.table(*table, dst.words)
            }
            long { true }
        }
        /// The cells after `from` in a direction, as long as they are in `within`; or, with `both`, the unbroken line in
        /// `within` through `from`, that way and the opposite one. The table holds for each cell and each of the `ways`
        /// the next cell, plus one, or 0.
        SetRun {
            dst: Operand,
            from: Slot,
            way: Slot,
            within: Operand,
            table: u32,
            ways: u32,
            both: bool,
        } => {
            touches {
                t.number(Read, from);
                t.number(Read, way);
                t.set(Read, within);
                t.set(Write, dst);
            }
            text {
                let (dst, within) = (n.set(dst), n.set(within));
                let (from, way) = (n.slot(from), n.slot(way));
                let kind = if *both { "line" } else { "run" };
                format!("{dst} = {kind} from {from} towards {way} in {within} by table {table}")
            }
            work { per_element(dst.words) }
            law {
                v.same_words(&[*dst, *within])?;
                v.at_least_one(*ways, "a run without directions")?;
                v.table(*table, 1)
            }
            long { true }
        }
        /// Whether the line through `from` (as that of `SetRun` with `both`) has at least so many cells.
        LineAtLeast {
            dst: Slot,
            from: Slot,
            way: u32,
            within: Operand,
            table: u32,
            ways: u32,
            least: u32,
        } => {
            touches {
                t.number(Read, from);
                t.set(Read, within);
                t.number(Write, dst);
            }
            text {
                let (dst, from, within) = (n.slot(dst), n.slot(from), n.set(within));
                format!("{dst} = {least} in line from {from} towards {way} in {within} by table {table}")
            }
            work { per_element(within.words) }
            law {
                v.at_least_one(*ways, "a line without directions")?;
                v.table(*table, 1)
            }
            long { true }
        }
        /// The distance from one node to another. The table holds for each node those to all nodes, in `words` words with
        /// `bits` bits for each distance.
        Hops { dst: Slot, from: Slot, to: Slot, table: u32, words: u16, bits: u32 } => {
            touches {
                t.number(Read, from);
                t.number(Read, to);
                t.number(Write, dst);
            }
            text {
                let (dst, from, to) = (n.slot(dst), n.slot(from), n.slot(to));
                format!("{dst} = hops {from} to {to} by table {table}")
            }
            law {
                if !matches!(bits, 8 | 16) {
                    return Err(format!("distances of {bits} bits"));
                }
                v.table(*table, *words)
            }
            long { true }
        }
        /// Renumbers elements by adding `by`; an error of play when one leaves `0..size`. The element of `src` with
        /// ordinal 0 has the value `lo`.
        SetShift { dst: Operand, src: Operand, lo: i64, by: i64, size: u64, fault: FaultId } => {
            touches {
                t.set(Read, src);
                t.set(Write, dst);
            }
            text { format!("{} = {} renumbered by {by}", n.set(dst), n.set(src)) }
            work { per_element(src.words) }
            law { v.fault(*fault) }
            pure { false }
        }
        /// Somebody sees something. Each player among the viewers of anything gets the values that it sees. The
        /// alternative is seen by its viewers; without labels, by all who see a part.
        Event(event: Box<EventCode>) => {
            touches { t.event(event); }
            text { event.text(n) }
            work { 4 * (1 + event.parts.len() as u64) }
            law { v.site(event.site) }
            pure { false }
        }
        /// The first subset of `set` with `count` elements in the order of [`ListingKind::Subset`]; `found`: there is one.
        ///
        /// [`ListingKind::Subset`]: super::ListingKind::Subset
        SubsetFirst { dst: Operand, set: Operand, count: Slot, found: Slot } => {
            touches {
                t.number(Read, count);
                t.set(Read, set);
                t.set(Write, dst);
                t.number(Write, found);
            }
            text {
                let (dst, found) = (n.set(dst), n.slot(found));
                format!("{dst}, {found} = first {} of {}", n.slot(count), n.set(set))
            }
            work { per_element(set.words) }
            law { v.subset(*dst, *set) }
        }
        /// The subset of `set` after the one in `dst`, with as many elements; `found`: there is one.
        SubsetNext { dst: Operand, set: Operand, found: Slot } => {
            touches {
                t.set(Read, set);
                t.set(Part, dst);
                t.number(Write, found);
            }
            text { format!("{}, {} = next as many of {}", n.set(dst), n.slot(found), n.set(set)) }
            work { per_element(set.words) }
            law { v.subset(*dst, *set) }
        }
        /// Play comes to a place; it changes nothing of the game.
        Reach { place: u32 } => {
            touches {}
            text { format!("reach {place}") }
            law { v.place(*place) }
            pure { false }
        }
        /// One tuple of a listing: the values of the parts, and for a weighted draw the weight. Of tuples with a `rank`
        /// only those with the least one count. `bulk`: many tuples at once.
        Emit {
            alternative: u32,
            parts: Vec<Operand>,
            weight: Option<Slot>,
            rank: Option<Slot>,
            bulk: Option<Bulk>,
        } => {
            touches {
                t.tuple(parts, bulk);
                if let Some(weight) = weight {
                    t.number(Read, weight);
                }
                if let Some(rank) = rank {
                    t.number(Read, rank);
                }
            }
            text { tuple::text(*alternative, parts, [weight, rank], bulk.as_ref(), n) }
            work {
                let counted = bulk.map_or(0, |bulk| bulk.work());
                counted + parts.iter().map(|p| per_word(p.words)).sum::<u64>()
            }
            law { bulk.map_or(Ok(()), |bulk| bulk.law(parts, v)) }
            pure { false }
        }
        /// Something is sampled: in a trial, and in the flow of a playout. The rest of a program leaves sampling to
        /// whoever runs it.
        Sample(code: Box<SampleCode>) => {
            touches { t.sample(code); }
            text { code.text(n) }
            work { code.work(tables) }
            law { code.law(v) }
            pure { false }
        }
    }
}

/// Whole words are gone through.
pub(super) fn per_word(words: u16) -> u64 {
    1 + u64::from(words) / 4
}

/// Elements are looked at one by one.
fn per_element(words: u16) -> u64 {
    u64::from(words) * 64
}

/// A row of the table is joined for every node.
fn over_board(table: u32, tables: &[Table]) -> u64 {
    let size = tables.get(table as usize).map_or(0, |t| t.values.len());
    1 + size as u64 / 4
}
