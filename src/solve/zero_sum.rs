//! Which games the methods for zero-sum games take: two players, and payoffs that add up to the same number at every end.
//! What players do not see, chance and simultaneous moves are all fine.

use super::codes;
use crate::machine::Machine;
use crate::model::Claim;
use crate::text::diagnostics::Diagnostic;

/// What helps with two players whose payoffs have no constant sum.
pub const OR_A_COMMITMENT: &str = "if the sum is the same at every end, claim `zero-sum` or `constant-sum`; else `ruse solve --leader NAME` finds what to commit to, and `ruse exploitability` and `ruse best-response` look at strategies";

/// What to do where there are not two players but so many.
pub fn other_players(players: usize) -> &'static str {
    match players {
        1 => {
            "what one player can get at the most, `ruse solve` finds by `backward` where nothing is hidden, and `ruse best-response` elsewhere"
        }
        _ => "look whether a param sets the number of players",
    }
}

/// Whether a method, by its name for users, takes a game.
///
/// # Errors
/// With the place of the game that says otherwise.
pub fn suited(machine: &Machine, method: &str) -> Result<(), Box<Diagnostic>> {
    let description = machine.description();
    let refuse = |why: String, label: &str, hint: &str| {
        let message = format!("`{method}` cannot solve {}: {why}", description.name);
        let problem = Diagnostic::error(codes::UNSUITED, description.payoff.span, message);
        Err(Box::new(problem.label(label).hint(hint)))
    };
    let players = description.player_count();
    if players != 2 {
        return refuse(
            format!("it needs two players, and there are {players}"),
            "one payoff each",
            other_players(players),
        );
    }
    if description.payoff.claim == Claim::GeneralSum {
        return refuse(
            "it needs payoffs with a constant sum".to_string(),
            "their sum may vary",
            OR_A_COMMITMENT,
        );
    }
    if description.payoff.sides.len() != 2 {
        return refuse(
            "both players are in one team".to_string(),
            "nobody plays against it",
            "leave the team out",
        );
    }
    Ok(())
}

/// What the payoffs add up to at every end, in units of payoff, of a game that is [`suited`].
pub fn constant_sum(machine: &Machine) -> f64 {
    match machine.description().payoff.claim {
        Claim::ConstantSum { n, den } => n as f64 / den as f64,
        Claim::GeneralSum => 0.0,
    }
}
