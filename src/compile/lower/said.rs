//! The texts of reveals: their values are computed where the event happens.

use super::Builder;
use crate::ir::{EventCode, Operand, Said, SaidPiece, SaidValue};
use crate::model::{Expr, ExprKind, Text, TextPart};

impl Builder<'_> {
    /// A reveal with a text.
    pub(super) fn reveal_said(&mut self, event: &Expr, text: &Text) {
        let ExprKind::Reveal {
            site,
            value,
            viewers,
        } = &event.kind
        else {
            return;
        };
        let value = self.value(value);
        let part = (value, self.value(viewers).slot);
        let said = self.said(text);
        let nobody = self.number(0);
        self.send(EventCode {
            site: *site,
            chooser: None,
            alternative: None,
            labelled: false,
            viewers: nobody,
            parts: vec![part],
            said: Some(Box::new(said)),
        });
    }

    /// The values of a text. Those of other cases than the one that holds are not computed.
    fn said(&mut self, text: &Text) -> Said {
        let mut said = Said::default();
        for hole in text.holes() {
            let ty = hole.value.ty.clone();
            let value = self.temporary(ty.words() as u16);
            self.set_constant(value, &ty, &vec![0; ty.words()]);
            let viewers = self.d.hole_viewers[hole.number];
            said.values.push(SaidValue { value, ty, viewers });
        }
        let slots: Vec<Operand> = said.values.iter().map(|v| v.value).collect();
        let mut at = 0;
        let join = self.new_block();
        for case in &text.cases {
            let cond = at;
            at += 1;
            self.compute(&case.cond.value, slots[cond]);
            let (yes, no) = (self.new_block(), self.new_block());
            self.branch(slots[cond].slot, yes, no);
            self.start(yes);
            let pieces = self.said_pieces(&case.parts, &slots, &mut at);
            said.cases.push((cond, pieces));
            self.jump(join);
            self.start(no);
        }
        said.pieces = self.said_pieces(&text.parts, &slots, &mut at);
        self.jump(join);
        self.start(join);
        said
    }

    fn said_pieces(
        &mut self,
        parts: &[TextPart],
        slots: &[Operand],
        at: &mut usize,
    ) -> Vec<SaidPiece> {
        let pieces = parts.iter().map(|part| match part {
            TextPart::Literal(text) => SaidPiece::Literal(text.clone()),
            TextPart::Hole(hole) => {
                let number = *at;
                *at += 1;
                self.compute(&hole.value, slots[number]);
                SaidPiece::Value(number)
            }
        });
        pieces.collect()
    }
}
