//! Statements.

use super::{Binder, Expr, MatchArm, Name, Pattern, Text, Type};
use crate::syntax::visit::{NameKind, Reference, Visitor};
use crate::text::span::Span;

#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `let x = e`, `let x: T = e`.
    Let {
        name: Name,
        ty: Option<Type>,
        value: Expr,
    },
    /// `place = e`, `place += e`, `place -= e`.
    Assign {
        place: Expr,
        op: AssignOp,
        value: Expr,
    },
    /// `note place = e`, `note place += e`, `note place -= e`.
    Note {
        place: Expr,
        op: AssignOp,
        value: Expr,
    },
    If {
        cond: Expr,
        then: Block,
        otherwise: Option<Block>,
    },
    Match {
        scrutinee: Expr,
        arms: Vec<MatchArm<Block>>,
    },
    /// `each x in S, y in T { … }`.
    Each {
        binders: Vec<Binder>,
        body: Block,
    },
    Repeat {
        count: Expr,
        body: Block,
    },
    /// `while c at most n { … }`.
    While {
        cond: Expr,
        bound: Expr,
        body: Block,
    },
    Turns(Box<Turns>),
    Together(Together),
    OneMove(Box<OneMove>),
    Choice(Box<Choice>),
    Draw(Box<Draw>),
    Deal(Box<Deal>),
    /// A statement `reveal(e)`, or any other expression that stands alone.
    Expr(Expr),
    /// `showdown(p)`.
    Call {
        rule: Name,
        args: Vec<Expr>,
    },
    End,
    Break,
    Continue,
    /// Put where the text could not be read; the problem has been reported.
    Error,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum AssignOp {
    Set,
    Add,
    Sub,
}

/// `turns me from first among S while c at most n { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Turns {
    pub name: Name,
    pub first: Expr,
    pub among: Option<Expr>,
    pub cond: Option<Expr>,
    pub bound: Expr,
    pub body: Block,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Together {
    /// `together { choice choice … }`: one choice statement per arm.
    Arms(Vec<Stmt>),
    /// `together each p in S where c { choice }`.
    Each { binder: Binder, arm: Box<Stmt> },
}

/// `one move { … } maximise e else { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct OneMove {
    pub body: Block,
    pub greatest: Option<Expr>,
    pub otherwise: Option<Block>,
}

/// `p chooses …`.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub chooser: Expr,
    /// `p chooses secretly …`: not even the fact or the label shows.
    pub secretly: bool,
    pub options: ChoiceOptions,
    pub otherwise: Option<Block>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ChoiceOptions {
    /// `p chooses v in S, w in T(v) where c as "…"`; its body, if any, stands after `=>`.
    Product(Alternative),
    /// `p chooses { fold => …  raise(n in 1..4) where … => … }`.
    Labelled(Vec<Alternative>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// `None` in the product form.
    pub label: Option<Name>,
    pub parts: Vec<Part>,
    pub cond: Option<Expr>,
    pub text: Option<Wording>,
    pub body: Option<Block>,
    pub span: Span,
}

/// How a move or an outcome reads: `if castles then "O-O" else "{a}{b}"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Wording {
    /// The first of these whose condition holds.
    pub cases: Vec<(Expr, Text)>,
    pub otherwise: Text,
}

/// What the domain of a part is.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// `x in S`: a set.
    Set,
    /// `x from place`: a place, from which the value is taken.
    Place,
    /// `let x = e`, `let x: T = e`: the value itself, of which nobody chooses anything.
    Value(Option<Type>),
}

/// One variable of a choice or a draw: `secretly to in S into place seen by E`.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// `each u in Unit:` before the name, which then has one value for each: `r[u]`.
    pub family: Option<Binder>,
    pub name: Name,
    /// The `u` of `r[u]`.
    pub member: Option<Name>,
    pub domain: Expr,
    pub source: Source,
    pub secretly: bool,
    pub into: Option<Expr>,
    pub seen: Option<Expr>,
    pub span: Span,
}

/// `draw v in S, w in T where c weighted e as "…"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    pub parts: Vec<Part>,
    pub cond: Option<Expr>,
    pub weight: Option<Expr>,
    pub text: Option<Wording>,
    /// `revealing`: the options may tell viewers more than they could know.
    pub revealing: bool,
}

/// `deal n from a to b`.
#[derive(Clone, Debug, PartialEq)]
pub struct Deal {
    pub count: Expr,
    pub from: Expr,
    pub to: Expr,
    /// As in [`Draw`].
    pub revealing: bool,
}

impl Deal {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Deal {
            count,
            from,
            to,
            revealing: _,
        } = self;
        v.expr(count);
        v.place(from);
        v.place(to);
    }
}

impl Block {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Block { stmts, span } = self;
        v.enter(*span);
        stmts.iter().for_each(|s| v.stmt(s));
        v.leave();
    }
}

impl Stmt {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Stmt { kind, span } = self;
        match kind {
            StmtKind::Let { name, ty, value } => {
                ty.iter().for_each(|ty| v.ty(ty));
                v.expr(value);
                v.bind(name, NameKind::Let);
            }
            StmtKind::Assign {
                place,
                op: _,
                value,
            }
            | StmtKind::Note {
                place,
                op: _,
                value,
            } => {
                v.place(place);
                v.expr(value);
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                v.expr(cond);
                v.block(then);
                otherwise.iter().for_each(|b| v.block(b));
            }
            StmtKind::Match { scrutinee, arms } => {
                v.expr(scrutinee);
                for MatchArm {
                    patterns,
                    body,
                    span: _,
                } in arms
                {
                    Pattern::walk_all(patterns, v);
                    v.block(body);
                }
            }
            StmtKind::Each { binders, body } => {
                Binder::walk_all(binders, v, *span, |v| v.block(body));
            }
            StmtKind::Repeat { count, body } => {
                v.expr(count);
                v.block(body);
            }
            StmtKind::While { cond, bound, body } => {
                v.expr(cond);
                v.expr(bound);
                v.block(body);
            }
            StmtKind::Turns(turns) => turns.walk(v, *span),
            StmtKind::Together(together) => together.walk(v, *span),
            StmtKind::OneMove(one) => one.walk(v),
            StmtKind::Choice(choice) => choice.walk(v),
            StmtKind::Draw(draw) => draw.walk(v),
            StmtKind::Deal(deal) => deal.walk(v),
            StmtKind::Expr(e) => v.expr(e),
            StmtKind::Call { rule, args } => {
                v.refer(rule, Reference::Rule);
                args.iter().for_each(|e| v.expr(e));
            }
            StmtKind::End | StmtKind::Break | StmtKind::Continue | StmtKind::Error => {}
        }
    }
}

impl Turns {
    fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V, scope: Span) {
        let Turns {
            name,
            first,
            among,
            cond,
            bound,
            body,
        } = self;
        v.expr(first);
        among.iter().for_each(|e| v.expr(e));
        cond.iter().for_each(|e| v.expr(e));
        v.expr(bound);
        v.enter(scope);
        v.bind(name, NameKind::Turn);
        v.block(body);
        v.leave();
    }
}

impl Together {
    fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V, scope: Span) {
        match self {
            Together::Arms(arms) => {
                // No arm knows what is chosen in another.
                for arm in arms {
                    v.enter(arm.span);
                    v.stmt(arm);
                    v.leave();
                }
                for arm in arms {
                    if let StmtKind::Choice(choice) = &arm.kind {
                        choice.bind_for_the_rest(v);
                    }
                }
            }
            Together::Each { binder, arm } => binder.walk(v, scope, |v| v.stmt(arm)),
        }
    }
}

impl OneMove {
    fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let OneMove {
            body,
            greatest,
            otherwise,
        } = self;
        v.block(body);
        greatest.iter().for_each(|e| v.expr(e));
        otherwise.iter().for_each(|b| v.block(b));
    }
}

impl Choice {
    fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Choice {
            chooser,
            secretly: _,
            options,
            otherwise,
        } = self;
        v.expr(chooser);
        match options {
            ChoiceOptions::Product(only) => v.alternative(only),
            ChoiceOptions::Labelled(all) => v.alternatives(all),
        }
        otherwise.iter().for_each(|b| v.block(b));
        self.bind_for_the_rest(v);
    }

    /// What is chosen without labels is known in what follows.
    fn bind_for_the_rest<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        match &self.options {
            ChoiceOptions::Product(only) => {
                for part in &only.parts {
                    v.bind(&part.name, part.name_kind(NameKind::Chosen));
                }
            }
            ChoiceOptions::Labelled(_) => {}
        }
    }
}

impl Alternative {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Alternative {
            label,
            parts,
            cond,
            text,
            body,
            span,
        } = self;
        label
            .iter()
            .for_each(|name| v.declare(name, NameKind::Label, *span));
        v.enter(*span);
        parts.iter().for_each(|p| v.part(p, NameKind::Chosen));
        cond.iter().for_each(|e| v.expr(e));
        text.iter().for_each(|t| t.walk(v));
        body.iter().for_each(|b| v.block(b));
        v.leave();
    }
}

impl Part {
    /// What its name stands for, where that of a value that is chosen or drawn stands for `kind`.
    fn name_kind(&self, kind: NameKind) -> NameKind {
        match self.source {
            Source::Set | Source::Place => kind,
            Source::Value(_) => NameKind::Let,
        }
    }

    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V, kind: NameKind) {
        let Part {
            family,
            name,
            member,
            domain,
            source,
            secretly: _,
            into,
            seen,
            span,
        } = self;
        let kind = self.name_kind(kind);
        let rest = |v: &mut V| {
            member
                .iter()
                .for_each(|index| v.refer(index, Reference::Member));
            into.iter().for_each(|e| v.place(e));
            match source {
                Source::Set => v.expr(domain),
                Source::Place => v.place(domain),
                Source::Value(ty) => {
                    ty.iter().for_each(|ty| v.ty(ty));
                    v.expr(domain);
                }
            }
            seen.iter().for_each(|e| v.expr(e));
        };
        match family {
            Some(binder) => binder.walk(v, *span, |v| {
                // The values for elements before it may be asked for.
                v.bind(name, kind);
                rest(v);
            }),
            None => rest(v),
        }
        v.bind(name, kind);
    }
}

impl Wording {
    pub(super) fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Wording { cases, otherwise } = self;
        for (cond, text) in cases {
            v.expr(cond);
            v.text(text);
        }
        v.text(otherwise);
    }

    /// As `walk`, without the condition that is a value itself: that stands in the file once.
    pub(super) fn walk_beside<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V, value: &Expr) {
        let Wording { cases, otherwise } = self;
        for (cond, text) in cases {
            if cond.span != value.span {
                v.expr(cond);
            }
            v.text(text);
        }
        v.text(otherwise);
    }
}

impl Draw {
    fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Draw {
            parts,
            cond,
            weight,
            text,
            revealing: _,
        } = self;
        parts.iter().for_each(|p| v.part(p, NameKind::Drawn));
        cond.iter().for_each(|e| v.expr(e));
        weight.iter().for_each(|e| v.expr(e));
        text.iter().for_each(|t| t.walk(v));
    }
}
