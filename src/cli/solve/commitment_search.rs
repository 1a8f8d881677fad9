//! `ruse solve --leader` by a method that finds plans one by one.

use super::commitment::{Heading, plans_text};
use super::strategy_file::Saving;
use super::trees::six;
use super::{SolveCommand, failure};
use crate::cli::clock::stopwatch;
use crate::cli::interrupt;
use crate::cli::load::Loaded;
use crate::cli::output::{self, Failure, Verdict, counted, plural, table};
use crate::cli::progress::Shown;
use crate::solve::codes;
use crate::solve::commitment::mixes::{Mixes, moves};
use crate::solve::commitment::open_loop::{explore, in_the_way};
use crate::solve::commitment::{CommitmentMethod, Prescribed, SearchPlans, SearchTask, Sought};
use crate::solve::methods::Progress;
use crate::solve::{SolveError, TreeError};
use crate::text::diagnostics::Diagnostic;
use indexmap::IndexMap;
use serde::Serialize;

/// A bound that is no further from a value shows that it is the best.
const PROVED: f64 = 1e-6;

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    heading: Heading<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// What each player is paid when the follower answers best.
    values: IndexMap<&'a str, f64>,
    /// No commitment pays the leader more; nothing where that is not known.
    bound: Option<f64>,
    commitment: Vec<Prescribed>,
    answer: Vec<String>,
    /// What was found on the way that was better than all before.
    improved: Vec<Improvement>,
    states: usize,
    work: IndexMap<&'static str, u64>,
    explore_seconds: f64,
    solve_seconds: f64,
}

/// Something better.
#[derive(Clone, Serialize)]
struct Improvement {
    /// How much was done by then: rounds, or programs.
    after: u64,
    seconds: f64,
    /// What the leader is paid.
    value: f64,
}

/// Shows how far the work is, and notes what was found on the way.
struct Noted<'a> {
    shown: Shown,
    seconds: &'a dyn Fn() -> f64,
    improved: Vec<Improvement>,
}

impl Progress for Noted<'_> {
    fn begin(&mut self, noun: &'static str, total: Option<u64>) {
        self.shown.begin(noun, total);
    }

    fn done(&mut self, count: u64) {
        self.shown.done(count);
    }

    fn better(&mut self, count: u64, value: f64) {
        self.improved.push(Improvement {
            after: count,
            seconds: (self.seconds)(),
            value: value + 0.0,
        });
    }
}

pub fn run(
    command: &SolveCommand,
    loaded: &Loaded,
    (method, search): (&CommitmentMethod, SearchPlans),
    leader: usize,
) -> Result<Verdict, Failure> {
    let saving = Saving::open(command.over_tree.save.as_deref())?;
    let stop = interrupt::flag();
    let clock = stopwatch();
    let explored = match loaded.machine.player_count() {
        2 => explore(&loaded.machine, &stop),
        _ => Ok(None),
    };
    let game = match explored {
        Err(TreeError::Stopped) => {
            return Ok(output::stopped("the game was not explored", command.json));
        }
        explored => explored.map_err(|error| failure::tree(loaded, &error))?,
    };
    let game = game.ok_or_else(|| unsuited(loaded, method))?;
    let explore_seconds = clock().as_secs_f64();
    let task = SearchTask {
        game: &game,
        leader,
        values: &command.method_args.values,
        seed: command.seed.unwrap_or(1),
        stop: &stop,
    };
    let mut noted = Noted {
        shown: Shown::default(),
        seconds: &|| clock().as_secs_f64() - explore_seconds,
        improved: Vec::new(),
    };
    let found = search(&task, &mut noted);
    noted.shown.end();
    let Some(found) = found else {
        return Ok(output::stopped("no commitment was found", command.json));
    };
    let seconds = [explore_seconds, clock().as_secs_f64() - explore_seconds];
    let report = Document {
        improved: noted.improved,
        ..report(loaded, method, &task, &found, seconds)
    };
    if !found.complete {
        output::say("stopped: what is printed is the best that was found");
    }
    output::show(command.json, &report, || text(&report));
    if let Some(saving) = saving {
        saving.save_plans(loaded, &game, &Mixes::found(&task, &found))?;
    }
    if !command.json {
        let [explored, solved] = seconds;
        output::aside(&format!(
            "explored in {explored:.2} s, solved in {solved:.2} s"
        ));
    }
    Ok(match found.complete {
        true => Verdict::Fine,
        false => Verdict::No,
    })
}

fn unsuited(loaded: &Loaded, method: &CommitmentMethod) -> Failure {
    let description = loaded.machine.description();
    let message = format!(
        "`{}` does not take {}: it is for two players who learn nothing on the way",
        method.name, description.name
    );
    let (span, label) = match loaded.machine.player_count() {
        2 => in_the_way(description),
        _ => (description.payoff.span, "one payoff each"),
    };
    let problem = Diagnostic::error(codes::UNSUITED, span, message);
    let hint = "`--method multiple-lp` takes all games of two players";
    let problem = Box::new(problem.label(label).hint(hint));
    failure::failure(loaded, &SolveError::Unsuited(problem))
}

fn report<'a>(
    loaded: &'a Loaded,
    method: &'a CommitmentMethod,
    task: &SearchTask<'_>,
    found: &Sought,
    [explore_seconds, solve_seconds]: [f64; 2],
) -> Document<'a> {
    let machine = &loaded.machine;
    let leader = task.leader;
    let values = (0..2).map(|player| {
        let value = found.values[usize::from(player != leader)];
        (machine.player_name(player), value + 0.0)
    });
    let commitment = found.plans.iter().map(|(probability, plan)| Prescribed {
        probability: *probability,
        moves: moves(task.game, machine, leader, plan),
    });
    Document {
        heading: Heading::new(loaded, method, leader, found.complete),
        seed: method.is_random.then_some(task.seed),
        values: values.collect(),
        bound: found.bound,
        commitment: commitment.collect(),
        answer: moves(task.game, machine, 1 - leader, &found.answer),
        improved: Vec::new(),
        states: task.game.states.len(),
        work: found.work.iter().copied().collect(),
        explore_seconds,
        solve_seconds,
    }
}

fn text(report: &Document<'_>) -> String {
    let work = report.work.iter().map(|(nouns, n)| counted(*n, nouns));
    let mut text = format!(
        "{} by {}: a commitment of {}\n{}\n{}\n\n",
        report.heading.game,
        report.heading.method,
        report.heading.leader,
        plural(report.states as u64, "world state"),
        work.collect::<Vec<_>>().join(", ")
    );
    let mut rows = vec![["player", "paid"].map(str::to_string).to_vec()];
    for (name, value) in &report.values {
        rows.push(vec![name.to_string(), six(*value)]);
    }
    text.push_str(&table(&rows, &[1]));
    let own = report.values.get(report.heading.leader).copied();
    text.push_str(&match (report.bound, own) {
        (Some(bound), Some(own)) if bound - own <= PROVED * (1.0 + own.abs()) => {
            "\nno commitment is better\n".to_string()
        }
        (Some(bound), _) => format!("\nno commitment is worth more than {}\n", six(bound)),
        (None, _) => "\nthere may be a better one\n".to_string(),
    });
    text.push_str(&plans_text(&report.commitment, &report.answer));
    text
}
