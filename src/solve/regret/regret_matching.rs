//! Regret matching: a choice is as likely as its positive regret is large (Hart & Mas-Colell 2000; equation 8 of Zinkevich et
//! al. 2007).

/// The strategy for some regrets: shares of the positive ones, even shares where none is positive.
pub fn regret_matching(regrets: &[f64], into: &mut [f64]) {
    let sum: f64 = regrets.iter().map(|r| r.max(0.0)).sum();
    if sum > 0.0 {
        for (share, regret) in std::iter::zip(into, regrets) {
            *share = regret.max(0.0) / sum;
        }
    } else {
        let even = 1.0 / into.len() as f64;
        into.fill(even);
    }
}

#[cfg(test)]
mod tests {
    use super::regret_matching;

    #[test]
    fn only_positive_regrets_count() {
        let mut strategy = [0.0; 3];
        regret_matching(&[3.0, -5.0, 1.0], &mut strategy);
        assert_eq!(strategy, [0.75, 0.0, 0.25]);
        regret_matching(&[-3.0, -5.0, 0.0], &mut strategy);
        assert_eq!(strategy, [1.0 / 3.0; 3]);
    }
}
