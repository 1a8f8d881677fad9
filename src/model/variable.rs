//! What a game consists of besides its play: state variables, bound names, the places where something can be observed,
//! shown defs.

use super::expression::Expr;
use super::types::Type;
use super::{LocalId, SiteId};
use crate::text::span::Span;

/// A state variable, one value for each combination of its indices.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    /// Outermost first; their locals stand in `viewers`.
    pub indices: Vec<Index>,
    /// The type of one element: a scalar or a set.
    pub ty: Type,
    pub init: Init,
    /// The text says what it starts with.
    pub is_begun: bool,
    /// What is there already is stored where not everybody who sees it could know that play is: nobody may be told that
    /// something was stored.
    pub stored_unseen: bool,
    /// A set of players, over the locals of `indices` and constants only.
    pub viewers: Expr,
    /// A note: kept up beside the rules, which never read it; no part of a state's identity.
    pub note: bool,
    pub span: Span,
}

impl Var {
    pub fn index_types(&self) -> Vec<Type> {
        let types = self.indices.iter().map(|index| index.ty.clone());
        types.collect()
    }

    /// Whether the text says who sees it. Where it does not, its viewers stand where its name does.
    pub fn says_who_sees(&self) -> bool {
        self.viewers.span != self.span
    }

    /// The number of elements, 1 without indices.
    pub fn elements(&self) -> u64 {
        self.indices
            .iter()
            .map(|index| index.ty.size().unwrap_or(1))
            .product()
    }
}

/// An index of a variable, or a parameter of a shown def: the values that it runs over, and the local that stands for one.
#[derive(Clone, Debug)]
pub struct Index {
    pub local: LocalId,
    pub ty: Type,
}

/// What a variable starts with: the words of each element in row-major order, or the same for all.
#[derive(Clone, Debug)]
pub enum Init {
    Same(Vec<u64>),
    Each(Vec<Vec<u64>>),
}

/// A name bound inside play, a def or an index. Every binding has an id of its own, inlined copies too; but a `let`
/// around a reveal under a condition stands twice, for the reveal and for the value.
#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Site {
    pub kind: SiteKind,
    pub span: Span,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SiteKind {
    Choice,
    Draw,
    Deal,
    Reveal,
    /// The value of a shown def.
    Shown,
    End,
}

/// `shown def`: on view to `viewers`. Whatever they are told, and whatever they are asked, its present value comes with
/// it.
#[derive(Clone, Debug)]
pub struct ShownDef {
    pub name: String,
    pub params: Vec<Index>,
    pub viewers: Expr,
    pub body: Expr,
    pub site: SiteId,
    pub span: Span,
}
