//! Who may know what: small games that tell too much, with the report that each gets, and games that do not.

use ruse::check::{Settings, check};
use ruse::diagnostics::Diagnostic;
use std::path::{Path, PathBuf};

fn problems(text: &str, settings: &Settings) -> Vec<Diagnostic> {
    let (file, mut problems) = ruse::syntax::parse(text);
    if let Some(file) = file {
        let (description, more) = check(&file, settings);
        problems.extend(more);
        if let Some(d) = description {
            for p in ruse::check::visibility::visibility(&d) {
                if !problems
                    .iter()
                    .any(|q| q.code == p.code && q.span == p.span)
                {
                    problems.push(p);
                }
            }
        }
    }
    problems.sort_by_key(|p| (p.span, p.code));
    problems
}

fn games(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut list: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "game"))
        .collect();
    list.sort();
    list.into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path, text)
        })
        .collect()
}

fn rendered(path: &Path, text: &str, problems: &[Diagnostic]) -> String {
    let name = path.file_name().unwrap().to_string_lossy();
    let list: Vec<String> = problems
        .iter()
        .map(|p| p.render(&name, text, false))
        .collect();
    list.join("\n\n")
}

#[test]
fn leaks_are_found() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    let mut missed = Vec::new();
    for (path, text) in games("tests/leaks/wrong") {
        let code = text.trim_start_matches("// ").split(':').next().unwrap();
        let found = problems(&text, &Settings::new());
        let report = rendered(&path, &text, &found);
        let errors: Vec<&str> = found
            .iter()
            .filter(|p| p.is_error())
            .map(|p| p.code.0)
            .collect();
        if !errors.contains(&code) || errors.iter().any(|c| !c.starts_with("E04")) {
            missed.push(format!("{}: {errors:?}\n{report}", path.display()));
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy();
        let snapshot = format!("{text}\n---\n\n{report}");
        settings.bind(|| insta::assert_snapshot!(format!("leak-{name}"), snapshot));
    }
    assert!(missed.is_empty(), "{}", missed.join("\n\n"));
}

#[test]
fn sound_games_pass() {
    let mut wrong = Vec::new();
    for (path, text) in games("tests/leaks/right") {
        let found = problems(&text, &Settings::new());
        if found.iter().any(Diagnostic::is_error) {
            wrong.push(rendered(&path, &text, &found));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
