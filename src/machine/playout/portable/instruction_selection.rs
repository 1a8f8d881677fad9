//! Instruction selection: an opcode for each instruction of the IR.

use super::emitted_tuples::Emission;
use super::opcode::Opcode;
use super::translate::Translator;
use crate::ir::*;
use crate::machine::playout::bitboards::{Board, Rays, Shift};
use crate::machine::playout::frames::{At, FRAME};

impl Translator<'_> {
    fn other(&mut self, instr: &Instr) -> Opcode {
        self.others.push(instr.clone());
        Opcode::Other {
            number: self.others.len() as u32 - 1,
        }
    }

    /// The opcode for an instruction.
    pub(super) fn select(&mut self, instr: &Instr) -> Opcode {
        let at = |slot: Slot| slot as At;
        match instr {
            Instr::Const { dst, value } => Opcode::Copy {
                dst: at(*dst),
                a: self.constant(*value as u64),
            },
            Instr::SetConst { dst, words } if words.len() == 1 => Opcode::Copy {
                dst: at(*dst),
                a: self.constant(words[0]),
            },
            Instr::Copy { dst, src, words: 1 } => Opcode::Copy {
                dst: at(*dst),
                a: at(*src),
            },
            Instr::Copy { dst, src, words } => Opcode::CopyWide {
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
                    return Opcode::AddConst {
                        dst: at(*dst),
                        a: at(*a),
                        value,
                    };
                }
                match self.binary(*op, 0, 0, 0) {
                    Some(_) => {
                        let b = self.constant(*value as u64);
                        self.binary(*op, at(*dst), at(*a), b).unwrap_or(Opcode::End)
                    }
                    None => self.other(instr),
                }
            }
            Instr::Not { dst, a } => Opcode::Not {
                dst: at(*dst),
                a: at(*a),
            },
            Instr::Select {
                dst,
                cond,
                a,
                b,
                words: 1,
            } => Opcode::Select {
                dst: at(*dst),
                cond: at(*cond),
                a: at(*a),
                b: at(*b),
            },
            Instr::Load { .. } | Instr::Store { .. } | Instr::Table { .. } => {
                self.memory(instr).unwrap_or_else(|| self.other(instr))
            }
            Instr::SetConst { dst, words } => Opcode::CopyWide {
                dst: at(*dst),
                a: self.row_of_constants(words),
                words: words.len() as u16,
            },
            Instr::SetNeighbours { .. } | Instr::SetGroup { .. } => {
                self.board(instr).unwrap_or_else(|| self.other(instr))
            }
            Instr::SetRun { .. } => self.line(instr).unwrap_or_else(|| self.other(instr)),
            Instr::LineAtLeast { .. } => self
                .line_at_least(instr)
                .unwrap_or_else(|| self.other(instr)),
            Instr::SetShift { .. } => self.shift(instr).unwrap_or_else(|| self.other(instr)),
            Instr::Check {
                value,
                lo,
                hi,
                fault,
            } if self.checks.len() < FRAME => {
                self.checks.push((*lo, *hi, *fault));
                Opcode::Check {
                    a: at(*value),
                    check: (self.checks.len() - 1) as u16,
                }
            }
            Instr::Sample(code) => self.sample(code),
            Instr::Emit { .. } => {
                self.emissions.extend(Emission::new(instr));
                Opcode::Emit {
                    number: self.emissions.len() as u32 - 1,
                }
            }
            _ => self.set(instr).unwrap_or_else(|| self.other(instr)),
        }
    }

    /// What reads or writes an element of an array, or reads a row of a table; `None` where the array is too large.
    fn memory(&mut self, instr: &Instr) -> Option<Opcode> {
        let at = |slot: Slot| slot as At;
        Some(match instr {
            Instr::Load {
                dst,
                base,
                index,
                words,
                count,
            } if *count <= FRAME as u32 / 2 => {
                let (dst, base, index, count) = (at(*dst), at(*base), at(*index), *count as u16);
                match words {
                    1 => Opcode::Load {
                        dst,
                        base,
                        index,
                        count,
                    },
                    words => Opcode::LoadWide {
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
            } if *count <= FRAME as u32 / 2 => Opcode::Store {
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
            } if *count <= FRAME as u32 / 2 => Opcode::StoreWide {
                base: at(*base),
                index: at(*index),
                a: at(*src),
                words: *words,
                count: *count as u16,
            },
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
                    1 => Opcode::Table {
                        dst: at(*dst),
                        index: at(*index),
                        count,
                        from,
                    },
                    words => Opcode::TableWide {
                        dst: at(*dst),
                        index: at(*index),
                        words: *words,
                        from,
                    },
                }
            }
            _ => return None,
        })
    }

    fn binary(&self, op: Op, dst: At, a: At, b: At) -> Option<Opcode> {
        Some(match op {
            Op::Add => Opcode::Add { dst, a, b },
            Op::Sub => Opcode::Sub { dst, a, b },
            Op::Mul => Opcode::Mul { dst, a, b },
            Op::Min => Opcode::Min { dst, a, b },
            Op::Max => Opcode::Max { dst, a, b },
            Op::Eq => Opcode::Eq { dst, a, b },
            Op::Ne => Opcode::Ne { dst, a, b },
            Op::Lt => Opcode::Lt { dst, a, b },
            Op::Le => Opcode::Le { dst, a, b },
            Op::And => Opcode::And { dst, a, b },
            Op::Or => Opcode::Or { dst, a, b },
            Op::Div | Op::Mod => return None,
        })
    }

    fn set(&self, instr: &Instr) -> Option<Opcode> {
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
                    (SetOp::Union, 1) => Opcode::Or { dst, a, b },
                    (SetOp::Intersect, 1) => Opcode::And { dst, a, b },
                    (SetOp::Difference, 1) => Opcode::Without { dst, a, b },
                    (SetOp::Union, words) => Opcode::UnionWide { dst, a, b, words },
                    (SetOp::Intersect, words) => Opcode::IntersectWide { dst, a, b, words },
                    (SetOp::Difference, words) => Opcode::WithoutWide { dst, a, b, words },
                }
            }
            Instr::SetTest { dst, set, element } => {
                let (dst, a, b) = (at(dst), at(set.slot), at(element));
                match set.words {
                    1 => Opcode::Has { dst, a, b },
                    words => Opcode::HasWide { dst, a, words, b },
                }
            }
            Instr::SetInsert { set, element } => {
                let (a, b) = (at(set.slot), at(element));
                match set.words {
                    1 => Opcode::Insert { a, b },
                    words => Opcode::InsertWide { a, words, b },
                }
            }
            Instr::SetRemove { set, element } => {
                let (a, b) = (at(set.slot), at(element));
                match set.words {
                    1 => Opcode::Remove { a, b },
                    words => Opcode::RemoveWide { a, words, b },
                }
            }
            Instr::SetCount { dst, set } => {
                let (dst, a) = (at(dst), at(set.slot));
                match set.words {
                    1 => Opcode::Count { dst, a },
                    words => Opcode::CountWide { dst, a, words },
                }
            }
            Instr::SetNext { dst, set, after } => {
                let (dst, a, b) = (at(dst), at(set.slot), at(after));
                match (set.words, self.known(b)) {
                    (1, Some(-1)) => Opcode::First { dst, a },
                    (1, _) => Opcode::Next { dst, a, b },
                    (words, _) => Opcode::NextWide { dst, a, words, b },
                }
            }
            Instr::SetLast { dst, set } if set.words == 1 => Opcode::Last {
                dst: at(dst),
                a: at(set.slot),
            },
            Instr::SetEq { dst, a, b, words } => {
                let (dst, a, b) = (at(dst), at(a), at(b));
                match words {
                    1 => Opcode::Eq { dst, a, b },
                    words => Opcode::EqWide { dst, a, b, words },
                }
            }
            Instr::SetSubset { dst, a, b, words } => {
                let (dst, a, b) = (at(dst), at(a), at(b));
                match words {
                    1 => Opcode::Within { dst, a, b },
                    words => Opcode::WithinWide { dst, a, b, words },
                }
            }
            _ => return None,
        })
    }

    fn board(&mut self, instr: &Instr) -> Option<Opcode> {
        let (dst, operands, table) = match *instr {
            Instr::SetNeighbours { dst, src, table } => (dst, [src, src], table),
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
            Instr::SetNeighbours { .. } => Opcode::Neighbours { dst, a, board },
            _ => Opcode::Group {
                dst,
                from: a,
                within,
                board,
            },
        })
    }

    fn line(&mut self, instr: &Instr) -> Option<Opcode> {
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
        Some(Opcode::Line {
            dst: dst.slot as At,
            from: from as At,
            way: way as At,
            within: within.slot as At,
            rays: self.rays(table, ways, both)?,
        })
    }

    fn line_at_least(&mut self, instr: &Instr) -> Option<Opcode> {
        let Instr::LineAtLeast {
            dst,
            from,
            way,
            within,
            table,
            ways,
            least,
        } = *instr
        else {
            return None;
        };
        if within.words != 1 {
            return None;
        }
        Some(Opcode::LineAtLeast {
            dst: dst as At,
            from: from as At,
            within: within.slot as At,
            rays: self.rays(table, ways, true)?,
            way: u8::try_from(way).ok()?,
            least: u8::try_from(least).ok()?,
        })
    }

    /// The number of the runs of a board, or with `both` of its lines.
    fn rays(&mut self, table: u32, ways: u32, both: bool) -> Option<u16> {
        let key = (table, ways, both);
        if let Some(rays) = self.rays_at.get(&key) {
            return Some(*rays);
        }
        let rays = u16::try_from(self.rays.len()).ok()?;
        let steps = &self.p.tables[table as usize];
        self.rays.push(Rays::new(steps, ways, both)?);
        self.rays_at.insert(key, rays);
        Some(rays)
    }

    fn shift(&mut self, instr: &Instr) -> Option<Opcode> {
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
        Some(Opcode::Shift {
            dst: dst.slot as At,
            a: src.slot as At,
            shift,
        })
    }

    fn sample(&mut self, code: &SampleCode) -> Opcode {
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
                1 => Opcode::Element { dst, a, lo, fault },
                words => Opcode::ElementWide {
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
            return Opcode::Subset {
                dst: dst.slot as At,
                a: set.slot as At,
                count: *count as At,
                fault,
            };
        }
        match code {
            SampleCode::Below { dst, bound: n } => {
                return Opcode::Below {
                    dst: *dst as At,
                    n: *n as At,
                };
            }
            SampleCode::Listed { dst } => return Opcode::Listed { dst: *dst as At },
            SampleCode::Attempts { dst, attempts: n } => {
                return Opcode::Copy {
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
                    return Opcode::Member {
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
        Opcode::Sample {
            number: self.samples.len() as u32 - 1,
        }
    }
}
