//! What stands directly in `game Name { … }`.

use super::{Block, Board, Expr, ExprKind, Knowledge, Name, Payoff, Text, TextPart, Type};
use crate::syntax::visit::{NameKind, Reference, Visitor};
use crate::text::span::Span;

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Param(Param),
    Require(Require),
    Players(Players),
    /// `team Wolves { Red, Blue }`: seats have nothing to do with it.
    Team(Team),
    /// `type Card = (…) as "{rank}{suit}"`.
    Type(TypeItem),
    /// `enum Rank { ace "A", two }`.
    Enum(EnumItem),
    Const(Const),
    /// `graph Map { … }`, `grid Board(8, 8)` or `hex Board(11)`.
    Board(Board),
    State(State),
    /// `note suspects : set of Station`: kept up beside the rules, which never depend on it.
    Note(StateVar),
    Def(Def),
    Rule(Rule),
    Play(Play),
    Payoff(Payoff),
    Knowledge(Knowledge),
}

/// `param cards : 1..16 = 13`, `param price : [Fare] 0..9 = 2`; in a variant the type may be left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: Name,
    pub indices: Vec<Index>,
    pub ty: Option<Type>,
    pub default: Expr,
    pub span: Span,
}

/// `require seats <= cards as "there are {cards} cards"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Require {
    pub condition: Expr,
    /// What is said where it does not hold.
    pub text: Option<Text>,
    pub span: Span,
}

/// `players { X, O }` or `players seats of { Alice, Bob, Carol }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Players {
    pub count: Option<Expr>,
    pub names: Vec<Name>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Team {
    pub name: Name,
    pub members: Vec<Name>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TypeItem {
    pub name: Name,
    pub ty: Type,
    pub text: Option<Text>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct EnumItem {
    pub name: Name,
    pub count: Option<Expr>,
    pub values: Vec<EnumValue>,
    pub span: Span,
}

/// A value of an enum, with the text that it prints as (its name, if none is given).
#[derive(Clone, Debug, PartialEq)]
pub struct EnumValue {
    pub name: Name,
    pub text: Option<String>,
}

/// `const prize : [Room] number = { 0: 27.8, else: 0 }`; the type may be left out of a scalar or set constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Const {
    pub name: Name,
    pub indices: Vec<Index>,
    pub ty: Option<Type>,
    pub value: Expr,
    pub span: Span,
}

/// One `state { … }` block, `state if kings { … }`; a file may have several.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Where it does not hold, the game has none of the variables.
    pub cond: Option<Expr>,
    pub vars: Vec<StateVar>,
}

/// `hand : [p: Player] set of Card = all seen by p`.
#[derive(Clone, Debug, PartialEq)]
pub struct StateVar {
    pub name: Name,
    pub indices: Vec<Index>,
    pub ty: Type,
    pub init: Option<Expr>,
    /// What stands after `seen by`.
    pub seen: Option<Expr>,
    pub span: Span,
}

/// `[p: Player]` or `[Player]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    pub name: Option<Name>,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Def {
    /// `shown def` (seen by all) or `shown to E def` (`Some(Some(E))`).
    pub shown: Option<Shown>,
    pub name: Name,
    pub params: Vec<DefParam>,
    pub ty: Option<Type>,
    pub body: Expr,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// `None`: to all.
    pub to: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct DefParam {
    /// `into x: T`: a place, to which a rule stores.
    pub into: bool,
    pub name: Name,
    pub ty: Type,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    pub name: Name,
    pub params: Vec<DefParam>,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Play {
    pub body: Block,
    pub span: Span,
}

impl Item {
    /// The name that it declares, if it is one thing with a name.
    pub fn declares(&self) -> Option<(NameKind, &Name)> {
        match self {
            Item::Param(p) => Some((NameKind::Param, &p.name)),
            Item::Team(t) => Some((NameKind::Team, &t.name)),
            Item::Type(t) => Some((NameKind::Type, &t.name)),
            Item::Enum(e) => Some((NameKind::Enum, &e.name)),
            Item::Const(c) => Some((NameKind::Constant, &c.name)),
            Item::Board(b) => Some((NameKind::Board, &b.name)),
            Item::Note(n) => Some((NameKind::Note, &n.name)),
            Item::Def(d) => Some((NameKind::Def, &d.name)),
            Item::Rule(r) => Some((NameKind::Rule, &r.name)),
            Item::Require(_)
            | Item::Players(_)
            | Item::State(_)
            | Item::Play(_)
            | Item::Payoff(_)
            | Item::Knowledge(_) => None,
        }
    }

    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        match self {
            Item::Param(p) => p.walk(v),
            Item::Require(r) => r.walk(v),
            Item::Players(p) => p.walk(v),
            Item::Team(t) => t.walk(v),
            Item::Type(t) => t.walk(v),
            Item::Enum(e) => e.walk(v),
            Item::Const(c) => c.walk(v),
            Item::Board(b) => b.walk(v),
            Item::State(state) => state.walk(v),
            Item::Note(note) => note.walk(v, NameKind::Note),
            Item::Def(d) => d.walk(v),
            Item::Rule(r) => r.walk(v),
            Item::Play(p) => p.walk(v),
            Item::Payoff(p) => p.walk(v),
            Item::Knowledge(k) => k.walk(v),
        }
    }
}

impl Param {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Param {
            name,
            indices,
            ty,
            default,
            span,
        } = self;
        v.declare(name, NameKind::Param, *span);
        table(indices, ty.as_ref(), *span, v);
        v.expr(default);
    }
}

impl Require {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Require {
            condition,
            text,
            span: _,
        } = self;
        v.expr(condition);
        text.iter().for_each(|text| v.text(text));
    }
}

impl Players {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Players {
            count,
            names,
            span: _,
        } = self;
        count.iter().for_each(|e| v.expr(e));
        for name in names {
            v.declare(name, NameKind::Player, name.span);
        }
    }
}

impl Team {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Team {
            name,
            members,
            span,
        } = self;
        v.declare(name, NameKind::Team, *span);
        members.iter().for_each(|m| v.refer(m, Reference::Player));
    }
}

impl TypeItem {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let TypeItem {
            name,
            ty,
            text,
            span,
        } = self;
        v.declare(name, NameKind::Type, *span);
        v.ty(ty);
        // The holes are fields, and anything else in them is an error.
        for part in text.iter().flat_map(|text| &text.parts) {
            match part {
                TextPart::Literal(_) => {}
                TextPart::Hole(e) => match &e.kind {
                    ExprKind::Name(field) => v.refer(field, Reference::OwnField),
                    _ => v.expr(e),
                },
            }
        }
    }
}

impl EnumItem {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let EnumItem {
            name,
            count,
            values,
            span,
        } = self;
        v.declare(name, NameKind::Enum, *span);
        count.iter().for_each(|e| v.expr(e));
        EnumValue::walk_all(values, v);
    }
}

impl EnumValue {
    pub(super) fn walk_all<'a, V: Visitor<'a> + ?Sized>(values: &'a [EnumValue], v: &mut V) {
        for EnumValue { name, text: _ } in values {
            v.declare(name, NameKind::Value, name.span);
        }
    }
}

impl Const {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Const {
            name,
            indices,
            ty,
            value,
            span,
        } = self;
        v.declare(name, NameKind::Constant, *span);
        table(indices, ty.as_ref(), *span, v);
        v.expr(value);
    }
}

/// The type of a param or a constant, which nothing that it says can use the names of the indices for.
fn table<'a, V: Visitor<'a> + ?Sized>(
    indices: &'a [Index],
    ty: Option<&'a Type>,
    span: Span,
    v: &mut V,
) {
    indices.iter().for_each(|i| v.ty(&i.ty));
    ty.into_iter().for_each(|ty| v.ty(ty));
    v.enter(span);
    Index::bind_all(indices, v);
    v.leave();
}

impl State {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let State { cond, vars } = self;
        cond.iter().for_each(|e| v.expr(e));
        vars.iter().for_each(|var| var.walk(v, NameKind::Variable));
    }
}

impl StateVar {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V, kind: NameKind) {
        let StateVar {
            name,
            indices,
            ty,
            init,
            seen,
            span,
        } = self;
        v.declare(name, kind, *span);
        indices.iter().for_each(|i| v.ty(&i.ty));
        v.ty(ty);
        init.iter().for_each(|e| v.expr(e));
        // Only who sees it may hang on the indices.
        v.enter(*span);
        Index::bind_all(indices, v);
        seen.iter().for_each(|e| v.expr(e));
        v.leave();
    }
}

impl Index {
    fn bind_all<'a, V: Visitor<'a> + ?Sized>(indices: &'a [Index], v: &mut V) {
        for Index {
            name,
            ty: _,
            span: _,
        } in indices
        {
            name.iter().for_each(|name| v.bind(name, NameKind::Index));
        }
    }
}

impl Def {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Def {
            shown,
            name,
            params,
            ty,
            body,
            span,
        } = self;
        v.declare(name, NameKind::Def, *span);
        params.iter().for_each(|p| v.ty(&p.ty));
        ty.iter().for_each(|ty| v.ty(ty));
        v.enter(*span);
        DefParam::bind_all(params, v);
        if let Some(Shown { to, span: _ }) = shown {
            to.iter().for_each(|e| v.expr(e));
        }
        v.expr(body);
        v.leave();
    }
}

impl DefParam {
    fn bind_all<'a, V: Visitor<'a> + ?Sized>(params: &'a [DefParam], v: &mut V) {
        for DefParam {
            into: _,
            name,
            ty: _,
        } in params
        {
            v.bind(name, NameKind::Parameter);
        }
    }
}

impl Rule {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Rule {
            name,
            params,
            body,
            span,
        } = self;
        v.declare(name, NameKind::Rule, *span);
        params.iter().for_each(|p| v.ty(&p.ty));
        v.enter(*span);
        DefParam::bind_all(params, v);
        v.block(body);
        v.leave();
    }
}

impl Play {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Play { body, span: _ } = self;
        v.block(body);
    }
}
