//! What somebody does who goes by a behaviour strategy in a game in which nobody learns anything on the way: plans with their
//! probabilities, and where each plan has led by then.

use super::answers::Plan;
use super::open_loop::{Class, Next, OpenLoop};
use crate::machine::{Action, Machine, Observation, PlayError, State};

/// The most plans that are told apart.
pub const MOST_PLANS: usize = 200_000;

/// A place of a player on its way: a world state that it may be in, and what it saw by then.
struct Place {
    state: u32,
    seen: Vec<Observation>,
    share: f64,
    plan: Plan,
}

/// How likely each choice of a player is, at a state and after what it saw.
pub type Shares<'a, E> = &'a mut dyn FnMut(&State, &[Observation]) -> Result<Vec<f64>, E>;

/// The plans of a player that is at a state after what it saw and takes its choices with the probabilities that `shares`
/// gives, the likeliest first; plans that it never takes are left out. `None` where there are more than [`MOST_PLANS`].
///
/// # Errors
/// Those of play and of `shares`.
pub fn plans<E: From<PlayError>>(
    game: &OpenLoop,
    machine: &Machine,
    player: usize,
    shares: Shares<'_, E>,
) -> Result<Option<Vec<(f64, Plan)>>, E> {
    let mut found: Vec<(f64, Plan)> = Vec::new();
    let mut open = vec![Place {
        state: 0,
        seen: begun(machine, player)?,
        share: 1.0,
        plan: Plan::new(),
    }];
    while let Some(place) = open.pop() {
        let class = &game.classes[player][class_of(game, player, place.state)];
        let by_choice = match class.actions.len() {
            0 | 1 => vec![1.0],
            _ => shares(game.world(place.state), &place.seen)?,
        };
        for (choice, by_choice) in by_choice.into_iter().enumerate() {
            if by_choice <= 0.0 {
                continue;
            }
            let share = place.share * by_choice;
            let mut plan = place.plan.clone();
            plan.push(choice as u32);
            let (state, other, next) = led_on(game, player, class, choice as u32);
            match next {
                Next::End(_) => found.push((share, plan)),
                Next::State(next) => {
                    let mut seen = place.seen.clone();
                    step(
                        game,
                        machine,
                        player,
                        (state, choice as u32, other),
                        &mut seen,
                    )?;
                    open.push(Place {
                        state: next,
                        seen,
                        share,
                        plan,
                    });
                }
            }
            if found.len() + open.len() > MOST_PLANS {
                return Ok(None);
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    Ok(Some(found))
}

/// The states of the world on the way of a plan, the start among them, each with whether the player chose last: of the states
/// that the player cannot tell apart one, and one in which the game goes on for as long as it may.
///
/// # Errors
/// Those of play.
pub fn way(
    game: &OpenLoop,
    machine: &Machine,
    player: usize,
    plan: &Plan,
) -> Result<Vec<(State, bool)>, PlayError> {
    let mut way = vec![(game.world(0).clone(), false)];
    let mut at = 0;
    for &choice in plan {
        let class = &game.classes[player][class_of(game, player, at)];
        let (state, other, next) = led_on(game, player, class, choice);
        let after = step(
            game,
            machine,
            player,
            (state, choice, other),
            &mut Vec::new(),
        )?;
        way.push((after, !class.actions.is_empty()));
        match next {
            Next::State(next) => at = next,
            Next::End(_) => break,
        }
    }
    Ok(way)
}

/// The most lists of own choices of a player that are told apart.
const MOST_HISTORIES: usize = 4_000_000;

/// A place at which a player may be asked: its choices so far, one a step, what it saw, and the class of world states in which it
/// may be.
pub type Visit<'a> = &'a mut dyn FnMut(&[u32], &[Observation], &Class);

/// Visits every place at which a player may be asked, after whatever it did itself. `false` where there are too many.
///
/// # Errors
/// Those of play.
pub fn each_question(
    game: &OpenLoop,
    machine: &Machine,
    player: usize,
    visit: Visit<'_>,
) -> Result<bool, PlayError> {
    let mut open = vec![(0, begun(machine, player)?, Plan::new())];
    let mut count = 0;
    while let Some((at, seen, plan)) = open.pop() {
        let class = &game.classes[player][class_of(game, player, at)];
        if !class.actions.is_empty() {
            visit(&plan, &seen, class);
        }
        for choice in 0..class.actions.len().max(1) as u32 {
            let (state, other, next) = led_on(game, player, class, choice);
            if let Next::State(next) = next {
                let mut seen = seen.clone();
                step(game, machine, player, (state, choice, other), &mut seen)?;
                let mut plan = plan.clone();
                plan.push(choice);
                open.push((next, seen, plan));
            }
        }
        count += 1;
        if count > MOST_HISTORIES {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What a player sees before anybody chooses.
fn begun(machine: &Machine, player: usize) -> Result<Vec<Observation>, PlayError> {
    let mut seen = Vec::new();
    machine.initial_observed(&mut |event| {
        if event.viewers.contains(player) {
            seen.push(Observation::from(&event));
        }
    })?;
    Ok(seen)
}

fn class_of(game: &OpenLoop, player: usize, state: u32) -> usize {
    game.states[state as usize].class[player] as usize
}

/// A state of a class, a choice of the other player, and what follows: where the game goes on if it can.
fn led_on(game: &OpenLoop, player: usize, class: &Class, own: u32) -> (u32, u32, Next) {
    let mut found = (class.states[0], 0, Next::End(0));
    for &state in &class.states {
        let joint = &game.states[state as usize];
        for other in 0..joint.options[1 - player] {
            found = (state, other, joint.after(player, own, other));
            if matches!(found.2, Next::State(_)) {
                return found;
            }
        }
    }
    found
}

/// What follows when both choose; what the player sees of it is put behind what it saw.
fn step(
    game: &OpenLoop,
    machine: &Machine,
    player: usize,
    (state, own, other): (u32, u32, u32),
    seen: &mut Vec<Observation>,
) -> Result<State, PlayError> {
    let mut choices = [other; 2];
    choices[player] = own;
    let actions = (0..2).filter_map(|player| {
        let class = &game.classes[player][class_of(game, player, state)];
        class.actions.get(choices[player] as usize).cloned()
    });
    let actions: Vec<Action> = actions.collect();
    let mut after = game.world(state).clone();
    machine.step_observed(&mut after, &actions, &mut |event| {
        if event.viewers.contains(player) {
            seen.push(Observation::from(&event));
        }
    })?;
    Ok(after)
}
