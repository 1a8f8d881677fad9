//! What a text declares and nothing in it uses.

use crate::syntax::ast::{Expr, ExprKind, File, Item, Stmt, StmtKind};
use crate::syntax::names::{Definition, DefinitionId, NameKind, Names};
use crate::syntax::visit::Visitor;
use crate::text::span::Span;
use rustc_hash::FxHashSet;

/// The names of params, constants, types, defs, variables and of values within a rule that stand nowhere else in the text.
/// What is on view or revealed is used by those who see it.
pub fn unused(file: &File) -> Vec<Span> {
    let names = Names::of(file);
    let shown = file.items.iter().filter_map(|item| match item {
        Item::Def(def) if def.shown.is_some() => Some(def.name.span),
        _ => None,
    });
    let mut shown: FxHashSet<Span> = shown.collect();
    let mut revealed = Revealed::default();
    file.items.iter().for_each(|item| revealed.item(item));
    shown.extend(revealed.names);
    let uses = names.uses().iter().flat_map(|u| &u.definitions);
    let used: FxHashSet<_> = uses.copied().collect();
    let is_asked = |d: &Definition| {
        matches!(
            d.kind,
            NameKind::Param
                | NameKind::Constant
                | NameKind::Type
                | NameKind::Def
                | NameKind::Variable
                | NameKind::Let
        ) && !shown.contains(&d.span)
    };
    let all = names.definitions().iter().enumerate();
    all.filter(|(i, d)| is_asked(d) && !used.contains(&DefinitionId(*i)))
        .map(|(_, d)| d.span)
        .collect()
}

/// The names of values that are revealed where they get their name.
#[derive(Default)]
struct Revealed {
    names: Vec<Span>,
    /// Whether something was revealed in the value that is looked at.
    seen: bool,
}

impl<'a> Visitor<'a> for Revealed {
    fn stmt(&mut self, stmt: &'a Stmt) {
        if let StmtKind::Let { name, value, .. } = &stmt.kind {
            self.seen = false;
            self.expr(value);
            if self.seen {
                self.names.push(name.span);
            }
        }
        stmt.walk(self);
    }

    fn expr(&mut self, e: &'a Expr) {
        self.seen |= matches!(e.kind, ExprKind::Reveal { .. });
        e.walk(self);
    }
}

#[cfg(test)]
mod tests {
    use super::unused;
    use crate::syntax::parse;

    #[test]
    fn a_name_is_used_wherever_it_stands() {
        let text = "game G {
          players { Ann, Ben }
          param a : 1..3 = 2   param b : 1..3 = 2   param c : 1..3 = 2
          require c > 1
          const d = 4   const e = 3   const f = 2
          type T = 1..3   type U = 1..3
          enum Word { one, two }
          grid Board(2, 2)
          state { v : 0..d   w : T   x : 0..3   y : [Board] 0..3 }
          def g = 1   def h(p: Player) = v + f   shown def i = 1   def j = 2   def k = 3
          note n : 0..3
          rule r() { w = a }
          play {
            r()   Ann chooses q in 1..3 as \"{q} {j}\"   let l = q   let m = reveal(q + 1)   let o = q   let p = o
            if (let z = q; q > 2) { v = p }
          }
          payoff general-sum: [p in Player] h(p)
          knowledge Player { evaluate = k   layout cell in Board { y[cell] == 1 => \"x\"   else => \".\" } }
        }";
        let (file, problems) = parse(text);
        assert!(problems.is_empty(), "{problems:?}");
        let names = unused(&file.unwrap()).into_iter();
        let names: Vec<&str> = names.map(|span| &text[span.range()]).collect();
        assert_eq!(names, ["b", "e", "U", "x", "g", "l", "z"]);
    }
}
