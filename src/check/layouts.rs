//! `layout c in Board { … }`: which mark each cell of a board shows.

use super::checker::Checker;
use super::codes;
use super::description::{BoardLayout, ExprKind, KnowledgeKind, LocalId};
use super::types::Type;
use crate::diagnostics::Diagnostic;
use crate::syntax::ast;
use crate::syntax::span::Span;

/// The most characters of a mark; a cell is not much wider.
const LONGEST_MARK: usize = 8;

impl<'a> Checker<'a> {
    /// An entry with its name, by which a player has one layout of a board at most.
    pub(super) fn layout(
        &mut self,
        cell: &'a ast::Name,
        board: &'a ast::Expr,
        rules: &'a [ast::LayoutRule],
        me: LocalId,
    ) -> Option<(String, KnowledgeKind)> {
        let domain = self.about(me, &[], |this| this.expr(board, None))?;
        let Some(Type::Enum(cells)) = domain.ty.element().cloned() else {
            self.report(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    board.span,
                    "a layout is of the cells of a board",
                )
                .hint("name a grid, a hex board or an enum: `layout c in Board { … }`"),
            );
            return None;
        };
        let all = self.words_of(&domain).is_some_and(|words| {
            let size: u32 = words.iter().map(|w| w.count_ones()).sum();
            size as usize == cells.values.len()
        });
        if !all {
            self.report(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    board.span,
                    "a layout is of the whole board",
                )
                .hint(format!(
                    "name the board, `layout {} in {} {{ … }}`, and give the other cells a mark of their own",
                    cell.text, cells.name
                )),
            );
            return None;
        }
        let name = format!("layout of {}", cells.name);
        let local = self.new_local(&cell.text, Type::Enum(cells), cell.span);
        let names = [(cell.text.clone(), local)];
        let number = Type::Int {
            lo: 0,
            hi: rules.len() as i64,
        };
        let mut conds = Vec::new();
        let mut closed = false;
        for rule in rules {
            self.mark(&rule.mark, rule.span)?;
            if closed {
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
            conds.push(match &rule.cond {
                Some(cond) => Some(self.about(me, &names, |this| this.condition(cond))?),
                None => None,
            });
            closed = rule.cond.is_none();
        }
        let span = board.span;
        let mut value = self.scalar(0, number.clone(), span);
        for (i, cond) in conds.into_iter().enumerate().rev() {
            let here = self.scalar(i as i64 + 1, number.clone(), span);
            value = match cond {
                None => here,
                Some(cond) => {
                    let span = cond.span;
                    let kind = ExprKind::If(Box::new(cond), Box::new(here), Box::new(value));
                    self.make(kind, number.clone(), span)
                }
            };
        }
        let marks = rules.iter().map(|rule| rule.mark.clone()).collect();
        let layout = BoardLayout {
            cell: local,
            rule: value,
            marks,
        };
        Some((name, KnowledgeKind::Layout(layout)))
    }

    fn mark(&mut self, mark: &str, span: Span) -> Option<()> {
        let plain = |c: char| !c.is_whitespace() && !c.is_control() && c != '{' && c != '}';
        let length = mark.chars().count();
        if (1..=LONGEST_MARK).contains(&length) && mark.chars().all(plain) {
            return Some(());
        }
        self.report(
            Diagnostic::error(
                codes::TYPE_MISMATCH,
                span,
                "a mark is a short text without blanks and braces",
            )
            .hint(format!(
                "a letter or two, at most {LONGEST_MARK} characters: `=> \"X\"`"
            )),
        );
        None
    }
}
