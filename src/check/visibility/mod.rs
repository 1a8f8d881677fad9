//! Non-interference: nobody may learn anything from what they see, except where the game tells them on purpose.
//!
//! Play is walked once for each way that its player-typed names can stand for players; every expression has a label (the
//! set of players who could know it) and so has the place in play where the walk is. Of the values of
//! state variables it knows those that are certain (`held`). It does not care what several players know together, and takes
//! payoffs as no observation.
//! Goguen & Meseguer 1982 give the property, Denning 1976 and Volpano, Smith & Irvine 1996 the method.

mod abstraction;
mod accidents;
mod choice;
mod clock;
pub mod codes;
mod draw;
mod elements;
mod equal;
mod expr;
mod flow;
mod held;
mod label;
mod members;
mod missed;
mod omitted;
mod on_view;
mod parts;
mod play;
mod proposals;
mod reads;
mod report;
mod reveals;
mod rounds;
mod rules;
mod shown;
mod stmt;
mod store;
mod surroundings;
mod tested;
mod together;

pub use label::names;
pub use on_view::{HiddenThing, event_viewers, hidden};
pub use reveals::{RevealSite, VisibilityRow, reveals, table};
pub use rules::{Rule, Rules};

use crate::model::*;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use accidents::Accidents;
use elements::{Elements, Possible};
use flow::Flow;
use indexmap::{IndexMap, IndexSet};
use label::{Clean, Guard};
use on_view::EventViews;
use reveals::{Told, ToldKey};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// Looks for leaks in a description, by these rules: one diagnostic for each place and kind, in the order of the text. No
/// error: what a player may see is a function of what that player was told. Fills in [`Description::hole_viewers`],
/// [`Description::events`], [`Var::stored_unseen`], and who is told at each of [`Description::readings`].
pub fn visibility(d: &mut Description, rules: Rules) -> Vec<Diagnostic> {
    let (found, visits) = check(d, rules, false);
    // What names stood for was left open from somewhere on: whatever was found may be wrong for that.
    let refused = |found: &[Diagnostic]| found.iter().any(Diagnostic::is_error);
    if !refused(&found) || visits <= SPLIT_LIMIT {
        return found;
    }
    let mut shorter = d.clone();
    let (again, _) = check(&mut shorter, rules, true);
    if refused(&again) {
        return found;
    }
    *d = shorter;
    again
}

/// The same, and how many visits the last check took. With `brief`, names stand for one player after the other only for as
/// long as statements read them, or what was bound meanwhile: less is found out, in fewer steps.
fn check(d: &mut Description, rules: Rules, brief: bool) -> (Vec<Diagnostic>, u64) {
    // Whoever is told a shown value knows it, and who is told hangs on what is known: from everybody down to those for whom
    // it holds.
    let everyone = d.everyone();
    d.readings.iter_mut().for_each(|r| r.told = everyone);
    loop {
        let mut checker = Checker::new(d);
        checker.rules = rules;
        checker.brief = brief;
        checker.run();
        // Each of them is tried by another check like this one.
        let proposing = checker.visits <= PROPOSAL_VISITS && checker.nodes.get() <= PROPOSAL_NODES;
        let Checker {
            reached,
            found,
            holes,
            events,
            stored_unseen,
            visits,
            ..
        } = checker;
        let told: Vec<PlayerSet> = std::iter::zip(&d.readings, reached)
            .map(|(reading, reached)| reading.told & reached.unwrap_or_default())
            .collect();
        let settled = std::iter::zip(&d.readings, &told).all(|(r, told)| r.told == *told);
        for (reading, told) in std::iter::zip(&mut d.readings, told) {
            reading.told = told;
        }
        if settled {
            let holes = holes.into_iter();
            d.hole_viewers = holes.map(Option::unwrap_or_default).collect();
            for (var, unseen) in std::iter::zip(&mut d.vars, stored_unseen) {
                var.stored_unseen = unseen;
            }
            d.events = events.into_values().collect();
            d.events.sort_by_key(|event| event.span);
            let mut found: Vec<Diagnostic> = found.into_values().collect();
            found.sort_by_key(|p| (p.span, p.code));
            for problem in found.iter_mut().filter(|_| proposing) {
                problem.proposals = Some(proposals::of(d, problem));
            }
            return (found, visits);
        }
    }
}

/// Above this many visits to statements, names no longer stand for one player after the other but for any of them.
const SPLIT_LIMIT: u64 = 50_000;
/// Above this many visits the check gives up, with an error.
const VISIT_LIMIT: u64 = 2_000_000;
/// The same for parts of expressions.
const NODE_LIMIT: u64 = 50_000_000;

/// A check that took more visits than this, or more to parts of expressions, proposes no changes.
const PROPOSAL_VISITS: u64 = 10_000;
const PROPOSAL_NODES: u64 = 200_000;

/// What is known of a bound name.
#[derive(Clone, Debug)]
struct Bound {
    label: PlayerSet,
    clean: Clean,
    /// Of a set of players: those who could know whether they are in it.
    own: PlayerSet,
    /// In how many loops.
    depth: usize,
    /// A formula has bound it.
    inside: bool,
}

impl Bound {
    fn known(label: PlayerSet) -> Bound {
        let clean = Clean::known(label);
        let own = label;
        Bound {
            label,
            clean,
            own,
            depth: 0,
            inside: false,
        }
    }
}

/// A loop that the walk is in.
#[derive(Debug, Default)]
struct LoopFrame {
    /// What the `break`s in it tell: whether it goes on.
    breaks: Option<Guard>,
    /// What the `continue`s of this round tell.
    continues: Option<Guard>,
    break_flow: Option<Flow>,
    continue_flow: Option<Flow>,
    /// Those who could not know which round it is.
    lost: PlayerSet,
    /// What its rounds are of, once one has begun.
    name: Option<LocalId>,
    /// Whether the name stands for each of its values once at the most.
    once_each: bool,
    /// Those who may have missed a round.
    missed: missed::Missed,
    /// The choices before the loop that may have been left out unnoticed.
    omitted_before: omitted::Omitted,
}

/// A player whose ignorance is looked for, and what was found that the player could not know.
struct Watch {
    player: usize,
    found: IndexSet<String>,
}

/// A store, as far as it bears on whether a variable is made of drawn things only.
struct PileStore {
    var: VarId,
    span: Span,
    clean: Clean,
}

/// A draw or a deal whose viewers may not know the options, to be judged once the piles are known.
struct DrawCheck {
    deal: bool,
    span: Span,
    viewers: PlayerSet,
    options: Clean,
    revealing: bool,
    because: Vec<(usize, String)>,
}

struct Checker<'d> {
    d: &'d Description,
    rules: Rules,
    /// Names are tried value by value no longer than statements read them.
    brief: bool,
    everyone: PlayerSet,
    elements: Vec<Elements>,
    /// Concrete values of names, where the walk has one.
    values: FxHashMap<LocalId, Vec<u64>>,
    bound: FxHashMap<LocalId, Bound>,
    /// The values of parts of a choice or a draw that is walked once for each of them.
    split: FxHashMap<LocalId, u64>,
    /// In how many ways the parts around are split.
    split_walks: usize,
    guards: Vec<Guard>,
    loops: Vec<LoopFrame>,
    /// For loops that are over, by their names, those for whom something in them may have been left out unnoticed.
    left: FxHashMap<LocalId, PlayerSet>,
    /// In how many statements the walk is whose parts need not come.
    doubts: usize,
    flow: Flow,
    found: IndexMap<(crate::text::diagnostics::Code, Span), Diagnostic>,
    told: IndexMap<ToldKey, Told>,
    accidents: Accidents,
    events: EventViews,
    watch: Option<Watch>,
    /// Those that were looked at.
    conditions: tested::Conditions<'d>,
    /// What names were given by `let`, each with how many loops it lies in.
    formulas: FxHashMap<LocalId, (&'d Expr, usize)>,
    /// Collects the reads of state variables while set.
    reads: Option<Vec<(VarId, Vec<Possible>)>>,
    shown: Vec<shown::ShownReads>,
    /// Those who know what the shown defs give that they see, where the walk is.
    shown_to: PlayerSet,
    /// In the text of a reveal: all who may read it, and so have been told what is revealed.
    readers: PlayerSet,
    /// In `one move`: those who could know the options of all choices so far.
    move_options: Option<PlayerSet>,
    /// Choices of a `together` that may have been left out, of the arms that the walk has not come to yet: the first one last.
    waiting: Vec<omitted::LeftOut>,
    /// The place of the `together` or `one move` around.
    left_out_around: Option<usize>,
    /// How many of the doubts are that the `one move` around may not be made.
    move_doubt: usize,
    /// For each reading those who could know that play is there, wherever it comes to it; `None`: it does not.
    reached: Vec<Option<PlayerSet>>,
    /// What the statements of an `after` that is looked at store to.
    tried: Vec<VarId>,
    /// For each hole of a text those who could know it wherever play comes to it; `None`: it does not.
    holes: Vec<Option<PlayerSet>>,
    /// Of each variable, whether what it holds already is stored where somebody who sees it could not know that.
    stored_unseen: Vec<bool>,
    pile_stores: Vec<PileStore>,
    draw_checks: Vec<DrawCheck>,
    visits: u64,
    /// Visits to parts of expressions, and steps of their evaluation.
    nodes: Cell<u64>,
    split_depth: u32,
    /// Types of indices that visibility depends on: names of these types are instantiated.
    index_types: Vec<types::Type>,
}

impl<'d> Checker<'d> {
    fn new(d: &'d Description) -> Checker<'d> {
        let elements: Vec<Elements> = d.vars.iter().map(|v| Elements::of(d, v)).collect();
        let mut index_types = Vec::new();
        for (var, e) in d.vars.iter().zip(&elements) {
            for &(i, size) in &e.dims {
                let ty = &var.indices[i].ty;
                if size <= 64 && !index_types.contains(ty) {
                    index_types.push(ty.clone());
                }
            }
        }
        Checker {
            d,
            rules: Rules::ALL,
            brief: false,
            everyone: d.everyone(),
            elements,
            values: FxHashMap::default(),
            bound: FxHashMap::default(),
            split: FxHashMap::default(),
            split_walks: 1,
            guards: Vec::new(),
            loops: Vec::new(),
            left: FxHashMap::default(),
            doubts: 0,
            flow: Flow::start(d),
            found: IndexMap::new(),
            told: IndexMap::new(),
            accidents: Accidents::default(),
            events: EventViews::new(),
            watch: None,
            conditions: tested::Conditions::default(),
            formulas: FxHashMap::default(),
            reads: None,
            shown: Vec::new(),
            shown_to: d.everyone(),
            readers: PlayerSet::EMPTY,
            move_options: None,
            waiting: Vec::new(),
            left_out_around: None,
            move_doubt: 0,
            reached: vec![None; d.readings.len()],
            tried: Vec::new(),
            holes: vec![None; d.hole_viewers.len()],
            stored_unseen: vec![false; d.vars.len()],
            pile_stores: Vec::new(),
            draw_checks: Vec::new(),
            visits: 0,
            nodes: Cell::new(0),
            split_depth: 0,
            index_types,
        }
    }

    fn run(&mut self) {
        self.prepare_shown();
        let d = self.d;
        self.walk_block(&d.play.stmts);
        self.judge_draws();
        self.untold(Self::check_abstractions);
        self.note_accidents();
    }
}
