//! From one state to all of its successors.

use crate::machine::{
    Action, Listed, Machine, Outcomes, PlayError, Product, Rewards, Stepper, Turn,
};
use smallvec::SmallVec;

/// What kind of node a state is at, and how many ways lead on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Terminal,
    /// So many outcomes.
    Chance(usize),
    /// A matrix game: so many rows and columns. A player who does not move has one.
    Decision(usize, usize),
}

impl Shape {
    /// The number of successors.
    pub fn len(self) -> usize {
        match self {
            Shape::Terminal => 0,
            Shape::Chance(n) => n,
            Shape::Decision(rows, columns) => rows * columns,
        }
    }
}

/// A successor: the node and the words of its state, and what player 0 earns on the way in units of
/// 1/`Machine::payoff_denominator`.
pub(super) struct Child<'a> {
    pub node: u32,
    pub words: &'a [u64],
    pub reward: i64,
}

/// Expands one state after another.
pub(super) struct Expander<'m> {
    machine: &'m Machine,
    stepper: Stepper<'m>,
    rewards: Rewards,
    words: Vec<u64>,
    /// Room for [`Expander::expand`].
    product: Option<Product>,
    /// The actions of the players, rows and columns; empty for one who does not move.
    actions: [Listed; 2],
    pub outcomes: Outcomes,
}

impl<'m> Expander<'m> {
    pub fn new(machine: &'m Machine, rewards: &Rewards) -> Expander<'m> {
        Expander {
            machine,
            stepper: machine.lasting_stepper(),
            rewards: rewards.clone(),
            words: vec![0; machine.state_words()],
            product: None,
            actions: Default::default(),
            outcomes: Outcomes::default(),
        }
    }

    /// Lists what a state offers.
    pub fn list(&mut self, node: u32, words: &[u64]) -> Result<Shape, PlayError> {
        let turn = self.machine.turn_at(node, words);
        if turn != Turn::Terminal {
            self.stepper.start(node, words);
        }
        Ok(match turn {
            Turn::Terminal => Shape::Terminal,
            Turn::Chance => {
                self.stepper.outcomes(&mut self.outcomes)?;
                Shape::Chance(self.outcomes.list.len())
            }
            Turn::Decision(movers) => {
                for (player, actions) in self.actions.iter_mut().enumerate() {
                    match movers.contains(player) {
                        true => self.stepper.list_again(player, actions)?,
                        false => actions.clear(),
                    }
                }
                let count = |p: usize| self.actions[p].len().max(1);
                Shape::Decision(count(0), count(1))
            }
        })
    }

    /// Lists what a state offers and calls `each` with every successor, those of player 0's first action first, then by the
    /// actions of player 1; or in the order of the outcomes.
    pub fn expand(
        &mut self,
        node: u32,
        words: &[u64],
        each: &mut impl FnMut(Child<'_>),
    ) -> Result<Shape, PlayError> {
        let mut product = self.product.take().unwrap_or_default();
        let expanded = self.expand_or_join(node, words, &mut product, each);
        if let Ok((_, true)) = expanded {
            let mut child: SmallVec<[u64; 16]> = SmallVec::from_elem(0, words.len());
            for (row, &line) in product.lines.iter().enumerate() {
                let earned = self.earned(line);
                for (column, &number) in product.columns.numbers.iter().enumerate() {
                    self.join(&product, (row, column), &mut child);
                    each(Child {
                        node: product.node,
                        words: &child,
                        reward: earned[number as usize],
                    });
                }
            }
        }
        self.product = Some(product);
        expanded.map(|(shape, _)| shape)
    }

    /// As [`Expander::expand`]; but where the successors are a product it fills that in, does not call `f`, and returns true.
    pub fn expand_or_join(
        &mut self,
        node: u32,
        words: &[u64],
        product: &mut Product,
        each: &mut impl FnMut(Child<'_>),
    ) -> Result<(Shape, bool), PlayError> {
        let shape = self.list(node, words)?;
        match shape {
            Shape::Terminal => {}
            Shape::Chance(_) => {
                for i in 0..self.outcomes.list.len() {
                    let outcome = &self.outcomes.list[i].0;
                    let node = self.stepper.step(&[outcome], &mut self.words)?;
                    each(self.child(words, node));
                }
            }
            Shape::Decision(rows, columns) => {
                let [row, column] = &self.actions;
                let both = !row.is_empty() && !column.is_empty();
                if both
                    && self
                        .stepper
                        .product([row, column], &self.rewards, product)?
                {
                    return Ok((shape, true));
                }
                for i in 0..rows {
                    for j in 0..columns {
                        let [row, column] = &self.actions;
                        let node = match (row.get(i), column.get(j)) {
                            (Some(a), Some(b)) => self.stepper.step(&[a, b], &mut self.words)?,
                            (Some(a), None) | (None, Some(a)) => {
                                self.stepper.step(&[a], &mut self.words)?
                            }
                            (None, None) => continue,
                        };
                        each(self.child(words, node));
                    }
                }
            }
        }
        Ok((shape, false))
    }

    fn child(&self, before: &[u64], node: u32) -> Child<'_> {
        Child {
            node,
            words: &self.words,
            reward: self.rewards.between(before, &self.words),
        }
    }

    /// Fills in the words of one successor of a product, that of a row and a column.
    pub fn join(&self, product: &Product, (row, column): (usize, usize), words: &mut [u64]) {
        let stride = words.len();
        let (rows, columns) = (&product.rows, &product.columns);
        let changes = self.stepper.changes(product.lines[row]);
        let change = self
            .stepper
            .change(changes[columns.numbers[column] as usize]);
        let row = &rows.parts[row * stride..][..stride];
        let column = &columns.parts[column * stride..][..stride];
        for (w, word) in words.iter_mut().enumerate() {
            let accumulated = product.accumulated[w].wrapping_add(change[w]);
            *word = row[w] | column[w] | product.common[w] | accumulated;
        }
    }

    /// What player 0 earns in a line of a product, by the numbers of its columns.
    pub fn earned(&self, line: u32) -> &[i64] {
        self.stepper.earned(line)
    }

    /// Gives up the lines of products where they have become too many; those of earlier products are no more then.
    pub fn forget_lines(&mut self) {
        self.stepper.forget_lines();
    }

    /// The actions of one player in the state that was listed last.
    pub fn actions_of(&self, player: usize) -> &[Action] {
        &self.actions[player]
    }
}
