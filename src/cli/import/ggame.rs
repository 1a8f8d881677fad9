//! Reads the map of a game between a defender, who guards targets on a graph, and an attacker: JSON as the program of
//! Karwowski & Mańdziuk (2019) keeps it, in a file `NAME.ggame`.

use super::json::{self, Tree, Value};
use crate::cli::codes;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use std::collections::BTreeSet;

/// The most vertices, rounds and units that are read; the compiler has its own limits below.
const MOST: usize = 4096;

/// A map as the file has it. Vertices are numbers from 0.
#[derive(Debug)]
pub struct Map {
    pub vertices: usize,
    /// Each once, the lower number first, in order.
    pub edges: BTreeSet<(usize, usize)>,
    pub rounds: usize,
    pub units: usize,
    pub targets: Vec<usize>,
    /// Where the attacker comes in.
    pub entry: usize,
    /// For the defender who meets the attacker, by vertex.
    pub rewards: Vec<f64>,
    /// For the attacker who is met, by vertex.
    pub penalties: Vec<f64>,
    /// For the defender when the attacker reaches a target, in the order of the targets.
    pub losses: Vec<f64>,
    /// The same for the attacker.
    pub prizes: Vec<f64>,
}

/// What a table of the file may have. `id` is a number of its own that nothing depends on.
const FIELDS: [&str; 10] = [
    "graphConfig",
    "rounds",
    "defenderUnitCount",
    "targets",
    "spawn",
    "vertexDefenderRewards",
    "vertexAttackerPenalties",
    "targetDefenderPenalties",
    "targetAttackerRewards",
    "id",
];

type Read<T> = Result<T, Box<Diagnostic>>;

/// Reads a map and checks that its parts fit together.
///
/// # Errors
/// What is no JSON, or no map, with its place.
pub fn read(text: &str) -> Read<Map> {
    let tree = json::read(text).map_err(|misread| {
        let span = Span::new(misread.place.start, misread.place.end);
        let message = format!("this is no JSON: {}", misread.message);
        Box::new(Diagnostic::error(codes::NO_MAP, span, message))
    })?;
    Reader.map(&tree)
}

struct Reader;

impl Reader {
    fn wrong<T>(&self, at: &Tree, message: impl Into<String>) -> Read<T> {
        let span = Span::new(at.place.start, at.place.end);
        Err(Box::new(Diagnostic::error(codes::NO_MAP, span, message)))
    }

    fn map(&self, tree: &Tree) -> Read<Map> {
        self.only(tree, "a map", &FIELDS)?;
        let field = |name| self.field(tree, "a map", name);
        let graph = field("graphConfig")?;
        self.only(graph, "`graphConfig`", &["vertexCount", "edges"])?;
        let count = self.field(graph, "`graphConfig`", "vertexCount")?;
        let vertices = self.whole(count, 1, MOST, "the number of vertices")?;
        let edges = self.edges(self.field(graph, "`graphConfig`", "edges")?, vertices)?;
        let rounds = self.whole(field("rounds")?, 1, MOST, "the number of rounds")?;
        let units = field("defenderUnitCount")?;
        let units = self.whole(units, 1, MOST, "the number of units")?;
        let listed = field("targets")?;
        let mut targets = Vec::new();
        for target in self.list(listed, "targets")? {
            let vertex = self.vertex(target, vertices)?;
            if targets.contains(&vertex) {
                return self.wrong(target, format!("{vertex} is a target already"));
            }
            targets.push(vertex);
        }
        if targets.is_empty() {
            return self.wrong(listed, "there is no target");
        }
        let entry = self.vertex(field("spawn")?, vertices)?;
        let numbers = |name, count, of| self.numbers(field(name)?, count, of);
        Ok(Map {
            rewards: numbers("vertexDefenderRewards", vertices, "vertices")?,
            penalties: numbers("vertexAttackerPenalties", vertices, "vertices")?,
            losses: numbers("targetDefenderPenalties", targets.len(), "targets")?,
            prizes: numbers("targetAttackerRewards", targets.len(), "targets")?,
            vertices,
            edges,
            rounds,
            units,
            targets,
            entry,
        })
    }

    /// The edges of a list that has each in both directions.
    fn edges(&self, tree: &Tree, vertices: usize) -> Read<BTreeSet<(usize, usize)>> {
        let list = self.list(tree, "edges")?;
        let mut ways = BTreeSet::new();
        for edge in list {
            self.only(edge, "an edge", &["from", "to"])?;
            let end = |name| self.vertex(self.field(edge, "an edge", name)?, vertices);
            let (from, to) = (end("from")?, end("to")?);
            if from == to {
                let message = format!("the edge leads from {from} to itself; waiting needs none");
                return self.wrong(edge, message);
            }
            if !ways.insert((from, to)) {
                return self.wrong(edge, format!("the edge from {from} to {to} stands twice"));
            }
        }
        for edge in list {
            let end = |name| self.vertex(self.field(edge, "an edge", name)?, vertices);
            let (from, to) = (end("from")?, end("to")?);
            if !ways.contains(&(to, from)) {
                let message = format!("there is an edge from {from} to {to} and none back");
                return self.wrong(edge, message);
            }
        }
        Ok(ways.into_iter().filter(|(from, to)| from < to).collect())
    }

    fn rows<'a>(&self, tree: &'a Tree, what: &str) -> Read<&'a [(String, Tree)]> {
        match &tree.value {
            Value::Object(rows) => Ok(rows),
            _ => self.wrong(tree, format!("{what} is an object with names")),
        }
    }

    /// Refuses names that nobody reads, and those that stand twice.
    fn only(&self, tree: &Tree, what: &str, names: &[&str]) -> Read<()> {
        let rows = self.rows(tree, what)?;
        for (i, (name, value)) in rows.iter().enumerate() {
            if !names.contains(&name.as_str()) {
                return self.wrong(value, format!("{what} has no `{name}`"));
            }
            if rows[..i].iter().any(|(other, _)| other == name) {
                return self.wrong(value, format!("`{name}` stands twice"));
            }
        }
        Ok(())
    }

    fn field<'a>(&self, tree: &'a Tree, what: &str, name: &str) -> Read<&'a Tree> {
        let mut rows = self.rows(tree, what)?.iter();
        match rows.find(|(n, _)| n == name) {
            Some((_, value)) => Ok(value),
            None => self.wrong(
                tree,
                format!("{what} needs `{name}`, which is missing here"),
            ),
        }
    }

    fn list<'a>(&self, tree: &'a Tree, what: &str) -> Read<&'a [Tree]> {
        match &tree.value {
            Value::List(list) => Ok(list),
            _ => self.wrong(tree, format!("there must be a list of {what} here")),
        }
    }

    fn number(&self, tree: &Tree, what: &str) -> Read<Option<f64>> {
        match tree.value {
            Value::Number(x) => Ok(Some(x)),
            Value::Text => self.wrong(
                tree,
                format!("{what} must be a number, without quotation marks"),
            ),
            _ => Ok(None),
        }
    }

    fn whole(&self, tree: &Tree, least: usize, most: usize, what: &str) -> Read<usize> {
        match self.number(tree, what)? {
            Some(x) if x.fract() == 0.0 && (least as f64..=most as f64).contains(&x) => {
                Ok(x as usize)
            }
            _ => self.wrong(tree, format!("{what} must be from {least} to {most}")),
        }
    }

    fn vertex(&self, tree: &Tree, vertices: usize) -> Read<usize> {
        self.whole(tree, 0, vertices - 1, "a vertex")
    }

    /// One number each for so many.
    fn numbers(&self, tree: &Tree, count: usize, of: &str) -> Read<Vec<f64>> {
        let list = self.list(tree, "numbers")?;
        if list.len() != count {
            let message = format!("there are {count} {of} and {} numbers for them", list.len());
            return self.wrong(tree, message);
        }
        let number = |tree| match self.number(tree, "this")? {
            Some(x) if x.abs() <= 1e9 => Ok(x),
            _ => self.wrong(tree, "this must be a number, up to 1e9 from 0"),
        };
        list.iter().map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"{ "graphConfig": { "vertexCount": 3, "edges": [
  { "from": 0, "to": 1 }, { "from": 1, "to": 0 }, { "from": 1, "to": 2 }, { "from": 2, "to": 1 } ] },
  "rounds": 4, "defenderUnitCount": 1, "targets": [1], "spawn": 2,
  "vertexDefenderRewards": [0.1, 0.2, 0.1], "vertexAttackerPenalties": [-0.1, -0.3, -0.1],
  "targetDefenderPenalties": [-0.5], "targetAttackerRewards": [0.4], "id": "a" }"#;

    #[test]
    fn a_map_is_read_with_its_parts() {
        let map = read(SMALL).unwrap();
        assert_eq!(
            (map.vertices, map.rounds, map.units, map.entry),
            (3, 4, 1, 2)
        );
        assert_eq!(map.edges.into_iter().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
        assert_eq!((map.rewards[1], map.penalties[1]), (0.2, -0.3));
        assert_eq!((map.losses, map.prizes), (vec![-0.5], vec![0.4]));
    }

    /// What is told, and the text that it points at.
    #[test]
    fn each_mistake_is_told_with_its_place() {
        for (from, to, told, at) in [
            ("\"spawn\": 2", "\"spawn\": 3", "from 0 to 2", "3"),
            (
                "\"targets\": [1]",
                "\"targets\": []",
                "there is no target",
                "[",
            ),
            (
                "\"targets\": [1]",
                "\"targets\": [1, 1]",
                "1 is a target already",
                "1",
            ),
            (
                "[0.1, 0.2, 0.1]",
                "[0.1, 0.2]",
                "3 vertices and 2 numbers",
                "[",
            ),
            ("0.2", "\"0.2\"", "must be a number", "\"0.2\""),
            ("0.2", "null", "must be a number", "null"),
            ("0.2", "1e400", "must be a number", "1e400"),
            (
                "\"spawn\": 2",
                "\"spawn\": \"2\"",
                "without quotation",
                "\"2\"",
            ),
            ("\"rounds\": 4", "\"rounds\": 4.5", "from 1 to 4096", "4.5"),
            (
                "\"rounds\": 4",
                "\"rounds\": true",
                "from 1 to 4096",
                "true",
            ),
            ("0.2,", "'0.2',", "no JSON: expected value", "'0.2'"),
            ("0.1],", "0.1,],", "no JSON: trailing comma", "]"),
            ("\"id\": \"a\"", "\"spawn\": 0", "stands twice", "0"),
            ("\"id\"", "\"name\"", "a map has no `name`", "\"a\""),
            ("\"rounds\": 4,", "", "needs `rounds`", "{"),
            (
                "\"from\": 0, \"to\": 1",
                "\"from\": 0, \"to\": 2",
                "none back",
                "{",
            ),
            (
                "\"from\": 0, \"to\": 1",
                "\"from\": 0, \"to\": 0",
                "to itself",
                "{",
            ),
        ] {
            let text = SMALL.replacen(from, to, 1);
            let problem = read(&text).unwrap_err();
            assert!(problem.message.contains(told), "{}", problem.message);
            assert_eq!(&text[problem.span.range()], at, "{told}");
        }
    }

    /// A file that was cut off anywhere is no map, and does no harm.
    #[test]
    fn a_torn_file_is_no_map() {
        for length in 0..SMALL.len() {
            assert!(read(&SMALL[..length]).is_err(), "{length}");
        }
    }
}
