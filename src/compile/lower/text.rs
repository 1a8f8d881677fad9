//! How actions and outcomes print: code that fills the holes, and who sees each of them.

use super::Builder;
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{Alternative, Expr, ExprKind, Hole, LocalId, Part, Text, TextCase, TextPart};

impl Builder<'_> {
    /// The text of an alternative. Without one of its own it prints its label and its values.
    pub(super) fn action_text(
        &mut self,
        label: Option<&str>,
        text: Option<&Text>,
        parts: &[Part],
        label_viewers: Option<&Expr>,
    ) -> TextCode {
        let (mut cases, mut pieces) = (Vec::new(), Vec::new());
        let hidden = text.and_then(|text| text.hidden.clone());
        let mut hidden: Vec<TextPiece> = hidden.into_iter().map(TextPiece::Literal).collect();
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
                    let join = b.new_block();
                    for case in &text.cases {
                        cases.push(b.case(case, &seen, label_seen, join));
                    }
                    pieces = b.pieces(&text.parts, &seen);
                    b.jump(join);
                    b.start(join);
                }
                None => b.plain_text(label, parts, &seen, &mut pieces),
            }
            pieces.extend(label_seen.map(label_piece));
            if !hidden.is_empty() {
                hidden.extend(label_seen.map(label_piece));
            }
        });
        TextCode {
            code,
            cases,
            pieces,
            hidden,
        }
    }

    /// One of the cases of a text; those that follow are looked at where it does not hold.
    fn case(
        &mut self,
        case: &TextCase,
        seen: &[(LocalId, Slot)],
        label_seen: Option<Slot>,
        join: BlockId,
    ) -> TextCaseCode {
        let cond = self.value(&case.cond.value).slot;
        let viewers = self.hole_viewers(&case.cond, seen);
        let (yes, no) = (self.new_block(), self.new_block());
        self.branch(cond, yes, no);
        self.start(yes);
        let mut pieces = self.pieces(&case.parts, seen);
        pieces.extend(label_seen.map(label_piece));
        self.jump(join);
        self.start(no);
        TextCaseCode {
            cond,
            viewers,
            pieces,
        }
    }

    pub(super) fn pieces(
        &mut self,
        parts: &[TextPart],
        seen: &[(LocalId, Slot)],
    ) -> Vec<TextPiece> {
        let pieces = parts.iter().map(|part| match part {
            TextPart::Literal(s) => TextPiece::Literal(s.clone()),
            TextPart::Hole(hole) => TextPiece::Hole {
                value: self.value(&hole.value),
                ty: hole.value.ty.clone(),
                viewers: self.hole_viewers(hole, seen),
            },
        });
        pieces.collect()
    }

    /// The text of a choice without one, where it is a part of one move, all of which everybody sees: its label and its values,
    /// after a comma.
    pub(super) fn plain_part(&mut self, alternative: &Alternative) -> Vec<TextPiece> {
        let mut pieces = vec![TextPiece::Literal(", ".to_string())];
        let label = alternative.label.as_deref();
        self.plain_text(label, &alternative.parts, &[], &mut pieces);
        pieces
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
            let viewers = seen.iter().filter(|(id, _)| *id == part.local);
            pieces.push(TextPiece::Hole {
                value: self.value(&local),
                ty: local.ty.clone(),
                viewers: viewers.map(|(_, slot)| *slot).collect(),
            });
        }
        if label.is_some() && !parts.is_empty() {
            pieces.push(TextPiece::Literal(")".to_string()));
        }
    }

    /// The viewers of the values of the action that a hole reads, and those who could know the rest.
    pub(super) fn hole_viewers(&mut self, hole: &Hole, seen: &[(LocalId, Slot)]) -> Vec<Slot> {
        let known = self.d.hole_viewers[hole.number];
        let reads = seen
            .iter()
            .filter(|(local, _)| hole.value.reads_local(*local));
        let mut viewers: Vec<Slot> = reads.map(|(_, slot)| *slot).collect();
        if known != self.d.everyone() {
            let dst = self.number(known.word() as i64);
            viewers.push(dst);
        }
        viewers
    }
}

/// What hides a whole text from those who do not see the label.
fn label_piece(viewers: Slot) -> TextPiece {
    TextPiece::Hole {
        value: Operand {
            slot: viewers,
            words: 0,
        },
        ty: Type::Bool,
        viewers: vec![viewers],
    }
}
