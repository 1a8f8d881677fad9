//! The command line: one file per command, and what they share.
//!
//! Files, terminals, signals and the clock live here. Nothing here knows a rule of any game, and a library user misses
//! nothing by not having it.

mod analyse;
mod analyse_schedule;
mod belief;
mod bench;
mod best_response;
mod check;
mod clock;
mod codes;
mod completions;
mod coverage;
mod engine;
mod experiment;
mod explain;
mod exploitability;
mod export;
mod file_words;
mod fmt;
mod game;
mod games;
mod habits;
mod import;
mod interrupt;
mod load;
mod lock;
mod man;
mod match_;
mod match_text;
mod new;
mod number;
mod output;
mod particle_text;
mod perft;
mod picture_file;
mod play;
mod players;
mod players_text;
mod prepare;
mod problem;
mod progress;
mod record_file;
mod replay;
mod replay_text;
mod report;
mod report_html;
mod report_text;
mod round_robin;
mod scripts;
mod show;
mod solve;
mod test;
mod thought_text;
mod words;

use crate::text::wrap::reflowed;
use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use habits::Habits;
use output::{Failure, Verdict};
use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use std::sync::LazyLock;

const EXIT_CODES: &str = "\
Exit codes:
  0  fine
  1  the answer is no: the game has errors, play ran into one, or the run was stopped early
  2  wrong use: an unknown option, a value that does not fit, a file that cannot be read";

/// A game is a text file: ruse checks it, counts it and lets general players play it.
#[derive(Parser)]
#[command(
    name = "ruse",
    version = version(),
    max_term_width = 100,
    arg_required_else_help = true,
    after_help = EXIT_CODES
)]
struct Cli {
    #[command(flatten)]
    habits: Habits,

    #[command(subcommand)]
    command: Command,
}

/// The commands, each with its arguments.
macro_rules! commands {
    ($($name:ident: $arguments:ty,)*) => {
        #[derive(Subcommand)]
        enum Command {
            $($name($arguments),)*
        }

        impl Command {
            fn run(&self) -> Result<Verdict, Failure> {
                match self {
                    $(Command::$name(arguments) => arguments.run(),)*
                }
            }
        }
    };
}

commands! {
    Check: check::Check,
    Fmt: fmt::Fmt,
    Test: test::Test,
    Explain: explain::Explain,
    Show: show::Show,
    Perft: perft::PerftCommand,
    Solve: solve::SolveCommand,
    Exploitability: exploitability::ExploitabilityCommand,
    BestResponse: best_response::BestResponseCommand,
    Bench: bench::Bench,
    Match: match_::MatchCommand,
    Report: report::ReportCommand,
    Analyse: analyse::Analyse,
    Belief: belief::BeliefCommand,
    Experiment: experiment::ExperimentCommand,
    Play: play::Play,
    Replay: replay::Replay,
    Players: players::Players,
    Games: games::Games,
    New: new::New,
    Completions: completions::Completions,
    Man: man::Man,
    Import: import::Import,
    Export: export::Export,
}

/// Whether `--json` was given, to the command or to one below it.
fn asks_for_json(matches: &ArgMatches) -> bool {
    let given = matches.try_get_one("json").is_ok_and(|j| j == Some(&true));
    given || matches.subcommand().is_some_and(|(_, m)| asks_for_json(m))
}

/// The version, with the commit in a release (`build_commit.rs`).
fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let version = env!("CARGO_PKG_VERSION");
        option_env!("RUSE_COMMIT").map_or_else(
            || version.to_string(),
            |commit| format!("{version} ({commit})"),
        )
    });
    &VERSION
}

/// Ends the process where the arguments are wrong, or ask for help or the version: with 2, 0 and 0. Under `--json` what is
/// wrong is a JSON document too.
fn end(error: &clap::Error) -> ExitCode {
    let json = std::env::args_os().any(|argument| argument == "--json");
    if !error.use_stderr() {
        let printed = error.print().and_then(|()| std::io::stdout().flush());
        return match printed {
            Err(e) if e.kind() != ErrorKind::BrokenPipe => not_written(&e.to_string()),
            _ => Verdict::Fine.into(),
        };
    }
    if !json {
        error.exit();
    }
    output::fail(&told(&error.to_string()), true).into()
}

fn not_written(problem: &str) -> ExitCode {
    output::say(&format!(
        "error: the result could not be written: {problem}"
    ));
    Verdict::WrongUse.into()
}

/// What is wrong with arguments, of which `clap` tells in paragraphs.
fn told(text: &str) -> Failure {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut paragraphs = text.split("\n\n");
    let message = one_line(paragraphs.next().unwrap_or_default());
    let message = message.trim_start_matches("error: ");
    let tips = paragraphs.filter_map(|p| p.trim().strip_prefix("tip: "));
    match tips.map(one_line).collect::<Vec<_>>().join("; ") {
        none if none.is_empty() => Failure::usage(message),
        hint => Failure::advised(message, hint),
    }
}

/// Without the tip to write `--` before what is no option: nothing that commands take begins so.
fn without_dashes(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::StyledStrs(mut tips)) = error.remove(ContextKind::Suggested) {
        tips.retain(|tip| !tip.to_string().contains("as a value, use"));
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
    error
}

/// A command whose help is set anew where the terminal is narrower than its lines, and so are all below it.
fn narrowed(command: clap::Command) -> clap::Command {
    // A width of nothing says nothing.
    let command = match std::env::var_os("COLUMNS").is_some_and(|columns| columns == "0") {
        true => command.term_width(100),
        false => command,
    };
    let Some((width, _)) = habits::size() else {
        return command;
    };
    let text = command.get_after_help().map(ToString::to_string);
    let command = match text {
        Some(text) => command.after_help(reflowed(&text, width)),
        None => command,
    };
    command.mut_subcommands(narrowed)
}

/// Reads the arguments of the process, runs one command and says how it went.
pub fn run() -> ExitCode {
    let matches = match narrowed(Cli::command()).try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return end(&without_dashes(error)),
    };
    let json = asks_for_json(&matches);
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|e| e.exit());
    cli.habits.set();
    let result = cli.command.run();
    let verdict = match result {
        Ok(verdict) => verdict,
        Err(failure) => output::fail(&failure, json),
    };
    match output::write_error() {
        Some(problem) => not_written(&problem),
        None => verdict.into(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        super::Cli::command().debug_assert();
    }
}
