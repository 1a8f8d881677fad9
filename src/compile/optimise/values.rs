//! Numbers for values: what is computed alike from the same has the same number.
//!
//! A value is one word. It is a constant, or the result of a pure instruction over other values, or it is opaque: read
//! from a place of which nothing is known, sampled, or different on different ways. Every value has bounds which hold
//! wherever it stands.

mod beforehand;
mod implied;

use super::Session;
use super::bounds::{Bounds, FULL, result};
use super::effects::{in_place, is_pure};
use crate::ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The number of a value. What is computed from others has a greater number than they.
pub(super) type Value = u32;

pub(super) type Args = SmallVec<[Value; 8]>;

/// The most words that an instruction may read to be numbered.
const MOST_READ: u32 = 48;
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
type Key = ([u64; 4], Args);

pub(super) struct Values<'s> {
    pub session: &'s Session<'s>,
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
    pub fn new(session: &'s Session<'s>) -> Values<'s> {
        Values {
            session,
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
            && *table as usize >= self.session.program.tables.len()
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
        let bounds = result(instr, &|i| self.bounds[args[i] as usize], self.session);
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
        let (op, a, b) = match (shape(instr)?, &args[..]) {
            ([BINARY, ..], &[a, b]) => (binary(instr)?, a, b),
            ([5, ..], &[a, b]) => return self.difference(a, b),
            _ => return None,
        };
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

    /// Runs a computation; `None` where it ends in an error.
    fn run(&mut self, by: u32, arg: impl Fn(usize) -> u64) -> Option<SmallVec<[u64; 4]>> {
        let c = &self.computations[by as usize];
        for i in 0..c.args.len() {
            self.scratch[i] = arg(i);
        }
        let ok = (self.session.fold)(self.session.program, &mut self.scratch, &c.instr);
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
            shape = [BINARY, Op::Or as u64, 0, 0];
            args[0] = self.known(1 << e);
        }
        if shape[0] == BINARY && args.len() == 2 {
            let constant = self.constant(args[1]);
            if shape[1] == Op::Sub as u64
                && let Some(c) = constant
            {
                shape[1] = Op::Add as u64;
                args[1] = self.known(c.wrapping_neg());
            }
            if !COMMUTE.iter().all(|op| *op as u64 != shape[1]) {
                args.sort_unstable_by_key(|a| (self.constant(*a).is_some(), *a));
            }
        }
        Some((shape, args))
    }
}

const BINARY: u64 = 0;

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

/// What an instruction does, whatever it reads; `None` for one that is not numbered.
fn shape(instr: &Instr) -> Option<[u64; 4]> {
    use Instr::*;
    let w = <u64 as From<u16>>::from;
    Some(match instr {
        Binary { op, .. } | Immediate { op, .. } => [BINARY, *op as u64, 0, 0],
        SetBinary { op, words: 1, .. } if *op != SetOp::Difference => match op {
            SetOp::Union => [BINARY, Op::Or as u64, 0, 0],
            _ => [BINARY, Op::And as u64, 0, 0],
        },
        SetEq { words: 1, .. } => [BINARY, Op::Eq as u64, 0, 0],
        Not { .. } => [1, 0, 0, 0],
        Select { words, .. } => [2, w(*words), 0, 0],
        Load { words, count, .. } => [3, w(*words), u64::from(*count), 0],
        Table { table, words, .. } => [4, u64::from(*table), w(*words), 0],
        SetBinary { op, words, .. } => [5, *op as u64, w(*words), 0],
        SetTest { set, .. } => [6, w(set.words), 0, 0],
        SetInsert { set, .. } => [7, w(set.words), 0, 0],
        SetRemove { set, .. } => [8, w(set.words), 0, 0],
        SetCount { set, .. } => [9, w(set.words), 0, 0],
        SetNext { set, .. } => [10, w(set.words), 0, 0],
        SetLast { set, .. } => [11, w(set.words), 0, 0],
        SetEq { words, .. } => [12, w(*words), 0, 0],
        SetSubset { words, .. } => [13, w(*words), 0, 0],
        SetBefore { src, .. } => [14, w(src.words), 0, 0],
        SetTop { src, .. } => [15, w(src.words), 0, 0],
        SetRange { dst, .. } => [16, w(dst.words), 0, 0],
        SetAround { dst, src, table } => [17, w(dst.words), w(src.words), u64::from(*table)],
        SetGroup {
            dst, from, table, ..
        } => [18, w(dst.words), w(from.words), u64::from(*table)],
        SetRun {
            dst,
            within,
            table,
            ways,
            both,
            ..
        } => {
            let words = w(dst.words) << 17 | w(within.words) << 1 | u64::from(*both);
            [19, words, u64::from(*table), u64::from(*ways)]
        }
        Hops {
            table, words, bits, ..
        } => [20, u64::from(*table), w(*words), u64::from(*bits)],
        _ => return None,
    })
}

/// What an instruction on two words computes; a constant is one of them.
fn binary(instr: &Instr) -> Option<Op> {
    match instr {
        Instr::Binary { op, .. } => Some(*op),
        Instr::SetBinary { op, .. } => match op {
            SetOp::Union => Some(Op::Or),
            SetOp::Intersect => Some(Op::And),
            SetOp::Difference => None,
        },
        Instr::SetEq { .. } => Some(Op::Eq),
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
    let small = || reads(instr).iter().map(|(_, n)| n).sum::<u32>() <= MOST_READ;
    is_pure(instr) && shape(instr).is_some() && small()
}

fn computation(instr: &Instr, args: &Args, first: Value) -> Option<Computation> {
    let kept = in_place(instr);
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
    let long = matches!(
        instr,
        Instr::SetRange { .. }
            | Instr::SetAround { .. }
            | Instr::SetGroup { .. }
            | Instr::SetRun { .. }
            | Instr::SetTop { .. }
            | Instr::SetBefore { .. }
            | Instr::Hops { .. }
            | Instr::Binary {
                op: Op::Div | Op::Mod,
                ..
            }
            | Instr::Immediate {
                op: Op::Div | Op::Mod,
                ..
            }
    );
    Some(Computation {
        instr,
        args: args.clone(),
        dst,
        words,
        first,
        long,
    })
}
