//! Random statements that hold others, and those that tell.

use super::writer::{PLAYERS, Who, Writer};

impl Writer {
    pub fn reveal(&mut self, who: Who) -> String {
        self.uses("reveal");
        let value = self.int(1, 0);
        match self.pick(4) {
            0 if who == self.all() => format!("reveal({value})"),
            3 if who == self.all() => self.reveal_to_members(&value),
            1 => {
                let (to, seen) = self.viewers();
                match seen & !who {
                    0 => format!("reveal({value} to {to})"),
                    _ => String::new(),
                }
            }
            _ => {
                let p = self.pick(self.players);
                match who >> p & 1 {
                    1 => format!("reveal({value} to {})", PLAYERS[p]),
                    _ => String::new(),
                }
            }
        }
    }

    /// A name for a value.
    pub fn bind(&mut self, who: Who) -> String {
        let name = self.fresh();
        let all = self.all();
        let (value, seen) = match self.pick(5) {
            0 | 1 if who == all => {
                self.uses("reveal");
                (format!("reveal({})", self.int(1, 0)), all)
            }
            2 if who == all => {
                self.uses("reveal under a condition");
                let (cond, value) = (self.truth(1, all), self.int(1, 0));
                match self.rarely(2) {
                    true => (format!("if {cond} then reveal({value}) else 0"), all),
                    false => (
                        format!("if {cond} and reveal({value} == 1) then 1 else 0"),
                        all,
                    ),
                }
            }
            _ => {
                let (_, seen) = self.viewers();
                (self.int(1, seen), seen)
            }
        };
        self.names.add(&name, seen);
        format!("let {name} = {value}")
    }

    /// Those who know a condition, mostly all; and the condition.
    fn condition(&mut self) -> (String, Who) {
        let all = self.all();
        let who = match self.pick(4) {
            0 => 1 << self.pick(self.players),
            _ => all,
        };
        if self.rarely(6) {
            self.uses("reveal");
            return (format!("reveal({})", self.truth(1, 0)), all);
        }
        (self.truth(1, who), who)
    }

    /// A condition that everybody knows.
    fn open_truth(&mut self) -> String {
        let all = self.all();
        self.truth(1, all)
    }

    pub fn branch(&mut self, depth: usize, who: Who) -> String {
        let (cond, knows) = self.condition();
        let within = who & knows;
        match self.pick(6) {
            0 => {
                self.uses("end");
                let cond = match self.rarely(3) {
                    true => cond,
                    false => self.open_truth(),
                };
                format!("if {cond} {{ end }}")
            }
            1 => {
                self.uses("match");
                let value = self.int(1, within);
                let (one, two) = (
                    self.statements(depth - 1, within),
                    self.statements(depth - 1, within),
                );
                format!("match {value} {{ 0 => {{ {one} }} else => {{ {two} }} }}")
            }
            2 => {
                self.uses("if");
                let (one, two) = (
                    self.statements(depth - 1, within),
                    self.statements(depth - 1, within),
                );
                format!("if {cond} {{ {one} }} else {{ {two} }}")
            }
            _ => {
                self.uses("if");
                format!("if {cond} {{ {} }}", self.statements(depth - 1, within))
            }
        }
    }

    pub fn repeated(&mut self, depth: usize, who: Who) -> String {
        let reach = self.names.len();
        let text = match self.pick(5) {
            0 => {
                self.uses("repeat");
                let (cond, knows) = self.condition();
                let inner = self.statements(depth - 1, who & knows);
                format!("repeat 2 times {{ {inner}\nif {cond} {{ break }} }}")
            }
            1 => {
                self.uses("while");
                let (cond, knows) = self.condition();
                if cond.contains("reveal") {
                    self.uses("reveal in while");
                }
                let inner = self.statements(depth - 1, who & knows);
                format!("while {cond} at most 2 {{ {inner} }}")
            }
            2 => {
                self.uses("each");
                let p = self.fresh();
                if self.rarely(2) {
                    self.uses("each of pairs");
                    let (cond, knows) = self.condition();
                    let (inner, y) = (self.statements(0, who & knows), self.fresh());
                    let k = self.fresh();
                    self.names.truncate(reach);
                    return format!(
                        "each {p} in Player, {k} in 0..1 {{ {p} chooses secretly {y} in 0..1 into own[{p}]\n{inner}\nif {cond} {{ break }} }}"
                    );
                }
                let (inner, y) = (self.statements(0, who), self.fresh());
                format!(
                    "each {p} in Player {{ {p} chooses secretly {y} in 0..1 into own[{p}]\n{inner} }}"
                )
            }
            3 => {
                self.uses("turns");
                let (me, y) = (self.fresh(), self.fresh());
                let cond = self.open_truth();
                format!(
                    "turns {me} from Ann while {cond} at most 2 {{ {me} chooses {y} in 0..1 into own[{me}]\n{} }}",
                    self.statements(0, who)
                )
            }
            _ => {
                self.uses("take a card");
                let p = PLAYERS[self.pick(self.players)];
                let card = self.fresh();
                let inner = self.statements(0, who);
                format!("{p} chooses {card} in hand[{p}] as \"{{{card}}}\" else {{ {inner} }}")
            }
        };
        self.names.truncate(reach);
        text
    }

    pub fn together(&mut self, who: Who) -> String {
        self.uses("together");
        let reach = self.names.len();
        let text = match self.pick(3) {
            0 => {
                let cond = match self.rarely(2) {
                    true => String::new(),
                    false => format!(" where {}", self.open_truth()),
                };
                let into = self.one(&["into own[me]", "", "seen by all"]);
                let (q, y) = (self.fresh(), self.fresh());
                let into = into.replace("me", &q);
                format!("together each {q} in Player{cond} {{ {q} chooses {y} in 0..1 {into} }}")
            }
            1 => {
                let (one, two) = (self.arm(0, who), self.arm(1, who));
                format!("together {{\n{one}\n{two}\n}}")
            }
            _ => {
                let mut arms = vec![self.arm(0, who), self.arm(1, who)];
                if self.players == 3 {
                    arms.push(self.arm(2, who));
                }
                format!("together {{\n{}\n}}", arms.join("\n"))
            }
        };
        self.names.truncate(reach);
        text
    }

    fn arm(&mut self, player: usize, who: Who) -> String {
        let own = 1 << player;
        let name = PLAYERS[player];
        let (cond, knows) = match self.rarely(2) {
            true => (self.open_truth(), self.all()),
            false => (self.truth(1, own), own),
        };
        let otherwise = match self.rarely(2) {
            true => {
                self.uses("together else");
                format!(" else {{ {} }}", self.statements(0, who & knows))
            }
            false => String::new(),
        };
        let cond = match otherwise.is_empty() {
            true => String::new(),
            false => format!(" where {cond}"),
        };
        let x = self.fresh();
        match self.pick(4) {
            0 => format!(
                "{name} chooses {{ go{cond} => {{ {} }} }}{otherwise}",
                self.statements(0, who)
            ),
            1 => format!("{name} chooses {x} in 0..1{cond}{otherwise}"),
            2 => format!("{name} chooses {x} in 0..1 into own[{name}]{cond}{otherwise}"),
            _ => format!(
                "{name} chooses secretly {x} in 0..1{cond} => {{ {} }}{otherwise}",
                self.statements(0, who & own)
            ),
        }
    }
}
