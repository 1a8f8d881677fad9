//! Statements: what happens in play, every rule inlined.

use super::expression::{BinaryOp, Expr, ExprKind, MatchArm};
use super::one_move::OneMove;
use super::reading::ReadingId;
use super::visit::Visitor;
use super::{LocalId, SiteId, VarId};
use crate::text::span::Span;

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub stmts: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
    /// Where it reads shown defs, and happens: not in a note, nor in what an `after` tries.
    pub reading: Option<ReadingId>,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Let {
        local: LocalId,
        value: Expr,
    },
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
        arms: Vec<MatchArm<Block>>,
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
    OneMove(OneMove),
    Choice(Choice),
    Draw(Draw),
    Deal(Deal),
    /// An expression for its reveals.
    Expr(Expr),
    /// A reveal with a text.
    Said {
        event: Expr,
        text: Text,
    },
    /// Leaves the innermost loop and so many around it.
    Break {
        around: u32,
    },
    Continue,
    End(SiteId),
    /// Statements that keep notes up.
    Note(Block),
    /// A nested scope (an inlined rule). `break` and `continue` pass through it.
    Block(Block),
    /// Of a variable that is stored to inside, all that is read inside is as it was before. Nothing is chosen, drawn or
    /// revealed there.
    AtOnce {
        var: VarId,
        body: Block,
    },
}

impl Stmt {
    /// A statement that reads no shown def.
    pub fn new(kind: StmtKind, span: Span) -> Stmt {
        let reading = None;
        Stmt {
            kind,
            span,
            reading,
        }
    }

    /// The shown defs that its own expressions read, those of the statements in it left out; and whether that is again in
    /// each round of a loop.
    pub fn shown_read(&self) -> (Vec<usize>, bool) {
        let mut read = ShownRead::default();
        self.walk(&mut read);
        let mut again = ShownRead::default();
        match &self.kind {
            StmtKind::Each { cond, .. } => cond.iter().for_each(|e| again.expr(e)),
            StmtKind::While { cond, .. } => again.expr(cond),
            StmtKind::Turns { among, cond, .. } => {
                again.expr(among);
                cond.iter().for_each(|e| again.expr(e));
            }
            _ => {}
        }
        read.0.sort_unstable();
        read.0.dedup();
        (read.0, !again.0.is_empty())
    }

    /// Goes through what stands directly inside, in the order of the text.
    pub fn walk<'d>(&'d self, visitor: &mut (impl Visitor<'d> + ?Sized)) {
        match &self.kind {
            StmtKind::Let { value: e, .. } | StmtKind::Expr(e) => visitor.expr(e),
            StmtKind::Store { place, value, .. } => {
                visitor.place(place);
                visitor.expr(value);
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                visitor.expr(cond);
                visitor.block(then);
                visitor.block(otherwise);
            }
            StmtKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => {
                visitor.expr(scrutinee);
                arms.iter().for_each(|arm| visitor.block(&arm.body));
                otherwise.iter().for_each(|b| visitor.block(b));
            }
            StmtKind::Each {
                domain, cond, body, ..
            } => {
                visitor.expr(domain);
                cond.iter().for_each(|e| visitor.expr(e));
                visitor.block(body);
            }
            StmtKind::Repeat { count: e, body } | StmtKind::While { cond: e, body, .. } => {
                visitor.expr(e);
                visitor.block(body);
            }
            StmtKind::Turns {
                first,
                among,
                cond,
                body,
                ..
            } => {
                visitor.expr(first);
                visitor.expr(among);
                cond.iter().for_each(|e| visitor.expr(e));
                visitor.block(body);
            }
            StmtKind::Together(arms) => {
                for arm in arms {
                    if let Some(each) = &arm.each {
                        visitor.expr(&each.domain);
                        each.cond.iter().for_each(|e| visitor.expr(e));
                    }
                    visitor.choice(&arm.choice);
                }
            }
            StmtKind::Said { event, text } => {
                visitor.expr(event);
                visitor.text(text);
            }
            StmtKind::OneMove(one) => one.walk(visitor),
            StmtKind::Choice(choice) => visitor.choice(choice),
            StmtKind::Draw(draw) => {
                draw.parts.iter().for_each(|p| visitor.part(p));
                let numbers = draw.cond.iter().chain(&draw.weight);
                numbers.for_each(|e| visitor.expr(e));
                draw.text.iter().for_each(|t| visitor.text(t));
            }
            StmtKind::Deal(deal) => {
                visitor.expr(&deal.count);
                visitor.place(&deal.from);
                visitor.place(&deal.to);
                visitor.expr(&deal.viewers);
            }
            StmtKind::Break { .. } | StmtKind::Continue | StmtKind::End(_) => {}
            StmtKind::Note(block)
            | StmtKind::Block(block)
            | StmtKind::AtOnce { body: block, .. } => {
                visitor.block(block);
            }
        }
    }
}

/// Collects the shown defs that expressions read, and does not go into statements but those that an `after` tries.
#[derive(Default)]
struct ShownRead(Vec<usize>);

impl<'d> Visitor<'d> for ShownRead {
    fn expr(&mut self, e: &'d Expr) {
        e.for_each(|e| {
            if let ExprKind::Shown { def, .. } = e.kind {
                self.0.push(def);
            }
        });
    }

    fn stmt(&mut self, _: &'d Stmt) {}
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

impl Place {
    /// Goes through its indices.
    pub fn walk<'d>(&'d self, visitor: &mut (impl Visitor<'d> + ?Sized)) {
        for PlaceIndex::One(e) | PlaceIndex::Each(e) in &self.indices {
            visitor.expr(e);
        }
    }
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

impl ArmEach {
    /// The players who take part, and what is asked of them besides.
    pub fn members(&self) -> (&Expr, Option<&Expr>) {
        let Some(cond) = &self.cond else {
            return (&self.domain, None);
        };
        match &cond.kind {
            ExprKind::Binary {
                op: BinaryOp::In,
                left,
                right,
            } if matches!(left.kind, ExprKind::Local(local) if local == self.local) => {
                (right, None)
            }
            _ => (&self.domain, Some(cond)),
        }
    }
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

impl Choice {
    /// Goes through what stands directly inside.
    pub fn walk<'d>(&'d self, visitor: &mut (impl Visitor<'d> + ?Sized)) {
        visitor.expr(&self.chooser);
        visitor.expr(&self.viewers);
        for a in &self.alternatives {
            a.parts.iter().for_each(|p| visitor.part(p));
            a.cond.iter().for_each(|e| visitor.expr(e));
            a.text.iter().for_each(|t| visitor.text(t));
            visitor.block(&a.body);
        }
        self.otherwise.iter().for_each(|b| visitor.block(b));
    }
}

#[derive(Clone, Debug)]
pub struct Alternative {
    pub label: Option<String>,
    /// Where it stands for several alternatives of one label: the part that says which of them, which the chooser alone sees.
    pub which: Option<LocalId>,
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

impl Part {
    /// Goes through what stands directly inside.
    pub fn walk<'d>(&'d self, visitor: &mut (impl Visitor<'d> + ?Sized)) {
        visitor.expr(&self.domain);
        let sizes = self.sizes.iter().flat_map(Sizes::exprs);
        sizes.for_each(|e| visitor.expr(e));
        visitor.expr(&self.viewers);
        self.into.iter().for_each(|p| visitor.place(p));
    }

    /// What says which values there are.
    pub fn options(&self) -> impl Iterator<Item = &Expr> {
        std::iter::once(&self.domain).chain(self.sizes.iter().flat_map(Sizes::exprs))
    }
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
    /// The cards may tell viewers more than they could know.
    pub revealing: bool,
    pub span: Span,
}

/// How a move or an outcome reads.
#[derive(Clone, Debug)]
pub struct Text {
    /// The first of these whose condition holds says it.
    pub cases: Vec<TextCase>,
    /// What says it otherwise.
    pub parts: Vec<TextPart>,
    /// What is said to those who could not know a condition; without it, nothing is.
    pub hidden: Option<String>,
}

/// A text under a condition.
#[derive(Clone, Debug)]
pub struct TextCase {
    /// Told by what is printed, as a value in a text is.
    pub cond: Hole,
    pub parts: Vec<TextPart>,
}

#[derive(Clone, Debug)]
pub enum TextPart {
    Literal(String),
    Hole(Hole),
}

/// A value in a text.
#[derive(Clone, Debug)]
pub struct Hole {
    pub value: Expr,
    /// Its number in [`Description::hole_viewers`](super::Description::hole_viewers).
    pub number: usize,
}

fn holes(parts: &[TextPart]) -> impl Iterator<Item = &Hole> {
    parts.iter().filter_map(|part| match part {
        TextPart::Literal(_) => None,
        TextPart::Hole(hole) => Some(hole),
    })
}

impl Text {
    /// Its conditions and the values in it, in the order of the text.
    pub fn holes(&self) -> impl Iterator<Item = &Hole> {
        let cases = self.cases.iter();
        let cases = cases.flat_map(|case| std::iter::once(&case.cond).chain(holes(&case.parts)));
        cases.chain(holes(&self.parts))
    }

    /// The same, to be changed.
    pub fn holes_mut(&mut self) -> impl Iterator<Item = &mut Hole> {
        fn holes(parts: &mut [TextPart]) -> impl Iterator<Item = &mut Hole> {
            parts.iter_mut().filter_map(|part| match part {
                TextPart::Literal(_) => None,
                TextPart::Hole(hole) => Some(hole),
            })
        }
        let cases = self.cases.iter_mut();
        let cases =
            cases.flat_map(|case| std::iter::once(&mut case.cond).chain(holes(&mut case.parts)));
        cases.chain(holes(&mut self.parts))
    }

    /// Whether a hole is one of the conditions.
    pub fn is_condition(&self, hole: &Hole) -> bool {
        let mut cases = self.cases.iter();
        cases.any(|case| case.cond.number == hole.number)
    }

    /// Goes through its conditions and holes.
    pub fn walk<'d>(&'d self, visitor: &mut (impl Visitor<'d> + ?Sized)) {
        self.holes().for_each(|hole| visitor.expr(&hole.value));
    }
}
