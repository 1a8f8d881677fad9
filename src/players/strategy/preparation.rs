//! Gets players ready that need a file, or a solver, before they can play.

use super::declarations::{
    BLUR, FILE, LAMBDA, MEMORY, METHOD, NODES, SEED, TO, USUAL_MEMORY, USUAL_NODES,
};
use super::table::Table;
use super::{Kind, Strategy, commitment};
use crate::machine::Machine;
use crate::players::catalogue::Way;
use crate::players::spec::PlayerSpec;
use crate::search::belief_parameters::MODEL;
use crate::search::parameters as search;
use crate::solve::backward::{self, BackwardOptions, Completion, Phase, Saved, Watch};
use crate::solve::commitment::mixes::Mixes;
use crate::solve::commitment::open_loop::{OpenLoop, explore};
use crate::solve::methods::{self, Method, Progress, SolveTree, Solver, Task};
use crate::solve::quantal_response::quantal_response;
use crate::solve::strategy_file::{self, Misfit, SavedStrategies};
use crate::solve::tree::build;
use crate::solve::{GameId, Profile, Sequences, SolveError, Tree, TreeError, TreeOptions};
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::sources::Sources;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What is needed to get a player ready for a game.
pub struct Preparation<'a> {
    /// The game.
    pub machine: &'a Arc<Machine>,
    /// What it was read from: a file of strategies says which game it is for.
    pub sources: &'a Sources,
    /// Gives the text of a file that a spec names, or says why there is none.
    pub files: &'a mut dyn FnMut(&str) -> Result<String, String>,
    /// Hears how far long work is; `&mut ()` where nobody listens.
    pub progress: &'a mut dyn Progress,
    /// The time since some fixed moment.
    pub clock: &'a dyn Fn() -> Duration,
    /// Ends the work when it is set.
    pub cancel: &'a Arc<AtomicBool>,
}

/// Why a player cannot be got ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrepareError {
    /// The game is none that the method solves, or too large, or has an error that the method ran into. The span is in the
    /// text of the game.
    Game(Box<Diagnostic>),
    /// What the loader of files says.
    File(String),
    /// The file is none of strategies, or not for this game.
    Misfit {
        /// As the spec has it.
        path: String,
        /// To be read after it.
        what: String,
        /// Whether it is a file of strategies at all.
        is_strategies: bool,
    },
    /// There is no strategy, for a reason that has no place in a text.
    Unsolved {
        /// Not every reason has one.
        code: Option<Code>,
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// It was asked to stop.
    Stopped,
}

impl std::fmt::Display for PrepareError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PrepareError::Game(d) => write!(f, "{}: {}", d.code.0, d.message),
            PrepareError::File(message) => f.write_str(message),
            PrepareError::Misfit { path, what, .. } => write!(f, "{path} {what}"),
            PrepareError::Unsolved { code, message, .. } => match code {
                Some(code) => write!(f, "{}: {message}", code.0),
                None => f.write_str(message),
            },
            PrepareError::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for PrepareError {}

impl PlayerSpec {
    /// The same player, ready to play a game: one that plays a strategy, or takes the others to play one, reads its file or solves
    /// the game, once for all games that it plays. All other players are ready as they are.
    ///
    /// # Errors
    /// [`PrepareError`]
    pub fn prepare(&self, with: &mut Preparation<'_>) -> Result<PlayerSpec, PrepareError> {
        let kind = match self.entry().way {
            Way::Search(_) if self.has_model() => self.read(MODEL.name, with)?,
            Way::Random | Way::Search(_) => return Ok(self.clone()),
            Way::Saved => self.read(FILE, with)?,
            Way::Answering => self.answer(with)?,
            Way::Solved => self.solve(with)?,
            Way::Committed(_) => commitment::strategies(self, with)?,
        };
        let machine = Arc::clone(with.machine);
        Ok(self.clone().with_strategy(Strategy { machine, kind }))
    }

    /// The strategy in the file that a parameter names.
    fn read(&self, file: &str, with: &mut Preparation<'_>) -> Result<Kind, PrepareError> {
        let saved = self.saved(file, with)?;
        if saved.has_plans() {
            let explored = explore(with.machine, with.cancel);
            let game = explored.map_err(|error| of_tree(with.machine, &error))?;
            let game = game.ok_or_else(|| self.misfit(file, strategy_file::no_plans()))?;
            let mixes = saved.mixes(with.machine, &game);
            let mixes = mixes.map_err(|misfit| self.misfit(file, misfit))?;
            return by_plans(with.machine, &game, &mixes);
        }
        let (tree, profile) = self.over_tree(file, &saved, with)?;
        by_information_states(with.machine, &tree, &profile)
    }

    /// What every seat answers to the others in the file that it answers.
    fn answer(&self, with: &mut Preparation<'_>) -> Result<Kind, PrepareError> {
        let saved = self.saved(TO, with)?;
        let (tree, profile) = self.over_tree(TO, &saved, with)?;
        let settings = self.settings();
        let lambda = settings.number(LAMBDA).unwrap_or(1.0);
        let blur = settings.number(BLUR).unwrap_or(0.0);
        let sequences = Sequences::new(&tree);
        let mut answers = Profile::uniform(&tree);
        for seat in 0..tree.players() {
            let answer = quantal_response(&tree, &sequences, seat, &profile, lambda, blur);
            answers.adopt(&tree, seat, &answer);
        }
        by_information_states(with.machine, &tree, &answers)
    }

    /// What is in the file that a parameter names.
    fn saved(
        &self,
        file: &str,
        with: &mut Preparation<'_>,
    ) -> Result<SavedStrategies, PrepareError> {
        let path = self.settings().path(file).unwrap_or_default().to_string();
        let text = (with.files)(&path).map_err(PrepareError::File)?;
        let misfit = |misfit| self.misfit(file, misfit);
        let saved = strategy_file::parse(&text).map_err(misfit)?;
        let game = GameId::of(with.machine, with.sources);
        saved.is_for(&game).map_err(misfit)?;
        Ok(saved)
    }

    fn misfit(&self, file: &str, misfit: Misfit) -> PrepareError {
        PrepareError::Misfit {
            path: self.settings().path(file).unwrap_or_default().to_string(),
            what: misfit.what,
            is_strategies: misfit.is_strategies,
        }
    }

    /// The tree of the game, and the strategies of a file over it.
    fn over_tree(
        &self,
        file: &str,
        saved: &SavedStrategies,
        with: &mut Preparation<'_>,
    ) -> Result<(Tree, Profile), PrepareError> {
        let nodes = self.settings().count(NODES);
        let options = TreeOptions {
            most_nodes: nodes.map_or(TreeOptions::MOST_NODES, most_nodes),
            skip_forced: saved.skip_forced(),
        };
        let tree = tree(&options, "nodes=…", with)?;
        let profile = saved.profile(with.machine, &tree);
        let profile = profile.map_err(|misfit| self.misfit(file, misfit))?;
        Ok((tree, profile))
    }

    /// The method that solves a game for this player.
    fn method(&self, machine: &Machine) -> Option<&'static Method> {
        match self.settings().word(METHOD) {
            Some(name) => methods::find(name),
            None => methods::usual(machine),
        }
    }

    /// Whether the method of a player that solves, or finds a commitment, takes the game; true for all other players.
    pub(in crate::players) fn can_solve(&self, machine: &Machine) -> Result<(), Box<Diagnostic>> {
        let method = match self.entry().way {
            Way::Committed(_) => return commitment::suits(self.entry().name, machine),
            Way::Solved => self.method(machine),
            _ => None,
        };
        method.map_or(Ok(()), |method| (method.suits)(machine))
    }

    fn solve(&self, with: &mut Preparation<'_>) -> Result<Kind, PrepareError> {
        self.can_solve(with.machine).map_err(PrepareError::Game)?;
        let method = self.method(with.machine).ok_or(PrepareError::Stopped)?;
        match method.solver {
            Solver::States => self.by_states(with),
            Solver::Tree(solve) => self.by_tree(method, solve, with),
        }
    }

    fn by_states(&self, with: &mut Preparation<'_>) -> Result<Kind, PrepareError> {
        let memory = self.settings().count(MEMORY).unwrap_or(USUAL_MEMORY);
        let options = BackwardOptions {
            memory: memory << 20,
        };
        let (machine, cancel) = (with.machine, with.cancel);
        let mut watch = Listener(with.progress, None);
        match backward::solve(machine, &options, Saved::default(), &mut watch, cancel) {
            Ok(Completion::Solved(solved)) => Ok(Kind::States(solved)),
            Ok(Completion::Stopped { .. }) => Err(PrepareError::Stopped),
            Err(error) => Err(of_states(&error)),
        }
    }

    fn by_tree(
        &self,
        method: &Method,
        solve: SolveTree,
        with: &mut Preparation<'_>,
    ) -> Result<Kind, PrepareError> {
        let settings = self.settings();
        let nodes = settings.count(NODES).unwrap_or(USUAL_NODES);
        let options = TreeOptions {
            most_nodes: most_nodes(nodes),
            ..TreeOptions::default()
        };
        let more = format!("{METHOD}={}, {NODES}=…", method.name);
        let tree = tree(&options, &more, with)?;
        let task = Task {
            machine: with.machine,
            tree: &tree,
            sequences: &Sequences::new(&tree),
            values: &values(method.parameters, &settings),
            seed: settings.count(SEED).unwrap_or(1),
            stop: with.cancel,
            clock: with.clock,
        };
        let found = solve(&task, with.progress);
        let found = found.map_err(|error| of_tree(with.machine, &error))?;
        match found.stopped {
            Some(_) => Err(PrepareError::Stopped),
            None => by_information_states(with.machine, &tree, &found.profile),
        }
    }
}

/// What is set about a method.
pub(super) fn values(
    parameters: &[methods::Parameter],
    settings: &search::Values,
) -> methods::Values {
    let mut values = methods::Values::default();
    for parameter in parameters {
        let name = parameter.name;
        let value = match parameter.kind {
            methods::Kind::Count(..) => settings.count(name).map(methods::Value::Count),
            methods::Kind::Amount(..) => settings.number(name).map(methods::Value::Amount),
            methods::Kind::OneOf(_) => {
                let word = settings.word(name).map(str::to_string);
                word.map(methods::Value::Word)
            }
        };
        if let Some(value) = value {
            values.set(name, value);
        }
    }
    values
}

pub(super) fn most_nodes(nodes: u64) -> u32 {
    u32::try_from(nodes).unwrap_or(u32::MAX)
}

/// The tree of the game; `more` is what a player says that allows it more nodes.
fn tree(
    options: &TreeOptions,
    more: &str,
    with: &mut Preparation<'_>,
) -> Result<Tree, PrepareError> {
    with.progress.begin("nodes", None);
    let progress = &mut *with.progress;
    let mut progress = |n| progress.done(n);
    let built = build(with.machine, options, &mut progress, with.cancel);
    built.map_err(|error| match of_tree(with.machine, &error) {
        PrepareError::Game(problem) if matches!(error, TreeError::TooManyNodes(_)) => {
            let hint = format!(
                "allow more with `{more}`, or make the game smaller by its params; `ruse players` lists players that search instead"
            );
            PrepareError::Game(Box::new(problem.hint(hint)))
        }
        error => error,
    })
}

/// What both players do who go by plans.
pub(super) fn by_plans(
    machine: &Machine,
    game: &OpenLoop,
    mixes: &Mixes,
) -> Result<Kind, PrepareError> {
    let tables = mixes.0.iter().enumerate().map(|(player, mix)| {
        let table = Table::of_plans(machine, game, player, mix);
        let table = table.map_err(|error| of_tree(machine, &error.into()))?;
        table.ok_or_else(|| PrepareError::Unsolved {
            code: None,
            message: format!(
                "{} may do too many things one after the other",
                machine.player_name(player)
            ),
            hint: Some("make the game shorter by its params".to_string()),
        })
    });
    Ok(Kind::InformationStates(tables.collect::<Result<_, _>>()?))
}

pub(super) fn by_information_states(
    machine: &Machine,
    tree: &Tree,
    profile: &Profile,
) -> Result<Kind, PrepareError> {
    let seats = 0..machine.player_count();
    let tables = seats.map(|player| Table::of(machine, tree, profile, player));
    let tables = tables.collect::<Result<Vec<Table>, TreeError>>();
    tables
        .map(Kind::InformationStates)
        .map_err(|error| of_tree(machine, &error))
}

const MORE_MEMORY: &str = "give it more with `method=backward, memory=…`, in MiB, or make the game smaller by its params; \
                           `ruse players` lists players that search instead";

pub(super) fn of_tree(machine: &Machine, error: &TreeError) -> PrepareError {
    match error {
        TreeError::Stopped => PrepareError::Stopped,
        TreeError::Walk(error) => of_states(error),
        error => match error.diagnostic(machine) {
            Some(problem) => PrepareError::Game(Box::new(problem)),
            None => PrepareError::Unsolved {
                code: error.code(),
                message: error.message(),
                hint: None,
            },
        },
    }
}

fn of_states(error: &SolveError) -> PrepareError {
    match error.diagnostic() {
        Some(problem) => PrepareError::Game(Box::new(problem)),
        None => PrepareError::Unsolved {
            code: error.code(),
            message: error.message(),
            hint: error.hint().map(|_| MORE_MEMORY.to_string()),
        },
    }
}

/// Tells of backward induction as of any other work.
struct Listener<'a>(&'a mut dyn Progress, Option<Phase>);

impl Watch for Listener<'_> {
    fn progress(&mut self, phase: Phase, states: u64, total: Option<u64>) {
        if self.1 != Some(phase) {
            self.1 = Some(phase);
            self.0.begin("states", total);
        }
        self.0.done(states);
    }
}
