//! Text to script, line by line. Every line that cannot be read is told of, with what might have been meant.

use super::codes;
use super::script::{Line, LineKind, Play, Script, Setting, Text};
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;

/// The words that a line may begin with, apart from names of players.
const WORDS: [&str; 16] = [
    "game", "set", "play", "chance", "options", "includes", "refuse", "sees", "hides", "turn",
    "payoffs", "end", "random", "playouts", "counts", "skip",
];
/// The most plies that a line may ask for.
const MOST: u64 = 100_000;
/// The most games.
const MOST_GAMES: u64 = 1_000;
/// The most problems that are told of.
const MOST_PROBLEMS: usize = 50;

/// Reads a script. What can be read is there even when there are problems.
pub fn parse(text: &str) -> (Script, Vec<Diagnostic>) {
    let mut reader = Reader {
        script: Script::default(),
        problems: Vec::new(),
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let piece = Piece { text: line, start };
        let piece = piece.without_comment().trimmed();
        if !piece.text.is_empty()
            && let Err(problem) = reader.line(&piece)
        {
            reader.problems.push(*problem);
        }
        start += line.len();
    }
    reader.finish(text.len());
    reader.problems.sort_by_key(|d| d.span);
    reader.problems.truncate(MOST_PROBLEMS);
    (reader.script, reader.problems)
}

struct Reader {
    script: Script,
    problems: Vec<Diagnostic>,
}

type Read<T> = Result<T, Box<Diagnostic>>;

/// A piece of a line, and where it is.
#[derive(Copy, Clone)]
struct Piece<'t> {
    text: &'t str,
    start: usize,
}

impl<'t> Piece<'t> {
    fn span(&self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }

    fn owned(&self) -> Text {
        Text {
            text: self.text.to_string(),
            span: self.span(),
        }
    }

    /// The bytes from `from` to `to`.
    fn part(&self, from: usize, to: usize) -> Piece<'t> {
        Piece {
            text: &self.text[from..to],
            start: self.start + from,
        }
    }

    fn trimmed(&self) -> Piece<'t> {
        let from = self.text.len() - self.text.trim_start().len();
        let to = from + self.text.trim().len();
        self.part(from, to)
    }

    /// A comment begins at the start of a line or after a blank.
    fn without_comment(&self) -> Piece<'t> {
        let mut from = 0;
        while let Some(at) = self.text[from..].find("//").map(|at| from + at) {
            if self.text[..at].trim().is_empty() || self.text[..at].ends_with(char::is_whitespace) {
                return self.part(0, at);
            }
            from = at + 2;
        }
        *self
    }

    /// What stands before and after the first of some characters, trimmed.
    fn split(&self, at: impl Fn(char) -> bool) -> Option<(Piece<'t>, Piece<'t>)> {
        let i = self.text.find(at)?;
        let width = self.text[i..].chars().next().map_or(1, char::len_utf8);
        let (a, b) = (self.part(0, i), self.part(i + width, self.text.len()));
        Some((a.trimmed(), b.trimmed()))
    }

    fn list(&self, separator: char) -> Vec<Piece<'t>> {
        let mut list = Vec::new();
        let mut rest = *self;
        while let Some((one, more)) = rest.split(|c| c == separator) {
            list.push(one);
            rest = more;
        }
        list.push(rest.trimmed());
        list
    }
}

fn bad(span: Span, message: impl Into<String>, hint: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(codes::BAD_LINE, span, message).hint(hint))
}

impl Reader {
    fn line(&mut self, line: &Piece<'_>) -> Read<()> {
        let (word, rest) = line
            .split(char::is_whitespace)
            .unwrap_or((*line, line.part(line.text.len(), line.text.len())));
        let kind = match word.text {
            "game" => return self.game(line, &rest),
            "set" => return self.set(&rest),
            "play" => return self.play(line, &rest),
            "options" | "includes" => {
                let (player, options) = named(&rest, "options Alice: bet | pass")?;
                let texts = options.list('|').iter().map(Piece::owned).collect();
                LineKind::Options {
                    player,
                    texts,
                    exactly: word.text == "options",
                }
            }
            "refuse" => {
                let (player, text) = named(&rest, "refuse Alice: raise")?;
                LineKind::Refuse {
                    player,
                    text: text.owned(),
                }
            }
            "sees" => {
                let form = "sees Alice: card[Alice] = queen";
                let (player, fact) = named(&rest, form)?;
                let Some((name, value)) = fact.split(|c| c == '=') else {
                    return Err(bad(fact.span(), "there is no `=` here", form));
                };
                LineKind::Sees {
                    player,
                    name: name.owned(),
                    value: value.owned(),
                }
            }
            "hides" => {
                let (player, name) = named(&rest, "hides Alice: card[Bob]")?;
                LineKind::Hides {
                    player,
                    name: name.owned(),
                }
            }
            "turn" => LineKind::Turn(rest.list(',').iter().map(Piece::owned).collect()),
            "payoffs" => LineKind::Payoffs(payoffs(&rest)?),
            "end" if rest.text.is_empty() => LineKind::End,
            "random" => {
                let (plies, seed) = number_and_seed(&rest, "random 12 seed 3")?;
                LineKind::Random { plies, seed }
            }
            "skip" => {
                let (plies, seed) = number_and_seed(&rest, "skip 12 seed 3")?;
                LineKind::Skip { plies, seed }
            }
            "playouts" => {
                let (games, seed) = number_and_seed(&rest, "playouts 3 seed 1")?;
                if games > MOST_GAMES {
                    let hint = format!("at most {MOST_GAMES}");
                    return Err(bad(rest.span(), "these are too many games", hint));
                }
                LineKind::Playouts { games, seed }
            }
            "counts" => LineKind::Counts(number(&rest)?),
            _ => self.move_line(line, &word)?,
        };
        let line = Line {
            kind,
            span: line.span(),
        };
        match self.script.plays.last_mut() {
            Some(play) => play.lines.push(line),
            None => {
                let d = Diagnostic::error(
                    codes::BAD_ORDER,
                    line.span,
                    "this stands before the first `play`",
                );
                return Err(Box::new(d.hint("begin a line of play: play \"a title\"")));
            }
        }
        Ok(())
    }

    /// `Alice: bet` or `chance: queen`.
    fn move_line(&self, line: &Piece<'_>, word: &Piece<'_>) -> Read<LineKind> {
        let Some((player, text)) = line.split(|c| c == ':') else {
            let hint = match nearest(word.text, WORDS) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "a move is a player, a colon and what one would type: Alice: bet".into(),
            };
            return Err(bad(line.span(), "this line says nothing known", hint));
        };
        if text.text.is_empty() {
            return Err(bad(
                line.span(),
                "nothing stands after the colon",
                "Alice: bet",
            ));
        }
        Ok(match player.text {
            "chance" => LineKind::Chance(text.owned()),
            _ => LineKind::Move {
                player: player.owned(),
                text: text.owned(),
            },
        })
    }

    fn game(&mut self, line: &Piece<'_>, path: &Piece<'_>) -> Read<()> {
        let path = unquoted(path);
        if path.text.is_empty() {
            return Err(bad(
                line.span(),
                "the path of the game is missing",
                "game duel.game",
            ));
        }
        if self.script.game.is_some() || !self.script.plays.is_empty() {
            let d = Diagnostic::error(codes::BAD_ORDER, line.span(), "the game is named once");
            return Err(Box::new(
                d.hint("name it in the first line; a script is about one game"),
            ));
        }
        self.script.game = Some(path.owned());
        Ok(())
    }

    fn set(&mut self, rest: &Piece<'_>) -> Read<()> {
        let Some((param, value)) = rest.split(|c| c == '=') else {
            return Err(bad(rest.span(), "there is no `=` here", "set seats = 2"));
        };
        if param.text.is_empty() || value.text.is_empty() {
            let message = "there must be something on both sides of the `=`";
            return Err(bad(rest.span(), message, "set seats = 2"));
        }
        let setting = Setting {
            param: param.owned(),
            value: value.text.to_string(),
        };
        match self.script.plays.last_mut() {
            None => self.script.settings.push(setting),
            Some(play) if play.lines.is_empty() && play.after.is_none() => {
                play.settings.push(setting);
            }
            Some(_) => {
                let d = Diagnostic::error(
                    codes::BAD_ORDER,
                    rest.span(),
                    "the params are set before play begins",
                );
                return Err(Box::new(
                    d.hint("put it right after a `play` without `after`"),
                ));
            }
        }
        Ok(())
    }

    fn play(&mut self, line: &Piece<'_>, rest: &Piece<'_>) -> Read<()> {
        let form = "play \"a bluff\", or: play \"a bluff\" after \"the deal\"";
        let parts: Vec<Piece<'_>> = rest.list('"');
        let (title, after) = match parts.as_slice() {
            [before, title, rest] if before.text.is_empty() && rest.text.is_empty() => {
                (title, None)
            }
            [before, title, word, after, rest]
                if before.text.is_empty() && word.text == "after" && rest.text.is_empty() =>
            {
                (title, Some(after.owned()))
            }
            _ => return Err(bad(line.span(), "a play has a title in quotes", form)),
        };
        let titles = self.script.plays.iter().map(|p| &p.title);
        let same = |text: &str| titles.clone().find(|t| t.text == text);
        if let Some(first) = same(title.text) {
            let d = Diagnostic::error(
                codes::BAD_ORDER,
                title.span(),
                "there is a play with this title already",
            );
            let d = d.note(first.span, "the first one");
            self.problems.push(d.hint("give it another title"));
        }
        if let Some(other) = &after
            && same(&other.text).is_none()
        {
            let d = Diagnostic::error(
                codes::UNKNOWN_NAME,
                other.span,
                "no play above has this title",
            );
            let near = nearest(&other.text, titles.clone().map(|t| t.text.as_str()));
            self.problems.push(match near {
                Some(near) => d.hint(format!("did you mean \"{near}\"?")),
                None => d,
            });
        }
        self.script.plays.push(Play {
            title: title.owned(),
            after,
            settings: Vec::new(),
            lines: Vec::new(),
        });
        Ok(())
    }

    fn finish(&mut self, end: usize) {
        let missing = |what: &str, hint: &str| {
            Diagnostic::error(codes::BAD_ORDER, Span::new(end, end), what).hint(hint)
        };
        if self.script.game.is_none() {
            let d = missing("the script names no game", "begin with: game duel.game");
            self.problems.push(Diagnostic {
                span: Span::new(0, 0),
                ..d
            });
        } else if self.script.plays.is_empty() {
            let d = missing("the script plays nothing", "add: play \"a title\"");
            self.problems.push(d);
        }
    }
}

/// `Alice: the rest`.
fn named<'t>(rest: &Piece<'t>, form: &str) -> Read<(Text, Piece<'t>)> {
    match rest.split(|c| c == ':') {
        Some((player, text)) if !player.text.is_empty() && !text.text.is_empty() => {
            Ok((player.owned(), text))
        }
        _ => Err(bad(
            rest.span(),
            "a player, a colon and something after it are needed here",
            form,
        )),
    }
}

fn unquoted<'t>(piece: &Piece<'t>) -> Piece<'t> {
    let inner = piece.text.len() >= 2 && piece.text.starts_with('"') && piece.text.ends_with('"');
    if inner {
        piece.part(1, piece.text.len() - 1)
    } else {
        *piece
    }
}

fn number(piece: &Piece<'_>) -> Read<u64> {
    let value = piece.text.parse().ok().filter(|n| *n <= MOST);
    value.ok_or_else(|| {
        let hint = format!("it must be a whole number from 0 to {MOST}");
        bad(piece.span(), "a number is needed here", hint)
    })
}

fn seed_of(piece: &Piece<'_>) -> Read<u64> {
    piece.text.parse().map_err(|_| {
        let hint = format!("a seed is a whole number from 0 to {}", u64::MAX);
        bad(piece.span(), "a number is needed here", hint)
    })
}

fn number_and_seed(rest: &Piece<'_>, form: &str) -> Read<(u64, u64)> {
    let Some((n, more)) = rest.split(char::is_whitespace) else {
        return Ok((number(rest)?, 1));
    };
    match more.split(char::is_whitespace) {
        Some((word, seed)) if word.text == "seed" => Ok((number(&n)?, seed_of(&seed)?)),
        _ => Err(bad(more.span(), "expected `seed` and a number", form)),
    }
}

fn payoffs(rest: &Piece<'_>) -> Read<Vec<(Text, Text)>> {
    let one = |entry: &Piece<'_>| match entry.split(char::is_whitespace) {
        Some((player, value)) => Ok((player.owned(), value.owned())),
        None => Err(bad(
            entry.span(),
            "a player and a payoff are needed here",
            "payoffs Alice 2, Bob -2",
        )),
    };
    rest.list(',').iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<&'static str> {
        parse(text).1.iter().map(|d| d.code.0).collect()
    }

    #[test]
    fn a_script_is_read() {
        let text = "game duel.game // a comment\nset n = 3\n\nplay \"one\"\n  chance: a // b\n  Ann: x//y\n\
                    options Ben: p | q, r\npayoffs Ann 1/2, Ben -1\nend\nplay \"two\" after \"one\"\nrandom 3\n";
        let (script, problems) = parse(text);
        assert_eq!(problems, []);
        assert_eq!(script.game.map(|g| g.text), Some("duel.game".to_string()));
        assert_eq!(script.settings[0].value, "3");
        let [one, two] = script.plays.as_slice() else {
            panic!("two plays");
        };
        let LineKind::Move { text: typed, .. } = &one.lines[1].kind else {
            panic!("a move");
        };
        assert_eq!(typed.text, "x//y");
        let at = typed.span;
        assert_eq!(&text[at.start as usize..at.end as usize], "x//y");
        let LineKind::Options { texts, exactly, .. } = &one.lines[2].kind else {
            panic!("options");
        };
        assert_eq!((texts[1].text.as_str(), *exactly), ("q, r", true));
        assert_eq!(two.lines[0].kind, LineKind::Random { plies: 3, seed: 1 });
        let (script, _) = parse("game a\nplay \"t\"\nskip 3 seed 18446744073709551615\n");
        let seed = u64::MAX;
        assert_eq!(
            script.plays[0].lines[0].kind,
            LineKind::Skip { plies: 3, seed }
        );
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        assert_eq!(codes(""), ["E0902"]);
        assert_eq!(codes("game a\n"), ["E0902"]);
        assert_eq!(codes("game a\nAnn: x\nplay \"t\"\n"), ["E0902"]);
        assert_eq!(codes("game a\nplay t\n"), ["E0901", "E0902"]);
        assert_eq!(codes("game a\nplay \"t\"\nrandom x\n"), ["E0901"]);
        assert_eq!(codes("game a\nplay \"t\"\nrandom 2 sed 1\n"), ["E0901"]);
        assert_eq!(codes("game a\nplay \"t\"\nrandom 2 seed -1\n"), ["E0901"]);
        assert_eq!(codes("game a\nplay \"t\"\nturns\n"), ["E0901"]);
        assert_eq!(codes("game a\nplay \"t\"\nend\nset a = 1\n"), ["E0902"]);
        assert_eq!(codes("game a\nplay \"t\"\nplay \"t\"\n"), ["E0902"]);
        assert_eq!(codes("game a\nplay \"t\" after \"s\"\n"), ["E0903"]);
        assert_eq!(codes("game a\nplay \"♣\"\n♣\n  \u{a0}\n"), ["E0901"]);
    }
}
