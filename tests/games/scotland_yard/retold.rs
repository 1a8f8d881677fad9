//! The rules once more, in Rust and without the language, for games on any map. The edges are read from the text of the
//! game; nothing else is.

use std::collections::{BTreeSet, HashMap};

pub const FARES: [&str; 5] = ["taxi", "bus", "underground", "ferry", "black"];
const BLACK: usize = 4;
pub const NAMES: [&str; 6] = ["X", "Red", "Blue", "Green", "Yellow", "Black"];

pub struct Yard {
    /// By transport and station (counted from 1).
    edges: Vec<Vec<BTreeSet<usize>>>,
    pub starts: BTreeSet<usize>,
    pub surfacing: Vec<i64>,
    pub rounds: i64,
    /// X's, then each detective's, in the order of `FARES`.
    pub tickets: [[i64; 5]; 2],
    pub doubles: i64,
    pub players: usize,
}

/// How often each rule came into play.
#[derive(Debug, Default)]
pub struct Met {
    pub caught: u32,
    pub doubles: u32,
    pub surfaced: u32,
    pub black: u32,
    pub ferries: u32,
    /// A move to an occupied station that would have been possible otherwise, X's and detectives'.
    pub blocked: [u32; 2],
    /// A detective who could not move.
    pub skipped: u32,
    pub all_stuck: u32,
    pub walled_in: u32,
    pub out_of_rounds: u32,
}

#[derive(Clone)]
pub struct Position {
    /// X first.
    pub at: Vec<usize>,
    pub tickets: Vec<[i64; 5]>,
    pub doubles: i64,
    pub round: i64,
    pub log: Option<usize>,
    pub surfaced: Option<usize>,
    pub suspects: BTreeSet<usize>,
    pub caught: bool,
    /// Who is to move; `None` at the end.
    pub next: Option<usize>,
}

/// The edges of one transport as they stand in a game.
fn edges(text: &str, transport: &str, stations: usize) -> Vec<BTreeSet<usize>> {
    let mut found = vec![BTreeSet::new(); stations + 1];
    let start = text
        .find(&format!("edges {transport} {{"))
        .expect("the edges");
    let block = &text[start..];
    let block = &block[block.find('{').unwrap() + 1..block.find('}').unwrap()];
    for list in block.split(';') {
        let (from, to) = list.split_once(':').expect("a list of edges");
        let from: usize = from.trim().parse().unwrap();
        for to in to.split_whitespace() {
            let to: usize = to.parse().unwrap();
            found[from].insert(to);
            found[to].insert(from);
        }
    }
    found
}

impl Yard {
    pub fn read(text: &str, stations: usize) -> Yard {
        Yard {
            edges: FARES[..BLACK]
                .iter()
                .map(|t| edges(text, t, stations))
                .collect(),
            starts: BTreeSet::new(),
            surfacing: vec![3, 8, 13, 18, 24],
            rounds: 24,
            tickets: [[4, 3, 3, 0, 5], [10, 8, 4, 0, 0]],
            doubles: 2,
            players: 6,
        }
    }

    pub fn begin(&self, at: Vec<usize>, met: &mut Met) -> Position {
        let mut tickets = vec![self.tickets[1]; self.players];
        tickets[0] = self.tickets[0];
        let suspects = &self.starts - &at[1..].iter().copied().collect();
        let mut position = Position {
            at,
            tickets,
            doubles: self.doubles,
            round: 0,
            log: None,
            surfaced: None,
            suspects,
            caught: false,
            next: None,
        };
        self.new_round(&mut position, met);
        position
    }

    /// Where a ticket takes somebody who would have the whole board for himself.
    fn reach(&self, from: usize, fare: usize) -> BTreeSet<usize> {
        if fare == BLACK {
            let all = self.edges.iter().flat_map(|e| &e[from]);
            return all.copied().collect();
        }
        self.edges[fare][from].clone()
    }

    fn targets(&self, position: &Position, from: usize, fare: usize) -> BTreeSet<usize> {
        let taken: BTreeSet<usize> = position.at[1..].iter().copied().collect();
        &self.reach(from, fare) - &taken
    }

    fn moves(&self, position: &Position, player: usize) -> Vec<(usize, usize)> {
        let from = position.at[player];
        let fares = (0..5).filter(|f| position.tickets[player][*f] > 0);
        fares
            .flat_map(|f| {
                self.targets(position, from, f)
                    .into_iter()
                    .map(move |to| (f, to))
            })
            .collect()
    }

    /// What may be done, as the game words it, in its order.
    pub fn options(&self, position: &Position, player: usize) -> Vec<String> {
        let moves = self.moves(position, player);
        let said = moves.iter().map(|(f, to)| format!("{} to {to}", FARES[*f]));
        if player > 0 {
            return said.collect();
        }
        said.flat_map(|text| {
            let double = (position.doubles > 0).then(|| format!("{text}, double"));
            [Some(text), double]
        })
        .flatten()
        .collect()
    }

    fn new_round(&self, position: &mut Position, met: &mut Met) {
        position.next = None;
        if position.round == self.rounds {
            met.out_of_rounds += 1;
            return;
        }
        position.round += 1;
        if self.moves(position, 0).is_empty() {
            position.caught = true;
            met.walled_in += 1;
            return;
        }
        position.next = Some(0);
    }

    /// Goes on with the first detective from `from` who can move, or ends the round.
    fn detectives_from(&self, position: &mut Position, from: usize, met: &mut Met) {
        for d in from..self.players {
            if !self.moves(position, d).is_empty() {
                position.next = Some(d);
                return;
            }
            met.skipped += 1;
        }
        self.end_round(position, met);
    }

    fn end_round(&self, position: &mut Position, met: &mut Met) {
        position.next = None;
        if (1..self.players).all(|d| self.moves(position, d).is_empty()) {
            met.all_stuck += 1;
        } else {
            self.new_round(position, met);
        }
    }

    /// Plays a move by its text.
    pub fn play(&self, position: &mut Position, text: &str, met: &mut Met) {
        let player = position.next.expect("somebody to move");
        let words: Vec<&str> = text.split([' ', ',']).filter(|w| !w.is_empty()).collect();
        let fare = FARES.iter().position(|f| *f == words[0]).expect("a fare");
        let to: usize = words[2].parse().expect("a station");
        let from = position.at[player];
        let open = self.reach(from, fare).len();
        let free = self.targets(position, from, fare).len();
        met.blocked[usize::from(player > 0)] += u32::from(open > free);
        position.at[player] = to;
        position.tickets[player][fare] -= 1;
        if player > 0 {
            position.tickets[0][fare] += 1;
            if to == position.at[0] {
                position.caught = true;
                position.next = None;
                met.caught += 1;
                return;
            }
            position.suspects.remove(&to);
            return self.detectives_from(position, player + 1, met);
        }
        met.black += u32::from(fare == BLACK);
        met.ferries += u32::from((0..3).all(|t| !self.edges[t][from].contains(&to)));
        position.log = Some(fare);
        let places = position.suspects.iter();
        position.suspects = places
            .flat_map(|s| self.targets(position, *s, fare))
            .collect();
        if self.surfacing.contains(&position.round) {
            position.surfaced = Some(to);
            position.suspects = BTreeSet::from([to]);
            met.surfaced += 1;
        }
        if words.last() == Some(&"double") {
            position.doubles -= 1;
            met.doubles += 1;
            return self.end_round(position, met);
        }
        self.detectives_from(position, 1, met);
    }

    /// What the game should show of a position.
    pub fn shown(&self, position: &Position) -> HashMap<String, String> {
        let optional = |value: Option<String>| value.unwrap_or_else(|| "none".to_string());
        let suspects: Vec<String> = position.suspects.iter().map(usize::to_string).collect();
        let mut shown = HashMap::from([
            ("doubles".to_string(), position.doubles.to_string()),
            ("round".to_string(), position.round.to_string()),
            (
                "log".to_string(),
                optional(position.log.map(|f| FARES[f].to_string())),
            ),
            (
                "surfaced".to_string(),
                optional(position.surfaced.map(|s| s.to_string())),
            ),
            ("caught".to_string(), position.caught.to_string()),
            (
                "suspects".to_string(),
                format!("{{{}}}", suspects.join(", ")),
            ),
        ]);
        for (p, name) in NAMES.iter().enumerate().take(self.players) {
            shown.insert(format!("at[{name}]"), position.at[p].to_string());
            for (f, fare) in FARES.iter().enumerate() {
                let count = position.tickets[p][f].to_string();
                shown.insert(format!("tickets[{name}][{fare}]"), count);
            }
        }
        shown
    }
}
