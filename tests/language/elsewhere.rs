//! What people write who know another language: each is told how it is written here, and what can be changed for it is.

use crate::table::around;
use crate::wrong::snapshot;

const STATE: &str = "  enum Suit { clubs, hearts }
  type Card = (rank: 1..3, suit: Suit)
  state {
    deck : set of 1..9 = all seen by none
    hand : [p: Player] set of 1..9 seen by p
    round : 0..9
    winner : Player?
    card : Card
  }";

macro_rules! elsewhere {
    ($($name:ident: $items:expr, $play:expr;)*) => {
        $(
            #[test]
            fn $name() {
                snapshot(stringify!($name), &around(&format!("{STATE}\n{}", $items), $play));
            }
        )*
    };
}

elsewhere! {
    statements_as_elsewhere: "",
        "    pass
    set winner = Ann
    winner = Ann if round == 0
    let x = round if round > 3 else 1
    end if round == 3
    hand[Ann].add(3)
    hand[Ann].remove(max(hand[Ann]))
    draw 2 from deck to hand[Ann]
    deal hand[Ann] from deck
    Ann chooses secret k in 1..3
    Ann chooses j in 1 to 3
    Ann chooses i in 1...3
    let y = round++
    let z = 2";
    arms_as_elsewhere: "",
        "    match round { 0 -> round = 1  else -> {} }
    match round { case 0 => round = 1
      default => {} }
    match round { 0 => round = 1  _ => {} }
    if round == 0 { round = 1 } else if round = 1 { round = 2 }
    if round == 0 { round = 1 } else round = 2";
    values_as_elsewhere: "  const worth : [Player] 0..9 = { Ann = 1, Ben = 2 }",
        "    card = (rank = 1, suit = clubs)
    card = Card(1, clubs)
    card = { rank: 1, suit: hearts }
    let s = Suit.clubs
    winner = Player.Ann
    winner = Player[1]
    winner = null
    round = sum(p in Player: size(hand[p]))
    round = state.round + 1
    this.round = 2
    if exists p in Player: winner == p { }
    if len(hand[Ann]) == 2 { }
    let d = random(1, 6)
    winner = argmax(p in Player) round
    Ann chooses k in {1..3}
    draw e in 1..6 weighted -1
    if 0 < round < 3 { }";
    statements_in_plain_words: "",
        "    all choose k1 in 1..3
    each player chooses k2 in 1..3
    Ann picks k3 in 1..3
    each q { round = 1 }
    each player q { round = 1 }
    unless round == 3 and winner == none { round = 1 }
    if round == 3: round = 1
    round = winner = Ann
    shuffle deck
    roll 2 dice
    roll a die
    flip a coin
    show winner to Ben
    announce round
    tell Ben round
    deal 2 cards from deck to hand[Ann]
    loop 3 times { round += 1 }
    loop { round += 1 }
    if round == 2 { end game }
    if round == 2 { game over }
    Ann wins
    stop";
    conditions_in_plain_words: "",
        "    if hand[Ann] contains 3 { round = 1 }
    if round == 1 and hand[Ann] contains round + 1 { round = 1 }
    if hand[Ann] is empty { round = 1 }
    if hand[Ann] is not empty { round = 1 }
    if winner is none { round = 1 }
    if hand[Ann] has no clubs { round = 1 }
    if (round is 1) { round = size({ c for c in hand[Ann] where c is round }) }
    if winner is not Ben { round = 1 }
    match round { 0: round = 1  1, 2: { round = 2 }  else: { round = 3 } }";
    choices_in_plain_words: "",
        "    Ann may choose k1 in 1..3
    Ann may take k2 in 1..3 where k2 > round as \"{k2}\"
    Ann must choose k3 in 1..3 as \"{k3}\"
    Ben can pick k4 in hand[Ben]
    if round == 2 { the game is over }
    Ben loses
    stop()
    let k5 = Ann chooses k in 1..3
    Ann chooses k6 in 1..3 to round
    Ann chooses k7 in 1..3 unless round == 2
    Ann chooses k10 in 1..3 unless round == 2 as \"{k10}\"
    all choose k8 in 1..3 into round
    Ann chooses k9 in hand[Ann] or pass";
    arrays_as_elsewhere: "  type Offer = [Player] 0..4",
        "    round = { Ann: 1, Ben: 2 }[winner]
    round = floor(round / 2)
    round = size(c in hand[Ann] where c > 3)";
    deals_in_plain_words: "",
        "    deal 3 from deck to each hand
    draw 2 cards from deck to hand[Ann]
    deal all from deck to hand[Ann]
    each q in Player { deal 1 from deck to every player }";
    one_of_several_values: "  enum Rank { low, high }  state { rank : Rank }",
        "    if round == 3 or 4 { winner = Ann }
    if winner == Ann and round == 1 or 2 or 3 { winner = Ann }
    if rank == low or high { winner = Ann }
    if hand[Ann] == {} or winner == Ann or Ben { winner = Ann }
    if (round == 3) or 4 { winner = Ann }";
    values_in_plain_words: "",
        "    round = count(hand[Ann])
    round = hand[Ann].size
    round = hand[Ann].size()
    if hand[Ann].contains(3) { round = 1 }
    if empty(hand[Ann]) { round = 1 }
    if hand[Ann].empty { round = 1 }
    if winner { round = 1 }
    if not winner { round = 1 }
    if hand[Ann] { round = 1 }
    if round { round = 1 }
    if round == 1 or 2 { round = 1 }
    winner = max(p in Player) size(hand[p])
    winner = nobody
    hand[Ann] = Ann.hand
    everyone chooses k in 1..3
    shuffle(deck)
    round = sum of hand
    round = points + points  round = points";
    loops_in_plain_words: "",
        "    turns me from Ann until round == 3 at most 5 { round += 1 }
    turns me from Ann at most 5 until hand[me] == {} { round += 1 }
    turns me from Ann among Player at most 5 while round < 3 { round += 1 }
    turns me from Ann until round == 3 { round += 1 }
    repeat 3 times until round == 3 { round += 1 }";
    draws_that_go_on: "",
        "    draw a in 1..3 => round = a
    draw b in 1..3
      as \"{b}\" => { round = b  winner = Ann }
    draw d from deck => hand[Ann] += d";
    drawn_into_a_set: "",
        "    draw a from deck into hand[Ann]
    each p in Player { draw b in 1..9 into hand[p] as \"{b}\" }
    Ann chooses c in hand[Ann] into hand[Ann]";
    declarations_as_elsewhere: "
  type Colour = { red, green }
  type Size = enum(small, large)
  type Rank = {1..3}
  type Low = 1..lows
  param n : 1..3
  state {
    taken : [p in Player] set of 1..9  seen by p
    told  : 1..3  seen by Ann, Ben
    first : optional Player
    n1    : int
    n2    : boolean
  }", "    Ann chooses k in 1..2";
    words_as_names: "  rule end(p: Player) { winner = p }\n  rule reveal(n: 1..9) { }",
        "    Ann chooses k in 1..2";
    words_as_rules: "",
        "    reveal(winner, round)
    repeat 2 times { break() }
    end(Ann)
    draw(1)
    Ann chooses k in 1..2";
    work_before_play: "  const n = sum(a in 1..1000, b in 1..1000, c in 1..1000) (a * b * c mod 7)",
        "    Ann chooses k in 1..2";
    several_who_could_not_know: "  state { die : [p: Player] 1..6 seen by p }",
        "    each p in Player { draw d in 1..6 into die[p] }
    winner = if die[Ann] > die[Ben] then Ann else Ben
    Ann chooses k in 1..2";
    own_choice_on_a_hidden_branch: "  state { coin : 1..3 seen by Ann }",
        "    draw c in 1..3 into coin   if coin == 3 { Ben chooses j in 1..2 as \"{j}\" }";
}

#[test]
fn a_block_without_its_brace() {
    let text = "game Test {
  players { Ann, Ben }
  state
    x : 0..3
  }
  play { Ann chooses k in 1..2 into x }
  payoff zero-sum: [p in Player] 0
}";
    snapshot("a_block_without_its_brace", text);
}
