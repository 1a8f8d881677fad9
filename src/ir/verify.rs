//! Looks over a program before anything runs it: every slot inside the frame, scalars and sets not mixed up, every block,
//! node, table and fault there, and nothing wanted at a node that a state does not keep. A back end may then leave out its
//! own checks.

use super::*;
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

    /// Sets over the same nodes.
    fn same_words(&self, sets: &[Operand]) -> Result<(), String> {
        for set in sets {
            self.set(*set)?;
            if set.words != sets[0].words {
                return Err(format!("sets of {} and {} words", sets[0].words, set.words));
            }
        }
        Ok(())
    }

    fn table(&self, table: u32, words: u16) -> Result<(), String> {
        match self.p.tables.get(table as usize) {
            Some(t) if t.words == words && !t.values.is_empty() => Ok(()),
            _ => Err(format!("no table {table} of {words} words")),
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
                self.table(*table, *words)
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
            Instr::SetAround { dst, src, table } => {
                self.same_words(&[*dst, *src])?;
                self.table(*table, dst.words)
            }
            Instr::SetGroup {
                dst,
                from,
                within,
                table,
            } => {
                self.same_words(&[*dst, *from, *within])?;
                self.table(*table, dst.words)
            }
            Instr::SetRun {
                dst,
                from,
                way,
                within,
                table,
                ways,
                ..
            } => {
                self.scalar(*from)?;
                self.scalar(*way)?;
                self.same_words(&[*dst, *within])?;
                if *ways == 0 {
                    return Err("a run without directions".into());
                }
                self.table(*table, 1)
            }
            Instr::Hops {
                dst,
                from,
                to,
                table,
                words,
                bits,
            } => {
                self.scalar(*dst)?;
                self.scalar(*from)?;
                self.scalar(*to)?;
                if !matches!(bits, 8 | 16) {
                    return Err(format!("distances of {bits} bits"));
                }
                self.table(*table, *words)
            }
            Instr::SetShift {
                dst, src, fault, ..
            } => {
                self.set(*dst)?;
                self.set(*src)?;
                self.fault(*fault)
            }
            Instr::Reach { place } => {
                if *place as usize >= self.p.marks.len() {
                    return Err(format!("there is no place {place}"));
                }
                Ok(())
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
                bulk: Some(bulk),
                ..
            } => match (parts.last(), bulk) {
                (Some(last), Bulk::Subsets { set, count }) => {
                    self.scalar(*count)?;
                    self.subset(*last, *set)
                }
                (Some(last), Bulk::Elements { set, .. }) if last.words == 1 => self.set(*set),
                (Some(last), Bulk::Pairs { first, second })
                    if last.words == 1 && parts.len() >= 2 && parts[parts.len() - 2].words == 1 =>
                {
                    self.set(first.0)?;
                    self.set(second.0)
                }
                _ => Err("a bulk without a part for it".into()),
            },
            Instr::Event(event) => {
                if event.site.0 as usize >= self.p.description.sites.len() {
                    return Err(format!("no site {}", event.site.0));
                }
                Ok(())
            }
            Instr::SetConst { dst, words } => self.set(Operand {
                slot: *dst,
                words: words.len() as u16,
            }),
            Instr::SetBinary {
                dst, a, b, words, ..
            } => [*dst, *a, *b].into_iter().try_for_each(|slot| {
                self.set(Operand {
                    slot,
                    words: *words,
                })
            }),
            Instr::SetSubset { dst, a, b, words } => {
                self.scalar(*dst)?;
                [*a, *b].into_iter().try_for_each(|slot| {
                    self.set(Operand {
                        slot,
                        words: *words,
                    })
                })
            }
            Instr::Sample(code) => match &**code {
                SampleCode::Below { dst, n } => {
                    self.scalar(*dst)?;
                    self.scalar(*n)
                }
                SampleCode::Member {
                    dst,
                    set,
                    bound,
                    hit,
                    ..
                } => {
                    self.scalar(*dst)?;
                    self.scalar(*hit)?;
                    if *bound == 0 {
                        return Err("a number below 0".into());
                    }
                    self.set(*set)
                }
                SampleCode::Element {
                    dst, set, fault, ..
                } => {
                    self.scalar(*dst)?;
                    self.fault(*fault)?;
                    self.set(*set)
                }
                _ => Err("sampling that only playouts know".into()),
            },
            Instr::Copy { .. }
            | Instr::Select { .. }
            | Instr::SetEq { .. }
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
        if let Some(trial) = &listing.trial {
            self.block_id(trial.code)?;
            self.scalar(trial.hit)?;
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
