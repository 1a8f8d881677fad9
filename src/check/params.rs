//! Players, params and constants: what is known before play begins.

use super::checker::{Checker, ConstValue, Frame, MAX_ARRAY, MAX_PLAYERS, OF_CONSTANTS};
use super::codes;
use super::convert::{lcm, said};
use super::declare::Decl;
use super::tables::{addressed, shown};
use super::written::{given_words, wanted, written_words};
use crate::model::types::{EnumType, EnumValue, Type};
use crate::model::{Expr, ExprKind};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;
use indexmap::IndexMap;
use std::sync::Arc;

/// A digit string with a point as a fraction in lowest terms; `None` where it does not fit.
pub fn decimal(text: &str) -> Option<(i64, i64)> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let den = 10i64.checked_pow(u32::try_from(part.len()).ok()?)?;
    let fraction: i64 = if part.is_empty() {
        0
    } else {
        part.parse().ok()?
    };
    let whole: u32 = whole.parse().ok()?;
    let n = i64::from(whole).checked_mul(den)?.checked_add(fraction)?;
    let r = num_rational::Ratio::new(sign * n, den);
    Some((*r.numer(), *r.denom()))
}

/// `15/2`, as numbers print.
fn fraction(text: &str) -> Option<(i64, i64)> {
    let (above, below) = text.split_once('/')?;
    let (above, below): (i32, i32) = (above.parse().ok()?, below.parse().ok()?);
    if below <= 0 {
        return None;
    }
    let r = num_rational::Ratio::new(i64::from(above), i64::from(below));
    Some((*r.numer(), *r.denom()))
}

impl<'a> Checker<'a> {
    // ---- players ------------------------------------------------------------------------------

    pub fn resolve_players(&mut self) {
        self.player_type();
    }

    pub fn player_type(&mut self) -> Option<Type> {
        if let Some(players) = &self.players {
            return Some(Type::Player(players.clone()));
        }
        let item = self.names.players?;
        let players = self.resolving("players", item.span, |this| this.seated(item))?;
        self.players = Some(players.clone());
        Some(Type::Player(players))
    }

    fn seated(&mut self, item: &'a ast::Players) -> Option<Arc<EnumType>> {
        let named = item.names.len();
        let count = match &item.count {
            None => named as i64,
            Some(e) => self.in_frame(constant_frame("the number of players"), |this| {
                this.constant_int(e)
            })?,
        };
        let problem = if named > MAX_PLAYERS {
            Some(format!(
                "{named} players are named; at most {MAX_PLAYERS} can play"
            ))
        } else if count < 1 {
            Some(format!("{count} players cannot play; there must be one"))
        } else if count > named as i64 {
            Some(format!("{count} players are wanted, and {named} are named"))
        } else {
            None
        };
        if let Some(problem) = problem {
            let span = item.count.as_ref().map_or(item.span, |e| e.span);
            self.report(
                Diagnostic::error(codes::PLAYER_COUNT, span, problem)
                    .hint("name as many players as may take part, between the braces"),
            );
            return None;
        }
        let values = item.names[..count as usize]
            .iter()
            .map(|n| EnumValue {
                name: n.text.clone(),
                text: n.text.clone(),
            })
            .collect();
        Some(Arc::new(EnumType {
            name: "Player".to_string(),
            values,
        }))
    }

    // ---- params -------------------------------------------------------------------------------

    /// The value of each param, as text, and its declared type.
    pub fn resolve_params(&mut self) -> IndexMap<String, (String, Type)> {
        let file: &'a ast::File = self.file;
        let mut values = IndexMap::new();
        let mut names = Vec::new();
        for item in &file.items {
            if let ast::Item::Param(param) = item {
                names.push(param.name.text.as_str());
                if let (Some(text), Some(value)) = (self.param_text(param), self.param(param)) {
                    values.insert(param.name.text.clone(), (text, value.expr.ty));
                }
            }
        }
        let settings = self.settings;
        for key in settings.keys() {
            let (name, at) = addressed(key);
            let table = values
                .get(name)
                .map(|(_, ty)| matches!(ty, Type::Array { .. }));
            if table == Some(false) && !at.is_empty() {
                self.problems.push(
                    Diagnostic::error(
                        codes::BAD_PARAM_VALUE,
                        file.name.span,
                        format!("`{name}` is one value, and `{key}` is an entry of a table"),
                    )
                    .of_setting(key)
                    .hint(format!(
                        "leave out what is in the brackets: `--set {name}=…`"
                    )),
                );
            }
            if !names.contains(&name) && !self.is_lost(name) {
                let hint = match nearest(name, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if names.is_empty() => "this game has no params".to_string(),
                    None => format!("its params are {}", names.join(", ")),
                };
                self.problems.push(
                    Diagnostic::error(
                        codes::UNKNOWN_PARAM,
                        file.name.span,
                        format!("the game has no param `{name}`, and a value was given for it"),
                    )
                    .of_setting(key)
                    .hint(hint),
                );
            }
        }
        values
    }

    /// The value of a param as text, which can be given for it.
    pub fn param_text(&mut self, param: &'a ast::Param) -> Option<String> {
        let ConstValue { expr, .. } = self.param(param)?;
        match &expr.kind {
            ExprKind::Const(v) => Some(expr.ty.show_name(*v)),
            ExprKind::ConstSet(words) => Some(written_words(&expr.ty, words)),
            ExprKind::ConstArray(rows) => {
                let firsts = rows.iter().map(|w| w.first().map_or(0, |w| *w as i64));
                let firsts: Vec<i64> = firsts.collect();
                let drawn = self.rows_text(&expr.ty, &firsts);
                Some(drawn.unwrap_or_else(|| shown(rows, &expr.ty)))
            }
            _ => None,
        }
    }

    pub fn param(&mut self, param: &'a ast::Param) -> Option<ConstValue> {
        let name = param.name.text.as_str();
        if let Some(done) = self.params.get(name) {
            return done.clone();
        }
        let value = self.resolving(name, param.name.span, |this| this.param_value(param));
        self.params.insert(name, value.clone());
        value
    }

    fn param_value(&mut self, param: &'a ast::Param) -> Option<ConstValue> {
        let name = param.name.text.as_str();
        self.in_frame(constant_frame("a param"), |this| {
            let Some(written) = &param.ty else {
                this.report(
                    Diagnostic::error(
                        codes::NEEDS_TYPE,
                        param.name.span,
                        format!("the param `{name}` needs a type"),
                    )
                    .hint(format!("for example: param {name} : 1..10 = …")),
                );
                return None;
            };
            let ty = this.type_of(written)?;
            if let Type::Array { .. } = ty {
                this.report(
                    Diagnostic::error(
                        codes::BAD_PARAM_VALUE,
                        written.span,
                        format!("a param cannot be {}", said(&ty)),
                    )
                    .hint(
                        "the indices of a table stand before the type: `param price : [Fare] 0..9`",
                    ),
                );
                return None;
            }
            if !param.indices.is_empty() {
                return this.param_table(param, ty);
            }
            let default = this.expr(&param.default, Some(&ty))?;
            if let (Type::Int { lo, hi }, Type::Int { .. }) = (&ty, &default.ty) {
                let v = this.known(&default, "the value of a param")?;
                if v < *lo || v > *hi {
                    this.outside(name, &v.to_string(), &ty, default.span);
                    return None;
                }
            }
            let default = this.coerce(default, &ty)?;
            let words = this.known_words(&default)?;
            let default = this.constant(words, default.ty, default.span);
            let expr = match this.settings.get(name) {
                Some(text) => this.setting(name, text, ty)?,
                None => default,
            };
            let indices = Vec::new();
            Some(ConstValue { indices, expr })
        })
    }

    fn param_table(&mut self, param: &'a ast::Param, ty: Type) -> Option<ConstValue> {
        let mut indices = Vec::new();
        for index in &param.indices {
            indices.push(self.index_type(index)?);
        }
        let span = param.name.span;
        self.array_size(&indices, span)?;
        let elements = self.array_constants(&param.default, &indices, &ty)?;
        let elements = self.given_table(&param.name.text, elements, &indices, &ty)?;
        self.constant_table(elements, indices, ty, span)
    }

    /// The value of a param, or of an entry of one, out of a text.
    pub fn setting(&mut self, name: &str, text: &str, ty: Type) -> Option<Expr> {
        let span = self.file.name.span;
        let text = text.trim();
        if let Type::Number { .. } = ty {
            let Some((n, den)) = decimal(text).or_else(|| fraction(text)) else {
                self.outside_setting(name, text, &ty);
                return None;
            };
            let ty = Type::Number { den, lo: n, hi: n };
            return Some(self.scalar(n, ty, span));
        }
        match given_words(text, &ty) {
            Some(words) => Some(self.constant(words, ty, span)),
            None => {
                self.outside_setting(name, text, &ty);
                None
            }
        }
    }

    fn outside_setting(&mut self, key: &str, value: &str, ty: &Type) {
        self.outside(key, value, ty, self.file.name.span);
        if let Some(problem) = self.problems.pop() {
            self.problems.push(problem.of_setting(key));
        }
    }

    fn outside(&mut self, name: &str, value: &str, ty: &Type, span: Span) {
        let wanted = wanted(ty);
        self.problems.push(
            Diagnostic::error(
                codes::BAD_PARAM_VALUE,
                span,
                format!("`{name}` cannot be {value}"),
            )
            .hint(format!("it is {wanted}")),
        );
    }

    // ---- constants ----------------------------------------------------------------------------

    pub fn resolve_consts(&mut self) {
        let file: &'a ast::File = self.file;
        for item in &file.items {
            if let ast::Item::Const(c) = item {
                self.const_value(c);
            }
        }
    }

    pub fn const_value(&mut self, c: &'a ast::Const) -> Option<ConstValue> {
        let name = c.name.text.as_str();
        if let Some(done) = self.consts.get(name) {
            return done.clone();
        }
        let value = self.resolving(name, c.name.span, |this| {
            this.in_frame(constant_frame("a constant"), |this| this.new_const(c))
        });
        self.consts.insert(name, value.clone());
        value
    }

    fn new_const(&mut self, c: &'a ast::Const) -> Option<ConstValue> {
        let mut indices = Vec::new();
        for index in &c.indices {
            indices.push(self.index_type(index)?);
        }
        self.array_size(&indices, c.name.span)?;
        let ty = match &c.ty {
            Some(t) => Some(self.type_of(t)?),
            None => None,
        };
        if ty.is_none() && self.is_array(&c.value) {
            self.report(
                Diagnostic::error(
                    codes::NEEDS_TYPE,
                    c.name.span,
                    format!("the array `{}` needs a type", c.name.text),
                )
                .hint(format!(
                    "for example: const {} : [Player] 0..10 = …",
                    c.name.text
                )),
            );
            return None;
        }
        if indices.is_empty() {
            if ty.is_none() {
                self.refuse_untyped(&c.value, |ty| format!("const {} : {ty}", c.name.text))?;
            }
            let e = self.expr(&c.value, ty.as_ref())?;
            let e = match &ty {
                Some(ty) => self.coerce(e, ty)?,
                None => e,
            };
            let words = self.known_words(&e)?;
            let expr = self.constant(words, e.ty, c.name.span);
            return Some(ConstValue { indices, expr });
        }
        // Indices come with a type.
        let ty = ty?;
        let elements = self.array_constants(&c.value, &indices, &ty)?;
        self.constant_table(elements, indices, ty, c.name.span)
    }

    /// An array of constants, from its elements in row-major order.
    fn constant_table(
        &mut self,
        mut elements: Vec<Expr>,
        indices: Vec<Type>,
        mut ty: Type,
        span: Span,
    ) -> Option<ConstValue> {
        // Numbers take a common denominator.
        if let Type::Number { .. } = ty {
            let mut den = 1;
            for e in &elements {
                if let Type::Number { den: d, .. } = e.ty {
                    den = self.checked(lcm(den, d), span)?;
                }
            }
            let mut scaled = Vec::new();
            let (mut lo, mut hi) = (i64::MAX, i64::MIN);
            for e in elements {
                let e = self.as_number(e, den)?;
                let v = self.known(&e, "an element of a constant")?;
                (lo, hi) = (lo.min(v), hi.max(v));
                scaled.push(e);
            }
            elements = scaled;
            ty = Type::Number { den, lo, hi };
        }
        let mut words = Vec::new();
        for e in &elements {
            words.push(self.known_words(e)?);
        }
        let ty = indices.iter().rev().fold(ty, |t, i| Type::Array {
            index: Arc::new(i.clone()),
            element: Arc::new(t),
        });
        let expr = Expr {
            kind: ExprKind::ConstArray(Arc::new(words)),
            ty,
            span,
        };
        Some(ConstValue { indices, expr })
    }

    pub fn checked<T>(&mut self, value: Option<T>, span: Span) -> Option<T> {
        if value.is_none() {
            self.overflow(span);
        }
        value
    }

    /// The words of a constant, or a complaint.
    pub fn known_words(&mut self, e: &Expr) -> Option<Vec<u64>> {
        let words = self.words_of(e);
        if words.is_none() {
            let message = "this must be known before the game starts".to_string();
            self.not_known(e, message, "", OF_CONSTANTS);
        }
        words
    }

    pub fn index_type(&mut self, index: &'a ast::Index) -> Option<Type> {
        let ty = self.type_of(&index.ty)?;
        if !ty.is_scalar() || matches!(ty, Type::Number { .. }) {
            self.report(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    index.span,
                    format!("an array cannot be indexed by {}", said(&ty)),
                )
                .hint("an index is a single value of a finite type"),
            );
            return None;
        }
        Some(ty)
    }

    /// The number of elements of an array, when it can be laid out.
    pub fn array_size(&mut self, indices: &[Type], span: Span) -> Option<u64> {
        let size = indices
            .iter()
            .try_fold(1u64, |n, t| n.checked_mul(t.size()?));
        match size {
            Some(n) if n <= MAX_ARRAY => Some(n),
            _ => {
                let n = size.map_or_else(|| "more than 2^63".to_string(), |n| n.to_string());
                self.report_live(
                    Diagnostic::error(
                        codes::TOO_LARGE,
                        span,
                        format!("this array has {n} elements; at most {MAX_ARRAY} can be laid out"),
                    )
                    .hint("index it by smaller types"),
                );
                None
            }
        }
    }

    pub fn constant_int(&mut self, e: &'a ast::Expr) -> Option<i64> {
        let outer = (self.frame.no_state, self.frame.no_reveal);
        self.frame.no_state = outer.0.or(Some("the range of a type"));
        self.frame.no_reveal = outer.1.or(Some("the range of a type"));
        let value = self.expr(e, None);
        (self.frame.no_state, self.frame.no_reveal) = outer;
        let value = value?;
        if !matches!(value.ty, Type::Int { .. }) {
            self.report(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    value.span,
                    "an integer is needed here",
                )
                .label(format!("this is {}", said(&value.ty))),
            );
            return None;
        }
        self.known(&value, "this")
    }

    /// What a declared constant of any kind reads as; the names of players and types come from elsewhere.
    pub fn declared_constant(&mut self, decl: &Decl<'a>) -> Option<ConstValue> {
        match decl {
            Decl::Param(p) => self.param(p),
            Decl::Const(c) => self.const_value(c),
            _ => None,
        }
    }
}

pub fn constant_frame(what: &'static str) -> Frame {
    Frame {
        no_state: Some(what),
        no_reveal: Some(what),
        ..Frame::default()
    }
}
