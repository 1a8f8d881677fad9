//! Some states are more likely than others: Location Categorization (Nijssen & Winands 2012, section IV-D).
//!
//! A category of the player's knowledge says into which class a hidden place falls. States are drawn by the weights of their
//! classes, as these were when the place last changed.

use super::Root;
use crate::belief::Hypothesis;
use crate::machine::Machine;
use crate::model::types::Type;
use crate::model::{Knowledge, KnowledgeKind};
use crate::search::each::Each;
use crate::search::supported_games::Unsuited;
use crate::text::nearest::nearest;
use rustc_hash::FxHashMap;

/// What the weights are of.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Shares {
    /// Each state of a class (one-step selection, eq. 3).
    #[default]
    OneStep,
    /// A class as a whole, which its states share (two-step selection, eq. 4).
    TwoStep,
}

/// What is set about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Categories {
    /// The category, by its name.
    pub name: String,
    /// Of classes, as they print; of others the one without a name, or else 0. Where all classes that there are weigh
    /// nothing, states weigh what they weigh without categories.
    pub weights: Each<f64>,
    pub shares: Shares,
}

/// The categories of a player: entries of the game's knowledge, with the types of their classes.
fn of_player(machine: &Machine, player: usize) -> impl Iterator<Item = (usize, &Knowledge, &Type)> {
    let entries = machine.knowledge_of(player);
    entries.filter_map(|(entry, k)| match &k.kind {
        KnowledgeKind::Category { value, .. } => Some((entry, k, &value.ty)),
        _ => None,
    })
}

fn find<'m>(machine: &'m Machine, player: usize, name: &str) -> Option<(usize, &'m Type)> {
    let mut entries = of_player(machine, player);
    let (entry, _, ty) = entries.find(|(_, k, _)| k.name == name)?;
    Some((entry, ty))
}

impl Categories {
    /// Whether a game has the category, and the category the classes.
    ///
    /// # Errors
    /// What is missing.
    pub fn suits(&self, machine: &Machine) -> Result<(), Box<Unsuited>> {
        let span = machine.description().payoff.span;
        let players = 0..machine.player_count();
        let mut found = players.clone().filter_map(|p| find(machine, p, &self.name));
        let Some((_, ty)) = found.next() else {
            let all = players.flat_map(|p| of_player(machine, p));
            let mut names: Vec<&str> = all.map(|(_, k, _)| k.name.as_str()).collect();
            names.dedup();
            let near = nearest(&self.name, names.iter().copied());
            let mut instead = near.map_or(names, |near| vec![near]);
            instead.dedup();
            return Err(Box::new(Unsuited {
                span,
                setting: format!("category={}", self.name),
                needs: "a category of that name in somebody's knowledge",
                but: "there is none".to_string(),
                instead: instead
                    .iter()
                    .map(|name| format!("category={name}"))
                    .collect(),
            }));
        };
        let Some(class) = self.weights.names().find(|class| ty.read(class).is_none()) else {
            return Ok(());
        };
        Err(Box::new(Unsuited {
            span,
            setting: format!("weights={}", self.weights),
            needs: "classes of the category",
            but: format!("`{class}` is none of `{}`", self.name),
            instead: Vec::new(),
        }))
    }

    /// The entry of a player's knowledge, if it has the category.
    pub fn entry(&self, machine: &Machine, player: usize) -> Option<usize> {
        find(machine, player, &self.name).map(|(entry, _)| entry)
    }

    /// What the hypotheses weigh.
    pub fn weigh(&self, machine: &Machine, root: &Root<'_>) -> Vec<f64> {
        let plain = || root.hypotheses.iter().map(|h| h.weight).collect();
        let Some((_, ty)) = find(machine, root.player, &self.name) else {
            return plain();
        };
        let mut whole: FxHashMap<Option<u64>, f64> = FxHashMap::default();
        for h in root.hypotheses {
            *whole.entry(h.class).or_default() += h.weight;
        }
        let of = |h: &Hypothesis| {
            let class = h.class.map(|class| ty.show(ty.value_at(class)));
            let weight = class.and_then(|class| self.weights.named(&class).copied());
            let share = match self.shares {
                Shares::OneStep => h.weight,
                Shares::TwoStep => h.weight / whole[&h.class],
            };
            weight.unwrap_or(0.0) * share
        };
        let weights: Vec<f64> = root.hypotheses.iter().map(of).collect();
        match weights.iter().sum::<f64>() > 0.0 {
            true => weights,
            false => plain(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Actions;

    const GAME: &str = "game Cave {
      players { Bear, Ann }
      state { at : 1..6 seen by Bear }
      play { Bear chooses x in 1..6 into at  Ann chooses { dig wait } }
      payoff zero-sum: { Bear: 0, Ann: 0 }
      knowledge Ann { category depth of at = if at > 4 then 3 else if at > 2 then 2 else 1 }
    }";

    fn categories(weights: &str, shares: Shares) -> Categories {
        Categories {
            name: "depth".to_string(),
            weights: Each::read(weights, |x| x.parse().ok()).unwrap(),
            shares,
        }
    }

    /// Of states of the classes 1, 1, 2 and 3; the last one is twice as likely as each of the others.
    fn weights(weights: &str, shares: Shares) -> Vec<f64> {
        let (machine, _) = crate::load(GAME, &Default::default()).unwrap();
        let state = machine.initial().unwrap();
        let (_, ty) = find(&machine, 1, "depth").unwrap();
        let likely = [(0.2, 1), (0.2, 1), (0.2, 2), (0.4, 3)];
        let hypotheses = likely.map(|(weight, class)| Hypothesis {
            state: state.clone(),
            weight,
            class: Some(ty.ordinal(class)),
        });
        let root = Root {
            player: 1,
            actions: &Actions::default(),
            hypotheses: &hypotheses,
            histories: &[],
            policy: None,
        };
        categories(weights, shares).weigh(&machine, &root)
    }

    fn near(found: &[f64], expected: [f64; 4]) {
        let total: f64 = found.iter().sum();
        for (a, b) in std::iter::zip(found, expected) {
            assert!((a / total - b).abs() < 1e-12, "{found:?}");
        }
    }

    /// By equations 3 and 4 of the paper.
    #[test]
    fn classes_weigh() {
        let found = weights("1:3 2:1 3:0.5", Shares::OneStep);
        near(&found, [0.375, 0.375, 0.125, 0.125]);
        near(
            &weights("1:3 2:1 3:1", Shares::TwoStep),
            [0.3, 0.3, 0.2, 0.2],
        );
        near(&weights("2:1", Shares::OneStep), [0.0, 0.0, 1.0, 0.0]);
        near(&weights("1 2:0", Shares::OneStep), [0.25, 0.25, 0.0, 0.5]);
        // Nothing would be left.
        near(&weights("0", Shares::OneStep), [0.2, 0.2, 0.2, 0.4]);
    }

    #[test]
    fn categories_and_classes_must_be_there() {
        let (machine, _) = crate::load(GAME, &Default::default()).unwrap();
        let good = categories("1:1 3:2", Shares::OneStep);
        assert_eq!(good.suits(&machine), Ok(()));
        let misspelt = Categories {
            name: "dept".to_string(),
            ..good
        };
        let refused = misspelt.suits(&machine).unwrap_err();
        assert_eq!(refused.instead, ["category=depth"]);
        let refused = categories("4:1", Shares::OneStep).suits(&machine);
        assert_eq!(refused.unwrap_err().but, "`4` is none of `depth`");
    }
}
