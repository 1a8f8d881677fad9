//! Random playouts of some games, written by hand: what the playouts of a compiled text are measured against.
//!
//! Each is written to be fast in the way that suits it: bit boards, permutations, sampling by rejection. All of it is safe
//! Rust that no compiler flag helps.

pub mod breakthrough;
pub mod connect_four;
pub mod go;
pub mod goofspiel;
pub mod hex;
pub mod scotland_yard;
pub mod select;
pub mod tic_tac_toe;
pub mod uct;

use rand::rngs::Xoshiro256PlusPlus;

/// How a playout ended.
#[derive(Copy, Clone, Debug)]
pub struct End {
    /// Of the player in the first seat.
    pub payoff: f64,
    /// Choices and draws on the way; one for each player where several choose at once.
    pub moves: u32,
}

/// One hand-written game.
pub trait Hand {
    fn playout(&mut self, rng: &mut Xoshiro256PlusPlus) -> End;

    /// So many playouts: what they paid and their moves, in all.
    fn playouts(&mut self, number: u64, rng: &mut Xoshiro256PlusPlus) -> (f64, u64) {
        let (mut payoff, mut moves) = (0.0, 0);
        for _ in 0..number {
            let end = self.playout(rng);
            payoff += end.payoff;
            moves += u64::from(end.moves);
        }
        (payoff, moves)
    }
}

/// The games by the names of their texts.
pub fn all() -> Vec<(&'static str, Box<dyn Hand>)> {
    vec![
        ("tic-tac-toe", Box::new(tic_tac_toe::TicTacToe::new())),
        ("goofspiel", Box::new(goofspiel::Goofspiel)),
        ("connect-four", Box::new(connect_four::ConnectFour::new())),
        ("breakthrough", Box::new(breakthrough::Breakthrough::new())),
        (
            "scotland-yard",
            Box::new(scotland_yard::ScotlandYard::new()),
        ),
        ("hex", Box::new(hex::Hex::new())),
        ("go", Box::new(go::Go::new())),
    ]
}

/// Makes simulations from the start, and says which move it takes.
pub type Search = Box<dyn FnMut(&mut Xoshiro256PlusPlus) -> usize>;

/// A search by hand of so many simulations, where there is one.
pub fn search(name: &str, simulations: u64) -> Option<Search> {
    fn of<G: uct::Game + 'static>(game: G, simulations: u64) -> Search {
        let mut uct = uct::Uct::new(game, simulations);
        Box::new(move |rng| uct.search(simulations, rng))
    }
    match name {
        "tic-tac-toe" => Some(of(tic_tac_toe::TicTacToe::new(), simulations)),
        "connect-four" => Some(of(connect_four::ConnectFour::new(), simulations)),
        _ => None,
    }
}
