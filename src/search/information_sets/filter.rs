//! Which actions the searching player looks at where it is asked, and what becomes of the one that it has chosen: move
//! filtering (Nijssen & Winands 2012, section IV-F).

use super::Root;
use crate::machine::{Action, Actions, Machine, PlayError};
use crate::model::KnowledgeKind;
use crate::search::supported_games::{Games, Unsuited};

/// Games in whose knowledge a player has a filter.
static WITH_FILTERS: Games = Games {
    needs: "a filter in somebody's knowledge",
    lacks: |machine| {
        let mut knowledge = machine.description().knowledge.iter();
        let filtered =
            knowledge.any(|k| matches!(k.kind, KnowledgeKind::Filter(_) | KnowledgeKind::Amend(_)));
        let payoff = machine.description().payoff.span;
        (!filtered).then(|| (payoff, "there is none".to_string()))
    },
};

/// Whether a game has filters to ask.
///
/// # Errors
/// That there is none.
pub fn suits(machine: &Machine) -> Result<(), Box<Unsuited>> {
    WITH_FILTERS.suits(machine, || {
        let instead = vec!["filter=none".to_string()];
        ("filter=root".to_string(), instead)
    })
}

/// A strategy in which every action has become what the amendments in the searching player's knowledge say it must be, one
/// amendment after the other.
pub fn amended(
    machine: &Machine,
    root: &Root<'_>,
    mut strategy: Vec<f64>,
) -> Result<Vec<f64>, PlayError> {
    for (entry, knowledge) in machine.knowledge_of(root.player) {
        if !matches!(knowledge.kind, KnowledgeKind::Amend(_)) {
            continue;
        }
        // As a filter it is the same in all hypotheses, and where it would leave nothing, it leaves all as it is.
        let state = &root.hypotheses[0].state;
        let good = machine.kept(state, entry, root.player, root.actions)?;
        for place in 0..strategy.len() {
            if good[place] || strategy[place] == 0.0 {
                continue;
            }
            let like = |other: usize| alike(&root.actions[place], &root.actions[other]);
            let better = (0..strategy.len()).filter(|&other| good[other]);
            // Of those that are as near the first.
            if let Some(nearest) = better.rev().max_by_key(|&other| like(other)) {
                strategy[nearest] += std::mem::take(&mut strategy[place]);
            }
        }
    }
    Ok(strategy)
}

/// How many words of two actions are the same before the first that is not, and in all.
fn alike(a: &Action, b: &Action) -> (usize, usize) {
    let same = || std::iter::zip(&a.0, &b.0).map(|(a, b)| a == b);
    let first = same().take_while(|same| *same).count();
    (first, same().filter(|same| *same).count())
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
