//! The room that a screen has, and its colours.

/// How wide and how high a screen may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// In characters.
    pub columns: usize,
    /// In lines.
    pub rows: usize,
    /// Whether seats have colours.
    pub colour: bool,
}

impl Default for Page {
    /// A terminal as it always was, without colours.
    fn default() -> Page {
        Page {
            columns: 80,
            rows: 24,
            colour: false,
        }
    }
}

impl Page {
    /// The width that lists are set to, in characters; a longer word stands on a line of its own.
    pub fn width(&self) -> usize {
        self.columns.saturating_sub(2).max(20)
    }

    /// A page with so many lines less, for what else is printed on it.
    pub fn without(&self, lines: usize) -> Page {
        Page {
            rows: self.rows.saturating_sub(lines),
            ..*self
        }
    }

    /// How many lines a question may have, so that the line that is typed fits below it, and an empty one above.
    pub fn height(&self) -> usize {
        self.rows.saturating_sub(2).max(6)
    }
}
