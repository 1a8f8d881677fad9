//! Who plays which seat: `Alice=uct(playouts=1000),Bob=random`, or specs without a seat.
//!
//! - A seat may be named; nobody else plays it.
//! - One spec without a seat plays every seat that is not named.
//! - Several specs without a seat share out the seats that are not named, as many as there are, in every way: the seating
//!   changes from game to game so that in each *round* (as many games as there are such specs) everybody plays each seat
//!   once, and all permutations come up in turn.

use super::codes;
use crate::players::PlayerSpec;
use crate::players::spec::{span, split, trim};
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::nearest::{nearest, position};
use std::borrow::Cow;
use std::ops::Range;

/// The players of a match and the seats they take, from a text such as `Alice=uct(playouts=1000),Bob=random`.
///
/// A spec with the name of a seat plays that seat. One spec without a name plays all other seats; several share them out in
/// every way, so that in a round everybody plays each seat once.
#[derive(Clone, Debug)]
pub struct SeatingPlan {
    /// In the order of the text. The same spec may stand here twice.
    specs: Vec<PlayerSpec>,
    /// For each seat, the place in `specs` of who always plays it.
    fixed: Vec<Option<usize>>,
    /// The specs that change seats; none or at least two.
    rotating: Vec<usize>,
}

/// One part of the text.
struct Entry {
    seat: Option<Range<usize>>,
    spec: PlayerSpec,
    range: Range<usize>,
}

impl SeatingPlan {
    /// Reads who plays which seat; `seats` are the names of the players of the game, in order.
    ///
    /// # Errors
    /// A report with a span in `text`: its codes are those of seating and of player specs.
    pub fn parse<S: AsRef<str>>(text: &str, seats: &[S]) -> Result<SeatingPlan, Box<Diagnostic>> {
        let names: Vec<&str> = seats.iter().map(AsRef::as_ref).collect();
        SeatingPlan::read(text, &names, &[])
    }

    /// As [`SeatingPlan::parse`], for one game in which people have taken some seats: who plays each of the others.
    ///
    /// # Errors
    /// As [`SeatingPlan::parse`].
    #[doc(hidden)]
    pub fn beside_people<S: AsRef<str>>(
        text: &str,
        seats: &[S],
        people: &[usize],
    ) -> Result<Vec<Option<PlayerSpec>>, Box<Diagnostic>> {
        let names: Vec<&str> = seats.iter().map(AsRef::as_ref).collect();
        let plan = SeatingPlan::read(text, &names, people)?;
        let mut rotating = plan.rotating.iter();
        let who = plan.fixed.iter().enumerate().map(|(seat, fixed)| {
            if people.contains(&seat) {
                return None;
            }
            let spec = (*fixed).or_else(|| rotating.next().copied())?;
            Some(plan.specs[spec].clone())
        });
        Ok(who.collect())
    }

    /// The players of the seats that people have not taken.
    fn read(text: &str, names: &[&str], people: &[usize]) -> Result<SeatingPlan, Box<Diagnostic>> {
        let entries = split(text, 0..text.len(), ',')
            .into_iter()
            .map(|part| read_entry(text, part, names))
            .collect::<Result<Vec<Entry>, _>>()?;

        let mut fixed = vec![None; names.len()];
        for (i, entry) in entries.iter().enumerate() {
            let Some(range) = &entry.seat else { continue };
            let name = &text[range.clone()];
            if name.is_empty() {
                let message = "a seat is missing before the `=`".to_string();
                let hint = format!("seats: {}", names.join(", "));
                return Err(report(codes::UNKNOWN_SEAT, range.clone(), message, &hint));
            }
            let Some(seat) = position(name, names) else {
                return Err(unknown_seat(name, range.clone(), names));
            };
            if people.contains(&seat) {
                let message = format!("a person plays {}", names[seat]);
                let hint = "name each seat once";
                return Err(report(codes::SEAT_TAKEN, range.clone(), message, hint));
            }
            if fixed[seat].is_some() {
                let message = format!("{name} has two players");
                let hint = "name each seat once";
                return Err(report(codes::SEAT_TAKEN, range.clone(), message, hint));
            }
            fixed[seat] = Some(i);
        }

        let is_free = |s: &usize| fixed[*s].is_none() && !people.contains(s);
        let free: Vec<usize> = (0..names.len()).filter(is_free).collect();
        let unnamed: Vec<usize> = (0..entries.len())
            .filter(|&i| entries[i].seat.is_none())
            .collect();
        let mut rotating = Vec::new();
        match (unnamed.as_slice(), free.len()) {
            ([], 0) => {}
            ([], _) => {
                let names: Vec<&str> = free.iter().map(|&s| names[s]).collect();
                let message = format!("nobody plays {}", names.join(", "));
                let hint = format!("add `{}=random`, or a player without a seat", names[0]);
                return Err(report(
                    codes::SEAT_EMPTY,
                    trim(text, 0..text.len()),
                    message,
                    &hint,
                ));
            }
            ([one], n) if n > 0 => free.iter().for_each(|&seat| fixed[seat] = Some(*one)),
            (several, n) if several.len() == n => rotating = unnamed,
            (several, n) => {
                let range =
                    entries[several[0]].range.start..entries[several[several.len() - 1]].range.end;
                return Err(do_not_fit(several.len(), n, (names, people), range));
            }
        }
        Ok(SeatingPlan {
            specs: entries.into_iter().map(|e| e.spec).collect(),
            fixed,
            rotating,
        })
    }

    /// Whether a problem of [`SeatingPlan::parse`] is one of seats, and not of a player.
    pub fn is_about_seats(problem: &Diagnostic) -> bool {
        let of_seats = [
            codes::UNKNOWN_SEAT,
            codes::SEAT_TAKEN,
            codes::SEAT_EMPTY,
            codes::SEATS_DO_NOT_FIT,
        ];
        of_seats.contains(&problem.code)
    }

    /// The players, in the order of the text.
    pub fn specs(&self) -> &[PlayerSpec] {
        &self.specs
    }

    /// The same plan with each player in its place made ready by `prepare`, once where the same player stands there twice.
    ///
    /// # Errors
    /// The first of `prepare`.
    pub fn prepared<E>(
        mut self,
        mut prepare: impl FnMut(&PlayerSpec) -> Result<PlayerSpec, E>,
    ) -> Result<SeatingPlan, E> {
        for i in 0..self.specs.len() {
            let known = self.specs[..i].iter().find(|s| **s == self.specs[i]);
            self.specs[i] = match known {
                Some(ready) => ready.clone(),
                None => prepare(&self.specs[i])?,
            };
        }
        Ok(self)
    }

    /// How many games make a round in which everybody plays each of their seats equally often; 1 when nobody changes seats.
    pub fn round(&self) -> u64 {
        self.rotating.len().max(1) as u64
    }

    /// Whether everybody is `random`.
    pub(super) fn is_random(&self) -> bool {
        self.specs.iter().all(PlayerSpec::is_random)
    }

    /// Whether the player at this place in [`SeatingPlan::specs`] may sit on this seat.
    pub fn may_sit(&self, spec: usize, seat: usize) -> bool {
        match self.fixed[seat] {
            Some(one) => one == spec,
            None => self.rotating.contains(&spec),
        }
    }

    /// Who plays in game number `game`: for each seat, the place in [`SeatingPlan::specs`].
    pub fn seating(&self, game: u64) -> Vec<usize> {
        let order = permutation(self.rotating.len(), game);
        let mut rotating = order.iter().map(|&i| self.rotating[i]);
        self.fixed
            .iter()
            .map(|fixed| fixed.or_else(|| rotating.next()).unwrap_or(0))
            .collect()
    }
}

/// The most seatings that are kept.
const MOST_KEPT: u64 = 120;

/// The seatings of a plan for games one after the other, made once where they soon come again.
#[derive(Clone, Debug)]
pub struct Seatings<'p> {
    plan: &'p SeatingPlan,
    /// Those of the first games, after which they come again; nothing where there are many.
    kept: Vec<Vec<usize>>,
}

impl<'p> Seatings<'p> {
    pub fn new(plan: &'p SeatingPlan) -> Seatings<'p> {
        // More than so many factors are too many.
        let factors = 1..=plan.round().min(MOST_KEPT);
        let period = factors.fold(1, u64::saturating_mul);
        let kept = match period {
            1..=MOST_KEPT => (0..period).map(|game| plan.seating(game)).collect(),
            _ => Vec::new(),
        };
        Seatings { plan, kept }
    }

    /// As [`SeatingPlan::seating`].
    #[inline]
    pub fn of(&self, game: u64) -> Cow<'_, [usize]> {
        match self.kept.len() as u64 {
            0 => Cow::Owned(self.plan.seating(game)),
            1 => Cow::Borrowed(&self.kept[0]),
            n => Cow::Borrowed(&self.kept[(game % n) as usize]),
        }
    }
}

impl SeatingPlan {
    /// A text that reads back as the same plan for a game with these seats.
    #[doc(hidden)]
    pub fn text<S: AsRef<str>>(&self, seats: &[S]) -> String {
        let places = |spec| (0..seats.len()).filter(move |&s| self.fixed[s] == Some(spec));
        let entries = self.specs.iter().enumerate().map(|(i, spec)| {
            let mut places = places(i);
            match (places.next(), places.next()) {
                (Some(seat), None) => format!("{}={spec}", seats[seat].as_ref()),
                _ => spec.to_string(),
            }
        });
        entries.collect::<Vec<_>>().join(",")
    }
}

/// Permutation number `index` of `n` things, over and over, such that n in a row from a multiple of n are cyclic shifts of
/// one another.
fn permutation(n: usize, index: u64) -> Vec<usize> {
    if n == 0 {
        return Vec::new();
    }
    let shift = (index % n as u64) as usize;
    let mut code = index / n as u64;
    // The first thing stays; the others are permuted by the factorial digits of `code`.
    let mut rest: Vec<usize> = (1..n).collect();
    let mut order = vec![0];
    while !rest.is_empty() {
        let radix = rest.len() as u64;
        order.push(rest.remove((code % radix) as usize));
        code /= radix;
    }
    order.rotate_right(shift);
    order
}

fn read_entry(text: &str, part: Range<usize>, seats: &[&str]) -> Result<Entry, Box<Diagnostic>> {
    let range = trim(text, part);
    let stop = text[range.clone()]
        .find('(')
        .map_or(range.end, |i| range.start + i);
    let equals = text[range.start..stop].find('=').map(|i| range.start + i);
    let (seat, spec) = match equals {
        Some(at) => (Some(trim(text, range.start..at)), at + 1..range.end),
        None => (None, range.clone()),
    };
    let spec = PlayerSpec::parse_at(text, spec).map_err(|d| {
        let word = &text[range.clone()];
        if seats.contains(&word) {
            Box::new(d.hint(format!("{word} is a seat: write `{word}=random`")))
        } else {
            d
        }
    })?;
    Ok(Entry { seat, spec, range })
}

fn unknown_seat(name: &str, range: Range<usize>, seats: &[&str]) -> Box<Diagnostic> {
    let list = format!("seats: {}", seats.join(", "));
    let hint = match nearest(name, seats.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? {list}"),
        None => list,
    };
    let message = format!("the game has no player `{name}`");
    report(codes::UNKNOWN_SEAT, range, message, &hint)
}

fn do_not_fit(
    players: usize,
    free: usize,
    (seats, people): (&[&str], &[usize]),
    range: Range<usize>,
) -> Box<Diagnostic> {
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let message = if free == 0 {
        format!("no seat is left for {}", count(players, "more player"))
    } else {
        format!(
            "{} for {}",
            count(players, "player"),
            count(free, "free seat")
        )
    };
    let hint = format!(
        "the game has {}{}",
        count(seats.len(), "seat"),
        match people {
            [] => ": name one player, who takes all free seats, or as many as there are free seats"
                .to_string(),
            people => {
                let people: Vec<&str> = people.iter().map(|&p| seats[p]).collect();
                format!(", and people play {}", people.join(", "))
            }
        }
    );
    report(codes::SEATS_DO_NOT_FIT, range, message, &hint)
}

fn report(code: Code, range: Range<usize>, message: String, hint: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(code, span(range), message).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const SEATS: [&str; 3] = ["North", "East", "West"];

    fn plan(text: &str) -> SeatingPlan {
        SeatingPlan::parse(text, &SEATS).unwrap()
    }

    fn problem(text: &str) -> (String, String, String) {
        let d = SeatingPlan::parse(text, &SEATS).unwrap_err();
        let place = text[d.span.range()].to_string();
        (
            d.code.0.to_string(),
            place,
            format!("{}\n{}", d.message, d.hint.unwrap_or_default()),
        )
    }

    #[test]
    fn people_keep_their_seats() {
        let beside = |text: &str, people: &[usize]| {
            let found = SeatingPlan::beside_people(text, &SEATS, people);
            let found =
                found.map_err(|d| format!("{}; {}", d.message, d.hint.unwrap_or_default()))?;
            let names = found.iter().map(|spec| {
                let name = spec.as_ref().map(|s| s.entry().name);
                name.unwrap_or("person")
            });
            Ok::<_, String>(names.collect::<Vec<_>>().join(" "))
        };
        let said = |text, people| beside(text, people).unwrap_err();
        assert_eq!(beside("random", &[1]).unwrap(), "random person random");
        assert_eq!(
            beside("west=uct,random", &[0]).unwrap(),
            "person random uct"
        );
        assert_eq!(beside("uct,random", &[0]).unwrap(), "person uct random");
        assert!(said("East=random,uct", &[1]).starts_with("a person plays East"));
        let none = said("random", &[0, 1, 2]);
        assert_eq!(
            none,
            "no seat is left for 1 more player; the game has 3 seats, and people play North, East, West"
        );
        assert!(
            said("uct,uct", &[0, 1]).starts_with("2 players for 1 free seat; the game has 3 seats")
        );
    }

    #[test]
    fn named_seats_stay() {
        let plan = plan("East=uct(playouts=5, c=1), West = random, North=random");
        assert_eq!(plan.specs()[0].to_string(), "uct(playouts=5, c=1)");
        for game in 0..5 {
            assert_eq!(plan.seating(game), vec![2, 0, 1]);
        }
        assert_eq!(plan.round(), 1);
    }

    #[test]
    fn one_without_a_seat_takes_the_rest() {
        assert_eq!(plan("random").seating(3), vec![0, 0, 0]);
        assert_eq!(plan("random,East=uct").seating(0), vec![0, 1, 0]);
        assert_eq!(
            plan("North=random,East=random,uct").seating(1),
            vec![0, 1, 2]
        );
    }

    #[test]
    fn several_without_a_seat_rotate() {
        let plan = plan("East=random,uct,uct(c=1)");
        assert_eq!(plan.round(), 2);
        assert_eq!(plan.seating(0), vec![1, 0, 2]);
        assert_eq!(plan.seating(1), vec![2, 0, 1]);
        assert_eq!(plan.seating(2), plan.seating(0));
        assert!(plan.may_sit(1, 2) && !plan.may_sit(1, 1) && plan.may_sit(0, 1));
    }

    #[test]
    fn a_plan_reads_back_from_its_text() {
        for (text, canonical) in [
            ("random", "random"),
            ("random , East = uct", "random,East=uct(playouts=1000)"),
            (
                "North=random,East=random,uct(c=1)",
                "North=random,East=random,West=uct(playouts=1000, c=1)",
            ),
            (
                "East=random,uct(ms=5),random",
                "East=random,uct(ms=5),random",
            ),
        ] {
            let first = plan(text);
            assert_eq!(first.text(&SEATS), canonical);
            let again = plan(canonical);
            assert_eq!(again.text(&SEATS), canonical);
            for game in 0..4 {
                assert_eq!(again.seating(game), first.seating(game));
            }
        }
    }

    #[test]
    fn all_permutations_come_up_and_each_round_is_balanced() {
        for n in 1..=5usize {
            let all: u64 = (1..=n as u64).product();
            let list: Vec<Vec<usize>> = (0..all).map(|i| permutation(n, i)).collect();
            assert_eq!(list.iter().collect::<HashSet<_>>().len() as u64, all);
            for round in list.chunks(n) {
                for seat in 0..n {
                    let who: HashSet<usize> = round.iter().map(|order| order[seat]).collect();
                    assert_eq!(who.len(), n);
                }
            }
            assert_eq!(permutation(n, all), list[0]);
        }
    }

    #[test]
    fn many_seats_do_not_overflow() {
        let order = permutation(32, u64::MAX);
        assert_eq!(order.iter().collect::<HashSet<_>>().len(), 32);
    }

    #[test]
    fn wrong_seats_are_named() {
        let (code, place, text) = problem("Nort=random,random");
        assert_eq!((code.as_str(), place.as_str()), ("E0760", "Nort"));
        assert!(
            text.contains("did you mean `North`? seats: North, East, West"),
            "{text}"
        );
        let (code, _, text) = problem("=random");
        assert_eq!(code, "E0760");
        assert!(text.starts_with("a seat is missing"), "{text}");
        assert_eq!(problem("East=random,East=uct,random").0, "E0761");
        let (code, _, text) = problem("East=random");
        assert_eq!(code, "E0762");
        assert!(text.starts_with("nobody plays North, West"), "{text}");
        let (code, place, text) = problem("random,uct");
        assert_eq!((code.as_str(), place.as_str()), ("E0763", "random,uct"));
        assert!(text.starts_with("2 players for 3 free seats"), "{text}");
        let (code, _, text) = problem("North=random,East=random,West=random,uct");
        assert_eq!(code, "E0763");
        assert!(
            text.starts_with("no seat is left for 1 more player"),
            "{text}"
        );
    }

    #[test]
    fn errors_of_specs_point_into_the_whole_text() {
        let (code, place, _) = problem("East=random,West=uct(playout=3),random");
        assert_eq!((code.as_str(), place.as_str()), ("E0752", "playout"));
        let (code, place, text) = problem("East,random");
        assert_eq!((code.as_str(), place.as_str()), ("E0751", "East"));
        assert!(text.contains("write `East=random`"), "{text}");
        assert_eq!(problem("").0, "E0751");
        assert_eq!(problem("random,").0, "E0751");
    }
}
