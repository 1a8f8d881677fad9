//! Words of other languages, and words of this one that are written otherwise: what to say where one stands for a name
//! that nothing declares.

use super::checker::Checker;
use super::codes;
use super::declare::Decl;
use super::expr::base;
use crate::model::functions;
use crate::model::types::Type;
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// Statements of one word, which no rule can be called.
pub const WORDS: [&str; 3] = ["end", "break", "continue"];

/// The name that the language has for a function of others.
pub fn function_called(word: &str) -> Option<&'static str> {
    Some(match word {
        "len" | "length" | "cardinality" | "count" => "size",
        "maximum" => "max",
        "minimum" => "min",
        "average" | "avg" => "mean",
        "power" => "pow",
        _ => return None,
    })
}

/// How something is written that others call a function.
pub fn instead_of_call(word: &str) -> Option<&'static str> {
    Some(match word {
        "random" | "rand" | "randint" | "randrange" | "roll" | "dice" | "choice" => {
            "what chance decides is drawn in a statement: `draw d in 1..6`"
        }
        "floor" | "round" | "ceil" | "trunc" | "int" => {
            "`a div b` is the quotient rounded down, and `a mod b` what is left"
        }
        "range" => "both ends belong to a range: `1..3`",
        "pop" => "what chance takes out of a set is drawn in a statement: `draw c from deck`",
        "sorted" | "sort" => "a set has no order; its ends are `min(S)` and `max(S)`",
        "any" | "exists" => "write `some x in S: condition`",
        "forall" => "write `every x in S: condition`",
        "contains" | "includes" | "has" => "write `x in S`",
        "empty" | "is_empty" | "isEmpty" => "write `S == {}`, or `S != {}`",
        "shuffle" => {
            "a set has no order: leave it out, `deal n from deck to hand[p]` and `draw c from deck` take at random"
        }
        "show" | "announce" | "tell" => "write `reveal(value)`, or `reveal(value to player)`",
        "stop" | "finish" | "exit" | "quit" | "halt" | "game_over" => {
            "the game ends with the one word `end`"
        }
        "win" | "wins" | "lose" | "loses" => "who has won is stored, and read in `payoff`",
        "draw" => "write `draw x in S`",
        "deal" => "write `deal n from place to place`",
        "each" | "foreach" => "write `each x in S { … }`",
        "elif" | "elsif" | "elseif" => "write `else if condition { … }` behind the `}`",
        "repeat" => "write `repeat n times { … }`",
        "while" => "write `while condition at most n { … }`",
        "turns" => "write `turns me from first at most n { … }`",
        "together" => "write `together { … }`",
        "print" | "log" => {
            "what people read stands after `as`: `p chooses c in S as \"takes {c}\"`"
        }
        _ => return None,
    })
}

/// How something is written that others call a function of a value: `S.contains(x)`.
pub fn instead_of_method(word: &str) -> String {
    match function_called(word).or(functions::named(word).map(|_| word)) {
        Some(function) => format!("what a function is of stands in brackets: `{function}(…)`"),
        None => instead_of_call(word)
            .unwrap_or("a def takes its arguments in round brackets by itself: `f(x)`")
            .to_owned(),
    }
}

/// How a type is written that other languages have.
pub fn type_called(word: &str) -> Option<&'static str> {
    Some(match word {
        "int" | "integer" | "Int" | "Integer" | "nat" | "float" | "double" | "real" => {
            "an integer has a range: `0..9`"
        }
        "string" | "String" | "str" | "text" | "char" => {
            "texts are no values; the words that a value may be are listed: `enum Colour { red, green }`"
        }
        "list" | "List" | "array" | "Array" | "map" | "dict" => {
            "a value for each index is `[Player] 0..9`; several values are a `set of 1..9`"
        }
        _ => return None,
    })
}

/// What other languages call `none`.
pub fn is_none_elsewhere(word: &str) -> bool {
    ["null", "nil", "undefined", "nobody", "nothing"].contains(&word)
}

/// What to write for a word that stands as a name and is none.
pub fn instead_of_name(word: &str) -> Option<String> {
    Some(match word {
        "everyone" | "everybody" | "each" => {
            "each of several does it for itself: `each p in Player { p chooses … }`, `each p in Player { deal n from deck to hand[p] }`; at once it is `together each p in Player { … }`".into()
        }
        "random" | "dice" | "die" => instead_of_call("random")?.into(),
        _ if functions::named(word).is_some() => {
            format!("what a function is of stands in brackets: `{word}(…)`")
        }
        _ => return None,
    })
}

impl<'a> Checker<'a> {
    /// How something is written that others call a field: `S.size`, `Ann.chips`.
    pub fn instead_of_field(&self, word: &str) -> String {
        let function = function_called(word).or(functions::named(word).map(|_| word));
        match (function, instead_of_call(word), self.names.decls.get(word)) {
            (Some(function), ..) => {
                format!("what a function is of stands in brackets: `{function}(…)`")
            }
            (None, None, Some(Decl::Var(_))) => {
                format!("an element of an array is written `{word}[p]`")
            }
            (None, Some(hint), _) => hint.to_owned(),
            (None, None, _) => "an element of an array is written `a[p]`".to_owned(),
        }
    }

    fn is_declared(&self, name: &str) -> bool {
        self.lookup_local(name).is_some()
            || self.names.decls.contains_key(name)
            || self.names.enum_values.contains_key(name)
            || self.is_lost(name)
    }

    /// `state.x` and `this.x`: reports that neither is a value.
    pub fn refuse_owner(&mut self, record: &ast::Expr, field: &ast::Name) -> bool {
        let Some(owner) = record.as_name() else {
            return false;
        };
        let word = owner.text.as_str();
        if !["state", "this", "self", "game"].contains(&word) || self.is_declared(word) {
            return false;
        }
        let text = &field.text;
        let problem = Diagnostic::error(
            codes::UNKNOWN_NAME,
            record.span,
            format!("`{word}` is no value, and has no parts"),
        );
        let problem = problem.hint(format!("a state variable stands alone: write `{text}`"));
        let known = matches!(self.names.decls.get(text.as_str()), Some(Decl::Var(_)));
        self.report(match known {
            true => problem.edit(before(record.span, field.span), ""),
            false => problem,
        });
        true
    }

    /// `Suit.clubs`: reports that a value has no type before it.
    pub fn refuse_owned_value(&mut self, record: &'a ast::Expr, field: &ast::Name) -> bool {
        let Some(owner) = record.as_name() else {
            return false;
        };
        let name = owner.text.as_str();
        if self.lookup_local(name).is_some() {
            return false;
        }
        let ty = match self.names.decls.get(name).cloned() {
            Some(Decl::Enum(e)) => Some(Type::Enum(e)),
            Some(Decl::Type(item)) => self.declared_type(item),
            _ => None,
        };
        let has_value = match &ty {
            Some(Type::Enum(e)) => e.values.iter().any(|v| v.name == field.text),
            Some(_) => false,
            None => {
                let found = self.names.decls.get(field.text.as_str());
                name == "Player" && matches!(found, Some(Decl::Player(_)))
            }
        };
        if !has_value {
            return false;
        }
        let text = &field.text;
        self.report(
            Diagnostic::error(
                codes::UNKNOWN_FIELD,
                record.span.to(field.span),
                "a value stands without the name of its type",
            )
            .hint(format!("write `{text}`"))
            .edit(before(record.span, field.span), ""),
        );
        true
    }

    /// `Card(1, clubs)`: how a product is written.
    pub fn product_of_call(
        &mut self,
        name: &ast::Name,
        args: &[ast::Expr],
        problem: Diagnostic,
    ) -> Option<Diagnostic> {
        let Some(Decl::Type(item)) = self.names.decls.get(name.text.as_str()) else {
            return None;
        };
        let ast::TypeKind::Product(fields) = &item.ty.kind else {
            return None;
        };
        if fields.len() != args.len() {
            let all: Vec<String> = fields
                .iter()
                .map(|(f, _)| format!("{}: …", f.text))
                .collect();
            return Some(problem.hint(format!("write `({})`", all.join(", "))));
        }
        let mut shown = Vec::new();
        let mut problem = problem.edit(name.span, "");
        for ((field, _), arg) in fields.iter().zip(args) {
            shown.push(format!("{}: {}", field.text, plain(arg)));
            let start = before(arg.span, arg.span);
            problem = problem.edit(start, format!("{}: ", field.text));
        }
        Some(problem.hint(format!("write `({})`", shown.join(", "))))
    }

    /// `{ rank: 1, suit: clubs }` where a product is meant: reports it.
    pub fn refuse_braced_product(
        &mut self,
        entries: &[(ast::Expr, ast::Expr)],
        want: Option<&Type>,
        span: Span,
    ) -> bool {
        let names: Option<Vec<&str>> = entries
            .iter()
            .map(|(key, _)| key.as_name().map(|n| n.text.as_str()))
            .collect();
        let Some(names) = names.filter(|n| !n.is_empty()) else {
            return false;
        };
        let wanted = match want.map(base) {
            Some(Type::Product(product)) => {
                let mut fields = product.fields.iter();
                fields.all(|(f, _)| names.contains(&f.as_str()))
            }
            _ => false,
        };
        let are_fields = |item: &ast::Item| match item {
            ast::Item::Type(ty) => match &ty.ty.kind {
                ast::TypeKind::Product(fields) => {
                    fields.len() == names.len()
                        && fields.iter().all(|(f, _)| names.contains(&f.text.as_str()))
                }
                _ => false,
            },
            _ => false,
        };
        if !wanted && !self.file.items.iter().any(are_fields) {
            return false;
        }
        let shown: Vec<String> = entries
            .iter()
            .map(|(key, value)| format!("{}: {}", plain(key), plain(value)))
            .collect();
        let (start, end) = (span.start, span.end);
        let open = Span {
            start,
            end: start + 1,
        };
        let close = Span {
            start: end.saturating_sub(1),
            end,
        };
        self.report(
            Diagnostic::error(
                codes::TYPE_MISMATCH,
                span,
                "a product stands in round brackets, and not in braces",
            )
            .hint(format!("write `({})`", shown.join(", ")))
            .edit(open, "(")
            .edit(close, ")"),
        );
        true
    }

    /// `{1..3}`: reports that a range is a set already.
    pub fn refuse_braced_range(&mut self, items: &[ast::Expr], span: Span) -> bool {
        let is_range = |e: &&ast::Expr| matches!(e.kind, ast::ExprKind::Range { .. });
        let Some(range) = items.iter().find(is_range) else {
            return false;
        };
        let problem = Diagnostic::error(
            codes::TYPE_MISMATCH,
            range.span,
            "a range is a set already, and no element of one",
        );
        let [ast::Expr { kind, .. }] = items else {
            let hint = "sets are joined by `+`: `(1..3) + { 5 }`";
            self.report(problem.hint(hint));
            return true;
        };
        let hint = match kind {
            ast::ExprKind::Range { low, high } => format!("{}..{}", plain(low), plain(high)),
            _ => "1..3".to_owned(),
        };
        let after = Span {
            start: range.span.end,
            end: span.end,
        };
        self.report(
            problem
                .hint(format!("write `{hint}`"))
                .edit(before(span, range.span), "")
                .edit(after, ""),
        );
        true
    }

    /// `chooses c in hand or pass`: reports that a move beside the values is an alternative.
    pub fn refuse_or_move(&mut self, domain: &ast::Expr) -> Option<()> {
        let ast::ExprKind::Binary { op, right, .. } = &domain.kind else {
            return Some(());
        };
        match right.as_name() {
            Some(word)
                if *op == ast::BinaryOp::Or
                    && !self.is_declared(&word.text)
                    && self.board_values(&word.text).is_empty() =>
            {
                let word = &word.text;
                self.report(
                    Diagnostic::error(
                        codes::TYPE_MISMATCH,
                        right.span,
                        format!(
                            "`{word}` is no value of a set, and a move of its own is an alternative"
                        ),
                    )
                    .hint(format!("write `p chooses {{ take(c in S) => …  {word} }}`")),
                );
                None
            }
            _ => Some(()),
        }
    }

    /// `reveal(a, b)` and `end(p)`: reports how they are written.
    pub fn refuse_word(&mut self, name: &ast::Name, args: &[ast::Expr], span: Span) -> bool {
        let text = name.text.as_str();
        if text != "reveal" && !WORDS.contains(&text) {
            return false;
        }
        let problem = Diagnostic::error(
            codes::WRONG_ARGUMENTS,
            name.span,
            match (text, args.len()) {
                ("reveal", n) => format!("`reveal` takes one value, and has {n} here"),
                _ => format!("`{text}` stands alone, without brackets"),
            },
        );
        let rest = Span {
            start: name.span.end,
            end: span.end,
        };
        self.report(match (text, args) {
            ("reveal", [a, b]) => problem
                .hint("reveal one after the other: `reveal(a)  reveal(b)`; to one player alone: `reveal(a to p)`")
                .edit(
                    Span {
                        start: a.span.end,
                        end: b.span.start,
                    },
                    ")  reveal(",
                ),
            ("reveal", _) => {
                problem.hint("write `reveal(value)`, or `reveal(value to player)`, one for each value")
            }
            ("end", [_, ..]) => problem
                .hint("write `end`; who has won is stored before, and read in `payoff`")
                .edit(rest, ""),
            _ => problem.hint(format!("write `{text}`")).edit(rest, ""),
        });
        true
    }
}

/// From where one place begins to where the other one does.
fn before(from: Span, to: Span) -> Span {
    Span {
        start: from.start,
        end: to.start,
    }
}

/// An expression as it is written, if it is short.
pub(super) fn plain(e: &ast::Expr) -> String {
    match &e.kind {
        ast::ExprKind::Int(n) => n.to_string(),
        ast::ExprKind::Bool(b) => b.to_string(),
        ast::ExprKind::Name(name) => name.text.clone(),
        ast::ExprKind::Index { array, indices } => {
            let indices: Vec<String> = indices.iter().map(plain).collect();
            format!("{}[{}]", plain(array), indices.join(", "))
        }
        ast::ExprKind::Field { record, field } => format!("{}.{}", plain(record), field.text),
        ast::ExprKind::Range { low, high } => format!("{}..{}", plain(low), plain(high)),
        _ => "…".to_owned(),
    }
}
