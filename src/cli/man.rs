//! `ruse man`: the help as manual pages.

use super::Cli;
use super::output::{self, Failure, Verdict};
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man as Page;
use clap_mangen::roff::{Roff, bold, roman};
use std::path::{Path, PathBuf};

/// Write the manual pages, made of the same text as the help
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse man > ruse.1
  ruse man ~/.local/share/man/man1")]
pub struct Man {
    /// The folder for the pages of all commands, made where there is none; without it the page of `ruse` itself is printed
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Man {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let mut program = Cli::command().disable_help_subcommand(true);
        program.build();
        let Some(folder) = &self.folder else {
            output::print(&page(program));
            return Ok(Verdict::Fine);
        };
        std::fs::create_dir_all(folder).map_err(|e| Failure::cannot_write(folder, &e))?;
        write(&program, folder)
    }
}

/// Writes the page of a command, and those of the commands below it.
fn write(command: &Command, folder: &Path) -> Result<Verdict, Failure> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let path = folder.join(format!("{name}.1"));
    std::fs::write(&path, page(command.clone())).map_err(|e| Failure::cannot_write(&path, &e))?;
    output::print(&format!("{}\n", path.display()));
    for below in command.get_subcommands() {
        // `help` of a command that has others is no page of its own.
        if below.get_name() != "help" {
            write(below, folder)?;
        }
    }
    Ok(Verdict::Fine)
}

/// A page in the language of manual pages. What stands at the end of the help has sections of its own.
fn page(command: Command) -> String {
    let end = command.get_after_help().map(ToString::to_string);
    let several = command.has_subcommands();
    let has_version = command.get_version().is_some();
    let page = Page::new(command);
    let mut text = Vec::new();
    let mut write = || {
        page.render_title(&mut text)?;
        page.render_name_section(&mut text)?;
        page.render_synopsis_section(&mut text)?;
        page.render_description_section(&mut text)?;
        page.render_options_section(&mut text)?;
        if several {
            page.render_subcommands_section(&mut text)?;
        }
        if let Some(end) = &end {
            sections(end).to_writer(&mut text)?;
        }
        match has_version {
            true => page.render_version_section(&mut text),
            false => Ok(()),
        }
    };
    // Nothing goes wrong where it is written into memory.
    let _: std::io::Result<()> = write();
    String::from_utf8_lossy(&text).into_owned()
}

/// Sections of what is listed under a heading, such as `Examples:`; all else is notes.
fn sections(help: &str) -> Roff {
    let mut roff = Roff::default();
    let mut notes = Roff::default();
    for paragraph in help.split("\n\n") {
        let mut lines = paragraph.lines().peekable();
        while let Some(line) = lines.next() {
            let indented = |line: &&str| line.starts_with(' ');
            let heading = line.strip_suffix(':').filter(|_| !line.starts_with(' '));
            if let Some(heading) = heading.filter(|_| lines.peek().is_some_and(indented)) {
                roff.control("SH", [heading.to_uppercase().as_str()]);
                let mut list = Vec::new();
                while let Some(item) = lines.next_if(indented) {
                    list.push(item);
                }
                block(&mut roff, &list);
            } else if indented(&line) {
                let mut list = vec![line];
                while let Some(item) = lines.next_if(indented) {
                    list.push(item);
                }
                block(&mut notes, &list);
            } else {
                let mut text = vec![line];
                while let Some(more) = lines.next_if(|line| !line.starts_with(' ')) {
                    text.push(more);
                }
                notes.control("PP", []);
                notes.text([roman(text.join(" "))]);
            }
        }
    }
    if notes != Roff::default() {
        roff.control("SH", ["NOTES"]);
        roff.extend([notes]);
    }
    roff
}

/// The longest line that is printed as it stands.
const LONGEST: usize = 100;

/// Lines that are indented: words and what they mean, or what is to be typed as it stands.
fn block(roff: &mut Roff, lines: &[&str]) {
    let meanings: Option<Vec<(&str, &str)>> = lines.iter().map(|line| meaning(line)).collect();
    if let Some(meanings) = meanings {
        for (word, meaning) in meanings {
            roff.control("TP", []);
            roff.text([bold(word)]);
            roff.text([roman(meaning)]);
        }
        return;
    }
    let all_short = lines.iter().all(|line| line.chars().count() <= LONGEST);
    roff.control(if all_short { "nf" } else { "PP" }, []);
    for line in lines {
        roff.text([roman(*line)]);
        if !all_short {
            roff.control("br", []);
        }
    }
    if all_short {
        roff.control("fi", []);
    }
}

/// The parts of `0  fine` and of `lp: A linear program`.
fn meaning(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let (word, meaning) = line.split_once("  ").or_else(|| {
        let (word, meaning) = line.split_once(": ")?;
        let bare = !word.contains([' ', '{', '"']) && line.chars().count() > LONGEST;
        bare.then_some((word, meaning))
    })?;
    (!word.starts_with("ruse ")).then_some((word, meaning.trim_start()))
}
