//! What the program does when the far end of its output is gone or full.

use crate::support::command::ruse;
use std::process::Stdio;

#[test]
fn a_reader_that_goes_away_is_no_error_of_ours() {
    for arguments in [&["--help"][..], &["check", "games/none.game", "--json"]] {
        let mut child = ruse(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 2)), "{errors}");
        assert!(!errors.contains("panicked"), "{errors}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let output = ruse(&["check", "games/none.game", "--json"])
        .stdout(full.unwrap())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.contains("could not be written"), "{errors}");
}
