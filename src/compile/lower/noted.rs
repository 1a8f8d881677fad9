//! Large arrays of which a few elements are changed for a while: by each way of one move, or by `after`. What was there
//! before is noted store by store and put back, where all of a smaller variable is copied.

use super::one_move::saved::successors;
use super::{Builder, Rounds};
use crate::ir::*;
use crate::model::VarId;
use rustc_hash::FxHashSet;

/// Variables of fewer words are copied.
const LARGE: u32 = 16;
/// Where there can be so many times as many notes as words of copies, it is copied.
const MOST_NOTES: u64 = 4;

/// A variable whose changes are noted.
pub(super) struct Noted {
    base: Slot,
    words: u32,
    /// The instructions that change an element of it.
    sites: Vec<(BlockId, usize)>,
    /// How many notes there can be at once.
    rows: u32,
}

impl Noted {
    pub fn slots(&self) -> std::ops::Range<Slot> {
        self.base..self.base + self.words
    }

    pub fn is_of(&self, base: Slot) -> bool {
        self.base == base
    }

    /// How many words are needed for its notes.
    pub fn words(&self) -> u64 {
        2 * u64::from(self.rows)
    }

    /// Whether some blocks change it.
    pub fn changes_in(&self, blocks: &[BlockId]) -> bool {
        self.sites.iter().any(|(block, _)| blocks.contains(block))
    }
}

/// The notes on a variable: places and what was there, of which so many are in use.
pub(super) struct Notes {
    base: Slot,
    words: u32,
    places: Slot,
    values: Slot,
    rows: u32,
    pub top: Slot,
}

impl Builder<'_> {
    /// Those of some variables whose elements are changed one by one, and not so often that copies are better. `pushes`: where
    /// an option is taken, at most `most` times.
    pub(super) fn noted(
        &self,
        vars: &[VarId],
        blocks: &[BlockId],
        pushes: &FxHashSet<BlockId>,
        most: u32,
    ) -> Vec<Noted> {
        let within: FxHashSet<BlockId> = blocks.iter().copied().collect();
        let vars = vars.iter().map(|var| &self.vars[var.0 as usize]);
        let large = vars.filter(|var| var.words == 1 && var.elements >= LARGE);
        let noted = large.filter_map(|var| {
            let sites = self.sites(blocks, var.base..var.base + var.elements)?;
            // In a loop that goes round more often than there are elements, most changes are of what was changed before.
            let few = |times: &u64| *times <= u64::from(var.elements.max(most + 1));
            let times = |site: &(BlockId, usize)| {
                let times = self.times(site.0, &within, pushes, most);
                times.filter(few)
            };
            let more = |all: u64, site| all.checked_add(times(site)?);
            let rows = sites.iter().try_fold(0, more)?;
            let copies = u64::from(var.elements) * u64::from(most.max(1));
            (rows <= MOST_NOTES * copies).then_some(Noted {
                base: var.base,
                words: var.elements,
                sites,
                rows: rows as u32,
            })
        });
        noted.collect()
    }

    /// How often a block is run at most on one way: once before the first choice and once after each, or as often as the loops
    /// around it go round. `None` where neither is known.
    fn times(
        &self,
        block: BlockId,
        within: &FxHashSet<BlockId>,
        pushes: &FxHashSet<BlockId>,
        most: u32,
    ) -> Option<u64> {
        let by_choice = !self.comes_back(block, within, |id| pushes.contains(&id));
        let by_choice = by_choice.then_some(u64::from(most) + 1);
        let around = |rounds: &&Rounds| rounds.repeats(block) && within.contains(&rounds.head);
        let around: Vec<&Rounds> = self.rounds.iter().filter(around).collect();
        let by_round = !self.comes_back(block, within, |id| around.iter().any(|r| r.head == id));
        let product = |all: u64, rounds: &&Rounds| all.checked_mul(rounds.most);
        let by_round = by_round
            .then(|| around.iter().try_fold(1, product))
            .flatten();
        by_choice.into_iter().chain(by_round).min()
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

    /// Whether a block is reached again from itself without going through some others.
    fn comes_back(
        &self,
        block: BlockId,
        within: &FxHashSet<BlockId>,
        through: impl Fn(BlockId) -> bool,
    ) -> bool {
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        let mut waiting = vec![block];
        while let Some(id) = waiting.pop() {
            for next in successors(&self.blocks[id.0 as usize].term) {
                if next == block {
                    return true;
                }
                if within.contains(&next) && !through(next) && seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        false
    }

    /// Room for the notes of some variables; what is noted there is written before each change.
    pub(super) fn with_notes(&mut self, noted: &[Noted], ready: BlockId) -> Vec<Notes> {
        let notes: Vec<Notes> = noted
            .iter()
            .map(|var| {
                let rows = var.rows;
                let [places, values] = [(); 2].map(|()| self.array(ready, 1, rows));
                let top = self.scalar();
                self.at_end_of(ready, |b| b.emit(Instr::Const { dst: top, value: 0 }));
                Notes {
                    base: var.base,
                    words: var.words,
                    places,
                    values,
                    rows,
                    top,
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
