//! Random statements about piles, hands, and players who are named by values.

use super::writer::{PLAYERS, Who, Writer};

impl Writer {
    /// Something about sets, or about somebody who is chosen.
    pub fn named(&mut self, who: Who) -> String {
        match self.pick(8) {
            0 => self.letter(who),
            1 => self.candidate(who),
            2 | 6 => self.fill(),
            3 | 7 => self.draw_from_hat(who),
            4 => self.cards(who),
            _ => self.each_card(who),
        }
    }

    /// A value for somebody who is chosen or drawn with it.
    fn letter(&mut self, who: Who) -> String {
        self.uses("a place by a chosen name");
        let (q, x) = (self.fresh(), self.fresh());
        let p = PLAYERS[self.chooser(who)];
        let to = self.one(&["", "", "secretly "]);
        match self.pick(3) {
            0 => format!("draw {to}{q} in Player, {x} in 0..1 into own[{q}]"),
            1 => format!("{p} chooses {to}{q} in Player - {p}, {x} in 0..1 into own[{q}]"),
            _ => format!(
                "{p} chooses {to}{q} in Player - {p}\n{p} chooses {x} in 0..1 into own[{q}]"
            ),
        }
    }

    /// A player who may be none.
    fn candidate(&mut self, who: Who) -> String {
        self.uses("optional");
        let (q, x) = (self.fresh(), self.fresh());
        let p = PLAYERS[self.chooser(who)];
        let seen = self.names.best;
        match self.pick(4) {
            0 => format!("{p} chooses {q} in Player into best"),
            1 => format!("if {} {{ best = none }}", self.truth(1, seen)),
            2 if seen == self.all() && who == seen => {
                format!("if best != none {{ best chooses {x} in 0..1 into own[best] }}")
            }
            _ => {
                let value = format!("if best != none then own[best] else {}", self.int(0, who));
                let (place, _) = self.place(who);
                format!("{place} = {value}")
            }
        }
    }

    fn fill(&mut self) -> String {
        self.uses("hat");
        let value = self.int(1, 0);
        match self.pick(3) {
            0 => format!("hat = {{ {value} }}"),
            1 => format!("hat += {value}"),
            _ => format!("if size(hat) > 1 {{ hat -= {value} }}"),
        }
    }

    fn draw_from_hat(&mut self, who: Who) -> String {
        self.uses("hat");
        let x = self.fresh();
        let more = self.one(&["", "", " revealing"]);
        let from = self.one(&["in hat", "in hat", "in hat", "from hat", "from heavy"]);
        if from.starts_with("from") {
            self.uses("draw from");
        }
        let (text, seen) = match self.pick(3) {
            0 => (format!("draw {x} {from}{more}"), self.all()),
            1 => {
                let (place, seen) = self.place(who);
                (format!("draw {x} {from} into {place}{more}"), seen)
            }
            _ => (format!("draw secretly {x} {from}{more}"), 0),
        };
        self.names.add(&x, seen);
        text
    }

    fn cards(&mut self, who: Who) -> String {
        self.uses("subsets");
        let p = PLAYERS[self.chooser(who)];
        let cards = self.fresh();
        let secretly = self.one(&["", "secretly "]);
        let size = self.one(&["1", "0..1", "1..2"]);
        let after = match self.pick(3) {
            0 => format!("hand[{p}] -= {cards}"),
            1 => format!("pile += {cards}"),
            _ => String::new(),
        };
        format!(
            "{p} chooses {secretly}{cards} in subsets(hand[{p}], {size}) => {{ {after} }} else {{}}"
        )
    }

    /// Cards for somebody, of whom a secret may say how many.
    pub fn deal(&mut self) -> String {
        self.uses("deal");
        let p = self.pick(self.players);
        let who = if self.rarely(3) { 0 } else { self.all() };
        let count = match self.deals {
            0 => format!("(1 + {})", self.int(1, who)),
            _ => "1".into(),
        };
        self.deals += 1;
        format!("deal {count} from pile to hand[{}]", PLAYERS[p])
    }

    fn each_card(&mut self, who: Who) -> String {
        self.uses("each of a hand");
        let seat = self.chooser(who);
        let (p, card) = (PLAYERS[seat], self.fresh());
        let inner = self.statements(0, who & 1 << seat);
        format!("each {card} in hand[{p}] {{ {inner} }}")
    }
}
