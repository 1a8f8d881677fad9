//! What is still to come out of a pile: a card that the player saw drawn later was not drawn before.
//!
//! Proposed histories draw from the rest. What nobody ever puts anything into is a pile, as a deck of cards.

use crate::machine::{Machine, Observation, State};
use crate::model::types::Type;
use crate::model::visit::Visitor;
use crate::model::{Block, Expr, ExprKind, Place, SiteId, Sizes, Stmt, StmtKind, StoreOp, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Of a draw or a deal: from which pile it takes, and how what it takes is told.
#[derive(Clone, Debug)]
struct Source {
    pile: VarId,
    /// Of an element; `None` for a set of them.
    element: Option<Type>,
    /// What can be drawn hangs on what is in the pile in no other way than that it comes from there.
    plain: bool,
}

/// The draws and deals that take out of piles.
#[derive(Debug, Default)]
pub struct Piles(FxHashMap<SiteId, Source>);

impl Piles {
    pub fn new(machine: &Machine) -> Piles {
        let mut finder = Finder::default();
        finder.block(&machine.description().play);
        let Finder {
            mut taken,
            refilled,
        } = finder;
        taken.retain(|_, source| !refilled.contains(&source.pile));
        Piles(taken)
    }

    /// The state without what will be seen to come out of the pile from which something is drawn there unseen; `None` where that is
    /// nothing.
    pub fn without_later(
        &self,
        machine: &Machine,
        (state, site): (&State, SiteId),
        later: &[Observation],
    ) -> Option<State> {
        let source = self.0.get(&site).filter(|source| source.plain)?;
        let mut values: SmallVec<[u64; 4]> = SmallVec::new();
        for seen in later {
            let of_same = |other: &&Source| other.pile == source.pile;
            if let Some(of) = self.0.get(&seen.site).filter(of_same) {
                of.add(seen, &mut values);
            }
        }
        machine.without_elements(state, source.pile, &values)
    }
}

impl Source {
    /// Adds what was seen of a draw to a set.
    fn add(&self, seen: &Observation, to: &mut SmallVec<[u64; 4]>) {
        let [_, words @ ..] = &seen.values[..] else {
            return;
        };
        if seen.pattern & 1 == 0 {
            return;
        }
        let mut insert = |word: usize, bits: u64| {
            to.resize(to.len().max(word + 1), 0);
            to[word] |= bits;
        };
        match (&self.element, words) {
            (Some(ty), [value]) => {
                let ordinal = ty.ordinal(*value as i64);
                insert((ordinal / 64) as usize, 1 << (ordinal % 64));
            }
            (Some(_), _) => {}
            (None, set) => set
                .iter()
                .enumerate()
                .for_each(|(w, bits)| insert(w, *bits)),
        }
    }
}

/// Finds them, and all that is ever stored to but by taking out.
#[derive(Default)]
struct Finder {
    taken: FxHashMap<SiteId, Source>,
    refilled: FxHashSet<VarId>,
}

impl<'d> Visitor<'d> for Finder {
    fn expr(&mut self, _: &'d Expr) {}

    fn stmt(&mut self, s: &'d Stmt) {
        match &s.kind {
            StmtKind::Note(_) => {}
            StmtKind::Store {
                op: StoreOp::Sub, ..
            } => {}
            StmtKind::Deal(deal) => {
                self.place(&deal.to);
                if deal.from.indices.is_empty() {
                    let source = Source {
                        pile: deal.from.var,
                        element: None,
                        plain: !deal.count.any(|e| reads(e, deal.from.var)),
                    };
                    self.taken.insert(deal.site, source);
                }
            }
            _ => s.walk(self),
        }
    }

    fn block(&mut self, block: &'d Block) {
        for (i, stmt) in block.stmts.iter().enumerate() {
            if let Some((site, source)) = drawn_out(stmt, &block.stmts[i + 1..]) {
                self.taken.insert(site, source);
            }
        }
        block.walk(self);
    }

    fn place(&mut self, place: &'d Place) {
        self.refilled.insert(place.var);
    }
}

/// A draw of one value from a set of the state, which is taken out of it in what follows.
fn drawn_out(stmt: &Stmt, after: &[Stmt]) -> Option<(SiteId, Source)> {
    let StmtKind::Draw(draw) = &stmt.kind else {
        return None;
    };
    let [part] = &draw.parts[..] else {
        return None;
    };
    let domain = part.domain.uncast();
    let ExprKind::Var { var: pile, indices } = &domain.kind else {
        return None;
    };
    let is_drawn =
        |e: &Expr| matches!(e.uncast().kind, ExprKind::Local(local) if local == part.local);
    let takes_out = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Store {
            place,
            op: StoreOp::Sub,
            value,
        } if place.var == *pile => match &value.uncast().kind {
            ExprKind::SetOf(list) => list.iter().any(is_drawn),
            _ => is_drawn(value),
        },
        _ => false,
    };
    let goes_on = |stmt: &&Stmt| {
        use StmtKind::{Expr, Let, Note, Said, Store};
        let kind = &stmt.kind;
        matches!(
            kind,
            Store { .. } | Let { .. } | Expr(_) | Said { .. } | Note(_)
        )
    };
    let mut after = after.iter().take_while(goes_on);
    if !indices.is_empty() || !after.any(takes_out) {
        return None;
    }
    let sizes = part.sizes.iter().flat_map(Sizes::exprs);
    let mut others = sizes.chain(&draw.cond).chain(&draw.weight);
    let plain = !others.any(|e| e.any(|e| reads(e, *pile)));
    let element = match part.sizes {
        Some(_) => None,
        None => Some(domain.ty.element()?.clone()),
    };
    Some((
        draw.site,
        Source {
            pile: *pile,
            element,
            plain,
        },
    ))
}

fn reads(e: &Expr, pile: VarId) -> bool {
    matches!(&e.kind, ExprKind::Var { var, .. } if *var == pile)
}
