//! The words and signs of a text with the comments and line breaks before each. It knows nothing of what they mean.

/// A word, a number, a text in quotes or a sign.
#[derive(Debug)]
pub(super) struct Token<'t> {
    pub text: &'t str,
    /// Bytes from the start of the file.
    pub start: usize,
    /// Line breaks between this and what stands before it, a comment included.
    pub newlines: usize,
    /// The comments since the token before.
    pub comments: Vec<Remark<'t>>,
    /// The bracket that this one closes or is closed by.
    pub partner: Option<usize>,
}

impl Token<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// A comment, and how many line breaks stand before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Remark<'t> {
    pub text: &'t str,
    pub newlines: usize,
    /// From 0, in characters.
    pub column: usize,
}

/// Signs of two characters; every other sign has one.
const PAIRS: [&str; 8] = ["=>", "==", "!=", "<=", ">=", "+=", "-=", ".."];

/// Splits a text that the parser took. The last token is empty and stands for the end.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut comments = Vec::new();
    let mut open = Vec::new();
    let (mut at, mut newlines, mut line_start) = (0, 0, 0);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first == '\n' {
            newlines += 1;
            at += 1;
            line_start = at;
            continue;
        }
        if is_blank(first) {
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            comments.push(Remark {
                text: rest[..end].trim_end(),
                newlines,
                column: text[line_start..at].chars().count(),
            });
            newlines = 0;
            at += end;
            continue;
        }
        let length = length(rest, first);
        let mut partner = None;
        match first {
            '{' | '(' | '[' => open.push(tokens.len()),
            '}' | ')' | ']' => {
                partner = open.pop();
                let own = tokens.len();
                if let Some(token) = partner.and_then(|p| tokens.get_mut(p)) {
                    token.partner = Some(own);
                }
            }
            _ => {}
        }
        tokens.push(Token {
            text: &rest[..length],
            start: at,
            newlines,
            comments: std::mem::take(&mut comments),
            partner,
        });
        newlines = 0;
        at += length;
    }
    tokens.push(Token {
        text: "",
        start: text.len(),
        newlines,
        comments,
        partner: None,
    });
    tokens
}

/// The bytes of the token at the start of `rest`.
fn length(rest: &str, first: char) -> usize {
    let run = |from: usize, part_of: fn(char) -> bool| {
        rest[from..]
            .find(|c| !part_of(c))
            .map_or(rest.len(), |n| from + n)
    };
    if first == '"' {
        return rest[1..].find('"').map_or(rest.len(), |n| n + 2);
    }
    if first.is_ascii_digit() {
        let whole = run(0, |c| c.is_ascii_digit());
        let fraction = rest[whole..].strip_prefix('.');
        return match fraction.and_then(|f| f.chars().next()) {
            Some(c) if c.is_ascii_digit() => run(whole + 1, |c| c.is_ascii_digit()),
            _ => whole,
        };
    }
    if is_letter(first) {
        return run(0, is_letter);
    }
    if PAIRS.iter().any(|p| rest.starts_with(p)) {
        return 2;
    }
    first.len_utf8()
}

/// What a name is made of; outside texts and comments, the parser takes no other character beyond ASCII but two blanks.
pub(super) fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii() && !is_blank(c)
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{FEFF}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_falls_into_words_numbers_and_signs() {
        let texts: Vec<&str> = tokens("a1..4 27.8<=x // c\n \"{a} b\"=>é -=")
            .iter()
            .map(|t| t.text)
            .collect();
        let expected = [
            "a1",
            "..",
            "4",
            "27.8",
            "<=",
            "x",
            "\"{a} b\"",
            "=>",
            "é",
            "-=",
            "",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn comments_line_breaks_and_brackets_are_kept() {
        let list = tokens("f( // one\n\n  // two\n  x)");
        assert_eq!(list[2].comments.len(), 2);
        assert_eq!(list[2].comments[0].newlines, 0);
        assert_eq!(list[2].comments[1].newlines, 2);
        assert_eq!(list[2].comments[1].column, 2);
        assert_eq!(list[2].newlines, 1);
        assert_eq!(list[1].partner, Some(3));
        assert_eq!(list[3].partner, Some(1));
    }
}
