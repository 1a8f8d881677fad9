//! Brackets and quotation marks that match, for a text that lacks some: what an editor holds while somebody types. Every
//! sign that stays keeps its place, so that what is read has the spans of the text.

use super::brackets::closer;
use super::scan::{ITEMS, MAX_BRACKETS, line_end, text_end};

/// The text with closing signs in the place of blanks and at the end, and without brackets that match nothing.
pub(super) fn mended(text: &str) -> String {
    let mut mender = Mender {
        bytes: text.as_bytes().to_vec(),
        open: Vec::new(),
        blanks: 0,
        items: None,
    };
    let mut at = 0;
    while at < mender.bytes.len() {
        at = mender.step(text, at);
        // Nobody could read it anyway.
        if mender.open.len() > MAX_BRACKETS {
            return text.to_owned();
        }
    }
    if !mender.open.is_empty() {
        // The last line may be a comment.
        mender.bytes.push(b'\n');
    }
    while let Some((_, bracket)) = mender.open.pop() {
        mender.bytes.push(closer(bracket));
    }
    // Only signs of one byte were changed.
    String::from_utf8(mender.bytes).unwrap_or_default()
}

struct Mender {
    bytes: Vec<u8>,
    open: Vec<(usize, u8)>,
    /// How many blanks stand right before this place, on its line.
    blanks: usize,
    /// How far the items are indented.
    items: Option<usize>,
}

impl Mender {
    /// Goes past what begins at a place, and gives the next.
    fn step(&mut self, text: &str, at: usize) -> usize {
        let blanks = std::mem::take(&mut self.blanks);
        match self.bytes[at] {
            b' ' | b'\t' => {
                self.blanks = blanks + 1;
                at + 1
            }
            b'/' if self.bytes.get(at + 1) == Some(&b'/') => line_end(&self.bytes, at),
            b'"' => match text_end(&self.bytes, at) {
                Some(end) => end,
                None => self.close_text(at),
            },
            bracket @ (b'{' | b'(' | b'[') => {
                self.open.push((at, bracket));
                at + 1
            }
            bracket @ (b'}' | b')' | b']') => {
                self.close(bracket, at, blanks);
                at + 1
            }
            byte if byte.is_ascii_alphabetic() => {
                let rest = &text[at..];
                let word = |c: char| c.is_alphanumeric() || c == '_';
                let length = rest.find(|c| !word(c)).unwrap_or(rest.len());
                let first = at == blanks || self.bytes[at - blanks - 1] == b'\n';
                if first && ITEMS.contains(&&rest[..length]) {
                    self.begin_item(at, blanks);
                }
                at + length
            }
            _ => at + 1,
        }
    }

    /// The end of the line in the place of the quotation mark that is missing.
    fn close_text(&mut self, at: usize) -> usize {
        let end = line_end(&self.bytes, at);
        match self.bytes.get_mut(end) {
            Some(line_break) => *line_break = b'"',
            None => self.bytes.push(b'"'),
        }
        end + 1
    }

    fn close(&mut self, bracket: u8, at: usize, mut blanks: usize) {
        let fits = |(_, opened): &(usize, u8)| closer(*opened) == bracket;
        let matching = self.open.iter().rposition(fits);
        // The game ends where the text does.
        let too_early = matching == Some(0) && self.goes_on(at + 1);
        let Some(matching) = matching.filter(|_| !too_early) else {
            self.bytes[at] = b' ';
            return;
        };
        // What is open within it ends before it, if there is room.
        while self.open.len() > matching + 1 {
            let Some((opened, inner)) = self.open.pop() else {
                return;
            };
            match blanks {
                0 => self.bytes[opened] = b' ',
                _ => {
                    self.bytes[at - blanks] = closer(inner);
                    blanks -= 1;
                }
            }
        }
        self.open.pop();
    }

    /// Whether anything but blanks and comments follows.
    fn goes_on(&self, mut at: usize) -> bool {
        loop {
            match self.bytes.get(at) {
                None => return false,
                Some(byte) if byte.is_ascii_whitespace() => at += 1,
                Some(b'/') if self.bytes.get(at + 1) == Some(&b'/') => {
                    at = line_end(&self.bytes, at);
                }
                Some(_) => return true,
            }
        }
    }

    /// An item that begins within another: that one ends before it.
    fn begin_item(&mut self, at: usize, blanks: usize) {
        let usual = *self.items.get_or_insert(blanks);
        let too_many = self.open.len().saturating_sub(1);
        if blanks > usual || too_many == 0 || too_many > blanks {
            return;
        }
        for place in at - blanks..at - blanks + too_many {
            if let Some((_, bracket)) = self.open.pop() {
                self.bytes[place] = closer(bracket);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{parse, recovered};

    #[test]
    fn brackets_are_closed_where_there_is_room() {
        assert_eq!(mended("a { b ( c"), "a { b ( c\n)}");
        assert_eq!(mended("a { f(x }"), "a { f(x)}");
        assert_eq!(mended("{ { f(x} y }"), "{ { f x} y }");
        assert_eq!(mended("{ a } b } // c"), "{ a   b } // c");
        assert_eq!(mended(") a ]"), "  a  ");
        assert_eq!(mended("a \"b\nc"), "a \"b\"c");
        assert_eq!(mended("a \"b"), "a \"b\"");
        assert_eq!(mended("{ // a"), "{ // a\n}");
    }

    #[test]
    fn what_is_too_deep_is_left_alone() {
        let text = "(".repeat(500_000) + &"}".repeat(500_000);
        assert_eq!(mended(&text), text);
    }

    #[test]
    fn what_matches_stays() {
        let text = "game G { // it's {\n  play { a chooses b in { 1, 2 } as \"{b} (\" }\n}";
        assert_eq!(mended(text), text);
    }

    #[test]
    fn an_item_ends_what_is_open() {
        let text =
            "game G {\n  players { A, B }\n  play {\n    if a { b = 1\n  payoff zero-sum: x\n}\n";
        let file = recovered(text).expect("a tree");
        assert_eq!(parse(text).0, None);
        assert_eq!(file.items.len(), 3, "{file:?}");
    }
}
