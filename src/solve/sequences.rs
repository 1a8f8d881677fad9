//! The sequence form of a tree: what a player can do as sequences of its own choices, and payoffs as sums over combinations of
//! sequences (von Stengel 1996, "Efficient computation of behavior strategies"; Koller, Megiddo & von Stengel 1996).
//!
//! A player's last choice tells all its choices before (perfect recall), so a sequence is the empty one, number 0, or the
//! player's n-th choice, number n from 1. The numbers of chance are in the weights. Everything that walks over the whole game
//! again and again (best responses, CFR, linear programs) does so over these lists and not over the tree.

use super::tree::{NodeKind, Tree};
use std::ops::Range;

/// An information state in the sequence form of its player.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The sequence that leads here.
    pub before: u32,
    /// The sequence of its first choice; those of the others follow.
    pub first: u32,
    pub choices: u32,
}

impl Decision {
    /// The sequences of its choices.
    pub fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.choices) as usize
    }
}

/// One player's share of the sequence form.
#[derive(Clone, Debug)]
pub struct PlayerSequences {
    /// The player's choices among those of the tree.
    pub choices: Range<usize>,
    /// The number of sequences, the empty one included.
    pub sequences: usize,
    /// The player's information states, each after those before it.
    pub decisions: Vec<Decision>,
    /// For each own sequence the first of its entries, then the number of all.
    rows: Vec<u32>,
    /// For each entry the sequences of the other players, in seating order.
    others: Vec<u32>,
    /// For each entry the sum over the ends it stands for: probability by chance alone times the player's payoff.
    weights: Vec<f64>,
}

/// The sequence form of a game.
#[derive(Clone, Debug)]
pub struct Sequences {
    pub players: Vec<PlayerSequences>,
}

impl Sequences {
    pub fn new(tree: &Tree) -> Sequences {
        let ends = Ends::of(tree);
        Sequences {
            players: (0..tree.players())
                .map(|player| PlayerSequences::new(tree, player, &ends))
                .collect(),
        }
    }

    /// What each of a player's sequences earns, given the plans of the others: the sum over its entries, which leaves out
    /// what earlier and later sequences earn. The plan of the player itself is not looked at.
    pub fn earnings(&self, player: usize, plans: &[Vec<f64>], into: &mut [f64]) {
        let form = &self.players[player];
        let rows = form.rows.windows(2).zip(into);
        match plans.len() {
            1 => {
                for (row, sum) in rows {
                    *sum = form.weights[row[0] as usize..row[1] as usize].iter().sum();
                }
            }
            2 => {
                let other = &plans[1 - player];
                for (row, sum) in rows {
                    let entries = row[0] as usize..row[1] as usize;
                    let weights = form.weights[entries.clone()].iter();
                    *sum = weights
                        .zip(&form.others[entries])
                        .map(|(weight, &sequence)| weight * other[sequence as usize])
                        .sum();
                }
            }
            players => {
                let others = players - 1;
                for (row, sum) in rows {
                    *sum = 0.0;
                    for entry in row[0] as usize..row[1] as usize {
                        let sequences = &form.others[entry * others..(entry + 1) * others];
                        let plans = (0..players).filter(|p| *p != player).map(|p| &plans[p]);
                        let reached = plans.zip(sequences).map(|(plan, &s)| plan[s as usize]);
                        *sum += form.weights[entry] * reached.product::<f64>();
                    }
                }
            }
        }
    }

    /// What a player is paid in the mean.
    pub fn value(&self, player: usize, plans: &[Vec<f64>]) -> f64 {
        let mut earnings = vec![0.0; self.players[player].sequences];
        self.earnings(player, plans, &mut earnings);
        std::iter::zip(&earnings, &plans[player])
            .map(|(e, x)| e * x)
            .sum()
    }
}

impl PlayerSequences {
    fn new(tree: &Tree, player: usize, ends: &Ends) -> PlayerSequences {
        let choices = tree.choices_of(player);
        let sequence = |choice: u32| choice + 1 - choices.start as u32;
        let decisions = tree.information_states()[tree.states_of(player)]
            .iter()
            .map(|state| Decision {
                before: state.before.map_or(0, sequence),
                first: sequence(state.first),
                choices: state.choices,
            })
            .collect();
        let sequences = choices.len() + 1;

        let players = tree.players();
        let own = |end: usize| ends.sequences[end * players + player];
        let others = |end: usize| {
            let all = ends.sequences[end * players..(end + 1) * players].iter();
            let all = all.enumerate().filter(|(p, _)| *p != player);
            all.map(|(_, s)| *s)
        };
        let mut order: Vec<u32> = (0..ends.chance.len() as u32).collect();
        // By number in the end, so that sums do not depend on how sorting breaks ties.
        order.sort_unstable_by(|&a, &b| {
            let (a, b) = (a as usize, b as usize);
            let rows = own(a).cmp(&own(b));
            rows.then_with(|| others(a).cmp(others(b))).then(a.cmp(&b))
        });
        let mut form = PlayerSequences {
            choices: choices.clone(),
            sequences,
            decisions,
            rows: vec![0; sequences + 1],
            others: Vec::new(),
            weights: Vec::new(),
        };
        let mut last: Option<usize> = None;
        for end in order {
            let end = end as usize;
            let worth = ends.chance[end] * tree.payoffs(ends.vectors[end])[player];
            let same = last.is_some_and(|l| own(l) == own(end) && others(l).eq(others(end)));
            match form.weights.last_mut().filter(|_| same) {
                Some(weight) => *weight += worth,
                None => {
                    form.weights.push(worth);
                    form.others.extend(others(end));
                    form.rows[own(end) as usize + 1] += 1;
                }
            }
            last = Some(end);
        }
        for i in 0..sequences {
            form.rows[i + 1] += form.rows[i];
        }
        form
    }

    /// The realization plan of a behaviour strategy: for each sequence the probability that the player makes all its choices,
    /// as far as that is up to the player. `probabilities` are those of the player's own choices.
    pub fn plan(&self, probabilities: &[f64], plan: &mut [f64]) {
        plan[0] = 1.0;
        for decision in &self.decisions {
            let reach = plan[decision.before as usize];
            for sequence in decision.range() {
                plan[sequence] = reach * probabilities[sequence - 1];
            }
        }
    }

    /// The entries of one of the player's sequences: the sequences of the others, and the weight.
    pub fn entries(&self, sequence: usize) -> impl Iterator<Item = (&[u32], f64)> {
        let entries = self.rows[sequence] as usize..self.rows[sequence + 1] as usize;
        let others = self.others.len() / self.weights.len().max(1);
        entries.map(move |e| (&self.others[e * others..(e + 1) * others], self.weights[e]))
    }
}

/// The ends of a tree, in its order.
struct Ends {
    /// For each end the last sequence of each player.
    sequences: Vec<u32>,
    /// For each end the product of the probabilities of chance on the way.
    chance: Vec<f64>,
    /// For each end the number of its payoff vector.
    vectors: Vec<u32>,
}

impl Ends {
    fn of(tree: &Tree) -> Ends {
        let players = tree.players();
        let nodes = tree.nodes();
        let mut ends = Ends {
            sequences: Vec::new(),
            chance: Vec::new(),
            vectors: Vec::new(),
        };
        let mut chance = vec![1.0f64; nodes.len()];
        let mut sequences = vec![0u32; nodes.len() * players];
        for (number, node) in nodes.iter().enumerate() {
            let children = node.first as usize..(node.first + node.children) as usize;
            let row = number * players..(number + 1) * players;
            match node.kind {
                NodeKind::Terminal(vector) => {
                    ends.sequences.extend_from_slice(&sequences[row]);
                    ends.chance.push(chance[number]);
                    ends.vectors.push(vector);
                }
                NodeKind::Chance(_) => {
                    for (child, p) in children.zip(tree.probabilities(node)) {
                        chance[child] = chance[number] * p;
                        sequences.copy_within(row.clone(), child * players);
                    }
                }
                NodeKind::Decision(state) => {
                    let state = &tree.information_states()[state as usize];
                    let player = state.player as usize;
                    let first = state.first + 1 - tree.choices_of(player).start as u32;
                    for (child, sequence) in children.zip(first..) {
                        chance[child] = chance[number];
                        sequences.copy_within(row.clone(), child * players);
                        sequences[child * players + player] = sequence;
                    }
                }
            }
        }
        ends
    }
}
