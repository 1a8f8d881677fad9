//! `ruse report`: what a game is like, on one page for whoever designs it.

use super::clock::stopwatch;
use super::experiment::replace;
use super::game::Game;
use super::load::{self, Loaded, beside};
use super::match_::{failure, speed};
use super::number::whole;
use super::output::{self, Failure, Verdict, plural};
use super::players_text::settings;
use super::problem::Problem;
use super::{interrupt, picture_file, progress, report_html, report_text};
use crate::arena::MatchOptions;
use crate::arena::game_report::{GameReport, Reported, Subject, mark, report, svg};
use crate::players::{PlayerSpec, usual};
use crate::review::{self, CoverageReport, Purpose, random_check};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Every game is kept with its moves until the end.
const MOST_GAMES: u64 = 100_000;
/// Random games that look for what the rules never use.
const RANDOM_GAMES: u64 = 1_000;

/// Report what a game is like: length, branching, fairness, draws, leads, skill, unused rules
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse report duel.game
  ruse report duel.game --games 500 --playouts 200 --seed 7
  ruse report duel.game --set rounds=4 --json
  ruse report duel.game --html duel.html
  ruse report duel.game --svg pictures

The usual player for such a game (see `ruse match --help`) plays every seat. These games tell how long a \
game is, how many options a choice has, how the seats do, how often nobody wins alone, and how games \
come to their end. Then it plays, with seats exchanged, against itself with a tenth of the playouts and \
against `random`: the greater the difference, the more skill matters.

Leads and decisive moves go by an estimate of every position: the mean payoffs of 100 random playouts \
from what is really there. It knows what is hidden and plans nothing, so it can miss who is ahead in a \
game of deep plans. Somebody is ahead where the difference is more than three standard errors. A ply is \
decisive that changes a player's estimate by a quarter of the range of its payoffs in these games, or \
more. Where payoffs cannot be compared between players, nothing is said of draws and leads.

  decided after    how much of a game is over when its winner is ahead for good
  won from behind  games with a winner in which a rival had been ahead

What the rules never use is what neither these games nor 1000 random ones came to; `ruse check \
--coverage` adds scripts.

Intervals are of 95 %. The same seed gives the same output for any number of threads.

Exit codes:
  0  all games were played
  1  the game has errors, no player can play it, play ran into an error, or it was stopped
  2  wrong use, or a file cannot be read or written

Ctrl-C stops and prints what was finished; a second Ctrl-C ends at once.")]
pub struct ReportCommand {
    #[command(flatten)]
    game: Game,

    /// How many games between equal players; against each weaker player as many, rounded up to whole exchanges of seats
    #[arg(short = 'n', long, value_name = "N", default_value_t = 100, value_parser = whole(1..=MOST_GAMES), allow_negative_numbers = true)]
    games: u64,

    /// Everything random comes from this number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,

    /// How many games at once; the result does not depend on it [default: one for each processor]
    #[arg(short = 'j', long, value_name = "N", value_parser = whole(1..=1024), allow_negative_numbers = true)]
    threads: Option<u64>,

    /// Playouts of the player for each choice [default: those of the usual player]
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_000), allow_negative_numbers = true)]
    playouts: Option<u64>,

    /// Write the pictures into this folder: length.svg, branching.svg, seats.svg, skill.svg
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,

    /// Write the report with its pictures to this file, as one page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

/// The document.
#[derive(Serialize)]
pub struct Document<'a> {
    pub file: &'a str,
    #[serde(flatten)]
    pub report: &'a GameReport,
    /// `None` where the game is too large to have marks, or the report was stopped.
    pub coverage: Option<CoverageReport>,
    /// False when it was stopped.
    pub reproducible: bool,
}

impl ReportCommand {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let loaded = load::game(&self.game)?;
        let stop = interrupt::flag();
        let clock = stopwatch();
        let (player, weaker) = self.players(&loaded)?;
        for spec in std::iter::once(&player).chain(&weaker) {
            output::detail(|| settings(spec));
        }
        let subject = Subject {
            machine: loaded.machine.clone(),
            player,
            weaker,
            clock: clock.clone(),
        };
        let options = MatchOptions {
            games: self.games,
            seed: self.seed,
            threads: self.threads.map(|n| n as usize),
        };
        self.check_files()?;
        let bar = progress::bar(subject.games(self.games), "games");
        let reported = report(&subject, &options, &|done| bar.set_position(done), &stop);
        bar.finish_and_clear();
        let reported = reported.map_err(|error| failure(&loaded, &error))?;
        let played = reported.report.skill.iter().map(|c| c.games).sum::<u64>();
        let played = played + reported.report.finished;
        output::detail(|| speed(&loaded, played, None, clock().as_secs_f64()));
        let coverage = coverage(&loaded, &reported, &stop);
        let asked = subject.games(self.games);
        let stopped = coverage.is_none() && stop.load(Ordering::Relaxed);
        let document = Document {
            file: &loaded.source.path,
            report: &reported.report,
            coverage,
            reproducible: played == asked && !stopped,
        };
        self.write(&document)?;
        output::show(self.json, &document, || report_text::text(&document));
        let seconds = clock().as_secs_f64();
        output::aside(&format!("{} in {seconds:.1} s", plural(played, "game")));
        if document.reproducible {
            return Ok(Verdict::Fine);
        }
        let asked = plural(asked, "game");
        output::say(&format!("stopped after {played} of {asked}"));
        Ok(Verdict::No)
    }

    /// The player of the report, and the weaker ones.
    fn players(&self, loaded: &Loaded) -> Result<(PlayerSpec, Vec<PlayerSpec>), Failure> {
        let Some(usual) = usual(&loaded.machine) else {
            let name = loaded.machine.name();
            let message = format!("no player can play {name}");
            return Err(Failure::no(Problem::outside(None, message)));
        };
        let counted = usual.spec.count("playouts");
        let wanted = self.playouts.or(counted);
        let with = |n: u64| usual.spec.with_playouts(n);
        let player = wanted.and_then(with).unwrap_or_else(|| usual.spec.clone());
        let mut weaker = Vec::new();
        if let Some(n) = wanted.filter(|n| *n > 1) {
            weaker.extend(with((n / 10).max(1)));
        }
        let random = PlayerSpec::parse("random").ok();
        weaker.extend(random.filter(|random| *random != player));
        Ok((player, weaker))
    }

    /// Finds out before play whether there is a place for what is to be written.
    fn check_files(&self) -> Result<(), Failure> {
        if let Some(folder) = &self.svg {
            std::fs::create_dir_all(folder).map_err(|e| Failure::cannot_write(folder, &e))?;
        }
        if let Some(file) = &self.html {
            picture_file::check(file, picture_file::PAGE)?;
        }
        Ok(())
    }

    /// Writes the files that were asked for.
    fn write(&self, document: &Document<'_>) -> Result<(), Failure> {
        if self.svg.is_none() && self.html.is_none() {
            return Ok(());
        }
        let pictures = svg::pictures(document.report);
        if let Some(folder) = &self.svg {
            for (name, picture) in &pictures {
                replace(&folder.join(name), picture)?;
            }
        }
        if let Some(file) = &self.html {
            let page = report_html::page(document, &pictures);
            picture_file::write(file, &page, picture_file::PAGE)?;
        }
        Ok(())
    }
}

/// What neither random games nor those of the report came to.
fn coverage(loaded: &Loaded, reported: &Reported, stop: &AtomicBool) -> Option<CoverageReport> {
    let subject = review::Subject {
        machine: &loaded.machine,
        sources: &loaded.source.sources,
        loader: &beside,
        warnings: &loaded.warnings,
    };
    let purpose = Purpose::Coverage {
        games: RANDOM_GAMES,
    };
    let check = random_check(&subject, purpose, &mut |_| stop.load(Ordering::Relaxed));
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let mut coverage = check.coverage?;
    let marked = loaded.machine.marked().ok()?;
    for game in &reported.games {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        // What was played without an error is so with marks.
        mark(&marked, game).ok()?;
    }
    coverage.add(&marked);
    Some(coverage.report(subject.sources, check.games, 0))
}
