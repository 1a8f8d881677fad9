//! What `cargo install` and a release get.

use super::source::root;
use std::process::Command;

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// The package has all that the program is made of, and no test, snapshot or result.
#[test]
fn the_package_holds_what_the_program_needs_and_no_more() {
    let list = Command::new(env!("CARGO"))
        .args(["package", "--list", "--allow-dirty", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo");
    assert!(
        list.status.success(),
        "{}",
        String::from_utf8_lossy(&list.stderr)
    );
    let list = String::from_utf8(list.stdout).unwrap();
    let files: Vec<String> = list.lines().map(|l| l.replace('\\', "/")).collect();
    for needed in [
        "CHANGELOG.md",
        "CITATION.cff",
        "Cargo.lock",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
        "docs/language.md",
        "games/table.rs",
        "grammar/game.pest",
        "src/main.rs",
    ] {
        assert!(files.iter().any(|f| f == needed), "{needed} is missing");
    }
    // Every game, page and template: texts are part of the program.
    for folder in ["games", "docs/errors"] {
        let there = std::fs::read_dir(root().join(folder)).unwrap();
        for entry in there.map(|e| e.unwrap()).filter(|e| e.path().is_file()) {
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            assert!(files.contains(&name), "{name} is missing");
        }
    }
    let beside = [
        "tests/",
        "snapshots/",
        "experiments/",
        "benches/",
        "fuzz/",
        "docs/results/",
        ".ci/",
    ];
    let wrong = files
        .iter()
        .find(|f| beside.iter().any(|b| f.starts_with(b)));
    assert_eq!(wrong, None);
}

/// The version stands in two files, and a line of the change log begins a list for what is not released.
#[test]
fn the_citation_is_of_this_version() {
    let citation = read("CITATION.cff");
    let field = |name: &str| {
        let line = citation.lines().find_map(|l| l.strip_prefix(name));
        line.unwrap_or_else(|| panic!("{name} is missing"))
            .trim()
            .to_string()
    };
    assert_eq!(field("version:"), env!("CARGO_PKG_VERSION"));
    assert_eq!(field("cff-version:"), "1.2.0");
    for name in ["message:", "title:", "type:"] {
        assert!(!field(name).is_empty());
    }
    for license in env!("CARGO_PKG_LICENSE").split(" OR ") {
        assert!(citation.contains(&format!("  - {license}\n")), "{license}");
    }
}
