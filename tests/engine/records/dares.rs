//! Random statements that hang on one rule of the check: each is right only if those who notice it know some value.

use super::writer::{PLAYERS, Who, Writer};

impl Writer {
    /// Something that everybody notices, made of what not all may know.
    pub fn dare(&mut self) -> String {
        let all = self.all();
        let x = self.fresh();
        let seat = self.pick(self.players);
        let (p, own) = (PLAYERS[seat], 1 << seat);
        let knows = if self.rarely(3) { all } else { 0 };
        match self.pick(12) {
            0 => {
                self.uses("draw");
                format!("draw {x} in {{ 0, {} }}", self.secret(knows))
            }
            1 => {
                self.uses("hat");
                let value = self.secret(knows);
                format!("hat = {{ 0, 1 }}\nhat -= {value}\ndraw {x} in hat")
            }
            2 => {
                self.uses("weights");
                format!("draw {x} in 0..1 weighted 1 + {x} * {}", self.secret(knows))
            }
            3 => {
                self.uses("draw where");
                let secret = self.secret(knows);
                format!("draw {x} in 0..1 where {x} == 0 or {secret} == 1")
            }
            4 => {
                self.uses("a player by a value");
                let (seen, value) = (self.fresh(), self.int(0, 0));
                match self.rarely(2) {
                    true => format!("let {seen} = lead\nreveal({value} to {seen})"),
                    false => format!("let {seen} = lead\ndraw {x} in 0..1 seen by {seen}"),
                }
            }
            5 => {
                self.uses("repeat");
                let (cond, inner) = (self.truth(0, knows | own), self.statements(0, all));
                format!("repeat 2 times {{ if {cond} {{ break }} {inner} }}")
            }
            6 => {
                self.uses("choice else");
                let (cond, inner) = (self.truth(0, knows | own), self.statements(0, all));
                format!("{p} chooses secretly {x} in 0..1 where {cond} else {{ {inner} }}")
            }
            7 => {
                self.uses("after");
                let cond = self.tried(own, knows);
                format!("{p} chooses {x} in 0..1 where {x} == 0 or {cond}")
            }
            8 => {
                self.uses("if");
                let (place, seen) = self.place(own);
                let (cond, value) = (self.truth(0, knows | own), self.int(0, seen));
                format!("if {cond} {{ {place} = {value} }}")
            }
            9 => {
                self.uses("together");
                let (q, y, z) = (self.fresh(), self.fresh(), self.fresh());
                let (cond, value) = (self.truth(1, all), self.int(0, all));
                format!(
                    "{p} chooses secretly {x} in 0..1\n\
                     together each {q} in Player where {cond} {{ {q} chooses {y} in 0..1 }}\n\
                     open = 1 - {value}\n{p} chooses secretly {z} in 0..1"
                )
            }
            10 => {
                self.uses("together");
                let (y, z, w) = (self.fresh(), self.fresh(), self.fresh());
                let then = match self.rarely(2) {
                    true => format!("Ann chooses secretly {y} in 0..1"),
                    false => String::new(),
                };
                let value = self.int(0, all);
                format!(
                    "together {{\nAnn chooses {x} in 0..1 => {{ {then} }}\n\
                     Ben chooses {z} in 0..1 => {{ open = 1 - {value} }}\n}}\n\
                     Ann chooses secretly {w} in 0..1"
                )
            }
            _ => {
                self.uses("after");
                let cond = self.tried(all, knows);
                format!("if {cond} {{ reveal({}) }}", self.int(0, 0))
            }
        }
    }

    /// A value that at least these know; else often one that somebody has chosen.
    fn secret(&mut self, knows: Who) -> String {
        let own = format!("own[{}]", PLAYERS[self.pick(self.players)]);
        match knows == 0 && self.names.varies(&own) && self.rarely(2) {
            true => own,
            false => self.int(0, knows),
        }
    }

    /// What would be, for those who know what is asked and perhaps what is tried.
    pub fn tried(&mut self, who: Who, knows: Who) -> String {
        self.uses("after");
        let places = self.names.places();
        let fit: Vec<String> = places
            .filter(|(_, seen)| who & !seen == 0)
            .map(|(place, _)| place)
            .collect();
        let place = match fit.is_empty() {
            true => "open".to_string(),
            false => fit[self.pick(fit.len())].clone(),
        };
        format!(
            "({place} == 0 after {{ {place} = {} }})",
            self.int(0, knows)
        )
    }
}
