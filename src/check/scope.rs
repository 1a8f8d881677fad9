//! Local names, and what to suggest for a name that nothing declares.

use super::checker::Checker;
use super::codes;
use super::declare::{BUILT_IN, Decl};
use super::habits;
use super::state::listed;
use crate::model::types::{EnumType, Type};
use crate::model::{Expr, ExprKind, LocalId, VarId};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What a local name stands for.
#[derive(Clone)]
pub enum Binding {
    /// A local, or a constant that it is known to be.
    Value(Expr),
    /// The value of a choice or a draw earlier in the block; a later one may take the name again.
    Event(Expr),
    /// The value of a choice whose `else` went on without it.
    Unset(Span),
    /// Several choices made together, which are here, have a value of this name.
    Several(Span),
    /// A value computed of those of a choice or a draw, of which something has been stored to by here.
    Outdated { at: Span, by_into: bool },
    /// The place that was given to a rule for it to store to. The indices are constants or locals.
    Place(Rc<GivenPlace>),
    /// One value for each element of a set, chosen or drawn together.
    Family(Rc<Family>),
    /// Its declaration was in error, which has been reported.
    Poison,
}

/// What stands for a place in the body of a rule.
pub struct GivenPlace {
    pub var: VarId,
    pub indices: Vec<Expr>,
}

/// `each u in S: r[u] in …`: the names of the values.
pub struct Family {
    /// The type of the index.
    pub index: Type,
    /// Each value of the index with the local that stands for what was chosen for it.
    pub members: Vec<(i64, LocalId)>,
    /// The type of a value, for what runs over no member at all.
    pub ty: Option<Type>,
}

impl Checker<'_> {
    /// Makes a local and brings its name into reach. A failed type leaves a name without complaints of its own.
    pub fn bind_local(&mut self, name: &ast::Name, ty: Option<Type>) -> Option<LocalId> {
        let Some(ty) = ty else {
            self.bind(name, Binding::Poison);
            return None;
        };
        let id = self.new_local(&name.text, ty, name.span);
        let expr = self.local_expr(id, name.span);
        self.bind(name, Binding::Value(expr));
        Some(id)
    }

    /// Brings a name into reach, and complains when it hides another one.
    pub fn bind(&mut self, name: &ast::Name, binding: Binding) {
        if name.text != "_" {
            self.refuse_shadow(name);
        }
        self.frame.names.push((name.text.clone(), binding));
    }

    pub fn lookup_local(&self, name: &str) -> Option<&Binding> {
        self.frame
            .names
            .iter()
            .rev()
            .find(|(n, _)| n == name)
            .map(|(_, b)| b)
    }

    /// Runs a body whose names are out of reach afterwards.
    pub fn scoped<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let names = self.frame.names.len();
        let result = body(self);
        self.frame.names.truncate(names);
        result
    }

    /// Names of a block or an alternative are out of reach from here on.
    pub fn are_gone(&mut self, from: usize) {
        for (name, binding) in self.frame.names.drain(from..) {
            if let Binding::Value(e) | Binding::Event(e) = binding
                && let ExprKind::Local(local) = e.kind
            {
                let bound = self.locals.get(local.0 as usize);
                self.gone.extend(bound.map(|bound| (name, bound.span)));
            }
        }
    }

    /// Complains about a name that would hide another one.
    pub fn refuse_shadow(&mut self, name: &ast::Name) {
        let what = match self.lookup_local(&name.text) {
            Some(Binding::Value(_) | Binding::Place(_)) => "a local name",
            // What is wrong with it was reported.
            Some(
                Binding::Poison
                | Binding::Event(_)
                | Binding::Family(_)
                | Binding::Unset(_)
                | Binding::Several(_)
                | Binding::Outdated { .. },
            ) => return,
            None => match self.names.decls.get(name.text.as_str()) {
                Some(decl) => decl.noun(),
                None if BUILT_IN.contains(&name.text.as_str()) => "a type",
                None if self.names.enum_values.contains_key(name.text.as_str()) => "an enum value",
                None if !self.board_values(&name.text).is_empty() => "a value of a board",
                None => return,
            },
        };
        self.report(
            Diagnostic::error(
                codes::SHADOWED_NAME,
                name.span,
                format!("`{}` is already {what} here", name.text),
            )
            .label("would hide it")
            .hint("choose another name"),
        );
    }

    /// True for a name that may be declared where the file could not be read, which has been reported.
    pub fn is_lost(&self, name: &str) -> bool {
        self.file.lost.contains(name)
    }

    /// The nearest name in reach to one that is not there, or the word of the language that it is but for capitals.
    pub fn suggest(&self, wrong: &str) -> Option<String> {
        let lower = wrong.to_lowercase();
        if ["none", "true", "false"].contains(&lower.as_str()) {
            return Some(lower);
        }
        // Of viewers more can be said.
        if !self.frame.viewers && habits::is_none_elsewhere(&lower) {
            return Some("none".to_owned());
        }
        let locals = self.frame.names.iter().map(|(n, _)| n.as_str());
        let decls = self.names.order.iter().copied();
        // What is being declared cannot be made of itself.
        let decls = decls.filter(|n| !self.resolving.contains(n));
        nearest(wrong, locals.chain(decls).chain(BUILT_IN)).map(str::to_string)
    }

    /// As `unknown_name`, where a value of an enum is expected.
    pub fn unknown_value(&mut self, name: &str, wanted: &EnumType, span: Span) {
        if self.is_lost(name) {
            return;
        }
        if self.over_before(name, span).is_some() || self.gone_before(name, span).is_some() {
            return self.unknown(name, span, None, None);
        }
        let values: Vec<String> = wanted.values.iter().map(|v| v.name.clone()).collect();
        let near = nearest(name, values.iter().map(String::as_str)).map(str::to_string);
        let near = near.or_else(|| self.suggest(name));
        let d = Diagnostic::error(
            codes::UNKNOWN_NAME,
            span,
            format!("nothing here is called `{name}`"),
        );
        self.report(match near {
            Some(near) => d.did_you_mean(&near),
            None => d.hint(format!("the values here are {}", listed(&values))),
        });
    }

    pub fn unknown_name(&mut self, name: &str, span: Span) {
        let near = self.suggest(name);
        let viewers =
            "players are named here, or sets of players; `none` is nobody, and `all` is everybody";
        let is_index = name.chars().next().is_some_and(char::is_lowercase);
        let viewers = match is_index {
            true => format!(
                "{viewers}; the index of an array has a name where it is written `[{name}: Player]`"
            ),
            false => viewers.to_string(),
        };
        let or = self.frame.viewers.then_some(viewers);
        self.unknown(name, span, near, or);
    }

    /// As `unknown_name`, where something is stored.
    pub fn unknown_place(&mut self, name: &str, span: Span) {
        let is_var = |n: &&str| matches!(self.names.decls.get(n), Some(Decl::Var(_)));
        let places = self.names.order.iter().copied().filter(is_var);
        let near = nearest(name, places).map(str::to_string);
        let declare = format!(
            "what changes is declared: `state {{ {name} : type }}`; a name for this value alone is `let {name} = …`"
        );
        self.unknown(name, span, near, Some(declare));
    }

    /// Where a name was known that is over before this.
    fn over_before(&self, name: &str, span: Span) -> Option<Span> {
        let mut ended = self.ended.iter().rev();
        let found = ended.find(|(ended, over)| ended == name && over.end <= span.start);
        found.map(|(_, over)| *over)
    }

    /// Where a name got its value that is known only in a block that is over before this.
    fn gone_before(&self, name: &str, span: Span) -> Option<Span> {
        let gone = self.gone.get(name).copied();
        gone.filter(|gone| gone.end <= span.start)
    }

    fn unknown(&mut self, name: &str, span: Span, near: Option<String>, or: Option<String>) {
        if self.is_lost(name) {
            return;
        }
        let mut d = Diagnostic::error(
            codes::UNKNOWN_NAME,
            span,
            format!("nothing here is called `{name}`"),
        );
        if let Some(over) = self.over_before(name, span) {
            d = d.note(over, format!("`{name}` is known in here")).hint(
                "`sum(x in S)` and the like take in one operand: put round brackets around all that belongs to it",
            );
        } else if let Some(gone) = self.gone_before(name, span) {
            d = d
                .note(gone, format!("`{name}` gets its value here, and is known in its own block only"))
                .hint("what is made of it stands in that block, behind the `=>` of an option; a variable of `state` keeps it for later");
        } else if self.frame.next_mover.as_deref() == Some(name) {
            d = d.hint(format!(
                "whether there is another turn is asked before it is known whose: in the block of the turns, `if … {name} … {{ break }}`"
            ));
        } else if let Some(near) = near {
            d = d.did_you_mean(&near);
        } else if self.names.rules.contains_key(name) {
            d = d.hint(format!(
                "`{name}` is a rule; it stands alone as a statement"
            ));
        } else if let Some(hint) = habits::instead_of_name(name).or(or) {
            d = d.hint(hint);
        }
        self.report(d);
    }
}

impl Decl<'_> {
    pub fn noun(&self) -> &'static str {
        match self {
            Decl::Param(_) => "a param",
            Decl::Const(_) => "a constant",
            Decl::Type(_) | Decl::Enum(_) => "a type",
            Decl::Board(_) => "a board",
            Decl::Var(_) => "a state variable",
            Decl::Def(_) => "a def",
            Decl::Player(_) => "a player",
            Decl::Team(_) => "a team",
        }
    }
}

/// Of the places where one name is missing, so many are told beside the first.
const MOST_PLACES: usize = 3;

/// What is wrong with one name for one reason is one mistake, wherever the name stands.
pub fn join_by_name(problems: &mut Vec<Diagnostic>) {
    let of_names = [
        codes::UNKNOWN_NAME,
        codes::UNKNOWN_TYPE,
        codes::UNKNOWN_RULE,
        codes::UNSET_NAME,
        codes::SHADOWED_NAME,
    ];
    let mut joined: Vec<Diagnostic> = Vec::new();
    let mut places = FxHashMap::default();
    for problem in problems.drain(..) {
        let next = joined.len();
        let place = match of_names.contains(&problem.code) {
            true => {
                let same = (problem.code, problem.message.clone(), problem.hint.clone());
                *places.entry(same).or_insert(next)
            }
            false => next,
        };
        match joined.get_mut(place) {
            Some(first) => {
                if first.notes.len() < MOST_PLACES {
                    first.notes.push((problem.span, "and here".to_owned()));
                }
                first.edits.extend(problem.edits);
            }
            None => joined.push(problem),
        }
    }
    *problems = joined;
}
