//! Going through a syntax tree, with its names: which there are, from where to where each is in reach, and what is asked of
//! those that are used. What a piece consists of is said where the piece is declared, by its `walk`.

use super::ast::{
    Alternative, Binder, Block, Expr, Item, KnowledgeEntry, Name, Part, PayoffBody, Quoted, Stmt,
    Text, Type,
};
use crate::text::span::Span;

/// What is done at the pieces of a tree. Every method goes on to what the piece consists of; one that is written anew calls
/// `walk` for that.
///
/// Pieces come in the order in which names come into reach, which is not always that of the text: the set of a binder
/// before its name, and that before what it is for.
pub trait Visitor<'a> {
    fn item(&mut self, item: &'a Item) {
        item.walk(self);
    }

    fn payoff(&mut self, body: &'a PayoffBody) {
        body.walk(self);
    }

    fn knowledge(&mut self, entry: &'a KnowledgeEntry) {
        entry.walk(self);
    }

    fn ty(&mut self, ty: &'a Type) {
        ty.walk(self);
    }

    fn expr(&mut self, e: &'a Expr) {
        e.walk(self);
    }

    /// A place that is stored to.
    fn place(&mut self, place: &'a Expr) {
        self.expr(place);
    }

    fn text(&mut self, text: &'a Text) {
        text.walk(self);
    }

    fn block(&mut self, block: &'a Block) {
        block.walk(self);
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        stmt.walk(self);
    }

    /// Those of one choice.
    fn alternatives(&mut self, all: &'a [Alternative]) {
        all.iter().for_each(|one| self.alternative(one));
    }

    fn alternative(&mut self, alternative: &'a Alternative) {
        alternative.walk(self);
    }

    /// A part of a choice (`NameKind::Chosen`) or of a draw (`NameKind::Drawn`).
    fn part(&mut self, part: &'a Part, kind: NameKind) {
        part.walk(self, kind);
    }

    /// A row of a picture, in which the nodes of the board stand by name.
    fn picture_row(&mut self, _row: &'a Quoted) {}

    /// What a cell shows; the name of the binder, if there is one, may stand in it in braces.
    fn mark(&mut self, _mark: &'a Quoted, _each: Option<&'a Binder>) {}

    /// A name that is known in the whole file, with all that declares it.
    fn declare(&mut self, _name: &'a Name, _kind: NameKind, _whole: Span) {}

    /// A name that is known from here to the end of the scope. The values of a choice without labels are bound twice: in
    /// the choice, and for the rest of the block.
    fn bind(&mut self, _name: &'a Name, _kind: NameKind) {}

    /// A name that is used.
    fn refer(&mut self, _name: &'a Name, _to: Reference<'a>) {}

    /// A scope begins: what is bound from here on is forgotten where it ends.
    fn enter(&mut self, _scope: Span) {}

    fn leave(&mut self) {}
}

/// What a name is given to.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    Game,
    Param,
    Player,
    Team,
    Type,
    Enum,
    /// Of an enum, or a node of a graph.
    Value,
    /// Of a product type.
    Field,
    Constant,
    Board,
    Variable,
    Note,
    Def,
    Rule,
    /// An alternative of a choice.
    Label,
    /// An entry of a `knowledge` block.
    Entry,
    /// Of an `abstraction information`.
    Attribute,
    /// The `p` of `[p: Player]`.
    Index,
    /// Of a def or a rule.
    Parameter,
    Let,
    /// The `x` of `x in S`, wherever a name runs over a set.
    Element,
    /// The `me` of `turns me from …`.
    Turn,
    /// A value that a player chooses.
    Chosen,
    /// A value that chance draws.
    Drawn,
    /// The cell of a `layout`.
    Cell,
}

/// What a name that is used must stand for.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Reference<'a> {
    /// A value or a set of values: what stands in an expression by itself.
    Value,
    Type,
    /// The `cell` of `Board.cell` where a type stands.
    BoardType,
    /// A def, or a function of the language.
    Function,
    /// The `next` of `Board.next(c)`.
    BoardFunction,
    /// A field of a product, or what a board brings; `of` is what stands before the dot, if that is a name.
    Field {
        of: Option<&'a Name>,
    },
    /// A field where a product is written: `(rank: ace, suit: clubs)`.
    Written,
    /// A field in the text of its own type.
    OwnField,
    Rule,
    /// A player, or a team of players.
    Player,
    /// A node where the edges of a graph are listed.
    Node,
    EdgeLabel,
    /// An alternative of a choice.
    Label,
    /// The `u` of `r[u]` in `each u in S: r[u] in T`.
    Member,
}

impl NameKind {
    /// In a few words, without an article.
    pub fn noun(self) -> &'static str {
        match self {
            NameKind::Game => "game",
            NameKind::Param => "param",
            NameKind::Player => "player",
            NameKind::Team => "team",
            NameKind::Type => "type",
            NameKind::Enum => "enum",
            NameKind::Value => "enum value",
            NameKind::Field => "field",
            NameKind::Constant => "constant",
            NameKind::Board => "board",
            NameKind::Variable => "state variable",
            NameKind::Note => "note",
            NameKind::Def => "def",
            NameKind::Rule => "rule",
            NameKind::Label => "alternative",
            NameKind::Entry => "entry of knowledge",
            NameKind::Attribute => "attribute",
            NameKind::Index => "index",
            NameKind::Parameter => "parameter",
            NameKind::Let => "local name",
            NameKind::Element => "element of a set",
            NameKind::Turn => "player whose turn it is",
            NameKind::Chosen => "chosen value",
            NameKind::Drawn => "drawn value",
            NameKind::Cell => "cell",
        }
    }
}
