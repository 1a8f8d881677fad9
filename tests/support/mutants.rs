//! Mutants of shipped games by their numbers. The tests and the bench of hostile texts share this file.

use super::mutate::{Pool, mutant};
use rand::RngExt;
use ruse::internal::check::Settings;
use ruse::internal::random::stream;

const SEED: u64 = 2026;

pub struct Shipped {
    pub names: Vec<String>,
    pub texts: Vec<String>,
    /// For each game the params that it has, with some values.
    settings: Vec<Vec<(String, String)>>,
    pub pool: Pool,
}

impl Shipped {
    pub fn new() -> Shipped {
        let names = super::shipped();
        let texts: Vec<String> = names.iter().map(|n| super::text(n)).collect();
        let settings = names
            .iter()
            .map(|name| {
                let variants = super::variants().into_iter().filter(|(n, _)| n == name);
                variants
                    .flat_map(|(_, s)| s)
                    .map(|(k, v)| (k.to_string(), v.to_string()))
                    .collect()
            })
            .collect();
        let pool = Pool::new(&texts);
        Shipped {
            names,
            texts,
            settings,
            pool,
        }
    }

    /// The mutant with a number: its text, what was done to it, and the settings that it is loaded with.
    pub fn mutant(&self, number: u64) -> (String, Vec<&'static str>, Settings) {
        let mut random = stream(SEED, &[number]);
        let game = (number % self.texts.len() as u64) as usize;
        let (text, done) = mutant(&self.texts[game], &self.pool, &mut random);
        let mut settings = Settings::new();
        let known = &self.settings[game];
        if !known.is_empty() && random.random_range(0..4u32) == 0 {
            let (key, value) = known[random.random_range(0..known.len())].clone();
            settings.insert(key, value);
        }
        (text, done, settings)
    }

    /// Shipped games may be extended.
    pub fn load(&self, path: &str) -> Result<(String, String), String> {
        let name = path.trim_end_matches(".game");
        let found = self.names.iter().position(|n| n == name);
        let text = found.map(|i| self.texts[i].clone());
        text.map(|t| (path.to_string(), t))
            .ok_or_else(|| format!("there is no `{path}`"))
    }
}
