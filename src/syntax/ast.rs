//! The syntax tree: what the text says, before any name is looked up.
//!
//! It mirrors `grammar/game.pest`, keeps every byte span and every comment, and knows nothing of meaning.

use crate::text::span::Span;
use std::collections::BTreeSet;

/// A whole `.game` file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    pub name: Name,
    /// The file whose game this one is a variant of.
    pub extends: Option<Extends>,
    pub items: Vec<Item>,
    /// The words of what could not be read, which has been reported: names that may be declared there.
    pub lost: BTreeSet<String>,
    pub comments: Vec<Comment>,
    pub span: Span,
}

/// `extends "other.game"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Extends {
    pub path: String,
    /// The text in quotes.
    pub span: Span,
}

/// A `// …` comment, its slashes included.
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    pub text: String,
    pub span: Span,
}

/// An identifier where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Param(Param),
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
    /// One `state { … }` block; a file may have several.
    State(Vec<StateVar>),
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

/// A board: nodes, and which of them are next to each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    pub name: Name,
    pub kind: BoardKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum BoardKind {
    /// `graph Map { nodes 1..199  edges road { 1: 8 9; 2: 10 20 } }`.
    Graph { nodes: Nodes, edges: Vec<Edges> },
    /// `grid Board(columns, rows)`.
    Grid(Vec<Expr>),
    /// `hex Board(size)`, or `hex Board(columns, rows)`: a rhombus of hexagons.
    Hex(Vec<Expr>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Nodes {
    /// `nodes 1..199`.
    Range { low: Expr, high: Expr },
    /// `nodes { mill, bridge "old bridge" }`.
    Names(Vec<EnumValue>),
}

/// `edges road { 1: 8 9; 2: 10 20 }`, with `directed` before it where they lead one way only.
#[derive(Clone, Debug, PartialEq)]
pub struct Edges {
    pub directed: bool,
    pub label: Option<Name>,
    pub lists: Vec<EdgeList>,
    pub span: Span,
}

/// `1: 8 9`. A node is an integer or a name, and no expression.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeList {
    pub from: Expr,
    pub to: Vec<Expr>,
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

#[derive(Clone, Debug, PartialEq)]
pub struct Payoff {
    pub body: PayoffBody,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PayoffBody {
    /// `zero-sum: e`, `constant-sum 1: e`, `general-sum: e`, or with `{ X: e  Detectives: e }` in place of `: e`.
    Claimed {
        claim: Claim,
        value: PayoffValue,
        span: Span,
    },
    /// `match scoring { win_loss => zero-sum: …  … }`; the scrutinee is a constant.
    Match {
        scrutinee: Expr,
        arms: Vec<PayoffArm>,
        span: Span,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct PayoffArm {
    pub patterns: Vec<Pattern>,
    pub body: PayoffBody,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    ZeroSum(Span),
    ConstantSum { sum: Expr, span: Span },
    GeneralSum(Span),
}

#[derive(Clone, Debug, PartialEq)]
pub enum PayoffValue {
    /// An array over the players.
    Array(Expr),
    /// One entry a player or a team.
    Entries(Vec<(Name, Expr)>),
}

// ---- knowledge --------------------------------------------------------------------------------

/// `knowledge X { … }`: what helps players and is no rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Knowledge {
    /// A player or a set of players.
    pub owners: Expr,
    pub entries: Vec<KnowledgeEntry>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct KnowledgeEntry {
    pub kind: KnowledgeKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum KnowledgeKind {
    /// `playout flee = maximise e`.
    Maximise {
        name: Name,
        value: Expr,
    },
    Minimise {
        name: Name,
        value: Expr,
    },
    /// `playout habit = weights { first call where c  fold => 2  else => 1 }`.
    Weights {
        name: Name,
        rules: Vec<WeightRule>,
    },
    /// `filter careful = e`.
    Filter {
        name: Name,
        cond: Expr,
    },
    /// `evaluate = e`.
    Evaluate(Expr),
    /// `category distance of at[X] = e`.
    Category {
        name: Name,
        of: Expr,
        value: Expr,
    },
    /// `abstraction information { cards = e … }`.
    Information(Vec<(Name, Expr)>),
    /// `abstraction actions { claim => (step, honest)  call => () }`.
    Actions(Vec<ActionClass>),
    /// `layout c in Board { c in stones[X] => "X"  else => "." }`, for a graph with the rows of a picture before the rules.
    Layout {
        cell: Name,
        board: Expr,
        picture: Vec<Quoted>,
        rules: Vec<LayoutRule>,
    },
}

/// A text without holes: a row of a picture, a mark.
#[derive(Clone, Debug, PartialEq)]
pub struct Quoted {
    /// Without the quotation marks.
    pub text: String,
    /// With them.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LayoutRule {
    /// `each d in S:` before the condition.
    pub each: Option<Binder>,
    /// `None`: `else`.
    pub cond: Option<Expr>,
    /// What the cell shows.
    pub mark: Quoted,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct WeightRule {
    pub kind: WeightKind,
    pub label: Option<Name>,
    pub cond: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum WeightKind {
    /// `first call where c`: taken before anything else where it fits.
    First,
    /// `call where c => e`, or `else => e` without label and condition.
    Weight(Expr),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ActionClass {
    /// `None`: a choice without labels.
    pub label: Option<Name>,
    pub values: Vec<Expr>,
    pub span: Span,
}

// ---- types ------------------------------------------------------------------------------------

#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `1..cards`.
    Range {
        low: Box<Expr>,
        high: Box<Expr>,
    },
    Bool,
    /// Exact rationals, in constants, params and payoffs.
    Number,
    /// `enum { open, closed }` written in place.
    Enum(Vec<EnumValue>),
    /// A declared name, `Player`, or a type that a board brings: `Board.cell`, `Board.direction`.
    Named {
        name: Name,
        of: Option<Name>,
    },
    /// `(rank: Rank, suit: Suit)`.
    Product(Vec<(Name, Type)>),
    Optional(Box<Type>),
    Set(Box<Type>),
}

// ---- expressions ------------------------------------------------------------------------------

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Int(i64),
    /// A literal with a decimal point, digits kept: `27.8` is exactly 278/10.
    Decimal(String),
    Bool(bool),
    Name(Name),
    /// `all`: the full set of the type that is expected here.
    All,
    /// `none`: no value of an optional, or nobody.
    None,
    /// `{ a, b }`; `{}` is the empty set.
    Set(Vec<Expr>),
    /// `1..4` as a set of integers.
    Range {
        low: Box<Expr>,
        high: Box<Expr>,
    },
    /// `{ e for x in S where c }`.
    Comprehension {
        body: Box<Expr>,
        binder: Box<Binder>,
    },
    /// `{ ace: 1, king: 2, else: 0 }`: an array by its entries.
    Map {
        entries: Vec<(Expr, Expr)>,
        otherwise: Option<Box<Expr>>,
    },
    /// `[p in Player] e`: an array by a formula.
    Array {
        binder: Box<Binder>,
        body: Box<Expr>,
    },
    Unary {
        op: UnaryOp,
        value: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `if c then a else b`.
    If {
        cond: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// `match e { a, b => x  else => y }`.
    Match {
        scrutinee: Box<Expr>,
        arms: Vec<MatchArm<Expr>>,
    },
    /// `let x = e; body`.
    Let {
        name: Name,
        value: Box<Expr>,
        body: Box<Expr>,
    },
    /// `a[i]`; `a[i][j]` and `a[i, j]` are the same.
    Index {
        array: Box<Expr>,
        indices: Vec<Expr>,
    },
    Field {
        record: Box<Expr>,
        field: Name,
    },
    /// A function of a board: `Board.next(c)`.
    Method {
        board: Box<Expr>,
        function: Name,
        args: Vec<Expr>,
    },
    /// `size(S)`, `next(x, k)`, a def, a builtin.
    Call {
        function: Name,
        args: Vec<Expr>,
    },
    /// `(rank: r, suit: s)`.
    Record(Vec<(Name, Expr)>),
    /// `some x in S: c`, `every …`, `no …`, `count …`.
    Quantified {
        quantifier: Quantifier,
        binder: Box<Binder>,
        body: Box<Expr>,
    },
    /// `sum(x in S where c) e`, `min(…) e`, `argmax(…) e`, `union(…) e`.
    Aggregate {
        op: Aggregate,
        binder: Box<Binder>,
        body: Box<Expr>,
    },
    /// `reveal(e)` or `reveal(e to p)`.
    Reveal {
        value: Box<Expr>,
        to: Option<Box<Expr>>,
    },
    /// `e after { … }`: the value that e would have after the statements, which are then undone.
    After {
        value: Box<Expr>,
        body: Block,
    },
    /// Put where the text could not be read; the problem has been reported.
    Error,
}

/// `x in S where c`.
#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    pub name: Name,
    pub domain: Expr,
    pub cond: Option<Expr>,
    pub span: Span,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Neg,
    Not,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// Integers and numbers; union of sets.
    Add,
    /// Integers and numbers; difference of sets.
    Sub,
    Mul,
    /// `/`: numbers only.
    Over,
    /// `div`: integers, rounded down.
    Div,
    /// `mod`: integers, with the sign of the divisor.
    Mod,
    /// `&`: intersection of sets.
    Intersect,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
    /// `S before x`: the elements of S that come before x.
    Before,
    And,
    Or,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Some,
    Every,
    No,
    Count,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Aggregate {
    Min,
    Max,
    Sum,
    Argmin,
    Argmax,
    Union,
}

#[derive(Clone, Debug, PartialEq)]
pub struct MatchArm<T> {
    pub patterns: Vec<Pattern>,
    pub body: T,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// A constant expression.
    Value(Expr),
    Else(Span),
}

/// A text with holes: `"{count} x {next(claim, step)}"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    pub parts: Vec<TextPart>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TextPart {
    Literal(String),
    Hole(Expr),
}

// ---- statements -------------------------------------------------------------------------------

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
    Let {
        name: Name,
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
    Each {
        binder: Binder,
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
    Choice(Box<Choice>),
    Draw(Box<Draw>),
    /// `deal n from a to b`.
    Deal {
        count: Expr,
        from: Expr,
        to: Expr,
    },
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
    pub text: Option<Text>,
    pub body: Option<Block>,
    pub span: Span,
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
    pub text: Option<Text>,
    /// `revealing`: the options may tell viewers more than they could know.
    pub revealing: bool,
}
