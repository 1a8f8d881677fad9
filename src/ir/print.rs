//! A program as text: what `ruse show --ir` prints.

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

/// How slots are called.
pub(crate) type Names<'a> = dyn Fn(Slot) -> String + 'a;

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
                ListingKind::Loop { code, weighted } => writeln!(
                    f,
                    "  what b{} emits{}",
                    code.0,
                    if *weighted { ", by weight" } else { "" }
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

    pub(crate) fn show_term(&self, term: &Term, name: &Names<'_>) -> String {
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

    pub(crate) fn show_instr(&self, instr: &Instr, name: &Names<'_>) -> String {
        let s = |slot: &Slot| name(*slot);
        let set = |o: &Operand| {
            if o.words == 1 {
                name(o.slot)
            } else {
                format!("{}:{}", name(o.slot), o.words)
            }
        };
        match instr {
            Instr::Const { dst, value } => format!("{} = {value}", s(dst)),
            Instr::Copy { dst, src, words } if *words == 1 => format!("{} = {}", s(dst), s(src)),
            Instr::Copy { dst, src, words } => format!("{}:{words} = {}:{words}", s(dst), s(src)),
            Instr::Binary { op, dst, a, b } => {
                format!("{} = {} {} {}", s(dst), s(a), op_name(*op), s(b))
            }
            Instr::Immediate { op, dst, a, value } => {
                format!("{} = {} {} {value}", s(dst), s(a), op_name(*op))
            }
            Instr::Not { dst, a } => format!("{} = not {}", s(dst), s(a)),
            Instr::Select {
                dst, cond, a, b, ..
            } => format!("{} = {} ? {} : {}", s(dst), s(cond), s(a), s(b)),
            Instr::Load {
                dst,
                base,
                index,
                count,
                ..
            } => format!("{} = {}[{}] of {count}", s(dst), s(base), s(index)),
            Instr::Store {
                base,
                index,
                src,
                count,
                ..
            } => format!("{}[{}] of {count} = {}", s(base), s(index), s(src)),
            Instr::Table {
                dst, table, index, ..
            } => format!("{} = table {table}[{}]", s(dst), s(index)),
            Instr::Check { value, lo, hi, .. } => format!("check {} in {lo}..{hi}", s(value)),
            Instr::SetConst { dst, words } => {
                let bits: Vec<String> = words.iter().map(|w| format!("{w:#x}")).collect();
                format!("{} = bits {}", s(dst), bits.join(" "))
            }
            Instr::SetBinary { op, dst, a, b, .. } => {
                let op = match op {
                    SetOp::Union => "∪",
                    SetOp::Difference => "∖",
                    SetOp::Intersect => "∩",
                };
                format!("{} = {} {op} {}", s(dst), s(a), s(b))
            }
            Instr::SetTest {
                dst,
                set: x,
                element,
            } => format!("{} = {} ∈ {}", s(dst), s(element), set(x)),
            Instr::SetInsert { set: x, element } => format!("{} ∪= {}", set(x), s(element)),
            Instr::SetRemove { set: x, element } => format!("{} ∖= {}", set(x), s(element)),
            Instr::SetCount { dst, set: x } => format!("{} = size {}", s(dst), set(x)),
            Instr::SetNext { dst, set: x, after } => {
                format!("{} = next in {} after {}", s(dst), set(x), s(after))
            }
            Instr::SetLast { dst, set: x } => format!("{} = last in {}", s(dst), set(x)),
            Instr::SetEq { dst, a, b, .. } => format!("{} = {} same as {}", s(dst), s(a), s(b)),
            Instr::SetSubset { dst, a, b, .. } => format!("{} = {} ⊆ {}", s(dst), s(a), s(b)),
            Instr::SetBefore { dst, src, element } => {
                format!("{} = {} before {}", s(dst), set(src), s(element))
            }
            Instr::SetTop { dst, src, count } => {
                format!("{} = top {} of {}", s(dst), s(count), set(src))
            }
            Instr::SetRange { dst, lo, hi } => format!("{} = {}..{}", set(dst), s(lo), s(hi)),
            Instr::SetAround { dst, src, table } => {
                format!("{} = around {} by table {table}", set(dst), set(src))
            }
            Instr::SetGroup {
                dst,
                from,
                within,
                table,
            } => format!(
                "{} = group of {} in {} by table {table}",
                set(dst),
                set(from),
                set(within)
            ),
            Instr::Hops {
                dst,
                from,
                to,
                table,
                ..
            } => format!(
                "{} = hops {} to {} by table {table}",
                s(dst),
                s(from),
                s(to)
            ),
            Instr::SetRun {
                dst,
                from,
                way,
                within,
                table,
                both,
                ..
            } => format!(
                "{} = {} from {} towards {} in {} by table {table}",
                set(dst),
                if *both { "line" } else { "run" },
                s(from),
                s(way),
                set(within)
            ),
            Instr::Reach { place } => format!("reach {place}"),
            Instr::SetShift { dst, src, by, .. } => {
                format!("{} = {} renumbered by {by}", set(dst), set(src))
            }
            Instr::SubsetFirst {
                dst,
                set: x,
                count,
                found,
            } => format!(
                "{}, {} = first {} of {}",
                set(dst),
                s(found),
                s(count),
                set(x)
            ),
            Instr::SubsetNext { dst, set: x, found } => {
                format!("{}, {} = next as many of {}", set(dst), s(found), set(x))
            }
            Instr::Event(event) => {
                let parts: Vec<String> = event
                    .parts
                    .iter()
                    .map(|(value, viewers)| format!("{} to {}", set(value), s(viewers)))
                    .collect();
                let mut text = format!("event {}", event.site.0);
                if let Some(chooser) = &event.chooser {
                    text += &format!(" of {}", s(chooser));
                }
                if let Some(alternative) = event.alternative {
                    text += &format!(" option {alternative}");
                }
                format!("{text} to {}: {}", s(&event.viewers), parts.join(", "))
            }
            Instr::Emit {
                alternative,
                parts,
                weight,
                rank,
                bulk,
            } => {
                let mut parts: Vec<String> = parts.iter().map(set).collect();
                if let (Some(Bulk::Pairs { first, second }), [.., one, other]) =
                    (bulk, &mut parts[..])
                {
                    *one += &format!(" of {}", set(&first.0));
                    *other += &format!(" of {}", set(&second.0));
                } else if let (Some(bulk), Some(last)) = (bulk, parts.last_mut()) {
                    *last = match bulk {
                        Bulk::Subsets { set: from, count } => {
                            format!("{last} of each {} of {}", s(count), set(from))
                        }
                        Bulk::Elements { set: from, .. }
                        | Bulk::Pairs {
                            second: (from, _), ..
                        } => format!("{last} of {}", set(from)),
                    };
                }
                let weight = weight
                    .as_ref()
                    .map_or_else(String::new, |w| format!(" weight {}", s(w)));
                let rank = rank
                    .as_ref()
                    .map_or_else(String::new, |r| format!(" rank {}", s(r)));
                format!("emit {alternative} ({}){weight}{rank}", parts.join(", "))
            }
            Instr::Sample(code) => match &**code {
                SampleCode::Below { dst, n } => format!("{} = any below {}", s(dst), s(n)),
                SampleCode::Member {
                    dst,
                    set: x,
                    bound,
                    hit,
                    ..
                } => format!("{}, {} = any of {bound} in {}", s(dst), s(hit), set(x)),
                SampleCode::Listed { dst } => format!("{} = any emitted", s(dst)),
                SampleCode::Attempts { dst, n } => format!("{} = {n} attempts", s(dst)),
                SampleCode::Element { dst, set: x, .. } => {
                    format!("{} = one of {}", s(dst), set(x))
                }
                SampleCode::Subset {
                    dst, set: x, count, ..
                } => format!("{} = any {} of {}", set(dst), s(count), set(x)),
                SampleCode::Tuple {
                    chosen,
                    alternatives,
                    ..
                } => {
                    let parts: Vec<String> = alternatives.iter().flatten().map(set).collect();
                    format!("{}, ({}) = one emitted", s(chosen), parts.join(", "))
                }
                SampleCode::Told { node, arm, .. } => format!("tell of node {} arm {arm}", node.0),
            },
        }
    }
}

/// A constant: a small number as such, anything else as bits.
pub(crate) fn show_word(word: u64) -> String {
    match word as i64 {
        small @ -999_999..=999_999 => small.to_string(),
        _ => format!("0x{word:x}"),
    }
}

fn op_name(op: Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::Div => "div",
        Op::Mod => "mod",
        Op::Min => "min",
        Op::Max => "max",
        Op::Eq => "==",
        Op::Ne => "!=",
        Op::Lt => "<",
        Op::Le => "<=",
        Op::And => "and",
        Op::Or => "or",
    }
}
