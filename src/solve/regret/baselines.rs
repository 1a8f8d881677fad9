//! What is known of each choice of each history, as a control variate of sampling.

/// How much a new value counts beside what was known (α of Schmid and others 2019).
const RATE: f64 = 0.5;

/// For each history and each choice there about what each player is paid in the end: a mean of the values that were sampled, of
/// which later ones count more (Schmid, Burch, Lanctot, Moravčík, Kadlec & Bowling 2019, "Variance reduction in Monte Carlo
/// counterfactual regret minimization (VR-MCCFR) for extensive form games using baselines"). Kept by history instead of
/// information state, so that what others hide is no part of the variance (Davis, Schmid & Bowling 2020, "Low-variance and
/// zero-variance baselines for extensive-form games").
#[derive(Clone, Debug)]
pub struct Baselines {
    /// For each choice one number a player; no number where nothing is known.
    values: Vec<f64>,
    players: usize,
}

impl Baselines {
    pub fn new(players: usize) -> Baselines {
        Baselines {
            values: Vec::new(),
            players,
        }
    }

    /// Room for so many choices.
    pub fn reserve(&mut self, choices: usize) {
        let size = choices * self.players;
        if self.values.len() < size {
            self.values.resize(size, f64::NAN);
        }
    }

    /// What a player is paid after a choice, as far as is known; 0 where nothing is.
    pub fn get(&self, player: usize, choice: usize) -> f64 {
        let value = self.values[choice * self.players + player];
        if value.is_nan() { 0.0 } else { value }
    }

    /// The mean of the choices from `first` on, by their probabilities.
    pub fn mean(&self, player: usize, first: usize, probabilities: &[f64]) -> f64 {
        let choices = probabilities.iter().enumerate();
        choices.map(|(i, p)| p * self.get(player, first + i)).sum()
    }

    /// Counts a value that was sampled.
    pub fn learn(&mut self, player: usize, choice: usize, value: f64) {
        let known = &mut self.values[choice * self.players + player];
        *known = match known.is_nan() {
            true => value,
            false => *known + RATE * (value - *known),
        };
    }
}
