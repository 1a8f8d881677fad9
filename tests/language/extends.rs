//! Variants: another game with some of its parts replaced.

use crate::support::snapshots::snapshots;
use crate::table::around;
use ruse::internal::check::Settings;
use ruse::internal::model::KnowledgeKind;
use ruse::internal::text::sources::Sources;

const BASE: &str = "// The game that others extend.
game Base {
  param rounds : 1..9 = 3
  param wild : bool = false
  players { Ann, Ben }
  enum Fare { taxi, bus }
  type Room = 1..4
  const start : [Fare] 0..9 = { taxi: 4, bus: 2 }
  const odd = { 1, 3 }
  team Two { Ann, Ben }
  state { left : [Fare] 0..9 = [f in Fare] start[f]   x : 0..9 }
  note last : Room?
  def worth(f: Fare): 0..9 = 1
  play { repeat rounds times { Ann chooses f in Fare, r in Room   x = worth(f) } }
  payoff general-sum: [p in Player] size(odd)
}";

const MINI: &str = "game Mini extends \"base.game\" {
  param rounds = 1
  const start = { taxi: 1, else: 0 }
  const odd = { 1, 3, 5 }
  enum Fare { taxi, bus, boat }
  def worth(f: Fare): 0..9 = size(Fare before f)
}";

/// Everything that has a name, with the play and the payoff as they were.
#[test]
fn a_variant_may_replace_whatever_has_a_name() {
    let base = "game Base {
  players { Ann, Ben, Cid }
  team Hounds { Ann, Ben }
  state { x : 0..9   y : 0..9 }
  state { secret : 1..3 seen by Ann }
  note seen : set of 0..9
  rule go(by: 0..3) { x += by   note seen += x }
  play { go(1)   Ann chooses n in 1..3 into secret   Ben chooses m in 1..2 }
  payoff constant-sum 2: { Hounds: 1  Cid: 1 }
  knowledge Ann { playout low = minimise n   evaluate = x }
  knowledge Ben { playout low = minimise m }
}";
    let variant = "game Other extends \"base.game\" {
  team Hounds { Ben, Cid }
  state { secret : 1..3 = 2   x : 0..20 = 7 }
  note seen : set of 0..20 = { 0 }
  rule go(by: 0..3) { x += by + by   note seen += x }
  knowledge Ann { playout high = maximise n }
  knowledge Cid { evaluate = x }
}";
    let files = [("base.game", base)];
    let text = variant.replace("team Hounds { Ben, Cid }\n", "team Hounds { Ben, Ann }\n");
    let (outcome, _) = load(&files, &text, &[]);
    let (machine, _) = outcome.unwrap_or_else(|_| panic!("{}", messages(&files, &text)));
    let state = machine.initial().unwrap();
    let shown = |entries: Vec<ruse::internal::machine::ViewEntry>| -> Vec<String> {
        let list = entries.iter().map(|e| format!("{} {}", e.name, e.value));
        list.collect()
    };
    // What Ann hid is now on view.
    assert_eq!(
        shown(machine.view(&state, 1).entries),
        ["x 9", "y 0", "secret 2"]
    );
    assert_eq!(shown(machine.notes(&state, None).entries), ["seen {0, 9}"]);
    let has = |p, name| machine.find_knowledge(p, name).is_some();
    assert!(has(0, "high") && !has(0, "low") && !has(0, "evaluate"));
    assert!(has(1, "low") && has(2, "evaluate"));
    // With Cid for a hound in Ann's place, Ann has no payoff.
    assert!(messages(&files, variant).contains("there is no payoff for `Ann`"));
}

/// A picture is of one graph. The marks are of any, and a layout that the variant brings has a picture of its own.
#[test]
fn a_layout_loses_its_picture_with_its_graph_and_keeps_its_marks() {
    let base = "game Base {
  players { Ann, Ben }
  graph Town { nodes 1..2  edges { 1: 2 } }
  graph Park { nodes 1..2  edges { 1: 2 } }
  state { at : Town = 1 }
  play { Ann chooses to in Town.next(at) into at }
  payoff zero-sum: { Ann: 1  Ben: -1 }
  knowledge Ann { layout r in Town { \"1 - 2\"  r == at => \"X\" } }
  knowledge Ben { layout r in Park { \"1 - 2\"  r == at => \"Y\" } }
}";
    let files = [("base.game", base)];
    let larger = "game Other extends \"base.game\" { graph Town { nodes 1..3  edges { 1: 2 3 } } }";
    let (outcome, _) = load(&files, larger, &[]);
    let (machine, _) = outcome.unwrap_or_else(|_| panic!("{}", messages(&files, larger)));
    let layouts = machine.description().knowledge.iter();
    let layouts = layouts.filter_map(|entry| match &entry.kind {
        KnowledgeKind::Layout(layout) => Some(layout),
        _ => None,
    });
    let drawn = layouts.map(|layout| {
        let graph = layout.graph.as_ref();
        (
            graph.is_some_and(|g| g.picture.is_some()),
            layout.rules.len(),
        )
    });
    assert_eq!(drawn.collect::<Vec<_>>(), [(false, 1), (true, 1)]);
    // A picture of its own has to fit.
    let own = larger.replace(
        "game Other extends \"base.game\" {",
        "game Other extends \"base.game\" {\n  knowledge Ann { layout r in Town { \"1 - 2\"  r == at => \"X\" } }\n",
    );
    assert!(messages(&files, &own).contains("the picture does not show 3"));
}

/// Files by their names; `from/` names are folders.
fn load(files: &[(&str, &str)], text: &str, settings: &[(&str, &str)]) -> (ruse::Loaded, Sources) {
    let settings: Settings = settings
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect();
    let loader = |_: &str, path: &str| match files.iter().find(|(n, _)| *n == path) {
        Some((name, text)) => Ok((name.to_string(), text.to_string())),
        None => Err(format!("there is no {path}")),
    };
    ruse::load_with("mini.game", text, &settings, &loader)
}

fn messages(files: &[(&str, &str)], text: &str) -> String {
    let (outcome, sources) = load(files, text, &[]);
    let problems = match outcome {
        Ok((_, warnings)) => warnings,
        Err(problems) => problems,
    };
    let list: Vec<String> = problems
        .iter()
        .map(|d| d.render_in(&sources, false))
        .collect();
    list.join("\n\n")
}

#[test]
fn a_variant_replaces_what_it_names() {
    let files = [("base.game", BASE)];
    let (outcome, sources) = load(&files, MINI, &[]);
    let Ok((machine, _)) = outcome else {
        panic!("{}", messages(&files, MINI));
    };
    let d = machine.description();
    assert_eq!(d.name, "Mini");
    assert_eq!(sources.files.len(), 2);
    assert_eq!(
        (d.params["rounds"].as_str(), d.params["wild"].as_str()),
        ("1", "false")
    );
    let mut state = machine.initial().unwrap();
    let view: Vec<String> = machine
        .whole_view(&state)
        .entries
        .iter()
        .map(|e| format!("{} {}", e.name, e.value))
        .collect();
    assert_eq!(view, ["left[taxi] 1", "left[bus] 0", "left[boat] 0", "x 0"]);
    let boat = machine.find_action(&state, 0, "boat 2").unwrap();
    machine.step(&mut state, &[boat]).unwrap();
    // The last fare is worth 2; after one round it is over, for three odd numbers each.
    assert_eq!(machine.whole_view(&state).entries[3].value, "2");
    assert_eq!(machine.payoffs(&state).unwrap().as_slice(), [3.0, 3.0]);
}

#[test]
fn settings_and_further_variants_go_on_from_there() {
    let micro = "game Micro extends \"mini.game\" { param rounds : 1..2 = 2 }";
    let files = [("base.game", BASE), ("mini2.game", MINI)];
    let text = micro.replace("mini.game", "mini2.game");
    let (outcome, _) = load(&files, &text, &[("wild", "true")]);
    let (machine, _) = outcome.unwrap_or_else(|_| panic!("{}", messages(&files, &text)));
    let d = machine.description();
    assert_eq!(
        (d.params["rounds"].as_str(), d.params["wild"].as_str()),
        ("2", "true")
    );
    assert!(load(&files, &text, &[("rounds", "3")]).0.is_err());
}

#[test]
fn files_that_are_not_there_or_lead_back() {
    assert!(messages(&[], MINI).contains("error[E0018]: there is no base.game"));
    let round = [
        ("base.game", "game A extends \"again.game\" { }"),
        ("again.game", "game B extends \"base.game\" { }"),
    ];
    assert!(messages(&round, MINI).contains("`base.game` leads back to a file that extends it"));
    // A chain of nine.
    let names: Vec<String> = (0..12).map(|i| format!("{i}.game")).collect();
    let texts: Vec<String> = (1..13)
        .map(|i| format!("game G extends \"{i}.game\" {{ }}"))
        .collect();
    let chain: Vec<(&str, &str)> = names
        .iter()
        .map(String::as_str)
        .zip(texts.iter().map(String::as_str))
        .collect();
    assert!(messages(&chain, "game G extends \"0.game\" { }").contains("more than 8 files"));
    let Err(alone) = ruse::load(MINI, &Settings::new()) else {
        panic!("nothing to extend")
    };
    assert_eq!(alone[0].code.0, "E0018");
    assert!(
        ruse::load(
            &around("  param n = 3", "Ann chooses x in 1..2"),
            &Settings::new()
        )
        .is_err()
    );
}

/// Problems are shown where they are, in the one file or the other.
#[test]
fn reports_point_into_the_right_file() {
    let wrong = "game Mini extends \"base.game\" {
  param round = 2
  param wild = 4
  const odd = { 1, 3, true }
  enum Fare { taxi, train }
  team Too { Ann }
  state { lift : 0..9   x : 0..3 }
  note lst : Room?
  rule go() { }
  players { Ann, Cid }
  play { }
}";
    let broken = BASE
        .replace("size(odd)", "size(even)")
        .replace("repeat rounds", "repaet rounds");
    let shown = format!(
        "{}\n\n{}\n\n{}",
        messages(&[("base.game", BASE)], wrong),
        messages(&[("base.game", &broken)], MINI),
        messages(
            &[("base.game", BASE)],
            "game Mini extends \"base.game\" { enum Fare { taxi, Room } }"
        ),
    );
    snapshots("check").bind(|| insta::assert_snapshot!("extends", shown));
}

/// The second would replace the first, and nobody would see that.
#[test]
fn a_variant_declares_nothing_twice() {
    let of = |items: &str| {
        let base = BASE.replace("note last", "rule go() { x = 1 } note last");
        let base = base.replace("repeat rounds", "go() repeat rounds");
        let text = format!("game V extends \"base.game\" {{ {items} }}");
        match load(&[("base.game", &base)], &text, &[]).0 {
            Ok(_) => Vec::new(),
            Err(problems) => problems.iter().map(|d| d.code.0).collect::<Vec<_>>(),
        }
    };
    for item in [
        "param rounds = 2",
        "const odd = { 1 }",
        "rule go() { x = 2 }",
        "def worth(f: Fare): 0..9 = 2",
        "enum Fare { taxi, bus }",
        "state { x : 0..8 }",
        "note last : Room?",
        "knowledge Ann { evaluate = x }",
    ] {
        assert_eq!(of(item), [""; 0], "{item}");
        assert_eq!(of(&format!("{item}  {item}")), ["E0102"], "{item}");
    }
    assert_eq!(of("state { x : 0..8  x : 0..9 }"), ["E0102"]);
    let both = "knowledge Ann { evaluate = x }  knowledge Ann { playout low = minimise r }";
    assert_eq!(of(both), [""; 0]);
}
