//! Where the successors of a simultaneous choice are given as rows and columns, they are those that stepping comes to.

use crate::support::{load, load_text, random_step, variants};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::{Listed, Machine, Product, Rewards, State, Stepper, Turn};

/// Compares every pair of a state's choices; whether the successors are a product, and the error where stepping the pairs
/// one by one tells of one.
fn compare(
    stepper: &mut Stepper<'_>,
    actions: &mut [Listed; 2],
    machine: &Machine,
    state: &State,
) -> Result<bool, String> {
    stepper.start(machine.node(state), state.words());
    for (player, actions) in actions.iter_mut().enumerate() {
        stepper.list_again(player, actions).map_err(|e| e.message)?;
    }
    let [first, second] = &*actions;
    let mut product = Product::default();
    let rewards = Rewards::new(machine, 0);
    let found = stepper.product([first, second], &rewards, &mut product);
    let is_product = found.map_err(|e| e.message)?;
    let stride = machine.state_words();
    let mut words = vec![0; stride];
    for (i, a) in first.iter().enumerate() {
        for (j, b) in second.iter().enumerate() {
            let node = stepper.step(&[a, b], &mut words).map_err(|e| e.message)?;
            if !is_product {
                continue;
            }
            let (line, column) = (product.lines[i], product.columns.numbers[j] as usize);
            let change = stepper.change(stepper.changes(line)[column]);
            let joined: Vec<u64> = (0..stride)
                .map(|w| {
                    let accumulated = product.accumulated[w].wrapping_add(change[w]);
                    product.rows.parts[i * stride + w]
                        | product.columns.parts[j * stride + w]
                        | product.common[w]
                        | accumulated
                })
                .collect();
            assert_eq!((product.node, &joined), (node, &words));
            let earned = stepper.earned(line)[column];
            assert_eq!(rewards.between(state.words(), &words), earned);
        }
    }
    Ok(is_product)
}

/// How many of the states of random games where both players choose have a product, and how many there are.
fn met(machine: &Machine, games: usize) -> (usize, usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut stepper = machine.lasting_stepper();
    let mut actions = <[Listed; 2]>::default();
    let (mut products, mut all) = (0, 0);
    for _ in 0..games {
        let mut state = machine.initial().unwrap();
        for _ in 0..100 {
            match machine.turn(&state) {
                Turn::Terminal => break,
                Turn::Decision(movers) if movers.len() == 2 => {
                    all += 1;
                    products +=
                        usize::from(compare(&mut stepper, &mut actions, machine, &state).unwrap());
                }
                _ => {}
            }
            let joint = random_step(machine, &state, &mut rng).unwrap();
            machine.step(&mut state, &joint).unwrap();
        }
    }
    (products, all)
}

#[test]
fn products_are_what_steps_come_to() {
    for (game, settings) in variants() {
        let machine = load(game, &settings);
        if machine.player_count() == 2 {
            met(&machine, 5);
        }
    }
}

#[test]
fn goofspiel_is_a_product_where_points_are_only_added_up() {
    let by_points = [("cards", "5"), ("scoring", "point_difference")];
    let (products, all) = met(&load("goofspiel", &by_points), 200);
    assert_eq!(products, all);
    // Who has more points in the end is no sum.
    let (products, _) = met(&load("goofspiel", &[("cards", "5")]), 20);
    assert_eq!(products, 0);
}

/// The game with this for a round, after which Ann and Ben have chosen `a` and `b`.
fn after(round: &str) -> std::sync::Arc<Machine> {
    let text = format!(
        "
game Round {{
  players {{ Ann, Ben }}
  state {{ a : 0..3  b : 0..3  c : 0..3  gain : 0..9 }}
  play {{
    repeat 3 times {{
      together {{
        Ann chooses n in 0..3 into a as \"{{n}}\"
        Ben chooses n in 0..3 into b as \"{{n}}\"
      }}
      {round}
    }}
  }}
  payoff zero-sum: {{ Ann: gain + a  Ben: -gain - a }}
}}"
    );
    load_text("round.game", &text, &Default::default())
}

#[test]
fn what_both_decide_together_is_no_product() {
    let decided = |round: &str| met(&after(round), 20).0 > 0;
    assert!(decided("if a > b { gain += 1 }"));
    // By what it is, or by the way that play takes to it.
    assert!(!decided(
        "c = if a > b then a else b  if c > 2 { gain += 1 }  a = c"
    ));
    assert!(!decided("if a > b { c = 1 } else { c = 2 }  a = c"));
    // Where both ways lead to the same, it is nobody's.
    assert!(decided(
        "if a > b { c = 1  gain += 1 } else { c = 1 }  a = c"
    ));
}

/// More choices than there are bits in a word, of which each state offers others.
#[test]
fn many_choices_are_a_product_too() {
    let text = "
game Wide {
  players { Ann, Ben }
  state { a : 0..99  b : 0..99  gain : -9..9 = 0 }
  play {
    repeat 3 times {
      together {
        Ann chooses n in a..99 into a as \"{n}\"
        Ben chooses n in b..99 into b as \"{n}\"
      }
      if a > b { gain += 1 }
      if a + 70 < b { gain -= 1 }
    }
  }
  payoff zero-sum: { Ann: gain  Ben: -gain }
}";
    let machine = load_text("wide.game", text, &Default::default());
    let (products, all) = met(&machine, 4);
    assert_eq!((products, all), (12, 12));
}

/// A pair that ends in an error is stepped, and one that takes an accumulator out of its range too.
#[test]
fn errors_are_found_by_the_pair() {
    let machine = after("if a > b { gain += 4 }");
    let mut stepper = machine.lasting_stepper();
    let mut actions = <[Listed; 2]>::default();
    let mut state = machine.initial().unwrap();
    for round in 0..3 {
        let told = compare(&mut stepper, &mut actions, &machine, &state);
        assert_eq!(told.is_err(), round == 2, "{told:?}");
        let joint = [3, 0].map(|n| {
            let player = usize::from(n == 0);
            machine.find_action(&state, player, &n.to_string()).unwrap()
        });
        if round < 2 {
            machine.step(&mut state, &joint).unwrap();
        }
    }
}
