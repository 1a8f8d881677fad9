//! Loops and the splitting of names into the players they may stand for.

use super::elements::members;
use super::label::{Clean, Guard};
use super::missed::Missed;
use super::report::{SHOW_CONDITION, TURNS_GO_ON};
use super::{Bound, Checker, LoopFrame, NODE_LIMIT, Rule, SPLIT_LIMIT, VISIT_LIMIT, codes};
use crate::model::visit::Visitor;
use crate::model::*;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// How many names may be split inside each other.
const SPLIT_DEPTH: u32 = 16;

/// How often the body of a loop runs.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Rounds {
    /// The walk goes through all rounds itself.
    Unrolled,
    AtLeastOne,
    Any,
}

/// A name that has just been bound.
pub(super) struct Fresh<'e> {
    local: LocalId,
    /// The set that its value is from.
    domain: Option<&'e Expr>,
    /// Who sees it, and who of them could know what it is.
    seen_by: Option<(&'e Expr, PlayerSet)>,
}

impl<'e> Fresh<'e> {
    pub fn name(local: LocalId) -> Fresh<'e> {
        Fresh {
            local,
            domain: None,
            seen_by: None,
        }
    }

    /// What was chosen or drawn; those of its viewers who are `among` these could know it.
    pub fn part(part: &'e Part, among: PlayerSet) -> Fresh<'e> {
        Fresh {
            local: part.local,
            domain: Some(&part.domain),
            seen_by: Some((&part.viewers, among)),
        }
    }
}

/// How many of some statements, from the first on, hang on names: on those that were bound before them, or on any that is
/// bound in them, and so may be known by the former.
fn reach(stmts: &[Stmt], fresh: &[Fresh<'_>]) -> usize {
    let all: Vec<Names> = stmts.iter().map(Names::of).collect();
    let mut names: FxHashSet<LocalId> = fresh.iter().map(|name| name.local).collect();
    let mut end = 0;
    loop {
        let last = all.iter().rposition(|own| !own.read.is_disjoint(&names));
        let Some(last) = last.filter(|last| *last >= end) else {
            return end;
        };
        let more = all[end..=last].iter().flat_map(|own| &own.bound);
        names.extend(more.copied());
        end = last + 1;
    }
}

/// The ways to leave rounds of the loops around some statements: `None` this round of the innermost one, else that loop and so
/// many around it.
#[derive(Default)]
struct Leaving {
    depth: usize,
    ways: Vec<(Span, Option<usize>)>,
}

impl<'d> Visitor<'d> for Leaving {
    fn stmt(&mut self, s: &'d Stmt) {
        let inside = matches!(
            s.kind,
            StmtKind::Each { .. }
                | StmtKind::Repeat { .. }
                | StmtKind::While { .. }
                | StmtKind::Turns { .. }
        );
        match s.kind {
            StmtKind::Break { around } if around as usize >= self.depth => {
                self.ways.push((s.span, Some(around as usize - self.depth)));
            }
            StmtKind::Continue if self.depth == 0 => self.ways.push((s.span, None)),
            _ => {}
        }
        self.depth += usize::from(inside);
        s.walk(self);
        self.depth -= usize::from(inside);
    }
}

/// The names that stand in a statement, those of its texts too.
#[derive(Default)]
struct Names {
    read: FxHashSet<LocalId>,
    bound: Vec<LocalId>,
}

impl Names {
    fn of(stmt: &Stmt) -> Names {
        let mut names = Names::default();
        names.stmt(stmt);
        names
    }
}

impl<'d> Visitor<'d> for Names {
    fn expr(&mut self, e: &'d Expr) {
        if let ExprKind::Local(local) = e.kind {
            self.read.insert(local);
        }
        e.walk(self);
    }

    fn stmt(&mut self, s: &'d Stmt) {
        match &s.kind {
            StmtKind::Let { local, .. }
            | StmtKind::Each { local, .. }
            | StmtKind::Turns { local, .. } => self.bound.push(*local),
            StmtKind::Together(arms) => {
                let all = arms.iter().filter_map(|arm| arm.each.as_ref());
                self.bound.extend(all.map(|each| each.local));
            }
            _ => {}
        }
        s.walk(self);
    }

    fn part(&mut self, p: &'d Part) {
        self.bound.push(p.local);
        p.walk(self);
    }
}

impl<'d> Checker<'d> {
    /// True once the game is too large to go on; says so.
    pub(super) fn given_up(&mut self, span: Span) -> bool {
        if self.visits <= VISIT_LIMIT && self.nodes.get() <= NODE_LIMIT {
            return false;
        }
        let already = self.found.keys().any(|(code, _)| *code == codes::TOO_LARGE);
        if !already {
            self.report(
                Diagnostic::error(
                    codes::TOO_LARGE,
                    span,
                    format!(
                        "who could know what takes more than {VISIT_LIMIT} steps to work out for this game"
                    ),
                )
                .label("the check stopped here")
                .hint("use fewer loops inside loops, or fewer names for players"),
            );
        }
        true
    }

    pub(super) fn walk_block(&mut self, stmts: &'d [Stmt]) {
        for (i, stmt) in stmts.iter().enumerate() {
            if !self.flow.live || self.given_up(stmt.span) {
                return;
            }
            self.visits += 1;
            let fresh = self.walk_stmt(stmt);
            let rest = &stmts[i + 1..];
            if self.splits(rest, &fresh) {
                let all = if self.brief {
                    reach(rest, &fresh)
                } else {
                    rest.len()
                };
                let (rest, later) = rest.split_at(all);
                self.walk_split(rest, &fresh);
                return self.walk_block(later);
            }
        }
    }

    /// True if one of the names is worth trying value by value in what follows.
    fn splits(&self, rest: &[Stmt], fresh: &[Fresh<'d>]) -> bool {
        self.flow.live
            && self.split_depth < SPLIT_DEPTH
            && self.visits <= SPLIT_LIMIT
            && fresh.iter().any(|name| {
                let Fresh { local, domain, .. } = *name;
                !self.values.contains_key(&local)
                    && self.instances(&self.d.local(local).ty, domain).is_some()
                    && rest.iter().any(|s| s.reads_local(local))
            })
    }

    /// Walks statements after names were bound, once for each way that they can stand for players.
    pub(super) fn walk_split(&mut self, stmts: &'d [Stmt], fresh: &[Fresh<'d>]) {
        let open = fresh.iter().position(|name| {
            !self.values.contains_key(&name.local)
                && stmts.iter().any(|s| s.reads_local(name.local))
        });
        let Some(k) = open.filter(|_| self.split_depth < SPLIT_DEPTH) else {
            return self.walk_block(stmts);
        };
        let Fresh { local, domain, .. } = fresh[k];
        let rest = &fresh[k + 1..];
        let Some(values) = self.instances(&self.d.local(local).ty, domain) else {
            return self.walk_split(stmts, rest);
        };
        self.split_depth += 1;
        let start = self.flow.clone();
        let saved = self.bound.get(&local).cloned();
        self.flow.live = false;
        for v in values {
            let mut done = std::mem::replace(&mut self.flow, start.clone());
            if let Some(b) = &saved {
                self.bind(local, b.label, b.clean.clone(), Some(vec![v]));
            }
            let before = self.show_to_named(local, rest);
            self.walk_split(stmts, rest);
            self.bound.extend(before);
            done.join(&self.flow);
            self.flow = done;
        }
        self.values.remove(&local);
        self.split_depth -= 1;
    }

    /// What is seen by those whom a name stands for, `c in S seen by { me, q }`, is known to these where it stands for one. Returns
    /// what was known before.
    fn show_to_named(&mut self, name: LocalId, fresh: &[Fresh<'d>]) -> Vec<(LocalId, Bound)> {
        let mut before = Vec::new();
        for seen in fresh {
            let Some((viewers, among)) = seen.seen_by.filter(|(e, _)| e.reads_local(name)) else {
                continue;
            };
            let (must, _) = self.viewers(viewers);
            if let Some(bound) = self.bound.get_mut(&seen.local) {
                before.push((seen.local, bound.clone()));
                bound.label |= must & among;
                bound.own |= must & among;
                bound.clean.sure |= must & among;
            }
        }
        before
    }

    pub(super) fn guarded<T>(&mut self, guard: Guard, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.guards.push(guard);
        let result = walk(self);
        self.guards.pop();
        result
    }

    /// Ends one round of the innermost loop.
    pub(super) fn end_round(&mut self) {
        if let Some(frame) = self.loops.last_mut() {
            frame.continues = None;
            if let Some(flow) = frame.continue_flow.take() {
                self.flow.join(&flow);
            }
        }
    }

    /// Runs a loop until nothing more changes. `round` walks the body once (all of it, when unrolled).
    pub(super) fn run_loop(&mut self, rounds: Rounds, round: &mut dyn FnMut(&mut Self)) {
        let omitted_before = self.flow.omitted.clone();
        self.loops.push(LoopFrame {
            omitted_before,
            ..LoopFrame::default()
        });
        let mut head = self.flow.clone();
        let mut out;
        loop {
            let taint = (self.break_taint(), self.lost());
            self.flow = head.clone();
            if let Some(frame) = self.loops.last_mut() {
                frame.break_flow = None;
            }
            self.in_doubt(true, &mut *round);
            self.end_round();
            if rounds != Rounds::Unrolled {
                self.round_may_follow();
            }
            out = self.flow.clone();
            self.test_both(&mut head.held, &mut out.held);
            let settled = rounds == Rounds::Unrolled || head.covers(&out);
            if (settled && taint == (self.break_taint(), self.lost()))
                || self.given_up(Span::default())
            {
                break;
            }
            if rounds != Rounds::Unrolled {
                head.join(&out);
            }
        }
        let frame = self.loops.pop().unwrap_or_default();
        if rounds == Rounds::Any {
            out.join(&head);
        }
        if let Some(flow) = frame.break_flow {
            out.join(&flow);
        }
        if let Some(name) = frame.name {
            self.end_rounds(name, &out.omitted);
        }
        self.flow = out;
        self.flow.omitted.leave(self.loops.len());
        self.end_quiet();
    }

    /// The loop may have had all its rounds here.
    pub(super) fn may_be_over(&mut self) {
        let flow = self.flow.clone();
        if let Some(frame) = self.loops.last_mut() {
            match &mut frame.break_flow {
                Some(other) => other.join(&flow),
                None => frame.break_flow = Some(flow),
            }
        }
    }

    fn lost(&self) -> (PlayerSet, Missed) {
        let frame = self.loops.last();
        frame.map_or_else(Default::default, |f| (f.lost, f.missed.clone()))
    }

    fn break_taint(&self) -> Option<PlayerSet> {
        let frame = self.loops.last()?;
        frame.breaks.as_ref().map(|g| g.known)
    }

    /// `continue`, and `break`, which leaves so many loops around the innermost one too: who could not know that play is here,
    /// could not know how the loop goes on.
    pub(super) fn leave_round(&mut self, span: Span, stop: Option<usize>) {
        let mut flow = self.flow.clone();
        let around = self.loops.len() - stop.unwrap_or(0).min(self.loops.len());
        flow.omitted.leave(around);
        self.flow.live = false;
        self.may_leave_round(span, stop);
        let Some(frame) = self.loops.iter_mut().rev().nth(stop.unwrap_or(0)) else {
            return;
        };
        let saved = match stop {
            Some(_) => &mut frame.break_flow,
            None => &mut frame.continue_flow,
        };
        match saved {
            Some(other) => other.join(&flow),
            None => *saved = Some(flow),
        }
    }

    /// What is not walked, since names stand for something else, may leave the round: who could not know which it is could not
    /// know how the loop goes on.
    pub(super) fn leave_elsewhere(&mut self, guard: &Guard, others: &[&Block]) {
        if guard.known == self.everyone || self.loops.is_empty() {
            return;
        }
        let mut leaving = Leaving::default();
        others.iter().for_each(|block| block.walk(&mut leaving));
        if leaving.ways.is_empty() {
            return;
        }
        self.guarded(guard.clone(), |this| {
            for (span, stop) in leaving.ways {
                this.may_leave_round(span, stop);
            }
        });
    }

    fn may_leave_round(&mut self, span: Span, stop: Option<usize>) {
        let known = self.or_all(Rule::Breaks, self.pc());
        let mut because = SmallVec::new();
        for p in self.everyone - known {
            if let Some(guard) = self.guard_against(p)
                && let Some(text) = guard.reason(p)
            {
                because.push((p, text.to_string()));
            }
        }
        let Some(frame) = self.loops.iter_mut().rev().nth(stop.unwrap_or(0)) else {
            return;
        };
        let guard = match stop {
            Some(_) => &mut frame.breaks,
            None => &mut frame.continues,
        };
        let what = if stop.is_some() {
            "this loop stops here"
        } else {
            "the rest of this round is left out"
        };
        match guard {
            Some(g) => {
                g.known &= known;
                g.because.extend(because);
            }
            None => {
                *guard = Some(Guard {
                    known,
                    span,
                    what,
                    because,
                    reads: SmallVec::new(),
                });
            }
        }
    }

    /// `each local in domain where cond { … }` and the turns of `turns`: `walk` runs once for each value.
    pub(super) fn walk_each(
        &mut self,
        local: LocalId,
        domain: &'d Expr,
        cond: Option<&'d Expr>,
        body: &'d Block,
        reading: Option<ReadingId>,
    ) {
        self.forbid_reveal(domain, "a set that is walked over");
        if let Some(cond) = cond {
            self.forbid_reveal(cond, "a `where`");
        }
        let guard = self.guard("somebody is in this set", domain.span, &[domain]);
        let known = guard.known & self.pc();
        let values = self.instances(&self.d.local(local).ty, Some(domain));
        let exact = values.is_some() && self.eval(domain).is_some();
        let nonempty = self.eval(domain).is_some_and(|w| w.iter().any(|&x| x != 0));
        let clean = self.clean(domain).restricted(self.pc());
        self.guarded(guard, |this| {
            let list: Vec<Option<u64>> = match values {
                Some(list) => list.into_iter().map(Some).collect(),
                None => vec![None],
            };
            let rounds = match (exact, nonempty) {
                (true, _) => Rounds::Unrolled,
                (_, true) => Rounds::AtLeastOne,
                _ => Rounds::Any,
            };
            this.run_loop(rounds, &mut |this| {
                this.takes_each_once(true);
                if exact {
                    for (i, v) in list.iter().enumerate() {
                        if i > 0 {
                            this.round_may_follow();
                        }
                        this.bind(local, known, clean.clone(), v.map(|v| vec![v]));
                        this.begin_quiet(i == 0);
                        this.begin_round(local);
                        this.walk_round(cond, body, reading);
                    }
                } else {
                    this.walk_any(local, known, &clean, &list, &mut |this| {
                        this.walk_round(cond, body, reading);
                    });
                }
            });
        });
        self.forget_round(local);
    }

    /// One round with any of these values.
    fn walk_any(
        &mut self,
        local: LocalId,
        known: PlayerSet,
        clean: &Clean,
        list: &[Option<u64>],
        round: &mut dyn FnMut(&mut Self),
    ) {
        let start = self.flow.clone();
        self.flow.live = false;
        for v in list {
            let mut done = std::mem::replace(&mut self.flow, start.clone());
            self.bind(local, known, clean.clone(), v.map(|v| vec![v]));
            self.begin_quiet(false);
            self.begin_round(local);
            round(self);
            done.join(&self.flow);
            self.flow = done;
        }
    }

    /// One round of a loop whose name is bound. `reading`: of its condition.
    fn walk_round(&mut self, cond: Option<&'d Expr>, body: &'d Block, reading: Option<ReadingId>) {
        if !self.flow.live {
            return;
        }
        let Some(cond) = cond else {
            self.walk_block(&body.stmts);
            self.end_round();
            return;
        };
        self.tell_shown(reading);
        let value = self.eval_bool(cond);
        if value == Some(false) {
            return;
        }
        let skipped = self.flow.clone();
        let guard = self.guard("this holds", cond.span, &[cond]);
        self.in_doubt(value.is_none(), |this| {
            this.quiet_where(cond, true);
            this.guarded(guard, |this| this.walk_block(&body.stmts));
        });
        self.end_round();
        if value.is_none() {
            self.flow.join(&skipped);
        }
    }

    pub(super) fn walk_turns(&mut self, stmt: &'d Stmt) {
        let StmtKind::Turns {
            local,
            first,
            among,
            cond,
            body,
            bound,
        } = &stmt.kind
        else {
            return;
        };
        for e in [first, among] {
            self.forbid_reveal(e, "the head of `turns`");
        }
        if let Some(cond) = cond {
            self.forbid_reveal_but(cond, "the head of `turns`", SHOW_CONDITION);
        }
        self.forget_told_in(body);
        let guard = self.guard("it is this player's turn", first.span, &[first, among]);
        let known = guard.known & self.pc();
        let values = self.instances(&self.d.local(*local).ty, Some(among));
        let list: Vec<Option<u64>> = match values {
            Some(list) => list.into_iter().map(Some).collect(),
            None => vec![None],
        };
        let takers = self.eval(among).map(|w| members(&among.ty, &w).len());
        let once = takers.is_some_and(|n| *bound as usize <= n);
        let certain = cond.is_none() && self.eval(among).is_some_and(|w| w.iter().any(|&x| x != 0));
        let rounds = if certain {
            Rounds::AtLeastOne
        } else {
            Rounds::Any
        };
        // That there is a turn depends on every condition before, so a condition that reads a secret hides all turns.
        let mut cond_guard: Option<Guard> = None;
        for v in &list {
            let Some(c) = cond else { break };
            self.bind(*local, known, Clean::known(known), v.map(|v| vec![v]));
            let guard = self.guard(TURNS_GO_ON, c.span, &[c]);
            match &mut cond_guard {
                Some(all) => {
                    all.known &= guard.known;
                    all.because.extend(guard.because);
                }
                None => cond_guard = Some(guard),
            }
        }
        self.guarded(guard, |this| {
            let go = |this: &mut Self| {
                this.run_loop(rounds, &mut |this| {
                    let clean = Clean::known(known);
                    let inner = cond.as_ref().filter(|c| c.reads_local(*local));
                    this.tell_shown(stmt.reading);
                    this.takes_each_once(once);
                    this.walk_any(*local, known, &clean, &list, &mut |this| {
                        this.walk_round(inner, body, stmt.reading);
                    });
                });
            };
            match cond_guard {
                Some(g) => this.guarded(g, go),
                None => go(this),
            }
        });
        self.forget_round(*local);
    }
}
