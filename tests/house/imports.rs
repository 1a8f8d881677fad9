//! Imports point down: a folder of `src/` takes only from those below it, so that no two take from each other.

use crate::source::{Source, is_word, sources, without_literals};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The folders and files right under `src/`, from top to bottom. `lib` are the names that `lib.rs` defines itself.
const ORDER: &[&str] = &[
    "main", "internal", "cli", "arena", "review", "players", "shipped", "search", "solve",
    "belief", "lib", "machine", "compile", "ir", "check", "model", "syntax", "text", "random",
    "threads",
];

/// The first names of the paths in a file that begin at the root of the crate, with their lines.
fn imports(code: &str, depth: usize) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(length) = code[at..].find("::") {
        let end = at + length;
        let mut rest = &code[end + 2..];
        let word = code[..end].trim_end();
        let begin = word.rfind(|c| !is_word(c)).map_or(0, |i| i + 1);
        let inner = word[..begin].trim_end().ends_with("::");
        at = end + 2;
        let to_root = match &word[begin..] {
            "crate" => true,
            "super" if !inner => {
                let mut ups = 1;
                while let Some(more) = rest.trim_start().strip_prefix("super::") {
                    rest = more;
                    ups += 1;
                }
                ups == depth
            }
            _ => false,
        };
        if to_root {
            let line = code[..end].matches('\n').count() + 1;
            found.extend(firsts(rest).into_iter().map(|name| (line, name)));
        }
    }
    found
}

/// The first name of a path, or of each path of a group.
fn firsts(text: &str) -> Vec<String> {
    let text = text.trim_start();
    let name = |text: &str| -> String {
        text.trim_start()
            .chars()
            .take_while(|&c| is_word(c))
            .collect()
    };
    let Some(group) = text.strip_prefix('{') else {
        return vec![name(text)];
    };
    let mut names = vec![name(group)];
    let mut depth = 0;
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(name(&group[i + 1..])),
            _ => (),
        }
    }
    names.retain(|n| !n.is_empty());
    names
}

/// The folder or file right under `src/` that a path belongs to.
fn room(path: &Path) -> String {
    let inside = path.strip_prefix("src").unwrap();
    let first = inside.components().next().unwrap().as_os_str();
    Path::new(first)
        .file_stem()
        .unwrap()
        .to_string_lossy()
        .into_owned()
}

/// How many modules a file is deep in the crate.
fn depth(path: &Path) -> usize {
    let parts = path.strip_prefix("src").unwrap().components().count();
    parts - usize::from(path.ends_with("mod.rs"))
}

fn place(name: &str) -> usize {
    let place = ORDER.iter().position(|o| *o == name);
    place.unwrap_or_else(|| panic!("`src/{name}` has no place in the order"))
}

/// Where the names come from that `lib.rs` hands on.
fn handed_on(lib: &str) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for used in lib.split("pub use ").skip(1) {
        let path = &used[..used.find(';').unwrap()];
        let path = path.strip_prefix("crate::").unwrap_or(path);
        let from = firsts(path).remove(0);
        let words = path.split(|c| !is_word(c)).filter(|w| !w.is_empty());
        names.extend(words.map(|w| (w.to_string(), from.clone())));
    }
    names
}

#[test]
fn imports_point_down() {
    let sources = sources("src");
    let rooms: BTreeSet<String> = sources.iter().map(|s| room(&s.path)).collect();
    let lib = sources.iter().find(|s| s.path.ends_with("src/lib.rs"));
    let handed_on = handed_on(&lib.unwrap().shipped);
    let target = |name: &str| match handed_on.get(name) {
        _ if rooms.contains(name) => name.to_string(),
        Some(from) => from.clone(),
        None => "lib".to_string(),
    };
    let gone: Vec<_> = ORDER.iter().filter(|o| !rooms.contains(**o)).collect();
    assert!(gone.is_empty(), "in the order, but not in `src/`: {gone:?}");
    let mut upward = Vec::new();
    let mut seen = 0;
    for Source { path, shipped, .. } in &sources {
        let from = room(path);
        // These show the crate to others.
        if from == "lib" || from == "internal" {
            continue;
        }
        for (line, name) in imports(shipped, depth(path)) {
            let to = target(&name);
            seen += 1;
            if place(&to) < place(&from) {
                upward.push(format!("{}:{line} takes `{name}`", path.display()));
            }
        }
    }
    assert!(seen > 500, "{seen} imports are too few");
    assert!(
        upward.is_empty(),
        "imports that point up:\n{}",
        upward.join("\n")
    );
}

#[test]
fn every_way_to_import_is_seen() {
    let text = "use crate::a::b;\nuse crate::{c::{d, e::f}, g};\nuse super::super::{h, i};\nuse super::j;\nfn k() { crate::l::m(); n::crate_::o() }";
    let found = imports(&without_literals(text), 2);
    let names: Vec<&str> = found.iter().map(|(_, n)| n.as_str()).collect();
    assert_eq!(names, ["a", "c", "g", "h", "i", "l"]);
    assert_eq!(found[5].0, 5);
    let handed =
        handed_on("pub use arena::{Match, play::{Seat as Chair}};\npub use machine::Machine;");
    assert_eq!(
        (&*handed["Chair"], &*handed["Machine"]),
        ("arena", "machine")
    );
}
