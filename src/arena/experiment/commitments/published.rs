//! How long a run took others, as they published it: `published: { The paper: { short: 453, long: 955 } }`, seconds by variant.
//! They stand beside the seconds of our own, and results do not depend on them.

use super::super::codes;
use super::super::reader::{Reader, Row, find};
use super::times::EXACT;
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::yaml::Tree;
use indexmap::IndexMap;

/// By who published them, seconds by the name of a variant.
pub type Published = IndexMap<String, IndexMap<String, f64>>;

const HINT: &str =
    "such as `published: { The paper: { short: 0.5, long: 20 } }`: seconds of a run, by variant";

/// The names in a table of the file.
fn names<'t>(rows: &'t [Row], table: &str) -> Vec<&'t str> {
    match find(rows, table) {
        Some(Tree::Table(rows, _)) => rows.iter().map(|(name, _)| name.text.as_str()).collect(),
        _ => Vec::new(),
    }
}

pub fn read(reader: &Reader<'_>, rows: &[Row]) -> Result<Published, Box<Diagnostic>> {
    let Some(tree) = find(rows, "published") else {
        return Ok(Published::new());
    };
    let variants = names(rows, "variants");
    let mut own = names(rows, "players");
    own.push(EXACT);
    let sources = reader.rows(tree, "`published`", HINT)?;
    let read = sources.iter().map(|(source, tree)| {
        reader.name(source)?;
        if own.contains(&source.text.as_str()) {
            let message = format!("`{}` is one of our own already", source.text);
            let hint = "give those who published the seconds another name";
            return Err(reader.at(source.number, codes::BAD_VALUE, message, hint));
        }
        let rows = reader.rows(tree, &format!("`{}`", source.text), HINT)?;
        let seconds = rows.iter().map(|(variant, value)| {
            let name = &variant.text;
            if !variants.contains(&name.as_str()) {
                let message = format!("the experiment has no variant `{name}`");
                let hint = match nearest(name, variants.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if variants.is_empty() => {
                        "seconds are those of one of the `variants`".to_string()
                    }
                    None => format!("variants: {}", variants.join(", ")),
                };
                return Err(reader.at(variant.number, codes::BAD_VALUE, message, &hint));
            }
            let word = reader.word(value, name, HINT)?;
            let seconds = word.text.replace('_', "").parse().ok();
            let seconds = seconds.filter(|x: &f64| x.is_finite() && *x > 0.0);
            let seconds = seconds.ok_or_else(|| {
                let message = format!("`{}` are no seconds", word.text);
                reader.at(word.number, codes::BAD_VALUE, message, HINT)
            })?;
            Ok((name.clone(), seconds))
        });
        Ok((source.text.clone(), seconds.collect::<Result<_, _>>()?))
    });
    read.collect()
}
