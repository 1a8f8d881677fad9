//! What kind of game a description is: who moves together, what chance does, what is hidden from whom.

use crate::ir::{ArmPlayer, NodeKind, Program};
use crate::model::evaluate::evaluate;
use crate::model::types::Type;
use crate::model::{Choice, Claim, Description, Expr, ExprKind, Part, PlayerSet, StmtKind};
use crate::text::span::Span;
use rustc_hash::FxHashMap;

/// Something that some player does not see, and why a perfect-information player cannot play the game.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Hidden {
    pub span: Span,
    /// In words: ``Bob does not see what is drawn as `c` ``.
    pub reason: String,
}

/// What kind of game it is, known at load time.
#[derive(Clone, Debug)]
pub struct Features {
    pub simultaneous: bool,
    pub chance: bool,
    /// Every choice and draw that some player does not see whole. Empty: perfect information (but for simultaneity).
    pub hidden: Vec<Hidden>,
    /// Whether something is revealed to some players and not to others.
    pub reveals_to_some: bool,
    pub claim: Claim,
    /// The least and the greatest payoff of each player that its formula could give. Some searches weigh payoffs by these.
    pub payoff_bounds: Vec<(f64, f64)>,
    /// What the claim counts once each.
    sides: Vec<PlayerSet>,
}

impl Features {
    /// The least and the greatest payoff of a player that the rules could give: where payoffs add up to a constant, nobody
    /// gets more than the others can leave.
    pub fn payoff_range(&self, player: usize) -> (f64, f64) {
        let (least, greatest) = self.payoff_bounds[player];
        let Claim::ConstantSum { n, den } = self.claim else {
            return (least, greatest);
        };
        let sum = n as f64 / den as f64;
        let (mut lows, mut highs) = (0.0, 0.0);
        for side in self.sides.iter().filter(|side| !side.contains(player)) {
            // All members of a team get the same.
            let Some(&(low, high)) = side.lowest().and_then(|p| self.payoff_bounds.get(p)) else {
                continue;
            };
            lows += low;
            highs += high;
        }
        (least.max(sum - highs), greatest.min(sum - lows))
    }
}

/// Reads the features off a compiled program and its description.
pub fn features(p: &Program) -> Features {
    let den = p.payoff.den as f64;
    Features {
        simultaneous: p.nodes.iter().any(|n| match &n.kind {
            // Arms of one and the same player never act together.
            NodeKind::Decision(arms) => {
                arms.len() > 1 && arms.iter().any(|a| a.player != arms[0].player)
                    || arms
                        .iter()
                        .filter(|a| matches!(a.player, ArmPlayer::Slot(_)))
                        .count()
                        > 1
            }
            _ => false,
        }),
        chance: p
            .nodes
            .iter()
            .any(|n| matches!(n.kind, NodeKind::Chance(_))),
        hidden: hidden(&p.description),
        reveals_to_some: reveals_to_some(&p.description),
        claim: p.description.payoff.claim,
        payoff_bounds: p
            .payoff
            .bounds
            .iter()
            .map(|&(lo, hi)| (lo as f64 / den, hi as f64 / den))
            .collect(),
        sides: p.description.payoff.sides.clone(),
    }
}

fn reveals_to_some(d: &Description) -> bool {
    let mut found = false;
    d.play.for_each_stmt(|stmt| {
        found |= stmt.any(|e| match &e.kind {
            ExprKind::Reveal { viewers, .. } => !unseen(d, viewers, None).is_empty(),
            _ => false,
        });
    });
    found
}

fn hidden(d: &Description) -> Vec<Hidden> {
    let mut list: Vec<Hidden> = Vec::new();
    d.play.for_each_choice(|c| choice(d, c, &mut list));
    d.play.for_each_stmt(|s| match &s.kind {
        StmtKind::Draw(draw) => parts(d, &draw.parts, "drawn", None, &mut list),
        StmtKind::Deal(deal) => {
            let blind = unseen(d, &deal.viewers, None);
            if !blind.is_empty() {
                list.push(Hidden {
                    span: deal.span,
                    reason: format!("{} what is dealt here", who(d, blind)),
                });
            }
        }
        _ => {}
    });
    // Inlined copies of one rule say the same of the same place.
    let mut seen = rustc_hash::FxHashSet::default();
    list.retain(|h| seen.insert((h.span, h.reason.clone())));
    list.sort_by_key(|h| h.span);
    list
}

fn choice(d: &Description, c: &Choice, list: &mut Vec<Hidden>) {
    for alternative in &c.alternatives {
        parts(d, &alternative.parts, "chosen", Some(&c.chooser), list);
        if alternative.parts.is_empty() || c.alternatives.len() > 1 {
            let blind = unseen(d, &c.viewers, Some(&c.chooser));
            if !blind.is_empty() {
                list.push(Hidden {
                    span: alternative.span,
                    reason: format!("{} which option is chosen here", who(d, blind)),
                });
            }
        }
    }
}

fn parts(
    d: &Description,
    parts: &[Part],
    verb: &str,
    chooser: Option<&Expr>,
    list: &mut Vec<Hidden>,
) {
    for part in parts {
        let blind = unseen(d, &part.viewers, chooser);
        if !blind.is_empty() {
            list.push(Hidden {
                span: part.span,
                reason: format!(
                    "{} what is {verb} as `{}`",
                    who(d, blind),
                    d.local(part.local).name
                ),
            });
        }
    }
}

/// The players who may miss it: the union over every player that a player-typed local could stand for. A chooser sees its
/// own choice.
fn unseen(d: &Description, viewers: &Expr, chooser: Option<&Expr>) -> PlayerSet {
    let mut locals = Vec::new();
    let mut note = |e: &Expr| {
        if let (ExprKind::Local(local), Type::Player(_)) = (&e.kind, &e.ty)
            && !locals.contains(local)
        {
            locals.push(*local);
        }
    };
    viewers.for_each(&mut note);
    if let Some(chooser) = chooser {
        chooser.for_each(&mut note);
    }
    let players = d.player_count() as u64;
    let mut blind = PlayerSet::EMPTY;
    let combinations = players.saturating_pow(locals.len().min(3) as u32);
    for n in 0..combinations {
        let mut rest = n;
        let mut bound = FxHashMap::default();
        for local in locals.iter().take(3) {
            bound.insert(*local, vec![rest % players]);
            rest /= players;
        }
        let mut seen =
            evaluate(viewers, &bound).map_or(PlayerSet::EMPTY, |w| PlayerSet::from_words(&w));
        if let Some(p) = chooser
            .and_then(|c| evaluate(c, &bound))
            .and_then(|w| w.first().copied())
        {
            seen.insert(p as usize);
        }
        blind |= d.everyone() - seen;
    }
    blind
}

fn who(d: &Description, blind: PlayerSet) -> String {
    let names: Vec<&str> = d
        .players
        .values
        .iter()
        .enumerate()
        .filter(|(i, _)| blind.contains(*i))
        .map(|(_, v)| v.name.as_str())
        .collect();
    match names.as_slice() {
        [one] => format!("{one} does not see"),
        _ if blind == d.everyone() => "not everybody sees".to_string(),
        [rest @ .., last] => format!("{} and {last} do not see", rest.join(", ")),
        [] => "nobody sees".to_string(),
    }
}
