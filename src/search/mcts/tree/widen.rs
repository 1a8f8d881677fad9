//! Nodes whose actions are not all known when they are made: in another state of the same information set there may be more
//! (Cowling, Powley & Whitehouse 2012, section IV).

use super::super::cells::{Cell, Cells};
use super::{ActionIndices, Choices, Node, Tree, indices, way};
use crate::machine::{Action, Actions};

impl<C: Cell> Tree<C> {
    /// Adds actions to those of a mover at a decision node, behind the others. What was learnt stays with its actions; the
    /// new ones have seen nothing. `false`, and nothing has changed: there would be too many joint actions to number, or
    /// nobody chooses there.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "for searches that do not know the state")
    )]
    pub fn widen(&mut self, node: u32, mover: usize, more: &[Action]) -> bool {
        let Node::Decision(choices) = &mut self.nodes[node as usize] else {
            return false;
        };
        let mut movers = choices.movers.clone();
        let counts = movers.iter().map(|m| m.len() as u64);
        let mut wider: Vec<u64> = counts.collect();
        wider[mover] += more.len() as u64;
        let ways = wider.iter().try_fold(1u64, |all, n| all.checked_mul(*n));
        let Some(ways) = ways else {
            return false;
        };
        let old = movers.clone();
        let them = &mut movers[mover];
        let known = self.options.actions(them.options());
        let mut all = Actions([&known, more].concat());
        let kept = self.options.keep(&mut all);
        (them.at, them.count, them.words) = (kept.at, kept.count, kept.words);
        if !old[mover].widened || old[mover].room() < them.len() {
            them.widened = true;
            them.first = self.statistics.len() as u32;
            let length = self.columns * them.room();
            self.statistics.resize(them.first as usize + length, 0.0);
            for column in 0..self.columns {
                let to = them.column(column).start;
                self.statistics.copy_within(old[mover].column(column), to);
            }
        }
        let mut at = ActionIndices::new();
        self.cells -= choices.bytes();
        choices.renumber(ways, &mut self.tables, |number| {
            indices(&old, number, &mut at);
            way(&movers, &at)
        });
        choices.movers = movers;
        self.cells += choices.bytes();
        true
    }
}

impl<C: Cell> Choices<C> {
    /// Gives the ways on that were taken other numbers, below `ways`.
    fn renumber(&mut self, ways: u64, tables: &mut Vec<C>, mut number: impl FnMut(u64) -> u64) {
        let mut cells = Cells::new(ways, 0, tables);
        for (way, cell) in self.cells.read(tables).taken() {
            let place = cells.add(number(way), tables);
            *cells.at_mut(place, tables) = cell;
        }
        self.cells = cells;
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::FinalChoice;
    use super::super::super::cells::{Link, Mean};
    use super::super::super::policies::{Selected, SelectionPolicy, duct::Duct};
    use super::super::Mover;
    use super::*;
    use crate::random::stream;

    const GAME: &str = "game Pairs { players { Ann, Ben }
      state { a : 1..9  b : 1..9 }
      play { together { Ann chooses x in 1..2 into a  Ben chooses y in 1..3 into b } }
      payoff zero-sum: [p in Player] 0 }";

    fn tree<C: Cell>(columns: usize) -> Tree<C> {
        let (machine, _) = crate::load(GAME, &Default::default()).unwrap();
        let mut tree = Tree::new(columns);
        let root = machine.initial().unwrap();
        let end = |_: &_| unreachable!("play has not ended");
        tree.add(&machine, &root, &mut machine.lister(), end)
            .unwrap();
        tree
    }

    /// An action with one value; which does not matter here.
    fn action(value: u64) -> Action {
        Action([value].into_iter().collect())
    }

    #[test]
    fn what_was_learnt_stays_with_its_actions() {
        let mut tree = tree::<Mean>(3);
        // Every joint action is taken, and every number of the statistics is another.
        for way in 0..6 {
            let place = tree.add_cell(0, way);
            tree.cell_mut(0, place).unwrap().add(way as f64);
        }
        let mut node = tree.visited(0).unwrap();
        for mover in 0..2 {
            for (c, column) in node.columns_mut::<3>(mover).into_iter().enumerate() {
                for (i, number) in column.iter_mut().enumerate() {
                    *number = (100 * mover + 10 * c + i) as f64;
                }
            }
        }
        // The first mover's actions twice, the second's once: some columns move, some have room.
        for (mover, new) in [(0, vec![3, 4, 5]), (1, vec![4]), (0, vec![6, 7, 8, 9])] {
            let new: Vec<Action> = new.into_iter().map(action).collect();
            assert!(tree.widen(0, mover, &new));
        }
        let node = tree.decision(0).unwrap();
        let counts: Vec<usize> = node.movers.iter().map(Mover::len).collect();
        assert_eq!(counts, [9, 4]);
        for (mover, known) in [(0, 2), (1, 3)] {
            for (c, column) in node.columns::<3>(mover).into_iter().enumerate() {
                for (i, number) in column.iter().enumerate() {
                    let learnt = (100 * mover + 10 * c + i) as f64;
                    assert_eq!(*number, if i < known { learnt } else { 0.0 });
                }
            }
        }
        for x in 0..9 {
            for y in 0..4 {
                let cell = node.cells.find(way(node.movers, &[x, y]));
                let mean = cell.map(|place| node.cells.at(place).mean);
                assert_eq!(mean, (x < 2 && y < 3).then(|| f64::from(3 * x + y)));
            }
        }
    }

    #[test]
    fn new_actions_are_tried_first() {
        let mut tree = tree(2);
        let mut duct = Duct {
            exploration: [1.0, 1.0].into_iter().collect(),
            last: FinalChoice::Mean,
        };
        let mut rng = stream(1, &[]);
        let mut visit = |tree: &mut Tree<Link>| {
            let mut step = Selected::default();
            duct.select(&tree.decision(0).unwrap(), &mut step.indices, &mut rng);
            let outcome = super::super::SimulationResult {
                payoffs: [0.0, 0.0].into_iter().collect(),
                value: 0.0,
            };
            duct.update(&mut tree.visited(0).unwrap(), &step, &outcome);
            step.indices
        };
        for _ in 0..20 {
            visit(&mut tree);
        }
        assert!(tree.widen(0, 1, &[action(7), action(8)]));
        let mut tried: Vec<u32> = (0..2).map(|_| visit(&mut tree)[1]).collect();
        tried.sort_unstable();
        assert_eq!(tried, [3, 4]);
    }
}
