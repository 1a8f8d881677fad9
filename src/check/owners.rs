//! Knowledge that helps nobody: its owner never makes a choice that it is about.

use super::checker::Checker;
use super::codes;
use crate::model::{Block, Choice, ExprKind, KnowledgeKind, PlayerSet, SiteId};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// Who may make each choice of the game.
pub struct Choosers(Vec<(SiteId, PlayerSet)>);

impl Choosers {
    /// Whether one of some players may make one of some choices.
    fn meet(&self, owners: PlayerSet, sites: &[SiteId]) -> bool {
        let mut own = self.0.iter().filter(|(_, who)| !(*who & owners).is_empty());
        own.any(|(site, _)| sites.contains(site))
    }

    fn have(&self, owners: PlayerSet) -> bool {
        self.0.iter().any(|(_, who)| !(*who & owners).is_empty())
    }
}

impl Checker<'_> {
    pub fn choosers(&self, play: &Block) -> Choosers {
        let mut all = Vec::new();
        play.for_each_choice(|choice| all.push((choice.site, self.may_choose(choice))));
        play.for_each_choice_in_moves(|choice| all.push((choice.site, self.may_choose(choice))));
        Choosers(all)
    }

    fn may_choose(&self, choice: &Choice) -> PlayerSet {
        let words = match &choice.chooser.kind {
            ExprKind::Const(player) => return PlayerSet::only(*player as usize),
            ExprKind::Local(local) => self.runs.get(local).map(|(words, _)| words),
            _ => None,
        };
        words.map_or(PlayerSet::ALL, |words| PlayerSet::from_words(words))
    }

    /// Warns of an entry of knowledge that its owners have no use for, and of owners who have none for any; `named` is where
    /// they stand. In a game with errors some choices may be missing.
    pub fn ask_whose(
        &mut self,
        choosers: &Choosers,
        owners: PlayerSet,
        kind: &KnowledgeKind,
        (named, span): (Span, Span),
    ) {
        if self.problems.iter().any(Diagnostic::is_error) {
            return;
        }
        let sites: Vec<SiteId> = match kind {
            // Who never chooses may look on.
            KnowledgeKind::Layout(_) => return,
            KnowledgeKind::Playout(list) => list.iter().map(|h| h.action.site).collect(),
            KnowledgeKind::Filter(list) | KnowledgeKind::Amend(list) => {
                list.iter().map(|f| f.action.site).collect()
            }
            KnowledgeKind::Actions(list) => list.iter().map(|c| c.action.site).collect(),
            _ => choosers.0.iter().map(|(site, _)| *site).collect(),
        };
        if choosers.meet(owners, &sites) {
            return;
        }
        let names = self.players.iter().flat_map(|e| e.values.iter());
        let names = names.enumerate().filter(|(i, _)| owners.contains(*i));
        let names: Vec<String> = names.map(|(_, v)| format!("`{}`", v.name)).collect();
        let names = names.join(" and ");
        let (span, message) = match choosers.have(owners) {
            true => (
                span,
                format!("no choice that this is about is made by {names}"),
            ),
            false => (
                named,
                format!("nothing is ever chosen by {names}, whom this is to help"),
            ),
        };
        self.report(
            Diagnostic::warning(codes::HELPS_NOBODY, span, message).hint(
                "knowledge is for the player who chooses: `knowledge Ann { … }`, or `knowledge Player { … }` for whoever it is",
            ),
        );
    }
}
