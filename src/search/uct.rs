//! UCT (Kocsis & Szepesvári 2006; Gelly et al. 2012, sections 3.3 and 3.4) for any number of players, with chance nodes
//! and simultaneous choices.
//!
//! - **Descent.** At a decision node each player to move selects by UCB1 on statistics of their own. Where several choose
//!   at once this is decoupled UCT (DUCT: Lanctot, Lisý & Winands 2013, section 3.1, eq. 2), and the child is that of the
//!   joint action. At a chance node an outcome is drawn by its probability, a child for each outcome that came up.
//! - **Growth.** A playout adds the first decision node that it meets outside the tree, with the chance nodes before it.
//!   DUCT does not fill the matrix of joint actions first: each player tries every action once, then UCB1 decides.
//! - **Roll-out.** Uniform over the actions of each player, to the end of the game.
//! - **Update.** Each player's payoff is added to the arm that this player chose (maxⁿ: everybody maximises their own mean).
//!
//! Not here: hidden information (the world state is taken as given), heuristics, transpositions, reuse of the tree
//! between moves. In a simultaneous game DUCT need not converge to an equilibrium (the same paper, section 4.3).

use super::budget::Budget;
use super::result::{ActionStatistics, FinalChoice, SearchResult, not_to_move};
use super::select::ucb1;
use super::tree::{Arm, Decision, Edge, Joint, Mover, Node, NodeId, ROOT, Tree};
use crate::machine::{Action, Actions, Machine, Payoffs, PlayError, Playouts, State, Turn};
use crate::random::Stream;
use smallvec::SmallVec;

/// What can be set about UCT.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UctOptions {
    /// The exploration constant C of UCB1, in units of payoff as the description states them, the same for all players.
    /// `None`: for each player the range of that player's payoffs times 1/√2. (UCB1's own bound, for payoffs between 0
    /// and 1, has C = √2; in games half of it usually plays better.)
    pub exploration: Option<f64>,
    pub final_choice: FinalChoice,
}

/// Searches from `root` for `player`, who must be one of those to move there, until the budget is used up.
///
/// # Errors
/// Those of play from any playout; [`super::codes::NOT_TO_MOVE`] when `player` has nothing to choose at `root`.
pub fn search(
    machine: &Machine,
    root: &State,
    player: usize,
    options: &UctOptions,
    budget: &Budget<'_>,
    rng: &mut Stream,
) -> Result<SearchResult, PlayError> {
    match machine.turn(root) {
        Turn::Decision(movers) if movers >> player & 1 == 1 => {}
        _ => return Err(not_to_move(machine, player)),
    }
    let mut uct = Uct::new(machine, root, options, rng);
    let playouts = uct.run(budget)?;
    uct.result(player, options.final_choice, playouts)
}

/// As [`search`], with what the one tree says for each player who moves at `root`, in seating order; nothing where nobody
/// does.
///
/// # Errors
/// Those of play from any playout.
pub fn search_for_all(
    machine: &Machine,
    root: &State,
    options: &UctOptions,
    budget: &Budget<'_>,
    rng: &mut Stream,
) -> Result<Vec<(usize, SearchResult)>, PlayError> {
    let Turn::Decision(movers) = machine.turn(root) else {
        return Ok(Vec::new());
    };
    let mut uct = Uct::new(machine, root, options, rng);
    let playouts = uct.run(budget)?;
    (0..machine.player_count())
        .filter(|player| movers >> player & 1 == 1)
        .map(|player| {
            let found = uct.result(player, options.final_choice, playouts)?;
            Ok((player, found))
        })
        .collect()
}

fn exploration(machine: &Machine, set: Option<f64>) -> SmallVec<[f64; 8]> {
    let bounds = &machine.features().payoff_bounds;
    (0..machine.player_count())
        .map(|p| {
            let range = bounds.get(p).map_or(1.0, |(least, most)| most - least);
            set.unwrap_or(range * std::f64::consts::FRAC_1_SQRT_2)
        })
        .collect()
}

/// One search under way.
struct Uct<'a> {
    machine: &'a Machine,
    root: &'a State,
    /// C of each player.
    exploration: SmallVec<[f64; 8]>,
    rng: &'a mut Stream,
    tree: Tree,
    /// The decision nodes passed by the present playout, with what was chosen.
    path: Vec<(NodeId, Joint)>,
    /// Where the present playout is.
    state: State,
    /// The actions of the step to come, one for each player to move.
    step: Vec<Action>,
    playouts: Playouts<'a>,
}

impl<'a> Uct<'a> {
    fn new(
        machine: &'a Machine,
        root: &'a State,
        options: &UctOptions,
        rng: &'a mut Stream,
    ) -> Uct<'a> {
        Uct {
            machine,
            root,
            exploration: exploration(machine, options.exploration),
            rng,
            tree: Tree::default(),
            path: Vec::new(),
            state: root.clone(),
            step: Vec::new(),
            playouts: machine.playouts(),
        }
    }

    /// Playouts until the budget is used up, and how many there were.
    fn run(&mut self, budget: &Budget<'_>) -> Result<u64, PlayError> {
        let mut playouts = 0;
        while budget.allows(playouts) {
            self.playout()?;
            playouts += 1;
        }
        Ok(playouts)
    }

    /// What was found for a player who moves at the root.
    fn result(
        &mut self,
        player: usize,
        rule: FinalChoice,
        playouts: u64,
    ) -> Result<SearchResult, PlayError> {
        let mover = match &self.tree.nodes[ROOT as usize] {
            Node::Decision(decision) => decision.movers.iter().find(|m| m.player == player),
            _ => None,
        };
        let Some(mover) = mover else {
            return Err(not_to_move(self.machine, player));
        };
        let actions: Vec<ActionStatistics> = std::iter::zip(&mover.actions.0, &mover.arms)
            .map(|(action, arm)| ActionStatistics {
                action: action.clone(),
                visits: arm.visits,
                mean: (arm.visits > 0).then(|| arm.sum / arm.visits as f64),
            })
            .collect();
        Ok(SearchResult {
            chosen: rule.pick(&actions, self.rng),
            strategy: rule.strategy(&actions),
            actions,
            playouts,
            nodes: self.tree.decisions(),
        })
    }

    fn playout(&mut self) -> Result<(), PlayError> {
        self.state.clone_from(self.root);
        self.path.clear();
        let payoffs = self.descend()?;
        for (id, joint) in &self.path {
            let Node::Decision(decision) = &mut self.tree.nodes[*id as usize] else {
                continue;
            };
            decision.visits += 1;
            for (mover, &i) in std::iter::zip(&mut decision.movers, joint) {
                let arm = &mut mover.arms[i as usize];
                mover.tried += usize::from(arm.visits == 0);
                arm.visits += 1;
                arm.sum += payoffs[mover.player];
            }
        }
        Ok(())
    }

    /// Down the tree, a node more, and to the end of the game.
    fn descend(&mut self) -> Result<Payoffs, PlayError> {
        let mut at = ROOT;
        loop {
            let mut edge = self.choose(at)?;
            at = loop {
                match self.machine.turn(&self.state) {
                    Turn::Terminal => return self.machine.payoffs(&self.state),
                    Turn::Decision(_) => match self.tree.child(&edge) {
                        Some(child) => break child,
                        None => {
                            self.tree.add(edge, Node::Leaf);
                            return self.roll_out();
                        }
                    },
                    Turn::Chance => {
                        let known = self.tree.child(&edge);
                        let Some(chance) = known.or_else(|| self.tree.add(edge, Node::Chance))
                        else {
                            return self.roll_out();
                        };
                        edge = Edge::Outcome(chance, self.draw()?);
                    }
                }
            };
        }
    }

    /// Selects for everyone who chooses at a decision node of the tree, and plays it.
    fn choose(&mut self, at: NodeId) -> Result<Edge, PlayError> {
        if matches!(self.tree.nodes[at as usize], Node::Leaf) {
            let decision = self.decision()?;
            self.tree.nodes[at as usize] = Node::Decision(Box::new(decision));
        }
        let mut joint = Joint::new();
        self.step.clear();
        if let Node::Decision(decision) = &self.tree.nodes[at as usize] {
            for mover in &decision.movers {
                let c = self.exploration[mover.player];
                let i = ucb1(&mover.arms, decision.visits, mover.tried, c, self.rng);
                self.step.push(mover.actions[i].clone());
                joint.push(i as u32);
            }
        }
        self.machine.step(&mut self.state, &self.step)?;
        self.path.push((at, joint.clone()));
        Ok(Edge::Joint(at, joint))
    }

    /// Statistics for the decision node where the playout is.
    fn decision(&self) -> Result<Decision, PlayError> {
        let mut movers = SmallVec::new();
        if let Turn::Decision(mask) = self.machine.turn(&self.state) {
            for player in (0..self.machine.player_count()).filter(|p| mask >> p & 1 == 1) {
                let mut actions = Actions::default();
                self.machine.legal(&self.state, player, &mut actions)?;
                movers.push(Mover {
                    player,
                    arms: vec![Arm::default(); actions.len()],
                    actions,
                    tried: 0,
                });
            }
        }
        Ok(Decision { visits: 0, movers })
    }

    /// Draws an outcome of the chance node where the playout is, and plays it.
    fn draw(&mut self) -> Result<Action, PlayError> {
        let outcome = self.machine.sample_chance(&self.state, self.rng)?;
        self.machine
            .step(&mut self.state, std::slice::from_ref(&outcome))?;
        Ok(outcome)
    }

    /// Plays on at random to the end.
    fn roll_out(&mut self) -> Result<Payoffs, PlayError> {
        let played = self.playouts.play(&self.state, self.rng)?;
        Ok(self.machine.in_payoff(&played.payoffs))
    }
}
