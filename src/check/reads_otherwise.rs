//! Notes on what can be read as something else than it means: a range that begins far below 0, sets that are compared by their
//! order, arms of a `together` that store to one place, and those that read what others store.

use super::codes;
use crate::model::evaluate::evaluate;
use crate::model::types::{Type, bits};
use crate::model::visit::Visitor;
use crate::model::*;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// What of a description may be meant otherwise.
pub fn reads_otherwise(d: &Description) -> Vec<Diagnostic> {
    let mut reader = Reader {
        d,
        changed: FxHashSet::default(),
        set: FxHashSet::default(),
        found: Vec::new(),
    };
    reader.block(&d.play);
    let Reader {
        changed,
        set,
        mut found,
        ..
    } = reader;
    let begins = (0..).zip(&d.vars).filter_map(|(number, var)| {
        let number = VarId(number);
        (changed.contains(&number) && !set.contains(&number)).then(|| begins_low(var))?
    });
    found.extend(begins);
    found
}

/// A variable that is counted up or down from the least value of a range around 0, since nothing says where it begins.
fn begins_low(var: &Var) -> Option<Diagnostic> {
    let Type::Int { lo, hi } = var.ty else {
        return None;
    };
    if var.is_begun || var.note || lo >= 0 || hi <= 0 {
        return None;
    }
    let message = format!("`{}` begins at {lo}, the least of its range", var.name);
    let hint = format!("say where it begins, `= 0` behind its type; or `= {lo}`, if that is meant");
    Some(Diagnostic::note_of(codes::BEGINS_LOW, var.span, message).hint(hint))
}

struct Reader<'d> {
    d: &'d Description,
    /// The variables that are counted up or down, and those that get a value in play.
    changed: FxHashSet<VarId>,
    set: FxHashSet<VarId>,
    found: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn note(&mut self, note: Diagnostic) {
        if !self.found.iter().any(|other| other.span == note.span) {
            self.found.push(note);
        }
    }

    fn together(&mut self, arms: &[Arm]) {
        let mut places: Vec<&Place> = Vec::new();
        for arm in arms {
            let parts = arm.choice.alternatives.iter().flat_map(|a| &a.parts);
            let stored = parts.clone().filter_map(|part| part.into.as_ref());
            let stored: Vec<&Place> = stored.collect();
            for place in &stored {
                let again = match &arm.each {
                    Some(each) => {
                        let of_arm = |name| reads(place, name);
                        let alone = of_arm(each.local) || parts.clone().any(|p| of_arm(p.local));
                        let (members, more) = each.members();
                        more.is_none() && !alone && self.are_several(members)
                    }
                    None => places.iter().any(|other| is_same(place, other)),
                };
                if again {
                    self.overwritten(place);
                }
            }
            places.extend(stored);
            self.reads_of_others(arm);
        }
    }

    /// What follows from the choice of each reads a place of somebody else that follows from the other's choice.
    fn reads_of_others(&mut self, arm: &Arm) {
        let Some(each) = arm
            .each
            .as_ref()
            .filter(|each| self.are_several(each.members().0))
        else {
            return;
        };
        let mut stores = OwnPlaces {
            of: each.local,
            vars: FxHashSet::default(),
        };
        let alternatives = || arm.choice.alternatives.iter();
        let into = alternatives()
            .flat_map(|a| &a.parts)
            .filter_map(|part| part.into.as_ref());
        into.for_each(|place| stores.place(place));
        alternatives().for_each(|a| stores.block(&a.body));
        let of_folds = folded(alternatives().flat_map(|a| &a.body.stmts));
        let others = |index: &Expr| match &index.uncast().kind {
            ExprKind::Local(local) => of_folds.contains(local),
            ExprKind::Const(player) => {
                let all = evaluate(each.members().0, &FxHashMap::default());
                all.is_some_and(|words| bits(&words).any(|p| p as i64 == *player))
            }
            _ => true,
        };
        let mut read = None;
        for stmt in alternatives().flat_map(|a| &a.body.stmts) {
            stmt.any(|e| {
                if let ExprKind::Var { var, indices } = &e.kind {
                    let mut indices = indices.iter().enumerate();
                    let other = |(i, index)| stores.vars.contains(&(*var, i)) && others(index);
                    read = read.or(indices.any(other).then_some((*var, e.span)));
                }
                read.is_some()
            });
        }
        let read = read.or_else(|| {
            let mut common = CommonPlaces::of(each.local);
            alternatives().for_each(|a| common.block(&a.body));
            common.read()
        });
        if let Some((var, span)) = read {
            let name = &self.d.var(var).name;
            let message = format!("what others store in `{name}` may be there already, or not yet");
            let note = Diagnostic::note_of(codes::READS_OTHERS, span, message);
            self.note(note.label("arms are gone through one after the other").hint(
                "what all have chosen is known behind the `together`: write there what follows from it",
            ));
        }
    }

    /// Whether a set of players is known to have several, or is one of the state, or leaves several of so many.
    fn are_several(&self, players: &Expr) -> bool {
        match evaluate(players, &FxHashMap::default()) {
            Some(words) => bits(&words).count() > 1,
            None => {
                self.d.player_count() > 2 || matches!(players.uncast().kind, ExprKind::Var { .. })
            }
        }
    }

    fn overwritten(&mut self, place: &Place) {
        let name = &self.d.var(place.var).name;
        let message =
            format!("several arms store to this place in `{name}`, and the last of them stays");
        let note = Diagnostic::note_of(codes::STORED_BY_SEVERAL, place.span, message);
        self.note(note.hint(
            "store to a place of each player, `into bid[p]`; or store in a block after `=>`, and there only what is the player's own",
        ));
    }
}

/// The variables of which a player's own place is stored to, with the number of the index that says so.
struct OwnPlaces {
    of: LocalId,
    vars: FxHashSet<(VarId, usize)>,
}

impl<'d> Visitor<'d> for OwnPlaces {
    fn place(&mut self, place: &'d Place) {
        for (i, index) in place.indices.iter().enumerate() {
            if let PlaceIndex::One(e) = index
                && matches!(e.uncast().kind, ExprKind::Local(l) if l == self.of)
            {
                self.vars.insert((place.var, i));
            }
        }
    }
}

/// The variables that all store to, whoever they are, and where they are read for something else than what is stored there.
struct CommonPlaces {
    of: LocalId,
    stored: FxHashSet<VarId>,
    read: Vec<(VarId, Span)>,
    /// What the value is stored to that is looked at.
    to: Option<VarId>,
}

impl CommonPlaces {
    fn of(of: LocalId) -> CommonPlaces {
        CommonPlaces {
            of,
            stored: FxHashSet::default(),
            read: Vec::new(),
            to: None,
        }
    }

    /// The first that is read.
    fn read(&self) -> Option<(VarId, Span)> {
        let mut all = self.read.iter();
        all.find(|(var, _)| self.stored.contains(var)).copied()
    }
}

impl<'d> Visitor<'d> for CommonPlaces {
    fn stmt(&mut self, s: &'d Stmt) {
        if let StmtKind::Store { place, .. } = &s.kind {
            self.to = Some(place.var);
        }
        s.walk(self);
        self.to = None;
    }

    fn place(&mut self, place: &'d Place) {
        if place.indices.is_empty() {
            self.stored.insert(place.var);
        }
        place.walk(self);
    }

    fn expr(&mut self, e: &'d Expr) {
        match &e.kind {
            // Whether one is in a set oneself is nobody else's.
            ExprKind::Binary {
                op: BinaryOp::In,
                left,
                ..
            } if matches!(left.uncast().kind, ExprKind::Local(l) if l == self.of) => return,
            ExprKind::Var { var, .. } if self.to != Some(*var) => self.read.push((*var, e.span)),
            _ => {}
        }
        e.walk(self);
    }
}

/// The names that the formulas in some statements go through sets by.
fn folded<'d>(stmts: impl Iterator<Item = &'d Stmt>) -> FxHashSet<LocalId> {
    let mut found = FxHashSet::default();
    for stmt in stmts {
        stmt.any(|e| {
            if let ExprKind::Fold(fold) = &e.kind {
                found.insert(fold.local);
            }
            false
        });
    }
    found
}

/// Whether a place is named by a name.
fn reads(place: &Place, name: LocalId) -> bool {
    place.indices.iter().any(|index| match index {
        PlaceIndex::One(e) | PlaceIndex::Each(e) => e.reads_local(name),
    })
}

/// Whether two places are certainly one.
fn is_same(a: &Place, b: &Place) -> bool {
    let mut indices = std::iter::zip(&a.indices, &b.indices);
    a.var == b.var
        && indices.all(|both| match both {
            (PlaceIndex::One(a), PlaceIndex::One(b)) => a.is_same(b),
            _ => false,
        })
}

impl<'d> Visitor<'d> for Reader<'_> {
    fn expr(&mut self, e: &'d Expr) {
        if let ExprKind::Binary { op, left, right } = &e.kind
            && matches!(op, BinaryOp::Le | BinaryOp::Ge)
            && matches!((&left.ty, &right.ty), (Type::Set(_), Type::Set(_)))
        {
            self.note(order_of_sets(*op, e.span));
        }
        e.walk(self);
    }

    fn stmt(&mut self, s: &'d Stmt) {
        match &s.kind {
            StmtKind::Store { place, op, .. } => {
                let to = match op {
                    StoreOp::Set => &mut self.set,
                    StoreOp::Add | StoreOp::Sub => &mut self.changed,
                };
                to.insert(place.var);
            }
            StmtKind::Together(arms) => self.together(arms),
            _ => {}
        }
        s.walk(self);
    }

    fn part(&mut self, p: &'d Part) {
        self.set.extend(p.into.iter().map(|place| place.var));
        p.walk(self);
    }
}

fn order_of_sets(op: BinaryOp, span: Span) -> Diagnostic {
    let message = "this compares sets by their greatest elements";
    let note = Diagnostic::note_of(codes::ORDER_OF_SETS, span, message);
    note.hint(match op {
        BinaryOp::Le => {
            "whether all elements of the left set are in the right one is asked by `left in right`"
        }
        _ => {
            "whether all elements of the right set are in the left one is asked by `right in left`"
        }
    })
}
