//! Which strategy comes out of visits and payoffs when a search is over.

use super::policies::shares;

/// How a move is picked.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum FinalChoice {
    /// The action with the most visits ("robust"). Where none has two, so that it is chance which has one, the best
    /// mean.
    #[default]
    Visits,
    /// The action with the highest mean payoff ("max"; DUCT(max) in Lanctot, Lisý & Winands 2013, section 3.1).
    Mean,
    /// At random by the shares of the visits (DUCT(mix) in the same section).
    Share,
}

impl FinalChoice {
    /// The parameter by which it is set, and its values in the order of the variants.
    pub const NAME: &str = "final";
    pub const WORDS: [&str; 3] = ["visits", "mean", "share"];

    /// That of a word; the default for another word or none.
    pub fn of(word: Option<&str>) -> FinalChoice {
        let all = [FinalChoice::Visits, FinalChoice::Mean, FinalChoice::Share];
        let place = FinalChoice::WORDS.iter().position(|w| Some(*w) == word);
        place.map_or_else(FinalChoice::default, |i| all[i])
    }

    /// The probability of each action, from its visits and the sum of the payoffs that these brought; evenly among those
    /// that are equally good.
    pub fn strategy(self, visits: &[f64], sums: &[f64]) -> Vec<f64> {
        match self {
            FinalChoice::Visits => {
                let most = visits.iter().copied().fold(0.0, f64::max);
                match most > 1.0 {
                    true => greatest(visits.iter().copied()),
                    false => best_mean(visits, sums),
                }
            }
            FinalChoice::Mean => best_mean(visits, sums),
            FinalChoice::Share => shares(visits.iter().copied()),
        }
    }

    /// For what one of several trees votes. Each has few simulations, and what stays open the others decide.
    pub fn vote(self, visits: &[f64], sums: &[f64]) -> Vec<f64> {
        match self {
            FinalChoice::Visits => greatest(visits.iter().copied()),
            _ => self.strategy(visits, sums),
        }
    }
}

/// 1 shared by all that have the greatest mean.
fn best_mean(visits: &[f64], sums: &[f64]) -> Vec<f64> {
    let mean = |(&n, &x)| if n > 0.0 { x / n } else { f64::NEG_INFINITY };
    greatest(std::iter::zip(visits, sums).map(mean))
}

/// 1 shared by all that have the greatest value.
fn greatest(values: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let most = values.clone().fold(f64::NEG_INFINITY, f64::max);
    shares(values.map(|value| f64::from(u8::from(value == most))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_has_its_own_strategy() {
        let (visits, sums) = ([10.0, 30.0, 30.0, 10.0, 0.0], [1.0, 27.0, 6.0, 9.0, 0.0]);
        let of = |rule: FinalChoice| rule.strategy(&visits, &sums);
        assert_eq!(of(FinalChoice::Visits), [0.0, 0.5, 0.5, 0.0, 0.0]);
        assert_eq!(of(FinalChoice::Mean), [0.0, 0.5, 0.0, 0.5, 0.0]);
        assert_eq!(of(FinalChoice::Share), [0.125, 0.375, 0.375, 0.125, 0.0]);
        for rule in [FinalChoice::Visits, FinalChoice::Mean, FinalChoice::Share] {
            assert_eq!(rule.strategy(&[0.0, 0.0], &[0.0, 0.0]), [0.5, 0.5]);
        }
    }

    /// With more actions than playouts, chance decides who has a visit.
    #[test]
    fn the_mean_decides_between_actions_that_were_tried_once() {
        let of = |visits: &[f64], sums: &[f64]| FinalChoice::Visits.strategy(visits, sums);
        assert_eq!(
            of(&[1.0, 0.0, 1.0, 1.0], &[2.0, 0.0, 9.0, 3.0]),
            [0.0, 0.0, 1.0, 0.0]
        );
        assert_eq!(of(&[2.0, 1.0, 2.0], &[2.0, 9.0, 3.0]), [0.5, 0.0, 0.5]);
    }

    #[test]
    fn words_name_the_rules() {
        assert_eq!(FinalChoice::of(None), FinalChoice::Visits);
        let all = FinalChoice::WORDS.map(|w| FinalChoice::of(Some(w)));
        assert_eq!(
            all,
            [FinalChoice::Visits, FinalChoice::Mean, FinalChoice::Share]
        );
    }
}
