//! The documents say what is so: the examples of `docs/language.md` do what the page says, it names every word and every
//! function of the language and the limits as they are, the games in the README are those of the files, and links lead
//! somewhere.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::arena::session::screen;
use ruse::internal::check::boards::SIDES;
use ruse::internal::machine::{Machine, State};
use ruse::internal::model::functions::board::BOARD_FUNCTIONS;
use ruse::internal::model::functions::{Doc, FUNCTIONS};
use ruse::internal::text::explain::PAGES;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// What stands between fences.
struct Fenced {
    /// The first word after the opening fence, and the rest of the line.
    kind: String,
    argument: String,
    text: String,
    /// That of the opening fence, from 1.
    line: usize,
}

fn fenced(page: &str) -> Vec<Fenced> {
    let mut found: Vec<Fenced> = Vec::new();
    let mut open = false;
    for (i, line) in page.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(mark) if !open => {
                let (kind, argument) = mark.split_once(' ').unwrap_or((mark, ""));
                found.push(Fenced {
                    kind: kind.to_string(),
                    argument: argument.to_string(),
                    text: String::new(),
                    line: i + 1,
                });
                open = true;
            }
            Some(_) => open = false,
            None if open => {
                let last = found.last_mut().unwrap();
                last.text.push_str(line);
                last.text.push('\n');
            }
            None => {}
        }
    }
    assert!(!open, "a fence is not closed");
    found
}

/// The page without what stands between fences.
fn prose(page: &str) -> String {
    page.split("```").step_by(2).collect()
}

fn indented(text: &str, by: usize) -> String {
    let lines = text.lines().map(|line| match line {
        "" => "\n".to_string(),
        _ => format!("{}{line}\n", " ".repeat(by)),
    });
    lines.collect()
}

/// A frame with items and statements in their places.
fn place(frame: &str, items: &str, statements: &str) -> String {
    const ITEMS: &str = "  // items\n\n";
    const STATEMENTS: &str = "    // statements\n";
    let items = match items {
        "" => String::new(),
        _ => format!("{}\n", indented(items, 2)),
    };
    assert!(frame.contains(ITEMS));
    frame
        .replace(ITEMS, &items)
        .replace(STATEMENTS, &indented(statements, 4))
}

/// Games by the names of their files, for those that extend them.
type Files = BTreeMap<String, String>;

/// The machine, or the codes and the rendered problems; warnings and notes count as problems.
fn load(text: &str, files: &Files) -> Result<Machine, (BTreeSet<&'static str>, String)> {
    load_but(text, files, &[])
}

/// As `load`, without problems of some codes.
fn load_but(
    text: &str,
    files: &Files,
    passed: &[&str],
) -> Result<Machine, (BTreeSet<&'static str>, String)> {
    let loader = |_: &str, path: &str| match files.get(path) {
        Some(text) => Ok((path.to_string(), text.clone())),
        None => Err(format!("there is no {path}")),
    };
    let (outcome, sources) = ruse::load_with("example", text, &Default::default(), &loader);
    let problems = match outcome {
        Ok((machine, problems)) if problems.iter().all(|p| passed.contains(&p.code.0)) => {
            return Ok(machine);
        }
        Ok((_, problems)) | Err(problems) => problems,
    };
    let shown: Vec<String> = problems
        .iter()
        .map(|d| d.render_in(&sources, false))
        .collect();
    let codes = problems.iter().map(|d| d.code.0).collect();
    Err((codes, shown.join("\n\n")))
}

/// Plays to the end at random, again and again; every end has payoffs.
fn play(machine: &Machine, at: &str) {
    for seed in 0..30 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = machine.initial().unwrap_or_else(|e| panic!("{at}: {e}"));
        while let Some(actions) = crate::support::random_step(machine, &state, &mut random) {
            let done = machine.step(&mut state, &actions);
            done.unwrap_or_else(|e| panic!("{at}: {e}"));
        }
        let paid = machine.payoffs(&state);
        paid.unwrap_or_else(|e| panic!("{at}: {e}"));
    }
}

fn value(machine: &Machine, state: &State, name: &str) -> String {
    let view = machine.whole_view(state);
    let entry = view.entries.iter().find(|e| e.name == name);
    entry.expect("the variable").value.clone()
}

#[test]
fn the_examples_of_the_language_page_do_what_it_says() {
    let page = read("docs/language.md");
    let mut files = Files::new();
    let mut frame = String::new();
    // The whole game right above.
    let mut last = String::new();
    // Those right above.
    let (mut items, mut statements) = (String::new(), String::new());
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for block in fenced(&page) {
        let at = format!("docs/language.md:{}", block.line);
        *counts.entry(block.kind.clone()).or_default() += 1;
        let fine = |text: &str| {
            let machine = load(text, &files);
            machine.unwrap_or_else(|(_, shown)| panic!("{at}\n{shown}"))
        };
        let wrong = |text: &str| {
            let Err((codes, shown)) = load(text, &files) else {
                panic!("{at}: nothing is wrong");
            };
            let expected = BTreeSet::from([block.argument.as_str()]);
            assert_eq!(codes, expected, "{at}\n{shown}");
        };
        let usual = |text: &str| {
            let set = ruse::internal::syntax::format::format(text);
            assert_eq!(set.as_deref(), Ok(text), "{at}: set the usual way");
        };
        match block.kind.as_str() {
            "frame" => frame = block.text,
            "game" => {
                usual(&block.text);
                play(&fine(&block.text), &at);
                last = block.text.clone();
                files.insert(block.argument.clone(), block.text);
            }
            "drawn" => {
                let machine = fine(&last);
                let seats = 0..machine.player_count();
                let seat = seats
                    .into_iter()
                    .find(|p| machine.player_name(*p) == block.argument);
                let state = machine.initial().unwrap();
                let boards = machine.render(&state, Some(seat.expect("a player")));
                let drawn: String = boards.iter().map(screen::rendered).collect();
                assert_eq!(drawn, block.text, "{at}");
            }
            "game-items" => {
                let text = place(&frame, &block.text, "");
                usual(&text);
                play(&fine(&text), &at);
                (items, statements) = (block.text, String::new());
                continue;
            }
            "game-play" => {
                let text = place(&frame, "", &block.text);
                usual(&text);
                play(&fine(&text), &at);
                (items, statements) = (String::new(), block.text);
                continue;
            }
            "game-facts" => {
                let facts: Vec<&str> = block.text.lines().collect();
                let asked = facts.iter().enumerate();
                let asked: String = asked
                    .map(|(i, fact)| format!("asked += 1\nif not ({fact}) {{ failed += {i} }}\n"))
                    .collect();
                let own =
                    "state { failed : set of 0..99  seen by none   asked : 0..99  seen by none }";
                let text = place(
                    &frame,
                    &format!("{items}\n{own}"),
                    &format!("{statements}\n{asked}"),
                );
                // Nobody sees what failed, though everybody may know it (E0416).
                let machine = load_but(&text, &files, &["E0416"]);
                let machine = machine.unwrap_or_else(|(_, shown)| panic!("{at}\n{shown}"));
                let state = machine.initial().unwrap();
                assert_eq!(value(&machine, &state, "failed"), "{}", "{at}: {facts:#?}");
                let count = facts.len().to_string();
                assert_eq!(value(&machine, &state, "asked"), count, "{at}");
            }
            "wrong-items" => wrong(&place(&frame, &block.text, "")),
            "wrong-play" => wrong(&place(&frame, "", &block.text)),
            "wrong-game" => wrong(&block.text),
            other => panic!("{at}: what is `{other}`?"),
        }
        items.clear();
        statements.clear();
    }
    // None of the kinds is missed by a change of the marks.
    for kind in [
        "game",
        "game-items",
        "game-play",
        "game-facts",
        "wrong-play",
    ] {
        assert!(counts.get(kind).is_some_and(|n| *n >= 4), "{counts:?}");
    }
    assert!(counts.contains_key("drawn"), "{counts:?}");
}

/// The examples of the language page that extend nothing and are right, as whole games, each with its place.
pub fn whole_examples() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut frame = String::new();
    let (mut items, mut statements) = (String::new(), String::new());
    for block in fenced(&read("docs/language.md")) {
        let text = match block.kind.as_str() {
            "frame" => {
                frame = block.text;
                items.clear();
                statements.clear();
                continue;
            }
            "game" if !block.text.contains(" extends ") => block.text,
            "game-items" => {
                (items, statements) = (block.text, String::new());
                place(&frame, &items, "")
            }
            "game-play" => {
                (items, statements) = (String::new(), block.text);
                place(&frame, "", &statements)
            }
            "game-facts" => {
                let facts = block.text.lines();
                let facts: String = facts.map(|f| format!("if not ({f}) {{ end }}\n")).collect();
                place(&frame, &items, &format!("{statements}\n{facts}"))
            }
            _ => continue,
        };
        found.push((format!("docs/language.md:{}", block.line), text));
    }
    found
}

/// All code of a page: what is fenced, and what stands between backticks.
fn code(page: &str) -> String {
    let mut code: String = fenced(page).into_iter().map(|b| b.text + "\n").collect();
    for inline in prose(page).split('`').skip(1).step_by(2) {
        code.push_str(inline);
        code.push('\n');
    }
    code
}

#[test]
fn the_language_page_names_every_word() {
    let code = code(&read("docs/language.md"));
    let used: BTreeSet<&str> = code
        .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
        .collect();
    let grammar = read("grammar/game.pest");
    let rules = grammar.lines().map(|l| l.split(" //").next().unwrap());
    let quoted = rules.flat_map(|l| l.split('"').skip(1).step_by(2));
    let words: BTreeSet<&str> = quoted
        .filter(|w| w.len() > 1 && w.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
        .filter(|w| w.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect();
    assert!(words.len() > 90, "{words:?}");
    let missing: Vec<_> = words.difference(&used).collect();
    assert!(missing.is_empty(), "{missing:?} of the grammar");
}

#[test]
fn the_language_page_names_every_function() {
    let page = read("docs/language.md");
    let others = |row: &&str| {
        !["| `reveal(", "| `Board.all`", "| `Board.top`"]
            .iter()
            .any(|r| row.starts_with(r))
    };
    let table = |head: &str| -> BTreeSet<String> {
        let after = page.split(head).nth(1).unwrap();
        let table = after.split("| function |").nth(1).unwrap();
        let rows = table.lines().skip(2).take_while(|l| l.starts_with('|'));
        rows.filter(others).map(String::from).collect()
    };
    let rows = |docs: &[Doc]| docs.iter().map(Doc::to_string).collect::<Vec<_>>();
    let said = FUNCTIONS.iter().flat_map(|f| rows(f.docs())).collect();
    assert_eq!(table("\n### Functions\n"), said);
    let said = BOARD_FUNCTIONS
        .iter()
        .flat_map(|f| rows(f.docs()))
        .collect();
    assert_eq!(table("\n## 3. Boards\n"), said);
    let names = FUNCTIONS.iter().map(|f| (f.name(), f.docs()));
    for (name, docs) in names.chain(BOARD_FUNCTIONS.iter().map(|f| (f.name(), f.docs()))) {
        let named = |d: &Doc| d.form.contains(&format!("{name}("));
        assert!(docs.iter().all(named) && !docs.is_empty(), "{name}");
    }
    assert!(page.contains("`reveal("));
    for side in SIDES {
        assert!(page.contains(&format!("`Board.{side}`")), "{side}");
    }
}

/// The value of a constant in the source, such as `1 << 20` or `60_000`.
fn constant(path: &str, name: &str) -> u64 {
    let source = read(&format!("src/{path}"));
    let declared = source
        .lines()
        .find(|l| l.contains(&format!("const {name}: ")));
    let line = declared.unwrap_or_else(|| panic!("no {name} in {path}"));
    let value = line.split_once("= ").unwrap().1.trim_end_matches(';');
    let number = |text: &str| text.trim().replace('_', "").parse::<u64>().unwrap();
    match value.split_once("<<") {
        Some((a, b)) => number(a) << number(b),
        None => number(value),
    }
}

#[test]
fn the_limits_of_the_language_page_are_those_of_the_source() {
    let page = read("docs/language.md");
    let chapter = page.split("\n## 10. Limits\n").nth(1).unwrap();
    let chapter = chapter.split("\n## ").next().unwrap();
    let mut rows = 0;
    for row in chapter.lines().filter(|l| l.contains(".rs`")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let number: u64 = cells[1].replace(',', "").parse().unwrap();
        let place: Vec<&str> = cells[3].split('`').collect();
        assert_eq!(number, constant(place[1], place[3]), "{row}");
        rows += 1;
    }
    assert!(rows > 15);
    let nest = chapter.lines().find(|l| l.contains("`nest`")).unwrap();
    assert!(nest.contains("| 100 |") && read("grammar/game.pest").contains("PEEK[99..100]"));
}

/// Every Markdown file of the project, by its path from the root.
fn pages() -> Vec<String> {
    let mut found = Vec::new();
    for folder in ["", "docs", "docs/errors"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "md") {
                let path = path.strip_prefix(root()).unwrap();
                found.push(path.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

/// The names that headings have in links.
fn anchors(page: &str) -> BTreeSet<String> {
    let text = prose(page);
    let headings = text.lines().filter(|l| l.starts_with('#'));
    let kept = |c: &char| c.is_alphanumeric() || *c == '-' || *c == '_';
    headings
        .map(|l| l.trim_start_matches('#').trim().to_lowercase())
        .map(|l| l.replace(' ', "-").chars().filter(kept).collect())
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let mut seen = 0;
    for page in pages() {
        let text = read(&page);
        let folder = Path::new(&page).parent().unwrap();
        for link in prose(&text).split("](").skip(1) {
            let target = link.split(')').next().unwrap();
            if target.contains("://") {
                continue;
            }
            seen += 1;
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let to = match path {
                "" => PathBuf::from(&page),
                _ => folder.join(path),
            };
            assert!(root().join(&to).exists(), "{page}: {target}");
            if !anchor.is_empty() {
                let known = anchors(&read(&to.to_string_lossy()));
                assert!(known.contains(anchor), "{page}: {target}\n{known:?}");
            }
        }
    }
    assert!(seen > 10);
}

#[test]
fn codes_that_pages_name_exist() {
    for page in pages() {
        let text = read(&page);
        let words = text.split(|c: char| !c.is_alphanumeric());
        let codes = words.filter(|w| {
            w.len() == 5 && w.starts_with('E') && w[1..].bytes().all(|b| b.is_ascii_digit())
        });
        for code in codes {
            assert!(PAGES.iter().any(|p| p.code == code), "{page}: {code}");
        }
    }
}

/// A `game` in the README is a file, a `game-part` some lines of one.
#[test]
fn the_games_of_the_readme_are_files() {
    let mut seen = 0;
    for block in fenced(&read("README.md")) {
        match block.kind.as_str() {
            "game" => assert_eq!(block.text, read(&block.argument), "{}", block.argument),
            "game-part" => {
                let found = read(&block.argument).contains(&block.text);
                assert!(found, "README.md:{}: {}", block.line, block.argument);
            }
            _ => continue,
        }
        seen += 1;
    }
    assert!(seen >= 3);
}
