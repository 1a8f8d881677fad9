//! What reaches one player of a game: its events, its questions and the end, each with what has changed by then of what
//! the player sees. Screens, transcripts and hints for a player are made of this and of nothing else.
//!
//! A change is told with the player's next own entry, as it stands at that moment within the step. Where play rests for
//! others, or for chance, nothing is told: that it rests there is not for everybody to know.

mod event_texts;
mod fields;
mod moment;
mod rows;
mod tally;
mod unset;

pub use event_texts::{EventTexts, revealed};
pub use fields::Field;
pub use rows::Rows;

use super::{Actions, Event, Machine, Observation, PlayError, RenderedBoard, State, Turn};
use super::{View, ViewEntry};
use crate::ir::Said;
use crate::model::types::Type;
use crate::model::{SiteId, SiteKind};
use fields::Speaks;
use moment::Moment;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::Arc;
use tally::is_tally;
use unset::{Setters, is_nothing};

/// One player's side of a game under way. [`Machine::initial_seated`] and [`Machine::step_seated`] fill it.
#[derive(Clone, Debug)]
pub struct Seat {
    player: usize,
    /// The elements of variables that the player sees, in the order of the file.
    visible: Arc<[Visible]>,
    /// Their values at the last entry, each in as many words as its type takes.
    values: Vec<u64>,
    /// Of the same elements, whether they are set, as far as the player was told.
    set: Vec<bool>,
    /// Of the same elements, whether something was stored there since the last entry.
    stored: Vec<bool>,
    /// By def and arguments.
    shown: BTreeMap<(SiteId, Words), Told>,
    entries: Vec<Entry>,
    observations: Vec<Observation>,
}

/// A few values in a row.
type Words = SmallVec<[u64; 4]>;

/// What was told of a shown value.
#[derive(Clone, Debug, Default)]
struct Told {
    now: Words,
    /// What was told since the last entry before that, where a rule read the def in the middle of a turn.
    before: Vec<Words>,
    /// The value at the last entry.
    entered: Option<Words>,
}

#[derive(Debug)]
struct Visible {
    name: String,
    slot: u32,
    ty: Type,
    /// How the variable is set.
    setters: Arc<Setters>,
    /// The player whose element it is, where that is its only index.
    owner: Option<usize>,
    speaks: Option<Speaks>,
    /// It counts things of one kind.
    is_tally: bool,
}

/// Something that reached a player.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// What happened.
    pub news: News,
    /// The variables that the player sees and that have another value than at its last entry, or at the first one than
    /// in the beginning.
    pub changes: Vec<ViewEntry>,
    /// The fields of boards that these changes touch.
    #[doc(hidden)]
    pub fields: Vec<Field>,
    /// The shown values that are other than at its last entry, each with what was told of it in between. The first one tells of
    /// all.
    pub shown: Vec<Observation>,
}

/// What an entry is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum News {
    /// A choice, a draw or a deal.
    Move {
        /// Where in the text it stands.
        site: SiteId,
        /// Who chose; nobody in a draw.
        by: Option<usize>,
        /// What the player sees of it; the rest prints as `·`.
        text: String,
    },
    /// A value that was revealed, and the words in which the rules say so, if they do; what the player may not see of them
    /// prints as `·`, and no words are there if it could not know which they are.
    Revealed(Observation, Option<String>),
    /// The player was asked to choose, at this node.
    Question(u32),
    /// The game was over.
    End,
}

/// What a player has before its eyes where it is asked, and at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sight {
    /// The boards, as the player sees them.
    #[doc(hidden)]
    pub boards: Vec<RenderedBoard>,
    /// The options; none at the end.
    pub options: Actions,
    /// Their texts.
    pub texts: Vec<String>,
}

impl Seat {
    /// The seat of a player, before the game begins.
    pub fn new(machine: &Machine, player: usize) -> Seat {
        let program = &machine.program;
        let setters: Vec<Arc<Setters>> = Setters::of_game(machine)
            .into_iter()
            .map(Arc::new)
            .collect();
        let vars = std::iter::zip(&program.description.vars, &setters);
        let tallies: Vec<bool> = vars.map(|(v, s)| is_tally(machine, v, s)).collect();
        let slots = program.slots.iter().filter_map(|info| {
            let id = info.var?;
            let slots = &program.vars[id.0 as usize];
            let element = (info.slot - slots.base) / u32::from(slots.words);
            let sees = slots.viewers[element as usize].contains(player);
            let var = program.description.var(id);
            (sees && !var.note).then(|| Visible {
                name: info.name.clone(),
                slot: info.slot,
                ty: info.ty.clone(),
                setters: Arc::clone(&setters[id.0 as usize]),
                owner: match var.indices.as_slice() {
                    [index] if matches!(index.ty, Type::Player(_)) => Some(element as usize),
                    _ => None,
                },
                speaks: Speaks::new(machine, var, u64::from(element)),
                is_tally: tallies[id.0 as usize],
            })
        });
        let visible: Arc<[Visible]> = slots.collect();
        let first = machine.first_frame();
        let values = visible.iter().flat_map(Visible::slots);
        let set = visible.iter().map(|element| element.setters.are_begun());
        Seat {
            player,
            values: values.map(|slot| first[slot as usize]).collect(),
            set: set.collect(),
            stored: vec![false; visible.len()],
            visible,
            shown: BTreeMap::new(),
            entries: Vec::new(),
            observations: Vec::new(),
        }
    }

    /// The player whose seat it is.
    pub fn player(&self) -> usize {
        self.player
    }

    /// Everything that reached the player, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The same as players are told of it: every event with its values, and every shown value.
    pub fn observations(&self) -> &[Observation] {
        &self.observations
    }

    /// The variables that the player sees, as they were at its last entry.
    pub fn view(&self) -> View {
        let mut left = self.values.as_slice();
        let entries = self.visible.iter().map(|element| {
            let (value, rest) = left.split_at(element.ty.words());
            left = rest;
            element.entry(value)
        });
        View {
            entries: entries.collect(),
        }
    }

    /// Which of the entries of [`Seat::view`] say nothing: `none`, sets without elements, and what nobody has set as far as
    /// the player was told.
    #[doc(hidden)]
    pub fn blanks(&self) -> Vec<bool> {
        let mut left = self.values.as_slice();
        let elements = std::iter::zip(self.visible.iter(), &self.set);
        let blanks = elements.map(|(element, set)| {
            let (value, rest) = left.split_at(element.ty.words());
            left = rest;
            !set || is_nothing(&element.ty, value)
        });
        blanks.collect()
    }

    /// Which of the entries of [`Seat::view`] count things of one kind among several.
    pub(crate) fn tallies(&self) -> Vec<bool> {
        self.visible.iter().map(|e| e.is_tally).collect()
    }

    /// The names of the entries of [`Seat::view`] that nobody has set, as far as the player was told.
    pub(crate) fn unset(&self) -> FxHashSet<&str> {
        let elements = std::iter::zip(self.visible.iter(), &self.set);
        let unset = elements.filter(|(_, set)| !**set);
        unset.map(|(element, _)| element.name.as_str()).collect()
    }

    /// The shown values that the player was told, as they were when something reached it last.
    #[doc(hidden)]
    pub fn shown(&self, texts: &EventTexts) -> Vec<(String, String)> {
        let shown = self.shown.iter().filter_map(|((site, args), told)| {
            let value = told.entered.as_ref()?;
            texts.read(&shown_value(*site, args, value))
        });
        shown
            .map(|(name, value)| (name.unwrap_or_default(), value))
            .collect()
    }

    /// What the player has before its eyes in a state that the seat was led to: `None` where it is not asked and the game
    /// goes on.
    ///
    /// # Errors
    /// Where the rules run into an error while the options are listed.
    pub fn sight(&self, machine: &Machine, state: &State) -> Result<Option<Sight>, PlayError> {
        let mut sight = Sight::default();
        match machine.turn(state) {
            Turn::Decision(movers) if movers.contains(self.player) => {
                machine.legal(state, self.player, &mut sight.options)?;
                let text = |a| machine.action_text(state, self.player, a, Some(self.player));
                sight.texts = sight.options.iter().map(text).collect();
            }
            Turn::Terminal => {}
            _ => return Ok(None),
        }
        sight.boards = machine.render_set(state, Some(self.player), &self.unset());
        Ok(Some(sight))
    }

    /// Takes an event in, if the player sees it.
    fn take_in(&mut self, moment: &Moment<'_>, event: &Event<'_>, said: Option<&Said>) {
        if !event.viewers.contains(self.player) {
            return;
        }
        let observation = Observation::from(event);
        self.observations.push(observation.clone());
        let news = match moment.machine.description().site(event.site).kind {
            SiteKind::Choice | SiteKind::Draw | SiteKind::Deal => News::Move {
                site: event.site,
                by: event.chooser.map(usize::from),
                text: moment.move_text(event.chooser.map(usize::from), self.player),
            },
            SiteKind::Reveal => {
                let text = said.and_then(|said| moment.said(said, self.player));
                News::Revealed(observation, text)
            }
            SiteKind::Shown => return self.show(moment.machine, &observation),
            // The end is an entry where play rests.
            SiteKind::End => return,
        };
        self.enter(moment, news);
    }

    /// Takes in a shown value, which belongs to the next entry.
    fn show(&mut self, machine: &Machine, observation: &Observation) {
        let shown = &machine.description().shown;
        let Some(def) = shown.iter().find(|def| def.site == observation.site) else {
            return;
        };
        let values = observation.values.split_at_checked(def.params.len());
        let Some((args, value)) = values else { return };
        let key = (observation.site, Words::from_slice(args));
        let told = self.shown.entry(key).or_default();
        let new = Words::from_slice(value);
        let old = std::mem::replace(&mut told.now, new);
        if !old.is_empty() && old != told.now && told.entered.as_ref() != Some(&old) {
            told.before.push(old);
        }
    }

    /// Takes in that the player is asked, or that the game is over.
    fn rest(&mut self, moment: &Moment<'_>, state: &State) {
        match moment.machine.turn(state) {
            Turn::Decision(movers) if movers.contains(self.player) => {
                self.enter(moment, News::Question(moment.machine.node(state)));
            }
            Turn::Terminal => self.enter(moment, News::End),
            _ => {
                for (element, stored) in std::iter::zip(self.visible.iter(), &mut self.stored) {
                    *stored |= element.is_stored(moment);
                }
            }
        }
    }

    fn enter(&mut self, moment: &Moment<'_>, news: News) {
        let (at, by) = match &news {
            News::Move { site, by, .. } => (Some(*site), *by),
            // What is stored before the first choice has been when a player is asked.
            News::Revealed(..) | News::Question(_) | News::End => (None, None),
        };
        let (mut changes, mut fields) = (Vec::new(), Vec::new());
        let mut left = self.values.as_mut_slice();
        let flags = std::iter::zip(&mut self.set, &mut self.stored);
        for (element, (set, stored)) in std::iter::zip(self.visible.iter(), flags) {
            let (value, rest) = left.split_at_mut(element.ty.words());
            left = rest;
            let new: Words = element.slots().map(|slot| moment.read(slot)).collect();
            if *value != *new {
                if let Some(speaks) = &element.speaks {
                    speaks.touched(&element.ty, value, &new, &mut fields);
                }
                value.copy_from_slice(&new);
                changes.push(element.entry(value));
                *set = true;
            }
            let stored = std::mem::take(stored) || element.is_stored(moment);
            *set |= match element.setters.are_told() {
                true => stored,
                false => element.setters.may_set(at, by, element.owner),
            };
        }
        fields.sort_unstable();
        fields.dedup();
        let mut shown = Vec::new();
        for ((site, args), told) in &mut self.shown {
            let before = std::mem::take(&mut told.before);
            if before.is_empty() && told.entered.as_ref() == Some(&told.now) {
                continue;
            }
            told.entered = Some(told.now.clone());
            shown.extend(before.iter().map(|value| shown_value(*site, args, value)));
            shown.push(shown_value(*site, args, &told.now));
        }
        self.entries.push(Entry {
            news,
            changes,
            fields,
            shown,
        });
    }
}

fn shown_value(site: SiteId, args: &Words, value: &Words) -> Observation {
    Observation {
        site,
        chooser: None,
        pattern: 0,
        values: args.iter().chain(value).copied().collect(),
    }
}

impl Visible {
    fn slots(&self) -> std::ops::Range<u32> {
        self.slot..self.slot + self.ty.words() as u32
    }

    /// Whether something was stored to it in the step of a moment.
    fn is_stored(&self, moment: &Moment<'_>) -> bool {
        self.slots().any(|slot| moment.is_stored(slot))
    }

    fn entry(&self, value: &[u64]) -> ViewEntry {
        ViewEntry {
            name: self.name.clone(),
            value: self.ty.show_words(value),
        }
    }
}
