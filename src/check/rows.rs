//! Stores of several elements of an array at once: `tickets[X] = { taxi: 4, else: 0 }`, `a[p] = [f in Fare] …`.
//!
//! Every value is worked out, and told where it is revealed, before the first is stored.

use super::checker::{Checker, is_const};
use super::codes;
use super::declare::Decl;
use super::expr::flatten;
use super::scope::Binding;
use crate::model::types::Type;
use crate::model::{
    Block, Expr, ExprKind, LocalId, Place, PlaceIndex, Stmt, StmtKind, StoreOp, VarId,
};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use indexmap::IndexMap;

/// What a row store becomes.
struct Row {
    var: VarId,
    ty: Type,
    span: Span,
    lets: Vec<Stmt>,
    stores: Vec<Stmt>,
    /// In what nothing may be revealed: in a note.
    no_reveal: Option<&'static str>,
    /// How it is stored where values depend on what is stored to.
    order: Order,
}

/// How the values of a row that depend on what is stored to are worked out before that.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Order {
    /// Not decided yet.
    Open,
    /// One by one, and then stored one by one.
    OneByOne,
    /// In a loop that [stores at once](StmtKind::AtOnce).
    AtOnce,
}

/// Up to so many values that depend on what is stored in their own place are worked out one by one.
const FEW: u64 = 16;
/// The same of values that depend on what is stored elsewhere: as code in a row they are quicker than a loop that stores aside.
const FEW_ELSEWHERE: u64 = 64;

impl<'a> Checker<'a> {
    /// Whether a store is of a whole array or row.
    pub fn is_row(&mut self, place: &'a ast::Expr, value: &'a ast::Expr) -> bool {
        let (root, given) = flatten(place);
        let ast::ExprKind::Name(ast::Name { text: name, .. }) = &root.kind else {
            return false;
        };
        if self.lookup_local(name).is_some() {
            return false;
        }
        match self.names.decls.get(name.as_str()) {
            Some(Decl::Var(i)) => {
                given.len() < self.var_items[*i].indices.len() && self.is_array(value)
            }
            _ => false,
        }
    }

    /// Reports that a row is revealed as a whole, by itself or where it is stored.
    pub fn whole_row(&mut self, row: &'a ast::Expr, stored: bool) {
        let Some(index) = self.array_index(row) else {
            return;
        };
        let hint = match stored {
            true => {
                format!("reveal each of its values: `… = [x in {index}] reveal(…[x] to …)`")
            }
            false => format!(
                "reveal its values one after the other: `each x in {index} {{ reveal(…[x] to …) }}`"
            ),
        };
        self.report(
            Diagnostic::error(
                codes::WRONG_INDICES,
                row.span,
                "this is a row of values, and `reveal` tells one",
            )
            .hint(hint),
        );
    }

    pub fn store_row(&mut self, place: &'a ast::Expr, value: &'a ast::Expr) -> Option<StmtKind> {
        let (var, given) = self.place_root(place)?;
        let i = var.0 as usize;
        self.may_store(i, place.span)?;
        let types = self.vars[i].index_types();
        let given_count = given.len();
        let fixed = self.place_indices(given, &types)?;
        let mut row = Row {
            var,
            ty: self.vars[i].ty.clone(),
            span: place.span,
            lets: Vec::new(),
            stores: Vec::new(),
            no_reveal: self.frame.no_reveal,
            order: Order::Open,
        };
        let made = self.quietly("an array", |this| {
            this.row(&mut row, fixed, value, &types[given_count..])
        });
        self.forget(var);
        made?;
        let mut stmts = row.lets;
        stmts.extend(row.stores);
        Some(StmtKind::Block(Block { stmts }))
    }

    fn row(
        &mut self,
        row: &mut Row,
        fixed: Vec<PlaceIndex>,
        e: &'a ast::Expr,
        types: &[Type],
    ) -> Option<()> {
        self.deeper(e.span, |this| this.row_inner(row, fixed, e, types))
    }

    fn row_inner(
        &mut self,
        row: &mut Row,
        fixed: Vec<PlaceIndex>,
        e: &'a ast::Expr,
        types: &[Type],
    ) -> Option<()> {
        let with = |last: PlaceIndex| {
            let mut indices = fixed.clone();
            indices.push(last);
            indices
        };
        let Some((index, rest)) = types.split_first() else {
            let quiet = std::mem::replace(&mut self.frame.no_reveal, row.no_reveal);
            let value = self.expr(e, Some(&row.ty));
            self.frame.no_reveal = quiet;
            return self.row_element(row, fixed, value?);
        };
        if let ast::ExprKind::Map { entries, otherwise } = &e.kind {
            // What one entry stores another may read.
            let order = row.order;
            if order == Order::Open {
                row.order = Order::OneByOne;
            }
            let slots = self.entry_slots(entries, otherwise.as_deref(), index, e.span)?;
            let mut left = vec![0u64; Type::set_of(index.clone()).words()];
            for (i, slot) in slots.iter().enumerate() {
                match slot {
                    Some(value) => {
                        let key = self.scalar(index.value_at(i as u64), index.clone(), row.span);
                        self.row(row, with(PlaceIndex::One(key)), value, rest)?;
                    }
                    None => left[i / 64] |= 1 << (i % 64),
                }
            }
            if let (Some(value), true) = (otherwise, left.iter().any(|w| *w != 0)) {
                let set = self.set_type(index.clone(), e.span)?;
                let left = self.constant(left, set, row.span);
                self.row(row, with(PlaceIndex::Each(left)), value, rest)?;
            }
            row.order = order;
            return Some(());
        }
        if let ast::ExprKind::Rows(rows) = &e.kind {
            let values = self.rows(rows, types, &row.ty.clone(), e.span)?;
            let mut cells: IndexMap<i64, Vec<u64>> = IndexMap::new();
            for (i, value) in values.iter().enumerate() {
                if let ExprKind::Const(v) = value.kind {
                    let words = vec![0; Type::set_of(index.clone()).words()];
                    cells.entry(v).or_insert(words)[i / 64] |= 1 << (i % 64);
                }
            }
            for (value, words) in cells {
                let set = self.set_type(index.clone(), e.span)?;
                let at = self.constant(words, set, e.span);
                let value = self.scalar(value, row.ty.clone(), e.span);
                self.row_element(row, with(PlaceIndex::Each(at)), value)?;
            }
            return Some(());
        }
        // By a formula, or as another array has it: a loop, unless few values, or some that are revealed, depend on what is stored to.
        let name = match &e.kind {
            ast::ExprKind::Array { binder, .. } => binder.name.text.as_str(),
            _ => "",
        };
        let local = self.new_local(name, index.clone(), e.span);
        let at = self.local_expr(local, e.span);
        let own = with(PlaceIndex::One(at.clone()));
        let sites = self.sites.len();
        let stmts = self.row_in_loop(row, row.order, &own, (e, &at), rest)?;
        let sizes = types.iter().map(|ty| ty.size().unwrap_or(u64::MAX));
        let values = sizes.fold(1, u64::saturating_mul);
        let apart = if values > FEW { &own[..] } else { &[] };
        if row.order == Order::AtOnce || !reads_elsewhere(&stmts, row.var, apart) {
            row.stores
                .push(self.row_loop((local, index), stmts, e.span)?);
            return Some(());
        }
        self.sites.truncate(sites);
        let reveals = |e: &Expr| matches!(e.kind, ExprKind::Reveal { .. });
        let revealed = stmts.iter().any(|s| s.any(reveals));
        if row.order == Order::Open && values > FEW_ELSEWHERE && !revealed {
            let stmts = self.row_in_loop(row, Order::AtOnce, &own, (e, &at), rest)?;
            let stmts = vec![self.row_loop((local, index), stmts, e.span)?];
            let (var, body) = (row.var, Block { stmts });
            row.stores
                .push(self.statement(StmtKind::AtOnce { var, body }, e.span));
            return Some(());
        }
        let order = std::mem::replace(&mut row.order, Order::OneByOne);
        for i in 0..index.size().unwrap_or(0) {
            let at = self.scalar(index.value_at(i), index.clone(), e.span);
            if !self.count_work(e.span) {
                return None;
            }
            self.row_at(row, with(PlaceIndex::One(at.clone())), e, &at, rest)?;
        }
        row.order = order;
        Some(())
    }

    /// What is done for one round of a loop over the part of an array at an index.
    fn row_in_loop(
        &mut self,
        row: &Row,
        order: Order,
        own: &[PlaceIndex],
        (e, at): (&'a ast::Expr, &Expr),
        rest: &[Type],
    ) -> Option<Vec<Stmt>> {
        let mut inner = Row {
            var: row.var,
            ty: row.ty.clone(),
            span: row.span,
            lets: Vec::new(),
            stores: Vec::new(),
            no_reveal: row.no_reveal,
            order,
        };
        self.row_at(&mut inner, own.to_vec(), e, at, rest)?;
        let mut stmts = inner.lets;
        stmts.extend(inner.stores);
        Some(stmts)
    }

    fn row_loop(
        &mut self,
        (local, index): (LocalId, &Type),
        stmts: Vec<Stmt>,
        span: Span,
    ) -> Option<Stmt> {
        let domain = self.full_set(index, span)?;
        let each = StmtKind::Each {
            local,
            domain,
            cond: None,
            body: Block { stmts },
        };
        Some(self.statement(each, span))
    }

    /// The part of an array at one index; `fixed` has it already.
    fn row_at(
        &mut self,
        row: &mut Row,
        fixed: Vec<PlaceIndex>,
        e: &'a ast::Expr,
        at: &Expr,
        rest: &[Type],
    ) -> Option<()> {
        if let ast::ExprKind::Array { binder, body } = &e.kind {
            self.array_domain(binder, &at.ty)?;
            return self.scoped(|this| {
                this.bind(&binder.name, Binding::Value(at.clone()));
                this.row(row, fixed, body, rest)
            });
        }
        if !rest.is_empty() || !self.is_array(e) {
            self.report(
                Diagnostic::error(
                    codes::WRONG_INDICES,
                    e.span,
                    "this does not have as many indices as the place that it is stored to",
                )
                .hint("give an entry or a formula for each index: `[p in Player] [f in Fare] …`"),
            );
            return None;
        }
        let given = self.array_index(e)?;
        if given != at.ty {
            self.report(
                Diagnostic::error(
                    codes::BAD_ENTRIES,
                    e.span,
                    format!("an array over `{}` is needed here", at.ty),
                )
                .label(format!("this one is over `{given}`")),
            );
            return None;
        }
        let value = self.array_element(e, at)?;
        self.row_element(row, fixed, value)
    }

    fn row_element(&mut self, row: &mut Row, fixed: Vec<PlaceIndex>, value: Expr) -> Option<()> {
        let value = self.coerce(value, &row.ty.clone())?;
        let span = value.span;
        let value = if is_const(&value) {
            value
        } else {
            let id = self.new_local("", value.ty.clone(), span);
            self.put_stmt(StmtKind::Let { local: id, value }, span, &mut row.lets);
            self.local_expr(id, span)
        };
        let store = StmtKind::Store {
            place: Place {
                var: row.var,
                indices: fixed,
                span: row.span,
            },
            op: StoreOp::Set,
            value,
        };
        row.stores.push(self.statement(store, row.span));
        Some(())
    }
}

/// Whether statements read an element of a variable that need not be the one with its `own` indices; any, if that is empty.
fn reads_elsewhere(stmts: &[Stmt], of: VarId, own: &[PlaceIndex]) -> bool {
    let is =
        |read: &Expr, own: &PlaceIndex| matches!(own, PlaceIndex::One(own) if own.is_same(read));
    let elsewhere = |e: &Expr| match &e.kind {
        ExprKind::Var { var, indices } if *var == of => {
            own.is_empty() || !std::iter::zip(indices, own).all(|(read, own)| is(read, own))
        }
        _ => false,
    };
    stmts.iter().any(|s| s.any(elsewhere))
}
