//! Which actions the searching player looks at where it is asked: move filtering (Nijssen & Winands 2012, section IV-F).

use super::Root;
use crate::machine::{Actions, Machine, PlayError};
use crate::model::KnowledgeKind;
use crate::search::supported_games::{Games, Unsuited};

/// Games in whose knowledge a player has a filter.
static WITH_FILTERS: Games = Games {
    needs: "a filter in somebody's knowledge",
    lacks: |machine| {
        let mut knowledge = machine.description().knowledge.iter();
        let filtered = knowledge.any(|k| matches!(k.kind, KnowledgeKind::Filter(_)));
        let payoff = machine.description().payoff.span;
        (!filtered).then(|| (payoff, "there is none".to_string()))
    },
};

/// Whether a game has filters to ask.
///
/// # Errors
/// That there is none.
pub fn suits(machine: &Machine) -> Result<(), Box<Unsuited>> {
    let Some((span, but)) = (WITH_FILTERS.lacks)(machine) else {
        return Ok(());
    };
    Err(Box::new(Unsuited {
        span,
        setting: "filter=root".to_string(),
        needs: WITH_FILTERS.needs,
        but,
        instead: vec!["filter=none".to_string()],
    }))
}

/// The actions that all filters of the searching player's knowledge keep; all, where these keep none in common.
pub fn kept(machine: &Machine, root: &Root<'_>) -> Result<Actions, PlayError> {
    let mut all = vec![true; root.actions.len()];
    for (entry, knowledge) in machine.knowledge_of(root.player) {
        if !matches!(knowledge.kind, KnowledgeKind::Filter(_)) {
            continue;
        }
        // A filter reads only what its owner sees: it is the same in all hypotheses.
        let state = &root.hypotheses[0].state;
        let kept = machine.kept(state, entry, root.player, root.actions)?;
        std::iter::zip(&mut all, kept).for_each(|(all, kept)| *all &= kept);
    }
    if !all.contains(&true) {
        all.fill(true);
    }
    let actions = std::iter::zip(root.actions.iter(), all);
    let kept = actions.filter(|(_, kept)| *kept);
    Ok(Actions(kept.map(|(action, _)| action.clone()).collect()))
}
