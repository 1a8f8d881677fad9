//! Who may know what: small games that tell too much, with the report that each gets, and games that do not.

use crate::support::snapshots::snapshots;
use ruse::internal::check::extends::assemble;
use ruse::internal::check::proposals::choose;
use ruse::internal::check::visibility::{Rules, visibility};
use ruse::internal::check::{Settings, check};
use ruse::internal::text::diagnostics::Diagnostic;
use std::path::{Path, PathBuf};

fn problems(path: &Path, text: &str, settings: &Settings) -> Vec<Diagnostic> {
    let name = path.to_string_lossy();
    let (file, mut problems, sources) = assemble(&name, text, &crate::support::beside);
    if let Some(file) = file {
        let (description, more) = check(&file, settings);
        problems.extend(more);
        if let Some(mut d) = description {
            for p in visibility(&mut d, Rules::ALL) {
                if !problems
                    .iter()
                    .any(|q| q.code == p.code && q.span == p.span)
                {
                    problems.push(p);
                }
            }
        }
    }
    problems.sort_by_key(|p| (p.span, p.code));
    choose(&mut problems, &sources, settings, &crate::support::beside);
    problems
}

fn games(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut list: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "game"))
        .collect();
    list.sort();
    list.into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path, text)
        })
        .collect()
}

fn rendered(path: &Path, text: &str, problems: &[Diagnostic]) -> String {
    let name = path.file_name().unwrap().to_string_lossy();
    let list: Vec<String> = problems
        .iter()
        .map(|p| p.render(&name, text, false))
        .collect();
    list.join("\n\n")
}

#[test]
fn leaks_are_found() {
    let settings = snapshots("leaks");
    let mut missed = Vec::new();
    for (path, text) in games("tests/leaks/wrong") {
        let code = text.trim_start_matches("// ").split(':').next().unwrap();
        let found = problems(&path, &text, &Settings::new());
        let report = rendered(&path, &text, &found);
        let errors: Vec<&str> = found
            .iter()
            .filter(|p| p.is_error())
            .map(|p| p.code.0)
            .collect();
        if !errors.contains(&code) || errors.iter().any(|c| !c.starts_with("E04") && *c != code) {
            missed.push(format!("{}: {errors:?}\n{report}", path.display()));
            continue;
        }
        crate::edits::mend(&text, &Settings::new(), &crate::support::beside);
        let name = path.file_stem().unwrap().to_string_lossy();
        let snapshot = format!("{text}\n---\n\n{report}");
        settings.bind(|| insta::assert_snapshot!(name.as_ref(), snapshot));
    }
    assert!(missed.is_empty(), "{}", missed.join("\n\n"));
}

/// The condition of turns is looked at before each of them, so that no step before all of them says it.
#[test]
fn turns_that_go_on_by_a_secret_are_told_to_show_it() {
    let path = Path::new("turns-by-a-hidden-number.game");
    let text = include_str!("../leaks/wrong/turns-by-a-hidden-number.game");
    let told = text.replace("while left > 0", "while reveal(left > 0)");
    for (text, code) in [(text, "E0402"), (&told, "E0407")] {
        let found = problems(path, text, &Settings::new());
        let [problem] = found.as_slice() else {
            panic!("{}", rendered(path, text, &found));
        };
        assert_eq!(problem.code.0, code);
        let hint = problem.hint.as_deref().unwrap_or_default();
        assert!(
            hint.contains("`shown def more: bool = left > 0`, and `while more`"),
            "{hint}"
        );
        crate::edits::mend(text, &Settings::new(), &crate::support::beside);
    }
}

#[test]
fn sound_games_pass() {
    let mut wrong = Vec::new();
    for (path, text) in games("tests/leaks/right") {
        let found = problems(&path, &text, &Settings::new());
        if found.iter().any(Diagnostic::is_error) {
            wrong.push(rendered(&path, &text, &found));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Every combination of these params.
fn combinations(params: &[(&str, &[&str])]) -> Vec<Settings> {
    let mut all = vec![Settings::new()];
    for (name, values) in params {
        all = all
            .iter()
            .flat_map(|settings| {
                values.iter().map(|v| {
                    let mut longer = settings.clone();
                    longer.insert((*name).to_string(), (*v).to_string());
                    longer
                })
            })
            .collect();
    }
    all
}

#[test]
fn shipped_games_pass_under_all_params() {
    let seats: (&str, &[&str]) = ("seats", &["2", "3"]);
    for (path, text) in games("games") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let all = match name.as_str() {
            "goofspiel" => combinations(&[
                seats,
                ("cards", &["1", "4", "13"]),
                ("scoring", &["win_loss", "point_difference"]),
                ("order", &["random", "ascending", "descending"]),
                ("bids", &["open", "hidden"]),
            ]),
            "goofspiel-hidden" => combinations(&[seats, ("bids", &["open", "hidden"])]),
            "scotland-yard" => combinations(&[("seats", &["2", "3", "6"])]),
            "scotland-yard-mini" => combinations(&[("seats", &["2", "3", "4"])]),
            "kuhn-poker" | "matching-pennies" => combinations(&[seats]),
            "liars-dice" => combinations(&[("dice", &["1", "3"]), ("sides", &["2", "6"])]),
            "oshi-zumo" => combinations(&[("coins", &["1", "50"]), ("size", &["1", "3"])]),
            "limit-holdem" => combinations(&[("ranks", &["5", "13"]), ("bets", &["1", "4"])]),
            "resistance" => combinations(&[("seats", &["5", "6", "7", "10"])]),
            "whist" => combinations(&[("ranks", &["1", "13"])]),
            "leduc-poker" => combinations(&[("suits", &["distinct", "merged"])]),
            _ => combinations(&[]),
        };
        for settings in all {
            let found = problems(&path, &text, &settings);
            let errors: Vec<Diagnostic> = found.into_iter().filter(Diagnostic::is_error).collect();
            assert!(
                errors.is_empty(),
                "{name} {settings:?}\n{}",
                rendered(&path, &text, &errors)
            );
        }
    }
}

/// Who sees what in a game, and where somebody is told something.
#[test]
fn tables_and_reveals() {
    let mut report = String::new();
    let mut list = games("games");
    list.extend(games("tests/leaks/right"));
    for (path, text) in list {
        let (file, _, sources) = assemble(&path.to_string_lossy(), &text, &crate::support::beside);
        let (description, _) = check(&file.unwrap(), &Settings::new());
        let d = description.unwrap();
        report.push_str(&format!(
            "{}\n",
            path.file_stem().unwrap().to_string_lossy()
        ));
        for row in ruse::internal::review::who_sees_what(&d, &sources) {
            report.push_str(&format!("  {}: {}\n", row.what, row.seen_by));
        }
        for thing in ruse::internal::check::visibility::hidden(&d, &sources) {
            report.push_str(&format!("  hidden: {} ({})\n", thing.name, thing.seen_by));
        }
        for site in ruse::internal::check::visibility::reveals(&d, &sources) {
            let (file, span) = sources.locate(site.span);
            let text = &sources.files[file].text;
            let line = text[..span.start as usize].lines().count();
            report.push_str(&format!("  line {line}: {}\n", site.text));
        }
    }
    snapshots("check").bind(|| insta::assert_snapshot!("who-sees-what", report));
}

/// Loops in loops and many players take long to walk; the check must come to an answer all the same.
#[test]
fn large_games_get_an_answer() {
    let nested = |head: &str, depth: usize, inner: &str| {
        let open: String = (0..depth)
            .map(|i| head.replace('#', &i.to_string()))
            .collect();
        format!(
            "game Large {{ players {{ A, B, C, D, E, F, G, H }} type Card = 1..4 state {{ card : [p: Player] Card seen by p  open : 0..9 }} play {{ {open} {inner} {} }} payoff general-sum: [p in Player] 0 }}",
            "} ".repeat(depth)
        )
    };
    let games = [
        nested(
            "repeat 2 times { ",
            30,
            "A chooses secretly x in Card open = 1",
        ),
        nested(
            "repeat 2 times { ",
            30,
            "B chooses n in Card if card[A] == 1 { break }",
        ),
        nested("each p# in Player { ", 8, "draw c in Card into card[p0]"),
        nested(
            "if open < 9 { let q# = next(A, open) ",
            12,
            "q0 chooses n in Card into card[q1] card[q2] = card[q3]",
        ),
        nested(
            "turns t# from A at most 9 { ",
            10,
            "t0 chooses secretly x in Card open = 1",
        ),
    ];
    for text in games {
        let start = std::time::Instant::now();
        let found = problems(Path::new("test.game"), &text, &Settings::new());
        let codes: Vec<&str> = found.iter().map(|p| p.code.0).collect();
        let seconds = start.elapsed().as_secs_f64();
        println!("{seconds:.2} s {codes:?}");
        assert!(
            codes
                .iter()
                .all(|c| c.starts_with("E04") || c.starts_with("W")),
            "{codes:?}"
        );
        assert!(seconds < 60.0);
    }
}

/// A game that takes so many steps to check that names are split no longer than they are read, which is one that is refused.
fn long(state: &str, body: &str) -> String {
    let names = ["a", "b", "d", "e", "f", "g", "h", "i", "j"];
    let draws: String = names
        .iter()
        .map(|n| format!("      draw {n} in Player as \"{{{n}}}\"\n"))
        .collect();
    let stores: String = names
        .iter()
        .map(|n| format!("      x[{n}] = 1\n"))
        .collect();
    format!(
        "game Long {{
  players {{ Ann, Ben, Cid, Dot }}
  state {{ {state}  x : [Player] 0..9 }}
  play {{
{body}
    repeat 1 times {{
{draws}{stores}    }}
  }}
  payoff general-sum: [p in Player] 0
}}
"
    )
}

/// What was bound while a name stood for one player after the other is not taken for what it is with the last of them.
#[test]
fn names_that_were_split_leave_nothing_of_one_player_behind() {
    let cards = "card : [p: Player] 1..6 seen by p";
    let dealt = "each s in Player { draw n in 1..6 into card[s] }";
    for body in [
        "draw p in Player as \"{p}\"
         draw c in 1..6 into card[p]
         if c == 6 { Dot chooses secretly n in 1..3 }"
            .to_string(),
        format!(
            "{dealt} draw p in Player as \"{{p}}\" let q = next(p) if card[q] == 6 {{ Ann chooses secretly k in 1..3 }}"
        ),
        format!(
            "{dealt} draw p in Player as \"{{p}}\" p chooses c in 1..card[p] seen by p as \"{{c}}\" if c == 6 {{ Dot chooses secretly k in 1..3 }}"
        ),
    ] {
        let text = long(cards, &body);
        let found = problems(Path::new("long.game"), &text, &Settings::new());
        assert!(
            found.iter().any(|p| p.code.0 == "E0402"),
            "{body}: {found:?}"
        );
    }
}

#[test]
fn many_names_for_many_players_are_no_leak() {
    let text = "game Roles {
  players { Ann, Ben, Cid, Dot, Eve, Fay, Gus, Hal, Ivy }
  enum Role { villager, wolf, seer, doctor }
  state {
    role  : [p: Player] Role  seen by p
    alive : set of Player = all
  }
  play {
    draw w in Player seen by none, s in Player - w seen by none, d in Player - w - s seen by none
    each p in Player {
      role[p] = reveal(if p == w then wolf else if p == s then seer else if p == d then doctor else villager to p)
    }
    repeat 3 times {
      each p in alive where role[p] == wolf { p chooses secretly q in alive as \"mark {q}\" }
      each p in alive where role[p] == seer { p chooses secretly q in alive as \"look at {q}\" }
      let out = reveal(max(p in alive) p)
      alive -= out
      reveal(role[out])
    }
  }
  payoff general-sum: [p in Player] if role[p] == wolf then 1 else 0
}
";
    let found = problems(Path::new("roles.game"), text, &Settings::new());
    assert!(found.iter().all(|p| !p.is_error()), "{found:?}");
}
