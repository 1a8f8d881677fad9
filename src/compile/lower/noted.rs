//! Large arrays of which a few elements are changed for a while: by each way of one move, or by `after`. What was there
//! before is noted store by store and put back, where all of a smaller variable is copied.

use super::Builder;
use super::one_move::saved::successors;
use crate::ir::*;
use crate::model::VarId;
use rustc_hash::FxHashSet;

/// Variables of fewer words are copied.
const LARGE: u32 = 16;

/// A variable whose changes are noted.
pub(super) struct Noted {
    base: Slot,
    words: u32,
    /// The instructions that change an element of it.
    sites: Vec<(BlockId, usize)>,
}

impl Noted {
    pub fn slots(&self) -> std::ops::Range<Slot> {
        self.base..self.base + self.words
    }

    pub fn is_of(&self, base: Slot) -> bool {
        self.base == base
    }

    /// How many words are needed for its notes, where there are so many choices.
    pub fn notes(&self, most: u32) -> u64 {
        2 * u64::from(self.rows(most)) + u64::from(most)
    }

    /// Each of its sites is passed once before the first choice, and after each.
    fn rows(&self, most: u32) -> u32 {
        (self.sites.len() as u32).saturating_mul(most.saturating_add(1))
    }
}

/// The notes on a variable: places and what was there, of which so many are in use, and by choice how many were.
pub(super) struct Notes {
    base: Slot,
    words: u32,
    places: Slot,
    values: Slot,
    rows: u32,
    top: Slot,
    pub tops: Slot,
}

impl Builder<'_> {
    /// Those of some variables whose elements are changed one by one, in blocks that are passed at most once between two choices:
    /// between these `pushes`.
    pub(super) fn noted(
        &self,
        vars: &[VarId],
        blocks: &[BlockId],
        pushes: &FxHashSet<BlockId>,
    ) -> Vec<Noted> {
        let within: FxHashSet<BlockId> = blocks.iter().copied().collect();
        let vars = vars.iter().map(|var| &self.vars[var.0 as usize]);
        let large = vars.filter(|var| var.words == 1 && var.elements >= LARGE);
        let noted = large.filter_map(|var| {
            let sites = self.sites(blocks, var.base..var.base + var.elements)?;
            let once = |site: &(BlockId, usize)| !self.comes_back(site.0, &within, pushes);
            sites.iter().all(once).then_some(Noted {
                base: var.base,
                words: var.elements,
                sites,
            })
        });
        noted.collect()
    }

    /// The instructions that change some slots; `None` where one of them changes several at once.
    fn sites(
        &self,
        blocks: &[BlockId],
        slots: std::ops::Range<Slot>,
    ) -> Option<Vec<(BlockId, usize)>> {
        let mut sites = Vec::new();
        for block in blocks {
            for (place, instr) in self.blocks[block.0 as usize].instrs.iter().enumerate() {
                let (mut changes, mut single) = (false, true);
                instr.clobbers(&mut |slot, words| {
                    if slot < slots.end && slot + words > slots.start {
                        changes = true;
                        single &= match instr {
                            Instr::Store { words: each, .. } => {
                                *each == 1 && slot >= slots.start && slot + words <= slots.end
                            }
                            _ => words == 1,
                        };
                    }
                });
                if changes && !single {
                    return None;
                }
                if changes {
                    sites.push((*block, place));
                }
            }
        }
        Some(sites)
    }

    /// Whether a block is reached again before an option is taken.
    fn comes_back(
        &self,
        block: BlockId,
        within: &FxHashSet<BlockId>,
        pushes: &FxHashSet<BlockId>,
    ) -> bool {
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        let mut waiting = vec![block];
        while let Some(id) = waiting.pop() {
            for next in successors(&self.blocks[id.0 as usize].term) {
                if next == block {
                    return true;
                }
                if within.contains(&next) && !pushes.contains(&next) && seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        false
    }

    /// Room for the notes of some variables; what is noted there is written before each change.
    pub(super) fn with_notes(&mut self, noted: &[Noted], ready: BlockId, most: u32) -> Vec<Notes> {
        let notes: Vec<Notes> = noted
            .iter()
            .map(|var| {
                let rows = var.rows(most);
                let [places, values] = [(); 2].map(|()| self.array(ready, 1, rows));
                let tops = self.array(ready, 1, most.max(1));
                let top = self.scalar();
                self.at_end_of(ready, |b| b.emit(Instr::Const { dst: top, value: 0 }));
                Notes {
                    base: var.base,
                    words: var.words,
                    places,
                    values,
                    rows,
                    top,
                    tops,
                }
            })
            .collect();
        let mut sites: Vec<(BlockId, usize, &Notes)> = std::iter::zip(noted, &notes)
            .flat_map(|(var, notes)| var.sites.iter().map(move |(b, place)| (*b, *place, notes)))
            .collect();
        // From the last on, so that those before stay where they are.
        sites.sort_by_key(|(block, place, _)| std::cmp::Reverse((block.0, *place)));
        for (block, place, notes) in sites {
            let rest = self.blocks[block.0 as usize].instrs.split_off(place);
            let term = self.blocks[block.0 as usize].term;
            self.start(block);
            if let Some(change) = rest.first() {
                self.note_before(notes, change);
            }
            rest.into_iter().for_each(|instr| self.emit(instr));
            self.terminate(term);
        }
        notes
    }

    /// Notes what an instruction is about to change.
    fn note_before(&mut self, notes: &Notes, change: &Instr) {
        let (place, old) = match *change {
            Instr::Store {
                base, index, count, ..
            } => {
                let place = self.immediate(Op::Add, index, i64::from(base - notes.base));
                let old = self.scalar();
                self.emit(Instr::Load {
                    dst: old,
                    base,
                    index,
                    words: 1,
                    count,
                });
                (place, old)
            }
            _ => {
                let mut changed = notes.base;
                change.clobbers(&mut |slot, _| {
                    if (notes.base..notes.base + notes.words).contains(&slot) {
                        changed = slot;
                    }
                });
                (self.number(i64::from(changed - notes.base)), changed)
            }
        };
        for (base, src) in [(notes.places, place), (notes.values, old)] {
            self.emit(Instr::Store {
                base,
                index: notes.top,
                src,
                words: 1,
                count: notes.rows,
            });
        }
        self.emit(Instr::Immediate {
            op: Op::Add,
            dst: notes.top,
            a: notes.top,
            value: 1,
        });
    }

    /// Stores how many notes there are where an option is taken.
    pub(super) fn push_notes(&mut self, notes: &Notes, depth: Slot, most: u32) {
        self.emit(Instr::Store {
            base: notes.tops,
            index: depth,
            src: notes.top,
            words: 1,
            count: most,
        });
    }

    /// Puts back what was noted since an option was taken, the last first.
    pub(super) fn pop_notes(&mut self, notes: &Notes, depth: Slot, most: u32) {
        let until = self.scalar();
        self.emit(Instr::Load {
            dst: until,
            base: notes.tops,
            index: depth,
            words: 1,
            count: most,
        });
        self.put_back_noted(notes, until);
    }

    /// Puts back what was noted since there were so many notes.
    pub(super) fn put_back_noted(&mut self, notes: &Notes, until: Slot) {
        let (place, old) = (self.scalar(), self.scalar());
        let load = |b: &mut Self, dst: Slot, base: Slot, index: Slot, count: u32| {
            b.emit(Instr::Load {
                dst,
                base,
                index,
                words: 1,
                count,
            });
        };
        let [head, body, done] = [(); 3].map(|()| self.new_block());
        self.jump(head);
        self.start(head);
        let more = self.combined(Op::Lt, until, notes.top);
        self.branch(more, body, done);
        self.start(body);
        self.emit(Instr::Immediate {
            op: Op::Add,
            dst: notes.top,
            a: notes.top,
            value: -1,
        });
        load(self, place, notes.places, notes.top, notes.rows);
        load(self, old, notes.values, notes.top, notes.rows);
        self.emit(Instr::Store {
            base: notes.base,
            index: place,
            src: old,
            words: 1,
            count: notes.words,
        });
        self.jump(head);
        self.start(done);
    }
}
