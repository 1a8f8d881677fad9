//! How actions and outcomes print: code that fills the holes, and who sees each of them.

use super::Builder;
use crate::ir::*;
use crate::model::{Expr, ExprKind, LocalId, Part, PlayerSet, Text, TextPart};

impl Builder<'_> {
    /// The text of an alternative. Without one of its own it prints its label and its values.
    pub(super) fn action_text(
        &mut self,
        label: Option<&str>,
        text: Option<&Text>,
        parts: &[Part],
        label_viewers: Option<&Expr>,
    ) -> TextCode {
        let mut pieces = Vec::new();
        let code = self.aside(|b| {
            let seen: Vec<(LocalId, Slot)> = parts
                .iter()
                .map(|part| (part.local, b.value(&part.viewers).slot))
                .collect();
            // A lone product has no label that could be hidden.
            let label_seen = label
                .and(label_viewers)
                .map(|viewers| b.value(viewers).slot);
            match text {
                Some(text) => {
                    for part in &text.parts {
                        pieces.push(match part {
                            TextPart::Literal(s) => TextPiece::Literal(s.clone()),
                            TextPart::Hole(hole) => {
                                b.hole(&hole.value, &seen, b.d.hole_viewers[hole.number])
                            }
                        });
                    }
                }
                None => b.plain_text(label, parts, &seen, &mut pieces),
            }
            if let Some(slot) = label_seen {
                pieces.push(TextPiece::Hole {
                    value: Operand { slot, words: 0 },
                    ty: crate::model::types::Type::Bool,
                    viewers: vec![slot],
                });
            }
        });
        TextCode { code, pieces }
    }

    fn plain_text(
        &mut self,
        label: Option<&str>,
        parts: &[Part],
        seen: &[(LocalId, Slot)],
        pieces: &mut Vec<TextPiece>,
    ) {
        if let Some(label) = label {
            pieces.push(TextPiece::Literal(label.to_string()));
        }
        for (i, part) in parts.iter().enumerate() {
            let before = match (i, label) {
                (0, None) => "",
                (0, Some(_)) => "(",
                _ => ", ",
            };
            pieces.push(TextPiece::Literal(before.to_string()));
            let local = Expr {
                kind: ExprKind::Local(part.local),
                ty: self.d.local(part.local).ty.clone(),
                span: part.span,
            };
            pieces.push(self.hole(&local, seen, self.d.everyone()));
        }
        if label.is_some() && !parts.is_empty() {
            pieces.push(TextPiece::Literal(")".to_string()));
        }
    }

    /// A hole: its value, and the viewers of the values of the action that it reads. `known`: who could know the rest.
    fn hole(&mut self, e: &Expr, seen: &[(LocalId, Slot)], known: PlayerSet) -> TextPiece {
        let value = self.value(e);
        let reads = seen.iter().filter(|(local, _)| e.reads_local(*local));
        let mut viewers: Vec<Slot> = reads.map(|(_, slot)| *slot).collect();
        if known != self.d.everyone() {
            let dst = self.scalar();
            self.emit(Instr::Const {
                dst,
                value: known.word() as i64,
            });
            viewers.push(dst);
        }
        TextPiece::Hole {
            value,
            ty: e.ty.clone(),
            viewers,
        }
    }
}
