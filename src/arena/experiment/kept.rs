//! What is kept of an experiment between runs, whatever it measures: for each part a first line that says what the results
//! follow from, and a line for each finished piece of work.

use super::header::Header;
use super::lines::Line;
use super::part::Part;
use super::plan::{Experiment, Shard};
use crate::arena::record::LONGEST_LINE;

/// An experiment whose results are kept in lines.
pub trait Kept {
    /// What is known of a part, or of several together.
    type Part;

    /// The first line of a part.
    fn header(&self, shard: Shard) -> Header;

    /// A part of which nothing is known.
    fn begin(&self) -> Self::Part;

    /// Takes a later line; it is not trusted. True for a line of counts, such as [`Kept::shortened`] gives.
    ///
    /// # Errors
    /// When it is none, does not belong to this part, or is there already; in words.
    fn take(&self, part: &mut Self::Part, shard: Shard, line: &[u8]) -> Result<bool, String>;

    /// Whether nothing of a part is missing.
    fn is_finished(&self, part: &Self::Part, shard: Shard) -> bool;

    /// Takes what is known of another part.
    fn merge(&self, part: &mut Self::Part, other: Self::Part);

    /// How many pieces of work a part has.
    fn list_size(&self, shard: Shard) -> u64;

    /// The lines of a finished part as counts; `None` where they stay as they are.
    fn shortened(&self, part: &Self::Part) -> Option<Vec<String>>;
}

impl Kept for Experiment {
    type Part = Part;

    fn header(&self, shard: Shard) -> Header {
        let mut header = Header::new(shard, self.seed);
        header.games = Some(self.games);
        for (i, variant) in self.variants.iter().enumerate() {
            let machine = &variant.machine;
            let seats: Vec<&str> = (0..machine.player_count())
                .map(|s| machine.player_name(s))
                .collect();
            let cells = self.cells.iter().filter(|c| c.variant == i);
            let pairings = cells.map(|c| c.play.plan.text(&seats)).collect();
            let (name, players) = (variant.name.as_ref(), &variant.players);
            header.add(name, machine, &variant.description, players, pairings);
        }
        header
    }

    fn begin(&self) -> Part {
        Part::new(self)
    }

    fn take(&self, part: &mut Part, shard: Shard, line: &[u8]) -> Result<bool, String> {
        let line = Line::parse(line)?;
        let counts = matches!(line, Line::Cell { .. });
        part.take(self, shard, line)?;
        Ok(counts)
    }

    fn is_finished(&self, part: &Part, shard: Shard) -> bool {
        part.missing(self, shard).is_empty()
    }

    fn merge(&self, part: &mut Part, other: Part) {
        part.merge(other);
    }

    fn list_size(&self, shard: Shard) -> u64 {
        self.units(shard).count() as u64
    }

    fn shortened(&self, part: &Part) -> Option<Vec<String>> {
        let lines = part.lines();
        // Where nearly every game ends with payoffs of its own, counts save nothing.
        let short = lines.iter().all(|line| line.len() < LONGEST_LINE);
        short.then_some(lines)
    }
}
