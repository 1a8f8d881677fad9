//! Counts of histories alone, by moves that are made one by one where the state stays unpacked.

use super::PerftOptions;
use crate::machine::{Cursor, Lookahead, Machine, Outcomes, Turn};
use smallvec::SmallVec;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many histories are counted between two words of progress, about.
const PROGRESS: u64 = 1 << 16;

/// How many branches are taken between two looks whether to stop.
const LOOKS: u64 = 1 << 12;

#[derive(Debug, Default)]
pub(super) struct Counts {
    pub nodes: Vec<u64>,
    pub terminals: Vec<u64>,
    pub chance_edges: u64,
    pub histories: u64,
    /// False when it was stopped before the end.
    pub complete: bool,
}

/// A node on the way to the present one.
#[derive(Debug, Default)]
struct Level {
    node: u32,
    /// What the state there consists of.
    values: Vec<u64>,
    /// The options of all who choose, list after list.
    options: Vec<u64>,
    lists: SmallVec<[List; 2]>,
    /// The number of joint choices, and the one to take next.
    branches: u64,
    next: u64,
}

#[derive(Copy, Clone, Debug)]
struct List {
    /// Whose it is: see [`Cursor::put`].
    arm: usize,
    /// Where it begins, the words of an option, and how many options there are.
    from: usize,
    stride: usize,
    count: u64,
}

impl Level {
    /// Notes where the cursor is, and all that can be done there. `None` where there is too much of it.
    fn fill(&mut self, cursor: &Cursor<'_>) -> Option<()> {
        self.node = cursor.node();
        self.values.clear();
        cursor.save(&mut self.values);
        self.options.clear();
        self.lists.clear();
        self.branches = 1;
        self.next = 0;
        for (i, offer) in cursor.offers().iter().enumerate() {
            let from = self.options.len();
            let stride = cursor.list(i, Outcomes::LIMIT, &mut self.options)?;
            let count = ((self.options.len() - from) / stride) as u64;
            self.branches = self.branches.checked_mul(count)?;
            self.lists.push(List {
                arm: offer.arm(),
                from,
                stride,
                count,
            });
        }
        Some(())
    }

    /// The options that the next branch consists of, with the arms that they are for.
    #[inline]
    fn branch(&mut self, mut put: impl FnMut(usize, &[u64]) -> Option<()>) -> Option<()> {
        let mut rest = self.next;
        self.next += 1;
        for list in &self.lists {
            let (which, more) = match list.count {
                _ if self.lists.len() == 1 => (rest, 0),
                count => (rest % count, rest / count),
            };
            rest = more;
            let from = list.from + which as usize * list.stride;
            put(list.arm, self.options.get(from..from + list.stride)?)?;
        }
        Some(())
    }
}

/// Counts histories, without details, as [`perft`](super::perft) does. `None` where it has to be done another way:
/// there is no code, too much can be done somewhere, or play runs into an error, for which others have the words.
pub(super) fn count(
    machine: &Machine,
    options: &PerftOptions,
    progress: &mut dyn FnMut(u64),
    cancel: &AtomicBool,
) -> Option<Counts> {
    let nodes = 0..machine.nodes() as u32;
    let turns = nodes.map(|node| machine.turn_at(node, &vec![0; machine.state_words()]));
    let turns: Vec<Turn> = turns.collect();
    let mut counter = Counter {
        cursor: machine.cursor()?,
        lookahead: machine.lookahead()?,
        turns,
        counts: Counts::default(),
        said: 0,
    };
    let state = machine.initial().ok()?;
    counter.cursor.start(&state)?;
    counter.run(options, progress, cancel)?;
    Some(counter.counts)
}

struct Counter<'m> {
    cursor: Cursor<'m>,
    lookahead: Lookahead<'m>,
    /// By node, whether players, chance or nobody moves.
    turns: Vec<Turn>,
    counts: Counts,
    /// The histories that progress has heard of.
    said: u64,
}

impl Counter<'_> {
    fn run(
        &mut self,
        options: &PerftOptions,
        progress: &mut dyn FnMut(u64),
        cancel: &AtomicBool,
    ) -> Option<()> {
        let most = options.depth;
        // Levels below `depth` are in use; those above are kept for their lists.
        let mut levels: Vec<Level> = Vec::new();
        let mut depth = 0;
        if self.enter(0) && most != Some(0) {
            if options.is_last(0) {
                self.all(1)?;
            } else {
                self.push(&mut levels, depth)?;
                depth = 1;
            }
        }
        while let Some(level) = depth.checked_sub(1).and_then(|d| levels.get_mut(d)) {
            if cancel.load(Ordering::Relaxed) {
                return Some(());
            }
            if self.counts.histories - self.said >= PROGRESS {
                self.said = self.counts.histories;
                progress(self.said);
            }
            if most == Some(depth) {
                if !self.last(level, depth, cancel)? {
                    return Some(());
                }
                depth -= 1;
                continue;
            }
            if level.next == level.branches {
                depth -= 1;
                continue;
            }
            let cursor = &mut self.cursor;
            cursor.restore(level.node, &level.values);
            level.branch(|arm, option| cursor.put(arm, option))?;
            cursor.advance()?;
            if !self.enter(depth) {
                continue;
            }
            if options.is_last(depth) {
                self.all(depth + 1)?;
                continue;
            }
            let offers = self.cursor.offers();
            let few = matches!(offers, [offer] if offer.total < Outcomes::LIMIT as u64);
            if few && most == Some(depth + 1) {
                if !self.ends(depth + 1, cancel)? {
                    return Some(());
                }
            } else {
                self.push(&mut levels, depth)?;
                depth += 1;
            }
        }
        self.counts.complete = true;
        Some(())
    }

    /// Counts the history that ends where the cursor is; whether it goes on.
    fn enter(&mut self, depth: usize) -> bool {
        let over = self.cursor.offers().is_empty();
        self.count(depth, 1, u64::from(over));
        !over
    }

    /// Puts the place of the cursor on the stack, at `depth`.
    fn push(&mut self, levels: &mut Vec<Level>, depth: usize) -> Option<()> {
        if levels.len() <= depth {
            levels.resize_with(depth + 1, Level::default);
        }
        let level = &mut levels[depth];
        level.fill(&self.cursor)?;
        if self.turns[level.node as usize] == Turn::Chance {
            self.counts.chance_edges += level.branches;
        }
        Some(())
    }

    /// Counts all that the one who is offered something where the cursor is leads to by a last ply; false when it was
    /// stopped.
    fn ends(&mut self, depth: usize, cancel: &AtomicBool) -> Option<bool> {
        let chance = self.turns[self.cursor.node() as usize] == Turn::Chance;
        if let Some((all, over)) = self.lookahead.count(&mut self.cursor) {
            self.counts.chance_edges += if chance { all } else { 0 };
            self.count(depth, all, over);
            return Some(true);
        }
        let turns = &self.turns;
        let (mut all, mut over) = (0, 0);
        let went = self.lookahead.each(&self.cursor, 0, |node| {
            all += 1;
            over += u64::from(turns[node as usize] == Turn::Terminal);
            match all % LOOKS == 0 && cancel.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        self.counts.chance_edges += if chance { all } else { 0 };
        self.count(depth, all, over);
        Some(went.is_continue())
    }

    /// Counts all that can be done where the cursor is, and plays nothing of it.
    fn all(&mut self, depth: usize) -> Option<()> {
        let mut all = 1u64;
        for offer in 0..self.cursor.offers().len() {
            all = all.checked_mul(self.cursor.options(offer)?)?;
        }
        if self.turns[self.cursor.node() as usize] == Turn::Chance {
            self.counts.chance_edges += all;
        }
        self.count(depth, all, 0);
        Some(())
    }

    /// Counts so many histories of a length, and those of them that are over.
    fn count(&mut self, depth: usize, all: u64, over: u64) {
        self.counts.histories += all;
        super::add(&mut self.counts.nodes, depth, all);
        super::add(&mut self.counts.terminals, depth, over);
    }

    /// Counts all that one last ply from a node leads to; false when it was stopped.
    fn last(&mut self, level: &mut Level, depth: usize, cancel: &AtomicBool) -> Option<bool> {
        let lookahead = &mut self.lookahead;
        let mut over = 0;
        lookahead.start(level.node, &level.values);
        while level.next < level.branches {
            if level.next % LOOKS == LOOKS - 1 && cancel.load(Ordering::Relaxed) {
                break;
            }
            let put = |cursor: &mut Cursor<'_>| level.branch(|arm, option| cursor.put(arm, option));
            let node = lookahead.reach(put)?;
            over += u64::from(self.turns[node as usize] == Turn::Terminal);
        }
        let all = level.next;
        self.count(depth, all, over);
        Some(all == level.branches)
    }
}
