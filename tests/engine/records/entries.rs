//! Records as paths in a tree: equal records are the same place in it, and what follows one place can be compared.

use super::laws::Law;
use ruse::internal::machine::{Action, Observation};
use ruse::internal::model::SiteId;
use std::collections::HashMap;

/// What must be the same after equal records.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Frame {
    /// A choice, a draw or a reveal.
    Event {
        site: SiteId,
        chooser: Option<u8>,
    },
    Question {
        node: u32,
        options: Vec<Action>,
        texts: Vec<String>,
    },
    End,
}

/// A value of a shown def: the def, the arguments, the value.
pub type Shown = (SiteId, Vec<u64>, Vec<u64>);

/// An entry, with what was shown since the one before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    pub shown: Vec<Shown>,
    pub frame: Frame,
    /// What the seat sees of it; nothing, where another way on would have shown something.
    pub news: Option<Observation>,
}

/// What a seat may see of a choice or a draw by the description.
pub struct Given<'a> {
    /// Whether it is told which alternative was taken.
    pub label: bool,
    /// Whether there may be nothing to choose, which those who see the choice are told by what comes in its place.
    pub omitted: bool,
    /// For each alternative the words that each of its parts takes.
    pub widths: &'a [Vec<usize>],
}

/// A record, and what was shown since.
pub type Reached = (Place, Vec<Shown>);

/// The place above an entry; the entry, without what was shown before; what was on view then; all that was shown before and
/// after.
type Around = (Place, Entry, Vec<Shown>, Vec<Shown>);

/// The place of a record.
pub type Place = usize;

/// A history by its number.
pub type History = usize;

#[derive(Default)]
struct Node {
    /// Where it hangs, and by which entry without what was shown before.
    above: Option<(Place, Entry)>,
    /// What was shown before that entry.
    shown: Vec<Shown>,
    /// What comes next, and then or instead a choice that has an `else`.
    next: Vec<Next>,
    news: Vec<(Observation, History)>,
}

struct Next {
    frame: Frame,
    /// What is shown before it.
    shown: Vec<Shown>,
    omitted: bool,
    /// The defs that are shown before it, where that is more than their values at that time.
    again: Option<Vec<(SiteId, Vec<u64>)>>,
    history: History,
}

/// All records of one seat. Place 0 is the empty record.
pub struct Records {
    nodes: Vec<Node>,
    children: HashMap<(Place, Entry), Place>,
    /// By the place above an entry, the entry, and all that was shown around it: how much of that was shown before it.
    around: HashMap<Around, (usize, History)>,
}

/// What is broken, and the other history.
pub type Broken = (Law, String, History);

impl Records {
    pub fn new() -> Records {
        Records {
            nodes: vec![Node::default()],
            children: HashMap::new(),
            around: HashMap::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The record with one more entry. `on_view` is what was on view at the entry before, told or not.
    pub fn extend(
        &mut self,
        at: Place,
        entry: Entry,
        on_view: &[Shown],
        given: Option<&Given<'_>>,
        history: History,
    ) -> (Place, Vec<Broken>) {
        let mut broken = Vec::new();
        let omitted = given.is_some_and(|g| g.omitted);
        self.compare_frames(at, &entry, omitted, history, &mut broken);
        self.compare_order(at, &entry.shown, on_view, history, &mut broken);
        if let (Some(news), Some(given)) = (&entry.news, given) {
            self.compare_news(at, news, given, history, &mut broken);
        }
        let fresh = self.nodes.len();
        let place = match self.children.entry((at, entry)) {
            std::collections::hash_map::Entry::Occupied(known) => *known.get(),
            std::collections::hash_map::Entry::Vacant(free) => {
                let mut entry = free.key().1.clone();
                let shown = std::mem::take(&mut entry.shown);
                self.nodes.push(Node {
                    above: Some((at, entry)),
                    shown,
                    ..Node::default()
                });
                free.insert(fresh);
                fresh
            }
        };
        (place, broken)
    }

    fn compare_frames(
        &mut self,
        at: Place,
        entry: &Entry,
        omitted: bool,
        history: History,
        broken: &mut Vec<Broken>,
    ) {
        let again = told_again(&entry.shown);
        let next = &mut self.nodes[at].next;
        if let Some(other) = next.iter().find(|n| n.again != again) {
            let what = format!("shown in between: {again:?}, or {:?}", other.again);
            broken.push((Law::Shown, what, other.history));
        }
        // What comes may depend on what has just been shown.
        let alike = || next.iter().filter(|n| n.shown == entry.shown);
        if alike().any(|n| n.frame == entry.frame) {
            return;
        }
        if let Some(other) = alike().find(|n| !n.omitted && !omitted) {
            let what = format!("next comes {:?}, or {:?}", entry.frame, other.frame);
            broken.push((Law::Next, what, other.history));
        }
        next.push(Next {
            frame: entry.frame.clone(),
            shown: entry.shown.clone(),
            omitted,
            again,
            history,
        });
    }

    /// The same values shown around the same entry, in another order: whether before or after it tells something.
    fn compare_order(
        &mut self,
        at: Place,
        after: &[Shown],
        on_view: &[Shown],
        history: History,
        broken: &mut Vec<Broken>,
    ) {
        let node = &self.nodes[at];
        let Some((above, entry)) = node.above.clone() else {
            return;
        };
        let before = node.shown.len();
        let all: Vec<Shown> = node.shown.iter().chain(after).cloned().collect();
        let key = (above, entry, on_view.to_vec(), all);
        let (known, other) = *self.around.entry(key).or_insert((before, history));
        if known != before {
            let what = format!("{before} values are shown before an entry, or {known}");
            broken.push((Law::Order, what, other));
        }
    }

    fn compare_news(
        &mut self,
        at: Place,
        news: &Observation,
        given: &Given<'_>,
        history: History,
        broken: &mut Vec<Broken>,
    ) {
        let known = &mut self.nodes[at].news;
        if known.iter().any(|(other, _)| other == news) {
            return;
        }
        let same = |other: &Observation| (other.site, other.chooser) == (news.site, news.chooser);
        for (other, first) in known.iter().filter(|(other, _)| same(other)) {
            let labels = (news.values.first(), other.values.first());
            if labels.0 != labels.1 {
                if !given.label {
                    let what = format!("a hidden label is told: {labels:?}");
                    broken.push((Law::Label, what, *first));
                }
            } else if news.pattern != other.pattern && agree(news, other, given) {
                let what = format!(
                    "the parts {:b} are seen, or {:b}",
                    news.pattern, other.pattern
                );
                broken.push((Law::Parts, what, *first));
            }
        }
        known.push((news.clone(), history));
    }
}

/// The defs that are told where one of them is told twice, or out of order: what nobody noticed in between is told.
fn told_again(shown: &[Shown]) -> Option<Vec<(SiteId, Vec<u64>)>> {
    let keys: Vec<(SiteId, Vec<u64>)> = shown
        .iter()
        .map(|(site, args, _)| (*site, args.clone()))
        .collect();
    let in_order = keys.is_sorted_by(|a, b| a < b);
    (!in_order).then_some(keys)
}

/// Whether two observations of one alternative have the same values where both see them: then nothing that is seen says
/// why more is seen of one.
fn agree(one: &Observation, other: &Observation, given: &Given<'_>) -> bool {
    let alternative = one.values.first().map_or(0, |a| *a as usize);
    let Some(widths) = given.widths.get(alternative) else {
        return false;
    };
    let parts = |seen: &Observation| {
        let mut at = 1;
        let mut parts = Vec::new();
        for (i, width) in widths.iter().enumerate() {
            let sees = seen.pattern >> (i % 64) & 1 == 1;
            let values = seen.values.get(at..at + width).map(<[u64]>::to_vec);
            parts.push(values.filter(|_| sees));
            at += if sees { *width } else { 0 };
        }
        parts
    };
    let both = std::iter::zip(parts(one), parts(other));
    let mut both = both.filter_map(|(a, b)| a.zip(b));
    both.all(|(a, b)| a == b)
}
