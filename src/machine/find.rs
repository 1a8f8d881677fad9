//! Moves as people type them: from a text back to the action, abbreviated as far as it stays clear.

use super::{Action, Actions, Machine, PlayError, State};

/// Why a typed text is no move.
#[derive(Clone, Debug, PartialEq)]
pub enum FindError {
    /// No option reads like this; a few that there are.
    Unknown { options: Vec<String>, more: usize },
    /// Several options read like this; a few of them.
    Ambiguous { options: Vec<String>, more: usize },
    /// The options could not be listed.
    Play(PlayError),
}

impl std::fmt::Display for FindError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (what, options, more) = match self {
            FindError::Unknown { options, more } => ("there is no such move", options, more),
            FindError::Ambiguous { options, more } => {
                ("this could be several moves", options, more)
            }
            FindError::Play(error) => return write!(f, "{}", error.message),
        };
        write!(f, "{what}: {}", options.join(" | "))?;
        if *more > 0 {
            write!(f, " | and {more} more")?;
        }
        Ok(())
    }
}

/// How many options a message names.
const SHOWN: usize = 8;

impl Machine {
    /// The action of a player to move that a text means: the whole text of an option; or words of it in order, each
    /// given in full or (numbers apart) by its beginning, where that fits one option only, or only one with the first word
    /// first. Case, blanks, commas and
    /// brackets do not matter.
    ///
    /// # Errors
    /// When no option or more than one reads like this, or it is not the player's move.
    pub fn find_action(
        &self,
        state: &State,
        player: usize,
        text: &str,
    ) -> Result<Action, FindError> {
        let mut actions = Actions::default();
        self.legal(state, player, &mut actions)
            .map_err(FindError::Play)?;
        let texts: Vec<String> = actions
            .iter()
            .map(|a| self.action_text(state, player, a, Some(player)))
            .collect();
        let found = find(&texts, text)?;
        Ok(actions.0.swap_remove(found))
    }

    /// The first text that two of a player's options share, which leaves it open what a person who types it means.
    ///
    /// # Errors
    /// As [`Machine::legal`].
    pub fn shared_text(&self, state: &State, player: usize) -> Result<Option<String>, PlayError> {
        let mut actions = Actions::default();
        self.legal(state, player, &mut actions)?;
        let mut seen = rustc_hash::FxHashSet::default();
        Ok(actions
            .iter()
            .map(|a| self.action_text(state, player, a, Some(player)))
            .find(|text| !seen.insert(text.clone())))
    }
}

/// The place of the one option that a typed text means, among the texts of all; as [`Machine::find_action`].
///
/// # Errors
/// When no option or more than one reads like this.
pub fn find(texts: &[String], typed: &str) -> Result<usize, FindError> {
    let text = typed.trim();
    let typed = words(text);
    let read: Vec<Vec<String>> = texts.iter().map(|t| words(t)).collect();
    let tests: [&dyn Fn(usize) -> bool; 5] = [
        &|i| texts[i] == text,
        &|i| read[i] == typed,
        &|i| in_order(&typed, &read[i], |a, b| a == b),
        &|i| {
            let first = read[i].first().zip(typed.first());
            first.is_some_and(|(w, t)| begins(t, w)) && in_order(&typed, &read[i], begins)
        },
        &|i| in_order(&typed, &read[i], begins),
    ];
    for test in tests {
        let found: Vec<usize> = (0..texts.len()).filter(|i| test(*i)).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Ok(*one),
            several => {
                return Err(FindError::Ambiguous {
                    options: several
                        .iter()
                        .take(SHOWN)
                        .map(|i| texts[*i].clone())
                        .collect(),
                    more: several.len().saturating_sub(SHOWN),
                });
            }
        }
    }
    Err(FindError::Unknown {
        more: texts.len().saturating_sub(SHOWN),
        options: texts.iter().take(SHOWN).cloned().collect(),
    })
}

/// What matters of a text.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| c.is_whitespace() || ",;(){}[]".contains(c))
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Whether each of the typed words fits one of the others, in order. None at all fits nothing.
fn in_order(typed: &[String], all: &[String], fits: impl Fn(&str, &str) -> bool) -> bool {
    let mut rest = all.iter();
    !typed.is_empty() && typed.iter().all(|t| rest.any(|w| fits(t, w)))
}

/// Whether a word is the beginning of another. Numbers count as a whole: 4 is not short for 45.
fn begins(typed: &str, word: &str) -> bool {
    typed == word || word.starts_with(typed) && !typed.ends_with(|c: char| c.is_ascii_digit())
}
