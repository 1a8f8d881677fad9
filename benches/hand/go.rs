//! Go on 9 × 9 cells: chains as rings with a count of the empty cells beside each of their stones (a cell beside two
//! stones counts twice), moves drawn among the empty cells and the pass, and drawn again when they are not legal.

use super::select::below;
use super::{End, Hand};
use rand::rngs::Xoshiro256PlusPlus;

const SIZE: usize = 9;
const WIDTH: usize = SIZE + 1;
/// A row of edge above and below; the edge on the left is the one on the right.
const CELLS: usize = WIDTH * (SIZE + 2) + 1;
const KOMI: f64 = 7.5;
const LIMIT: u32 = 243;
const EMPTY: u8 = 2;
const EDGE: u8 = 3;

pub struct Go {
    board: [u8; CELLS],
    chain: [u8; CELLS],
    next: [u8; CELLS],
    /// Of chains: empty neighbours of the stones.
    breath: [u8; CELLS],
    empty: [u8; 128],
    place: [u8; CELLS],
    empties: usize,
}

#[inline(always)]
fn around(c: usize) -> [usize; 4] {
    [c - WIDTH, c - 1, c + 1, c + WIDTH]
}

impl Go {
    pub fn new() -> Go {
        Go {
            board: [EDGE; CELLS],
            chain: [0; CELLS],
            next: [0; CELLS],
            breath: [0; CELLS],
            empty: [0; 128],
            place: [0; CELLS],
            empties: 0,
        }
    }

    fn clear(&mut self) {
        self.empties = 0;
        for row in 1..=SIZE {
            for column in 1..=SIZE {
                let c = row * WIDTH + column;
                self.board[c] = EMPTY;
                self.place[c] = self.empties as u8;
                self.empty[self.empties] = c as u8;
                self.empties += 1;
            }
        }
    }

    /// Whether a stone of `me` on the empty cell `c` breathes, once what it takes is gone.
    #[inline(always)]
    fn legal(&mut self, c: usize, me: u8) -> bool {
        let near = around(c);
        if near.iter().any(|&n| self.board[n] == EMPTY) {
            return true;
        }
        for n in near {
            if self.board[n] != EDGE {
                self.breath[usize::from(self.chain[n])] -= 1;
            }
        }
        let mut legal = false;
        for n in near {
            if self.board[n] != EDGE {
                let breathes = self.breath[usize::from(self.chain[n])] > 0;
                legal |= breathes == (self.board[n] == me);
            }
        }
        for n in near {
            if self.board[n] != EDGE {
                self.breath[usize::from(self.chain[n])] += 1;
            }
        }
        legal
    }

    /// Puts a stone on an empty cell where it is legal. The cell that is forbidden next, or 0.
    #[inline(always)]
    fn put(&mut self, c: usize, me: u8) -> usize {
        self.board[c] = me;
        self.empties -= 1;
        let (at, last) = (self.place[c], self.empty[self.empties]);
        self.empty[usize::from(at)] = last;
        self.place[usize::from(last)] = at;

        self.chain[c] = c as u8;
        self.next[c] = c as u8;
        let mut breath = 0;
        for n in around(c) {
            match self.board[n] {
                EMPTY => breath += 1,
                EDGE => {}
                _ => self.breath[usize::from(self.chain[n])] -= 1,
            }
        }
        self.breath[c] = breath;
        let (mut friends, mut taken, mut single) = (false, 0, 0);
        for n in around(c) {
            if self.board[n] == me {
                friends = true;
                self.join(self.chain[c], self.chain[n]);
            } else if self.board[n] == me ^ 1 && self.breath[usize::from(self.chain[n])] == 0 {
                taken += self.take(n);
                single = n;
            }
        }
        if taken == 1 && !friends && self.breath[c] == 1 {
            single
        } else {
            0
        }
    }

    #[inline(always)]
    fn join(&mut self, a: u8, b: u8) {
        if a == b {
            return;
        }
        self.breath[usize::from(b)] += self.breath[usize::from(a)];
        let mut c = a;
        loop {
            self.chain[usize::from(c)] = b;
            c = self.next[usize::from(c)];
            if c == a {
                break;
            }
        }
        self.next.swap(usize::from(a), usize::from(b));
    }

    fn take(&mut self, first: usize) -> u32 {
        let (mut c, mut stones) = (first, 0);
        loop {
            stones += 1;
            self.board[c] = EMPTY;
            self.place[c] = self.empties as u8;
            self.empty[self.empties] = c as u8;
            self.empties += 1;
            for n in around(c) {
                if self.board[n] < EMPTY {
                    let chain = usize::from(self.chain[n]);
                    // Stones of the chain itself count too; nobody asks for it any more.
                    self.breath[chain] = self.breath[chain].wrapping_add(1);
                }
            }
            c = usize::from(self.next[c]);
            if c == first {
                return stones;
            }
        }
    }

    /// Black's cells less White's: stones, and empty cells that only one of them reaches.
    fn lead(&mut self) -> i32 {
        let mut lead = 0;
        let mut seen = [false; CELLS];
        let mut waiting = [0u8; 128];
        for row in 1..=SIZE {
            for column in 1..=SIZE {
                let start = row * WIDTH + column;
                match self.board[start] {
                    0 => lead += 1,
                    1 => lead -= 1,
                    _ if seen[start] => {}
                    _ => {
                        let (mut size, mut borders, mut depth) = (0, 0u32, 1);
                        waiting[0] = start as u8;
                        seen[start] = true;
                        while depth > 0 {
                            depth -= 1;
                            size += 1;
                            for n in around(usize::from(waiting[depth])) {
                                borders |= 1 << self.board[n];
                                if self.board[n] == EMPTY && !seen[n] {
                                    seen[n] = true;
                                    waiting[depth] = n as u8;
                                    depth += 1;
                                }
                            }
                        }
                        match borders & 3 {
                            1 => lead += size,
                            2 => lead -= size,
                            _ => {}
                        }
                    }
                }
            }
        }
        lead
    }
}

impl Hand for Go {
    fn playout(&mut self, rng: &mut Xoshiro256PlusPlus) -> End {
        self.clear();
        let (mut moves, mut passes, mut ko, mut me) = (0, 0, 0, 0);
        while passes < 2 && moves < LIMIT {
            loop {
                let k = below(rng, self.empties as u32 + 1) as usize;
                if k == self.empties {
                    passes += 1;
                    ko = 0;
                    break;
                }
                let c = usize::from(self.empty[k]);
                if c != ko && self.legal(c, me) {
                    ko = self.put(c, me);
                    passes = 0;
                    break;
                }
            }
            moves += 1;
            me ^= 1;
        }
        End {
            payoff: f64::from(u8::from(f64::from(self.lead()) > KOMI)),
            moves,
        }
    }
}
