//! Between which numbers the payoffs of a player lie, by the rules.

use crate::machine::Machine;
use crate::model::Claim;

/// The least and the greatest mean payoff of these seats, at least one, in a game. They are equal for whoever plays all seats
/// where the sum is constant.
pub fn of_seats(machine: &Machine, seats: &[usize]) -> (f64, f64) {
    let features = machine.features();
    let count = seats.len() as f64;
    if let Claim::ConstantSum { n, den } = features.claim
        && seats.len() == machine.player_count()
    {
        let mean = n as f64 / den as f64 / count;
        return (mean, mean);
    }
    let bounds = seats.iter().map(|&seat| features.payoff_range(seat));
    let (least, greatest) = bounds.fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
    (least / count, greatest / count)
}

/// The bounds of what lies within some or within others.
pub fn joined(some: Option<(f64, f64)>, others: Option<(f64, f64)>) -> Option<(f64, f64)> {
    match (some, others) {
        (Some((a, b)), Some((x, y))) => Some((a.min(x), b.max(y))),
        (one, None) | (None, one) => one,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_the_seats() {
        let game = |payoff: &str| {
            let text = format!(
                "game Any {{ players {{ Ann, Ben }} state {{ won : bool }}
                   play {{ Ann chooses {{ yes => won = true  no }} }} payoff {payoff} }}"
            );
            crate::load(&text, &Default::default()).expect("a game").0
        };
        let zero = game("zero-sum: { Ann: if won then 3 else -1  Ben: if won then -3 else 1 }");
        assert_eq!(of_seats(&zero, &[0]), (-1.0, 3.0));
        assert_eq!(of_seats(&zero, &[1]), (-3.0, 1.0));
        assert_eq!(of_seats(&zero, &[0, 1]), (0.0, 0.0));
        // Nobody can get more than the other can lose.
        let pot = game(
            "zero-sum: { Ann: if won then 1 else -3  Ben: if won then 0 - 1 else if won then 9 else 3 }",
        );
        assert_eq!(pot.features().payoff_bounds[1], (-1.0, 9.0));
        assert_eq!(of_seats(&pot, &[0]), (-3.0, 1.0));
        assert_eq!(of_seats(&pot, &[1]), (-1.0, 3.0));
        let general = game("general-sum: { Ann: if won then 3 else -1  Ben: 5 }");
        assert_eq!(of_seats(&general, &[0, 1]), (2.0, 4.0));
        assert_eq!(joined(None, Some((1.0, 2.0))), Some((1.0, 2.0)));
        assert_eq!(joined(Some((0.0, 1.5)), Some((1.0, 2.0))), Some((0.0, 2.0)));
    }
}
