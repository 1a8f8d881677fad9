//! A transcript beside the one that was accepted: what has changed, line by line, with some lines around it.

use similar::{ChangeTag, DiffTag, TextDiff};

/// How many equal lines stand before and after what has changed.
const AROUND: usize = 3;

/// One line of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// What follows begins at this line of the old text (from 1); the last heading above the first line that has changed, if
    /// there is one. Headings are the lines that are not indented.
    At {
        line: usize,
        heading: String,
    },
    Same(String),
    Removed(String),
    Added(String),
}

/// A text beside the snapshot that was accepted before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They are the same but for blank lines at the end.
    Same,
    /// There is no snapshot yet; what would be one.
    New(String),
    Different {
        /// From the snapshot to the text.
        changes: Vec<Change>,
        /// The text as a snapshot. What another tool has put at the top of the old one stays there.
        snapshot: String,
    },
}

/// Compares a text with a snapshot, if there is one.
pub fn compare(snapshot: Option<&str>, text: &str) -> Comparison {
    let text = format!("{}\n", text.trim_end());
    let Some(old) = snapshot else {
        return Comparison::New(text);
    };
    let old = old.replace("\r\n", "\n");
    let (header, kept) = without_header(&old);
    let kept = format!("{}\n", kept.trim_end());
    if kept == text {
        return Comparison::Same;
    }
    Comparison::Different {
        changes: changes(&kept, &text),
        snapshot: format!("{header}{text}"),
    }
}

/// The difference from one text to another; empty when they are the same.
fn changes(old: &str, new: &str) -> Vec<Change> {
    let diff = TextDiff::from_lines(old, new);
    let lines: Vec<&str> = old.lines().collect();
    let mut changes = Vec::new();
    for group in diff.grouped_ops(AROUND) {
        let from = group.first().map_or(0, |op| op.old_range().start);
        let mut changed = group.iter().filter(|op| op.tag() != DiffTag::Equal);
        let at = changed.next().map_or(from, |op| op.old_range().start);
        let above = lines[..at.min(lines.len())].iter().rev();
        let heading = above
            .copied()
            .find(|l| !l.is_empty() && !l.starts_with(char::is_whitespace));
        changes.push(Change::At {
            line: from + 1,
            heading: heading.unwrap_or_default().to_string(),
        });
        for op in &group {
            for change in diff.iter_changes(op) {
                let line = change.value().trim_end_matches(['\n', '\r']).to_string();
                changes.push(match change.tag() {
                    ChangeTag::Equal => Change::Same(line),
                    ChangeTag::Delete => Change::Removed(line),
                    ChangeTag::Insert => Change::Added(line),
                });
            }
        }
    }
    changes
}

/// Splits a snapshot into what stands between two lines `---` at its top, which other tools may have put there, and the
/// text itself.
fn without_header(snapshot: &str) -> (&str, &str) {
    let Some(rest) = snapshot.strip_prefix("---\n") else {
        return ("", snapshot);
    };
    match rest.find("\n---\n") {
        Some(at) => snapshot.split_at(4 + at + 5),
        None => ("", snapshot),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_has_its_lines_and_where_they_are() {
        let old = "play one\n  a\n  b\n  c\n  d\n  e\nplay two\n  f\n  g\n  h\n  i\n";
        let new = old.replace("  i\n", "  j\n");
        let found = changes(old, &new);
        assert_eq!(
            found[0],
            Change::At {
                line: 8,
                heading: "play two".to_string()
            }
        );
        assert_eq!(found[4], Change::Removed("  i".to_string()));
        assert_eq!(found[5], Change::Added("  j".to_string()));
        assert_eq!(changes(old, old), []);
        // What has changed stands below a heading that is among the lines around it.
        let found = changes(old, &old.replace("  g\n", "  j\n"));
        assert_eq!(
            found[0],
            Change::At {
                line: 6,
                heading: "play two".to_string()
            }
        );
    }

    #[test]
    fn a_header_is_told_from_the_text() {
        let text = "---\nsource: x\n---\nGame\n";
        assert_eq!(without_header(text), ("---\nsource: x\n---\n", "Game\n"));
        assert_eq!(without_header("Game\n"), ("", "Game\n"));
        assert_eq!(without_header("---\nGame\n"), ("", "---\nGame\n"));
    }
}
