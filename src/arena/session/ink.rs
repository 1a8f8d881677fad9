//! Lines of a screen in pieces that know whose they are, and the colours of the seats.

/// A line, not yet coloured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    text: String,
    /// The seat whose piece it is; without one, the names of seats in it are theirs.
    seat: Option<usize>,
}

/// The colours of the seats, or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ink {
    /// By seat: its name, and the escape code.
    seats: Vec<(String, &'static str)>,
}

/// Colours that have names.
const NAMED: [(&str, &str); 8] = [
    ("red", "31"),
    ("green", "32"),
    ("yellow", "33"),
    ("blue", "34"),
    ("magenta", "35"),
    ("cyan", "36"),
    ("black", "90"),
    ("white", "97"),
];

/// Those of other seats, in order; the first two are far apart for eyes that see fewer colours.
const OTHERS: [&str; 6] = ["36", "33", "35", "32", "94", "31"];

impl Ink {
    /// A colour for each of these seats: that of its name, if it is called after one, and otherwise the next that is free.
    pub fn coloured(names: &[String]) -> Ink {
        let named = |name: &String| {
            let named = NAMED.iter().find(|(n, _)| *n == name.to_lowercase());
            named.map(|(_, code)| *code)
        };
        let taken: Vec<&str> = names.iter().filter_map(named).collect();
        let mut free = OTHERS.iter().filter(|code| !taken.contains(code)).cycle();
        let seats = names.iter().map(|name| {
            let code = named(name).or_else(|| free.next().copied());
            (name.clone(), code.unwrap_or(OTHERS[0]))
        });
        Ink {
            seats: seats.collect(),
        }
    }

    /// A text with the names of seats in their colours.
    pub fn paint(&self, text: &str) -> String {
        if self.seats.is_empty() {
            return text.to_string();
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let mut painted = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let inside = is_part(c);
            let end = rest.find(|c| is_part(c) != inside).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            match self.seats.iter().find(|(name, _)| name == word) {
                Some((_, code)) => painted.push_str(&coloured(word, code)),
                None => painted.push_str(word),
            }
            rest = after;
        }
        painted
    }

    fn line(&self, line: &Line) -> String {
        let pieces = line.0.iter().map(|piece| {
            let seat = piece.seat.and_then(|seat| self.seats.get(seat));
            match seat {
                Some((_, code)) => coloured(&piece.text, code),
                None => self.paint(&piece.text),
            }
        });
        pieces.collect()
    }

    /// Lines as text, without spaces at their ends.
    pub fn lines(&self, lines: &[Line]) -> String {
        let lines = lines
            .iter()
            .map(|line| format!("{}\n", self.line(&line.trimmed())));
        lines.collect()
    }
}

fn coloured(text: &str, code: &str) -> String {
    format!("\x1b[{code}m{text}\x1b[0m")
}

impl Line {
    pub fn push(&mut self, text: impl Into<String>, seat: Option<usize>) {
        let text = text.into();
        self.0.push(Piece { text, seat });
    }

    /// In characters.
    pub fn width(&self) -> usize {
        let pieces = self.0.iter();
        pieces.map(|piece| piece.text.chars().count()).sum()
    }

    /// Another line after it, from a column on.
    pub fn join(&mut self, column: usize, other: Line) {
        let fill = column.saturating_sub(self.width());
        self.push(" ".repeat(fill), None);
        self.0.extend(other.0);
    }

    fn trimmed(&self) -> Line {
        let mut line = self.clone();
        while let Some(last) = line.0.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                break;
            }
            line.0.pop();
        }
        line
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Line {
        let mut line = Line::default();
        line.push(text, None);
        line
    }
}

/// Blocks of lines side by side where they fit in so many characters, the highest of a row counting.
pub fn beside(blocks: Vec<Vec<Line>>, width: usize, gap: usize) -> Vec<Vec<Line>> {
    let wide = |block: &[Line]| block.iter().map(Line::width).max().unwrap_or(0);
    let mut rows: Vec<Vec<Line>> = Vec::new();
    for block in blocks {
        let column = rows.last().map_or(0, |row| wide(row) + gap);
        match rows.last_mut() {
            Some(row) if column + wide(&block) <= width => {
                let height = row.len().max(block.len());
                row.resize(height, Line::default());
                for (line, other) in std::iter::zip(row, block) {
                    line.join(column, other);
                }
            }
            _ => rows.push(block),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_seats_have_colours_as_whole_words() {
        let ink = Ink::coloured(&["Ann", "Red"].map(String::from));
        let painted = "\x1b[36mAnn\x1b[0m Anna \x1b[31mRed\x1b[0m:Redder";
        assert_eq!(ink.paint("Ann Anna Red:Redder"), painted);
        assert_eq!(Ink::default().paint("Ann"), "Ann");
    }

    #[test]
    fn blocks_stand_side_by_side_where_they_fit() {
        let block = |lines: &[&str]| lines.iter().map(|line| Line::from(*line)).collect();
        let blocks = || vec![block(&["ab", "c"]), block(&["d", "e", "f"]), block(&["gh"])];
        let texts = |width| {
            let rows = beside(blocks(), width, 2);
            let rows = rows.iter().map(|row| Ink::default().lines(row));
            rows.collect::<Vec<_>>()
        };
        assert_eq!(texts(6), ["ab  d\nc   e\n    f\n", "gh\n"]);
        assert_eq!(texts(80), ["ab  d  gh\nc   e\n    f\n"]);
        assert_eq!(texts(4), ["ab\nc\n", "d\ne\nf\n", "gh\n"]);
    }
}
