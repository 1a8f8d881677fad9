//! Numbers for values: what is computed alike from the same has the same number.
//!
//! A value is one word. It is a constant, or the result of a pure instruction over other values, or it is opaque: read
//! from a place of which nothing is known, sampled, or different on different ways. Every value has bounds which hold
//! wherever it stands.

mod evaluation;
mod implications;

use super::bounds::{Bounds, FULL, result};
use crate::ir::meaning::execute;
use crate::ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The number of a value. What is computed from others has a greater number than they.
pub(super) type Value = u32;

pub(super) type Args = SmallVec<[Value; 8]>;

/// The most words that an instruction may read to be numbered.
const MOST_READ: u32 = 48;
/// And one that goes through a whole array.
const MOST_OF_ARRAY: u32 = 240;
/// The most instructions that are run beforehand altogether, so that a game is compiled soon.
const MOST_RUNS: usize = 400_000;

enum Kind {
    Known(u64),
    Opaque,
    /// A word of the result of a computation.
    Computed {
        by: u32,
    },
}

/// A pure instruction over slots of its own, numbered from 0.
struct Computation {
    instr: Instr,
    /// What stands in the first slots.
    args: Args,
    /// Its results: their first slot and the number of the first.
    dst: Slot,
    words: u32,
    first: Value,
    /// Whether it costs as much as several others.
    long: bool,
}

/// What makes two computations the same: the instruction and what it reads.
type Key = (Instr, Args);

pub(super) struct Values<'s> {
    pub program: &'s Program,
    kinds: Vec<Kind>,
    bounds: Vec<Bounds>,
    computations: Vec<Computation>,
    known: FxHashMap<u64, Value>,
    found: FxHashMap<Key, Value>,
    scratch: Vec<u64>,
    /// Words of values, while some are evaluated.
    at: Vec<u64>,
    /// How many instructions may still be run beforehand.
    runs: usize,
}

impl<'s> Values<'s> {
    pub fn new(program: &'s Program) -> Values<'s> {
        Values {
            program,
            kinds: Vec::new(),
            bounds: Vec::new(),
            computations: Vec::new(),
            known: FxHashMap::default(),
            found: FxHashMap::default(),
            scratch: vec![0; 256],
            at: Vec::new(),
            runs: MOST_RUNS,
        }
    }

    pub fn bounds(&self, value: Value) -> Bounds {
        self.bounds[value as usize]
    }

    /// The constant that a value is.
    pub fn constant(&self, value: Value) -> Option<u64> {
        match self.kinds[value as usize] {
            Kind::Known(word) => Some(word),
            _ => None,
        }
    }

    pub fn opaque(&mut self, bounds: Bounds) -> Value {
        self.push(Kind::Opaque, bounds)
    }

    pub fn known(&mut self, word: u64) -> Value {
        if let Some(value) = self.known.get(&word) {
            return *value;
        }
        let value = self.push(Kind::Known(word), (word as i64, word as i64));
        self.known.insert(word, value);
        value
    }

    fn push(&mut self, kind: Kind, bounds: Bounds) -> Value {
        self.kinds.push(kind);
        self.bounds.push(bounds);
        self.kinds.len() as Value - 1
    }

    /// The values of the words that a pure instruction writes, from the first on, by those that it reads; `None` for one
    /// that is not numbered.
    pub fn computed(&mut self, instr: &Instr, args: &Args) -> Option<SmallVec<[Value; 4]>> {
        if let Instr::Table { table, .. } = instr
            && *table as usize >= self.program.tables.len()
        {
            return None;
        }
        if let Instr::SetBinary { op, words, .. } = instr
            && *words > 1
        {
            // Word by word, since some words may be known or stand somewhere.
            let instr = Instr::SetBinary {
                op: *op,
                dst: 0,
                a: 0,
                b: 0,
                words: 1,
            };
            let (a, b) = args.split_at(args.len() / 2);
            let pairs = a.iter().zip(b);
            let words = pairs.map(|(a, b)| self.computed(&instr, &Args::from_slice(&[*a, *b])));
            let words: Option<Vec<_>> = words.collect();
            return Some(words?.into_iter().flatten().collect());
        }
        if let Some(same) = self.same(instr, args) {
            return Some(SmallVec::from_slice(&[same]));
        }
        let key = self.key(instr, args)?;
        let (by, words) = match self.found.get(&key) {
            Some(&first) => match self.kinds[first as usize] {
                Kind::Computed { by, .. } => {
                    let c = &self.computations[by as usize];
                    return Some((c.first..c.first + c.words).collect());
                }
                // Something simpler.
                _ => return Some(SmallVec::from_slice(&[first])),
            },
            None => {
                let c = computation(instr, args, self.kinds.len() as Value)?;
                let words = c.words;
                self.computations.push(c);
                (self.computations.len() as u32 - 1, words)
            }
        };
        if args.iter().all(|a| self.constant(*a).is_some()) {
            let at: Vec<u64> = args.iter().filter_map(|a| self.constant(*a)).collect();
            if let Some(words) = self.run(by, |i| at.get(i).copied().unwrap_or(0)) {
                self.computations.pop();
                return Some(words.into_iter().map(|w| self.known(w)).collect());
            }
        }
        let bounds = result(instr, &|i| self.bounds[args[i] as usize], self.program);
        let first = self.kinds.len() as Value;
        for _ in 0..words {
            let bounds = if words == 1 { bounds } else { FULL };
            self.push(Kind::Computed { by }, bounds);
        }
        self.found.insert(key, first);
        Some((first..first + words).collect())
    }

    /// The value that an operation on two words comes to where that is one of them, or a constant.
    fn same(&mut self, instr: &Instr, args: &Args) -> Option<Value> {
        let &[a, b] = &args[..] else {
            return None;
        };
        if let Instr::SetBinary {
            op: SetOp::Difference,
            ..
        } = instr
        {
            return self.difference(a, b);
        }
        let op = binary(instr)?;
        let (x, y) = (self.constant(a), self.constant(b));
        match op {
            Op::And | Op::Or | Op::Min | Op::Max if a == b => Some(a),
            Op::Eq | Op::Le if a == b => Some(self.known(1)),
            Op::Ne | Op::Lt | Op::Sub if a == b => Some(self.known(0)),
            Op::Or if y == Some(0) => Some(a),
            Op::Or if x == Some(0) => Some(b),
            Op::And if y == Some(u64::MAX) => Some(a),
            Op::And if x == Some(u64::MAX) => Some(b),
            Op::And if x == Some(0) || y == Some(0) => Some(self.known(0)),
            Op::Add | Op::Sub if y == Some(0) => Some(a),
            Op::Add if x == Some(0) => Some(b),
            Op::Mul | Op::Div if y == Some(1) => Some(a),
            _ => None,
        }
    }

    fn difference(&mut self, a: Value, b: Value) -> Option<Value> {
        let all = self.constant(b) == Some(u64::MAX);
        match self.constant(b) {
            Some(0) => Some(a),
            _ if a == b || all || self.constant(a) == Some(0) => Some(self.known(0)),
            _ => None,
        }
    }

    /// For a word that is what two words have in common, or what one has and the other has not: both words, and whether
    /// the second is one to be left out.
    pub fn meeting(&self, value: Value) -> Option<(Value, Value, bool)> {
        let Kind::Computed { by } = self.kinds[value as usize] else {
            return None;
        };
        let c = &self.computations[by as usize];
        match (&c.instr, &c.args[..]) {
            (Instr::SetBinary { op, words: 1, .. }, &[a, b]) => match op {
                SetOp::Intersect => Some((a, b, false)),
                SetOp::Difference => Some((a, b, true)),
                SetOp::Union => None,
            },
            _ => None,
        }
    }

    /// The instruction of which a value is a word of the result, over slots of its own, and what it reads, in the order of `visit`.
    pub fn made_by(&self, value: Value) -> Option<(&Instr, &[Value])> {
        let Kind::Computed { by } = self.kinds[value as usize] else {
            return None;
        };
        let c = &self.computations[by as usize];
        Some((&c.instr, &c.args))
    }

    /// Whether it is the first word of the result of an instruction.
    pub fn is_first_word(&self, value: Value) -> bool {
        match self.kinds[value as usize] {
            Kind::Computed { by } => self.computations[by as usize].first == value,
            _ => false,
        }
    }

    /// Runs a computation; `None` where it ends in an error.
    fn run(&mut self, by: u32, arg: impl Fn(usize) -> u64) -> Option<SmallVec<[u64; 4]>> {
        let c = &self.computations[by as usize];
        for i in 0..c.args.len() {
            self.scratch[i] = arg(i);
        }
        let ok = execute(self.program, &mut self.scratch, &c.instr).is_ok();
        let range = c.dst as usize..(c.dst + c.words) as usize;
        ok.then(|| SmallVec::from_slice(&self.scratch[range]))
    }

    /// The same key for what always comes to the same.
    fn key(&mut self, instr: &Instr, args: &Args) -> Option<Key> {
        let mut shape = shape(instr)?;
        let mut args = args.clone();
        if let Instr::Immediate { value, .. } = instr {
            args.push(self.known(*value as u64));
        }
        if let (Instr::SetInsert { set, .. }, Some(e)) = (instr, self.constant(args[0]))
            && set.words == 1
            && e < 64
        {
            shape = Instr::Binary {
                op: Op::Or,
                dst: 0,
                a: 0,
                b: 0,
            };
            args[0] = self.known(1 << e);
        }
        if let Instr::Binary { op, .. } = &mut shape
            && args.len() == 2
        {
            if *op == Op::Sub
                && let Some(c) = self.constant(args[1])
            {
                *op = Op::Add;
                args[1] = self.known(c.wrapping_neg());
            }
            if COMMUTE.contains(op) {
                args.sort_unstable_by_key(|a| (self.constant(*a).is_some(), *a));
            }
        }
        Some((shape, args))
    }
}

const COMMUTE: [Op; 8] = [
    Op::Add,
    Op::Mul,
    Op::Min,
    Op::Max,
    Op::Eq,
    Op::Ne,
    Op::And,
    Op::Or,
];

/// What an instruction does, whatever it reads: itself with slots 0, and one form for all that is an operation on two
/// words. `None` for one that is not numbered.
fn shape(instr: &Instr) -> Option<Instr> {
    if let Some(op) = binary(instr) {
        return Some(Instr::Binary {
            op,
            dst: 0,
            a: 0,
            b: 0,
        });
    }
    // Moves and stores are followed as such.
    if !instr.is_pure() || matches!(instr, Instr::Copy { .. } | Instr::Store { .. }) {
        return None;
    }
    let mut changes = 0;
    instr.clobbers(&mut |_, _| changes += 1);
    if changes != 1 || reads(instr).is_empty() {
        return None;
    }
    let mut shape = instr.clone();
    shape.visit_mut(&mut |slot, _, _| *slot = 0);
    Some(shape)
}

/// What an instruction on two words computes; a constant may be one of them.
fn binary(instr: &Instr) -> Option<Op> {
    match instr {
        Instr::Binary { op, .. } | Instr::Immediate { op, .. } => Some(*op),
        Instr::SetBinary { op, words: 1, .. } => match op {
            SetOp::Union => Some(Op::Or),
            SetOp::Intersect => Some(Op::And),
            SetOp::Difference => None,
        },
        Instr::SetEq { words: 1, .. } => Some(Op::Eq),
        _ => None,
    }
}

/// What a pure instruction reads, in the order of `visit`.
pub(super) fn reads(instr: &Instr) -> SmallVec<[(Slot, u32); 4]> {
    let mut reads = SmallVec::new();
    instr.visit(&mut |slot, words, written| {
        if !written {
            reads.push((slot, words));
        }
    });
    reads
}

/// Whether an instruction can be numbered at all.
pub(super) fn is_numbered(instr: &Instr) -> bool {
    let most = match instr {
        Instr::SetWhere { .. } | Instr::SetAmong { .. } => MOST_OF_ARRAY,
        _ => MOST_READ,
    };
    let small = || reads(instr).iter().map(|(_, n)| n).sum::<u32>() <= most;
    shape(instr).is_some() && small()
}

fn computation(instr: &Instr, args: &Args, first: Value) -> Option<Computation> {
    let kept = instr.in_place();
    let mut instr = instr.clone();
    let mut next = 0;
    let mut dst = None;
    instr.visit_mut(&mut |slot, words, written| {
        if written || kept == Some((*slot, words)) {
            dst = Some((next, words));
        }
        *slot = next;
        next += words;
    });
    let (dst, words) = dst?;
    (next <= 256).then_some(())?;
    let long = instr.is_long();
    Some(Computation {
        instr,
        args: args.clone(),
        dst,
        words,
        first,
        long,
    })
}
