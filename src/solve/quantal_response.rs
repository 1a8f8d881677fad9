//! Answers of people who err: the better a plan is, the likelier it is played, but the best is not certain (the logit response
//! of McKelvey & Palfrey 1995, "Quantal response equilibria for normal form games").

use super::profile::Profile;
use super::sequences::Sequences;
use super::tree::Tree;

/// The quantal response of a player to the strategies of the others: a plan that is worth u to it is played with a probability
/// in proportion to exp(`lambda` · u), so that with 0 all plans are as likely and with ever more the best ones alone are left.
/// The player takes the others to play uniformly with probability `blur` for the whole game, and their strategies else. A plan
/// says what to do at each information state that it comes to. Only the strategy of `player` counts in what is found.
///
/// Plans are not listed: going from the last information states to the first, the sum of exp(`lambda` · u) over the plans that
/// go on from one is the product of the sums of those that follow.
pub fn quantal_response(
    tree: &Tree,
    sequences: &Sequences,
    player: usize,
    profile: &Profile,
    lambda: f64,
    blur: f64,
) -> Profile {
    let mut found = Profile::uniform(tree);
    let mut plans = profile.plans(sequences);
    for (plan, even) in plans.iter_mut().zip(found.plans(sequences)) {
        for (share, even) in plan.iter_mut().zip(even) {
            *share = (1.0 - blur) * *share + blur * even;
        }
    }
    let form = &sequences.players[player];
    // Logarithms of the sums, by what leads there.
    let mut worth = vec![0.0; form.sequences];
    sequences.earnings(player, &plans, &mut worth);
    worth.iter_mut().for_each(|worth| *worth *= lambda);
    let own = &mut found.probabilities[form.choices.clone()];
    for decision in form.decisions.iter().rev() {
        let range = decision.range();
        let choices = &mut own[range.start - 1..range.end - 1];
        let most = worth[range.clone()].iter().copied();
        let most = most.fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for (choice, worth) in choices.iter_mut().zip(&worth[range]) {
            *choice = libm::exp(worth - most);
            sum += *choice;
        }
        choices.iter_mut().for_each(|choice| *choice /= sum);
        worth[decision.before as usize] += most + libm::log(sum);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::TreeOptions;
    use crate::solve::tree::build;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// Ann draws a number that Ben never sees; Ben has two choices.
    const GAME: &str = "game Two {
      players { Ann, Ben }
      state { a : 0..1 seen by Ann  b : 0..2 seen by Ben  c : 0..2 seen by Ben }
      play { Ann chooses x in 0..1 into a  Ben chooses y in 0..2 into b  Ben chooses z in 0..2 into c }
      payoff general-sum { Ann: a  Ben: if a == 1 then b * c else b }
    }";

    /// The probability of each plan of Ben, by its two choices.
    fn plans(lambda: f64, blur: f64, first: f64) -> Vec<Vec<f64>> {
        let loaded = crate::load(GAME, &Default::default());
        let machine = Arc::new(loaded.unwrap_or_else(|p| panic!("{p:?}")).0);
        let stop = Arc::new(AtomicBool::new(false));
        let tree = build(&machine, &TreeOptions::default(), &mut |_| (), &stop).unwrap();
        let sequences = Sequences::new(&tree);
        let mut profile = Profile::uniform(&tree);
        let ann = tree.choices_of(0);
        profile.probabilities[ann].copy_from_slice(&[1.0 - first, first]);
        let found = quantal_response(&tree, &sequences, 1, &profile, lambda, blur);
        let own = &found.plans(&sequences)[1];
        let decisions = &sequences.players[1].decisions;
        let after = |choice: usize| {
            let before = decisions[0].first as usize + choice;
            let decision = decisions.iter().find(|d| d.before as usize == before);
            own[decision.unwrap().range()].to_vec()
        };
        (0..3).map(after).collect()
    }

    /// Against the definition, plan by plan.
    #[test]
    fn plans_are_as_likely_as_their_worth_says() {
        for (lambda, blur, first) in [
            (0.7, 0.0, 0.5),
            (0.0, 0.0, 0.3),
            (2.0, 0.25, 1.0),
            (9.0, 1.0, 0.0),
        ] {
            let one = (1.0 - blur) * first + blur * 0.5;
            let worth = |y: usize, z: usize| one * (y * z) as f64 + (1.0 - one) * y as f64;
            let weight = |y, z| f64::exp(lambda * worth(y, z));
            let total: f64 = (0..9).map(|i| weight(i / 3, i % 3)).sum();
            for (y, after) in plans(lambda, blur, first).iter().enumerate() {
                for (z, share) in after.iter().enumerate() {
                    let expected = weight(y, z) / total;
                    assert!(
                        (share - expected).abs() < 1e-12,
                        "{lambda} {y} {z}: {share}"
                    );
                }
            }
        }
        // Nothing overflows, and the best plan is left.
        assert!((plans(1e6, 0.0, 0.5)[2][2] - 1.0).abs() < 1e-12);
    }
}
