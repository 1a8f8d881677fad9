//! Abstractions, filters and layouts are made of what their owner sees: one of hidden values would tell them.

use super::label::{Clean, name};
use super::{Checker, codes};
use crate::model::*;
use crate::text::diagnostics::Diagnostic;

impl Checker<'_> {
    /// Every attribute of every abstraction and every filter, for each of its owners. Evaluations, categories and playouts are about an
    /// assumed world and may read anything.
    pub(super) fn check_abstractions(&mut self) {
        let d = self.d;
        // They are asked for where the owner is asked, and is told what is shown.
        self.shown_to = self.everyone;
        for knowledge in &d.knowledge {
            let values: Vec<&Expr> = match &knowledge.kind {
                KnowledgeKind::Information(list) => list.iter().map(|a| &a.value).collect(),
                KnowledgeKind::Actions(list) => list.iter().flat_map(|c| &c.values).collect(),
                KnowledgeKind::Filter(list) | KnowledgeKind::Amend(list) => {
                    list.iter().map(|f| &f.cond).collect()
                }
                KnowledgeKind::Layout(layout) => layout.conditions().collect(),
                KnowledgeKind::Playout(_)
                | KnowledgeKind::Evaluate(_)
                | KnowledgeKind::Category { .. } => Vec::new(),
            };
            for owner in knowledge.owners {
                let own = PlayerSet::only(owner);
                self.bind(
                    knowledge.me,
                    self.everyone,
                    Clean::known(self.everyone),
                    Some(vec![owner as u64]),
                );
                // A chooser sees its own choice whole.
                let actions: Vec<Action> = match &knowledge.kind {
                    KnowledgeKind::Actions(list) => list.iter().map(|c| c.action).collect(),
                    KnowledgeKind::Filter(list) | KnowledgeKind::Amend(list) => {
                        list.iter().map(|f| f.action).collect()
                    }
                    _ => Vec::new(),
                };
                for local in actions
                    .iter()
                    .flat_map(|a| self.parts_of(*a))
                    .collect::<Vec<_>>()
                {
                    self.bind(local, own, Clean::known(own), None);
                }
                if let KnowledgeKind::Layout(layout) = &knowledge.kind {
                    let known = Clean::known(self.everyone);
                    self.bind(layout.cell, self.everyone, known, None);
                }
                let what = match knowledge.kind {
                    KnowledgeKind::Layout(_) => "layout",
                    KnowledgeKind::Filter(_) => "filter",
                    KnowledgeKind::Amend(_) => "amendment",
                    _ => "abstraction",
                };
                for e in &values {
                    if !self.label(e).contains(owner) {
                        self.report_abstraction(e, owner, what);
                    }
                }
            }
        }
    }

    fn parts_of(&self, action: Action) -> Vec<LocalId> {
        let mut parts = Vec::new();
        self.d.play.for_each_choice(|choice| {
            if choice.site == action.site
                && let Some(alternative) = choice.alternatives.get(action.alternative as usize)
            {
                parts.extend(alternative.parts.iter().map(|p| p.local));
            }
        });
        parts
    }

    fn report_abstraction(&mut self, e: &Expr, owner: usize, kind: &str) {
        let what = self.blame(e, owner);
        let what = what.unwrap_or_else(|| "this".to_string());
        let hint = match kind {
            "layout" => "a layout draws what its owner sees",
            "filter" | "amendment" => "a filter chooses among moves by what its owner sees",
            _ => "an abstraction coarsens what its owner sees",
        };
        let name = name(self.d, owner).to_string();
        self.report(
            Diagnostic::error(
                codes::ABSTRACTION,
                e.span,
                format!("the {kind} would tell {name} {what}"),
            )
            .label(format!("{name} does not see it"))
            .hint(format!("{hint}: leave it out, or use what {name} sees")),
        );
    }
}
