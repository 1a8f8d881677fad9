//! What `Cargo.toml` asks for is used: the dependencies of the program by the program, those of the tests by a test, a
//! bench or the fuzz target.

use crate::source::{is_word, root, sources};

/// The names under the headings of a manifest that end so, as they are written in code.
fn asked_for(manifest: &str, heading: &str) -> Vec<String> {
    let mut inside = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if let Some(title) = line.strip_prefix('[') {
            let title = title.trim_end_matches(']');
            inside = title == heading || title.ends_with(&format!(".{heading}"));
            if let Some((before, name)) = title.rsplit_once('.')
                && (before == heading || before.ends_with(&format!(".{heading}")))
            {
                names.push(name.replace('-', "_"));
            }
        } else if let Some((name, _)) = line.split_once('=').filter(|_| inside) {
            names.push(name.trim().replace('-', "_"));
        }
    }
    names
}

/// Whether a path in the code begins with the name, or the name stands alone in a `use`.
fn uses(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].trim_end();
        let after = code[at + name.len()..].trim_start();
        let whole = !code[..at].ends_with(is_word) && !before.ends_with("::");
        whole
            && (after.starts_with("::")
                || before.ends_with("use")
                || before.ends_with("extern crate"))
    })
}

fn unused(manifest: &str, heading: &str, code: &[String]) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(manifest)).unwrap();
    let names = asked_for(&text, heading);
    assert!(!names.is_empty(), "{manifest} has no {heading}");
    let used = |name: &String| code.iter().any(|c| uses(c, name));
    names.into_iter().filter(|n| !used(n)).collect()
}

#[test]
fn every_dependency_is_used() {
    let shipped: Vec<String> = sources("src").into_iter().map(|s| s.shipped).collect();
    let all = |folders: &[&str]| -> Vec<String> {
        let found = folders.iter().flat_map(|f| sources(f));
        found.map(|s| s.code).collect()
    };
    let none: [String; 0] = [];
    assert_eq!(unused("Cargo.toml", "dependencies", &shipped), none);
    let tests = all(&["src", "tests", "benches"]);
    assert_eq!(unused("Cargo.toml", "dev-dependencies", &tests), none);
    let fuzz = all(&["fuzz/fuzz_targets"]);
    assert_eq!(unused("fuzz/Cargo.toml", "dependencies", &fuzz), none);
}

#[test]
fn dependencies_are_read_and_found() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\na-b = \"1\"\n[target.'cfg(unix)'.dependencies.c]\nversion = \"1\"\n[dev-dependencies]\nd = \"1\"";
    assert_eq!(asked_for(manifest, "dependencies"), ["a_b", "c"]);
    assert_eq!(asked_for(manifest, "dev-dependencies"), ["d"]);
    assert!(uses("use a_b::C;", "a_b") && uses("x(a_b::f())", "a_b") && uses("use a_b;", "a_b"));
    assert!(
        !uses("let a_b = 1;", "a_b") && !uses("x::a_b::f()", "a_b") && !uses("xa_b::f()", "a_b")
    );
}
