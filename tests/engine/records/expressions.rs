//! Random expressions, made of what some players know.

use super::writer::{Who, Writer};

/// What a program has names for, with those who know it.
#[derive(Default)]
pub struct Names {
    /// Values that are 0 or 1.
    known: Vec<(String, Who)>,
    /// Variables in which not every play has the same.
    varied: Vec<String>,
    /// Shown defs, which stand among the values too.
    pub shown: Vec<(String, Who)>,
    /// Who sees the table of weights.
    pub table: Who,
    /// Who sees the player that may be none.
    pub best: Who,
    /// Who sees the table that is stored to.
    pub row: Who,
    /// Who sees the player who leads.
    pub lead: Who,
    /// Who sees the note, if there is one.
    pub note: Option<Who>,
    pub rule: bool,
}

impl Names {
    pub fn add(&mut self, name: &str, who: Who) {
        self.known.push((name.to_string(), who));
    }

    /// Not every play has the same there.
    pub fn vary(&mut self, place: &str) {
        self.varied.push(place.to_string());
    }

    pub fn varies(&self, name: &str) -> bool {
        name.starts_with('x') || self.varied.iter().any(|v| v == name)
    }

    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn truncate(&mut self, to: usize) {
        self.known.truncate(to);
    }

    pub fn pop(&mut self) -> Option<(String, Who)> {
        self.known.pop()
    }

    pub fn extend(&mut self, more: Option<(String, Who)>) {
        self.known.extend(more);
    }

    pub fn of(&self, name: &str) -> Who {
        let found = self.known.iter().find(|(known, _)| known == name);
        found.map_or(0, |(_, who)| *who)
    }

    /// Variables that can be stored to.
    pub fn places(&self) -> impl Iterator<Item = (String, Who)> + '_ {
        let variable =
            |name: &str| name.starts_with("own") || matches!(name, "a" | "b" | "c" | "open");
        self.known.iter().filter(move |(n, _)| variable(n)).cloned()
    }
}

impl Writer {
    /// A value that all of `who` know, mostly: 0 or 1.
    pub fn int(&mut self, depth: usize, who: Who) -> String {
        if depth == 0 || self.rarely(3) {
            return self.value(who);
        }
        let d = depth - 1;
        match self.pick(6) {
            3 if who & !self.names.row == 0 => format!("row[{}]", self.int(d, who)),
            0 => format!("(1 - {})", self.int(d, who)),
            1 => format!("(({} + {}) mod 2)", self.int(d, who), self.int(d, who)),
            2 => format!(
                "(if {} then {} else {})",
                self.truth(d, who),
                self.int(d, who),
                self.int(d, who)
            ),
            _ => self.value(who),
        }
    }

    fn value(&mut self, who: Who) -> String {
        if self.rarely(6) {
            return self.one(&["0", "1"]).to_string();
        }
        let stray = self.rarely(24);
        let still = self.rarely(4);
        let names = self.names.known.iter();
        let known: Vec<String> = names
            .filter(|(name, knows)| {
                (stray || who & !knows == 0) && (still || self.names.varies(name))
            })
            .map(|(name, _)| name.clone())
            .collect();
        match known.is_empty() {
            true => "1".to_string(),
            false => known[self.pick(known.len())].clone(),
        }
    }

    /// A condition that all of `who` know, mostly.
    pub fn truth(&mut self, depth: usize, who: Who) -> String {
        if depth == 0 {
            return format!("{} == {}", self.value(who), self.one(&["0", "1"]));
        }
        let d = depth - 1;
        match self.pick(9) {
            5 if who & !self.names.lead == 0 => "lead == Ann".to_string(),
            0 => format!("({} and {})", self.truth(d, who), self.truth(d, who)),
            1 => format!("({} or {})", self.truth(d, who), self.truth(d, who)),
            2 => format!("not ({})", self.truth(d, who)),
            3 => {
                let knows = if self.rarely(16) { 0 } else { who };
                self.tried(who, knows)
            }
            4 if !self.names.shown.is_empty() => {
                self.uses("shown value in after");
                let shown = self.names.shown[0].0.clone();
                let place = self.one(&["a", "b", "c", "open"]);
                format!("({shown} == 1 after {{ {place} = {} }})", self.int(0, who))
            }
            _ => format!("{} == {}", self.int(d, who), self.int(d, who)),
        }
    }
}
