//! `game Mini extends "other.game" { … }`: the other game with what the variant names in the place of its own. Only the
//! players, the course of `play` and the `payoff` stay: with others it would be another game.
//!
//! Other files come from a loader that the caller passes in; nothing is read here. What the replacements mean is for the
//! passes that follow, which see one game.

use super::declare::declared_twice;
use crate::syntax::ast::{ExprKind, File, Item, Knowledge, KnowledgeKind, Name, StateVar};
use crate::syntax::visit::NameKind;
use crate::syntax::{self, codes};
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::sources::Sources;
use crate::text::span::Span;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

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
    let (files, mut problems, sources) = read(name, text, loader);
    let merged = files.and_then(|mut files| {
        let base = files.pop()?;
        let variants = files.into_iter().rev();
        Some(variants.fold(base, |base, variant| merge(base, variant, &mut problems)))
    });
    (merged, problems, sources)
}

/// Reads a game and those that it extends, each by itself, the game first; the spans of each begin where those of the file
/// before it end. `None` where one cannot be read.
pub fn read(
    name: &str,
    text: &str,
    loader: Loader<'_>,
) -> (Option<Vec<File>>, Vec<Diagnostic>, Sources) {
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
    let files = (!chain.is_empty()).then_some(chain);
    (files, problems, sources)
}

/// A loader for where there are no other files.
///
/// # Errors
/// Always.
pub fn no_files(_: &str, path: &str) -> Result<(String, String), String> {
    Err(format!("`{path}` cannot be read from here"))
}

/// The base with the items of the variant in the place of its own.
fn merge(mut base: File, mut variant: File, problems: &mut Vec<Diagnostic>) -> File {
    declare_once(&mut variant.items, problems);
    for item in &variant.items {
        match item {
            Item::Knowledge(knowledge) => without_knowledge(&mut base.items, knowledge),
            item => {
                if let Some((NameKind::Board, name)) = item.declares() {
                    without_pictures(&mut base.items, &name.text);
                }
            }
        }
    }
    for item in variant.items {
        let item = match item {
            Item::State(state) => {
                if let Some(cond) = &state.cond {
                    problems.push(conditional(cond.span));
                }
                let vars = state.vars;
                vars.into_iter()
                    .for_each(|var| state_variable(&mut base.items, var, problems));
                continue;
            }
            // Knowledge is no rule, so anybody may bring some.
            Item::Require(_) | Item::Knowledge(_) => {
                base.items.push(item);
                continue;
            }
            other => other,
        };
        let Some((kind, name)) = item.declares() else {
            problems.push(refused(&item));
            continue;
        };
        let (kind, name) = (kind, name.clone());
        let of_kind = |i: &&mut Item| i.declares().is_some_and(|(k, _)| k == kind);
        let found = base
            .items
            .iter_mut()
            .filter(of_kind)
            .find(|i| i.declares().is_some_and(|(_, n)| n.text == name.text));
        match found {
            Some(old) => replace(old, item),
            None => {
                let known = base.items.iter().filter_map(Item::declares);
                let names = known.filter(|(k, _)| *k == kind).map(|(_, n)| n);
                let names: Vec<&str> = names.map(|n| n.text.as_str()).collect();
                problems.push(missing(&names, kind, &name));
            }
        }
    }
    File {
        name: variant.name,
        extends: None,
        items: base.items,
        lost: variant.lost.into_iter().chain(base.lost).collect(),
        comments: variant.comments,
        span: variant.span,
    }
}

/// Takes out what a variant declares again, which would replace the first unseen, and says so.
fn declare_once(items: &mut Vec<Item>, problems: &mut Vec<Diagnostic>) {
    let mut known: FxHashMap<(NameKind, String), Span> = FxHashMap::default();
    let mut is_new = |kind: NameKind, name: &Name| match known.entry((kind, name.text.clone())) {
        Entry::Vacant(new) => {
            new.insert(name.span);
            true
        }
        Entry::Occupied(first) => {
            let problem = declared_twice(name, *first.get());
            problems.push(problem.hint("a variant declares it once: leave out one of them"));
            false
        }
    };
    items.retain_mut(|item| match item {
        Item::State(state) => {
            let vars = &mut state.vars;
            vars.retain(|var| is_new(NameKind::Variable, &var.name));
            true
        }
        item => item
            .declares()
            .is_none_or(|(kind, name)| is_new(kind, name)),
    });
}

/// A variable of any `state` block, declared anew.
fn state_variable(base: &mut [Item], var: StateVar, problems: &mut Vec<Diagnostic>) {
    let mut known: Vec<&mut StateVar> = base
        .iter_mut()
        .filter_map(|item| match item {
            Item::State(state) => Some(&mut state.vars),
            _ => None,
        })
        .flatten()
        .collect();
    match known.iter_mut().find(|v| v.name.text == var.name.text) {
        Some(old) => **old = var,
        None => {
            let names: Vec<&str> = known.iter().map(|v| v.name.text.as_str()).collect();
            problems.push(missing(&names, NameKind::Variable, &var.name));
        }
    }
}

/// Knowledge of a variant comes in the place of what its owners had.
fn without_knowledge(base: &mut Vec<Item>, knowledge: &Knowledge) {
    let owner = |k: &Knowledge| match &k.owners.kind {
        ExprKind::Name(name) => Some(name.text.clone()),
        _ => None,
    };
    if let Some(name) = owner(knowledge) {
        base.retain(|item| match item {
            Item::Knowledge(old) => owner(old).as_ref() != Some(&name),
            _ => true,
        });
    }
}

/// A picture shows one board and no other: where that is replaced, its layouts keep their marks alone.
fn without_pictures(base: &mut [Item], replaced: &str) {
    let entries = base.iter_mut().flat_map(|item| match item {
        Item::Knowledge(knowledge) => knowledge.entries.as_mut_slice(),
        _ => &mut [],
    });
    for entry in entries {
        if let KnowledgeKind::Layout { board, picture, .. } = &mut entry.kind
            && matches!(&board.kind, ExprKind::Name(name) if name.text == replaced)
        {
            picture.clear();
        }
    }
}

fn replace(old: &mut Item, new: Item) {
    match (old, new) {
        // A param keeps its type, and a constant, unless another is given.
        (Item::Param(old), Item::Param(new)) => {
            old.default = new.default;
            if new.ty.is_some() {
                old.ty = new.ty;
                old.indices = new.indices;
            }
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

fn conditional(span: Span) -> Diagnostic {
    let message =
        "a variant declares single variables anew, which are there when those of its game are";
    Diagnostic::error(codes::NOT_REPLACED, span, message).hint("leave out the `if`")
}

fn refused(item: &Item) -> Diagnostic {
    let (span, what) = match item {
        Item::Players(p) => (p.span, "`players`"),
        Item::Play(p) => (p.body.span, "`play`"),
        Item::Payoff(p) => (p.span, "`payoff`"),
        _ => (Default::default(), "this"),
    };
    Diagnostic::error(
        codes::NOT_REPLACED,
        span,
        format!("a variant cannot replace {what}"),
    )
    .hint("everything else that has a name can be replaced; other changes make another game, or go under a param of the game itself")
}

fn missing(names: &[&str], kind: NameKind, name: &Name) -> Diagnostic {
    let kind = kind.noun();
    let message = format!("the game that is extended has no {kind} `{}`", name.text);
    let problem = Diagnostic::error(codes::NOT_REPLACED, name.span, message);
    match nearest(&name.text, names.iter().copied()) {
        Some(near) => problem.did_you_mean(near),
        None if names.is_empty() => problem.hint(format!("it has no {kind} at all")),
        None => problem.hint(format!("it has {}", names.join(", "))),
    }
}
