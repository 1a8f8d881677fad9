//! `ruse belief`: what a player can know where it is asked, by its own record of a game.

use super::game::Set;
use super::load::{self, Loaded};
use super::number::whole;
use super::output::{self, Diagnostics, Failure, Verdict, plural, table};
use super::particle_text::{particle_text, particle_warning, poor_particles};
use super::problem::{Problem, Source};
use super::record_file::{no_record, open_to_read};
use super::replay;
use crate::arena::known::{Marginal, boards, marginals};
use crate::arena::own_record::OwnRecord;
use crate::arena::record::{self, GameLine, Header, Line};
use crate::arena::session::screen::rendered;
use crate::belief::{Belief, BeliefError, Options, ParticleReport, Weighting};
use crate::machine::{Action, PlayError, View};
use crate::players::belief_player::follow;
use crate::players::codes::LOST_TRACK;
use crate::review::{MovesError, read_moves};
use clap::{Args, ValueEnum};
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Show what a player can know where it is asked: the states that fit what it saw, and how likely each hidden value is
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse belief bluff.game --player Ben --moves 'chance: 3; chance: 1; Ann: bet'
  ruse belief --record evening.jsonl --game 1 --player Ben
  ruse belief --record evening.jsonl --game 1 --at 7 --player Ben --json

The place is that after the moves, written as in `ruse analyse`, or after some plies of a recorded game, as `ruse \
replay --game N` numbers them. Where the player is not asked there, it is the place where it was asked last; \
without `--at`, where it was asked last in the game.

Only what reached the player by then counts: its observations, and what it was asked. From these come the states of the \
game that are possible. A value has the probability of the states that have it, which are weighed by how likely they \
are if all others choose uniformly (`posterior`), or all alike (`support`).

Boards show what is the same in all of these states, and `?` elsewhere. Of a set each element has the probability \
that it is in it.

Exit codes:
  0  shown
  1  the game has errors, the record does not fit it, nothing fits what was seen, or play ran into an error
  2  wrong use, a move or a player that does not exist, or a file that cannot be read")]
pub struct BeliefCommand {
    /// The game: a file, or the name of a shipped game [default: the one that the record names]
    #[arg(value_name = "GAME", required_unless_present = "record")]
    file: Option<PathBuf>,

    #[command(flatten)]
    set: Set,

    /// Whose knowledge it is
    #[arg(long, value_name = "NAME")]
    player: String,

    /// What has happened so far [default: nothing]
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,

    /// Take what has happened from this record, which says the params too
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "set"])]
    record: Option<PathBuf>,

    /// With --record: the game with this number
    #[arg(long, value_name = "N", requires = "record", conflicts_with_all = ["moves", "set"], default_value_t = 1, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    game: u64,

    /// With --record: after so many plies of the game [default: all]
    #[arg(long, value_name = "N", requires = "record", conflicts_with_all = ["moves", "set"], value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    at: Option<u64>,

    /// What a state weighs: its probability if all others choose uniformly, or as much as any other
    #[arg(long, value_name = "WEIGHTS", value_enum, default_value_t = Weights::Posterior)]
    weights: Weights,

    /// Up to so many states are all found; where there are more, 500 ways of play are drawn, which lead to some of them,
    /// perhaps to more than so many
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = whole(1..=10_000_000), allow_negative_numbers = true)]
    states: u64,

    /// What is drawn comes from this number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Weights {
    Posterior,
    Support,
}

#[derive(Serialize)]
struct Report {
    game: String,
    file: String,
    player: String,
    /// The plies before the place that was asked for, and before the one where the player was asked last.
    plies: usize,
    asked_after: usize,
    weights: Weights,
    /// States that fit what the player saw.
    states: usize,
    /// How many equally likely ones would be as uncertain.
    effective: f64,
    /// Whether these are all.
    complete: bool,
    /// Where they are not: how those that stand for all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    particles: Option<ParticleReport>,
    /// Why these say little, where they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<&'static str>,
    boards: Vec<BoardReport>,
    /// What the player sees, but for what has no value yet.
    seen: View,
    /// What it does not see.
    hidden: Vec<Marginal>,
    #[serde(flatten)]
    problems: Diagnostics,
}

#[derive(Serialize)]
struct BoardReport {
    name: String,
    /// Who sees it so; nobody in particular where all do.
    viewers: Vec<String>,
    lines: Vec<String>,
    /// The variables that can be read off it.
    #[serde(skip)]
    shown: Vec<String>,
}

type Recorded = (Loaded, Vec<Vec<Action>>, Option<Problem>);

const OTHER_VERSION: &str = "an argument before `--record` takes another version of the game";

impl BeliefCommand {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let (loaded, steps, changed) = match &self.record {
            Some(record) => self.recorded(record)?,
            None => {
                let file = self.file.clone().unwrap_or_default();
                let loaded = load::game_at(&file, &self.set.settings()?)?;
                let steps = self.moves(&loaded)?;
                (loaded, steps, None)
            }
        };
        let machine = &loaded.machine;
        let player = replay::seat(machine, &self.player)?;
        let rules = |e: PlayError| loaded.failure(e.diagnostic());
        let own = OwnRecord::of(machine, player, &steps).map_err(rules)?;
        if own.asked.is_empty() {
            let name = machine.player_name(player);
            let message = format!("{name} is asked nothing up to there");
            let hint = "give more moves, or a later ply";
            return Err(Failure::advised(message, hint));
        }
        let belief = self.belief(&loaded, player, &own);
        let belief = belief.map_err(|error| match error {
            BeliefError::Rules(error) => rules(error),
            nothing => Failure::no(Problem::outside(Some(LOST_TRACK), nothing.to_string())),
        })?;
        let mut report = self.report(&loaded, player, &belief, (&own, steps.len()));
        report.problems.tell(changed.as_slice(), self.json);
        output::show(self.json, &report, || report.text());
        Ok(match changed {
            None => Verdict::Fine,
            Some(_) => Verdict::No,
        })
    }

    /// What was played by `--moves`.
    fn moves(&self, loaded: &Loaded) -> Result<Vec<Vec<Action>>, Failure> {
        let text = self.moves.as_deref().unwrap_or_default();
        read_moves(&loaded.machine, text).map_err(|error| match error {
            MovesError::Text(d) => {
                let source = Rc::new(Source::new("--moves", text));
                Failure::wrong_use(Problem::InText(source, *d))
            }
            MovesError::Rules(e) => loaded.failure(e.diagnostic()),
        })
    }

    /// The game of a record, what was played in it, and what is to be said where its rules are not those of now.
    fn recorded(&self, path: &Path) -> Result<Recorded, Failure> {
        let mut lines = open_to_read(path).map_err(|e| Failure::cannot_read(path, &e))?;
        let mut buffer = Vec::new();
        let mut read: Option<(Header, Loaded)> = None;
        let mut changed = None;
        let mut next = 1;
        while let Some(line) = lines
            .next(&mut buffer)
            .map_err(|e| Failure::cannot_read(path, &e))?
        {
            let number = lines.number;
            let (Line::Whole(bytes) | Line::Open(bytes)) = line else {
                return Err(no_record(path, number, "the line is too long"));
            };
            let wrong = |e| no_record(path, number, &replay::why(&e));
            let Some((_, loaded)) = &read else {
                let header = Header::parse(bytes).map_err(wrong)?;
                let other = self.file.as_deref();
                let loaded = replay::load(path, &header, other, "an argument before `--record`")?;
                changed = replay::changed(&header, &loaded, OTHER_VERSION);
                if self.file.is_some()
                    && let Some(problem) = changed.take()
                {
                    output::note(problem.message());
                }
                read = Some((header, loaded));
                continue;
            };
            let mut game = GameLine::parse(bytes).map_err(wrong)?;
            next = game.game.saturating_add(1);
            if game.game != self.game {
                continue;
            }
            if let Some(at) = self.at {
                let plies = game.plies.len() as u64;
                if at > plies {
                    let message = format!("game {} has {}", game.game, plural(plies, "ply"));
                    return Err(Failure::usage(message));
                }
                game.plies.truncate(at as usize);
            }
            let mut steps = Vec::new();
            let followed = record::follow(&loaded.machine, &game, &mut [], &mut |step| {
                steps.push(step.actions.to_vec());
            });
            followed
                .map_err(|misfit| Failure::no(replay::problem(path, number, self.game, &misfit)))?;
            let Some((_, loaded)) = read else { break };
            return Ok((loaded, steps, changed));
        }
        if read.is_none() {
            return Err(no_record(path, 1, "the file is empty"));
        }
        let message = match next {
            1 => "the record holds no game yet".to_string(),
            n => format!(
                "the record has no game {}: its last is {}",
                self.game,
                n - 1
            ),
        };
        Err(Failure::usage(message))
    }

    /// The belief of a player after its last question. Nothing but its own record comes in.
    fn belief(
        &self,
        loaded: &Loaded,
        player: usize,
        own: &OwnRecord,
    ) -> Result<Belief, BeliefError> {
        let options = Options {
            weighting: match self.weights {
                Weights::Posterior => Weighting::Posterior,
                Weights::Support => Weighting::Support,
            },
            most: self.states as usize,
            views: true,
            ..Options::default()
        };
        let mut belief = Belief::new(&loaded.machine, options);
        belief.begin(player, self.seed);
        if let Some((last, before)) = own.asked.split_last() {
            follow(&mut belief, &own.seen[..last.seen], before, &|| true)?;
            belief.asked(last.node, &last.actions)?;
        }
        Ok(belief)
    }

    fn report(
        &self,
        loaded: &Loaded,
        player: usize,
        belief: &Belief,
        (own, plies): (&OwnRecord, usize),
    ) -> Report {
        let machine = &loaded.machine;
        let states = belief.hypotheses();
        let found = belief.report();
        // What a player sees is the same in all states that fit.
        let first = states.first();
        let mut seen = first.map_or_else(View::default, |h| machine.view(&h.state, player));
        // What has no value yet may say so by `none`, and else has the first of its type.
        seen.entries
            .retain(|e| e.value == "none" || !own.unset.contains(&e.name));
        let unset: FxHashSet<&str> = own.unset.iter().map(String::as_str).collect();
        let drawn = boards(machine, player, states, &unset).into_iter();
        let boards = drawn.map(|mut board| {
            let viewers = std::mem::take(&mut board.viewers);
            let text = rendered(&board);
            BoardReport {
                name: board.name,
                viewers,
                lines: text.lines().map(str::to_string).collect(),
                shown: board.shown,
            }
        });
        Report {
            game: machine.description().name.clone(),
            file: loaded.source.path.clone(),
            player: machine.player_name(player).to_string(),
            plies,
            asked_after: own.plies,
            weights: self.weights,
            states: found.states,
            effective: found.effective,
            complete: found.complete,
            warning: found.particles.as_ref().and_then(particle_warning),
            particles: found.particles,
            boards: boards.collect(),
            seen,
            hidden: marginals(machine, player, states),
            problems: Diagnostics::default(),
        }
    }
}

/// So many values of one variable are told.
const MOST_TOLD: usize = 8;

impl Report {
    fn text(&self) -> String {
        let (player, after) = (&self.player, self.asked_after as u64);
        let place = match (self.asked_after, self.plies) {
            (asked, plies) if asked == plies => format!("asked after {}", plural(after, "ply")),
            (_, plies) => format!(
                "not asked after {}, and asked last after {}",
                plural(plies, "ply"),
                plural(after, "ply")
            ),
        };
        let mut text = format!("{}: what {player} can know, {place}\n", self.game);
        text.push_str(&self.size());
        for board in &self.boards {
            text.push('\n');
            if !board.viewers.is_empty() && board.viewers != [player.clone()] {
                let viewers = board.viewers.join(", ");
                text.push_str(&format!("{} as {viewers} may see it\n", board.name));
            }
            text.push_str(&board.lines.join("\n"));
            text.push('\n');
        }
        let drawn = |name: &str| {
            self.boards
                .iter()
                .any(|b| b.shown.iter().any(|s| s == name))
        };
        let seen = self.seen.entries.iter().filter(|e| !drawn(&e.name));
        let seen: Vec<Vec<String>> = seen
            .map(|e| vec![e.name.clone(), e.value.clone()])
            .collect();
        if !seen.is_empty() {
            text.push_str(&format!("\n{}", table(&seen, &[])));
        }
        text.push_str(&self.hidden());
        text
    }

    fn size(&self) -> String {
        let states = plural(self.states as u64, "state");
        let all = match (self.complete, self.states) {
            (true, 1) => "the only one that fits what was seen",
            (true, _) => "all that fit what was seen",
            (false, _) => "drawn, perhaps not all that fit what was seen",
        };
        let effective = match self.states as f64 - self.effective > 0.05 {
            true => format!(
                "; as uncertain as {:.1} that are equally likely",
                self.effective
            ),
            false => String::new(),
        };
        let mut text = format!("{states}, {all}{effective}\n");
        if let Some(particles) = &self.particles {
            text += &particle_text(particles);
            text.extend(poor_particles(particles, "`--states`"));
        }
        text
    }

    fn hidden(&self) -> String {
        let (certain, open): (Vec<&Marginal>, Vec<&Marginal>) =
            self.hidden.iter().partition(|m| m.is_certain());
        let mut text = String::new();
        if self.hidden.is_empty() {
            text.push_str(&format!("\n{} sees everything\n", self.player));
        }
        let known = |m: &Marginal| {
            let values: Vec<&str> = m.values.iter().map(|c| c.value.as_str()).collect();
            match m.set {
                true if values.is_empty() => "{}".to_string(),
                true => format!("{{ {} }}", values.join(", ")),
                false => values.concat(),
            }
        };
        let mut rows: Vec<Vec<String>> = Vec::new();
        for marginal in open {
            let mut values: Vec<String> = marginal
                .values
                .iter()
                .take(MOST_TOLD)
                .map(|c| format!("{} {:.3}", c.value, c.probability))
                .collect();
            let more = marginal.values.len().saturating_sub(MOST_TOLD);
            if more > 0 {
                values.push(format!("{more} more"));
            }
            let name = match marginal.set {
                true => format!("in {}", marginal.name),
                false => marginal.name.clone(),
            };
            rows.push(vec![name, values.join("  ")]);
        }
        if !rows.is_empty() {
            text.push_str(&format!(
                "\nhidden, each value with its probability\n{}",
                table(&rows, &[])
            ));
        }
        let rows: Vec<Vec<String>> = certain
            .iter()
            .map(|m| vec![m.name.clone(), known(m)])
            .collect();
        if !rows.is_empty() {
            let title = match self.complete {
                true => "hidden, and certain all the same",
                false => "hidden, and the same in all that were drawn",
            };
            text.push_str(&format!("\n{title}\n{}", table(&rows, &[])));
        }
        text
    }
}
