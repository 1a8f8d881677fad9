//! Everything that can be an operand of an expression. How operators join operands is for `operators`.

use super::{Piece, Reader, Rule, explain};
use crate::syntax::ast::{Aggregate, Binder, Expr, ExprKind, MatchArm, Name, Pattern, Quantifier};
use crate::text::span::Span;

impl<'t> Reader<'t> {
    pub(super) fn primary(&mut self, piece: Piece<'t>) -> Expr {
        let mut span = self.span(&piece);
        if piece.as_rule() == Rule::reveal
            && let Some(event) = piece.clone().into_inner().next()
        {
            // Its words are no part of what is pointed to.
            span = self.span(&event);
        }
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
                    self.report(explain::number_too_large(span));
                    ExprKind::Error
                }
            },
            Rule::decimal => ExprKind::Decimal(text.to_owned()),
            Rule::truth => ExprKind::Bool(text == "true"),
            Rule::all => ExprKind::All,
            Rule::none => ExprKind::None,
            Rule::name => ExprKind::Name(self.name(&piece.into_inner().next()?)),
            Rule::if_expr => {
                let mut exprs = self.exprs(piece).into_iter();
                let mut next = || exprs.next().map(Box::new);
                ExprKind::If {
                    cond: next()?,
                    then: next()?,
                    otherwise: next()?,
                }
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
                let mut parts = piece.clone().into_inner();
                let name = parts.find(|p| p.as_rule() == Rule::ident)?;
                let name = self.name(&name);
                let ty = parts.find(|p| p.as_rule() == Rule::ty);
                let ty = ty.map(|ty| Box::new(self.ty(ty)));
                let mut exprs = self.exprs(piece).into_iter();
                ExprKind::Let {
                    name,
                    ty,
                    value: Box::new(exprs.next()?),
                    body: Box::new(exprs.next()?),
                }
            }
            Rule::quantified | Rule::aggregate => {
                let word = piece.clone().into_inner().next()?.as_str().to_owned();
                let (binders, body) = self.bound_expr(piece)?;
                let body = Box::new(body);
                if let Some(quantifier) = quantifier(&word) {
                    self.note_far_reach(span, quantifier, &binders, &body);
                }
                match (quantifier(&word), aggregate(&word)) {
                    (Some(quantifier), _) => ExprKind::Quantified {
                        quantifier,
                        binders,
                        body,
                    },
                    (_, Some(op)) => ExprKind::Aggregate { op, binders, body },
                    _ => return None,
                }
            }
            Rule::array => {
                let parts = piece.clone().into_inner();
                let indices = parts.filter(|p| p.as_rule() == Rule::binder).count();
                self.deeper(indices, span, |reader| reader.array(piece, span))??
            }
            Rule::reveal => {
                let (mut exprs, mut text) = (Vec::new(), None);
                for part in piece.into_inner() {
                    match part.as_rule() {
                        Rule::revealed => exprs = self.exprs(part),
                        Rule::says => self.says(&mut text, part, span),
                        Rule::says_so => text = self.says_so(exprs.first()?, part),
                        _ => {}
                    }
                }
                let mut exprs = exprs.into_iter();
                ExprKind::Reveal {
                    value: Box::new(exprs.next()?),
                    to: exprs.next().map(Box::new),
                    text: text.map(Box::new),
                }
            }
            // Parentheses leave no trace but the span.
            Rule::paren => self.first_expr(piece)?.kind,
            Rule::record => ExprKind::Record(self.named_exprs(piece, Rule::record_field)),
            Rule::braces => return self.braces(piece),
            // The right side of `after`, which gets its value when operators are joined.
            Rule::block => ExprKind::After {
                value: Box::new(error(span)),
                body: self.block(piece),
            },
            Rule::one_row => {
                let text = piece.into_inner().find(|p| p.as_rule() == Rule::text)?;
                ExprKind::Rows(vec![self.quoted(&text)])
            }
            Rule::call => {
                let (name, arguments) = self.call(piece)?;
                ExprKind::Call {
                    function: name,
                    args: arguments,
                }
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
                Rule::text_rows => {
                    let rows = part.into_inner().filter(|p| p.as_rule() == Rule::text);
                    return Some(ExprKind::Rows(rows.map(|row| self.quoted(&row)).collect()));
                }
                Rule::for_tail => {
                    return Some(ExprKind::Comprehension {
                        body: Box::new(first?),
                        binders: self.binders(part)?,
                    });
                }
                Rule::set_tail => {
                    let mut elements: Vec<Expr> = first.take().into_iter().collect();
                    elements.extend(self.exprs(part));
                    self.note_twice(&elements);
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

    fn bound_expr(&mut self, piece: Piece<'t>) -> Option<(Vec<Binder>, Expr)> {
        let (mut binders, mut body) = (Vec::new(), None);
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::binder => binders.push(self.binder(part)?),
                Rule::expr | Rule::operand => body = Some(self.expr(part)),
                _ => {}
            }
        }
        Some((binders, body?))
    }

    /// One index after the other: `[p in P, k in K] e` is `[p in P] [k in K] e`.
    fn array(&mut self, piece: Piece<'t>, span: Span) -> Option<ExprKind> {
        let (mut binders, body) = self.bound_expr(piece)?;
        let array = |binder: Binder, body: Expr| ExprKind::Array {
            binder: Box::new(binder),
            body: Box::new(body),
        };
        let mut kind = array(binders.pop()?, body);
        while let Some(binder) = binders.pop() {
            kind = array(binder, Expr { kind, span });
        }
        Some(kind)
    }

    fn binders(&mut self, piece: Piece<'t>) -> Option<Vec<Binder>> {
        let binders = piece.into_inner().filter(|p| p.as_rule() == Rule::binder);
        binders.map(|binder| self.binder(binder)).collect()
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
