//! A search tree over the leader's own choices (I2-UCT), and the mixed strategy in it.

use super::answers::Plan;
use super::open_loop::Class;
use crate::machine::Action;
use crate::random::Stream;
use rand::RngExt;
use smallvec::SmallVec;
use std::ops::Range;

/// No child yet.
const NONE: u32 = u32::MAX;

/// A choice at a node.
#[derive(Copy, Clone, Debug)]
struct Arm {
    child: u32,
    /// Visits since the statistics began, and what the leader was paid in them.
    visits: u32,
    paid: f64,
    /// Visits of all iterations: N_sum of eq. (4).
    all: f64,
}

/// What the leader did so far.
#[derive(Clone, Debug)]
struct Node<'g> {
    class: u32,
    /// The last action before it, and the choice that makes it again; the first choice where it cannot be made.
    last: Option<&'g Action>,
    again: u32,
    arms: Range<usize>,
    visits: u32,
    /// The round of statistics that its visits are of.
    round: u32,
    /// The sum of the weights of all plans that go on from here: eq. (5) from this node on, or its visits where they count as
    /// shares.
    weight: f64,
}

/// The tree. Nodes come after their parents.
#[derive(Debug)]
pub struct PlanTree<'g> {
    classes: &'g [Class],
    nodes: Vec<Node<'g>>,
    arms: Vec<Arm>,
    /// The logarithms of small numbers of visits.
    logarithms: Vec<f64>,
    round: u32,
    /// Whether the statistics of a round are of that round alone.
    anew: bool,
    /// Whether visits weigh as shares of those of their node.
    shares: bool,
    /// The nodes that were come to in this round.
    met: Vec<u32>,
}

/// So many binary digits of a number count for its logarithm.
const DIGITS: u32 = 12;

/// The most nodes, some 64 bytes each with their choices.
const MOST_NODES: usize = 8_000_000;

/// The nodes and arms that a simulation came through.
pub type Path = Vec<(u32, usize)>;

/// The visits of each choice at a node, and what the leader was paid in them.
pub type Tally = SmallVec<[(u32, f64); 8]>;

impl<'g> PlanTree<'g> {
    /// `anew`: statistics of choices begin anew in each round, and are not of all rounds. `shares`: a visit weighs in eq. (5)
    /// as a share of the visits of its node.
    pub fn new(classes: &'g [Class], anew: bool, shares: bool) -> PlanTree<'g> {
        let logarithms = (0..1u32 << DIGITS).map(|n| libm::log(f64::from(n.max(1))));
        let mut tree = PlanTree {
            classes,
            nodes: Vec::new(),
            arms: Vec::new(),
            logarithms: logarithms.collect(),
            round: 0,
            anew,
            shares,
            met: Vec::new(),
        };
        tree.add(0, None);
        tree
    }

    /// Begins a round.
    pub fn begin_round(&mut self) {
        self.round += 1;
        self.met.clear();
    }

    fn add(&mut self, class: u32, last: Option<&'g Action>) -> u32 {
        let first = self.arms.len();
        let choices = self.classes[class as usize].next.len();
        let new = Arm {
            child: NONE,
            visits: 0,
            paid: 0.0,
            all: 0.0,
        };
        self.arms.resize(first + choices, new);
        self.nodes.push(Node {
            class,
            last,
            again: repeated(&self.classes[class as usize], last) as u32,
            arms: first..self.arms.len(),
            visits: 0,
            round: u32::MAX,
            weight: 1.0,
        });
        (self.nodes.len() - 1) as u32
    }

    /// Comes to a node in this round; the statistics of rounds before are forgotten where each has its own.
    #[inline]
    fn refresh(&mut self, node: u32) {
        let number = node;
        let node = &mut self.nodes[node as usize];
        if node.round != self.round {
            self.met.push(number);
            node.round = self.round;
            if !self.anew {
                return;
            }
            node.visits = 0;
            for arm in &mut self.arms[node.arms.clone()] {
                arm.visits = 0;
                arm.paid = 0.0;
            }
        }
    }

    /// The choice of UCB1 (eq. 3): any that was not tried, then the one with the greatest bound.
    #[inline]
    pub fn choose(&mut self, node: u32, c: f64, rng: &mut Stream) -> u32 {
        self.refresh(node);
        let node = &self.nodes[node as usize];
        let arms = &self.arms[node.arms.clone()];
        if arms.len() == 1 {
            return 0;
        }
        let untried = arms.iter().filter(|arm| arm.visits == 0).count();
        if untried > 0 {
            let place = rng.random_range(0..untried as u32) as usize;
            let mut fresh = arms.iter().enumerate().filter(|(_, arm)| arm.visits == 0);
            return fresh.nth(place).map_or(0, |(choice, _)| choice as u32);
        }
        let ln = self.logarithm(node.visits);
        let mut best = (f64::NEG_INFINITY, 0);
        for (choice, arm) in arms.iter().enumerate() {
            let share = 1.0 / f64::from(arm.visits);
            let bound = arm.paid * share + c * (ln * share).sqrt();
            if bound > best.0 {
                best = (bound, choice as u32);
            }
        }
        best.1
    }

    /// The logarithm of a number of visits; of a large one only the first twelve binary digits count, less than 0.0005 of it.
    #[inline]
    fn logarithm(&self, visits: u32) -> f64 {
        let cut = (u32::BITS - visits.leading_zeros()).saturating_sub(DIGITS);
        self.logarithms[(visits >> cut) as usize] + f64::from(cut) * std::f64::consts::LN_2
    }

    /// The arm of a choice.
    #[inline]
    pub fn arm(&self, node: u32, choice: u32) -> usize {
        self.nodes[node as usize].arms.start + choice as usize
    }

    /// The node after a choice, which is made where there is none; `None` where the game cannot go on, or the tree not grow.
    #[inline]
    pub fn follow(&mut self, node: u32, choice: u32) -> Option<u32> {
        let arm = self.arm(node, choice);
        if self.arms[arm].child == NONE {
            let &Node { class, last, .. } = &self.nodes[node as usize];
            let before = &self.classes[class as usize];
            let class = before.next[choice as usize]?;
            if self.nodes.len() >= MOST_NODES {
                return None;
            }
            self.arms[arm].child = self.add(class, before.actions.get(choice as usize).or(last));
        }
        Some(self.arms[arm].child)
    }

    /// Counts simulations that came this way, and what they were paid in all.
    #[inline]
    pub fn count(&mut self, path: &[(u32, usize)], simulations: u64, paid: f64) {
        for &(node, arm) in path {
            let visits = &mut self.nodes[node as usize].visits;
            *visits = visits.saturating_add(simulations as u32);
            let arm = &mut self.arms[arm];
            arm.visits = arm.visits.saturating_add(simulations as u32);
            arm.paid += paid;
            arm.all += simulations as f64;
        }
    }

    /// The choice that makes the last move again, or the first where it cannot be made.
    #[inline]
    pub fn again(&mut self, node: u32) -> u32 {
        self.refresh(node);
        self.nodes[node as usize].again
    }

    /// What was counted at a node so far.
    pub fn tally(&self, node: u32) -> Tally {
        let arms = &self.arms[self.nodes[node as usize].arms.clone()];
        arms.iter().map(|arm| (arm.visits, arm.paid)).collect()
    }

    /// The choice with the highest mean of what was counted since `before`; `None` where none was tried since.
    pub fn best(&mut self, node: u32, before: &Tally) -> Option<u32> {
        self.refresh(node);
        let arms = &self.arms[self.nodes[node as usize].arms.clone()];
        let means = arms.iter().enumerate().map(|(choice, arm)| {
            let (visits, paid) = before.get(choice).copied().unwrap_or((0, 0.0));
            let visits = arm.visits - visits;
            (visits, (arm.paid - paid) / f64::from(visits), choice as u32)
        });
        let tried = means.filter(|mean| mean.0 > 0);
        let best = tried.reduce(|a, b| if b.1 > a.1 { b } else { a });
        best.map(|(_, _, choice)| choice)
    }

    /// The leader's mixed strategy (Algorithm 3): the weight of a plan is the product of N_sum over its choices (eq. 5), or of its
    /// shares of the visits of their nodes. Plans below the share `least` are left out; if all are, the likeliest of them is
    /// played. A plan that was never played further, since the game was always over by then, goes on with its last move.
    pub fn strategy(&mut self, least: f64) -> Vec<(f64, Plan)> {
        // Elsewhere nothing changed in this round.
        self.met.sort_unstable_by(|a, b| b.cmp(a));
        for number in std::mem::take(&mut self.met) {
            let number = number as usize;
            let arms = self.nodes[number].arms.clone();
            let mut sum = 0.0;
            for arm in &self.arms[arms] {
                sum += arm.all * self.below(arm);
            }
            self.nodes[number].weight = if sum > 0.0 { sum } else { 1.0 };
        }
        let mut found = Vec::new();
        self.collect(least, &mut found);
        if found.is_empty() {
            found.push((1.0, self.likeliest()));
        }
        let total: f64 = found.iter().map(|(share, _)| share).sum();
        found.iter_mut().for_each(|(share, _)| *share /= total);
        found
    }

    /// The weight of what goes on from an arm; all of it together weighs as much as a visit where these count as shares.
    fn below(&self, arm: &Arm) -> f64 {
        match arm.child {
            _ if self.shares => 1.0,
            NONE => 1.0,
            child => self.nodes[child as usize].weight,
        }
    }

    /// All plans with at least a share.
    fn collect(&self, least: f64, found: &mut Vec<(f64, Plan)>) {
        let mut open = vec![(0u32, 1.0, Plan::new())];
        while let Some((number, share, plan)) = open.pop() {
            let node = &self.nodes[number as usize];
            let arms = &self.arms[node.arms.clone()];
            if arms.iter().all(|arm| arm.all == 0.0) {
                found.push((share, self.completed(plan, node.class)));
                continue;
            }
            // The last is taken first.
            for (choice, arm) in arms.iter().enumerate().rev() {
                let share = share * (arm.all * self.below(arm) / node.weight);
                if arm.all == 0.0 || share < least {
                    continue;
                }
                let mut plan = plan.clone();
                plan.push(choice as u32);
                match arm.child {
                    NONE => found.push((share, plan)),
                    child => open.push((child, share, plan)),
                }
            }
        }
    }

    fn likeliest(&self) -> Plan {
        let mut plan = Plan::new();
        let mut number = 0;
        loop {
            let node = &self.nodes[number as usize];
            let arms = self.arms[node.arms.clone()].iter().enumerate();
            let weighed = arms.filter(|(_, arm)| arm.all > 0.0);
            let weighed =
                weighed.map(|(choice, arm)| (arm.all * self.below(arm), choice, arm.child));
            let best = weighed.reduce(|a, b| if b.0 > a.0 { b } else { a });
            let Some((_, choice, child)) = best else {
                return self.completed(plan, node.class);
            };
            plan.push(choice as u32);
            if child == NONE {
                return plan;
            }
            number = child;
        }
    }

    /// To the end: the last move again and again where it can be made, and else the first choice.
    fn completed(&self, mut plan: Plan, class: u32) -> Plan {
        let mut last = None;
        let mut at = Some(0);
        for &choice in &plan {
            let Some(class) = at.map(|at: u32| &self.classes[at as usize]) else {
                break;
            };
            last = class.actions.get(choice as usize).or(last);
            at = class.next.get(choice as usize).copied().flatten();
        }
        let mut at = Some(class);
        while let Some(number) = at {
            let class = &self.classes[number as usize];
            let choice = repeated(class, last);
            plan.push(choice as u32);
            at = class.next[choice];
        }
        plan
    }
}

/// The choice that makes an action again, or the first where it cannot be made.
fn repeated(class: &Class, action: Option<&Action>) -> usize {
    let mut actions = class.actions.iter();
    actions.position(|other| Some(other) == action).unwrap_or(0)
}
