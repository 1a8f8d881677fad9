//! Functions of a board without its name before them: `hops(a, b)` where only one board can be meant. That is the only
//! board of the game, or the one whose nodes the names in the brackets stand for. What is declared comes first: a game
//! may have a def of its own under each of these names.

use super::functions::functions_of;
use crate::check::checker::Checker;
use crate::check::codes;
use crate::check::declare::Decl;
use crate::check::free;
use crate::check::scope::Binding;
use crate::model::types::Type;
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use std::sync::Arc;

impl<'a> Checker<'a> {
    /// The board whose function a call without a board's name means. `None`: no board has it. An inner `None`: more
    /// than one has it and the arguments do not tell which, which has been reported.
    pub fn meant_board(
        &mut self,
        function: &'a ast::Name,
        args: &'a [ast::Expr],
    ) -> Option<Option<&'a ast::Board>> {
        let boards: Vec<&'a ast::Board> = self
            .board_items()
            .filter(|b| bare_functions(b).any(|f| f == function.text))
            .collect();
        match boards.as_slice() {
            [] => None,
            [only] => Some(Some(only)),
            _ => {
                let of_nodes = self.with_such_nodes(&boards, args);
                if let [only] = of_nodes.as_slice() {
                    return Some(Some(only));
                }
                let open = if of_nodes.is_empty() {
                    boards
                } else {
                    of_nodes
                };
                let forms: Vec<String> = open
                    .iter()
                    .map(|b| format!("`{}.{}(…)`", b.name.text, function.text))
                    .collect();
                self.report(
                    Diagnostic::error(
                        codes::AMBIGUOUS_NAME,
                        function.span,
                        format!("`{}` of more than one board could be meant", function.text),
                    )
                    .hint(format!("write {}", forms.join(" or "))),
                );
                Some(None)
            }
        }
    }

    /// The functions of all boards that need no board's name before them, for suggestions.
    pub fn board_words(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.board_items()
            .flat_map(bare_functions)
            .map(|f| -> &'a str { f })
    }

    fn board_items(&self) -> impl Iterator<Item = &'a ast::Board> + use<'a> {
        let file: &'a ast::File = self.file;
        file.items.iter().filter_map(|item| match item {
            ast::Item::Board(board) => Some(board),
            _ => None,
        })
    }

    /// Those boards for whose nodes, or sets or arrays of them, a name in the arguments stands.
    fn with_such_nodes(
        &mut self,
        boards: &[&'a ast::Board],
        args: &'a [ast::Expr],
    ) -> Vec<&'a ast::Board> {
        let mut used: Vec<&'a str> = Vec::new();
        for e in args {
            free::names(e, &mut |name, _| used.push(name));
        }
        let mut types: Vec<Type> = Vec::new();
        for name in used {
            let of_board = self.board_values(name).into_iter().map(|(_, ty)| ty);
            let of_name = self.type_named(name);
            types.extend(of_name.into_iter().chain(of_board).map(node_type));
        }
        let mut found = Vec::new();
        for item in boards {
            if self.board(item).is_some_and(|b| types.contains(&b.node)) {
                found.push(*item);
            }
        }
        found
    }

    /// The type of what a name stands for; that of its elements where it is an array.
    fn type_named(&mut self, name: &str) -> Option<Type> {
        if let Some(binding) = self.lookup_local(name) {
            return match binding {
                Binding::Value(e) | Binding::Event(e) => Some(e.ty.clone()),
                Binding::Family(family) => {
                    let (_, id) = family.members.first()?;
                    Some(self.locals[id.0 as usize].ty.clone())
                }
                Binding::Place(place) => Some(self.vars[place.var.0 as usize].ty.clone()),
                Binding::Unset(_)
                | Binding::Several(_)
                | Binding::Outdated { .. }
                | Binding::Poison => None,
            };
        }
        match self.names.decls.get(name)? {
            Decl::Var(i) => Some(self.vars.get(*i)?.ty.clone()),
            decl @ (Decl::Const(_) | Decl::Param(_)) => {
                let decl = decl.clone();
                Some(self.declared_constant(&decl)?.expr.ty)
            }
            Decl::Def(d) => self.type_of(d.ty.as_ref()?),
            _ => None,
        }
    }
}

/// `next(c)` is the node after c in their order, nodes or not, and never a neighbour.
fn bare_functions(board: &ast::Board) -> impl Iterator<Item = &'static str> {
    functions_of(&board.kind).filter(|f| *f != "next")
}

fn node_type(ty: Type) -> Type {
    match ty {
        Type::Array { element: inner, .. } | Type::Optional(inner) | Type::Set(inner) => {
            node_type(Arc::unwrap_or_clone(inner))
        }
        other => other,
    }
}
