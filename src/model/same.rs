//! Whether two expressions are written alike, so that they have one value wherever the same holds.

use super::{Expr, ExprKind, Fold, LocalId, MatchArm};

impl Expr {
    /// Whether the two are written alike but for where they stand and for the names that they bring themselves. What reveals,
    /// is on view or is tried by `after` is like nothing.
    pub fn is_same(&self, other: &Expr) -> bool {
        Pairs::default().same(self, other)
    }

    /// As [`is_same`](Self::is_same) where each name of a pair stands for the other.
    pub fn is_same_for(&self, other: &Expr, names: Vec<(LocalId, LocalId)>) -> bool {
        let mut pairs = Pairs {
            names,
            ..Pairs::default()
        };
        pairs.same(self, other)
    }

    /// As [`is_same`](Self::is_same), of two that are looked at in the same state: then what is on view is one value, too.
    pub fn is_same_now(&self, other: &Expr) -> bool {
        let mut pairs = Pairs {
            on_view: true,
            ..Pairs::default()
        };
        pairs.same(self, other)
    }
}

#[derive(Default)]
struct Pairs {
    /// The names that each of two expressions has brought into reach, innermost last.
    names: Vec<(LocalId, LocalId)>,
    /// Whether calls of one shown def may be the same.
    on_view: bool,
}

impl Pairs {
    fn local(&self, a: LocalId, b: LocalId) -> bool {
        let mut pairs = self.names.iter().rev();
        match pairs.find(|(x, y)| *x == a || *y == b) {
            Some((x, y)) => *x == a && *y == b,
            None => a == b,
        }
    }

    fn within(&mut self, names: (LocalId, LocalId), same: impl FnOnce(&mut Self) -> bool) -> bool {
        self.names.push(names);
        let is = same(self);
        self.names.pop();
        is
    }

    fn all(&mut self, a: &[Expr], b: &[Expr]) -> bool {
        a.len() == b.len() && std::iter::zip(a, b).all(|(a, b)| self.same(a, b))
    }

    fn maybe(&mut self, a: Option<&Expr>, b: Option<&Expr>) -> bool {
        match (a, b) {
            (Some(a), Some(b)) => self.same(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    fn arms(&mut self, a: &[MatchArm<Expr>], b: &[MatchArm<Expr>]) -> bool {
        let mut both = std::iter::zip(a, b);
        a.len() == b.len() && both.all(|(a, b)| a.values == b.values && self.same(&a.body, &b.body))
    }

    fn folds(&mut self, a: &Fold, b: &Fold) -> bool {
        a.op == b.op
            && self.same(&a.domain, &b.domain)
            && self.within((a.local, b.local), |this| {
                this.maybe(a.cond.as_ref(), b.cond.as_ref()) && this.same(&a.body, &b.body)
            })
    }

    fn same(&mut self, a: &Expr, b: &Expr) -> bool {
        a.ty == b.ty && self.same_kind(&a.kind, &b.kind)
    }

    fn same_kind(&mut self, a: &ExprKind, b: &ExprKind) -> bool {
        use ExprKind::*;
        match (a, b) {
            (Const(a), Const(b)) => a == b,
            (ConstSet(a), ConstSet(b)) => a == b,
            (ConstArray(a), ConstArray(b)) => a == b,
            (Local(a), Local(b)) => self.local(*a, *b),
            (Var { var: a, indices: i }, Var { var: b, indices: j }) => a == b && self.all(i, j),
            (Element { array: a, index: i }, Element { array: b, index: j })
            | (RangeSet { low: a, high: i }, RangeSet { low: b, high: j }) => {
                self.same(a, b) && self.same(i, j)
            }
            (Array { local: x, body: a }, Array { local: y, body: b }) => {
                self.within((*x, *y), |this| this.same(a, b))
            }
            (Unary { op: o, value: a }, Unary { op: p, value: b }) => o == p && self.same(a, b),
            (
                Binary { op: o, left, right },
                Binary {
                    op: p,
                    left: l,
                    right: r,
                },
            ) => o == p && self.same(left, l) && self.same(right, r),
            (
                If {
                    cond: c,
                    then: a,
                    otherwise: b,
                },
                If {
                    cond: d,
                    then: x,
                    otherwise: y,
                },
            ) => self.same(c, d) && self.same(a, x) && self.same(b, y),
            (
                Match {
                    scrutinee: s,
                    arms: a,
                    otherwise: e,
                },
                Match {
                    scrutinee: t,
                    arms: b,
                    otherwise: f,
                },
            ) => self.same(s, t) && self.arms(a, b) && self.maybe(e.as_deref(), f.as_deref()),
            (
                Let {
                    local: x,
                    value: v,
                    body: a,
                },
                Let {
                    local: y,
                    value: w,
                    body: b,
                },
            ) => self.same(v, w) && self.within((*x, *y), |this| this.same(a, b)),
            (
                Field {
                    record: a,
                    field: f,
                },
                Field {
                    record: b,
                    field: g,
                },
            ) => f == g && self.same(a, b),
            (Record(a), Record(b)) | (SetOf(a), SetOf(b)) => self.all(a, b),
            (
                Unwrap {
                    value: a,
                    checked: c,
                },
                Unwrap {
                    value: b,
                    checked: d,
                },
            ) => c == d && self.same(a, b),
            (Cast(a), Cast(b)) => self.same(a, b),
            (
                Call {
                    function: f,
                    args: a,
                    table: t,
                },
                Call {
                    function: g,
                    args: b,
                    table: u,
                },
            ) => format!("{f:?}") == format!("{g:?}") && t == u && self.all(a, b),
            (Fold(a), Fold(b)) => self.folds(a, b),
            (
                Shown {
                    def: a, args: i, ..
                },
                Shown {
                    def: b, args: j, ..
                },
            ) if self.on_view => a == b && self.all(i, j),
            _ => false,
        }
    }
}
