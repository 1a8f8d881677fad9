//! What a description says of its choices and draws, as far as the laws ask.

use ruse::internal::machine::Machine;
use ruse::internal::model::evaluate::evaluate;
use ruse::internal::model::visit::Visitor;
use ruse::internal::model::{
    Choice, Description, LocalId, Part, PlayerSet, SiteId, Stmt, StmtKind,
};
use rustc_hash::FxHashMap;
use std::collections::HashMap;

/// What is kept of a choice or a draw in the text.
#[derive(Default)]
pub struct Source {
    /// All but the chooser hear which alternative was taken.
    pub open: bool,
    /// It has an `else`.
    pub omitted: bool,
    pub revealing: bool,
    pub widths: Vec<Vec<usize>>,
    /// Those who see something of it if the right values are chosen, whether or not these are options; as far as the text
    /// alone says who.
    pub shows: PlayerSet,
}

/// Those who see the last of these parts, for any values of the others.
fn shown_to(
    d: &Description,
    parts: &[Part],
    values: &mut FxHashMap<LocalId, Vec<u64>>,
) -> PlayerSet {
    let Some((part, before)) = parts.split_last() else {
        return PlayerSet::EMPTY;
    };
    let named = before.iter().find(|p| {
        p.sizes.is_none() && !values.contains_key(&p.local) && part.viewers.reads_local(p.local)
    });
    let Some(named) = named else {
        let viewers = evaluate(&part.viewers, values);
        return viewers.map_or(PlayerSet::EMPTY, |v| PlayerSet::from_words(&v));
    };
    let ty = &d.local(named.local).ty;
    let among = evaluate(&named.domain, values);
    let mut shows = PlayerSet::EMPTY;
    for ordinal in 0..ty.size().unwrap_or(0).min(64) {
        let in_set = |set: &Vec<u64>| set[0] >> ordinal & 1 == 1;
        if among.as_ref().is_none_or(in_set) {
            values.insert(named.local, vec![ty.value_at(ordinal) as u64]);
            shows |= shown_to(d, parts, values);
        }
    }
    values.remove(&named.local);
    shows
}

fn shows(d: &Description, choice: &Choice) -> PlayerSet {
    let labelled = choice.alternatives.iter().any(|a| a.label.is_some());
    let viewers = evaluate(&choice.viewers, &Default::default()).filter(|_| labelled);
    let mut all = viewers.map_or(PlayerSet::EMPTY, |v| PlayerSet::from_words(&v));
    for a in &choice.alternatives {
        for until in 1..=a.parts.len() {
            all |= shown_to(d, &a.parts[..until], &mut Default::default());
        }
    }
    all
}

/// Every choice, draw and deal of a game.
pub fn sources(machine: &Machine) -> HashMap<SiteId, Source> {
    struct Reader<'d> {
        machine: &'d Machine,
        sources: HashMap<SiteId, Source>,
    }
    impl Reader<'_> {
        fn width(&self, part: &Part) -> usize {
            self.machine.description().local(part.local).ty.words()
        }
    }
    impl<'d> Visitor<'d> for Reader<'d> {
        fn choice(&mut self, choice: &'d Choice) {
            let everyone = self.machine.description().everyone();
            let viewers = evaluate(&choice.viewers, &Default::default());
            let widths = choice.alternatives.iter();
            let widths = widths.map(|a| a.parts.iter().map(|p| self.width(p)).collect());
            let source = Source {
                open: viewers.is_some_and(|v| PlayerSet::from_words(&v) == everyone),
                omitted: choice.otherwise.is_some(),
                revealing: false,
                widths: widths.collect(),
                shows: shows(self.machine.description(), choice),
            };
            self.sources.insert(choice.site, source);
            choice.walk(self);
        }

        fn stmt(&mut self, stmt: &'d Stmt) {
            match &stmt.kind {
                StmtKind::Draw(draw) => {
                    let source = Source {
                        open: true,
                        omitted: false,
                        revealing: draw.revealing,
                        widths: vec![draw.parts.iter().map(|p| self.width(p)).collect()],
                        shows: PlayerSet::EMPTY,
                    };
                    self.sources.insert(draw.site, source);
                }
                StmtKind::OneMove(one) => {
                    let source = Source {
                        open: true,
                        omitted: one.otherwise.is_some(),
                        revealing: false,
                        widths: Vec::new(),
                        shows: self.machine.description().everyone(),
                    };
                    self.sources.insert(one.site, source);
                }
                StmtKind::Deal(deal) => {
                    let words = self.machine.description().var(deal.from.var).ty.words();
                    let source = Source {
                        open: true,
                        omitted: false,
                        revealing: deal.revealing,
                        widths: vec![vec![words]],
                        shows: PlayerSet::EMPTY,
                    };
                    self.sources.insert(deal.site, source);
                }
                _ => {}
            }
            stmt.walk(self);
        }
    }
    let mut reader = Reader {
        machine,
        sources: HashMap::new(),
    };
    machine.description().play.walk(&mut reader);
    reader.sources
}
