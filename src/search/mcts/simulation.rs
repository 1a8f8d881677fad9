//! Algorithm 1 (Lanctot, Lisý & Winands 2013): one simulation from the root to the end of a game and back.

use super::cells::{Cell, NO_CHILD};
use super::path::{Passed, Path};
use super::policies::SelectionPolicy;
use super::positions::Positions;
use super::roll_outs::RollOut;
use super::strategies::{self, NodeStrategy};
use super::tree::{self, Mover, Node, SimulationResult, Tree};
use super::{Expansion, MOST_FILLED, Setup};
use crate::machine::{Action, Actions, Lister, Machine, PlayError, State};
use crate::model::Claim;
use crate::random::{Stream, stream};
use crate::search::Budget;
use std::sync::Arc;

/// A search whatever its policy is.
pub(super) trait Run: Send {
    fn run(&mut self, budget: &Budget<'_>, rng: &mut Stream) -> Result<u64, PlayError>;
    fn root(&self) -> Option<Root<'_>>;
    fn strategy(&self, mover: usize) -> Vec<f64>;
    fn decisions(&self) -> usize;
    fn size(&self) -> TreeSize;
    fn for_each_node(&self, steps: usize, visit: &mut dyn FnMut(&NodeStrategy<'_>));
}

/// How large a tree is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TreeSize {
    /// Nodes of all kinds.
    pub nodes: usize,
    /// About how many bytes of memory they take, with all that hangs on them.
    pub bytes: usize,
}

/// What simulations brought each player at the root.
pub(super) struct Root<'t> {
    pub movers: Vec<(usize, Arc<Actions>, &'t [Tally])>,
}

/// The simulations that began with an action, and the sum of the player's payoffs over them.
#[derive(Copy, Clone, Debug, Default)]
pub struct Tally {
    pub visits: u64,
    pub sum: f64,
}

/// Where a simulation goes on from a node.
enum Way {
    /// Out of the tree before anything is chosen or drawn: there is no room for a cell.
    Stay,
    /// Out of the tree, by what was chosen.
    Out,
    /// To a node of the tree; [`NO_CHILD`]: to one that is still to be made.
    To(u32),
}

/// A tree may take about so many bytes of memory; then it grows no further, and simulations leave it at its fringe.
const MOST: usize = 1 << 30;

const ROOT: u32 = 0;

/// A tree and what makes it grow. Which states its nodes stand for is up to the [`Positions`].
pub(super) struct Simulations<'m, P: SelectionPolicy, W> {
    machine: &'m Machine,
    policy: P,
    positions: W,
    roll_out: Box<dyn RollOut + 'm>,
    expansion: Expansion,
    tree: Tree<P::Cell>,
    lister: Lister<'m>,
    /// For each mover at the root.
    tallies: Vec<Vec<Tally>>,
    /// Half of what all payoffs add up to, by the game's claim.
    half: f64,
    path: Path<P::Trace>,
    /// What the simulation under way, or the last one, brought.
    result: SimulationResult,
    /// Whether the tree has no room to grow, as the simulation under way found it.
    large: bool,
    /// For roll-outs that draw nothing.
    unused: Stream,
}

impl<'m, P: SelectionPolicy, W: Positions> Simulations<'m, P, W> {
    /// The tree of a root alone.
    pub fn new(
        setup: &Setup<'m, '_>,
        policy: P,
        positions: W,
    ) -> Result<Simulations<'m, P, W>, PlayError> {
        let machine = setup.machine;
        let half = match machine.features().claim {
            Claim::ConstantSum { n, den } => n as f64 / den as f64 / 2.0,
            Claim::GeneralSum => 0.0,
        };
        let mut search = Simulations {
            machine,
            policy,
            positions,
            roll_out: setup.options.roll_outs.start(machine),
            expansion: setup.options.expansion,
            tree: Tree::new(P::COLUMNS),
            lister: machine.lister(),
            tallies: Vec::new(),
            half,
            path: Path::new(),
            result: SimulationResult::default(),
            large: false,
            unused: stream(0, &[]),
        };
        search.add(setup.root)?;
        if let Some(root) = search.tree.decision(ROOT) {
            let counts = root.movers.iter().map(Mover::len);
            search.tallies = counts.map(|n| vec![Tally::default(); n]).collect();
        }
        Ok(search)
    }

    fn simulate(&mut self, rng: &mut Stream) -> Result<(), PlayError> {
        self.path.clear();
        self.large = self.is_large();
        self.policy.begin();
        self.positions.begin();
        self.descend(rng)?;
        self.policy.end(&self.result);
        self.learn();
        Ok(())
    }

    /// Down the tree, one node more, and to the end of the game.
    fn descend(&mut self, rng: &mut Stream) -> Result<(), PlayError> {
        let mut at = ROOT;
        // Whether this simulation has made the decision node where it is.
        let mut made = false;
        loop {
            if let Node::Terminal(result) = &self.tree.nodes[at as usize] {
                self.result.clone_from(result);
                return Ok(());
            }
            at = match self.step(at, made, rng)? {
                Way::Stay => return self.roll_out_from(at, rng),
                Way::Out => return self.roll_out(rng),
                Way::To(NO_CHILD) if self.large => return self.roll_out(rng),
                Way::To(NO_CHILD) => {
                    let nodes = self.tree.nodes.len();
                    let child = self.add_child()?;
                    // Where a matrix is filled it goes no further anyway.
                    let selects = matches!(self.expansion, Expansion::Auto | Expansion::Action);
                    made = selects && self.tree.nodes.len() > nodes;
                    child
                }
                Way::To(child) => {
                    if let Some(Passed { node, step, .. }) = self.path.last() {
                        self.positions.pass(|| self.tree.actions(*node, step))?;
                    }
                    made = false;
                    child
                }
            };
        }
    }

    /// Chooses or draws at a node and puts it on the path, unless there is no room for a cell any more.
    fn step(&mut self, at: u32, made: bool, rng: &mut Stream) -> Result<Way, PlayError> {
        let large = self.large;
        let Passed { cell, step, .. } = self.path.leave(at);
        let (leave, found) = match &mut self.tree.nodes[at as usize] {
            // Lines 3 to 8: the simulation goes on from the outcome, be it new or not.
            Node::Chance(chance) => {
                step.way = chance.draw(self.machine, || self.positions.state(at), rng)?;
                (false, self.tree.way_on(at, step.way))
            }
            _ => {
                let Some(decision) = self.tree.decision(at) else {
                    // Where the game is over the descent has ended.
                    self.path.stay();
                    return Ok(Way::Stay);
                };
                // Lines 10 to 15: as long as the matrix has gaps, one of them is filled and played out.
                let filling = match self.expansion {
                    Expansion::Matrix => !decision.cells.is_full(),
                    Expansion::Auto => {
                        decision.cells.ways() <= MOST_FILLED && !decision.cells.is_full()
                    }
                    Expansion::Action | Expansion::Cell => false,
                };
                if filling && large {
                    self.path.stay();
                    return Ok(Way::Stay);
                }
                step.filling = filling;
                if filling {
                    step.trace = P::Trace::default();
                    step.way = decision.cells.untaken(rng);
                    tree::indices(decision.movers, step.way, &mut step.indices);
                } else {
                    // Line 16.
                    decision.cells.fetch();
                    step.trace = self.policy.select(&decision, &mut step.indices, rng);
                    step.way = tree::way(decision.movers, &step.indices);
                }
                let found = decision.cells.way_on(step.way);
                let cell_alone = self.expansion == Expansion::Cell && found.is_none();
                (filling || made || cell_alone, found)
            }
        };
        if found.is_none() && large {
            self.path.stay();
            return Ok(Way::Stay);
        }
        let (place, child) = match found {
            Some(found) => found,
            None => (self.tree.add_cell(at, step.way), NO_CHILD),
        };
        *cell = place;
        Ok(if leave { Way::Out } else { Way::To(child) })
    }

    /// A node at the end of the path, which is a new one but where another way has led to the same before.
    fn add_child(&mut self) -> Result<u32, PlayError> {
        let Some(Passed { node, cell, step }) = self.path.last() else {
            return Ok(ROOT);
        };
        let (node, cell) = (*node, *cell);
        let positions = &mut self.positions;
        let state = self
            .tree
            .with_actions(node, step, |actions| positions.step(node, actions))?;
        let child = match self.positions.find(&state) {
            Some(child) => child,
            None => self.add(&state)?,
        };
        if let Some(cell) = self.tree.cell_mut(node, cell) {
            cell.set_child(child);
        }
        Ok(child)
    }

    fn is_large(&self) -> bool {
        self.bytes() >= MOST || self.tree.nodes.len() as u64 >= u64::from(NO_CHILD)
    }

    /// About how many bytes of memory it all takes.
    fn bytes(&self) -> usize {
        let position = size_of::<u32>() + self.machine.state_words() * size_of::<u64>();
        self.tree.bytes() + self.lister.bytes() + self.tree.nodes.len() * position
    }

    /// A new node for a state.
    fn add(&mut self, state: &State) -> Result<u32, PlayError> {
        let (half, roll_out, unused) = (self.half, &mut self.roll_out, &mut self.unused);
        // From there to the end nothing is chosen.
        let end = |state: &State| {
            let mut result = SimulationResult::default();
            roll_out.play(state, unused, &mut result.payoffs)?;
            result.weigh(half);
            Ok(result)
        };
        self.tree.add(self.machine, state, &mut self.lister, end)?;
        self.positions.add(state);
        Ok(self.tree.nodes.len() as u32 - 1)
    }

    /// Line 12: from the end of the path to the end of the game.
    fn roll_out(&mut self, rng: &mut Stream) -> Result<(), PlayError> {
        let Some(Passed { node, step, .. }) = self.path.last() else {
            return self.roll_out_from(ROOT, rng);
        };
        let state = self.positions.state(*node);
        let (roll_out, payoffs) = (&mut self.roll_out, &mut self.result.payoffs);
        let play = |actions: &[&Action]| roll_out.play_after(&state, actions, rng, payoffs);
        self.tree.with_actions(*node, step, play)?;
        self.result.weigh(self.half);
        Ok(())
    }

    /// The same from a node.
    fn roll_out_from(&mut self, node: u32, rng: &mut Stream) -> Result<(), PlayError> {
        let state = self.positions.state(node);
        self.roll_out.play(&state, rng, &mut self.result.payoffs)?;
        self.result.weigh(self.half);
        Ok(())
    }

    /// Lines 7, 13, 14 and 19, from the last node that was passed up to the root.
    fn learn(&mut self) {
        let outcome = &self.result;
        for Passed { node, cell, step } in self.path.all().iter().rev() {
            let (node, cell) = (*node, *cell);
            if let Some(mut decision) = self.tree.visited(node) {
                self.policy.update(&mut decision, step, outcome);
                if node == ROOT {
                    for (m, &place) in step.indices.iter().enumerate() {
                        let tally = &mut self.tallies[m][place as usize];
                        tally.visits += 1;
                        tally.sum += outcome.payoffs[decision.movers[m].player()];
                    }
                }
            }
            if P::Cell::LEARNS
                && let Some(cell) = self.tree.cell_mut(node, cell)
            {
                cell.add(outcome.value);
            }
        }
    }
}

impl<P: SelectionPolicy + Send, W: Positions + Send> Run for Simulations<'_, P, W> {
    fn run(&mut self, budget: &Budget<'_>, rng: &mut Stream) -> Result<u64, PlayError> {
        let mut done = 0;
        while budget.allows(done) {
            self.simulate(rng)?;
            done += 1;
        }
        Ok(done)
    }

    fn root(&self) -> Option<Root<'_>> {
        let root = self.tree.decision(ROOT)?;
        let movers = std::iter::zip(root.movers, &self.tallies);
        Some(Root {
            movers: movers
                .map(|(m, tallies)| (m.player(), self.tree.all_actions(m), tallies.as_slice()))
                .collect(),
        })
    }

    fn strategy(&self, mover: usize) -> Vec<f64> {
        match self.tree.decision(ROOT) {
            Some(root) => self.policy.strategy(&root, mover),
            None => Vec::new(),
        }
    }

    fn decisions(&self) -> usize {
        let decisions = self.tree.nodes.iter();
        decisions.filter(|n| matches!(n, Node::Decision(_))).count()
    }

    fn size(&self) -> TreeSize {
        TreeSize {
            nodes: self.tree.nodes.len(),
            bytes: self.bytes(),
        }
    }

    fn for_each_node(&self, steps: usize, visit: &mut dyn FnMut(&NodeStrategy<'_>)) {
        strategies::for_each(&self.tree, &self.positions, &self.policy, steps, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::super::policies::SELECTIONS;
    use super::super::policies::regret::RegretMatching;
    use super::super::positions::Packed;
    use super::super::tree::Joint;
    use super::super::{Nodes, Options};
    use super::*;

    /// Choices together and alone, draws that are listed and draws that are not.
    const GAME: &str = "game Steps {
      players { Ann, Ben }
      state { sum : [Player] 0..90 = 0  hand : set of 1..16  bid : [Player] 0..2  k : 0..2 }
      play {
        repeat 3 times {
          draw h in subsets(1..16, 5) into hand as \"{h}\"
          draw d in 0..2 into k as \"{d}\"
          together each p in Player { p chooses b in 0..2 into bid[p] as \"{b}\" }
          if bid[Ann] > bid[Ben] and 3 in hand { sum[Ann] += bid[Ben] + k }
          Ben chooses c in 0..k into k as \"{c}\"
          sum[Ben] += 2 - k
        }
      }
      payoff zero-sum: [p in Player] sum[p] - mean(sum)
    }";

    /// Nothing is kept but the root: a simulation plays its way down.
    struct Replayed<'m> {
        machine: &'m Machine,
        root: State,
        now: State,
    }

    impl Positions for Replayed<'_> {
        fn begin(&mut self) {
            self.now.clone_from(&self.root);
        }

        fn pass<'a>(&mut self, actions: impl FnOnce() -> Joint<'a>) -> Result<(), PlayError> {
            self.step(0, &tree::borrowed(&actions())).map(drop)
        }

        fn state(&self, _node: u32) -> State {
            self.now.clone()
        }

        fn step(&mut self, _node: u32, actions: &[&Action]) -> Result<State, PlayError> {
            let actions: Vec<Action> = actions.iter().map(|&a| a.clone()).collect();
            self.machine.step(&mut self.now, &actions)?;
            Ok(self.now.clone())
        }

        fn find(&self, _state: &State) -> Option<u32> {
            None
        }

        fn add(&mut self, _state: &State) {}

        fn at(&self, _node: u32, path: &[Vec<Action>]) -> State {
            let mut state = self.root.clone();
            for actions in path {
                self.machine.step(&mut state, actions).unwrap();
            }
            state
        }
    }

    /// All that a search has learnt, and where.
    type Learnt = Vec<(State, u64, usize, Vec<f64>)>;

    fn learnt(search: &mut dyn Run) -> Learnt {
        let mut rng = stream(1, &[]);
        search.run(&Budget::playouts(3_000), &mut rng).unwrap();
        let mut all = Learnt::new();
        search.for_each_node(usize::MAX, &mut |node| {
            let strategy = node.strategy.to_vec();
            all.push((node.state.clone(), node.visits, node.player, strategy));
        });
        all
    }

    #[test]
    fn a_search_does_not_rest_on_states_that_are_kept() {
        let (machine, _) = crate::load(GAME, &Default::default()).unwrap();
        let root = machine.initial().unwrap();
        for expansion in [
            Expansion::Auto,
            Expansion::Matrix,
            Expansion::Action,
            Expansion::Cell,
        ] {
            let options = Options {
                expansion,
                ..Options::default()
            };
            let setup = Setup {
                machine: &machine,
                root: &root,
                options: &options,
            };
            let policy = || RegretMatching { gamma: 0.1 };
            let replayed = Replayed {
                machine: &machine,
                root: root.clone(),
                now: root.clone(),
            };
            let packed = Packed::new(&machine, Nodes::Histories);
            let packed = learnt(&mut Simulations::new(&setup, policy(), packed).unwrap());
            let replayed = learnt(&mut Simulations::new(&setup, policy(), replayed).unwrap());
            assert!(packed.len() > 100, "{expansion:?}: {}", packed.len());
            assert_eq!(packed, replayed, "{expansion:?}");
        }
    }

    /// Two players have 30 moves each, twice: a matrix of 900 cells takes all of 800 simulations.
    #[test]
    fn large_matrices_are_not_filled_unasked() {
        let text = "game Large {
          players { Ann, Ben }
          state { bid : [Player] 1..30 }
          play { repeat 2 times { together each p in Player { p chooses b in 1..30 into bid[p] } } }
          payoff zero-sum: [p in Player] bid[p] - mean(bid)
        }";
        let (machine, _) = crate::load(text, &Default::default()).unwrap();
        let root = machine.initial().unwrap();
        let nodes = |expansion| {
            let options = Options {
                expansion,
                ..Options::default()
            };
            let setup = Setup {
                machine: &machine,
                root: &root,
                options: &options,
            };
            let packed = Packed::new(&machine, Nodes::Histories);
            let policy = RegretMatching { gamma: 0.1 };
            let mut search = Simulations::new(&setup, policy, packed).unwrap();
            let mut rng = stream(1, &[]);
            search.run(&Budget::playouts(800), &mut rng).unwrap();
            search.size().nodes
        };
        assert_eq!(nodes(Expansion::Matrix), 1);
        assert!(nodes(Expansion::Auto) > 100);
    }

    /// With one cell a simulation the tree is no larger than the number of simulations, whatever the policy.
    #[test]
    fn a_simulation_adds_one_cell() {
        let (machine, _) = crate::load(GAME, &Default::default()).unwrap();
        let mut root = machine.initial().unwrap();
        let mut rng = stream(2, &[]);
        while machine.turn(&root) == crate::machine::Turn::Chance {
            let outcome = machine.sample_chance(&root, &mut rng).unwrap();
            machine.step(&mut root, &[outcome]).unwrap();
        }
        for select in SELECTIONS {
            let options = Options {
                expansion: Expansion::Cell,
                ..Options::new(select)
            };
            let setup = Setup {
                machine: &machine,
                root: &root,
                options: &options,
            };
            let mut search = (select.start)(setup).unwrap();
            for n in 1..200 {
                search.run(&Budget::playouts(1), &mut rng).unwrap();
                assert!(search.decisions() <= n, "{select:?}: {n}");
            }
            let mut passed = 0;
            search.for_each_node(usize::MAX, &mut |node| passed += u32::from(node.visits > 0));
            assert!(passed > 20, "{select:?}: {passed}");
        }
    }
}
