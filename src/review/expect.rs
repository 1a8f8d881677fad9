//! What a script expects of a position: options, refused moves, what players see, whose turn it is, payoffs.

use super::codes;
use super::elements;
use super::script::{LineKind, Text};
use super::transcript::option_texts;
use crate::machine::{FindError, Machine, PlayError, State, Turn};
use crate::model::PlayerSet;
use crate::model::types::show_ratio;
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;
use num_rational::Ratio;

/// A position, and the line of the script that looks at it.
pub struct Position<'a> {
    pub machine: &'a Machine,
    pub state: &'a State,
    pub span: Span,
}

/// What is not as expected, if anything.
///
/// # Errors
/// An error that the rules run into.
pub fn expect(position: &Position<'_>, kind: &LineKind) -> Result<Option<Diagnostic>, PlayError> {
    let player = match kind {
        LineKind::Options { player, .. }
        | LineKind::Refuse { player, .. }
        | LineKind::Sees { player, .. }
        | LineKind::Hides { player, .. } => match self::player(position.machine, player) {
            Ok(p) => p,
            Err(problem) => return Ok(Some(*problem)),
        },
        _ => 0,
    };
    Ok(match kind {
        LineKind::Options { texts, exactly, .. } => {
            return position.options(player, texts, *exactly);
        }
        LineKind::Refuse { text, .. } => return position.refuse(player, text),
        LineKind::Sees { name, value, .. } => position.sees(player, name, value),
        LineKind::Hides { name, .. } => position.hides(player, name),
        LineKind::Turn(names) => position.turn(names),
        LineKind::Payoffs(list) => return position.payoffs(list),
        LineKind::End => return position.end(),
        _ => None,
    })
}

/// A player by name.
///
/// # Errors
/// When nobody has this name.
pub fn player(machine: &Machine, name: &Text) -> Result<usize, Box<Diagnostic>> {
    let names: Vec<&str> = machine.player_names().collect();
    names.iter().position(|n| *n == name.text).ok_or_else(|| {
        let message = format!("the game has no player `{}`", name.text);
        let d = Diagnostic::error(codes::UNKNOWN_NAME, name.span, message);
        Box::new(match nearest(&name.text, names.iter().copied()) {
            Some(near) => d.hint(format!("did you mean `{near}`?")),
            None => d.hint(format!("its players are {}", names.join(", "))),
        })
    })
}

/// A move or an outcome that there is not.
pub fn no_such(error: &FindError, typed: &str, span: Span, what: &str) -> Diagnostic {
    let (message, options) = match error {
        FindError::Ambiguous { options, .. } => {
            (format!("`{typed}` could be several {what}s"), options)
        }
        FindError::Unknown { options, .. } => (format!("there is no {what} `{typed}`"), options),
        FindError::Play(error) => {
            return Diagnostic::error(codes::NO_SUCH_MOVE, span, error.message.clone());
        }
    };
    let d = Diagnostic::error(codes::NO_SUCH_MOVE, span, message);
    let shown = error.to_string();
    let all = shown.split_once(": ").map_or("", |(_, all)| all);
    let near = nearest(typed, options.iter().map(String::as_str));
    d.hint(match near {
        Some(near) => format!("did you mean `{near}`? possible: {all}"),
        None => format!("possible: {all}"),
    })
}

impl Position<'_> {
    fn wrong(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(codes::NOT_AS_EXPECTED, self.span, message)
    }

    fn name(&self, player: usize) -> &str {
        self.machine.player_name(player)
    }

    fn is_asked(&self, player: usize) -> bool {
        matches!(self.machine.turn(self.state), Turn::Decision(players) if players.contains(player))
    }

    /// Whose turn it is, in words.
    fn who(&self) -> String {
        match self.machine.turn(self.state) {
            Turn::Terminal => "the game is over".to_string(),
            Turn::Chance => "chance draws".to_string(),
            Turn::Decision(players) => {
                let names: Vec<&str> = players.iter().map(|p| self.name(p)).collect();
                format!("to move: {}", names.join(", "))
            }
        }
    }

    fn options(
        &self,
        player: usize,
        texts: &[Text],
        exactly: bool,
    ) -> Result<Option<Diagnostic>, PlayError> {
        if !self.is_asked(player) {
            let d = self.wrong(format!("{} has no options here", self.name(player)));
            return Ok(Some(d.hint(self.who())));
        }
        let options = option_texts(self.machine, self.state, player)?;
        for text in texts {
            if options.iter().all(|o| *o != text.text) {
                let message = format!("`{}` is no option of {}", text.text, self.name(player));
                let d = Diagnostic::error(codes::NOT_AS_EXPECTED, text.span, message);
                return Ok(Some(d.hint(format!("options: {}", options.join(" | ")))));
            }
        }
        let more: Vec<&str> = options
            .iter()
            .filter(|o| texts.iter().all(|t| t.text != **o))
            .map(String::as_str)
            .collect();
        if exactly && !more.is_empty() {
            let d = self.wrong(format!("{} has more options than these", self.name(player)));
            let hint = format!("also: {}; `includes` allows more", more.join(" | "));
            return Ok(Some(d.hint(hint)));
        }
        Ok(None)
    }

    fn refuse(&self, player: usize, text: &Text) -> Result<Option<Diagnostic>, PlayError> {
        if !self.is_asked(player) {
            return Ok(None);
        }
        match self.machine.find_action(self.state, player, &text.text) {
            Err(FindError::Unknown { .. }) => Ok(None),
            Err(FindError::Play(error)) => Err(error),
            Err(error @ FindError::Ambiguous { .. }) => {
                Ok(Some(no_such(&error, &text.text, text.span, "move")))
            }
            Ok(action) => {
                let taken = self
                    .machine
                    .action_text(self.state, player, &action, Some(player));
                let message = format!("{} may choose `{taken}`", self.name(player));
                let d = Diagnostic::error(codes::NOT_AS_EXPECTED, text.span, message);
                Ok(Some(d.hint("`refuse` is for moves that are not possible")))
            }
        }
    }

    fn sees(&self, player: usize, name: &Text, value: &Text) -> Option<Diagnostic> {
        let view = self.machine.view(self.state, player).entries;
        let meant = elements::meant(&name.text, view.iter().map(|e| e.name.as_str()));
        let Some(entry) = view.iter().find(|e| Some(e.name.as_str()) == meant) else {
            return Some(self.unseen(player, name));
        };
        if spaced(&entry.value) == spaced(&value.text) {
            return None;
        }
        let message = format!("{} sees {} {}", self.name(player), entry.name, entry.value);
        let d = Diagnostic::error(codes::NOT_AS_EXPECTED, value.span, message);
        Some(d.label("not this"))
    }

    /// A variable that the player does not see, or that there is not.
    fn unseen(&self, player: usize, name: &Text) -> Diagnostic {
        let all = self.machine.whole_view(self.state).entries;
        let names: Vec<&str> = all.iter().map(|e| e.name.as_str()).collect();
        if let Some(meant) = elements::meant(&name.text, names.iter().copied()) {
            let message = format!("{} does not see {meant}", self.name(player));
            return Diagnostic::error(codes::NOT_AS_EXPECTED, name.span, message);
        }
        let (message, hint) = elements::unknown(&name.text, &names);
        Diagnostic::error(codes::UNKNOWN_NAME, name.span, message).hint(hint)
    }

    fn hides(&self, player: usize, name: &Text) -> Option<Diagnostic> {
        let all = self.machine.whole_view(self.state).entries;
        let Some(meant) = elements::meant(&name.text, all.iter().map(|e| e.name.as_str())) else {
            return Some(self.unseen(player, name));
        };
        let view = self.machine.view(self.state, player).entries;
        let entry = view.iter().find(|e| e.name == meant)?;
        let message = format!("{} sees {} {}", self.name(player), entry.name, entry.value);
        Some(Diagnostic::error(
            codes::NOT_AS_EXPECTED,
            name.span,
            message,
        ))
    }

    fn turn(&self, names: &[Text]) -> Option<Diagnostic> {
        let right = match self.machine.turn(self.state) {
            Turn::Terminal => false,
            Turn::Chance => matches!(names, [one] if one.text == "chance"),
            Turn::Decision(players) => {
                let mut expected = PlayerSet::EMPTY;
                for name in names {
                    match player(self.machine, name) {
                        Ok(p) => expected.insert(p),
                        Err(_) if name.text == "chance" => {}
                        Err(problem) => return Some(*problem),
                    }
                }
                players == expected
            }
        };
        (!right).then(|| self.wrong("it is not the turn of these").hint(self.who()))
    }

    fn end(&self) -> Result<Option<Diagnostic>, PlayError> {
        self.unless_over("the game is not over")
    }

    /// What is wrong where the game is not over. Somebody may have nothing to choose then, which is an error of its own.
    fn unless_over(&self, message: &str) -> Result<Option<Diagnostic>, PlayError> {
        if let Turn::Decision(players) = self.machine.turn(self.state) {
            for player in players {
                option_texts(self.machine, self.state, player)?;
            }
        }
        let over = self.machine.turn(self.state) == Turn::Terminal;
        Ok((!over).then(|| self.wrong(message).hint(self.who())))
    }

    fn payoffs(&self, list: &[(Text, Text)]) -> Result<Option<Diagnostic>, PlayError> {
        if let Some(problem) = self.unless_over("there are payoffs when the game is over")? {
            return Ok(Some(problem));
        }
        let units = self.machine.payoff_units(self.state)?;
        let den = self.machine.payoff_denominator();
        for (name, value) in list {
            let p = match player(self.machine, name) {
                Ok(p) => p,
                Err(problem) => return Ok(Some(*problem)),
            };
            let Some(expected) = ratio(&value.text) else {
                let message = format!("`{}` is no payoff", value.text);
                let d = Diagnostic::error(codes::BAD_LINE, value.span, message);
                return Ok(Some(d.hint("write it as 2, -1, 0.5 or 1/3")));
            };
            if expected != Ratio::new(units[p], den) {
                let got = show_ratio(units[p], den);
                let message = format!("the payoff of {} is {got}", self.name(p));
                let d = Diagnostic::error(codes::NOT_AS_EXPECTED, value.span, message);
                return Ok(Some(d.label("not this")));
            }
        }
        Ok(None)
    }
}

/// A value with blanks between words alone: `{ a, b }` and `{a, b}` are the same set.
fn spaced(text: &str) -> String {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut plain = String::new();
    for piece in text.split_whitespace() {
        if is_word(plain.chars().next_back()) && is_word(piece.chars().next()) {
            plain.push(' ');
        }
        plain.push_str(piece);
    }
    plain
}

/// `2`, `-1`, `0.5` or `1/3`, exactly.
fn ratio(text: &str) -> Option<Ratio<i64>> {
    if let Some((n, den)) = text.split_once('/') {
        let (n, den): (i64, i64) = (n.trim().parse().ok()?, den.trim().parse().ok()?);
        return (den != 0 && den != i64::MIN && n != i64::MIN).then(|| Ratio::new(n, den));
    }
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if decimals.len() > 9 || !decimals.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let den = 10i64.pow(decimals.len() as u32);
    let n: i64 = format!("{whole}{decimals}").parse().ok()?;
    Some(Ratio::new(n, den))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_beside_signs_do_not_count() {
        assert_eq!(spaced("{ a1 ,b2 }"), spaced("{a1, b2}"));
        assert_eq!(spaced(" two  words "), "two words");
        assert_ne!(spaced("two words"), spaced("twowords"));
        assert_ne!(spaced("-1"), spaced("1"));
    }

    #[test]
    fn payoffs_are_read_exactly() {
        assert_eq!(ratio("2"), Some(Ratio::new(2, 1)));
        assert_eq!(ratio("-0.5"), Some(Ratio::new(-1, 2)));
        assert_eq!(ratio("1/3"), Some(Ratio::new(1, 3)));
        for text in ["", "x", "1/0", "1.x", "0.12345678901", "--1"] {
            assert_eq!(ratio(text), None, "{text}");
        }
    }
}
