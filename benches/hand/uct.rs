//! UCT by hand for two players, no chance and a few moves: an arena of nodes and an arena of arms, plain numbers in both.
//!
//! It searches as the player `uct` does by default: one arm a simulation, a node when an arm is taken for the second time, a
//! random arm among those without a visit, then UCB1 with C = 2/√2. Only ties go to the first arm.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

/// A hand-written game with its positions.
pub trait Game {
    type Position: Copy;

    fn start(&self) -> Self::Position;

    /// A bit for each move, none where the game is over.
    fn moves(&self, position: &Self::Position) -> u32;

    fn play(&self, position: &mut Self::Position, to: u32);

    /// Of the first player, where the game is over.
    fn payoff(&self, position: &Self::Position) -> Option<f64>;

    /// How many moves were made, which says who is to move.
    fn plies(&self, position: &Self::Position) -> u32;

    /// A random game to its end; what it pays the first player.
    fn roll_out(&self, position: &Self::Position, rng: &mut Xoshiro256PlusPlus) -> f64;
}

struct Node<P> {
    position: P,
    /// What it pays the first player, where the game is over.
    payoff: Option<f64>,
    first: u32,
    arms: u32,
    visits: u32,
    /// How many of its arms have a visit.
    tried: u32,
    /// Whether the first player is to move: what is good for the mover has this sign.
    sign: f64,
}

#[derive(Copy, Clone)]
struct Arm {
    sum: f64,
    visits: u32,
    child: u32,
    to: u32,
}

const NO_CHILD: u32 = u32::MAX;

/// A tree whose memory is used again, and logarithms.
pub struct Uct<G: Game> {
    game: G,
    nodes: Vec<Node<G::Position>>,
    arms: Vec<Arm>,
    path: Vec<(u32, u32)>,
    logarithms: Vec<f64>,
}

impl<G: Game> Uct<G> {
    pub fn new(game: G, simulations: u64) -> Uct<G> {
        Uct {
            game,
            nodes: Vec::new(),
            arms: Vec::new(),
            path: Vec::new(),
            logarithms: (0..=simulations).map(|n| (n.max(1) as f64).ln()).collect(),
        }
    }

    fn add(&mut self, position: G::Position) -> u32 {
        let first = self.arms.len() as u32;
        let mut moves = self.game.moves(&position);
        while moves != 0 {
            self.arms.push(Arm {
                sum: 0.0,
                visits: 0,
                child: NO_CHILD,
                to: moves.trailing_zeros(),
            });
            moves &= moves - 1;
        }
        self.nodes.push(Node {
            payoff: self.game.payoff(&position),
            first,
            arms: self.arms.len() as u32 - first,
            visits: 0,
            tried: 0,
            sign: if self.game.plies(&position).is_multiple_of(2) {
                1.0
            } else {
                -1.0
            },
            position,
        });
        self.nodes.len() as u32 - 1
    }

    fn simulate(&mut self, rng: &mut Xoshiro256PlusPlus) {
        self.path.clear();
        let mut at = 0;
        let payoff = loop {
            let node = &self.nodes[at as usize];
            if let Some(payoff) = node.payoff {
                break payoff;
            }
            let arms = &self.arms[node.first as usize..][..node.arms as usize];
            if node.tried < node.arms {
                let skip = rng.random_range(0..node.arms - node.tried);
                let mut open = (0..).zip(arms).filter(|(_, arm)| arm.visits == 0);
                let (place, arm) = open.nth(skip as usize).expect("an arm without a visit");
                self.path.push((at, node.first + place));
                let mut position = node.position;
                self.game.play(&mut position, arm.to);
                self.nodes[at as usize].tried += 1;
                break match self.game.payoff(&position) {
                    Some(payoff) => payoff,
                    None => self.game.roll_out(&position, rng),
                };
            }
            let ln = self.logarithms[node.visits as usize];
            let (mut best, mut most) = (0, f64::NEG_INFINITY);
            for (place, arm) in (0..).zip(arms) {
                let n = f64::from(arm.visits);
                let value = node.sign * arm.sum / n + (2.0 * ln / n).sqrt();
                if value > most {
                    (best, most) = (place, value);
                }
            }
            let (place, arm) = (node.first + best, &arms[best as usize]);
            self.path.push((at, place));
            at = match arm.child {
                NO_CHILD => {
                    let mut position = node.position;
                    self.game.play(&mut position, arm.to);
                    let child = self.add(position);
                    self.arms[place as usize].child = child;
                    child
                }
                child => child,
            };
        };
        for &(node, place) in &self.path {
            self.nodes[node as usize].visits += 1;
            let arm = &mut self.arms[place as usize];
            arm.visits += 1;
            arm.sum += payoff;
        }
    }

    /// The place of the arm with the most visits after so many simulations from the start.
    pub fn search(&mut self, simulations: u64, rng: &mut Xoshiro256PlusPlus) -> usize {
        self.nodes.clear();
        self.arms.clear();
        self.add(self.game.start());
        for _ in 0..simulations {
            self.simulate(rng);
        }
        let arms = &self.arms[..self.nodes[0].arms as usize];
        let most = (0..arms.len()).max_by_key(|&arm| arms[arm].visits);
        most.unwrap_or(0)
    }
}
