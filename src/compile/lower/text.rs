//! How actions and outcomes print: code that fills the holes, and who sees each of them.

use super::Builder;
use crate::ir::*;
use crate::model::{Expr, ExprKind, LocalId, Part, Text, TextPart};

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
            // A label shows to its viewers and to all who see a part; a lone product has none.
            let label_seen = label.and(label_viewers).map(|viewers| {
                let mut slot = b.value(viewers).slot;
                for (_, part) in &seen {
                    let dst = b.scalar();
                    b.emit(Instr::SetBinary {
                        op: SetOp::Union,
                        dst,
                        a: slot,
                        b: *part,
                        words: 1,
                    });
                    slot = dst;
                }
                slot
            });
            match text {
                Some(text) => {
                    for part in &text.parts {
                        pieces.push(match part {
                            TextPart::Literal(s) => TextPiece::Literal(s.clone()),
                            TextPart::Hole(e) => b.hole(e, &seen),
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
            pieces.push(self.hole(&local, seen));
        }
        if label.is_some() && !parts.is_empty() {
            pieces.push(TextPiece::Literal(")".to_string()));
        }
    }

    /// A hole: its value, and the viewers of everything that it reads.
    fn hole(&mut self, e: &Expr, seen: &[(LocalId, Slot)]) -> TextPiece {
        let value = self.value(e);
        let mut viewers = Vec::new();
        let mut vars = Vec::new();
        e.for_each(|e| match &e.kind {
            ExprKind::Local(local) => {
                if let Some((_, slot)) = seen.iter().find(|(l, _)| l == local) {
                    viewers.push(*slot);
                }
            }
            ExprKind::Var { var, .. } => vars.push(*var),
            _ => {}
        });
        for var in vars {
            // Whoever misses one element of a variable is not shown what depends on it.
            let seen_by = self.vars[var.0 as usize]
                .viewers
                .iter()
                .fold(self.d.everyone(), |all, m| all & *m);
            if seen_by != self.d.everyone() {
                let dst = self.scalar();
                self.emit(Instr::Const {
                    dst,
                    value: seen_by.word() as i64,
                });
                viewers.push(dst);
            }
        }
        TextPiece::Hole {
            value,
            ty: e.ty.clone(),
            viewers,
        }
    }
}
