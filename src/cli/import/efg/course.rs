//! The order in which a tree is played by a game of the language, where play goes forward step by step and whoever is asked
//! is told before where it stands.
//!
//! A player of the language forgets nothing, so every information set must follow the same moves of its player (perfect
//! recall, Kuhn 1953). And there must be an order of asking that fits all paths: numbers for the sets that rise along every
//! path (a game that is *timeable*: Jakobsen, Sørensen & Conitzer 2016, “Timeability of extensive-form games”). Sets are put
//! at the length of the longest way to them in the graph that is left when the nodes of each set are one.

use super::names::Ranked;
use super::tokens::{Read, wrong};
use super::{Efg, Kind};
use crate::cli::codes;
use num_traits::Zero;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// One step of play: everybody who may be asked in it, or chance.
#[derive(Debug)]
pub struct Moment {
    /// `None` for chance.
    pub mover: Option<usize>,
    /// Those of the mover, in the order of their numbers; none for chance.
    pub sets: Vec<usize>,
}

/// A tree with the order in which it is played.
#[derive(Debug)]
pub struct Course<'e> {
    pub efg: &'e Efg,
    pub moments: Vec<Moment>,
    /// The moves of the sets, and the outcomes of the draws that chance may take.
    pub moves: Ranked,
    pub outcomes: Ranked,
    /// The nodes that can be reached. Those below one node stand next to one another, in the order of its moves.
    pub order: Vec<usize>,
    /// For each node of `order` where the nodes below it begin there; 0 for ends.
    pub first: Vec<usize>,
    /// The number of branches that chance never takes, which are left out.
    pub never: usize,
}

impl Course<'_> {
    /// Finds the order for a tree.
    ///
    /// # Errors
    /// When a player forgets, or no order fits.
    pub fn new(efg: &Efg) -> Read<Course<'_>> {
        let (reached, never) = reached(efg);
        recalled(efg, &reached)?;
        let levels = levels(efg, &reached)?;
        let mut moments: BTreeMap<(usize, usize), BTreeSet<(i64, usize)>> = BTreeMap::new();
        for (node, level) in levels.iter().enumerate() {
            match efg.nodes[node].kind {
                _ if !reached[node] => {}
                Kind::Chance(_) => {
                    moments.entry((*level, 0)).or_default();
                }
                Kind::Decision(set) => {
                    let sets = moments.entry((*level, efg.sets[set].player + 1));
                    sets.or_default().insert((efg.sets[set].number, set));
                }
                Kind::End(_) => {}
            }
        }
        let moments = moments.into_iter().map(|((_, mover), sets)| Moment {
            mover: mover.checked_sub(1),
            sets: sets.into_iter().map(|(_, set)| set).collect(),
        });
        let moves = Ranked::new(efg.sets.iter().map(|set| set.moves.clone()));
        let outcomes = Ranked::new(efg.draws.iter().map(|draw| {
            let names = draw.outcomes.iter().map(|(name, _)| name.clone());
            names.collect()
        }));
        let mut course = Course {
            efg,
            moments: moments.collect(),
            moves,
            outcomes,
            order: Vec::new(),
            first: Vec::new(),
            never,
        };
        course.number(&levels);
        Ok(course)
    }

    /// Puts the nodes in order, level by level.
    fn number(&mut self, levels: &[usize]) {
        let mut open = BTreeSet::from([(levels[0], 0)]);
        self.order.push(0);
        self.first.push(0);
        while let Some((_, at)) = open.pop_first() {
            let node = &self.efg.nodes[self.order[at]];
            let first = self.order.len();
            let branches = match node.kind {
                Kind::Chance(draw) => self.outcomes.sorted(draw),
                Kind::Decision(set) => self.moves.sorted(set),
                Kind::End(_) => continue,
            };
            self.first[at] = first;
            for branch in branches {
                if chance(self.efg, node.kind, branch) {
                    let child = node.children[branch];
                    open.insert((levels[child], self.order.len()));
                    self.order.push(child);
                    self.first.push(0);
                }
            }
        }
    }

    /// The outcomes of a draw that chance may take, in order: which they are among all of the draw.
    pub fn possible(&self, draw: usize) -> impl Iterator<Item = usize> {
        let sorted = self.outcomes.sorted(draw).into_iter();
        sorted.filter(move |i| chance(self.efg, Kind::Chance(draw), *i))
    }
}

/// Whether play may take a branch: chance does not take one of probability 0.
fn chance(efg: &Efg, kind: Kind, branch: usize) -> bool {
    match kind {
        Kind::Chance(draw) => !efg.draws[draw].outcomes[branch].1.is_zero(),
        _ => true,
    }
}

/// For each node whether it can be reached, and the number of branches that are never taken.
fn reached(efg: &Efg) -> (Vec<bool>, usize) {
    let mut reached = vec![false; efg.nodes.len()];
    let mut never = 0;
    reached[0] = true;
    for (number, node) in efg.nodes.iter().enumerate() {
        for (branch, child) in node.children.iter().enumerate() {
            let taken = chance(efg, node.kind, branch);
            never += usize::from(reached[number] && !taken);
            reached[*child] = reached[number] && taken;
        }
    }
    (reached, never)
}

/// Checks that nobody forgets.
fn recalled(efg: &Efg, reached: &[bool]) -> Read<()> {
    // For each node and player the last set and move of that player before it.
    type Last = Option<(usize, usize)>;
    let players = efg.players.len();
    let mut last: Vec<Last> = vec![None; efg.nodes.len() * players];
    let mut expected: Vec<Option<Last>> = vec![None; efg.sets.len()];
    for (number, node) in efg.nodes.iter().enumerate() {
        if !reached[number] {
            continue;
        }
        let mut mover = None;
        if let Kind::Decision(set) = node.kind {
            let player = efg.sets[set].player;
            let before = last[number * players + player];
            if *expected[set].get_or_insert(before) != before {
                let message = format!(
                    "at {} the player would have to forget: this node follows other moves of the player than one before it",
                    efg.name(set)
                );
                return refused(efg, number, message).map_err(|problem| {
                    let hint = "split the set by the moves before it, or let two players with equal payoffs share the moves of this one";
                    Box::new(problem.hint(hint))
                });
            }
            mover = Some((player, set));
        }
        for (branch, child) in node.children.iter().enumerate() {
            last.copy_within(number * players..(number + 1) * players, child * players);
            if let Some((player, set)) = mover {
                last[child * players + player] = Some((set, branch));
            }
        }
    }
    Ok(())
}

fn refused<T>(efg: &Efg, node: usize, message: String) -> Read<T> {
    let mut problem = wrong::<T>(efg.nodes[node].span, message);
    if let Err(problem) = &mut problem {
        problem.code = codes::NO_TELLING;
    }
    problem
}

/// For each node the length of the longest way to it, where a way may go on from any node of an information set.
fn levels(efg: &Efg, reached: &[bool]) -> Read<Vec<usize>> {
    let sets = efg.sets.len();
    let vertex = |node: usize| match efg.nodes[node].kind {
        Kind::Decision(set) => set,
        _ => sets + node,
    };
    let count = sets + efg.nodes.len();
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut before = vec![0usize; count];
    for (number, node) in efg.nodes.iter().enumerate() {
        for child in node.children.iter().filter(|child| reached[**child]) {
            after[vertex(number)].push(vertex(*child));
            before[vertex(*child)] += 1;
        }
    }
    let mut level = vec![0usize; count];
    let mut ready: Vec<usize> = (0..count).filter(|v| before[*v] == 0).collect();
    while let Some(v) = ready.pop() {
        for &next in &after[v] {
            level[next] = level[next].max(level[v] + 1);
            before[next] -= 1;
            if before[next] == 0 {
                ready.push(next);
            }
        }
    }
    if before.iter().any(|n| *n > 0) {
        return circle(efg, &after, &before);
    }
    Ok((0..efg.nodes.len()).map(|n| level[vertex(n)]).collect())
}

/// Tells of two sets each of which comes before the other on some way, by what is left `before` them.
fn circle<T>(efg: &Efg, after: &[Vec<usize>], before: &[usize]) -> Read<T> {
    // Each that is left has another one before it that is left too; going back comes round at last.
    let mut back: HashMap<usize, usize> = HashMap::new();
    for (v, nexts) in after.iter().enumerate().filter(|(v, _)| before[*v] > 0) {
        for &next in nexts {
            back.entry(next).or_insert(v);
        }
    }
    let start = before.iter().position(|n| *n > 0).unwrap_or(0);
    let mut at = start;
    for _ in 0..after.len() {
        at = back.get(&at).copied().unwrap_or(at);
    }
    let mut round = vec![at];
    while let Some(&before) = back.get(&round[round.len() - 1]) {
        if before == at || round.len() > after.len() {
            break;
        }
        round.push(before);
    }
    let mut sets: Vec<usize> = round.into_iter().filter(|v| *v < efg.sets.len()).collect();
    sets.sort_unstable();
    let names: Vec<String> = sets.iter().take(2).map(|set| efg.name(*set)).collect();
    let node = efg.nodes.iter().position(|node| match node.kind {
        Kind::Decision(set) => sets.first() == Some(&set),
        _ => false,
    });
    let message = format!(
        "no order of asking fits: {} would each have to be asked before the other",
        names.join(" and ")
    );
    refused(efg, node.unwrap_or(0), message)
}
