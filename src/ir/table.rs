//! The form in which instructions are said: each is one row with everything about it but its meaning (`meaning.rs`).
//!
//! A row has the fields of the instruction and then
//! - `touches`: the slots that it reads and writes, reads first, as calls on `t` ([`Reader`], or [`Renamer`] where slots
//!   are given other numbers);
//! - `text`: how it prints, with the names of slots from `n`;
//! - `work`, unless it is 1: the most that it can come to, in units of one on a single word, for the program's `tables`;
//! - `law`, if there is any: what the verifier `v` sees to besides the slots;
//! - `pure { false }` where more than values of the frame comes of it, so that it stays even where these are dead;
//! - `long { true }` where it takes as long as several others, so that passes rather look it up.

use super::{Bulk, EventCode, Operand, SampleCode, Slot};

/// What an instruction does to a range of slots.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
    /// Some of the words are written, and the others stay.
    Part,
    /// All of the words are written, or none.
    Perhaps,
}

/// What a range of slots must hold.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Number,
    Set,
    Any,
}

/// Visits the slots of an instruction.
pub(crate) struct Reader<'a>(pub &'a mut dyn FnMut(Slot, u32, Access, Holds));

/// Visits the slots of an instruction, and may change them.
pub(crate) struct Renamer<'a>(pub &'a mut dyn FnMut(&mut Slot, u32, Access, Holds));

/// The ways to say what an instruction touches, the same for both.
macro_rules! ways {
    ($Visitor:ident $(, $mutable:tt)?) => {
        impl $Visitor<'_> {
            pub fn number(&mut self, access: Access, slot: &$($mutable)? Slot) {
                self.give(slot, 1, access, Holds::Number);
            }

            /// A set of so many words.
            pub fn set_at(&mut self, access: Access, slot: &$($mutable)? Slot, words: u32) {
                self.give(slot, words, access, Holds::Set);
            }

            pub fn set(&mut self, access: Access, set: &$($mutable)? Operand) {
                let words = u32::from(set.words);
                self.give(&$($mutable)? set.slot, words, access, Holds::Set);
            }

            /// So many words of any kind.
            pub fn any_at(&mut self, access: Access, slot: &$($mutable)? Slot, words: u32) {
                self.give(slot, words, access, Holds::Any);
            }

            pub fn any(&mut self, access: Access, value: &$($mutable)? Operand) {
                let words = u32::from(value.words);
                self.give(&$($mutable)? value.slot, words, access, Holds::Any);
            }

            pub fn event(&mut self, event: &$($mutable)? EventCode) {
                if let Some(chooser) = &$($mutable)? event.chooser {
                    self.number(Access::Read, chooser);
                }
                self.any_at(Access::Read, &$($mutable)? event.viewers, 1);
                for (value, viewers) in &$($mutable)? event.parts {
                    self.any(Access::Read, value);
                    self.any_at(Access::Read, viewers, 1);
                }
                if let Some(said) = &$($mutable)? event.said {
                    for said in &$($mutable)? said.values {
                        self.any(Access::Read, &$($mutable)? said.value);
                    }
                }
            }

            /// The parts of a tuple. Those in bulk are no values yet.
            pub fn tuple(
                &mut self,
                parts: &$($mutable)? [Operand],
                bulk: &$($mutable)? Option<Bulk>,
            ) {
                let whole = parts.len().saturating_sub(bulk.map_or(0, |b| b.parts()));
                for part in &$($mutable)? parts[..whole] {
                    self.any(Access::Read, part);
                }
                for part in &$($mutable)? parts[whole..] {
                    self.any(Access::Write, part);
                }
                match bulk {
                    Some(Bulk::Elements { set, .. }) => self.set(Access::Read, set),
                    Some(Bulk::Subsets { set, count }) => {
                        self.set(Access::Read, set);
                        self.number(Access::Read, count);
                    }
                    Some(Bulk::Pairs { first, second }) => {
                        self.set(Access::Read, &$($mutable)? first.0);
                        self.set(Access::Read, &$($mutable)? second.0);
                    }
                    None => {}
                }
            }
        }
    };
}

ways!(Reader);
ways!(Renamer, mut);

impl Reader<'_> {
    pub fn sample(&mut self, code: &SampleCode) {
        code.touch(self);
    }

    fn give(&mut self, slot: &Slot, words: u32, access: Access, holds: Holds) {
        (self.0)(*slot, words, access, holds);
    }
}

impl Renamer<'_> {
    pub fn sample(&mut self, code: &mut SampleCode) {
        code.touch_mut(self);
    }

    fn give(&mut self, slot: &mut Slot, words: u32, access: Access, holds: Holds) {
        (self.0)(slot, words, access, holds);
    }
}

/// How slots are called.
pub(crate) struct Names<'a>(pub &'a dyn Fn(Slot) -> String);

impl Names<'_> {
    pub fn slot(&self, slot: &Slot) -> String {
        (self.0)(*slot)
    }

    pub fn set(&self, set: &Operand) -> String {
        match set.words {
            1 => (self.0)(set.slot),
            words => format!("{}:{words}", (self.0)(set.slot)),
        }
    }
}

/// The first of some blocks, or else the last.
macro_rules! first_of {
    ($given:block $default:expr) => {
        $given
    };
    ($default:expr) => {
        $default
    };
}

/// An enumeration of instructions from their rows.
macro_rules! instructions {
    (
        with $t:ident, $n:ident, $tables:ident, $v:ident;
        $(#[$attribute:meta])*
        pub enum $Enum:ident {
            $(
                $(#[$doc:meta])*
                $Name:ident
                $({ $($(#[$of_field:meta])* $field:ident: $ty:ty),* $(,)? })?
                $(($inner:ident: $payload:ty))?
                => {
                    touches $touches:block
                    text $text:block
                    $(work $work:block)?
                    $(law $law:block)?
                    $(pure $pure:block)?
                    $(long $long:block)?
                }
            )*
        }
    ) => {
        $(#[$attribute])*
        pub enum $Enum {
            $(
                $(#[$doc])*
                $Name $({ $($(#[$of_field])* $field: $ty),* })? $(($payload))?,
            )*
        }

        // A row need not use all of its fields, nor an enumeration all of its rows.
        #[allow(unused_variables, dead_code)]
        impl $Enum {
            pub(crate) fn touch(&self, $t: &mut Reader<'_>) {
                match self {
                    $($Enum::$Name $({ $($field),* })? $(($inner))? => $touches)*
                }
            }

            pub(crate) fn touch_mut(&mut self, $t: &mut Renamer<'_>) {
                match self {
                    $($Enum::$Name $({ $($field),* })? $(($inner))? => $touches)*
                }
            }

            pub(crate) fn text(&self, $n: &Names<'_>) -> String {
                match self {
                    $($Enum::$Name $({ $($field),* })? $(($inner))? => $text)*
                }
            }

            /// The most that it can come to, in units of an instruction on a single word.
            pub(crate) fn work(&self, $tables: &[Table]) -> u64 {
                match self {
                    $($Enum::$Name $({ $($field),* })? $(($inner))? => $crate::ir::table::first_of!($($work)? 1),)*
                }
            }

            /// What holds besides the bounds and kinds of its slots.
            pub(super) fn law(&self, $v: &Verifier<'_>) -> Result<(), String> {
                match self {
                    $($Enum::$Name $({ $($field),* })? $(($inner))? => $crate::ir::table::first_of!($($law)? Ok(())),)*
                }
            }

            /// Whether nothing but values of the frame comes of it: without a reader it may go.
            pub(crate) fn is_pure(&self) -> bool {
                match self {
                    $($Enum::$Name $({ $($field),* })? $(($inner))? => $crate::ir::table::first_of!($($pure)? true),)*
                }
            }

            /// Whether it takes as long as several others.
            pub(crate) fn is_long(&self) -> bool {
                match self {
                    $($Enum::$Name $({ $($field),* })? $(($inner))? => $crate::ir::table::first_of!($($long)? false),)*
                }
            }
        }
    };
}

pub(crate) use {first_of, instructions};
