//! The player that chooses uniformly among its legal actions.

use super::catalogue::{Entry, Way};
use super::player::{Player, PlayerError, Question};
use crate::machine::Observation;
use crate::random::stream;
use rand::RngExt;

pub(super) fn entry() -> Entry {
    Entry {
        name: "random",
        doc: "Chooses uniformly among its legal actions. Plays any game.",
        parameters: Vec::new(),
        needs_perfect_information: false,
        way: Way::Random,
    }
}

#[derive(Clone, Debug, Default)]
pub struct RandomPlayer {
    seed: u64,
    decisions: u64,
}

impl Player for RandomPlayer {
    fn begin(&mut self, _seat: usize, seed: u64) -> Result<(), PlayerError> {
        self.seed = seed;
        self.decisions = 0;
        Ok(())
    }

    fn observe(&mut self, _observation: &Observation) -> Result<(), PlayerError> {
        Ok(())
    }

    fn choose(&mut self, question: &Question<'_>) -> Result<usize, PlayerError> {
        let mut rng = stream(self.seed, &[self.decisions]);
        self.decisions += 1;
        let n = question.actions.len().max(1);
        Ok(rng.random_range(0..n as u64) as usize)
    }

    fn decided(&mut self, _question: &Question<'_>) -> Result<(), PlayerError> {
        self.decisions += 1;
        Ok(())
    }

    fn is_random(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Action, Actions};
    use crate::players::Patience;

    fn play(seed: u64, decisions: usize) -> Vec<usize> {
        let actions = Actions(vec![Action::default(); 3]);
        let question = Question {
            node: 0,
            seat: 1,
            actions: &actions,
            patience: Patience::ENDLESS,
        };
        let mut player = RandomPlayer::default();
        player.begin(1, seed).unwrap();
        (0..decisions)
            .map(|_| player.choose(&question).unwrap())
            .collect()
    }

    #[test]
    fn is_uniform() {
        let mut counts = [0; 3];
        for i in play(5, 3000) {
            counts[i] += 1;
        }
        assert!(counts.iter().all(|n| (900..1100).contains(n)), "{counts:?}");
    }

    #[test]
    fn plays_the_same_from_the_same_seed() {
        assert_eq!(play(5, 50), play(5, 50));
        assert_ne!(play(5, 50), play(6, 50));
    }
}
