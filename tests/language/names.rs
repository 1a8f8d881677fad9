//! Where names are given and used: every name of every game is one of the two, renamed games are the same games, and a
//! use that is left out is missed.

use crate::documents::whole_examples;
use crate::support::beside;
use crate::support::mutants::Shipped;
use rayon::prelude::*;
use ruse::Settings;
use ruse::internal::check::calls::function_words;
use ruse::internal::check::extends;
use ruse::internal::model::functions::board::BOARD_FUNCTIONS;
use ruse::internal::syntax::names::{Definition, DefinitionId, Found, NameKind, Names};
use ruse::internal::syntax::recovered;
use ruse::internal::text::sources::Sources;
use ruse::internal::text::span::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            find(&path, found);
        } else if path.extension().is_some_and(|e| e == "game") {
            found.push(path);
        }
    }
}

/// A game and those that it extends, one after the other as their spans are.
struct Game {
    path: String,
    files: usize,
    sources: Sources,
    text: String,
    names: Names,
}

impl Game {
    fn read(path: &str, text: &str) -> Option<Game> {
        let (files, problems, sources) = extends::read(path, text, &beside);
        let files = files.filter(|_| problems.is_empty())?;
        let files: Vec<_> = files.iter().collect();
        let texts: Vec<&str> = sources.files.iter().map(|f| f.text.as_str()).collect();
        Some(Game {
            path: path.to_string(),
            files: files.len(),
            text: texts.join("\n"),
            names: Names::of_files(&files),
            sources,
        })
    }

    fn word(&self, span: Span) -> &str {
        &self.text[span.range()]
    }
}

/// Every game of this repository that can be read, and the examples of the language page.
fn games() -> Vec<Game> {
    let mut paths = Vec::new();
    for folder in ["games", "experiments", "tests", "src"] {
        find(&root().join(folder), &mut paths);
    }
    paths.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).ok()?;
        Game::read(&path.to_string_lossy(), &text)
    };
    let mut games: Vec<Game> = paths.iter().filter_map(read).collect();
    for (place, text) in whole_examples() {
        games.push(Game::read(&place, &text).expect("an example that can be read"));
    }
    assert!(games.len() > 160, "{}", games.len());
    games
}

// ---- every name is there, once ------------------------------------------------------------------

/// The words of the language, from the grammar.
fn words() -> BTreeSet<String> {
    let grammar = std::fs::read_to_string(root().join("grammar/game.pest")).expect("the grammar");
    let grammar = grammar.replace("\\\"", "");
    let quoted = grammar.split('"').skip(1).step_by(2);
    let words = quoted.flat_map(|w| w.split('-'));
    let plain = |w: &&str| !w.is_empty() && w.chars().all(|c| c.is_ascii_alphabetic());
    words.filter(plain).map(str::to_string).collect()
}

/// What the language calls by a name that a game might have given.
fn given() -> BTreeSet<String> {
    let functions = function_words().chain(BOARD_FUNCTIONS.iter().map(|f| f.name()));
    let others = [
        "Player",
        "me",
        "top",
        "bottom",
        "left",
        "right",
        "node",
        "cell",
        "label",
        "direction",
        "north",
        "northeast",
        "east",
        "southeast",
        "south",
        "southwest",
        "west",
        "northwest",
        "bool",
        "number",
        "all",
    ];
    functions.chain(others).map(str::to_string).collect()
}

fn is_cell(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
    digits.len() < word.len() && !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

/// The words of a text, and of the holes of its texts.
fn tokens(text: &str) -> Vec<Span> {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut at = 0;
    // Whether a text with holes may come, and how many of its holes are open.
    let (mut holes, mut quoted, mut open) = (false, false, 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let mut length = c.len_utf8();
        if quoted && open == 0 {
            match c {
                '"' => quoted = false,
                '{' if holes && rest.starts_with("{{") => length = 2,
                '{' if holes => open = 1,
                _ => {}
            }
        } else if rest.starts_with("//") {
            length = rest.find('\n').unwrap_or(rest.len());
        } else if c == '"' {
            quoted = true;
            let before = text[..at].trim_end();
            // What a move is called may hang on a condition.
            let openers = ["=>", " as", "\nas", " then", " else"];
            holes = openers.iter().any(|word| before.ends_with(word));
        } else if letter(c) {
            length = rest.find(|c| !letter(c)).unwrap_or(rest.len());
            if !c.is_numeric() {
                found.push(Span::new(at, at + length));
            }
        } else if open > 0 {
            open += usize::from(c == '{');
            open -= usize::from(c == '}');
        }
        at += length;
    }
    found
}

#[test]
fn every_name_is_given_or_used_once() {
    let (words, given) = (words(), given());
    let mut missing = BTreeSet::new();
    let (mut uses, mut kinds) = (0, BTreeMap::new());
    for game in games() {
        let names = &game.names;
        let definitions = names.definitions().iter().map(|d| (d.span, &d.name));
        let used = names.uses().iter().map(|u| (u.span, &u.name));
        let mut places = BTreeMap::new();
        for (span, name) in definitions.chain(used) {
            assert_eq!(game.word(span), name, "{}", game.path);
            let twice = places.insert(span, name);
            assert!(twice.is_none(), "{}: {name} at {span:?} twice", game.path);
        }
        for span in tokens(&game.text) {
            let word = game.word(span);
            if places.remove(&span).is_none() && !words.contains(word) && !given.contains(word) {
                missing.insert(format!("{}: {word} at {span:?}", game.path));
            }
        }
        // Only the names in pictures stand in no hole.
        for (span, name) in places {
            let line = &game.text[..span.start as usize];
            let line = &line[line.rfind('\n').unwrap_or(0)..];
            assert!(line.contains('"'), "{}: {name} at {span:?}", game.path);
        }
        for used in names.uses() {
            uses += 1;
            let known = given.contains(&used.name) || is_cell(&used.name);
            let wrong = ["/wrong/", "broken", "every-construct"]
                .iter()
                .any(|w| game.path.contains(w));
            if used.definitions.is_empty() && !known && !wrong {
                missing.insert(format!("{}: what is {}?", game.path, used.name));
            }
        }
        for definition in names.definitions() {
            *kinds.entry(definition.kind.noun()).or_insert(0) += 1;
            let Definition {
                span, whole, scope, ..
            } = definition;
            assert!(
                whole.contains(*span) && scope.contains(*span),
                "{definition:?}"
            );
        }
        for (id, _) in names.definitions().iter().enumerate() {
            let id = DefinitionId(id);
            for used in names.uses_of(id) {
                let scope = names.definition(id).scope;
                let outside = game.files == 1 && !scope.contains(used.span);
                // Knowledge asks about what is chosen elsewhere.
                let chosen = names.definition(id).kind == NameKind::Chosen;
                assert!(!outside || chosen, "{}: {used:?} {scope:?}", game.path);
            }
        }
    }
    println!("{uses} uses; {kinds:?}");
    let missing: Vec<_> = missing.into_iter().collect();
    assert!(
        missing.is_empty(),
        "{}\n{}",
        missing.len(),
        missing.join("\n")
    );
    assert!(uses > 4000 && kinds.len() == 25, "{uses} {kinds:?}");
}

// ---- renaming -----------------------------------------------------------------------------------

/// What the compiler says of a game whose places have another name: the program and the warnings, or the codes of the
/// problems. The other name is read as the old one.
fn said(game: &Game, places: &[Span], fresh: &str, old: &str) -> Result<String, String> {
    let mut texts = BTreeMap::new();
    for file in &game.sources.files {
        let start = file.start as usize;
        let all = start..=start + file.text.len();
        let own = places.iter().filter(|p| all.contains(&(p.start as usize)));
        let own = own.map(|p| p.start as usize - start..p.end as usize - start);
        texts.insert(file.name.as_str(), replaced(&file.text, own, fresh));
    }
    let loader = |from: &str, path: &str| {
        let (name, _) = beside(from, path)?;
        let text = texts.get(name.as_str()).cloned();
        text.map(|text| (name, text)).ok_or_else(String::new)
    };
    let text = &texts[game.path.as_str()];
    let (outcome, _) = ruse::load_with(&game.path, text, &Settings::new(), &loader);
    let back = |text: &str| match fresh {
        "" => text.to_string(),
        _ => text.replace(fresh, old),
    };
    match outcome {
        Ok((machine, notes)) => {
            let notes: Vec<String> = notes.iter().map(|d| back(&d.message)).collect();
            let program = back(&machine.program().to_string());
            // Columns hang on the lengths of the names.
            let program: Vec<&str> = program.split_whitespace().collect();
            Ok(format!("{notes:?} {}", program.join(" ")))
        }
        Err(problems) => {
            let codes: Vec<_> = problems.iter().map(|d| d.code.0).collect();
            Err(codes.join(" "))
        }
    }
}

fn replaced(
    text: &str,
    places: impl Iterator<Item = std::ops::Range<usize>>,
    name: &str,
) -> String {
    let mut made = String::with_capacity(text.len());
    let mut at = 0;
    for place in places {
        made.push_str(&text[at..place.start]);
        made.push_str(name);
        at = place.end;
    }
    made.push_str(&text[at..]);
    made
}

/// A name that nothing has, of another length; of the same one where a picture has a place for it.
fn fresh(game: &Game, places: &[Span], old: &str) -> String {
    let drawn = |p: &Span| {
        let before = &game.text[..p.start as usize];
        let line = &before[before.rfind('\n').unwrap_or(0)..];
        let others = ["as \"", "then \"", "else \"", "=>"];
        line.matches('"').count() == 1 && !others.iter().any(|other| line.contains(other))
    };
    // Marks have at most 8 letters.
    let length = match (places.iter().any(drawn), old.len()) {
        (true, length) => length,
        (false, 7) => 8,
        (false, _) => 7,
    };
    "q".repeat(length)
}

/// The definitions of all games, one for each group that has one name.
fn groups(games: &[Game]) -> Vec<(&Game, DefinitionId)> {
    let all = games.iter().flat_map(|game| {
        let ids = (0..game.names.definitions().len()).map(DefinitionId);
        ids.filter(|id| game.names.alike(*id).next() == Some(*id))
            .map(move |id| (game, id))
    });
    all.collect()
}

#[test]
fn a_renamed_game_is_the_same_game() {
    let mut games = games();
    // Not a game, but everything that one may be written with.
    games.retain(|g| !g.path.ends_with("every-construct.game"));
    assert!(games.iter().any(|g| g.files > 1), "no variant");
    let before: Vec<_> = games.par_iter().map(|g| said(g, &[], "", "")).collect();
    let before: BTreeMap<&str, _> = games.iter().map(|g| g.path.as_str()).zip(before).collect();
    let groups = groups(&games);
    let wrong: Vec<String> = groups
        .par_iter()
        .filter_map(|(game, id)| {
            let definition = game.names.definition(*id);
            let places = game.names.places(*id);
            let fresh = fresh(game, &places, &definition.name);
            let after = said(game, &places, &fresh, &definition.name);
            let before = &before[game.path.as_str()];
            (*before != after).then(|| {
                format!(
                    "{}: {} {:?}\n  {after:?}",
                    game.path,
                    definition.kind.noun(),
                    definition
                )
            })
        })
        .collect();
    println!("{} games, {} names", games.len(), groups.len());
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        groups.len(),
        wrong.join("\n")
    );
}

#[test]
fn a_use_that_keeps_the_old_name_is_missed() {
    let games = games();
    let mut tried = Vec::new();
    // Nobody reads what a variant replaces, so a name there is not missed.
    for game in games.iter().filter(|game| game.files == 1) {
        let used = groups(std::slice::from_ref(game))
            .into_iter()
            .map(|(_, id)| id);
        let used: Vec<_> = used
            .filter(|id| game.names.uses_of(*id).next().is_some())
            .collect();
        // Some of them, from all over the file.
        for id in used.iter().step_by(used.len().div_ceil(5).max(1)) {
            tried.push((game, *id));
        }
    }
    let kept: Vec<String> = tried
        .par_iter()
        .enumerate()
        .filter_map(|(i, (game, id))| {
            let definition = game.names.definition(*id);
            let mut places = game.names.places(*id);
            // A label that no enum has is a value of its own.
            let label = |p: &Span| game.text[..p.start as usize].ends_with("edges ");
            let uses = game.names.uses_of(*id).map(|u| u.span);
            let uses: Vec<Span> = uses.filter(|p| !label(p)).collect();
            if uses.is_empty() {
                return None;
            }
            let out = uses[i % uses.len()];
            let fresh = fresh(game, &places, &definition.name);
            places.retain(|p| *p != out);
            let before = said(game, &[], "", "");
            let after = said(game, &places, &fresh, &definition.name);
            (before == after && before.is_ok())
                .then(|| format!("{}: {out:?} {definition:?}", game.path))
        })
        .collect();
    println!("{} tried", tried.len());
    assert!(tried.len() > 300);
    assert!(
        kept.is_empty(),
        "{} of {}:\n{}",
        kept.len(),
        tried.len(),
        kept.join("\n")
    );
}

// ---- broken texts -------------------------------------------------------------------------------

/// Whatever the text, names are where they are said to be.
fn sound(text: &str) -> Names {
    let names = recovered(text)
        .map(|file| Names::of(&file))
        .unwrap_or_default();
    for definition in names.definitions() {
        assert_eq!(
            text.get(definition.span.range()),
            Some(definition.name.as_str())
        );
    }
    for used in names.uses() {
        assert_eq!(text.get(used.span.range()), Some(used.name.as_str()));
    }
    names
}

#[test]
fn damaged_games_have_the_names_that_can_be_read() {
    let shipped = Shipped::new();
    let found: usize = (0..2000u64)
        .into_par_iter()
        .map(|number| {
            let (text, ..) = shipped.mutant(number);
            usize::from(!sound(&text).definitions().is_empty())
        })
        .sum();
    assert!(found > 1800, "{found}");
}

#[test]
fn what_stands_before_the_break_is_found() {
    let (mut all, mut kept) = (0, 0);
    for game in games().iter().filter(|g| g.files == 1) {
        let text = game.text.as_str();
        for cut in (1..20).map(|i| text.len() * i / 20) {
            let cut = (cut..).find(|c| text.is_char_boundary(*c)).expect("an end");
            let broken = sound(&text[..cut]);
            // Where the last item ends that is whole.
            let item = |kind: NameKind| {
                use NameKind as K;
                matches!(
                    kind,
                    K::Param
                        | K::Team
                        | K::Type
                        | K::Enum
                        | K::Constant
                        | K::Board
                        | K::Variable
                        | K::Note
                        | K::Def
                        | K::Rule
                )
            };
            let definitions = game.names.definitions().iter();
            let whole = definitions.filter(|d| d.whole.end as usize <= cut && item(d.kind));
            let end = whole.map(|d| d.whole.end).max().unwrap_or(0);
            for definition in game.names.definitions() {
                if definition.span.end > end || definition.kind == NameKind::Game {
                    continue;
                }
                let found = broken.at(definition.span.start);
                let Some(Found::Definition(id)) = found else {
                    panic!("{} up to {cut}: {definition:?}", game.path);
                };
                assert_eq!(broken.definition(id).kind, definition.kind);
            }
            for used in game
                .names
                .uses()
                .iter()
                .filter(|u| u.span.end as usize <= cut)
            {
                let there = |d: &DefinitionId| game.names.definition(*d).whole.end <= end;
                if !used.definitions.iter().any(there) {
                    continue;
                }
                all += 1;
                let found = match broken.at(used.span.start) {
                    Some(Found::Use(found)) => !found.definitions.is_empty(),
                    _ => false,
                };
                kept += usize::from(found);
                assert!(
                    found || used.span.end > end,
                    "{} up to {cut}: {used:?}",
                    game.path
                );
            }
        }
    }
    println!("{kept} of {all} uses");
    assert!(kept * 100 > all * 95, "{kept} of {all}");
}
