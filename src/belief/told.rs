//! What a step tells a player, beside what the player saw.

use crate::machine::{Event, Glimpse, Machine, Observation, PlayError, State, Turn};
use crate::model::{SiteId, SiteKind};
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// Of a step the choices and the draw that a player hears of: where in the text, and whose.
pub type Heard = SmallVec<[(SiteId, Option<u8>); 4]>;

/// In the place of a pattern of parts: the whole choice or draw is seen.
pub const WHOLE: u64 = u64::MAX;

/// Compares what a step tells the player with what it saw.
pub struct Told<'a> {
    seat: usize,
    seen: &'a [Observation],
    /// How many of the observations have come.
    pub used: usize,
    /// What was told instead of the one that was seen; nothing where more was told than was seen.
    pub miss: Option<Observation>,
    /// Whether play may go on where it tells of the same choice, draw or reveal with other values.
    pub lenient: bool,
    /// Where it did: which of the observations it was, and what was told instead.
    pub differing: SmallVec<[(usize, Observation); 1]>,
    /// All that was told of choices and draws, with the parts that were seen.
    events: SmallVec<[(SiteId, Option<u8>, u64); 4]>,
}

impl<'a> Told<'a> {
    pub fn new(seat: usize, seen: &'a [Observation]) -> Told<'a> {
        Told {
            seat,
            seen,
            used: 0,
            miss: None,
            lenient: false,
            differing: SmallVec::new(),
            events: SmallVec::new(),
        }
    }

    pub fn hear(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if !event.viewers.contains(self.seat) {
            return ControlFlow::Continue(());
        }
        let pattern = if event.whole { WHOLE } else { event.pattern };
        self.events.push((event.site, event.chooser, pattern));
        let of_same = |o: &&Observation| {
            o.site == event.site && o.chooser == event.chooser && o.pattern == event.pattern
        };
        let seen = self.seen.get(self.used).filter(of_same);
        if seen.is_some_and(|o| o.values.as_slice() == event.values) {
            self.used += 1;
            return ControlFlow::Continue(());
        }
        let told = Observation::from(event);
        if self.lenient && seen.is_some() {
            self.differing.push((self.used, told));
            self.used += 1;
            return ControlFlow::Continue(());
        }
        self.miss = Some(told);
        ControlFlow::Break(())
    }

    /// The parts that were seen of the choice or the draw at a place; none where nothing was told of it.
    pub fn pattern(&self, site: SiteId, chooser: Option<u8>) -> u64 {
        let mut events = self.events.iter();
        let event = events.find(|(s, c, _)| (*s, *c) == (site, chooser));
        event.map_or(0, |(_, _, pattern)| *pattern)
    }

    /// Of these choices and draws those that were told of.
    pub fn heard(&self, of: &[(SiteId, Option<u8>)]) -> Heard {
        let events = self
            .events
            .iter()
            .map(|(site, chooser, _)| (*site, *chooser));
        events.filter(|event| of.contains(event)).collect()
    }
}

/// Who chooses in a state, and where in the text; `None` stands for chance.
pub type Movers = SmallVec<[(Option<usize>, SiteId); 4]>;

/// Of a state that is not the end.
///
/// # Errors
/// Those of play.
pub fn movers(machine: &Machine, state: &State) -> Result<Movers, PlayError> {
    let site = |who| Ok((who, machine.site_of(state, who)?));
    match machine.turn(state) {
        Turn::Terminal => Ok(Movers::new()),
        Turn::Chance => Ok([site(None)?].into_iter().collect()),
        Turn::Decision(players) => players.iter().map(|p| site(Some(p))).collect(),
    }
}

/// The sites and choosers of events.
pub fn places(movers: &Movers) -> Heard {
    let places = movers.iter();
    places
        .map(|(who, site)| (*site, who.map(|p| p as u8)))
        .collect()
}

/// The choices and the draw of a state that a player will hear of. Which they are does not depend on what is chosen.
///
/// # Errors
/// Those of play.
pub fn will_hear(
    machine: &Machine,
    seat: usize,
    state: &State,
    movers: &Movers,
) -> Result<Heard, PlayError> {
    let mut some = SmallVec::<[_; 4]>::new();
    for (who, _) in movers {
        let mut first = None;
        machine.each_option(state, *who, &mut |action, _| {
            first = Some(action);
            ControlFlow::Break(())
        })?;
        some.extend(first);
    }
    let mut heard = Heard::new();
    if some.len() < movers.len() {
        return Ok(heard);
    }
    let places = places(movers);
    let description = machine.description();
    let mut state = state.clone();
    let _ = machine.step_observed(&mut state, &some, &mut |event: Event<'_>| {
        let place = (event.site, event.chooser);
        if description.site(event.site).kind == SiteKind::Shown {
            return ControlFlow::Continue(());
        }
        if !places.contains(&place) || heard.contains(&place) {
            return ControlFlow::Break(());
        }
        if event.viewers.contains(seat) {
            heard.push(place);
        }
        ControlFlow::Continue(())
    })?;
    Ok(heard)
}

/// What the player, who saw `rest` from a state on, saw of a choice or a draw there; `None` where it was something else, so
/// that this was not the state.
pub fn glimpse<'s>(
    machine: &Machine,
    heard: &Heard,
    rest: &'s [Observation],
    place: (SiteId, Option<u8>),
) -> Option<Glimpse<'s>> {
    if !heard.contains(&place) {
        return Some(Glimpse::NOTHING);
    }
    let description = machine.description();
    let shown = |o: &&Observation| description.site(o.site).kind == SiteKind::Shown;
    let mut rest = rest.iter().filter(|o| !shown(o));
    let found = rest.find(|o| {
        let at = (o.site, o.chooser);
        at == place || !heard.contains(&at)
    })?;
    ((found.site, found.chooser) == place).then(|| Glimpse::from(found))
}
