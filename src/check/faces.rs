//! The faces of a game: the settings of its params under which a file should be checked, so that a leak behind
//! `bids == hidden` does not wait for the first person who plays it so.

use super::Settings;
use crate::model::Description;
use crate::model::types::Type;
use indexmap::IndexMap;

/// At most this many settings are tried.
const MOST: usize = 100;
/// Integer params with more values are tried at their ends only.
const FEW: u64 = 4;

/// Settings that differ from those of `d`, params in `fixed` left as they are: every combination of the values of enums,
/// truth values and small ranges with the ends of large ranges, or, where that is more than 100, one param at a time.
pub fn faces(d: &Description, fixed: &Settings) -> Vec<Settings> {
    let choices: Vec<(&str, Vec<String>)> = d
        .param_types
        .iter()
        .filter(|(name, _)| !fixed.contains_key(*name))
        .map(|(name, ty)| {
            let mut values = values(ty);
            // The present value comes first, so that the first combination is the present one.
            if let Some(now) = d.params.get(name) {
                values.retain(|v| v != now);
                values.insert(0, now.clone());
            }
            (name.as_str(), values)
        })
        .collect();
    let all: usize = choices
        .iter()
        .fold(1, |n, (_, values)| n.saturating_mul(values.len()));
    let with = |changes: &[(&str, &String)]| {
        let mut settings: Settings = fixed.clone();
        for (name, value) in changes {
            settings.insert(name.to_string(), value.to_string());
        }
        settings
    };
    if all <= MOST {
        return (1..all)
            .map(|mut n| {
                let mut changes = Vec::new();
                for (name, values) in &choices {
                    let i = n % values.len();
                    n /= values.len();
                    if i > 0 {
                        changes.push((*name, &values[i]));
                    }
                }
                with(&changes)
            })
            .collect();
    }
    choices
        .iter()
        .flat_map(|(name, values)| values[1..].iter().map(move |v| (*name, v)))
        .map(|change| with(&[change]))
        .take(MOST)
        .collect()
}

/// What a setting changes, in words: `bids = hidden, cards = 1`.
pub fn differences(settings: &Settings, fixed: &Settings) -> String {
    let parts: IndexMap<&String, &String> = settings
        .iter()
        .filter(|(name, _)| !fixed.contains_key(*name))
        .collect();
    let parts: Vec<String> = parts.iter().map(|(k, v)| format!("{k} = {v}")).collect();
    parts.join(", ")
}

fn values(ty: &Type) -> Vec<String> {
    match (ty, ty.size()) {
        (Type::Int { lo, hi }, Some(n)) if n > FEW => vec![lo.to_string(), hi.to_string()],
        (Type::Number { .. }, _) => Vec::new(),
        (_, Some(n)) => (0..n).map(|i| ty.show_name(ty.value_at(i))).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(params: &str) -> Description {
        let text = format!(
            "game T {{ {params} players {{ A, B }} play {{ A chooses x in {{ true, false }} }} payoff zero-sum: [p in Player] 0 }}"
        );
        let (file, problems) = crate::syntax::parse(&text);
        assert!(problems.is_empty(), "{problems:?}");
        let file = file.expect("a tree");
        super::super::check(&file, &Settings::new())
            .0
            .expect("a description")
    }

    #[test]
    fn every_combination_but_the_present_one() {
        let d = game("param n : 1..9 = 3  param open : bool = true");
        let found: Vec<String> = faces(&d, &Settings::new())
            .iter()
            .map(|s| differences(s, &Settings::new()))
            .collect();
        assert_eq!(
            found,
            [
                "n = 1",
                "n = 9",
                "open = false",
                "n = 1, open = false",
                "n = 9, open = false"
            ]
        );
    }

    #[test]
    fn what_is_set_stays() {
        let d = game("param n : 1..2 = 1  param open : bool = true");
        let fixed = Settings::from([("open".to_string(), "true".to_string())]);
        let found = faces(&d, &fixed);
        assert_eq!(found.len(), 1);
        assert_eq!(differences(&found[0], &fixed), "n = 2");
    }

    #[test]
    fn too_many_combinations_go_one_at_a_time() {
        let params: String = (0..10)
            .map(|i| format!("param p{i} : bool = true "))
            .collect();
        assert_eq!(faces(&game(&params), &Settings::new()).len(), 10);
    }
}
