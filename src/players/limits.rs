//! How long the search of a player may take.

use super::Clock;
use super::catalogue::DEFAULT_PLAYOUTS;
use super::patience::Patience;
use super::spec::PlayerSpec;
use crate::search::Budget;
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

/// How long a search may take, by its spec.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    playouts: Option<u64>,
    time: Option<Duration>,
}

impl Limits {
    pub fn of(spec: &PlayerSpec) -> Limits {
        let time = spec.count("ms").map(Duration::from_millis);
        let unlimited = if time.is_some() {
            None
        } else {
            Some(DEFAULT_PLAYOUTS)
        };
        Limits {
            playouts: spec.count("playouts").or(unlimited),
            time,
        }
    }

    /// Says whether there is time left, counted from here.
    pub fn in_time(&self, clock: &Clock) -> impl Fn() -> bool + use<> {
        let (clock, time) = (Arc::clone(clock), self.time);
        let start = clock();
        move || time.is_none_or(|limit| clock().saturating_sub(start) < limit)
    }

    /// What a budget asks before every playout but the first: whether there is time left, and patience.
    pub fn keep_going<'a>(
        in_time: &'a dyn Fn() -> bool,
        patience: Patience<'a>,
    ) -> impl Fn() -> bool + 'a {
        let begun = Cell::new(0);
        move || {
            begun.set(begun.get() + 1);
            patience.waits(begun.get()) && in_time()
        }
    }

    /// The budget of one search, which also ends when `keep_going` says so.
    pub fn budget<'a>(&self, keep_going: &'a dyn Fn() -> bool) -> Budget<'a> {
        Budget {
            playouts: self.playouts,
            keep_going,
        }
    }
}
