//! The functions that the language brings.

use super::checker::Checker;
use super::codes;
use super::collections::elements;
use super::convert::{lcm, said};
use super::declare::Decl;
use crate::model::types::{Type, bits};
use crate::model::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::syntax::ast::{self, Aggregate};
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;

pub const BUILTINS: [&str; 17] = [
    "size", "next", "opponent", "sign", "abs", "min", "max", "argmin", "argmax", "sum", "mean",
    "share", "only", "top", "reveal", "subsets", "team",
];

impl<'a> Checker<'a> {
    pub fn call(
        &mut self,
        name: &'a ast::Name,
        args: &'a [ast::Expr],
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        match name.text.as_str() {
            "size" => {
                self.arity(name, args, 1, 1)?;
                let set = self.expr(&args[0], None);
                let set = self.a_set(set?)?;
                let (lo, hi) = match &set.kind {
                    ExprKind::ConstSet(words) => {
                        let n = bits(words).count() as i64;
                        (n, n)
                    }
                    _ => {
                        let lo = i64::from(self.knows(&set, true));
                        (lo, elements(&set).max(lo))
                    }
                };
                let kind = ExprKind::Unary {
                    op: UnaryOp::Size,
                    value: Box::new(set),
                };
                Some(self.make(kind, Type::Int { lo, hi }, span))
            }
            "next" => {
                self.arity(name, args, 1, 2)?;
                let x = self.expr(&args[0], want)?;
                let x = self.a_value(x)?;
                let k = match args.get(1) {
                    Some(k) => {
                        let k = self.expr(k, None)?;
                        self.integer(k)?
                    }
                    None => self.scalar(1, Type::constant(1), span),
                };
                let ty = x.ty.clone();
                Some(self.make(
                    ExprKind::Next {
                        value: Box::new(x),
                        steps: Box::new(k),
                    },
                    ty,
                    span,
                ))
            }
            "opponent" => {
                self.arity(name, args, 1, 1)?;
                let player = self.player_type()?;
                let p = self.expr_as(&args[0], &player)?;
                let n = player.size().unwrap_or(0);
                if n != 2 {
                    self.report_live(
                        Diagnostic::error(
                            codes::TYPE_MISMATCH,
                            span,
                            format!("`opponent` is for two players, and there are {n}"),
                        )
                        .hint("`next(p)` is the player after p; `all - p` all the others"),
                    );
                    return None;
                }
                let one = self.scalar(1, Type::constant(1), span);
                Some(self.make(
                    ExprKind::Next {
                        value: Box::new(p),
                        steps: Box::new(one),
                    },
                    player,
                    span,
                ))
            }
            "sign" | "abs" => {
                self.arity(name, args, 1, 1)?;
                let op = if name.text == "abs" {
                    UnaryOp::Abs
                } else {
                    UnaryOp::Sign
                };
                let x = self.expr(&args[0], None)?;
                self.negate(op, x, span)
            }
            "min" | "max" => self.extreme(name, args, want, span),
            "argmin" | "argmax" => {
                self.arity(name, args, 1, 1)?;
                let op = match name.text.as_str() {
                    "argmin" => Aggregate::Argmin,
                    _ => Aggregate::Argmax,
                };
                self.fold_array(op, &args[0], span)
            }
            "sum" => {
                self.arity(name, args, 1, 1)?;
                if self.is_array(&args[0]) {
                    return self.fold_array(Aggregate::Sum, &args[0], span);
                }
                let set = self.expr(&args[0], None);
                let set = self.a_set(set?)?;
                self.sum_of_set(set, span)
            }
            "mean" => {
                self.arity(name, args, 1, 1)?;
                let sum = self.fold_array(Aggregate::Sum, &args[0], span)?;
                let n = self.array_index(&args[0])?.size().unwrap_or(1) as i64;
                let n = self.scalar(n, Type::constant(n), span);
                self.divide(sum, n, span)
            }
            "team" => {
                self.arity(name, args, 1, 1)?;
                self.team_of(&args[0], span)
            }
            "subsets" => {
                self.arity(name, args, 2, 2)?;
                self.report(
                    Diagnostic::error(
                        codes::MISUSED_NAME,
                        span,
                        "`subsets` stands right after the `in` of a choice or a draw",
                    )
                    .hint("for example: p chooses cards in subsets(hand[p], 3)"),
                );
                None
            }
            "share" => {
                self.array_here(span);
                None
            }
            "only" => {
                self.arity(name, args, 1, 1)?;
                self.only(&args[0], want, span)
            }
            "top" => {
                self.arity(name, args, 2, 2)?;
                let k = self.expr(&args[0], None);
                let set = self.expr(&args[1], want);
                let (k, set) = (self.integer(k?)?, self.a_set(set?)?);
                let k = self.natural(k)?;
                let ty = set.ty.clone();
                Some(self.make(
                    ExprKind::Top {
                        count: Box::new(k),
                        set: Box::new(set),
                    },
                    ty,
                    span,
                ))
            }
            _ => self.call_declared(name, args, want, span),
        }
    }

    fn call_declared(
        &mut self,
        name: &'a ast::Name,
        args: &'a [ast::Expr],
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        let text = name.text.as_str();
        match self.names.decls.get(text).cloned() {
            Some(Decl::Def(def)) => self.call_def(def, args, want, span),
            Some(other) => {
                self.report(
                    Diagnostic::error(
                        codes::MISUSED_NAME,
                        name.span,
                        format!("`{text}` is {}, and takes no arguments", other.noun()),
                    )
                    .hint("an element of an array is written `a[p]`"),
                );
                None
            }
            None if self.names.rules.contains_key(text) => {
                self.report(
                    Diagnostic::error(
                        codes::MISUSED_NAME,
                        name.span,
                        format!("`{text}` is a rule, which has no value"),
                    )
                    .hint("a rule stands alone as a statement; a `def` has a value"),
                );
                None
            }
            None if self.is_lost(text) => None,
            None => {
                if let Some(meant) = self.meant_board(name, args) {
                    return self.board_function(meant?, name, args, span);
                }
                let defs = self
                    .names
                    .order
                    .iter()
                    .copied()
                    .filter(|n| matches!(self.names.decls.get(n), Some(Decl::Def(_))));
                let mut d = Diagnostic::error(
                    codes::UNKNOWN_NAME,
                    name.span,
                    format!("there is no def `{text}`"),
                );
                d = match nearest(text, defs.chain(BUILTINS).chain(self.board_words())) {
                    Some(near) => d.hint(format!("did you mean `{near}`?")),
                    None => d.hint(format!("declare it: def {text}(…): … = …")),
                };
                self.report(d);
                None
            }
        }
    }

    /// Whether a call has as many arguments as it takes.
    pub fn arity(
        &mut self,
        name: &ast::Name,
        args: &[ast::Expr],
        least: usize,
        most: usize,
    ) -> Option<()> {
        if (least..=most).contains(&args.len()) {
            return Some(());
        }
        let wanted = if least == most {
            match least {
                0 => "no arguments".to_string(),
                1 => "one argument".to_string(),
                n => format!("{n} arguments"),
            }
        } else {
            format!("{least} or {most} arguments")
        };
        self.report(
            Diagnostic::error(
                codes::WRONG_ARGUMENTS,
                name.span,
                format!("`{}` takes {wanted}, and has {}", name.text, args.len()),
            )
            .hint("give it as many as it takes"),
        );
        None
    }

    /// A single value of a finite type, certainly there.
    fn a_value(&mut self, e: Expr) -> Option<Expr> {
        match &e.ty {
            Type::Optional(_) => {
                self.maybe_none(&e);
                None
            }
            ty if ty.is_scalar() && !matches!(ty, Type::Number { .. }) => Some(e),
            ty => {
                let d = Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    e.span,
                    "a single value is needed here",
                )
                .label(format!("this is {}", said(ty)));
                self.report(d);
                None
            }
        }
    }

    /// An integer that is not negative, checked in play where it might be.
    pub fn natural(&mut self, e: Expr) -> Option<Expr> {
        let Type::Int { lo, hi } = e.ty else {
            return None;
        };
        if lo >= 0 {
            return Some(e);
        }
        self.coerce(
            e,
            &Type::Int {
                lo: 0,
                hi: hi.max(0),
            },
        )
    }

    fn extreme(
        &mut self,
        name: &'a ast::Name,
        args: &'a [ast::Expr],
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        let least = name.text == "min";
        match args {
            [] => {
                self.arity(name, args, 1, 2)?;
                None
            }
            [one] if self.is_array(one) => {
                let op = if least {
                    Aggregate::Min
                } else {
                    Aggregate::Max
                };
                self.fold_array(op, one, span)
            }
            [one] => {
                let set_want = want.map(|t| Type::set_of(t.clone()));
                let set = self.expr(
                    one,
                    if self.needy(one) {
                        set_want.as_ref()
                    } else {
                        None
                    },
                );
                let set = self.a_set(set?)?;
                let ty = set.ty.element()?.clone();
                let op = if least {
                    UnaryOp::Least
                } else {
                    UnaryOp::Greatest
                };
                Some(self.make(
                    ExprKind::Unary {
                        op,
                        value: Box::new(set),
                    },
                    ty,
                    span,
                ))
            }
            [first, rest @ ..] => {
                let op = if least { BinaryOp::Min } else { BinaryOp::Max };
                let set = want.filter(|t| matches!(t, Type::Set(_)));
                let mut best = self.expr(first, set);
                for arg in rest {
                    let hint = best.as_ref().map(|e| e.ty.clone());
                    let next = self.expr(arg, hint.as_ref().filter(|_| self.needy(arg)));
                    best = match (best, next) {
                        (Some(a), Some(b)) => self.greater_of(op, a, b, span),
                        _ => None,
                    };
                }
                best
            }
        }
    }

    /// The lesser or the greater of two numbers, or of two values or sets of one type in its order.
    fn greater_of(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Option<Expr> {
        if matches!(a.ty, Type::Set(_)) || matches!(b.ty, Type::Set(_)) {
            let (a, b, ty) = self.unify(a, b, span)?;
            let kind = ExprKind::Binary {
                op,
                left: Box::new(a),
                right: Box::new(b),
            };
            return Some(self.make(kind, ty, span));
        }
        let ordered = |ty: &Type| matches!(ty, Type::Enum(_) | Type::Product(_));
        if !ordered(&a.ty) || a.ty != b.ty {
            return self.arithmetic(op, a, b, span);
        }
        let ty = a.ty.clone();
        let kind = ExprKind::Binary {
            op,
            left: Box::new(a),
            right: Box::new(b),
        };
        Some(self.make(kind, ty, span))
    }

    fn only(&mut self, arg: &'a ast::Expr, want: Option<&Type>, span: Span) -> Option<Expr> {
        let hint = match want {
            Some(t) if self.needy(arg) => Some(Type::set_of(t.clone())),
            _ => None,
        };
        let e = self.expr(arg, hint.as_ref())?;
        match e.ty.clone() {
            Type::Set(element) => {
                let ty = (*element).clone();
                Some(self.make(ExprKind::Only(Box::new(e)), ty, span))
            }
            Type::Optional(inner) => {
                let kind = ExprKind::Unwrap {
                    value: Box::new(e),
                    checked: true,
                };
                Some(self.make(kind, (*inner).clone(), span))
            }
            _ if matches!(e.kind, ExprKind::Unwrap { checked: false, .. }) => Some(e),
            ty => {
                self.report(
                    Diagnostic::error(
                        codes::TYPE_MISMATCH,
                        arg.span,
                        "`only` takes the one element out of a set, or the value out of what may be `none`",
                    )
                    .label(format!("this is {}", said(&ty)))
                    .hint("leave `only` out"),
                );
                None
            }
        }
    }

    /// What one index gets of `share(a)`: 1/k for each of the k best.
    pub fn share_of(&mut self, array: &'a ast::Expr, index: &Expr, span: Span) -> Option<Expr> {
        let ty = self.array_index(array)?;
        let at = self.coerce(index.clone(), &ty)?;
        let best = self.fold_array(Aggregate::Argmax, array, span)?;
        let n = ty.size().unwrap_or(1) as i64;
        let Some(den) = (1..=n).try_fold(1i64, lcm) else {
            self.overflow(span);
            return None;
        };
        let id = self.new_local("", best.ty.clone(), span);
        let (held, counted) = (self.local_expr(id, span), self.local_expr(id, span));
        let size = self.make(
            ExprKind::Unary {
                op: UnaryOp::Size,
                value: Box::new(counted),
            },
            Type::Int { lo: 1, hi: n },
            span,
        );
        let parts: Vec<i64> = (1..=n).map(|k| den / k).collect();
        let part = self.looked_up(parts, den, size, span);
        let nothing = self.scalar(0, Type::Number { den, lo: 0, hi: 0 }, span);
        let among = self.truth(BinaryOp::In, at, held, span);
        let (part, nothing, ty) = self.unify(part, nothing, span)?;
        let kind = ExprKind::If {
            cond: Box::new(among),
            then: Box::new(part),
            otherwise: Box::new(nothing),
        };
        let body = self.make(kind, ty, span);
        Some(self.let_in(id, best, body))
    }
}
