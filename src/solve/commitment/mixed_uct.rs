//! Mixed-UCT (Karwowski & Mańdziuk 2019, section 3.3, Algorithms 1 to 4): the leader learns by UCT against the follower's
//! answers to the strategies that it learned before, and plays how often it made its choices.
//!
//! What the paper leaves open is read as follows ([`Reading`]). An iteration begins with the tree of the one before, with its Q and
//! N. Moves that are fixed are replayed and not counted (Algorithm 1), and `BestMove` goes by the simulations of its level. A plan
//! is a list of moves to the last round (section 2.2): when the game is over it goes on with its last move, which is counted. A
//! count weighs in eq. (5) as its share of the visits of its node, so that a plan is as likely as to make its choices one after
//! the other as often as they were made. Where every plan is below α, the likeliest is played.

use super::answers::{Answering, Answers, Plan, Then};
use super::open_loop::{Next, OpenLoop};
use super::plan_search::{SearchTask, Sought, answers, scale};
use super::plan_tree::{Path, PlanTree, Tally};
use super::program::SAME;
use super::steps::Steps;
use super::{CommitmentMethod, Way};
use crate::random::{Stream, stream};
use crate::solve::methods::{Kind, Parameter, Progress};
use rand::RngExt;
use std::collections::VecDeque;
use std::sync::atomic::Ordering;

pub const METHOD: CommitmentMethod = CommitmentMethod {
    name: "mixed-uct",
    doc: "A commitment of `--leader` by sampling (Mixed-UCT): UCT against answers to what was learned before. Games in which \
          players learn nothing on the way.",
    parameters: &[
        C,
        SIMULATIONS,
        ROUNDS,
        PATIENCE,
        FILTER,
        ANSWERS,
        STATISTICS,
    ],
    is_random: true,
    by: Way::Search(mixed_uct),
};

const FAMILY: &str = "mixed-uct";

const C: Parameter = Parameter {
    name: "c",
    kind: Kind::Amount(0.0, 1e9),
    placeholder: "C",
    doc: "How much a search explores (C in UCB1), in units of payoff",
    default: "a sixth of what lies between the leader's least and greatest payoffs",
    only_with: None,
    family: FAMILY,
};
const SIMULATIONS: Parameter = Parameter {
    name: "simulations",
    kind: Kind::Count(1, 1_000_000_000),
    placeholder: "N",
    doc: "Simulations for each level of the tree in one round",
    default: "500",
    only_with: None,
    family: FAMILY,
};
const ROUNDS: Parameter = Parameter {
    name: "rounds",
    kind: Kind::Count(1, 1_000_000_000),
    placeholder: "N",
    doc: "The most rounds of learning",
    default: "45000",
    only_with: None,
    family: FAMILY,
};
const PATIENCE: Parameter = Parameter {
    name: "patience",
    kind: Kind::Count(1, 1_000_000_000),
    placeholder: "N",
    doc: "The most rounds in a row that find nothing better",
    default: "10000",
    only_with: None,
    family: FAMILY,
};
const FILTER: Parameter = Parameter {
    name: "filter",
    kind: Kind::Amount(0.0, 1.0),
    placeholder: "P",
    doc: "Plans that are less likely than this are not played (α)",
    default: "0.05",
    only_with: None,
    family: FAMILY,
};
const ANSWERS: Parameter = Parameter {
    name: "answers",
    kind: Kind::Count(1, 1_000_000),
    placeholder: "N",
    doc: "So many of the follower's last answers are learned against (m)",
    default: "500",
    only_with: None,
    family: FAMILY,
};
const ALL: &str = "all";
const ROUND: &str = "round";
const STATISTICS: Parameter = Parameter {
    name: "statistics",
    kind: Kind::OneOf(&["level", ALL, ROUND]),
    placeholder: "WHICH",
    doc: "What a search goes by, where the paper may be read so or so. `level`: all that it saw from the choice that is learned \
          on, and the choice itself by this round alone; `all`: all that it saw, each simulation from its first choice to its \
          last; `round`: what it saw in this round alone, from the choice that is learned to the end of the game",
    default: "level",
    only_with: None,
    family: FAMILY,
};

/// What is counted in Q and N of eq. (3), and how that weighs in eq. (5).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Reading {
    /// All iterations, each simulation from the level that is learned to the last round; a level's choice is the best of its own
    /// simulations, and counts weigh as shares of their nodes.
    Level,
    /// All iterations, each simulation from its first choice to its last, those that are fixed too.
    All,
    /// The iteration alone, from the level that is learned to the end of the game.
    Round,
}

/// What is set (Table 4 of the paper).
#[derive(Clone, Debug, PartialEq)]
struct Settings {
    /// C in eq. (3), in units of payoff.
    c: f64,
    /// Simulations for each level of the tree in one iteration.
    simulations: u64,
    /// The most iterations, and the most in a row that find nothing better.
    rounds: u64,
    patience: u64,
    /// α: plans that are less likely are not played.
    least: f64,
    /// m: so many of the last answers of the follower are played against, each as often as every other.
    answers: usize,
    reading: Reading,
}

impl Settings {
    fn of(task: &SearchTask<'_>) -> Settings {
        let paid = task.game.payoffs.iter().map(|paid| paid[task.leader]);
        let most = paid.clone().fold(f64::NEG_INFINITY, f64::max);
        let least = paid.fold(f64::INFINITY, f64::min);
        let values = task.values;
        let count = |name| values.count(name);
        Settings {
            c: values.amount("c").unwrap_or((most - least) / 6.0),
            simulations: count("simulations").unwrap_or(500),
            rounds: count("rounds").unwrap_or(45_000),
            patience: count("patience").unwrap_or(10_000),
            least: values.amount("filter").unwrap_or(0.05),
            answers: count("answers").unwrap_or(500) as usize,
            reading: match values.word("statistics") {
                Some(ALL) => Reading::All,
                Some(ROUND) => Reading::Round,
                _ => Reading::Level,
            },
        }
    }
}

/// Algorithm 2.
fn mixed_uct(task: &SearchTask<'_>, progress: &mut dyn Progress) -> Option<Sought> {
    let &SearchTask { game, leader, .. } = task;
    let settings = Settings::of(task);
    let same = SAME * scale(game);
    let mut rng = stream(task.seed, &[]);
    let answering = Answering::new(game, 1 - leader, same);
    let mut learner = Learner {
        game,
        leader,
        steps: Steps::new(game, leader),
        tree: PlanTree::new(
            &game.classes[leader],
            settings.reading == Reading::Round,
            settings.reading == Reading::Level,
        ),
        path: Path::new(),
        moves: Plan::new(),
    };
    let mut known = VecDeque::from([against_uniform(game, leader, &answering, &mut rng)]);
    let mut best: Option<Sought> = None;
    let (mut rounds, mut found_at) = (0, 0);
    progress.begin("rounds", Some(settings.rounds));
    let mut complete = true;
    while rounds < settings.rounds && rounds - found_at < settings.patience {
        if task.stop.load(Ordering::Relaxed) {
            complete = false;
            break;
        }
        rounds += 1;
        learner.learn(&known, &answering, &settings, &mut rng);
        let plans = learner.tree.strategy(settings.least);
        let (found, values) = answers(game, &answering, leader, &plans);
        if best
            .as_ref()
            .is_none_or(|best| values[0] > best.values[0] + same)
        {
            found_at = rounds;
            progress.better(rounds, values[0]);
            best = Some(Sought {
                plans,
                answer: answering.first(&found),
                values,
                bound: None,
                complete: false,
                work: Vec::new(),
            });
        }
        progress.done(rounds);
        known.push_back(found.compact());
        if known.len() > settings.answers {
            known.pop_front();
        }
    }
    let best = best?;
    let work = vec![("rounds", rounds), ("rounds until it was found", found_at)];
    Some(
        Sought {
            complete,
            work,
            ..best
        }
        .sorted(),
    )
}

/// How many plans of the leader stand for all of them at the beginning.
const SAMPLED: usize = 64;

/// The follower's answer to a leader who takes every plan with the same probability, by a sample of plans.
fn against_uniform(
    game: &OpenLoop,
    leader: usize,
    answering: &Answering<'_>,
    rng: &mut Stream,
) -> Answers {
    let uniform = Answering::new(game, leader, 0.0);
    let share = 1.0 / SAMPLED as f64;
    let plans: Vec<(f64, Plan)> = (0..SAMPLED).map(|_| (share, uniform.any(rng))).collect();
    answers(game, answering, leader, &plans).0
}

struct Learner<'g> {
    game: &'g OpenLoop,
    leader: usize,
    steps: Steps,
    tree: PlanTree<'g>,
    path: Path,
    /// What was learned in this iteration, a choice a level.
    moves: Plan,
}

impl Learner<'_> {
    /// One iteration: the first choice is learned, then the next after it, to the last.
    fn learn(
        &mut self,
        known: &VecDeque<Answers>,
        answering: &Answering<'_>,
        settings: &Settings,
        rng: &mut Stream,
    ) {
        self.tree.begin_round();
        self.moves.clear();
        // The way that the fixed moves take through the tree.
        let mut fixed = Path::new();
        let mut node = Some(0);
        while let Some(at) = node {
            let before = match settings.reading {
                Reading::Level => self.tree.tally(at),
                _ => Tally::new(),
            };
            let mut paid = 0.0;
            for _ in 0..settings.simulations {
                let which = match known.len() {
                    1 => 0,
                    several => rng.random_range(0..several as u32) as usize,
                };
                paid += self.simulate(at, &known[which], answering, settings, rng);
            }
            if settings.reading == Reading::All {
                self.tree.count(&fixed, settings.simulations, paid);
            }
            let Some(choice) = self.tree.best(at, &before) else {
                break;
            };
            fixed.push((at, self.tree.arm(at, choice)));
            self.moves.push(choice);
            node = self.tree.follow(at, choice);
        }
    }

    /// Algorithm 1 with one simulation: what is fixed is replayed against the follower, and from `learned` on it is learned. What
    /// the leader is paid.
    fn simulate(
        &mut self,
        learned: u32,
        follower: &Answers,
        answering: &Answering<'_>,
        settings: &Settings,
        rng: &mut Stream,
    ) -> f64 {
        let mut node = Some(learned);
        // The world state and how the follower goes on, as long as the game does.
        let mut world = Some((0, Then::Case(0)));
        let mut paid = 0.0;
        self.path.clear();
        for step in 0.. {
            let fixed = self.moves.get(step).copied();
            let choice = match (fixed, node, world) {
                (Some(fixed), _, _) => fixed,
                (None, Some(node), world) => {
                    let choice = match (settings.reading, world) {
                        (Reading::Level, None) => self.tree.again(node),
                        _ => self.tree.choose(node, settings.c, rng),
                    };
                    self.path.push((node, self.tree.arm(node, choice)));
                    choice
                }
                // Where the tree has no room to grow.
                (None, None, Some((state, _))) => {
                    let options = self.game.states[state as usize].options[self.leader];
                    rng.random_range(0..options)
                }
                (None, None, None) => break,
            };
            if let Some((state, other)) = world {
                let (answer, then) = answering.sample(follower, other, rng);
                world = match self.steps.after(state, choice, answer) {
                    Next::State(after) => Some((after, then)),
                    Next::End(end) => {
                        paid = self.game.payoffs[end as usize][self.leader];
                        None
                    }
                };
            }
            if world.is_none() && settings.reading == Reading::Round {
                break;
            }
            if fixed.is_none() {
                node = node.and_then(|node| self.tree.follow(node, choice));
            }
        }
        self.tree.count(&self.path, 1, paid);
        paid
    }
}
