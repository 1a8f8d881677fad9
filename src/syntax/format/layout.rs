//! Decides where lines break, and puts the pieces together.
//!
//! The author's line breaks are where it begins; then blocks are broken that cannot stay on one line, then lines that
//! are too long, until nothing changes. Breaks are only ever added, so that a text that came out of this stays as it is.

use super::columns;
use super::writer::{Frame, FrameKind, Gap, Piece, Remarked, Row};

/// The most characters of a line, trailing comments apart.
const WIDTH: usize = 120;
/// The most characters of a line that several statements share.
const SHARED_WIDTH: usize = 110;
/// What stands in brackets that begin further right than this goes on below the line, not below the bracket.
const HANGING: usize = 50;
const INDENT: usize = 2;

pub(super) struct Layout<'a, 't> {
    pub pieces: &'a [Piece<'t>],
    pub frames: &'a [Frame],
    /// By frame: what it holds has lines of its own.
    broken_frames: Vec<bool>,
    /// By piece: the line breaks before it, where its gap leaves that open.
    broken: Vec<bool>,
    /// By frame: it takes more than one line.
    pub multi: Vec<bool>,
    /// By frame: the row before it in the same block.
    previous_row: Vec<Option<usize>>,
    /// By piece: the row that it begins.
    pub row_at: Vec<Option<usize>>,
}

/// Where a piece stands.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub line: usize,
    pub column: usize,
    /// How far the line is indented.
    pub indent: usize,
}

/// The text of the pieces, ending with a line break.
pub(super) fn lay_out(pieces: &[Piece<'_>], frames: &[Frame]) -> String {
    let mut layout = Layout::new(pieces, frames);
    loop {
        layout.settle();
        let places = layout.place(&columns::pads(&layout));
        if !layout.shorten(&places) {
            return layout.text(&places);
        }
    }
}

impl<'a, 't> Layout<'a, 't> {
    fn new(pieces: &'a [Piece<'t>], frames: &'a [Frame]) -> Layout<'a, 't> {
        let mut layout = Layout {
            pieces,
            frames,
            broken_frames: frames.iter().map(|f| f.always).collect(),
            broken: vec![false; pieces.len()],
            multi: vec![false; frames.len()],
            previous_row: vec![None; frames.len()],
            row_at: vec![None; pieces.len() + 1],
        };
        let mut last_row = vec![None; frames.len()];
        for (number, frame) in frames.iter().enumerate() {
            if let FrameKind::Row(_) = frame.kind {
                layout.row_at[frame.first] = Some(number);
                layout.previous_row[number] = last_row[frame.parent].replace(number);
            }
        }
        for (i, piece) in pieces.iter().enumerate() {
            let by_author = piece.newlines > 0 && piece.comment != Some(Remarked::Trailing);
            layout.broken[i] = by_author;
            match piece.gap {
                Gap::Open(f) | Gap::Between(f) | Gap::Close(f)
                    if by_author || piece.comment.is_some() || piece.after_comment =>
                {
                    layout.broken_frames[f] = true;
                }
                _ => {}
            }
        }
        layout
    }

    /// Whether a line begins with the piece.
    pub fn breaks(&self, i: usize) -> bool {
        let piece = &self.pieces[i];
        if i == 0 {
            return false;
        }
        match piece.comment {
            Some(Remarked::Trailing) => return false,
            Some(_) => return true,
            None if piece.after_comment => return true,
            None => {}
        }
        match piece.gap {
            Gap::Tight | Gap::Space => false,
            Gap::Soft { .. } | Gap::Flush => self.broken[i],
            Gap::Open(f) | Gap::Close(f) => self.broken_frames[f],
            Gap::Between(0) => true,
            Gap::Between(f) => {
                let each = self.frames[f].kind != FrameKind::Statements;
                self.broken_frames[f] && (each || self.broken[i])
            }
        }
    }

    /// Breaks what cannot stay on one line because of what is in it.
    fn settle(&mut self) {
        loop {
            let mut changed = false;
            for i in 0..self.pieces.len() {
                if self.breaks(i) {
                    changed |= self.spread(i);
                }
            }
            for i in 0..self.pieces.len() {
                let Some(row) = self.row_at[i] else { continue };
                let before = self.previous_row[row];
                let alone = self.multi[row] || before.is_some_and(|b| self.multi[b]);
                if before.is_some() && alone && !self.broken[i] {
                    self.broken[i] = true;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Tells the frames around a line break of it. A block on one line may end with one that is not, if that is all that
    /// it holds: `else { each p in Player {`.
    fn spread(&mut self, i: usize) -> bool {
        let piece = &self.pieces[i];
        let (mut frame, whole_block) = match piece.gap {
            Gap::Open(0) | Gap::Between(0) | Gap::Close(0) => return false,
            Gap::Open(f) | Gap::Between(f) | Gap::Close(f) => {
                self.multi[f] = true;
                (
                    self.frames[f].parent,
                    self.frames[f].kind != FrameKind::List,
                )
            }
            _ => (piece.frame, false),
        };
        while frame != 0 {
            self.multi[frame] = true;
            let Frame { kind, rows, .. } = self.frames[frame];
            let hugs = whole_block && kind == FrameKind::Statements && rows == 1;
            match kind {
                FrameKind::Row(_) | FrameKind::List => {}
                _ if self.broken_frames[frame] => return false,
                _ if hugs => {}
                _ => {
                    self.broken_frames[frame] = true;
                    return true;
                }
            }
            frame = self.frames[frame].parent;
        }
        false
    }

    /// Puts every piece into its place. `pads`: further spaces before each.
    pub fn place(&self, pads: &[usize]) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::with_capacity(self.pieces.len());
        let mut at = Place::default();
        for (i, pad) in pads.iter().enumerate().take(self.pieces.len()) {
            if self.breaks(i) {
                at.line += 1 + usize::from(self.blank_before(i));
                at.indent = self.indent(i, &places);
                at.column = at.indent;
            } else if i > 0 {
                at.column += self.spaces(i) + pad;
            }
            places.push(at);
            at.column += self.width(i);
        }
        places
    }

    pub fn width(&self, i: usize) -> usize {
        self.pieces[i].text.chars().count()
    }

    /// The author's blank lines stay, one at a time, but not at the ends of a block.
    fn blank_before(&self, i: usize) -> bool {
        let piece = &self.pieces[i];
        if piece.newlines < 2 || piece.text.is_empty() {
            return false;
        }
        match piece.gap {
            Gap::Between(0) => true,
            Gap::Between(f) => i != self.frames[f].first + 1,
            Gap::Open(_) => piece.after_comment,
            _ => false,
        }
    }

    fn indent(&self, i: usize, places: &[Place]) -> usize {
        let piece = &self.pieces[i];
        let base = |f: usize| places.get(self.frames[f].first).map_or(0, |p| p.indent);
        if piece.comment == Some(Remarked::Below) {
            return places.last().map_or(0, |p| p.column);
        }
        match piece.gap {
            Gap::Open(0) | Gap::Between(0) => 0,
            Gap::Open(f) | Gap::Between(f) => base(f) + INDENT,
            Gap::Close(f) => base(f),
            Gap::Flush => base(self.row_of(piece.frame)),
            Gap::Tight | Gap::Space | Gap::Soft { .. } => {
                let frame = piece.frame;
                if self.frames[frame].kind == FrameKind::List && !self.broken_frames[frame] {
                    let opener = self.frames[frame].first;
                    let column = places.get(opener).map_or(0, |p| p.column);
                    let inside = self.pieces.get(opener).map_or("", |p| p.text) == "{";
                    if column <= HANGING {
                        return column + 1 + usize::from(inside);
                    }
                }
                if frame == 0 { 0 } else { base(frame) + INDENT }
            }
        }
    }

    fn row_of(&self, mut frame: usize) -> usize {
        while frame != 0 && !matches!(self.frames[frame].kind, FrameKind::Row(_)) {
            frame = self.frames[frame].parent;
        }
        frame
    }

    /// The spaces before a piece within a line.
    fn spaces(&self, i: usize) -> usize {
        let piece = &self.pieces[i];
        if piece.comment.is_some() {
            return 2;
        }
        match piece.gap {
            Gap::Tight => 0,
            Gap::Open(f) | Gap::Close(f) => {
                let opener = self.pieces.get(self.frames[f].first);
                usize::from(opener.is_some_and(|p| p.text == "{"))
            }
            Gap::Between(_) => {
                let before = i.checked_sub(1).map_or("", |b| self.pieces[b].text);
                if matches!(before, "," | ";") { 1 } else { 2 }
            }
            _ if piece.tab == Some(1) => match self.frames[piece.frame].kind {
                // `seen by` keeps away from what it follows.
                FrameKind::Row(Row::State) => 2,
                _ => 1,
            },
            Gap::Space | Gap::Soft { .. } | Gap::Flush => 1,
        }
    }

    /// Breaks each line that is too long once more, if it can be broken.
    fn shorten(&mut self, places: &[Place]) -> bool {
        let mut changed = false;
        let mut start = 0;
        while start < places.len() {
            let line = places[start].line;
            let mut end = start + 1;
            while places.get(end).is_some_and(|p| p.line == line) {
                end += 1;
            }
            let code = (start..end)
                .rev()
                .find(|&i| self.pieces[i].comment.is_none());
            let width = code.map_or(0, |i| places[i].column + self.width(i));
            if width > SHARED_WIDTH {
                changed |= self.shorten_line(start..end, places, width);
            }
            start = end;
        }
        changed
    }

    fn shorten_line(
        &mut self,
        line: std::ops::Range<usize>,
        places: &[Place],
        width: usize,
    ) -> bool {
        let inner = line.start + 1..line.end;
        let ends = |i: usize| places[i - 1].column + self.width(i - 1);
        // The last place that leaves a short enough line, or the first of all.
        let best = |candidates: &[usize], most: usize| {
            let fits = candidates.iter().rev().find(|&&i| ends(i) <= most);
            fits.or(candidates.first()).copied()
        };
        let pieces = self.pieces;
        let plain = |i: &usize| pieces[*i].comment.is_none();
        let shared: Vec<usize> = inner
            .clone()
            .filter(plain)
            .filter(|&i| match pieces[i].gap {
                Gap::Between(f) => self.broken_frames[f],
                Gap::Flush => true,
                _ => false,
            })
            .collect();
        // Edges of a graph may fill the line.
        let edges = shared.first().is_some_and(|&i| pieces[i - 1].text == ";");
        let most = if edges { WIDTH } else { SHARED_WIDTH };
        if width > most
            && let Some(i) = best(&shared, most)
        {
            self.broken[i] = true;
            return true;
        }
        for i in inner.clone() {
            if let Gap::Open(f) = pieces[i].gap
                && self.frames[f].kind != FrameKind::List
                && !self.broken_frames[f]
            {
                self.broken_frames[f] = true;
                return true;
            }
        }
        if width <= WIDTH {
            return false;
        }
        let soft: Vec<(u32, usize)> = inner
            .filter(plain)
            .filter_map(|i| match pieces[i].gap {
                Gap::Soft { level } => Some((level, i)),
                _ => None,
            })
            .collect();
        let fitting = soft.iter().filter(|&&(_, i)| ends(i) <= WIDTH);
        let level = fitting.map(|&(level, _)| level).min();
        let level = level.or_else(|| soft.iter().map(|&(level, _)| level).min());
        let alike: Vec<usize> = soft
            .iter()
            .filter(|&&(l, _)| Some(l) == level)
            .map(|&(_, i)| i)
            .collect();
        if let Some(i) = best(&alike, WIDTH) {
            self.broken[i] = true;
            return true;
        }
        false
    }

    fn text(&self, places: &[Place]) -> String {
        let mut text = String::new();
        let (mut line, mut column) = (0, 0);
        for (i, place) in places.iter().enumerate() {
            while line < place.line {
                text.push('\n');
                line += 1;
                column = 0;
            }
            if !self.pieces[i].text.is_empty() {
                text.extend(std::iter::repeat_n(
                    ' ',
                    place.column.saturating_sub(column),
                ));
                text.push_str(self.pieces[i].text);
                column = place.column + self.width(i);
            }
        }
        text
    }
}
