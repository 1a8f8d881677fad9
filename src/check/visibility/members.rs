//! Who could know of themselves whether they belong to a set of players. Nobody else need know who does.

use super::{Checker, Watch};
use crate::model::types::Type;
use crate::model::*;
use indexmap::IndexSet;

impl Checker<'_> {
    /// The players who could know whether they are in a set of players themselves.
    pub(super) fn know_themselves(&mut self, e: &Expr) -> PlayerSet {
        let known = self.label(e);
        let others = (self.everyone - known).iter();
        let more: PlayerSet = others.filter(|p| self.knows_itself(e, *p)).collect();
        known | more
    }

    /// Who could know whether a value is in a set: who could know the set, and where it is asked of one certain player, that
    /// player, if it could know of itself.
    pub(super) fn label_of_member(&mut self, who: &Expr, set: &Expr) -> PlayerSet {
        let asked = self.eval_scalar(who).filter(|_| is_players(&set.ty));
        let asked = asked.and_then(|player| usize::try_from(player).ok());
        let Some(player) = asked.filter(|p| self.everyone.contains(*p)) else {
            return self.label(set);
        };
        let watch = self.watch.take();
        let known = self.label(set);
        let knows = known.contains(player)
            || settled(set, player).is_some()
            || self.knows_parts(set, player);
        self.watch = watch;
        // Who knows of itself is not kept from anything by the set.
        let blames = |watch: &Watch| watch.player != player || !knows;
        if self.watch.as_ref().is_some_and(blames) {
            self.label(set);
        }
        match knows {
            true => known | PlayerSet::only(player),
            false => known,
        }
    }

    /// Something that keeps a player from knowing whether it is in a set of players, as the text has it.
    pub(super) fn blame_member(&mut self, e: &Expr, player: usize) -> Option<String> {
        let found = self.watched(player, |this| {
            this.knows_itself(e, player);
        });
        found.into_iter().next()
    }

    /// Whether a player could know whether it is in a set of players.
    fn knows_itself(&mut self, e: &Expr, player: usize) -> bool {
        if settled(e, player).is_some() {
            return true;
        }
        let watch = self.watch.take();
        let known = self.label(e).contains(player);
        self.watch = watch;
        known || self.knows_parts(e, player)
    }

    fn knows_parts(&mut self, e: &Expr, player: usize) -> bool {
        match &e.kind {
            ExprKind::Local(id) => {
                let lost = self.flow.lost.of(*id).contains(player);
                let own = self.bound.get(id).is_some_and(|b| b.own.contains(player)) && !lost;
                own || self.label(e).contains(player)
            }
            ExprKind::Cast(a) if is_players(&a.ty) => self.knows_itself(a, player),
            ExprKind::If {
                cond,
                then: a,
                otherwise: b,
            } => {
                self.label(cond).contains(player)
                    && match self.eval_bool(cond) {
                        Some(true) => self.knows_itself(a, player),
                        Some(false) => self.knows_itself(b, player),
                        None => self.knows_itself(a, player) && self.knows_itself(b, player),
                    }
            }
            ExprKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => {
                let bodies = arms.iter().map(|arm| &arm.body);
                let mut bodies = bodies.chain(otherwise.as_deref());
                self.label(scrutinee).contains(player)
                    && bodies.all(|body| self.knows_itself(body, player))
            }
            ExprKind::Let { local, value, body } => {
                self.bind_let(*local, value);
                self.knows_itself(body, player)
            }
            ExprKind::Binary {
                op: BinaryOp::Union | BinaryOp::Intersect | BinaryOp::Difference,
                left: a,
                right: b,
            } => self.knows_itself(a, player) && self.knows_itself(b, player),
            ExprKind::Fold(fold) => match members_where(fold) {
                true => {
                    self.knows_itself(&fold.domain, player) && {
                        self.name_one(fold.local, player);
                        let cond = fold.cond.as_ref();
                        cond.is_none_or(|cond| self.label(cond).contains(player))
                    }
                }
                false => self.label(e).contains(player),
            },
            _ => self.label(e).contains(player),
        }
    }

    /// Those who are certainly in `{ p for p in … where … }`, and those who may be.
    pub(super) fn members_where(&mut self, fold: &Fold) -> (PlayerSet, PlayerSet) {
        let (mut must, mut may) = self.viewers(&fold.domain);
        let Some(cond) = &fold.cond else {
            return (must, may);
        };
        for p in may {
            self.name_one(fold.local, p);
            match self.eval_bool(cond) {
                Some(true) => {}
                Some(false) => {
                    must -= PlayerSet::only(p);
                    may -= PlayerSet::only(p);
                }
                None => must -= PlayerSet::only(p),
            }
        }
        self.values.remove(&fold.local);
        (must, may)
    }

    /// Lets a name stand for one player.
    fn name_one(&mut self, local: LocalId, player: usize) {
        let everyone = self.everyone;
        let known = super::label::Clean::known(everyone);
        self.bind(local, everyone, known, Some(vec![player as u64]));
    }

    /// What `look` finds that a player could not know.
    pub(super) fn watched(
        &mut self,
        player: usize,
        look: impl FnOnce(&mut Self),
    ) -> IndexSet<String> {
        let reads = self.reads.take();
        let outer = self.watch.replace(Watch {
            player,
            found: IndexSet::new(),
        });
        look(self);
        let found = self.watch.take().map(|w| w.found).unwrap_or_default();
        self.watch = outer;
        self.reads = reads;
        found
    }
}

/// Whether it is a set of players.
pub(super) fn is_players(ty: &Type) -> bool {
    matches!(ty.element(), Some(Type::Player(_)))
}

/// Whether a formula is the members of a set of players for which something holds.
pub(super) fn members_where(fold: &Fold) -> bool {
    fold.op == FoldOp::SetOf
        && is_players(&fold.domain.ty)
        && matches!(fold.body.uncast().kind, ExprKind::Local(local) if local == fold.local)
}

/// Whether a player is in a set of players, where the text alone says that.
fn settled(e: &Expr, player: usize) -> Option<bool> {
    let both = |a, b| (settled(a, player), settled(b, player));
    match &e.kind {
        ExprKind::ConstSet(words) => Some(PlayerSet::from_words(words).contains(player)),
        ExprKind::SetOf(list) => {
            let mut others = false;
            for item in list {
                match item.kind {
                    ExprKind::Const(one) if one == player as i64 => return Some(true),
                    ExprKind::Const(_) => {}
                    _ => others = true,
                }
            }
            (!others).then_some(false)
        }
        ExprKind::Cast(a) if is_players(&a.ty) => settled(a, player),
        ExprKind::If {
            then, otherwise, ..
        } => {
            let (a, b) = both(then, otherwise);
            a.filter(|_| a == b)
        }
        ExprKind::Let { body, .. } => settled(body, player),
        ExprKind::Binary { op, left, right } => match (op, both(left, right)) {
            (BinaryOp::Union, (Some(true), _) | (_, Some(true))) => Some(true),
            (BinaryOp::Union, (Some(false), Some(false))) => Some(false),
            (BinaryOp::Intersect, (Some(false), _) | (_, Some(false))) => Some(false),
            (BinaryOp::Intersect, (Some(true), Some(true))) => Some(true),
            (BinaryOp::Difference, (Some(false), _) | (_, Some(true))) => Some(false),
            (BinaryOp::Difference, (Some(true), Some(false))) => Some(true),
            _ => None,
        },
        ExprKind::Fold(fold) if members_where(fold) => {
            let within = settled(&fold.domain, player);
            within.filter(|within| !within || fold.cond.is_none())
        }
        _ => None,
    }
}
