//! How good an action was on the whole, wherever it was played: Progressive History (Nijssen & Winands 2012, section III-A,
//! eq. 1).

use crate::machine::Action;
use rustc_hash::FxHashMap;

/// A choice in the text of the game, by the node where it is asked, and who makes it.
type Asked = (u32, u8);

/// The payoffs of the playouts in which an action was played.
#[derive(Copy, Clone, Debug, Default)]
struct Record {
    playouts: f64,
    /// From 0 for the least payoff of the player to 1 for the greatest.
    sum: f64,
    /// The last playout in which it was played: one counts once.
    last: u64,
}

/// The records of all actions, by the choice, the player and the action, from the tree and the roll-outs.
#[derive(Debug)]
pub struct ActionHistory {
    records: FxHashMap<Asked, FxHashMap<Action, Record>>,
    playouts: u64,
    /// About how many bytes more may be kept.
    room: usize,
}

/// It grows to about so many bytes; an action that comes later has no record, as one that was never played.
const MOST: usize = 1 << 28;

/// About how many bytes a record takes in its table, beside the words of a long action.
const RECORD: usize = 2 * (size_of::<Action>() + size_of::<Record>());

impl Default for ActionHistory {
    fn default() -> ActionHistory {
        ActionHistory {
            records: FxHashMap::default(),
            playouts: 0,
            room: MOST,
        }
    }
}

impl ActionHistory {
    /// A playout is over. What was played in it is told by [`ActionHistory::learn`].
    pub fn next_playout(&mut self) {
        self.playouts += 1;
    }

    /// An action was played in the last playout, which brought the player so much, between 0 and 1.
    pub fn learn(&mut self, asked: Asked, action: &Action, payoff: f64) {
        let records = self.records.entry(asked).or_default();
        let record = match records.get_mut(action) {
            Some(record) => record,
            None => {
                let words = if action.0.spilled() {
                    action.0.len()
                } else {
                    0
                };
                let bytes = RECORD + words * size_of::<u64>();
                if self.room < bytes {
                    return;
                }
                self.room -= bytes;
                records.entry(action.clone()).or_default()
            }
        };
        if record.last != self.playouts {
            record.last = self.playouts;
            record.playouts += 1.0;
            record.sum += payoff;
        }
    }

    /// The mean payoff of the playouts in which an action was played, between 0 and 1; 0 for one that never was.
    pub fn mean(&self, asked: Asked, action: &Action) -> f64 {
        let record = self.records.get(&asked).and_then(|r| r.get(action));
        record.map_or(0.0, |r| r.sum / r.playouts)
    }
}

/// W · x̄ₐ / (nᵢ · (1 − x̄ᵢ) + 1), the last term of eq. 1: `mean` is what the action brought wherever it was played, `visits` and
/// `won` are those of the action at the node and the sum of what they brought, all payoffs between 0 and 1. In units of W.
pub fn bias(w: f64, mean: f64, visits: f64, won: f64) -> f64 {
    w * mean / ((visits - won).max(0.0) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 5 · 0.6 / (10 · (1 − 0.4) + 1), and what is left of it where nothing was lost.
    #[test]
    fn what_an_action_brought_elsewhere_counts_less_the_more_it_lost() {
        assert!((bias(5.0, 0.6, 10.0, 4.0) - 3.0 / 7.0).abs() < 1e-12);
        assert_eq!(bias(5.0, 0.6, 10.0, 10.0), 3.0);
        assert_eq!(bias(5.0, 0.0, 10.0, 4.0), 0.0);
    }

    #[test]
    fn what_comes_when_it_is_full_has_no_record() {
        let mut history = ActionHistory {
            room: 2 * RECORD,
            ..ActionHistory::default()
        };
        for round in 0..2 {
            for n in 0..3 {
                history.next_playout();
                history.learn((0, 0), &Action([n].into_iter().collect()), 1.0);
                let mean = history.mean((0, 0), &Action([n].into_iter().collect()));
                assert_eq!(mean, f64::from(u8::from(n < 2)), "{round}");
            }
        }
        assert_eq!(history.room, 0);
    }

    #[test]
    fn a_playout_counts_once() {
        let mut history = ActionHistory::default();
        let action = Action([3].into_iter().collect());
        assert_eq!(history.mean((0, 0), &action), 0.0);
        for payoff in [1.0, 0.0] {
            history.next_playout();
            history.learn((0, 0), &action, payoff);
            history.learn((0, 0), &action, payoff);
        }
        assert_eq!(history.mean((0, 0), &action), 0.5);
        assert_eq!(history.mean((0, 1), &action), 0.0);
        assert_eq!(history.mean((1, 0), &action), 0.0);
    }
}
