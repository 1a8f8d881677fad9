//! Looks over a program before anything runs it: every slot inside the frame, scalars and sets not mixed up, every block,
//! node, table and fault there, and nothing wanted at a node that a state does not keep. A back end may then leave out its
//! own checks.

use super::table::Holds;
use super::*;
use crate::model::SiteId;
use crate::model::types::Type;

/// The first thing that is wrong, in words.
pub(crate) fn verify(p: &Program) -> Result<(), String> {
    let kinds = kinds(p);
    let v = Verifier { p, kinds };
    v.block_id(p.entry)?;
    for (i, block) in p.blocks.iter().enumerate() {
        for instr in &block.instrs {
            v.instr(instr)
                .map_err(|e| format!("block {i}: {instr:?}: {e}"))?;
        }
        v.term(&block.term).map_err(|e| format!("block {i}: {e}"))?;
    }
    for node in &p.nodes {
        v.block_id(node.resume)?;
        for listing in node.listings() {
            v.listing(listing)?;
        }
        if let NodeKind::Decision(arms) = &node.kind {
            if arms.is_empty() {
                return Err("a decision without arms".into());
            }
            for arm in arms {
                if let ArmPlayer::Slot(slot) = arm.player {
                    v.range(slot, 1)?;
                }
                if let Some(slot) = arm.active {
                    v.range(slot, 1)?;
                }
            }
        }
    }
    for knowledge in &p.knowledge {
        v.scalar(knowledge.me)?;
        if let Some(cell) = knowledge.cell {
            v.scalar(cell)?;
        }
        if let Some(of_state) = &knowledge.of_state {
            v.block_id(of_state.code)?;
            for (operand, _) in &of_state.values {
                v.range(operand.slot, u32::from(operand.words))?;
            }
        }
    }
    v.block_id(p.payoff.code)?;
    for slot in &p.payoff.values {
        v.range(*slot, 1)?;
    }
    v.fault(p.payoff.fault)?;
    if let Some((code, slots)) = &p.payoff.accumulated {
        v.block_id(*code)?;
        slots.iter().try_for_each(|s| v.range(*s, 1))?;
    }
    for field in &p.layout.fields {
        v.range(field.slot, 1)?;
        if field.word as usize >= p.layout.words || field.shift + field.bits > 64 {
            return Err(format!("field {field:?} outside the state"));
        }
    }
    Ok(())
}

/// That every slot which matters at a node has a place in the state there: no temporary lives that long.
pub(crate) fn verify_kept<'a>(
    p: &Program,
    live: impl Iterator<Item = &'a Slots>,
) -> Result<(), String> {
    let mut placed = vec![false; p.frame as usize];
    for field in &p.layout.fields {
        placed[field.slot as usize] = true;
    }
    for (slot, _) in &p.layout.fixed {
        placed[*slot as usize] = true;
    }
    for (node, slots) in live.enumerate() {
        if let Some(slot) = slots.iter().find(|s| !placed[*s as usize]) {
            return Err(format!(
                "node {node} wants `{}`, which a state does not keep",
                p.slot_name(slot)
            ));
        }
    }
    Ok(())
}

/// What a slot of the frame may hold.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    Scalar,
    SetWord,
    /// A temporary holds now one thing and now another.
    Any,
}

pub(super) struct Verifier<'a> {
    p: &'a Program,
    kinds: Vec<Kind>,
}

fn kinds(p: &Program) -> Vec<Kind> {
    let mut kinds = vec![Kind::Any; p.frame as usize];
    for info in &p.slots {
        let kind = if matches!(info.ty, Type::Set(_)) {
            Kind::SetWord
        } else {
            Kind::Scalar
        };
        for w in 0..info.ty.words() {
            if let Some(k) = kinds.get_mut(info.slot as usize + w) {
                *k = kind;
            }
        }
    }
    kinds
}

impl Verifier<'_> {
    fn range(&self, slot: Slot, words: u32) -> Result<(), String> {
        match slot.checked_add(words) {
            Some(end) if end <= self.p.frame => Ok(()),
            _ => Err(format!(
                "slot {slot}+{words} outside a frame of {}",
                self.p.frame
            )),
        }
    }

    /// That slots inside the frame are not for something else.
    fn kind(&self, slot: Slot, words: u32, holds: Holds) -> Result<(), String> {
        let other = |kind| (slot..slot + words).find(|s| self.kinds[*s as usize] == kind);
        match holds {
            Holds::Number => match other(Kind::SetWord) {
                Some(slot) => Err(format!("slot {slot} holds a set, and a number is read")),
                None => Ok(()),
            },
            Holds::Set => match other(Kind::Scalar) {
                Some(slot) => Err(format!("slot {slot} holds a number, and a set is read")),
                None => Ok(()),
            },
            Holds::Any => Ok(()),
        }
    }

    fn scalar(&self, slot: Slot) -> Result<(), String> {
        self.range(slot, 1)?;
        self.kind(slot, 1, Holds::Number)
    }

    fn set(&self, operand: Operand) -> Result<(), String> {
        let words = u32::from(operand.words);
        self.range(operand.slot, words)?;
        self.kind(operand.slot, words, Holds::Set)
    }

    pub(super) fn subset(&self, subset: Operand, set: Operand) -> Result<(), String> {
        self.set(subset)?;
        self.set(set)?;
        if subset.words == set.words {
            Ok(())
        } else {
            Err("a subset of another length than its set".into())
        }
    }

    /// Sets over the same nodes.
    pub(super) fn same_words(&self, sets: &[Operand]) -> Result<(), String> {
        match sets.iter().find(|set| set.words != sets[0].words) {
            Some(set) => Err(format!("sets of {} and {} words", sets[0].words, set.words)),
            None => Ok(()),
        }
    }

    pub(super) fn table(&self, table: u32, words: u16) -> Result<(), String> {
        match self.p.tables.get(table as usize) {
            Some(t) if t.words == words && !t.values.is_empty() => Ok(()),
            _ => Err(format!("no table {table} of {words} words")),
        }
    }

    pub(super) fn at_least_one(&self, count: impl Into<u64>, wrong: &str) -> Result<(), String> {
        match count.into() {
            0 => Err(wrong.into()),
            _ => Ok(()),
        }
    }

    pub(super) fn place(&self, place: u32) -> Result<(), String> {
        if (place as usize) < self.p.marks.len() {
            Ok(())
        } else {
            Err(format!("there is no place {place}"))
        }
    }

    pub(super) fn site(&self, site: SiteId) -> Result<(), String> {
        if (site.0 as usize) < self.p.description.sites.len() {
            Ok(())
        } else {
            Err(format!("no site {}", site.0))
        }
    }

    pub(super) fn only_in_playouts(&self) -> Result<(), String> {
        Err("sampling that only playouts know".into())
    }

    fn block_id(&self, id: BlockId) -> Result<(), String> {
        if (id.0 as usize) < self.p.blocks.len() {
            Ok(())
        } else {
            Err(format!("no block {}", id.0))
        }
    }

    pub(super) fn fault(&self, id: FaultId) -> Result<(), String> {
        if (id as usize) < self.p.faults.len() {
            Ok(())
        } else {
            Err(format!("no fault {id}"))
        }
    }

    fn term(&self, term: &Term) -> Result<(), String> {
        match term {
            Term::Jump(to) => self.block_id(*to),
            Term::Branch {
                cond,
                then,
                otherwise,
            } => {
                self.scalar(*cond)?;
                self.block_id(*then)?;
                self.block_id(*otherwise)
            }
            Term::Rest(node) if (node.0 as usize) < self.p.nodes.len() => Ok(()),
            Term::Rest(node) => Err(format!("no node {}", node.0)),
            Term::Return => Ok(()),
            Term::Fail(fault) => self.fault(*fault),
        }
    }

    fn instr(&self, instr: &Instr) -> Result<(), String> {
        let (mut bounds, mut kinds) = (Ok(()), Ok(()));
        instr.touch(&mut Reader(&mut |slot, words, _, holds| {
            if bounds.is_ok() {
                bounds = self.range(slot, words);
            }
            if bounds.is_ok() && kinds.is_ok() {
                kinds = self.kind(slot, words, holds);
            }
        }));
        bounds.and(kinds)?;
        instr.law(self)
    }

    fn listing(&self, listing: &Listing) -> Result<(), String> {
        self.fault(listing.fault)?;
        self.range(listing.chosen, 1)?;
        match &listing.kind {
            ListingKind::Set { code, set, .. } => {
                self.block_id(*code)?;
                self.set(*set)?;
            }
            ListingKind::Loop { code, .. } => self.block_id(*code)?,
            ListingKind::Subset { code, set, count } => {
                self.block_id(*code)?;
                self.set(*set)?;
                self.scalar(*count)?;
            }
        }
        if let Some(trial) = &listing.trial {
            self.scalar(trial.hit)?;
            let mut trial = *trial;
            trial.blocks().try_for_each(|block| self.block_id(*block))?;
        }
        for alternative in &listing.alternatives {
            for (operand, _) in &alternative.parts {
                self.range(operand.slot, u32::from(operand.words))?;
            }
            self.block_id(alternative.text.code)?;
            for rating in &alternative.ratings {
                self.block_id(rating.code)?;
                match &rating.kind {
                    RatingKind::Greatest { value, .. } | RatingKind::Least { value, .. } => {
                        self.scalar(*value)?;
                    }
                    RatingKind::Weight { first, weight, .. } => {
                        self.scalar(*first)?;
                        self.scalar(*weight)?;
                    }
                    RatingKind::Kept(slot) => self.scalar(*slot)?,
                    RatingKind::Class(slots) => slots.iter().try_for_each(|s| self.scalar(*s))?,
                }
            }
            for case in &alternative.text.cases {
                self.scalar(case.cond)?;
                case.viewers.iter().try_for_each(|s| self.range(*s, 1))?;
            }
            let mut pieces = alternative.text.pieces();
            pieces.try_for_each(|piece| self.piece(piece))?;
        }
        Ok(())
    }

    fn piece(&self, piece: &TextPiece) -> Result<(), String> {
        match piece {
            TextPiece::Literal(_) => Ok(()),
            TextPiece::Hole { value, viewers, .. } => {
                self.range(value.slot, u32::from(value.words))?;
                viewers.iter().try_for_each(|s| self.range(*s, 1))
            }
            TextPiece::Where { slot, pieces, .. } => {
                self.range(*slot, 1)?;
                pieces.iter().try_for_each(|piece| self.piece(piece))
            }
        }
    }
}
