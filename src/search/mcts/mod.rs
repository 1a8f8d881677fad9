//! Simultaneous move Monte Carlo tree search (Lanctot, Lisý & Winands 2013): at a node where several players choose at once
//! a joint action is selected, so that a player can learn to mix.
//!
//! - `simulation` is Algorithm 1, with chance nodes, and with nodes where one player chooses alone, whose matrix has one
//!   column. `tree` and `cells` hold its memory: one child for each joint action. `positions` has the states that the
//!   nodes stand for.
//! - The selection policies have a file each in `policies/`. With a policy comes its final decision, a strategy over the
//!   actions at every node of the tree.
//! - `roll_outs` plays on from where a simulation leaves the tree, uniformly or by the heuristics of the game's knowledge.
//!
//! Not here: hidden information (the world state is taken as given), progressive widening, reuse of the tree between moves.
//!
//! The paper has two players whose payoffs add up to a constant. `rm`, `oos` and `oos_plus` rest on that: a node holds the
//! first player's mean alone, less half of the constant, so that 0 is the same to both. `duct_*` and `exp3` keep every
//! player's own payoffs and run on any game.

mod cells;
mod final_choice;
mod path;
pub mod policies;
mod positions;
pub mod roll_outs;
mod simulation;
mod strategies;
mod tree;

pub use final_choice::FinalChoice;
pub use policies::Selection;
pub use roll_outs::RollOuts;
pub use simulation::TreeSize;
pub use strategies::NodeStrategy;

use super::budget::Budget;
use super::codes;
use super::parameters::Values;
use super::result::{ActionStatistics, SearchResult, not_to_move};
use super::searcher::Searcher;
use super::supported_games::Unsuited;
use crate::machine::{Machine, PlayError, State, Turn};
use crate::random::Stream;
use policies::{SelectionPolicy, Started};
use positions::Packed;
use simulation::{Run, Simulations};

/// A matrix of more joint actions is not filled where nobody asks for that: it would take all of a usual search.
pub const MOST_FILLED: u64 = 500;

/// How a tree grows.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Expansion {
    /// [`Expansion::Matrix`] at nodes with up to [`MOST_FILLED`] joint actions, and [`Expansion::Action`] at others.
    #[default]
    Auto,
    /// At a node every joint action is played out once, in random order, before the policy selects (Algorithm 1, lines 10
    /// to 15).
    Matrix,
    /// The policy selects from the beginning: a simulation adds one node, selects a joint action there and plays it out.
    Action,
    /// The policy selects from the beginning: a simulation adds one cell, for the first joint action on its way that was
    /// never taken, and plays that out. A node is made when it is passed for the second time.
    Cell,
}

/// What a node of the tree stands for.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Nodes {
    /// All that has happened: two ways to the same state lead to two nodes.
    #[default]
    Histories,
    /// "Each state is represented by one node" (section 3): ways that lead to the same state lead to the same node, which
    /// learns from all of them. What a cell has seen is still what came through it alone.
    States,
}

/// What can be set about the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How joint actions are selected, what is learnt from simulations, and how the final decision is made.
    pub select: &'static Selection,
    pub expansion: Expansion,
    pub nodes: Nodes,
    pub roll_outs: RollOuts,
    /// Those of [`Selection::parameters`] that are set.
    pub values: Values,
}

impl Options {
    /// A search by a policy, with the defaults for all else.
    pub fn new(select: &'static Selection) -> Options {
        Options {
            select,
            expansion: Expansion::default(),
            nodes: Nodes::default(),
            roll_outs: RollOuts::default(),
            values: Values::default(),
        }
    }
}

/// By the default policy.
impl Default for Options {
    fn default() -> Options {
        Options::new(policies::DEFAULT)
    }
}

/// All that a policy needs to start a search.
#[derive(Copy, Clone)]
pub struct Setup<'m, 'o> {
    machine: &'m Machine,
    root: &'o State,
    options: &'o Options,
}

impl<'m> Setup<'m, '_> {
    /// The tree of the root alone.
    fn tree<P: SelectionPolicy + 'm>(&self, policy: P) -> Started<'m> {
        let positions = Packed::new(self.machine, self.options.nodes);
        let search = Simulations::new(self, policy, positions)?;
        Ok(Box::new(search))
    }
}

/// Searches from `root` for `player`, who must be one of those to move there, until the budget is used up. What is chosen
/// is drawn from the strategy.
///
/// # Errors
/// Those of [`Search::new`], [`Search::run`] and [`Search::result`].
pub fn search(
    machine: &Machine,
    root: &State,
    player: usize,
    options: &Options,
    budget: &Budget<'_>,
    rng: &mut Stream,
) -> Result<SearchResult, PlayError> {
    let mut search = Search::new(machine, root, options)?;
    search.mover(player)?;
    search.run(budget, rng)?;
    search.result(player, rng)
}

/// As [`search`], with what the one tree says for each player who moves at `root`, in seating order; nothing where nobody
/// does.
///
/// # Errors
/// As [`search`].
pub fn search_for_all(
    machine: &Machine,
    root: &State,
    options: &Options,
    budget: &Budget<'_>,
    rng: &mut Stream,
) -> Result<Vec<(usize, SearchResult)>, PlayError> {
    let Turn::Decision(movers) = machine.turn(root) else {
        return Ok(Vec::new());
    };
    let mut search = Search::new(machine, root, options)?;
    search.run(budget, rng)?;
    movers
        .iter()
        .map(|player| Ok((player, search.result(player, rng)?)))
        .collect()
}

/// A search that can go on: simulations, a look at the tree, more simulations.
///
/// ```
/// # use ruse::internal::search::mcts::{Search, Options};
/// # let text = "game Coins { players { Ann, Ben } state { up : [Player] 0..1 } play {
/// #   together each p in Player { p chooses c in 0..1 into up[p] } }
/// #   payoff zero-sum: { Ann: if up[Ann] == up[Ben] then 1 else -1  Ben: if up[Ann] == up[Ben] then -1 else 1 } }";
/// # let (machine, _) = ruse::load(text, &Default::default()).unwrap();
/// let root = machine.initial()?;
/// let mut search = Search::new(&machine, &root, &Options::default())?;
/// let mut rng = ruse::internal::random::stream(1, &[]);
/// for _ in 0..10 {
///     search.iterate(1000, &mut rng)?;
///     search.for_each_node(usize::MAX, &mut |node| {
///         assert!((node.strategy[0] - 0.5).abs() < 0.2);
///     });
/// }
/// # Ok::<(), ruse::internal::machine::PlayError>(())
/// ```
pub struct Search<'m> {
    machine: &'m Machine,
    tree: Box<dyn Run + 'm>,
    simulations: u64,
}

impl<'m> Search<'m> {
    /// A search from `root`, which may be a chance node. No simulation is made yet.
    ///
    /// # Errors
    /// [`codes::UNSUITED`] where [`Selection::suits`] says so; those of play.
    pub fn new(
        machine: &'m Machine,
        root: &State,
        options: &Options,
    ) -> Result<Search<'m>, PlayError> {
        options.suits(machine).map_err(|unsuited| PlayError {
            code: codes::UNSUITED,
            span: unsuited.span,
            message: format!("the search needs {}, and {}", unsuited.needs, unsuited.but),
            hint: None,
        })?;
        let tree = (options.select.start)(Setup {
            machine,
            root,
            options,
        })?;
        Ok(Search {
            machine,
            tree,
            simulations: 0,
        })
    }

    /// Simulations until the budget is used up, which counts from here. Returns how many there were.
    ///
    /// # Errors
    /// Those of play from any simulation. The tree is then what it was before that simulation, but for ways that were taken
    /// and not learnt from.
    pub fn run(&mut self, budget: &Budget<'_>, rng: &mut Stream) -> Result<u64, PlayError> {
        let done = self.tree.run(budget, rng)?;
        self.simulations += done;
        Ok(done)
    }

    /// So many simulations more.
    ///
    /// # Errors
    /// As [`Search::run`].
    pub fn iterate(&mut self, simulations: u64, rng: &mut Stream) -> Result<(), PlayError> {
        if simulations > 0 {
            self.run(&Budget::playouts(simulations), rng)?;
        }
        Ok(())
    }

    /// The simulations so far.
    pub fn simulations(&self) -> u64 {
        self.simulations
    }

    /// How large the tree is by now.
    pub fn size(&self) -> TreeSize {
        self.tree.size()
    }

    /// What was found at the root for one of those who move there. The strategy is the policy's final decision; before the
    /// first simulation it is uniform.
    ///
    /// # Errors
    /// [`codes::NOT_TO_MOVE`] when `player` has nothing to choose at the root.
    pub fn result(&self, player: usize, rng: &mut Stream) -> Result<SearchResult, PlayError> {
        let mover = self.mover(player)?;
        let root = self.tree.root();
        let (_, actions, tallies) = root
            .and_then(|mut root| {
                (mover < root.movers.len()).then(|| root.movers.swap_remove(mover))
            })
            .ok_or_else(|| not_to_move(self.machine, player))?;
        let actions = std::iter::zip(actions.iter(), tallies)
            .map(|(action, tally)| ActionStatistics {
                action: action.clone(),
                visits: tally.visits,
                mean: (tally.visits > 0).then(|| tally.sum / tally.visits as f64),
            })
            .collect();
        let strategy = self.tree.strategy(mover);
        let total = strategy.iter().sum();
        Ok(SearchResult {
            actions,
            chosen: policies::sample(strategy.iter().copied(), total, rng),
            strategy,
            playouts: self.simulations,
            nodes: self.tree.decisions(),
        })
    }

    /// Calls `visit` for every mover at every decision node of the tree that a simulation has passed, from the root down,
    /// up to so many steps from it. At the nodes of the fringe, which were only played out from, there is no strategy yet.
    ///
    /// Where nodes are states ([`Nodes::States`]), a node comes once for each way to it; these may be very many.
    pub fn for_each_node(&self, steps: usize, visit: &mut dyn FnMut(&NodeStrategy<'_>)) {
        self.tree.for_each_node(steps, visit);
    }

    /// The place of a player among those who move at the root.
    fn mover(&self, player: usize) -> Result<usize, PlayError> {
        let root = self.tree.root();
        root.and_then(|root| root.movers.iter().position(|(p, ..)| *p == player))
            .ok_or_else(|| not_to_move(self.machine, player))
    }
}

impl Searcher for Options {
    fn suits(&self, machine: &Machine) -> Result<(), Box<Unsuited>> {
        self.select.suits(machine)?;
        self.roll_outs.suits(machine)
    }

    fn search(
        &self,
        machine: &Machine,
        root: &State,
        player: usize,
        budget: &Budget<'_>,
        rng: &mut Stream,
    ) -> Result<SearchResult, PlayError> {
        search(machine, root, player, self, budget, rng)
    }

    fn search_for_all(
        &self,
        machine: &Machine,
        root: &State,
        budget: &Budget<'_>,
        rng: &mut Stream,
    ) -> Result<Vec<(usize, SearchResult)>, PlayError> {
        search_for_all(machine, root, self, budget, rng)
    }

    fn tree(&self) -> Option<&Options> {
        Some(self)
    }
}
