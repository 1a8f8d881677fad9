//! Playouts by opcodes are the games that are played state by state.

use super::opcode::Opcode;
use super::translate::translate;
use crate::compile::optimise::Until;
use crate::machine::Machine;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

fn machine(items: &str, play: &str) -> Machine {
    let text = format!(
        "game Made {{\n  players {{ A, B, C }}\n{items}\n  state {{ winner : Player? }}\n  play {{\n{play}\n  }}\n  \
         payoff general-sum: [p in Player] if winner == p then 1 else 0\n}}"
    );
    let (machine, _) = crate::load(&text, &Default::default()).unwrap_or_else(|p| panic!("{p:?}"));
    machine
}

/// How many opcodes of a kind the code of silent playouts has, once it is certain that it plays the games that are played
/// state by state.
fn opcodes(machine: &Machine, which: impl Fn(&Opcode) -> bool) -> usize {
    let mut playouts = machine.playouts();
    for seed in 0..200 {
        let rng = || Xoshiro256PlusPlus::seed_from_u64(seed);
        let state = machine.initial().expect("a state");
        let (mut moves, mut same) = (Vec::new(), Vec::new());
        let silent = playouts.play(&state, &mut rng());
        let observed = playouts.play_observed(&state, &mut rng(), &mut moves);
        let stepwise = playouts.play_stepwise(&state, &mut rng(), &mut same);
        assert_eq!(observed, stepwise, "seed {seed}");
        assert_eq!(silent, stepwise, "seed {seed}");
        assert_eq!(moves, same, "seed {seed}");
    }
    let flow = machine.playout_flow(Until::All);
    let code = translate(machine.program(), &flow).expect("code");
    code.opcodes.iter().filter(|s| which(s)).count()
}

const TICKETS: &str = "
  enum Fare { taxi, bus, tram, train, plane, boat }
  type Place = 1..150
  const leads : [Fare][Place] set of Place =
    [f in Fare] [p in Place] { q for q in Place where q != p and (q * 7 + p * 3) mod 41 == (match f { taxi => 0, bus => 1, tram => 2, train => 3, plane => 4, boat => 5 }) }
  state {
    left : [Player][Fare] 0..3 = 2
    at   : [Player] Place
  }
  def fares(p: Player): set of Fare = { f for f in Fare where left[p][f] > 0 }
  def taken: set of Place           = { at[p] for p in Player }
  def ways(f: Fare): set of Fare    = if f == boat then all else { f }
  def via(s: Place, f: Fare): set of Place  = union(g in ways(f)) leads[g][s]
  def open(p: Player, f: Fare): set of Place = via(at[p], f) - taken";

const MOVE: &str = "
    draw a in Place into at[A], b in Place into at[B], c in Place into at[C]
    turns me from A at most 40 {
      me chooses fare in fares(me), to in open(me, fare) into at[me] as \"{fare} {to}\"
      else { winner = me  end }
      left[me][fare] -= 1
      if to mod 50 == 0 { winner = me  end }
    }";

#[test]
fn moves_over_a_map_are_listed_by_sets() {
    let machine = machine(TICKETS, MOVE);
    let sets = opcodes(&machine, |s| matches!(s, Opcode::WithoutWide { .. }));
    let emits = opcodes(&machine, |s| matches!(s, Opcode::Emit { .. }));
    // For each player once; and what is emitted are the places that are open by a fare, all at once, but in the draw.
    assert!(sets >= 3 && emits <= sets + 1, "{emits} {sets}");
}

const BOARD: &str = "
  grid Board(6, 7)
  state { discs : [Player] set of Board }
  def empty: set of Board = Board - discs[A] - discs[B] - discs[C]";

#[test]
fn elements_are_drawn_from_sets_without_a_list() {
    let machine = machine(
        BOARD,
        "turns me from A at most 42 {
          me chooses cell in empty as \"{cell}\"
          discs[me] += cell
          if some way in { north, northeast, east, southeast }: size(Board.line(cell, way, discs[me])) >= 3 {
            winner = me
            end
          }
        }",
    );
    assert!(opcodes(&machine, |s| matches!(s, Opcode::Element { .. })) >= 1);
    assert_eq!(opcodes(&machine, |s| matches!(s, Opcode::Emit { .. })), 0);
}

/// What is looked up by a value is read at places where nothing read that value before.
#[test]
fn looked_up_values_are_there() {
    let machine = machine(
        "type Die = 1..6
         state {
           men  : [Player][0..25] 0..3 = 2
           dice : [Die] 0..4
         }
         def home(p: Player): bool = no n in 7..25: men[p][n] > 0
         def may(p: Player, from: 0..25, d: Die): bool =
           men[p][from] > 0 and dice[d] > 0 and (if from > d then true else home(p) and from == d)
         def reach(p: Player, from: 0..25): set of 0..25 = { max(0, from - d) for d in Die where may(p, from, d) }",
        "turns me from A among { A, B } at most 40 {
           one move {
             me chooses from in 1..9, to in reach(me, from)
             else { break }
             let die = min(d in Die where dice[d] > 0 and d >= from - to) d
             men[me][from] -= 1
           }
           else {}
           draw a in Die, b in Die
           dice[{ a, b }] = 1
         }",
    );
    assert!(opcodes(&machine, |_| true) > 0);
}
