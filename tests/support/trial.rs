//! One text through everything that there is: read, set, checked, compiled, played. Whatever it says, the answer is
//! problems with their places, or games that keep the laws; anything else panics here.
//!
//! The tests with mutants and the fuzz target share this file.

use ruse::internal::arena::session::screen;
use ruse::internal::check::Settings;
use ruse::internal::machine::{Action, Actions, Machine, PlayError, State, Turn};
use ruse::internal::model::{Claim, KnowledgeKind};
use ruse::internal::random::{Stream, stream};
use ruse::internal::text::diagnostics::Diagnostic;
use ruse::internal::text::sources::Sources;
use std::time::{Duration, Instant};

/// How long the games may become.
pub struct Limits {
    /// Games from one text; the first is played twice.
    pub games: u64,
    /// Plies of one game.
    pub plies: u32,
    /// After so long the games of one text are broken off. Only how far they get depends on the clock.
    pub patience: Duration,
}

/// What became of a text.
#[derive(Debug, Default)]
pub struct Course {
    /// The codes of its problems, warnings among them.
    pub codes: Vec<&'static str>,
    /// Whether it could be set the usual way.
    pub formatted: bool,
    pub compiled: bool,
    /// Plies played.
    pub plies: u32,
    /// Games played to their ends.
    pub ended: u32,
    /// The error that play ran into.
    pub error: Option<&'static str>,
}

/// # Panics
/// When a promise is broken.
pub fn trial(
    text: &str,
    settings: &Settings,
    loader: ruse::internal::check::extends::Loader<'_>,
    limits: &Limits,
) -> Course {
    let mut course = Course {
        formatted: formats(text),
        ..Course::default()
    };
    let (outcome, sources) = ruse::load_with("a.game", text, settings, loader);
    match outcome {
        Ok((machine, warnings)) => {
            assert!(warnings.iter().all(|d| !d.is_error()), "{warnings:?}");
            course.compiled = true;
            tell(&warnings, &sources, &mut course);
            if let Err(error) = play(&machine, limits, &mut course) {
                course.error = Some(error.code.0);
                assert!(error.code.0.starts_with("E07"), "{error}");
                let problem = error.diagnostic();
                tell(std::slice::from_ref(&problem), &sources, &mut course);
            }
        }
        Err(problems) => {
            assert!(problems.iter().any(Diagnostic::is_error), "{problems:?}");
            tell(&problems, &sources, &mut course);
        }
    }
    course
}

/// Sets a text the usual way, if it can be: the result says the same, and setting it again changes nothing.
fn formats(text: &str) -> bool {
    match ruse::internal::syntax::format::format(text) {
        Ok(set) => {
            let again = ruse::internal::syntax::format::format(&set);
            assert_eq!(again.as_ref(), Ok(&set), "setting it twice changes it");
            let trees = [text, &set].map(|t| ruse::internal::syntax::parse(t).0);
            let [Some(one), Some(two)] = trees else {
                panic!("the text that was set cannot be read");
            };
            assert!(
                ruse::internal::syntax::format::same(&one, &two),
                "setting it changes it"
            );
            true
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            let refused = ruse::internal::syntax::codes::NOT_FORMATTED;
            assert!(problems.iter().all(|p| p.code != refused), "{problems:?}");
            false
        }
    }
}

/// Every problem has a place, a page and a readable form.
fn tell(problems: &[Diagnostic], sources: &Sources, course: &mut Course) {
    let end = sources.end() as usize;
    for problem in problems {
        let places = problem.notes.iter().map(|(span, _)| span);
        for span in places.chain([&problem.span]) {
            assert!(
                span.start <= span.end && (span.end as usize) <= end,
                "{problem:?}"
            );
            let (number, at) = sources.locate(*span);
            let text = &sources.files[number].text;
            assert!(
                text.is_char_boundary((at.start as usize).min(text.len()))
                    && text.is_char_boundary((at.end as usize).min(text.len())),
                "{problem:?}"
            );
        }
        let mistakes = [
            ruse::internal::compile::codes::INTERNAL,
            ruse::internal::check::codes::NOT_UNDERSTOOD,
        ];
        assert!(!mistakes.contains(&problem.code), "{problem:?}");
        assert!(
            ruse::internal::text::explain::page(problem.code.0).is_some(),
            "{problem:?} has no page"
        );
        assert!(!problem.message.trim().is_empty(), "{problem:?}");
        let drawn = problem.render_in(sources, false);
        assert!(drawn.contains(problem.code.0), "{drawn}");
        course.codes.push(problem.code.0);
    }
}

/// A few games at random.
fn play(machine: &Machine, limits: &Limits, course: &mut Course) -> Result<(), PlayError> {
    let start = Instant::now();
    let mut impatient = || start.elapsed() > limits.patience;
    if machine.program().blocks.len() < 3000 {
        assert!(!machine.program().to_string().is_empty());
    }
    let first = game(machine, 0, limits, &mut impatient, course, true);
    let broken_off = impatient();
    let again = game(
        machine,
        0,
        limits,
        &mut impatient,
        &mut Course::default(),
        false,
    );
    if !broken_off && !impatient() {
        // What is asked closely may come upon an error with another value.
        let told = |end: &Result<State, PlayError>| match end {
            Ok(state) => Ok(state.clone()),
            Err(problem) => Err((problem.code, problem.span)),
        };
        assert_eq!(told(&first), told(&again), "one seed, two games");
    }
    first?;
    for number in 1..limits.games {
        game(machine, number, limits, &mut impatient, course, false)?;
    }
    Ok(())
}

/// One game; the state that it comes to. With `closely`, everything that can be asked of a state is asked.
fn game(
    machine: &Machine,
    number: u64,
    limits: &Limits,
    impatient: &mut dyn FnMut() -> bool,
    course: &mut Course,
    closely: bool,
) -> Result<State, PlayError> {
    let mut random = stream(number, &[]);
    // What is asked beside the game has numbers of its own.
    let mut beside = stream(number, &[1]);
    let mut state = machine.initial()?;
    for ply in 0..limits.plies {
        if impatient() {
            return Ok(state);
        }
        if closely && ply < 40 {
            look(machine, &state, &mut beside)?;
        }
        let Some(actions) = next(machine, &state, &mut random)? else {
            course.ended += 1;
            keeps_its_word(machine, &state)?;
            return Ok(state);
        };
        let before = state.clone();
        if let Err(error) = machine.step(&mut state, &actions) {
            assert_eq!(state, before, "an error leaves the state alone");
            let legal = ruse::internal::compile::codes::ILLEGAL_MOVE;
            assert!(error.code != legal, "a sampled move is refused: {error}");
            return Err(error);
        }
        course.plies += 1;
    }
    Ok(state)
}

/// What happens next, at random; `None` at the end.
fn next(
    machine: &Machine,
    state: &State,
    random: &mut Stream,
) -> Result<Option<Vec<Action>>, PlayError> {
    match machine.turn(state) {
        Turn::Terminal => Ok(None),
        Turn::Chance => Ok(Some(vec![machine.sample_chance(state, random)?])),
        Turn::Decision(players) => {
            assert!(!players.is_empty(), "nobody is to move");
            players
                .iter()
                .map(|p| machine.sample(state, p, random))
                .collect::<Result<_, _>>()
                .map(Some)
        }
    }
}

/// Looks at a state from every side.
fn look(machine: &Machine, state: &State, random: &mut Stream) -> Result<(), PlayError> {
    for player in 0..machine.player_count() {
        let _ = machine.view(state, player);
        let _ = machine.notes(state, Some(player));
        for board in machine.render(state, Some(player)) {
            let _ = screen::rendered(&board);
        }
        for (entry, knowledge) in machine.knowledge_of(player) {
            // What knowledge runs into is its own affair; the game goes on.
            match knowledge.kind {
                KnowledgeKind::Evaluate(_) => drop(machine.evaluate(state, entry, player)),
                KnowledgeKind::Category { .. } => drop(machine.category(state, entry, player)),
                _ => {}
            }
        }
    }
    let _ = (machine.key(state), machine.accumulated(state));
    match machine.turn(state) {
        Turn::Terminal => {}
        Turn::Chance => {
            let drawn = machine.sample_chance(state, random)?;
            let _ = machine.outcome_text(state, &drawn, None);
        }
        Turn::Decision(players) => {
            for player in players {
                let action = machine.sample(state, player, random)?;
                assert!(
                    machine.is_legal(state, player, &action)?,
                    "sampled, not legal"
                );
                let _ = machine.action_text(state, player, &action, Some(player));
                let _ = machine.action_text(state, player, &action, None);
                let one = Actions(vec![action]);
                for (entry, knowledge) in machine.knowledge_of(player) {
                    if let KnowledgeKind::Playout(_) = knowledge.kind {
                        drop(machine.preferences(state, entry, player, &one));
                    }
                }
            }
        }
    }
    Ok(())
}

/// Payoffs add up to what the game claims and stay within the bounds known before.
fn keeps_its_word(machine: &Machine, state: &State) -> Result<(), PlayError> {
    let payoffs = machine.payoffs(state)?;
    let features = machine.features();
    assert_eq!(payoffs.len(), machine.player_count());
    let scale = payoffs.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
    if let Claim::ConstantSum { n, den } = features.claim {
        // A team counts once.
        let sides = &machine.description().payoff.sides;
        let sum: f64 = sides
            .iter()
            .map(|side| payoffs[side.lowest().unwrap()])
            .sum();
        let claimed = n as f64 / den as f64;
        assert!((sum - claimed).abs() <= 1e-9 * scale, "{payoffs:?}");
    }
    for (x, (lo, hi)) in payoffs.iter().zip(&features.payoff_bounds) {
        assert!(lo <= x && x <= hi, "{x} is outside {lo} to {hi}");
    }
    Ok(())
}
