//! Simultaneous move Monte Carlo tree search (Lanctot, Lisý & Winands 2013): the tree of `mcts`, with any of its policies.

use super::mcts::policies::{self, SELECTIONS, Selection};
use super::mcts::{Expansion, Nodes, Options, RollOuts, roll_outs};
use super::parameters::{Kind, Need, Parameter, Values};
use super::searcher::{Declaration, Make};
use super::supported_games;
use std::sync::LazyLock;

pub static SMMCTS: Declaration = Declaration {
    name: "smmcts",
    doc: "Simultaneous move Monte Carlo tree search (Lanctot, Lisý & Winands 2013): plays a mix of moves where several \
          choose at once; also with chance and where one player chooses alone. Needs perfect information.",
    parameters: || &PARAMETERS,
    make: Make::State(|values| Box::new(options(values))),
};

const SELECT: &str = "select";
const EXPAND: &str = "expand";
const NODES: &str = "nodes";

/// The settings that a spec stands for.
fn options(values: &Values) -> Options {
    Options {
        select: values
            .word(SELECT)
            .and_then(policies::find)
            .unwrap_or(policies::DEFAULT),
        expansion: match values.word(EXPAND) {
            Some("matrix") => Expansion::Matrix,
            Some("action") => Expansion::Action,
            _ => Expansion::Auto,
        },
        nodes: match values.word(NODES) {
            Some("states") => Nodes::States,
            _ => Nodes::Histories,
        },
        roll_outs: RollOuts::of(values),
        values: values.clone(),
    }
}

static PARAMETERS: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
    let mut parameters = vec![
        Parameter {
            name: SELECT,
            kind: Kind::Word(words(|_| true).leak()),
            default: policies::DEFAULT.word,
            needs: &[],
            doc: select_doc().leak(),
        },
        Parameter {
            name: EXPAND,
            kind: Kind::Word(&["auto", "matrix", "action"]),
            default: "auto",
            needs: &[],
            doc: "At a new node, every joint move is played out once before moves are selected, or moves are selected from \
                  the beginning; auto: the first where there are up to 500 joint moves.",
        },
        Parameter {
            name: NODES,
            kind: Kind::Word(&["histories", "states"]),
            default: "histories",
            needs: &[],
            doc: "Two ways to the same state lead to two nodes of the tree, or to one that learns from both.",
        },
    ];
    for selection in SELECTIONS {
        for own in selection.parameters {
            if parameters.iter().all(|p| p.name != own.name) {
                parameters.push(of_policies(own));
            }
        }
    }
    parameters.extend(roll_outs::PARAMETERS);
    parameters
});

fn words(which: impl Fn(&Selection) -> bool) -> Vec<&'static str> {
    let which = SELECTIONS.iter().filter(|s| which(s));
    which.map(|s| s.word).collect()
}

/// `a`, `a and b`, `a, b and c`.
fn list(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_string(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn select_doc() -> String {
    let mut doc = "How joint moves are selected and which strategy is played.".to_string();
    for selection in SELECTIONS {
        doc += &format!(" {}: {}.", selection.word, selection.doc);
    }
    for (i, one) in SELECTIONS.iter().enumerate() {
        let same = |s: &Selection| std::ptr::eq(s.games, one.games);
        if std::ptr::eq(one.games, &supported_games::ANY) || SELECTIONS[..i].iter().any(|s| same(s))
        {
            continue;
        }
        let all = words(same);
        let verb = if all.len() == 1 { "needs" } else { "need" };
        doc += &format!(" {} {verb} {}.", list(&all), one.games.needs);
    }
    doc
}

/// A parameter of some policies as one of the search: with all of them, and with the default of each where these differ.
fn of_policies(parameter: &'static Parameter) -> Parameter {
    let own = |s: &Selection| s.parameters.iter().find(|p| p.name == parameter.name);
    let of: Vec<(&str, &str)> = SELECTIONS
        .iter()
        .filter_map(|s| own(s).map(|p| (s.word, p.default)))
        .collect();
    let default = if of.iter().all(|(_, default)| *default == parameter.default) {
        parameter.default
    } else {
        let each = of
            .iter()
            .map(|(word, default)| format!("{default} for {word}"));
        each.collect::<Vec<_>>().join(", ").leak()
    };
    let words: Vec<&str> = of.iter().map(|(word, _)| *word).collect();
    Parameter {
        default,
        needs: vec![Need::Word(SELECT, words.leak())].leak(),
        ..*parameter
    }
}
