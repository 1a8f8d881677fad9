//! Run by Cargo before a release is built: hands the commit of the sources to `--version`, as `RUSE_COMMIT`.
//!
//! The commit is the variable of that name where it is set, else the one that Cargo wrote into the package, else that of the
//! repository, with `+` where files were changed since. None of them is needed: there is a version without a commit too.
//! Builds for development have none, since every commit would compile the program again.

use std::path::Path;
use std::process::Command;

/// As many digits of a commit as `--version` shows.
const DIGITS: usize = 12;

/// What the program is made of: where it changes, so may the `+`.
const SOURCES: [&str; 5] = ["src", "grammar", "games", "docs/errors", "Cargo.toml"];

fn main() {
    println!("cargo:rerun-if-changed=src/cli/build_commit.rs");
    println!("cargo:rerun-if-env-changed=RUSE_COMMIT");
    if std::env::var_os("RUSE_COMMIT").is_some() {
        return;
    }
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if let Some(commit) = release
        .then(|| of_the_package().or_else(of_the_repository))
        .flatten()
    {
        println!("cargo:rustc-env=RUSE_COMMIT={commit}");
    }
}

/// The commit that `cargo package` wrote down.
fn of_the_package() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let after = text.split_once("\"sha1\"")?.1;
    let commit = after.split('"').nth(1)?;
    let known = commit.len() >= DIGITS && commit.bytes().all(|b| b.is_ascii_hexdigit());
    known.then(|| commit[..DIGITS].to_string())
}

/// The commit checked out, where the package is the whole of a repository: another one may merely hold these sources.
fn of_the_repository() -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let commit = git(&["rev-parse", &format!("--short={DIGITS}"), "HEAD"])?;
    for part in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", part])?;
        if Path::new(&path).exists() {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
    }
    let mut changes = vec!["status", "--porcelain", "--untracked-files=no", "--"];
    changes.extend(SOURCES);
    let changed = !git(&changes)?.is_empty();
    Some(if changed { commit + "+" } else { commit })
}

/// What `git` says, where there is one and it has an answer.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_string())
}
