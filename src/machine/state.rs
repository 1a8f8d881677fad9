//! A world state at rest: the node and the packed variables, flat words without a heap for games of ordinary size. It goes
//! to bytes and back.

use super::Machine;
use crate::ir::Program;
use crate::model::types::Type;
use smallvec::SmallVec;

/// A state of play: all that the rest of the game follows from. Cheap to clone, compare and hash. Only the machine that
/// made it can read it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) node: u32,
    pub(super) words: SmallVec<[u64; 16]>,
}

/// Why bytes, or a node and words, are no state of a machine.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StateError {
    /// There are more or fewer bytes, or words, than a state of the machine takes.
    Length {
        /// How many there are.
        found: usize,
        /// How many a state takes.
        expected: usize,
    },
    /// The machine has no such node.
    Node {
        /// The number of the node.
        found: u32,
        /// How many nodes there are.
        nodes: u32,
    },
    /// A value is outside the range of its variable.
    Range {
        /// The value.
        value: i64,
        /// The least that the variable holds.
        lo: i64,
        /// The greatest that it holds.
        hi: i64,
    },
    /// Bits are set that hold nothing at this node.
    Unused,
}

impl std::fmt::Display for StateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StateError::Length { found, expected } => {
                write!(f, "a state has the length {expected}, and this {found}")
            }
            StateError::Node { found, nodes } => {
                write!(f, "there is no node {found} among {nodes}")
            }
            StateError::Range { value, lo, hi } => {
                write!(f, "the value {value} is not in {lo}..{hi}")
            }
            StateError::Unused => write!(f, "bits are set that hold nothing"),
        }
    }
}

impl std::error::Error for StateError {}

impl State {
    /// The packed variables; with the node this is all of the state.
    #[doc(hidden)]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The node and the words, each with its lowest byte first: 4 bytes, and 8 for each word. All states of a machine have
    /// as many, and equal states equal ones. [`Machine::state_from_bytes`] reads them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let words = self.words.iter().flat_map(|word| word.to_le_bytes());
        self.node.to_le_bytes().into_iter().chain(words).collect()
    }
}

impl Machine {
    /// The state that [`State::to_bytes`] wrote down. The bytes need not be trusted: what this gives is laid out like a
    /// state of this machine, with every value in its range. Whether play comes to it is not known.
    ///
    /// # Errors
    /// Where no state can look like this.
    pub fn state_from_bytes(&self, bytes: &[u8]) -> Result<State, StateError> {
        let length = StateError::Length {
            found: bytes.len(),
            expected: 4 + 8 * self.state_words(),
        };
        let (node, rest) = bytes.split_first_chunk().ok_or(length)?;
        let (words, over) = rest.as_chunks();
        if words.len() != self.state_words() || !over.is_empty() {
            return Err(length);
        }
        let words: SmallVec<[u64; 16]> = words.iter().map(|w| u64::from_le_bytes(*w)).collect();
        self.read_state(u32::from_le_bytes(*node), &words)
    }

    /// The state of a node and words from an untrusted source; as [`Machine::state_from_bytes`].
    ///
    /// # Errors
    /// As [`Machine::state_from_bytes`].
    #[doc(hidden)]
    pub fn read_state(&self, node: u32, words: &[u64]) -> Result<State, StateError> {
        let layout = &self.program.layout;
        let kept = layout.kept.get(node as usize).ok_or(StateError::Node {
            found: node,
            nodes: layout.kept.len() as u32,
        })?;
        if words.len() != layout.words {
            return Err(StateError::Length {
                found: words.len(),
                expected: layout.words,
            });
        }
        let mut left: SmallVec<[u64; 16]> = SmallVec::from_slice(words);
        for &i in kept {
            let field = &layout.fields[i as usize];
            left[field.word as usize] &= !(field.mask() << field.shift);
            if let Some((lo, hi)) = self.bounds[i as usize] {
                let value = field.read(words) as i64;
                if value < lo || value > hi {
                    return Err(StateError::Range { value, lo, hi });
                }
            }
        }
        match left.iter().all(|word| *word == 0) {
            true => Ok(self.state_at(node, words)),
            false => Err(StateError::Unused),
        }
    }
}

/// For each field of a packed state the least and the greatest value; `None`: any that its bits can hold.
pub(super) fn bounds(program: &Program) -> Vec<Option<(i64, i64)>> {
    let slots = &program.slots;
    let of = |slot| {
        let at = slots.partition_point(|info| info.slot <= slot);
        let info = slots[..at].last()?;
        match info.ty {
            // Every pattern of its bits is a set.
            Type::Set(_) => None,
            _ => Some(info.ty.bounds().unwrap_or((0, 0))),
        }
    };
    program
        .layout
        .fields
        .iter()
        .map(|field| of(field.slot))
        .collect()
}
