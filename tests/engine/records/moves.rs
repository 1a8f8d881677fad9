//! Random choices and draws.

use super::writer::{PLAYERS, Who, Writer};

impl Writer {
    /// Who chooses, of those who know that somebody does.
    pub fn chooser(&mut self, who: Who) -> usize {
        let fit: Vec<usize> = (0..self.players).filter(|p| who >> p & 1 == 1).collect();
        match fit.is_empty() || self.rarely(16) {
            true => self.pick(self.players),
            false => fit[self.pick(fit.len())],
        }
    }

    /// Values of a choice or a draw by `chooser`: the text, and who sees the value.
    fn part(&mut self, name: &str, set: &str, chooser: Who, who: Who) -> (String, Who) {
        let open = who == self.all();
        match self.pick(6) {
            0 | 1 if open => (format!("{name} in {set}"), self.all()),
            2 => {
                self.uses("seen by");
                let (text, seen) = match open && self.rarely(2) {
                    true => self.members(),
                    false => self.viewers(),
                };
                (format!("{name} in {set} seen by {text}"), seen | chooser)
            }
            3 | 4 => {
                self.uses("into");
                let (place, seen) = self.place(who);
                self.names.vary(&place);
                (format!("{name} in {set} into {place}"), seen | chooser)
            }
            _ => {
                self.uses("secretly");
                (format!("secretly {name} in {set}"), chooser)
            }
        }
    }

    fn words(&mut self, name: &str) -> String {
        match self.pick(6) {
            0 => {
                self.uses("text");
                format!(" as \"{{{name}}}\"")
            }
            1 => {
                self.uses("text of another name");
                let who = if self.rarely(2) { self.all() } else { 0 };
                format!(" as \"{{{name}}} {{{}}}\"", self.int(0, who))
            }
            2 => {
                self.uses("text under a condition");
                let who = if self.rarely(2) { self.all() } else { 0 };
                let cond = self.truth(1, who);
                format!(" as if {cond} then \"{{{name}}}!\" else \"{{{name}}}\"")
            }
            _ => String::new(),
        }
    }

    pub fn choice(&mut self, who: Who) -> String {
        let chooser = self.chooser(who);
        let own = 1 << chooser;
        let name = self.fresh();
        let set = match self.pick(5) {
            0 => format!("{{ 1, {} }}", self.int(1, own)),
            _ => "0..1".into(),
        };
        let (part, seen) = self.part(&name, &set, own, who);
        self.names.add(&name, seen);
        let mut cond = String::new();
        let mut otherwise = String::new();
        if self.rarely(4) {
            self.uses("choice where");
            cond = format!(" where {name} == 0 or {}", self.truth(1, own));
        }
        if self.rarely(5) {
            self.uses("choice else");
            let cond_else = self.truth(1, own);
            cond = format!(" where {cond_else}");
            let kept = self.names.pop();
            otherwise = format!(" else {{ {} }}", self.statements(0, who & seen));
            self.names.extend(kept);
        }
        let text = self.words(&name);
        // After an `else` there may be no value.
        if !otherwise.is_empty() {
            self.names.pop();
        }
        format!("{} chooses {part}{cond}{text}{otherwise}", PLAYERS[chooser])
    }

    pub fn alternatives(&mut self, who: Who) -> String {
        self.uses("labels");
        let chooser = self.chooser(who);
        let own = 1 << chooser;
        let hidden = who != self.all() || self.rarely(3);
        let knows = if hidden { own } else { self.all() };
        let mut list = Vec::new();
        for label in ["stay", "go", "turn"].iter().take(2 + self.pick(2)) {
            let mut text = label.to_string();
            let reach = self.names.len();
            if self.rarely(2) {
                self.uses("label with a part");
                let name = self.fresh();
                let seen = match (hidden, self.pick(4)) {
                    (_, 0) => {
                        let (to, seen) = match !hidden && self.rarely(2) {
                            true => self.members(),
                            false => self.viewers(),
                        };
                        text += &format!("({name} in 0..1 seen by {to})");
                        seen | own
                    }
                    (false, 1) => {
                        text += &format!("(secretly {name} in 0..1)");
                        own
                    }
                    _ => {
                        text += &format!("({name} in 0..1)");
                        if hidden { own } else { self.all() }
                    }
                };
                self.names.add(&name, seen);
            }
            if *label != "stay" && self.rarely(3) {
                text += &format!(" where {}", self.truth(1, own));
            }
            if self.rarely(2) {
                text += &format!(" => {{ {} }}", self.statements(0, knows & who));
            }
            self.names.truncate(reach);
            list.push(text);
        }
        let secretly = if hidden {
            self.uses("secret labels");
            "secretly "
        } else {
            ""
        };
        format!(
            "{} chooses {secretly}{{ {} }}",
            PLAYERS[chooser],
            list.join("  ")
        )
    }

    pub fn draw(&mut self, who: Who) -> String {
        self.uses("draw");
        let name = self.fresh();
        let (part, seen) = self.part(&name, "0..1", 0, who);
        self.names.add(&name, seen);
        let mut more = String::new();
        match self.pick(6) {
            0 => {
                self.uses("weights");
                let index = match self.rarely(2) {
                    true => name.clone(),
                    false => format!("({name} + {}) mod 2", self.int(0, seen)),
                };
                more = format!(" weighted heavy[{index}]");
            }
            1 => {
                self.uses("weights");
                more = format!(" weighted 1 + {name} * {}", self.int(1, seen));
            }
            2 => {
                self.uses("draw where");
                more = format!(" where {name} == 0 or {}", self.truth(1, seen));
            }
            _ => {}
        }
        if !more.is_empty() && self.rarely(4) {
            self.uses("revealing");
            more += " revealing";
        }
        let text = self.words(&name);
        format!("draw {part}{more}{text}")
    }
}
