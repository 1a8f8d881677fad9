//! The world states of an [`OpenLoop`] game in one flat table, for simulations.

use super::open_loop::{Next, OpenLoop};

/// The end of a game: the number of its payoffs with this bit.
const END: u32 = 1 << 31;

/// What follows a world state, by the choices of both players.
#[derive(Debug)]
pub struct Steps {
    next: Vec<u32>,
    /// For each state where its part begins, and how far apart the leader's choices are.
    states: Vec<(u32, u32)>,
    /// Whether the leader is the first player.
    leads: bool,
}

impl Steps {
    pub fn new(game: &OpenLoop, leader: usize) -> Steps {
        let mut steps = Steps {
            next: Vec::new(),
            states: Vec::new(),
            leads: leader == 0,
        };
        for state in &game.states {
            steps
                .states
                .push((steps.next.len() as u32, state.options[1]));
            let numbers = state.next.iter().map(|next| match next {
                Next::State(state) => *state,
                Next::End(end) => END | end,
            });
            steps.next.extend(numbers);
        }
        steps
    }

    /// What follows the leader's choice `own` and the follower's `other`.
    #[inline]
    pub fn after(&self, state: u32, own: u32, other: u32) -> Next {
        let (begin, width) = self.states[state as usize];
        let (first, second) = if self.leads {
            (own, other)
        } else {
            (other, own)
        };
        let next = self.next[(begin + first * width + second) as usize];
        match next & END {
            0 => Next::State(next),
            _ => Next::End(next & !END),
        }
    }
}
