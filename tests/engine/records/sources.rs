//! What a description says of its choices and draws, as far as the laws ask.

use ruse::internal::machine::Machine;
use ruse::internal::model::evaluate::evaluate;
use ruse::internal::model::visit::Visitor;
use ruse::internal::model::{Choice, Part, PlayerSet, SiteId, Stmt, StmtKind};
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
                    };
                    self.sources.insert(draw.site, source);
                }
                StmtKind::Deal(deal) => {
                    let words = self.machine.description().var(deal.from.var).ty.words();
                    let source = Source {
                        open: true,
                        omitted: false,
                        revealing: deal.revealing,
                        widths: vec![vec![words]],
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
