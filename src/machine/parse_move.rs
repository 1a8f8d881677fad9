//! Moves as people type them: from a text back to the action, abbreviated as far as it stays clear.

use super::{Action, Actions, Machine, Outcomes, PlayError, State};
use crate::check::codes::SHARED_TEXT;
use crate::check::texts::TELL_APART;
use crate::ir::{Listing, ListingKind};
use crate::model::types::{Type, bits};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// Why a typed text is no move.
#[derive(Clone, Debug, PartialEq)]
pub enum FindError {
    /// No option reads like this; a few that there are.
    Unknown {
        /// Their texts, at most 8.
        options: Vec<String>,
        /// How many more there are.
        more: usize,
    },
    /// Several options read like this; a few of them.
    Ambiguous {
        /// Their texts, at most 8.
        options: Vec<String>,
        /// How many more there are.
        more: usize,
    },
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

/// A text that two moves have, met in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedText {
    /// The choice.
    pub span: Span,
    pub text: String,
}

impl SharedText {
    /// A warning: the rules are as they are whatever the moves are called.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic::warning(
            SHARED_TEXT,
            self.span,
            format!("in play, two moves read `{}` here", self.text),
        )
        .hint(TELL_APART)
    }
}

/// How many options a message names.
const SHOWN: usize = 8;

impl Machine {
    /// The action of a player to move that a text means: the whole text of an option; or words of it in order, each
    /// given in full or (numbers apart) by its beginning, where that fits one option only, or only one with the first word
    /// first, or only one whose set (`{6♠, 8♦}`) is typed whole. Case, blanks, commas, colons and brackets do not matter, the
    /// suits of cards may be letters (`6s` for `6♠`), and a number may stand right before the next word (`2A`).
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
        let found = find_text(&texts, text)?;
        Ok(actions.0.swap_remove(found))
    }

    /// The outcome of a chance node that a text means, as [`Machine::find_action`]; of a deal, the elements that are
    /// dealt, with commas between them. Where the rules give several outcomes one text, it is followed by what was drawn.
    ///
    /// # Errors
    /// When no outcome or more than one reads like this, or nothing is drawn here.
    pub fn find_outcome(&self, state: &State, text: &str) -> Result<Action, FindError> {
        let listing = self.chance_listing(state).map_err(FindError::Play)?;
        if let ListingKind::Subset { code, set, count } = &listing.kind {
            let mut frame = self.unpack(state);
            self.run_listing(listing, *code, &mut frame)
                .map_err(FindError::Play)?;
            let from = set.slot as usize;
            let set = &frame[from..from + set.words as usize];
            let ty = listing.alternatives.first().and_then(|a| a.parts.first());
            let element = ty.and_then(|(_, ty)| ty.element());
            return find_subset(set, frame[*count as usize], element, text);
        }
        let mut outcomes = Outcomes::default();
        self.outcomes(state, &mut outcomes)
            .map_err(FindError::Play)?;
        let mut texts: Vec<String> = outcomes
            .list
            .iter()
            .map(|(outcome, _)| self.outcome_text(state, outcome, None))
            .collect();
        let mut seen = FxHashSet::default();
        let again = texts.iter().filter(|text| !seen.insert(text.as_str()));
        let shared: FxHashSet<String> = again.cloned().collect();
        for (text, (outcome, _)) in texts.iter_mut().zip(&outcomes.list) {
            if shared.contains(text) {
                text.push_str(&format!(" ({})", drawn(listing, outcome)));
            }
        }
        let found = find_text(&texts, text)?;
        Ok(outcomes.list.swap_remove(found).0)
    }

    /// The first text that two of a player's options share, which leaves it open what a person who types it means. The
    /// first `most` options are compared.
    ///
    /// # Errors
    /// When it is not the player's move, or the options cannot be listed.
    #[doc(hidden)]
    pub fn shared_text(
        &self,
        state: &State,
        player: usize,
        most: usize,
    ) -> Result<Option<SharedText>, PlayError> {
        let arm = self.arm_of(state, player)?;
        let mut actions = Vec::new();
        let mut frame = self.unpack(state);
        self.each(&arm.listing, &mut frame, &mut |action, _| {
            actions.push(action);
            match actions.len() < most {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        })?;
        let mut seen = FxHashSet::default();
        let shared = actions
            .iter()
            .map(|a| self.action_text(state, player, a, Some(player)))
            .find(|text| !seen.insert(text.clone()));
        Ok(shared.map(|text| SharedText {
            span: self.description().site(arm.listing.site).span,
            text,
        }))
    }
}

/// The values of an outcome, whatever its text is.
fn drawn(listing: &Listing, outcome: &Action) -> String {
    let Some((&number, mut values)) = outcome.0.split_first() else {
        return String::new();
    };
    let alternative = listing.alternatives.get(number as usize);
    let mut all: Vec<String> = Vec::new();
    for (operand, ty) in alternative.iter().flat_map(|a| &a.parts) {
        let Some((value, rest)) = values.split_at_checked(operand.words as usize) else {
            break;
        };
        all.push(ty.show_words(value));
        values = rest;
    }
    all.join(", ")
}

/// The place of the one option that a typed text means, among the texts of all; as [`Machine::find_action`].
///
/// # Errors
/// When no option or more than one reads like this.
pub fn find_text(texts: &[String], text: &str) -> Result<usize, FindError> {
    let text = text.trim();
    let typed = words(text);
    let read: Vec<Vec<String>> = texts.iter().map(|t| words(t)).collect();
    let tests: [&dyn Fn(usize) -> bool; 6] = [
        &|i| texts[i] == text,
        &|i| read[i] == typed,
        &|i| in_order(&typed, &read[i], |a, b| a == b),
        &|i| {
            let first = read[i].first().zip(typed.first());
            first.is_some_and(|(w, t)| begins(t, w)) && in_order(&typed, &read[i], begins)
        },
        &|i| in_order(&typed, &read[i], begins),
        &|i| in_order_apart(&typed, &read[i]),
    ];
    for test in tests {
        let mut found: Vec<usize> = (0..texts.len()).filter(|i| test(*i)).collect();
        if found.len() > 1 && found.iter().any(|i| whole_set(&typed, &texts[*i])) {
            found.retain(|i| whole_set(&typed, &texts[*i]));
        }
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

/// The subset that a typed text lists: its elements with commas between them, in braces or not.
fn find_subset(
    set: &[u64],
    count: u64,
    element: Option<&Type>,
    text: &str,
) -> Result<Action, FindError> {
    let show = |e: u64| element.map_or_else(|| e.to_string(), |ty| ty.show(ty.value_at(e)));
    let all: Vec<(u64, Vec<String>)> = bits(set).map(|e| (e, words(&show(e)))).collect();
    let inner = text.trim().trim_start_matches('{').trim_end_matches('}');
    let mut found: SmallVec<[u64; 4]> = SmallVec::from_elem(0, set.len());
    let mut known = true;
    for typed in inner.split(',').map(words) {
        match all.iter().find(|(_, w)| *w == typed) {
            Some((e, _)) => found[(e / 64) as usize] |= 1 << (e % 64),
            None => known &= typed.is_empty(),
        }
    }
    let size: u64 = found.iter().map(|w| u64::from(w.count_ones())).sum();
    if known && size == count {
        let mut action: SmallVec<[u64; 4]> = SmallVec::from_slice(&[0]);
        action.extend_from_slice(&found);
        return Ok(Action(action));
    }
    let names: Vec<String> = all.iter().take(SHOWN).map(|(e, _)| show(*e)).collect();
    Err(FindError::Unknown {
        more: all.len().saturating_sub(SHOWN),
        options: vec![format!("{count} of {}", names.join(", "))],
    })
}

/// What matters of a text.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| c.is_whitespace() || ",;:(){}[]".contains(c))
        .filter(|w| !w.is_empty())
        .map(|w| w.to_lowercase().chars().map(plain_sign).collect())
        .collect()
}

/// A sign as an ordinary keyboard has it.
pub fn plain_sign(sign: char) -> char {
    match sign {
        '♠' | '♤' => 's',
        '♥' | '♡' => 'h',
        '♦' | '♢' => 'd',
        '♣' | '♧' => 'c',
        sign => sign,
    }
}

/// Whether each of the typed words fits one of the others, in order. None at all fits nothing.
fn in_order(typed: &[String], all: &[String], fits: impl Fn(&str, &str) -> bool) -> bool {
    let mut rest = all.iter();
    !typed.is_empty() && typed.iter().all(|t| rest.any(|w| fits(t, w)))
}

/// As [`in_order`] with beginnings, where a number and the word after it may be typed as one word: beside others also where
/// that is a number itself.
fn in_order_apart(typed: &[String], all: &[String]) -> bool {
    places(typed, all).is_some()
}

/// Whether the typed words say all that stands in the braces of an option that they fit: no element is left out.
fn whole_set(typed: &[String], option: &str) -> bool {
    let (mut all, mut inside) = (Vec::new(), Vec::new());
    for (i, part) in option.split(['{', '}']).enumerate() {
        let from = all.len();
        all.extend(words(part));
        if i % 2 == 1 {
            inside.extend(from..all.len());
        }
    }
    let said = places(typed, &all).unwrap_or_default();
    !inside.is_empty() && inside.iter().all(|i| said.contains(i))
}

/// Which of all words the typed ones fit, in order and each as early as can be; `None` where one fits nowhere or none is
/// typed.
fn places(typed: &[String], all: &[String]) -> Option<Vec<usize>> {
    let mut said: Vec<usize> = Vec::new();
    for t in typed {
        let from = said.last().map_or(0, |last| last + 1);
        said.extend(place_of(t, all, from, typed.len() > 1)?);
    }
    (!said.is_empty()).then_some(said)
}

/// The words from a place on that a typed one fits, one or a number and another: those that end first. Only in `company` are
/// digits two numbers.
fn place_of(
    typed: &str,
    all: &[String],
    from: usize,
    company: bool,
) -> Option<SmallVec<[usize; 2]>> {
    let after = |from: usize, fits: &dyn Fn(&str) -> bool| {
        let found = all[from..].iter().position(|w| fits(w));
        found.map(|i| from + i)
    };
    let whole = after(from, &|w| begins(typed, w)).map(|i| SmallVec::from_slice(&[i]));
    let digits = typed.bytes().take_while(u8::is_ascii_digit).count();
    let splits = if company { 1 } else { digits.max(1) }..=digits.min(typed.len() - 1);
    let apart = splits.filter_map(|at| {
        let (number, word) = typed.split_at(at);
        let first = after(from, &|w| w == number)?;
        let next = after(first + 1, &|w| begins(word, w))?;
        Some(SmallVec::from_slice(&[first, next]))
    });
    whole
        .into_iter()
        .chain(apart)
        .min_by_key(|said: &SmallVec<[usize; 2]>| said.last().copied())
}

/// Whether a word is the beginning of another. Numbers count as a whole: 4 is not short for 45.
fn begins(typed: &str, word: &str) -> bool {
    typed == word || word.starts_with(typed) && !typed.ends_with(|c: char| c.is_ascii_digit())
}
