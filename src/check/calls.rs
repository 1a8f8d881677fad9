//! Calls: of the functions of the language, of those of boards, of defs.

use super::checker::Checker;
use super::codes;
use super::collections::Over;
use super::convert::said;
use super::declare::Decl;
use super::habits;
use crate::model::boards::Board;
use crate::model::functions::board::BOARD_FUNCTIONS;
use crate::model::functions::{self, Caller, FUNCTIONS, TableKey};
use crate::model::types::Type;
use crate::model::{Expr, ExprKind, FoldOp, LocalId, PlayerSet, Rows};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;
use std::sync::Arc;

/// The names of the functions that need no board; no def can have one.
pub fn function_words() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|f| f.name()).chain(["reveal"])
}

/// How a function of the language is called.
fn how_written(name: &str) -> String {
    let plain = functions::named(name).map(functions::Function::docs);
    let mut of_boards = BOARD_FUNCTIONS.iter().filter(|f| f.name() == name);
    let docs = match (plain, of_boards.next().map(|f| f.docs())) {
        (Some(docs), None) | (None, Some(docs)) => docs,
        _ => &[],
    };
    match docs {
        [] => "give it as many as it takes".to_string(),
        docs => {
            let forms: Vec<&str> = docs.iter().map(|doc| doc.form).collect();
            let place = match name {
                "subsets" => ", right after the `in` of a choice or a draw",
                _ => "",
            };
            format!("it is written {}{place}", forms.join(" or "))
        }
    }
}

impl<'a> Checker<'a> {
    pub fn call(
        &mut self,
        name: &'a ast::Name,
        args: &'a [ast::Expr],
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        match functions::named(&name.text) {
            Some(function) => function.check(&mut CallSite {
                checker: self,
                name,
                args,
                want,
                span,
            }),
            None => self.call_declared(name, args, want, span),
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
                let problem = Diagnostic::error(
                    codes::MISUSED_NAME,
                    name.span,
                    format!("`{text}` is {}, and takes no arguments", other.noun()),
                );
                let product = self.product_of_call(name, args, problem.clone());
                let or = "an element of an array is written `a[p]`";
                self.report(product.unwrap_or_else(|| problem.hint(or)));
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
            None if self.refuse_word(name, args, span) => None,
            None => {
                if let Some(meant) = self.meant_board(name, args) {
                    return self.board_function(meant?, name, args, want, span);
                }
                let defs = self
                    .names
                    .order
                    .iter()
                    .copied()
                    .filter(|n| matches!(self.names.decls.get(n), Some(Decl::Def(_))));
                let words = function_words().map(|word| -> &'a str { word });
                let mut d = Diagnostic::error(
                    codes::UNKNOWN_NAME,
                    name.span,
                    format!("there is no def `{text}`"),
                );
                let defs: Vec<&str> = defs.collect();
                // What others call so comes before a function of another name.
                let meant = habits::instead_of_call(text);
                let functions = words.chain(self.board_words());
                let near = match (nearest(text, defs), meant) {
                    (None, None) => nearest(text, functions),
                    (def, _) => def,
                };
                d = match near.or(habits::function_called(text)) {
                    Some(near) => d.did_you_mean(near),
                    None if let Some(hint) = meant => d.hint(hint),
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
        self.wrong_arguments(name, args.len(), &wanted);
        None
    }

    /// A call has not as many arguments as it takes, which `wanted` says in words.
    fn wrong_arguments(&mut self, name: &ast::Name, count: usize, wanted: &str) {
        self.report(
            Diagnostic::error(
                codes::WRONG_ARGUMENTS,
                name.span,
                format!("`{}` takes {wanted}, and has {count}", name.text),
            )
            .hint(how_written(&name.text)),
        );
    }

    /// A single value of a finite type, certainly there.
    fn a_value(&mut self, e: Expr) -> Option<Expr> {
        let e = self.settled(e);
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

    /// Whether an expression is an integer that is written out, a product with one, or a constant of which no type is said.
    fn is_untyped(&self, e: &ast::Expr) -> bool {
        match &e.kind {
            ast::ExprKind::Int(_) => true,
            ast::ExprKind::Unary { value, .. } => matches!(value.kind, ast::ExprKind::Int(_)),
            ast::ExprKind::Record(fields) => fields.iter().any(|(_, e)| self.is_untyped(e)),
            ast::ExprKind::Name(name) => {
                let decl = self.names.decls.get(name.text.as_str());
                self.lookup_local(&name.text).is_none()
                    && matches!(decl, Some(Decl::Const(c)) if c.ty.is_none())
            }
            _ => false,
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
        if hi < 0 {
            self.below_zero(e.span, lo, hi);
            return None;
        }
        self.coerce(
            e,
            &Type::Int {
                lo: 0,
                hi: hi.max(0),
            },
        )
    }
}

/// A call of a function as the check sees it.
pub struct CallSite<'c, 'a> {
    pub checker: &'c mut Checker<'a>,
    pub name: &'a ast::Name,
    pub args: &'a [ast::Expr],
    pub want: Option<&'c Type>,
    pub span: Span,
}

impl Caller for CallSite<'_, '_> {
    fn span(&self) -> Span {
        self.span
    }

    fn count(&self) -> usize {
        self.args.len()
    }

    fn arity(&mut self, least: usize, most: usize) -> Option<()> {
        self.checker.arity(self.name, self.args, least, most)
    }

    fn wrong_arguments(&mut self, wanted: &str) {
        let count = self.args.len();
        self.checker.wrong_arguments(self.name, count, wanted);
    }

    fn wanted(&self) -> Option<Type> {
        self.want.cloned()
    }

    fn arg_span(&self, i: usize) -> Span {
        self.args[i].span
    }

    fn arg(&mut self, i: usize, want: Option<&Type>) -> Option<Expr> {
        self.checker.expr(&self.args[i], want)
    }

    fn arg_as(&mut self, i: usize, ty: &Type) -> Option<Expr> {
        self.checker.expr_as(&self.args[i], ty)
    }

    fn arg_as_set(&mut self, i: usize, element: &Type) -> Option<Expr> {
        let want = Type::set_of(element.clone());
        let made = self.arg(i, Some(&want))?;
        self.checker.coerce_to_set(made, element)
    }

    fn is_needy(&self, i: usize) -> bool {
        self.checker.needy(&self.args[i])
    }

    fn is_untyped(&self, i: usize) -> bool {
        self.checker.is_untyped(&self.args[i])
    }

    fn is_array(&mut self, i: usize) -> bool {
        self.checker.is_array(&self.args[i])
    }

    fn array_index(&mut self, i: usize) -> Option<Type> {
        self.checker.array_index(&self.args[i])
    }

    fn fold_array(&mut self, op: FoldOp, i: usize) -> Option<Expr> {
        self.checker.fold_array(op, &self.args[i], self.span)
    }

    fn value(&mut self, e: Expr) -> Option<Expr> {
        self.checker.a_value(e)
    }

    fn set(&mut self, e: Expr) -> Option<Expr> {
        self.checker.a_set(e)
    }

    fn integer(&mut self, e: Expr) -> Option<Expr> {
        self.checker.integer(e)
    }

    fn natural(&mut self, e: Expr) -> Option<Expr> {
        self.checker.natural(e)
    }

    fn numeric(&mut self, e: &Expr) -> Option<()> {
        self.checker.numeric(e)
    }

    fn coerce(&mut self, e: Expr, to: &Type) -> Option<Expr> {
        self.checker.coerce(e, to)
    }

    fn unify(&mut self, a: Expr, b: Expr) -> Option<(Expr, Expr, Type)> {
        self.checker.unify(a, b, self.span)
    }

    fn is_nonempty(&self, set: &Expr) -> bool {
        self.checker.has_elements(set)
    }

    fn constant(&mut self, e: &Expr) -> Option<Vec<u64>> {
        self.checker.words_of(e)
    }

    fn make(&mut self, kind: ExprKind, ty: Type) -> Expr {
        self.checker.make(kind, ty, self.span)
    }

    fn new_local(&mut self, ty: Type) -> LocalId {
        self.checker.new_local("", ty, self.span)
    }

    fn fold(&mut self, op: FoldOp, local: LocalId, domain: Expr, body: Expr) -> Option<Expr> {
        let over = Over {
            local,
            domain,
            cond: None,
            body,
        };
        self.checker.aggregated(op, over, self.span)
    }

    fn divide(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        self.checker.divide(a, b, self.span)
    }

    fn looked_up(&mut self, numerators: Vec<i64>, den: i64, index: Expr) -> Expr {
        self.checker.looked_up(numerators, den, index, self.span)
    }

    fn element(&mut self, array: Expr, indices: Vec<Expr>) -> Expr {
        self.checker.read_const(array, indices, self.span)
    }

    fn table(&mut self, board: &Board, key: TableKey, rows: &dyn Fn() -> Vec<Vec<u64>>) -> Rows {
        let tables = &mut self.checker.tables;
        let table = tables.entry((board.name.clone(), key));
        table.or_insert_with(|| Arc::new(rows())).clone()
    }

    fn players(&mut self) -> Option<Type> {
        self.checker.player_type()
    }

    fn board_of(&mut self, nodes: &Type) -> Option<String> {
        let boards = self.checker.boards.values().flatten();
        let mut of_these = boards.filter(|b| b.node == *nodes);
        of_these.next().map(|b| b.name.clone())
    }

    fn sides(&self) -> Vec<PlayerSet> {
        self.checker.sides()
    }

    fn report(&mut self, problem: Diagnostic) {
        self.checker.report(problem);
    }

    fn report_live(&mut self, problem: Diagnostic) {
        self.checker.report_live(problem);
    }

    fn overflow(&mut self) {
        self.checker.overflow(self.span);
    }

    fn array_here(&mut self) {
        self.checker.array_here(self.span);
    }
}
