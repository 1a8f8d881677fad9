//! Simplified or not, a game plays the same; simplified it holds nothing that is never reached.

use super::{assemble, compiled, described, game};
use crate::ir::*;
use crate::machine::{Machine, Turn};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

fn busy() -> String {
    game(
        "hand : [Player] set of 1..5 = { 2, 3, 5 }  n : 0..99  last : 1..5?  on : bool = true",
        "repeat 3 times {
           if on { } else { if on { n = 1 } }
           draw d in 1..3 where d != 2 as \"{d}\"
           match d { 1 => { }  2 => n = 7  else => { if n > 50 { continue } } }
           together each p in Player where size(hand[p]) > 1 { p chooses c in hand[p] into last => { hand[p] -= c  n += c } else { reveal(p)  n = 2 } }
           reveal(n)
           each p in Player { if last == 3 { break }  p chooses { stay  go(k in 1..2) where n > k => n -= k } }
           while n > 90 at most 3 { n -= 10 }
         }
         if n mod 5 == 1 { end }
         n += 1",
        "general-sum: [p in Player] n * size(hand[p]) + sum(x in hand[p]) x",
    )
}

fn targets(program: &Program) -> Vec<BlockId> {
    let mut list = vec![program.entry, program.payoff.code];
    list.extend(program.payoff.accumulated.iter().map(|(code, _)| *code));
    for node in &program.nodes {
        list.push(node.resume);
        for listing in node.listings() {
            list.push(match listing.kind {
                ListingKind::Set { code, .. }
                | ListingKind::Loop { code, .. }
                | ListingKind::Subset { code, .. } => code,
            });
            let mut trial = listing.trial;
            let known = trial.iter_mut().flat_map(Trial::blocks);
            list.extend(known.map(|block| *block));
            list.extend(listing.alternatives.iter().map(|a| a.text.code));
        }
    }
    list
}

#[test]
fn every_block_is_reached() {
    let program = compiled(&busy());
    let mut reached = vec![false; program.blocks.len()];
    let mut stack = targets(&program);
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut reached[id.0 as usize], true) {
            continue;
        }
        match program.block(id).term {
            Term::Jump(to) => stack.push(to),
            Term::Branch {
                then, otherwise, ..
            } => stack.extend([then, otherwise]),
            _ => {}
        }
    }
    assert!(reached.iter().all(|r| *r));
}

#[test]
fn no_jump_leads_to_a_block_of_its_own_or_through_an_empty_one() {
    let program = compiled(&busy());
    let mut predecessors = vec![0; program.blocks.len()];
    for id in targets(&program) {
        predecessors[id.0 as usize] += 2;
    }
    let jumps = |term: Term| match term {
        Term::Jump(to) => vec![to],
        Term::Branch {
            then, otherwise, ..
        } => {
            assert_ne!(then, otherwise);
            vec![then, otherwise]
        }
        _ => vec![],
    };
    for block in &program.blocks {
        for to in jumps(block.term) {
            predecessors[to.0 as usize] += 1;
            let target = program.block(to);
            assert!(!(target.instrs.is_empty() && matches!(target.term, Term::Jump(_))));
        }
    }
    for block in &program.blocks {
        if let Term::Jump(to) = block.term {
            assert!(
                predecessors[to.0 as usize] > 1,
                "b{} could be part of the one before",
                to.0
            );
        }
    }
}

#[test]
fn it_plays_the_same_either_way() {
    let plain = Machine::new(assemble(described(&busy()), false).expect("a program"));
    let simple = Machine::new(assemble(described(&busy()), true).expect("a program"));
    assert!(simple.program().blocks.len() < plain.program().blocks.len());
    for seed in 0..200 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut twin = rng.clone();
        let mut a = plain.initial().expect("a first node");
        let mut b = simple.initial().expect("a first node");
        loop {
            assert_eq!(plain.exact_key(&a), simple.exact_key(&b), "seed {seed}");
            assert_eq!(plain.whole_view(&a), simple.whole_view(&b), "seed {seed}");
            let turn = plain.turn(&a);
            assert_eq!(turn, simple.turn(&b));
            let moves = |machine: &Machine, state, rng: &mut Xoshiro256PlusPlus| match turn {
                Turn::Terminal => vec![],
                Turn::Chance => vec![machine.sample_chance(state, rng).expect("a draw")],
                Turn::Decision(mask) => mask
                    .iter()
                    .map(|p| machine.sample(state, p, rng).expect("an option"))
                    .collect(),
            };
            let (x, y) = (moves(&plain, &a, &mut rng), moves(&simple, &b, &mut twin));
            assert_eq!(x, y);
            if x.is_empty() {
                break;
            }
            let (mut saw, mut seen) = (Vec::new(), Vec::new());
            let one = plain.step_observed(&mut a, &x, &mut |e| saw.push(format!("{e:?}")));
            let two = simple.step_observed(&mut b, &y, &mut |e| seen.push(format!("{e:?}")));
            assert_eq!(one, two);
            assert_eq!(saw, seen);
            if one.is_err() {
                break;
            }
        }
        assert_eq!(plain.payoff_units(&a), simple.payoff_units(&b));
    }
}
