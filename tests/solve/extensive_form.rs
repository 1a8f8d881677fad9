//! Trees that are written for other tools, read again by a reader that shares no code with the writer.

use crate::support::load;
use num_rational::Ratio;
use ruse::internal::machine::Machine;
use ruse::internal::solve::TreeOptions;
use ruse::internal::solve::extensive_form::{ExtensiveForm, dot, efg, extensive_form, svg};
use ruse::internal::solve::tree::build_to;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

type Fraction = Ratio<i64>;

fn form(machine: &Machine, depth: Option<u32>, skip_forced: bool) -> ExtensiveForm {
    let options = TreeOptions {
        skip_forced,
        ..TreeOptions::default()
    };
    let go_on = AtomicBool::new(false);
    let tree = build_to(depth, machine, &options, &mut |_| {}, &go_on).expect("a tree");
    extensive_form(machine, &tree, depth, &go_on).expect("its form")
}

/// A node as the file has it.
#[derive(Debug)]
enum Read {
    Chance(Vec<Fraction>, Vec<Read>),
    /// Player and number of the information set, from 1.
    Decision(usize, usize, Vec<Read>),
    End(String, Vec<Fraction>),
}

/// Quoted names begin with a quotation mark.
fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let mut token = String::from(c);
        match c {
            '"' => loop {
                match rest.next().expect("a closing quotation mark") {
                    '"' => break,
                    '\\' if rest.peek() == Some(&'"') => token.extend(rest.next()),
                    c => token.push(c),
                }
            },
            '{' | '}' => {}
            c if c.is_whitespace() || c == ',' => continue,
            _ => {
                let part = |c: &char| !c.is_whitespace() && !"{},\"".contains(*c);
                token.extend(std::iter::from_fn(|| rest.next_if(part)));
            }
        }
        found.push(token);
    }
    found
}

struct Reader {
    tokens: std::vec::IntoIter<String>,
    /// The moves of each information set by player and number.
    sets: BTreeMap<(usize, usize), (String, Vec<String>)>,
    nodes: usize,
    /// Of nodes that have one.
    names: BTreeSet<String>,
}

impl Reader {
    fn read(text: &str) -> (Reader, Read) {
        let mut reader = Reader {
            tokens: tokens(text).into_iter(),
            sets: BTreeMap::new(),
            nodes: 0,
            names: BTreeSet::new(),
        };
        let start: Vec<String> = reader.tokens.by_ref().take(3).collect();
        assert_eq!(start, ["EFG", "2", "R"]);
        reader.name();
        let _players = reader.list();
        let comment = reader.tokens.as_slice()[0].starts_with('"');
        if comment {
            reader.name();
        }
        let root = reader.node();
        assert_eq!(reader.tokens.next(), None);
        (reader, root)
    }

    fn name(&mut self) -> String {
        let token = self.tokens.next().expect("a name");
        token.strip_prefix('"').expect("a quoted name").to_string()
    }

    fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(&mut self) -> T {
        self.tokens.next().unwrap().parse().expect("a number")
    }

    fn list(&mut self) -> Vec<String> {
        assert_eq!(self.tokens.next().as_deref(), Some("{"));
        self.tokens.by_ref().take_while(|t| t != "}").collect()
    }

    fn children(&mut self, count: usize) -> Vec<Read> {
        assert_eq!(self.number::<usize>(), 0, "no outcome but at an end");
        (0..count).map(|_| self.node()).collect()
    }

    fn node(&mut self) -> Read {
        self.nodes += 1;
        let kind = self.tokens.next().expect("a node");
        let name = self.name();
        match kind.as_str() {
            "c" => {
                self.number::<usize>();
                self.name();
                let list = self.list();
                let chances: Vec<Fraction> =
                    list.chunks(2).map(|d| d[1].parse().unwrap()).collect();
                assert_eq!(chances.iter().sum::<Fraction>(), Fraction::from(1));
                Read::Chance(chances, self.children(list.len() / 2))
            }
            "p" => {
                let (player, number) = (self.number(), self.number());
                let (set, moves) = (self.name(), self.list());
                let first = (set.clone(), moves.clone());
                let known = self.sets.entry((player, number)).or_insert(first);
                assert_eq!(*known, (set, moves.clone()));
                Read::Decision(player, number, self.children(moves.len()))
            }
            "t" => {
                assert!(name.is_empty() || self.names.insert(name.clone()), "{name}");
                self.number::<usize>();
                self.name();
                let payoffs = self.list();
                Read::End(name, payoffs.iter().map(|p| p.parse().unwrap()).collect())
            }
            other => panic!("a node of kind {other}"),
        }
    }
}

impl Read {
    /// What players are paid when everybody chooses at random.
    fn uniform(&self) -> Vec<Fraction> {
        let mean = |chances: &[Fraction], children: &[Read]| {
            let values = children.iter().map(Read::uniform);
            let weighed = std::iter::zip(values, chances)
                .map(|(value, p)| value.iter().map(|v| v * p).collect::<Vec<_>>());
            let sum = |a: Vec<Fraction>, b: Vec<Fraction>| {
                std::iter::zip(a, b).map(|(a, b)| a + b).collect()
            };
            weighed.reduce(sum).unwrap()
        };
        match self {
            Read::Chance(chances, children) => mean(chances, children),
            Read::Decision(_, _, children) => {
                let each = Fraction::new(1, children.len() as i64);
                mean(&vec![each; children.len()], children)
            }
            Read::End(_, payoffs) => payoffs.clone(),
        }
    }

    fn count(&self, wanted: &dyn Fn(&Read) -> bool) -> usize {
        let below: usize = match self {
            Read::Chance(_, children) | Read::Decision(_, _, children) => {
                children.iter().map(|c| c.count(wanted)).sum()
            }
            Read::End(..) => 0,
        };
        below + usize::from(wanted(self))
    }
}

/// Regrets and shares of one information set.
#[derive(Default)]
struct Learned {
    regrets: Vec<f64>,
    shares: Vec<f64>,
}

impl Learned {
    fn strategy(&self) -> Vec<f64> {
        let total: f64 = self.regrets.iter().map(|r| r.max(0.0)).sum();
        let n = self.regrets.len();
        let share = |r: &f64| match total > 0.0 {
            true => r.max(0.0) / total,
            false => 1.0 / n as f64,
        };
        self.regrets.iter().map(share).collect()
    }
}

type Table = BTreeMap<(usize, usize), Learned>;

/// One pass of counterfactual regret minimisation for both of two players; the value for the first.
fn learn(node: &Read, reach: [f64; 2], chance: f64, table: &mut Table) -> f64 {
    let number = |f: &Fraction| *f.numer() as f64 / *f.denom() as f64;
    match node {
        Read::End(_, payoffs) => number(&payoffs[0]),
        Read::Chance(chances, children) => std::iter::zip(chances, children)
            .map(|(p, child)| number(p) * learn(child, reach, chance * number(p), table))
            .sum(),
        Read::Decision(player, set, children) => {
            let (me, sign) = (player - 1, 3.0 - 2.0 * *player as f64);
            let n = children.len();
            let here = table.entry((*player, *set)).or_default();
            here.regrets.resize(n, 0.0);
            here.shares.resize(n, 0.0);
            let strategy = here.strategy();
            let mut values = Vec::new();
            for (child, p) in children.iter().zip(&strategy) {
                let mut reach = reach;
                reach[me] *= p;
                values.push(learn(child, reach, chance, table));
            }
            let value: f64 = std::iter::zip(&values, &strategy).map(|(v, p)| v * p).sum();
            let here = table.entry((*player, *set)).or_default();
            for i in 0..n {
                here.regrets[i] += sign * (values[i] - value) * reach[1 - me] * chance;
                here.shares[i] += reach[me] * strategy[i];
            }
            value
        }
    }
}

/// The value for the first player of average strategies.
fn average(node: &Read, table: &Table) -> f64 {
    let number = |f: &Fraction| *f.numer() as f64 / *f.denom() as f64;
    match node {
        Read::End(_, payoffs) => number(&payoffs[0]),
        Read::Chance(chances, children) => std::iter::zip(chances, children)
            .map(|(p, child)| number(p) * average(child, table))
            .sum(),
        Read::Decision(player, set, children) => {
            let shares = &table[&(*player, *set)].shares;
            let total: f64 = shares.iter().sum();
            let values = std::iter::zip(children, shares);
            values.map(|(c, s)| s / total * average(c, table)).sum()
        }
    }
}

/// Kuhn 1950: the game is worth −1/18 to who begins.
#[test]
fn kuhn_poker_read_from_its_file_is_worth_what_it_should() {
    let machine = load("kuhn-poker", &[]);
    let (reader, root) = Reader::read(&efg::write(&form(&machine, None, false)));
    assert_eq!(reader.sets.len(), 12);
    assert!(reader.sets.values().all(|(_, moves)| moves.len() == 2));
    let mut table = Table::new();
    for _ in 0..4000 {
        learn(&root, [1.0; 2], 1.0, &mut table);
    }
    let value = average(&root, &table);
    assert!((value + 1.0 / 18.0).abs() < 2e-3, "{value}");
}

/// Counts of nodes and ends, information states and values of uniform play as `ruse exploitability` and its tests have them.
#[test]
fn files_have_the_sizes_and_payoffs_of_their_games() {
    let known = [
        (
            "kuhn-poker",
            617,
            312,
            48,
            vec![(15, 64), (-3, 64), (-3, 16)],
        ),
        ("leduc-poker", 9457, 5520, 936, vec![(-5, 64), (5, 64)]),
        ("matching-pennies", 7, 4, 2, vec![(0, 1), (0, 1)]),
    ];
    for (game, nodes, ends, sets, values) in known {
        let settings: &[_] = match game {
            "kuhn-poker" => &[("seats", "3")],
            _ => &[],
        };
        let machine = load(game, settings);
        let (reader, root) = Reader::read(&efg::write(&form(&machine, None, false)));
        assert_eq!(reader.nodes, nodes, "{game}");
        assert_eq!(root.count(&|n| matches!(n, Read::End(..))), ends, "{game}");
        assert_eq!(reader.sets.len(), sets, "{game}");
        let values: Vec<Fraction> = values.iter().map(|&(n, d)| Fraction::new(n, d)).collect();
        assert_eq!(root.uniform(), values, "{game}");
    }
}

/// Passing forced moves by leaves out nodes, and changes no value.
#[test]
fn a_file_without_forced_moves_pays_the_same() {
    let machine = load("goofspiel", &[("cards", "3")]);
    let [whole, short] = [false, true].map(|skip| {
        let (reader, root) = Reader::read(&efg::write(&form(&machine, None, skip)));
        (reader.nodes, root.uniform())
    });
    assert_eq!(short.0, 418);
    assert!(whole.0 > short.0);
    assert_eq!(whole.1, short.1);
}

#[test]
fn a_cut_tree_says_where_it_is_cut() {
    let machine = load("tic-tac-toe", &[]);
    let form = form(&machine, Some(2), false);
    assert_eq!((form.nodes.len(), form.cut()), (1 + 9 + 72, 72));
    let (_, root) = Reader::read(&efg::write(&form));
    let cut = |n: &Read| matches!(n, Read::End(name, p) if name.starts_with("cut off ") && p.iter().all(|p| *p == Fraction::from(0)));
    assert_eq!(root.count(&cut), 72);
    // Deeper than the game goes, nothing is cut off.
    let kuhn = load("kuhn-poker", &[]);
    let deep = self::form(&kuhn, Some(50), false);
    let whole = self::form(&kuhn, None, false);
    assert_eq!(efg::write(&deep), efg::write(&whole));
}

/// Each node but the root has an edge; an information set of n nodes has n − 1 dashed lines.
#[test]
fn a_picture_has_each_edge_and_joins_information_sets() {
    let machine = load("kuhn-poker", &[]);
    let text = dot::write(&form(&machine, None, false));
    let count = |what: &str| text.matches(what).count();
    let form = form(&machine, None, false);
    assert_eq!(count(" -> n") - count("style=dashed"), form.nodes.len() - 1);
    let decisions = count("shape=ellipse");
    assert_eq!(count("style=dashed"), decisions - form.sets.len());
    assert_eq!(
        count("shape=diamond") + count("shape=plaintext") + decisions,
        form.nodes.len()
    );
}

/// The attributes of all elements of one kind in a picture.
fn elements<'t>(svg: &'t str, name: &str) -> Vec<&'t str> {
    let begin = format!("<{name} ");
    svg.split(&begin as &str).skip(1).collect()
}

fn attribute(element: &str, name: &str) -> f64 {
    let begin = format!("{name}=\"");
    let at = element.find(&begin).expect("the attribute") + begin.len();
    element[at..].split('"').next().unwrap().parse().unwrap()
}

/// In a drawn tree each node but the root has an edge and each decision a disc, an information set of n nodes has n − 1 dashed
/// lines, everything stands within the picture, and no text covers another.
#[test]
fn a_drawn_tree_has_everything_once_and_nothing_covered() {
    for (game, settings) in [("kuhn-poker", &[][..]), ("goofspiel", &[("cards", "2")])] {
        let machine = load(game, settings);
        let form = form(&machine, None, false);
        let text = svg::write(&form);
        assert_eq!(
            text.matches("stroke=\"#555\"").count(),
            form.nodes.len() - 1
        );
        let decisions = elements(&text, "circle").len();
        assert_eq!(
            text.matches("stroke-dasharray").count(),
            decisions - form.sets.len()
        );
        let (width, height) = (attribute(&text, "width"), attribute(&text, "height"));
        // Each has a ground of its own shape below it.
        let (grounds, texts): (Vec<&str>, Vec<&str>) = elements(&text, "text")
            .into_iter()
            .partition(|text| text.contains("aria-hidden"));
        assert_eq!(grounds.len(), texts.len(), "{game}");
        let labels = form.nodes.len() - 1 + form.sets.len();
        let ends = form.nodes.iter().filter(|n| n.children == 0).count();
        assert_eq!(texts.len(), labels + 2 * ends, "{game}");
        // Left, right and the foot, with 6 pixels for a sign.
        let mut boxes: Vec<(f64, f64, f64)> = Vec::new();
        for element in texts {
            let said = element.split(['>', '<']).nth(1).unwrap();
            let half = 3.0 * said.chars().count() as f64;
            let (x, y) = (attribute(element, "x"), attribute(element, " y"));
            assert!(x - half >= 0.0 && x + half <= width && y > 10.0 && y <= height);
            let apart =
                |b: &(f64, f64, f64)| x + half <= b.0 || b.1 <= x - half || (y - b.2).abs() > 12.0;
            assert!(boxes.iter().all(apart), "{game}: {said} at {x}, {y}");
            boxes.push((x - half, x + half, y));
        }
    }
}
