//! `ruse analyse --schedule`: a strategy as plans that somebody could follow.

use super::load::Loaded;
use super::output::{self, Failure, Verdict, plural, table};
use super::picture_file;
use super::problem::Problem;
use super::solve::failure;
use super::solve::trees::six;
use crate::arena::schedule::{Occupied, Schedule, Unscheduled, schedulable, schedule, svg};
use crate::players::PlayerSpec;
use crate::solve::codes::UNSUITED;
use crate::solve::commitment::open_loop::OpenLoop;
use crate::text::diagnostics::Diagnostic;
use serde::Serialize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// So many plans are printed.
const PLANS: usize = 40;

#[derive(Serialize)]
struct Document<'a> {
    game: &'a str,
    file: &'a str,
    strategy: String,
    #[serde(flatten)]
    schedule: &'a Schedule,
}

/// What is asked for.
pub struct Asked<'a> {
    /// Whose schedule it is.
    pub player: &'a str,
    /// A picture goes here.
    pub svg: Option<&'a Path>,
    pub json: bool,
}

/// The number of the player.
///
/// # Errors
/// A player that the game does not have.
pub fn seat(loaded: &Loaded, player: &str) -> Result<usize, Failure> {
    loaded.player("--schedule", player)
}

/// The game as plans; `None` where it was stopped. To be asked before anything is solved for a player.
///
/// # Errors
/// A game that has no schedules.
pub fn explored(loaded: &Loaded, stop: &AtomicBool) -> Result<Option<OpenLoop>, Failure> {
    match schedulable(&loaded.machine, stop) {
        Err(Unscheduled::Explore(crate::solve::TreeError::Stopped)) => Ok(None),
        found => found.map(Some).map_err(|error| trouble(loaded, error)),
    }
}

/// Prints the schedule of a player that goes by `spec`, which is ready to play.
pub fn run(
    loaded: &Loaded,
    plans: &OpenLoop,
    (spec, seat): (&PlayerSpec, usize),
    asked: &Asked<'_>,
) -> Result<Verdict, Failure> {
    let machine = &loaded.machine;
    let found = schedule(machine, plans, spec, seat).map_err(|error| trouble(loaded, error))?;
    let game = &machine.description().name;
    if let Some(path) = asked.svg {
        let Some(picture) = svg::svg(&found, game) else {
            let message = format!(
                "--svg: {} sees no variable that holds a place",
                asked.player
            );
            return Err(Failure::no(Problem::outside(None, message)));
        };
        picture_file::write(path, &picture, picture_file::PICTURE)?;
    }
    let document = Document {
        game,
        file: &loaded.source.path,
        strategy: spec.to_string(),
        schedule: &found,
    };
    output::show(asked.json, &document, || text(&document));
    Ok(Verdict::Fine)
}

fn trouble(loaded: &Loaded, error: Unscheduled) -> Failure {
    let what = match error {
        Unscheduled::Game(what) => what,
        Unscheduled::Explore(error) => return failure::tree(loaded, &error),
        Unscheduled::Player(error) => {
            return Failure::no(match error.diagnostic() {
                Some(problem) => Problem::InText(loaded.source.clone(), problem),
                None => Problem::outside(None, error.to_string()),
            });
        }
    };
    let description = loaded.machine.description();
    let message = format!("{} has no schedule: {what}", description.name);
    let problem = Diagnostic::error(UNSUITED, description.payoff.span, message);
    let hint =
        "`--moves` shows a strategy at one place, and `ruse best-response` what answers it best";
    let problem = problem.label("what the players are paid").hint(hint);
    loaded.failure(problem)
}

fn text(document: &Document<'_>) -> String {
    let schedule = document.schedule;
    let mut text = format!(
        "{}: a schedule of {} by {}\n\n",
        document.game, schedule.player, document.strategy
    );
    let plans = schedule.plans.iter().take(PLANS).map(|plan| {
        let mut row = vec![six(plan.probability)];
        row.extend(plan.moves.iter().cloned());
        row
    });
    text.push_str(&table(&plans.collect::<Vec<_>>(), &[0]));
    if schedule.plans.len() > PLANS {
        let others = &schedule.plans[PLANS..];
        let share: f64 = others.iter().map(|plan| plan.probability).sum();
        text.push_str(&format!(
            "{}  {} more; --json has all\n",
            six(share),
            others.len()
        ));
    }
    text.push_str(&answers(schedule));
    for occupied in &schedule.held {
        text.push_str(&held(occupied));
    }
    text
}

fn answers(schedule: &Schedule) -> String {
    let paid = schedule.values.iter();
    let paid = paid.map(|(player, value)| format!("{player} is paid {}", six(*value)));
    let count = schedule.answer_count;
    let many = match count < 1e15 {
        true => plural(count as u64, "plan"),
        false => format!("{count:.1e} plans"),
    };
    let mut text = format!(
        "\nthe best that {} can do: {many}; {}\n",
        schedule.follower,
        paid.collect::<Vec<_>>().join(", ")
    );
    let rows = schedule.answers.iter().map(|answer| {
        let mut row = vec![String::new()];
        row.extend(answer.iter().cloned());
        row
    });
    text.push_str(&table(&rows.collect::<Vec<_>>(), &[]));
    if count > schedule.answers.len() as f64 {
        text.push_str("  …\n");
    }
    text
}

/// How likely each place is held, those left out that never are.
fn held(occupied: &Occupied) -> String {
    let steps = occupied.by_step.len();
    let mut head = vec![occupied.board.clone(), "start".to_string()];
    head.extend((1..steps).map(|step| step.to_string()));
    let mut rows = vec![head];
    for (node, name) in occupied.places.iter().enumerate() {
        let shares: Vec<f64> = occupied.by_step.iter().map(|step| step[node]).collect();
        if shares.iter().all(|share| *share <= 0.0) {
            continue;
        }
        let mut row = vec![name.clone()];
        row.extend(shares.iter().map(|share| match *share {
            share if share <= 0.0 => "-".to_string(),
            share => format!("{share:.3}"),
        }));
        rows.push(row);
    }
    let right: Vec<usize> = (1..=steps).collect();
    format!(
        "\nhow likely `{}` holds a place, at the start and after each choice\n{}",
        occupied.variable,
        table(&rows, &right)
    )
}
