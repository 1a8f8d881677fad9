//! Which slots an instruction reads and writes.

use super::*;

impl Instr {
    /// Calls `f(slot, words, written)` for every range of slots that the instruction reads or writes, reads first.
    /// A `Store`, an insertion and a removal only read their range here: they keep most of it, so to liveness they are no
    /// fresh writes.
    pub fn visit(&self, f: &mut dyn FnMut(Slot, u32, bool)) {
        self.clone()
            .visit_mut(&mut |slot, words, written| f(*slot, words, written));
    }

    /// As [`Instr::visit`], and lets the slots be renumbered.
    pub fn visit_mut(&mut self, f: &mut dyn FnMut(&mut Slot, u32, bool)) {
        use Instr::*;
        match self {
            Const { dst, .. } => f(dst, 1, true),
            Copy { dst, src, words } => {
                f(src, u32::from(*words), false);
                f(dst, u32::from(*words), true);
            }
            Binary { dst, a, b, .. } => {
                f(a, 1, false);
                f(b, 1, false);
                f(dst, 1, true);
            }
            Immediate { dst, a, .. } | Not { dst, a } => {
                f(a, 1, false);
                f(dst, 1, true);
            }
            Select {
                dst,
                cond,
                a,
                b,
                words,
            } => {
                f(cond, 1, false);
                f(a, u32::from(*words), false);
                f(b, u32::from(*words), false);
                f(dst, u32::from(*words), true);
            }
            Load {
                dst,
                base,
                index,
                words,
                count,
            } => {
                f(index, 1, false);
                f(base, *count * u32::from(*words), false);
                f(dst, u32::from(*words), true);
            }
            Store {
                base,
                index,
                src,
                words,
                count,
            } => {
                f(index, 1, false);
                f(src, u32::from(*words), false);
                f(base, *count * u32::from(*words), false);
            }
            Table {
                dst, index, words, ..
            } => {
                f(index, 1, false);
                f(dst, u32::from(*words), true);
            }
            Check { value, .. } => f(value, 1, false),
            SetConst { dst, words } => f(dst, words.len() as u32, true),
            SetBinary {
                dst, a, b, words, ..
            } => {
                f(a, u32::from(*words), false);
                f(b, u32::from(*words), false);
                f(dst, u32::from(*words), true);
            }
            SetTest { dst, set, element } => {
                f(element, 1, false);
                f(&mut set.slot, u32::from(set.words), false);
                f(dst, 1, true);
            }
            SetInsert { set, element } | SetRemove { set, element } => {
                f(element, 1, false);
                f(&mut set.slot, u32::from(set.words), false);
            }
            SetCount { dst, set } | SetLast { dst, set } => {
                f(&mut set.slot, u32::from(set.words), false);
                f(dst, 1, true);
            }
            SetNext { dst, set, after } => {
                f(after, 1, false);
                f(&mut set.slot, u32::from(set.words), false);
                f(dst, 1, true);
            }
            SetEq { dst, a, b, words } | SetSubset { dst, a, b, words } => {
                f(a, u32::from(*words), false);
                f(b, u32::from(*words), false);
                f(dst, 1, true);
            }
            SetBefore { dst, src, element } => {
                f(element, 1, false);
                f(&mut src.slot, u32::from(src.words), false);
                f(dst, u32::from(src.words), true);
            }
            SetTop { dst, src, count } => {
                f(count, 1, false);
                f(&mut src.slot, u32::from(src.words), false);
                f(dst, u32::from(src.words), true);
            }
            SetRange { dst, lo, hi } => {
                f(lo, 1, false);
                f(hi, 1, false);
                f(&mut dst.slot, u32::from(dst.words), true);
            }
            SetAround { dst, src, .. } => {
                f(&mut src.slot, u32::from(src.words), false);
                f(&mut dst.slot, u32::from(dst.words), true);
            }
            SetGroup {
                dst, from, within, ..
            } => {
                f(&mut from.slot, u32::from(from.words), false);
                f(&mut within.slot, u32::from(within.words), false);
                f(&mut dst.slot, u32::from(dst.words), true);
            }
            SetRun {
                dst,
                from,
                way,
                within,
                ..
            } => {
                f(from, 1, false);
                f(way, 1, false);
                f(&mut within.slot, u32::from(within.words), false);
                f(&mut dst.slot, u32::from(dst.words), true);
            }
            Reach { .. } => {}
            Hops { dst, from, to, .. } => {
                f(from, 1, false);
                f(to, 1, false);
                f(dst, 1, true);
            }
            SetShift { dst, src, .. } => {
                f(&mut src.slot, u32::from(src.words), false);
                f(&mut dst.slot, u32::from(dst.words), true);
            }
            Event(event) => {
                if let Some(chooser) = &mut event.chooser {
                    f(chooser, 1, false);
                }
                f(&mut event.viewers, 1, false);
                for (value, viewers) in &mut event.parts {
                    f(&mut value.slot, u32::from(value.words), false);
                    f(viewers, 1, false);
                }
            }
            SubsetFirst {
                dst,
                set,
                count,
                found,
            } => {
                f(count, 1, false);
                f(&mut set.slot, u32::from(set.words), false);
                f(&mut dst.slot, u32::from(dst.words), true);
                f(found, 1, true);
            }
            SubsetNext { dst, set, found } => {
                f(&mut set.slot, u32::from(set.words), false);
                f(&mut dst.slot, u32::from(dst.words), false);
                f(found, 1, true);
            }
            Emit {
                parts,
                weight,
                rank,
                bulk,
                ..
            } => {
                // Parts in bulk are no values yet.
                let whole = parts.len().saturating_sub(bulk.map_or(0, |b| b.parts()));
                for part in &mut parts[..whole] {
                    f(&mut part.slot, u32::from(part.words), false);
                }
                if let Some(bulk) = bulk {
                    for part in &mut parts[whole..] {
                        f(&mut part.slot, u32::from(part.words), true);
                    }
                    match bulk {
                        Bulk::Elements { set, .. } => f(&mut set.slot, u32::from(set.words), false),
                        Bulk::Subsets { set, count } => {
                            f(&mut set.slot, u32::from(set.words), false);
                            f(count, 1, false);
                        }
                        Bulk::Pairs { first, second } => {
                            for (set, _) in [first, second] {
                                f(&mut set.slot, u32::from(set.words), false);
                            }
                        }
                    }
                }
                if let Some(weight) = weight {
                    f(weight, 1, false);
                }
                if let Some(rank) = rank {
                    f(rank, 1, false);
                }
            }
            Sample(code) => code.visit_mut(f),
        }
    }
}

impl SampleCode {
    fn visit_mut(&mut self, f: &mut dyn FnMut(&mut Slot, u32, bool)) {
        match self {
            SampleCode::Below { dst, n } => {
                f(n, 1, false);
                f(dst, 1, true);
            }
            SampleCode::Member { dst, set, hit, .. } => {
                f(&mut set.slot, u32::from(set.words), false);
                f(dst, 1, true);
                f(hit, 1, true);
            }
            SampleCode::Attempts { dst, .. } | SampleCode::Listed { dst } => f(dst, 1, true),
            SampleCode::Element { dst, set, .. } => {
                f(&mut set.slot, u32::from(set.words), false);
                f(dst, 1, true);
            }
            SampleCode::Subset {
                dst, set, count, ..
            } => {
                f(count, 1, false);
                f(&mut set.slot, u32::from(set.words), false);
                f(&mut dst.slot, u32::from(dst.words), true);
            }
            SampleCode::Tuple {
                chosen,
                alternatives,
                ..
            } => {
                // Only the parts of one alternative are written; what the others had before may be wanted still.
                let whole = alternatives.len() == 1;
                for part in alternatives.iter_mut().flatten() {
                    f(&mut part.slot, u32::from(part.words), whole);
                }
                f(chosen, 1, true);
            }
            SampleCode::Told {
                player,
                chosen,
                alternatives,
                ..
            } => {
                if let Some(player) = player {
                    f(player, 1, false);
                }
                f(chosen, 1, false);
                for part in alternatives.iter_mut().flatten() {
                    f(&mut part.slot, u32::from(part.words), false);
                }
            }
        }
    }
}
