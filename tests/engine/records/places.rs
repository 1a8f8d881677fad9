//! Random statements about places and players that are named by values.

use super::writer::{PLAYERS, Who, Writer};

impl Writer {
    /// Something happens at a place, or to a player, that a value names.
    pub fn by_value(&mut self, who: Who) -> String {
        match self.pick(5) {
            0 => self.row(who),
            1 => self.new_leader(who),
            2 | 3 => self.leader(who),
            _ => self.family(who),
        }
    }

    /// A store to an element of a table.
    fn row(&mut self, who: Who) -> String {
        self.uses("a place by a value");
        let seen = self.names.row;
        if seen & !who != 0 && !self.rarely(8) {
            return self.new_leader(who);
        }
        let knows = if self.rarely(4) { 0 } else { seen };
        format!("row[{}] = {}", self.int(1, knows), self.int(1, seen))
    }

    /// Another player leads.
    fn new_leader(&mut self, who: Who) -> String {
        self.uses("a player by a value");
        let (q, p) = (self.fresh(), PLAYERS[self.chooser(who)]);
        let seen = self.names.lead;
        match self.pick(4) {
            0 if seen & !who == 0 => format!("lead = next(lead, {})", self.int(1, seen)),
            0 | 1 => format!("draw {q} in Player into lead"),
            _ => format!("{p} chooses {q} in Player into lead"),
        }
    }

    /// Who leads does or gets something.
    fn leader(&mut self, who: Who) -> String {
        self.uses("a player by a value");
        let x = self.fresh();
        let open = self.names.lead == self.all() && who == self.all();
        if !open && !self.rarely(2) {
            return self.new_leader(who);
        }
        match self.pick(5) {
            0 => format!("lead chooses {x} in 0..1"),
            1 => format!("lead chooses {x} in 0..1 into own[lead]"),
            2 => format!("draw {x} in 0..1 into own[lead]"),
            3 => format!("let {x} = lead\nreveal({} to {x})", self.int(1, 0)),
            _ => {
                let all = self.all();
                format!("own[lead] = {}", self.int(1, all))
            }
        }
    }

    /// A value for each player, or for each element of a table.
    fn family(&mut self, who: Who) -> String {
        self.uses("family");
        let (f, u) = (self.fresh(), self.fresh());
        let own = self.chooser(who);
        let p = PLAYERS[own];
        match self.pick(4) {
            0 => {
                self.names.add(&format!("{f}[{p}]"), 1 << own);
                format!("{p} chooses each {u} in Player: {f}[{u}] in 0..1 into own[{u}]")
            }
            1 => format!("draw each {u} in Player: {f}[{u}] in 0..1 into own[{u}]"),
            2 => format!("{p} chooses secretly each {u} in 0..1: {f}[{u}] in 0..1"),
            _ => format!("{p} chooses each {u} in 0..1: {f}[{u}] in 0..1 into row[{u}]"),
        }
    }
}
