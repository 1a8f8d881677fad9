//! Commitment without lists of plans: a double oracle for the strong Stackelberg equilibrium, with bounds.
//!
//! The leader and the follower have a few plans each. For each plan j of the follower a linear program gives the best mix of
//! the leader's plans to which j is a best response; two oracles add what is missing, by dynamic programming ([`Answering`]):
//! the follower's best response to the mix, and the leader's plan that would raise the value of the program by its dual prices.
//! The price of that plan bounds what can be reached with j, whatever else the leader might do, so that plans j fall away.
//!
//! What can be reached with plans that nobody has found yet is bounded in the same way: for all plans of the follower that
//! begin alike there is one program, in which the follower is told which of them to take with each plan of the leader. Where
//! that leaves something to hope for, it is split by the follower's next choice.
//!
//! As in double oracles for zero-sum games (Bošanský, Kiekintveld, Lisý & Pěchouček 2014) nothing but plans that were found is
//! in a program. A strategy that is excellent against some answers and poor against the best is worth here what it is worth
//! against the best one: this is what Mixed-UCT (section 5 of Karwowski & Mańdziuk 2019) falls for.

use super::answers::{Answering, Plan};
use super::dual_simplex::{Outcome, Tableau};
use super::mixes::Mix;
use super::open_loop::{Next, OpenLoop};
use super::plan_search::{SearchTask, Sought, answers, scale};
use super::program::SAME;
use super::{CommitmentMethod, Way};
use crate::random::mix;
use crate::solve::methods::{Kind, Parameter, Progress};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::sync::atomic::Ordering;

pub const METHOD: CommitmentMethod = CommitmentMethod {
    name: "double-oracle",
    doc: "A commitment of `--leader` from plans that are found one by one, where they are too many to be listed. Games in \
          which players learn nothing on the way.",
    parameters: &[PROOF],
    is_random: false,
    by: Way::Search(double_oracle),
};

const PROOF: Parameter = Parameter {
    name: "proof",
    kind: Kind::Count(0, 1_000_000_000),
    placeholder: "N",
    doc: "The most programs that bound what no plan was found for",
    default: "20000",
    only_with: None,
    family: "double-oracle",
};

/// As a share of the largest payoff: what is gained by a plan that is worth adding, and by how much columns are moved apart.
const GAIN: f64 = 1e-8;
const APART: f64 = 1e-11;
/// What the leader pays, in largest payoffs, for each unit of a mix to which the follower would not answer as it should: at
/// first, by how much more where that leaves such a mix in the solution, and at most.
const PENALTY: f64 = 1e3;
const RAISED: f64 = 1e2;
const MOST_PENALTY: f64 = 1e7;
const MOST_PIVOTS: u64 = 100_000;
/// One program of so many is of the proof while there are others.
const PROOF_SHARE: u64 = 4;

/// A plan of the leader with what it earns with the answer that it goes with.
#[derive(Clone, Debug)]
struct Column {
    own: usize,
    /// The answer, as far as the game goes on.
    answer: Plan,
    /// What the leader and the follower are paid.
    paid: [f64; 2],
}

/// What is known of the plans of the follower that begin alike, as answers.
struct Candidate {
    begins: Plan,
    /// What the leader can get with them at most.
    bound: f64,
    columns: Vec<Column>,
    rows: Vec<usize>,
    /// Rows with a price in the last program.
    priced: Vec<usize>,
    penalty: f64,
    /// Whether it is a plan that was found, and no part of the proof.
    found: bool,
    /// Whether its bound is reached, or nothing is to be gained.
    done: bool,
}

struct Search<'g> {
    game: &'g OpenLoop,
    leader: usize,
    scale: f64,
    leads: Answering<'g>,
    follows: Answering<'g>,
    /// The plans of the leader and of the follower.
    own: IndexSet<Plan, FxBuildHasher>,
    other: IndexSet<Plan, FxBuildHasher>,
    candidates: Vec<Candidate>,
    tableau: Tableau,
    best: Option<(Mix, [f64; 2])>,
    programs: u64,
    /// A bound of what could not be worked out.
    rest: f64,
    /// The plans of the follower and of the leader that counted in the last program: others often need them too.
    last_rows: Vec<usize>,
    last_columns: Vec<usize>,
}

/// A solution of a program.
struct Solution {
    value: f64,
    /// Shares of columns.
    x: Vec<(usize, f64)>,
    /// The share of what is no plan.
    missing: f64,
    /// The price of each row.
    prices: Vec<f64>,
}

/// Finds a commitment; what is known when it is stopped, if anything is.
fn double_oracle(task: &SearchTask<'_>, progress: &mut dyn Progress) -> Option<Sought> {
    let &SearchTask {
        game, leader, stop, ..
    } = task;
    let scale = scale(game);
    let mut search = Search {
        game,
        leader,
        scale,
        leads: Answering::new(game, leader, SAME * scale),
        follows: Answering::new(game, 1 - leader, SAME * scale),
        own: IndexSet::default(),
        other: IndexSet::default(),
        candidates: Vec::new(),
        tableau: Tableau::default(),
        best: None,
        programs: 0,
        rest: f64::NEG_INFINITY,
        last_rows: Vec::new(),
        last_columns: Vec::new(),
    };
    // What the leader would do if the follower did as it likes, and so on.
    let first = search.price(&[], &[]).1;
    let first = search.own[first.own].clone();
    search.try_mix(&[(1.0, first)]);
    progress.begin("programs", None);
    let mut complete = true;
    let most = task.values.count("proof").unwrap_or(20_000);
    let mut proof = 0;
    let mut told = f64::NEG_INFINITY;
    search.begin(Plan::new(), false);
    loop {
        if let Some((_, [own, _])) = search.best
            && own > told
        {
            told = own;
            progress.better(search.programs, own);
        }
        if stop.load(Ordering::Relaxed) {
            complete = false;
            break;
        }
        // The proof has a share in the work, so that there is a bound whenever it is stopped; where it is done, all is.
        let Some(part) = search.most_promising(false) else {
            break;
        };
        let turn = search.programs.is_multiple_of(PROOF_SHARE);
        let next = match search.most_promising(true) {
            Some(found) if proof >= most || !turn => found,
            None if proof >= most => break,
            _ => {
                proof += 1;
                part
            }
        };
        search.work(next);
        progress.done(search.programs);
    }
    let bound = search.bound();
    let work = vec![
        ("programs", search.programs),
        ("plans of the leader", search.own.len() as u64),
        ("plans of the follower", search.other.len() as u64),
    ];
    let (plans, values) = search.best.take()?;
    let least = values[0] - TRACE * search.scale;
    let (plans, values) = without_traces((plans, values), least, &|plans| {
        answers(game, &search.follows, leader, plans).1
    });
    let (found, _) = answers(game, &search.follows, leader, &plans);
    let found = Sought {
        answer: search.follows.first(&found),
        plans,
        values,
        bound: Some(bound.max(values[0])),
        complete,
        work,
    };
    Some(found.sorted())
}

/// A mix without plans that are there by rounding alone, where that is worth `least` to the leader.
fn without_traces(
    (plans, values): (Mix, [f64; 2]),
    least: f64,
    worth: &dyn Fn(&Mix) -> [f64; 2],
) -> (Mix, [f64; 2]) {
    let likely = plans.iter().filter(|(share, _)| *share > TRACE);
    let mut kept: Mix = likely.cloned().collect();
    if kept.len() == plans.len() {
        return (plans, values);
    }
    let sum: f64 = kept.iter().map(|(share, _)| share).sum();
    kept.iter_mut().for_each(|(share, _)| *share /= sum);
    let without = worth(&kept);
    match without[0] >= least {
        true => (kept, without),
        false => (plans, values),
    }
}

/// Plans that are no likelier than this are there by rounding.
const TRACE: f64 = 1e-9;

impl Search<'_> {
    /// What a bound has to exceed to be of interest.
    fn limit(&self) -> f64 {
        let known = self.best.as_ref();
        known.map_or(f64::NEG_INFINITY, |(_, values)| {
            values[0] + GAIN * self.scale
        })
    }

    fn most_promising(&self, found: bool) -> Option<usize> {
        let open = self.candidates.iter().enumerate();
        let open = open.filter(|(_, c)| c.found == found && !c.done && c.bound > self.limit());
        let best = open.max_by(|a, b| a.1.bound.total_cmp(&b.1.bound).then(b.0.cmp(&a.0)));
        best.map(|(number, _)| number)
    }

    /// No commitment is worth more.
    fn bound(&self) -> f64 {
        let proof = self.candidates.iter().filter(|c| !c.found && !c.done);
        proof.map(|c| c.bound).fold(self.rest, f64::max)
    }

    /// A candidate for all plans of the follower that begin so.
    fn begin(&mut self, begins: Plan, found: bool) -> &mut Candidate {
        let (bound, column) = self.price(&begins, &[]);
        self.candidates.push(Candidate {
            begins,
            bound,
            columns: vec![column],
            rows: Vec::new(),
            priced: Vec::new(),
            penalty: PENALTY,
            found,
            done: false,
        });
        let last = self.candidates.len() - 1;
        &mut self.candidates[last]
    }

    /// The payoffs of a plan each.
    fn payoffs(&self, own: usize, other: usize) -> [f64; 2] {
        self.paid(&self.own[own], &self.other[other])
    }

    fn paid(&self, own: &Plan, other: &Plan) -> [f64; 2] {
        let mut state = 0;
        let choice = |plan: &Plan, step: usize| plan.get(step).copied().unwrap_or(0);
        for step in 0.. {
            let joint = &self.game.states[state as usize];
            match joint.after(self.leader, choice(own, step), choice(other, step)) {
                Next::State(next) => state = next,
                Next::End(end) => {
                    let payoffs = self.game.payoffs[end as usize];
                    return [payoffs[self.leader], payoffs[1 - self.leader]];
                }
            }
        }
        [0.0; 2]
    }

    /// Lets the follower answer a mix, keeps it if it is the best so far, and gives the number of the answer.
    fn try_mix(&mut self, mix: &[(f64, Plan)]) -> usize {
        let (found, values) = answers(self.game, &self.follows, self.leader, mix);
        if self
            .best
            .as_ref()
            .is_none_or(|(_, best)| values[0] > best[0])
        {
            self.best = Some((mix.to_vec(), values));
        }
        let plan = self.follows.first(&found);
        self.add_answer(plan)
    }

    fn add_answer(&mut self, plan: Plan) -> usize {
        let (number, new) = self.other.insert_full(plan.clone());
        if new {
            let rows = self.last_rows.clone();
            let columns = self.last_columns.iter().map(|&own| Column {
                own,
                answer: plan.clone(),
                paid: self.paid(&self.own[own], &plan),
            });
            let columns: Vec<Column> = columns.collect();
            let candidate = self.begin(plan, true);
            candidate.rows = rows;
            let first = candidate.columns[0].own;
            candidate
                .columns
                .extend(columns.into_iter().filter(|c| c.own != first));
        }
        number
    }

    /// The leader's best plan with an answer that begins so, at these prices of other answers, and what it is worth.
    fn price(&mut self, begins: &[u32], prices: &[(usize, f64)]) -> (f64, Column) {
        let total: f64 = prices.iter().map(|(_, price)| price).sum();
        let others: Vec<&[u32]> = prices
            .iter()
            .map(|(row, _)| &self.other[*row][..])
            .collect();
        let found = self.leads.best_pair(begins, &others, &|plan, end| {
            let payoffs = self.game.payoffs[end as usize];
            let follower = payoffs[1 - self.leader];
            match plan {
                0 => [payoffs[self.leader] + total * follower, 0.0],
                _ => [-prices[plan - 1].1 * follower, 0.0],
            }
        });
        let (own, answer) = self.leads.first_pair(&found);
        let paid = self.paid(&own, &answer);
        let own = self.own.insert_full(own).0;
        (found.worth()[0], Column { own, answer, paid })
    }

    /// One round of the program of a candidate: it is solved, and each oracle adds a plan. Where nothing is added any more,
    /// the candidate is split if it stands for several plans.
    fn work(&mut self, number: usize) {
        self.programs += 1;
        let Some(solution) = self.solve(number) else {
            return self.split(number);
        };
        let candidate = &self.candidates[number];
        let rows = candidate.rows.clone();
        let begins = candidate.begins.clone();
        let mix: Vec<(Column, f64)> = solution
            .x
            .iter()
            .map(|&(column, share)| (candidate.columns[column].clone(), share))
            .collect();
        let mut added = false;
        let present = 1.0 - solution.missing;
        if present > 0.5 {
            let plans: Vec<(f64, Plan)> = mix
                .iter()
                .map(|(column, share)| (share / present, self.own[column.own].clone()))
                .collect();
            let answer = self.try_mix(&plans);
            let gains = mix.iter().map(|(column, share)| {
                share * (self.payoffs(column.own, answer)[1] - column.paid[1])
            });
            if gains.sum::<f64>() > SAME * self.scale && !rows.contains(&answer) {
                self.candidates[number].rows.push(answer);
                added = true;
            }
        }
        let prices: Vec<(usize, f64)> = std::iter::zip(&rows, &solution.prices)
            .filter(|(_, price)| **price > 0.0)
            .map(|(row, price)| (*row, price / self.scale))
            .collect();
        let (worth, column) = self.price(&begins, &prices);
        self.last_columns = mix.iter().map(|(column, _)| column.own).collect();
        self.last_rows = prices.iter().map(|(row, _)| *row).collect();
        let candidate = &mut self.candidates[number];
        candidate.priced = self.last_rows.clone();
        candidate.bound = candidate.bound.min(worth);
        let known = candidate.columns.iter();
        let known = known
            .map(|c| (c.own, c.paid))
            .any(|c| c == (column.own, column.paid));
        if worth > solution.value + GAIN * self.scale && !known {
            candidate.columns.push(column);
            added = true;
        }
        if added {
            return;
        }
        // The follower may be so near to these answers that it is worth the penalty to pass over what is missing.
        if solution.missing > SAME && candidate.penalty < MOST_PENALTY {
            candidate.penalty *= RAISED;
            return;
        }
        self.split(number);
    }

    /// Goes on with a part for each next choice of the follower.
    fn split(&mut self, number: usize) {
        let candidate = &mut self.candidates[number];
        let begins = candidate.begins.clone();
        let mut class = Some(0);
        for &choice in &begins {
            let next =
                class.map(|class: u32| &self.game.classes[1 - self.leader][class as usize].next);
            class = next.and_then(|next| next.get(choice as usize).copied().flatten());
        }
        // A plan alone: what can be reached with it is known, or is all that is known.
        let Some(class) = class else {
            candidate.done = true;
            let (found, bound) = (candidate.found, candidate.bound);
            if !found && bound > self.limit() {
                self.rest = self.rest.max(bound);
            }
            return;
        };
        candidate.done = true;
        let (bound, priced) = (candidate.bound, std::mem::take(&mut candidate.priced));
        let columns = std::mem::take(&mut candidate.columns);
        if bound <= self.limit() {
            return;
        }
        for choice in 0..self.game.classes[1 - self.leader][class as usize]
            .next
            .len() as u32
        {
            let mut plan = begins.clone();
            plan.push(choice);
            let part = self.begin(plan.clone(), false);
            part.bound = part.bound.min(bound);
            part.rows = priced.clone();
            let kept = columns
                .iter()
                .filter(|c| std::iter::zip(&c.answer, &plan).all(|(a, b)| a == b));
            part.columns.extend(kept.cloned());
        }
    }

    /// Solves the program of an answer as it is. Column 0 of the tableau is no plan: it may stand for any mix, at a penalty.
    fn solve(&mut self, number: usize) -> Option<Solution> {
        let candidate = &self.candidates[number];
        let mut worth = vec![-candidate.penalty * self.scale];
        worth.extend(candidate.columns.iter().map(|column| column.paid[0]));
        let best = (0..worth.len()).max_by(|a, b| worth[*a].total_cmp(&worth[*b]))?;
        let reduced: Vec<f64> = (0..worth.len())
            .map(|column| {
                let noise = (mix(number as u64, column as u64) >> 11) as f64 / (1u64 << 53) as f64;
                let noise = if column == best {
                    0.0
                } else {
                    noise * APART * self.scale
                };
                worth[best] - worth[column] + noise
            })
            .collect();
        let rows: Vec<Vec<f64>> = candidate
            .rows
            .iter()
            .map(|row| {
                let gains = candidate.columns.iter().map(|column| {
                    (self.payoffs(column.own, *row)[1] - column.paid[1]) / self.scale
                });
                std::iter::once(-2.0).chain(gains).collect()
            })
            .collect();
        let columns = worth.len();
        self.tableau.begin(&reduced, worth[best]);
        self.tableau
            .basic(best, std::iter::repeat_n(1.0, columns), 1.0);
        for row in rows {
            self.tableau.add(row.into_iter(), 0.0);
        }
        match self.tableau.solve(f64::NEG_INFINITY, MOST_PIVOTS) {
            Outcome::Optimal => {}
            Outcome::Infeasible | Outcome::GivenUp => return None,
        }
        let mut solution = Solution {
            value: self.tableau.bound(),
            x: Vec::new(),
            missing: 0.0,
            prices: self.tableau.prices().to_vec(),
        };
        for (column, share) in self.tableau.solution() {
            match column {
                0 => solution.missing = share,
                _ => solution.x.push((column - 1, share)),
            }
        }
        Some(solution)
    }
}
