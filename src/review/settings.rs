//! The other settings of the params under which a game should be checked and played, so that a leak behind
//! `bids == hidden` or a deck that is too small with `ranks == 2` does not wait for the first person who plays it so.

use super::Subject;
use super::random_games::{Limits, random_games};
use crate::check::Settings;
use crate::check::codes::{BAD_PARAM_VALUE, HELPS_NOBODY, NOT_MET};
use crate::check::tables::{addressed, within};
use crate::model::Description;
use crate::model::types::Type;
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::span::Span;
use indexmap::IndexMap;

/// At most this many settings are tried.
const MOST: usize = 100;
/// Integer params with more values are tried at their ends only.
const FEW: u64 = 4;
/// Of optionals and products with more values only the first and the last are tried.
const MANY: u64 = 16;
/// Of tables with more entries all are tried together, and none alone.
const MANY_ENTRIES: usize = 16;

/// How much may be checked under other settings altogether: some half a second of work. Five bytes of text are 1, and
/// so is what counts 1 in the size of a program.
const MOST_WORK: usize = 400_000;
/// What a setting with errors counts. Where there are many, the first ones say enough.
const WORK_WITH_ERRORS: usize = MOST_WORK / 10;

/// What checking a game under other settings showed.
#[derive(Debug)]
pub struct SettingsChecked {
    /// Errors and warnings that the game has not as it stands, each once; the message says with which settings.
    pub problems: Vec<Diagnostic>,
    /// How many settings were tried.
    pub tried: usize,
}

/// Checks a game under the other values of its params, those in `fixed` left as they are, as far as that is not too much
/// work.
pub fn check_other_settings(game: &Subject<'_>, fixed: &Settings) -> SettingsChecked {
    let mut known: Vec<(Code, Span)> = game.warnings.iter().map(|d| (d.code, d.span)).collect();
    let mut problems = Vec::new();
    let bytes: usize = game.sources.files.iter().map(|f| f.text.len()).sum();
    let (mut tried, mut work) = (0, 0);
    let now = game.machine.description();
    for settings in &other_settings(now, fixed) {
        if work > MOST_WORK {
            break;
        }
        work += bytes / 5;
        let found = match game.load(settings) {
            Ok((machine, warnings)) => {
                work += machine.program().size();
                // An entry of a table may have this value as it stands.
                if machine.description().params == now.params {
                    continue;
                }
                warnings
            }
            Err(problems) => problems,
        };
        if found.iter().any(no_setting) {
            continue;
        }
        if found.iter().any(Diagnostic::is_error) {
            work += WORK_WITH_ERRORS;
        }
        tried += 1;
        for mut d in found {
            // What helps nobody under these values may be for others.
            if known.contains(&(d.code, d.span)) || d.code == HELPS_NOBODY {
                continue;
            }
            known.push((d.code, d.span));
            d.message = format!("{} (with {})", d.message, differences(settings, fixed));
            problems.push(d);
        }
    }
    SettingsChecked { problems, tried }
}

/// Whether a problem says that these values are no setting: the range of one param may depend on another, and not all values
/// need fit together.
fn no_setting(problem: &Diagnostic) -> bool {
    [BAD_PARAM_VALUE, NOT_MET].contains(&problem.code)
}

/// How long the games under one other setting are.
const PLIES: u64 = 1_000;
const GAMES: u64 = 100;

/// Plays a game at random under other values of its params, those in `fixed` left as they are: one param at a time, at the
/// ends of its range and next to them, as far as that is not too much work. Returns the errors of play that are not
/// `known`, each once; the message says with which value. `stop` is asked before every ply.
pub fn play_other_settings(
    game: &Subject<'_>,
    fixed: &Settings,
    mut known: Vec<(Code, Span)>,
    stop: &mut dyn FnMut() -> bool,
) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let bytes: usize = game.sources.files.iter().map(|f| f.text.len()).sum();
    let mut work = 0;
    let now = game.machine.description();
    for settings in &single_changes(now, fixed) {
        if work > MOST_WORK || stop() {
            break;
        }
        work += bytes / 5;
        let Ok((machine, _)) = game.load(settings) else {
            continue;
        };
        work += machine.program().size();
        if machine.description().params == now.params {
            continue;
        }
        let limits = Limits {
            games: GAMES,
            plies: PLIES,
            seed: 1,
            texts: false,
        };
        let Some(error) = random_games(&machine, &limits, &mut |_| stop()).error else {
            continue;
        };
        if known.contains(&(error.code, error.span)) {
            continue;
        }
        known.push((error.code, error.span));
        let mut d = error.diagnostic();
        d.message = format!("{} (with {})", d.message, differences(settings, fixed));
        let other = "if it is not meant to be played so, `require` what is";
        d.hint = Some(match d.hint {
            Some(hint) => format!("{hint}; {other}"),
            None => other.to_string(),
        });
        problems.push(d);
    }
    problems
}

/// Settings that differ from those of `d` in one param.
fn single_changes(d: &Description, fixed: &Settings) -> Vec<Settings> {
    let changes = free(d, fixed).flat_map(|(name, ty)| {
        let mut near = values(ty);
        if let (Type::Int { lo, hi }, [_, _]) = (ty, near.as_slice())
            && hi - lo > 1
        {
            let [next, last] = [lo + 1, hi - 1].map(|v| v.to_string());
            near.splice(1..1, [next, last]);
        }
        near.retain(|v| d.params.get(name) != Some(v));
        near.into_iter().map(move |value| (name.clone(), value))
    });
    let changes = changes.chain(table_changes(d, fixed)).take(MOST);
    changes.map(|change| with(fixed, &[change])).collect()
}

/// The params that are not `fixed`, neither as a whole nor in part.
fn free<'d>(
    d: &'d Description,
    fixed: &'d Settings,
) -> impl Iterator<Item = (&'d String, &'d Type)> {
    d.param_types
        .iter()
        .filter(|(name, _)| fixed.keys().all(|key| addressed(key).0 != *name))
}

fn with(fixed: &Settings, changes: &[(String, String)]) -> Settings {
    let mut settings = fixed.clone();
    settings.extend(changes.iter().cloned());
    settings
}

/// Changes of one table: all its entries at either end of their range, then one of them.
fn table_changes(d: &Description, fixed: &Settings) -> Vec<(String, String)> {
    let mut changes = Vec::new();
    for (name, ty) in free(d, fixed) {
        let mut paths = vec![name.clone()];
        let mut element = ty;
        while let Type::Array {
            index,
            element: inner,
        } = element
        {
            let size = index.size().unwrap_or(0) as usize;
            paths = match paths.len().saturating_mul(size) <= MANY_ENTRIES {
                true => paths
                    .iter()
                    .flat_map(|path| (0..size).map(move |i| within(path, index, i)))
                    .collect(),
                false => Vec::new(),
            };
            element = inner;
        }
        let ends = match (ty, values(element).as_slice()) {
            (Type::Array { .. }, [first, .., last]) => [first.clone(), last.clone()],
            _ => continue,
        };
        paths.insert(0, name.clone());
        for path in paths {
            let of_path = ends.iter().map(|value| (path.clone(), value.clone()));
            changes.extend(of_path.filter(|(path, v)| d.params.get(path) != Some(v)));
        }
    }
    changes
}

/// Settings that differ from those of `d`, params in `fixed` left as they are: every combination of the values of enums,
/// truth values and small ranges with the ends of large ranges, or, where that is more than 100, one param at a time. Tables
/// are changed one at a time, after all others.
pub fn other_settings(d: &Description, fixed: &Settings) -> Vec<Settings> {
    let choices: Vec<(&str, Vec<String>)> = free(d, fixed)
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
    let mut found: Vec<Settings> = match all <= MOST {
        true => (1..all)
            .map(|mut n| {
                let mut changes = Vec::new();
                for (name, values) in &choices {
                    let i = n % values.len();
                    n /= values.len();
                    if i > 0 {
                        changes.push((name.to_string(), values[i].clone()));
                    }
                }
                with(fixed, &changes)
            })
            .collect(),
        false => choices
            .iter()
            .flat_map(|(name, values)| values[1..].iter().map(move |v| (name, v)))
            .map(|(name, value)| with(fixed, &[(name.to_string(), value.clone())]))
            .collect(),
    };
    let of_tables = table_changes(d, fixed).into_iter();
    found.extend(of_tables.map(|change| with(fixed, &[change])));
    found.truncate(MOST);
    found
}

/// What a setting changes, as one gives it: `--set bids=hidden --set cards=1`.
pub fn differences(settings: &Settings, fixed: &Settings) -> String {
    let parts: IndexMap<&String, &String> = settings
        .iter()
        .filter(|(name, _)| !fixed.contains_key(*name))
        .collect();
    let parts: Vec<String> = parts
        .iter()
        .map(
            |(k, v)| match [k, v].iter().all(|t| t.chars().all(is_plain)) {
                true => format!("--set {k}={v}"),
                false => format!("--set '{k}={v}'"),
            },
        )
        .collect();
    parts.join(" ")
}

/// Whether a shell takes a sign as it is.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "_-./".contains(c)
}

fn values(ty: &Type) -> Vec<String> {
    match (ty, ty.size()) {
        (Type::Int { lo, hi }, Some(n)) if n > FEW => vec![lo.to_string(), hi.to_string()],
        (Type::Number { .. }, _) => Vec::new(),
        (Type::Product(_) | Type::Optional(_), Some(n)) if n > MANY => {
            [0, n - 1].map(|i| ty.show_name(ty.value_at(i))).to_vec()
        }
        (Type::Set(_), _) => vec!["{}".to_string(), "all".to_string()],
        (_, Some(n)) => (0..n).map(|i| ty.show_name(ty.value_at(i))).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(params: &str, settings: &Settings) -> Option<Description> {
        let text = format!(
            "game T {{ {params} players {{ A, B }} play {{ A chooses x in {{ true, false }} }} payoff zero-sum: [p in Player] 0 }}"
        );
        let (file, problems) = crate::syntax::parse(&text);
        assert!(problems.is_empty(), "{problems:?}");
        let file = file.expect("a tree");
        crate::check::check(&file, settings).0
    }

    fn game(params: &str) -> Description {
        set(params, &Settings::new()).expect("a description")
    }

    #[test]
    fn every_combination_but_the_present_one() {
        let d = game("param n : 1..9 = 3  param open : bool = true");
        let found: Vec<String> = other_settings(&d, &Settings::new())
            .iter()
            .map(|s| differences(s, &Settings::new()))
            .collect();
        assert_eq!(
            found,
            [
                "--set n=1",
                "--set n=9",
                "--set open=false",
                "--set n=1 --set open=false",
                "--set n=9 --set open=false"
            ]
        );
    }

    #[test]
    fn what_is_set_stays() {
        let d = game("param n : 1..2 = 1  param open : bool = true");
        let fixed = Settings::from([("open".to_string(), "true".to_string())]);
        let found = other_settings(&d, &fixed);
        assert_eq!(found.len(), 1);
        assert_eq!(differences(&found[0], &fixed), "--set n=2");
    }

    #[test]
    fn values_next_to_the_ends_are_played() {
        let d = game("param n : 1..9 = 2  param few : 1..3 = 1  param open : bool = true");
        let found: Vec<String> = single_changes(&d, &Settings::new())
            .iter()
            .map(|s| differences(s, &Settings::new()))
            .collect();
        let expected = ["n=1", "n=8", "n=9", "few=2", "few=3", "open=false"];
        assert_eq!(found, expected.map(|e| format!("--set {e}")));
    }

    #[test]
    fn tables_are_changed_one_at_a_time() {
        let params =
            "param n : 1..2 = 1  param t : [Player][1..2] 0..9 = 3  param u : [1..17] bool = false
            param w : [1..3] number = 2  param s : [Player] set of 1..2 = all";
        let fixed = Settings::from([("s[A]".to_string(), "{}".to_string())]);
        let d = game(params);
        let found = other_settings(&d, &fixed);
        let found: Vec<String> = found.iter().map(|s| differences(s, &fixed)).collect();
        let expected = [
            "--set n=2",
            "--set t=0",
            "--set t=9",
            "--set 't[A, 1]=0'",
            "--set 't[A, 1]=9'",
            "--set 't[A, 2]=0'",
            "--set 't[A, 2]=9'",
            "--set 't[B, 1]=0'",
            "--set 't[B, 1]=9'",
            "--set 't[B, 2]=0'",
            "--set 't[B, 2]=9'",
            "--set u=true",
        ];
        assert_eq!(found, expected);
        let single = single_changes(&d, &fixed);
        let single: Vec<String> = single.iter().map(|s| differences(s, &fixed)).collect();
        assert_eq!(single, expected);
        for settings in other_settings(&d, &Settings::new()) {
            assert!(set(params, &settings).is_some(), "{settings:?}");
        }
    }

    #[test]
    fn too_many_combinations_go_one_at_a_time() {
        let params: String = (0..10)
            .map(|i| format!("param p{i} : bool = true "))
            .collect();
        assert_eq!(other_settings(&game(&params), &Settings::new()).len(), 10);
    }
}
