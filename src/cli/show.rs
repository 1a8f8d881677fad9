//! `ruse show`: what a game became: players, params, what kind of game it is, who sees what.

use super::clock::stopwatch;
use super::game::Game;
use super::load::{self, Loaded};
use super::match_::failure;
use super::number::whole;
use super::output::{self, Failure, Verdict, plural, table};
use super::problem::{Location, Source};
use super::replay::seat;
use crate::arena::session::{Occupant, Page, Session, screen};
use crate::check::visibility;
use crate::compile::optimise::{PASSES, Until};
use crate::machine::Machine;
use crate::model::types::show_ratio;
use crate::model::{Claim, PlayerSet, SiteKind};
use crate::players::Patience;
use crate::review;
use crate::syntax::{self, ast};
use crate::text::sources::Sources;
use crate::text::span::Span;
use clap::Args;
use clap::builder::PossibleValuesParser;
use indexmap::IndexMap;
use serde::Serialize;
use std::fmt;

/// Show what a game became: params, features, who sees what
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse show duel.game
  ruse show duel.game --set rounds=4
  ruse show duel.game --reveals
  ruse show duel.game --board Ann
  ruse show duel.game --json

Exit codes:
  0  shown
  1  the game has errors
  2  wrong use, or the file cannot be read")]
pub struct Show {
    #[command(flatten)]
    game: Game,

    /// List every place where somebody learns something that they could not compute
    #[arg(long)]
    reveals: bool,

    /// Print the compiled program
    #[arg(long)]
    ir: bool,

    /// With --ir: print the flow of a playout instead, after this pass of the optimiser
    #[arg(long, value_name = "PASS", requires = "ir", value_parser = passes())]
    pass: Option<String>,

    /// Print the game as this player sees it when the first choice is to be made, the boards drawn
    #[arg(long, value_name = "PLAYER")]
    board: Option<String>,

    /// With --board: what is drawn before the first choice comes from this number
    #[arg(long, value_name = "N", requires = "board", default_value = "1", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    file: String,
    players: Vec<String>,
    params: IndexMap<String, Param>,
    features: FeatureReport,
    payoffs: PayoffReport,
    state: StateReport,
    visibility: Vec<VisibilityReport>,
    events: Vec<EventReport>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    teams: IndexMap<String, Vec<String>>,
    #[serde(skip)]
    who_sees_what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reveals: Option<Vec<RevealReport>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ir: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
}

#[derive(Serialize)]
struct Param {
    #[serde(rename = "type")]
    ty: String,
    value: String,
}

#[derive(Serialize)]
struct FeatureReport {
    simultaneous: bool,
    chance: bool,
    hidden: Vec<HiddenReport>,
}

#[derive(Serialize)]
struct HiddenReport {
    reason: String,
    #[serde(flatten)]
    place: Somewhere,
}

/// A place in the file that was asked for, or in another that it extends.
#[derive(Serialize)]
struct Somewhere {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(flatten)]
    place: Location,
}

impl Somewhere {
    fn of(source: &Source, span: Span) -> Somewhere {
        Somewhere {
            file: source.other_file(span),
            place: source.place(span),
        }
    }
}

impl fmt::Display for Somewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Location { line, column, .. } = self.place;
        match &self.file {
            Some(file) => write!(f, "{file}:{line}:{column}"),
            None => write!(f, "{line}:{column}"),
        }
    }
}

#[derive(Serialize)]
struct PayoffReport {
    /// What the payoffs add up to, exact; nothing for a general sum.
    sum: Option<String>,
    bounds: IndexMap<String, Bounds>,
}

#[derive(Serialize)]
struct Bounds {
    least: f64,
    greatest: f64,
}

/// The size of a state at rest, and how many places in play it can rest at.
#[derive(Serialize)]
struct StateReport {
    words: usize,
    bytes: usize,
    nodes: usize,
}

#[derive(Serialize)]
struct VisibilityReport {
    name: String,
    seen_by: Vec<String>,
    /// A `shown def`.
    shown: bool,
}

/// What happens in play, and who sees it.
#[derive(Serialize)]
struct EventReport {
    kind: SiteKind,
    /// In the words of the language: `draw c into card[Ann]`.
    name: String,
    /// In words: `everybody`, `who chooses`, `Ann, or Ben`.
    seen_by: String,
    #[serde(flatten)]
    place: Somewhere,
}

#[derive(Serialize)]
struct RevealReport {
    text: String,
    kind: SiteKind,
    /// Who learns something.
    players: Vec<String>,
    /// To whom a value is revealed or shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Vec<String>>,
    #[serde(flatten)]
    place: Somewhere,
}

impl Show {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let loaded = load::game(&self.game)?;
        let mut report = report(&loaded);
        if self.reveals {
            report.reveals = Some(reveals(&loaded));
        }
        if self.ir {
            report.ir = Some(match &self.pass {
                None => loaded.machine.program().to_string(),
                Some(pass) => flow(&loaded.machine, pass),
            });
        }
        if let Some(player) = &self.board {
            report.board = Some(board(&loaded, player, self.seed)?);
        }
        output::show(self.json, &report, || self.text(&report));
        Ok(Verdict::Fine)
    }

    fn text(&self, report: &Report) -> String {
        let mut sections = Vec::new();
        if !self.reveals && !self.ir && self.board.is_none() {
            sections.push(summary(report));
            if !report.who_sees_what.is_empty() {
                sections.push(format!("who sees what\n{}", report.who_sees_what));
            }
        }
        if let Some(list) = &report.reveals {
            sections.push(reveals_text(list));
        }
        if let Some(ir) = &report.ir {
            sections.push(ir.clone());
        }
        sections.extend(report.board.clone());
        sections.join("\n")
    }
}

/// What `--pass` may name.
fn passes() -> PossibleValuesParser {
    let mut names = vec![WRITTEN];
    for pass in &PASSES {
        if !names.contains(&pass.name) {
            names.push(pass.name);
        }
    }
    names.push(ALL);
    PossibleValuesParser::new(names)
}

/// Before any pass.
const WRITTEN: &str = "written";
/// After the last pass.
const ALL: &str = "all";

fn flow(machine: &Machine, pass: &str) -> String {
    let until = match pass {
        WRITTEN => Until::Written,
        ALL => Until::All,
        name => Until::Pass(name),
    };
    machine.program().show_flow(&machine.playout_flow(until))
}

fn report(loaded: &Loaded) -> Report {
    let machine = &loaded.machine;
    let description = machine.description();
    let features = machine.features();
    let types = param_types(&loaded.source.sources);
    let everyone = names(machine, description.everyone());
    Report {
        game: description.name.clone(),
        file: loaded.source.path.clone(),
        players: everyone.clone(),
        params: description
            .params
            .iter()
            .map(|(name, value)| {
                let param = Param {
                    ty: types.get(name).cloned().unwrap_or_default(),
                    value: value.clone(),
                };
                (name.clone(), param)
            })
            .collect(),
        features: FeatureReport {
            simultaneous: features.simultaneous,
            chance: features.chance,
            hidden: features
                .hidden
                .iter()
                .map(|h| HiddenReport {
                    reason: h.reason.clone(),
                    place: Somewhere::of(&loaded.source, h.span),
                })
                .collect(),
        },
        payoffs: PayoffReport {
            sum: match features.claim {
                Claim::ConstantSum { n, den } => Some(show_ratio(n, den)),
                Claim::GeneralSum => None,
            },
            bounds: everyone
                .into_iter()
                .enumerate()
                .map(|(player, name)| {
                    let (least, greatest) = features.payoff_range(player);
                    (name, Bounds { least, greatest })
                })
                .collect(),
        },
        state: StateReport {
            words: machine.program().layout.words,
            bytes: machine.program().layout.words * size_of::<u64>(),
            nodes: machine.program().nodes.len(),
        },
        visibility: visibility::table(description)
            .into_iter()
            .map(|row| VisibilityReport {
                name: row.name,
                seen_by: names(machine, row.viewers),
                shown: row.shown,
            })
            .collect(),
        events: description
            .events
            .iter()
            .map(|event| EventReport {
                kind: event.kind,
                name: review::event_name(event, &loaded.source.sources),
                seen_by: visibility::event_viewers(description, event, &loaded.source.sources),
                place: Somewhere::of(&loaded.source, event.span),
            })
            .collect(),
        teams: description
            .teams
            .iter()
            .map(|team| (team.name.clone(), names(machine, team.members)))
            .collect(),
        who_sees_what: review::columns(
            &review::who_sees_what(description, &loaded.source.sources),
            0,
        ),
        reveals: None,
        ir: None,
        board: None,
    }
}

/// What a player sees when the first choice is to be made.
fn board(loaded: &Loaded, player: &str, seed: u64) -> Result<String, Failure> {
    let machine = &loaded.machine;
    let seat = seat(machine, player)?;
    let seats = vec![Occupant::Person; machine.player_count()];
    let view = || {
        let mut session = Session::new(machine, seats, seed, 0, &stopwatch())?;
        session.advance(Patience::ENDLESS)?;
        Ok(session.board(seat))
    };
    let view = view().map_err(|e| failure(loaded, &e))?;
    Ok(screen::board(&view, &Page::default()))
}

fn names(machine: &Machine, players: PlayerSet) -> Vec<String> {
    players
        .iter()
        .map(|p| machine.player_name(p).to_string())
        .collect()
}

fn reveals(loaded: &Loaded) -> Vec<RevealReport> {
    visibility::reveals(loaded.machine.description(), &loaded.source.sources)
        .into_iter()
        .map(|site| RevealReport {
            text: site.text,
            kind: site.kind,
            players: names(&loaded.machine, site.players),
            to: site.to.map(|to| names(&loaded.machine, to)),
            place: Somewhere::of(&loaded.source, site.span),
        })
        .collect()
}

/// The type of each param in the words of the files.
fn param_types(sources: &Sources) -> IndexMap<String, String> {
    let mut types = IndexMap::new();
    // A variant comes before the game that it extends, and may give another type.
    for source in sources.files.iter().rev() {
        let (file, _) = syntax::parse(&source.text);
        for item in file.map(|f| f.items).unwrap_or_default() {
            if let ast::Item::Param(param) = item
                && let Some(ty) = param.ty
                && let first = param.indices.first().map_or(ty.span, |i| i.span)
                && let Some(written) = source.text.get(first.range().start..ty.span.range().end)
            {
                let one_line = written.split_whitespace().collect::<Vec<_>>().join(" ");
                types.insert(param.name.text, one_line);
            }
        }
    }
    types
}

fn summary(report: &Report) -> String {
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| rows.push(vec![name.to_string(), value]);
    row("players", report.players.join(", "));
    for (i, (name, param)) in report.params.iter().enumerate() {
        let head = if i == 0 { "params" } else { "" };
        row(head, format!("{name} : {} = {}", param.ty, param.value));
    }
    let features = &report.features;
    let moves = if features.simultaneous {
        "simultaneous in places"
    } else {
        "one player at a time"
    };
    row("moves", moves.to_string());
    let chance = if features.chance { "yes" } else { "none" };
    row("chance", chance.to_string());
    if features.hidden.is_empty() {
        row("information", "nothing is hidden".to_string());
    }
    for (i, hidden) in features.hidden.iter().enumerate() {
        let head = if i == 0 { "hidden" } else { "" };
        row(head, format!("{} ({})", hidden.reason, hidden.place));
    }
    row("payoffs", payoffs(&report.payoffs));
    let StateReport {
        words,
        bytes,
        nodes,
    } = report.state;
    let size = format!(
        "{} ({bytes} bytes), {}",
        plural(words as u64, "word"),
        plural(nodes as u64, "node")
    );
    row("state", size);
    format!("{}\n{}", report.game, table(&rows, &[]))
}

fn reveals_text(list: &[RevealReport]) -> String {
    if list.is_empty() {
        return "nobody learns anything that they could not compute\n".to_string();
    }
    let rows = list
        .iter()
        .map(|site| vec![site.place.to_string(), site.text.clone()]);
    table(&rows.collect::<Vec<_>>(), &[])
}

fn payoffs(payoffs: &PayoffReport) -> String {
    let claim = match payoffs.sum.as_deref() {
        None => "general-sum".to_string(),
        Some("0") => "zero-sum".to_string(),
        Some(sum) => format!("constant-sum {sum}"),
    };
    let mut bounds = payoffs.bounds.iter();
    let same = |b: &Bounds, c: &Bounds| b.least == c.least && b.greatest == c.greatest;
    let range = |b: &Bounds| format!("{} to {}", b.least, b.greatest);
    let Some((_, first)) = bounds.next() else {
        return claim;
    };
    if bounds.all(|(_, b)| same(b, first)) {
        return format!("{claim}, each within {}", range(first));
    }
    let each = payoffs.bounds.iter();
    let each: Vec<String> = each
        .map(|(name, b)| format!("{name} within {}", range(b)))
        .collect();
    format!("{claim}, {}", each.join(", "))
}
