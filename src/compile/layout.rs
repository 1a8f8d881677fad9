//! How a state at rest is packed: which slots go into which bits, and which bits count for its identity.

use super::codes;
use super::liveness::Wanted;
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{Description, Init};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// The most words that a packed state may take.
const MAX_WORDS: usize = 1 << 16;

/// Lays out every variable, and every local that some node keeps. `identity`: for each node what is part of a state's
/// identity, where that is less than what is live.
pub(super) fn layout(
    d: &Description,
    slots: &[SlotInfo],
    vars: &[VarSlots],
    payoff: &PayoffCode,
    wanted: &[Wanted],
    identity: Option<&[Slots]>,
) -> Result<Layout, Vec<Diagnostic>> {
    let mut fields: Vec<Field> = Vec::new();
    let mut owners: Vec<bool> = Vec::new();
    let mut accumulated: Vec<bool> = Vec::new();
    let mut fixed = Vec::new();
    let mut packer = Packer::default();
    for info in slots {
        let words = info.ty.words() as u32;
        let is_var = info.var.is_some();
        for w in 0..words {
            let slot = info.slot + w;
            let kept = is_var
                || wanted
                    .iter()
                    .any(|n| n.live.contains(slot) || n.printed.contains(slot));
            if !kept {
                continue;
            }
            let (bits, lo) = width(&info.ty, w);
            if bits == 0 {
                fixed.push((slot, lo));
                continue;
            }
            let (word, shift) = packer.place(bits);
            fields.push(Field {
                slot,
                word,
                shift,
                bits,
                lo,
            });
            owners.push(is_var);
            accumulated.push(info.var.is_some_and(|v| payoff.accumulators.contains(&v)));
        }
    }
    let words = packer.words();
    if words > MAX_WORDS {
        return Err(vec![
            Diagnostic::error(
                codes::STATE_TOO_LARGE,
                d.vars.first().map_or(Span::default(), |v| v.span),
                format!("a state takes {words} words of 64 bits, more than {MAX_WORDS}"),
            )
            .hint("make the types of the variables smaller"),
        ]);
    }
    let mut kept = Vec::new();
    let mut live = Vec::new();
    let mut reduced = Vec::new();
    for (number, node) in wanted.iter().enumerate() {
        let identity = identity.map_or(&node.live, |slots| &slots[number]);
        let mut list = Vec::new();
        let mut mask = vec![0u64; words];
        let mut fewer = vec![0u64; words];
        for (i, field) in fields.iter().enumerate() {
            let alive = node.live.contains(field.slot);
            if owners[i] || alive || node.printed.contains(field.slot) {
                list.push(i as u32);
            }
            if identity.contains(field.slot) {
                let bits = field.mask() << field.shift;
                mask[field.word as usize] |= bits;
                if !accumulated[i] {
                    fewer[field.word as usize] |= bits;
                }
            }
        }
        kept.push(list);
        live.push(mask);
        reduced.push(fewer);
    }
    let mut layout = Layout {
        words,
        fields,
        fixed,
        initial: vec![0; words],
        kept,
        live,
        reduced,
    };
    layout.initial = initial(&layout, d, vars);
    Ok(layout)
}

/// The packed state before play begins.
fn initial(layout: &Layout, d: &Description, vars: &[VarSlots]) -> Vec<u64> {
    let mut value = rustc_hash::FxHashMap::default();
    for (var, slots) in d.vars.iter().zip(vars) {
        for e in 0..slots.elements {
            let words = match &var.init {
                Init::Same(words) => Some(words),
                Init::Each(all) => all.get(e as usize),
            };
            for w in 0..u32::from(slots.words) {
                let slot = slots.base + e * u32::from(slots.words) + w;
                let word = words.and_then(|ws| ws.get(w as usize)).copied();
                value.insert(slot, word.unwrap_or(0));
            }
        }
    }
    let mut initial = vec![0; layout.words];
    for field in &layout.fields {
        if let Some(v) = value.get(&field.slot) {
            field.write(&mut initial, *v);
        }
    }
    initial
}

/// How many bits one word of a value needs, and its least value.
fn width(ty: &Type, word: u32) -> (u8, i64) {
    match ty {
        Type::Set(element) => {
            let size = element.size().unwrap_or(0);
            (size.saturating_sub(u64::from(word) * 64).min(64) as u8, 0)
        }
        _ => {
            let (lo, hi) = ty.bounds().unwrap_or((0, 0));
            let span = (hi as u64).wrapping_sub(lo as u64);
            ((64 - span.leading_zeros()) as u8, lo)
        }
    }
}

/// Fills words from the low bits up; a field never straddles two words.
#[derive(Default)]
struct Packer {
    /// Bits used in each word.
    used: Vec<u8>,
}

impl Packer {
    fn place(&mut self, bits: u8) -> (u32, u8) {
        // The first of the last few words with room; older ones are nearly full.
        let start = self.used.len().saturating_sub(4);
        for w in start..self.used.len() {
            if self.used[w] + bits <= 64 {
                let shift = self.used[w];
                self.used[w] += bits;
                return (w as u32, shift);
            }
        }
        self.used.push(bits);
        (self.used.len() as u32 - 1, 0)
    }

    fn words(&self) -> usize {
        self.used.len()
    }
}
