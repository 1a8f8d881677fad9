//! Whole playouts in one go: from a state to the payoffs without a state in between.
//!
//! The game that a playout plays is the one that `sample`, `sample_chance` and `step` play with the same random numbers,
//! of several players to move the first seat first. `compile::playout` writes its flow, `compile::optimise` makes it small,
//! `translate` turns it into code and `run` runs that.

mod code;
mod emitted;
mod run;
mod slow;
mod steps;
mod translate;

use super::interpret::{Trouble, execute};
use super::{Action, Machine, PlayError, State};
use crate::compile::cost::count;
use crate::compile::ir::Program;
use crate::compile::optimise::{Session, Until, optimise};
use crate::compile::playout::{Flow, Wishes, flow};
use emitted::Emitted;
use rand::Rng;
use run::{Follow, Frame, ToldAction};
use smallvec::SmallVec;
use std::sync::OnceLock;
pub(super) use steps::Steps;
use translate::{Code, FRAME};

/// What became of a playout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// One number a player in seating order, in units of 1/[`Machine::payoff_denominator`].
    pub payoffs: SmallVec<[i64; 8]>,
    /// The player who chose last; of those who chose together the last in seating order.
    pub last: Option<usize>,
}

/// One action or outcome on the way of a playout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The node where it was taken, as [`Machine::node`] says.
    pub node: u32,
    /// `None`: chance.
    pub player: Option<usize>,
    pub action: Action,
}

/// The code of playouts, made when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Codes {
    silent: OnceLock<Option<Code>>,
    told: OnceLock<Option<Code>>,
    steps: OnceLock<Option<Code>>,
}

/// Plays playouts of one machine, in a frame of its own. Make one a thread and use it again and again.
pub struct Playouts<'m> {
    machine: &'m Machine,
    frame: Box<Frame>,
    /// Whose constants stand in the frame.
    ready: Option<Wishes>,
    emitted: Emitted,
}

impl Machine {
    /// A place to play playouts in.
    pub fn playouts(&self) -> Playouts<'_> {
        Playouts {
            machine: self,
            frame: empty_frame(),
            ready: None,
            emitted: Emitted::new(),
        }
    }

    /// The flow of a silent playout after some of the passes.
    pub fn playout_flow(&self, until: Until<'_>) -> Flow {
        optimised(&self.program, Wishes::default(), until)
    }

    fn code(&self, wishes: Wishes) -> Option<&Code> {
        let lock = if wishes.told {
            &self.codes.told
        } else {
            &self.codes.silent
        };
        lock.get_or_init(|| {
            let flow = optimised(&self.program, wishes, Until::All);
            translate::translate(&self.program, &flow)
        })
        .as_ref()
    }
}

fn empty_frame() -> Box<Frame> {
    let frame: Box<[u64]> = vec![0; FRAME].into_boxed_slice();
    // The length is that of the array.
    frame.try_into().unwrap_or_else(|_| Box::new([0; FRAME]))
}

fn optimised(p: &Program, wishes: Wishes, until: Until<'_>) -> Flow {
    passed(p, flow(p, wishes), until)
}

fn passed(p: &Program, mut flow: Flow, until: Until<'_>) -> Flow {
    let session = Session {
        program: p,
        fold: |p, frame, instr| execute(p, frame, instr).is_ok(),
    };
    optimise(&session, &mut flow, until);
    count(&mut flow.blocks, &p.tables);
    flow
}

impl Playouts<'_> {
    /// Plays from a state to the end, every choice uniform over its tuples.
    ///
    /// # Errors
    /// Where the rules run into an error.
    pub fn play<R: Rng + Clone>(
        &mut self,
        state: &State,
        rng: &mut R,
    ) -> Result<Played, PlayError> {
        let mut before = rng.clone();
        match self.follow(state, rng, Wishes::default(), &mut ()) {
            Ok(played) => Ok(played),
            // State by state the error tells after which moves.
            Err(error) => Err(slow::play(self.machine, state, &mut before, None)
                .err()
                .unwrap_or(error)),
        }
    }

    /// As [`Playouts::play_told`], state by state: what it must agree with.
    ///
    /// # Errors
    /// As [`Playouts::play`].
    pub fn play_slowly(
        &mut self,
        state: &State,
        rng: &mut impl Rng,
        moves: &mut Vec<Move>,
    ) -> Result<Played, PlayError> {
        slow::play(self.machine, state, rng, Some(moves))
    }

    /// As [`Playouts::play`], and pushes every action and outcome on `moves`.
    ///
    /// # Errors
    /// As [`Playouts::play`].
    pub fn play_told(
        &mut self,
        state: &State,
        rng: &mut impl Rng,
        moves: &mut Vec<Move>,
    ) -> Result<Played, PlayError> {
        let wishes = Wishes { told: true };
        if self.machine.code(wishes).is_none() {
            return slow::play(self.machine, state, rng, Some(moves));
        }
        self.follow(state, rng, wishes, &mut Keep { moves })
    }

    fn follow(
        &mut self,
        state: &State,
        rng: &mut impl Rng,
        wishes: Wishes,
        follow: &mut impl Follow,
    ) -> Result<Played, PlayError> {
        let machine = self.machine;
        let Some(code) = machine.code(wishes) else {
            return slow::play(machine, state, rng, None);
        };
        if self.ready != Some(wishes) {
            let to = code.base..code.base + code.constants.len();
            self.frame[to].copy_from_slice(&code.constants);
            self.ready = Some(wishes);
        }
        let layout = &machine.program.layout;
        for (slot, value) in &layout.fixed {
            self.frame[*slot as usize] = *value as u64;
        }
        for &i in &layout.kept[state.node as usize] {
            let field = &layout.fields[i as usize];
            self.frame[field.slot as usize] = field.read(&state.words);
        }
        self.frame[code.last as usize] = u64::MAX;
        self.emitted.clear();
        let (entry, starts) = &code.entries[state.node as usize];
        let mut at = 0;
        for &(slot, lo, size) in &entry.keys {
            let value = (self.frame[slot as usize] as i64 - lo).clamp(0, i64::from(size) - 1);
            at = at * size as usize + value as usize;
        }
        run::run(
            &machine.program,
            code,
            &mut self.frame,
            starts[at],
            rng,
            &mut self.emitted,
            follow,
        )
        .map_err(|trouble| match trouble {
            Trouble::TooManySteps => machine.trouble_after(
                trouble,
                Some(machine.program.nodes[state.node as usize].span),
            ),
            _ => machine.trouble(trouble),
        })?;
        let payoffs = code
            .payoffs
            .iter()
            .map(|&slot| self.frame[slot as usize] as i64)
            .collect();
        machine.claimed(&payoffs)?;
        Ok(Played {
            payoffs,
            last: usize::try_from(self.frame[code.last as usize] as i64).ok(),
        })
    }
}

/// Keeps what is told.
struct Keep<'a> {
    moves: &'a mut Vec<Move>,
}

impl Follow for Keep<'_> {
    fn told(&mut self, told: ToldAction<'_>) {
        let mut action: SmallVec<[u64; 4]> = SmallVec::new();
        action.push(told.chosen);
        for part in told.parts {
            let from = part.slot as usize;
            action.extend_from_slice(&told.frame[from..from + part.words as usize]);
        }
        self.moves.push(Move {
            node: told.node.0,
            player: told.player,
            action: Action(action),
        });
    }
}
