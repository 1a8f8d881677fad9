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
    /// The value of a shown def for these arguments.
    Shown {
        site: SiteId,
        args: Vec<u64>,
    },
    Question {
        node: u32,
        options: Vec<Action>,
        texts: Vec<String>,
    },
    End,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
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

/// A record by its place in the tree.
pub type Record = usize;

/// A history by its number.
pub type History = usize;

#[derive(Default)]
struct Node {
    /// What comes next, and then or instead a choice that has an `else`.
    next: Vec<Next>,
    news: Vec<(Observation, History)>,
}

struct Next {
    frame: Frame,
    omitted: bool,
    history: History,
}

/// All records of one seat. Record 0 is the empty record.
pub struct Records {
    nodes: Vec<Node>,
    children: HashMap<(Record, Entry), Record>,
}

/// What is broken, and the other history.
pub type Broken = (Law, String, History);

impl Records {
    pub fn new() -> Records {
        Records {
            nodes: vec![Node::default()],
            children: HashMap::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The record with one more entry.
    pub fn extend(
        &mut self,
        at: Record,
        entry: Entry,
        given: Option<&Given<'_>>,
        history: History,
    ) -> (Record, Vec<Broken>) {
        let mut broken = Vec::new();
        let omitted = given.is_some_and(|g| g.omitted);
        self.compare_frames(at, &entry, omitted, history, &mut broken);
        if let (Some(news), Some(given)) = (&entry.news, given) {
            self.compare_news(at, news, given, history, &mut broken);
        }
        let fresh = self.nodes.len();
        let place = match self.children.entry((at, entry)) {
            std::collections::hash_map::Entry::Occupied(known) => *known.get(),
            std::collections::hash_map::Entry::Vacant(free) => {
                self.nodes.push(Node::default());
                free.insert(fresh);
                fresh
            }
        };
        (place, broken)
    }

    fn compare_frames(
        &mut self,
        at: Record,
        entry: &Entry,
        omitted: bool,
        history: History,
        broken: &mut Vec<Broken>,
    ) {
        let next = &mut self.nodes[at].next;
        if next.iter().any(|n| n.frame == entry.frame) {
            return;
        }
        if let Some(other) = next.iter().find(|n| !n.omitted && !omitted) {
            let what = format!("next comes {:?}, or {:?}", entry.frame, other.frame);
            broken.push((Law::Next, what, other.history));
        }
        next.push(Next {
            frame: entry.frame.clone(),
            omitted,
            history,
        });
    }

    fn compare_news(
        &mut self,
        at: Record,
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
