//! Variants of sound games that lost one word about who sees what: `seen by …`, the `to …` of a reveal or of a shown def,
//! `secretly`. Each is refused, or noted, or else the table of who sees what is another one.

use crate::table::around;
use ruse::internal::check::extends::assemble;
use ruse::internal::check::{Settings, check};
use ruse::internal::review::{columns, who_sees_what};
use ruse::internal::syntax::ast::{self, ExprKind, Item, StmtKind};
use ruse::internal::syntax::parse;
use ruse::internal::syntax::visit::{NameKind, Visitor};
use std::collections::BTreeMap;

/// The words that may be lost.
const WORDS: [&str; 3] = ["seen by", "to", "secretly"];

/// Where words stand in a text that somebody may lose: which word, from where to where.
struct Words<'t> {
    text: &'t str,
    found: Vec<(&'static str, usize, usize)>,
}

impl Words<'_> {
    /// A word with what follows it, up to the end of an expression.
    fn clause(&mut self, word: &'static str, e: &ast::Expr) {
        let range = e.span.range();
        let from = self.text[..range.start].rfind(word).expect("the word");
        self.found.push((word, from, range.end));
    }

    fn alone(&mut self, from: usize) {
        let word = WORDS[2];
        let from = from + self.text[from..].find(word).expect("the word");
        self.found.push((word, from, from + word.len()));
    }
}

impl<'a> Visitor<'a> for Words<'_> {
    fn item(&mut self, item: &'a Item) {
        match item {
            Item::State(state) => {
                for seen in state.vars.iter().filter_map(|v| v.seen.as_ref()) {
                    self.clause(WORDS[0], seen);
                }
            }
            Item::Note(var) => var.seen.iter().for_each(|e| self.clause(WORDS[0], e)),
            Item::Def(def) => {
                let shown = def.shown.iter().filter_map(|s| s.to.as_ref());
                shown.for_each(|e| self.clause(WORDS[1], e));
            }
            _ => {}
        }
        item.walk(self);
    }

    fn expr(&mut self, e: &'a ast::Expr) {
        if let ExprKind::Reveal { to: Some(to), .. } = &e.kind {
            self.clause(WORDS[1], to);
        }
        e.walk(self);
    }

    fn stmt(&mut self, stmt: &'a ast::Stmt) {
        if let StmtKind::Choice(choice) = &stmt.kind
            && choice.secretly
        {
            self.alone(choice.chooser.span.range().end);
        }
        stmt.walk(self);
    }

    fn part(&mut self, part: &'a ast::Part, kind: NameKind) {
        if part.secretly {
            self.alone(part.span.range().start);
        }
        part.seen.iter().for_each(|e| self.clause(WORDS[0], e));
        part.walk(self, kind);
    }
}

/// What is said of a game: the codes of its errors and of its notes, with the reports, and who sees what.
struct Said {
    errors: Vec<&'static str>,
    notes: Vec<&'static str>,
    reports: String,
    table: String,
}

fn said(name: &str, text: &str, settings: &Settings) -> Said {
    let (file, mut problems, sources) = assemble(name, text, &crate::support::beside);
    let mut table = String::new();
    if let Some(file) = file {
        let (description, more) = check(&file, settings);
        problems.extend(more);
        if let Some(d) = description {
            table = columns(&who_sees_what(&d, &sources), 2);
        }
    }
    let codes = |error: bool| {
        let some = problems.iter().filter(|p| p.is_error() == error);
        some.map(|p| p.code.0).collect()
    };
    let rendered = problems.iter().map(|p| p.render_in(&sources, false) + "\n");
    Said {
        errors: codes(true),
        notes: codes(false),
        reports: rendered.collect(),
        table,
    }
}

/// The program of a game that is fine.
fn program(name: &str, text: &str, settings: &Settings) -> String {
    let (machine, _) = ruse::load_with(name, text, settings, &crate::support::beside);
    machine.expect("a game").0.program().to_string()
}

/// The texts that lost one word, with the word and its line.
fn variants(text: &str) -> Vec<(&'static str, usize, String)> {
    let (file, _) = parse(text);
    let mut words = Words {
        text,
        found: Vec::new(),
    };
    let file = file.expect("a tree");
    file.items.iter().for_each(|item| words.item(item));
    let mut found = words.found;
    found.sort_by_key(|(_, from, _)| *from);
    found.dedup();
    let cut = |(word, from, to): (&'static str, usize, usize)| {
        let line = text[..from].matches('\n').count() + 1;
        (word, line, format!("{}{}", &text[..from], &text[to..]))
    };
    found.into_iter().map(cut).collect()
}

/// A game with the settings under which it is looked at.
struct Sound {
    name: String,
    text: String,
    settings: Vec<Settings>,
}

fn files(folder: &str) -> Vec<Sound> {
    let folder = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut games: Vec<Sound> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "game"))
        .map(|path| Sound {
            name: path.display().to_string(),
            text: std::fs::read_to_string(&path).expect("a game"),
            settings: vec![Settings::new()],
        })
        .collect();
    games.sort_by(|a, b| a.name.cmp(&b.name));
    games
}

/// Sound games: shipped ones, under several settings; examples of the documents; small programs, and games from rule
/// books.
fn sound_games() -> [(&'static str, Vec<Sound>); 3] {
    let mut shipped = files("games");
    for game in &mut shipped {
        for (name, set) in crate::support::variants() {
            if game.name.ends_with(&format!("/{name}.game")) {
                let set = set.iter().map(|(k, v)| (k.to_string(), v.to_string()));
                game.settings.push(set.collect());
            }
        }
    }
    let mut examples = files("docs/tutorial");
    for (name, text) in crate::documents::whole_examples() {
        let settings = vec![Settings::new()];
        examples.push(Sound {
            name,
            text,
            settings,
        });
    }
    let mut programs = files("tests/leaks/right");
    programs.extend(files("tests/language/games"));
    let mut groups = [
        ("shipped games", shipped),
        ("examples", examples),
        ("programs of the tests", programs),
    ];
    for (_, games) in &mut groups {
        games.retain(|g| said(&g.name, &g.text, &g.settings[0]).errors.is_empty());
    }
    groups
}

#[test]
fn no_note_is_made_on_sound_games() {
    for game in sound_games().iter().flat_map(|(_, games)| games) {
        for settings in &game.settings {
            let said = said(&game.name, &game.text, settings);
            let accidents = said.notes.iter().any(|code| code.starts_with("E04"));
            assert!(!accidents, "{} {settings:?}\n{}", game.name, said.reports);
        }
    }
}

/// What becomes of texts that lost a word.
#[derive(Default)]
struct Fates {
    refused: usize,
    noted: usize,
    on_view: usize,
}

impl Fates {
    /// A row of the table in `docs/proof.md`.
    fn row(&self, group: &str, word: &str) -> String {
        let Fates {
            refused,
            noted,
            on_view,
        } = self;
        let all = refused + noted + on_view;
        format!("| {group} | `{word}` | {all} | {refused} | {noted} | {on_view} |")
    }
}

#[test]
fn a_lost_word_is_refused_or_noted_or_on_view() {
    let mut rows = Vec::new();
    for (group, games) in sound_games() {
        let mut fates: BTreeMap<&str, Fates> = BTreeMap::new();
        for game in &games {
            let whole: Vec<Said> = game
                .settings
                .iter()
                .map(|set| said(&game.name, &game.text, set))
                .collect();
            for (word, line, text) in variants(&game.text) {
                let (mut refused, mut noted, mut on_view) = (false, false, false);
                for (settings, whole) in std::iter::zip(&game.settings, &whole) {
                    let less = said(&game.name, &text, settings);
                    refused |= !less.errors.is_empty();
                    noted |= less
                        .notes
                        .iter()
                        .any(|code| code.starts_with("E04") && !whole.notes.contains(code));
                    on_view |= less.table != whole.table;
                }
                let fates = fates.entry(word).or_default();
                let at = format!("{}:{line} without `{word}`", game.name);
                match (refused, noted, on_view) {
                    (true, ..) => fates.refused += 1,
                    (_, true, _) => fates.noted += 1,
                    (_, _, true) => fates.on_view += 1,
                    // The place that a value goes to may say the same.
                    _ => {
                        for settings in &game.settings {
                            let [a, b] =
                                [&game.text, &text].map(|text| program(&game.name, text, settings));
                            assert_eq!(a, b, "{at} is another game, and nothing tells so");
                        }
                        println!("{at} is the same game");
                    }
                }
                println!("{at}: refused {refused}, noted {noted}, on view {on_view}");
            }
        }
        rows.extend(WORDS.map(|word| {
            let none = Fates::default();
            fates.get(word).unwrap_or(&none).row(group, word)
        }));
    }
    println!("{}", rows.join("\n"));
    // More programs come and go.
    rows.retain(|row| !row.starts_with("| programs"));
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/proof.md"));
    let page = page.expect("docs/proof.md");
    for row in rows {
        assert!(page.contains(&row), "docs/proof.md has not\n{row}");
    }
}

/// The codes of what is said of a game for Ann and Ben.
fn codes(items: &str, play: &str) -> Vec<&'static str> {
    let said = said("test.game", &around(items, play), &Settings::new());
    assert_eq!(said.errors, Vec::<&str>::new(), "{}", said.reports);
    said.notes
}

#[test]
fn a_reveal_is_news_to_whoever_did_not_know_or_missed_a_move() {
    let card = "state { card : 1..4 seen by Ann }";
    let drawn = "draw c in 1..4 into card";
    let none: [&str; 0] = [];
    assert_eq!(codes(card, &format!("{drawn} reveal(card)")), none);
    assert_eq!(
        codes(card, &format!("{drawn} reveal(card to Ann)")),
        ["E0415"]
    );
    let blind = "Ann chooses secretly n in 1..2 reveal(1)";
    assert_eq!(codes("", blind), none);
    assert_eq!(codes("", "Ann chooses n in 1..2 reveal(1)"), ["E0415"]);
    // Under other values of the param there is something to tell.
    let by_param =
        "param open : bool = true  state { card : 1..4 seen by if open then all else Ann }";
    assert_eq!(codes(by_param, &format!("{drawn} reveal(card)")), none);
}

#[test]
fn what_is_kept_for_those_who_were_told_is_hidden() {
    let items = "state { card : 1..4 seen by Ann  told : 1..4 seen by Ben }";
    let none: [&str; 0] = [];
    let some = "draw c in 1..4 into card told = reveal(card to Ben)";
    assert_eq!(codes(items, some), none);
    let all = "draw c in 1..4 into card told = reveal(card)";
    assert_eq!(codes(items, all), ["E0416"]);
    // A count of moves that Ben does not notice tells him more than he knows.
    let ticks = "state { ticks : 0..9 seen by Ann }";
    let ticking = "repeat 2 times { Ann chooses secretly n in 1..2 ticks += 1 }";
    assert_eq!(codes(ticks, ticking), none);
    let seen = "repeat 2 times { Ann chooses n in 1..2 ticks += 1 }";
    assert_eq!(codes(ticks, seen), ["E0416"]);
}

#[test]
fn what_moves_within_a_variable_is_as_open_as_it_was() {
    let items = "state { rank : [1..3] 1..3 seen by Ann  out : 1..3 seen by Ann }";
    let moved = |secretly: &str| {
        format!(
            "Ann chooses {secretly}k in 1..3  rank[1] = 4 - k  rank[2] = rank[1]  out = max(rank[2], 2)  rank[3] = out"
        )
    };
    assert_eq!(codes(items, &moved("")), ["E0416", "E0416"]);
    let none: [&str; 0] = [];
    assert_eq!(codes(items, &moved("secretly ")), none);
    // By what Ann alone knows it is moved.
    let by =
        "Ann chooses k in 1..3  rank[1] = 4 - k  Ann chooses secretly l in 1..3  rank[l] = rank[1]";
    assert_eq!(codes(items, by), none);
}

#[test]
fn an_open_hand_says_that_it_is_meant() {
    let state = |seen: &str| {
        format!(
            "state {{ deck : set of 1..6 = all seen by none  hand : [Player] set of 1..6 {seen} }}"
        )
    };
    let play = "draw aside in deck seen by none deck -= aside each p in Player { deal 1 from deck to hand[p] }";
    assert_eq!(codes(&state(""), play), ["E0418"]);
    let none: [&str; 0] = [];
    // What everybody knows of the deck follows from that.
    let dealt = "each p in Player { deal 1 from deck to hand[p] }";
    assert_eq!(codes(&state(""), dealt), ["E0418"]);
    assert_eq!(codes(&state("seen by all"), play), none);
    // A table of all players is open, most of the time.
    let table = "state { deck : set of 1..6 = all seen by none  table : set of 1..6 }";
    let play = "draw aside in deck seen by none deck -= aside deal 1 from deck to table";
    assert_eq!(codes(table, play), none);
}

#[test]
fn a_text_says_what_its_readers_see() {
    let items = "state { hand : [p: Player][1..2] 1..4 seen by p }";
    let chosen = |text: &str| {
        format!(
            "each p in Player {{ each i in 1..2 {{ draw c in 1..4 into hand[p, i] }} }}
             Ann chooses i in 1..2 as \"{text}\""
        )
    };
    let none: [&str; 0] = [];
    assert_eq!(codes(items, &chosen("card {i}")), none);
    assert_eq!(codes(items, &chosen("card {hand[Ann, i]}")), ["E0419"]);
    assert_eq!(codes(items, &chosen("card {i}: {hand[Ann, i]}")), none);
    let drawn = "draw c in 1..4 as \"a card\"";
    assert_eq!(codes("", drawn), ["E0419"]);
    assert_eq!(codes("", "draw secretly c in 1..4 as \"a card\""), none);
    let revealed = |said: &str| {
        format!(
            "each p in Player {{ draw c in 1..4 into hand[p, 1] }}  reveal(hand[Ann, 1] > 2) as {said}"
        )
    };
    assert_eq!(codes(items, &revealed("\"she shows it\"")), ["E0419"]);
    assert_eq!(codes(items, &revealed("\"{hand[Ann, 1]}\"")), ["E0419"]);
    // Who could not know which text it is reads what is revealed.
    assert_eq!(
        codes(
            items,
            &revealed("if hand[Ann, 1] == 2 then \"yes\" else \"no\"")
        ),
        none
    );
    assert_eq!(
        codes(
            items,
            &revealed("if hand[Ann, 1] > 2 then \"high\" else \"low\"")
        ),
        none
    );
    assert_eq!(
        codes(
            items,
            &revealed("\"{if not hand[Ann, 1] > 2 then 1 else 2}\"")
        ),
        none
    );
    let known =
        "Ann chooses n in 1..4 into hand[Ann, 2]  reveal(hand[Ann, 2] to Ann) as \"as she knows\"";
    assert!(!codes(items, known).contains(&"E0419"));
}
