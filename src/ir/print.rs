//! A program as text: what `ruse show --ir` prints.

use super::table::Names;
use super::*;
use std::fmt::{self, Display, Formatter};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "game {}: {} nodes, {} blocks, frame of {} words, state of {} words",
            self.description.name,
            self.nodes.len(),
            self.blocks.len(),
            self.frame,
            self.layout.words
        )?;
        writeln!(f, "\nstate")?;
        for field in &self.layout.fields {
            writeln!(
                f,
                "  {:<24} word {} bits {}..{}{}",
                self.slot_name(field.slot),
                field.word,
                field.shift,
                field.shift + field.bits,
                if field.lo == 0 {
                    String::new()
                } else {
                    format!(" from {}", field.lo)
                }
            )?;
        }
        for (i, node) in self.nodes.iter().enumerate() {
            self.fmt_node(f, i, node)?;
        }
        let name = &|slot| self.slot_name(slot);
        writeln!(f, "\nentry b{}", self.entry.0)?;
        for (i, block) in self.blocks.iter().enumerate() {
            writeln!(f, "b{i}:")?;
            for instr in &block.instrs {
                writeln!(f, "  {}", self.show_instr(instr, name))?;
            }
            writeln!(f, "  {}", self.show_term(&block.term, name))?;
        }
        let values: Vec<String> = self
            .payoff
            .values
            .iter()
            .map(|s| self.slot_name(*s))
            .collect();
        writeln!(
            f,
            "payoff b{} -> {} in units of 1/{}",
            self.payoff.code.0,
            values.join(", "),
            self.payoff.den
        )
    }
}

impl Program {
    /// The name of a slot: a variable's element, a local with its number, or a temporary.
    pub fn slot_name(&self, slot: Slot) -> String {
        let at = self.slots.partition_point(|s| s.slot <= slot);
        match at.checked_sub(1).map(|i| &self.slots[i]) {
            Some(info) if slot < info.slot + info.ty.words() as u32 => {
                let word = slot - info.slot;
                let part = if word == 0 {
                    String::new()
                } else {
                    format!(".{word}")
                };
                match info.var {
                    Some(_) => format!("{}{part}", info.name),
                    None => format!("{}#{}{part}", info.name, info.slot),
                }
            }
            _ => format!("t{slot}"),
        }
    }

    fn fmt_node(&self, f: &mut Formatter<'_>, number: usize, node: &Node) -> fmt::Result {
        let live: Vec<String> = self
            .layout
            .fields
            .iter()
            .filter(|field| {
                self.layout.live[number][field.word as usize] >> field.shift & field.mask() != 0
            })
            .map(|field| self.slot_name(field.slot))
            .collect();
        let kind = match &node.kind {
            NodeKind::Decision(_) => "decision",
            NodeKind::Chance(_) => "chance",
            NodeKind::Terminal => "terminal",
        };
        writeln!(f, "\nnode {number}: {kind}, resumes at b{}", node.resume.0)?;
        writeln!(f, "  live: {}", live.join(", "))?;
        if let NodeKind::Decision(arms) = &node.kind {
            for arm in arms {
                let player = match arm.player {
                    ArmPlayer::Fixed(p) => self.description.players.values[p as usize].name.clone(),
                    ArmPlayer::Slot(slot) => self.slot_name(slot),
                };
                let active = match arm.active {
                    Some(slot) => format!(" if {}", self.slot_name(slot)),
                    None => String::new(),
                };
                writeln!(f, "  {player}{active} chooses")?;
            }
        }
        for listing in node.listings() {
            match &listing.kind {
                ListingKind::Set { code, set, .. } => {
                    writeln!(
                        f,
                        "  each element of {} after b{}",
                        self.slot_name(set.slot),
                        code.0
                    )?;
                }
                ListingKind::Loop {
                    code,
                    weighted,
                    ranked,
                } => writeln!(
                    f,
                    "  what b{} emits{}{}",
                    code.0,
                    if *weighted { ", by weight" } else { "" },
                    if *ranked { ", of the least rank" } else { "" }
                )?,
                ListingKind::Subset { code, set, count } => writeln!(
                    f,
                    "  each subset of {} with {} elements after b{}",
                    self.slot_name(set.slot),
                    self.slot_name(*count),
                    code.0
                )?,
            }
            if let Some(trial) = &listing.trial {
                writeln!(
                    f,
                    "  sampled by b{}, at most {} times until {}",
                    trial.code.0,
                    trial.attempts,
                    self.slot_name(trial.hit)
                )?;
            }
        }
        Ok(())
    }

    pub(crate) fn show_term(&self, term: &Term, name: &dyn Fn(Slot) -> String) -> String {
        match term {
            Term::Jump(to) => format!("jump b{}", to.0),
            Term::Branch {
                cond,
                then,
                otherwise,
            } => format!("if {} then b{} else b{}", name(*cond), then.0, otherwise.0),
            Term::Rest(node) => format!("rest at node {}", node.0),
            Term::Return => "return".to_string(),
            Term::Fail(fault) => format!("fail {fault}"),
        }
    }

    pub(crate) fn show_instr(&self, instr: &Instr, name: &dyn Fn(Slot) -> String) -> String {
        instr.text(&Names(name))
    }
}

/// A constant: a small number as such, anything else as bits.
pub(crate) fn show_word(word: u64) -> String {
    match word as i64 {
        small @ -999_999..=999_999 => small.to_string(),
        _ => format!("0x{word:x}"),
    }
}
