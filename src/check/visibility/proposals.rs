//! Changes that may mend a leak. Which of them does, `check::proposals` finds out.

use super::codes;
use super::surroundings::{Surroundings, reads, stores};
use crate::model::types::Type;
use crate::model::*;
use crate::text::diagnostics::Diagnostic;
use crate::text::edits::{Piece, Proposal};
use crate::text::span::Span;

/// The changes that may mend a problem, the best first.
pub(super) fn of(d: &Description, problem: &Diagnostic) -> Vec<Proposal> {
    let around = Surroundings::find(d, problem.span);
    let proposer = Proposer { d, problem, around };
    let mut list = Vec::new();
    match problem.code {
        codes::STORE => {
            list.extend(proposer.draw_into());
            list.extend(proposer.name_first());
            list.extend(proposer.reveal_value());
            list.extend(proposer.show_label());
            list.extend(proposer.reveal_condition());
            list.extend(proposer.ask_before());
        }
        codes::OPTIONS => {
            list.extend(proposer.name_first());
            list.extend(proposer.own_options());
            list.extend(proposer.tell_options());
        }
        codes::EVENT | codes::SHOWN => {
            list.extend(proposer.name_first());
            list.extend(proposer.ask_before());
            list.extend(proposer.show_label());
            list.extend(proposer.reveal_condition());
        }
        codes::END => {
            list.extend(proposer.show_label());
            list.extend(proposer.reveal_condition());
        }
        codes::DRAW_OPTIONS => list.extend(proposer.revealing()),
        codes::CLOCK => {
            list.extend(proposer.show_move());
            list.extend(proposer.show_else());
        }
        codes::REVEAL_PLACE if !asked_each_turn(&proposer.around, problem.span) => {
            list.extend(proposer.reveal_before("known", problem.span));
        }
        codes::CHOOSER => {
            list.extend(proposer.tell_before("who", problem.span, ""));
            list.extend(proposer.reveal_condition());
        }
        _ => {}
    }
    list
}

/// Whether a place is in the condition of turns, which no step before them can tell.
fn asked_each_turn(around: &Surroundings<'_>, at: Span) -> bool {
    let stmt = around.stmt().map(|s| &s.kind);
    matches!(stmt, Some(StmtKind::Turns { cond: Some(c), .. }) if c.span.contains(at))
}

struct Proposer<'d> {
    d: &'d Description,
    problem: &'d Diagnostic,
    around: Surroundings<'d>,
}

impl<'d> Proposer<'d> {
    /// The first of some names, numbered if need be, that nothing else has.
    fn fresh(&self, name: &str) -> String {
        let taken = |name: &str| {
            let locals = self.d.locals.iter().map(|l| &l.name);
            let vars = self.d.vars.iter().map(|v| &v.name);
            let shown = self.d.shown.iter().map(|def| &def.name);
            let mut all = locals.chain(vars).chain(shown);
            all.any(|n| n == name)
        };
        let numbered = (2..).map(|n| format!("{name}{n}"));
        let mut names = std::iter::once(name.to_string()).chain(numbered);
        names.find(|n| !taken(n)).unwrap_or_default()
    }

    fn seen_by_all(&self, viewers: &Expr) -> bool {
        match &viewers.kind {
            ExprKind::ConstSet(words) => PlayerSet::from_words(words) == self.d.everyone(),
            _ => false,
        }
    }

    /// Those whom names in these expressions stand for, and then [`listeners`](Self::listeners).
    fn listeners_by_name<'e>(&self, of: impl IntoIterator<Item = &'e Expr>) -> Vec<String> {
        let mut list: Vec<String> = Vec::new();
        for e in of {
            e.for_each(|e| {
                if let ExprKind::Local(local) = e.kind
                    && let Local { name, ty, .. } = self.d.local(local)
                    && matches!(ty, Type::Player(_))
                    && !name.is_empty()
                    && !list.iter().any(|to| to[4..] == **name)
                {
                    list.push(format!(" to {name}"));
                }
            });
        }
        list.extend(self.listeners());
        list
    }

    /// ` to P` for each player, where there are more than two, and nothing for everybody.
    fn listeners(&self) -> Vec<String> {
        let players = self.d.players.values.iter();
        let names = players.map(|v| format!(" to {}", v.name));
        let some = (3..=6).contains(&self.d.player_count());
        let mut list: Vec<String> = names.filter(|_| some).collect();
        list.push(String::new());
        list
    }

    /// What the hint of the problem says can be done instead of telling, as the end of a sentence.
    fn or(&self) -> String {
        let hint = self.problem.hint.as_deref().unwrap_or_default();
        let other = ["or say in `state`", "or keep ", "or ask ", "or let "];
        let at = other.iter().find_map(|words| hint.find(words));
        at.map_or_else(String::new, |at| format!("; {}", &hint[at..]))
    }

    /// A def that shows how many there are, as the end of a sentence, where a condition asks nothing else of what is hidden.
    fn or_on_view(&self, cond: &Expr) -> String {
        let hidden = |e: &Expr| match &e.kind {
            ExprKind::Var { var, .. } if !self.seen_by_all(&self.d.var(*var).viewers) => Some(*var),
            _ => None,
        };
        if cond.any(|e| matches!(e.kind, ExprKind::Shown { .. })) {
            return String::new();
        }
        let (mut all, mut counted) = (Vec::new(), Vec::new());
        cond.for_each(|e| {
            all.extend(hidden(e));
            if let ExprKind::Call { function, args, .. } = &e.kind
                && function.is_count()
            {
                counted.extend(args.first().and_then(hidden));
            }
        });
        let Some(&first) = counted.first().filter(|_| all == counted) else {
            return String::new();
        };
        let var = self.d.var(first);
        let most = var.ty.element().and_then(Type::size);
        let one = counted.iter().all(|other| *other == first);
        let (Some(most), true) = (most, one) else {
            return String::new();
        };
        let (def, set, asked) = match &var.indices[..] {
            [] => {
                let left = self.fresh("left");
                (left.clone(), var.name.clone(), left)
            }
            // A range may be made of params.
            [index] if matches!(index.ty, Type::Player(_)) => {
                let (held, of) = (self.fresh("held"), self.fresh("x"));
                let (def, set) = (
                    format!("{held}({of}: {})", index.ty),
                    format!("{}[{of}]", var.name),
                );
                (def, set, format!("{held}(…)"))
            }
            _ => return String::new(),
        };
        format!(
            "; or put on view how many there are, `shown def {def}: 0..{most} = size({set})`, and ask `{asked}`"
        )
    }

    /// `let me = turn`, and `me` for every `turn` up to where it changes.
    fn name_first(&self) -> Vec<Proposal> {
        let Some(stmt) = self.around.stmt() else {
            return Vec::new();
        };
        let mut vars: Vec<VarId> = Vec::new();
        for (var, _) in reads(stmt) {
            let is_player = match &self.d.var(var).ty {
                Type::Player(_) => true,
                Type::Optional(inner) => matches!(**inner, Type::Player(_)),
                _ => false,
            };
            if is_player && self.d.var(var).indices.is_empty() && !vars.contains(&var) {
                vars.push(var);
            }
        }
        let name = self.fresh("me");
        let mut list = Vec::new();
        for var in vars {
            for (stmts, at) in self.around.blocks() {
                let quiet = |s: &&Stmt| !stores(s, var);
                let after = stmts[at..].iter().take_while(quiet).count();
                let before = stmts[..at].iter().rev().take_while(quiet).count();
                let run = &stmts[at - before..at + after];
                // What a def or a rule reads lies elsewhere.
                let own = |s: &Stmt| -> Vec<Span> {
                    let all = reads(s).into_iter();
                    let own = all.filter(|(v, span)| *v == var && s.span.contains(*span));
                    own.map(|(_, span)| span).collect()
                };
                let Some(first) = run.iter().find(|s| !own(s).is_empty()) else {
                    continue;
                };
                let mut spans: Vec<Span> = run.iter().flat_map(own).collect();
                spans.sort();
                spans.dedup();
                let known = &self.d.var(var).name;
                let mut proposal = Proposal::hint([format!(
                    "`{known}` may be any player here: give the one that it is a name first, `let {name} = {known}`, and write `{name}`"
                )
                .into()])
                .before(first.span, [format!("let {name} = {known}  ").into()]);
                for span in spans {
                    proposal = proposal.change(span, [name.clone().into()]);
                }
                list.push(proposal);
            }
        }
        list.truncate(4);
        list
    }

    /// `draw x in S into place`, in the place of a secret draw and a store.
    fn draw_into(&self) -> Option<Proposal> {
        let (stmts, at) = *self.around.blocks().first()?;
        let StmtKind::Store { place, value, .. } = &stmts.get(at)?.kind else {
            return None;
        };
        let ExprKind::Local(local) = value.uncast().kind else {
            return None;
        };
        let is_drawn = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Draw(draw) => match draw.parts.as_slice() {
                [one] => one.local == local && one.into.is_none(),
                _ => false,
            },
            _ => false,
        };
        let drawn = stmts[..at].iter().rposition(is_drawn)?;
        let StmtKind::Draw(draw) = &stmts[drawn].kind else {
            return None;
        };
        let between = &stmts[drawn..at];
        if between.iter().any(|s| stores(s, place.var)) {
            return None;
        }
        let (name, part) = (self.d.local(local).span, draw.parts.first()?.span);
        let (start, end) = (stmts[drawn].span.start, name.start);
        let secretly = Span { start, end };
        let (start, end) = (name.start, part.end);
        let what = Span { start, end };
        let start = between.iter().map(|s| s.span.end).max()?;
        let end = stmts[at].span.end;
        let store = Span { start, end };
        let into: [Piece; 2] = [" into ".into(), place.span.into()];
        let hint = ["let the draw store it: `draw ".into(), what.into()];
        let hint = hint.into_iter().chain(into.clone()).chain(["`".into()]);
        Some(
            Proposal::hint(hint.collect::<Vec<Piece>>())
                .change(secretly, ["draw ".into()])
                .after(what, into)
                .change(store, []),
        )
    }

    /// `reveal(…)` around what is stored.
    fn reveal_value(&self) -> Vec<Proposal> {
        let mut list = Vec::new();
        let Some(Stmt {
            kind: StmtKind::Store { place, value, .. },
            ..
        }) = self.around.stmt()
        else {
            return list;
        };
        if place.span != self.problem.span {
            return list;
        }
        let indices = place.indices.iter();
        let indices = indices.map(|(PlaceIndex::One(e) | PlaceIndex::Each(e))| e);
        list.extend(
            indices
                .clone()
                .filter_map(|e| self.tell_owner(e, value.span)),
        );
        for to in self.listeners_by_name(indices.chain([value])) {
            list.push(match to.is_empty() {
                true => self.or_tell_all(value.span),
                false => around(value.span, pieces(to), &self.or()),
            });
        }
        for PlaceIndex::One(index) | PlaceIndex::Each(index) in &place.indices {
            for to in self.listeners() {
                list.extend(self.tell_before("known", index.span, &to));
            }
        }
        list
    }

    /// `reveal(… to P)` around what is stored at `P`: an index that is computed, or the name of a row's formula.
    fn tell_owner(&self, index: &Expr, value: Span) -> Option<Proposal> {
        let players = matches!(index.ty, Type::Player(_));
        let to: Piece = match &index.kind {
            _ if !players => return None,
            ExprKind::Local(_) => return None,
            _ if index.span.contains(value) => {
                let own = |l: &&Local| l.span == index.span && l.ty == index.ty;
                let named = |l: &&Local| own(l) && !l.name.is_empty();
                self.d.locals.iter().find(named)?.name.clone().into()
            }
            _ => index.span.into(),
        };
        Some(around(value, vec![" to ".into(), to], &self.or()))
    }

    /// Who else sees the variable says the declaration; else everybody is told what is stored.
    fn or_tell_all(&self, value: Span) -> Proposal {
        let or = self.or();
        let Some(narrower) = or.strip_prefix("; or ") else {
            return around(value, Vec::new(), &or);
        };
        let hint = [
            format!("{narrower}; or write `reveal(").into(),
            value.into(),
            ")`, which tells everybody".into(),
        ];
        in_reveal(Proposal::hint(hint), value, Vec::new())
    }

    /// `reveal(…)` around the condition that the player could not know.
    fn reveal_condition(&self) -> Vec<Proposal> {
        let Some((at, _)) = self.problem.notes.first() else {
            return Vec::new();
        };
        let mut found: Vec<&Expr> = Vec::new();
        self.d.play.for_each_stmt(|stmt| {
            if let StmtKind::If { cond: e, .. }
            | StmtKind::While { cond: e, .. }
            | StmtKind::Match { scrutinee: e, .. } = &stmt.kind
                && e.span == *at
                && found.is_empty()
            {
                found.push(e);
            }
        });
        let told = self.listeners();
        let all = |conds: &[&Expr]| -> Vec<Proposal> {
            let each = conds.iter().flat_map(|e| {
                let or = self.or() + &self.or_on_view(e);
                let told = self.listeners_by_name([*e]);
                let each = told.into_iter();
                let each = each.map(|to| around(e.span, pieces(to), &or));
                each.collect::<Vec<_>>()
            });
            each.collect()
        };
        if !found.is_empty() {
            return all(&found);
        }
        let there = Surroundings::find(self.d, *at);
        if asked_each_turn(&there, *at) {
            return Vec::new();
        }
        let leaves = |s: &Stmt| matches!(s.kind, StmtKind::Break { .. } | StmtKind::Continue);
        if !there.stmt().is_some_and(leaves) {
            // A set that is walked over, a number of rounds.
            let before = Proposer {
                around: there,
                ..*self
            };
            let known = told.iter();
            return known
                .filter_map(|to| before.tell_before("known", *at, to))
                .collect();
        }
        // A `break` tells what the `if` around it depends on.
        let around = there.blocks().into_iter().skip(1);
        let around = around.filter_map(|(stmts, n)| match &stmts[n].kind {
            StmtKind::If { cond, .. } if stmts[n].span.contains(*at) => Some(cond),
            _ => None,
        });
        all(&around.take(1).collect::<Vec<_>>())
    }

    /// That there is nothing to choose from, told before the choice in the place of its `else`.
    fn ask_before(&self) -> Option<Proposal> {
        let (at, _) = self.problem.notes.first()?;
        let around = Surroundings::find(self.d, *at).blocks();
        let mut around = around.into_iter().map(|(stmts, n)| &stmts[n]);
        let (choice, otherwise) = around.find_map(|stmt| match &stmt.kind {
            StmtKind::Choice(choice) => {
                let otherwise = choice.otherwise.as_ref().map(|block| &block.stmts);
                let within = |s: &Stmt| choice.span == *at || s.span.contains(*at);
                let otherwise = otherwise.filter(|stmts| stmts.iter().any(within))?;
                Some((choice, otherwise))
            }
            _ => None,
        })?;
        let [
            Alternative {
                label: None,
                parts,
                cond: None,
                span,
                ..
            },
        ] = choice.alternatives.as_slice()
        else {
            return None;
        };
        let [
            Part {
                domain,
                sizes: None,
                ..
            },
        ] = parts.as_slice()
        else {
            return None;
        };
        let (first, last) = (otherwise.first()?.span, otherwise.last()?.span);
        let (start, end) = (first.start, last.end);
        let body = Span { start, end };
        let (start, end) = (span.end, choice.span.end);
        let left_out = Span { start, end };
        let asked: [Piece; 3] = ["if reveal(".into(), domain.span.into(), " == {}) { ".into()];
        let hint = ["tell everybody before whether there is anything to choose: `".into()];
        let hint = hint.into_iter().chain(asked.clone());
        let before = asked.into_iter().chain([body.into(), " }  ".into()]);
        let leaves = matches!(
            otherwise.last()?.kind,
            StmtKind::Break { .. } | StmtKind::Continue | StmtKind::End(_)
        );
        // Where play goes on, there is still nothing to choose from.
        let (left, end): (Vec<Piece>, _) = match leaves {
            true => (Vec::new(), " }` in the place of the `else`"),
            false => (vec![" else { }".into()], " }`, and `else { }` behind it"),
        };
        Some(
            Proposal::hint(
                hint.chain([body.into(), end.into()])
                    .collect::<Vec<Piece>>(),
            )
            .before(choice.span, before.collect::<Vec<Piece>>())
            .change(left_out, left),
        )
    }

    /// No `secretly` before the choice of which the player does not see the label; where values are chosen with it, these stay
    /// secret.
    fn show_label(&self) -> Option<Proposal> {
        let (at, _) = self.problem.notes.first()?;
        let around = Surroundings::find(self.d, *at);
        let choice = around.choice()?;
        let labelled = choice.alternatives.iter().filter(|a| a.label.is_some());
        let spans: Vec<Span> = labelled.map(|a| a.span).collect();
        if !spans.contains(at) || self.seen_by_all(&choice.viewers) {
            return None;
        }
        let head = Span {
            start: choice.chooser.span.end,
            end: spans.first()?.start,
        };
        let hint = match choice.alternatives.iter().all(|a| a.parts.is_empty()) {
            true => {
                "leave out `secretly` before the choice, so that it is seen what is chosen; if some are to see a value and others nothing, let it be chosen for them, `x in S seen by { p, q }`"
            }
            false => {
                "put `secretly` before the values instead, `label(secretly x in S)`, so that the label alone is seen"
            }
        };
        let open = Proposal::hint([hint.into()]).change(head, [" chooses { ".into()]);
        let values = choice.alternatives.iter().flat_map(|a| &a.parts);
        Some(values.fold(open, |open, value| {
            open.before(value.span, ["secretly ".into()])
        }))
    }

    /// The same sets of the player who chooses, each taken away once.
    fn own_options(&self) -> Option<Proposal> {
        let choice = self.around.choice()?;
        let mut indices: Vec<Span> = Vec::new();
        let mut taken: Vec<VarId> = Vec::new();
        let mut twice: Vec<Span> = Vec::new();
        let mut look = |e: &'d Expr| {
            if !self.problem.span.contains(e.span) {
                return;
            }
            // What a def reads lies elsewhere.
            let here = |span: Span| span.start <= span.end && self.problem.span.contains(span);
            // How many cards somebody else has is not how many the chooser has.
            let mut counted: Vec<Span> = Vec::new();
            e.for_each(|part| {
                if matches!(
                    (&part.kind, &part.ty),
                    (ExprKind::Call { .. }, Type::Int { .. })
                ) {
                    counted.push(part.span);
                }
            });
            let is_counted = |e: &Expr| counted.iter().any(|span| span.contains(e.span));
            e.for_each(|part| {
                if let ExprKind::Var { indices: list, .. } = &part.kind
                    && !is_counted(part)
                {
                    let others = |i: &&Expr| !i.is_same(&choice.chooser);
                    let players = list.iter().filter(|i| matches!(i.ty, Type::Player(_)));
                    let players = players.filter(others);
                    indices.extend(players.map(|i| i.span).filter(|span| here(*span)));
                }
                if let ExprKind::Binary {
                    op: BinaryOp::Difference,
                    left,
                    right,
                } = &part.kind
                    && let ExprKind::Var { var, .. } = &right.kind
                {
                    let span = Span {
                        start: left.span.end,
                        end: right.span.end,
                    };
                    match taken.contains(var) {
                        true if here(span) => twice.push(span),
                        true => {}
                        false => taken.push(*var),
                    }
                }
            });
        };
        for a in &choice.alternatives {
            a.parts.iter().for_each(|p| look(&p.domain));
            a.cond.iter().for_each(&mut look);
        }
        indices.sort();
        indices.dedup();
        let own = choice.chooser.span;
        let mut proposal = Proposal::hint([
            "offer what the chooser sees: `".into(),
            own.into(),
            "` in the place of `".into(),
            (*indices.first()?).into(),
            "`".into(),
        ]);
        indices.retain(|i| !twice.iter().any(|t| t.contains(*i)));
        for span in &indices {
            proposal = proposal.change(*span, [own.into()]);
        }
        for span in twice {
            proposal = proposal.change(span, []);
        }
        Some(proposal)
    }

    /// The options, told to the chooser before.
    fn tell_options(&self) -> Option<Proposal> {
        let choice = self.around.choice()?;
        // Before the choice its own names stand for nothing, or for something else.
        let own = choice.alternatives.iter().any(|a| {
            let domains = a.parts.iter().map(|p| &p.domain);
            let mut asked = domains
                .chain(&a.cond)
                .filter(|e| e.span == self.problem.span);
            asked.any(|e| a.parts.iter().any(|part| e.reads_local(part.local)))
        });
        if own {
            return None;
        }
        let pieces: Vec<Piece> = vec![" to ".into(), choice.chooser.span.into()];
        self.told("told", self.problem.span, pieces)
    }

    /// `let known = reveal(x)` before the statement, and `known` for x.
    fn tell_before(&self, name: &str, value: Span, to: &str) -> Option<Proposal> {
        self.told(name, value, vec![to.into()])
    }

    fn told(&self, name: &str, value: Span, to: Vec<Piece>) -> Option<Proposal> {
        let name = self.fresh(name);
        let everybody = match to.iter().all(|piece| *piece == Piece::from("")) {
            true => ", which tells everybody",
            false => "",
        };
        let mut pieces: Vec<Piece> = vec![format!("let {name} = reveal(").into(), value.into()];
        pieces.extend(to);
        pieces.push(")".into());
        let mut hint: Vec<Piece> = vec!["write `".into()];
        hint.extend(pieces.iter().cloned());
        hint.push(format!("` before{everybody}, and `{name}` here{}", self.or()).into());
        pieces.push("  ".into());
        let stmt = self.around.stmt()?;
        let proposal = Proposal::hint(hint).before(stmt.span, pieces);
        Some(proposal.change(value, [name.into()]))
    }

    /// A `reveal` that stands in a formula, as a step before the statement.
    fn reveal_before(&self, name: &str, reveal: Span) -> Option<Proposal> {
        let name = self.fresh(name);
        let pieces = [format!("let {name} = ").into(), reveal.into(), "  ".into()];
        let stmt = self.around.stmt()?;
        let proposal = Proposal::default().before(stmt.span, pieces);
        Some(proposal.change(reveal, [name.into()]))
    }

    /// `revealing`; of a deal, the number told before.
    fn revealing(&self) -> Vec<Proposal> {
        let mut list = Vec::new();
        if let Some(Stmt {
            kind: StmtKind::Deal(deal),
            ..
        }) = self.around.stmt()
        {
            for to in self.listeners() {
                list.extend(self.tell_before("known", deal.count.span, &to));
            }
        }
        list.push(Proposal::default().after(self.problem.span, [" revealing".into()]));
        list
    }

    /// Something that is seen before what changes after an `else`.
    fn show_else(&self) -> Option<Proposal> {
        let stmt = self.around.stmt()?;
        Some(Proposal::default().before(stmt.span, ["reveal(true)  ".into()]))
    }

    /// A label, or a value beside the secret one, for the move that somebody does not see.
    fn show_move(&self) -> Vec<Proposal> {
        let Some((passed, _)) = self.problem.notes.first() else {
            return Vec::new();
        };
        let around = Surroundings::find(self.d, *passed);
        let Some(choice) = around.choice() else {
            return Vec::new();
        };
        let [
            Alternative {
                label: None,
                parts,
                span,
                ..
            },
        ] = choice.alternatives.as_slice()
        else {
            return Vec::new();
        };
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
            return Vec::new();
        };
        // What stands between the chooser and the parts says whether the whole choice is secret.
        let secret = !self.seen_by_all(&choice.viewers);
        let word = if secret { "secretly " } else { "" };
        let head = Span {
            start: choice.chooser.span.end,
            end: first.span.start,
        };
        let names: Vec<&str> = parts
            .iter()
            .map(|p| self.d.local(p.local).name.as_str())
            .collect();
        let label = self.fresh("move");
        let mut labelled = Proposal::hint([format!(
            "let the move show that it is made, and not what it is: `chooses {{ {label}(secretly {} in …) }}`",
            names.join(" in …, secretly ")
        )
        .into()])
        .change(
            head,
            [format!(" chooses {{ {label}({word}").into()],
        );
        let made = self.fresh("made");
        let mut beside = Proposal::hint([format!(
            "let the move show something beside the secret: `chooses {made} in {{ true }}, secretly {} in …`",
            names.join(" in …, secretly ")
        )
        .into()])
        .change(
            head,
            [format!(" chooses {made} in {{ true }}, {word}").into()],
        );
        for part in &parts[1..] {
            if secret {
                labelled = labelled.before(part.span, [word.into()]);
                beside = beside.before(part.span, [word.into()]);
            }
        }
        labelled = match last.span.end == span.end {
            true => labelled.after(*span, [") }".into()]),
            false => labelled
                .after(last.span, [")".into()])
                .after(*span, [" }".into()]),
        };
        vec![labelled, beside]
    }
}

/// ` to P` as a piece, and none for everybody.
fn pieces(to: String) -> Vec<Piece> {
    match to.is_empty() {
        true => Vec::new(),
        false => vec![to.into()],
    }
}

/// `reveal(… to P)` around a value. `or`: the other way out, as the hint tells it.
fn around(value: Span, to: Vec<Piece>, or: &str) -> Proposal {
    let told = match to.is_empty() {
        true => "`, which tells everybody",
        false => "`",
    };
    let mut hint: Vec<Piece> = vec!["write `reveal(".into(), value.into()];
    hint.extend(to.iter().cloned());
    hint.extend([format!("){told}").into(), or.into()]);
    in_reveal(Proposal::hint(hint), value, to)
}

fn in_reveal(proposal: Proposal, value: Span, mut to: Vec<Piece>) -> Proposal {
    to.push(")".into());
    proposal.before(value, ["reveal(".into()]).after(value, to)
}
