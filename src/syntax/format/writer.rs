//! Goes through the words of a text in step with its tree, and notes between which of them a line may break.
//!
//! Every word comes from the text itself, so nothing can be lost or invented; where the tree and the text do not go
//! together, `lost` is set and the result is not used. Where lines break in the end is for `layout`.

use super::tokens::{Remark, Token, tokens};

/// What stands between two pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Gap {
    /// Nothing.
    Tight,
    /// One space.
    Space,
    /// One space, or a line break where the author wrote one or the line is too long; the lowest level breaks first.
    Soft {
        level: u32,
    },
    /// As `Soft`, and what follows stands as far left as the statement.
    Flush,
    /// After the bracket that opens a frame, before what closes it, and between its rows: all of them break, or only
    /// those between rows.
    Open(usize),
    Between(usize),
    Close(usize),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Remarked {
    /// After something on its line.
    Trailing,
    /// Goes on below a trailing comment.
    Below,
    /// On a line of its own.
    Own,
}

/// A word, a sign or a comment, and what stands before it.
#[derive(Clone, Debug)]
pub(super) struct Piece<'t> {
    pub text: &'t str,
    pub gap: Gap,
    /// The frame that the gap belongs to.
    pub frame: usize,
    /// The author's line breaks in the gap.
    pub newlines: usize,
    pub comment: Option<Remarked>,
    /// The piece follows a comment, so that it must stand on a new line.
    pub after_comment: bool,
    /// Columns of a table begin here; columns of one table have the same numbers.
    pub tab: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FrameKind {
    /// A row of a block: a statement, an item, an arm.
    Row(Row),
    /// `{ … }` around statements; several may share a line.
    Statements,
    /// `{ … }` around rows that each have a line, unless all are on one.
    Rows,
    /// Brackets within an expression.
    List,
}

/// What kind of row it is: neighbours of one kind are set as a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Row {
    Plain,
    Param,
    Type,
    Const,
    /// A name and its value, without a type.
    Value,
    State,
    Def,
    Arm,
}

#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub parent: usize,
    pub kind: FrameKind,
    /// The piece that it begins with: for brackets, the opening one.
    pub first: usize,
    pub rows: usize,
    /// Its contents always have lines of their own.
    pub always: bool,
}

pub(super) struct Writer<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    pub pieces: Vec<Piece<'t>>,
    pub frames: Vec<Frame>,
    frame: usize,
    gap: Gap,
    tab: Option<usize>,
    /// A line break that the author wrote before an operator counts after it.
    carried: usize,
    after_comment: bool,
    pub lost: bool,
    pub depth: u32,
}

impl<'t> Writer<'t> {
    pub fn new(text: &'t str) -> Writer<'t> {
        let whole = Frame {
            parent: 0,
            kind: FrameKind::Statements,
            first: 0,
            rows: 0,
            always: true,
        };
        Writer {
            tokens: tokens(text),
            at: 0,
            pieces: Vec::new(),
            frames: vec![whole],
            frame: 0,
            gap: Gap::Between(0),
            tab: None,
            carried: 0,
            after_comment: false,
            lost: false,
            depth: 0,
        }
    }

    // ---- looking ahead ----

    /// The next word or sign; empty at the end.
    pub fn peek(&self) -> &'t str {
        self.ahead(0)
    }

    /// The word or sign `n` after the next.
    pub fn ahead(&self, n: usize) -> &'t str {
        self.tokens.get(self.at + n).map_or("", |t| t.text)
    }

    /// Where the next word or sign begins.
    pub fn position(&self) -> usize {
        self.tokens.get(self.at).map_or(usize::MAX, |t| t.start)
    }

    /// Whether the next sign opens a bracket that closes at byte `end`.
    pub fn closes_at(&self, end: usize) -> bool {
        let partner = self.tokens.get(self.at).and_then(|t| t.partner);
        let partner = partner.and_then(|p| self.tokens.get(p));
        partner.is_some_and(|p| p.end() == end)
    }

    /// The end of the last word or sign before byte `end`.
    pub fn end_before(&self, end: usize) -> usize {
        let next = self.tokens.partition_point(|t| t.end() < end);
        let last = next.checked_sub(1).and_then(|i| self.tokens.get(i));
        last.map_or(0, Token::end)
    }

    // ---- writing ----

    /// Sets what stands before the next piece; a space, if nothing is said.
    pub fn gap(&mut self, gap: Gap) {
        self.gap = gap;
    }

    pub fn tight(&mut self) {
        self.gap = Gap::Tight;
    }

    /// The line may break before the next piece.
    pub fn soft(&mut self) {
        self.gap = Gap::Soft { level: self.depth };
    }

    /// A column of a table begins with the next piece.
    pub fn tab(&mut self, column: usize) {
        self.tab = Some(column);
    }

    /// Writes the next word or sign, which must be this one.
    pub fn put(&mut self, text: &str) {
        if self.peek() != text {
            self.lost = true;
        }
        self.any();
    }

    /// Writes the words of a phrase.
    pub fn words(&mut self, phrase: &str) {
        for word in phrase.split(' ') {
            self.put(word);
        }
    }

    /// Writes a mark that stands directly after what is before it.
    pub fn mark(&mut self, text: &str) {
        self.tight();
        self.put(text);
    }

    /// Writes an operator. A line breaks after it, never before.
    pub fn operator(&mut self, text: &str) {
        let before = self.tokens.get(self.at);
        let newlines = before.map_or(0, |t| if t.comments.is_empty() { t.newlines } else { 0 });
        self.put(text);
        self.carried = newlines;
        self.soft();
    }

    /// Writes whatever comes next.
    pub fn any(&mut self) {
        self.remarks();
        let Some(token) = self.tokens.get(self.at) else {
            self.lost = true;
            return;
        };
        let piece = Piece {
            text: token.text,
            gap: self.gap,
            frame: self.frame,
            newlines: token.newlines.max(self.carried),
            comment: None,
            after_comment: self.after_comment,
            tab: self.tab,
        };
        self.pieces.push(piece);
        self.at += 1;
        self.gap = Gap::Space;
        self.tab = None;
        self.carried = 0;
        self.after_comment = false;
    }

    /// Leaves out the next sign if it is `text`; the comments before it stay.
    pub fn drop_mark(&mut self, text: &str) -> bool {
        if self.peek() != text || self.at + 1 >= self.tokens.len() {
            return false;
        }
        let Some(dropped) = self.tokens.get_mut(self.at) else {
            return false;
        };
        let newlines = dropped.newlines;
        let mut comments = std::mem::take(&mut dropped.comments);
        self.at += 1;
        if let Some(next) = self.tokens.get_mut(self.at) {
            match (comments.is_empty(), next.comments.first_mut()) {
                (true, Some(first)) => first.newlines = first.newlines.max(newlines),
                (false, Some(_)) => {}
                (_, None) => next.newlines = next.newlines.max(newlines),
            }
            comments.append(&mut next.comments);
            next.comments = comments;
        }
        true
    }

    /// Writes the comments before the next word.
    fn remarks(&mut self) {
        let Some(token) = self.tokens.get_mut(self.at) else {
            return;
        };
        let comments: Vec<Remark<'t>> = std::mem::take(&mut token.comments);
        let mut trailing: Option<usize> = None;
        for remark in comments {
            let comment = if remark.newlines == 0 && !self.pieces.is_empty() {
                trailing = Some(remark.column);
                Remarked::Trailing
            } else if remark.newlines == 1 && trailing == Some(remark.column) {
                Remarked::Below
            } else {
                trailing = None;
                Remarked::Own
            };
            // Comments stand among the rows, not beside the brackets.
            let gap = match self.gap {
                Gap::Close(frame) | Gap::Open(frame) => Gap::Between(frame),
                gap => gap,
            };
            self.pieces.push(Piece {
                text: remark.text,
                gap,
                frame: self.frame,
                newlines: remark.newlines,
                comment: Some(comment),
                after_comment: self.after_comment,
                tab: None,
            });
            self.after_comment = true;
        }
    }

    // ---- frames ----

    /// Writes comments and what `write` writes as one row.
    pub fn row(&mut self, row: Row, write: impl FnOnce(&mut Self)) {
        self.remarks();
        let first = self.pieces.len();
        self.within(FrameKind::Row(row), first, write);
    }

    /// Writes brackets around what `write` writes. `first`: the opening bracket is the last piece written.
    pub fn within(
        &mut self,
        kind: FrameKind,
        first: usize,
        write: impl FnOnce(&mut Self),
    ) -> usize {
        let own = self.frames.len();
        self.frames.push(Frame {
            parent: self.frame,
            kind,
            first,
            rows: 0,
            always: false,
        });
        let outer = std::mem::replace(&mut self.frame, own);
        write(self);
        self.frame = outer;
        own
    }

    /// `{ … }` with a row for each item.
    pub fn braces<T>(
        &mut self,
        kind: FrameKind,
        items: &[T],
        mut write: impl FnMut(&mut Self, &T),
    ) {
        self.put("{");
        let first = self.pieces.len().saturating_sub(1);
        self.within(kind, first, |w| {
            let own = w.frame;
            for (i, item) in items.iter().enumerate() {
                w.gap(if i == 0 {
                    Gap::Open(own)
                } else {
                    Gap::Between(own)
                });
                write(w, item);
            }
            if let Some(frame) = w.frames.get_mut(own) {
                frame.rows = items.len();
            }
            let bare = w.tokens.get(w.at).is_some_and(|t| t.comments.is_empty());
            w.gap(if items.is_empty() && bare {
                Gap::Tight
            } else {
                Gap::Close(own)
            });
            w.put("}");
        });
    }

    /// Brackets of an expression around items with commas between them; a comma after the last is left out.
    pub fn list<T>(
        &mut self,
        open: &str,
        items: &[T],
        close: &str,
        mut write: impl FnMut(&mut Self, &T),
    ) {
        self.put(open);
        let first = self.pieces.len().saturating_sub(1);
        self.depth += 1;
        self.within(FrameKind::List, first, |w| {
            let own = w.frame;
            for (i, item) in items.iter().enumerate() {
                if i == 0 {
                    w.gap(Gap::Open(own));
                } else {
                    w.mark(",");
                    w.soft();
                }
                write(w, item);
            }
            if let Some(frame) = w.frames.get_mut(own) {
                frame.rows = items.len();
            }
            w.drop_mark(",");
            if items.is_empty() {
                w.tight();
            } else {
                w.gap(Gap::Close(own));
            }
            w.put(close);
        });
        self.depth -= 1;
    }

    /// The contents of a file have lines of their own, however few they are.
    pub fn spread(&mut self, frame: usize) {
        if let Some(frame) = self.frames.get_mut(frame) {
            frame.always = true;
        }
    }

    /// How many frames there are; the next one has this number.
    pub fn next_frame(&self) -> usize {
        self.frames.len()
    }

    /// Whether every word was written.
    pub fn finished(&mut self) -> bool {
        self.gap = Gap::Between(0);
        self.any();
        !self.lost && self.at == self.tokens.len()
    }
}
