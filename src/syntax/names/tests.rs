use super::*;
use crate::syntax::recovered;

/// What each name of a text is: `name:kind` where it is given, `name>kind,…` with the kinds of what it may mean where it
/// is used.
fn told(text: &str) -> Vec<String> {
    let names = Names::of(&recovered(text).expect("a tree"));
    let given = names.definitions().iter();
    let mut told: Vec<(Span, String)> = given
        .map(|d| (d.span, format!("{}:{}", d.name, d.kind.noun())))
        .collect();
    told.extend(names.uses().iter().map(|u| {
        let meant = u.definitions.iter();
        let meant: Vec<_> = meant.map(|d| names.definition(*d).kind.noun()).collect();
        (u.span, format!("{}>{}", u.name, meant.join(",")))
    }));
    told.sort();
    told.into_iter().map(|(_, what)| what).collect()
}

/// The names of some items, without that of the game.
fn items(items: &str) -> String {
    told(&format!("game G {{ {items} }}"))[1..].join(" ")
}

fn play(statements: &str) -> String {
    items(&format!("play {{ {statements} }}"))
}

#[test]
fn a_name_is_known_where_it_is_bound() {
    assert_eq!(
        play("let a = a  if a { let b = a } let c = b"),
        "a:local name a> a>local name b:local name a>local name c:local name b>"
    );
    assert_eq!(
        play("each a in { a for a in a where a } { a = a }"),
        "a:element of a set a>element of a set a:element of a set a> a>element of a set a>element of a set a>element of a set"
    );
    assert_eq!(
        items("state { h : [p: p] p = p seen by p }"),
        "h:state variable p:index p> p> p> p>index"
    );
}

#[test]
fn what_is_chosen_is_known_in_the_rest_of_the_block() {
    assert_eq!(
        play("x chooses n in n where n as \"{n}\" => { y = n } else { y = n } y = n"),
        "x> n:chosen value n> n>chosen value n>chosen value y> n>chosen value y> n> y> n>chosen value"
    );
    assert_eq!(
        play("x chooses { l(n in 1..2) => y = n } y = n"),
        "x> l:alternative n:chosen value y> n>chosen value y> n>"
    );
    assert_eq!(
        play("together { x chooses n in 1..2  y chooses m in 1..n } z = n + m"),
        "x> n:chosen value y> m:chosen value n> z> n>chosen value m>chosen value"
    );
    assert_eq!(
        play("draw each u in S: t[u] in t[u] into r[u], v in t"),
        "u:element of a set S> t:drawn value u>element of a set t>drawn value u>element of a set r> u>element of a set v:drawn value t>drawn value"
    );
}

#[test]
fn knowledge_asks_about_moves() {
    let moves = "play { x chooses { a(n in 1..2) b(n in 1..2) } }";
    let asks = "filter f = n > m  playout w = weights { a where n > 1 => 1 } evaluate = n + me";
    assert_eq!(
        items(&format!("{moves} knowledge x {{ {asks} }}")),
        "x> a:alternative n:chosen value b:alternative n:chosen value x> f:entry of knowledge n>chosen value,chosen value m> w:entry of knowledge a>alternative n>chosen value n> me>"
    );
}

#[test]
fn without_types_a_name_may_mean_several_things() {
    let text = "game G { enum A { x, y } enum B { y, z } type P = (f: A) as \"{f}\" type Q = (f: B) \
                def d(p: P): B = match p.f { x => y  y => z } }";
    let names = Names::of(&recovered(text).expect("a tree"));
    let first = |name: &str| {
        let found = names.definitions().iter().position(|d| d.name == name);
        DefinitionId(found.expect(name))
    };
    assert_eq!(names.alike(first("y")).count(), 2);
    assert_eq!(names.places(first("y")).len(), 4);
    assert_eq!(names.places(first("f")).len(), 4);
    let own = names.at(text.find("{f}").expect("a hole") as u32 + 1);
    assert!(matches!(own, Some(Found::Use(u)) if u.definitions.len() == 1));
    let end = names.at(text.find("P = ").expect("a type") as u32 + 1);
    assert_eq!(end, Some(Found::Definition(first("P"))));
    assert_eq!(names.at(text.find("enum").expect("an enum") as u32), None);
}

#[test]
fn boards_bring_names() {
    assert_eq!(
        items(
            "graph M { nodes { a, b } edges r { a: b } edges s { b: a } edges r { } } const c = M.via(a, r) + M.node"
        ),
        "M:board a:enum value b:enum value r:enum value a>enum value b>enum value s:enum value b>enum value a>enum value \
         r>enum value c:constant M>board via> a>enum value r>enum value M>board node>"
    );
    assert_eq!(
        items(
            "enum L { r, s } graph M { nodes 1..2 edges r { 1: 2 } } state { x : M.label  y : M }"
        ),
        "L:enum r:enum value s:enum value M:board r>enum value x:state variable M>board label> y:state variable M>board"
    );
}

#[test]
fn layouts_draw_names() {
    let text = "graph M { nodes { ab, c } edges { ab: c } } knowledge x { layout n in M { \"ab __ c\" \
                each p in S: n == p => \"{p}.{p}\" } }";
    assert_eq!(
        items(text),
        "M:board ab:enum value c:enum value ab>enum value c>enum value x> n:cell M>board ab>enum value c>enum value \
         p:element of a set S> n>cell p>element of a set p>element of a set p>element of a set"
    );
}

#[test]
fn a_product_that_no_type_has_declares_its_fields() {
    assert_eq!(
        play("let a = (f: 1, g: 2) let b = a.f + (f: 3, g: 4).g"),
        "a:local name f:field g:field b:local name a>local name f>field f>field g>field g>field"
    );
}

#[test]
fn a_text_without_its_end_has_the_names_before() {
    assert_eq!(
        told(
            "game G {\n  players { A, B }\n  play {\n    A chooses n in { 1, 2\n    B chooses m in"
        ),
        ["G:game", "A:player", "B:player"]
    );
    assert_eq!(
        told(
            "game G {\n  players { A, B }\n  play {\n    A chooses n in { 1, 2 }\n    let x = n\n    B chooses m in"
        )[3..],
        [
            "A>player",
            "n:chosen value",
            "x:local name",
            "n>chosen value"
        ]
    );
}
