//! What stands directly in `game Name { … }`.

use super::problems::Region;
use super::{Piece, Reader, Rule};
use crate::syntax::ast::{
    Claim, Const, Def, DefParam, EnumItem, Expr, Item, Param, Payoff, PayoffArm, PayoffBody,
    PayoffValue, Play, Players, Require, Rule as RuleItem, Shown, State, StateVar, Team, TypeItem,
};
use crate::text::span::Span;

impl<'t> Reader<'t> {
    pub(super) fn items(&mut self, pieces: Vec<Piece<'t>>) -> Vec<Item> {
        let mut items = Vec::new();
        self.recovering(pieces, Region::Items, |reader, piece| {
            items.extend(reader.item(piece));
        });
        items
    }

    fn item(&mut self, piece: Piece<'t>) -> Option<Item> {
        let span = self.span(&piece);
        let rule = piece.as_rule();
        if rule == Rule::state {
            return Some(Item::State(self.state(piece)));
        }
        if matches!(rule, Rule::graph | Rule::lattice) {
            return self.board(piece, span).map(Item::Board);
        }
        if rule == Rule::payoff {
            return self.payoff(piece, span).map(Item::Payoff);
        }
        if rule == Rule::note_item {
            let var = piece
                .into_inner()
                .find(|p| p.as_rule() == Rule::state_var)?;
            return self.state_var(var).map(Item::Note);
        }
        if rule == Rule::knowledge {
            return self.knowledge(piece).map(Item::Knowledge);
        }
        let (mut name, mut ty, mut expr, mut block) = (None, None, None, None);
        let (mut shown, mut text) = (None, None);
        let (mut names, mut values) = (Vec::new(), Vec::new());
        let (mut indices, mut params) = (Vec::new(), Vec::new());
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::ident => name = Some(self.name(&part)),
                Rule::ty => ty = Some(self.ty(part)),
                Rule::expr => expr = Some(self.expr(part)),
                Rule::block => block = Some(self.block(part)),
                Rule::shown => {
                    let span = self.span(&part);
                    shown = Some(Shown {
                        to: self.first_expr(part),
                        span,
                    });
                }
                Rule::as_clause => text = self.as_clause(part),
                Rule::names => {
                    for part in part.into_inner().filter(|p| p.as_rule() == Rule::ident) {
                        names.push(self.name(&part));
                    }
                }
                Rule::enum_values => values = self.enum_values(part),
                Rule::index => indices.extend(self.index(part)),
                Rule::def_params | Rule::rule_params => {
                    let of_rule = [Rule::def_param, Rule::rule_param];
                    for part in part.into_inner().filter(|p| of_rule.contains(&p.as_rule())) {
                        let mut words = part.clone().into_inner();
                        let into = words.any(|p| p.as_rule() == Rule::kw_into);
                        let named = self.named_type(part);
                        params.extend(named.map(|(name, ty)| DefParam { into, name, ty }));
                    }
                }
                _ => {}
            }
        }
        Some(match rule {
            Rule::param => Item::Param(Param {
                name: name?,
                indices,
                ty,
                default: expr?,
                span,
            }),
            Rule::require => Item::Require(Require {
                condition: expr?,
                text,
                span,
            }),
            Rule::players => Item::Players(Players {
                count: expr,
                names,
                span,
            }),
            Rule::team_item => Item::Team(Team {
                name: name?,
                members: names,
                span,
            }),
            Rule::type_item => Item::Type(TypeItem {
                name: name?,
                ty: ty?,
                text,
                span,
            }),
            Rule::enum_item => Item::Enum(EnumItem {
                name: name?,
                count: expr,
                values,
                span,
            }),
            Rule::const_item => Item::Const(Const {
                name: name?,
                indices,
                ty,
                value: expr?,
                span,
            }),
            Rule::def => Item::Def(Def {
                shown,
                name: name?,
                params,
                ty,
                body: expr?,
                span,
            }),
            Rule::rule_item => Item::Rule(RuleItem {
                name: name?,
                params,
                body: block?,
                span,
            }),
            Rule::play => Item::Play(Play { body: block?, span }),
            _ => return None,
        })
    }

    fn state(&mut self, piece: Piece<'t>) -> State {
        let (mut cond, mut vars) = (None, Vec::new());
        let pieces = piece.into_inner().collect();
        self.recovering(pieces, Region::Vars, |reader, piece| {
            match piece.as_rule() {
                Rule::state_var => vars.extend(reader.state_var(piece)),
                Rule::expr => cond = Some(reader.expr(piece)),
                _ => {}
            }
        });
        State { cond, vars }
    }

    fn state_var(&mut self, piece: Piece<'t>) -> Option<StateVar> {
        let mut span = self.span(&piece);
        let (mut name, mut ty, mut init, mut seen) = (None, None, None, None);
        let mut indices = Vec::new();
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::semi | Rule::comma => {
                    let mark = self.span(&part);
                    let before = Span {
                        start: span.start,
                        end: mark.start,
                    };
                    span = self.trimmed(before);
                }
                Rule::ident => name = Some(self.name(&part)),
                Rule::index => indices.extend(self.index(part)),
                Rule::ty => ty = Some(self.ty(part)),
                Rule::init => init = self.first_expr(part),
                Rule::seen => seen = self.first_expr(part),
                _ => {}
            }
        }
        Some(StateVar {
            name: name?,
            indices,
            ty: ty?,
            init,
            seen,
            span,
        })
    }

    fn payoff(&mut self, piece: Piece<'t>, span: Span) -> Option<Payoff> {
        let body = piece.into_inner().find_map(|part| self.payoff_body(part))?;
        Some(Payoff { body, span })
    }

    fn payoff_body(&mut self, piece: Piece<'t>) -> Option<PayoffBody> {
        let span = self.span(&piece);
        match piece.as_rule() {
            Rule::claimed => {
                let (mut claim, mut value) = (None, None);
                for part in piece.into_inner() {
                    match part.as_rule() {
                        Rule::claim => claim = self.claim(part),
                        Rule::expr => value = Some(PayoffValue::Array(self.expr(part))),
                        Rule::payoff_entries => {
                            let entries = self.named_exprs(part, Rule::payoff_entry);
                            value = Some(PayoffValue::Entries(entries));
                        }
                        _ => {}
                    }
                }
                Some(PayoffBody::Claimed {
                    claim: claim?,
                    value: value?,
                    span,
                })
            }
            Rule::payoff_match => {
                let (mut scrutinee, mut arms) = (None, Vec::new());
                for part in piece.into_inner() {
                    match part.as_rule() {
                        Rule::expr => scrutinee = Some(self.expr(part)),
                        Rule::payoff_arm => arms.extend(self.payoff_arm(part)),
                        _ => {}
                    }
                }
                Some(PayoffBody::Match {
                    scrutinee: scrutinee?,
                    arms,
                    span,
                })
            }
            _ => None,
        }
    }

    fn payoff_arm(&mut self, piece: Piece<'t>) -> Option<PayoffArm> {
        let span = self.span(&piece);
        let (mut patterns, mut body) = (Vec::new(), None);
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::patterns => patterns = self.patterns(part),
                Rule::claimed => body = self.payoff_body(part),
                Rule::payoff_match => {
                    let inner = self.span(&part);
                    body = self
                        .deeper(1, inner, |reader| reader.payoff_body(part))
                        .flatten();
                }
                _ => {}
            }
        }
        Some(PayoffArm {
            patterns,
            body: body?,
            span,
        })
    }

    fn claim(&mut self, piece: Piece<'t>) -> Option<Claim> {
        let span = self.span(&piece);
        let mut constant: Option<Expr> = None;
        let mut zero = false;
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::kw_zero_sum => zero = true,
                Rule::expr => constant = Some(self.expr(part)),
                _ => {}
            }
        }
        Some(match constant {
            Some(constant) => Claim::ConstantSum {
                sum: constant,
                span,
            },
            None if zero => Claim::ZeroSum(span),
            None => Claim::GeneralSum(span),
        })
    }
}
