//! Superinstructions: opcodes in a row fused into one, where the value between them is used by nothing else.

use super::code::{At, Opcode};

/// Steps in a row, joined as they come.
#[derive(Default)]
pub(super) struct Fused {
    opcodes: Vec<Opcode>,
    /// For each the slots that it touches and that are dead after it.
    dying: Vec<Vec<At>>,
}

impl Fused {
    /// Adds an opcode. `dying`: what it touches and is not read afterwards; `known`: the values of constants.
    pub fn push(
        &mut self,
        mut opcode: Opcode,
        mut dying: Vec<At>,
        known: impl Fn(At) -> Option<i64> + Copy,
    ) {
        while let Some(before) = self.opcodes.last() {
            let Some(fused) = fuse(*before, opcode, |at| dying.contains(&at), known) else {
                break;
            };
            opcode = fused;
            self.opcodes.pop();
            dying.extend(self.dying.pop().unwrap_or_default());
        }
        self.opcodes.push(opcode);
        self.dying.push(dying);
    }

    /// Fuses a jump back with the last opcode, where there is an opcode for such a loop.
    pub fn close(&mut self, jump: Opcode, known: impl Fn(At) -> Option<i64>) -> bool {
        let (Some(last), Opcode::JumpLt { a: limit, b, to }) = (self.opcodes.last_mut(), jump)
        else {
            return false;
        };
        match *last {
            Opcode::Next { dst, a, b: after } if b == dst && known(limit) == Some(-1) => {
                *last = Opcode::NextLoop {
                    dst,
                    a,
                    b: after,
                    to,
                    cost: 0,
                };
                true
            }
            _ => false,
        }
    }

    pub fn opcodes(self) -> Vec<Opcode> {
        self.opcodes
    }
}

/// Whether a slot is none of an array's.
fn apart(slot: At, base: At, count: u16) -> bool {
    slot.wrapping_sub(base) >= count
}

/// One opcode that does what `first` and then `second` do. `dead`: the slot is not read after `second`.
#[expect(
    clippy::too_many_lines,
    reason = "a table of pairs, each a few lines by itself"
)]
fn fuse(
    first: Opcode,
    second: Opcode,
    dead: impl Fn(At) -> bool,
    known: impl Fn(At) -> Option<i64>,
) -> Option<Opcode> {
    use Opcode::*;
    let small = |value: i64| i16::try_from(value).ok();
    Some(match (first, second) {
        (Listed { dst }, JumpIf { a, to }) if a == dst && dead(dst) => JumpListed { to },
        (Listed { dst }, JumpIfNot { a, to }) if a == dst && dead(dst) => JumpNotListed { to },
        (Copy { dst, a }, Copy { dst: second, a: b }) => CopyTwo { dst, a, second, b },

        // Arithmetic.
        (Mul { dst: t, a, b }, AddConst { dst, a: u, value }) if u == t && dead(t) => Affine {
            dst,
            a,
            mul: small(known(b)?)?,
            add: small(i64::from(value))?,
        },
        (AddConst { dst: t, a, value }, Mul { dst, a: u, b }) if u == t && b != t && dead(t) => {
            let mul = small(known(b)?)?;
            Affine {
                dst,
                a,
                mul,
                add: small(i64::from(value) * i64::from(mul))?,
            }
        }
        (
            Affine {
                dst: t,
                a,
                mul,
                add,
            },
            Add { dst, a: u, b: v },
        ) if (u == t) != (v == t) && dead(t) => AffineAdd {
            dst,
            a,
            mul,
            add,
            b: if u == t { v } else { u },
        },
        (Mul { dst: t, a, b: by }, Add { dst, a: u, b: v }) if (u == t) != (v == t) && dead(t) => {
            AffineAdd {
                dst,
                a,
                mul: small(known(by)?)?,
                add: 0,
                b: if u == t { v } else { u },
            }
        }
        (
            AddConst {
                dst: t,
                a: u,
                value,
            },
            AffineAdd {
                dst,
                a,
                mul,
                add,
                b,
            },
        ) if b == t && a != t && dead(t) => AffineAdd {
            dst,
            a,
            mul,
            add: small(i64::from(value) + i64::from(add))?,
            b: u,
        },
        (
            AffineAdd {
                dst: t,
                a,
                mul,
                add,
                b,
            },
            TableWide {
                dst,
                index,
                words,
                from,
            },
        ) if index == t && dead(t) => TableWideBy {
            dst,
            a,
            mul,
            b,
            words,
            from: from.wrapping_add((i32::from(add) * i32::from(words)) as u32),
        },
        (
            TableWideBy {
                dst: t,
                a,
                mul,
                b,
                words,
                from,
            },
            WithoutWide {
                dst,
                a: u,
                b: c,
                words: of,
            },
        ) if u == t && of == words && t.abs_diff(c) >= words && dead(t) => TableWithoutWideBy {
            dst,
            a,
            mul,
            b,
            c,
            words: u8::try_from(words).ok()?,
            from,
        },
        (Add { dst, a, b }, Check { a: t, check }) if t == dst => AddCheck { dst, a, b, check },
        (AddConst { dst, a, value }, Check { a: t, check }) if t == dst => AddConstCheck {
            dst,
            a,
            value: small(i64::from(value))?,
            check,
        },

        // Arrays.
        (
            Affine {
                dst: t,
                a,
                mul,
                add,
            },
            Load {
                dst,
                base,
                index,
                count,
            },
        ) if index == t && dead(t) && apart(t, base, count) => LoadAffine {
            dst,
            base,
            a,
            mul,
            add,
            count,
        },
        (
            AddConst { dst: t, a, value },
            Load {
                dst,
                base,
                index,
                count,
            },
        ) if index == t && dead(t) && apart(t, base, count) => LoadAffine {
            dst,
            base,
            a,
            mul: 1,
            add: small(i64::from(value))?,
            count,
        },
        (
            Mul { dst: t, a, b },
            Load {
                dst,
                base,
                index,
                count,
            },
        ) if index == t && dead(t) && apart(t, base, count) => LoadAffine {
            dst,
            base,
            a,
            mul: small(known(b)?)?,
            add: 0,
            count,
        },
        (
            Load {
                dst: t,
                base,
                index,
                count,
            },
            AddConstCheck {
                dst,
                a,
                value,
                check,
            },
        ) if a == t && (dead(t) || dst == t) => LoadAddCheck {
            dst,
            base,
            index,
            count,
            value,
            check,
        },
        (
            LoadAddCheck {
                dst,
                base,
                index,
                count,
                value,
                check,
            },
            Store {
                base: to,
                index: at,
                a,
                count: of,
            },
        ) if (to, at, of, a) == (base, index, count, dst)
            && index != dst
            && dead(dst)
            && apart(dst, base, count) =>
        {
            Bump {
                base,
                index,
                count,
                value,
                check,
            }
        }
        (
            Affine {
                dst: t,
                a,
                mul,
                add,
            },
            Table {
                dst,
                index,
                count,
                from,
            },
        ) if index == t && dead(t) => TableAffine {
            dst,
            a,
            mul,
            add,
            count: u16::try_from(count).ok()?,
            from,
        },
        (
            AddConst { dst: t, a, value },
            Table {
                dst,
                index,
                count,
                from,
            },
        ) if index == t && dead(t) => TableAffine {
            dst,
            a,
            mul: 1,
            add: small(i64::from(value))?,
            count: u16::try_from(count).ok()?,
            from,
        },
        (
            Mul { dst: t, a, b },
            Table {
                dst,
                index,
                count,
                from,
            },
        ) if index == t && dead(t) => TableAffine {
            dst,
            a,
            mul: small(known(b)?)?,
            add: 0,
            count: u16::try_from(count).ok()?,
            from,
        },
        (
            Table {
                dst: t,
                index,
                count,
                from,
            },
            And { dst, a, b } | Or { dst, a, b },
        ) if (a == t) != (b == t) && dead(t) => {
            let b = if a == t { b } else { a };
            match second {
                And { .. } => TableAnd {
                    dst,
                    index,
                    b,
                    count,
                    from,
                },
                _ => TableOr {
                    dst,
                    index,
                    b,
                    count,
                    from,
                },
            }
        }
        (
            Table {
                dst: t,
                index,
                count,
                from,
            },
            Without { dst, a, b },
        ) if a == t && b != t && dead(t) => TableWithout {
            dst,
            index,
            b,
            count,
            from,
        },
        (
            Table {
                dst: t,
                index,
                count,
                from,
            },
            JumpIf { a, to } | JumpIfNot { a, to },
        ) if a == t && dead(t) => match second {
            JumpIf { .. } => JumpRow {
                index,
                count,
                from,
                to,
            },
            _ => JumpNotRow {
                index,
                count,
                from,
                to,
            },
        },
        (
            TableWide {
                dst: t,
                index,
                words,
                from,
            },
            UnionWide {
                dst,
                a,
                b,
                words: of,
            },
        ) if of == words && (a == t) != (b == t) && dead(t) => TableOrWide {
            dst,
            index,
            words,
            b: if a == t { b } else { a },
            from,
        },

        // Sets.
        (AddConst { dst: t, a, value }, Insert { a: set, b }) if b == t && set != t && dead(t) => {
            InsertAt {
                a: set,
                b: a,
                add: small(i64::from(value))?,
            }
        }
        (AddConst { dst: t, a, value }, Remove { a: set, b }) if b == t && set != t && dead(t) => {
            RemoveAt {
                a: set,
                b: a,
                add: small(i64::from(value))?,
            }
        }
        (AddConst { dst: t, a, value }, InsertWide { a: set, words, b })
            if b == t && dead(t) && !(set..set.wrapping_add(words)).contains(&t) =>
        {
            InsertWideAt {
                a: set,
                words,
                b: a,
                add: small(i64::from(value))?,
            }
        }
        (
            InsertWideAt { a, words, b, add },
            InsertWideAt {
                a: set,
                words: of,
                b: next,
                add: same,
            },
        ) if (set, of, same) == (a, words, add) && next == b.wrapping_add(1) => InsertRow {
            a,
            words,
            b,
            add,
            count: 2,
        },
        (
            InsertRow {
                a,
                words,
                b,
                add,
                count,
            },
            InsertWideAt {
                a: set,
                words: of,
                b: next,
                add: same,
            },
        ) if (set, of, same) == (a, words, add)
            && next == b.wrapping_add(u16::from(count))
            && count < u8::MAX =>
        {
            InsertRow {
                a,
                words,
                b,
                add,
                count: count + 1,
            }
        }
        (
            Single { dst, words, b, add },
            InsertWideAt {
                a: set,
                words: of,
                b: next,
                add: same,
            },
        ) if (set, of, same) == (dst, words, add) && next == b.wrapping_add(1) => Gather {
            dst,
            words,
            b,
            add,
            count: 2,
        },
        (
            Gather {
                dst,
                words,
                b,
                add,
                count,
            },
            InsertWideAt {
                a: set,
                words: of,
                b: next,
                add: same,
            },
        ) if (set, of, same) == (dst, words, add)
            && next == b.wrapping_add(u16::from(count))
            && count < u8::MAX =>
        {
            Gather {
                dst,
                words,
                b,
                add,
                count: count + 1,
            }
        }
        (Without { dst: t, a, b }, Without { dst, a: u, b: c }) if u == t && c != t && dead(t) => {
            WithoutBoth { dst, a, b, c }
        }
        (
            WithoutWide {
                dst: t,
                a,
                b,
                words,
            },
            WithoutWide {
                dst,
                a: u,
                b: c,
                words: of,
            },
        ) if u == t && c != t && of == words && dead(t) => WithoutBothWide {
            dst,
            a,
            b,
            c,
            words,
        },
        (
            CopyWide { dst, a, words },
            InsertWide {
                a: set,
                words: of,
                b,
            },
        ) if set == dst
            && of == words
            && (0..words).all(|w| known(a.wrapping_add(w)) == Some(0))
            && !(dst..dst.wrapping_add(words)).contains(&b) =>
        {
            Single {
                dst,
                words,
                b,
                add: 0,
            }
        }
        (
            CopyWide { dst, a, words },
            InsertWideAt {
                a: set,
                words: of,
                b,
                add,
            },
        ) if set == dst
            && of == words
            && (0..words).all(|w| known(a.wrapping_add(w)) == Some(0))
            && !(dst..dst.wrapping_add(words)).contains(&b) =>
        {
            Single { dst, words, b, add }
        }
        (
            Without { dst: t, a, b },
            Element {
                dst,
                a: u,
                lo,
                fault,
            },
        ) if u == t && dead(t) => ElementWithout {
            dst,
            a,
            b,
            c: b,
            lo,
            fault,
        },
        (
            WithoutBoth { dst: t, a, b, c },
            Element {
                dst,
                a: u,
                lo,
                fault,
            },
        ) if u == t && dead(t) => ElementWithout {
            dst,
            a,
            b,
            c,
            lo,
            fault,
        },
        (
            ElementWithout {
                dst,
                a,
                b,
                c,
                lo,
                fault,
            },
            Insert { a: into, b: t },
        ) if t == dst && into != dst && known(lo) == Some(0) => TakeWithout {
            dst,
            set: into,
            a,
            b,
            c,
            fault,
        },
        (Next { dst, a, b }, JumpLe { a: t, b: limit, to })
            if t == dst && known(limit) == Some(-1) =>
        {
            NextOr { dst, a, b, to }
        }
        (First { dst, a }, JumpLe { a: t, b: limit, to })
            if t == dst && known(limit) == Some(-1) =>
        {
            NextOr {
                dst,
                a,
                b: limit,
                to,
            }
        }
        (NextWide { dst, a, words, b }, JumpLe { a: t, b: limit, to })
            if t == dst && known(limit) == Some(-1) =>
        {
            NextWideOr {
                dst,
                a,
                words,
                b,
                to,
            }
        }
        (And { dst: t, a, b }, JumpEq { a: u, b: v, to } | JumpNe { a: u, b: v, to })
            if dead(t) && (u == t && known(v) == Some(0) || v == t && known(u) == Some(0)) =>
        {
            match second {
                JumpEq { .. } => JumpMisses { a, b, to },
                _ => JumpMeets { a, b, to },
            }
        }
        (
            IntersectWide {
                dst: t,
                a,
                b,
                words,
            },
            JumpEqWide {
                a: u,
                b: v,
                words: of,
                to,
            }
            | JumpNeWide {
                a: u,
                b: v,
                words: of,
                to,
            },
        ) if dead(t) && of == words => {
            let empty = |at: At| (0..words).all(|w| known(at.wrapping_add(w)) == Some(0));
            if !(u == t && empty(v) || v == t && empty(u)) {
                return None;
            }
            match second {
                JumpEqWide { .. } => JumpMissesWide { a, b, words, to },
                _ => JumpMeetsWide { a, b, words, to },
            }
        }

        // Lines.
        (
            Line {
                dst: t,
                from,
                way,
                within,
                rays,
            },
            Count { dst, a },
        ) if a == t && dead(t) => LineCount {
            dst,
            from,
            way,
            within,
            rays,
        },
        (
            LineCount {
                dst: t,
                from,
                way,
                within,
                rays,
            },
            JumpLe { a: k, b, to },
        ) if b == t && k != t && dead(t) => JumpLine {
            from,
            way,
            within,
            rays,
            least: u16::try_from(known(k)?).ok()?,
            to,
        },
        (
            LineCount {
                dst: t,
                from,
                way,
                within,
                rays,
            },
            JumpLt { a, b: k, to },
        ) if a == t && k != t && dead(t) => JumpNotLine {
            from,
            way,
            within,
            rays,
            least: u16::try_from(known(k)?).ok()?,
            to,
        },
        _ => return None,
    })
}
