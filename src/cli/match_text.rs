//! The result of a match as a table.

use super::output::{plural, table};
use crate::arena::MatchResult;
use crate::arena::report::Results;
use crate::arena::statistics::{Mean, Share, Shares};

/// Everything that `ruse match` prints for people; `timed` says that a player has a budget in milliseconds.
pub fn text(result: &MatchResult, timed: bool) -> String {
    let mut text = heading(result);
    let outcomes = result.seats.values().any(|r| r.outcomes.is_some());
    let mut rows = vec![header("player", outcomes)];
    for player in &result.players {
        let several = player.seats.len() > 1;
        if several {
            rows.push(row(&player.spec, "all", &player.results, outcomes));
        }
        for (seat, results) in &player.seats {
            let spec = if several { "" } else { player.spec.as_str() };
            rows.push(row(spec, seat, results, outcomes));
        }
    }
    text.push('\n');
    text.push_str(&table(&rows, RIGHT));
    // Who plays a seat changes only where a player has several of them: the seats by themselves say more then.
    if result.players.len() > 1 && result.players.iter().any(|p| p.seats.len() > 1) {
        let mut rows = vec![header("", outcomes)];
        for (seat, results) in &result.seats {
            rows.push(row("whoever plays", seat, results, outcomes));
        }
        text.push('\n');
        text.push_str(&table(&rows, RIGHT));
    }
    text.push_str(&blind(result));
    if timed {
        text.push_str("\nA budget in milliseconds: another run gives another result.\n");
    }
    text
}

/// A line for each player that lost track.
fn blind(result: &MatchResult) -> String {
    let players = result.players.iter().filter(|p| p.blind > 0);
    let lines = players.map(|p| {
        let choices = plural(p.blind, "choice");
        let spec = &p.spec;
        format!("\n{spec} had lost track of what it cannot see and made {choices} blindly.\n")
    });
    lines.collect()
}

fn heading(result: &MatchResult) -> String {
    let params = result.params.iter().map(|(k, v)| format!("{k} = {v}"));
    let params = params.collect::<Vec<_>>().join(", ");
    let params = if params.is_empty() {
        params
    } else {
        format!(" ({params})")
    };
    let games = if result.is_complete() {
        plural(result.games, "game")
    } else {
        let games = plural(result.games, "game");
        format!("{} of {games} (stopped)", result.finished)
    };
    let plies = match result.plies.mean {
        Some(mean) => format!(", {mean:.1} plies each"),
        None => String::new(),
    };
    format!(
        "{}{params}\n{games}{plies}, seed {}\n",
        result.game, result.seed
    )
}

/// The columns of numbers.
const RIGHT: &[usize] = &[2, 3, 4, 5, 6, 7, 8];

fn header(first: &str, outcomes: bool) -> Vec<String> {
    let mut cells = vec![first, "seat", "games", "payoff", "95 % interval"];
    if outcomes {
        cells.extend(["wins", "95 % interval", "draws", "losses"]);
    }
    cells.into_iter().map(String::from).collect()
}

fn row(player: &str, seat: &str, results: &Results, outcomes: bool) -> Vec<String> {
    let Mean {
        n, mean, interval, ..
    } = &results.payoff;
    let mut cells = vec![
        player.to_string(),
        seat.to_string(),
        n.to_string(),
        mean.map_or_else(none, payoff),
        // What is so in every game, as a sum of 0 over all seats, is no estimate.
        interval
            .filter(|(a, b)| a < b)
            .map_or_else(none, |(a, b)| format!("{} to {}", payoff(a), payoff(b))),
    ];
    if outcomes {
        cells.extend(match &results.outcomes {
            Some(Shares {
                wins,
                draws,
                losses,
            }) => [
                percent(wins),
                percent_interval(wins),
                percent(draws),
                percent(losses),
            ],
            None => [none(), none(), none(), none()],
        });
    }
    cells
}

/// What stands where there is no number.
pub(super) fn none() -> String {
    "-".to_string()
}

/// A payoff to three digits, never `-0.000`.
pub(super) fn payoff(x: f64) -> String {
    let text = format!("{x:.3}");
    match text.strip_prefix('-') {
        Some(digits) if !digits.contains(|c| matches!(c, '1'..='9')) => digits.to_string(),
        _ => text,
    }
}

pub(super) fn percent(share: &Share) -> String {
    share
        .share
        .map_or_else(none, |x| format!("{:.1} %", 100.0 * x))
}

pub(super) fn percent_interval(share: &Share) -> String {
    share.interval.map_or_else(none, |(a, b)| {
        format!("{:.1} to {:.1} %", 100.0 * a, 100.0 * b)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::report::PlayerResults;
    use crate::arena::statistics::WinDrawLoss;
    use indexmap::IndexMap;

    #[test]
    fn nothing_is_less_than_zero_by_a_rounding() {
        assert_eq!(payoff(-0.0001), "0.000");
        assert_eq!(payoff(-0.0), "0.000");
        assert_eq!(payoff(-0.25), "-0.250");
        assert_eq!(payoff(-10.0), "-10.000");
    }

    fn results(payoffs: &[f64], outcomes: Option<&[WinDrawLoss]>) -> Results {
        Results {
            payoff: Mean::of(payoffs),
            outcomes: outcomes.map(|list| {
                let count = |what| list.iter().filter(|o| **o == what).count() as u64;
                Shares::of_counts(
                    [WinDrawLoss::Win, WinDrawLoss::Draw, WinDrawLoss::Loss].map(count),
                )
            }),
        }
    }

    #[test]
    fn each_player_has_a_row_for_each_seat() {
        use WinDrawLoss::{Loss, Win};
        let ann = results(&[1.0, 1.0, -1.0, 1.0], Some(&[Win, Win, Loss, Win]));
        let ben = results(&[-1.0, -1.0, 1.0, -1.0], Some(&[Loss, Loss, Win, Loss]));
        let player = |spec: &str, seat: &str, results: &Results| PlayerResults {
            spec: spec.to_string(),
            results: results.clone(),
            seats: IndexMap::from([(seat.to_string(), results.clone())]),
            blind: u64::from(spec == "random"),
        };
        let result = MatchResult {
            game: "Coins".to_string(),
            params: IndexMap::from([("coins".to_string(), "3".to_string())]),
            seed: 1,
            games: 5,
            finished: 4,
            players: vec![
                player("uct(playouts=10)", "Ann", &ann),
                player("random", "Ben", &ben),
            ],
            seats: IndexMap::from([("Ann".to_string(), ann), ("Ben".to_string(), ben)]),
            plies: Mean::of(&[3.0, 4.0, 3.0, 4.0]),
        };
        let expected = "\
Coins (coins = 3)
4 of 5 games (stopped), 3.5 plies each, seed 1

player            seat  games  payoff    95 % interval    wins   95 % interval  draws  losses
uct(playouts=10)  Ann       4   0.500  -1.091 to 2.091  75.0 %  30.1 to 95.4 %  0.0 %  25.0 %
random            Ben       4  -0.500  -2.091 to 1.091  25.0 %   4.6 to 69.9 %  0.0 %  75.0 %

random had lost track of what it cannot see and made 1 choice blindly.

A budget in milliseconds: another run gives another result.
";
        assert_eq!(text(&result, true), expected);
    }
}
