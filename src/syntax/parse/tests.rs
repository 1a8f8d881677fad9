//! Whole texts: the shipped games, trees of small pieces, broken texts and hostile ones.

use crate::syntax::parse;

fn games() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/games");
    let mut games = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "game") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            games.push((name, std::fs::read_to_string(path).unwrap()));
        }
    }
    games.sort();
    games
}

#[test]
fn shipped_games_have_no_problems() {
    let games = games();
    assert!(games.len() >= 6);
    for (name, text) in games {
        let (file, problems) = parse(&text);
        let report: String = problems
            .iter()
            .map(|p| p.render(&name, &text, false))
            .collect();
        assert!(problems.is_empty(), "{report}");
        assert!(file.is_some());
    }
}

/// The time that any text may take.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);

#[test]
fn every_beginning_of_a_game_is_answered() {
    for (_, text) in games() {
        for end in (0..text.len()).filter(|&n| text.is_char_boundary(n)) {
            let (file, problems) = parse(&text[..end]);
            assert!(file.is_some() || !problems.is_empty());
        }
    }
}

#[test]
fn mutilated_games_are_answered() {
    let games = games();
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below.max(1) as u64) as usize
    };
    let words = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "\"",
        "if",
        "else",
        "=>",
        "..",
        ",",
        "not",
        "é",
        "-",
        "let",
        "match",
        "in",
        "chooses",
        "//",
        "=",
        "12345678901234567890",
        " ",
        "\n",
    ];
    for round in 0..2000 {
        let mut letters: Vec<char> = games[round % games.len()].1.chars().collect();
        for _ in 0..1 + random(3) {
            let at = random(letters.len());
            let end = (at + random(12)).min(letters.len());
            match random(3) {
                0 => drop(letters.drain(at..end)),
                1 => {
                    let word = words[random(words.len())];
                    letters.splice(at..at, word.chars());
                }
                _ => {
                    let piece: Vec<char> = letters[at..end].to_vec();
                    let to = random(letters.len());
                    letters.splice(to..to, piece);
                }
            }
        }
        let text: String = letters.into_iter().collect();
        let (file, problems) = parse(&text);
        assert!(file.is_some() || !problems.is_empty());
        for problem in problems {
            problem.render("x.game", &text, false);
        }
    }
}

/// A megabyte of `piece`, within `head` and `tail`.
fn filled(head: &str, piece: &str, tail: &str) -> String {
    let room = crate::syntax::MAX_BYTES - head.len() - tail.len();
    format!("{head}{}{tail}", piece.repeat(room / piece.len()))
}

#[test]
fn garbage_is_answered_soon() {
    let pieces = [
        "(",
        "{",
        "[",
        "}",
        "\"",
        "if ",
        "a ",
        "not ",
        "- ",
        "else ",
        "=> ",
        "a = ",
        "1+",
        "let a = 1; ",
        "a.b",
        "some x in S: ",
        "[p in S] ",
        "sum(x in S) ",
        "if a then ",
        "set of ",
        "a\n",
        "match ",
        "é ",
        "p chooses x in S => ",
        "if a {} else ",
        "x in ",
        "{}",
        "a(1) ",
        "a[1]",
        "//\n",
        "\"{a}\"",
        "f(a: 1)",
    ];
    let frames = [
        ("", ""),
        ("game G { ", " }"),
        ("game G { play { ", " } }"),
        ("game G { def d = ", " }"),
        ("game G { state { a : ", " } }"),
        ("game G { play { x = ", " } }"),
        ("game G { play { match x { ", " } } }"),
        ("game G { play { p chooses { ", " } } }"),
        ("game G { play { p chooses c in S as \"", "\" } }"),
    ];
    let mut slow = Vec::new();
    for piece in pieces {
        for (head, tail) in frames {
            let text = filled(head, piece, tail);
            let begin = std::time::Instant::now();
            let (file, problems) = parse(&text);
            let spent = begin.elapsed();
            if spent > PATIENCE {
                slow.push(format!("{head}{piece}…: {spent:?}"));
            }
            assert!(file.is_some() || !problems.is_empty());
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}
