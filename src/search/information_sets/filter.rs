//! Which actions the searching player looks at where it is asked: move filtering (Nijssen & Winands 2012, section IV-F).

use super::Root;
use crate::machine::{Actions, Machine, PlayError};
use crate::model::KnowledgeKind;

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
