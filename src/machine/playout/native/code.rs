//! Makes machine code, runs it and frees it: all that the compiler of Rust cannot check about native code.
//!
//! Why this is sound. Code reaches memory in four ways only, and `lower` writes no other:
//! - the frame, at slots below its length: [`Data::new`](super::data::Data::new) refuses a flow with any other slot, and an
//!   index found at run time is compared with the count of its array first;
//! - tables of the [`Data`] that the code owns, at rows below their number, compared in the same way;
//! - [`Context`], whose fields it reads and writes at their offsets, and the generator of random numbers behind it;
//! - the records, below `capacity`, beyond which it asks for more; what other code has left there it takes for numbers and sets
//!   like any others.
//!
//! [`Code::run`] makes a context of exclusive references for the time of a call, so that nobody else sees that memory;
//! helpers make references of it anew while the code waits for them. The code takes no address out of the call, has no
//! state of its own and never writes to itself or to its tables: several threads may run it. It does not unwind: helpers
//! do not panic on what the code gives them, a [`Listener`] keeps the panic of who listens until the call is over, and any
//! other panic would abort. Divisions are guarded, so that nothing traps.
#![allow(unsafe_code)]

use super::super::frames::{FRAME, Frame};
use super::super::listener::Listener;
use super::data::Data;
use crate::ir::meaning::{Trouble, among, equal_to, execute, places_with};
use crate::ir::select::{nth_element, select};
use crate::ir::subsets::{choose, nth_in_word, nth_subset};
use crate::ir::{Operand, Program, SampleCode, Slot};
use crate::machine::interpret::MAX_STEPS;
use crate::machine::sampling::below;
use cranelift_codegen::Context as Compiler;
use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, Signature, types};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa, TargetFrontendConfig, TargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use smallvec::SmallVec;
use std::mem::offset_of;
use std::sync::OnceLock;

// The words of the generator are read and written by the code: `available` sees to it that they are what it takes them for.
const _: () =
    assert!(size_of::<Xoshiro256PlusPlus>() == 32 && align_of::<Xoshiro256PlusPlus>() == 8);

/// What code is called with besides the frame.
#[repr(C)]
pub(super) struct Context {
    rng: *mut Xoshiro256PlusPlus,
    frame: *mut Frame,
    /// Steps that may still be taken.
    fuel: u64,
    /// The offending value of a fault.
    value: u64,
    /// The weight of all records, and how many there is room for.
    total: u64,
    capacity: u64,
    /// The records, one after the other.
    first: *mut u64,
    /// How many there are: not beside their weight, for the processor waits where two words that were just written one by
    /// one are read at once.
    count: u64,
    /// The least rank so far.
    rank: i64,
    /// For which entry is counted where all leads; 0: for none.
    phase: u64,
    /// How many tuples were gone through, and how many of them led to an end.
    all: u64,
    over: u64,
    /// The record that is gone through and the end of all records; the word of its set, and what is left of that.
    record: *mut u64,
    end: *mut u64,
    word: u64,
    rest: u64,
    records: *mut Records,
    program: *const Program,
    data: *const Data,
    /// Who follows the run; null where nobody does.
    listener: *mut Listener<'static>,
}

/// Where the fields of a [`Context`] are.
pub(super) mod at {
    use super::{Context, offset_of};
    pub const FUEL: i32 = offset_of!(Context, fuel) as i32;
    pub const VALUE: i32 = offset_of!(Context, value) as i32;
    pub const TOTAL: i32 = offset_of!(Context, total) as i32;
    pub const COUNT: i32 = offset_of!(Context, count) as i32;
    pub const CAPACITY: i32 = offset_of!(Context, capacity) as i32;
    pub const FIRST: i32 = offset_of!(Context, first) as i32;
    pub const PHASE: i32 = offset_of!(Context, phase) as i32;
    pub const ALL: i32 = offset_of!(Context, all) as i32;
    pub const OVER: i32 = offset_of!(Context, over) as i32;
    pub const RECORD: i32 = offset_of!(Context, record) as i32;
    pub const END: i32 = offset_of!(Context, end) as i32;
    pub const WORD: i32 = offset_of!(Context, word) as i32;
    pub const REST: i32 = offset_of!(Context, rest) as i32;
    pub const RANK: i32 = offset_of!(Context, rank) as i32;
    pub const RNG: i32 = offset_of!(Context, rng) as i32;
}

/// Room for the tuples that listings emit, used again and again.
#[derive(Debug, Default)]
pub(in crate::machine::playout) struct Records {
    words: Vec<u64>,
    /// What stands in them after a run: their weight, and how many there are.
    total: u64,
    count: u64,
    /// The length of the records that were asked for last, and how many there is room for.
    stride: usize,
    capacity: u64,
}

impl Records {
    /// How many records of so many words there is room for.
    #[inline]
    fn capacity(&mut self, stride: usize) -> u64 {
        if self.stride != stride {
            self.stride = stride;
            self.capacity = (self.words.len() / stride.max(1)) as u64;
        }
        self.capacity
    }

    /// The weight of all tuples that the last run has left there, `u64::MAX` for more than fits.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The last record with no more than so much weight before it: records begin with that.
    #[inline]
    pub(super) fn find(&self, stride: usize, before: u64) -> Option<&[u64]> {
        let count = self.count as usize;
        let prefix = |record: usize| self.words.get(record * stride).copied();
        let guess = before.min(self.count.saturating_sub(1)) as usize;
        // Where all records are of one tuple, it is known which one that is.
        let (mut first, mut length) = match prefix(guess) == Some(before) {
            true if guess + 1 == count || prefix(guess + 1) > Some(before) => (guess, 1),
            _ => (0, count),
        };
        while length > 1 {
            let middle = first + length / 2;
            let later = prefix(middle)? <= before;
            first = if later { middle } else { first };
            length -= length / 2;
        }
        self.words.get(first * stride..(first + 1) * stride)
    }

    /// The records that the last run has left there, each of so many words.
    pub(super) fn each(&self, stride: usize) -> impl Iterator<Item = &[u64]> {
        let records = self.words.chunks_exact(stride.max(1));
        records.take(self.count as usize)
    }
}

/// What a call says: 0, or why it ended. A fault has its number above these bits.
pub(super) const FINE: i64 = 0;
pub(super) const BAD_INDEX: i64 = 1;
pub(super) const TOO_MANY_STEPS: i64 = 2;
pub(super) const FAULT: i64 = 3;
/// Who listens wants nothing more.
const ENOUGH: i64 = 4;
pub(super) const FAULT_SHIFT: i64 = 8;

/// Code, with the function that it begins with and what it reads.
pub(super) struct Code {
    entry: extern "C" fn(*mut Context, *mut Frame, u64) -> u64,
    /// `None` only while it is dropped.
    module: Option<JITModule>,
    data: Box<Data>,
    /// The length of its records in words.
    stride: usize,
}

// SAFETY: the module is touched by `drop` alone, and the code and its data are only read: see above.
unsafe impl Send for Code {}
// SAFETY: as before.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: nobody runs the code any more, for that takes a reference to it, and its address is in `self` alone.
            unsafe { module.free_memory() }
        }
    }
}

/// The functions that code may call.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Helper {
    /// `(context, stride)`: makes room for more records.
    Grow,
    /// `(context, number)`: runs an instruction of the interpreter on the frame; what became of it.
    Other,
    /// `(context, number)`: samples on the frame; what became of it.
    Sample,
    /// `(context, number)`: tells the listener of an event on the frame; what became of it.
    Event,
    /// `(context, number)`: tells the listener what was chosen or drawn on the frame; what became of it.
    Report,
    /// `(word, k)`: the set bit with `k` set bits below it, alone.
    Select,
    /// `(context, board, dst, from)`, slots: the neighbours of a set of nodes.
    Neighbours,
    /// `(context, board, dst, from, within)`, slots: what can be reached.
    Group,
    /// `(n, k)`: how many subsets there are.
    Choose,
    /// `(context, dst, words, base, count, value)`, slots: the places at which an array holds a value.
    Places,
    /// `(context, dst, words, base, count, values)`, slots: the places at which it holds one of some values below 64.
    Among,
    /// `(context, dst, words, set, k, rank)`: one of the subsets with `k` elements of a set in the records.
    Subset,
}

impl Helper {
    pub fn parameters(self) -> usize {
        match self {
            Helper::Grow
            | Helper::Other
            | Helper::Sample
            | Helper::Event
            | Helper::Report
            | Helper::Select
            | Helper::Choose => 2,
            Helper::Neighbours => 4,
            Helper::Group => 5,
            Helper::Places | Helper::Among | Helper::Subset => 6,
        }
    }

    pub fn has_result(self) -> bool {
        !matches!(
            self,
            Helper::Grow
                | Helper::Neighbours
                | Helper::Group
                | Helper::Places
                | Helper::Among
                | Helper::Subset
        )
    }

    /// Where it is.
    pub fn address(self) -> i64 {
        let address = match self {
            Helper::Grow => grow as *const (),
            Helper::Other => other as *const (),
            Helper::Sample => sample as *const (),
            Helper::Event => event as *const (),
            Helper::Report => report as *const (),
            Helper::Select => select_function(),
            Helper::Neighbours => neighbours as *const (),
            Helper::Group => group as *const (),
            Helper::Choose => choose_of as *const (),
            Helper::Places => places as *const (),
            Helper::Among => places_among as *const (),
            Helper::Subset => subset as *const (),
        };
        address.expose_provenance() as i64
    }
}

fn select_function() -> *const () {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2") {
        return select_fast as *const ();
    }
    select_any as *const ()
}

extern "C" fn select_any(word: u64, k: u64) -> u64 {
    1u64.checked_shl(select(word, k as u32) as u32).unwrap_or(0)
}

/// Only where `select_function` has found the instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2")]
extern "C" fn select_fast(word: u64, k: u64) -> u64 {
    std::arch::x86_64::_pdep_u64(1 << (k & 63), word)
}

extern "C" fn places(
    context: &mut Context,
    dst: u64,
    words: u64,
    base: u64,
    count: u64,
    value: u64,
) {
    find_places(
        context,
        (dst, words),
        (base, count),
        value,
        |value, numbers| {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the instructions are there.
                return unsafe { equal_to_fast(value, numbers) };
            }
            equal_to(value, numbers)
        },
    );
}

extern "C" fn places_among(
    context: &mut Context,
    dst: u64,
    words: u64,
    base: u64,
    count: u64,
    values: u64,
) {
    find_places(
        context,
        (dst, words),
        (base, count),
        values,
        |values, numbers| {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the instructions are there.
                return unsafe { among_fast(values, numbers) };
            }
            among(values, numbers)
        },
    );
}

/// The places that `find` finds for what stands in the slot `sought`.
fn find_places(
    context: &mut Context,
    (dst, words): (u64, u64),
    (base, count): (u64, u64),
    sought: u64,
    find: impl Fn(u64, &[u64]) -> u64,
) {
    // SAFETY: as in `other`.
    let frame = unsafe { &mut *context.frame };
    let dst = Operand {
        slot: dst as Slot,
        words: words as u16,
    };
    let (sought, array) = (frame[sought as usize], (base as Slot, count as u32));
    places_with(&mut frame[..], dst, array, sought, find);
}

/// As [`equal_to`], four at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn equal_to_fast(value: u64, numbers: &[u64]) -> u64 {
    use std::arch::x86_64::*;
    let all = _mm256_set1_epi64x(value as i64);
    let (fours, rest) = numbers.as_chunks::<4>();
    let mut set = 0;
    for (i, four) in fours.iter().enumerate() {
        let &[a, b, c, d] = four;
        let four = _mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64);
        let equal = _mm256_cmpeq_epi64(four, all);
        let bits = _mm256_movemask_pd(_mm256_castsi256_pd(equal));
        set |= (bits as u64) << (4 * i);
    }
    set | equal_to(value, rest) << (4 * fours.len() as u32 % 64)
}

/// As [`among`], four at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn among_fast(values: u64, numbers: &[u64]) -> u64 {
    use std::arch::x86_64::*;
    let all = _mm256_set1_epi64x(values as i64);
    let (fours, rest) = numbers.as_chunks::<4>();
    let mut set = 0;
    for (i, four) in fours.iter().enumerate() {
        let &[a, b, c, d] = four;
        let four = _mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64);
        // Nothing is left where a number is 64 or more.
        let shifted = _mm256_srlv_epi64(all, four);
        let found = _mm256_slli_epi64::<63>(shifted);
        let bits = _mm256_movemask_pd(_mm256_castsi256_pd(found));
        set |= (bits as u64) << (4 * i);
    }
    set | among(values, rest) << (4 * fours.len() as u32 % 64)
}

extern "C" fn choose_of(n: u64, k: u64) -> u64 {
    choose(n, k)
}

extern "C" fn grow(context: &mut Context, stride: u64) {
    // SAFETY: `Code::run` made the pointer of an exclusive reference that lasts as long as the call.
    let records = unsafe { &mut *context.records };
    records
        .words
        .resize((2 * records.words.len()).max(64 * stride as usize), 0);
    records.stride = 0;
    context.first = records.words.as_mut_ptr();
    context.capacity = records.capacity(stride as usize);
}

extern "C" fn other(context: &mut Context, number: u64) -> u64 {
    // SAFETY: as in `grow`, for the frame; the program and the data are only read.
    let (program, frame, data) =
        unsafe { (&*context.program, &mut *context.frame, &*context.data) };
    let done = match data.others.get(number as usize) {
        Some(instr) => execute(program, &mut frame[..], instr),
        None => Err(Trouble::Index),
    };
    context.said(done)
}

extern "C" fn sample(context: &mut Context, number: u64) -> u64 {
    // SAFETY: as in `other`; the generator as the frame.
    let (frame, data, rng) = unsafe { (&mut *context.frame, &*context.data, &mut *context.rng) };
    let done = match data.samples.get(number as usize) {
        Some(code) => sample_on(frame, code, rng),
        None => Err(Trouble::Index),
    };
    context.said(done)
}

extern "C" fn event(context: &mut Context, number: u64) -> u64 {
    // SAFETY: as in `other`; the listener as the records in `grow`, if there is one.
    let (program, frame, data, listener) = unsafe {
        (
            &*context.program,
            &*context.frame,
            &*context.data,
            context.listener.as_mut(),
        )
    };
    match (data.events.get(number as usize), listener) {
        (Some(code), Some(listener)) => said_on(listener.event(program, frame, code)),
        _ => FINE as u64,
    }
}

extern "C" fn report(context: &mut Context, number: u64) -> u64 {
    // SAFETY: as in `event`.
    let (frame, data, listener) =
        unsafe { (&*context.frame, &*context.data, context.listener.as_mut()) };
    match (data.samples.get(number as usize), listener) {
        (Some(code), Some(listener)) => said_on(listener.moved(frame, code)),
        _ => FINE as u64,
    }
}

/// What a helper says that may go on, or not.
fn said_on(on: bool) -> u64 {
    (if on { FINE } else { ENOUGH }) as u64
}

/// A deal of a set of several words: the one sample that is not written out.
fn sample_on(
    f: &mut Frame,
    code: &SampleCode,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<(), Trouble> {
    let SampleCode::Subset {
        dst,
        set,
        count,
        fault,
    } = code
    else {
        return crate::machine::sampling::sample(&mut f[..], code, rng);
    };
    let from = set.slot as usize;
    let mut left: SmallVec<[u64; 8]> = f[from..from + set.words as usize].into();
    let mut size: u64 = left.iter().map(|w| u64::from(w.count_ones())).sum();
    let count = f[*count as usize];
    if count > size {
        return Err(Trouble::Fault {
            fault: *fault,
            value: 0,
        });
    }
    let (dst, words) = (dst.slot as usize, dst.words as usize);
    f[dst..dst + words].fill(0);
    for _ in 0..count {
        let k = below(rng, size);
        let element = match left[..] {
            [word] => Some(select(word, k as u32)),
            _ => nth_element(&left, k),
        };
        if let Some(e) = element {
            left[(e / 64) as usize] &= !(1 << (e % 64));
            f[dst + (e / 64) as usize] |= 1 << (e % 64);
        }
        size -= 1;
    }
    Ok(())
}

extern "C" fn neighbours(context: &mut Context, board: u64, dst: u64, from: u64) {
    // SAFETY: as in `other`.
    let (frame, data) = unsafe { (&mut *context.frame, &*context.data) };
    if let Some(board) = data.board_list.get(board as usize) {
        board.neighbours(frame, dst as u16, from as u16);
    }
}

extern "C" fn group(context: &mut Context, board: u64, dst: u64, from: u64, within: u64) {
    // SAFETY: as in `other`.
    let (frame, data) = unsafe { (&mut *context.frame, &*context.data) };
    if let Some(board) = data.board_list.get(board as usize) {
        board.group(frame, dst as u16, from as u16, within as u16);
    }
}

extern "C" fn subset(context: &mut Context, dst: u64, words: u64, set: u64, k: u64, rank: u64) {
    // SAFETY: as in `other`, and for the records as in `grow`.
    let (frame, records) = unsafe { (&mut *context.frame, &*context.records) };
    let (dst, words, set) = (dst as usize, words as usize, set as usize);
    if let (Some(set), Some(to)) = (
        records.words.get(set..set + words),
        frame.get_mut(dst..dst + words),
    ) {
        match (set, to) {
            ([set], [to]) => *to = nth_in_word(*set, k, rank),
            (set, to) => to.copy_from_slice(&nth_subset(set, k, rank)),
        }
    }
}

impl Context {
    /// What a helper says of what became of it.
    fn said(&mut self, done: Result<(), Trouble>) -> u64 {
        let said = match done {
            Ok(()) => FINE,
            Err(Trouble::Index) => BAD_INDEX,
            Err(Trouble::TooManySteps) => TOO_MANY_STEPS,
            Err(Trouble::Fault { fault, value }) => {
                self.value = value as u64;
                FAULT | i64::from(fault) << FAULT_SHIFT
            }
        };
        said as u64
    }
}

/// Whether this machine runs what is compiled for it: there is a back end, memory may be made executable, and the
/// generator of random numbers is laid out as code takes it to be. Found out once.
pub(super) fn available() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| target().is_some() && plain_generator() && probe())
}

/// Whether a generator is its four words.
fn plain_generator() -> bool {
    let words: [u64; 4] = [1, 2, 3 << 40, u64::MAX - 4];
    let mut seed = [0; 32];
    for (bytes, word) in seed.chunks_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    let rng = Xoshiro256PlusPlus::from_seed(seed);
    // SAFETY: both have 32 bytes, none of them padding: four words were put in, and all of them have to be kept.
    let found: [u64; 4] = unsafe { std::mem::transmute(rng) };
    found == words
}

/// A generator as it was before code took numbers from it.
pub struct Before([u64; 4]);

impl Before {
    /// Read word by word, as code has written it: a processor waits where several words that have just been written are
    /// read at once.
    #[inline]
    pub fn of(rng: &Xoshiro256PlusPlus) -> Before {
        const { assert!(size_of::<Xoshiro256PlusPlus>() == 32 && align_of::<Xoshiro256PlusPlus>() >= 8) }
        let words = (&raw const *rng).cast::<u64>();
        // SAFETY: it is 32 bytes behind a reference, aligned as words are, none of them padding.
        Before(std::array::from_fn(|i| unsafe {
            words.add(i).read_volatile()
        }))
    }

    /// Puts the generator back.
    pub fn put_back(self, rng: &mut Xoshiro256PlusPlus) {
        // SAFETY: these are the bytes of a generator.
        *rng = unsafe { std::mem::transmute::<[u64; 4], Xoshiro256PlusPlus>(self.0) };
    }
}

/// Compiles a function that returns its last argument, and calls it.
fn probe() -> bool {
    let code = compile(Data::default(), |_, function, config| {
        let mut context = FunctionBuilderContext::new();
        let mut b = FunctionBuilder::new(function, &mut context);
        let block = b.create_block();
        b.append_block_params_for_function_params(block);
        b.switch_to_block(block);
        let entry = b.block_params(block)[2];
        b.ins().return_(&[entry]);
        b.seal_all_blocks();
        b.finalize(config);
        Some(0)
    });
    code.is_some_and(|code| {
        let nothing = (std::ptr::null_mut(), std::ptr::null_mut());
        (code.entry)(nothing.0, nothing.1, 42) == 42
    })
}

fn target() -> Option<OwnedTargetIsa> {
    cranelift_native::builder().ok()?.finish(flags()?).ok()
}

fn flags() -> Option<settings::Flags> {
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        (
            "enable_verifier",
            if cfg!(debug_assertions) {
                "true"
            } else {
                "false"
            },
        ),
        ("enable_table_access_spectre_mitigation", "false"),
        ("enable_probestack", "false"),
        ("unwind_info", "false"),
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
    ] {
        flags.set(name, value).ok()?;
    }
    Some(settings::Flags::new(flags))
}

/// That of `(context, frame, entry)`.
fn signature(isa: &dyn TargetIsa) -> Signature {
    let mut signature = Signature::new(CallConv::triple_default(isa.triple()));
    signature.params = vec![AbiParam::new(types::I64); 3];
    signature.returns = vec![AbiParam::new(types::I64)];
    signature
}

/// As [`compile`], for a processor of another kind, on which alone it could run: the length of its code in bytes.
#[cfg(all(test, feature = "arm64"))]
pub(super) fn compile_for(
    processor: &str,
    mut data: Data,
    write: impl FnOnce(&mut Data, &mut Function, TargetFrontendConfig) -> Option<usize>,
) -> Option<usize> {
    let builder = cranelift_codegen::isa::lookup_by_name(processor).ok()?;
    let isa = builder.finish(flags()?).ok()?;
    let mut compiler = Compiler::new();
    compiler.func.signature = signature(&*isa);
    write(&mut data, &mut compiler.func, isa.frontend_config())?;
    let code = compiler.compile(&*isa, &mut Default::default()).ok()?;
    Some(code.code_buffer().len())
}

/// Has a function of three numbers written, `(context, frame, entry)`, and compiles it. `write` gives the length of its
/// records.
pub(super) fn compile(
    data: Data,
    write: impl FnOnce(&mut Data, &mut Function, TargetFrontendConfig) -> Option<usize>,
) -> Option<Code> {
    let isa = target()?;
    let config = isa.frontend_config();
    let mut compiler = Compiler::new();
    compiler.func.signature = signature(&*isa);
    let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
    let mut data = Box::new(data);
    let made = (|| {
        let stride = write(&mut data, &mut compiler.func, config)?.max(1);
        let signature = &compiler.func.signature;
        let id = module.declare_function("playout", Linkage::Export, signature);
        let id = id.ok()?;
        module.define_function(id, &mut compiler).ok()?;
        module.finalize_definitions().ok()?;
        Some((module.get_finalized_function(id), stride))
    })();
    let Some((address, stride)) = made else {
        // SAFETY: nothing of it has been called.
        unsafe { module.free_memory() };
        return None;
    };
    Some(Code {
        // SAFETY: the function was compiled for this signature, by the calling convention of the machine.
        entry: unsafe {
            std::mem::transmute::<*const u8, extern "C" fn(*mut Context, *mut Frame, u64) -> u64>(
                address,
            )
        },
        module: Some(module),
        data,
        stride,
    })
}

impl Code {
    /// The length of records in words.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Runs from one of the entries. Where the listener wants nothing more it ends as on an error. `taken` is the number of
    /// the tuple that is taken first, of those that stand in the records, which are forgotten otherwise. Says how many tuples were
    /// gone through, and how many of them led to an end.
    #[inline]
    pub fn run(
        &self,
        program: &Program,
        frame: &mut Frame,
        entry: u32,
        rng: &mut Xoshiro256PlusPlus,
        (records, taken): (&mut Records, Option<u64>),
        listener: Option<&mut Listener<'_>>,
    ) -> Result<(u64, u64), Trouble> {
        const { assert!(size_of::<Frame>() == 8 * FRAME) }
        let capacity = records.capacity(self.stride);
        if taken.is_some() && capacity == 0 {
            return Err(Trouble::Index);
        }
        let mut context = Context {
            rng,
            frame,
            fuel: MAX_STEPS,
            value: taken.unwrap_or(0),
            total: taken.map_or(0, |_| records.total),
            // What stands in the records may be of other code, and is read as far as it goes.
            count: taken.map_or(0, |_| records.count.min(capacity)),
            capacity,
            first: records.words.as_mut_ptr(),
            rank: i64::MAX,
            phase: 0,
            all: 0,
            over: 0,
            record: std::ptr::null_mut(),
            end: std::ptr::null_mut(),
            word: 0,
            rest: 0,
            records,
            program,
            data: &raw const *self.data,
            listener: listener.map_or(std::ptr::null_mut(), |l| (&raw mut *l).cast()),
        };
        let frame = context.frame;
        let said = (self.entry)(&raw mut context, frame, u64::from(entry)) as i64;
        let (total, count) = (context.total, context.count);
        // SAFETY: the call is over, and with it all that used the pointer, which was made of an exclusive reference.
        let records = unsafe { &mut *context.records };
        (records.total, records.count) = (total, count);
        match said & ((1 << FAULT_SHIFT) - 1) {
            FINE => Ok((context.all, context.over)),
            TOO_MANY_STEPS => Err(Trouble::TooManySteps),
            FAULT => Err(Trouble::Fault {
                fault: (said >> FAULT_SHIFT) as u32,
                value: context.value as i64,
            }),
            _ => Err(Trouble::Index),
        }
    }
}
