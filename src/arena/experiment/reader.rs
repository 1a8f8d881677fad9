//! What the files of all experiments have in common: their tables, games, variants and players, and how what is wrong is
//! told.

use super::codes;
use super::measure::Measure;
use crate::check::Settings;
use crate::players::catalogue::CATALOGUE;
use crate::players::spec::{Budget, span};
use crate::players::{PlayerSpec, yaml as spec_yaml};
use crate::search::parameters::Kind;
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::nearest::nearest;
use crate::text::span::Span;
use crate::text::yaml::{Scalar, Tree, locate};
use indexmap::IndexMap;
use std::ops::RangeInclusive;

/// How many numbers a list may have.
const LONGEST_LIST: usize = 1000;

/// The longest name of a player or a variant, in characters.
const LONGEST_NAME: usize = 40;

const VARIANT_KEYS: [&str; 4] = ["game", "set", "players", "budget"];

/// What the file of an experiment says. The games are not looked at.
pub struct Outline<M: Measure> {
    pub title: Option<String>,
    /// Pieces of work in each cell.
    pub each: u64,
    pub seed: u64,
    /// At least one; without a name where the file has no variants.
    pub variants: Vec<VariantOutline>,
    pub measure: M::Outline,
}

/// The settings of one table.
#[derive(Clone, Debug)]
pub struct VariantOutline {
    pub name: Option<String>,
    /// A file, or the name of a shipped game.
    pub game: String,
    /// Where the game stands.
    pub place: Location,
    pub set: Settings,
    /// Where each param of `set` and its value stand.
    pub set_places: SetPlaces,
    pub players: Vec<(String, PlayerSpec)>,
    pub family: Family,
}

/// Where params and their values stand, by param.
pub type SetPlaces = IndexMap<String, (Location, Location)>;

/// Where a variant comes from: a game with `*` stands for all files that fit it, each a variant of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Family {
    /// The place of the variant in the file, and its name there.
    pub number: usize,
    pub name: Option<String>,
    /// The file, without its folder and its ending, where there may be several.
    pub member: Option<String>,
}

/// A value of the file, by its number.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Location(pub(in crate::arena::experiment) usize);

impl Location {
    /// The word that stands there.
    pub fn span(self, text: &str) -> Span {
        span(locate(text, self.0))
    }

    /// A report about it.
    pub fn report(self, text: &str, code: Code, message: String, hint: &str) -> Box<Diagnostic> {
        let span = span(locate(text, self.0));
        Box::new(Diagnostic::error(code, span, message).hint(hint))
    }
}

pub type Row = (Scalar, Tree);

/// What a table may set for all variants, or for one.
#[derive(Default)]
pub struct Common<'t> {
    pub game: Option<&'t Scalar>,
    pub set: Settings,
    pub set_places: SetPlaces,
    pub players: Option<&'t Tree>,
    pub budget: Budget,
}

pub struct Reader<'y> {
    pub text: &'y str,
}

/// What stands at the head of every experiment.
pub struct Beginning<'t> {
    /// All rows of the file.
    pub rows: &'t [Row],
    pub title: Option<String>,
    pub seed: u64,
    /// The names of the players.
    pub names: Vec<String>,
    /// Where the players stand.
    pub players: &'t Tree,
    /// At least one; without a name where the file has no variants.
    pub variants: Vec<VariantOutline>,
}

impl Reader<'_> {
    /// Reads what every experiment has. `keys` are all that may stand there. Players that state no budget get `budget`,
    /// unless the experiment has one.
    pub(super) fn beginning<'t>(
        &self,
        tree: &'t Tree,
        keys: &[&str],
        budget: Budget,
    ) -> Result<Beginning<'t>, Box<Diagnostic>> {
        let rows = self.table(tree, "an experiment", keys)?;
        let mut common = self.common(rows)?;
        if common.budget == Budget::default() {
            common.budget = budget;
        }
        self.need(tree, rows, "game", "goals.game")?;
        let players = self.need(tree, rows, "players", "{ A: random, B: uct }")?;
        let seed = match find(rows, "seed") {
            Some(seed) => self.whole(seed, "seed", 0..=u64::MAX)?,
            None => 1,
        };
        let title = match find(rows, "title") {
            Some(title) => Some(self.line(title, "title", 200)?.to_string()),
            None => None,
        };
        let named = self.players(players, common.budget)?;
        if named.is_empty() {
            let hint = "such as `players: { A: random, B: uct }`";
            let message = "there are no players here".to_string();
            return Err(self.at(players.number(), codes::BAD_VALUE, message, hint));
        }
        let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
        let variants = match find(rows, "variants") {
            Some(variants) => self.variants(variants, &common, &names)?,
            None => vec![self.variant(None, &common, &Common::default(), &names)?],
        };
        Ok(Beginning {
            rows,
            title,
            seed,
            names: named.iter().map(|(name, _)| name.clone()).collect(),
            players,
            variants,
        })
    }

    /// The value of a key that must be there.
    pub(super) fn need<'t>(
        &self,
        tree: &Tree,
        rows: &'t [Row],
        name: &str,
        example: &str,
    ) -> Result<&'t Tree, Box<Diagnostic>> {
        find(rows, name).ok_or_else(|| {
            let message = format!("an experiment needs `{name}`");
            let hint = format!("such as `{name}: {example}`");
            self.at(tree.number(), codes::MISSING_KEY, message, &hint)
        })
    }

    /// The rows of a table in which only these keys may stand, each once.
    pub(super) fn table<'t>(
        &self,
        tree: &'t Tree,
        what: &str,
        keys: &[&str],
    ) -> Result<&'t [Row], Box<Diagnostic>> {
        let rows = self.rows(tree, what, &format!("keys: {}", keys.join(", ")))?;
        for (key, _) in rows {
            if !keys.contains(&key.text.as_str()) {
                let list = format!("keys: {}", keys.join(", "));
                let hint = match nearest(&key.text, keys.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`? {list}"),
                    None => list,
                };
                let message = format!("{what} has no key `{}`", key.text);
                return Err(self.at(key.number, codes::UNKNOWN_KEY, message, &hint));
            }
        }
        Ok(rows)
    }

    /// The rows of a table, each name once.
    pub(super) fn rows<'t>(
        &self,
        tree: &'t Tree,
        what: &str,
        hint: &str,
    ) -> Result<&'t [Row], Box<Diagnostic>> {
        let Tree::Table(rows, _) = tree else {
            let message = format!("{what} is a table of `name: value`");
            return Err(self.at(tree.number(), codes::UNREADABLE, message, hint));
        };
        for (i, (key, _)) in rows.iter().enumerate() {
            if rows[..i].iter().any(|(other, _)| other.text == key.text) {
                let message = format!("`{}` stands here twice", key.text);
                let hint = "leave one of them out";
                return Err(self.at(key.number, codes::UNKNOWN_KEY, message, hint));
            }
        }
        Ok(rows)
    }

    pub(super) fn common<'t>(&self, rows: &'t [Row]) -> Result<Common<'t>, Box<Diagnostic>> {
        let mut common = Common::default();
        if let Some(game) = find(rows, "game") {
            let hint = "`ruse games` lists the shipped games; a file is named with its ending";
            common.game = Some(self.word(game, "game", hint)?);
        }
        if let Some(set) = find(rows, "set") {
            for (param, value) in self.rows(set, "`set`", "such as `set: { cards: 5 }`")? {
                let value = self.word(value, &param.text, "a param has one value")?;
                common.set.insert(param.text.clone(), value.text.clone());
                let place = (Location(param.number), Location(value.number));
                common.set_places.insert(param.text.clone(), place);
            }
        }
        if let Some(budget) = find(rows, "budget") {
            common.budget = self.budget(budget)?;
        }
        common.players = find(rows, "players");
        Ok(common)
    }

    pub(super) fn variants(
        &self,
        tree: &Tree,
        common: &Common<'_>,
        names: &[&str],
    ) -> Result<Vec<VariantOutline>, Box<Diagnostic>> {
        let hint = "such as `variants: { small: { set: { cards: 5 } }, large: {} }`";
        let rows = self.rows(tree, "`variants`", hint)?;
        if rows.is_empty() {
            let message = "there are no variants here".to_string();
            return Err(self.at(tree.number(), codes::BAD_VALUE, message, hint));
        }
        let variants = rows.iter().enumerate().map(|(number, (name, tree))| {
            self.name(name)?;
            let own = match tree {
                Tree::Scalar(nothing) if nothing.text.is_empty() => Common::default(),
                _ => self.common(self.table(tree, "a variant", &VARIANT_KEYS)?)?,
            };
            let mut variant = self.variant(Some(name.text.clone()), common, &own, names)?;
            variant.family.number = number;
            Ok(variant)
        });
        variants.collect()
    }

    /// One variant: what is said of it, on top of what is said of all.
    pub(super) fn variant(
        &self,
        name: Option<String>,
        common: &Common<'_>,
        own: &Common<'_>,
        names: &[&str],
    ) -> Result<VariantOutline, Box<Diagnostic>> {
        let mut set = common.set.clone();
        set.extend(own.set.clone());
        let mut set_places = common.set_places.clone();
        set_places.extend(own.set_places.clone());
        let budget = if own.budget == Budget::default() {
            common.budget
        } else {
            own.budget
        };
        let mut players = match common.players {
            Some(tree) => self.players(tree, budget)?,
            None => Vec::new(),
        };
        if let Some(tree) = own.players {
            let hint = format!("players: {}", names.join(", "));
            for (row, (player, spec)) in std::iter::zip(
                self.rows(tree, "`players`", &hint)?,
                self.players(tree, budget)?,
            ) {
                let Some(place) = names.iter().position(|n| **n == player) else {
                    let message = format!("the experiment has no player `{player}`");
                    let hint = suggestion(&player, names);
                    return Err(self.at(row.0.number, codes::BAD_VALUE, message, &hint));
                };
                players[place].1 = spec;
            }
        }
        let game = own.game.or(common.game);
        Ok(VariantOutline {
            family: Family {
                name: name.clone(),
                ..Family::default()
            },
            name,
            game: game.map_or_else(String::new, |g| g.text.clone()),
            place: Location(game.map_or(0, |g| g.number)),
            set,
            set_places,
            players,
        })
    }

    pub(super) fn players(
        &self,
        tree: &Tree,
        budget: Budget,
    ) -> Result<Vec<(String, PlayerSpec)>, Box<Diagnostic>> {
        let hint = "such as `players: { A: random, B: { uct: { playouts: 100 } } }`";
        let rows = self.rows(tree, "`players`", hint)?;
        let players = rows.iter().map(|(name, tree)| {
            self.name(name)?;
            let converted = spec_yaml::player_of(self.text, tree)?;
            let text = &converted.text;
            let spec = PlayerSpec::parse_with(text, 0..text.len(), budget).map_err(|mut d| {
                d.span = span(converted.place(self.text, d.span.start as usize));
                d
            })?;
            Ok((name.text.clone(), spec))
        });
        players.collect()
    }

    pub(super) fn budget(&self, tree: &Tree) -> Result<Budget, Box<Diagnostic>> {
        let rows = self.table(tree, "`budget`", &["playouts", "ms"])?;
        let count = |name: &str| match find(rows, name) {
            Some(tree) => self.whole(tree, name, range_of(name)).map(Some),
            None => Ok(None),
        };
        Ok(Budget {
            playouts: count("playouts")?,
            ms: count("ms")?,
        })
    }

    /// A name that stands in tables and pairings.
    pub(super) fn name(&self, scalar: &Scalar) -> Result<(), Box<Diagnostic>> {
        let name = &scalar.text;
        let length = name.chars().count();
        let sound = (1..=LONGEST_NAME).contains(&length)
            && name.trim() == name
            && !name.contains(|c: char| c.is_control());
        if sound {
            return Ok(());
        }
        let message = format!("`{name}` is no name");
        let hint = format!("a name has 1 to {LONGEST_NAME} characters and stands on one line");
        Err(self.at(scalar.number, codes::BAD_VALUE, message, &hint))
    }

    pub(super) fn word<'t>(
        &self,
        tree: &'t Tree,
        name: &str,
        hint: &str,
    ) -> Result<&'t Scalar, Box<Diagnostic>> {
        match tree {
            Tree::Scalar(word) if !word.text.is_empty() => Ok(word),
            _ => {
                let message = format!("`{name}` is no word here");
                Err(self.at(tree.number(), codes::UNREADABLE, message, hint))
            }
        }
    }

    pub(super) fn line<'t>(
        &self,
        tree: &'t Tree,
        name: &str,
        most: usize,
    ) -> Result<&'t str, Box<Diagnostic>> {
        let hint = format!("a text on one line, of at most {most} characters");
        let word = self.word(tree, name, &hint)?;
        let text = word.text.trim();
        if text.contains(|c: char| c.is_control()) || text.chars().count() > most {
            let message = format!("this is no `{name}`");
            return Err(self.at(word.number, codes::BAD_VALUE, message, &hint));
        }
        Ok(text)
    }

    pub(super) fn whole(
        &self,
        tree: &Tree,
        name: &str,
        range: RangeInclusive<u64>,
    ) -> Result<u64, Box<Diagnostic>> {
        let hint = format!(
            "`{name}` is a whole number from {} to {}",
            range.start(),
            range.end()
        );
        let word = self.word(tree, name, &hint)?;
        let value = word.text.replace('_', "").parse().ok();
        value.filter(|n| range.contains(n)).ok_or_else(|| {
            let message = format!("`{name}` cannot be `{}`", word.text);
            self.at(word.number, codes::BAD_VALUE, message, &hint)
        })
    }

    pub(super) fn yes_or_no(&self, tree: &Tree, name: &str) -> Result<bool, Box<Diagnostic>> {
        let hint = format!("`{name}` is `true` or `false`");
        let word = self.word(tree, name, &hint)?;
        word.text.parse().map_err(|_| {
            let message = format!("`{name}` cannot be `{}`", word.text);
            self.at(word.number, codes::BAD_VALUE, message, &hint)
        })
    }

    /// A list of whole numbers, each greater than the one before; or one of them.
    pub(super) fn ascending(
        &self,
        tree: &Tree,
        name: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Vec<u64>, Box<Diagnostic>> {
        let Tree::List(list, number) = tree else {
            return Ok(vec![self.whole(tree, name, range)?]);
        };
        if list.is_empty() || list.len() > LONGEST_LIST {
            let message = format!("`{name}` has 1 to {LONGEST_LIST} numbers");
            let hint = format!("such as `{name}: [2, 4]`");
            return Err(self.at(*number, codes::BAD_VALUE, message, &hint));
        }
        let mut numbers: Vec<u64> = Vec::new();
        for tree in list {
            let n = self.whole(tree, name, range.clone())?;
            if numbers.last().is_some_and(|last| *last >= n) {
                let message = format!("`{name}` do not ascend here");
                let hint = "write each number once, the smallest first";
                return Err(self.at(tree.number(), codes::BAD_VALUE, message, hint));
            }
            numbers.push(n);
        }
        Ok(numbers)
    }

    pub(super) fn at(
        &self,
        number: usize,
        code: Code,
        message: String,
        hint: &str,
    ) -> Box<Diagnostic> {
        Location(number).report(self.text, code, message, hint)
    }
}

/// Whether a table has a key.
pub(super) fn has(tree: &Tree, name: &str) -> bool {
    matches!(tree, Tree::Table(rows, _) if find(rows, name).is_some())
}

pub(super) fn find<'t>(rows: &'t [Row], name: &str) -> Option<&'t Tree> {
    let row = rows.iter().find(|(key, _)| key.text == name);
    row.map(|(_, value)| value)
}

pub(super) fn suggestion(name: &str, names: &[&str]) -> String {
    let list = format!("players: {}", names.join(", "));
    match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? {list}"),
        None => list,
    }
}

/// What a budget of this name may be for all players that have one.
fn range_of(name: &str) -> RangeInclusive<u64> {
    let kinds = CATALOGUE.iter().filter_map(|e| e.parameter(name));
    let ranges = kinds.filter_map(|p| match p.kind {
        Kind::Count { least, greatest } => Some((least, greatest)),
        _ => None,
    });
    let (least, greatest) = ranges.fold((1, u64::MAX), |(a, b), (least, greatest)| {
        (a.max(least), b.min(greatest))
    });
    least..=greatest
}
