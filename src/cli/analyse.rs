//! `ruse analyse`: what a player that searches finds in a position.

use super::clock::stopwatch;
use super::game::Game;
use super::interrupt;
use super::load::{self, Loaded};
use super::number::whole;
use super::output::{self, Failure, Verdict, plural, table};
use super::players_text::{PlayersText, players_text};
use super::problem::{Problem, Source};
use crate::belief;
use crate::machine::{Actions, Machine, Observation, State, Turn};
use crate::players::belief_player::search_by_belief;
use crate::players::codes::{LOST_TRACK, NO_SEARCH};
use crate::players::limits::Limits;
use crate::players::{PlayerError, PlayerSpec, Question, suits};
use crate::random::{derive, stream};
use crate::review::{MovesError, codes::NOT_NOW, play_moves_observed};
use crate::search::{BeliefSearcher, Budget, SearchResult, Searcher};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use clap::Args;
use serde::Serialize;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Show what a search finds in a position: its strategy, and what the moves are worth to it
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse analyse duel.game --player uct
  ruse analyse duel.game --player 'smmcts(select=oos, playouts=20000)' --moves 'chance: 3; Ann: 2; Ben: 1'
  ruse analyse duel.game --player 'smmcts(playouts=20000)' --moves '3; 2; 1' --json

Moves are separated by `;`. Each is a player (or `chance`), a colon and what one would type at `ruse \
play`; without a name it belongs to whoever comes next in seating order. Of those who choose at the \
same time, all or none have a move.

A player that need not know the state of the game (`ruse players`) searches in the states that fit what the \
mover has seen by then: how many there are is told as well.

For each player to move: the probability with which the search would play each move, how many \
playouts began with it, and their mean payoff for that player.

Exit codes:
  0  searched
  1  the game has errors, the player cannot play it, or play ran into an error
  2  wrong use, a move or a player that does not exist, or a file that cannot be read

Ctrl-C stops the search and prints what there is; a second Ctrl-C ends at once.")]
pub struct Analyse {
    #[command(flatten)]
    game: Game,

    /// Who searches, as in `ruse match --players`, or a YAML file with one player (`@strong.yaml`)
    #[arg(long, value_name = "PLAYER")]
    player: String,

    /// What has happened so far [default: nothing]
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,

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
    playouts: u64,
    /// Decision nodes in the tree.
    nodes: usize,
    /// False when the player has a budget in milliseconds.
    reproducible: bool,
    to_move: Vec<MoverReport>,
}

#[derive(Serialize)]
struct MoverReport {
    name: String,
    /// The player's mean payoff over all playouts.
    value: Option<f64>,
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
}

#[derive(Serialize)]
struct ActionReport {
    action: String,
    probability: f64,
    visits: u64,
    mean: Option<f64>,
}

impl Analyse {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let loaded = load::game(&self.game)?;
        let text = players_text("--player", &self.player)?;
        let spec = PlayerSpec::parse(&text.text).map_err(|d| text.failure(*d))?;
        let search = search(&spec, &text)?;
        suits(&spec, &loaded.machine).map_err(|error| match error.diagnostic() {
            Some(d) => Failure::no(Problem::InText(loaded.source.clone(), d)),
            None => Failure::no(Problem::outside(None, error.to_string())),
        })?;
        let (state, seen) = self.state(&loaded)?;
        let stop = interrupt::flag();
        let limits = Limits::of(&spec);
        let in_time = limits.in_time(&(stopwatch() as _));
        let keep_going = || !stop.load(Ordering::SeqCst) && in_time();
        let budget = limits.budget(&keep_going);
        let found = match search {
            Search::State(searcher) => {
                let mut rng = stream(self.seed, &[]);
                let found = searcher.search_for_all(&loaded.machine, &state, &budget, &mut rng);
                let found = found.map_err(PlayerError::Rules);
                found.map(|all| {
                    all.into_iter()
                        .map(|(p, result)| (p, result, None))
                        .collect()
                })
            }
            Search::Belief(searcher) => {
                self.search_by_beliefs(&loaded.machine, &*searcher, &state, &seen, &budget)
            }
        };
        let found: Vec<Found> = found.map_err(|error| match error.diagnostic() {
            Some(d) => Failure::no(Problem::InText(loaded.source.clone(), d)),
            None => Failure::no(Problem::outside(Some(LOST_TRACK), error.to_string())),
        })?;
        let report = self.report(&loaded, spec, &state, &found);
        output::show(self.json, &report, || report.text());
        Ok(Verdict::Fine)
    }

    /// What each player who is to choose finds by what it knows.
    fn search_by_beliefs(
        &self,
        machine: &Arc<Machine>,
        searcher: &dyn BeliefSearcher,
        state: &State,
        seen: &[Vec<Observation>],
        budget: &Budget<'_>,
    ) -> Result<Vec<Found>, PlayerError> {
        let Turn::Decision(movers) = machine.turn(state) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for player in movers {
            let mut actions = Actions::default();
            machine.legal(state, player, &mut actions)?;
            let question = Question {
                node: machine.node(state),
                seat: player,
                actions: &actions,
            };
            let seed = derive(self.seed, &[player as u64]);
            let (result, belief) =
                search_by_belief(machine, searcher, &seen[player], &question, seed, budget)?;
            found.push((player, result, Some(belief)));
        }
        Ok(found)
    }

    /// The state after the moves, where somebody is to choose, and what each player has seen by then.
    fn state(&self, loaded: &Loaded) -> Result<(State, Vec<Vec<Observation>>), Failure> {
        let machine = &loaded.machine;
        let source = || Rc::new(Source::new("--moves", self.moves.as_str()));
        let mut seen = vec![Vec::new(); machine.player_count()];
        let state = play_moves_observed(machine, &self.moves, &mut |event| {
            for player in event.viewers {
                seen[player].push(Observation::from(&event));
            }
        });
        let state = state.map_err(|error| match error {
            MovesError::Text(d) => Failure::wrong_use(Problem::InText(source(), *d)),
            MovesError::Rules(e) => {
                Failure::no(Problem::InText(loaded.source.clone(), e.diagnostic()))
            }
        })?;
        let (what, hint) = match machine.turn(&state) {
            Turn::Decision(_) => return Ok((state, seen)),
            Turn::Terminal => ("nobody chooses here: the game is over", "give fewer moves"),
            Turn::Chance => (
                "nobody chooses here: something is drawn",
                "give the outcome as well, such as `chance: 3`",
            ),
        };
        let end = self.moves.trim_end().len();
        let d = Diagnostic::error(NOT_NOW, Span::new(end, end), what).hint(hint);
        Err(Failure::wrong_use(Problem::InText(source(), d)))
    }

    fn report(&self, loaded: &Loaded, spec: PlayerSpec, state: &State, found: &[Found]) -> Report {
        let machine = &loaded.machine;
        let first = found.first().map(|(_, result, _)| result);
        Report {
            game: machine.description().name.clone(),
            file: loaded.source.path.clone(),
            seed: self.seed,
            playouts: first.map_or(0, |r| r.playouts),
            nodes: first.map_or(0, |r| r.nodes),
            reproducible: !spec.depends_on_time(),
            player: spec,
            to_move: found
                .iter()
                .map(|(player, result, belief)| mover(machine, state, *player, result, *belief))
                .collect(),
        }
    }
}

/// What is found for a player; what it knows, where the search goes by that.
type Found = (usize, SearchResult, Option<belief::Report>);

enum Search {
    State(Box<dyn Searcher>),
    Belief(Box<dyn BeliefSearcher>),
}

/// The search of a player; not every player has one.
fn search(spec: &PlayerSpec, text: &PlayersText) -> Result<Search, Failure> {
    let by_state = spec.searcher().map(Search::State);
    let search = by_state.or_else(|| spec.belief_searcher().map(Search::Belief));
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

fn mover(
    machine: &Machine,
    state: &State,
    player: usize,
    result: &SearchResult,
    belief: Option<belief::Report>,
) -> MoverReport {
    let text = |place: usize| {
        let action = &result.actions[place].action;
        machine.action_text(state, player, action, Some(player))
    };
    let actions = std::iter::zip(&result.actions, &result.strategy).enumerate();
    MoverReport {
        name: machine.player_name(player).to_string(),
        value: result.value(),
        belief: belief.map(|report| BeliefReport {
            states: report.states,
            effective: report.effective,
            complete: report.complete,
        }),
        chosen: text(result.chosen),
        actions: actions
            .map(|(i, (action, probability))| ActionReport {
                action: text(i),
                probability: *probability,
                visits: action.visits,
                mean: action.mean,
            })
            .collect(),
    }
}

impl Report {
    fn text(&self) -> String {
        let (playouts, nodes) = (
            plural(self.playouts, "playout"),
            plural(self.nodes as u64, "node"),
        );
        let mut text = format!(
            "{}, searched by {}\n{playouts}, {nodes}, seed {}\n",
            self.game, self.player, self.seed
        );
        if !self.reproducible {
            text.push_str("the budget is in milliseconds: another run may find something else\n");
        }
        for mover in &self.to_move {
            text.push_str(&format!("\n{}\n", mover.text()));
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
            (false, _) => "drawn from more that fit what it saw".to_string(),
        };
        format!("in {states}, {all}\n")
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
                format!("{:.4}", a.probability),
                a.visits.to_string(),
                number(a.mean),
            ]);
        }
        let table = table(&rows, &[1, 2, 3]);
        format!(
            "{}: {} in the mean, plays {}\n{}{}",
            self.name,
            number(self.value),
            self.chosen,
            self.belief
                .as_ref()
                .map(BeliefReport::text)
                .unwrap_or_default(),
            table.trim_end()
        )
    }
}
