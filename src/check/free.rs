//! The names that an expression reads and does not bind itself.

use crate::syntax::ast::{Expr, Name};
use crate::syntax::visit::{NameKind, Visitor};
use crate::text::span::Span;

/// Calls `f` with every name that is read and not bound within `e`.
pub fn names<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a str, Span)) {
    let mut free = Free {
        bound: Vec::new(),
        scopes: Vec::new(),
        f,
    };
    free.expr(e);
}

struct Free<'a, 'f> {
    bound: Vec<&'a str>,
    /// How many names were bound where each scope began.
    scopes: Vec<usize>,
    f: &'f mut dyn FnMut(&'a str, Span),
}

impl<'a> Visitor<'a> for Free<'a, '_> {
    fn expr(&mut self, e: &'a Expr) {
        match e.as_name() {
            Some(name) if self.bound.contains(&name.text.as_str()) => {}
            Some(name) => (self.f)(&name.text, e.span),
            None => e.walk(self),
        }
    }

    fn bind(&mut self, name: &'a Name, _kind: NameKind) {
        self.bound.push(&name.text);
    }

    fn enter(&mut self, _scope: Span) {
        self.scopes.push(self.bound.len());
    }

    fn leave(&mut self) {
        self.bound.truncate(self.scopes.pop().unwrap_or(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::ast::Item;
    use crate::syntax::parse;

    fn free(expression: &str) -> Vec<String> {
        let (file, problems) = parse(&format!("game G {{ def d = {expression} }}"));
        assert!(problems.is_empty(), "{problems:?}");
        let file = file.expect("a tree");
        let Some(Item::Def(def)) = file.items.first() else {
            panic!("{file:?}");
        };
        let mut found = Vec::new();
        names(&def.body, &mut |name, _| found.push(name.to_string()));
        found
    }

    #[test]
    fn what_is_bound_is_not_free() {
        assert_eq!(free("{ x + a for x in S where x > b }"), ["S", "b", "a"]);
        assert_eq!(free("let x = x; x + y"), ["x", "y"]);
        assert_eq!(free("(some x in S: x == a) and x"), ["S", "a", "x"]);
    }

    #[test]
    fn statements_of_an_after_read_names() {
        assert_eq!(
            free("v after { let x = a  v = x + b  match c { p, q..r => v = d  else => {} } }"),
            ["v", "a", "v", "b", "c", "p", "q", "r", "v", "d"]
        );
        assert_eq!(
            free(
                "v after { while c at most n { v = x } repeat k times { let x = 1  v = x } v = x }"
            ),
            ["v", "c", "n", "v", "x", "k", "v", "v", "x"]
        );
        assert_eq!(
            free("v after { turns me from a among S while c at most n { v[me] = b } v = me }"),
            ["v", "a", "S", "c", "n", "v", "b", "v", "me"]
        );
    }
}
