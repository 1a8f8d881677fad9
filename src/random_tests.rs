//! How the tests with random cases are run.

use proptest::test_runner::{Config, RngSeed};

/// At least `cases` cases, the same ones each time, so that nothing fails by chance. `PROPTEST_CASES=20000` tries more of
/// them, and `PROPTEST_RNG_SEED=2` others.
pub fn config(cases: u32) -> Config {
    let asked = Config::default();
    Config {
        cases: asked.cases.max(cases),
        rng_seed: match asked.rng_seed {
            RngSeed::Random => RngSeed::Fixed(1),
            fixed => fixed,
        },
        failure_persistence: None,
        ..asked
    }
}
