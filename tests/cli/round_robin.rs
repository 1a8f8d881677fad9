//! `ruse match --round-robin` and what `--verbose` tells.

use crate::support::command::ruse;
use serde_json::Value;

const PLAYERS: &str = "random,uct(playouts=2),uct(playouts=200)";

/// What a command prints, on standard output and on standard error.
fn ran(arguments: &[&str]) -> (String, String) {
    let output = ruse(arguments).output().unwrap();
    let [out, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(0), "{errors}");
    (out, errors)
}

fn round_robin(more: &[&str]) -> String {
    let given = [
        "match",
        "tic-tac-toe",
        "--round-robin",
        "-n",
        "40",
        "--players",
        PLAYERS,
    ];
    ran(&[&given, more].concat()).0
}

/// Ratings by fixed points of the model's equations, a way of their own (Zermelo 1929): the wins that a player has are those
/// that its strength lets expect, one of them and one loss against somebody at the mean.
fn strengths(games: &[(usize, usize, f64, f64)], players: usize) -> Vec<f64> {
    let mut strength = vec![1.0f64; players];
    for _ in 0..20_000 {
        let before = strength.clone();
        for (i, own) in strength.iter_mut().enumerate() {
            let (mut won, mut met) = (1.0, 2.0 / (before[i] + 1.0));
            for &(a, b, n, share) in games {
                if a == i || b == i {
                    won += if a == i { share } else { n - share };
                    met += n / (before[a] + before[b]);
                }
            }
            *own = won / met;
        }
    }
    let points: Vec<f64> = strength.iter().map(|s| 400.0 * s.log10()).collect();
    let mean = points.iter().sum::<f64>() / points.len() as f64;
    points.iter().map(|p| p - mean).collect()
}

#[test]
fn ratings_are_those_of_all_games_and_each_pairing_can_be_had_alone() {
    let report: Value = serde_json::from_str(&round_robin(&["--json"])).unwrap();
    assert_eq!(
        (&report["games"], &report["finished"]),
        (&40.into(), &120.into())
    );
    let count = |value: &Value, of: &str| value[of]["count"].as_f64().unwrap();
    let names: Vec<&str> = vec!["random", "uct(playouts=2)", "uct(playouts=200)"];
    let place = |name: &Value| names.iter().position(|n| name == n).unwrap();
    let pairings = report["pairings"].as_array().unwrap();
    let games: Vec<(usize, usize, f64, f64)> = pairings
        .iter()
        .map(|p| {
            let share = count(p, "wins") + count(p, "draws") / 2.0;
            (
                place(&p["players"][0]),
                place(&p["players"][1]),
                40.0,
                share,
            )
        })
        .collect();
    assert_eq!(games.len(), 3);
    let expected = strengths(&games, 3);
    let players = report["players"].as_array().unwrap();
    let mut last = f64::INFINITY;
    for player in players {
        let rating = player["rating"].as_f64().unwrap();
        assert!(
            (rating - expected[place(&player["spec"])]).abs() < 0.01,
            "{player}"
        );
        let [low, high] = [0, 1].map(|i| player["interval"][i].as_f64().unwrap());
        assert!(low < rating && rating < high && rating <= last);
        assert_eq!(player["games"], 80);
        last = rating;
    }
    assert_eq!(players[0]["spec"], "uct(playouts=200)");
    // A pairing is a match with its seed.
    let pairing = &pairings[1];
    let both = format!(
        "{},{}",
        pairing["players"][0].as_str().unwrap(),
        pairing["players"][1].as_str().unwrap()
    );
    let seed = pairing["seed"].to_string();
    let alone = ran(&[
        "match",
        "tic-tac-toe",
        "-n",
        "40",
        "--players",
        &both,
        "--seed",
        &seed,
        "--json",
    ])
    .0;
    let alone: Value = serde_json::from_str(&alone).unwrap();
    assert_eq!(
        alone["players"][0]["outcomes"]["wins"]["count"],
        pairing["wins"]["count"]
    );
    assert_eq!(
        alone["players"][0]["outcomes"]["draws"]["count"],
        pairing["draws"]["count"]
    );
}

#[test]
fn a_round_robin_is_the_same_on_any_number_of_threads() {
    let one = round_robin(&["-j", "1"]);
    assert_eq!(one, round_robin(&["-j", "3"]));
    assert!(
        one.starts_with("TicTacToe\n40 games in each of 3 pairings, seed 1\n\nplayer"),
        "{one}"
    );
}

#[test]
fn a_round_robin_that_cannot_be_is_refused() {
    for (game, players, code, told) in [
        ("tic-tac-toe", "random", 2, "2 to 64 players"),
        ("tic-tac-toe", "random,random", 2, "`random` is named twice"),
        ("tic-tac-toe", "random,utc", 2, "utc"),
        ("whist", "random,uct", 1, "a game for two"),
        ("sealed-bid", "random,ismcts", 1, "add up to a constant"),
    ] {
        let output = ruse(&["match", game, "--round-robin", "--players", players])
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{errors}");
        assert!(errors.contains(told), "{errors}");
    }
}

/// Details go to standard error, and what is printed stays what it was.
#[test]
fn details_are_told_when_they_are_asked_for() {
    let given = [
        "match",
        "tic-tac-toe",
        "-n",
        "4",
        "--players",
        "uct(playouts=20),random",
    ];
    let plain = ran(&given);
    let told = ran(&[&given[..], &["-v"]].concat());
    assert_eq!(plain.0, told.0);
    assert_eq!(plain.1, "");
    for part in [
        "tic-tac-toe.game: read in ",
        " ms, checked in ",
        " ms, compiled in ",
        "player uct: playouts=20 [",
        "player random\n",
        "played 4 games in ",
        " plies a second, by ",
        "uct(playouts=20) thought for ",
        " ms about each of ",
    ] {
        assert!(told.1.contains(part), "{part} in {}", told.1);
    }
    let (_, told) = ran(&[
        "analyse",
        "tic-tac-toe",
        "--player",
        "uct(playouts=50)",
        "--verbose",
    ]);
    assert!(
        told.contains("50 playouts, ") && told.contains(" a second"),
        "{told}"
    );
    let (_, told) = ran(&[&given[..], &["-v", "--round-robin"]].concat());
    assert!(
        told.contains("played 4 games in ") && told.contains(" plies a second, by "),
        "{told}"
    );
    assert!(told.contains("uct(playouts=20) thought for "), "{told}");
    let (_, told) = ran(&[
        "match",
        "kuhn-poker",
        "-n",
        "1",
        "--players",
        "ismcts",
        "-v",
    ]);
    assert!(told.contains(" ms of it for its belief"), "{told}");
    let both = ruse(&["games", "-q", "-v"]).output().unwrap();
    assert_eq!(both.status.code(), Some(2));
}
