//! `ruse report` beyond its transcripts: the same on any number of threads, pictures, a page, and a report after Ctrl-C.

#[cfg(target_os = "linux")]
use super::pty::{interrupted, watched};
use crate::support::command::ruse;
use serde_json::Value;

const QUICK: [&str; 6] = ["report", "kuhn-poker", "--games", "6", "--playouts", "10"];

fn stdout(more: &[&str]) -> String {
    let output = ruse(&[&QUICK[..], more].concat()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_report_does_not_depend_on_threads() {
    let [one, three] = ["1", "3"].map(|n| stdout(&["--threads", n, "--json"]));
    assert_eq!(one, three);
    assert_ne!(one, stdout(&["--seed", "2", "--json"]));
    let document: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(document["finished"], 6);
    assert_eq!(document["player"], "ismcts(playouts=10, belief=posterior)");
    let weaker: Vec<&Value> = document["skill"].as_array().unwrap().iter().collect();
    assert_eq!(weaker[0]["weaker"], "ismcts(playouts=1, belief=posterior)");
    assert_eq!(weaker[1]["weaker"], "random");
}

#[test]
fn pictures_and_the_page_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let pictures = folder.path().join("deep").join("pictures");
    let page = folder.path().join("page.html");
    let text = stdout(&[
        "--svg",
        pictures.to_str().unwrap(),
        "--html",
        page.to_str().unwrap(),
    ]);
    let page = std::fs::read_to_string(page).unwrap();
    for name in ["length", "branching", "seats", "skill"] {
        let svg = std::fs::read_to_string(pictures.join(format!("{name}.svg"))).unwrap();
        assert!(
            svg.starts_with("<svg") && svg.ends_with("</svg>\n"),
            "{svg}"
        );
        assert!(
            svg.contains("class=\"mean\"") && !svg.contains("NaN"),
            "{svg}"
        );
        assert!(page.contains(&svg), "{name}");
    }
    assert!(page.contains(&text), "{page}");
}

/// A page replaces a page, and nothing else.
#[cfg(unix)]
#[test]
fn a_page_replaces_no_other_file() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let [game, page, link] = ["mine.game", "page.html", "link.html"].map(|n| folder.path().join(n));
    std::fs::write(&game, "game Mine {}").unwrap();
    let mut other = ruse(&[&QUICK[..], &["--html", game.to_str().unwrap()]].concat());
    let output = other.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("E0806") && output.status.code() == Some(2),
        "{said}"
    );
    assert_eq!(std::fs::read_to_string(&game).unwrap(), "game Mine {}");
    // Through a link, and with the rights that there are.
    std::fs::write(&page, "<!DOCTYPE html> of another report").unwrap();
    std::fs::set_permissions(&page, PermissionsExt::from_mode(0o600)).unwrap();
    symlink(&page, &link).unwrap();
    stdout(&["--html", link.to_str().unwrap()]);
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert!(
        std::fs::read_to_string(&page)
            .unwrap()
            .ends_with("</html>\n")
    );
    assert_eq!(page.metadata().unwrap().permissions().mode() & 0o777, 0o600);
}

/// What was played before Ctrl-C is reported, and that it was stopped.
#[cfg(target_os = "linux")]
#[test]
fn a_report_that_is_stopped_tells_what_is_done() {
    let (child, screen) = watched(&["report", "tic-tac-toe", "--games", "100000", "--json"]);
    screen.wait_for_some(" of 300000 games");
    let output = interrupted(child);
    screen.wait_for_end();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let finished = document["finished"].as_u64().unwrap();
    assert!(finished > 0 && finished < 100_000, "{finished}");
    assert_eq!(document["coverage"], Value::Null);
    assert!(screen.text().contains("stopped after"));
}

/// Where nothing was finished, nothing is said of the payoffs.
#[cfg(target_os = "linux")]
#[test]
fn a_report_on_no_game_says_that_there_was_none() {
    let (child, screen) = watched(&["report", "chess", "--threads", "1"]);
    screen.wait_for(" of ");
    let output = interrupted(child);
    screen.wait_for_end();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("leads: no game was finished"), "{text}");
    assert!(!text.contains("cannot be compared"), "{text}");
}
