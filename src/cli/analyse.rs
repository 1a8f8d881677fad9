//! `ruse analyse`: what a player that searches finds in a position.

use super::analyse_schedule;
use super::clock::stopwatch;
use super::game::Game;
use super::interrupt;
use super::load::{self, Loaded};
use super::number::whole;
use super::output::{self, Failure, Verdict, plural, table};
use super::particle_text::{particle_text, particle_warning, poor_particles};
use super::play::thinking::Thinking;
use super::players_text::{PlayersText, players_text, settings};
use super::prepare::Preparing;
use super::problem::{Problem, Source};
use super::thought_text::belief_share;
use crate::arena::own_record::OwnRecord;
use crate::belief;
use crate::machine::{Action, Actions, Machine, Observation, State, Turn};
use crate::players::belief_player::search_by_belief;
use crate::players::codes::{LOST_TRACK, NO_SEARCH};
use crate::players::history_player::search_by_history;
use crate::players::limits::Limits;
use crate::players::player::Asked;
use crate::players::{Clock, Patience, Player, PlayerError, PlayerSpec, Question, suits, usual};
use crate::random::{derive, stream};
use crate::review::{MovesError, codes::NOT_NOW, play_moves, read_moves};
use crate::search::{BeliefSearcher, Budget, HistorySearcher, SearchResult, Searcher};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use clap::Args;
use serde::Serialize;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Show what a player finds in a position: its strategy, and what the moves are worth to its search
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse analyse duel.game
  ruse analyse duel.game --player uct
  ruse analyse duel.game --player 'smmcts(select=oos, playouts=20000)' --moves 'chance: 3; Ann: 2; Ben: 1'
  ruse analyse duel.game --player 'smmcts(playouts=20000)' --moves '3; 2; 1' --json
  ruse analyse bluff.game --player 'strategy(file=bluff.json)' --moves 'chance: 3'
  ruse analyse watch.game --player 'strategy(file=plan.json)' --schedule Ann --svg plan.svg

Moves are separated by `;`. Each is a player (or `chance`), a colon and what one would type at `ruse \
play`; without a name it belongs to whoever comes next in seating order. Of those who choose at the \
same time, all or none have a move.

A player that need not know the state of the game (`ruse players`) searches in the states that fit what the \
mover has seen by then: how many there are is told as well.

For each player to move: the probability with which the search would play each move, how many \
playouts began with it, and their mean payoff for that player. `strategy` and `solve` do not search: of \
them only the probabilities are shown.

--schedule writes a strategy that is known beforehand out as plans that somebody could follow without looking, with their \
probabilities, and tells the best answers of the other player, of equally good ones those that are best for \
whoever has the schedule. It is for games of two players in which nobody learns anything on the way.

Exit codes:
  0  searched
  1  the game has errors, the player cannot play it, play ran into an error, or it was stopped
  2  wrong use, a move or a player that does not exist, or a file that cannot be read

Ctrl-C stops the search and prints what there is; a second Ctrl-C ends at once.")]
pub struct Analyse {
    #[command(flatten)]
    game: Game,

    /// Who searches, as in `ruse match --players`, or a YAML file with one player (`@strong.yaml`) [default: the usual player
    /// for such a game]
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,

    /// What has happened so far [default: nothing]
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,

    /// Write out what the player of this name does from the start to the end, if `--player` knows that beforehand: `strategy`,
    /// `quantal`, `solve`, `mixed_uct` or `double_oracle`
    #[arg(long, value_name = "NAME", requires = "player", conflicts_with_all = ["moves", "seed"])]
    schedule: Option<String>,

    /// Draw the board with how likely that player is where, at the start and after each choice
    #[arg(long, value_name = "FILE", requires = "schedule", conflicts_with_all = ["moves", "seed"])]
    svg: Option<PathBuf>,

    /// Everything random comes from this number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    file: String,
    player: PlayerSpec,
    seed: u64,
    /// Of a player that searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    playouts: Option<u64>,
    /// Decision nodes in the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<usize>,
    /// False when the player has a budget in milliseconds, or the search was stopped.
    reproducible: bool,
    /// `false` if it was stopped before all was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
    to_move: Vec<MoverReport>,
}

#[derive(Serialize)]
struct MoverReport {
    name: String,
    /// The player's mean payoff over all playouts.
    value: Option<f64>,
    /// How long the search for the player took; that for all who choose together, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    search_seconds: Option<f64>,
    /// What the search rests on, where the player need not know the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    belief: Option<BeliefReport>,
    /// The move that this search would play, drawn from its strategy.
    chosen: String,
    actions: Vec<ActionReport>,
}

#[derive(Serialize)]
struct BeliefReport {
    /// World states that fit what the player saw.
    states: usize,
    /// How many equally likely ones would be as uncertain.
    effective: f64,
    /// Whether these are all.
    complete: bool,
    /// Where they are not: how those that stand for all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    particles: Option<belief::ParticleReport>,
    /// Why these say little, where they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<&'static str>,
    /// How long it took to find them, before the search.
    seconds: f64,
}

#[derive(Serialize)]
struct ActionReport {
    action: String,
    probability: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    visits: Option<u64>,
    mean: Option<f64>,
}

impl Analyse {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let loaded = load::game(&self.game)?;
        let text = self.player(&loaded.machine)?;
        let spec = PlayerSpec::parse(&text.text).map_err(|d| text.failure(*d))?;
        if self.schedule.is_some() && !spec.knows_beforehand() {
            return Err(no_schedule(&spec, &text));
        }
        let search = search(&spec, &text)?;
        suits(&spec, &loaded.machine).map_err(|error| match error.diagnostic() {
            Some(d) => loaded.failure(d),
            None => Failure::no(Problem::outside(None, error.to_string())),
        })?;
        let seat = self.schedule.as_deref();
        let seat = seat.map(|player| analyse_schedule::seat(&loaded, player));
        let seat = seat.transpose()?;
        let stop = interrupt::flag();
        if let (Some(seat), Some(player)) = (seat, self.schedule.as_deref()) {
            let asked = analyse_schedule::Asked {
                player,
                svg: self.svg.as_deref(),
                json: self.json,
            };
            let Some(plans) = analyse_schedule::explored(&loaded, &stop)? else {
                return Ok(output::stopped("the game was not explored", self.json));
            };
            let ready = self.ready(&loaded, &spec, &stop)?;
            return analyse_schedule::run(&loaded, &plans, (&ready, seat), &asked);
        }
        let (state, own) = self.state(&loaded)?;
        let limits = Limits::of(&spec);
        let clock: Clock = stopwatch();
        let place = Place {
            machine: &loaded.machine,
            state: &state,
            own: &own,
            seed: self.seed,
        };
        let ready = self.ready(&loaded, &spec, &stop)?;
        let thinking = Thinking::new(&stop, &clock, true);
        let waits = |playouts| thinking.waits(playouts);
        let patience = Patience::new(&waits);
        let found = match search {
            Search::State(searcher) => {
                let in_time = limits.in_time(&clock);
                let keep_going = Limits::keep_going(&in_time, patience);
                place.by_state(&*searcher, &limits.budget(&keep_going), &clock)
            }
            Search::Belief(searcher) => place.of_each(|question, own, seed| {
                // Each has the whole time, which its belief counts towards.
                let in_time = limits.in_time(&clock);
                let keep_going = Limits::keep_going(&in_time, patience);
                let budget = limits.budget(&keep_going);
                let machine = &loaded.machine;
                let searcher = (&*searcher, ready.model(machine)?);
                let start = clock();
                let believing = Cell::new(Duration::ZERO);
                let believed = || believing.set(clock().saturating_sub(start));
                let budget = (&budget, &believed as &dyn Fn());
                let found = search_by_belief(machine, searcher, own, question, seed, budget)?;
                let searching = clock().saturating_sub(start + believing.get());
                let belief = (found.1, believing.get());
                Ok(Finding::of_search(found.0, searching, Some(belief)))
            }),
            Search::History(searcher) => place.of_each(|question, (seen, _), seed| {
                let in_time = limits.in_time(&clock);
                let keep_going = Limits::keep_going(&in_time, patience);
                let budget = limits.budget(&keep_going);
                let machine = &loaded.machine;
                let searcher = (&*searcher, ready.model(machine)?);
                let start = clock();
                let found = search_by_history(machine, searcher, seen, question, seed, &budget)?;
                Ok(Finding::of_search(
                    found,
                    clock().saturating_sub(start),
                    None,
                ))
            }),
            Search::None => {
                let machine = &loaded.machine;
                place.of_each(|question, (seen, _), seed| {
                    Finding::of_strategy(machine, &ready, question, seen, seed)
                })
            }
        };
        drop(thinking);
        let found: Vec<Finding> = found.map_err(|error| match error.diagnostic() {
            Some(d) => loaded.failure(d),
            None => Failure::no(Problem::outside(Some(LOST_TRACK), error.to_string())),
        })?;
        output::detail(|| speed(&found, clock().as_secs_f64()));
        let mut report = self.report(&loaded, spec, &state, &found);
        let stopped = stop.load(Ordering::SeqCst);
        if stopped {
            report.complete = Some(false);
            report.reproducible = false;
        }
        output::show(self.json, &report, || report.text());
        match stopped {
            true => Ok(output::stopped("the search is not complete", false)),
            false => Ok(Verdict::Fine),
        }
    }

    /// The player, ready to play.
    fn ready(
        &self,
        loaded: &Loaded,
        spec: &PlayerSpec,
        stop: &Arc<AtomicBool>,
    ) -> Result<PlayerSpec, Failure> {
        let folder = Path::new("");
        let preparing = Preparing {
            loaded,
            folder,
            stop,
        };
        output::detail(|| settings(spec));
        preparing.player(spec)
    }

    /// The text that says who searches.
    fn player(&self, machine: &Machine) -> Result<PlayersText, Failure> {
        let usual = match &self.player {
            Some(text) => return players_text("--player", text),
            None => usual(machine),
        };
        let text = usual.map(|usual| {
            output::note(&usual.line());
            usual.spec.to_string()
        });
        players_text("--player", &text.unwrap_or_default())
    }

    /// The state after the moves, where somebody is to choose, and what each player has seen by then.
    fn state(&self, loaded: &Loaded) -> Result<(State, Vec<OwnRecord>), Failure> {
        let machine = &loaded.machine;
        let source = || Rc::new(Source::new("--moves", self.moves.as_str()));
        let failed = |error| match error {
            MovesError::Text(d) => Failure::wrong_use(Problem::InText(source(), *d)),
            MovesError::Rules(e) => loaded.failure(e.diagnostic()),
        };
        let state = play_moves(machine, &self.moves).map_err(failed)?;
        let (what, hint) = match machine.turn(&state) {
            Turn::Decision(_) => {
                let steps = read_moves(machine, &self.moves).map_err(failed)?;
                let players = 0..machine.player_count();
                let own = players.map(|player| OwnRecord::of(machine, player, &steps));
                let own = own.collect::<Result<_, _>>();
                return Ok((state, own.map_err(|e| loaded.failure(e.diagnostic()))?));
            }
            Turn::Terminal => (
                "nobody chooses here: the game is over",
                "give fewer moves".to_string(),
            ),
            Turn::Chance => {
                let mut first = "3".to_string();
                // Only one of them is looked at.
                let _ = machine.each_option(&state, None, &mut |outcome, _| {
                    first = machine.outcome_text(&state, &outcome, None);
                    ControlFlow::Break(())
                });
                (
                    "nobody chooses here: something is drawn",
                    format!("give the outcome as well, such as `chance: {first}`"),
                )
            }
        };
        let end = self.moves.trim_end().len();
        let d = Diagnostic::error(NOT_NOW, Span::new(end, end), what).hint(hint);
        Err(Failure::wrong_use(Problem::InText(source(), d)))
    }

    fn report(
        &self,
        loaded: &Loaded,
        spec: PlayerSpec,
        state: &State,
        found: &[Finding],
    ) -> Report {
        let machine = &loaded.machine;
        let first = found.first().and_then(|f| f.size);
        Report {
            game: machine.description().name.clone(),
            file: loaded.source.path.clone(),
            seed: self.seed,
            playouts: first.map(|(playouts, _)| playouts),
            nodes: first.map(|(_, nodes)| nodes),
            reproducible: !spec.depends_on_time(),
            complete: None,
            player: spec,
            to_move: found.iter().map(|f| mover(machine, state, f)).collect(),
        }
    }
}

/// Where somebody is to choose.
struct Place<'a> {
    machine: &'a Arc<Machine>,
    state: &'a State,
    /// By player.
    own: &'a [OwnRecord],
    seed: u64,
}

/// What is found for a player.
struct Finding {
    player: usize,
    chosen: usize,
    value: Option<f64>,
    /// Playouts and nodes of a search.
    size: Option<(u64, usize)>,
    /// How long the search took.
    searching: Option<Duration>,
    /// What the player knows, where the search goes by that, and how long it took to find out.
    belief: Option<(belief::Report, Duration)>,
    actions: Vec<Found>,
}

/// What is found of an action.
struct Found {
    action: Action,
    probability: f64,
    visits: Option<u64>,
    mean: Option<f64>,
}

impl Place<'_> {
    /// One search for all who are to choose.
    fn by_state(
        &self,
        searcher: &dyn Searcher,
        budget: &Budget<'_>,
        clock: &Clock,
    ) -> Result<Vec<Finding>, PlayerError> {
        let mut rng = stream(self.seed, &[]);
        let start = clock();
        let found = searcher.search_for_all(self.machine, self.state, budget, &mut rng)?;
        let searching = clock().saturating_sub(start);
        let found = found.into_iter().map(|(player, result)| Finding {
            player,
            ..Finding::of_search(result, searching, None)
        });
        Ok(found.collect())
    }

    /// For each player who is to choose, by the question, what the player saw and was asked before, and a seed.
    fn of_each(
        &self,
        find: impl Fn(&Question<'_>, (&[Observation], &[Asked]), u64) -> Result<Finding, PlayerError>,
    ) -> Result<Vec<Finding>, PlayerError> {
        let Turn::Decision(movers) = self.machine.turn(self.state) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for player in movers {
            let mut actions = Actions::default();
            self.machine.legal(self.state, player, &mut actions)?;
            let question = Question {
                node: self.machine.node(self.state),
                seat: player,
                actions: &actions,
                patience: Patience::ENDLESS,
            };
            let seed = derive(self.seed, &[player as u64]);
            let own = &self.own[player];
            let before = own.asked.split_last().map_or(&[][..], |(_, before)| before);
            let finding = find(&question, (&own.seen, before), seed)?;
            found.push(Finding { player, ..finding });
        }
        Ok(found)
    }
}

/// How many playouts there were, and how many a second.
fn speed(found: &[Finding], seconds: f64) -> String {
    // Who chooses together may be searched for at once, and each is told of all playouts.
    let playouts = found.iter().filter_map(|f| f.size);
    let playouts = playouts.map(|(playouts, _)| playouts).max().unwrap_or(0);
    let rate = playouts as f64 / seconds.max(1e-9);
    let playouts = plural(playouts, "playout");
    format!("searched in {seconds:.2} s: {playouts}, {rate:.0} a second")
}

impl Finding {
    fn of_search(
        result: SearchResult,
        searching: Duration,
        belief: Option<(belief::Report, Duration)>,
    ) -> Finding {
        let value = result.value();
        let actions = std::iter::zip(result.actions, result.strategy);
        let actions = actions.map(|(statistics, probability)| Found {
            action: statistics.action,
            probability,
            visits: Some(statistics.visits),
            mean: statistics.mean,
        });
        Finding {
            player: 0,
            chosen: result.chosen,
            value,
            size: Some((result.playouts, result.nodes)),
            searching: Some(searching),
            belief,
            actions: actions.collect(),
        }
    }

    /// Of a player that knows beforehand what it does.
    fn of_strategy(
        machine: &Arc<Machine>,
        spec: &PlayerSpec,
        question: &Question<'_>,
        seen: &[Observation],
        seed: u64,
    ) -> Result<Finding, PlayerError> {
        let Some(mut player) = spec.strategy_player(machine)? else {
            return Err(PlayerError::Unprepared(spec.to_string()));
        };
        player.begin(question.seat, seed)?;
        for observation in seen {
            player.observe(observation)?;
        }
        let probabilities = player.probabilities(question)?;
        let actions = std::iter::zip(&question.actions.0, probabilities);
        let actions = actions.map(|(action, probability)| Found {
            action: action.clone(),
            probability,
            visits: None,
            mean: None,
        });
        Ok(Finding {
            player: question.seat,
            chosen: player.choose(question)?,
            value: None,
            size: None,
            searching: None,
            belief: None,
            actions: actions.collect(),
        })
    }
}

enum Search {
    State(Box<dyn Searcher>),
    Belief(Box<dyn BeliefSearcher>),
    History(Box<dyn HistorySearcher>),
    /// The player knows beforehand what it does.
    None,
}

/// The search of a player; not every player has one, or has anything to show.
fn search(spec: &PlayerSpec, text: &PlayersText) -> Result<Search, Failure> {
    if spec.knows_beforehand() {
        return Ok(Search::None);
    }
    let by_state = spec.searcher().map(Search::State);
    let by_belief = || spec.belief_searcher().map(Search::Belief);
    let by_history = || spec.history_searcher().map(Search::History);
    let search = by_state.or_else(by_belief).or_else(by_history);
    search.ok_or_else(|| {
        let name = spec.entry().name;
        let at = Span::new(0, text.text.len());
        let d = Diagnostic::error(
            NO_SEARCH,
            at,
            format!("`{name}` does not search, so there is nothing to show"),
        );
        text.failure(d.hint("for example: uct, smmcts(playouts=10000), ismcts"))
    })
}

/// A schedule is of a player that knows beforehand what it does.
fn no_schedule(spec: &PlayerSpec, text: &PlayersText) -> Failure {
    let name = spec.entry().name;
    let message = format!("`{name}` does not know beforehand what it does, so it has no schedule");
    let d = Diagnostic::error(NO_SEARCH, Span::new(0, text.text.len()), message);
    text.failure(d.hint("for example: strategy(file=plan.json), double_oracle"))
}

fn mover(machine: &Machine, state: &State, found: &Finding) -> MoverReport {
    let player = found.player;
    let text = |action: &Action| machine.action_text(state, player, action, Some(player));
    let chosen = found.actions.get(found.chosen);
    MoverReport {
        name: machine.player_name(player).to_string(),
        value: found.value,
        search_seconds: found.searching.map(|time| time.as_secs_f64()),
        belief: found.belief.map(|(report, time)| BeliefReport {
            states: report.states,
            effective: report.effective,
            complete: report.complete,
            warning: report.particles.as_ref().and_then(particle_warning),
            particles: report.particles,
            seconds: time.as_secs_f64(),
        }),
        chosen: chosen.map(|f| text(&f.action)).unwrap_or_default(),
        actions: found
            .actions
            .iter()
            .map(|found| ActionReport {
                action: text(&found.action),
                probability: found.probability,
                visits: found.visits,
                mean: found.mean,
            })
            .collect(),
    }
}

/// What to say of a search that could not try all of its options.
pub fn few_playouts(playouts: Option<u64>, options: usize) -> Option<String> {
    let playouts = playouts.filter(|n| *n < options as u64)?;
    let playouts = plural(playouts, "playout");
    Some(format!(
        "{playouts} cannot try {options} options: with more it may choose another"
    ))
}

impl Report {
    fn text(&self) -> String {
        let mut text = match (self.playouts, self.nodes) {
            (Some(playouts), Some(nodes)) => format!(
                "{}, searched by {}\n{}, {}, seed {}\n",
                self.game,
                self.player,
                plural(playouts, "playout"),
                plural(nodes as u64, "node"),
                self.seed
            ),
            _ => format!("{}, played by {}\n", self.game, self.player),
        };
        if !self.reproducible && self.complete.is_none() {
            text.push_str("the budget is in milliseconds: another run may find something else\n");
        }
        for mover in &self.to_move {
            text.push_str(&format!("\n{}\n", mover.text()));
            let blind = mover.belief.as_ref().is_some_and(|b| b.states == 0);
            let playouts = self.playouts.filter(|_| !blind);
            let few = few_playouts(playouts, mover.actions.len());
            let belief = mover.belief.as_ref().filter(|_| !blind);
            let took = belief.map(|b| Duration::from_secs_f64(b.seconds));
            let share = took.and_then(|took| belief_share(&self.player, took));
            let lines = few.into_iter().chain(share);
            text.extend(lines.map(|line| format!("{line}\n")));
        }
        text
    }
}

impl BeliefReport {
    fn text(&self) -> String {
        let states = plural(self.states as u64, "state");
        let all = match (self.complete, self.states) {
            (true, 1) => "the only one that fits what it saw".to_string(),
            (true, _) => "all that fit what it saw".to_string(),
            (false, _) => "drawn, perhaps not all that fit what it saw".to_string(),
        };
        let mut text = match (self.states, self.complete) {
            (0, _) => "in no state: none was found that fits what it saw, so it chooses blindly\n"
                .to_string(),
            _ => format!("in {states}, {all}\n"),
        };
        if let Some(report) = &self.particles {
            text += &particle_text(report);
            text.extend(poor_particles(report, "the player's `states`"));
        }
        text
    }
}

impl MoverReport {
    fn text(&self) -> String {
        let number =
            |value: Option<f64>| value.map_or("-".to_string(), |x| format!("{:.3}", x + 0.0));
        let head = ["move", "probability", "playouts", "mean"].map(String::from);
        let mut rows = vec![head.to_vec()];
        for a in &self.actions {
            rows.push(vec![
                a.action.clone(),
                format!("{:.4}", a.probability + 0.0),
                a.visits.map_or("-".to_string(), |n| n.to_string()),
                number(a.mean),
            ]);
        }
        if self.actions.iter().all(|a| a.visits.is_none()) {
            rows.iter_mut().for_each(|row| row.truncate(2));
        }
        let table = table(&rows, &[1, 2, 3]);
        let value = match self.actions.iter().any(|a| a.visits.is_some()) {
            true => format!("{} in the mean, ", number(self.value)),
            false => String::new(),
        };
        format!(
            "{}: {value}plays {}\n{}{}",
            self.name,
            self.chosen,
            self.belief
                .as_ref()
                .map(BeliefReport::text)
                .unwrap_or_default(),
            table.trim_end()
        )
    }
}
