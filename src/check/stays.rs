//! A pile of the state from which something is drawn and that nothing ever changes: `draw c in deck` leaves the card in it.

use super::codes;
use crate::model::visit::Visitor;
use crate::model::{Description, ExprKind, Part, Place, Stmt, StmtKind, VarId};
use crate::text::diagnostics::Diagnostic;
use rustc_hash::FxHashSet;

/// The first draw from each such pile.
pub fn draws_from_what_stays(d: &Description) -> Vec<Diagnostic> {
    let mut finder = Finder::default();
    finder.block(&d.play);
    let Finder { drawn, mut stored } = finder;
    let mut notes = Vec::new();
    for (var, part, alone) in drawn {
        if d.var(var).note || !stored.insert(var) {
            continue;
        }
        let (pile, name) = (&d.var(var).name, &d.local(part.local).name);
        let message = format!("what is drawn stays in `{pile}`, which nothing changes");
        let takes_out = match alone {
            true => format!("`draw {name} from {pile}` takes it out"),
            false => "`draw x from place`, one value at a time, takes it out".to_string(),
        };
        notes.push(
            Diagnostic::note_of(codes::STAYS, part.span, message).hint(format!(
                "{takes_out}; where the same may be drawn again, make `{pile}` a `const`"
            )),
        );
    }
    notes
}

#[derive(Default)]
struct Finder<'d> {
    /// With whether it is the only value of its draw, and the pile no element of an array.
    drawn: Vec<(VarId, &'d Part, bool)>,
    stored: FxHashSet<VarId>,
}

impl<'d> Visitor<'d> for Finder<'d> {
    fn stmt(&mut self, s: &'d Stmt) {
        if let StmtKind::Draw(draw) = &s.kind {
            let single = draw.parts.len() == 1;
            let piles = draw.parts.iter();
            let piles = piles.filter_map(|part| match &part.domain.uncast().kind {
                ExprKind::Var { var, indices } => Some((*var, part, single && indices.is_empty())),
                _ => None,
            });
            self.drawn.extend(piles);
        }
        s.walk(self);
    }

    fn place(&mut self, place: &'d Place) {
        self.stored.insert(place.var);
        place.walk(self);
    }
}
