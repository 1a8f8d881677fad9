//! Player specs as YAML, in the same structure as their text: `random`, or `uct: { playouts: 1000, c: 0.7 }`; and all
//! players of a match: a list, or a table by seats.
//!
//! YAML is turned into the text form, which is then read like any other; so both take the same specs and tell of the same
//! mistakes. Problems get their place in the YAML back by `Converted::place`.

use super::spec::{PlayerSpec, beside, span, split, trim};
use super::{catalogue, codes};
use crate::search::parameters::Kind;
use crate::text::diagnostics::Diagnostic;
use crate::text::yaml::{self as tree, Scalar, Tree, locate};
use std::ops::Range;

/// The largest file of players, in bytes.
pub use crate::text::yaml::LARGEST;

/// The text form of a YAML file, and where its parts come from.
#[derive(Clone, Debug)]
pub struct Converted {
    /// `uct(playouts=1000)`, or `Ann=uct(playouts=1000),Ben=random`.
    pub text: String,
    /// Ranges of the text, each with the number of the scalar that it comes from.
    parts: Vec<(Range<usize>, usize)>,
}

/// One player. Files that it names are beside the YAML file, which is in `folder`.
///
/// # Errors
/// What is no YAML, or not in the structure of a spec; the span is in `yaml`. What the spec says is not looked at.
pub fn player(yaml: &str, folder: &str) -> Result<Converted, Box<Diagnostic>> {
    let mut writer = Writer::new(yaml, folder);
    let tree = read(yaml)?;
    writer.spec(&tree)?;
    Ok(writer.done)
}

/// One player, of whom a part of a larger file tells. Its places are those in the whole file, which is `yaml`; the names of
/// files stay as they are.
///
/// # Errors
/// As [`player`].
pub(crate) fn player_of(yaml: &str, part: &Tree) -> Result<Converted, Box<Diagnostic>> {
    let mut writer = Writer::new(yaml, "");
    writer.spec(part)?;
    Ok(writer.done)
}

/// All players of a match: a list of specs for the seats in whatever order the match gives them, a table from seats to
/// specs, or one spec with settings for all.
///
/// # Errors
/// As [`player`].
pub fn players(yaml: &str, folder: &str) -> Result<Converted, Box<Diagnostic>> {
    let mut writer = Writer::new(yaml, folder);
    let tree = read(yaml)?;
    match &tree {
        Tree::List(list, _) => {
            for (i, spec) in list.iter().enumerate() {
                writer.push(if i > 0 { "," } else { "" });
                writer.spec(spec)?;
            }
        }
        // A seat has a player, not a table of settings.
        Tree::Table(rows, _) if is_player(rows) => writer.spec(&tree)?,
        Tree::Table(rows, _) => {
            for (i, (seat, spec)) in rows.iter().enumerate() {
                writer.push(if i > 0 { "," } else { "" });
                writer.scalar(seat, &['=', ',', '(', ')'])?;
                writer.push("=");
                writer.spec(spec)?;
            }
        }
        Tree::Scalar(scalar) => {
            let hint = "write a list of players, or `SEAT: PLAYER` for each seat";
            return Err(writer.unreadable(scalar.number, "there are no players here", hint));
        }
    }
    Ok(writer.done)
}

/// Whether the rows of a table are one spec, not players of seats: a player with its settings, which are no player.
fn is_player(rows: &[(Scalar, Tree)]) -> bool {
    let [(name, settings)] = rows else {
        return false;
    };
    let is_known = |name: &Scalar| catalogue::find(&name.text).is_some();
    let is_settings = match settings {
        Tree::Table(rows, _) => !rows.iter().any(|(name, _)| is_known(name)),
        Tree::Scalar(nothing) => nothing.text.is_empty(),
        Tree::List(..) => false,
    };
    is_known(name) && is_settings
}

/// A spec as YAML, which reads back as the same spec.
pub fn write(spec: &PlayerSpec) -> String {
    let text = spec.to_string();
    let Some((name, settings)) = text.split_once('(') else {
        return format!("{text}\n");
    };
    let settings = settings.strip_suffix(')').unwrap_or(settings);
    let mut yaml = format!("{name}:\n");
    for part in split(settings, 0..settings.len(), ',') {
        let part = &settings[trim(settings, part)];
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        yaml.push_str(&format!("  {name}: {value}\n"));
    }
    yaml
}

impl Converted {
    /// The place in the YAML of a place in the text.
    pub fn place(&self, yaml: &str, at: usize) -> Range<usize> {
        let before = self.parts.iter().rev().find(|(range, _)| range.start <= at);
        let part = before.or(self.parts.first());
        part.map_or(0..0, |(_, number)| locate(yaml, *number))
    }
}

struct Writer<'y> {
    yaml: &'y str,
    folder: &'y str,
    done: Converted,
}

impl<'y> Writer<'y> {
    fn new(yaml: &'y str, folder: &'y str) -> Writer<'y> {
        let done = Converted {
            text: String::new(),
            parts: Vec::new(),
        };
        Writer { yaml, folder, done }
    }

    fn push(&mut self, text: &str) {
        self.done.text.push_str(text);
    }

    /// A spec, or a value that is one: a word, or a table of one row with a table of settings.
    fn spec(&mut self, tree: &Tree) -> Result<(), Box<Diagnostic>> {
        const SHAPE: &str = "write `random`, or `uct: { playouts: 1000 }`";
        let rows = match tree {
            Tree::Scalar(scalar) => return self.scalar(scalar, &[]),
            Tree::Table(rows, _) => rows,
            Tree::List(_, number) => {
                return Err(self.unreadable(*number, "a player is no list", SHAPE));
            }
        };
        let [(name, settings)] = rows.as_slice() else {
            let second = rows.get(1).map_or(tree.number(), |(name, _)| name.number);
            let message = "one player has one name, with its settings below it";
            return Err(self.unreadable(second, message, SHAPE));
        };
        self.scalar(name, &['=', ',', '(', ')'])?;
        let settings = match settings {
            Tree::Table(settings, _) => settings,
            Tree::Scalar(nothing) if nothing.text.is_empty() => return Ok(()),
            other => {
                let message = format!("the settings of `{}` are no table", name.text);
                return Err(self.unreadable(other.number(), &message, SHAPE));
            }
        };
        self.push("(");
        for (i, (parameter, value)) in settings.iter().enumerate() {
            self.push(if i > 0 { ", " } else { "" });
            self.scalar(parameter, &['=', ',', '(', ')'])?;
            self.push("=");
            let parameter = catalogue::find(&name.text).and_then(|e| e.parameter(&parameter.text));
            match (parameter.map(|p| p.kind), value) {
                (Some(Kind::Path), Tree::Scalar(path)) => {
                    self.word(path, &beside(self.folder, &path.text), &[])?;
                }
                _ => self.spec(value)?,
            }
        }
        self.push(")");
        Ok(())
    }

    /// A word as it stands. It must be one word in the text form too: no separator in it that is not in parentheses.
    fn scalar(&mut self, scalar: &Scalar, refused: &[char]) -> Result<(), Box<Diagnostic>> {
        let text = PlayerSpec::beside(&scalar.text, self.folder);
        self.word(scalar, &text, refused)
    }

    /// The same, with a text that stands for it.
    fn word(
        &mut self,
        scalar: &Scalar,
        text: &str,
        refused: &[char],
    ) -> Result<(), Box<Diagnostic>> {
        let mut depth = 0i32;
        let mut sound = !text.contains(refused);
        for c in text.chars() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            sound &= depth >= 0 && !(depth == 0 && matches!(c, ',' | '=' | '\n'));
        }
        if !sound || depth != 0 {
            let message = format!("`{text}` is more than one word");
            let hint = "each setting has a line of its own, `name: value`";
            return Err(self.unreadable(scalar.number, &message, hint));
        }
        let start = self.done.text.len();
        self.push(text);
        self.done
            .parts
            .push((start..self.done.text.len(), scalar.number));
        Ok(())
    }

    fn unreadable(&self, number: usize, message: &str, hint: &str) -> Box<Diagnostic> {
        let place = span(locate(self.yaml, number));
        Box::new(Diagnostic::error(codes::UNREADABLE, place, message).hint(hint))
    }
}

fn read(yaml: &str) -> Result<Tree, Box<Diagnostic>> {
    tree::read(yaml).map_err(|misread| {
        let message = format!("this is no YAML of players: {}", misread.message);
        let d = Diagnostic::error(codes::UNREADABLE, span(misread.place), message);
        Box::new(d.hint("write `random`, or `uct: { playouts: 1000 }`"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(yaml: &str) -> String {
        player(yaml, "").unwrap().text
    }

    #[test]
    fn a_spec_has_one_meaning_in_both_forms() {
        for (form, yaml) in [
            ("random", "random"),
            ("uct(playouts=1000)", "uct: {}"),
            ("uct(playouts=1000)", "uct:"),
            ("uct(playouts=1000)", "uct: { playouts: 1_000 }"),
            (
                "uct(playouts=50, c=0.7)",
                "# mine\nuct:\n  c: 0.70\n  playouts: 50\n",
            ),
            ("uct(ms=5, final=mean)", "uct: { ms: 5, final: mean }"),
            ("uct(ms=5, final=mean)", "'uct(ms=5, final=mean)'"),
        ] {
            let spec = PlayerSpec::parse(&text(yaml)).unwrap();
            assert_eq!(spec.to_string(), form, "{yaml}");
            let again = PlayerSpec::parse(&text(&write(&spec))).unwrap();
            assert_eq!(again, spec, "{}", write(&spec));
        }
    }

    #[test]
    fn players_are_listed_or_seated() {
        let list = players("- random\n- uct: { c: 1 }\n", "").unwrap();
        assert_eq!(list.text, "random,uct(c=1)");
        let table = players("Ann: random\nBen:\n  uct: { c: 1 }\n", "").unwrap();
        assert_eq!(table.text, "Ann=random,Ben=uct(c=1)");
    }

    #[test]
    fn a_mistake_has_its_place_in_the_yaml() {
        let yaml = "Ann: random\nBen:\n  uct:\n    playouts: 5\n    final: best\n";
        let table = players(yaml, "").unwrap();
        for word in ["Ann", "Ben", "uct", "playouts", "5", "final", "best"] {
            let at = table.text.find(word).unwrap();
            assert_eq!(&yaml[table.place(yaml, at)], word);
        }
    }

    #[test]
    fn files_are_beside_the_file_that_names_them() {
        for (yaml, read) in [
            (
                "strategy: { file: kuhn.json }",
                "strategy(file=there/kuhn.json)",
            ),
            (
                "'strategy(nodes=5, file = kuhn.json)'",
                "strategy(nodes=5, file = there/kuhn.json)",
            ),
            (
                "strategy: { file: /kuhn.json }",
                "strategy(file=/kuhn.json)",
            ),
            ("uct: { c: 1 }", "uct(c=1)"),
        ] {
            assert_eq!(player(yaml, "there").unwrap().text, read, "{yaml}");
        }
        let yaml = "strategy: { file: 'a, b.json' }";
        assert_eq!(player(yaml, "").unwrap_err().code, codes::UNREADABLE);
    }

    #[test]
    fn other_structures_are_refused() {
        for (yaml, place) in [
            ("uct: { playouts: [1, 2] }", "["),
            ("uct: 5", "5"),
            ("uct: {}\nrandom: {}", "random"),
            ("uct: { c: '1, playouts=3' }", "'1"),
            ("uct: { 'c=1': 2 }", "'c=1'"),
            ("[random]", "["),
            ("uct: { c: 1) }", "1)"),
        ] {
            let d = player(yaml, "").unwrap_err();
            assert_eq!(d.code, codes::UNREADABLE);
            assert_eq!(&yaml[d.span.range()], place, "{yaml}: {}", d.message);
        }
        assert!(players("random", "").is_err());
        for yaml in ["", "uct: {", "{a: b}: c", "\t", "&a [*a]", "- !x y\n- :"] {
            let _ = player(yaml, "");
            let _ = players(yaml, "");
        }
    }
}
