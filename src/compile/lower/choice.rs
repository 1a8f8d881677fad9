//! Choices, draws and deals: the node, the listing of its tuples, and what happens when one is taken.

use super::super::codes;
use super::super::ir::*;
use super::super::places::PlaceKind;
use super::Builder;
use super::expr::{one, reveals};
use super::invariant::hangs_on;
use super::trial::Product;
use crate::check::description::{
    Action, Alternative, Arm as ArmSource, Choice, Deal, Draw, Expr, ExprKind, Fold, FoldOp,
    LocalId, Part, PlaceIndex, Sizes, StoreOp,
};
use crate::check::types::{Type, bits};
use crate::check::walk;
use crate::syntax::span::Span;
use rustc_hash::FxHashSet;

/// What is written for each tuple: its parts, and the set and the count of a part that is counted instead of walked.
type Found<'f, B> = dyn FnMut(&mut B, &[Operand], Option<Bulk>) + 'f;

/// One arm of a decision while it is being lowered.
struct Plan<'a> {
    choice: &'a Choice,
    /// `together each`: the local and the player that it stands for in this arm.
    each: Option<(LocalId, u64)>,
    player: ArmPlayer,
    active: Option<Slot>,
    /// Whether there is an option: known where the choice has an `else`.
    any: Option<Slot>,
    look: Option<Look>,
    chosen: Slot,
    /// For each alternative the slots of its parts.
    parts: Vec<Vec<Operand>>,
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
        arm.listing.look = plan.look;
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
                                let element = self.scalar();
                                self.emit(Instr::Const {
                                    dst: element,
                                    value: p as i64,
                                });
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
        // An arm without an option sits out, and its `else` runs at the end.
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
        let join = self.new_block();
        if plans.is_empty() {
            return self.start_after(join);
        }
        if actives.iter().all(Option::is_some) {
            // When nobody takes part there is no decision.
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
            self.take_all(&plans, &actives);
            self.jump(join);
            self.start(idle);
            self.otherwise(&plans);
            self.jump(join);
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

    /// After a simultaneous decision: all events, then stores and bodies arm by arm, then the `else` of those without
    /// an option.
    fn take_all(&mut self, plans: &[Plan<'_>], actives: &[Option<Slot>]) {
        for (events, effects) in [(true, false), (false, true)] {
            for (plan, active) in plans.iter().zip(actives) {
                self.enter(plan);
                match active {
                    None => self.take(plan, events, effects),
                    Some(active) => {
                        let (yes, join) = (self.new_block(), self.new_block());
                        self.branch(*active, yes, join);
                        self.start(yes);
                        self.take(plan, events, effects);
                        self.jump(join);
                        self.start(join);
                    }
                }
            }
        }
        self.otherwise(plans);
    }

    /// Runs the `else` of every arm that takes part and has no option.
    fn otherwise(&mut self, plans: &[Plan<'_>]) {
        for plan in plans {
            let (Some(any), Some(block)) = (plan.any, &plan.choice.otherwise) else {
                continue;
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
            look: None,
            chosen,
            parts,
        };
        if choice.otherwise.is_some() {
            let look = self.any_option(choice);
            plan.any = Some(look.any);
            plan.look = Some(look);
        }
        plan
    }

    fn chosen(&mut self, alternatives: usize) -> Slot {
        let hi = alternatives.max(1) as i64 - 1;
        self.named("chosen", Type::Int { lo: 0, hi }).slot
    }

    /// Looks whether a choice has an option, in the flow of play.
    fn any_option(&mut self, choice: &Choice) -> Look {
        let any = self.named("option", Type::Bool).slot;
        let code = self.new_block();
        self.jump(code);
        self.start(code);
        self.emit(Instr::Const { dst: any, value: 0 });
        let done = self.new_block();
        for alternative in &choice.alternatives {
            self.tuples(
                &alternative.parts,
                alternative.cond.as_ref(),
                0,
                &mut |b, _, _| {
                    b.emit(Instr::Const { dst: any, value: 1 });
                    b.leave(Term::Jump(done));
                },
            );
        }
        self.jump(done);
        self.start(done);
        Look {
            code,
            after: done,
            any,
        }
    }

    /// Nested loops over the parts of a product; `found` writes what each tuple does. Goes on after the last tuple.
    /// `bulk`: the values of so many last parts are not walked over one by one, if the condition and the sets let that be;
    /// `found` gets all of them at once.
    fn tuples(
        &mut self,
        parts: &[Part],
        cond: Option<&Expr>,
        mut bulk: usize,
        found: &mut Found<'_, Self>,
    ) {
        let mark = self.temporaries;
        let exit = self.new_block();
        let filtered = if bulk > 0 {
            self.filtered(parts, cond)
        } else {
            None
        };
        let cond = cond.filter(|_| filtered.is_none());
        if let Some(cond) = cond {
            bulk = bulk.min(unread(cond, parts));
        }
        bulk = bulk.min(apart(parts));
        let locals: Vec<LocalId> = parts.iter().map(|part| part.local).collect();
        let further = parts.iter().skip(1);
        let sizes = parts.iter().filter_map(|part| part.sizes.as_ref());
        let mut inside: Vec<&Expr> = further.map(|part| &part.domain).collect();
        inside.extend(sizes.flat_map(|s| std::iter::once(&s.least).chain(&s.most)));
        inside.extend(cond);
        self.around_loop(&locals, &inside, |b| {
            b.product_loops(parts, cond, (bulk, filtered), exit, found);
        });
        self.temporaries = mark;
        self.start(exit);
    }

    /// The values of the last part for which the condition holds, where that hangs on no other part.
    fn filtered(&mut self, parts: &[Part], cond: Option<&Expr>) -> Option<Operand> {
        let (cond, (last, others)) = (cond?, parts.split_last()?);
        if others.is_empty() || last.sizes.is_some() || unread(cond, parts) > 0 {
            return None;
        }
        let others: FxHashSet<LocalId> = others.iter().map(|part| part.local).collect();
        let alone = |e: &Expr| !hangs_on(e, &others) && self.is_total(e);
        if !alone(cond) || !alone(&last.domain) {
            return None;
        }
        let expr = |kind, ty: &Type| Expr {
            kind,
            ty: ty.clone(),
            span: cond.span,
        };
        let filter = Fold {
            op: FoldOp::SetOf,
            local: last.local,
            domain: last.domain.clone(),
            cond: Some(cond.clone()),
            body: expr(ExprKind::Local(last.local), &self.local_type(last.local)),
        };
        let slot = self.locals.get(&last.local).copied();
        let set = self.value(&expr(ExprKind::Fold(Box::new(filter)), &last.domain.ty));
        self.bound.remove(&last.local);
        self.locals.remove(&last.local);
        self.locals.extend(slot.map(|slot| (last.local, slot)));
        Some(set)
    }

    fn product_loops(
        &mut self,
        parts: &[Part],
        cond: Option<&Expr>,
        (bulk, filtered): (usize, Option<Operand>),
        exit: BlockId,
        found: &mut Found<'_, Self>,
    ) {
        let mut all = None;
        let mut back = exit;
        let mut operands = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            let slot = match self.locals.get(&part.local) {
                Some(slot) => *slot,
                None => self.bind(part.local),
            };
            let last = i + 1 == parts.len();
            let bulk = i + bulk >= parts.len();
            if let Some(sizes) = &part.sizes {
                (back, all) = self.subsets(&part.domain, sizes, slot, bulk, back);
                operands.push(slot);
                continue;
            }
            let lo = part.domain.ty.element().map_or(0, |t| t.value_at(0));
            let domain = match filtered.filter(|_| last) {
                Some(set) => set,
                None => self.value(&part.domain),
            };
            if bulk {
                all = Some(match all {
                    Some(Bulk::Elements { set, lo: first }) => Bulk::Pairs {
                        first: (set, first),
                        second: (domain, lo),
                    },
                    _ => Bulk::Elements { set: domain, lo },
                });
                operands.push(slot);
                continue;
            }
            self.emit(Instr::Const {
                dst: slot.slot,
                value: lo - 1,
            });
            let (head, body) = (self.new_block(), self.new_block());
            self.jump(head);
            self.start(head);
            self.advance(slot.slot, domain, lo, body, back);
            self.start(body);
            operands.push(slot);
            back = head;
        }
        if let Some(cond) = cond {
            let take = self.new_block();
            let holds = self.value(cond).slot;
            let skip = self.marked_way(PlaceKind::Failed, cond.span, back);
            self.branch(holds, take, skip);
            self.start(take);
            self.mark(PlaceKind::Held, cond.span);
        }
        found(self, &operands, all);
        self.jump(back);
    }

    /// A loop over the subsets of a set, by size and then in order. Returns where the next one is looked for; in bulk only
    /// the sizes are walked over, and the set and the size come back too.
    fn subsets(
        &mut self,
        domain: &Expr,
        sizes: &Sizes,
        dst: Operand,
        bulk: bool,
        mut back: BlockId,
    ) -> (BlockId, Option<Bulk>) {
        let set = self.value(domain);
        let least = self.value(&sizes.least);
        let count = self.scalar();
        self.copy(one(count), least);
        if let Some(most) = &sizes.most {
            let size = self.scalar();
            self.emit(Instr::SetCount { dst: size, set });
            let most = self.value(most).slot;
            let last = self.scalar();
            self.emit(Instr::Binary {
                op: Op::Min,
                dst: last,
                a: most,
                b: size,
            });
            let (head, more, go) = (self.new_block(), self.new_block(), self.new_block());
            self.jump(head);
            self.start(more);
            self.emit(Instr::Immediate {
                op: Op::Add,
                dst: count,
                a: count,
                value: 1,
            });
            self.jump(head);
            self.start(head);
            let within = self.scalar();
            self.emit(Instr::Binary {
                op: Op::Le,
                dst: within,
                a: count,
                b: last,
            });
            self.branch(within, go, back);
            self.start(go);
            back = more;
        }
        if bulk {
            return (back, Some(Bulk::Subsets { set, count }));
        }
        let found = self.scalar();
        self.emit(Instr::SubsetFirst {
            dst,
            set,
            count,
            found,
        });
        let (head, next, body) = (self.new_block(), self.new_block(), self.new_block());
        self.jump(head);
        self.start(next);
        self.emit(Instr::SubsetNext { dst, set, found });
        self.jump(head);
        self.start(head);
        self.branch(found, body, back);
        self.start(body);
        (next, None)
    }

    /// The code that lists a choice, away from the flow of play.
    fn arm(&mut self, plan: &Plan<'_>) -> Arm {
        let choice = plan.choice;
        let kind = match choice.alternatives.as_slice() {
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
                                    b.mark(PlaceKind::Offered, alternative.span);
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
        let products: Vec<Product<'_>> = choice
            .alternatives
            .iter()
            .map(|a| Product {
                parts: &a.parts,
                cond: a.cond.as_ref(),
            })
            .collect();
        let trial = match kind {
            ListingKind::Loop { .. } => self.trial(&products, plan.chosen, fault),
            _ => None,
        };
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
                look: None,
            },
        }
    }

    fn local_type(&self, local: LocalId) -> Type {
        self.d.local(local).ty.clone()
    }

    fn set_listing(&mut self, part: &Part) -> ListingKind {
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
                self.mark(PlaceKind::Statement, choice.span);
                if alternative.label.is_some() {
                    self.mark(PlaceKind::Taken, alternative.span);
                }
                self.stores(&alternative.parts);
                self.block(&alternative.body);
            }
            self.jump(join);
            if let Some(next) = next {
                self.start(next);
            }
        }
        self.start(join);
    }

    fn choice_event(&mut self, plan: &Plan<'_>, number: usize, alternative: &Alternative) {
        let choice = plan.choice;
        let chooser = match plan.player {
            ArmPlayer::Slot(slot) => slot,
            ArmPlayer::Fixed(p) => {
                let dst = self.scalar();
                self.emit(Instr::Const {
                    dst,
                    value: i64::from(p),
                });
                dst
            }
        };
        let parts = self.seen_parts(&alternative.parts);
        // In the product form the bare fact of the choice tells nothing, so nobody needs to hear of it.
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

    fn seen_parts(&mut self, parts: &[Part]) -> Vec<(Operand, Slot)> {
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

    fn stores(&mut self, parts: &[Part]) {
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

    // ---- chance -------------------------------------------------------------------------------

    pub(super) fn draw(&mut self, draw: &Draw) {
        let chosen = self.chosen(1);
        let slots: Vec<Operand> = draw.parts.iter().map(|p| self.bind(p.local)).collect();
        let single = plain(&draw.parts) && draw.cond.is_none() && draw.weight.is_none();
        let kind = if single {
            self.set_listing(&draw.parts[0])
        } else {
            let negative = self.fault(
                codes::NEGATIVE_WEIGHT,
                draw.weight.as_ref().map_or(draw.span, |w| w.span),
                "the weight of a draw is {}, below zero",
            );
            let code = self.aside(|b| {
                let bulk = in_bulk(&draw.parts, draw.weight.as_ref(), b.marked());
                let cond = draw.cond.as_ref();
                b.tuples(&draw.parts, cond, bulk, &mut |b, parts, bulk| {
                    let weight = draw.weight.as_ref().map(|weight| {
                        let value = b.value(weight).slot;
                        b.emit(Instr::Check {
                            value,
                            lo: 0,
                            hi: i64::MAX,
                            fault: negative,
                        });
                        value
                    });
                    b.emit(Instr::Emit {
                        alternative: 0,
                        parts: parts.to_vec(),
                        weight,
                        rank: None,
                        bulk,
                    });
                });
            });
            ListingKind::Loop {
                code,
                weighted: draw.weight.is_some(),
            }
        };
        let text = self.unmarked(|b| b.action_text(None, draw.text.as_ref(), &draw.parts, None));
        let fault = self.fault(
            codes::NO_OUTCOME,
            draw.span,
            "there is nothing to draw from here",
        );
        let parts = slots
            .iter()
            .copied()
            .zip(draw.parts.iter().map(|p| self.local_type(p.local)))
            .collect();
        let product = Product {
            parts: &draw.parts,
            cond: draw.cond.as_ref(),
        };
        let trial = match kind {
            ListingKind::Loop {
                weighted: false, ..
            } => self.trial(&[product], chosen, fault),
            _ => None,
        };
        self.rest(
            NodeKind::Chance(Listing {
                site: draw.site,
                kind,
                chosen,
                alternatives: vec![AlternativeCode {
                    parts,
                    text,
                    ratings: Vec::new(),
                }],
                fault,
                trial,
                look: None,
            }),
            draw.span,
        );
        self.scope(|b| {
            let parts = b.seen_parts(&draw.parts);
            b.event(draw.site, None, Some(0), parts, None);
        });
        self.stores(&draw.parts);
    }

    pub(super) fn deal(&mut self, deal: &Deal) {
        let from_ty = self.d.var(deal.from.var).ty.clone();
        let dealt = self.named("dealt", from_ty.clone());
        let chosen = self.chosen(1);
        let source = self.place_expr(&deal.from, &from_ty);
        let mut set = dealt;
        let mut count = 0;
        let code = self.aside(|b| {
            set = b.value(&source);
            count = b.value(&deal.count).slot;
        });
        let fault = self.fault_with(
            codes::NO_OUTCOME,
            deal.span,
            "there are fewer left than are to be dealt",
            Some("deal at most as many as the set holds"),
        );
        let code_for_text = self.aside(|_| {});
        let viewers = self.unmarked(|b| b.aside_viewers(&deal.viewers));
        let text = TextCode {
            code: viewers.0.unwrap_or(code_for_text),
            pieces: vec![TextPiece::Hole {
                value: dealt,
                ty: from_ty.clone(),
                viewers: vec![viewers.1],
            }],
        };
        self.rest(
            NodeKind::Chance(Listing {
                site: deal.site,
                kind: ListingKind::Subset { code, set, count },
                chosen,
                alternatives: vec![AlternativeCode {
                    parts: vec![(dealt, from_ty.clone())],
                    text,
                    ratings: Vec::new(),
                }],
                fault,
                trial: None,
                look: None,
            }),
            deal.span,
        );
        self.scope(|b| {
            let viewers = b.unmarked(|b| b.value(&deal.viewers).slot);
            b.event(deal.site, None, Some(0), vec![(dealt, viewers)], None);
        });
        self.scope(|b| {
            b.store(&deal.from, StoreOp::Sub, dealt, &from_ty);
            b.store(&deal.to, StoreOp::Add, dealt, &from_ty);
        });
    }

    fn aside_viewers(&mut self, viewers: &Expr) -> (Option<BlockId>, Slot) {
        let mut slot = 0;
        let code = self.aside(|b| slot = b.value(viewers).slot);
        (Some(code), slot)
    }

    /// A place with single indices, read as an expression.
    fn place_expr(&self, place: &crate::check::description::Place, ty: &Type) -> Expr {
        let indices = place
            .indices
            .iter()
            .filter_map(|index| match index {
                PlaceIndex::One(e) => Some(e.clone()),
                PlaceIndex::Each(_) => None,
            })
            .collect::<Vec<_>>();
        debug_assert!(!indices.iter().any(reveals));
        Expr {
            kind: ExprKind::Var(place.var, indices),
            ty: ty.clone(),
            span: place.span,
        }
    }
}

/// One part that is an element of a set.
fn plain(parts: &[Part]) -> bool {
    matches!(parts, [single] if single.sizes.is_none())
}

/// Of how many last parts the values need not be walked over one by one: the weight does not look at them. Where places
/// are `marked`, elements are walked over: a place is only reached if there is one.
fn in_bulk(parts: &[Part], weight: Option<&Expr>, marked: bool) -> usize {
    let Some(last) = parts.last() else {
        return 0;
    };
    let most = if marked {
        usize::from(last.sizes.is_some())
    } else {
        2
    };
    most.min(weight.map_or(most, |weight| unread(weight, parts)))
}

/// How many last parts an expression does not look at.
fn unread(e: &Expr, parts: &[Part]) -> usize {
    let mut read = FxHashSet::default();
    walk::expr(e, &mut |e| {
        if let ExprKind::Local(local) = e.kind {
            read.insert(local);
        }
    });
    let parts = parts.iter().rev();
    parts.take_while(|p| !read.contains(&p.local)).count()
}

/// How many last parts can be taken in bulk together: two if both are elements, and the set of the last does not hang on
/// the other.
fn apart(parts: &[Part]) -> usize {
    match parts {
        [.., one, last] if one.sizes.is_none() && last.sizes.is_none() => {
            let own = std::iter::once(one.local).collect();
            if hangs_on(&last.domain, &own) { 1 } else { 2 }
        }
        _ => 1,
    }
}
