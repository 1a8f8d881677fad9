//! Random statements of rarer kinds, at the end of some programs: what stands before them does not change with them.

use super::writer::{PLAYERS, Who, Writer};

/// The rule to which a place is given.
const RULE: &str = "  rule put_(into where_: 0..1, k: 0..1) { where_ = k }\n";
/// A product with a set in it.
const UNIT: &str = "  type Unit_ = (at: 0..1, orders: set of 0..1)\n";

/// Statements, and what must be declared for them.
#[derive(Default)]
pub struct Extra {
    pub statements: String,
    pub declared: String,
}

impl From<String> for Extra {
    fn from(statements: String) -> Extra {
        Extra {
            statements,
            declared: String::new(),
        }
    }
}

impl Writer {
    /// Nothing, in most programs.
    pub fn extra(&mut self) -> Extra {
        match self.pick(14) {
            0 | 1 => self.one_move().into(),
            2 => self.computed().into(),
            3 => self.alike().into(),
            4 => self.revealed_index().into(),
            5 => self.given_place(),
            6 => self.said().into(),
            7 => self.set_in_a_field(),
            8 => self.state_under_a_condition(),
            9 => self.round_that_passes().into(),
            _ => Extra::default(),
        }
    }

    /// A product with a set in it is drawn or chosen; something is made of the set.
    fn set_in_a_field(&mut self) -> Extra {
        self.uses("set in a field");
        let (p, own) = self.somebody();
        let (x, y, n) = (self.fresh(), self.fresh(), self.fresh());
        let (text, seen) = self.viewers();
        let (made, knows) = match self.rarely(2) {
            true => (format!("draw {x} in Unit_ seen by {text}"), seen),
            false => (
                format!("{p} chooses secretly {x} in Unit_ seen by {text}"),
                seen | own,
            ),
        };
        let then = match self.pick(4) {
            0 => {
                self.uses("union over pairs");
                let told = match self.rarely(2) {
                    true => "reveal",
                    false => "",
                };
                format!(
                    "let {n} = {told}(union(q_ in Player, k_ in {x}.orders where own[q_] == k_) {{ k_ }})\n\
                     {p} chooses {y} in {n} as \"{{{y}}}\" else {{}}"
                )
            }
            1 => format!("{p} chooses {y} in {x}.orders as \"{{{y}}}\" else {{}}"),
            2 => format!(
                "reveal({x}.orders to {text})\n{}",
                self.store_of(&format!("{x}.at"), knows)
            ),
            _ => self.store_of(&format!("(size({x}.orders + {x}.at) mod 2)"), knows),
        };
        Extra {
            statements: format!("{made}\n{then}"),
            declared: UNIT.to_string(),
        }
    }

    /// A variable that a param has brought.
    fn state_under_a_condition(&mut self) -> Extra {
        self.uses("state under a condition");
        let (text, seen) = self.viewers();
        let value = self.int(1, seen);
        let after = self.store_of("odd_", seen);
        Extra {
            statements: format!("if more_ {{\nodd_ = {value}\n{after}\n}}"),
            declared: format!(
                "  param more_ : bool = true\n  state if more_ {{\n    odd_ : 0..1 seen by {text}\n  }}\n"
            ),
        }
    }

    /// Stores a value that some know to a place that they alone see, mostly.
    fn store_of(&mut self, value: &str, knows: Who) -> String {
        let (place, _) = self.place(knows);
        format!("{place} = {value}")
    }

    fn somebody(&mut self) -> (&'static str, Who) {
        let seat = self.pick(self.players);
        (PLAYERS[seat], 1 << seat)
    }

    /// A move of two or three choices, with what is stored between them.
    fn one_move(&mut self) -> String {
        self.uses("one move");
        let all = self.all();
        let (p, own) = self.somebody();
        let (x, y) = (self.fresh(), self.fresh());
        let reach = self.names.len();
        let options = if self.rarely(3) { own } else { all };
        let cond = self.truth(1, options);
        self.names.add(&x, all);
        let inner = match self.pick(5) {
            3 => {
                let (cond, store) = (self.truth(1, options), self.plain_store(all));
                format!("{p} chooses {y} in 0..1 where {cond} as \"-{{{y}}}\" else {{ {store} }}")
            }
            4 => {
                let (cond, store) = (self.truth(1, options), self.plain_store(all));
                format!(
                    "repeat 2 times {{\n{p} chooses {{ go where {cond} as \"+\" => {store} }} else {{}}\n\
                     {p} chooses {{ up as \"<\"  down as \">\" }}\n}}"
                )
            }
            0 => {
                let cond = self.truth(1, all);
                format!("if {cond} {{ {p} chooses {y} in 0..1 as \"-{{{y}}}\" }}")
            }
            1 => {
                let store = self.plain_store(all);
                format!(
                    "repeat {x} + 1 times {{ {p} chooses {y} in 0..1 as \"-{{{y}}}\" => {store} }}"
                )
            }
            _ => {
                let (store, cond) = (self.plain_store(all), self.truth(1, options));
                format!(
                    "{p} chooses {{ adds as \"+\" => {store} rests where {cond} as \".\" }}\n\
                     if {x} == 0 {{ {p} chooses {y} in 0..1 as \"-{{{y}}}\" }}"
                )
            }
        };
        // What is chosen has no names after the move.
        self.names.truncate(reach);
        let greatest = match self.rarely(3) {
            true => format!(" maximise {}", self.int(1, all)),
            false => String::new(),
        };
        let otherwise = self.plain_store(all);
        format!(
            "one move {{ {p} chooses {x} in 0..1 where {cond} as \"{{{x}}}\"\n{inner} }}{greatest} else {{ {otherwise} }}"
        )
    }

    fn plain_store(&mut self, who: Who) -> String {
        let (place, seen) = self.place(who);
        format!("{place} = {}", self.int(1, seen))
    }

    /// A value computed before one that is chosen, or between two.
    fn computed(&mut self) -> String {
        self.uses("computed value");
        let (p, own) = self.somebody();
        let (x, n, y) = (self.fresh(), self.fresh(), self.fresh());
        let all = self.all();
        let knows = if self.rarely(2) { own } else { all };
        let value = self.int(1, knows);
        let secretly = if self.rarely(2) { "secretly " } else { "" };
        self.names.add(&n, knows);
        let after = self.plain_store(all);
        if self.rarely(3) {
            return format!("{p} chooses let {n} = {value}, {secretly}{y} in {n}..1\n{after}");
        }
        format!(
            "{p} chooses {x} in 0..1, let {n} = if {x} == 1 then {value} else 0, {secretly}{y} in {n}..1\n{after}"
        )
    }

    /// Two alternatives of one label.
    fn alike(&mut self) -> String {
        self.uses("labels alike");
        let (p, own) = self.somebody();
        let x = self.fresh();
        let (first, second) = (self.plain_store(own), self.plain_store(own));
        let cond = self.truth(1, own);
        let after = self.plain_store(self.all());
        format!(
            "{p} chooses {{ plays_(secretly {x} in 0..1) as \"a{{{x}}}\" => {first}\n\
             plays_ where {cond} as \"b\" => {second}\npasses_ }}\n{after}"
        )
    }

    /// A store to an element that is revealed.
    fn revealed_index(&mut self) -> String {
        self.uses("reveal in an index");
        let row = self.names.row;
        let (index, value) = (self.int(1, 0), self.int(1, row));
        format!("row[reveal({index})] = {value}")
    }

    /// A reveal with a text.
    fn said(&mut self) -> String {
        self.uses("text of a reveal");
        let (value, other) = (self.int(0, 0), self.int(0, 0));
        let cond = self.truth(0, 0);
        // To some only, and the condition may be what is revealed.
        let (value, cond) = match self.pick(3) {
            0 => (format!("{value} == 1"), format!("not {value} == 1")),
            1 => (value, cond),
            _ => (format!("sum(k_ in 0..1) ({value} + k_)"), cond),
        };
        let told = match self.rarely(2) {
            true => self.reveal_to_members(&value),
            false => format!("reveal({value})"),
        };
        let said = value.replace("k_", "j_");
        format!("{told} as if {cond} then \"is {{{said}}}\" else \"{{{other}}}\"")
    }

    /// Rounds in some of which nobody has anything to choose.
    fn round_that_passes(&mut self) -> String {
        self.uses("round that passes");
        let all = self.all();
        let (p, own) = self.somebody();
        let k = self.fresh();
        let reach = self.names.len();
        // Told in each round from the one on in which there is something to choose.
        let marked = self.rarely(2);
        let head = match self.pick(8) {
            0 if !marked => "repeat 2 times".to_string(),
            1 if !marked => format!("turns {k} from {} at most 4", PLAYERS[0]),
            _ => {
                self.names.add(&k, all);
                format!("each {k} in 0..1")
            }
        };
        let named = self.names.len() > reach;
        let cond = match named && (marked || self.rarely(2)) {
            true => format!("{k} == {}", self.int(0, own)),
            false => self.truth(1, own),
        };
        let otherwise = match self.pick(5) {
            0 => "reveal(0)".to_string(),
            1 => "continue".to_string(),
            2 => self.plain_store(own),
            _ => String::new(),
        };
        let (then, after) = match marked {
            true => {
                let told = self.reveal(all);
                ("open = 1".to_string(), format!("if open == 1 {{ {told} }}"))
            }
            false => self.after_a_round(named.then_some(&k), all, own),
        };
        self.names.truncate(reach);
        format!(
            "{head} {{ {p} chooses {{ go where {cond} => {{ {then} }} }} else {{ {otherwise} }}\n{after} }}"
        )
    }

    /// What follows a choice in a round, and what comes after it.
    fn after_a_round(&mut self, name: Option<&String>, all: Who, own: Who) -> (String, String) {
        let then = match (self.pick(4), name) {
            (0, Some(k)) => format!("if {k} == 0 {{ end }}"),
            (1, _) => self.reveal(all),
            _ => self.plain_store(all),
        };
        let after = match self.pick(6) {
            0 => self.plain_store(own),
            1 => self.choice(all),
            2 => format!("if {} {{ {} }}", self.truth(1, all), self.reveal(all)),
            3 => format!("if {} {{ end }}", self.truth(1, all)),
            _ => String::new(),
        };
        (then, after)
    }

    /// A rule that stores to a place which is given to it.
    fn given_place(&mut self) -> Extra {
        self.uses("place for a rule");
        let (place, seen) = self.place(self.all());
        Extra {
            statements: format!("put_({place}, {})", self.int(1, seen)),
            declared: RULE.to_string(),
        }
    }
}
