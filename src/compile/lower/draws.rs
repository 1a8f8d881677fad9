//! Draws and deals: chance nodes, and what happens with an outcome.

use super::super::codes;
use super::Builder;
use super::listing::{in_bulk, plain};
use super::trial::{Drawn, Product};
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{Deal, Draw, Expr, ExprKind, PlaceIndex, StoreOp};

impl Builder<'_> {
    /// Whether a weight can be computed where nothing is drawn: no error of play comes of it.
    fn is_harmless(&self, weight: &Expr) -> bool {
        let positive = weight.ty.bounds().is_some_and(|(lo, _)| lo >= 0);
        let known = self
            .constant(weight)
            .is_some_and(|words| words.iter().all(|w| (*w as i64) >= 0));
        known || positive && self.is_total(weight)
    }

    pub(super) fn draw(&mut self, draw: &Draw) {
        let chosen = self.chosen(1);
        let slots: Vec<Operand> = draw.parts.iter().map(|p| self.bind(p.local)).collect();
        let single = plain(&draw.parts) && draw.cond.is_none() && draw.weight.is_none();
        let product = Product {
            parts: &draw.parts,
            cond: draw.cond.as_ref(),
            weight: draw.weight.as_ref(),
        };
        let fixed = self.fixed(product, &slots, chosen);
        let (known, sampled) = fixed.unzip();
        let kind = if let Some(kind) = known.flatten() {
            kind
        } else if single {
            self.set_listing(&draw.parts[0])
        } else {
            let negative = self.fault(
                codes::NEGATIVE_WEIGHT,
                draw.weight.as_ref().map_or(draw.span, |w| w.span),
                "the weight of a draw is {}, below zero",
            );
            let code = self.aside(|b| {
                let weight = draw.weight.as_ref();
                // In bulk, the weight of a set is computed even if the set is empty.
                let bulk = match weight.is_none_or(|weight| b.is_harmless(weight)) {
                    true => in_bulk(&draw.parts, weight, b.marked()),
                    false => 0,
                };
                let cond = draw.cond.as_ref();
                b.tuples(&draw.parts, cond, bulk, &mut |b, parts, bulk| {
                    let weight = draw.weight.as_ref().map(|weight| {
                        let value = b.value(weight).slot;
                        b.emit(Instr::Check {
                            value,
                            lo: 0,
                            hi: i64::MAX,
                            fault: negative,
                        });
                        value
                    });
                    b.emit(Instr::Emit {
                        alternative: 0,
                        parts: parts.to_vec(),
                        weight,
                        rank: None,
                        bulk,
                    });
                });
            });
            ListingKind::Loop {
                code,
                weighted: draw.weight.is_some(),
                ranked: false,
            }
        };
        let text = self.unmarked(|b| b.action_text(None, draw.text.as_ref(), &draw.parts, None));
        let fault = self.fault(
            codes::NO_OUTCOME,
            draw.span,
            "there is nothing to draw from here",
        );
        let parts = slots
            .iter()
            .copied()
            .zip(draw.parts.iter().map(|p| self.local_type(p.local)))
            .collect();
        let trial = sampled.unwrap_or_else(|| {
            let rows = self.row_lists(&[product]);
            let drawn = Drawn {
                chosen,
                fault,
                perhaps_none: false,
            };
            self.trial_of(&kind, &[product], rows.as_deref(), drawn)
        });
        self.rest(
            NodeKind::Chance(Listing {
                site: draw.site,
                kind,
                chosen,
                alternatives: vec![AlternativeCode {
                    parts,
                    text,
                    ratings: Vec::new(),
                }],
                fault,
                trial,
                option_test: None,
            }),
            draw.span,
        );
        self.scope(|b| {
            let parts = b.seen_parts(&draw.parts);
            b.event(draw.site, None, Some(0), parts, None);
        });
        self.stores(&draw.parts);
    }

    pub(super) fn deal(&mut self, deal: &Deal) {
        let from_ty = self.d.var(deal.from.var).ty.clone();
        let dealt = self.named("dealt", from_ty.clone());
        let chosen = self.chosen(1);
        let source = self.place_expr(&deal.from, &from_ty);
        let mut set = dealt;
        let mut count = 0;
        let code = self.aside(|b| {
            set = b.value(&source);
            count = b.value(&deal.count).slot;
        });
        let fault = self.fault_with(
            codes::NO_OUTCOME,
            deal.span,
            "there are fewer left than are to be dealt",
            Some("deal at most as many as the set holds"),
        );
        let code_for_text = self.aside(|_| {});
        let viewers = self.unmarked(|b| b.aside_viewers(&deal.viewers));
        let text = TextCode {
            code: viewers.0.unwrap_or(code_for_text),
            cases: Vec::new(),
            pieces: vec![TextPiece::Hole {
                value: dealt,
                ty: from_ty.clone(),
                viewers: vec![viewers.1],
            }],
            hidden: Vec::new(),
        };
        self.rest(
            NodeKind::Chance(Listing {
                site: deal.site,
                kind: ListingKind::Subset { code, set, count },
                chosen,
                alternatives: vec![AlternativeCode {
                    parts: vec![(dealt, from_ty.clone())],
                    text,
                    ratings: Vec::new(),
                }],
                fault,
                trial: None,
                option_test: None,
            }),
            deal.span,
        );
        self.scope(|b| {
            let viewers = b.unmarked(|b| b.value(&deal.viewers).slot);
            b.event(deal.site, None, Some(0), vec![(dealt, viewers)], None);
        });
        self.scope(|b| {
            b.store(&deal.from, StoreOp::Sub, dealt, &from_ty);
            b.store(&deal.to, StoreOp::Add, dealt, &from_ty);
        });
    }

    pub(super) fn aside_viewers(&mut self, viewers: &Expr) -> (Option<BlockId>, Slot) {
        let mut slot = 0;
        let code = self.aside(|b| slot = b.value(viewers).slot);
        (Some(code), slot)
    }

    /// A place with single indices, read as an expression.
    pub(super) fn place_expr(&self, place: &crate::model::Place, ty: &Type) -> Expr {
        let indices = place
            .indices
            .iter()
            .filter_map(|index| match index {
                PlaceIndex::One(e) => Some(e.clone()),
                PlaceIndex::Each(_) => None,
            })
            .collect::<Vec<_>>();
        debug_assert!(!indices.iter().any(Expr::reveals));
        Expr {
            kind: ExprKind::Var {
                var: place.var,
                indices,
            },
            ty: ty.clone(),
            span: place.span,
        }
    }
}
