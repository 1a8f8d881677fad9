//! A tree as the text of a game: what a player is told and may do at each information set, what chance draws, what is paid,
//! and the nodes in tables.

use super::names::{Names, distinct, is_name, text};
use super::tokens::{Number, Read, wrong};
use super::{Course, Kind, reader};
use crate::cli::codes;
use crate::syntax::format::format;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use indexmap::IndexMap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The most nodes or sets that an array by a formula may run over.
const MOST_IN_FORMULA: usize = 4096;
/// The most that a weight of a draw may be.
const MOST_WEIGHT: i64 = 1_000_000_000;

/// The name of the game and its text, set as `ruse fmt` sets it. It is called as its title, or else as its `file`.
///
/// # Errors
/// When probabilities are too fine, or the text is larger than one of the language may be.
pub fn write(course: &Course<'_>, file: &str) -> Read<(String, String)> {
    let efg = course.efg;
    let mut names = Names::new();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let title = match text(&efg.title) {
        title if title.is_empty() => text(stem),
        title => title,
    };
    let name = names.give(&title, "Imported");
    let players = efg.players.iter().enumerate();
    let players = players.map(|(i, player)| names.give(player, &format!("Player_{}", i + 1)));
    let mut writer = Writer {
        course,
        players: players.collect(),
        sets: Vec::new(),
        names,
        text: String::new(),
    };
    writer.head(file, &title, &name);
    writer.nodes();
    writer.sets();
    writer.chance()?;
    writer.payoffs();
    writer.play();
    let text = format(&writer.text).map_err(|problems| {
        let first = problems.into_iter().next();
        let said = first.map_or_else(|| "it is no text".to_string(), |problem| problem.message);
        let message = format!("this tree gives no game: {said}");
        Box::new(Diagnostic::error(
            codes::NO_TELLING,
            Span::new(0, 0),
            message,
        ))
    })?;
    Ok((name, text))
}

struct Writer<'c> {
    course: &'c Course<'c>,
    players: Vec<String>,
    /// The information sets, in the order in which they are asked.
    sets: Vec<String>,
    names: Names,
    text: String,
}

impl Writer<'_> {
    fn say(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    fn head(&mut self, file: &str, title: &str, name: &str) {
        self.say(format!("// Imported from {}: {title}", text(file)));
        let efg = self.course.efg;
        if !text(&efg.comment).is_empty() {
            self.say(format!("// {}", text(&efg.comment)));
        }
        if self.course.never > 0 {
            let left = self.course.never;
            self.say(format!(
                "// Branches that chance never takes are left out: {left}."
            ));
        }
        self.say(format!("\ngame {name} {{"));
        self.say(format!("  players {{ {} }}", self.players.join(", ")));
    }

    fn nodes(&mut self) {
        let course = self.course;
        self.say("\n  // The tree: node 1 is its root, and below a node are those from the `first` on, one for each move or");
        self.say("  // outcome in the order of their types.");
        self.say(format!("  type Node = 1..{}", course.order.len()));
        let inner = course
            .first
            .iter()
            .enumerate()
            .filter(|(_, first)| **first > 0);
        // What an end has there is of no meaning.
        let entries = inner.map(|(at, first)| format!("{}: {}", at + 1, first + 1));
        let entries: Vec<String> = entries.chain(["else: 1".to_string()]).collect();
        self.say(format!(
            "  const first : [Node] Node = {{ {} }}",
            entries.join(", ")
        ));
    }

    /// The nodes whose kind gives a value, by that value; each as ranges of numbers.
    fn by_value(&self, value: impl Fn(Kind) -> Option<usize>) -> BTreeMap<usize, Vec<usize>> {
        let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, node) in self.course.order.iter().enumerate() {
            if let Some(value) = value(self.course.efg.nodes[*node].kind) {
                found.entry(value).or_default().push(at + 1);
            }
        }
        found
    }

    /// A constant over the nodes: values in words, each with the nodes that have it, and that of the others.
    fn table(&mut self, name: &str, of: &str, rows: &[(String, Vec<usize>)], rest: &str) {
        if rows.is_empty() {
            return self.say(format!("  const {name} : [Node] {of} = {{ else: {rest} }}"));
        }
        if self.course.order.len() > MOST_IN_FORMULA {
            let each = |(value, nodes): &(String, Vec<usize>)| {
                nodes
                    .iter()
                    .map(|n| format!("{n}: {value}"))
                    .collect::<Vec<_>>()
            };
            let rest = [format!("else: {rest}")];
            let entries: Vec<String> = rows.iter().flat_map(each).chain(rest).collect();
            let entries = entries.join(", ");
            return self.say(format!("  const {name} : [Node] {of} = {{ {entries} }}"));
        }
        self.say(format!(
            "  const {name} : [Node] {of} = [n in Node] match n {{"
        ));
        for (value, nodes) in rows {
            self.say(format!("    {} => {value}", ranges(nodes)));
        }
        self.say(format!("    else => {rest}\n  }}"));
    }

    /// The information sets, their names and moves, and where they are.
    fn sets(&mut self) {
        let course = self.course;
        let sets: Vec<usize> = course.moments.iter().flat_map(|m| m.sets.clone()).collect();
        if sets.is_empty() {
            return;
        }
        let told = self.told(&sets);
        let moves = self.given("Move", &course.moves.names, "move");
        self.say("\n  // What its player is told at an information set, what the moves there are, and its nodes.");
        self.say(format!(
            "  enum Set {{ {} }}",
            told.iter()
                .map(|(_, shown)| shown.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        ));
        self.say(&moves.1);
        let listed = sets.iter().map(|set| {
            let mut list = course.moves.lists[*set].clone();
            list.sort_unstable();
            let list: Vec<&str> = list.iter().map(|i| moves.0[*i].as_str()).collect();
            format!("{{ {} }}", list.join(", "))
        });
        let names: Vec<&str> = told.iter().map(|(name, _)| name.as_str()).collect();
        let menus = menus(&names, &listed.collect::<Vec<_>>());
        self.say(format!("  const moves : [Set] set of Move = {menus}"));
        let mut nodes = self.by_value(|kind| match kind {
            Kind::Decision(set) => Some(set),
            _ => None,
        });
        let rows: Vec<(String, Vec<usize>)> = std::iter::zip(&sets, &told)
            .map(|(set, (name, _))| (name.clone(), nodes.remove(set).unwrap_or_default()))
            .collect();
        self.table("asks", "Set?", &rows, "none");
        self.sets = told.into_iter().map(|(name, _)| name).collect();
    }

    /// For each set its name, and the name with its text where that is another.
    fn told(&mut self, sets: &[usize]) -> Vec<(String, String)> {
        let efg = self.course.efg;
        let mut texts: Vec<String> = vec![String::new(); efg.sets.len()];
        for player in 0..efg.players.len() {
            let own: Vec<usize> = sets
                .iter()
                .copied()
                .filter(|s| efg.sets[*s].player == player)
                .collect();
            let labels: Vec<String> = own
                .iter()
                .map(|s| match text(&efg.sets[*s].label) {
                    label if label.is_empty() => {
                        format!("{}_{}", self.players[player], efg.sets[*s].number)
                    }
                    label => label,
                })
                .collect();
            for (set, label) in std::iter::zip(own, distinct(&labels)) {
                texts[set] = label;
            }
        }
        let mut told = Vec::new();
        for &set in sets {
            let (number, label) = (efg.sets[set].number, &texts[set]);
            let numbered = format!("{}_{number}", self.players[efg.sets[set].player]);
            let like = if is_name(label) { label } else { &numbered };
            let name = self.names.give(like, &numbered);
            let shown = with_text(&name, label);
            told.push((name, shown));
        }
        told
    }

    /// Names of the language for names of the file, and the enum that has them.
    fn given(&mut self, of: &str, labels: &[String], otherwise: &str) -> (Vec<String>, String) {
        let mut given = Vec::new();
        let mut shown = Vec::new();
        for (i, label) in labels.iter().enumerate() {
            let name = self.names.give(label, &format!("{otherwise}_{}", i + 1));
            shown.push(with_text(&name, label));
            given.push(name);
        }
        (given, format!("  enum {of} {{ {} }}", shown.join(", ")))
    }

    fn chance(&mut self) -> Read<()> {
        let course = self.course;
        let mut nodes = self.by_value(|kind| match kind {
            Kind::Chance(draw) => Some(draw),
            _ => None,
        });
        if nodes.is_empty() {
            return Ok(());
        }
        let outcomes = self.given("Outcome", &course.outcomes.names, "outcome");
        let draws: Vec<usize> = nodes.keys().copied().collect();
        let weights: Vec<Vec<i64>> = draws
            .iter()
            .map(|draw| self.weights(*draw))
            .collect::<Read<_>>()?;
        self.say("\n  // What chance may draw, how often, and where.");
        self.say(&outcomes.1);
        self.say(format!("  type Draw = 1..{}", draws.len()));
        let numbers: Vec<String> = (1..=draws.len()).map(|n| n.to_string()).collect();
        let numbers = || numbers.iter().map(String::as_str);
        let names = |draw: usize| {
            course
                .possible(draw)
                .map(move |i| course.outcomes.lists[draw][i])
        };
        let listed = draws.iter().map(|draw| {
            let list: Vec<&str> = names(*draw).map(|i| outcomes.0[i].as_str()).collect();
            format!("{{ {} }}", list.join(", "))
        });
        let listed: Vec<String> = listed.collect();
        let entries = entries(numbers(), &listed);
        self.say(format!(
            "  const outcomes : [Draw] set of Outcome = {{ {entries} }}"
        ));
        let most = weights.iter().flatten().copied().max().unwrap_or(1);
        if most > 1 {
            let rows = std::iter::zip(&draws, &weights).map(|(draw, weights)| {
                let pairs = std::iter::zip(names(*draw), weights);
                let pairs = pairs.map(|(i, weight)| format!("{}: {weight}", outcomes.0[i]));
                let all = weights.len() == outcomes.0.len();
                let rest = (!all).then(|| "else: 0".to_string());
                format!("{{ {} }}", pairs.chain(rest).collect::<Vec<_>>().join(", "))
            });
            let rows: Vec<String> = rows.collect();
            let entries = self::entries(numbers(), &rows);
            self.say(format!(
                "  const weight : [Draw][Outcome] 0..{most} = {{ {entries} }}"
            ));
        }
        let rows: Vec<(String, Vec<usize>)> = draws
            .iter()
            .zip(1..)
            .map(|(draw, number)| (number.to_string(), nodes.remove(draw).unwrap_or_default()))
            .collect();
        self.table("draws", "Draw?", &rows, "none");
        self.say("");
        self.say("  rule nature() {\n let d = draws[at]\n if d != none {");
        let weighted = if most > 1 {
            "weighted weight[d, o]"
        } else {
            ""
        };
        self.say(format!("draw secretly o in outcomes[d] {weighted}"));
        self.say("at = first[at] + size(outcomes[d] before o)\n }\n }");
        Ok(())
    }

    /// Whole numbers in the proportions of the probabilities that are not 0.
    fn weights(&self, draw: usize) -> Read<Vec<i64>> {
        let efg = self.course.efg;
        let chances = &efg.draws[draw].outcomes;
        let chances: Vec<Number> = self.course.possible(draw).map(|i| chances[i].1).collect();
        let common = chances.iter().try_fold(1i64, |common, chance| {
            let factor = chance.denom() / greatest_divisor(common, *chance.denom());
            common.checked_mul(factor).filter(|n| *n <= MOST_WEIGHT)
        });
        match common {
            Some(common) => Ok(chances
                .iter()
                .map(|c| c.numer() * (common / c.denom()))
                .collect()),
            None => {
                let here = |node: &&super::Node| node.kind == Kind::Chance(draw);
                let span = efg
                    .nodes
                    .iter()
                    .find(here)
                    .map_or(Span::new(0, 0), |n| n.span);
                let message =
                    format!("these probabilities have no common denominator up to {MOST_WEIGHT}");
                wrong(span, message)
            }
        }
    }

    fn payoffs(&mut self) {
        let efg = self.course.efg;
        let ends = self.by_value(|kind| match kind {
            Kind::End(payoffs) => Some(payoffs),
            _ => None,
        });
        self.say("\n  // What is paid, and at which ends.");
        self.say(format!("  type Result = 1..{}", ends.len()));
        let rows: Vec<String> = ends
            .keys()
            .zip(1..)
            .map(|(payoffs, number)| {
                let each = std::iter::zip(&self.players, &efg.payoffs[*payoffs]);
                let each: Vec<String> = each
                    .map(|(player, x)| format!("{player}: {}", written(x)))
                    .collect();
                format!("{number}: {{ {} }}", each.join(", "))
            })
            .collect();
        self.say(format!(
            "  const pays : [Result][Player] number = {{\n {}\n }}",
            rows.join(",\n")
        ));
        // The one with the most ends stands for the rest, which saves text.
        let most = ends.values().map(Vec::len).max();
        let rest = ends
            .values()
            .position(|nodes| Some(nodes.len()) == most)
            .unwrap_or(0);
        let rows: Vec<(String, Vec<usize>)> = ends
            .into_values()
            .enumerate()
            .filter(|(i, _)| *i != rest)
            .map(|(i, nodes)| ((i + 1).to_string(), nodes))
            .collect();
        self.table("result", "Result", &rows, &(rest + 1).to_string());
    }

    fn play(&mut self) {
        let course = self.course;
        let asked = course.moments.iter().any(|moment| moment.mover.is_some());
        self.say("\n state {\n at : Node = 1 seen by none");
        if asked {
            self.say("asked : [p: Player] Set? seen by p");
        }
        self.say("}");
        if asked {
            self.say("\n // Tells a player which of its sets from `low` to `high` it is at, if at one, and asks what to do there.");
            self.say("rule ask(p: Player, low: Set, high: Set) {\n let s = asks[at]");
            self.say(
                "asked[p] = reveal(if s != none and low <= s and s <= high then s else none to p)",
            );
            self.say("if asked[p] != none {\n p chooses secretly m in moves[asked[p]] as \"{m}\"");
            self.say("at = first[at] + size(moves[asked[p]] before m)\n }\n }");
        }
        self.say("\n play {");
        let mut at = 0;
        for moment in &course.moments {
            match moment.mover {
                None => self.say("nature()"),
                Some(player) => {
                    let player = self.players[player].clone();
                    let last = at + moment.sets.len() - 1;
                    let (low, high) = (&self.sets[at], &self.sets[last]);
                    let call = format!("ask({player}, {low}, {high})");
                    self.say(call);
                    at = last + 1;
                }
            }
        }
        self.say(format!(
            "}}\n\n payoff {}: [p in Player] pays[result[at], p]\n}}",
            self.claim()
        ));
    }

    /// What the payoffs of all ends add up to.
    fn claim(&self) -> String {
        let ends = self.by_value(|kind| match kind {
            Kind::End(payoffs) => Some(payoffs),
            _ => None,
        });
        let sums = ends
            .keys()
            .map(|i| reader::sum(self.course.efg.payoffs[*i].iter().copied()));
        let sums: std::collections::BTreeSet<Option<Number>> = sums.collect();
        match sums.first() {
            Some(Some(sum)) if sums.len() == 1 && *sum == Number::from(0) => "zero-sum".to_string(),
            Some(Some(sum)) if sums.len() == 1 => format!("constant-sum {}", written(sum)),
            _ => "general-sum".to_string(),
        }
    }
}

/// A name, and its text where that is another one.
fn with_text(name: &str, label: &str) -> String {
    match name == label {
        true => name.to_string(),
        false => format!("{name} \"{label}\""),
    }
}

/// The moves of each set, those together that have the same, and those of the most sets under `else`.
fn menus(names: &[&str], moves: &[String]) -> String {
    let mut rows: IndexMap<&str, Vec<&str>> = IndexMap::new();
    for (name, moves) in std::iter::zip(names, moves) {
        rows.entry(moves).or_default().push(name);
    }
    let most = rows.values().map(Vec::len).max();
    let usual = rows.values().position(|names| Some(names.len()) == most);
    let usual = usual.and_then(|i| rows.shift_remove_index(i));
    let rest = usual.map_or("{}", |(moves, _)| moves);
    if rows.is_empty() || names.len() > MOST_IN_FORMULA {
        return format!("{{ {} }}", entries(names.iter().copied(), moves));
    }
    let rows = rows
        .iter()
        .map(|(moves, names)| format!("{} => {moves}\n", names.join(", ")));
    format!(
        "[s in Set] match s {{\n{} else => {rest}\n}}",
        rows.collect::<String>()
    )
}

/// A value for each key, the most frequent one under `else`.
fn entries<'a>(keys: impl Iterator<Item = &'a str>, values: &[String]) -> String {
    let mut times: BTreeMap<&String, usize> = BTreeMap::new();
    for value in values {
        *times.entry(value).or_default() += 1;
    }
    // Of those that are equally frequent, the first.
    let usual = values.iter().rev().max_by_key(|value| times[value]);
    let usual = usual.filter(|value| times[value] > 1);
    let others = std::iter::zip(keys, values).filter(|(_, value)| Some(*value) != usual);
    let others = others.map(|(key, value)| format!("{key}: {value}"));
    let rest = usual.map(|value| format!("else: {value}"));
    others.chain(rest).collect::<Vec<_>>().join(", ")
}

/// Numbers that rise, three or more in a row as a range.
fn ranges(numbers: &[usize]) -> String {
    let mut text = String::new();
    for row in numbers.chunk_by(|a, b| a + 1 == *b) {
        let gap = if text.is_empty() { "" } else { ", " };
        // Writing to a string does not fail.
        let _ = match row {
            [one] => write!(text, "{gap}{one}"),
            [one, two] => write!(text, "{gap}{one}, {two}"),
            [one, .., last] => write!(text, "{gap}{one}..{last}"),
            [] => Ok(()),
        };
    }
    text
}

/// A number as the language has it: in a few decimals where they are exact, else as a fraction.
fn written(number: &Number) -> String {
    let exact = [1, 10, 100, 1000, 10_000]
        .into_iter()
        .find(|k| k % number.denom() == 0);
    match exact.and_then(|k| Some((k, number.numer().checked_mul(k / number.denom())?))) {
        Some((1, n)) => n.to_string(),
        Some((k, n)) => {
            let (sign, n) = (if n < 0 { "-" } else { "" }, n.unsigned_abs());
            let (k, digits) = (k.unsigned_abs(), k.ilog10() as usize);
            format!("{sign}{}.{:0digits$}", n / k, n % k)
        }
        None => number.to_string(),
    }
}

fn greatest_divisor(a: i64, b: i64) -> i64 {
    match b {
        0 => a,
        b => greatest_divisor(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_exactly() {
        let number = |a, b| written(&Number::new(a, b));
        assert_eq!(
            [number(-3, 1), number(1, 2), number(-1, 8)],
            ["-3", "0.5", "-0.125"]
        );
        assert_eq!([number(1, 3), number(-101, 100)], ["1/3", "-1.01"]);
    }

    #[test]
    fn rows_of_numbers_are_ranges() {
        assert_eq!(ranges(&[1, 2, 4, 7, 8, 9, 10]), "1, 2, 4, 7..10");
        let values = ["a", "b", "b"].map(String::from);
        assert_eq!(
            entries(["1", "2", "3"].into_iter(), &values),
            "1: a, else: b"
        );
    }
}
