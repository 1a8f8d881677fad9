//! Reads an `.efg` file (Gambit's documentation, “The extensive game (.efg) file format”): nodes in prefix order, and what
//! information sets, chances and outcomes are where each is met first. Payoffs on the way are added to those of the ends.

use super::tokens::{Number, Read, Word, Words, wrong};
use super::{Draw, Efg, Kind, MOST_NODES, MOST_PLAYERS, Node, Set};
use crate::text::plural::plural;
use crate::text::span::Span;
use indexmap::IndexSet;
use num_traits::{CheckedAdd, One, Signed, Zero};
use std::collections::HashMap;

/// The most that a number of a set or an outcome may be.
const MOST: i64 = 1_000_000_000;

/// Reads a game and checks that the file is whole.
///
/// # Errors
/// What is no game in this format, with its place.
pub fn read(text: &str) -> Read<Efg> {
    let mut reader = Reader {
        words: Words::new(text)?,
        sets: Vec::new(),
        set_numbers: HashMap::new(),
        draws: IndexSet::new(),
        draw_numbers: HashMap::new(),
        outcomes: HashMap::new(),
        payoffs: IndexSet::new(),
        players: Vec::new(),
    };
    let (title, comment) = reader.head()?;
    let nodes = reader.nodes()?;
    Ok(Efg {
        title,
        comment,
        players: reader.players,
        sets: reader.sets,
        draws: reader.draws.into_iter().collect(),
        nodes,
        payoffs: reader.payoffs.into_iter().collect(),
    })
}

struct Reader<'t> {
    words: Words<'t>,
    players: Vec<String>,
    sets: Vec<Set>,
    /// The sets by player and number.
    set_numbers: HashMap<(usize, i64), usize>,
    draws: IndexSet<Draw>,
    draw_numbers: HashMap<i64, usize>,
    outcomes: HashMap<i64, Vec<Number>>,
    payoffs: IndexSet<Vec<Number>>,
}

/// A node some of whose children are still to come, and what is paid on the way to them.
struct Open {
    node: usize,
    left: usize,
    paid: Vec<Number>,
}

impl Reader<'_> {
    /// The title and the comment; the players are kept.
    fn head(&mut self) -> Read<(String, String)> {
        let starts = |words: &Words<'_>, wanted: &[&str]| wanted.contains(&words.written());
        for (wanted, what) in [
            (
                &["EFG"][..],
                "`EFG`, with which a file of this format begins,",
            ),
            (&["2"], "the version, which is `2`,"),
            (&["R", "D"], "`R`, or `D` as old files have it,"),
        ] {
            if !starts(&self.words, wanted) {
                return wrong(self.words.span(), format!("there must be {what} here"));
            }
            self.words.advance()?;
        }
        let title = self
            .words
            .label("the title of the game in quotation marks")?;
        self.words
            .expect(&Word::Open, "`{` and the names of the players")?;
        let list = self.words.span();
        while *self.words.peek() != Word::Close {
            let name = self.words.label("a name of a player, or `}`,")?;
            self.players.push(name);
        }
        if !(1..=MOST_PLAYERS).contains(&self.players.len()) {
            let message = format!(
                "there are {} players; a game may have 1 to {MOST_PLAYERS}",
                self.players.len()
            );
            return wrong(list, message);
        }
        self.words.advance()?;
        let comment = match self.words.peek() {
            Word::Text(_) => self.words.label("a comment")?,
            _ => String::new(),
        };
        Ok((title, comment))
    }

    /// All nodes, in the order of the file.
    fn nodes(&mut self) -> Read<Vec<Node>> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        let mut paid = vec![Number::zero(); self.players.len()];
        loop {
            let span = self.words.span();
            let number = nodes.len();
            if number == MOST_NODES {
                return wrong(span, format!("this tree has more than {MOST_NODES} nodes"));
            }
            let (kind, count) = self.node(&mut paid)?;
            if let Some(above) = open.last_mut() {
                above.left -= 1;
                nodes[above.node].children.push(number);
            }
            let kind = match kind {
                Kind::End(_) => Kind::End(self.payoffs.insert_full(paid.clone()).0),
                kind => kind,
            };
            nodes.push(Node {
                kind,
                children: Vec::new(),
                span,
            });
            open.push(Open {
                node: number,
                left: count,
                paid,
            });
            while open.last().is_some_and(|above| above.left == 0) {
                open.pop();
            }
            let Some(above) = open.last() else { break };
            paid = above.paid.clone();
        }
        match self.words.peek() {
            Word::End => Ok(nodes),
            _ => wrong(self.words.span(), "the tree is complete before this"),
        }
    }

    /// One node and the number of those right below it. What it pays is added to what is `paid`.
    fn node(&mut self, paid: &mut [Number]) -> Read<(Kind, usize)> {
        let span = self.words.span();
        let kind = self.words.written();
        if !["c", "p", "t"].contains(&kind) {
            return wrong(
                span,
                match self.words.peek() {
                    Word::End => "the file ends before its tree is complete",
                    _ => "there must be a node here: `c` (chance), `p` (a player) or `t` (an end)",
                },
            );
        }
        self.words.advance()?;
        self.words
            .label("the name of the node in quotation marks")?;
        let found = match kind {
            "c" => {
                let draw = self.draw()?;
                (Kind::Chance(draw), self.draws[draw].outcomes.len())
            }
            "p" => {
                let set = self.set()?;
                (Kind::Decision(set), self.sets[set].moves.len())
            }
            _ => (Kind::End(0), 0),
        };
        self.outcome(paid)?;
        Ok(found)
    }

    fn set(&mut self) -> Read<usize> {
        let players = self.players.len() as i64;
        let player = self.words.whole(1, players, "the number of a player")?;
        let player = player as usize - 1;
        let number = self
            .words
            .whole(1, MOST, "the number of an information set")?;
        let known = self.set_numbers.get(&(player, number)).copied();
        let span = self.words.span();
        if let (Some(set), false) = (known, matches!(self.words.peek(), Word::Text(_))) {
            return Ok(set);
        }
        let label = self
            .words
            .label("the name of this information set in quotation marks")?;
        self.words
            .expect(&Word::Open, "`{` and the moves of this information set")?;
        let mut moves = Vec::new();
        while !self.words.take(&Word::Close)? {
            moves.push(self.words.label("a name of a move, or `}`,")?);
        }
        if moves.is_empty() {
            return wrong(span, "a player needs at least one move");
        }
        if let Some(set) = known {
            return match self.sets[set].moves == moves {
                true => Ok(set),
                false => wrong(span, "this information set had other moves before"),
            };
        }
        self.set_numbers.insert((player, number), self.sets.len());
        self.sets.push(Set {
            player,
            number,
            label,
            moves,
        });
        Ok(self.sets.len() - 1)
    }

    fn draw(&mut self) -> Read<usize> {
        let number = self.words.whole(1, MOST, "the number of this draw")?;
        let known = self.draw_numbers.get(&number).copied();
        let span = self.words.span();
        if let (Some(draw), false) = (known, matches!(self.words.peek(), Word::Text(_))) {
            return Ok(draw);
        }
        self.words
            .label("the name of this draw in quotation marks")?;
        self.words
            .expect(&Word::Open, "`{` and the outcomes of this draw")?;
        let mut outcomes = Vec::new();
        while !self.words.take(&Word::Close)? {
            let name = self.words.label("a name of an outcome, or `}`,")?;
            let at = self.words.span();
            let chance = self.words.number("the probability of this outcome")?;
            if chance.is_negative() || chance > Number::one() {
                return wrong(at, "a probability must be from 0 to 1");
            }
            outcomes.push((name, chance));
            self.words.take(&Word::Comma)?;
        }
        let sum = sum(outcomes.iter().map(|(_, chance)| *chance));
        if sum != Some(Number::one()) {
            let sum = sum.map_or_else(|| "no number".to_string(), |sum| sum.to_string());
            return wrong(
                span,
                format!("these probabilities add up to {sum} and not to 1"),
            );
        }
        let draw = self.draws.insert_full(Draw { outcomes }).0;
        match known {
            Some(before) if before != draw => wrong(span, "this draw had other outcomes before"),
            _ => {
                self.draw_numbers.insert(number, draw);
                Ok(draw)
            }
        }
    }

    /// What a node pays, added to `paid`.
    fn outcome(&mut self, paid: &mut [Number]) -> Read<()> {
        let number = self
            .words
            .whole(0, MOST, "the number of an outcome, or 0 for none,")?;
        let span = self.words.span();
        let described = matches!(self.words.peek(), Word::Text(_));
        if number == 0 {
            return match described {
                true => wrong(span, "outcome 0 is none, and has no name"),
                false => Ok(()),
            };
        }
        if described {
            let payoffs = self.payoffs(span)?;
            let known = self
                .outcomes
                .entry(number)
                .or_insert_with(|| payoffs.clone());
            if *known != payoffs {
                return wrong(span, "this outcome paid something else before");
            }
        }
        let Some(payoffs) = self.outcomes.get(&number) else {
            return wrong(
                span,
                "this outcome needs its name and payoffs where it stands first",
            );
        };
        for (paid, more) in paid.iter_mut().zip(payoffs) {
            match paid.checked_add(more) {
                Some(sum) => *paid = sum,
                None => return wrong(span, "the payoffs up to here are too large a number"),
            }
        }
        Ok(())
    }

    fn payoffs(&mut self, span: Span) -> Read<Vec<Number>> {
        self.words.label("the name of this outcome")?;
        self.words
            .expect(&Word::Open, "`{` and the payoffs of this outcome")?;
        let mut payoffs = Vec::new();
        while !self.words.take(&Word::Close)? {
            payoffs.push(self.words.number("a payoff, or `}`,")?);
            self.words.take(&Word::Comma)?;
        }
        match payoffs.len() == self.players.len() {
            true => Ok(payoffs),
            false => wrong(
                span,
                format!(
                    "here: {} for {}",
                    plural(payoffs.len(), "payoff"),
                    plural(self.players.len(), "player")
                ),
            ),
        }
    }
}

/// The sum, as far as it is a number that can be kept.
pub fn sum(mut numbers: impl Iterator<Item = Number>) -> Option<Number> {
    numbers.try_fold(Number::zero(), |sum, number| sum.checked_add(&number))
}
