//! Looks over a program before anything runs it: every slot inside the frame, scalars and sets not mixed up, every block,
//! node, table and fault there. A back end may then leave out its own checks.

use super::ir::*;
use super::liveness::listings;
use crate::check::types::Type;

/// The first thing that is wrong, in words.
pub(super) fn verify(p: &Program) -> Result<(), String> {
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
        for listing in listings(node) {
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
    v.block_id(p.payoff.code)?;
    for slot in &p.payoff.values {
        v.range(*slot, 1)?;
    }
    for field in &p.layout.fields {
        v.range(field.slot, 1)?;
        if field.word as usize >= p.layout.words || field.shift + field.bits > 64 {
            return Err(format!("field {field:?} outside the state"));
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

struct Verifier<'a> {
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

    fn scalar(&self, slot: Slot) -> Result<(), String> {
        self.range(slot, 1)?;
        if self.kinds[slot as usize] == Kind::SetWord {
            return Err(format!("slot {slot} holds a set, and a number is read"));
        }
        Ok(())
    }

    fn set(&self, operand: Operand) -> Result<(), String> {
        self.range(operand.slot, u32::from(operand.words))?;
        for slot in operand.slot..operand.slot + u32::from(operand.words) {
            if self.kinds[slot as usize] == Kind::Scalar {
                return Err(format!("slot {slot} holds a number, and a set is read"));
            }
        }
        Ok(())
    }

    fn subset(&self, subset: Operand, set: Operand) -> Result<(), String> {
        self.set(subset)?;
        self.set(set)?;
        if subset.words == set.words {
            Ok(())
        } else {
            Err("a subset of another length than its set".into())
        }
    }

    fn block_id(&self, id: BlockId) -> Result<(), String> {
        if (id.0 as usize) < self.p.blocks.len() {
            Ok(())
        } else {
            Err(format!("no block {}", id.0))
        }
    }

    fn fault(&self, id: FaultId) -> Result<(), String> {
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
        let mut bounds = Ok(());
        instr.visit(&mut |slot, words, _| {
            if bounds.is_ok() {
                bounds = self.range(slot, words);
            }
        });
        bounds?;
        match instr {
            Instr::Binary { dst, a, b, .. } => {
                [dst, a, b].iter().try_for_each(|s| self.scalar(**s))
            }
            Instr::Immediate { dst, a, .. } | Instr::Not { dst, a } => {
                self.scalar(*dst)?;
                self.scalar(*a)
            }
            Instr::Const { dst, .. } => self.scalar(*dst),
            Instr::Load { index, count, .. } | Instr::Store { index, count, .. } => {
                if *count == 0 {
                    return Err("an array without elements".into());
                }
                self.scalar(*index)
            }
            Instr::Table {
                table,
                index,
                words,
                ..
            } => {
                self.scalar(*index)?;
                match self.p.tables.get(*table as usize) {
                    Some(t) if t.words == *words && !t.values.is_empty() => Ok(()),
                    _ => Err(format!("no table {table} of {words} words")),
                }
            }
            Instr::Check { value, fault, .. } => {
                self.scalar(*value)?;
                self.fault(*fault)
            }
            Instr::SetTest { dst, set, element } => {
                self.scalar(*dst)?;
                self.scalar(*element)?;
                self.set(*set)
            }
            Instr::SetInsert { set, element } | Instr::SetRemove { set, element } => {
                self.scalar(*element)?;
                self.set(*set)
            }
            Instr::SetCount { dst, set } | Instr::SetLast { dst, set } => {
                self.scalar(*dst)?;
                self.set(*set)
            }
            Instr::SetNext { dst, set, after } => {
                self.scalar(*dst)?;
                self.scalar(*after)?;
                self.set(*set)
            }
            Instr::SetBefore { src, element, .. } => {
                self.scalar(*element)?;
                self.set(*src)
            }
            Instr::SetTop { src, count, .. } => {
                self.scalar(*count)?;
                self.set(*src)
            }
            Instr::SetRange { dst, lo, hi } => {
                self.scalar(*lo)?;
                self.scalar(*hi)?;
                self.set(*dst)
            }
            Instr::SetShift {
                dst, src, fault, ..
            } => {
                self.set(*dst)?;
                self.set(*src)?;
                self.fault(*fault)
            }
            Instr::SubsetFirst {
                dst,
                set,
                count,
                found,
            } => {
                self.scalar(*count)?;
                self.scalar(*found)?;
                self.subset(*dst, *set)
            }
            Instr::SubsetNext { dst, set, found } => {
                self.scalar(*found)?;
                self.subset(*dst, *set)
            }
            Instr::Emit {
                parts,
                subsets: Some((set, count)),
                ..
            } => {
                self.scalar(*count)?;
                match parts.last() {
                    Some(last) => self.subset(*last, *set),
                    None => Err("subsets without a part for them".into()),
                }
            }
            Instr::Event(event) => {
                if event.site.0 as usize >= self.p.description.sites.len() {
                    return Err(format!("no site {}", event.site.0));
                }
                Ok(())
            }
            Instr::Copy { .. }
            | Instr::Select { .. }
            | Instr::SetConst { .. }
            | Instr::SetBinary { .. }
            | Instr::SetEq { .. }
            | Instr::SetSubset { .. }
            | Instr::Emit { .. } => Ok(()),
        }
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
        for alternative in &listing.alternatives {
            for (operand, _) in &alternative.parts {
                self.range(operand.slot, u32::from(operand.words))?;
            }
            self.block_id(alternative.text.code)?;
            for piece in &alternative.text.pieces {
                if let TextPiece::Hole { value, viewers, .. } = piece {
                    self.range(value.slot, u32::from(value.words))?;
                    viewers.iter().try_for_each(|s| self.range(*s, 1))?;
                }
            }
        }
        Ok(())
    }
}
