//! A place in a game that moves on, with all that can be done there. The state is not packed in between: it stays in the
//! frame of the engine, and one run makes a move and lists what the next node offers.
//!
//! Errors are not reported from here: whoever gets `None` plays again state by state, which gives the full message.

mod lookahead;

use super::codes::{claimed_sum, passed};
use super::engine::{Engine, Runnable, Runner, interpreted_before};
use super::group::Group;
use crate::compile::optimise::{Until, changed_from};
use crate::compile::playout::{Flow, moves};
use crate::ir::select::select;
use crate::ir::{Arm, ArmPlayer, Field, Listing, NodeKind, Operand, Program, Slot};
use crate::machine::interpret::Values;
use crate::machine::{Machine, State};
use crate::model::types::bits;
pub use lookahead::Lookahead;
use smallvec::SmallVec;
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// How many moves the portable engine makes for each instruction of the flow before it is compiled.
const PER_INSTRUCTION: usize = 2;

/// The same for looks ahead, with which the moves are compiled too.
const LOOKS_PER_INSTRUCTION: usize = 6;

/// The code of moves.
#[derive(Debug, Default)]
pub(super) struct MoveCodes {
    moves: OnceLock<Option<MoveCode>>,
    ends: OnceLock<Option<MoveCode>>,
}

#[derive(Debug)]
struct MoveCode {
    runnable: Runnable,
    nodes: Vec<NodeMoves>,
    /// What the payoffs must add up to, if that is easy to say.
    sum: Option<i64>,
}

/// What can be done at a node.
#[derive(Debug)]
struct NodeMoves {
    arms: Vec<ArmMoves>,
    /// What the future of a state there depends on.
    fields: Vec<Field>,
    /// Where these stand in the frame.
    slots: Vec<Slot>,
    /// Those of them that a move may change, by their places in the list.
    changed: Vec<u32>,
    /// Whether its one listing is always asked for.
    single: bool,
}

#[derive(Debug)]
struct ArmMoves {
    /// `None`: chance.
    player: Option<ArmPlayer>,
    active: Option<Slot>,
    chosen: Slot,
    /// How many alternatives there are before its own.
    before: u32,
    /// Where the words of the parts of each alternative go.
    targets: Vec<Vec<Slot>>,
}

impl MoveCodes {
    /// What runs the moves.
    pub fn runnable(&self) -> Option<&Runnable> {
        Some(&self.moves.get()?.as_ref()?.runnable)
    }
}

impl ArmMoves {
    fn new(arm: Option<&Arm>, listing: &Listing, before: u32) -> ArmMoves {
        let words = |part: &Operand| part.slot..part.slot + u32::from(part.words);
        let alternatives = listing.alternatives.iter();
        ArmMoves {
            player: arm.map(|arm| arm.player),
            active: arm.and_then(|arm| arm.active),
            chosen: listing.chosen,
            before,
            targets: alternatives
                .map(|a| a.parts.iter().flat_map(|(part, _)| words(part)).collect())
                .collect(),
        }
    }

    /// Puts the words of an option, and more of them, where the program looks for them.
    #[inline]
    fn put(&self, number: u64, words: &[u64], more: &[u64], frame: &mut [u64]) -> Option<()> {
        let targets = self.targets.get(number as usize)?;
        if words.len() + more.len() < targets.len() {
            return None;
        }
        frame[self.chosen as usize] = number;
        for (slot, word) in std::iter::zip(targets, words.iter().chain(more)) {
            frame[*slot as usize] = *word;
        }
        Some(())
    }

    fn has(&self, group: &Group<'_>) -> bool {
        let own = group.alternative.checked_sub(self.before);
        own.is_some_and(|own| (own as usize) < self.targets.len())
    }
}

impl NodeMoves {
    fn new(program: &Program, flow: &Flow, node: usize) -> NodeMoves {
        let layout = &program.layout;
        let arms = match &program.nodes[node].kind {
            NodeKind::Terminal => Vec::new(),
            NodeKind::Chance(listing) => vec![ArmMoves::new(None, listing, 0)],
            NodeKind::Decision(arms) => {
                let mut before = 0;
                let arms = arms.iter().map(|arm| {
                    let made = ArmMoves::new(Some(arm), &arm.listing, before);
                    before += made.targets.len() as u32;
                    made
                });
                arms.collect()
            }
        };
        let live = |field: &&Field| field.is_in(&layout.live[node]);
        let fields: Vec<Field> = layout.fields.iter().filter(live).copied().collect();
        let mut written = changed_from(flow, &flow.entries[node].blocks);
        for arm in &arms {
            written.insert(arm.chosen);
            let targets = arm.targets.iter().flatten();
            targets.for_each(|slot| written.insert(*slot));
        }
        let numbered = std::iter::zip(0.., &fields);
        NodeMoves {
            changed: numbered
                .filter(|(_, field)| written.contains(field.slot))
                .map(|(number, _)| number)
                .collect(),
            single: matches!(&arms[..], [arm] if arm.active.is_none()),
            arms,
            slots: fields.iter().map(|field| field.slot).collect(),
            fields,
        }
    }
}

impl MoveCode {
    fn new(machine: &Machine, flow: Flow, after_moves: bool) -> Option<MoveCode> {
        let program = &machine.program;
        let flow = passed(program, flow, Until::All);
        let nodes = 0..program.nodes.len();
        let price = match after_moves {
            true => |size| LOOKS_PER_INSTRUCTION * size,
            false => |size| PER_INSTRUCTION * size,
        };
        Some(MoveCode {
            nodes: nodes
                .map(|node| NodeMoves::new(program, &flow, node))
                .collect(),
            runnable: Runnable::new(machine, flow, price, after_moves)?,
            sum: claimed_sum(machine),
        })
    }
}

/// What one player, or chance, can do at the node of a [`Cursor`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// `None`: chance.
    pub player: Option<usize>,
    /// How many options there are, or what all outcomes weigh together; never 0.
    pub total: u64,
    /// The weight of all that others were offered before.
    first: u64,
    /// Its number at the node.
    arm: usize,
}

/// A place in a game that moves on. Nothing is allocated on the way.
pub struct Cursor<'m> {
    machine: &'m Machine,
    code: &'m MoveCode,
    runner: Runner<'m>,
    node: u32,
    offers: SmallVec<[Offer; 4]>,
    /// The number of what was taken, where the code itself finds it.
    taken: Option<u64>,
}

/// How much must be asked for before a [`Cursor`] is worth its code, where machines choose their engine themselves: a move
/// for each instruction of the program.
pub fn moves_before(machine: &Machine) -> u64 {
    match machine.codes.engine {
        Engine::Either => interpreted_before(&machine.program) as u64,
        Engine::Native | Engine::Portable => 0,
    }
}

#[doc(hidden)]
impl Machine {
    /// A place to move on from; `None` where the game is too large for its code.
    pub fn cursor(&self) -> Option<Cursor<'_>> {
        let code = &self.codes.moves.moves;
        let code = code.get_or_init(|| MoveCode::new(self, moves(&self.program), false));
        Some(Cursor::new(self, code.as_ref()?))
    }
}

impl<'m> Cursor<'m> {
    fn new(machine: &'m Machine, code: &'m MoveCode) -> Cursor<'m> {
        Cursor {
            machine,
            code,
            runner: Runner::new(machine, &code.runnable),
            node: 0,
            offers: SmallVec::new(),
            taken: None,
        }
    }

    /// Goes to a state.
    pub fn start(&mut self, state: &State) -> Option<()> {
        self.taken = None;
        for field in &self.code.nodes[state.node as usize].fields {
            self.runner.frame[field.slot as usize] = field.read(&state.words);
        }
        let nodes = self.code.nodes.len() as u32;
        self.run(nodes + state.node)
    }

    /// Moves on, once something was [taken](Cursor::take) for everybody who is offered something.
    #[inline]
    pub fn advance(&mut self) -> Option<()> {
        self.run(self.node)
    }

    #[inline]
    fn go(&mut self, entry: u32) -> Option<()> {
        match self.taken.take() {
            Some(number) => self.runner.run_taking(entry, number)?,
            None => {
                let at = self.runner.enter(entry);
                self.runner.run(at)?;
            }
        }
        self.node = self.runner.frame[self.machine.program.frame as usize] as u32;
        Some(())
    }

    #[inline]
    fn run(&mut self, entry: u32) -> Option<()> {
        self.go(entry)?;
        let node = self.code.nodes.get(self.node as usize)?;
        self.offers.clear();
        match &node.arms[..] {
            [] => Some(()),
            [arm] if node.single => {
                let total = self.runner.total();
                self.offers.push(Offer {
                    player: player(arm, &self.runner.frame[..]),
                    total,
                    first: 0,
                    arm: 0,
                });
                (1..u64::MAX).contains(&total).then_some(())
            }
            arms => self.look(arms),
        }
    }

    /// Finds what each of several is offered.
    fn look(&mut self, arms: &[ArmMoves]) -> Option<()> {
        let frame = &self.runner.frame[..];
        let mut first = 0u64;
        for (number, arm) in arms.iter().enumerate() {
            if arm.active.is_some_and(|slot| frame[slot as usize] == 0) {
                continue;
            }
            let mut total = 0u64;
            self.runner.each(&mut |group| {
                if arm.has(group) {
                    total = total.saturating_add(group.weight.saturating_mul(group.len()));
                }
                ControlFlow::Continue(())
            });
            let player = player(arm, frame);
            let offer = Offer {
                player,
                total,
                first,
                arm: number,
            };
            let place = self.offers.iter().take_while(|o| o.player <= player);
            let place = place.count();
            self.offers.insert(place, offer);
            first = first.checked_add(total).filter(|_| total > 0)?;
        }
        Some(())
    }

    /// The number of the node, as [`Machine::node`] says.
    pub fn node(&self) -> u32 {
        self.node
    }

    /// What each player to move can do, in seating order, or chance; nothing where the game is over.
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }

    /// Chooses of the `offer`-th of the offers: the option number `k`, or the outcome with a weight of `k` before it.
    #[inline]
    pub fn take(&mut self, offer: usize, k: u64) -> Option<()> {
        let offer = *self.offers.get(offer)?;
        let node = &self.code.nodes[self.node as usize];
        if node.single && self.runner.engine() == Engine::Native {
            self.taken = Some(k).filter(|k| *k < offer.total);
            return self.taken.map(drop);
        }
        let arm = &node.arms[offer.arm];
        self.runner
            .take(offer.first + k, |group, k, frame| put(arm, group, k, frame))
    }

    /// The payoffs by player, in units of 1/[`Machine::payoff_denominator`], where the game is over. `None` where they are not
    /// as the game claims.
    pub fn payoffs(&self) -> Option<SmallVec<[i64; 8]>> {
        let mut payoffs: SmallVec<[i64; 8]> = SmallVec::new();
        let mut sum = Some(0i64);
        for slot in &self.machine.program.payoff.values {
            let payoff = self.runner.frame[*slot as usize] as i64;
            sum = sum.and_then(|sum| sum.checked_add(payoff));
            payoffs.push(payoff);
        }
        // The sum of all is soon found; whatever else it takes is for the exact way.
        if sum.is_none() || self.code.sum != sum {
            self.machine.claimed(&payoffs).ok()?;
        }
        Some(payoffs)
    }

    /// The state, without what only texts and notes need.
    pub fn state(&self) -> State {
        let mut words = SmallVec::from_elem(0, self.machine.state_words());
        for field in &self.code.nodes[self.node as usize].fields {
            field.write(&mut words, self.runner.frame[field.slot as usize]);
        }
        State {
            node: self.node,
            words,
        }
    }

    /// What makes the moves.
    pub fn engine(&self) -> Engine {
        self.runner.engine()
    }

    /// Appends the values that the state consists of; [`Cursor::restore`] takes them.
    pub fn save(&self, values: &mut Vec<u64>) {
        let slots = self.code.nodes[self.node as usize].slots.iter();
        values.extend(slots.map(|slot| self.runner.frame[*slot as usize]));
    }

    /// Goes back to a node with the values that were saved there. Nothing is listed: what is done next is
    /// [put](Cursor::put) by who has kept the list.
    #[inline]
    pub fn restore(&mut self, node: u32, values: &[u64]) {
        (self.node, self.taken) = (node, None);
        let frame = &mut self.runner.frame[..];
        let slots = self.code.nodes[node as usize].slots.iter();
        for (slot, value) in std::iter::zip(slots, values) {
            frame[*slot as usize] = *value;
        }
    }

    /// Appends all options of an offer, each with as many words as it says it has: the number of the alternative and the
    /// words of its parts, and 0 up to the longest. `None` where there are `most` or more.
    pub fn list(&self, offer: usize, most: usize, options: &mut Vec<u64>) -> Option<usize> {
        let offer = self.offers.get(offer)?;
        let arm = &self.code.nodes[self.node as usize].arms[offer.arm];
        let stride = 1 + arm.targets.iter().map(Vec::len).max().unwrap_or(0);
        // There are no more options than they weigh together.
        if offer.total >= most as u64 && self.count(arm) >= most as u64 {
            return None;
        }
        let _ = self.each(arm, |number, words, more| {
            let end = options.len() + stride;
            options.push(number);
            options.extend(words);
            options.extend(more);
            options.resize(end, 0);
            ControlFlow::Continue(())
        });
        Some(stride)
    }

    /// Hands on all options for an arm, in order, until `f` stops: the number of the alternative, and the words of its parts
    /// in two pieces.
    #[inline]
    fn each(
        &self,
        arm: &ArmMoves,
        mut f: impl FnMut(u64, &[u64], &[u64]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut all = ControlFlow::Continue(());
        self.runner.each(&mut |group| {
            if !arm.has(group) || group.weight == 0 {
                return ControlFlow::Continue(());
            }
            let number = u64::from(group.alternative - arm.before);
            all = match group.bulk {
                None => f(number, group.whole, &[]),
                Some(Values::Elements(set, lo)) => bits(set).try_for_each(|element| {
                    f(number, group.whole, &[(lo as u64).wrapping_add(element)])
                }),
                Some(_) => group.actions(&mut |action| f(number, &action.0[1..], &[])),
            };
            all
        });
        all
    }

    /// How many options an offer has; `None`: there is no such offer.
    pub fn options(&self, offer: usize) -> Option<u64> {
        let offer = self.offers.get(offer)?;
        Some(match offer.player {
            Some(_) => offer.total,
            None => self.count(&self.code.nodes[self.node as usize].arms[offer.arm]),
        })
    }

    /// How many options there are for an arm.
    fn count(&self, arm: &ArmMoves) -> u64 {
        let mut count = 0u64;
        self.runner.each(&mut |group| {
            let own = arm.has(group) && group.weight != 0;
            count = count.saturating_add(if own { group.len() } else { 0 });
            ControlFlow::Continue(())
        });
        count
    }

    /// Chooses an option from a list, for who has the `arm`-th part in the choice of this node.
    #[inline]
    pub fn put(&mut self, arm: usize, option: &[u64]) -> Option<()> {
        self.taken = None;
        let arm = self.code.nodes[self.node as usize].arms.get(arm)?;
        let (number, words) = option.split_first()?;
        arm.put(*number, words, &[], &mut self.runner.frame[..])
    }
}

impl Offer {
    /// Its number at the node: see [`Cursor::put`].
    pub fn arm(&self) -> usize {
        self.arm
    }
}

fn player(arm: &ArmMoves, frame: &[u64]) -> Option<usize> {
    arm.player.map(|player| match player {
        ArmPlayer::Fixed(player) => usize::from(player),
        ArmPlayer::Slot(slot) => frame[slot as usize] as usize,
    })
}

/// Puts the `k`-th tuple of a group where the program looks for it.
#[inline]
fn put(arm: &ArmMoves, group: &Group<'_>, k: u64, frame: &mut [u64]) -> Option<()> {
    let number = u64::from(group.alternative.checked_sub(arm.before)?);
    match group.bulk {
        None => arm.put(number, group.whole, &[], frame),
        Some(Values::Elements([set], lo)) if group.weight == 1 => {
            let element = (lo as u64).wrapping_add(select(*set, k as u32));
            arm.put(number, group.whole, &[element], frame)
        }
        Some(bulk) => {
            let values = bulk.nth(k / group.weight.max(1));
            arm.put(number, group.whole, &values, frame)
        }
    }
}
