//! Random viewers that change in play: sets of players of whom each mostly knows whether it is among them.

use super::writer::{Who, Writer};

impl Writer {
    /// A set of players, with those who are certainly in it.
    pub fn members(&mut self) -> (String, Who) {
        self.uses("viewers in play");
        let all = self.all();
        match self.pick(8) {
            0 => (format!("{{ Ann }} + {}", self.owners()), 1),
            1 => (format!("all - {}", self.owners()), 0),
            2 => {
                let cond = self.truth(1, all);
                (format!("if {cond} then {} else Ben", self.owners()), 0)
            }
            3 => ("lead".into(), 0),
            4 if self.rarely(2) => {
                let (q, cond) = (self.fresh(), self.truth(1, 0));
                (format!("{{ {q} for {q} in Player where {cond} }}"), 0)
            }
            _ => (self.owners(), 0),
        }
    }

    /// Those who own something.
    fn owners(&mut self) -> String {
        let (q, value) = (self.fresh(), self.one(&["0", "1"]));
        let all = self.all();
        let more = match self.pick(4) {
            0 => format!(" and {}", self.truth(0, all)),
            1 => format!(" or {}", self.truth(0, all)),
            _ => String::new(),
        };
        format!("{{ {q} for {q} in Player where own[{q}] == {value}{more} }}")
    }

    /// A value for some of them, who may have a name.
    pub fn reveal_to_members(&mut self, value: &str) -> String {
        if self.rarely(3) {
            self.uses("viewers in play");
            let (name, owners) = (self.fresh(), self.owners());
            return format!("let {name} = {owners}\nreveal({value} to {name})");
        }
        let (to, _) = self.members();
        format!("reveal({value} to {to})")
    }
}
