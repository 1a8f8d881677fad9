//! Instructions to steps, one by one.

use super::code::{At, Step};
use super::emitted::Emission;
use super::translate::{FRAME, Translator};
use super::walks::{Board, Rays, Shift};
use crate::ir::*;

impl Translator<'_> {
    fn other(&mut self, instr: &Instr) -> Step {
        self.others.push(instr.clone());
        Step::Other {
            number: self.others.len() as u32 - 1,
        }
    }

    /// The step that does what an instruction does.
    pub(super) fn step(&mut self, instr: &Instr) -> Step {
        let at = |slot: Slot| slot as At;
        match instr {
            Instr::Const { dst, value } => Step::Copy {
                dst: at(*dst),
                a: self.constant(*value as u64),
            },
            Instr::SetConst { dst, words } if words.len() == 1 => Step::Copy {
                dst: at(*dst),
                a: self.constant(words[0]),
            },
            Instr::Copy { dst, src, words: 1 } => Step::Copy {
                dst: at(*dst),
                a: at(*src),
            },
            Instr::Copy { dst, src, words } => Step::CopyWide {
                dst: at(*dst),
                a: at(*src),
                words: *words,
            },
            Instr::Binary { op, dst, a, b } => self
                .binary(*op, at(*dst), at(*a), at(*b))
                .unwrap_or_else(|| self.other(instr)),
            Instr::Immediate { op, dst, a, value } => {
                if *op == Op::Add
                    && let Ok(value) = i32::try_from(*value)
                {
                    return Step::AddConst {
                        dst: at(*dst),
                        a: at(*a),
                        value,
                    };
                }
                match self.binary(*op, 0, 0, 0) {
                    Some(_) => {
                        let b = self.constant(*value as u64);
                        self.binary(*op, at(*dst), at(*a), b).unwrap_or(Step::End)
                    }
                    None => self.other(instr),
                }
            }
            Instr::Not { dst, a } => Step::Not {
                dst: at(*dst),
                a: at(*a),
            },
            Instr::Select {
                dst,
                cond,
                a,
                b,
                words: 1,
            } => Step::Select {
                dst: at(*dst),
                cond: at(*cond),
                a: at(*a),
                b: at(*b),
            },
            Instr::Load {
                dst,
                base,
                index,
                words,
                count,
            } if *count <= FRAME as u32 / 2 => {
                let (dst, base, index, count) = (at(*dst), at(*base), at(*index), *count as u16);
                match words {
                    1 => Step::Load {
                        dst,
                        base,
                        index,
                        count,
                    },
                    words => Step::LoadWide {
                        dst,
                        base,
                        index,
                        words: *words,
                        count,
                    },
                }
            }
            Instr::Store {
                base,
                index,
                src,
                words: 1,
                count,
            } if *count <= FRAME as u32 / 2 => Step::Store {
                base: at(*base),
                index: at(*index),
                a: at(*src),
                count: *count as u16,
            },
            Instr::Store {
                base,
                index,
                src,
                words,
                count,
            } if *count <= FRAME as u32 / 2 => Step::StoreWide {
                base: at(*base),
                index: at(*index),
                a: at(*src),
                words: *words,
                count: *count as u16,
            },
            Instr::SetConst { dst, words } => Step::CopyWide {
                dst: at(*dst),
                a: self.row_of_constants(words),
                words: words.len() as u16,
            },
            Instr::SetAround { .. } | Instr::SetGroup { .. } => {
                self.walk(instr).unwrap_or_else(|| self.other(instr))
            }
            Instr::SetRun { .. } => self.line(instr).unwrap_or_else(|| self.other(instr)),
            Instr::SetShift { .. } => self.shift(instr).unwrap_or_else(|| self.other(instr)),
            Instr::Table {
                dst,
                table,
                index,
                words,
            } => {
                let table = *table as usize;
                let made = table.checked_sub(self.p.tables.len());
                let made = made.and_then(|i| self.flow.pool.tables.get(i));
                let count = made.unwrap_or_else(|| &self.p.tables[table]).values.len() as u32;
                let from = self.table_at[table];
                match words {
                    1 => Step::Table {
                        dst: at(*dst),
                        index: at(*index),
                        count,
                        from,
                    },
                    words => Step::TableWide {
                        dst: at(*dst),
                        index: at(*index),
                        words: *words,
                        from,
                    },
                }
            }
            Instr::Check {
                value,
                lo,
                hi,
                fault,
            } if self.checks.len() < FRAME => {
                self.checks.push((*lo, *hi, *fault));
                Step::Check {
                    a: at(*value),
                    check: (self.checks.len() - 1) as u16,
                }
            }
            Instr::Sample(code) => self.sample(code),
            Instr::Emit { .. } => {
                self.emissions.extend(Emission::new(instr));
                Step::Emit {
                    number: self.emissions.len() as u32 - 1,
                }
            }
            _ => self.set(instr).unwrap_or_else(|| self.other(instr)),
        }
    }

    fn binary(&self, op: Op, dst: At, a: At, b: At) -> Option<Step> {
        Some(match op {
            Op::Add => Step::Add { dst, a, b },
            Op::Sub => Step::Sub { dst, a, b },
            Op::Mul => Step::Mul { dst, a, b },
            Op::Min => Step::Min { dst, a, b },
            Op::Max => Step::Max { dst, a, b },
            Op::Eq => Step::Eq { dst, a, b },
            Op::Ne => Step::Ne { dst, a, b },
            Op::Lt => Step::Lt { dst, a, b },
            Op::Le => Step::Le { dst, a, b },
            Op::And => Step::And { dst, a, b },
            Op::Or => Step::Or { dst, a, b },
            Op::Div | Op::Mod => return None,
        })
    }

    fn set(&self, instr: &Instr) -> Option<Step> {
        let at = |slot: Slot| slot as At;
        Some(match *instr {
            Instr::SetBinary {
                op,
                dst,
                a,
                b,
                words,
            } => {
                let (dst, a, b) = (at(dst), at(a), at(b));
                match (op, words) {
                    (SetOp::Union, 1) => Step::Or { dst, a, b },
                    (SetOp::Intersect, 1) => Step::And { dst, a, b },
                    (SetOp::Difference, 1) => Step::Without { dst, a, b },
                    (SetOp::Union, words) => Step::UnionWide { dst, a, b, words },
                    (SetOp::Intersect, words) => Step::IntersectWide { dst, a, b, words },
                    (SetOp::Difference, words) => Step::WithoutWide { dst, a, b, words },
                }
            }
            Instr::SetTest { dst, set, element } => {
                let (dst, a, b) = (at(dst), at(set.slot), at(element));
                match set.words {
                    1 => Step::Has { dst, a, b },
                    words => Step::HasWide { dst, a, words, b },
                }
            }
            Instr::SetInsert { set, element } => {
                let (a, b) = (at(set.slot), at(element));
                match set.words {
                    1 => Step::Insert { a, b },
                    words => Step::InsertWide { a, words, b },
                }
            }
            Instr::SetRemove { set, element } => {
                let (a, b) = (at(set.slot), at(element));
                match set.words {
                    1 => Step::Remove { a, b },
                    words => Step::RemoveWide { a, words, b },
                }
            }
            Instr::SetCount { dst, set } => {
                let (dst, a) = (at(dst), at(set.slot));
                match set.words {
                    1 => Step::Count { dst, a },
                    words => Step::CountWide { dst, a, words },
                }
            }
            Instr::SetNext { dst, set, after } => {
                let (dst, a, b) = (at(dst), at(set.slot), at(after));
                match (set.words, self.known(b)) {
                    (1, Some(-1)) => Step::First { dst, a },
                    (1, _) => Step::Next { dst, a, b },
                    (words, _) => Step::NextWide { dst, a, words, b },
                }
            }
            Instr::SetLast { dst, set } if set.words == 1 => Step::Last {
                dst: at(dst),
                a: at(set.slot),
            },
            Instr::SetEq { dst, a, b, words } => {
                let (dst, a, b) = (at(dst), at(a), at(b));
                match words {
                    1 => Step::Eq { dst, a, b },
                    words => Step::EqWide { dst, a, b, words },
                }
            }
            Instr::SetSubset { dst, a, b, words } => {
                let (dst, a, b) = (at(dst), at(a), at(b));
                match words {
                    1 => Step::Within { dst, a, b },
                    words => Step::WithinWide { dst, a, b, words },
                }
            }
            _ => return None,
        })
    }

    fn walk(&mut self, instr: &Instr) -> Option<Step> {
        let (dst, operands, table) = match *instr {
            Instr::SetAround { dst, src, table } => (dst, [src, src], table),
            Instr::SetGroup {
                dst,
                from,
                within,
                table,
            } => (dst, [from, within], table),
            _ => return None,
        };
        let words = self.p.tables[table as usize].words;
        if dst.words != words || operands.iter().any(|o| o.words != words) {
            return None;
        }
        let board = match self.board_at.get(&table) {
            Some(board) => *board,
            None => {
                let board = u16::try_from(self.boards.len()).ok()?;
                self.boards
                    .push(Board::new(&self.p.tables[table as usize])?);
                self.board_at.insert(table, board);
                board
            }
        };
        let [a, within] = operands.map(|o| o.slot as At);
        let dst = dst.slot as At;
        Some(match instr {
            Instr::SetAround { .. } => Step::Around { dst, a, board },
            _ => Step::Group {
                dst,
                from: a,
                within,
                board,
            },
        })
    }

    fn line(&mut self, instr: &Instr) -> Option<Step> {
        let Instr::SetRun {
            dst,
            from,
            way,
            within,
            table,
            ways,
            both,
        } = *instr
        else {
            return None;
        };
        if dst.words != 1 || within.words != 1 {
            return None;
        }
        let key = (table, ways, both);
        let rays = match self.rays_at.get(&key) {
            Some(rays) => *rays,
            None => {
                let rays = u16::try_from(self.rays.len()).ok()?;
                let steps = &self.p.tables[table as usize];
                self.rays.push(Rays::new(steps, ways, both)?);
                self.rays_at.insert(key, rays);
                rays
            }
        };
        Some(Step::Line {
            dst: dst.slot as At,
            from: from as At,
            way: way as At,
            within: within.slot as At,
            rays,
        })
    }

    fn shift(&mut self, instr: &Instr) -> Option<Step> {
        let Instr::SetShift {
            dst,
            src,
            lo,
            by,
            size,
            fault,
        } = *instr
        else {
            return None;
        };
        if dst.words != 1 || src.words != 1 || size > 64 {
            return None;
        }
        let shift = u16::try_from(self.shifts.len()).ok()?;
        self.shifts.push(Shift::new(lo, by, size, fault)?);
        Some(Step::Shift {
            dst: dst.slot as At,
            a: src.slot as At,
            shift,
        })
    }

    fn sample(&mut self, code: &SampleCode) -> Step {
        if let SampleCode::Element {
            dst,
            set,
            lo,
            fault,
        } = code
            && let Ok(fault) = u16::try_from(*fault)
        {
            let (dst, a, lo) = (*dst as At, set.slot as At, self.constant(*lo as u64));
            return match set.words {
                1 => Step::Element { dst, a, lo, fault },
                words => Step::ElementWide {
                    dst,
                    a,
                    words,
                    lo,
                    fault,
                },
            };
        }
        if let SampleCode::Subset {
            dst,
            set,
            count,
            fault,
        } = code
            && (dst.words, set.words) == (1, 1)
            && let Ok(fault) = u16::try_from(*fault)
        {
            return Step::Subset {
                dst: dst.slot as At,
                a: set.slot as At,
                count: *count as At,
                fault,
            };
        }
        match code {
            SampleCode::Below { dst, bound: n } => {
                return Step::Below {
                    dst: *dst as At,
                    n: *n as At,
                };
            }
            SampleCode::Listed { dst } => return Step::Listed { dst: *dst as At },
            SampleCode::Attempts { dst, attempts: n } => {
                return Step::Copy {
                    dst: *dst as At,
                    a: self.constant(u64::from(*n)),
                };
            }
            SampleCode::Member {
                dst,
                set,
                lo,
                bound,
                hit,
            } if set.words == 1 => {
                if let Ok(bound) = u32::try_from(*bound) {
                    return Step::Member {
                        dst: *dst as At,
                        a: set.slot as At,
                        hit: *hit as At,
                        lo: self.constant(*lo as u64),
                        bound,
                    };
                }
            }
            _ => {}
        }
        self.samples.push(code.clone());
        Step::Sample {
            number: self.samples.len() as u32 - 1,
        }
    }
}
