//! Operators: how tightly each binds, and how deep a chain of them may get.

use super::expressions::error;
use super::{Piece, Reader, Rule};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Name, UnaryOp};
use crate::syntax::codes;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// Joins a value and the block of statements that it is looked at after.
fn after(value: Expr, block: Expr) -> Expr {
    let span = value.span.to(block.span);
    let kind = match block.kind {
        ExprKind::After { body, .. } => ExprKind::After {
            value: Box::new(value),
            body,
        },
        _ => ExprKind::Error,
    };
    Expr { kind, span }
}

/// The longest run of operators that bind equally, and of prefixes or indices on one operand.
const MAX_RUN: usize = 150;

/// What stands between operands.
#[derive(Copy, Clone, PartialEq)]
enum Infix {
    Binary(BinaryOp),
    Range,
    /// `after`; the block is its right operand.
    After,
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

/// What stands before an operand.
#[derive(Copy, Clone, PartialEq)]
enum Prefix {
    Not,
    Minus,
    Plus,
}

const NOT_LEVEL: usize = 2;
const AFTER_LEVEL: usize = 3;
const COMPARISON_LEVEL: usize = 4;
const RANGE_LEVEL: usize = 5;
const LEVELS: usize = 8;

/// 0 binds least. `not` and then `after` stand between `and` and the comparisons.
fn level(infix: Infix) -> usize {
    use BinaryOp::*;
    match infix {
        Infix::Range => RANGE_LEVEL,
        Infix::After => AFTER_LEVEL,
        Infix::Binary(op) => match op {
            Or => 0,
            And => 1,
            Eq | Ne | Lt | Le | Gt | Ge | In | NotIn => COMPARISON_LEVEL,
            Add | Sub | Before => 6,
            Mul | Over | Div | Mod | Intersect => 7,
        },
    }
}

fn infix(rule: Rule) -> Option<Infix> {
    use BinaryOp::*;
    let op = match rule {
        Rule::op_range => return Some(Infix::Range),
        Rule::kw_after => return Some(Infix::After),
        Rule::op_or => Or,
        Rule::op_and => And,
        Rule::op_eq => Eq,
        Rule::op_ne => Ne,
        Rule::op_le => Le,
        Rule::op_lt => Lt,
        Rule::op_ge => Ge,
        Rule::op_gt => Gt,
        Rule::op_in => In,
        Rule::op_not_in => NotIn,
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
                Rule::indexing | Rule::method | Rule::field => operand.postfixes.push(part),
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
        // The last operator that does not chain, and how tightly it binds.
        let mut compared: Option<(usize, Span)> = None;
        while let Some(&(op, op_span)) = climber.infixes.get(climber.at) {
            let level = level(op);
            if level < least {
                break;
            }
            climber.at += 1;
            if op == Infix::After {
                left = after(left, climber.take().1);
                compared = None;
                continue;
            }
            let right = self.climb(climber, level + 1);
            let span = left.span.to(right.span);
            if level == COMPARISON_LEVEL || level == RANGE_LEVEL {
                if let Some((_, first)) = compared.filter(|(other, _)| *other == level) {
                    self.report(chained(level, first, op_span));
                    // Nothing follows from what it would be.
                    left = error(span);
                    continue;
                }
                compared = Some((level, op_span));
            } else {
                compared = None;
            }
            if op == Infix::Range {
                self.note_shortened(&left, &right);
            }
            let (left_box, right_box) = (Box::new(left), Box::new(right));
            let kind = match op {
                Infix::Range => ExprKind::Range {
                    low: left_box,
                    high: right_box,
                },
                Infix::Binary(op) => ExprKind::Binary {
                    op,
                    left: left_box,
                    right: right_box,
                },
                Infix::After => ExprKind::Error,
            };
            left = Expr { kind, span };
        }
        left
    }

    /// `1..6 - 3`, which is not `(1..6) - 3`. Brackets around the difference say that it is meant.
    fn note_shortened(&mut self, low: &Expr, high: &Expr) {
        let ExprKind::Binary {
            op: BinaryOp::Sub,
            left,
            right,
        } = &high.kind
        else {
            return;
        };
        let (ExprKind::Int(low_end), ExprKind::Int(a), ExprKind::Int(b)) =
            (&low.kind, &left.kind, &right.kind)
        else {
            return;
        };
        if high.span != left.span.to(right.span) {
            return;
        }
        let message = format!("this is `{low_end}..({a} - {b})`, for `-` binds tighter than `..`");
        let start = low.span.start;
        let end = left.span.end;
        self.report(
            Diagnostic::note_of(codes::READS_OTHERWISE, low.span.to(high.span), message)
                .hint(format!("for the range without {b}, write `({low_end}..{a}) - {b}`; otherwise put brackets around the difference"))
                .edit(Span { start, end: start }, "(")
                .edit(Span { start: end, end }, ")"),
        );
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
                kind: ExprKind::Unary {
                    op: UnaryOp::Not,
                    value: Box::new(inner),
                },
                span,
            };
        }
        let inner = self.prefixed(climber, prefixes, first + 1, expr);
        let span = span.to(inner.span);
        let kind = match prefix {
            Prefix::Minus => ExprKind::Unary {
                op: UnaryOp::Neg,
                value: Box::new(inner),
            },
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
                    ExprKind::Index {
                        array,
                        indices: mut first,
                    } => {
                        first.extend(indices);
                        ExprKind::Index {
                            array,
                            indices: first,
                        }
                    }
                    _ => ExprKind::Index {
                        array: Box::new(expr),
                        indices,
                    },
                }
            } else if rule == Rule::method {
                match self.method(postfix) {
                    Some((function, arguments)) => ExprKind::Method {
                        board: Box::new(expr),
                        function,
                        args: arguments,
                    },
                    None => ExprKind::Error,
                }
            } else {
                match postfix.into_inner().find(|p| p.as_rule() == Rule::word) {
                    Some(word) => ExprKind::Field {
                        record: Box::new(expr),
                        field: self.name(&word),
                    },
                    None => ExprKind::Error,
                }
            };
            expr = Expr { kind, span };
        }
        expr
    }

    /// `.name(arguments)`.
    fn method(&mut self, piece: Piece<'t>) -> Option<(Name, Vec<Expr>)> {
        let (mut name, mut arguments) = (None, Vec::new());
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::word => name = Some(self.name(&part)),
                Rule::arguments => arguments = self.exprs(part),
                _ => {}
            }
        }
        Some((name?, arguments))
    }
}

/// An operand and the prefixes before it.
type Prefixed = (Vec<(Prefix, Span)>, Expr);

/// The operands that are left, and the operator that comes next.
struct Climber {
    operands: Vec<Option<Prefixed>>,
    infixes: Vec<(Infix, Span)>,
    at: usize,
}

impl Climber {
    /// The operand before the next operator.
    fn take(&mut self) -> Prefixed {
        self.operands
            .get_mut(self.at)
            .and_then(Option::take)
            .unwrap_or_else(|| (Vec::new(), error(Span::default())))
    }
}

/// The longest run of one kind of operator, and how deep the operators make the tree.
fn longest_run(flat: &Flat<'_>) -> (usize, usize) {
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
