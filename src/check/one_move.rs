//! `one move { … }`: several choices of one player that count as one. What may stand in it, and whose it is.

use super::checker::Checker;
use super::codes;
use super::facts::meet;
use crate::model::visit::Visitor;
use crate::model::{
    Block, Choice, Expr, ExprKind, LocalId, OneMove, PlayerSet, SEPARATORS, SiteKind, Stmt,
    StmtKind, TextPart,
};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where it is said that nothing can be revealed or drawn.
pub const ONE_MOVE: &str = "a move, whose choices are made before anything is told";
/// The most choices on one way.
const MAX_CHOICES: u64 = 64;
/// The most options of one of the choices, as far as the types of its values say.
const MAX_OPTIONS: u64 = 1 << 31;

/// A move of one choice: what stands before it, and the choice with what follows from it.
struct Alone {
    before: Vec<Stmt>,
    choice: Choice,
    stmt: Stmt,
}

/// The choice of a move that has no other, where it says the same alone.
fn only_choice(body: &Block) -> Option<Alone> {
    let mut inside = Inside::default();
    body.walk(&mut inside);
    let is_let = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::Let { .. });
    let before: Vec<Stmt> = body.stmts.iter().take_while(is_let).cloned().collect();
    let (stmt, after) = body.stmts[before.len()..].split_first()?;
    let StmtKind::Choice(choice) = &stmt.kind else {
        return None;
    };
    let mut choice = choice.clone();
    let follows = after.is_empty() || choice.alternatives.len() == 1;
    if inside.choices.len() != 1 || choice.otherwise.is_some() || !follows {
        return None;
    }
    for alternative in &mut choice.alternatives {
        if let Some(text) = &mut alternative.text {
            let cases = text.cases.iter_mut().map(|case| &mut case.parts);
            for parts in cases.chain([&mut text.parts]) {
                // What separates it from a text before.
                if let Some(TextPart::Literal(first)) = parts.first_mut() {
                    *first = first.trim_start_matches(SEPARATORS).to_string();
                }
            }
        }
        alternative.body.stmts.extend(after.iter().cloned());
    }
    Some(Alone {
        before,
        choice,
        stmt: stmt.clone(),
    })
}

impl Alone {
    fn with_otherwise(self, otherwise: Option<Block>) -> Block {
        let Alone {
            before: mut stmts,
            mut choice,
            stmt,
        } = self;
        choice.otherwise = otherwise;
        stmts.push(Stmt {
            kind: StmtKind::Choice(choice),
            ..stmt
        });
        Block { stmts }
    }
}

impl<'a> Checker<'a> {
    pub fn one_move(&mut self, one: &'a ast::OneMove, span: Span) -> Option<StmtKind> {
        self.refuse_in_move("another `one move` cannot stand", span)?;
        let before = self.frame.facts.clone();
        self.moves += 1;
        let body = self.quietly(ONE_MOVE, |this| this.block(&one.body));
        self.moves -= 1;
        let (ended, facts) = self.way();
        self.frame.facts = facts.clone().unwrap_or_default();
        let greatest = one.greatest.as_ref().map(|e| {
            self.quietly("what a move is judged by", |this| {
                let value = this.expr(e, None)?;
                this.integer(value)
            })
        });
        let mut ways = vec![facts];
        let mut ends = ended;
        let otherwise = one.otherwise.as_ref().map(|block| {
            self.frame.facts = before;
            let made = self.block(block);
            let (ended, facts) = self.way();
            ends &= ended;
            ways.push(facts);
            made
        });
        self.frame.facts = meet(ways);
        self.diverged = ends;
        let body = body?;
        let chooser = self.whose(&body, span)?;
        let body = self.join_choices(body);
        if let (None, Some(alone)) = (&greatest, only_choice(&body)) {
            let otherwise = match otherwise {
                Some(otherwise) => Some(otherwise?),
                None => None,
            };
            return Some(StmtKind::Block(alone.with_otherwise(otherwise)));
        }
        let site = self.new_site(SiteKind::Choice, span);
        let one = OneMove {
            site,
            chooser,
            body,
            greatest: match greatest {
                Some(greatest) => Some(greatest?),
                None => None,
            },
            otherwise: match otherwise {
                Some(otherwise) => Some(otherwise?),
                None => None,
            },
            span,
        };
        self.countable(&one)?;
        Some(StmtKind::OneMove(one))
    }

    /// Refuses what is no part of a move. `what`: what cannot be there.
    pub fn refuse_in_move(&mut self, what: &str, span: Span) -> Option<()> {
        if self.moves == 0 {
            return Some(());
        }
        self.not_a_move(
            span,
            format!("{what} in {ONE_MOVE}"),
            "let it stand before or after the `one move`",
        );
        None
    }

    fn not_a_move(&mut self, span: Span, message: String, hint: &str) {
        self.report(Diagnostic::error(codes::BAD_MOVE, span, message).hint(hint));
    }

    /// The player who makes all the choices of a move.
    fn whose(&mut self, body: &Block, span: Span) -> Option<Expr> {
        let mut inside = Inside::default();
        body.walk(&mut inside);
        let Inside {
            choices,
            lets,
            bound,
        } = inside;
        let mut whose: Option<(Expr, Span)> = None;
        let mut ok = true;
        for choice in choices {
            let mut chooser = &choice.chooser;
            while let ExprKind::Local(local) = chooser.kind
                && let Some(value) = lets.get(&local)
            {
                chooser = value;
            }
            let named = match chooser.kind {
                ExprKind::Const(_) => true,
                ExprKind::Local(local) => !bound.contains(&local),
                _ => false,
            };
            let at = choice.chooser.span;
            if !named {
                self.not_a_move(
                    at,
                    "whose move this is must have a name before the move".into(),
                    "name the player before it: `let me = …`, and `me chooses …` in the move",
                );
                ok = false;
                continue;
            }
            match &whose {
                None => whose = Some((chooser.clone(), at)),
                Some((first, _)) if same(first, chooser) => {}
                Some((_, first)) => {
                    let problem = Diagnostic::error(
                        codes::BAD_MOVE,
                        at,
                        "one move is made by one player, and this is another",
                    )
                    .note(*first, "the first choice of the move")
                    .hint("let each player make a move of its own, in turn");
                    self.report(problem);
                    ok = false;
                }
            }
            ok &= self.open(choice).is_some();
        }
        if whose.is_none() && ok {
            self.not_a_move(
                span,
                "nobody chooses anything in this `one move`".into(),
                "for example: one move { me chooses from in men[me]  me chooses to in next(from) }",
            );
        }
        whose.filter(|_| ok).map(|(chooser, _)| chooser)
    }

    /// That everybody sees all of a choice, value by value.
    fn open(&mut self, choice: &Choice) -> Option<()> {
        let mut viewers: Vec<(&Expr, Span)> = Vec::new();
        for a in &choice.alternatives {
            if a.label.is_some() {
                viewers.push((&choice.viewers, choice.span));
            }
            viewers.extend(a.parts.iter().map(|part| (&part.viewers, part.span)));
            if let Some(part) = a.parts.iter().find(|part| part.sizes.is_some()) {
                self.not_a_move(
                    part.span,
                    "no subsets are chosen in `one move`".into(),
                    "let a loop choose the elements one by one",
                );
                return None;
            }
        }
        let everyone = self.players.as_ref().map_or(0, |p| p.values.len());
        for (viewers, span) in viewers {
            let seen = self.words_of(viewers);
            let seen = seen.map(|words| PlayerSet::from_words(&words));
            if seen != Some(PlayerSet::first(everyone)) {
                self.not_a_move(
                    span,
                    "everybody sees all of a move that is made of several choices".into(),
                    "choose it openly; or make the secret choice a move of its own",
                );
                return None;
            }
        }
        Some(())
    }

    /// That a move can be numbered.
    fn countable(&mut self, one: &OneMove) -> Option<()> {
        let longest = one.longest();
        if longest > MAX_CHOICES {
            self.not_a_move(
                one.span,
                format!(
                    "there may be {longest} choices in this move; there are at most {MAX_CHOICES}"
                ),
                "let its loops have fewer rounds: `while … at most n`",
            );
            return None;
        }
        for choice in one.choices() {
            let possible = choice.possible(&self.locals);
            if possible.is_none_or(|n| n > MAX_OPTIONS) {
                self.not_a_move(
                    choice.span,
                    "this choice has too many options to be a part of a move".into(),
                    "let several choices follow one another instead",
                );
                return None;
            }
        }
        Some(())
    }
}

/// Whether two choosers are the same constant or the same local.
fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
        (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
        _ => false,
    }
}

/// What stands in a move.
#[derive(Default)]
struct Inside<'d> {
    choices: Vec<&'d Choice>,
    lets: FxHashMap<LocalId, &'d Expr>,
    /// Names that stand for one thing after the other.
    bound: FxHashSet<LocalId>,
}

impl<'d> Visitor<'d> for Inside<'d> {
    fn expr(&mut self, _: &'d Expr) {}

    fn stmt(&mut self, s: &'d Stmt) {
        match &s.kind {
            StmtKind::Let { local, value } => {
                self.lets.insert(*local, value);
            }
            StmtKind::Each { local, .. } | StmtKind::Turns { local, .. } => {
                self.bound.insert(*local);
            }
            _ => {}
        }
        s.walk(self);
    }

    fn choice(&mut self, c: &'d Choice) {
        self.choices.push(c);
        let parts = c.alternatives.iter().flat_map(|a| &a.parts);
        self.bound.extend(parts.map(|part| part.local));
        c.walk(self);
    }
}
