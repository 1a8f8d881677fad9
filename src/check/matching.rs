//! `match`, for expressions and statements: its values, their completeness, and the arm that a constant takes.

use super::checker::Checker;
use super::codes;
use super::convert::{are_numbers, join, said};
use super::declare::Decl;
use super::expr::base;
use super::state::listed;
use crate::model::facts::{Fact, key_of};
use crate::model::types::Type;
use crate::model::{self, Expr, ExprKind};
use crate::syntax::ast::{self, MatchArm, Pattern};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// The hint of an arm for what changes in play.
pub const AN_IF: &str =
    "what changes in play is compared by `if x == y`, with an `else` for other values";

/// What a value of an arm is a part of.
pub const MATCH_ARM: &str = "a `match` arm";

/// Values up to which a match can be complete without an `else`.
const MAX_COUNTED: u64 = 4096;

/// The arms of a match by the values they take.
pub struct Arms {
    /// For each arm in order; the `else` has none.
    pub values: Vec<Vec<i64>>,
    pub otherwise: Option<usize>,
    /// The arm that a constant takes.
    pub taken: Option<usize>,
}

impl Arms {
    /// What an arm is sure of about the value that is matched: that it is not `none`.
    pub fn some_fact(&self, arm: usize, scrutinee: &Expr) -> Option<Fact> {
        let Type::Optional(_) = scrutinee.ty else {
            return None;
        };
        let has_none = |values: &Vec<i64>| values.contains(&0);
        let some = match self.otherwise == Some(arm) {
            true => self.values.iter().any(has_none),
            false => !has_none(&self.values[arm]) && !self.values[arm].is_empty(),
        };
        let key = key_of(scrutinee).filter(|_| some)?;
        Some(Fact {
            key,
            nonempty: false,
        })
    }

    /// Whether an arm is for players only who have no seat under the present params.
    pub fn absent(&self, arm: usize) -> bool {
        self.otherwise != Some(arm) && self.values.get(arm).is_some_and(Vec::is_empty)
    }
}

impl<'a> Checker<'a> {
    pub fn scrutinee<'p>(
        &mut self,
        e: &'a ast::Expr,
        patterns: impl Iterator<Item = &'p [Pattern]>,
    ) -> Option<Expr> {
        let mut e = self.expr(e, None)?;
        // An arm for `none` may stand where there is something for sure, too.
        let is_none =
            |p: &Pattern| matches!(p, Pattern::Value(v) if matches!(v.kind, ast::ExprKind::None));
        if let ExprKind::Unwrap {
            value,
            checked: false,
        } = &e.kind
            && patterns.flatten().any(is_none)
        {
            e = (**value).clone();
        }
        if !e.ty.is_scalar() || matches!(e.ty, Type::Number { .. }) {
            self.report(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    e.span,
                    format!("there is no `match` on {}", said(&e.ty)),
                )
                .hint("match on an integer, an enum value, a player, a product, true and false, or what may be `none` of these; else use `if`"),
            );
            return None;
        }
        Some(e)
    }

    /// Reads the patterns of all arms; `None` when some are in error.
    pub fn arms<T>(
        &mut self,
        scrutinee: &Expr,
        arms: &'a [MatchArm<T>],
        span: Span,
    ) -> Option<Arms> {
        let patterns: Vec<&'a [Pattern]> = arms.iter().map(|a| a.patterns.as_slice()).collect();
        self.read_arms(scrutinee, &patterns, span)
    }

    pub fn read_arms(
        &mut self,
        scrutinee: &Expr,
        arms: &[&'a [Pattern]],
        span: Span,
    ) -> Option<Arms> {
        let ty = scrutinee.ty.clone();
        let mut values: Vec<Vec<i64>> = Vec::new();
        let mut otherwise = None;
        let mut ok = true;
        for (i, patterns) in arms.iter().enumerate() {
            let mut own = Vec::new();
            for pattern in *patterns {
                match pattern {
                    Pattern::Else(at) => {
                        if otherwise.replace(i).is_some() {
                            self.duplicate_pattern("a second `else`", *at);
                        }
                    }
                    Pattern::Value(e) if self.is_absent(e) => {}
                    Pattern::Value(e) if self.refuse_default(e) => ok = false,
                    Pattern::Value(e) => match self.pattern_values(e, &ty) {
                        Some(given) => {
                            for v in given {
                                if own.contains(&v) || values.iter().any(|held| held.contains(&v)) {
                                    let what = format!("`{}` has an arm already", ty.show(v));
                                    self.duplicate_pattern(&what, e.span);
                                    ok = false;
                                    break;
                                }
                                own.push(v);
                            }
                        }
                        None => ok = false,
                    },
                }
            }
            values.push(own);
        }
        if !ok {
            return None;
        }
        if otherwise.is_none() {
            self.complete(&ty, &values, span)?;
        }
        let taken = match scrutinee.kind {
            ExprKind::Const(v) => values
                .iter()
                .position(|held| held.contains(&v))
                .or(otherwise),
            _ => None,
        };
        Some(Arms {
            values,
            otherwise,
            taken,
        })
    }

    /// A player without a seat, or a value that the params leave out: it matches nothing.
    fn is_absent(&mut self, e: &ast::Expr) -> bool {
        let ast::ExprKind::Name(ast::Name { text: name, .. }) = &e.kind else {
            return false;
        };
        if self.lookup_local(name).is_none()
            && let Some(declared) = self.names.enum_values.get(name.as_str()).cloned()
        {
            return self.present(&declared).is_some_and(|p| p.is_empty());
        }
        let seats = self.players.as_ref().map_or(0, |p| p.values.len());
        self.lookup_local(name).is_none()
            && matches!(self.names.decls.get(name.as_str()), Some(Decl::Player(seat)) if *seat >= seats)
    }

    /// Complains about a word that takes all other values in other languages.
    fn refuse_default(&mut self, e: &ast::Expr) -> bool {
        let ast::ExprKind::Name(ast::Name { text: name, .. }) = &e.kind else {
            return false;
        };
        let declared = self.lookup_local(name).is_some()
            || self.names.decls.contains_key(name.as_str())
            || self.names.enum_values.contains_key(name.as_str())
            || !self.board_values(name).is_empty();
        if declared || !["_", "default", "otherwise", "other"].contains(&name.as_str()) {
            return false;
        }
        self.report(
            Diagnostic::error(
                codes::UNKNOWN_NAME,
                e.span,
                format!("`{name}` is not what takes all other values"),
            )
            .hint("write `else => …`")
            .rewrite("else"),
        );
        true
    }

    /// The values of a pattern: one, or those of a range.
    fn pattern_values(&mut self, e: &'a ast::Expr, ty: &Type) -> Option<Vec<i64>> {
        let ast::ExprKind::Range {
            low: from,
            high: to,
        } = &e.kind
        else {
            return self.pattern(e, ty).map(|v| vec![v]);
        };
        let (from, to) = (self.pattern(from, ty), self.pattern(to, ty));
        let (from, to) = (from?, to?);
        let many = to.saturating_sub(from).saturating_add(1);
        if many > MAX_COUNTED as i64 {
            self.report(
                Diagnostic::error(
                    codes::TOO_LARGE,
                    e.span,
                    format!("this arm is for {many} values; at most {MAX_COUNTED} can be listed"),
                )
                .hint("leave the large part to `else`, or use `if`"),
            );
            return None;
        }
        if from > to {
            let (from, to) = (ty.show(from), ty.show(to));
            self.report(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    e.span,
                    format!("there is nothing from {from} to {to}"),
                )
                .hint("a range goes from the least value to the greatest"),
            );
            return None;
        }
        Some((from..=to).collect())
    }

    fn pattern(&mut self, e: &'a ast::Expr, ty: &Type) -> Option<i64> {
        let outer = self.frame.no_state;
        self.frame.no_state = outer.or(Some(MATCH_ARM));
        let made = match &e.kind {
            ast::ExprKind::None => self.expr(e, Some(ty)),
            _ => self.expr(e, Some(base(ty))),
        };
        self.frame.no_state = outer;
        let made = made?;
        self.is_possible(&made, ty)?;
        let e = self.coerce(made, ty)?;
        let words = self.words_known(&e, "the value of a `match` arm", AN_IF)?;
        words.first().map(|&word| word as i64)
    }

    /// An integer that the value which is matched can be.
    fn is_possible(&mut self, e: &Expr, ty: &Type) -> Option<()> {
        let (ExprKind::Const(v), Type::Int { .. }, Type::Int { lo, hi }) =
            (&e.kind, &e.ty, base(ty))
        else {
            return Some(());
        };
        if (lo..=hi).contains(&v) {
            return Some(());
        }
        let message = format!("{v} never fits `{}`", base(ty));
        self.report_live(
            Diagnostic::error(codes::NEVER_FITS, e.span, message)
                .label("what is matched is never this")
                .hint(format!(
                    "leave out what it cannot be; where a param decides the range, an `if` may ask for more: `… == {v}`"
                )),
        );
        None
    }

    fn duplicate_pattern(&mut self, what: &str, span: Span) {
        self.report(
            Diagnostic::error(codes::DUPLICATE_PATTERN, span, what)
                .label("never reached")
                .hint("leave it out"),
        );
    }

    fn complete(&mut self, ty: &Type, values: &[Vec<i64>], span: Span) -> Option<()> {
        let size = ty.size().unwrap_or(u64::MAX);
        let given: u64 = values.iter().map(|v| v.len() as u64).sum();
        if given >= size {
            return Some(());
        }
        let missing = if size <= MAX_COUNTED {
            let names: Vec<String> = (0..size)
                .map(|i| ty.value_at(i))
                .filter(|v| !values.iter().any(|held| held.contains(v)))
                .map(|v| format!("`{}`", ty.show(v)))
                .collect();
            listed(&names)
        } else {
            format!("{} of {size} values", size - given)
        };
        self.report(
            Diagnostic::error(
                codes::NOT_EXHAUSTIVE,
                span,
                format!("this `match` has no arm for {missing}"),
            )
            .hint("add an arm for it, or `else => …`"),
        );
        None
    }

    pub fn match_expr(
        &mut self,
        scrutinee: &'a ast::Expr,
        arms: &'a [MatchArm<ast::Expr>],
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        let want = want.cloned();
        let mut first = None;
        self.match_with(scrutinee, arms, span, |this, arm| {
            let expected = this.arm_hint(want.as_ref(), first.as_ref(), arm);
            let made = this.expr(arm, expected.as_ref())?;
            if first.is_none() && this.dead == 0 {
                first = Some(made.clone());
            }
            match &want {
                Some(Type::Set(element)) if this.frame.viewers => this.coerce_to_set(made, element),
                _ => Some(made),
            }
        })
    }

    /// A match whose arms are made by `body`.
    pub fn match_with(
        &mut self,
        scrutinee: &'a ast::Expr,
        arms: &'a [MatchArm<ast::Expr>],
        span: Span,
        mut body: impl FnMut(&mut Self, &'a ast::Expr) -> Option<Expr>,
    ) -> Option<Expr> {
        let patterns = arms.iter().map(|a| a.patterns.as_slice());
        let scrutinee = self.scrutinee(scrutinee, patterns)?;
        let read = self.arms(&scrutinee, arms, span);
        if let Some(taken) = read.as_ref().and_then(|r| r.taken) {
            let mut result = None;
            for (i, arm) in arms.iter().enumerate() {
                if i == taken {
                    result = body(self, &arm.body);
                } else {
                    self.in_dead(|this| body(this, &arm.body));
                }
            }
            return result;
        }
        let mut made = Vec::new();
        for (i, arm) in arms.iter().enumerate() {
            if read.as_ref().is_some_and(|r| r.absent(i)) {
                self.in_dead(|this| body(this, &arm.body));
            } else {
                let facts = self.frame.facts.clone();
                let some = read.as_ref().and_then(|r| r.some_fact(i, &scrutinee));
                self.frame.facts.extend(some);
                made.push(body(self, &arm.body).map(|arm| (i, arm)));
                self.frame.facts = facts;
            }
        }
        let read = read?;
        let made = made.into_iter().collect::<Option<Vec<_>>>()?;
        // All arms in the least type that holds them.
        let mut ty = made.first()?.1.ty.clone();
        for (_, arm) in &made[1..] {
            match join(&ty, &arm.ty) {
                Some(joined) => ty = joined,
                None if are_numbers(&ty, &arm.ty) => {
                    self.too_fine(arm.span);
                    return None;
                }
                None => {
                    self.mismatch(arm, &ty);
                    return None;
                }
            }
        }
        let mut cases = Vec::new();
        let mut otherwise = None;
        for (i, arm) in made {
            let arm = match ty {
                Type::Number { den, .. } => self.as_number(arm, den)?,
                _ => self.coerce(arm, &ty)?,
            };
            if read.otherwise == Some(i) {
                otherwise = Some(Box::new(arm));
            } else {
                let values = read.values[i].clone();
                cases.push(model::MatchArm { values, body: arm });
            }
        }
        let kind = ExprKind::Match {
            scrutinee: Box::new(scrutinee),
            arms: cases,
            otherwise,
        };
        Some(self.make(kind, ty, span))
    }
}
