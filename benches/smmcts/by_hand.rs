//! Regret matching by Algorithm 1 (Lanctot, Lisý & Winands 2013), written for Goofspiel with 13 cards and nothing else:
//! cards as bits, numbers in flat lists, roll-outs on digits.

use crate::hand::goofspiel::play_on;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt};

pub const CARDS: u32 = 13;
const ALL: u16 = (1 << CARDS) - 1;
const GAMMA: f64 = 0.025;

/// Bit c − 1 stands for card c.
#[derive(Copy, Clone)]
struct Position {
    prizes: u16,
    hands: [u16; 2],
    prize: i32,
    lead: i32,
}

#[derive(Copy, Clone, Default)]
struct Cell {
    sum: f64,
    visits: u32,
    /// The root is nobody's child: 0 for none.
    child: u32,
}

enum Node {
    Chance(Vec<Cell>),
    Decision(Box<Decision>),
}

struct Decision {
    n: usize,
    taken: usize,
    /// Regrets and strategy sums, each first of the first player.
    regrets: Vec<f64>,
    strategy: Vec<f64>,
    /// Made at the first visit, all n × n.
    cells: Vec<Cell>,
}

pub struct Search {
    nodes: Vec<Node>,
    root: Position,
    /// The digits of the cards in a set.
    digits: Vec<u64>,
    path: Vec<(u32, usize)>,
}

impl Decision {
    fn new(n: usize) -> Box<Decision> {
        Box::new(Decision {
            n,
            taken: 0,
            regrets: vec![0.0; 2 * n],
            strategy: vec![0.0; 2 * n],
            cells: vec![Cell::default(); n * n],
        })
    }
}

/// The card with k cards below it in a set.
fn nth(mut set: u16, k: usize) -> i32 {
    for _ in 0..k {
        set &= set - 1;
    }
    set.trailing_zeros() as i32 + 1
}

fn bit(card: i32) -> u16 {
    1 << (card - 1)
}

fn below(rng: &mut Xoshiro256PlusPlus, n: usize) -> usize {
    ((u128::from(rng.next_u64()) * n as u128) >> 64) as usize
}

fn select(regrets: &[f64], rng: &mut Xoshiro256PlusPlus) -> usize {
    let total: f64 = regrets.iter().map(|r| r.max(0.0)).sum();
    if total <= 0.0 || rng.random::<f64>() < GAMMA {
        return below(rng, regrets.len());
    }
    let mut left = rng.random::<f64>() * total;
    for (a, r) in regrets.iter().enumerate() {
        left -= r.max(0.0);
        if left < 0.0 {
            return a;
        }
    }
    regrets.len() - 1
}

impl Search {
    /// From the first decision, with this prize on the table.
    pub fn new(prize: i32) -> Search {
        let digits = (0..=ALL).map(|set| {
            let cards = (1..=CARDS as i32).filter(|c| set & bit(*c) != 0);
            cards
                .rev()
                .fold(0, |digits, card| digits << 4 | card as u64)
        });
        Search {
            nodes: vec![Node::Decision(Decision::new(CARDS as usize))],
            root: Position {
                prizes: ALL & !bit(prize),
                hands: [ALL; 2],
                prize,
                lead: 0,
            },
            digits: digits.collect(),
            path: Vec::new(),
        }
    }

    pub fn simulate(&mut self, rng: &mut Xoshiro256PlusPlus) {
        self.path.clear();
        let mut at = 0;
        let mut now = self.root;
        let lead = loop {
            let next = match &mut self.nodes[at as usize] {
                Node::Chance(cells) => {
                    let k = below(rng, cells.len());
                    now.prize = nth(now.prizes, k);
                    now.prizes &= !bit(now.prize);
                    self.path.push((at, k));
                    (cells[k].child, k, false)
                }
                Node::Decision(node) => {
                    let n = node.n;
                    let filling = node.taken < n * n;
                    let way = if filling {
                        let way = if 2 * node.taken < n * n {
                            loop {
                                let way = below(rng, n * n);
                                if node.cells[way].visits == 0 {
                                    break way;
                                }
                            }
                        } else {
                            let skip = below(rng, n * n - node.taken);
                            let vacant = node.cells.iter().enumerate();
                            let mut vacant = vacant.filter(|(_, c)| c.visits == 0);
                            vacant.nth(skip).map_or(0, |(way, _)| way)
                        };
                        node.taken += 1;
                        way
                    } else {
                        let (alice, bob) = node.regrets.split_at(n);
                        select(alice, rng) * n + select(bob, rng)
                    };
                    let cards = [nth(now.hands[0], way / n), nth(now.hands[1], way % n)];
                    now.hands[0] &= !bit(cards[0]);
                    now.hands[1] &= !bit(cards[1]);
                    now.lead += now.prize * (cards[0] - cards[1]).signum();
                    self.path.push((at, way));
                    (node.cells[way].child, way, filling)
                }
            };
            let (child, way, leave) = next;
            if now.hands[0] == 0 {
                break now.lead;
            }
            if leave {
                let cards = [now.prizes, now.hands[0], now.hands[1]];
                let n = now.hands[0].count_ones();
                break play_on(cards.map(|set| self.digits[set as usize]), n, now.lead, rng);
            }
            at = if child > 0 {
                child
            } else {
                let child = self.nodes.len() as u32;
                let n = now.hands[0].count_ones() as usize;
                let node = match &mut self.nodes[at as usize] {
                    Node::Chance(cells) => {
                        cells[way].child = child;
                        Node::Decision(Decision::new(n))
                    }
                    Node::Decision(node) => {
                        node.cells[way].child = child;
                        Node::Chance(vec![Cell::default(); n])
                    }
                };
                self.nodes.push(node);
                child
            };
        };
        self.learn(0.5 * f64::from(lead.signum()));
    }

    fn learn(&mut self, value: f64) {
        for &(at, way) in self.path.iter().rev() {
            match &mut self.nodes[at as usize] {
                Node::Chance(cells) => {
                    cells[way].visits += 1;
                    cells[way].sum += value;
                }
                Node::Decision(node) => {
                    let (n, cells) = (node.n, &node.cells);
                    let (row, column) = (way / n, way % n);
                    let mean = |way: usize| {
                        let Cell { sum, visits, .. } = cells[way];
                        if visits == 0 {
                            0.0
                        } else {
                            sum / f64::from(visits)
                        }
                    };
                    for player in 0..2 {
                        let regrets = &mut node.regrets[player * n..(player + 1) * n];
                        let strategy = &mut node.strategy[player * n..(player + 1) * n];
                        let total: f64 = regrets.iter().map(|r| r.max(0.0)).sum();
                        for a in 0..n {
                            strategy[a] += if total > 0.0 {
                                regrets[a].max(0.0) / total
                            } else {
                                1.0 / n as f64
                            };
                            if player == 0 && a != row {
                                regrets[a] += mean(a * n + column) - value;
                            }
                            if player == 1 && a != column {
                                regrets[a] += value - mean(row * n + a);
                            }
                        }
                    }
                    node.cells[way].visits += 1;
                    node.cells[way].sum += value;
                }
            }
        }
    }

    /// The first player's average strategy at the root.
    pub fn strategy(&self) -> Vec<f64> {
        let Node::Decision(root) = &self.nodes[0] else {
            return Vec::new();
        };
        let sums = &root.strategy[..root.n];
        let total: f64 = sums.iter().sum();
        sums.iter().map(|s| s / total).collect()
    }

    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }
}
