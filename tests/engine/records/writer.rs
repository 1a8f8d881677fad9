//! Random small programs about secrets. Most of what is written keeps to what the players concerned know, so that many
//! programs are accepted; now and then it does not, which is what the check is for.

use super::expressions::Names;
use rand::RngExt;
use ruse::internal::random::{Stream, stream};
use std::collections::BTreeSet;
use std::fmt::Write;

const SEED: u64 = 41;

/// A set of players, a bit each.
pub type Who = u8;

/// A program, and what it is made of.
pub struct Program {
    pub text: String,
    pub parts: BTreeSet<&'static str>,
}

/// Writes the program with a number.
pub fn program(number: u64) -> Program {
    let mut random = stream(SEED, &[number]);
    let players = random.random_range(2..4);
    let mut writer = Writer {
        random,
        players,
        names: Names::default(),
        parts: BTreeSet::new(),
        made: 0,
        deals: 0,
    };
    let text = writer.game();
    Program {
        text,
        parts: writer.parts,
    }
}

pub struct Writer {
    random: Stream,
    pub players: usize,
    pub names: Names,
    pub parts: BTreeSet<&'static str>,
    made: usize,
    pub deals: usize,
}

pub const PLAYERS: [&str; 3] = ["Ann", "Ben", "Cid"];

impl Writer {
    pub fn pick(&mut self, n: usize) -> usize {
        self.random.random_range(0..n)
    }

    /// One time in so many.
    pub fn rarely(&mut self, n: usize) -> bool {
        self.pick(n) == 0
    }

    pub fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.pick(of.len())]
    }

    pub fn all(&self) -> Who {
        (1 << self.players) - 1
    }

    pub fn uses(&mut self, part: &'static str) {
        self.parts.insert(part);
    }

    pub fn fresh(&mut self) -> String {
        self.made += 1;
        format!("x{}", self.made)
    }

    /// Some players, as they are written after `seen by`.
    pub fn viewers(&mut self) -> (String, Who) {
        let (all, three) = (self.all(), self.players == 3);
        match self.pick(if three { 8 } else { 5 }) {
            0 | 1 => ("all".into(), all),
            2 => ("none".into(), 0),
            3 => ("Ann".into(), 1),
            4 => ("Ben".into(), 2),
            5 => {
                self.uses("team");
                ("Couple".into(), 6)
            }
            6 => ("all - Ann".into(), 6),
            _ => ("{ Ann, Ben }".into(), 3),
        }
    }

    fn game(&mut self) -> String {
        let mut state = String::new();
        let number = if self.players == 2 {
            "two players"
        } else {
            "three players"
        };
        self.uses(number);
        for name in ["a", "b", "c"] {
            let (text, who) = self.viewers();
            let _ = writeln!(state, "    {name} : 0..1 seen by {text}");
            self.names.add(name, who);
        }
        let (text, who) = self.viewers();
        let _ = writeln!(
            state,
            "    heavy : [0..1] 0..2 = {{ 0: 1, else: 2 }} seen by {text}"
        );
        self.names.table = who;
        let (text, who) = self.viewers();
        let _ = writeln!(state, "    best : Player? seen by {text}");
        self.names.best = who;
        let (text, who) = self.viewers();
        let _ = writeln!(state, "    row : [0..1] 0..1 seen by {text}");
        self.names.row = who;
        let (text, who) = self.viewers();
        let _ = writeln!(state, "    lead : Player seen by {text}");
        self.names.lead = who;
        state += "    hat : set of 0..1 = all seen by none\n";
        state += "    open : 0..1\n    guess : 0..1\n    spot : Board seen by Ann\n";
        state += "    own : [p: Player] 0..1 seen by p\n";
        state += "    hand : [p: Player] set of 1..3 seen by p\n    pile : set of 1..3 = all seen by none\n";
        let all = self.all();
        self.names.add("open", all);
        for (p, name) in PLAYERS.iter().enumerate().take(self.players) {
            self.names.add(&format!("own[{name}]"), 1 << p);
            self.names
                .add(&format!("(size(hand[{name}]) mod 2)"), 1 << p);
        }
        let shown = self.shown();
        let mut note = String::new();
        if self.rarely(4) {
            self.uses("note");
            let (text, who) = self.viewers();
            note = format!("  note kept : 0..1 seen by {text}\n");
            self.names.note = Some(who);
        }
        let mut rule = String::new();
        if self.rarely(5) {
            self.uses("rule");
            let chooser = self.pick(self.players);
            let name = PLAYERS[chooser];
            rule = format!(
                "  rule move_(k: 0..1) {{ {name} chooses z in 1..2 as \"{{z}} {{k}}\" }}\n"
            );
            self.names.rule = true;
        }
        let start = self.start();
        let mut play = self.statements(2, all);
        // Who sees a draw stands in a variable, too.
        let draws: Vec<String> = play
            .lines()
            .map(|line| match line.trim_start().starts_with("draw ") {
                true => line.replacen("seen by all", "seen by live", 1),
                false => line.to_string(),
            })
            .collect();
        let draws = draws.join("\n");
        if draws != play {
            self.uses("viewers in a variable");
            state += "    live : set of Player = all\n";
            play = draws;
        }
        let knowledge = self.knowledge();
        let extra = self.extra();
        rule += &extra.declared;
        let extra = extra.statements;
        let team = if self.players == 3 {
            "  team Couple { Ben, Cid }\n"
        } else {
            ""
        };
        format!(
            "game Made {{\n  players {{ {} }}\n{team}  grid Board(2, 1)\n{shown}{note}{rule}  state {{\n{state}  }}\n  \
             play {{\n{start}{play}\n{extra}\n    Ben chooses g in 0..1 into guess\n  }}\n  payoff general-sum: [p in Player] 0\n{knowledge}}}\n",
            PLAYERS[..self.players].join(", ")
        )
    }

    fn shown(&mut self) -> String {
        let mut text = String::new();
        if self.rarely(3) {
            self.uses("shown def");
            let body = self.int(1, 0);
            let _ = writeln!(text, "  shown def view: 0..1 = {body}");
            let all = self.all();
            self.names.shown.push(("view".into(), all));
        }
        if self.rarely(5) {
            self.uses("shown to");
            let (to, who) = self.viewers();
            let body = self.int(1, 0);
            let _ = writeln!(text, "  shown to {to} def mark: 0..1 = {body}");
            self.names.shown.push(("mark".into(), who));
        }
        if !self.names.shown.is_empty() {
            for (name, who) in self.names.shown.clone() {
                self.names.add(&name, who);
            }
        }
        text
    }

    /// Statements, of which the players in `who` know whether they are come to.
    pub fn statements(&mut self, depth: usize, who: Who) -> String {
        let count = if depth == 2 {
            2 + self.pick(3)
        } else {
            1 + self.pick(2)
        };
        let reach = self.names.len();
        let mut list: Vec<String> = (0..count).map(|_| self.statement(depth, who)).collect();
        if depth == 2 && self.rarely(3) {
            list.push(self.dare());
            list.push(self.statement(0, who));
        }
        self.names.truncate(reach);
        list.join("\n")
    }

    /// What begins a game: secrets that are not the same in every play.
    fn start(&mut self) -> String {
        let mut text = String::new();
        if self.rarely(2) {
            text += "together each p in Player { p chooses secretly w in 0..1 into own[p] }\n";
            for name in &PLAYERS[..self.players] {
                self.names.vary(&format!("own[{name}]"));
            }
        }
        let place = self.one(&["a", "b", "c"]);
        match self.pick(3) {
            0 => {
                let name = PLAYERS[self.pick(self.players)];
                text += &format!("{name} chooses u in 0..1 into {place}, v in 1..2\n");
                self.names.vary(place);
            }
            1 => {
                text += &format!("draw u in 0..1 into {place}\n");
                self.names.vary(place);
            }
            _ => {}
        }
        if self.rarely(3) {
            text += "draw q in Player into lead\n";
        }
        text
    }

    fn statement(&mut self, depth: usize, who: Who) -> String {
        match self.pick(if depth == 0 { 17 } else { 33 }) {
            0 | 1 => self.store(who),
            2..=5 => self.choice(who),
            6 | 7 => self.alternatives(who),
            8..=10 => self.draw(who),
            11 if self.deals < 2 && who == self.all() && depth == 2 => self.deal(),
            11 | 12 => self.reveal(who),
            13 => self.bind(who),
            14 => match self.names.note {
                Some(viewers) => format!("note kept = {}", self.int(1, viewers)),
                None => self.store(who),
            },
            15 if self.names.rule => format!("move_({})", self.open_int()),
            15 => self.bind(who),
            16 => self.by_value(who),
            17..=19 => self.branch(depth, who),
            20 | 21 => self.together(who),
            22..=25 => self.named(who),
            26 | 27 => self.by_value(who),
            _ => self.repeated(depth, who),
        }
    }

    /// A place that holds 0 or 1, with those who see it; mostly one that only `who` see.
    pub fn place(&mut self, who: Who) -> (String, Who) {
        let stray = self.rarely(12);
        let fit: Vec<(String, Who)> = self
            .names
            .places()
            .filter(|(_, seen)| stray || seen & !who == 0)
            .collect();
        match fit.is_empty() {
            true => ("a".into(), self.names.of("a")),
            false => fit[self.pick(fit.len())].clone(),
        }
    }

    fn open_int(&mut self) -> String {
        let all = self.all();
        self.int(1, all)
    }

    fn store(&mut self, who: Who) -> String {
        let (place, seen) = self.place(who);
        if place == "open" && self.rarely(6) {
            return format!("spot = if {} then a1 else b1", self.truth(1, 1));
        }
        self.names.vary(&place);
        format!("{place} = {}", self.int(2, seen))
    }
}
