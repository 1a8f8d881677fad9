//! Choices: the node, the listing of its tuples, and what happens when one is taken.

use super::super::codes;
use super::Builder;
use super::expr::one;
use super::listing::{in_bulk, plain};
use super::one_arm_each::Chooser;
use super::row_trial::RowList;
use super::trial::{Drawn, Product};
use crate::ir::*;
use crate::model::types::{Type, bits};
use crate::model::{
    Action, Alternative, Arm as ArmSource, Choice, Expr, ExprKind, LocalId, Part, StoreOp,
};
use crate::text::span::Span;

/// One arm of a decision while it is being lowered.
struct Plan<'a> {
    choice: &'a Choice,
    /// `together each`: the local and the player that it stands for in this arm.
    each: Option<(LocalId, u64)>,
    player: ArmPlayer,
    active: Option<Slot>,
    /// Whether there is an option: known where the choice has an `else`.
    any: Option<Slot>,
    option_test: Option<OptionTest>,
    chosen: Slot,
    /// For each alternative the slots of its parts.
    parts: Vec<Vec<Operand>>,
    /// The lists of which its trials take tuples.
    rows: Option<Vec<RowList>>,
}

impl Plan<'_> {
    /// Who chooses, if the arm takes part.
    fn chooser(&self, active: Option<Slot>) -> Chooser<'_> {
        Chooser {
            expr: &self.choice.chooser,
            player: self.player,
            active,
            span: self.choice.span,
        }
    }

    fn drawn(&self, fault: FaultId) -> Drawn {
        Drawn {
            chosen: self.chosen,
            fault,
            perhaps_none: self.any.is_some(),
        }
    }
}

/// What the alternatives of a choice offer.
fn products(choice: &Choice) -> Vec<Product<'_>> {
    let alternatives = choice.alternatives.iter();
    alternatives
        .map(|alternative| Product {
            parts: &alternative.parts,
            cond: alternative.cond.as_ref(),
            weight: None,
        })
        .collect()
}

impl Builder<'_> {
    pub(super) fn choice(&mut self, choice: &Choice) {
        let plan = self.plan(choice, None);
        let join = self.new_block();
        if let Some(any) = plan.any {
            let go = self.new_block();
            let none = self.new_block();
            self.branch(any, go, none);
            self.start(none);
            if let Some(otherwise) = &choice.otherwise {
                self.block(otherwise);
            }
            self.jump(join);
            self.start(go);
        }
        let mut arm = self.arm(&plan);
        // Nobody comes to the node but by way of the look.
        arm.listing.option_test = plan.option_test;
        self.rest(NodeKind::Decision(vec![arm]), choice.span);
        self.take(&plan, true, true);
        self.jump(join);
        self.start(join);
    }

    pub(super) fn together(&mut self, arms: &[ArmSource], span: Span) {
        let mut plans = Vec::new();
        for arm in arms {
            match &arm.each {
                None => plans.push(self.plan(&arm.choice, None)),
                Some(each) => {
                    for p in 0..self.d.player_count() as u64 {
                        self.enter_each(each.local, p);
                        let mut active = None;
                        match self.constant(&each.domain) {
                            Some(words) if !bits(&words).any(|b| b == p) => continue,
                            Some(_) => {}
                            None => {
                                let set = self.value(&each.domain);
                                let element = self.number(p as i64);
                                let slot = self.named("takes part", Type::Bool).slot;
                                self.emit(Instr::SetTest {
                                    dst: slot,
                                    set,
                                    element,
                                });
                                active = Some(slot);
                            }
                        }
                        if let Some(cond) = &each.cond {
                            match self.constant(cond) {
                                Some(words) if words[0] == 0 => continue,
                                Some(_) => {}
                                None => {
                                    let slot = match active {
                                        Some(slot) => slot,
                                        None => {
                                            let slot = self.named("takes part", Type::Bool).slot;
                                            self.emit(Instr::Const {
                                                dst: slot,
                                                value: 1,
                                            });
                                            slot
                                        }
                                    };
                                    // The condition may only be looked at for members of the set.
                                    let (yes, join) = (self.new_block(), self.new_block());
                                    self.branch(slot, yes, join);
                                    self.start(yes);
                                    let holds = self.value(cond);
                                    self.copy(one(slot), holds);
                                    self.jump(join);
                                    self.start(join);
                                    active = Some(slot);
                                }
                            }
                        }
                        let mut plan = self.plan(&arm.choice, Some((each.local, p)));
                        plan.active = active;
                        plans.push(plan);
                    }
                }
            }
        }
        // An arm without an option sits out, and its `else` runs in its place.
        let mut code = Vec::new();
        for plan in &plans {
            self.enter(plan);
            let mut arm = self.arm(plan);
            arm.active = match (plan.active, plan.any) {
                (None, any) => any,
                (active, None) => active,
                (Some(active), Some(any)) => {
                    let both = self.named("takes part", Type::Bool).slot;
                    self.emit(Instr::Binary {
                        op: Op::And,
                        dst: both,
                        a: active,
                        b: any,
                    });
                    Some(both)
                }
            };
            code.push(arm);
        }
        let actives: Vec<Option<Slot>> = code.iter().map(|a| a.active).collect();
        let choosers = std::iter::zip(&plans, &actives).map(|(plan, a)| plan.chooser(*a));
        self.one_arm_each(&choosers.collect::<Vec<_>>());
        let join = self.new_block();
        if plans.is_empty() {
            return self.start_after(join);
        }
        if actives.iter().all(Option::is_some) {
            // Without a player who takes part there is no decision.
            let go = self.new_block();
            for active in actives.iter().flatten() {
                let next = self.new_block();
                self.branch(*active, go, next);
                self.start(next);
            }
            let idle = self.new_block();
            self.jump(idle);
            self.start(go);
            self.rest(NodeKind::Decision(code), span);
            if plans.iter().any(|plan| plan.choice.otherwise.is_some()) {
                // The same `else` is the same code, whether somebody else had an option or not: a question in it is one
                // question.
                let taken = self.new_block();
                self.jump(taken);
                self.start(idle);
                plans.iter().for_each(|plan| self.no_choice(plan));
                self.jump(taken);
                self.start(taken);
                self.take_all(&plans, &actives);
                self.jump(join);
            } else {
                self.take_all(&plans, &actives);
                self.jump(join);
                self.start(idle);
                self.jump(join);
            }
        } else {
            self.rest(NodeKind::Decision(code), span);
            self.take_all(&plans, &actives);
            self.jump(join);
        }
        self.start(join);
    }

    fn start_after(&mut self, join: BlockId) {
        self.jump(join);
        self.start(join);
    }

    /// Gives what an arm's choice would have made any value. Nobody reads it, but without it what was there before the
    /// `together` would count as part of the state.
    fn no_choice(&mut self, plan: &Plan<'_>) {
        self.emit(Instr::Const {
            dst: plan.chosen,
            value: 0,
        });
        for (alternative, slots) in plan.choice.alternatives.iter().zip(&plan.parts) {
            for (part, dst) in alternative.parts.iter().zip(slots) {
                self.no_value(*dst, &self.local_type(part.local));
            }
        }
    }

    /// Any value of a type.
    pub(super) fn no_value(&mut self, dst: Operand, ty: &Type) {
        self.emit(match ty.element() {
            Some(_) => Instr::SetConst {
                dst: dst.slot,
                words: vec![0; ty.words()],
            },
            None => Instr::Const {
                dst: dst.slot,
                value: ty.value_at(0),
            },
        });
    }

    /// After a simultaneous decision: all events, then arm by arm the stores and the body, or the `else` of an arm
    /// without an option.
    fn take_all(&mut self, plans: &[Plan<'_>], actives: &[Option<Slot>]) {
        for (events, effects) in [(true, false), (false, true)] {
            for (plan, active) in plans.iter().zip(actives) {
                self.enter(plan);
                match active {
                    None => self.take(plan, events, effects),
                    Some(active) => {
                        let (yes, join) = (self.new_block(), self.new_block());
                        let otherwise = effects && plan.choice.otherwise.is_some();
                        let no = if otherwise { self.new_block() } else { join };
                        self.branch(*active, yes, no);
                        self.start(yes);
                        self.take(plan, events, effects);
                        self.jump(join);
                        if otherwise {
                            self.start(no);
                            self.otherwise(plan);
                            self.jump(join);
                        }
                        self.start(join);
                    }
                }
            }
        }
    }

    /// Runs the `else` of an arm if it takes part and has no option.
    fn otherwise(&mut self, plan: &Plan<'_>) {
        let (Some(any), Some(block)) = (plan.any, &plan.choice.otherwise) else {
            return;
        };
        self.enter(plan);
        let (none, join) = (self.new_block(), self.new_block());
        self.branch(any, join, none);
        self.start(none);
        if let Some(active) = plan.active {
            let run = self.new_block();
            self.branch(active, run, join);
            self.start(run);
        }
        self.block(block);
        self.jump(join);
        self.start(join);
    }

    fn enter_each(&mut self, local: LocalId, player: u64) {
        self.locals.remove(&local);
        self.bound.insert(local, vec![player]);
    }

    /// Makes an arm's locals mean its own slots again.
    fn enter(&mut self, plan: &Plan<'_>) {
        if let Some((local, player)) = plan.each {
            self.enter_each(local, player);
        }
        for (alternative, slots) in plan.choice.alternatives.iter().zip(&plan.parts) {
            for (part, slot) in alternative.parts.iter().zip(slots) {
                self.bound.remove(&part.local);
                self.locals.insert(part.local, *slot);
            }
        }
    }

    fn plan<'a>(&mut self, choice: &'a Choice, each: Option<(LocalId, u64)>) -> Plan<'a> {
        let player = match self.constant(&choice.chooser) {
            Some(words) => ArmPlayer::Fixed(words[0] as u8),
            // A local keeps its value while the choice is made; anything else is looked up now.
            None if matches!(choice.chooser.kind, ExprKind::Local(_)) => {
                ArmPlayer::Slot(self.value(&choice.chooser).slot)
            }
            None => {
                let value = self.value(&choice.chooser);
                let slot = self.named("chooser", choice.chooser.ty.clone());
                self.copy(slot, value);
                ArmPlayer::Slot(slot.slot)
            }
        };
        let chosen = self.chosen(choice.alternatives.len());
        let parts = choice
            .alternatives
            .iter()
            .map(|a| a.parts.iter().map(|p| self.bind(p.local)).collect())
            .collect();
        let mut plan = Plan {
            choice,
            each,
            player,
            active: None,
            any: None,
            option_test: None,
            chosen,
            parts,
            rows: self.row_lists(&products(choice)),
        };
        if choice.otherwise.is_some() {
            let option_test = self.any_option(choice, plan.rows.as_deref());
            plan.any = Some(option_test.any);
            plan.option_test = Some(option_test);
        }
        plan
    }

    pub(super) fn chosen(&mut self, alternatives: usize) -> Slot {
        let hi = alternatives.max(1) as i64 - 1;
        self.named("chosen", Type::Int { lo: 0, hi }).slot
    }

    /// Looks whether a choice has an option, in the flow of play.
    pub(super) fn any_option(&mut self, choice: &Choice, rows: Option<&[RowList]>) -> OptionTest {
        let any = self.named("option", Type::Bool).slot;
        let code = self.new_block();
        self.jump(code);
        self.start(code);
        self.emit(Instr::Const { dst: any, value: 0 });
        let done = self.new_block();
        let mut found = |b: &mut Self| {
            b.emit(Instr::Const { dst: any, value: 1 });
            b.leave(Term::Jump(done));
        };
        let products = products(choice);
        if !rows.is_some_and(|rows| self.any_by_rows(&products, rows, &mut found)) {
            for product in products {
                let (parts, cond) = self.unfiltered(product.parts, product.cond);
                self.tuples(&parts, cond.as_deref(), 0, &mut |b, _, _| found(b));
            }
        }
        self.jump(done);
        self.start(done);
        OptionTest {
            code,
            after: done,
            any,
        }
    }

    /// The code that lists a choice, away from the flow of play.
    fn arm(&mut self, plan: &Plan<'_>) -> Arm {
        let choice = plan.choice;
        let products = products(choice);
        let fixed = match products[..] {
            [product] => self.fixed(product, &plan.parts[0], plan.chosen),
            _ => None,
        };
        let (known, sampled) = fixed.unzip();
        let kind = match choice.alternatives.as_slice() {
            _ if let Some(kind) = known.flatten() => kind,
            [single] if plain(&single.parts) && single.cond.is_none() => {
                self.set_listing(&single.parts[0])
            }
            alternatives => {
                let code = self.aside(|b| {
                    for (i, alternative) in alternatives.iter().enumerate() {
                        b.tuples(
                            &alternative.parts,
                            alternative.cond.as_ref(),
                            in_bulk(&alternative.parts, None, b.marked()),
                            &mut |b, parts, bulk| {
                                if alternative.label.is_some() {
                                    b.mark(CoveragePointKind::Offered, alternative.span);
                                }
                                b.emit(Instr::Emit {
                                    alternative: i as u32,
                                    parts: parts.to_vec(),
                                    weight: None,
                                    rank: None,
                                    bulk,
                                });
                            },
                        );
                    }
                });
                ListingKind::Loop {
                    code,
                    weighted: false,
                    ranked: false,
                }
            }
        };
        let mut alternatives = Vec::new();
        for (i, (alternative, slots)) in choice.alternatives.iter().zip(&plan.parts).enumerate() {
            let action = Action {
                site: choice.site,
                alternative: i as u32,
            };
            let ratings = self.unmarked(|b| b.ratings(action));
            let text = self.unmarked(|b| {
                b.action_text(
                    alternative.label.as_deref(),
                    alternative.text.as_ref(),
                    &alternative.parts,
                    Some(&choice.viewers),
                )
            });
            alternatives.push(AlternativeCode {
                ratings,
                parts: slots
                    .iter()
                    .copied()
                    .zip(alternative.parts.iter().map(|p| self.local_type(p.local)))
                    .collect(),
                text,
            });
        }
        let fault = self.fault_with(
            codes::NO_OPTION,
            choice.span,
            "there is nothing to choose here",
            Some("add an `else { … }` to the choice, or an option that is always open"),
        );
        let trial = sampled.unwrap_or_else(|| {
            let rows = plan.rows.as_deref();
            self.trial_of(&kind, &products, rows, plan.drawn(fault))
        });
        Arm {
            player: plan.player,
            active: plan.active,
            listing: Listing {
                site: choice.site,
                kind,
                chosen: plan.chosen,
                alternatives,
                fault,
                trial,
                option_test: None,
            },
        }
    }

    pub(super) fn local_type(&self, local: LocalId) -> Type {
        self.type_of_local(local).clone()
    }

    /// The type of a name of the description, or of one that is made up.
    pub(super) fn type_of_local(&self, local: LocalId) -> &Type {
        let made_up = self.made_up.get((u32::MAX - local.0) as usize);
        made_up.unwrap_or_else(|| &self.d.local(local).ty)
    }

    pub(super) fn set_listing(&mut self, part: &Part) -> ListingKind {
        let lo = part.domain.ty.element().map_or(0, |t| t.value_at(0));
        let mut set = one(0);
        let code = self.aside(|b| set = b.value(&part.domain));
        ListingKind::Set { code, set, lo }
    }

    /// What happens once an arm's action is known: its events, its stores and its body.
    fn take(&mut self, plan: &Plan<'_>, events: bool, effects: bool) {
        let choice = plan.choice;
        let join = self.new_block();
        for (i, alternative) in choice.alternatives.iter().enumerate() {
            let last = i + 1 == choice.alternatives.len();
            let next = if last {
                None
            } else {
                Some(self.match_arm(plan.chosen, &[i as i64]))
            };
            if events {
                self.scope(|b| b.choice_event(plan, i, alternative));
            }
            if effects {
                self.taken(choice, alternative);
            }
            self.jump(join);
            if let Some(next) = next {
                self.start(next);
            }
        }
        self.start(join);
    }

    /// What the option does that was taken: its stores and its body.
    pub(super) fn taken(&mut self, choice: &Choice, alternative: &Alternative) {
        self.mark(CoveragePointKind::Statement, choice.span);
        if alternative.label.is_some() {
            self.mark(CoveragePointKind::Taken, alternative.span);
        }
        self.stores(&alternative.parts);
        self.block(&alternative.body);
    }

    fn choice_event(&mut self, plan: &Plan<'_>, number: usize, alternative: &Alternative) {
        let choice = plan.choice;
        let chooser = match plan.player {
            ArmPlayer::Slot(slot) => slot,
            ArmPlayer::Fixed(p) => self.number(i64::from(p)),
        };
        let parts = self.seen_parts(&alternative.parts);
        // In the product form the bare fact of the choice carries no information, so there is no event for it.
        let viewers = if alternative.label.is_some() {
            Some(self.unmarked(|b| b.value(&choice.viewers).slot))
        } else {
            None
        };
        self.event(
            choice.site,
            Some(chooser),
            Some(number as u32),
            parts,
            viewers,
        );
    }

    pub(super) fn seen_parts(&mut self, parts: &[Part]) -> Vec<(Operand, Slot)> {
        parts
            .iter()
            .map(|part| {
                let viewers = self.unmarked(|b| b.value(&part.viewers).slot);
                let slot = match self.locals.get(&part.local) {
                    Some(slot) => *slot,
                    None => self.bind(part.local),
                };
                (slot, viewers)
            })
            .collect()
    }

    pub(super) fn stores(&mut self, parts: &[Part]) {
        for part in parts {
            if let Some(place) = &part.into {
                let ty = self.local_type(part.local);
                if let Some(slot) = self.locals.get(&part.local).copied() {
                    let target = self.d.var(place.var).ty.clone();
                    self.scope(|b| {
                        let value = b.adapted(slot, &ty, &target, part);
                        b.store(place, StoreOp::Set, value, &ty);
                    });
                }
            }
        }
    }

    /// A drawn or chosen value as the type of the place it goes into: a T as a T?, or as a singleton set.
    fn adapted(&mut self, slot: Operand, from: &Type, to: &Type, part: &Part) -> Operand {
        if from == to || matches!((from, to), (Type::Int { .. }, Type::Int { .. })) {
            return slot;
        }
        let local = Expr {
            kind: ExprKind::Local(part.local),
            ty: from.clone(),
            span: part.span,
        };
        let cast = Expr {
            kind: ExprKind::Cast(Box::new(local)),
            ty: to.clone(),
            span: part.span,
        };
        self.value(&cast)
    }
}
