//! `ruse solve --leader`: what a player who is watched had best commit itself to.

use super::size::shown;
use super::strategy_file::Saving;
use super::trees::{self, six, size_text, small, titled_strategies_text as strategies_text};
use super::{SolveCommand, commitment_search, failure};
use crate::cli::clock::stopwatch;
use crate::cli::interrupt;
use crate::cli::load::Loaded;
use crate::cli::output::{self, Failure, Verdict, counted, plural, table};
use crate::cli::problem::Problem;
use crate::cli::progress::Shown;
use crate::solve::commitment::{
    COMMITMENTS, Commitment, CommitmentMethod, Form, PoseOptions, Posed, Prescribed, Unposed, Way,
    pose,
};
use crate::solve::summary::{LocalStrategy, TreeSize};
use crate::solve::{SolveError, TreeError};
use indexmap::IndexMap;
use serde::Serialize;

/// The memory for payoffs where none is given, in bytes.
pub const MEMORY: u64 = 4 << 30;

/// The options of other methods that have a meaning for a method.
pub fn options(method: &CommitmentMethod) -> &'static [&'static str] {
    match method.by {
        Way::Posed(_) => &["--memory", "--nodes", "--save", "--skip-forced"],
        Way::Search(_) => &["--seed", "--save"],
    }
}

/// The method of a name among those that find commitments.
pub fn find(name: &str) -> Option<&'static CommitmentMethod> {
    COMMITMENTS.iter().find(|m| m.name == name)
}

/// What was asked, and whether it was answered in full.
#[derive(Serialize)]
pub struct Heading<'a> {
    file: &'a str,
    pub game: &'a str,
    pub method: &'a str,
    pub leader: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stopped: bool,
}

impl<'a> Heading<'a> {
    pub fn new(
        loaded: &'a Loaded,
        method: &'a CommitmentMethod,
        leader: usize,
        complete: bool,
    ) -> Heading<'a> {
        Heading {
            file: &loaded.source.path,
            game: &loaded.machine.description().name,
            method: method.name,
            leader: loaded.machine.player_name(leader),
            stopped: !complete,
        }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    heading: Heading<'a>,
    /// What each player is paid.
    values: IndexMap<&'a str, f64>,
    /// No commitment pays the leader more; nothing where that is not known.
    bound: Option<f64>,
    /// What the follower would gain by its best response to what is printed: rounding.
    follower_gap: f64,
    /// What each player is paid when the leader takes every plan with the same probability; where players learn something on
    /// the way, every choice.
    uniform: IndexMap<&'a str, f64>,
    #[serde(flatten)]
    strategies: Strategies<'a>,
    work: IndexMap<&'static str, u64>,
    pose_seconds: f64,
    solve_seconds: f64,
}

/// What the players do.
#[derive(Serialize)]
#[serde(untagged)]
enum Strategies<'a> {
    /// Where nobody learns anything on the way.
    Plans {
        commitment: Vec<Prescribed>,
        answer: Vec<String>,
        plans: IndexMap<&'a str, PlanCount>,
        states: usize,
    },
    /// At the information states that the own choices of a player lead to.
    Tree {
        strategies: Vec<LocalStrategy>,
        tree: TreeSize,
        follower_plans: usize,
    },
}

/// How many plans a player has.
#[derive(Serialize)]
struct PlanCount {
    all: f64,
    /// Those that always lead to the same counted once.
    distinct: usize,
}

pub fn run(
    command: &SolveCommand,
    loaded: &Loaded,
    method: &CommitmentMethod,
    leader: &str,
) -> Result<Verdict, Failure> {
    let machine = &loaded.machine;
    let leader = loaded.player("--leader", leader)?;
    let solve = match method.by {
        Way::Posed(solve) => solve,
        Way::Search(search) => {
            return commitment_search::run(command, loaded, (method, search), leader);
        }
    };
    let saving = Saving::open(command.over_tree.save.as_deref())?;
    let stop = interrupt::flag();
    let clock = stopwatch();
    let options = PoseOptions {
        memory: command.states.memory.unwrap_or(MEMORY),
        tree: command.over_tree.tree.options(),
        over_tree: false,
    };
    let posed = match pose(machine, leader, &options, &stop) {
        Err(Unposed::Tree(TreeError::Stopped)) => {
            return Ok(output::stopped("the plans were not listed", command.json));
        }
        posed => posed.map_err(|error| unposed(loaded, error))?,
    };
    if let (Form::Plans(_), Some(option)) = (&posed.form, command.over_tree.tree.given().next()) {
        let game = machine.name();
        return Err(Failure::usage(format!(
            "{option} is about the tree of a game, and none is built of {game}: nobody learns anything on the way there"
        )));
    }
    let pose_seconds = clock().as_secs_f64();
    let mut progress = Shown::default();
    let found = solve(&posed, &mut progress, &stop);
    progress.end();
    let found = match found {
        Err(TreeError::Stopped) => {
            return Ok(output::stopped("no commitment was found", command.json));
        }
        found => found.map_err(|error| failure::tree(loaded, &error))?,
    };
    let solve_seconds = clock().as_secs_f64() - pose_seconds;
    let report = report(
        loaded,
        method,
        &posed,
        &found,
        [pose_seconds, solve_seconds],
    )?;
    if !found.complete {
        output::say("stopped: what is printed is the best that was found");
    }
    output::show(command.json, &report, || text(&report));
    if let Some(saving) = saving {
        match (posed.mixes(&found), &posed.form) {
            (Some((game, mixes)), _) => saving.save_plans(loaded, game, &mixes)?,
            (None, Form::Tree(form)) => {
                saving.save(loaded, &form.tree, &posed.profile(&form.tree, &found))?;
            }
            (None, Form::Plans(_)) => {}
        }
    }
    if !command.json {
        output::aside(&format!(
            "posed in {pose_seconds:.2} s, solved in {solve_seconds:.2} s"
        ));
    }
    Ok(match found.complete {
        true => Verdict::Fine,
        false => Verdict::No,
    })
}

pub fn unposed(loaded: &Loaded, error: Unposed) -> Failure {
    match error {
        Unposed::Tree(error) => failure::tree(loaded, &error),
        Unposed::Unsuited(problem) => failure::failure(loaded, &SolveError::Unsuited(problem)),
        Unposed::TooLarge { needed, limit } => Failure::no(Problem::Outside {
            file: Some(loaded.source.path.clone()),
            code: Some(crate::solve::codes::OUT_OF_MEMORY),
            message: format!(
                "the payoffs of all plans take {} or more, and there are {}",
                shown(needed),
                shown(limit)
            ),
            hint: Some(
                "give it more with `--memory`, or make the game smaller by its params".to_string(),
            ),
        }),
    }
}

fn report<'a>(
    loaded: &'a Loaded,
    method: &'a CommitmentMethod,
    posed: &Posed,
    found: &Commitment,
    seconds: [f64; 2],
) -> Result<Document<'a>, Failure> {
    let machine = &loaded.machine;
    let leader = posed.leader;
    let by_player = |own: f64, other: f64| -> IndexMap<&str, f64> {
        let of = |p: usize| if p == leader { own } else { other };
        (0..2)
            .map(|p| (machine.player_name(p), of(p) + 0.0))
            .collect()
    };
    let uniform = posed.uniform();
    Ok(Document {
        heading: Heading::new(loaded, method, leader, found.complete),
        values: by_player(found.value, found.follower),
        bound: Some(found.bound + 0.0).filter(|b| b.is_finite()),
        follower_gap: found.best_response - found.follower + 0.0,
        uniform: by_player(uniform[0], uniform[1]),
        strategies: strategies(loaded, posed, found)?,
        work: found.work.iter().copied().collect(),
        pose_seconds: seconds[0],
        solve_seconds: seconds[1],
    })
}

fn strategies<'a>(
    loaded: &'a Loaded,
    posed: &Posed,
    found: &Commitment,
) -> Result<Strategies<'a>, Failure> {
    let machine = &loaded.machine;
    let name = |player: usize| machine.player_name(player);
    match &posed.form {
        Form::Plans(form) => {
            let plans = posed.plans_of(found).into_iter();
            let commitment = plans.map(|(plan, probability)| Prescribed {
                probability,
                moves: form.moves(machine, posed.leader, plan),
            });
            let counts = form.counts();
            let counts = counts.iter().enumerate();
            Ok(Strategies::Plans {
                commitment: commitment.collect(),
                answer: form.moves(machine, 1 - posed.leader, found.plan),
                plans: counts
                    .map(|(p, &(all, distinct))| (name(p), PlanCount { all, distinct }))
                    .collect(),
                states: form.states(),
            })
        }
        Form::Tree(form) => {
            let profile = posed.profile(&form.tree, found);
            let plans = profile.plans(&form.sequences);
            let reached = (0..2).flat_map(|player| {
                let sequences = &form.sequences.players[player];
                let states = form.tree.states_of(player).zip(&sequences.decisions);
                let plan = &plans[player];
                let reached = states.filter(|(_, d)| plan[d.before as usize] > 0.0);
                reached.map(|(state, _)| state).collect::<Vec<_>>()
            });
            let reached: Vec<usize> = reached.collect();
            Ok(Strategies::Tree {
                strategies: trees::strategies(loaded, &form.tree, &reached, &profile)?,
                tree: TreeSize::of(machine, &form.tree),
                follower_plans: form.plans.len(),
            })
        }
    }
}

/// The most plans that are printed.
const MOST_SHOWN: usize = 40;

fn text(report: &Document<'_>) -> String {
    let mut text = format!(
        "{} by {}: the best commitment of {}\n",
        report.heading.game, report.heading.method, report.heading.leader
    );
    text.push_str(&match &report.strategies {
        Strategies::Plans { plans, states, .. } => {
            let plans = plans.iter().map(|(name, count)| {
                let all = plural(count.all as u64, "plan");
                format!(", {all} of {name} ({} distinct)", count.distinct)
            });
            let states = plural(*states as u64, "world state");
            format!("{states}{}", plans.collect::<String>())
        }
        Strategies::Tree {
            tree,
            follower_plans,
            ..
        } => {
            let plans = plural(*follower_plans as u64, "plan");
            format!("{}, {plans} of the follower", size_text(tree))
        }
    });
    let work = report.work.iter().map(|(nouns, n)| counted(*n, nouns));
    text.push_str(&format!("\n{}\n\n", work.collect::<Vec<_>>().join(", ")));
    let mut rows = vec![
        ["player", "paid", "if uniform"]
            .map(str::to_string)
            .to_vec(),
    ];
    for ((name, value), uniform) in report.values.iter().zip(report.uniform.values()) {
        rows.push(vec![name.to_string(), six(*value), six(*uniform)]);
    }
    text.push_str(&table(&rows, &[1, 2]));
    let bound = match report.bound {
        Some(bound) if report.heading.stopped => format!("at most {}", six(bound)),
        Some(_) => "no commitment is better".to_string(),
        None => "no bound is known".to_string(),
    };
    text.push_str(&format!(
        "\n{bound}; a best response would gain {} more\n",
        small(report.follower_gap)
    ));
    match &report.strategies {
        Strategies::Plans {
            commitment, answer, ..
        } => text.push_str(&plans_text(commitment, answer)),
        Strategies::Tree { strategies, .. } => {
            text.push_str(&strategies_text("commitment, and the answer", strategies));
        }
    }
    text
}

pub fn plans_text(commitment: &[Prescribed], answer: &[String]) -> String {
    let rows = commitment.iter().take(MOST_SHOWN).map(|plan| {
        let moves = plan.moves.join(", ");
        vec![String::new(), six(plan.probability), moves]
    });
    let mut text = format!("\ncommitment\n{}", table(&rows.collect::<Vec<_>>(), &[1]));
    if commitment.len() > MOST_SHOWN {
        let more = commitment.len() - MOST_SHOWN;
        text.push_str(&format!("  {more} more; --json has all\n"));
    }
    text.push_str(&format!("\nanswer\n  {}\n", answer.join(", ")));
    text
}
