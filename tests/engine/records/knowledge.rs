//! Random knowledge of players, which is made of what they see, mostly.

use super::writer::{PLAYERS, Writer};

impl Writer {
    pub fn knowledge(&mut self) -> String {
        let mut blocks = String::new();
        for (p, name) in PLAYERS.iter().enumerate().take(self.players) {
            if self.rarely(4) {
                let lines = self.lines(p);
                blocks += &format!("  knowledge {name} {{\n{lines}  }}\n");
            }
        }
        blocks
    }

    /// What one player knows or supposes.
    fn lines(&mut self, player: usize) -> String {
        let own = 1 << player;
        let mut lines = String::new();
        if self.rarely(2) {
            self.uses("layout");
            let board = match player {
                0 => "c == spot",
                _ => "c == a1",
            };
            let cond = self.truth(1, own);
            lines += &format!(
                "    layout c in Board {{\n      {board} and {cond} => \"x\"\n      else => \".\"\n    }}\n"
            );
        }
        if self.rarely(2) {
            self.uses("abstraction");
            lines += &format!(
                "    abstraction information {{ one = {} }}\n",
                self.int(1, own)
            );
        }
        if self.rarely(4) {
            self.uses("evaluate");
            lines += &format!("    evaluate = {}\n", self.int(1, 0));
        }
        // The last choice of all is Ben's.
        if player == 1 && self.rarely(2) {
            self.uses("filter");
            lines += &format!("    filter some_ = g == 0 or {}\n", self.truth(1, own));
        }
        lines
    }
}
