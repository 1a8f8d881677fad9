//! `ruse explain`: what an error code means, with a wrong game and the mended one; what a word or a function of the language
//! means.

use super::habits;
use super::output::{self, Failure, Verdict, table};
use super::words;
use crate::text::explain::{PAGES, page};
use crate::text::wrap::reflowed;
use clap::Args;
use serde::Serialize;

/// Explain an error code, with a wrong game and the mended one, or a word of the language
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse explain E0101
  ruse explain together
  ruse explain top
  ruse explain

Without a code, every code is listed with one line.

Exit codes:
  0  explained
  2  there is no such code or word")]
pub struct Explain {
    /// The code, as it stands in the report of a problem; or a word or a function of the language
    #[arg(value_name = "CODE|WORD")]
    wanted: Option<String>,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct List {
    codes: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    code: &'static str,
    title: &'static str,
}

#[derive(Serialize)]
struct Meaning<'t> {
    word: &'t str,
    /// Markdown.
    text: &'t str,
}

#[derive(Serialize)]
struct Whole {
    code: &'static str,
    title: &'static str,
    /// Markdown.
    text: &'static str,
}

impl Explain {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let Some(wanted) = &self.wanted else {
            self.list();
            return Ok(Verdict::Fine);
        };
        let digits = wanted.strip_prefix(['E', 'e']).unwrap_or_default();
        if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_digit()) {
            return self.word(wanted);
        }
        let wanted = wanted.to_uppercase();
        let Some(found) = page(&wanted) else {
            return Err(Failure::advised(
                format!("there is no code {wanted}"),
                "`ruse explain` lists all of them",
            ));
        };
        output::show(
            self.json,
            &Whole {
                code: found.code,
                title: found.title(),
                text: found.text,
            },
            || for_people(found.text),
        );
        Ok(Verdict::Fine)
    }

    fn word(&self, word: &str) -> Result<Verdict, Failure> {
        let Some(text) = words::meaning(word) else {
            let hint = match words::near(word) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    "docs/language.md tells of all words; `ruse explain` lists the codes of errors"
                        .to_string()
                }
            };
            return Err(Failure::advised(
                format!("the language has no word or function `{word}`"),
                hint,
            ));
        };
        let shown = Meaning { word, text: &text };
        output::show(self.json, &shown, || for_people(&text));
        Ok(Verdict::Fine)
    }

    fn list(&self) {
        if self.json {
            let codes = PAGES.iter().map(|p| Line {
                code: p.code,
                title: p.title(),
            });
            output::json(&List {
                codes: codes.collect(),
            });
            return;
        }
        let rows: Vec<Vec<String>> = PAGES
            .iter()
            .map(|p| vec![p.code.to_string(), p.title().to_string()])
            .collect();
        output::print(&table(&rows, &[]));
    }
}

/// The page without the marks of Markdown; programs are indented.
fn for_people(page: &str) -> String {
    let page = match habits::size() {
        Some((width, _)) => reflowed(page, width),
        None => page.to_string(),
    };
    let mut text = String::new();
    let mut program = false;
    for line in page.lines() {
        if line.starts_with("```") {
            program = !program;
        } else if program && !line.is_empty() {
            text.push_str("    ");
            text.push_str(line);
            text.push('\n');
        } else {
            text.push_str(line.trim_start_matches(['#', ' ']));
            text.push('\n');
        }
    }
    text
}
