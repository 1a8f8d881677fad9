//! Walks every history of a game and holds the laws against it.

use super::entries::{Broken, Entry, Frame, Given, History, Record, Records};
use super::seen::Seen;
use super::sources::{Source, sources};
use super::walk::{Move, Step, Told, begin, moved, moves, steps, words};
use ruse::internal::machine::seat::EventTexts;
use ruse::internal::machine::{
    Action, Actions, Machine, Observation, PlayError, Seat, State, Turn,
};
use ruse::internal::model::{PlayerSet, SiteId, SiteKind};
use std::collections::{BTreeMap, HashMap};

/// What is broken.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Law {
    /// Variables, boards or notes differ after equal records.
    View,
    /// What a person reads differs after equal records.
    Screen,
    /// After equal records something else comes next, or other options.
    Next,
    /// A label is told that the description does not give.
    Label,
    /// Which values of a choice or a draw are told depends on something that is not told.
    Parts,
    /// The distribution of a draw tells of a hidden choice.
    Chance,
    /// What is told is not what the description says.
    Told,
}

pub struct Violation {
    pub law: Law,
    pub text: String,
}

/// What came of a game.
pub struct Walked {
    /// At most one for each law and player.
    pub violations: Vec<Violation>,
    pub histories: usize,
    /// The records of all players together.
    pub records: usize,
    /// False where there are more histories than were allowed.
    pub whole: bool,
}

/// Longer histories are not followed.
pub const LONGEST: usize = 200;

/// One seat in one history.
#[derive(Clone)]
struct Place {
    record: Record,
    /// What a person at the seat reads is made of this.
    told: Seat,
}

#[derive(Clone)]
struct At {
    state: State,
    seats: Vec<Place>,
    history: History,
    /// The outcomes of chance so far.
    chance: usize,
    /// The steps so far.
    script: Vec<Vec<Action>>,
}

/// Where something is drawn: the record, the draw, the outcomes of chance so far.
type Drawn = (Record, SiteId, usize);

/// What a draw shows to a seat, each with its share in lowest terms.
type Distribution = BTreeMap<Vec<u64>, (u64, u64)>;

struct Walk<'m> {
    machine: &'m Machine,
    texts: EventTexts,
    sources: HashMap<SiteId, Source>,
    most: usize,
    whole: bool,
    /// Each history by the one that it goes on from.
    histories: Vec<(History, String)>,
    records: Vec<Records>,
    seen: Vec<HashMap<Record, (History, Seen)>>,
    chances: HashMap<(usize, u32, Action), usize>,
    draws: Vec<HashMap<Drawn, (Distribution, History)>>,
    violations: BTreeMap<(Law, usize), Violation>,
}

/// Holds the laws against every history, if there are no more than `most`.
///
/// # Errors
/// Those of play.
pub fn hold(machine: &Machine, most: usize) -> Result<Walked, PlayError> {
    let players = machine.player_count();
    let mut walk = Walk {
        machine,
        texts: EventTexts::new(machine),
        sources: sources(machine),
        most,
        whole: true,
        histories: vec![(0, String::new())],
        records: (0..players).map(|_| Records::new()).collect(),
        seen: (0..players).map(|_| HashMap::new()).collect(),
        chances: HashMap::new(),
        draws: vec![HashMap::new(); players],
        violations: BTreeMap::new(),
    };
    let (state, events) = begin(machine)?;
    let mut told: Vec<Seat> = (0..players).map(|p| Seat::new(machine, p)).collect();
    machine.initial_seated(&mut told, &mut |_| {})?;
    let seats = told.into_iter().map(|told| Place { record: 0, told });
    let mut at = At {
        state,
        seats: seats.collect(),
        history: 0,
        chance: 0,
        script: Vec::new(),
    };
    walk.take_in(&mut at, &[], &events);
    walk.rest(at)?;
    Ok(Walked {
        violations: walk.violations.into_values().collect(),
        histories: walk.histories.len(),
        records: walk.records.iter().map(Records::len).sum(),
        whole: walk.whole,
    })
}

impl Walk<'_> {
    /// At a node: what everybody sees there, then all ways on.
    fn rest(&mut self, mut at: At) -> Result<(), PlayError> {
        self.look(&mut at)?;
        let long = at.script.len() >= LONGEST;
        let steps = steps(self.machine, &at.state, self.most)?;
        let Some(steps) = steps.filter(|_| !long) else {
            self.whole = false;
            return Ok(());
        };
        let made = moves(self.machine, &steps);
        self.compare_draws(&at, &steps);
        let is_chance = self.machine.turn(&at.state) == Turn::Chance;
        for step in steps {
            if self.histories.len() >= self.most {
                self.whole = false;
                return Ok(());
            }
            let mut next = at.clone();
            let text = words(self.machine, &at.state, &step.actions);
            self.histories.push((at.history, text));
            next.history = self.histories.len() - 1;
            if is_chance {
                let fresh = self.chances.len() + 1;
                let node = self.machine.node(&at.state);
                let key = (at.chance, node, step.actions[0].clone());
                next.chance = *self.chances.entry(key).or_insert(fresh);
            }
            tell(self.machine, &at.state, &step.actions, &mut next.seats)?;
            next.state = step.after.clone();
            next.script.push(step.actions.clone());
            self.take_in(&mut next, &made, &step.events);
            self.rest(next)?;
        }
        Ok(())
    }

    /// Adds the events of a step to the records.
    fn take_in(&mut self, at: &mut At, made: &[(Move, PlayerSet)], events: &[Told]) {
        for seat in 0..at.seats.len() {
            let own: Vec<&Observation> = events
                .iter()
                .filter(|(who, _)| who.contains(seat))
                .map(|(_, event)| event)
                .collect();
            for ((site, chooser), seen) in made {
                let shows = self.sources.get(site).map_or(*seen, |s| *seen | s.shows);
                if !shows.contains(seat) {
                    continue;
                }
                let news = own
                    .iter()
                    .find(|e| moved(self.machine, e) == Some((*site, *chooser)));
                let frame = Frame::Event {
                    site: *site,
                    chooser: *chooser,
                };
                self.enter(at, seat, frame, news.map(|e| (*e).clone()));
            }
            for event in own {
                let site = event.site;
                match self.machine.description().site(site).kind {
                    // The end is an entry at its node.
                    SiteKind::Choice | SiteKind::Draw | SiteKind::Deal | SiteKind::End => {}
                    SiteKind::Reveal => {
                        let chooser = None;
                        let frame = Frame::Event { site, chooser };
                        self.enter(at, seat, frame, Some(event.clone()));
                    }
                    SiteKind::Shown => {
                        let defs = &self.machine.description().shown;
                        let def = defs.iter().find(|d| d.site == site).expect("a shown def");
                        let args = event.values.len() - def.body.ty.words();
                        let args = &event.values[..args];
                        let frame = Frame::Shown {
                            site,
                            args: args.to_vec(),
                        };
                        self.enter(at, seat, frame, Some(event.clone()));
                    }
                }
            }
        }
    }

    fn enter(&mut self, at: &mut At, seat: usize, frame: Frame, news: Option<Observation>) {
        let source = match &frame {
            Frame::Event { site, .. } => self.sources.get(site),
            _ => None,
        };
        let own = matches!(frame, Frame::Event { chooser: Some(c), .. } if usize::from(c) == seat);
        let given = source.map(|s| Given {
            label: s.open || own,
            omitted: s.omitted,
            widths: &s.widths,
        });
        let own = &mut at.seats[seat];
        let entry = Entry { frame, news };
        let records = &mut self.records[seat];
        let (record, broken) = records.extend(own.record, entry, given.as_ref(), at.history);
        own.record = record;
        for found in broken {
            self.report(seat, found, at.history);
        }
    }

    /// What each seat is asked and sees at a node.
    fn look(&mut self, at: &mut At) -> Result<(), PlayError> {
        let machine = self.machine;
        let turn = machine.turn(&at.state);
        for seat in 0..at.seats.len() {
            let (mut texts, mut options) = (Vec::new(), Actions::default());
            match turn {
                Turn::Decision(movers) if movers.contains(seat) => {
                    machine.legal(&at.state, seat, &mut options)?;
                    let text = |a| machine.action_text(&at.state, seat, a, Some(seat));
                    texts.extend(options.iter().map(text));
                    let question = Frame::Question {
                        node: machine.node(&at.state),
                        options: options.0.clone(),
                        texts: texts.clone(),
                    };
                    self.enter(at, seat, question, None);
                }
                Turn::Terminal => self.enter(at, seat, Frame::End, None),
                _ => {}
            }
            if turn == Turn::Chance {
                // No time passes while chance decides.
                continue;
            }
            let own = &at.seats[seat];
            if turn == Turn::Terminal || !options.is_empty() {
                // What a seat has taken in is what there is to see where something reaches it.
                assert_eq!(own.told.view(), machine.view(&at.state, seat));
            }
            let now = Seen::new(machine, &at.state, &own.told, &self.texts, &options)?;
            let key = own.record;
            let Some((other, before)) = self.seen[seat].get(&key) else {
                self.seen[seat].insert(key, (at.history, now));
                continue;
            };
            let other = *other;
            for (screen, what) in now.differs(before) {
                let law = if screen { Law::Screen } else { Law::View };
                self.report(seat, (law, what, other), at.history);
            }
        }
        Ok(())
    }

    fn compare_draws(&mut self, at: &At, steps: &[Step]) {
        if self.machine.turn(&at.state) != Turn::Chance {
            return;
        }
        let Some(((site, _), _)) = moves(self.machine, steps).first().copied() else {
            return;
        };
        if self.sources.get(&site).is_some_and(|s| s.revealing) {
            return;
        }
        let total: u64 = steps.iter().map(|s| s.weight).sum();
        for (seat, own) in at.seats.iter().enumerate() {
            let mut weights: BTreeMap<Vec<u64>, u64> = BTreeMap::new();
            for step in steps {
                let mut events = step.events.iter();
                let shown = events.find(|(who, e)| e.site == site && who.contains(seat));
                let values = shown.map_or(Vec::new(), |(_, e)| {
                    [&[e.pattern], e.values.as_slice()].concat()
                });
                *weights.entry(values).or_default() += step.weight;
            }
            if weights.keys().all(Vec::is_empty) {
                // No outcome shows: to this seat it is no entry.
                continue;
            }
            let distribution: Distribution = weights
                .into_iter()
                .map(|(values, weight)| {
                    let common = common(weight, total);
                    (values, (weight / common, total / common))
                })
                .collect();
            if distribution.keys().all(Vec::is_empty) {
                continue;
            }
            let key = (own.record, site, at.chance);
            let known = self.draws[seat].entry(key);
            let (first, other) = known.or_insert_with(|| (distribution.clone(), at.history));
            if *first != distribution {
                let what = format!("drawn as {distribution:?}, or as {first:?}");
                let found = (Law::Chance, what, *other);
                self.report(seat, found, at.history);
            }
        }
    }

    fn report(&mut self, seat: usize, (law, what, other): Broken, history: History) {
        if self.violations.contains_key(&(law, seat)) {
            return;
        }
        let name = self.machine.player_name(seat);
        let text = format!(
            "{law:?}, for {name}: {what}\n  after: {}\n  or:    {}",
            self.told(history),
            self.told(other)
        );
        self.violations.insert((law, seat), Violation { law, text });
    }

    fn told(&self, mut history: History) -> String {
        let mut list = Vec::new();
        while history != 0 {
            let (above, text) = &self.histories[history];
            list.push(text.as_str());
            history = *above;
        }
        list.reverse();
        list.join("; ")
    }
}

/// Tells the seats of a step.
fn tell(
    machine: &Machine,
    state: &State,
    actions: &[Action],
    places: &mut [Place],
) -> Result<(), PlayError> {
    let mut seats: Vec<Seat> = places.iter().map(|place| place.told.clone()).collect();
    machine.step_seated(&mut state.clone(), actions, &mut seats, &mut |_| {})?;
    for (place, told) in std::iter::zip(places, seats) {
        place.told = told;
    }
    Ok(())
}

/// The greatest number that divides both.
fn common(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { common(b, a % b) }
}
