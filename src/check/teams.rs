//! Teams: players who belong together, apart from seating.

use super::checker::Checker;
use super::codes;
use crate::model::{Expr, PlayerSet, Team};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;

impl<'a> Checker<'a> {
    pub fn resolve_teams(&mut self) -> Option<Vec<Team>> {
        let mut taken: Vec<&'a ast::Name> = Vec::new();
        let mut ok = true;
        for team in self.names.teams.clone() {
            for member in &team.members {
                ok &= self.new_member(member, &taken).is_some();
                taken.push(member);
            }
        }
        if !ok {
            return None;
        }
        self.players.as_ref()?;
        let teams = self.names.teams.clone();
        Some(
            teams
                .into_iter()
                .map(|team| Team {
                    name: team.name.text.clone(),
                    members: self.members(team),
                })
                .collect(),
        )
    }

    fn new_member(&mut self, member: &'a ast::Name, taken: &[&'a ast::Name]) -> Option<()> {
        let named = self.names.players.map_or(&[][..], |p| p.names.as_slice());
        if !named.iter().any(|n| n.text == member.text) {
            let mut d = Diagnostic::error(
                codes::BAD_TEAM,
                member.span,
                format!("`{}` is no player", member.text),
            );
            d = match nearest(&member.text, named.iter().map(|n| n.text.as_str())) {
                Some(near) => d.did_you_mean(near),
                None => d.hint("a team holds some of those who are named in `players`"),
            };
            self.report(d);
            return None;
        }
        if let Some(first) = taken.iter().find(|n| n.text == member.text) {
            self.report(
                Diagnostic::error(
                    codes::BAD_TEAM,
                    member.span,
                    format!("`{}` is in a team already", member.text),
                )
                .note(first.span, "here")
                .hint("a player is in one team; a `const` can hold any other set of players"),
            );
            return None;
        }
        Some(())
    }

    /// The members of a team who have a seat.
    fn members(&self, team: &ast::Team) -> PlayerSet {
        let seated = self.players.iter().flat_map(|p| p.values.iter());
        seated
            .enumerate()
            .filter(|(_, v)| team.members.iter().any(|m| m.text == v.name))
            .map(|(seat, _)| seat)
            .collect()
    }

    /// A team as a set of players.
    pub fn team_set(&mut self, team: &'a ast::Team, span: Span) -> Option<Expr> {
        let player = self.player_type()?;
        let ty = self.set_type(player, span)?;
        let members = self.members(team);
        Some(self.constant(vec![members.word()], ty, span))
    }

    /// The teams that have somebody, and each of the other players alone: in seating order of the first.
    pub fn sides(&self) -> Vec<PlayerSet> {
        let mut sides: Vec<PlayerSet> = Vec::new();
        for seat in 0..self.players.as_ref().map_or(0, |p| p.values.len()) {
            if sides.iter().any(|s| s.contains(seat)) {
                continue;
            }
            let teams = self.names.teams.iter().map(|t| self.members(t));
            sides.push(
                teams
                    .filter(|t| t.contains(seat))
                    .fold(PlayerSet::only(seat), |a, b| a | b),
            );
        }
        sides
    }
}
