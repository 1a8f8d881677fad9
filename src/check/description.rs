//! A checked description: the game with every name resolved, every type known, every param a constant, every rule and
//! def inlined. What the visibility check and the compiler read.

use super::boards::Board;
use super::types::{EnumType, Type};
use crate::text::span::Span;
use indexmap::IndexMap;
use std::sync::Arc;

/// The elements of a constant table in row-major order, by their words.
pub type Rows = Arc<Vec<Vec<u64>>>;

/// A set of players, one bit each in seating order.
pub type PlayerMask = u32;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A place in the text where something can be observed: a choice, a draw, a deal, a reveal, a shown def.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct SiteId(pub u32);

#[derive(Clone, Debug)]
pub struct Description {
    pub name: String,
    /// The values the params have, as text, in the order of the file.
    pub params: IndexMap<String, String>,
    /// The types the params are declared with.
    pub param_types: IndexMap<String, Type>,
    pub players: Arc<EnumType>,
    pub teams: Vec<Team>,
    pub vars: Vec<Var>,
    pub locals: Vec<Local>,
    pub sites: Vec<Site>,
    pub shown: Vec<ShownDef>,
    pub play: Block,
    pub payoff: Payoff,
    /// Where the nodes of boards lie; for drawing, since play knows boards by their tables.
    pub boards: Vec<Arc<Board>>,
    /// What helps players, in the order of the file. The game is the same without it.
    pub knowledge: Vec<Knowledge>,
}

impl Description {
    pub fn player_count(&self) -> usize {
        self.players.values.len()
    }

    /// All players.
    pub fn everyone(&self) -> PlayerMask {
        ((1u64 << self.player_count()) - 1) as PlayerMask
    }

    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }
}

/// Players who belong together, apart from seating.
#[derive(Clone, Debug)]
pub struct Team {
    pub name: String,
    /// Those of its members who have a seat.
    pub members: PlayerMask,
}

/// A state variable, one value for each combination of its indices.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    /// The index types, outermost first, each with the local that stands for it in `viewers`.
    pub indices: Vec<(LocalId, Type)>,
    /// The type of one element: a scalar or a set.
    pub ty: Type,
    pub init: Init,
    /// A set of players, over the locals of `indices` and constants only.
    pub viewers: Expr,
    /// A note: kept up beside the rules, which never read it; no part of a state's identity.
    pub note: bool,
    pub span: Span,
}

impl Var {
    /// The number of elements, 1 without indices.
    pub fn elements(&self) -> u64 {
        self.indices
            .iter()
            .map(|(_, t)| t.size().unwrap_or(1))
            .product()
    }
}

/// What a variable starts with: the words of each element in row-major order, or the same for all.
#[derive(Clone, Debug)]
pub enum Init {
    Same(Vec<u64>),
    Each(Vec<Vec<u64>>),
}

/// A name bound inside play, a def or an index. Every binding has an id of its own, inlined copies too.
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
    /// A shown def that changed.
    Shown,
    End,
}

/// `shown def`: on view to `viewers` at all times; a change of its value is an event.
#[derive(Clone, Debug)]
pub struct ShownDef {
    pub name: String,
    pub params: Vec<(LocalId, Type)>,
    pub viewers: Expr,
    pub body: Expr,
    pub site: SiteId,
    pub span: Span,
}

// ---- expressions ------------------------------------------------------------------------------

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A scalar constant, by value.
    Const(i64),
    /// A set constant, by the words of its bits in the numbering of `ty`.
    ConstSet(Vec<u64>),
    /// An array of constants in row-major order, by value; read through `Element`.
    ConstArray(Rows),
    Local(LocalId),
    /// A state variable, or one element of it. With fewer indices than the variable has, an array.
    Var(VarId, Vec<Expr>),
    /// One element of an array that is not a variable (`ConstArray` or `Array`).
    Element(Box<Expr>, Box<Expr>),
    /// An array by a formula; the local runs over the index type.
    Array(LocalId, Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Arms by the values of a scalar scrutinee; the last entry is the `else`, or unreachable when the arms cover the type.
    Match {
        scrutinee: Box<Expr>,
        arms: Vec<(Vec<i64>, Expr)>,
        otherwise: Option<Box<Expr>>,
    },
    Let(LocalId, Box<Expr>, Box<Expr>),
    Field(Box<Expr>, usize),
    Record(Vec<Expr>),
    /// A set by its elements, each already of the element type.
    SetOf(Vec<Expr>),
    /// The integers from a to b, as a set of `ty`.
    RangeSet(Box<Expr>, Box<Expr>),
    /// The value of an optional. `checked`: it may be `none`, which is an error of play.
    Unwrap {
        value: Box<Expr>,
        checked: bool,
    },
    /// The single element of a set (`only(S)`); an error of play when there is not exactly one.
    Only(Box<Expr>),
    /// The same value as another type: a wider or narrower integer range (narrower is checked in play), T as T?, an
    /// integer as a number, a set over another element range (elements that do not exist there are an error of play).
    Cast(Box<Expr>),
    /// `next(x, k)`: k steps on, cyclically, through the type of x.
    Next(Box<Expr>, Box<Expr>),
    /// Everything that runs a local over a set.
    Fold(Box<Fold>),
    /// The k greatest elements of a set.
    Top(Box<Expr>, Box<Expr>),
    /// The value that an expression has after statements without choices, chance or events, which are then undone.
    After {
        body: Block,
        value: Box<Expr>,
    },
    /// What going from node to node of a board finds. For `Run` and `Line` the table holds, by cell and direction, the
    /// next cell (an optional); for `Around` and `Group` the neighbours of each node (a set); for `Hops` the distances
    /// from each node to all, several to a word.
    Walk {
        walk: BoardWalk,
        table: Rows,
        args: Vec<Expr>,
    },
    /// `reveal(value to viewers)`: an event, whose value its viewers then know.
    Reveal {
        site: SiteId,
        value: Box<Expr>,
        viewers: Box<Expr>,
    },
    /// A call of a shown def: the inlined body, which its viewers know whatever it reads. `def` indexes
    /// `Description::shown`; `args` are its arguments.
    Shown {
        def: usize,
        args: Vec<Expr>,
        value: Box<Expr>,
    },
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BoardWalk {
    /// Of a set: the nodes next to it, without those in it.
    Around,
    /// Of a set and a second one: what can be reached from the first by steps inside the second.
    Group,
    /// Of a cell, a direction and a set: the cells after it that way, as long as they are in the set.
    Run,
    /// Of a cell, a direction and a set: the unbroken line in the set through the cell, that way and the opposite way.
    Line,
    /// Of two nodes: the steps of a shortest way from the first to the second, or the number of nodes if there is none.
    /// Each takes so many bits of the table.
    Hops { bits: u32 },
}

#[derive(Clone, Debug)]
pub struct Fold {
    pub op: FoldOp,
    pub local: LocalId,
    /// A set.
    pub domain: Expr,
    pub cond: Option<Expr>,
    /// For `SetOf` the element, for `Some`… the condition, otherwise the value.
    pub body: Expr,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FoldOp {
    Some,
    Every,
    No,
    Count,
    /// Of nothing: an error of play.
    Min,
    /// Of nothing: an error of play.
    Max,
    Sum,
    /// The set of those elements of the domain at which the body is least.
    Argmin,
    Argmax,
    /// The union of sets.
    Union,
    /// `{ e for x in S where c }`.
    SetOf,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Neg,
    Not,
    Abs,
    Sign,
    /// The number of elements of a set.
    Size,
    /// The least element of a set; an error of play when it is empty.
    Least,
    /// The greatest element of a set; an error of play when it is empty.
    Greatest,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// On integers; on numbers both operands have the denominator of the result.
    Add,
    Sub,
    /// On numbers the denominators multiply.
    Mul,
    /// Rounded down; the divisor is never 0 by its type.
    Div,
    Mod,
    Min,
    Max,
    Union,
    Difference,
    Intersect,
    /// On two scalars or two sets of the same type.
    Eq,
    Ne,
    /// On two scalars, by value; on two sets of the same type, by `types::compare_sets`. `Min` and `Max` likewise.
    Lt,
    Le,
    Gt,
    Ge,
    /// `x in S`; false when x is no value of the element type.
    In,
    /// The elements of the set a that come before the scalar b.
    Before,
    And,
    Or,
    /// `a in b` where both are sets: every element of a is one of b.
    Subset,
}

// ---- statements -------------------------------------------------------------------------------

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub stmts: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Let(LocalId, Expr),
    Store {
        place: Place,
        op: StoreOp,
        value: Expr,
    },
    If {
        cond: Expr,
        then: Block,
        otherwise: Block,
    },
    Match {
        scrutinee: Expr,
        arms: Vec<(Vec<i64>, Block)>,
        otherwise: Option<Block>,
    },
    /// In order over a snapshot of a set; `cond` is looked at again at each element.
    Each {
        local: LocalId,
        domain: Expr,
        cond: Option<Expr>,
        body: Block,
    },
    Repeat {
        count: Expr,
        body: Block,
    },
    /// Stops when the condition fails or after `bound` rounds.
    While {
        cond: Expr,
        bound: u64,
        body: Block,
    },
    /// Cyclic turns. `among` and `cond` are looked at again before each turn; stops when `among` is empty, `cond` fails,
    /// or after `bound` turns. The first turn is `first`'s, or the next member's after it in seating order.
    Turns {
        local: LocalId,
        first: Expr,
        among: Expr,
        cond: Option<Expr>,
        bound: u64,
        body: Block,
    },
    /// Simultaneous choices. Options read the values from before; stores of `into` and bodies run at the end, arm by arm.
    Together(Vec<Arm>),
    Choice(Choice),
    Draw(Draw),
    Deal(Deal),
    /// An expression for its reveals.
    Expr(Expr),
    Break,
    Continue,
    End(SiteId),
    /// Statements that keep notes up.
    Note(Block),
    /// A nested scope (an inlined rule). `break` and `continue` pass through it.
    Block(Block),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StoreOp {
    Set,
    /// `place += e`: a sum, or a union. `value` has the type of the place, except that an integer `value` keeps its own range.
    Add,
    Sub,
}

#[derive(Clone, Debug)]
pub struct Place {
    pub var: VarId,
    pub indices: Vec<PlaceIndex>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PlaceIndex {
    One(Expr),
    /// Every index in a set.
    Each(Expr),
}

/// `together each local in domain where cond { choice }`, or a lone arm.
#[derive(Clone, Debug)]
pub struct Arm {
    pub each: Option<ArmEach>,
    pub choice: Choice,
}

#[derive(Clone, Debug)]
pub struct ArmEach {
    /// Of type Player.
    pub local: LocalId,
    pub domain: Expr,
    pub cond: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct Choice {
    pub site: SiteId,
    /// Of type Player.
    pub chooser: Expr,
    /// Who sees which alternative was taken (the chooser always does). A set of players. In the product form, with one
    /// alternative and no label, nobody learns anything from it; who sees the parts learns that the choice was made.
    pub viewers: Expr,
    pub alternatives: Vec<Alternative>,
    pub otherwise: Option<Block>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Alternative {
    pub label: Option<String>,
    pub parts: Vec<Part>,
    pub cond: Option<Expr>,
    pub text: Option<Text>,
    /// Runs after the stores of `into`; empty where there is none.
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Part {
    pub local: LocalId,
    /// A set; may read the parts before it.
    pub domain: Expr,
    /// `subsets(S, k)`: the value is a subset of the domain with as many elements; else one of its elements.
    pub sizes: Option<Sizes>,
    /// Who sees the value (a chooser always does). A set of players.
    pub viewers: Expr,
    pub into: Option<Place>,
    pub span: Span,
}

/// How many elements a subset may have; may read the parts before it.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// An integer.
    pub least: Expr,
    /// An integer; `None`: exactly `least`.
    pub most: Option<Expr>,
}

impl Sizes {
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        std::iter::once(&self.least).chain(&self.most)
    }
}

/// A chance event over the tuples that fit, uniform or by weight.
#[derive(Clone, Debug)]
pub struct Draw {
    pub site: SiteId,
    pub parts: Vec<Part>,
    pub cond: Option<Expr>,
    /// A natural number; tuples of weight 0 do not occur.
    pub weight: Option<Expr>,
    pub text: Option<Text>,
    pub revealing: bool,
    pub span: Span,
}

/// A uniform subset of `count` elements moved from one set to another.
#[derive(Clone, Debug)]
pub struct Deal {
    pub site: SiteId,
    pub count: Expr,
    pub from: Place,
    pub to: Place,
    /// Who sees the cards: those who see `to`.
    pub viewers: Expr,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Text {
    pub parts: Vec<TextPart>,
}

#[derive(Clone, Debug)]
pub enum TextPart {
    Literal(String),
    Hole(Expr),
}

// ---- payoffs ----------------------------------------------------------------------------------

#[derive(Clone, Debug)]
pub struct Payoff {
    pub claim: Claim,
    /// One number a player, all with the same denominator.
    pub values: Vec<Expr>,
    /// What the claim counts once each: the teams, and the players without one.
    pub sides: Vec<PlayerMask>,
    pub span: Span,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The payoffs add up to n/den; zero-sum is 0.
    ConstantSum {
        n: i64,
        den: i64,
    },
    GeneralSum,
}

// ---- knowledge --------------------------------------------------------------------------------

/// One entry of a `knowledge` block.
#[derive(Clone, Debug)]
pub struct Knowledge {
    pub owners: PlayerMask,
    /// Stands for the owner who asks.
    pub me: LocalId,
    pub name: String,
    pub kind: KnowledgeKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum KnowledgeKind {
    /// How actions are rated, for every alternative that it applies to.
    Playout(Vec<Heuristic>),
    /// Which actions the owner looks at, for every alternative that it applies to: a condition that it can see.
    Filter(Vec<(Action, Expr)>),
    /// An integer or a number; greater is better for the owner.
    Evaluate(Expr),
    /// The class that a hidden value falls into.
    Category { of: Expr, value: Expr },
    /// What the owner takes of an information state: named scalars, all of which it can see.
    Information(Vec<(String, Expr)>),
    /// What the owner takes of an action: scalars, for every alternative that it applies to.
    Actions(Vec<(Action, Vec<Expr>)>),
    /// How a board is drawn for the owner, who can see all that it reads.
    Layout(BoardLayout),
}

/// Which mark each cell of a board, or each node of a graph, shows: that of the first rule that holds.
#[derive(Clone, Debug)]
pub struct BoardLayout {
    /// The name of the board.
    pub board: String,
    /// Stands for the cell or node.
    pub cell: LocalId,
    pub rules: Vec<MarkRule>,
    /// For a graph.
    pub graph: Option<GraphLayout>,
}

impl BoardLayout {
    /// Every condition, rule by rule.
    pub fn conditions(&self) -> impl Iterator<Item = &Expr> {
        let marks = self.rules.iter().flat_map(|rule| &rule.marks);
        marks.map(|(cond, _)| cond)
    }
}

/// A rule of a layout. It holds where one of its conditions does, and gives all the marks whose conditions do.
#[derive(Clone, Debug)]
pub struct MarkRule {
    pub marks: Vec<(Expr, String)>,
    /// Whether it is the `else`.
    pub otherwise: bool,
}

/// How a graph is drawn.
#[derive(Clone, Debug)]
pub struct GraphLayout {
    pub board: Arc<Board>,
    pub picture: Option<Picture>,
}

/// Rows of text in which the names of the nodes stand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Picture {
    /// From top to bottom.
    pub rows: Vec<String>,
    /// By the ordinal of the node.
    pub places: Vec<PicturePlace>,
}

/// Where the name of a node stands in a picture, in characters.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct PicturePlace {
    /// From the top, from 0.
    pub row: usize,
    /// Where it begins, from the left, from 0.
    pub column: usize,
    pub length: usize,
}

/// An alternative of a choice.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    pub site: SiteId,
    pub alternative: u32,
}

/// How an action is rated; reads `me` and the parts of its alternative.
#[derive(Clone, Debug)]
pub struct Heuristic {
    pub action: Action,
    pub score: Score,
}

#[derive(Clone, Debug)]
pub enum Score {
    /// The actions with the greatest value are played.
    Greatest(Expr),
    Least(Expr),
    Weight {
        /// The number of the first prioritised rule that holds, or −1. Where one holds for any action, only the actions
        /// with the least number are played.
        first: Expr,
        /// A share, 0 or more.
        weight: Expr,
    },
}
