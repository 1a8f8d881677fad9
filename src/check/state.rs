//! State variables: their types, what they start with, who sees them.

use super::checker::{Checker, MAX_SCALAR};
use super::codes;
use super::declare::Decl;
use super::expr::flatten;
use super::params::constant_frame;
use super::scope::Binding;
use crate::model::evaluate::ordinal;
use crate::model::types::Type;
use crate::model::{Expr, Index, Init, Var, VarId};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// An index of a place.
pub enum GivenIndex<'a> {
    Written(&'a ast::Expr),
    /// Of a place that was given to a rule.
    Made(Expr),
}

impl<'a> Checker<'a> {
    /// Puts the variables that the params leave out behind the others.
    pub fn leave_out_state(&mut self) {
        let mut absent: Vec<usize> = Vec::new();
        for (cond, vars) in std::mem::take(&mut self.conditional) {
            let frame = constant_frame("whether a state is there");
            let holds = self.in_frame(frame, |this| {
                let made = this.condition(cond)?;
                this.known(&made, "whether a state is there")
            });
            if holds == Some(0) {
                absent.extend(vars);
            }
        }
        let all = 0..self.var_items.len();
        let there: Vec<usize> = all.filter(|i| !absent.contains(i)).collect();
        self.present = there.len();
        let order: Vec<usize> = there.into_iter().chain(absent).collect();
        self.var_items = order.iter().map(|i| self.var_items[*i]).collect();
        self.var_notes = order.iter().map(|i| self.var_notes[*i]).collect();
        for (i, item) in self.var_items.iter().enumerate() {
            if let Some(Decl::Var(at)) = self.names.decls.get_mut(item.name.text.as_str())
                && order[i] == *at
            {
                *at = i;
            }
        }
    }

    /// Complains about a variable that is not there under the present params, unless they rule out this place too.
    pub fn is_there(&mut self, var: usize, span: Span) -> Option<()> {
        if var < self.present || self.dead > 0 {
            return Some(());
        }
        let name = &self.var_items[var].name.text;
        let message = format!("`{name}` is not there under these params");
        self.report_live(
            Diagnostic::error(codes::ABSENT, span, message)
                .hint("put this under an `if` or a `match` with what its `state if` asks"),
        );
        None
    }

    pub fn resolve_state(&mut self) {
        self.resolve_vars(0..self.present);
        self.in_dead(|this| this.resolve_vars(this.present..this.var_items.len()));
    }

    fn resolve_vars(&mut self, vars: std::ops::Range<usize>) {
        for i in vars.clone() {
            let item = self.var_items[i];
            let made = self.in_frame(constant_frame("the type of a state variable"), |this| {
                this.var_type(item)
            });
            let ok = made.is_some();
            let (indices, ty) = made.unwrap_or((Vec::new(), Type::Bool));
            let nobody = self.constant(vec![0], Type::Bool, item.name.span);
            self.vars.push(Var {
                name: item.name.text.clone(),
                indices,
                ty,
                init: Init::Same(vec![0]),
                is_begun: item.init.is_some(),
                stored_unseen: false,
                viewers: nobody,
                note: self.var_notes[i],
                span: item.name.span,
            });
            self.var_ok.push(ok);
        }
        for i in vars {
            let item = self.var_items[i];
            if !self.var_ok[i] {
                continue;
            }
            if let Some(init) = self.initial(i, item) {
                self.vars[i].init = init;
            }
            if let Some(viewers) = self.declared_viewers(i, item) {
                self.vars[i].viewers = viewers;
            }
        }
    }

    fn var_type(&mut self, item: &'a ast::StateVar) -> Option<(Vec<Index>, Type)> {
        let mut types = Vec::new();
        let mut ok = true;
        for index in &item.indices {
            match self.index_type(index) {
                Some(ty) => types.push(ty),
                None => ok = false,
            }
        }
        let ty = self.type_of(&item.ty)?;
        if let Type::Number { .. } = ty {
            self.report(
                Diagnostic::error(
                    codes::NUMBER_IN_STATE,
                    item.ty.span,
                    format!("the state variable `{}` cannot be a number", item.name.text),
                )
                .hint("numbers live in constants and payoffs; count in integers, and divide in the payoff"),
            );
            return None;
        }
        if ty.is_scalar() && ty.size().is_none_or(|n| n > MAX_SCALAR) {
            return None;
        }
        if !ok {
            return None;
        }
        self.array_size(&types, item.name.span)?;
        let indices = item
            .indices
            .iter()
            .zip(types)
            .map(|(index, ty)| {
                let name = index.name.as_ref().map_or("", |n| n.text.as_str());
                let local = self.new_local(name, ty.clone(), index.span);
                Index { local, ty }
            })
            .collect();
        Some((indices, ty))
    }

    fn initial(&mut self, i: usize, item: &'a ast::StateVar) -> Option<Init> {
        let ty = self.vars[i].ty.clone();
        let Some(init) = &item.init else {
            let least = ty.bounds().map_or(0, |(lo, _)| lo);
            return Some(Init::Same(match &ty {
                Type::Set(_) => vec![0; ty.words()],
                _ => vec![least as u64],
            }));
        };
        let indices = self.vars[i].index_types();
        self.in_frame(constant_frame("an initial value"), |this| {
            if this.is_array(init) {
                let elements = this.array_constants(init, &indices, &ty)?;
                let mut each = Vec::new();
                for e in &elements {
                    each.push(this.known_words(e)?);
                }
                return Some(Init::Each(each));
            }
            let e = this.expr_as(init, &ty)?;
            Some(Init::Same(this.known_words(&e)?))
        })
    }

    /// The elements of an array written by its entries or a formula, in row-major order.
    pub fn array_constants(
        &mut self,
        e: &'a ast::Expr,
        indices: &[Type],
        ty: &Type,
    ) -> Option<Vec<Expr>> {
        self.deeper(e.span, |this| this.array_constants_inner(e, indices, ty))
    }

    fn array_constants_inner(
        &mut self,
        e: &'a ast::Expr,
        indices: &[Type],
        ty: &Type,
    ) -> Option<Vec<Expr>> {
        let Some((index, rest)) = indices.split_first() else {
            let value = self.expr_as(e, ty)?;
            let words = self.known_words(&value)?;
            return Some(vec![self.constant(words, value.ty, e.span)]);
        };
        let n = index.size().unwrap_or(0);
        match &e.kind {
            ast::ExprKind::Rows(rows) => self.rows(rows, indices, ty, e.span),
            ast::ExprKind::Map { entries, otherwise } => {
                let slots = self.entry_slots(entries, otherwise.as_deref(), index, e.span)?;
                let mut elements = Vec::new();
                for slot in slots {
                    let value = match slot {
                        Some(value) => value,
                        None => otherwise.as_deref()?,
                    };
                    elements.extend(self.array_constants(value, rest, ty)?);
                }
                Some(elements)
            }
            ast::ExprKind::Array { binder, body } => {
                let mut elements = Vec::new();
                for i in 0..n {
                    let v = self.scalar(index.value_at(i), index.clone(), binder.name.span);
                    elements.extend(self.scoped(|this| {
                        this.array_domain(binder, index)?;
                        this.bind(&binder.name, Binding::Value(v));
                        this.array_constants(body, rest, ty)
                    })?);
                }
                Some(elements)
            }
            _ if self.is_array(e) => {
                let mut elements = Vec::new();
                for i in 0..n {
                    let at = self.scalar(index.value_at(i), index.clone(), e.span);
                    elements.extend(self.array_row(e, vec![at], rest, ty)?);
                }
                Some(elements)
            }
            _ => {
                let value = self.array_constants(e, &[], ty)?.pop()?;
                let n = self.array_size(indices, e.span)?;
                Some(vec![value; n as usize])
            }
        }
    }

    /// What an array that stands elsewhere has at the given indices and all that follow, in row-major order.
    fn array_row(
        &mut self,
        e: &'a ast::Expr,
        at: Vec<Expr>,
        rest: &[Type],
        ty: &Type,
    ) -> Option<Vec<Expr>> {
        if let Some((index, rest)) = rest.split_first() {
            let mut elements = Vec::new();
            for i in 0..index.size().unwrap_or(0) {
                let mut at = at.clone();
                at.push(self.scalar(index.value_at(i), index.clone(), e.span));
                elements.extend(self.array_row(e, at, rest, ty)?);
            }
            return Some(elements);
        }
        let value = self.array_element_at(e, &at)?;
        let value = self.coerce(value, ty)?;
        let words = self.known_words(&value)?;
        Some(vec![self.constant(words, value.ty, e.span)])
    }

    /// The value that entries give for each place of an index, in order; `None`: the `else`.
    pub fn entry_slots(
        &mut self,
        entries: &'a [(ast::Expr, ast::Expr)],
        otherwise: Option<&'a ast::Expr>,
        index: &Type,
        span: Span,
    ) -> Option<Vec<Option<&'a ast::Expr>>> {
        let n = index.size().unwrap_or(0);
        let mut slots: Vec<Option<&'a ast::Expr>> = vec![None; n as usize];
        let mut ok = true;
        for (key, value) in entries {
            let Some(at) = self.entry_key(key, index) else {
                ok = false;
                continue;
            };
            if slots[at as usize].replace(value).is_some() {
                ok = false;
                self.report(
                    Diagnostic::error(codes::BAD_ENTRIES, key.span, "this entry is given twice")
                        .hint("leave one of them out"),
                );
            }
        }
        let missing: Vec<String> = (0..n)
            .filter(|i| slots[*i as usize].is_none())
            .map(|i| index.show(index.value_at(i)))
            .collect();
        if !missing.is_empty() && otherwise.is_none() && ok {
            self.report(
                Diagnostic::error(
                    codes::BAD_ENTRIES,
                    span,
                    format!("there is no entry for {}", listed(&missing)),
                )
                .hint("give it, or end with `else: …`"),
            );
            ok = false;
        }

        ok.then_some(slots)
    }

    fn entry_key(&mut self, key: &'a ast::Expr, index: &Type) -> Option<u64> {
        let key = self.expr_as(key, index)?;
        let name = match index {
            Type::Player(_) => "p",
            _ => "x",
        };
        let hint = format!(
            "make all entries by a formula: `[{name} in {index}] if {name} == … then … else …`"
        );
        let words = self.words_known(&key, "the place of an entry", &hint)?;
        ordinal(index, *words.first()? as i64)
    }

    /// The variable of a store: `name` or `name[i]…`, the indices flattened.
    pub fn place_root(&mut self, e: &'a ast::Expr) -> Option<(VarId, Vec<GivenIndex<'a>>)> {
        let (root, indices) = flatten(e);
        let indices: Vec<GivenIndex<'a>> = indices.into_iter().map(GivenIndex::Written).collect();
        if let ast::ExprKind::Error = root.kind {
            return None;
        }
        let ast::ExprKind::Name(ast::Name { text: name, .. }) = &root.kind else {
            if let ast::ExprKind::Field { record, field } = &root.kind {
                if self.refuse_owner(record, field) {
                    return None;
                }
                self.report(
                    Diagnostic::error(
                        codes::NOT_A_PLACE,
                        root.span,
                        "a part of a value cannot be stored to",
                    )
                    .hint("store the whole: `card = (rank: 2, suit: card.suit)`"),
                );
            } else {
                self.not_a_place(root.span, "this", "");
            }
            return None;
        };
        if let Some(Binding::Place(place)) = self.lookup_local(name) {
            let given = place.indices.iter().cloned().map(GivenIndex::Made);
            return Some((place.var, given.chain(indices).collect()));
        }
        if let Some(Binding::Poison) = self.lookup_local(name) {
            return None;
        }
        if self.lookup_local(name).is_some() {
            self.not_a_place(
                root.span,
                &format!("`{name}`"),
                " is a name for a value, which",
            );
            return None;
        }
        match self.names.decls.get(name.as_str()).cloned() {
            Some(Decl::Var(i)) => {
                if !self.var_ok.get(i).copied().unwrap_or(false) {
                    return None;
                }
                Some((VarId(i as u32), indices))
            }
            Some(other) => {
                let what = format!(" is {}, which", other.noun());
                self.not_a_place(root.span, &format!("`{name}`"), &what);
                None
            }
            None => {
                if self.names.enum_values.contains_key(name.as_str()) {
                    self.not_a_place(root.span, &format!("`{name}`"), " is an enum value, which");
                } else {
                    self.unknown_place(name, root.span);
                }
                None
            }
        }
    }

    fn not_a_place(&mut self, span: Span, name: &str, what: &str) {
        self.report(
            Diagnostic::error(
                codes::NOT_A_PLACE,
                span,
                format!("{name}{what} cannot be stored to"),
            )
            .hint("only state variables change; declare one in `state { … }`"),
        );
    }

    pub fn wrong_indices(&mut self, name: &str, wanted: usize, given: usize, span: Span) {
        let said = |n: usize| match n {
            0 => "no index".to_string(),
            1 => "one index".to_string(),
            n => format!("{n} indices"),
        };
        self.report(
            Diagnostic::error(
                codes::WRONG_INDICES,
                span,
                format!(
                    "`{name}` takes {}, and has {} here",
                    said(wanted),
                    said(given)
                ),
            )
            .hint(if wanted == 0 {
                format!("write `{name}`")
            } else {
                format!("write `{name}[{}]`", vec!["…"; wanted].join(", "))
            }),
        );
    }
}

/// `a, b and c`, cut short where there are many.
pub fn listed(names: &[String]) -> String {
    const SHOWN: usize = 6;
    if names.len() > SHOWN {
        let more = names.len() - SHOWN;
        return format!("{} and {more} more", names[..SHOWN].join(", "));
    }
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
