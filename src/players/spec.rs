//! Player specs: `random`, `uct(playouts=1000)`, `uct(ms=50, c=0.7)`. Text to spec and back; what the parameters mean is in
//! `catalogue`, what is done with them in each player.

use super::catalogue::{CATALOGUE, DEFAULT_PLAYOUTS, Entry, Way, find};
use super::codes;
use super::meaning;
use super::player::PlayerError;
use super::strategy::declarations::{FILE, TO};
use super::strategy::{Strategy, StrategyPlayer};
use crate::belief::Policy;
use crate::machine::Machine;
use crate::search::belief_parameters::{MODEL, has_model};
use crate::search::each::Each;
use crate::search::parameters::{Kind, Parameter, Value, Values};
use crate::search::{BeliefSearcher, HistorySearcher, Make, Searcher};
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;
use serde::{Serialize, Serializer};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A player and its settings, in a normal form: two specs that mean the same are equal and print the same.
#[derive(Clone, Debug)]
pub struct PlayerSpec {
    entry: &'static Entry,
    /// One for each parameter of the entry; `None`: the default.
    values: Vec<Option<Value>>,
    /// What it plays, once it is prepared for a game.
    strategy: Option<Arc<Strategy>>,
}

/// What a search may spend on a move where its spec says nothing of that.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub playouts: Option<u64>,
    pub ms: Option<u64>,
}

impl PlayerSpec {
    /// Reads a spec such as `random`, `uct(playouts=1000)` or `smmcts(select=rm, ms=50)`; `ruse players` lists what there is.
    ///
    /// # Errors
    /// One of the codes of players, with a span in `text`.
    pub fn parse(text: &str) -> Result<PlayerSpec, Box<Diagnostic>> {
        PlayerSpec::parse_at(text, 0..text.len())
    }

    /// Reads a spec that is a part of `text`; spans of errors are in the whole of it.
    #[doc(hidden)]
    pub fn parse_at(text: &str, range: Range<usize>) -> Result<PlayerSpec, Box<Diagnostic>> {
        PlayerSpec::parse_with(text, range, Budget::default())
    }

    /// As [`PlayerSpec::parse_at`]; a player that has a budget and states none gets this one.
    #[doc(hidden)]
    pub fn parse_with(
        text: &str,
        range: Range<usize>,
        budget: Budget,
    ) -> Result<PlayerSpec, Box<Diagnostic>> {
        let range = trim(text, range);
        let open = text[range.clone()].find('(').map(|i| range.start + i);
        let name_range = trim(text, range.start..open.unwrap_or(range.end));
        let name = &text[name_range.clone()];
        let Some(entry) = find(name) else {
            return Err(unknown_player(name, name_range));
        };
        let mut spec = PlayerSpec {
            entry,
            values: vec![None; entry.parameters.len()],
            strategy: None,
        };
        let mut read: Vec<(usize, Range<usize>)> = Vec::new();
        if let Some(open) = open {
            if range.end - open < 2 || !text[range.clone()].ends_with(')') {
                return Err(unreadable(
                    open..range.end,
                    format!("the `(` after `{name}` is not closed at the end"),
                    format!("write `{name}(parameter=value, …)`"),
                ));
            }
            let inner = open + 1..range.end - 1;
            if !text[inner.clone()].trim().is_empty() {
                for part in split(text, inner, ',') {
                    read.push(spec.read_setting(text, part)?);
                }
            }
        }
        for (parameter, place) in read {
            let parameter = &entry.parameters[parameter];
            if let Some((message, hint)) = meaning::missing(entry, parameter, &spec.settings()) {
                let d = Diagnostic::error(codes::UNKNOWN_PARAMETER, span(place), message);
                return Err(Box::new(d.hint(hint)));
            }
        }
        spec.normalise(budget);
        if let Some(file) = spec.missing_file() {
            let message = format!("`{name}` names no file");
            let d = Diagnostic::error(codes::BAD_VALUE, span(name_range), message);
            return Err(Box::new(d.hint(format!("write `{file}=…`"))));
        }
        Ok(spec)
    }

    /// A spec as a text in which the files that it names are those in a folder.
    #[doc(hidden)]
    pub fn beside(text: &str, folder: &str) -> String {
        let whole = text.to_string();
        let Some((name, inner)) = text.split_once('(') else {
            return whole;
        };
        let (Some(entry), Some(inner)) = (find(name.trim()), inner.trim_end().strip_suffix(')'))
        else {
            return whole;
        };
        let parts = split(inner, 0..inner.len(), ',').into_iter().map(|range| {
            let part = &inner[range];
            let Some((parameter, value)) = part.split_once('=') else {
                return part.to_string();
            };
            match entry.parameter(parameter.trim()).map(|p| p.kind) {
                Some(Kind::Path) => {
                    let blank = &value[..value.len() - value.trim_start().len()];
                    format!("{parameter}={blank}{}", beside(folder, value.trim()))
                }
                _ => part.to_string(),
            }
        });
        format!("{name}({})", parts.collect::<Vec<_>>().join(","))
    }

    /// All settings in order: the name, the value as text or what is taken by default, and whether it was set.
    #[doc(hidden)]
    pub fn all_settings(&self) -> impl Iterator<Item = (&'static str, String, bool)> {
        let parameters = self.entry.parameters.iter();
        std::iter::zip(parameters, &self.values).map(|(p, value)| match value {
            Some(value) => (p.name, value.to_string(), true),
            None => (p.name, p.default.to_string(), false),
        })
    }

    /// The kind of player.
    #[doc(hidden)]
    pub fn entry(&self) -> &'static Entry {
        self.entry
    }

    /// The value of a `Count` parameter, if it is set.
    #[doc(hidden)]
    pub fn count(&self, name: &str) -> Option<u64> {
        self.settings().count(name)
    }

    /// The same player with so many playouts a decision; `None` for one that counts none.
    #[doc(hidden)]
    pub fn with_playouts(&self, playouts: u64) -> Option<PlayerSpec> {
        let parameters = &mut self.entry.parameters.iter();
        let at = parameters.position(|p| p.name == "playouts")?;
        let mut spec = self.clone();
        spec.values[at] = Some(Value::Count(playouts));
        Some(spec)
    }

    /// The settings that are not the default.
    pub(super) fn settings(&self) -> Values {
        let set = std::iter::zip(&self.entry.parameters, &self.values);
        set.filter_map(|(p, value)| value.clone().map(|v| (p.name, v)))
            .collect()
    }

    /// The same player with what it plays.
    pub(super) fn with_strategy(self, strategy: Strategy) -> PlayerSpec {
        PlayerSpec {
            strategy: Some(Arc::new(strategy)),
            ..self
        }
    }

    /// What it plays, of a player that knows that beforehand.
    pub(super) fn strategy(
        &self,
        machine: &Arc<Machine>,
    ) -> Result<Option<&Arc<Strategy>>, PlayerError> {
        match (self.entry.way, &self.strategy) {
            (Way::Random | Way::Search(_), _) => Ok(None),
            (_, Some(strategy)) if strategy.is_for(machine) => Ok(Some(strategy)),
            _ => Err(PlayerError::Unprepared(self.to_string())),
        }
    }

    /// The player of a strategy, to be asked how likely its moves are; `None` for any other.
    ///
    /// # Errors
    /// [`PlayerError::Unprepared`]
    #[doc(hidden)]
    pub fn strategy_player(
        &self,
        machine: &Arc<Machine>,
    ) -> Result<Option<StrategyPlayer>, PlayerError> {
        Ok(self.strategy(machine)?.map(StrategyPlayer::new))
    }

    /// Whether it must be prepared for a game before it can play.
    #[doc(hidden)]
    pub fn needs_preparation(&self) -> bool {
        self.knows_beforehand() || self.has_model()
    }

    /// Whether it chooses uniformly among its legal actions.
    #[doc(hidden)]
    pub fn is_random(&self) -> bool {
        matches!(self.entry.way, Way::Random)
    }

    /// Whether it knows beforehand what it does, and searches nothing.
    #[doc(hidden)]
    pub fn knows_beforehand(&self) -> bool {
        matches!(
            self.entry.way,
            Way::Saved | Way::Answering | Way::Committed(_) | Way::Solved
        )
    }

    /// Whether it searches, and takes the others to play a strategy.
    pub(super) fn has_model(&self) -> bool {
        has_model(&self.settings())
    }

    /// The parameter for a file that it cannot do without and that is not set.
    fn missing_file(&self) -> Option<&'static str> {
        let file = match self.entry.way {
            Way::Saved => FILE,
            Way::Answering => TO,
            _ if self.has_model() => MODEL.name,
            _ => return None,
        };
        self.settings().path(file).is_none().then_some(file)
    }

    /// The strategy that it takes the others to play, where it takes them to play one.
    ///
    /// # Errors
    /// [`PlayerError::Unprepared`]
    #[doc(hidden)]
    pub fn model(&self, machine: &Arc<Machine>) -> Result<Option<Arc<dyn Policy>>, PlayerError> {
        match &self.strategy {
            _ if !self.has_model() => Ok(None),
            Some(strategy) if strategy.is_for(machine) => {
                let strategy: Arc<Strategy> = Arc::clone(strategy);
                Ok(Some(strategy))
            }
            _ => Err(PlayerError::Unprepared(self.to_string())),
        }
    }

    /// The search from a world state that it stands for, without its budget; `None` for a player that does not search so.
    #[doc(hidden)]
    pub fn searcher(&self) -> Option<Box<dyn Searcher>> {
        match self.entry.search()? {
            Make::State(make) => Some(make(&self.settings())),
            Make::Belief(_) | Make::History(_) => None,
        }
    }

    /// The search from a belief that it stands for, without its budget; `None` for a player that does not search so.
    #[doc(hidden)]
    pub fn belief_searcher(&self) -> Option<Box<dyn BeliefSearcher>> {
        match self.entry.search()? {
            Make::State(_) | Make::History(_) => None,
            Make::Belief(make) => Some(make(&self.settings())),
        }
    }

    /// The search by what the player saw that it stands for, without its budget; `None` for a player that does not search so.
    #[doc(hidden)]
    pub fn history_searcher(&self) -> Option<Box<dyn HistorySearcher>> {
        match self.entry.search()? {
            Make::State(_) | Make::Belief(_) => None,
            Make::History(make) => Some(make(&self.settings())),
        }
    }

    /// Whether the player's moves depend on how fast the machine is.
    pub fn depends_on_time(&self) -> bool {
        self.count("ms").is_some()
    }

    /// Reads one setting: the number of its parameter, and where its name stands.
    fn read_setting(
        &mut self,
        text: &str,
        part: Range<usize>,
    ) -> Result<(usize, Range<usize>), Box<Diagnostic>> {
        let part = trim(text, part);
        let player = self.entry.name;
        let Some(equals) = text[part.clone()].find('=') else {
            let shape = "a parameter is written `name=value`";
            let hint = self.parameter_list();
            return Err(if part.is_empty() {
                unreadable(
                    part,
                    format!("a parameter of `{player}` is missing between commas"),
                    hint,
                )
            } else {
                let found = &text[part.clone()];
                unreadable(part, format!("`{found}` has no value: {shape}"), hint)
            });
        };
        let name_range = trim(text, part.start..part.start + equals);
        let value_range = trim(text, part.start + equals + 1..part.end);
        let name = &text[name_range.clone()];
        let Some(i) = self.entry.parameters.iter().position(|p| p.name == name) else {
            return Err(self.unknown_parameter(name, name_range));
        };
        if self.values[i].is_some() {
            let message = format!("`{name}` is set twice");
            let d = Diagnostic::error(codes::UNKNOWN_PARAMETER, span(name_range), message);
            return Err(Box::new(d.hint("leave one of them out")));
        }
        let parameter = &self.entry.parameters[i];
        let value = &text[value_range.clone()];
        match read_value(parameter, value) {
            Some(read) => self.values[i] = Some(read),
            None => {
                let message = if value.is_empty() {
                    format!("`{name}` has no value")
                } else {
                    format!("`{value}` is no value for `{name}`")
                };
                let d = Diagnostic::error(codes::BAD_VALUE, span(value_range), message)
                    .hint(format!("`{name}` is {}", parameter.kind));
                return Err(Box::new(d));
            }
        }
        Ok((i, name_range))
    }

    /// Leaves out what is the default anyway, and writes out the budget that a search has without being told.
    fn normalise(&mut self, budget: Budget) {
        for (value, parameter) in std::iter::zip(&mut self.values, &self.entry.parameters) {
            if value
                .as_ref()
                .is_some_and(|v| v.to_string() == parameter.default)
            {
                *value = None;
            }
        }
        let place = |name| self.entry.parameters.iter().position(|p| p.name == name);
        if let (Some(playouts), Some(ms)) = (place("playouts"), place("ms"))
            && self.values[ms].is_none()
            && self.values[playouts].is_none()
        {
            let nothing_said = budget == Budget::default();
            self.values[ms] = budget.ms.map(Value::Count);
            self.values[playouts] = budget
                .playouts
                .or(nothing_said.then_some(DEFAULT_PLAYOUTS))
                .map(Value::Count);
        }
    }

    fn parameter_list(&self) -> String {
        let names: Vec<&str> = self.entry.parameters.iter().map(|p| p.name).collect();
        if names.is_empty() {
            format!("`{}` has no parameters", self.entry.name)
        } else {
            format!("parameters of `{}`: {}", self.entry.name, names.join(", "))
        }
    }

    fn unknown_parameter(&self, name: &str, range: Range<usize>) -> Box<Diagnostic> {
        let names = self.entry.parameters.iter().map(|p| p.name);
        let hint = match nearest(name, names) {
            Some(near) => format!("did you mean `{near}`? {}", self.parameter_list()),
            None => self.parameter_list(),
        };
        let message = format!("`{}` has no parameter `{name}`", self.entry.name);
        Box::new(Diagnostic::error(codes::UNKNOWN_PARAMETER, span(range), message).hint(hint))
    }
}

fn unknown_player(name: &str, range: Range<usize>) -> Box<Diagnostic> {
    let names = || CATALOGUE.iter().map(|e| e.name);
    let list = format!("players: {}", names().collect::<Vec<_>>().join(", "));
    let (message, hint) = if name.is_empty() {
        ("a player is missing here".to_string(), list)
    } else {
        let hint = match (nearest(name, names()), settings_after(name)) {
            (_, Some(spec)) => format!("settings stand in brackets: write `{spec}`"),
            (Some(near), _) => format!("did you mean `{near}`? {list}"),
            (None, None) => list,
        };
        (format!("there is no player `{name}`"), hint)
    };
    Box::new(Diagnostic::error(codes::UNKNOWN_PLAYER, span(range), message).hint(hint))
}

/// `uct playouts=10` as a player is written.
pub(crate) fn settings_after(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let name = words.next()?;
    let settings: Vec<&str> = words.map(|word| word.trim_end_matches(',')).collect();
    let known = CATALOGUE.iter().any(|e| e.name == name);
    (known && !settings.is_empty()).then(|| format!("{name}({})", settings.join(", ")))
}

fn unreadable(range: Range<usize>, message: String, hint: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(codes::UNREADABLE, span(range), message).hint(hint))
}

fn read_value(parameter: &Parameter, text: &str) -> Option<Value> {
    match parameter.kind {
        Kind::Count { least, greatest } => {
            let digits = text.replace('_', "");
            let n: u64 = digits.parse().ok()?;
            (!digits.starts_with('+') && (least..=greatest).contains(&n)).then_some(Value::Count(n))
        }
        Kind::Amount { least, greatest } => {
            let x: f64 = text.parse().ok()?;
            (least..=greatest)
                .contains(&x)
                .then_some(Value::Number(x + 0.0))
        }
        Kind::Path => (!text.is_empty()).then(|| Value::Path(text.into())),
        Kind::NumberOr(word) if text == word => Some(Value::Word(word)),
        Kind::Number | Kind::NumberOr(_) => {
            let x: f64 = text.parse().ok()?;
            (x.is_finite() && x >= 0.0).then_some(Value::Number(x + 0.0))
        }
        Kind::Positive => {
            let x: f64 = text.parse().ok()?;
            (x.is_finite() && x >= 1e-6).then_some(Value::Number(x))
        }
        Kind::Share => share(text).map(Value::Number),
        Kind::Name => (!text.is_empty() && !text.contains(['(', ')', '=', ':', ' ']))
            .then(|| Value::Name(text.to_string())),
        Kind::Weights => Each::read(text, |x| {
            x.parse().ok().filter(|x: &f64| x.is_finite() && *x >= 0.0)
        })
        .map(Value::Numbers),
        Kind::ShareEach => Each::read(text, share).map(Value::Numbers),
        Kind::NameEach => Each::read(text, |name| Some(name.to_string()))
            .filter(|_| !text.contains(['(', ')', '=']))
            .map(Value::Names),
        Kind::Word(words) => words.iter().find(|w| **w == text).map(|w| Value::Word(w)),
    }
}

fn share(text: &str) -> Option<f64> {
    let x: f64 = text.parse().ok()?;
    (0.0..=1.0).contains(&x).then_some(x + 0.0)
}

/// A path from a folder, unless it begins at the root.
pub(super) fn beside(folder: &str, path: &str) -> String {
    match Path::new(path).is_absolute() || path.is_empty() {
        true => path.to_string(),
        false => Path::new(folder).join(path).display().to_string(),
    }
}

/// The parts of a stretch of text between separators that are not inside parentheses.
pub(crate) fn split(text: &str, range: Range<usize>, separator: char) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = range.start;
    let mut depth = 0usize;
    for (i, c) in text[range.clone()].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if c == separator && depth == 0 => {
                parts.push(start..range.start + i);
                start = range.start + i + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(start..range.end);
    parts
}

/// The stretch without the blanks at its ends.
pub(crate) fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

pub(crate) fn span(range: Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

impl PartialEq for PlayerSpec {
    fn eq(&self, other: &PlayerSpec) -> bool {
        self.entry.name == other.entry.name && self.values == other.values
    }
}

/// The canonical text, which reads back as the same spec.
impl std::fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let set: Vec<String> = std::iter::zip(&self.entry.parameters, &self.values)
            .filter_map(|(p, value)| value.as_ref().map(|v| format!("{}={v}", p.name)))
            .collect();
        if set.is_empty() {
            write!(f, "{}", self.entry.name)
        } else {
            write!(f, "{}({})", self.entry.name, set.join(", "))
        }
    }
}

impl Serialize for PlayerSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        let spec = PlayerSpec::parse(text).unwrap();
        let printed = spec.to_string();
        assert_eq!(PlayerSpec::parse(&printed).unwrap(), spec);
        printed
    }

    fn problem(text: &str) -> (String, String, String) {
        let d = PlayerSpec::parse(text).unwrap_err();
        let place = text[d.span.range()].to_string();
        (
            d.code.0.to_string(),
            place,
            format!("{}\n{}", d.message, d.hint.unwrap_or_default()),
        )
    }

    #[test]
    fn specs_have_one_canonical_text() {
        assert_eq!(canonical("random"), "random");
        assert_eq!(canonical(" random ( ) "), "random");
        assert_eq!(canonical("uct"), "uct(playouts=1000)");
        assert_eq!(canonical("uct(final=visits)"), "uct(playouts=1000)");
        assert_eq!(
            canonical("uct(c=0.70, playouts=1_000)"),
            "uct(playouts=1000, c=0.7)"
        );
        assert_eq!(canonical("uct(ms=50,final=mean)"), "uct(ms=50, final=mean)");
        assert_eq!(
            canonical("uct(ms=50,playouts=10)"),
            "uct(playouts=10, ms=50)"
        );
        assert_eq!(canonical("uct(c=-0)"), "uct(playouts=1000, c=0)");
    }

    #[test]
    fn a_budget_is_for_those_that_state_none() {
        let with = |text: &str, playouts, ms| {
            let spec = PlayerSpec::parse_with(text, 0..text.len(), Budget { playouts, ms });
            spec.unwrap().to_string()
        };
        assert_eq!(with("uct(c=1)", Some(5), None), "uct(playouts=5, c=1)");
        assert_eq!(with("uct", None, Some(5)), "uct(ms=5)");
        assert_eq!(with("uct", None, None), "uct(playouts=1000)");
        assert_eq!(with("uct(ms=7)", Some(5), None), "uct(ms=7)");
        assert_eq!(with("uct(playouts=7)", None, Some(5)), "uct(playouts=7)");
        assert_eq!(with("random", Some(5), Some(5)), "random");
    }

    #[test]
    fn unknown_players_are_listed() {
        let (code, place, text) = problem("utc(playouts=10)");
        assert_eq!((code.as_str(), place.as_str()), ("E0751", "utc"));
        assert_eq!(
            text,
            "there is no player `utc`\ndid you mean `uct`? players: random, uct, smmcts, ismcts, determinized, smooth_uct, oos, i2_uct, strategy, quantal, solve, mixed_uct, double_oracle"
        );
        assert_eq!(
            problem("somebody").2,
            "there is no player `somebody`\nplayers: random, uct, smmcts, ismcts, determinized, smooth_uct, oos, i2_uct, strategy, quantal, solve, mixed_uct, double_oracle"
        );
        assert_eq!(problem("").0, "E0751");
    }

    #[test]
    fn unknown_parameters_are_named() {
        let (code, place, text) = problem("uct(playout=10)");
        assert_eq!((code.as_str(), place.as_str()), ("E0752", "playout"));
        assert!(text.contains("did you mean `playouts`?"), "{text}");
        assert!(problem("random(x=1)").2.contains("has no parameters"));
        assert!(problem("uct(c=1, c=2)").2.contains("twice"));
    }

    #[test]
    fn values_must_fit() {
        for text in [
            "uct(playouts=0)",
            "uct(playouts=x)",
            "uct(c=-1)",
            "uct(c=nan)",
            "uct(c=inf)",
            "uct(ms=1.5)",
        ] {
            assert_eq!(problem(text).0, "E0753", "{text}");
        }
        let (_, place, text) = problem("uct(final=best)");
        assert_eq!(place, "best");
        assert!(text.contains("one of visits, mean, share"), "{text}");
        assert!(problem("uct(c=)").2.contains("has no value"));
    }

    #[test]
    fn parameters_that_mean_nothing_together_are_refused() {
        assert_eq!(
            canonical("smmcts(gamma=0.10, select=rm)"),
            "smmcts(playouts=1000, gamma=0.1)"
        );
        let spec = "smmcts(c=2, expand=action, select=duct_mix)";
        assert_eq!(
            canonical(spec),
            "smmcts(playouts=1000, select=duct_mix, expand=action, c=2)"
        );
        for (text, name, select) in [
            ("smmcts(c=1)", "c", "rm"),
            ("smmcts(c=1, select=oos)", "c", "oos"),
            ("smmcts(select=duct_max, gamma=0.1)", "gamma", "duct_max"),
            ("smmcts(unit=1)", "unit", "rm"),
        ] {
            let (code, place, message) = problem(text);
            assert_eq!((code.as_str(), place.as_str()), ("E0752", name), "{text}");
            let expected = format!("`{name}` means nothing with `select={select}`");
            assert!(message.starts_with(&expected), "{message}");
        }
        for (text, name, other) in [
            (
                "oos(targeting=0, trembling=0.1)",
                "trembling",
                "with `targeting=0`",
            ),
            ("smooth_uct(gamma=0.2, eta=0.1)", "eta", "below `gamma=0.2`"),
            ("smooth_uct(eta=0.05)", "eta", "below `gamma=0.1`"),
            (
                "ismcts(category=near)",
                "category",
                "without `weights` or `draw`",
            ),
            ("ismcts(weights=1:2)", "weights", "without `category`"),
            (
                "determinized(trees=separate, decide=average, final=mean)",
                "final",
                "with `decide=average`",
            ),
            (
                "uct(rollouts=heuristic, heuristics=none, epsilon=0.2)",
                "epsilon",
                "with `heuristics=none`",
            ),
        ] {
            let (code, place, message) = problem(text);
            assert_eq!((code.as_str(), place.as_str()), ("E0752", name), "{text}");
            let expected = format!("`{name}` means nothing {other}");
            assert!(message.starts_with(&expected), "{message}");
        }
        for text in [
            "smooth_uct(gamma=0.95)",
            "smooth_uct(gamma=0.9, eta=0.9)",
            "ismcts(category=near, draw=two_step)",
            "determinized(trees=separate, final=mean)",
            "uct(rollouts=heuristic, heuristics=none Ann:near, epsilon=0.2)",
        ] {
            canonical(text);
        }
        for text in [
            "smmcts(gamma=1.5)",
            "smmcts(gamma=-0.1)",
            "smmcts(gamma=nan)",
            "smmcts(select=exp3, unit=0)",
            "smmcts(select=exp3, unit=inf)",
        ] {
            assert_eq!(problem(text).0, "E0753", "{text}");
        }
    }

    #[test]
    fn shape_is_explained() {
        for text in [
            "uct(",
            "uct(c=1",
            "uct(c=1)x",
            "uct(,)",
            "uct(c)",
            "uct(é)",
            "uct(c=1,)",
        ] {
            assert_eq!(problem(text).0, "E0750", "{text}");
        }
        assert_eq!(problem("é(").0, "E0751");
        assert_eq!(problem(")").0, "E0751");
    }
}
