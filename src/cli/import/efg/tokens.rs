//! The words of an `.efg` file: texts in quotation marks, numbers, braces, and what else stands between blanks.

use crate::cli::codes;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use num_rational::Ratio;
use num_traits::CheckedMul;

pub type Number = Ratio<i64>;
pub type Read<T> = Result<T, Box<Diagnostic>>;

/// What is wrong at a place of the file.
pub fn wrong<T>(span: Span, message: impl Into<String>) -> Read<T> {
    Err(Box::new(Diagnostic::error(codes::NO_MAP, span, message)))
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    Text(String),
    Number(Number),
    Open,
    Close,
    Comma,
    Symbol,
    End,
}

/// Goes through the words of a text, one ahead.
pub struct Words<'t> {
    pub text: &'t str,
    next: Word,
    span: Span,
}

impl<'t> Words<'t> {
    /// # Errors
    /// When the first word is none.
    pub fn new(text: &'t str) -> Read<Words<'t>> {
        let mut words = Words {
            text,
            next: Word::End,
            span: Span::new(0, 0),
        };
        words.advance()?;
        Ok(words)
    }

    pub fn peek(&self) -> &Word {
        &self.next
    }

    /// Where the next word stands.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The next word as it is written.
    pub fn written(&self) -> &'t str {
        &self.text[self.span.range()]
    }

    /// Takes the next word.
    pub fn advance(&mut self) -> Read<Word> {
        let from = self.span.range().end;
        let rest = self.text[from..].trim_start();
        let start = self.text.len() - rest.len();
        let (word, length) = word(rest, start)?;
        self.span = Span::new(start, start + length);
        Ok(std::mem::replace(&mut self.next, word))
    }

    /// Takes the next word if it is this one.
    pub fn take(&mut self, word: &Word) -> Read<bool> {
        let there = self.next == *word;
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    pub fn expect(&mut self, word: &Word, what: &str) -> Read<()> {
        match self.take(word)? {
            true => Ok(()),
            false => self.missing(what),
        }
    }

    /// A text in quotation marks.
    pub fn label(&mut self, what: &str) -> Read<String> {
        match self.next {
            Word::Text(_) => match self.advance()? {
                Word::Text(text) => Ok(text),
                _ => self.missing(what),
            },
            _ => self.missing(what),
        }
    }

    pub fn number(&mut self, what: &str) -> Read<Number> {
        match self.next {
            Word::Number(number) => {
                self.advance()?;
                Ok(number)
            }
            _ => self.missing(what),
        }
    }

    /// A whole number of a range.
    pub fn whole(&mut self, least: i64, most: i64, what: &str) -> Read<i64> {
        let span = self.span;
        let number = self.number(what)?;
        match number.is_integer() && (least..=most).contains(number.numer()) {
            true => Ok(*number.numer()),
            false => wrong(span, format!("{what} must be from {least} to {most}")),
        }
    }

    fn missing<T>(&self, what: &str) -> Read<T> {
        match self.next {
            Word::End => wrong(
                self.span,
                format!("the file ends where {what} should follow"),
            ),
            _ => wrong(self.span, format!("there must be {what} here")),
        }
    }
}

/// The word at the beginning of a text, and its length in bytes.
fn word(rest: &str, start: usize) -> Read<(Word, usize)> {
    let Some(first) = rest.chars().next() else {
        return Ok((Word::End, 0));
    };
    let sign = match first {
        '{' => Word::Open,
        '}' => Word::Close,
        ',' => Word::Comma,
        '"' => return quoted(rest, start),
        _ => {
            let ends = |c: char| c.is_whitespace() || "{},\"".contains(c);
            let length = rest.find(ends).unwrap_or(rest.len());
            let numeric = first.is_ascii_digit() || "+-.".contains(first);
            return match (numeric, number(&rest[..length])) {
                (false, _) => Ok((Word::Symbol, length)),
                (true, Some(number)) => Ok((Word::Number(number), length)),
                (true, None) => wrong(
                    Span::new(start, start + length),
                    "this is no number that can be read: at most 18 digits, as `-3`, `2/3`, `0.25` or `1e-3`",
                ),
            };
        }
    };
    Ok((sign, 1))
}

/// A text up to its quotation mark; `\"` is one within it.
fn quoted(rest: &str, start: usize) -> Read<(Word, usize)> {
    let mut text = String::new();
    let mut signs = rest.char_indices().skip(1).peekable();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '"' => return Ok((Word::Text(text), at + 1)),
            '\\' if matches!(signs.peek(), Some((_, '"'))) => {
                signs.next();
                text.push('"');
            }
            sign => text.push(sign),
        }
    }
    let message = "this text has no closing quotation mark";
    wrong(Span::new(start, start + 1), message)
}

/// An integer, a fraction, or a decimal with or without an exponent, exactly.
fn number(text: &str) -> Option<Number> {
    if let Some((above, below)) = text.split_once('/') {
        let (above, below): (i64, i64) = (digits(above)?, digits(below)?);
        return (below > 0).then(|| Ratio::new(above, below));
    }
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], digits(&text[at + 1..])?),
        None => (text, 0),
    };
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if decimals.starts_with(['+', '-']) {
        return None;
    }
    let all = digits(&format!("{whole}{decimals}"))?;
    let exponent = exponent - i64::try_from(decimals.len()).ok()?;
    let power = 10i64.checked_pow(u32::try_from(exponent.abs()).ok()?)?;
    match exponent < 0 {
        true => Some(Ratio::new(all, power)),
        false => Ratio::from(all).checked_mul(&Ratio::from(power)),
    }
}

/// An integer of at most 18 digits, with a sign or without.
fn digits(text: &str) -> Option<i64> {
    let plain = text.strip_prefix(['+', '-']).unwrap_or(text);
    let right = !plain.is_empty() && plain.bytes().all(|b| b.is_ascii_digit());
    (right && plain.len() <= 18).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_exactly() {
        for (text, above, below) in [
            ("3", 3, 1),
            ("+3", 3, 1),
            ("-2/4", -1, 2),
            (".80", 4, 5),
            ("-0.25", -1, 4),
            ("1e3", 1000, 1),
            ("12.5E-1", 5, 4),
            ("4.000000", 4, 1),
        ] {
            assert_eq!(number(text), Some(Ratio::new(above, below)), "{text}");
        }
        for text in [
            "", "-", ".", "1/0", "1/-2", "1e", "1.-2", "1e99", "0x1", "1/2/3",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn texts_may_hold_quotation_marks_and_anything_else() {
        let mut words = Words::new(r#""say \"no\"" "a\b" "{," x}"#).unwrap();
        let mut all = Vec::new();
        while *words.peek() != Word::End {
            all.push(words.advance().unwrap());
        }
        let text = |t: &str| Word::Text(t.to_string());
        let wanted = [
            text("say \"no\""),
            text(r"a\b"),
            text("{,"),
            Word::Symbol,
            Word::Close,
        ];
        assert_eq!(all, wanted);
    }
}
