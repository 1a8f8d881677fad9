//! Expressions: operators by how tightly they bind, and everything that can be an operand.

use super::{Piece, Reader, Rule, problems};
use crate::diagnostics::Diagnostic;
use crate::syntax::ast::{
    Aggregate, BinaryOp, Binder, Expr, ExprKind, MatchArm, Name, Pattern, Quantifier, UnaryOp,
};
use crate::syntax::codes;
use crate::syntax::span::Span;

/// The longest run of operators that bind equally, and of prefixes or indices on one operand.
const MAX_RUN: usize = 150;

/// What stands between operands.
#[derive(Copy, Clone, PartialEq)]
enum Infix {
    Binary(BinaryOp),
    Range,
}

/// A flat expression: `operands[i] infixes[i] operands[i + 1] …`, each operand with its prefixes.
struct Flat<'t> {
    operands: Vec<Operand<'t>>,
    infixes: Vec<(Infix, Span)>,
}

#[derive(Default)]
struct Operand<'t> {
    prefixes: Vec<(Prefix, Span)>,
    primary: Option<Piece<'t>>,
    postfixes: Vec<Piece<'t>>,
}

#[derive(Copy, Clone, PartialEq)]
enum Prefix {
    Not,
    Minus,
    Plus,
}

const NOT_LEVEL: usize = 2;
const COMPARISON_LEVEL: usize = 3;
const RANGE_LEVEL: usize = 4;
const LEVELS: usize = 7;

/// 0 binds least. `not` stands between `and` and the comparisons.
fn level(infix: Infix) -> usize {
    use BinaryOp::*;
    match infix {
        Infix::Range => RANGE_LEVEL,
        Infix::Binary(op) => match op {
            Or => 0,
            And => 1,
            Eq | Ne | Lt | Le | Gt | Ge | In => COMPARISON_LEVEL,
            Add | Sub | Before => 5,
            Mul | Over | Div | Mod | Intersect => 6,
        },
    }
}

fn infix(rule: Rule) -> Option<Infix> {
    use BinaryOp::*;
    let op = match rule {
        Rule::op_range => return Some(Infix::Range),
        Rule::op_or => Or,
        Rule::op_and => And,
        Rule::op_eq => Eq,
        Rule::op_ne => Ne,
        Rule::op_le => Le,
        Rule::op_lt => Lt,
        Rule::op_ge => Ge,
        Rule::op_gt => Gt,
        Rule::op_in => In,
        Rule::op_add => Add,
        Rule::op_sub => Sub,
        Rule::op_before => Before,
        Rule::op_mul => Mul,
        Rule::op_over => Over,
        Rule::op_div => Div,
        Rule::op_mod => Mod,
        Rule::op_intersect => Intersect,
        _ => return None,
    };
    Some(Infix::Binary(op))
}

impl<'t> Reader<'t> {
    /// Reads `expr`, `bound`, `operand` or `place`.
    pub(super) fn expr(&mut self, piece: Piece<'t>) -> Expr {
        let span = self.span(&piece);
        let flat = self.flatten(piece);
        match longest_run(&flat) {
            (longest, _) if longest > MAX_RUN => {
                self.report(
                    Diagnostic::error(
                        codes::TOO_LONG,
                        span,
                        format!(
                            "this expression strings {longest} operators together; at most {MAX_RUN} are read"
                        ),
                    )
                    .hint("split it with `let` or `def`, or use `sum`, `some` or `every`"),
                );
                error(span)
            }
            (_, depth) => self
                .deeper(depth + 1, span, |reader| reader.climb_all(flat))
                .unwrap_or_else(|| error(span)),
        }
    }

    fn flatten(&mut self, piece: Piece<'t>) -> Flat<'t> {
        let mut flat = Flat {
            operands: Vec::new(),
            infixes: Vec::new(),
        };
        let mut operand = Operand::default();
        for part in piece.into_inner() {
            let rule = part.as_rule();
            match rule {
                Rule::nest => {}
                Rule::op_not => operand.prefixes.push((Prefix::Not, self.span(&part))),
                Rule::op_sub if operand.primary.is_none() => {
                    operand.prefixes.push((Prefix::Minus, self.span(&part)));
                }
                Rule::op_add if operand.primary.is_none() => {
                    operand.prefixes.push((Prefix::Plus, self.span(&part)));
                }
                Rule::indexing | Rule::field => operand.postfixes.push(part),
                _ => match infix(rule) {
                    Some(op) => {
                        flat.infixes.push((op, self.span(&part)));
                        flat.operands.push(std::mem::take(&mut operand));
                    }
                    None => operand.primary = Some(part),
                },
            }
        }
        flat.operands.push(operand);
        flat
    }

    fn climb_all(&mut self, flat: Flat<'t>) -> Expr {
        let mut climber = Climber {
            operands: Vec::with_capacity(flat.operands.len()),
            infixes: flat.infixes,
            at: 0,
        };
        for operand in flat.operands {
            let expr = self.operand(operand.primary, operand.postfixes);
            climber.operands.push(Some((operand.prefixes, expr)));
        }
        self.climb(&mut climber, 0)
    }

    /// Reads operators that bind at `least` or tighter.
    fn climb(&mut self, climber: &mut Climber, least: usize) -> Expr {
        let (prefixes, expr) = climber.take();
        let mut left = self.prefixed(climber, prefixes, 0, expr);
        let mut compared: Option<Span> = None;
        while let Some(&(op, op_span)) = climber.infixes.get(climber.at) {
            let level = level(op);
            if level < least {
                break;
            }
            climber.at += 1;
            let right = self.climb(climber, level + 1);
            let span = left.span.to(right.span);
            if level == COMPARISON_LEVEL || level == RANGE_LEVEL {
                if let Some(first) = compared {
                    self.report(chained(level, first, op_span));
                }
                compared = Some(op_span);
            } else {
                compared = None;
            }
            let (left_box, right_box) = (Box::new(left), Box::new(right));
            let kind = match op {
                Infix::Range => ExprKind::Range(left_box, right_box),
                Infix::Binary(op) => ExprKind::Binary(op, left_box, right_box),
            };
            left = Expr { kind, span };
        }
        left
    }

    /// Applies the prefixes from number `first` on. `not` takes in the comparison that follows it; a sign only its operand.
    fn prefixed(
        &mut self,
        climber: &mut Climber,
        prefixes: Vec<(Prefix, Span)>,
        first: usize,
        expr: Expr,
    ) -> Expr {
        let Some(&(prefix, span)) = prefixes.get(first) else {
            return expr;
        };
        if prefix == Prefix::Not {
            climber.operands[climber.at] = Some((prefixes[first + 1..].to_vec(), expr));
            let inner = self.climb(climber, NOT_LEVEL);
            let span = span.to(inner.span);
            return Expr {
                kind: ExprKind::Unary(UnaryOp::Not, Box::new(inner)),
                span,
            };
        }
        let inner = self.prefixed(climber, prefixes, first + 1, expr);
        let span = span.to(inner.span);
        let kind = match prefix {
            Prefix::Minus => ExprKind::Unary(UnaryOp::Neg, Box::new(inner)),
            _ => inner.kind,
        };
        Expr { kind, span }
    }

    fn operand(&mut self, primary: Option<Piece<'t>>, postfixes: Vec<Piece<'t>>) -> Expr {
        let Some(primary) = primary else {
            return error(Span::default());
        };
        let mut expr = self.primary(primary);
        for postfix in postfixes {
            let span = expr.span.to(self.span(&postfix));
            let rule = postfix.as_rule();
            let kind = if rule == Rule::indexing {
                let indices = self.exprs(postfix);
                match expr.kind {
                    // `a[i][j]` and `a[i, j]` are the same.
                    ExprKind::Index(array, mut first) => {
                        first.extend(indices);
                        ExprKind::Index(array, first)
                    }
                    _ => ExprKind::Index(Box::new(expr), indices),
                }
            } else {
                match postfix.into_inner().find(|p| p.as_rule() == Rule::word) {
                    Some(word) => ExprKind::Field(Box::new(expr), self.name(&word)),
                    None => ExprKind::Error,
                }
            };
            expr = Expr { kind, span };
        }
        expr
    }

    pub(super) fn primary(&mut self, piece: Piece<'t>) -> Expr {
        let span = self.span(&piece);
        let kind = self.primary_kind(piece, span).unwrap_or(ExprKind::Error);
        Expr { kind, span }
    }

    fn primary_kind(&mut self, piece: Piece<'t>, span: Span) -> Option<ExprKind> {
        let rule = piece.as_rule();
        let text = piece.as_str();
        Some(match rule {
            Rule::int => match text.parse() {
                Ok(value) => ExprKind::Int(value),
                Err(_) => {
                    self.report(problems::number_too_large(span));
                    ExprKind::Error
                }
            },
            Rule::decimal => ExprKind::Decimal(text.to_owned()),
            Rule::truth => ExprKind::Bool(text == "true"),
            Rule::all => ExprKind::All,
            Rule::none => ExprKind::None,
            Rule::name => ExprKind::Name(piece.into_inner().next()?.as_str().to_owned()),
            Rule::if_expr => {
                let mut exprs = self.exprs(piece).into_iter();
                let mut next = || exprs.next().map(Box::new);
                ExprKind::If(next()?, next()?, next()?)
            }
            Rule::match_expr => {
                let mut scrutinee = None;
                let mut arms = Vec::new();
                for part in piece.into_inner() {
                    match part.as_rule() {
                        Rule::expr => scrutinee = Some(Box::new(self.expr(part))),
                        Rule::expr_arm => arms.extend(self.expr_arm(part)),
                        _ => {}
                    }
                }
                ExprKind::Match {
                    scrutinee: scrutinee?,
                    arms,
                }
            }
            Rule::let_expr => {
                let name = piece
                    .clone()
                    .into_inner()
                    .find(|p| p.as_rule() == Rule::ident)?;
                let name = self.name(&name);
                let mut exprs = self.exprs(piece).into_iter();
                ExprKind::Let {
                    name,
                    value: Box::new(exprs.next()?),
                    body: Box::new(exprs.next()?),
                }
            }
            Rule::quantified | Rule::aggregate => {
                let word = piece.clone().into_inner().next()?.as_str().to_owned();
                let (binder, body) = self.bound_expr(piece)?;
                let (binder, body) = (Box::new(binder), Box::new(body));
                match (quantifier(&word), aggregate(&word)) {
                    (Some(quantifier), _) => ExprKind::Quantified {
                        quantifier,
                        binder,
                        body,
                    },
                    (_, Some(op)) => ExprKind::Aggregate { op, binder, body },
                    _ => return None,
                }
            }
            Rule::array => {
                let (binder, body) = self.bound_expr(piece)?;
                ExprKind::Array {
                    binder: Box::new(binder),
                    body: Box::new(body),
                }
            }
            Rule::reveal => {
                let mut exprs = self.exprs(piece).into_iter();
                ExprKind::Reveal {
                    value: Box::new(exprs.next()?),
                    to: exprs.next().map(Box::new),
                }
            }
            // Parentheses leave no trace but the span.
            Rule::paren => self.first_expr(piece)?.kind,
            Rule::record => ExprKind::Record(self.named_exprs(piece, Rule::record_field)),
            Rule::braces => return self.braces(piece),
            Rule::call => {
                let (name, arguments) = self.call(piece)?;
                ExprKind::Call(name, arguments)
            }
            _ => return None,
        })
    }

    pub(super) fn call(&mut self, piece: Piece<'t>) -> Option<(Name, Vec<Expr>)> {
        let (mut name, mut arguments) = (None, Vec::new());
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::ident => name = Some(self.name(&part)),
                Rule::arguments => arguments = self.exprs(part),
                _ => {}
            }
        }
        Some((name?, arguments))
    }

    /// `{ … }`: a set, an array by its entries, or a set by a formula.
    fn braces(&mut self, piece: Piece<'t>) -> Option<ExprKind> {
        let mut first = None;
        let mut entries = Vec::new();
        let mut otherwise = None;
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::expr => first = Some(self.expr(part)),
                Rule::for_tail => {
                    let binder = part.into_inner().find(|p| p.as_rule() == Rule::binder)?;
                    return Some(ExprKind::Comprehension {
                        body: Box::new(first?),
                        binder: Box::new(self.binder(binder)?),
                    });
                }
                Rule::set_tail => {
                    let mut elements: Vec<Expr> = first.take().into_iter().collect();
                    elements.extend(self.exprs(part));
                    return Some(ExprKind::Set(elements));
                }
                Rule::map_tail => {
                    let mut key = first.take();
                    for entry in part.into_inner() {
                        match entry.as_rule() {
                            Rule::expr => {
                                let value = self.expr(entry);
                                entries.extend(key.take().map(|key| (key, value)));
                            }
                            Rule::map_entry => {
                                let mut pair = self.exprs(entry).into_iter();
                                entries.push((pair.next()?, pair.next()?));
                            }
                            Rule::map_else => self.map_else(entry, &mut otherwise),
                            _ => {}
                        }
                    }
                    return Some(ExprKind::Map { entries, otherwise });
                }
                Rule::map_else => {
                    self.map_else(part, &mut otherwise);
                    return Some(ExprKind::Map { entries, otherwise });
                }
                _ => {}
            }
        }
        Some(ExprKind::Set(Vec::new()))
    }

    fn map_else(&mut self, piece: Piece<'t>, otherwise: &mut Option<Box<Expr>>) {
        let span = self.span(&piece);
        for value in self.exprs(piece) {
            self.once(otherwise, Box::new(value), "else", span);
        }
    }

    /// Every expression that stands directly in a piece.
    pub(super) fn exprs(&mut self, piece: Piece<'t>) -> Vec<Expr> {
        let mut exprs = Vec::new();
        for part in piece.into_inner().filter(|p| p.as_rule() == Rule::expr) {
            exprs.push(self.expr(part));
        }
        exprs
    }

    pub(super) fn first_expr(&mut self, piece: Piece<'t>) -> Option<Expr> {
        let part = piece.into_inner().find(|p| is_expr(p.as_rule()))?;
        Some(self.expr(part))
    }

    /// `name: e` pieces of the given rule.
    pub(super) fn named_exprs(&mut self, piece: Piece<'t>, rule: Rule) -> Vec<(Name, Expr)> {
        let mut fields = Vec::new();
        for field in piece.into_inner().filter(|p| p.as_rule() == rule) {
            let (mut name, mut value) = (None, None);
            for part in field.into_inner() {
                match part.as_rule() {
                    Rule::ident => name = Some(self.name(&part)),
                    Rule::expr => value = Some(self.expr(part)),
                    _ => {}
                }
            }
            fields.extend(name.zip(value));
        }
        fields
    }

    fn bound_expr(&mut self, piece: Piece<'t>) -> Option<(Binder, Expr)> {
        let (mut binder, mut body) = (None, None);
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::binder => binder = self.binder(part),
                Rule::expr | Rule::operand => body = Some(self.expr(part)),
                _ => {}
            }
        }
        Some((binder?, body?))
    }

    /// `x in S where c`.
    pub(super) fn binder(&mut self, piece: Piece<'t>) -> Option<Binder> {
        let span = self.span(&piece);
        let (mut name, mut domain, mut cond) = (None, None, None);
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::ident => name = Some(self.name(&part)),
                Rule::expr => domain = Some(self.expr(part)),
                Rule::where_clause => cond = self.first_expr(part),
                _ => {}
            }
        }
        Some(Binder {
            name: name?,
            domain: domain?,
            cond,
            span,
        })
    }

    fn expr_arm(&mut self, piece: Piece<'t>) -> Option<MatchArm<Expr>> {
        let span = self.span(&piece);
        let (mut patterns, mut body) = (Vec::new(), None);
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::patterns => patterns = self.patterns(part),
                Rule::expr => body = Some(self.expr(part)),
                _ => {}
            }
        }
        Some(MatchArm {
            patterns,
            body: body?,
            span,
        })
    }

    pub(super) fn patterns(&mut self, piece: Piece<'t>) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        for pattern in piece.into_inner().filter(|p| p.as_rule() == Rule::pattern) {
            let span = self.span(&pattern);
            patterns.push(match self.first_expr(pattern) {
                Some(expr) => Pattern::Value(expr),
                None => Pattern::Else(span),
            });
        }
        patterns
    }
}

/// The operands that are left, and the operator that comes next.
struct Climber {
    operands: Vec<Option<(Vec<(Prefix, Span)>, Expr)>>,
    infixes: Vec<(Infix, Span)>,
    at: usize,
}

impl Climber {
    /// The operand before the next operator.
    fn take(&mut self) -> (Vec<(Prefix, Span)>, Expr) {
        self.operands
            .get_mut(self.at)
            .and_then(Option::take)
            .unwrap_or_else(|| (Vec::new(), error(Span::default())))
    }
}

/// The longest run of one kind of operator, and how deep the operators make the tree.
fn longest_run(flat: &Flat) -> (usize, usize) {
    let mut runs = [0usize; LEVELS];
    let mut longest = [0usize; LEVELS];
    for &(op, _) in &flat.infixes {
        let level = level(op);
        runs[level] += 1;
        longest[level] = longest[level].max(runs[level]);
        runs[level + 1..].fill(0);
    }
    let prefixes = flat.operands.iter().map(|o| o.prefixes.len()).max();
    let postfixes = flat.operands.iter().map(|o| o.postfixes.len()).max();
    let ends = [prefixes.unwrap_or(0), postfixes.unwrap_or(0)];
    let most = longest.iter().chain(&ends).max().copied().unwrap_or(0);
    (
        most,
        longest.iter().sum::<usize>() + ends.iter().sum::<usize>(),
    )
}

fn chained(level: usize, first: Span, second: Span) -> Diagnostic {
    let (message, hint) = if level == RANGE_LEVEL {
        (
            "a range has two ends, this one has three",
            "write `low..high`",
        )
    } else {
        (
            "comparisons cannot be chained",
            "write `a < b and b < c`, or put one of them in parentheses",
        )
    };
    Diagnostic::error(codes::CHAINED_COMPARISON, second, message)
        .note(first, "the first is here")
        .hint(hint)
}

pub(super) fn is_expr(rule: Rule) -> bool {
    matches!(rule, Rule::expr | Rule::operand | Rule::bound | Rule::place)
}

pub(super) fn error(span: Span) -> Expr {
    Expr {
        kind: ExprKind::Error,
        span,
    }
}

fn quantifier(word: &str) -> Option<Quantifier> {
    Some(match word {
        "some" => Quantifier::Some,
        "every" => Quantifier::Every,
        "no" => Quantifier::No,
        "count" => Quantifier::Count,
        _ => return None,
    })
}

fn aggregate(word: &str) -> Option<Aggregate> {
    Some(match word {
        "min" => Aggregate::Min,
        "max" => Aggregate::Max,
        "sum" => Aggregate::Sum,
        "argmin" => Aggregate::Argmin,
        "argmax" => Aggregate::Argmax,
        "union" => Aggregate::Union,
        _ => return None,
    })
}
