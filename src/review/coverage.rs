//! How much of a game's rules play has come to.
//!
//! Statements and payoffs are those of the text, under whatever params; conditions, branches and alternatives are those
//! of the machines that played, since a param may leave some of them out of a game.

use crate::machine::{CoveragePoint, CoveragePointKind, Machine};
use crate::syntax::outline::Outline;
use crate::text::sources::Sources;
use crate::text::span::Span;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub struct Coverage {
    places: BTreeMap<CoveragePoint, Seen>,
    /// The statement before each statement of a block.
    before: BTreeMap<Span, Span>,
    /// The heads of branches and loops.
    heads: BTreeMap<Span, Span>,
}

#[derive(Copy, Clone, Debug, Default)]
struct Seen {
    /// Whether it is in one of the machines.
    compiled: bool,
    reached: bool,
}

/// A line of the rules that play never came to, or not in every way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unreached {
    pub file: String,
    /// From 1.
    pub line: usize,
    /// What never happened.
    pub what: &'static str,
    /// The line, without the blanks around it.
    pub text: String,
}

/// The coverage of one game.
#[derive(Debug, Serialize)]
pub struct CoverageReport {
    /// Places in the rules that can be reached, and how many were.
    pub places: usize,
    pub reached: usize,
    /// Random games that were played to their end.
    pub games: u64,
    /// Scripts that were played.
    pub scripts: usize,
    pub unreached: Vec<Unreached>,
}

impl Coverage {
    /// Nothing has been played yet.
    pub fn new(outline: &Outline) -> Coverage {
        let mut coverage = Coverage::default();
        let mut add = |kind, span| {
            coverage
                .places
                .insert(CoveragePoint { span, kind }, Seen::default())
        };
        for (span, _) in &outline.statements {
            add(CoveragePointKind::Statement, *span);
        }
        for span in &outline.payoffs {
            add(CoveragePointKind::Payoff, *span);
        }
        for (span, before) in &outline.statements {
            coverage.before.extend(before.map(|before| (*span, before)));
        }
        coverage.heads.extend(outline.heads.iter().copied());
        coverage
    }

    /// Adds what a machine with marks has played so far.
    pub fn add(&mut self, machine: &Machine) {
        for (place, reached) in machine.coverage_points() {
            let told = matches!(
                place.kind,
                CoveragePointKind::Statement | CoveragePointKind::Payoff
            );
            let seen = match self.places.get_mut(&place) {
                Some(seen) => seen,
                // What stands for a statement and is none of the text: the arguments of a rule.
                None if told => continue,
                None => self.places.entry(place).or_default(),
            };
            seen.compiled = true;
            seen.reached |= reached;
        }
    }

    /// How many places play came to, and how many there are.
    pub fn share(&self) -> (usize, usize) {
        let counted = || self.places.iter().filter(|(place, _)| place.kind.counts());
        let reached = counted().filter(|(_, seen)| seen.reached).count();
        (reached, counted().count())
    }

    /// Sums up what was reached in so many random games and scripts.
    pub fn report(&self, sources: &Sources, games: u64, scripts: usize) -> CoverageReport {
        let (reached, places) = self.share();
        CoverageReport {
            places,
            reached,
            games,
            scripts,
            unreached: self.unreached(sources),
        }
    }

    /// Whether play has come to a place that is in one of the machines; `None` where there is no such place.
    pub fn reached(&self, place: CoveragePoint) -> Option<bool> {
        let seen = self.places.get(&place)?;
        seen.compiled.then_some(seen.reached)
    }

    /// The places of the machines that play has not come to, in the order of the text.
    pub fn missing(&self) -> impl Iterator<Item = CoveragePoint> + '_ {
        let missing = self.places.iter().filter(|(_, s)| s.compiled && !s.reached);
        missing.map(|(place, _)| *place)
    }

    /// Whether it is no wonder that play has not come to a statement: it has not come to the one before it either.
    pub fn follows_missing(&self, statement: Span) -> bool {
        let before = self.before.get(&statement).map(|&span| CoveragePoint {
            span,
            kind: CoveragePointKind::Statement,
        });
        before.and_then(|place| self.reached(place)) == Some(false)
    }

    /// What of a place is to be pointed at: of a branch or a loop its head, and not what stands in it.
    pub fn head(&self, place: Span) -> Span {
        self.heads.get(&place).copied().unwrap_or(place)
    }

    /// The lines that play never came to, or not in every way, in the order of the text.
    pub fn unreached(&self, sources: &Sources) -> Vec<Unreached> {
        let mut lines: BTreeMap<(usize, usize), Unreached> = BTreeMap::new();
        let missing = self
            .places
            .iter()
            .filter(|(place, seen)| place.kind.counts() && !seen.reached);
        let played = self.places.values().any(|seen| seen.reached);
        let what = |kind| match kind {
            // Nothing is known of any condition.
            CoveragePointKind::Failed if !played => "never reached",
            kind => what(kind),
        };
        for (place, _) in missing {
            let (number, at) = sources.locate(place.span);
            let Some(file) = sources.files.get(number) else {
                continue;
            };
            let start = file.text.floor_char_boundary(at.start as usize);
            let line = file.text[..start].matches('\n').count() + 1;
            let from = file.text[..start].rfind('\n').map_or(0, |i| i + 1);
            let text = file.text[from..].lines().next().unwrap_or_default();
            // Of several things on one line the first one is told, and a statement before anything else.
            let told = lines.entry((number, line)).or_insert_with(|| Unreached {
                file: file.name.clone(),
                line,
                what: what(place.kind),
                text: text.trim().to_string(),
            });
            if place.kind == CoveragePointKind::Statement {
                told.what = what(place.kind);
            }
        }
        lines.into_values().collect()
    }
}

fn what(kind: CoveragePointKind) -> &'static str {
    match kind {
        CoveragePointKind::Statement => "never reached",
        CoveragePointKind::Payoff => "never paid",
        CoveragePointKind::Taken => "never chosen",
        CoveragePointKind::Offered => "never offered",
        CoveragePointKind::Held => "never true",
        CoveragePointKind::Failed => "always true",
        CoveragePointKind::Then | CoveragePointKind::Else | CoveragePointKind::Arm(_) => {
            "branch never taken"
        }
        CoveragePointKind::Ended | CoveragePointKind::Bound => "never ended like this",
    }
}
