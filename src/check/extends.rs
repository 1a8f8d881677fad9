//! `game Mini extends "other.game" { … }`: the other game with some of its params, constants, types, enums, boards
//! and defs replaced.
//!
//! Other files come from a loader that the caller passes in; nothing is read here. What the replacements mean is for the
//! passes that follow, which see one game.

use super::scope::nearest;
use crate::diagnostics::Diagnostic;
use crate::sources::Sources;
use crate::syntax::ast::{File, Item, Name};
use crate::syntax::{self, codes};

/// Finds the text of another file: from the name of the file that names it, and the path as it is written there, to the
/// other file's name and text, or to the reason why there is none.
pub type Loader<'l> = &'l dyn Fn(&str, &str) -> Result<(String, String), String>;

/// How many files may extend one another.
const MOST: usize = 8;

/// Reads a game and those that it extends, as one. `name` is that of the text.
pub fn assemble(
    name: &str,
    text: &str,
    loader: Loader<'_>,
) -> (Option<File>, Vec<Diagnostic>, Sources) {
    let mut sources = Sources::new(name, text);
    let (file, mut problems) = syntax::parse(text);
    let mut chain: Vec<File> = file.into_iter().collect();
    while let Some(extends) = chain.last().and_then(|f| f.extends.clone()) {
        let refuse = |message: String, hint: &str| {
            Diagnostic::error(codes::CANNOT_EXTEND, extends.span, message).hint(hint)
        };
        if extends.path.trim().is_empty() {
            let message = "the name of the file to extend is missing";
            problems.push(refuse(message.to_string(), "name a file beside this one"));
            return (None, problems, sources);
        }
        let from = sources.files.last().map_or("", |f| f.name.as_str());
        let (name, text) = match loader(from, &extends.path) {
            Ok(found) => found,
            Err(why) => {
                problems.push(refuse(why, "name a file beside this one"));
                return (None, problems, sources);
            }
        };
        if sources.files.iter().any(|f| f.name == name) {
            problems.push(refuse(
                format!("`{}` leads back to a file that extends it", extends.path),
                "extend a game that does not depend on this one",
            ));
            return (None, problems, sources);
        }
        let length = sources.end() as usize + text.len();
        if chain.len() >= MOST || length > syntax::MAX_BYTES {
            let message = if chain.len() >= MOST {
                format!("more than {MOST} files extend one another")
            } else {
                format!(
                    "the files have {length} bytes together; at most {} are read",
                    syntax::MAX_BYTES
                )
            };
            problems.push(refuse(message, "put the changes into fewer files"));
            return (None, problems, sources);
        }
        // Blanks before it make its spans begin where those of the other files end.
        let start = sources.add(name, text.clone());
        let mut padded = " ".repeat(start as usize);
        padded.push_str(&text);
        let (file, more) = syntax::parse(&padded);
        problems.extend(more);
        let Some(file) = file else {
            return (None, problems, sources);
        };
        chain.push(file);
    }
    let mut merged = chain.pop();
    while let Some(variant) = chain.pop() {
        merged = merged.map(|base| merge(base, variant, &mut problems));
    }
    (merged, problems, sources)
}

/// A loader for where there are no other files.
pub fn no_files(_: &str, path: &str) -> Result<(String, String), String> {
    Err(format!("`{path}` cannot be read from here"))
}

/// The base with the items of the variant in the place of its own.
fn merge(mut base: File, variant: File, problems: &mut Vec<Diagnostic>) -> File {
    for item in variant.items {
        let Some((kind, name)) = replaceable(&item) else {
            problems.push(refused(&item));
            continue;
        };
        let (kind, name) = (kind, name.clone());
        let of_kind = |i: &&mut Item| replaceable(i).is_some_and(|(k, _)| k == kind);
        let found = base
            .items
            .iter_mut()
            .filter(of_kind)
            .find(|i| replaceable(i).is_some_and(|(_, n)| n.text == name.text));
        match found {
            Some(old) => replace(old, item),
            None => problems.push(missing(&base.items, kind, &name)),
        }
    }
    File {
        name: variant.name,
        extends: None,
        items: base.items,
        comments: variant.comments,
        span: variant.span,
    }
}

fn replace(old: &mut Item, new: Item) {
    match (old, new) {
        // A param keeps its type, and a constant, unless another is given.
        (Item::Param(old), Item::Param(new)) => {
            old.default = new.default;
            old.ty = new.ty.or_else(|| old.ty.take());
            old.name = new.name;
            old.span = new.span;
        }
        (Item::Const(old), Item::Const(new)) => {
            old.value = new.value;
            if new.ty.is_some() {
                old.ty = new.ty;
                old.indices = new.indices;
            }
            old.name = new.name;
            old.span = new.span;
        }
        (old, new) => *old = new,
    }
}

/// What a variant can replace: its kind and its name.
fn replaceable(item: &Item) -> Option<(&'static str, &Name)> {
    match item {
        Item::Param(p) => Some(("param", &p.name)),
        Item::Const(c) => Some(("constant", &c.name)),
        Item::Type(t) => Some(("type", &t.name)),
        Item::Enum(e) => Some(("enum", &e.name)),
        Item::Def(d) => Some(("def", &d.name)),
        Item::Board(b) => Some(("board", &b.name)),
        Item::Players(_)
        | Item::Team(_)
        | Item::State(_)
        | Item::Note(_)
        | Item::Rule(_)
        | Item::Play(_)
        | Item::Payoff(_)
        | Item::Knowledge(_) => None,
    }
}

fn refused(item: &Item) -> Diagnostic {
    let (span, what) = match item {
        Item::Players(p) => (p.span, "`players`"),
        Item::Team(t) => (t.span, "a team"),
        Item::State(vars) => (
            vars.first().map(|v| v.span).unwrap_or_default(),
            "state variables",
        ),
        Item::Note(n) => (n.span, "a note"),
        Item::Rule(r) => (r.name.span, "a rule"),
        Item::Play(p) => (p.body.span, "`play`"),
        Item::Payoff(p) => (p.span, "`payoff`"),
        Item::Knowledge(k) => (k.span, "knowledge"),
        _ => (Default::default(), "this"),
    };
    Diagnostic::error(
        codes::NOT_REPLACED,
        span,
        format!("a variant cannot replace {what}"),
    )
    .hint("it replaces params, constants, types, enums, boards and defs; other changes make another game, or go under a param")
}

fn missing(items: &[Item], kind: &'static str, name: &Name) -> Diagnostic {
    let names: Vec<&str> = items
        .iter()
        .filter_map(replaceable)
        .filter(|(k, _)| *k == kind)
        .map(|(_, n)| n.text.as_str())
        .collect();
    let hint = match nearest(&name.text, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => format!("it has no {kind} at all"),
        None => format!("it has {}", names.join(", ")),
    };
    Diagnostic::error(
        codes::NOT_REPLACED,
        name.span,
        format!("the game that is extended has no {kind} `{}`", name.text),
    )
    .hint(hint)
}
