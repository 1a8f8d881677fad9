//! A map as the text of a game. What the game is called that it extends, and what its parts are, stands in a template.

use super::ggame::Map;
use crate::syntax::format::format;
use crate::text::diagnostics::Diagnostic;
use std::path::Path;

/// Texts of games with `{…}` where the map has its say: of one that comes from a file, and of one that was drawn.
pub const IMPORTED: &str = include_str!("../../../games/imports/ggame.template");
pub const DRAWN: &str = include_str!("../../../games/imports/warehouse.template");

/// Up to so many rounds and units the game that is extended allows by itself.
const ROUNDS: usize = 12;
const UNITS: usize = 3;

/// The name of a game by that of a file: `smallbuilding-2-5.ggame` gives `Smallbuilding_2_5`.
pub fn name(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let words = stem.split(|c: char| !c.is_ascii_alphanumeric());
    let plain = words.filter(|word| !word.is_empty()).collect::<Vec<_>>();
    let plain = plain.join("_");
    let mut letters = plain.chars();
    match letters.next() {
        Some(first) if first.is_ascii_alphabetic() => {
            format!("{}{}", first.to_ascii_uppercase(), letters.as_str())
        }
        Some(_) => format!("Map_{plain}"),
        None => "Map".to_string(),
    }
}

/// What a template says of a map that is not in it, by its holes.
pub type Said<'a> = &'a [(&'a str, String)];

/// The text, set as `ruse fmt` sets it. Payoffs are multiplied by `scale` and rounded to six decimals.
///
/// # Errors
/// When the template does not give a text of the language.
pub fn write(
    map: &Map,
    (template, said): (&str, Said<'_>),
    name: &str,
    scale: f64,
) -> Result<String, Diagnostic> {
    let scaled = |list: &[f64]| -> Vec<String> {
        list.iter()
            .map(|x| decimals((x * scale * 1e6).round() / 1e6))
            .collect()
    };
    let rounds = param(map.rounds, ROUNDS);
    let units = param(map.units, UNITS);
    let targets: Vec<String> = map.targets.iter().map(ToString::to_string).collect();
    let by_target = |list: &[f64]| {
        let pairs = map.targets.iter().zip(scaled(list));
        let pairs = pairs.map(|(target, x)| format!("{target}: {x}, "));
        pairs.chain(["else: 0".to_string()]).collect::<String>()
    };
    let holes = [
        ("{scale}", decimals(scale)),
        ("{name}", name.to_string()),
        ("{rounds}", rounds),
        ("{units}", units),
        ("{last}", (map.vertices - 1).to_string()),
        ("{edges}", edges(map)),
        ("{base}", "0".to_string()),
        ("{entry}", map.entry.to_string()),
        ("{targets}", targets.join(", ")),
        ("{prize}", by_target(&map.prizes)),
        ("{loss}", by_target(&map.losses)),
        ("{penalty}", by_vertex(&scaled(&map.penalties))),
        ("{reward}", by_vertex(&scaled(&map.rewards))),
        (
            "{losses}",
            marks(&map.targets, "loss", &scaled(&map.losses)),
        ),
        (
            "{prizes}",
            marks(&map.targets, "prize", &scaled(&map.prizes)),
        ),
    ];
    let holes = [&holes[..], said].concat();
    format(&filled(template, &holes)).map_err(|problems| {
        let first = problems.into_iter().next();
        first.unwrap_or_else(|| {
            Diagnostic::error(crate::cli::codes::NO_MAP, Default::default(), "no text")
        })
    })
}

/// The rows of a picture as a layout has them.
pub fn picture(rows: &[String]) -> String {
    let rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    rows.join("\n")
}

/// The most targets that have a mark each, and the longest mark of the language.
const MARKED: usize = 12;
const LONGEST_MARK: usize = 8;

/// Lines of a layout that mark the targets, with what each is worth where all of that fits.
fn marks(targets: &[usize], what: &str, worth: &[String]) -> String {
    let marks: Vec<String> = worth.iter().map(|worth| format!("{what}{worth}")).collect();
    if targets.len() > MARKED || marks.iter().any(|mark| mark.len() > LONGEST_MARK) {
        return "r in target => \"target\"".to_string();
    }
    let lines = targets.iter().zip(marks);
    let lines = lines.map(|(target, mark)| format!("r == {target} => \"{mark}\""));
    lines.collect::<Vec<_>>().join("\n")
}

/// The template with its holes filled, each from left to right, so that no hole is seen in what fills another.
fn filled(template: &str, holes: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((at, (hole, value))) = holes
        .iter()
        .filter_map(|pair| Some((rest.find(pair.0)?, pair)))
        .min_by_key(|(at, _)| *at)
    {
        text.push_str(&rest[..at]);
        text.push_str(value);
        rest = &rest[at + hole.len()..];
    }
    text + rest
}

/// What follows the name of a param: its range too, where that of the other game is too narrow.
fn param(value: usize, most: usize) -> String {
    match value > most {
        true => format!(" : 1..{value} = {value}"),
        false => format!(" = {value}"),
    }
}

/// `0: 3 7; 1: 3`: each vertex with its neighbours of higher numbers.
fn edges(map: &Map) -> String {
    let mut rows: Vec<String> = Vec::new();
    let mut last = None;
    for (from, to) in &map.edges {
        match rows.last_mut() {
            Some(row) if last == Some(from) => row.push_str(&format!(" {to}")),
            _ => rows.push(format!("{from}: {to}")),
        }
        last = Some(from);
    }
    rows.join("; ")
}

/// The numbers of vertices, the most frequent one under `else`.
fn by_vertex(numbers: &[String]) -> String {
    let times = |x: &String| numbers.iter().filter(|y| *y == x).count();
    // Of those that are equally frequent, the first.
    let usual = numbers.iter().rev().max_by_key(|x| times(x));
    let others = numbers
        .iter()
        .enumerate()
        .filter(|(_, x)| Some(*x) != usual);
    let others = others.map(|(vertex, x)| format!("{vertex}: {x}, "));
    let rest = usual.map_or_else(String::new, |x| format!("else: {x}"));
    others.chain([rest]).collect()
}

/// A number in decimals, without an exponent and without `-0`.
pub fn decimals(x: f64) -> String {
    (x + 0.0).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_gives_a_name_of_the_language() {
        let named = |file: &str| name(Path::new(file));
        assert_eq!(named("a/smallbuilding-2-5.ggame"), "Smallbuilding_2_5");
        assert_eq!(named("7 rooms.ggame"), "Map_7_rooms");
        assert_eq!(named("3 éx.ggame"), "Map_3_x");
        assert_eq!(named("__two--rooms_.ggame"), "Two_rooms");
        assert_eq!(named("ä.x"), "Map");
        assert_eq!(named("-"), "Map");
    }

    #[test]
    fn the_most_frequent_number_is_that_of_the_rest() {
        let list = ["1", "2", "1", "-3"].map(String::from);
        assert_eq!(by_vertex(&list), "1: 2, 3: -3, else: 1");
        assert_eq!(by_vertex(&list[..2]), "1: 2, else: 1");
    }
}
