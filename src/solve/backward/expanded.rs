//! The successors of a run of states, before they are entered.

use super::edges::{Kind, MOST_ROWS};
use super::expand::{Expander, Shape};
use super::state_table::{Rows, StateId, StateTable};
use crate::machine::{PlayError, Product, Rewards};
use std::ops::Range;

/// What comes of a run of states, in memory that serves one run after another.
#[derive(Default)]
pub(super) struct Expanded {
    /// The number of the expander.
    pub expander: usize,
    /// The successors of a run of states, one after another.
    pub successors: Rows,
    /// The successors of the states for which they are a product.
    pub products: Vec<Product>,
    /// For all successors in the order of the states; none where nothing is ever earned.
    pub rewards: Vec<i32>,
    pub states: Vec<Origin>,
    /// The number of all successors.
    pub count: usize,
    /// False when a reward or a number of successors is too large to be kept.
    pub fits: bool,
}

/// A state that was expanded.
pub(super) struct Origin {
    pub kind: Kind,
    pub successors: u32,
    pub is_product: bool,
}

impl Expanded {
    /// The number of successors that are no products, and of those that are.
    pub fn listed(&self) -> usize {
        self.successors.len()
    }

    pub fn paired(&self) -> usize {
        self.count - self.successors.len()
    }

    /// Expands the states of a run.
    ///
    /// # Errors
    /// Those of play.
    pub fn expand(
        &mut self,
        expander: &mut Expander<'_>,
        table: &StateTable,
        rewards: &Rewards,
        run: Range<StateId>,
    ) -> Result<(), PlayError> {
        self.successors.clear();
        self.rewards.clear();
        self.states.clear();
        self.count = 0;
        self.fits = true;
        let mut products = 0;
        for id in run {
            let (node, words) = table.get(id);
            if products == self.products.len() {
                self.products.push(Product::default());
            }
            let product = &mut self.products[products];
            let successors = &mut self.successors;
            let (earned, fits) = (&mut self.rewards, &mut self.fits);
            let earning = !rewards.is_empty();
            let mut keep = |reward: i64| {
                *fits &= reward == i64::from(reward as i32);
                reward as i32
            };
            let (shape, is_product) =
                expander.expand_or_join(node, words, product, &mut |child| {
                    successors.push(table, child.node, child.words);
                    if earning {
                        earned.push(keep(child.reward));
                    }
                })?;
            if is_product {
                let columns = &product.columns.numbers;
                for &line in product.lines.iter().filter(|_| earning) {
                    let all = expander.earned(line);
                    earned.extend(columns.iter().map(|&c| keep(all[c as usize])));
                }
                products += 1;
            }
            let kind = match shape {
                Shape::Terminal => Kind::Terminal,
                Shape::Chance(_) if uniform(&expander.outcomes.list) => Kind::UniformChance,
                Shape::Chance(_) => Kind::WeightedChance,
                Shape::Decision(rows, _) => {
                    self.fits &= rows < MOST_ROWS;
                    Kind::Decision(rows as u32)
                }
            };
            self.count += shape.len();
            self.fits &= self.count < u32::MAX as usize / 4;
            self.states.push(Origin {
                kind,
                successors: shape.len() as u32,
                is_product,
            });
        }
        Ok(())
    }
}

/// Whether all outcomes have the same weight.
pub(super) fn uniform<T>(outcomes: &[(T, u64)]) -> bool {
    outcomes.windows(2).all(|w| w[0].1 == w[1].1)
}
