//! What sampling can come to, and how likely it is, against the list of all options: exactly, by trying every number that
//! a sample may be made of.
//!
//! Choices and draws are random but well typed. The bytes that decide their form come from proptest.

use super::agree::{ITEMS, NAMES, Writer};
use crate::ir::{BlockId, Instr, Listing, ListingKind, NodeKind, Program, Term, Trial};
use crate::machine::sampling::Numbers;
use crate::machine::{Action, Machine, State};
use num_rational::BigRational;
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// Samples with more ways than this are left alone.
const MOST_WAYS: usize = 2_000;

/// One way through a sample: the numbers it takes, each with its bound. Past the end every number is 0.
#[derive(Default)]
struct Way {
    numbers: Vec<(u64, u64)>,
    at: usize,
}

impl Numbers for Way {
    fn below(&mut self, n: u64) -> u64 {
        if self.at == self.numbers.len() {
            self.numbers.push((0, n));
        }
        let (number, bound) = self.numbers[self.at];
        assert_eq!(bound, n, "the same numbers lead to the same place");
        self.at += 1;
        number
    }
}

impl Way {
    /// It has a probability of one in so many.
    fn one_in(&self) -> u128 {
        self.numbers.iter().map(|(_, n)| u128::from(*n)).product()
    }

    /// The next way in order; false after the last.
    fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some((number, bound)) = self.numbers.pop() {
            if number + 1 < bound {
                self.numbers.push((number + 1, bound));
                return true;
            }
        }
        false
    }
}

type Distribution<T> = FxHashMap<T, BigRational>;

/// The exact distribution of a sample; `None` where there are too many ways.
fn distribution<T: Eq + std::hash::Hash>(
    mut sample: impl FnMut(&mut Way) -> T,
) -> Option<Distribution<T>> {
    // How many ways of each probability lead to a result.
    let mut found: FxHashMap<T, FxHashMap<u128, u64>> = FxHashMap::default();
    let mut way = Way::default();
    for _ in 0..MOST_WAYS {
        let result = sample(&mut way);
        let ways = found.entry(result).or_default();
        *ways.entry(way.one_in()).or_default() += 1;
        if !way.advance() {
            let share = |(one_in, ways): (u128, u64)| BigRational::new(ways.into(), one_in.into());
            let sum = |ways: FxHashMap<u128, u64>| ways.into_iter().map(share).sum();
            return Some(found.into_iter().map(|(r, ways)| (r, sum(ways))).collect());
        }
    }
    None
}

/// What a listing lists, with probabilities.
fn listed(machine: &Machine, state: &State, listing: &Listing) -> Option<Distribution<Action>> {
    let mut list = Vec::new();
    let tell = &mut |action, weight: u64| {
        list.push((action, weight));
        match list.len() <= MOST_WAYS {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    };
    let mut frame = machine.unpack(state);
    machine.each(listing, &mut frame, tell).ok()?;
    let total: u64 = list.iter().map(|(_, weight)| weight).sum();
    let share =
        |(action, weight): (Action, u64)| (action, BigRational::new(weight.into(), total.into()));
    let count = list.len();
    let distribution: Distribution<Action> = list.into_iter().map(share).collect();
    assert_eq!(distribution.len(), count, "an option is listed twice");
    Some(distribution)
}

/// Whether a listing was compared without trials, with one, and by going through all.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
struct Compared {
    listed: bool,
    tried: bool,
    swept: bool,
}

/// Samples from a listing by one trial, and without trials, have the distribution of what it lists.
fn compare(
    machine: &Machine,
    state: &State,
    listing: &Listing,
    text: &str,
) -> Result<Compared, TestCaseError> {
    let mut compared = Compared::default();
    let Some(expected) = listed(machine, state, listing) else {
        return Ok(compared);
    };
    let alone = Listing {
        trial: None,
        ..listing.clone()
    };
    let sampled = distribution(|way| {
        let mut frame = machine.unpack(state);
        machine.sample_from(&alone, &mut frame, way).ok()
    });
    if let Some(mut sampled) = sampled {
        let nothing = sampled.remove(&None).is_some();
        prop_assert_eq!(nothing, expected.is_empty(), "{}", text);
        let sampled: Distribution<Action> = sampled
            .into_iter()
            .flat_map(|(a, p)| Some((a?, p)))
            .collect();
        prop_assert_eq!(&sampled, &expected, "{}", text);
        compared.listed = true;
    }
    let Some(mut trial) = listing.trial else {
        return Ok(compared);
    };
    if trial.sweep.is_some() {
        trial.attempts = 0;
        let swept = distribution(|way| {
            let mut frame = machine.unpack(state);
            // What comes before the first attempt comes before a sweep too.
            let counting = Trial {
                attempts: 1,
                sweep: None,
                ..trial
            };
            machine
                .try_to_sample(listing, &counting, &mut frame, &mut Way::default())
                .ok()?;
            machine.try_to_sample(listing, &trial, &mut frame, way).ok()
        });
        if let Some(mut swept) = swept.filter(|swept| !swept.contains_key(&None)) {
            let nothing = swept.remove(&Some(None)).is_some();
            prop_assert_eq!(nothing, expected.is_empty(), "{}", text);
            let swept = swept.into_iter().flat_map(|(a, p)| Some((a??, p)));
            let swept: Distribution<Action> = swept.collect();
            prop_assert_eq!(&swept, &expected, "by a sweep: {}", text);
            compared.swept = true;
        }
    }
    (trial.attempts, trial.sweep) = (1, None);
    let hits = distribution(|way| {
        let mut frame = machine.unpack(state);
        machine.try_to_sample(listing, &trial, &mut frame, way).ok()
    });
    if let Some(mut hits) = hits.filter(|hits| !hits.contains_key(&None)) {
        hits.remove(&Some(None));
        let hit: BigRational = hits.values().sum();
        let hits: Distribution<Action> = hits
            .into_iter()
            .flat_map(|(action, p)| Some((action??, p / &hit)))
            .collect();
        prop_assert_eq!(&hits, &expected, "by trials: {}", text);
        compared.tried = true;
    }
    Ok(compared)
}

/// Values for one alternative or draw: `p in S, q in T where c`, each set within the reach of those before it.
fn parts(w: &mut Writer<'_>, names: &[&str]) -> String {
    let mut text = Vec::new();
    for name in names {
        let set = match w.pick(4) {
            0 => "(1..70)".to_string(),
            1 => format!("top({}, {} & (1..70))", w.one(&["2", "3", "b"]), w.set(1)),
            _ => format!("({} & (1..70))", w.set(2)),
        };
        text.push(format!("{name} in {set}"));
        w.bound.push(name.to_string());
    }
    text.join(", ")
}

fn condition(w: &mut Writer<'_>) -> String {
    match w.pick(3) {
        0 => String::new(),
        _ => format!(" where {}", w.bool(2)),
    }
}

/// A choice or a draw.
fn statement(bytes: &[u8]) -> String {
    let mut w = Writer::new(bytes);
    match w.pick(5) {
        0 | 1 => format!(
            "Ann chooses {}{} as \"{{p}} {{q}}\"",
            parts(&mut w, &["p", "q"]),
            condition(&mut w)
        ),
        2 => {
            let one = format!("one({}){}", parts(&mut w, &["p", "q"]), condition(&mut w));
            w.bound.clear();
            let two = format!("two({}){}", parts(&mut w, &["r", "v"]), condition(&mut w));
            format!("Ann chooses {{ {one}  {two}  neither }}")
        }
        3 => format!(
            "draw {}{} as \"{{p}} {{q}}\"",
            parts(&mut w, &["p", "q"]),
            condition(&mut w)
        ),
        _ => format!(
            "draw {}{} weighted abs({}) mod 4 as \"{{p}} {{q}}\"",
            parts(&mut w, &["p", "q"]),
            condition(&mut w),
            w.int(2)
        ),
    }
}

fn text(bytes: &[u8], values: u16) -> String {
    let mut state = String::new();
    for (i, (name, ty, options)) in NAMES.iter().enumerate() {
        let value = options[usize::from(values >> i & 1)];
        state += &format!("    {name} : {ty} = {value}\n");
    }
    // The first node comes before the one that is looked at, so that the values are not constants.
    let play = format!("    Ann chooses {{ go }}\n    {}", statement(bytes));
    super::text(ITEMS, &state, &play)
}

/// Compares the node after the first; `None`: the text is refused, or play ends before that node.
fn agree(bytes: &[u8], values: u16) -> Result<Option<Compared>, TestCaseError> {
    let text = text(bytes, values);
    let Ok((machine, _)) = crate::load(&text, &Default::default()) else {
        return Ok(None);
    };
    let mut state = machine.initial().expect("a first node");
    let mut actions = crate::machine::Actions::default();
    machine.legal(&state, 0, &mut actions).expect("an option");
    if machine.step(&mut state, &actions[..1]).is_err() {
        return Ok(None);
    }
    let node = &machine.program.nodes[state.node as usize];
    let listing = match &node.kind {
        NodeKind::Decision(arms) => &arms[0].listing,
        NodeKind::Chance(listing) => listing,
        NodeKind::Terminal => return Ok(None),
    };
    compare(&machine, &state, listing, &text).map(Some)
}

proptest! {
    #![proptest_config(crate::random_tests::config(100))]

    #[test]
    fn samples_have_the_distribution_of_the_list(bytes in prop::collection::vec(any::<u8>(), 1..60), values in any::<u16>()) {
        prop_assume!(agree(&bytes, values)?.is_some());
    }
}

/// The generator is of use only if most texts are accepted, and many listings are sampled by trials.
#[test]
fn many_made_listings_are_tried() {
    use rand::{Rng, SeedableRng};
    let mut rng = rand::rngs::Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut listed, mut tried) = (0, 0);
    for _ in 0..120 {
        let bytes: Vec<u8> = (0..50).map(|_| rng.next_u32() as u8).collect();
        if let Some(compared) = agree(&bytes, rng.next_u32() as u16).expect("agreement") {
            listed += usize::from(compared.listed);
            tried += usize::from(compared.tried);
        }
    }
    assert!(listed > 30 && tried > 8, "{listed} {tried}");
}

#[track_caller]
fn second_choice(play: &str) -> Compared {
    let machine = super::small("", "    deck : set of 1..52 = all", play);
    let state = machine.initial().expect("a first node");
    let NodeKind::Decision(arms) = &machine.program.nodes[state.node as usize].kind else {
        panic!("a choice");
    };
    compare(&machine, &state, &arms[0].listing, play).expect("agreement")
}

#[test]
fn the_greatest_elements_of_a_set_are_all_found() {
    let compared =
        second_choice("    Ann chooses a in 1..64, b in top(2, deck) where a != 5 as \"{a} {b}\"");
    assert!(compared.listed && compared.tried);
}

/// Where it takes long to ask whether a tuple fits, one is taken by its number among all that may, and where too many of them miss
/// those that fit are gone through.
#[test]
fn what_takes_long_to_ask_is_asked_of_few() {
    let hand = "    hand : set of 1..52 = { 3, 7, 9 }";
    for play in [
        "    Ann chooses a in hand, b in hand - a
      where (count c in 1..52: c in hand and c mod a == b mod a) > 1 as \"{a} {b}\"",
        "    Ann chooses {
      one(a in 1..4, b in hand - 3 * a) where a != 2 and (sum(c in 1..20 where c < a * b) c) mod 5 == 1
      two(b in hand, c in hand - (1..b)) where not (some d in 1..52: d in hand and d > b) after { hand -= c }
      neither
    }",
        // Nothing fits.
        "    Ann chooses b in hand, c in hand - (1..b)
      where (count d in 1..52: d in hand and d >= b) > 2 after { hand -= c } as \"{b} {c}\"",
    ] {
        let machine = super::small("", hand, play);
        let state = machine.initial().expect("a first node");
        let NodeKind::Decision(arms) = &machine.program.nodes[state.node as usize].kind else {
            panic!("a choice");
        };
        let compared = compare(&machine, &state, &arms[0].listing, play).expect("agreement");
        assert!(
            compared.listed && compared.tried && compared.swept,
            "{compared:?}: {play}"
        );
    }
}

/// Members of a family that are each within bounds of the state are drawn from what these leave.
#[test]
fn members_within_bounds_are_drawn_from_what_fits() {
    let items = "  def ok(i: 1..3, k: 0..3): bool = k <= lim[i] and (k == 0 or match i { 1 => k == 2  2 => k >= 1  else => k != 1 })
";
    let state = "    lim : [1..3] 0..3 = { 1: 2, 2: 1, 3: 3 }";
    for play in [
        "    Ann chooses each i in 1..3: k[i] in 0..3 where every i in 1..3: ok(i, k[i]) as \"{k}\"",
        "    Ann chooses { many(each i in 1..3: k[i] in 0..3) where (every i in 1..3: k[i] <= lim[i]) and k[1] + k[2] > k[3]  none_ }",
    ] {
        let machine = super::small(items, state, play);
        let state = machine.initial().expect("a first node");
        let NodeKind::Decision(arms) = &machine.program.nodes[state.node as usize].kind else {
            panic!("a choice");
        };
        let compared = compare(&machine, &state, &arms[0].listing, play).expect("agreement");
        assert!(compared.listed && compared.tried, "{compared:?}: {play}");
    }
}

/// The listing of subsets takes a number for each element.
#[test]
fn deals_and_subsets_are_uniform() {
    let machine = super::small(
        "",
        "    deck : set of 1..7 = all\n    hand : set of 1..7",
        "    deal 3 from deck to hand\n    Ann chooses x in subsets(hand, 2) as \"{x}\"",
    );
    let mut state = machine.initial().expect("a first node");
    for _ in 0..2 {
        let (listing, action) = match &machine.program.nodes[state.node as usize].kind {
            NodeKind::Chance(listing) => {
                (listing, machine.sample_chance(&state, &mut Way::default()))
            }
            NodeKind::Decision(arms) => (
                &arms[0].listing,
                machine.sample(&state, 0, &mut Way::default()),
            ),
            NodeKind::Terminal => panic!("a choice"),
        };
        assert!(matches!(
            listing.kind,
            ListingKind::Subset { .. } | ListingKind::Loop { .. }
        ));
        assert!(
            compare(&machine, &state, listing, "")
                .expect("agreement")
                .listed
        );
        machine
            .step(&mut state, &[action.expect("a sample")])
            .expect("a step");
    }
}

/// Compares the second choice of a game whose first one has a single option, and says whether the second is tried by rows.
#[track_caller]
fn by_rows(state: &str, choice: &str) -> bool {
    let items = "  enum Fare { taxi, bus, boat }
  const ways : [Fare][1..9] set of 1..9 = [f in Fare] [a in 1..9]
    { b for b in 1..9 where if f == taxi then abs(a - b) == 1 else if f == bus then abs(a - b) == 3 else a + b == 10 }
";
    let play = format!("    Ann chooses {{ go }}\n    {choice}");
    let machine = super::small(items, state, &play);
    let mut start = machine.initial().expect("a first node");
    let mut actions = crate::machine::Actions::default();
    machine.legal(&start, 0, &mut actions).expect("an option");
    machine.step(&mut start, &actions[..1]).expect("a step");
    let NodeKind::Decision(arms) = &machine.program.nodes[start.node as usize].kind else {
        panic!("a choice");
    };
    let listing = &arms[0].listing;
    let Some(trial) = listing.trial else {
        return false;
    };
    let compared = compare(&machine, &start, listing, choice).expect("agreement");
    assert!(compared.listed && compared.tried, "{choice} {compared:?}");
    // Trials of other kinds draw each part.
    samples_from(&machine.program, trial.code) == 1
}

/// How many instructions sample in code that begins with a block.
fn samples_from(program: &Program, first: BlockId) -> usize {
    let (mut seen, mut waiting, mut count) = (vec![first], vec![first], 0);
    while let Some(at) = waiting.pop() {
        let block = program.block(at);
        let samples = block.instrs.iter();
        count += samples.filter(|i| matches!(i, Instr::Sample(_))).count();
        let next = match block.term {
            Term::Jump(to) => vec![to],
            Term::Branch {
                then, otherwise, ..
            } => vec![then, otherwise],
            _ => Vec::new(),
        };
        for to in next {
            if !seen.contains(&to) {
                seen.push(to);
                waiting.push(to);
            }
        }
    }
    count
}

const PIECES: &str = "    at : 1..9 = 5
    left : [Fare] 0..9 = { taxi: 1, bus: 0, boat: 2 }
    having : set of Fare = { taxi, boat }
    taken : set of 1..9 = { 4, 7 }
    doubles : 0..2 = 1
    far : [1..40] 0..9 = [i in 1..40] i * i mod 10
    turn : 1..9 = 3";

/// What hangs on a place, on which of few there are, and on more of the state than that.
#[test]
fn what_little_of_the_state_decides_is_tried_by_rows() {
    for choice in [
        "Ann chooses f in { f for f in Fare where left[f] > 0 }, to in ways[f][at] - taken as \"{f} {to}\"",
        "Ann chooses f in having, to in ways[f][at] where not (to in taken) as \"{f} {to}\"",
        "Ann chooses f in having, to in ways[f][at] - taken, twice in { false, true } where not twice or doubles > 0 as \"{f} {to} {twice}\"",
        "Ann chooses a in 1..20, b in 1..20 where abs(a - b) == 2 and max(a, turn) < min(b, 3 * at) as \"{a} {b}\"",
        "Ann chooses a in 1..20, b in 1..20 where abs(a - b) == 2 and far[a + turn] < far[b + turn] as \"{a} {b}\"",
        "Ann chooses {
           ride(f in having, to in ways[f][at] - taken)
           walk(a in 1..20, b in 1..20) where abs(a - b) == 2 and far[a + turn] <= far[b + turn]
         }",
    ] {
        assert!(by_rows(PIECES, choice), "{choice}");
    }
    // As good as the trials that draw each part, or as a list.
    for choice in [
        "Ann chooses a in 1..9, to in 1..9 where far[a + to] >= 0 as \"{a} {to}\"",
        "Ann chooses to in ways[bus][at] - taken as \"{to}\"",
    ] {
        assert!(!by_rows(PIECES, choice), "{choice}");
    }
}
