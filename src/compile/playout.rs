//! The flow of a whole playout: from any node to the payoffs in one graph, with sampling in the middle of it.
//!
//! There are no events, and no code for notes unless heuristics may read these. The choices of a node are sampled arm by
//! arm in their order, each on the state before the node, and a draw like a choice; then play goes on where the node
//! resumes. `optimise` makes the flow small.

mod greedy;
mod listing;
mod print;

pub use greedy::{UNRATED, WEIGHED};

use super::optimise::constant_pool::ConstantPool;
use super::playout_policy::{PlayoutPolicy, UNIFORM};
use crate::ir::*;
use crate::model::PlayerSet;
use crate::model::types::Type;
use rustc_hash::FxHashMap;

/// A playout as one graph.
#[derive(Clone, Debug)]
pub struct Flow {
    pub blocks: Vec<Block>,
    pub frame: u32,
    /// Where play goes on from each node.
    pub entries: Vec<Entry>,
    /// One slot a player, in the payoff's units, wanted at every `Return`; of a counted playout one more, with the plies
    /// that were left.
    pub payoffs: Vec<Slot>,
    /// Who chose last: see [`last_movers`].
    pub last: Slot,
    /// Constants that stand ready in the frame.
    pub pool: ConstantPool,
}

/// Where a playout begins at one node: by the values of a few slots, which are then constants for the code.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The number of the node.
    pub node: usize,
    /// Each with its least value and how many values it has.
    pub keys: Vec<(Slot, i64, u32)>,
    /// One block for each combination of values, the last key fastest.
    pub blocks: Vec<BlockId>,
    /// Whether play rests there, so that whoever comes there comes with what a state keeps. Where it goes on from a node may be
    /// in the middle of other code: at the head of a loop, to which that comes before the first round too.
    pub at_node: bool,
    /// Where code may be told to take first one of the tuples that the run before has emitted, or one after another all that
    /// the code of [`moves`] has.
    pub taken: Option<Taken>,
}

/// Where a tuple that is taken goes.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The slot of the number of the alternative.
    pub chosen: Slot,
    /// The parts of each alternative.
    pub alternatives: Vec<Vec<Operand>>,
}

impl Taken {
    /// `None` for a node with several listings, or one that may be left out.
    fn of(node: &Node) -> Option<Taken> {
        let listing = match &node.kind {
            NodeKind::Chance(listing) => listing,
            NodeKind::Decision(arms) => match &arms[..] {
                [arm] if arm.active.is_none() => &arm.listing,
                _ => return None,
            },
            NodeKind::Terminal => return None,
        };
        Some(Taken {
            chosen: listing.chosen,
            alternatives: parts(listing),
        })
    }
}

/// What a playout is asked for besides its payoffs.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayoutOptions {
    /// Every action and outcome is reported.
    pub observed: bool,
    /// Play begins after what was chosen or drawn at a node, with the actions in their slots, as in [`steps`].
    pub after: bool,
    /// The plies are counted down, from the number that stands in the last slot of [`Flow::payoffs`]. Where none is left the
    /// playout ends, with payoffs that mean nothing.
    pub counted: bool,
}

/// In [`Flow::last`], besides the players who chose together, one bit for each.
const TOGETHER: u64 = 1 << PlayerSet::MOST;

/// Who chose last by a word in [`Flow::last`]: −1 for nobody, the seat of one who chose alone, and a set of those who did so
/// together.
pub fn last_movers(word: u64) -> PlayerSet {
    match word {
        u64::MAX => PlayerSet::EMPTY,
        word if word & TOGETHER != 0 => PlayerSet::from_word(word),
        seat => PlayerSet::only(seat as usize),
    }
}

/// The most blocks for which a node is entered by the values of slots.
pub(in crate::compile) const MOST_ENTRIES: u32 = 16;

/// Writes the flow of single steps, not optimised: from where each node resumes, with its actions in their slots, to the
/// next node. It returns there with the number of that node in `last`, and in its slots all that nodes keep. Events are
/// left out. With `lasting`, notes are left out too, and it returns with what the future of some node depends on.
pub fn steps(p: &Program, lasting: bool) -> Flow {
    let wanted = |field: &&Field| !lasting || p.layout.live.iter().any(|live| field.is_in(live));
    let fields = p.layout.fields.iter().filter(wanted);
    let wanted = fields.map(|field| field.slot).collect();
    let mut writer = Writer::new(p, PlayoutOptions::default(), &UNIFORM);
    writer.with_notes = !lasting;
    let entries = writer.steps();
    writer.flow(entries, wanted)
}

/// As [`steps`], with the events; without their words, which only screens ask for.
pub fn observed_steps(p: &Program) -> Flow {
    let wanted = p.layout.fields.iter().map(|field| field.slot).collect();
    let mut writer = Writer::new(p, PlayoutOptions::default(), &UNIFORM);
    (writer.with_notes, writer.with_events) = (true, true);
    let entries = writer.steps();
    writer.flow(entries, wanted)
}

/// As [`steps`], where nothing is wanted of the next node but its number.
pub fn ends(p: &Program) -> Flow {
    let mut writer = Writer::new(p, PlayoutOptions::default(), &UNIFORM);
    let mut entries = writer.steps();
    for (entry, node) in std::iter::zip(&mut entries, &p.nodes) {
        entry.taken = Taken::of(node);
    }
    writer.flow(entries, Vec::new())
}

/// Writes the flow of lists, not optimised: for each listing of each node, in their order, all that it lists is emitted. An
/// entry is a listing, and what follows it is wanted of nothing else.
pub fn lists(p: &Program) -> Flow {
    let mut b = Writer::new(p, PlayoutOptions::default(), &UNIFORM);
    let mut entries = Vec::new();
    for (i, node) in p.nodes.iter().enumerate() {
        for listing in node.listings() {
            let at = b.new_block();
            let after = b.list(listing, at);
            b.emit_all(listing, after);
            b.blocks[after.0 as usize].term = Term::Return;
            entries.push(entry(p, i, at));
        }
    }
    b.flow(entries, Vec::new())
}

/// Writes the flow of moves, not optimised: of [`steps`] with `lasting`, and at the node that each comes to all that it
/// offers is emitted, listing after listing; the alternatives of a listing are numbered on from those of the listings
/// before it. At an end the payoffs are made instead. The entries are those of the steps, before which one of what was emitted
/// may be taken, and then one more for each node, which only emits what that offers.
pub fn moves(p: &Program) -> Flow {
    let mut b = Writer::new(p, PlayoutOptions::default(), &UNIFORM);
    b.offers_all = true;
    b.make_nodes();
    for (i, node) in p.nodes.iter().enumerate() {
        b.offers(NodeId(i as u32), node);
    }
    let mut entries = Vec::new();
    for (i, node) in p.nodes.iter().enumerate() {
        let block = match node.kind {
            NodeKind::Terminal => b.at[i],
            _ => b.place(node.resume),
        };
        entries.push(Entry {
            taken: Taken::of(node),
            ..entry_behind(p, i, block)
        });
    }
    entries.extend((0..p.nodes.len()).map(|i| entry(p, i, b.at[i])));
    let live = |field: &&Field| p.layout.live.iter().any(|live| field.is_in(live));
    let fields = p.layout.fields.iter().filter(live);
    let payoffs = p.payoff.values.iter().copied();
    let wanted = fields.map(|field| field.slot).chain(payoffs).collect();
    b.flow(entries, wanted)
}

/// Writes the flow of a program, not optimised, with choices by a policy that [`PlayoutPolicy::is_fusible`].
pub fn flow(p: &Program, options: PlayoutOptions, policy: &PlayoutPolicy) -> Flow {
    let mut b = Writer::new(p, options, policy);
    b.with_notes = !policy.is_uniform();
    b.count = options.counted.then(|| b.counter());
    b.make_nodes();
    for (i, node) in p.nodes.iter().enumerate() {
        b.node(NodeId(i as u32), node);
    }
    let mut entries = Vec::new();
    for (i, node) in p.nodes.iter().enumerate() {
        let block = match node.kind {
            NodeKind::Chance(_) | NodeKind::Decision(_) if options.after => b.place(node.resume),
            _ => b.at[i],
        };
        entries.push(match options.after {
            true => entry_behind(p, i, block),
            false => entry(p, i, block),
        });
    }
    let mut payoffs = p.payoff.values.clone();
    payoffs.extend(b.count.map(|(left, _)| left));
    b.flow(entries, payoffs)
}

/// A node is entered by the players in its slots: so much depends on them.
fn entry(p: &Program, node: usize, block: BlockId) -> Entry {
    let mut keys = Vec::new();
    let mut blocks = 1;
    for info in &p.slots {
        let (lo, hi) = match info.ty.bounds() {
            Some(bounds) if matches!(info.ty, Type::Player(_)) => bounds,
            _ => continue,
        };
        let size = (hi - lo + 1) as u32;
        let kept = p.layout.kept[node].iter().any(|&i| {
            let field = &p.layout.fields[i as usize];
            field.slot == info.slot
                && p.layout.live[node][field.word as usize] >> field.shift & field.mask() != 0
        });
        if kept && blocks * size <= MOST_ENTRIES {
            blocks *= size;
            keys.push((info.slot, lo, size));
        }
    }
    Entry {
        node,
        keys,
        blocks: vec![block; blocks as usize],
        at_node: true,
        taken: None,
    }
}

/// The same where play goes on from a node.
fn entry_behind(p: &Program, node: usize, block: BlockId) -> Entry {
    Entry {
        at_node: matches!(p.nodes[node].kind, NodeKind::Terminal),
        ..entry(p, node, block)
    }
}

struct Writer<'p> {
    p: &'p Program,
    options: PlayoutOptions,
    policy: &'p PlayoutPolicy,
    blocks: Vec<Block>,
    /// Where each block of the program went; listings are placed once for each arm.
    placed: FxHashMap<BlockId, BlockId>,
    /// Where each node is sampled.
    at: Vec<BlockId>,
    /// Where the look whether there is an option begins, of which it is sampled instead, and where play goes on then: where one
    /// of the tuples is taken that were listed, or behind that.
    listed: FxHashMap<NodeId, (BlockId, BlockId)>,
    /// The nodes before which that is done, by where the looking began.
    option_tests: FxHashMap<BlockId, NodeId>,
    last: Slot,
    /// Nobody: an arm's number of a chance node.
    zero: Slot,
    /// How many attempts at sampling are left, and in the next slot whether there are any.
    left: Slot,
    /// The length of the frame so far.
    frame: u32,
    scratch: Option<greedy::Scratch>,
    /// Whether what keeps notes up is written too.
    with_notes: bool,
    /// Whether events are.
    with_events: bool,
    /// Whether nodes emit all that they offer, and take nothing.
    offers_all: bool,
    /// Where plies are counted: how many are left, and where it ends when none is.
    count: Option<(Slot, BlockId)>,
}

impl<'p> Writer<'p> {
    fn new(p: &'p Program, options: PlayoutOptions, policy: &'p PlayoutPolicy) -> Writer<'p> {
        Writer {
            p,
            options,
            policy,
            blocks: Vec::new(),
            placed: FxHashMap::default(),
            at: vec![BlockId(0); p.nodes.len()],
            listed: FxHashMap::default(),
            option_tests: FxHashMap::default(),
            last: p.frame,
            zero: p.frame + 1,
            left: p.frame + 2,
            frame: p.frame + 4,
            scratch: None,
            with_notes: false,
            with_events: false,
            offers_all: false,
            count: None,
        }
    }

    /// The entries of steps: from each node to the next one, whose number is in `last` then.
    fn steps(&mut self) -> Vec<Entry> {
        let p = self.p;
        for i in 0..p.nodes.len() {
            let at = self.new_block();
            self.at[i] = at;
            let value = i as i64;
            self.push(
                at,
                Instr::Const {
                    dst: self.last,
                    value,
                },
            );
            self.blocks[at.0 as usize].term = Term::Return;
        }
        let mut entries = Vec::new();
        for (i, node) in p.nodes.iter().enumerate() {
            let block = match node.kind {
                NodeKind::Terminal => self.at[i],
                _ => self.place(node.resume),
            };
            entries.push(entry_behind(p, i, block));
        }
        entries
    }

    /// All that was written; `wanted` is wanted at every end.
    fn flow(self, entries: Vec<Entry>, wanted: Vec<Slot>) -> Flow {
        Flow {
            blocks: self.blocks,
            frame: self.frame,
            entries,
            payoffs: wanted,
            last: self.p.frame,
            pool: ConstantPool::new(self.frame),
        }
    }

    /// A slot for the plies that are left, and the end of a playout that has none.
    fn counter(&mut self) -> (Slot, BlockId) {
        let out = self.new_block();
        for &dst in &self.p.payoff.values {
            self.push(out, Instr::Const { dst, value: 0 });
        }
        self.blocks[out.0 as usize].term = Term::Return;
        (self.fresh(), out)
    }

    /// Goes on with the game after a choice or a draw.
    fn resume(&mut self, from: BlockId, node: &Node) {
        let resume = self.place(node.resume);
        let Some((left, out)) = self.count else {
            return self.jump(from, resume);
        };
        let some = self.fresh();
        let immediate = |op, dst, value| Instr::Immediate {
            op,
            dst,
            a: left,
            value,
        };
        self.push(from, immediate(Op::Add, left, -1));
        self.push(from, immediate(Op::Ne, some, 0));
        self.branch(from, some, resume, out);
    }

    /// Makes the blocks of all nodes.
    fn make_nodes(&mut self) {
        let nodes = &self.p.nodes;
        for (i, node) in nodes.iter().enumerate() {
            self.at[i] = self.new_block();
            let id = NodeId(i as u32);
            if let Some(option_test) = self.option_test(node) {
                let listed = self.new_block();
                self.listed.insert(id, (option_test.code, listed));
                self.option_tests.insert(option_test.code, id);
            }
        }
    }

    fn new_block(&mut self) -> BlockId {
        self.blocks.push(Block::default());
        BlockId(self.blocks.len() as u32 - 1)
    }

    fn fresh(&mut self) -> Slot {
        self.frame += 1;
        self.frame - 1
    }

    fn push(&mut self, at: BlockId, instr: Instr) {
        self.blocks[at.0 as usize].instrs.push(instr);
    }

    fn jump(&mut self, from: BlockId, to: BlockId) {
        self.blocks[from.0 as usize].term = Term::Jump(to);
    }

    fn branch(&mut self, from: BlockId, cond: Slot, then: BlockId, otherwise: BlockId) {
        self.blocks[from.0 as usize].term = Term::Branch {
            cond,
            then,
            otherwise,
        };
    }

    fn node(&mut self, id: NodeId, node: &Node) {
        let mut at = self.at[id.0 as usize];
        match &node.kind {
            NodeKind::Terminal => {
                let payoff = self.place(self.p.payoff.code);
                self.blocks[at.0 as usize].term = Term::Jump(payoff);
            }
            NodeKind::Chance(listing) => {
                at = self.listing(listing, at);
                self.report(at, id, None, 0, listing);
                self.resume(at, node);
            }
            NodeKind::Decision(arms) => {
                let alone = arms.len() == 1;
                if !alone {
                    let (dst, value) = (self.last, TOGETHER as i64);
                    self.push(at, Instr::Const { dst, value });
                }
                for arm in in_order(arms) {
                    let skipped = self.if_active(arm, &mut at);
                    match self.listed.get(&id).copied() {
                        // As where play comes here after the look.
                        Some((test, listed)) => {
                            let sampled = self.place(test);
                            self.jump(at, sampled);
                            if arm.listing.trial.is_none() {
                                self.take(&arm.listing, listed);
                            }
                            at = listed;
                        }
                        None => at = self.chosen(arm, at),
                    }
                    self.push(at, self.chose(arm.player, alone));
                    if let Some(after) = skipped {
                        self.blocks[at.0 as usize].term = Term::Jump(after);
                        at = after;
                    }
                }
                // All have chosen before anything is reported.
                if self.options.observed {
                    at = self.report_all(at, id, arms);
                }
                self.resume(at, node);
            }
        }
        debug_assert!(!node.listings().is_empty() || matches!(node.kind, NodeKind::Terminal));
    }

    /// Notes who has chosen, alone or with others.
    fn chose(&self, player: ArmPlayer, alone: bool) -> Instr {
        let dst = self.last;
        match (player, alone) {
            (ArmPlayer::Fixed(p), true) => Instr::Const {
                dst,
                value: i64::from(p),
            },
            (ArmPlayer::Slot(src), true) => Instr::Copy { dst, src, words: 1 },
            (ArmPlayer::Fixed(p), false) => Instr::Immediate {
                op: Op::Or,
                dst,
                a: dst,
                value: 1 << p,
            },
            (ArmPlayer::Slot(element), false) => Instr::SetInsert {
                set: Operand {
                    slot: dst,
                    words: 1,
                },
                element,
            },
        }
    }

    /// Where an arm may sit out, goes on in a block for those who take part; returns where both ways meet.
    fn if_active(&mut self, arm: &Arm, at: &mut BlockId) -> Option<BlockId> {
        let active = arm.active?;
        let (go, after) = (self.new_block(), self.new_block());
        self.blocks[at.0 as usize].term = Term::Branch {
            cond: active,
            then: go,
            otherwise: after,
        };
        *at = go;
        Some(after)
    }

    fn report_all(&mut self, mut at: BlockId, id: NodeId, arms: &[Arm]) -> BlockId {
        for (i, arm) in in_order(arms).into_iter().enumerate() {
            let join = self.if_active(arm, &mut at);
            let player = match arm.player {
                ArmPlayer::Slot(slot) => slot,
                ArmPlayer::Fixed(p) => {
                    self.blocks[at.0 as usize].instrs.push(Instr::Const {
                        dst: self.zero,
                        value: i64::from(p),
                    });
                    self.zero
                }
            };
            self.report(at, id, Some(player), i as u32, &arm.listing);
            if let Some(after) = join {
                self.blocks[at.0 as usize].term = Term::Jump(after);
                at = after;
            }
        }
        at
    }

    fn report(&mut self, at: BlockId, node: NodeId, player: Option<Slot>, arm: u32, l: &Listing) {
        if self.options.observed {
            let report = SampleCode::Report {
                player,
                node,
                arm,
                chosen: l.chosen,
                alternatives: parts(l),
            };
            let block = &mut self.blocks[at.0 as usize];
            block.instrs.push(Instr::Sample(Box::new(report)));
        }
    }

    /// The block of the program and all that follows it, once for the whole flow.
    fn place(&mut self, block: BlockId) -> BlockId {
        let mut placed = std::mem::take(&mut self.placed);
        let at = self.place_in(&mut placed, block, None);
        self.placed = placed;
        at
    }

    /// As `place`, for one use: `Return` goes on at `after`.
    fn place_until(&mut self, block: BlockId, after: BlockId) -> BlockId {
        self.place_in(&mut FxHashMap::default(), block, Some(after))
    }

    fn place_in(
        &mut self,
        placed: &mut FxHashMap<BlockId, BlockId>,
        block: BlockId,
        after: Option<BlockId>,
    ) -> BlockId {
        let mut waiting = Vec::new();
        let first = self.target(placed, block, &mut waiting);
        while let Some((source, at)) = waiting.pop() {
            if let Some((listing, option_test)) = self.option_test_of(source) {
                let ways = self.answers(option_test);
                let ways = ways.map(|to| self.target(placed, to, &mut waiting));
                self.sample_instead(listing, option_test.any, at, ways);
                continue;
            }
            let from = self.p.block(source);
            let instrs = from.instrs.iter();
            let instrs = instrs.filter_map(|i| match i {
                Instr::Event(event) => self.event(event),
                _ => Some(i.clone()),
            });
            self.blocks[at.0 as usize].instrs = instrs.collect();
            let term = match from.term {
                Term::Jump(to) => Term::Jump(self.target(placed, to, &mut waiting)),
                Term::Branch {
                    cond,
                    then,
                    otherwise,
                } => Term::Branch {
                    cond,
                    then: self.target(placed, then, &mut waiting),
                    otherwise: self.target(placed, otherwise, &mut waiting),
                },
                Term::Rest(node) => Term::Jump(match self.listed.get(&node) {
                    Some((_, listed)) => *listed,
                    None => self.at[node.0 as usize],
                }),
                Term::Return => after.map_or(Term::Return, Term::Jump),
                Term::Fail(fault) => Term::Fail(fault),
            };
            self.blocks[at.0 as usize].term = term;
        }
        first
    }

    /// An event as it is written, if it is.
    fn event(&self, event: &EventCode) -> Option<Instr> {
        self.with_events.then(|| {
            Instr::Event(Box::new(EventCode {
                said: None,
                ..event.clone()
            }))
        })
    }

    /// Where play goes on after a look: where there is something, and where there is nothing.
    fn answers(&self, test: OptionTest) -> [BlockId; 2] {
        let after = self.p.block(test.after);
        match after.term {
            Term::Branch {
                cond,
                then,
                otherwise,
            } if cond == test.any && after.instrs.is_empty() => [then, otherwise],
            _ => [test.after; 2],
        }
    }

    /// The listing that stands in for looking whether there is anything, where that begins with a block.
    fn option_test_of(&self, source: BlockId) -> Option<(&'p Listing, OptionTest)> {
        let node = self.option_tests.get(&source)?;
        match &self.p.node(*node).kind {
            NodeKind::Decision(arms) => {
                let listing = &arms.first()?.listing;
                Some((listing, listing.option_test?))
            }
            _ => None,
        }
    }

    fn target(
        &mut self,
        placed: &mut FxHashMap<BlockId, BlockId>,
        mut block: BlockId,
        waiting: &mut Vec<(BlockId, BlockId)>,
    ) -> BlockId {
        while let Some(after) = self.p.notes.get(&block).filter(|_| !self.with_notes) {
            block = *after;
        }
        if let Some(at) = placed.get(&block) {
            return *at;
        }
        let at = self.new_block();
        placed.insert(block, at);
        waiting.push((block, at));
        at
    }
}

/// The arms of a decision in the order in which they are sampled: by seat where the seats are fixed.
pub fn in_order(arms: &[Arm]) -> Vec<&Arm> {
    let mut list: Vec<&Arm> = arms.iter().collect();
    let seat = |arm: &Arm| match arm.player {
        ArmPlayer::Fixed(p) => Some(p),
        ArmPlayer::Slot(_) => None,
    };
    if arms.iter().all(|a| seat(a).is_some()) {
        list.sort_by_key(|a| seat(a));
    }
    list
}

fn parts(listing: &Listing) -> Vec<Vec<Operand>> {
    let alternatives = listing.alternatives.iter();
    alternatives
        .map(|a| a.parts.iter().map(|(operand, _)| *operand).collect())
        .collect()
}
