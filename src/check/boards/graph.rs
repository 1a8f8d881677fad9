//! Graphs by their nodes and edges.

use super::lattice::enum_of;
use crate::check::checker::Checker;
use crate::check::codes;
use crate::check::declare::{Decl, enum_type};
use crate::check::params::constant_frame;
use crate::model::boards::Board;
use crate::model::types::Type;
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl<'a> Checker<'a> {
    pub(super) fn graph(
        &mut self,
        item: &'a ast::Board,
        nodes: &'a ast::Nodes,
        edges: &'a [ast::Edges],
    ) -> Option<Board> {
        let node = self.graph_nodes(item, nodes)?;
        let label = self.graph_labels(item, edges)?;
        let labels = label.as_ref().and_then(Type::size).unwrap_or(1) as usize;
        let size = node.size()? as usize;
        let mut found = vec![vec![Vec::new(); size]; labels];
        // Where each edge was given first, by label, from and to.
        let mut given: FxHashMap<(usize, u32, u32), Span> = FxHashMap::default();
        let mut ok = true;
        for block in edges {
            let number = match (&label, &block.label) {
                (Some(ty), Some(name)) => value_named(ty, &name.text)?,
                _ => 0,
            };
            for list in &block.lists {
                let from = self.graph_node(item, &node, &list.from);
                for to in &list.to {
                    let (Some(a), Some(b)) = (from, self.graph_node(item, &node, to)) else {
                        ok = false;
                        continue;
                    };
                    if a == b {
                        self.loop_edge(&node, a, to.span);
                        ok = false;
                        continue;
                    }
                    let ways = if block.directed {
                        vec![(a, b)]
                    } else {
                        vec![(a, b), (b, a)]
                    };
                    if let Some(&first) =
                        ways.iter().find_map(|(a, b)| given.get(&(number, *a, *b)))
                    {
                        self.edge_twice(&node, (a, b), to.span, first);
                        ok = false;
                        continue;
                    }
                    for (a, b) in ways {
                        given.insert((number, a, b), to.span);
                        found[number][a as usize].push(b);
                    }
                }
            }
        }
        for list in found.iter_mut().flatten() {
            list.sort_unstable();
        }
        ok.then(|| Board {
            name: item.name.text.clone(),
            node,
            label,
            edges: found,
            lattice: None,
        })
    }

    /// Numbered nodes are integers, named ones an enum.
    fn graph_nodes(&mut self, item: &'a ast::Board, nodes: &'a ast::Nodes) -> Option<Type> {
        match nodes {
            ast::Nodes::Range { low: lo, high: hi } => {
                let (lo, hi) = self.in_frame(constant_frame("the nodes of a graph"), |this| {
                    (this.constant_int(lo), this.constant_int(hi))
                });
                let (lo, hi) = (lo?, hi?);
                let count = i128::from(hi) - i128::from(lo) + 1;
                let said = format!("the nodes {lo}..{hi}, {} of them", count.max(0));
                self.nodes_fit(&item.name, count, &said)?;
                Some(Type::Int { lo, hi })
            }
            ast::Nodes::Names(values) => {
                let count = values.len() as i128;
                self.nodes_fit(&item.name, count, &format!("{count} nodes"))?;
                Some(Type::Enum(Arc::new(enum_type(&item.name.text, values))))
            }
        }
    }

    /// The type of the labels: the first declared enum that has all of them, or an enum of their own. `None`: an error.
    fn graph_labels(
        &mut self,
        item: &'a ast::Board,
        edges: &'a [ast::Edges],
    ) -> Option<Option<Type>> {
        let mut labels: Vec<&'a str> = Vec::new();
        for label in edges.iter().filter_map(|e| e.label.as_ref()) {
            if !labels.contains(&label.text.as_str()) {
                labels.push(&label.text);
            }
        }
        if labels.is_empty() {
            return Some(None);
        }
        if let Some(without) = edges.iter().find(|e| e.label.is_none()) {
            self.report(
                Diagnostic::error(
                    codes::BAD_EDGE,
                    without.span,
                    format!(
                        "these edges of `{}` have no label, and others have",
                        item.name.text
                    ),
                )
                .hint("give all of them a label: `edges road { … }`"),
            );
            return None;
        }
        let declared: Vec<Decl<'a>> = self
            .names
            .order
            .iter()
            .filter_map(|name| self.names.decls.get(name).cloned())
            .collect();
        for decl in declared {
            let ty = match decl {
                Decl::Enum(e) => self.cut(&e).map(Type::Enum),
                Decl::Type(t) if matches!(t.ty.kind, ast::TypeKind::Enum(_)) => {
                    self.declared_type(t)
                }
                _ => None,
            };
            if let Some(ty) = ty
                && labels.iter().all(|l| value_named(&ty, l).is_some())
            {
                return Some(Some(ty));
            }
        }
        Some(Some(enum_of(
            format!("{}.label", item.name.text),
            labels.into_iter().map(String::from),
        )))
    }

    /// The ordinal of a node as it stands among the edges.
    fn graph_node(&mut self, item: &ast::Board, node: &Type, e: &ast::Expr) -> Option<u32> {
        let (found, said) = match &e.kind {
            ast::ExprKind::Int(n) => {
                let found = match node {
                    Type::Int { lo, hi } if lo <= n && n <= hi => Some((n - lo) as u32),
                    _ => None,
                };
                (found, n.to_string())
            }
            ast::ExprKind::Name(ast::Name { text: name, .. }) => {
                (value_named(node, name).map(|i| i as u32), name.clone())
            }
            _ => return None,
        };
        if found.is_none() {
            let message = format!("`{}` has no node {said}", item.name.text);
            let problem = Diagnostic::error(codes::UNKNOWN_NODE, e.span, message);
            self.report(match node {
                Type::Enum(names) => {
                    match nearest(&said, names.values.iter().map(|v| v.name.as_str())) {
                        Some(near) => problem.did_you_mean(near),
                        None => problem.hint("name it among the `nodes`"),
                    }
                }
                ty => problem.hint(format!("the nodes are {ty}")),
            });
        }
        found
    }

    fn loop_edge(&mut self, node: &Type, at: u32, span: Span) {
        let shown = node.show(node.value_at(u64::from(at)));
        self.report(
            Diagnostic::error(
                codes::BAD_EDGE,
                span,
                format!("this edge leads from {shown} to itself"),
            )
            .hint("where somebody may stay, offer `Map.next(c) + c`"),
        );
    }

    fn edge_twice(&mut self, node: &Type, (a, b): (u32, u32), span: Span, first: Span) {
        let shown = |n: u32| node.show(node.value_at(u64::from(n)));
        self.report(
            Diagnostic::error(
                codes::BAD_EDGE,
                span,
                format!("the edge between {} and {} is given twice", shown(a), shown(b)),
            )
            .label("given again")
            .note(first, "given here first")
            .hint("an edge is given once, at one of its ends; it leads both ways unless it is `directed`"),
        );
    }
}

/// The place of a value among those of an enum.
fn value_named(ty: &Type, name: &str) -> Option<usize> {
    match ty {
        Type::Enum(e) => e.values.iter().position(|v| v.name == name),
        _ => None,
    }
}
