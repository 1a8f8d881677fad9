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

/// The commit that `--version` shows: of the package, of the repository, or none; never in a build for development.
#[test]
fn a_release_knows_its_commit() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let script = at.join(format!("script{}", std::env::consts::EXE_SUFFIX));
    let compiled = Command::new("rustc")
        .args(["--edition", "2024", "-o"])
        .arg(&script)
        .arg(root().join("src/cli/build_commit.rs"))
        .status()
        .expect("rustc");
    assert!(compiled.success());
    let commit = |profile: &str, given: Option<&str>| {
        let mut script = Command::new(&script);
        script.current_dir(at).env("PROFILE", profile);
        match given {
            Some(commit) => script.env("RUSE_COMMIT", commit),
            None => script.env_remove("RUSE_COMMIT"),
        };
        let output = script.output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        let set = text
            .lines()
            .find_map(|l| l.strip_prefix("cargo:rustc-env=RUSE_COMMIT="));
        set.map(str::to_string)
    };
    assert_eq!(commit("release", None), None, "nothing is known");

    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(at)
            .args(["-c", "user.name=A", "-c", "user.email=a@b.c"]);
        let output = git.args(arguments).output().expect("git");
        assert!(output.status.success(), "git {arguments:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_string()
    };
    git(&["init", "-q"]);
    std::fs::write(at.join("Cargo.toml"), "").unwrap();
    git(&["add", "Cargo.toml"]);
    git(&["commit", "-q", "-m", "Begin"]);
    let head = git(&["rev-parse", "HEAD"])[..12].to_string();
    assert_eq!(commit("release", None), Some(head.clone()));
    assert_eq!(commit("debug", None), None);
    assert_eq!(commit("release", Some("given")), None, "Cargo hands it on");
    std::fs::write(at.join("Cargo.toml"), "# changed").unwrap();
    assert_eq!(commit("release", None), Some(head + "+"));

    let sha1 = "0123456789abcdef0123456789abcdef01234567";
    let info = format!("{{ \"git\": {{ \"sha1\": \"{sha1}\" }}, \"path_in_vcs\": \"\" }}");
    std::fs::write(at.join(".cargo_vcs_info.json"), info).unwrap();
    assert_eq!(commit("release", None), Some("0123456789ab".to_string()));
}
