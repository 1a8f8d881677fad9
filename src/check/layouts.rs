//! `layout c in Board { … }`: which mark each cell of a board, or node of a graph, shows.

use super::checker::Checker;
use super::codes;
use super::scope::Binding;
use crate::model::boards::Board;
use crate::model::shape::Shape;
use crate::model::types::{Type, bits};
use crate::model::{BoardLayout, ExprKind, GraphLayout, KnowledgeKind, LocalId, Mark, MarkRule};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use std::sync::Arc;

/// The most characters of a mark; a cell is not much wider.
const LONGEST_MARK: usize = 8;
/// The mark of a cell that is left empty.
const BLANK: &str = " ";

/// The most marks of one rule.
const MAX_MARKS: usize = 64;

impl<'a> Checker<'a> {
    /// An entry with its name, by which a player has one layout of a board at most.
    pub(super) fn layout(
        &mut self,
        (cell, board): (&'a ast::Name, &'a ast::Expr),
        picture: &'a [ast::Quoted],
        rules: &'a [ast::LayoutRule],
        me: LocalId,
    ) -> Option<(String, KnowledgeKind)> {
        let (name, node) = self.laid_out(cell, board, me)?;
        let declared = self.declared_board(board, &node)?;
        if declared.is_none() && Shape::new(&node, None).is_none() && !self.is_cut(&name) {
            self.no_cells(&name, board.span);
            return None;
        }
        let graph = declared.filter(|board| board.lattice.is_none());
        let graph = match graph {
            Some(board) => {
                let picture = match picture {
                    [] => None,
                    rows => Some(self.picture(&board, rows)?),
                };
                Some(GraphLayout { board, picture })
            }
            None => {
                self.refuse_picture(&name, picture)?;
                None
            }
        };
        let local = self.new_local(&cell.text, node, cell.span);
        let names = [(cell.text.clone(), local)];
        let mut made: Vec<MarkRule> = Vec::new();
        for rule in rules {
            if made.last().is_some_and(|last| last.otherwise) {
                self.report(
                    Diagnostic::error(
                        codes::DUPLICATE_PATTERN,
                        rule.span,
                        "a rule after the `else`",
                    )
                    .label("never reached")
                    .hint("put it before the `else`, or leave it out"),
                );
                return None;
            }
            made.push(self.about(me, &names, |this| this.mark_rule(rule))?);
        }
        let layout = BoardLayout {
            board: name.clone(),
            cell: local,
            rules: made,
            graph,
        };
        Some((format!("layout of {name}"), KnowledgeKind::Layout(layout)))
    }

    /// The name of the board, and the type of its cells.
    fn laid_out(
        &mut self,
        cell: &'a ast::Name,
        board: &'a ast::Expr,
        me: LocalId,
    ) -> Option<(String, Type)> {
        let domain = self.about(me, &[], |this| this.expr(board, None))?;
        let named = match self.named_board(board) {
            Some(item) => self.board(item).map(|board| board.name.clone()),
            None => None,
        };
        let name = match (domain.ty.element(), named) {
            (Some(Type::Int { .. }), Some(name)) => name,
            (Some(Type::Enum(cells)), _) => cells.name.clone(),
            _ => {
                self.report(
                    Diagnostic::error(
                        codes::TYPE_MISMATCH,
                        board.span,
                        "a layout is of the cells of a board",
                    )
                    .hint(
                        "name a graph, a grid, a hex board or an enum: `layout c in Board { … }`",
                    ),
                );
                return None;
            }
        };
        let node = domain.ty.element()?.clone();
        let all = self.words_of(&domain).is_some_and(|words| {
            let size: u32 = words.iter().map(|w| w.count_ones()).sum();
            Some(u64::from(size)) == node.size()
        });
        if !all {
            self.report(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    board.span,
                    "a layout is of the whole board",
                )
                .hint(format!(
                    "name the board, `layout {} in {name} {{ … }}`, and give the other cells a mark of their own",
                    cell.text
                )),
            );
            return None;
        }
        Some((name, node))
    }

    /// The board whose nodes these are; for numbers, the one that is named.
    fn declared_board(&mut self, board: &'a ast::Expr, node: &Type) -> Option<Option<Arc<Board>>> {
        Some(match self.named_board(board) {
            Some(item) => Some(self.board(item)?),
            None => {
                let mut known = self.boards.values().flatten();
                known.find(|b| b.node == *node).cloned()
            }
        })
    }

    /// Whether the params say how many values an enum has, so that the layout may be for others of their values.
    fn is_cut(&self, name: &str) -> bool {
        self.names.cut.contains_key(name)
    }

    fn no_cells(&mut self, name: &str, span: Span) {
        let message = format!("the values of `{name}` do not lie in rows and columns");
        self.report(
            Diagnostic::error(codes::TYPE_MISMATCH, span, message)
                .label("nothing would be drawn")
                .hint(format!(
                    "name them as the cells of a rectangle, from `a1` on, at least four; or declare `grid {name}(3, 2)` or a `graph`"
                )),
        );
    }

    fn refuse_picture(&mut self, board: &str, picture: &'a [ast::Quoted]) -> Option<()> {
        let Some(row) = picture.first() else {
            return Some(());
        };
        self.report(
            Diagnostic::error(
                codes::BAD_PICTURE,
                row.span,
                format!("`{board}` needs no picture"),
            )
            .hint("only a graph is drawn by a picture; the cells of other boards lie where their names say"),
        );
        None
    }

    fn mark_rule(&mut self, rule: &'a ast::LayoutRule) -> Option<MarkRule> {
        let Some(cond) = &rule.cond else {
            self.mark(&rule.mark.text, rule.span)?;
            let always = self.scalar(1, Type::Bool, rule.span);
            return Some(MarkRule {
                marks: vec![Mark {
                    cond: always,
                    text: rule.mark.text.clone(),
                }],
                otherwise: true,
            });
        };
        let marks = match &rule.each {
            Some(binder) => self.marks(binder, cond, rule)?,
            None => {
                self.mark(&rule.mark.text, rule.span)?;
                let (cond, text) = (self.condition(cond)?, rule.mark.text.clone());
                vec![Mark { cond, text }]
            }
        };
        Some(MarkRule {
            marks,
            otherwise: false,
        })
    }

    /// `each d in S: condition => "{d}"`: a condition and a mark for each element.
    fn marks(
        &mut self,
        binder: &'a ast::Binder,
        cond: &'a ast::Expr,
        rule: &ast::LayoutRule,
    ) -> Option<Vec<Mark>> {
        let domain = self.expr(&binder.domain, None)?;
        let domain = self.a_set(domain)?;
        let words = self.known_words(&domain)?;
        let index = domain.ty.element()?.clone();
        let values: Vec<i64> = bits(&words).map(|i| index.value_at(i)).collect();
        if values.len() > MAX_MARKS {
            self.report(
                Diagnostic::error(
                    codes::TOO_LARGE,
                    binder.domain.span,
                    format!("{} marks in one rule, more than {MAX_MARKS}", values.len()),
                )
                .hint("let `some d in S: …` ask about all of them, with one mark"),
            );
            return None;
        }
        let hole = format!("{{{}}}", binder.name.text);
        let mut marks = Vec::new();
        for v in values {
            let mark = rule.mark.text.replace(&hole, &index.show(v));
            self.mark(&mark, rule.span)?;
            let value = self.scalar(v, index.clone(), binder.name.span);
            let cond = self.scoped(|this| {
                this.bind(&binder.name, Binding::Value(value));
                let wanted = match &binder.cond {
                    Some(wanted) => Some(this.condition(wanted)?),
                    None => None,
                };
                let cond = this.condition(cond)?;
                Some(match wanted {
                    None => cond,
                    Some(wanted) => {
                        let span = cond.span;
                        let never = this.scalar(0, Type::Bool, span);
                        let kind = ExprKind::If {
                            cond: Box::new(wanted),
                            then: Box::new(cond),
                            otherwise: Box::new(never),
                        };
                        this.make(kind, Type::Bool, span)
                    }
                })
            })?;
            marks.push(Mark { cond, text: mark });
        }
        Some(marks)
    }

    fn mark(&mut self, mark: &str, span: Span) -> Option<()> {
        let plain = |c: char| !c.is_whitespace() && !c.is_control() && c != '{' && c != '}';
        let length = mark.chars().count();
        let short = (1..=LONGEST_MARK).contains(&length) && mark.chars().all(plain);
        if short || mark == BLANK {
            return Some(());
        }
        self.report(
            Diagnostic::error(
                codes::TYPE_MISMATCH,
                span,
                format!("the mark `{mark}` is not a short text without blanks and braces"),
            )
            .hint(format!(
                "a letter or two, at most {LONGEST_MARK} characters: `=> \"X\"`; `each d in S: …` may have `\"{{d}}\"`"
            )),
        );
        None
    }
}
