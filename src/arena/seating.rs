//! Who plays which seat: `Alice=uct(playouts=1000),Bob=random`, or specs without a seat.
//!
//! - A seat may be named; nobody else plays it. The name of a team stands for its members that are not named.
//! - One spec without a seat plays every seat that is not named.
//! - Several specs without a seat share out the seats that are not named, as many as there are, in every way: the seating
//!   changes from game to game so that in each *round* (as many games as there are such specs) everybody plays each seat
//!   once, and all permutations come up in turn.

use super::codes;
use crate::machine::Machine;
use crate::model::PlayerSet;
use crate::players::PlayerSpec;
use crate::players::codes::UNKNOWN_PLAYER;
use crate::players::spec::{settings_after, span, split, trim};
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::nearest::{nearest, position};
use crate::text::plural::plural;
use crate::text::span::Span;
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

/// What may be named in a game.
struct Seats<'m> {
    names: Vec<&'m str>,
    teams: Vec<(&'m str, PlayerSet)>,
}

impl<'m> Seats<'m> {
    fn of(machine: &'m Machine) -> Seats<'m> {
        let teams = machine.description().teams.iter();
        Seats {
            names: machine.player_names().collect(),
            teams: teams.map(|t| (t.name.as_str(), t.members)).collect(),
        }
    }

    fn team_names(&self) -> impl Iterator<Item = &'m str> {
        self.teams.iter().map(|(name, _)| *name)
    }

    fn list(&self) -> String {
        let mut list = format!("seats: {}", self.names.join(", "));
        if !self.teams.is_empty() {
            let teams: Vec<&str> = self.team_names().collect();
            list.push_str(&format!("; teams: {}", teams.join(", ")));
        }
        list
    }
}

/// The people who play beside others.
#[doc(hidden)]
#[derive(Copy, Clone, Debug, Default)]
pub struct People<'p> {
    pub seats: &'p [usize],
    /// They have said where they sit: then a team of theirs stands for its other members.
    pub have_chosen: bool,
}

/// One part of the text.
struct Entry {
    /// What stands before the `=`.
    name: Option<Range<usize>>,
    spec: PlayerSpec,
    range: Range<usize>,
}

/// A player, and the seat that it always plays, with where in the text that is said.
struct Seated {
    seat: Option<(usize, Range<usize>)>,
    spec: PlayerSpec,
    range: Range<usize>,
}

impl SeatingPlan {
    /// Reads who plays which seat; `seats` are the names of the players of the game, in order.
    ///
    /// # Errors
    /// A report with a span in `text`: its codes are those of seating and of player specs.
    pub fn parse<S: AsRef<str>>(text: &str, seats: &[S]) -> Result<SeatingPlan, Box<Diagnostic>> {
        let names = seats.iter().map(AsRef::as_ref).collect();
        let teams = Vec::new();
        SeatingPlan::read(text, &Seats { names, teams }, People::default())
    }

    /// As [`SeatingPlan::parse`], for the seats of a game. The name of a team stands for those of its members that are not
    /// named themselves.
    ///
    /// # Errors
    /// As [`SeatingPlan::parse`].
    pub fn parse_for(text: &str, machine: &Machine) -> Result<SeatingPlan, Box<Diagnostic>> {
        SeatingPlan::read(text, &Seats::of(machine), People::default())
    }

    /// As [`SeatingPlan::parse_for`], for one game in which people have taken some seats: who plays each of the others.
    ///
    /// # Errors
    /// As [`SeatingPlan::parse`].
    #[doc(hidden)]
    pub fn beside_people(
        text: &str,
        machine: &Machine,
        people: People<'_>,
    ) -> Result<Vec<Option<PlayerSpec>>, Box<Diagnostic>> {
        SeatingPlan::beside(text, &Seats::of(machine), people)
    }

    fn beside(
        text: &str,
        seats: &Seats<'_>,
        people: People<'_>,
    ) -> Result<Vec<Option<PlayerSpec>>, Box<Diagnostic>> {
        let plan = SeatingPlan::read(text, seats, people)?;
        let mut rotating = plan.rotating.iter();
        let who = plan.fixed.iter().enumerate().map(|(seat, fixed)| {
            if people.seats.contains(&seat) {
                return None;
            }
            let spec = (*fixed).or_else(|| rotating.next().copied())?;
            Some(plan.specs[spec].clone())
        });
        Ok(who.collect())
    }

    /// The players of the seats that people have not taken.
    fn read(
        text: &str,
        seats: &Seats<'_>,
        people: People<'_>,
    ) -> Result<SeatingPlan, Box<Diagnostic>> {
        let names = seats.names.as_slice();
        let entries = split(text, 0..text.len(), ',')
            .into_iter()
            .map(|part| read_entry(text, part, seats))
            .collect::<Result<Vec<Entry>, _>>()?;
        let entries = with_members(text, entries, seats, people)?;
        let people = people.seats;

        let mut fixed = vec![None; names.len()];
        for (i, entry) in entries.iter().enumerate() {
            let Some((seat, range)) = &entry.seat else {
                continue;
            };
            if people.contains(seat) {
                let message = format!("a person plays {}", names[*seat]);
                let hint = "name each seat once";
                return Err(report(codes::SEAT_TAKEN, range.clone(), message, hint));
            }
            if fixed[*seat].is_some() {
                let message = format!("{} has two players", names[*seat]);
                let hint = "name each seat once";
                return Err(report(codes::SEAT_TAKEN, range.clone(), message, hint));
            }
            fixed[*seat] = Some(i);
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

/// The parts of the text with their seats; one with the name of a team stands for each member that is left.
fn with_members(
    text: &str,
    entries: Vec<Entry>,
    seats: &Seats<'_>,
    people: People<'_>,
) -> Result<Vec<Seated>, Box<Diagnostic>> {
    let mut named: Vec<Option<Named>> = Vec::new();
    for entry in &entries {
        named.push(match &entry.name {
            Some(range) => Some(find(&text[range.clone()], range, seats)?),
            None => None,
        });
    }
    let is_named = |seat: usize| {
        let mut named = named.iter().flatten();
        named.any(|name| matches!(name, Named::Seat(own) if *own == seat))
    };
    let mut seated = Vec::new();
    for (entry, named) in std::iter::zip(entries, &named) {
        let Entry { name, spec, range } = entry;
        let places: Vec<Option<usize>> = match named {
            None => vec![None],
            Some(Named::Seat(seat)) => vec![Some(*seat)],
            Some(Named::Team(members)) => {
                let stands_for = |seat: &usize| {
                    let is_left_out = people.have_chosen && people.seats.contains(seat);
                    !is_named(*seat) && !is_left_out
                };
                members.iter().filter(stands_for).map(Some).collect()
            }
        };
        if places.is_empty() {
            let range = name.unwrap_or(range);
            let team = &text[range.clone()];
            let (message, hint) = match named {
                Some(Named::Team(members)) if members.iter().all(|s| people.seats.contains(&s)) => {
                    (format!("people play all of {team}"), "leave the team out")
                }
                _ => (
                    format!("all members of {team} are named already"),
                    "leave the team out, or one of its members",
                ),
            };
            return Err(report(codes::SEAT_TAKEN, range, message, hint));
        }
        seated.extend(places.into_iter().map(|seat| Seated {
            seat: seat.zip(name.clone()),
            spec: spec.clone(),
            range: range.clone(),
        }));
    }
    Ok(seated)
}

/// What a name before a `=` stands for.
enum Named {
    Seat(usize),
    Team(PlayerSet),
}

fn find(name: &str, range: &Range<usize>, seats: &Seats<'_>) -> Result<Named, Box<Diagnostic>> {
    if name.is_empty() {
        let message = "a seat is missing before the `=`".to_string();
        return Err(report(
            codes::UNKNOWN_SEAT,
            range.clone(),
            message,
            &seats.list(),
        ));
    }
    let teams: Vec<&str> = seats.team_names().collect();
    // A team may differ from a player only in large letters.
    let is_team = teams.contains(&name) && !seats.names.contains(&name);
    if !is_team && let Some(seat) = position(name, &seats.names) {
        return Ok(Named::Seat(seat));
    }
    match position(name, &teams) {
        Some(team) => Ok(Named::Team(seats.teams[team].1)),
        None => Err(unknown_seat(name, range.clone(), seats)),
    }
}

fn read_entry(text: &str, part: Range<usize>, seats: &Seats<'_>) -> Result<Entry, Box<Diagnostic>> {
    let range = trim(text, part);
    let stop = text[range.clone()]
        .find('(')
        .map_or(range.end, |i| range.start + i);
    let equals = text[range.start..stop].find('=').map(|i| range.start + i);
    let (name, spec) = match equals {
        Some(at) => (Some(trim(text, range.start..at)), at + 1..range.end),
        None => (None, range.clone()),
    };
    let spec = PlayerSpec::parse_at(text, spec).map_err(|d| {
        let word = &text[range.clone()];
        if let Some(spec) = settings_after(word).filter(|_| d.code == UNKNOWN_PLAYER) {
            return Box::new(Diagnostic {
                message: format!("`{word}` is no player"),
                span: Span::new(range.start, range.end),
                hint: Some(format!("settings stand in brackets: write `{spec}`")),
                ..*d
            });
        }
        if seats.names.contains(&word) {
            Box::new(d.hint(format!("{word} is a seat: write `{word}=random`")))
        } else if seats.team_names().any(|team| team == word) {
            Box::new(d.hint(format!("{word} is a team: write `{word}=random`")))
        } else {
            d
        }
    })?;
    Ok(Entry { name, spec, range })
}

fn unknown_seat(name: &str, range: Range<usize>, seats: &Seats<'_>) -> Box<Diagnostic> {
    let list = seats.list();
    let names = seats.names.iter().copied().chain(seats.team_names());
    let hint = match nearest(name, names) {
        Some(near) => format!("did you mean `{near}`? {list}"),
        None => list,
    };
    let message = match seats.teams.is_empty() {
        true => format!("the game has no player `{name}`"),
        false => format!("the game has no player and no team `{name}`"),
    };
    report(codes::UNKNOWN_SEAT, range, message, &hint)
}

fn do_not_fit(
    players: usize,
    free: usize,
    (seats, people): (&[&str], &[usize]),
    range: Range<usize>,
) -> Box<Diagnostic> {
    let message = if free == 0 {
        format!("no seat is left for {}", plural(players, "more player"))
    } else {
        format!(
            "{} for {}",
            plural(players, "player"),
            plural(free, "free seat")
        )
    };
    let hint = format!(
        "the game has {}{}",
        plural(seats.len(), "seat"),
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
            let (names, teams) = (SEATS.to_vec(), Vec::new());
            let people = People {
                seats: people,
                have_chosen: true,
            };
            let found = SeatingPlan::beside(text, &Seats { names, teams }, people);
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

    fn with_team(text: &str, people: &[usize]) -> Result<SeatingPlan, Box<Diagnostic>> {
        let people = People {
            seats: people,
            have_chosen: true,
        };
        let (names, sides) = (SEATS.to_vec(), PlayerSet::from_word(0b110));
        let teams = vec![("Sides", sides)];
        SeatingPlan::read(text, &Seats { names, teams }, people)
    }

    #[test]
    fn a_team_is_its_members() {
        let text = |text: &str| with_team(text, &[]).unwrap().text(&SEATS);
        assert_eq!(
            text("North=random,sides=uct(c=1)"),
            "North=random,East=uct(playouts=1000, c=1),West=uct(playouts=1000, c=1)"
        );
        // A member may have a player of its own.
        assert_eq!(
            text("Sides=random,East=uct(ms=5),random"),
            "West=random,East=uct(ms=5),North=random"
        );
        let west = with_team("Sides=random,uct", &[1]).unwrap();
        assert_eq!(west.seating(0), [1, 0, 0]);
        // Who has not said where they sit gets no seat that a team stands for.
        let (names, teams) = (SEATS.to_vec(), vec![("Sides", PlayerSet::from_word(0b110))]);
        let anywhere = People {
            seats: &[1],
            have_chosen: false,
        };
        let taken = SeatingPlan::read("Sides=random,uct", &Seats { names, teams }, anywhere);
        assert_eq!(taken.unwrap_err().message, "a person plays East");
        // A team may be named as a player is, but for large letters.
        let (names, teams) = (SEATS.to_vec(), vec![("WEST", PlayerSet::from_word(0b011))]);
        let plan = SeatingPlan::read(
            "WEST=random,West=uct",
            &Seats { names, teams },
            People::default(),
        );
        assert_eq!(plan.unwrap().seating(0), [0, 1, 2]);
        let said = |text: &str, people: &[usize]| {
            let problem = with_team(text, people).unwrap_err();
            let hint = problem.hint.unwrap_or_default();
            format!("{} {}; {hint}", problem.code.0, problem.message)
        };
        assert_eq!(
            said("North=random,Side=uct", &[]),
            "E0760 the game has no player and no team `Side`; did you mean `Sides`? seats: North, East, West; teams: Sides"
        );
        assert_eq!(
            said("Sides=random,random", &[1, 2]),
            "E0761 people play all of Sides; leave the team out"
        );
        assert!(said("=uct", &[]).ends_with("seats: North, East, West; teams: Sides"));
        assert!(said("Sides", &[]).ends_with("Sides is a team: write `Sides=random`"));
        let twice = said("Sides=random,Sides=uct,random", &[]);
        assert!(twice.starts_with("E0761 East has two players"), "{twice}");
        let none = said("East=uct,West=uct,Sides=random,random", &[]);
        assert!(
            none.starts_with("E0761 all members of Sides are named already"),
            "{none}"
        );
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
