//! Payoffs: one number a player over a common denominator, and what they claim to add up to.

use super::checker::{Checker, Frame};
use super::codes;
use super::convert::{lcm, ratio_parts};
use super::declare::Decl;
use super::expr::base;
use super::state::listed;
use crate::model::types::{EnumType, Type};
use crate::model::{Claim, Expr, Payoff};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use std::sync::Arc;

const NAME_ALL: &str = "name every player once: { Alice: 1  Bob: -1 }";

impl<'a> Checker<'a> {
    pub fn payoff(&mut self) -> Option<Payoff> {
        let payoff = self.names.payoff?;
        let frame = Frame {
            no_reveal: Some("a payoff"),
            ..Frame::default()
        };
        self.in_frame(frame, |this| this.payoff_body(&payoff.body))
    }

    fn payoff_body(&mut self, body: &'a ast::PayoffBody) -> Option<Payoff> {
        match body {
            ast::PayoffBody::Claimed { claim, value, span } => {
                let claim = self.claim(claim);
                let values = self.payoff_values(value, *span);
                Some(Payoff {
                    claim: claim?,
                    values: values?,
                    sides: self.sides(),
                    span: *span,
                })
            }
            ast::PayoffBody::Match {
                scrutinee,
                arms,
                span,
            } => self.deeper(*span, |this| this.payoff_match(scrutinee, arms, *span)),
        }
    }

    fn payoff_match(
        &mut self,
        scrutinee: &'a ast::Expr,
        arms: &'a [ast::PayoffArm],
        span: Span,
    ) -> Option<Payoff> {
        let patterns = arms.iter().map(|a| a.patterns.as_slice());
        let scrutinee = self.scrutinee(scrutinee, patterns)?;
        self.known(&scrutinee, "how payoffs are made")?;
        let patterns: Vec<&'a [ast::Pattern]> =
            arms.iter().map(|a| a.patterns.as_slice()).collect();
        let read = self.read_arms(&scrutinee, &patterns, span);
        let taken = read.as_ref().and_then(|r| r.taken);
        let mut result = None;
        for (i, arm) in arms.iter().enumerate() {
            if taken == Some(i) {
                result = self.payoff_body(&arm.body);
            } else {
                self.in_dead(|this| this.payoff_body(&arm.body));
            }
        }
        result
    }

    fn claim(&mut self, claim: &'a ast::Claim) -> Option<Claim> {
        match claim {
            ast::Claim::ZeroSum(_) => Some(Claim::ConstantSum { n: 0, den: 1 }),
            ast::Claim::GeneralSum(_) => Some(Claim::GeneralSum),
            ast::Claim::ConstantSum { sum: e, .. } => {
                let made = self.expr(e, None)?;
                self.numeric(&made)?;
                let n = self.known(&made, "the sum of the payoffs")?;
                let (den, ..) = ratio_parts(&made.ty)?;
                Some(Claim::ConstantSum { n, den })
            }
        }
    }

    fn payoff_values(&mut self, value: &'a ast::PayoffValue, span: Span) -> Option<Vec<Expr>> {
        let player = self.player_type()?;
        let Type::Player(players) = &player else {
            return None;
        };
        let players = players.clone();
        let made = match value {
            ast::PayoffValue::Array(ast::Expr {
                kind: ast::ExprKind::Map { entries, otherwise },
                ..
            }) => {
                let named: Option<Vec<_>> = entries
                    .iter()
                    .map(|(key, e)| Some((self.entry_name(key)?, e)))
                    .collect();
                self.entries(&named?, otherwise.as_deref(), &players, span)?
            }
            ast::PayoffValue::Array(e) => {
                if !self.is_array(e) {
                    if !matches!(e.kind, ast::ExprKind::Error) {
                        self.report(
                            Diagnostic::error(
                                codes::BAD_PAYOFF,
                                e.span,
                                "a payoff gives a number for each player",
                            )
                            .hint("for example: [p in Player] if winner == p then 1 else -1"),
                        );
                    }
                    return None;
                }
                let index = self.array_index(e)?;
                if index != player {
                    self.report(
                        Diagnostic::error(
                            codes::BAD_PAYOFF,
                            e.span,
                            "a payoff is an array over the players",
                        )
                        .label(format!("this one is over `{index}`"))
                        .hint("for example: [p in Player] …"),
                    );
                    return None;
                }
                let mut made = Vec::new();
                for seat in 0..players.values.len() {
                    let p = self.scalar(seat as i64, player.clone(), e.span);
                    made.push(self.array_element(e, &p));
                }
                made
            }
            ast::PayoffValue::Entries(entries) => {
                let named: Vec<_> = entries.iter().map(|(name, e)| (name, e)).collect();
                self.entries(&named, None, &players, span)?
            }
        };
        let made = made.into_iter().collect::<Option<Vec<_>>>()?;
        self.common(made, span)
    }

    /// Whom an entry of an array is for.
    fn entry_name(&mut self, key: &'a ast::Expr) -> Option<&'a ast::Name> {
        match &key.kind {
            ast::ExprKind::Name(name) => Some(name),
            ast::ExprKind::Error => None,
            _ => {
                let message = "this is no player and no team".to_string();
                self.bad_entry(key.span, message);
                None
            }
        }
    }

    fn entries(
        &mut self,
        entries: &[(&'a ast::Name, &'a ast::Expr)],
        otherwise: Option<&'a ast::Expr>,
        players: &Arc<EnumType>,
        span: Span,
    ) -> Option<Vec<Option<Expr>>> {
        let named = self.names.players.map_or(&[][..], |p| p.names.as_slice());
        let mut made: Vec<Option<Option<Expr>>> = vec![None; players.values.len()];
        let mut ok = true;
        let teams = self.names.teams.clone();
        for (i, (name, e)) in entries.iter().enumerate() {
            if let Some(team) = teams.iter().find(|t| t.name.text == name.text) {
                let seats: Vec<usize> = players
                    .values
                    .iter()
                    .enumerate()
                    .filter(|(_, v)| team.members.iter().any(|m| m.text == v.name))
                    .map(|(seat, _)| seat)
                    .collect();
                if seats.is_empty() {
                    self.in_dead(|this| this.expr(e, None));
                    continue;
                }
                let value = self.expr(e, None);
                for seat in seats {
                    if made[seat].replace(value.clone()).is_some() {
                        let player = &players.values[seat].name;
                        self.bad_entry(name.span, format!("`{player}` has a payoff already"));
                        ok = false;
                    }
                }
                continue;
            }
            if entries[..i].iter().any(|(n, _)| n.text == name.text) {
                self.bad_entry(name.span, format!("`{}` has a payoff already", name.text));
                ok = false;
                continue;
            }
            match players.values.iter().position(|v| v.name == name.text) {
                Some(seat) if made[seat].is_some() => {
                    self.bad_entry(name.span, format!("`{}` has a payoff already", name.text));
                    ok = false;
                }
                Some(seat) => made[seat] = Some(self.expr(e, None)),
                None if named.iter().any(|n| n.text == name.text) => {
                    self.in_dead(|this| this.expr(e, None));
                }
                None => {
                    self.no_player(name);
                    ok = false;
                }
            }
        }
        if let Some(e) = otherwise {
            let value = match made.iter().any(Option::is_none) {
                true => self.expr(e, None),
                false => self.in_dead(|this| this.expr(e, None)),
            };
            for seat in made.iter_mut().filter(|seat| seat.is_none()) {
                *seat = Some(value.clone());
            }
        }
        let missing: Vec<String> = players
            .values
            .iter()
            .zip(&made)
            .filter(|(_, e)| e.is_none())
            .map(|(v, _)| format!("`{}`", v.name))
            .collect();
        if !missing.is_empty() {
            self.bad_entry(span, format!("there is no payoff for {}", listed(&missing)));
            return None;
        }
        ok.then(|| made.into_iter().map(Option::flatten).collect())
    }

    fn no_player(&mut self, name: &ast::Name) {
        let name_of = &name.text;
        let found_out = match self.names.decls.get(name_of.as_str()) {
            Some(Decl::Var(i)) => self.vars.get(*i).is_some_and(|var| {
                var.index_types().is_empty() && matches!(base(&var.ty), Type::Player(_))
            }),
            _ => false,
        };
        let hint = match found_out {
            true => format!(
                "make all payoffs by a formula: `[p in Player] if p == {name_of} then … else …`"
            ),
            false => NAME_ALL.to_string(),
        };
        let message = format!("`{name_of}` is no player and no team");
        self.report(Diagnostic::error(codes::BAD_PAYOFF, name.span, message).hint(hint));
    }

    fn bad_entry(&mut self, span: Span, message: String) {
        self.report(Diagnostic::error(codes::BAD_PAYOFF, span, message).hint(NAME_ALL));
    }

    /// All values over the least common denominator.
    fn common(&mut self, values: Vec<Expr>, span: Span) -> Option<Vec<Expr>> {
        let mut den = 1i64;
        for value in &values {
            self.numeric(value)?;
            let (d, ..) = ratio_parts(&value.ty)?;
            den = self.checked(lcm(den, d), span)?;
        }
        let mut made = Vec::new();
        for value in values {
            made.push(self.as_number(value, den)?);
        }
        Some(made)
    }
}
