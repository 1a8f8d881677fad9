//! `ruse man`: the help as manual pages.

use super::Cli;
use super::output::{self, Failure, Verdict};
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man as Page;
use std::path::PathBuf;

/// Write the manual pages, made of the same text as the help
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse man > ruse.1
  ruse man ~/.local/share/man/man1")]
pub struct Man {
    /// The folder for the pages of all commands; without it the page of `ruse` itself is printed
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
        let commands: Vec<Command> = program.get_subcommands().cloned().collect();
        for command in std::iter::once(program).chain(commands) {
            let name = command.get_display_name().unwrap_or(command.get_name());
            let path = folder.join(format!("{name}.1"));
            std::fs::write(&path, page(command)).map_err(|e| Failure::cannot_write(&path, &e))?;
            output::print(&format!("{}\n", path.display()));
        }
        Ok(Verdict::Fine)
    }
}

/// A page in the language of manual pages.
fn page(command: Command) -> String {
    let mut text = Vec::new();
    // Nothing goes wrong where it is written into memory.
    let _ = Page::new(command).render(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}
