//! What kind of game a game is, for somebody who looks for one.

use super::Subject;
use crate::check::Settings;
use crate::check::check;
use crate::check::extends::assemble;
use crate::model::types::Type;
use crate::syntax::ast::{Expr, ExprKind, Item};
use crate::syntax::visit::Visitor;
use std::collections::BTreeSet;

/// More values of one param are not tried.
const MOST: u64 = 32;

/// A game in a few words, as it is without any setting.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Facts {
    /// How many can play it, by the params that say so.
    pub players: BTreeSet<usize>,
    /// Whether several players choose at once somewhere.
    pub simultaneous: bool,
    pub chance: bool,
    /// Whether there is something that not everybody sees.
    pub hidden: bool,
}

pub fn facts(game: &Subject<'_>) -> Facts {
    let features = game.machine.features();
    Facts {
        players: players(game),
        simultaneous: features.simultaneous,
        chance: features.chance,
        hidden: !features.hidden.is_empty(),
    }
}

/// The names in an expression.
#[derive(Default)]
struct Names<'a>(Vec<&'a str>);

impl<'a> Visitor<'a> for Names<'a> {
    fn expr(&mut self, e: &'a Expr) {
        if let ExprKind::Name(name) = &e.kind {
            self.0.push(&name.text);
        }
        e.walk(self);
    }
}

/// The numbers of players under the values of each param that the number is made of.
fn players(game: &Subject<'_>) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([game.machine.player_count()]);
    let (name, text) = game.text();
    let (Some(file), ..) = assemble(name, text, game.loader) else {
        return found;
    };
    let mut names = Names::default();
    for item in &file.items {
        if let Item::Players(players) = item
            && let Some(count) = &players.count
        {
            names.expr(count);
        }
    }
    for (param, ty) in &game.machine.description().param_types {
        let few = ty.size().is_some_and(|n| n <= MOST);
        let Type::Int { lo, hi } = ty else { continue };
        if !few || !names.0.contains(&param.as_str()) {
            continue;
        }
        for value in *lo..=*hi {
            let settings = Settings::from_iter([(param.clone(), value.to_string())]);
            found.extend(check(&file, &settings).0.map(|d| d.player_count()));
        }
    }
    found
}
