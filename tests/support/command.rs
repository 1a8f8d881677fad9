//! Runs the program, for tests that look at it from outside.

use super::snapshots::snapshots;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// The folder of the project.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The program, run in the folder of the project.
pub fn ruse(arguments: &[&str]) -> Command {
    ruse_in(&root(), arguments)
}

/// The program, run in a folder.
pub fn ruse_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ruse"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1");
    command
}

/// Begins a command that is to be stopped.
pub fn begin(command: &mut Command) -> Child {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// What a command ends with that hears Ctrl-C now.
pub fn interrupted(child: Child) -> Output {
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status();
    assert!(killed.unwrap().success());
    child.wait_with_output().unwrap()
}

/// Exit code, standard output, standard error.
pub fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = ruse_in(folder, arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let Output {
        status,
        stdout,
        stderr,
    } = output;
    (status.code().unwrap(), text(&stdout), text(&stderr))
}

/// Standard output of a command that must succeed.
pub fn fine(folder: &Path, arguments: &[&str]) -> String {
    let (code, out, errors) = run(folder, arguments);
    assert_eq!(code, 0, "{arguments:?}\n{errors}");
    out
}

/// A whole file.
pub fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A folder with an experiment in it.
pub fn folder(yaml: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.yaml"), yaml).unwrap();
    folder
}

/// Compares with the snapshot of an experiment.
pub fn snapshot(name: &str, text: &str) {
    snapshots("experiments").bind(|| insta::assert_snapshot!(name, text));
}
