//! The types of the values in actions, and values that are put in the place of others.

use super::history::{Part, Values};
use crate::belief::told::WHOLE;
use crate::machine::{Action, HIDDEN_LABEL, Machine, Observation};
use crate::model::types::{Type, bits};
use crate::model::{ExprKind, SiteId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// How a value of some type stands in the words of an action.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Form {
    /// A number that has no other of its kind.
    Other,
    /// The value whose ordinal is 0 is this number.
    Scalar(i64),
    /// Nothing, or a value.
    Optional,
    Set,
}

/// A value in an action.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Slot {
    kind: u16,
    form: Form,
    words: usize,
}

/// What takes the place of a value.
#[derive(Copy, Clone, Debug)]
pub enum Change {
    /// Two values change places.
    Transpose(u64, u64),
    /// The second takes the place of the first.
    Replace(u64, u64),
}

impl Change {
    fn of(self, ordinal: u64) -> u64 {
        match self {
            Change::Transpose(a, b) if ordinal == b => a,
            Change::Transpose(a, b) | Change::Replace(a, b) if ordinal == a => b,
            _ => ordinal,
        }
    }
}

/// Of more values none change places.
const MOST: u64 = 1 << 16;

type Alternatives = Vec<SmallVec<[Slot; 4]>>;

/// The types of values of a game, by numbers.
pub struct Kinds {
    types: Vec<Type>,
    sizes: Vec<u64>,
    /// Of choices and draws, by the node and the place in the text.
    parts: FxHashMap<(u32, SiteId), Alternatives>,
    reveals: FxHashMap<SiteId, Slot>,
}

impl Kinds {
    pub fn new(machine: &Machine) -> Kinds {
        let mut kinds = Kinds {
            types: Vec::new(),
            sizes: Vec::new(),
            parts: FxHashMap::default(),
            reveals: FxHashMap::default(),
        };
        for (node, code) in machine.program().nodes.iter().enumerate() {
            for listing in code.listings() {
                let alternatives = listing.alternatives.iter();
                let slots = alternatives.map(|alternative| {
                    let parts = alternative.parts.iter();
                    let slots = parts.map(|(o, ty)| kinds.slot(ty, usize::from(o.words)));
                    slots.collect()
                });
                let slots: Alternatives = slots.collect();
                kinds.parts.insert((node as u32, listing.site), slots);
            }
        }
        let mut reveals = Vec::new();
        machine.description().play.for_each_expr(|e| {
            if let ExprKind::Reveal { site, value, .. } = &e.kind {
                reveals.push((*site, value.ty.clone()));
            }
        });
        for (site, ty) in reveals {
            let slot = kinds.slot(&ty, ty.words());
            kinds.reveals.insert(site, slot);
        }
        kinds
    }

    fn slot(&mut self, ty: &Type, words: usize) -> Slot {
        let (inner, form) = match ty {
            Type::Set(element) => (&**element, Form::Set),
            Type::Optional(inner) => (&**inner, Form::Optional),
            Type::Int { lo, .. } => (ty, Form::Scalar(*lo)),
            Type::Number { .. } | Type::Array { .. } => (ty, Form::Other),
            _ => (ty, Form::Scalar(0)),
        };
        let known = self.types.iter().position(|t| t == inner);
        let kind = known.unwrap_or_else(|| {
            let size = inner.size().filter(|size| *size <= MOST);
            self.sizes.push(size.unwrap_or(0));
            self.types.push(inner.clone());
            self.types.len() - 1
        });
        let form = match self.sizes[kind] {
            0 => Form::Other,
            _ => form,
        };
        let kind = kind as u16;
        Slot { kind, form, words }
    }

    /// How many values a type has.
    pub fn size(&self, kind: u16) -> u64 {
        self.sizes[usize::from(kind)]
    }

    fn slots(&self, node: u32, part: &Part) -> &[Slot] {
        let alternatives = self.parts.get(&(node, part.site));
        let number = part.action.0.first().map_or(0, |&number| number as usize);
        let slots = alternatives.and_then(|alternatives| alternatives.get(number));
        slots.map_or(&[], |slots| slots)
    }

    /// The values that the player did not see.
    pub fn hidden(&self, node: u32, part: &Part) -> Values {
        self.values(node, part, |i| is_hidden(part, i))
    }

    /// The values that it saw, its own among them.
    pub fn shown(&self, node: u32, part: &Part) -> Values {
        self.values(node, part, |i| !is_hidden(part, i))
    }

    fn values(&self, node: u32, part: &Part, wanted: impl Fn(usize) -> bool) -> Values {
        let mut values = Values::new();
        let mut at = 1;
        for (i, slot) in self.slots(node, part).iter().enumerate() {
            let words = &part.action.0[at..at + slot.words];
            if wanted(i) {
                slot.values(words, &mut values);
            }
            at += slot.words;
        }
        values
    }

    /// With something else in the place of hidden values; `None` where that changes nothing.
    pub fn changed(&self, node: u32, part: &Part, kind: u16, change: Change) -> Option<Action> {
        let mut action = part.action.clone();
        let mut at = 1;
        for (i, slot) in self.slots(node, part).iter().enumerate() {
            if is_hidden(part, i) && slot.kind == kind {
                slot.change(&mut action.0[at..at + slot.words], change);
            }
            at += slot.words;
        }
        (action != part.action).then_some(action)
    }

    /// Two actions with their hidden values exchanged; `None` where these are not of the same types, or equal.
    pub fn exchanged(&self, one: (u32, &Part), other: (u32, &Part)) -> Option<(Action, Action)> {
        let slots = self.slots(one.0, one.1);
        if !self.alike(one, other) {
            return None;
        }
        let (mut a, mut b) = (one.1.action.clone(), other.1.action.clone());
        if one.1.seen == 0 {
            std::mem::swap(&mut a, &mut b);
        } else {
            let mut at = 1;
            for (i, slot) in slots.iter().enumerate() {
                if is_hidden(one.1, i) {
                    let range = at..at + slot.words;
                    a.0[range.clone()].swap_with_slice(&mut b.0[range]);
                }
                at += slot.words;
            }
        }
        (a != one.1.action).then_some((a, b))
    }

    /// Whether two actions hide values of the same types, and will where these have changed places: what is hidden whole
    /// takes the number of its alternative along, which must stand for the same in both places.
    pub fn alike(&self, one: (u32, &Part), other: (u32, &Part)) -> bool {
        let all = |(node, part): (u32, &Part)| self.parts.get(&(node, part.site));
        one.1.seen == other.1.seen
            && (one.1.seen != 0 || all(one) == all(other))
            && self.slots(one.0, one.1) == self.slots(other.0, other.1)
            && one.1.action.0.len() == other.1.action.0.len()
    }

    /// The values of something seen: of an event at this node, or of a reveal.
    pub fn seen(&self, node: u32, o: &Observation) -> Values {
        let mut values = Values::new();
        if let Some(slot) = self.reveals.get(&o.site) {
            if slot.words == o.values.len() {
                slot.values(&o.values, &mut values);
            }
            return values;
        }
        let Some(alternatives) = self.parts.get(&(node, o.site)) else {
            return values;
        };
        let number = o.values.first().filter(|&&label| label != HIDDEN_LABEL);
        let Some(slots) = number.and_then(|&number| alternatives.get(number as usize)) else {
            return values;
        };
        let mut at = 1;
        for (i, slot) in slots.iter().enumerate() {
            if o.pattern >> (i % 64) & 1 == 1 {
                let Some(words) = o.values.get(at..at + slot.words) else {
                    return values;
                };
                slot.values(words, &mut values);
                at += slot.words;
            }
        }
        values
    }
}

fn is_hidden(part: &Part, i: usize) -> bool {
    part.seen != WHOLE && part.seen >> (i % 64) & 1 == 0
}

impl Slot {
    fn values(&self, words: &[u64], to: &mut Values) {
        match self.form {
            Form::Other => {}
            Form::Scalar(lo) => to.push((self.kind, (words[0] as i64 - lo) as u64)),
            Form::Optional if words[0] == 0 => {}
            Form::Optional => to.push((self.kind, words[0] - 1)),
            Form::Set => to.extend(bits(words).map(|bit| (self.kind, bit))),
        }
    }

    fn change(&self, words: &mut [u64], change: Change) {
        match self.form {
            Form::Other => {}
            Form::Scalar(lo) => {
                let ordinal = (words[0] as i64 - lo) as u64;
                words[0] = (lo + change.of(ordinal) as i64) as u64;
            }
            Form::Optional if words[0] == 0 => {}
            Form::Optional => words[0] = change.of(words[0] - 1) + 1,
            Form::Set => {
                let old: SmallVec<[u64; 4]> = SmallVec::from_slice(words);
                words.fill(0);
                for bit in bits(&old) {
                    let bit = change.of(bit);
                    words[(bit / 64) as usize] |= 1 << (bit % 64);
                }
            }
        }
    }
}
