//! Whether a game is of the class that backward induction solves.

use crate::machine::Machine;
use crate::model::Claim;
use crate::solve::codes;
use crate::solve::zero_sum::other_players;
use crate::text::diagnostics::Diagnostic;

/// Whether a game has one player, or two with opposed payoffs, and no hidden information; simultaneous moves and chance are fine.
///
/// # Errors
/// With the place of the game that says otherwise.
pub fn suited(machine: &Machine) -> Result<(), Box<Diagnostic>> {
    let d = machine.description();
    let refuse = |span, why: String, label: &str, hint: &str| {
        let message = format!("backward induction cannot solve {}: {why}", d.name);
        let problem = Diagnostic::error(codes::UNSUITED, span, message);
        Err(Box::new(problem.label(label).hint(hint)))
    };
    let players = d.player_count();
    if players > 2 {
        return refuse(
            d.payoff.span,
            format!("it needs two players, and there are {players}"),
            "one payoff each",
            other_players(players),
        );
    }
    if players == 2 && d.payoff.claim == Claim::GeneralSum {
        return refuse(
            d.payoff.span,
            "it needs payoffs with a constant sum".to_string(),
            "their sum may vary",
            crate::solve::zero_sum::OR_A_COMMITMENT,
        );
    }
    if d.payoff.sides.len() != players {
        return refuse(
            d.payoff.span,
            "both players are in one team".to_string(),
            "nobody plays against it",
            "leave the team out",
        );
    }
    match machine.features().hidden.first() {
        None => Ok(()),
        Some(hidden) => refuse(
            hidden.span,
            format!("it needs everything to be seen, and {}", hidden.reason),
            "not seen by everyone",
            "what players choose at the same time may be seen by all, right after; `together` does that",
        ),
    }
}
