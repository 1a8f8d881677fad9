//! Gambit's format of extensive games, `.efg` version 2: nodes in prefix order, information sets numbered from 1 for each
//! player, payoffs and chances as fractions.
//!
//! Gambit's names are of printable ASCII, without spaces at the ends or next to one another: suits are letters (`10s`), other
//! signs their code points (`U+00E9`). Names of the moves of a node, and of the information sets of a player, are made distinct by a number after them. The format
//! has no word for a game that goes on: a node where the tree was cut off is an end that pays nothing, and its name says so.

use super::{ExtensiveForm, FormKind};
use crate::machine::plain_sign;
use std::collections::HashMap;
use std::fmt::Write;

/// The text of a file.
pub fn write(form: &ExtensiveForm) -> String {
    let (sets, draws, ends) = (sets(form), draws(form), ends(form));
    let mut text = head(form);
    let (mut chances, mut cut, mut open) = (0, 0, vec![0u32]);
    while let Some(number) = open.pop() {
        let node = form.nodes[number as usize];
        open.extend(node.range().rev());
        // Writing to a string does not fail.
        let _ = match node.kind {
            FormKind::Chance(draw) => {
                chances += 1;
                writeln!(text, "c \"\" {chances} {} 0", draws[draw as usize])
            }
            FormKind::Decision(set) => writeln!(text, "p \"\" {} 0", sets[set as usize]),
            FormKind::End(vector) => writeln!(text, "t \"\" {}", ends[vector as usize]),
            FormKind::Cut => {
                // No two nodes of a game may have the same name.
                cut += 1;
                writeln!(text, "t \"cut off {cut}\" {}", ends[form.payoffs.len()])
            }
        };
    }
    text
}

fn head(form: &ExtensiveForm) -> String {
    let title = quoted(&form.title);
    let mut text = format!("EFG 2 R {title} {}\n", list(&distinct(&form.players)));
    if let (Some(depth), 1..) = (form.depth, form.cut()) {
        let said = format!(
            "Cut off at depth {depth}: an end with the outcome `cut off` is none, and what it pays is unknown"
        );
        text.push_str(&format!("{}\n", quoted(&said)));
    }
    text
}

/// For each information set its player, number, name and moves.
fn sets(form: &ExtensiveForm) -> Vec<String> {
    let mut lines = Vec::with_capacity(form.sets.len());
    for player in 0..form.players.len() {
        let own = form.sets.iter().filter(|s| s.player as usize == player);
        let own: Vec<_> = own.collect();
        let names = own.iter().map(|set| match set.saw.is_empty() {
            true => "-".to_string(),
            false => set.saw.join(", "),
        });
        let names = distinct(&names.collect::<Vec<_>>());
        for (i, (set, name)) in std::iter::zip(own, names).enumerate() {
            let moves = list(&distinct(&set.moves));
            let name = quoted(&name);
            lines.push(format!("{} {} {name} {moves}", player + 1, i + 1));
        }
    }
    lines
}

/// For each draw the name of its information set and the outcomes with their probabilities.
fn draws(form: &ExtensiveForm) -> Vec<String> {
    let line = |draw: &Vec<super::Draw>| {
        let names: Vec<String> = draw.iter().map(|d| d.text.clone()).collect();
        let names = distinct(&names);
        let outcomes = std::iter::zip(&names, draw);
        let outcomes =
            outcomes.map(|(name, draw)| format!("{} {}", quoted(name), draw.probability));
        format!("\"\" {{ {} }}", outcomes.collect::<Vec<_>>().join(" "))
    };
    form.draws.iter().map(line).collect()
}

/// For each vector of payoffs its outcome, and that of nodes where the tree was cut off.
fn ends(form: &ExtensiveForm) -> Vec<String> {
    let line = |(i, payoffs): (usize, &Vec<_>)| {
        let payoffs: Vec<String> = payoffs.iter().map(ToString::to_string).collect();
        format!("{} \"\" {{ {} }}", i + 1, payoffs.join(", "))
    };
    let mut lines: Vec<String> = form.payoffs.iter().enumerate().map(line).collect();
    let nothing = vec!["0"; form.players.len()].join(", ");
    let cut = lines.len() + 1;
    lines.push(format!("{cut} \"cut off\" {{ {nothing} }}"));
    lines
}

/// Names of the signs that Gambit takes, with a number after each that stands before it already.
fn distinct(names: &[String]) -> Vec<String> {
    // Of each name that is taken: the number that is tried next.
    let mut taken: HashMap<String, usize> = HashMap::new();
    let mut given = Vec::with_capacity(names.len());
    for name in names.iter().map(|name| label(name)) {
        let mut free = name.clone();
        while taken.contains_key(&free) {
            let number = taken.entry(name.clone()).or_insert(2);
            free = format!("{name} ({number})");
            *number += 1;
        }
        taken.insert(free.clone(), 2);
        given.push(free);
    }
    given
}

fn list(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    format!("{{ {} }}", names.join(" "))
}

/// A name between quotation marks, which are written with a backslash within it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", label(name).replace('"', "\\\""))
}

/// A name of the signs that Gambit takes.
fn label(name: &str) -> String {
    let mut text = String::new();
    for sign in name.chars().map(plain_sign) {
        match sign {
            // It would quote the sign after it.
            '\\' => text.push('/'),
            sign if sign.is_whitespace() || sign.is_control() => text.push(' '),
            sign if sign.is_ascii() => text.push(sign),
            sign => text.push_str(&format!("U+{:04X}", u32::from(sign))),
        }
    }
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{distinct, quoted};

    #[test]
    fn names_are_quoted_so_that_each_ends_where_it_should() {
        assert_eq!(quoted("take 2"), r#""take 2""#);
        assert_eq!(quoted(r#"say "no""#), r#""say \"no\"""#);
        assert_eq!(quoted(r"a\"), r#""a/""#);
        assert_eq!(quoted("a\\\"b"), r#""a/\"b""#);
        assert_eq!(quoted(" two\n lines "), r#""two lines""#);
        assert_eq!(quoted("10♠ é"), r#""10s U+00E9""#);
    }

    #[test]
    fn equal_names_get_numbers_that_nothing_else_has() {
        let names = ["a", "a (2)", "a", "b", "a"].map(str::to_string);
        assert_eq!(distinct(&names), ["a", "a (2)", "a (3)", "b", "a (4)"]);
    }
}
