//! Sets of players.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

/// A set of players by their seats, from 0 to [`PlayerSet::MOST`] − 1. Serialised as a number with one bit for each player,
/// the lowest for seat 0; so it stands in a frame of the machine, too.
#[derive(
    Copy, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(transparent)]
pub struct PlayerSet(u32);

impl PlayerSet {
    /// How many players there can be.
    pub const MOST: usize = u32::BITS as usize;

    /// Nobody.
    pub const EMPTY: PlayerSet = PlayerSet(0);

    /// Everybody who can be at all.
    pub const ALL: PlayerSet = PlayerSet(u32::MAX);

    /// One player. Nobody, if the seat is beyond the greatest.
    #[inline]
    #[doc(hidden)]
    pub const fn only(player: usize) -> PlayerSet {
        PlayerSet((1u64 << if player < 64 { player } else { 63 }) as u32)
    }

    /// The players in the seats from 0 to `count` − 1.
    #[inline]
    #[doc(hidden)]
    pub const fn first(count: usize) -> PlayerSet {
        if count >= PlayerSet::MOST {
            return PlayerSet::ALL;
        }
        PlayerSet((1 << count) - 1)
    }

    /// The set that a word of the machine stands for; bits beyond the greatest seat do not count.
    #[inline]
    #[doc(hidden)]
    pub const fn from_word(word: u64) -> PlayerSet {
        PlayerSet(word as u32)
    }

    /// The set that the words of a value of type `set of Player` stand for.
    #[doc(hidden)]
    pub fn from_words(words: &[u64]) -> PlayerSet {
        PlayerSet::from_word(words.first().copied().unwrap_or(0))
    }

    /// The set as a word of the machine.
    #[inline]
    #[doc(hidden)]
    pub const fn word(self) -> u64 {
        self.0 as u64
    }

    /// Whether the player in this seat is one of them.
    #[inline]
    pub const fn contains(self, player: usize) -> bool {
        player < PlayerSet::MOST && self.0 >> player & 1 == 1
    }

    /// Whether all of the others are among them.
    #[inline]
    pub const fn contains_all(self, others: PlayerSet) -> bool {
        others.0 & !self.0 == 0
    }

    /// Whether there is nobody in it.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many players there are in it.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    #[inline]
    #[doc(hidden)]
    pub fn insert(&mut self, player: usize) {
        *self |= PlayerSet::only(player);
    }

    #[inline]
    #[doc(hidden)]
    pub fn remove(&mut self, player: usize) {
        *self -= PlayerSet::only(player);
    }

    /// The player in the lowest seat.
    #[inline]
    pub const fn lowest(self) -> Option<usize> {
        match self.0 {
            0 => None,
            bits => Some(bits.trailing_zeros() as usize),
        }
    }

    /// How many of its players sit in lower seats than this one.
    #[inline]
    #[doc(hidden)]
    pub const fn rank(self, player: usize) -> usize {
        (self.0 & PlayerSet::first(player).0).count_ones() as usize
    }

    /// Its players, in the order of their seats.
    #[inline]
    pub const fn iter(self) -> Players {
        Players(self)
    }
}

/// The players of a set, in the order of their seats.
#[derive(Clone, Debug)]
pub struct Players(PlayerSet);

impl Iterator for Players {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let player = self.0.lowest()?;
        self.0.0 &= self.0.0 - 1;
        Some(player)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Players {}

impl IntoIterator for PlayerSet {
    type Item = usize;
    type IntoIter = Players;

    #[inline]
    fn into_iter(self) -> Players {
        self.iter()
    }
}

impl FromIterator<usize> for PlayerSet {
    fn from_iter<I: IntoIterator<Item = usize>>(players: I) -> PlayerSet {
        let mut set = PlayerSet::EMPTY;
        set.extend(players);
        set
    }
}

impl Extend<usize> for PlayerSet {
    fn extend<I: IntoIterator<Item = usize>>(&mut self, players: I) {
        players.into_iter().for_each(|p| self.insert(p));
    }
}

impl BitOr for PlayerSet {
    type Output = PlayerSet;

    #[inline]
    fn bitor(self, other: PlayerSet) -> PlayerSet {
        PlayerSet(self.0 | other.0)
    }
}

impl BitAnd for PlayerSet {
    type Output = PlayerSet;

    #[inline]
    fn bitand(self, other: PlayerSet) -> PlayerSet {
        PlayerSet(self.0 & other.0)
    }
}

impl Sub for PlayerSet {
    type Output = PlayerSet;

    #[inline]
    fn sub(self, other: PlayerSet) -> PlayerSet {
        PlayerSet(self.0 & !other.0)
    }
}

impl BitOrAssign for PlayerSet {
    #[inline]
    fn bitor_assign(&mut self, other: PlayerSet) {
        *self = *self | other;
    }
}

impl BitAndAssign for PlayerSet {
    #[inline]
    fn bitand_assign(&mut self, other: PlayerSet) {
        *self = *self & other;
    }
}

impl SubAssign for PlayerSet {
    #[inline]
    fn sub_assign(&mut self, other: PlayerSet) {
        *self = *self - other;
    }
}

/// By seats: `{0, 2}`.
impl fmt::Debug for PlayerSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_players_is_a_set() {
        let mut set = PlayerSet::only(2) | PlayerSet::only(0);
        assert_eq!(format!("{set:?}"), "{0, 2}");
        assert_eq!((set.len(), set.lowest(), set.word()), (2, Some(0), 0b101));
        assert_eq!(set.iter().map(|p| set.rank(p)).collect::<Vec<_>>(), [0, 1]);
        set.insert(31);
        set.remove(0);
        set.remove(5);
        assert_eq!(set, [31, 2].into_iter().collect());
        assert_eq!(set & PlayerSet::first(3), PlayerSet::only(2));
        assert_eq!(set - PlayerSet::first(3), PlayerSet::only(31));
        assert!(set.contains(31) && !set.contains(0));
        assert!(PlayerSet::ALL.contains_all(set) && !set.contains_all(PlayerSet::ALL));
        assert!(PlayerSet::EMPTY.is_empty() && PlayerSet::EMPTY.lowest().is_none());
    }

    #[test]
    fn seats_beyond_the_greatest_hold_nobody() {
        for player in [32, 33, 63, 64, usize::MAX] {
            assert!(PlayerSet::only(player).is_empty(), "{player}");
            assert!(!PlayerSet::ALL.contains(player), "{player}");
        }
        assert_eq!(PlayerSet::first(32), PlayerSet::ALL);
        assert_eq!(PlayerSet::first(99), PlayerSet::ALL);
        assert_eq!(PlayerSet::from_word(1 << 40 | 1), PlayerSet::only(0));
    }
}
