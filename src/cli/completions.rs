//! `ruse completions`: what a shell needs to complete commands and options.

use super::Cli;
use super::output::{self, Failure, Verdict};
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

/// Print a script by which a shell completes commands and options
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse completions bash > ~/.local/share/bash-completion/completions/ruse
  ruse completions zsh > ~/.zfunc/_ruse
  ruse completions fish > ~/.config/fish/completions/ruse.fish")]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

impl Completions {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let mut script = Vec::new();
        generate(self.shell, &mut Cli::command(), "ruse", &mut script);
        output::print(&String::from_utf8_lossy(&script));
        Ok(Verdict::Fine)
    }
}
