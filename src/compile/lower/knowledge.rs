//! Knowledge: code that rates actions and states. It reads the state and writes temporaries, so play never depends on it.

use super::Builder;
use super::expr::one;
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{Action, ActionClass, ActionFilter, Expr, KnowledgeKind, Score};

impl Builder<'_> {
    /// A slot for the `me` of every entry, and the code of those that look at a state alone.
    pub(super) fn knowledge(&mut self) {
        let d = self.d;
        for entry in &d.knowledge {
            let me = self.bind(entry.me).slot;
            let cell = match &entry.kind {
                KnowledgeKind::Layout(layout) => Some(self.bind(layout.cell).slot),
                _ => None,
            };
            let values: Vec<&Expr> = match &entry.kind {
                KnowledgeKind::Evaluate(value) => vec![value],
                KnowledgeKind::Category { of, value } => vec![of, value],
                KnowledgeKind::Information(list) => list.iter().map(|a| &a.value).collect(),
                KnowledgeKind::Layout(layout) => layout.conditions().collect(),
                KnowledgeKind::Playout(_)
                | KnowledgeKind::Filter(_)
                | KnowledgeKind::Amend(_)
                | KnowledgeKind::Actions(_) => Vec::new(),
            };
            let of_state = (!values.is_empty()).then(|| {
                let mut slots = Vec::new();
                let code = self.aside(|b| {
                    for e in values {
                        slots.push((b.value(e), e.ty.clone()));
                    }
                });
                StateKnowledge {
                    code,
                    values: slots,
                }
            });
            self.knowledge.push(KnowledgeCode { me, cell, of_state });
        }
    }

    /// What knowledge says of an alternative, whose parts have their slots now.
    pub(super) fn ratings(&mut self, action: Action) -> Vec<Rating> {
        let d = self.d;
        let mut ratings = Vec::new();
        for (entry, knowledge) in d.knowledge.iter().enumerate() {
            let me = one(self.knowledge[entry].me);
            self.bound.remove(&knowledge.me);
            self.locals.insert(knowledge.me, me);
            match &knowledge.kind {
                KnowledgeKind::Playout(list) => {
                    for heuristic in list.iter().filter(|h| h.action == action) {
                        let mut kind = RatingKind::Class(Vec::new());
                        let code = self.aside(|b| kind = b.rating(&heuristic.score));
                        ratings.push(Rating { entry, code, kind });
                    }
                }
                KnowledgeKind::Filter(list) | KnowledgeKind::Amend(list) => {
                    for ActionFilter { cond, .. } in list.iter().filter(|f| f.action == action) {
                        let mut kept = 0;
                        let code = self.aside(|b| kept = b.value(cond).slot);
                        ratings.push(Rating {
                            entry,
                            code,
                            kind: RatingKind::Kept(kept),
                        });
                    }
                }
                KnowledgeKind::Actions(list) => {
                    for ActionClass { values, .. } in list.iter().filter(|c| c.action == action) {
                        let mut slots = Vec::new();
                        let code = self.aside(|b| {
                            slots = values.iter().map(|e| b.value(e).slot).collect();
                        });
                        ratings.push(Rating {
                            entry,
                            code,
                            kind: RatingKind::Class(slots),
                        });
                    }
                }
                KnowledgeKind::Evaluate(_)
                | KnowledgeKind::Category { .. }
                | KnowledgeKind::Information(_)
                | KnowledgeKind::Layout(_) => {}
            }
        }
        ratings
    }

    fn rating(&mut self, score: &Score) -> RatingKind {
        match score {
            Score::Greatest(e) => RatingKind::Greatest {
                value: self.value(e).slot,
                den: denominator(e),
            },
            Score::Least(e) => RatingKind::Least {
                value: self.value(e).slot,
                den: denominator(e),
            },
            Score::Weight { first, weight } => RatingKind::Weight {
                first: self.value(first).slot,
                weight: self.value(weight).slot,
                den: denominator(weight),
            },
        }
    }
}

fn denominator(e: &Expr) -> i64 {
    match e.ty {
        Type::Number { den, .. } => den,
        _ => 1,
    }
}
