//! `together`: all that arms ask is asked in the state before the block, and then they do what they do, arm by arm.

use super::choice::Insight;
use super::flow::Passed;
use super::label::{Clean, Guard};
use super::omitted::{LeftOut, place_of};
use super::{Bound, Checker, Rule};
use crate::model::*;
use crate::text::span::Span;

/// What a name stands for, if that is known, and who could know it.
type Name = (LocalId, Option<Bound>, Option<Vec<u64>>);

/// An arm, for one of the players that it may stand for, as it was before any arm did anything.
struct Asked<'d> {
    choice: &'d Choice,
    insight: Insight,
    /// Whether it certainly takes part.
    definite: bool,
    /// Whether it stands for several players, one after the other.
    several: bool,
    /// Why somebody could not know that it takes part.
    guards: Vec<Guard>,
    /// The names of the arm and of what is chosen.
    names: Vec<Name>,
}

impl<'d> Checker<'d> {
    /// Options first, then one rest for all, then what follows from each arm in order.
    pub(super) fn walk_together(&mut self, arms: &'d [Arm], span: Span) {
        let mut before = self.flow.clone();
        let around = self.left_out_around.replace(place_of(arms));
        let mut asked = Vec::new();
        for arm in arms {
            self.ask_arm(arm, &mut asked);
        }
        self.left_out_around = around;
        // Those who notice a choice that is certainly made; those who notice whichever is made.
        let mut noticed = PlayerSet::EMPTY;
        let mut choosers = PlayerSet::EMPTY;
        let mut notice_each = self.everyone;
        let mut know_each = self.everyone;
        let mut certain = false;
        for one in &asked {
            let insight = &one.insight;
            notice_each &= insight.notice_any();
            // Without an `else` nobody sits out but who is not in the set.
            know_each &= match one.choice.otherwise {
                Some(_) => insight.options,
                None => one.guards.iter().fold(self.pc(), |all, g| all & g.known),
            };
            if one.definite && insight.left.is_none() {
                certain = true;
                noticed |= insight.notice_any();
                choosers |= insight.chooser;
            }
        }
        self.reach_rest(span, choosers, !certain);
        noticed |= notice_each;
        self.flow.pass(self.everyone - noticed, Passed::Move(span));
        self.in_doubt(!certain, |this| this.hear(noticed));
        // What the arms do comes after all have chosen.
        let outer = std::mem::take(&mut self.flow.passed);
        if !certain && self.rules.ask(Rule::SittingOut) {
            // If all sit out, play has not rested here, and nothing tells that to who does not know what there was to choose.
            before.pass(self.everyone - know_each, Passed::Otherwise(span));
            before.passed = PlayerSet::EMPTY;
            self.flow.join(&before);
            let left = LeftOut::together(place_of(arms), span);
            self.leave_out(left, None, self.everyone - know_each);
        }
        self.walk_arms(asked);
        self.flow.passed |= outer;
    }

    /// Asks for the options of an arm, for each player that it may stand for.
    fn ask_arm(&mut self, arm: &'d Arm, asked: &mut Vec<Asked<'d>>) {
        let around = self.guards.len();
        let Some(each) = &arm.each else {
            asked.push(self.ask(&arm.choice, None, (true, false), around));
            return;
        };
        self.forbid_reveal(&each.domain, "a set that is walked over");
        let guard = self.guard("somebody is in this set", each.domain.span, &[&each.domain]);
        let known = guard.known & self.pc();
        let exact = self.eval(&each.domain).is_some();
        let values = self.instances(&self.d.local(each.local).ty, Some(&each.domain));
        let definite = exact && values.is_some();
        let several = values.is_none();
        let list: Vec<Option<u64>> = match values {
            Some(list) => list.into_iter().map(Some).collect(),
            None => vec![None],
        };
        self.guards.push(guard);
        for v in list {
            self.bind(each.local, known, Clean::known(known), v.map(|v| vec![v]));
            let mut definite = definite;
            if let Some(cond) = &each.cond {
                self.forbid_reveal(cond, "a `where`");
                let value = self.eval_bool(cond);
                if value == Some(false) {
                    continue;
                }
                definite &= value.is_some();
                let guard = self.guard("this holds", cond.span, &[cond]);
                self.guards.push(guard);
            }
            let name = Some(each.local);
            asked.push(self.ask(&arm.choice, name, (definite, several), around));
            self.guards.truncate(around + 1);
        }
        self.guards.truncate(around);
    }

    /// Asks for the options of a choice. `around`: how many guards lie around the arms.
    fn ask(
        &mut self,
        choice: &'d Choice,
        name: Option<LocalId>,
        (definite, several): (bool, bool),
        around: usize,
    ) -> Asked<'d> {
        let mut insight = self.walk_options(choice);
        self.take(choice, insight.may_see);
        if let Some(left) = &mut insight.left {
            // The others whom it stands for may store something before.
            left.stirred |= several;
        }
        let parts = choice.alternatives.iter().flat_map(|a| &a.parts);
        let names = name.into_iter().chain(parts.map(|p| p.local));
        let names = names.map(|name| {
            let bound = self.bound.get(&name).cloned();
            (name, bound, self.values.get(&name).cloned())
        });
        Asked {
            choice,
            insight,
            definite,
            several,
            guards: self.guards[around..].to_vec(),
            names: names.collect(),
        }
    }

    /// What follows from each arm. What one of them stores may be an option of a later one that was left out.
    fn walk_arms(&mut self, asked: Vec<Asked<'d>>) {
        let around = self.waiting.len();
        let left = asked
            .iter()
            .rev()
            .filter_map(|one| one.insight.left.clone());
        self.waiting.extend(left);
        let waiting = self.waiting[around..].iter();
        waiting.for_each(|one| self.flow.omitted.add(one));
        for mut one in asked {
            if one.insight.left.is_some() {
                one.insight.left = self.waiting.pop();
            }
            let others = self.waiting[around..].to_vec();
            let guards = self.guards.len();
            self.guards.extend(one.guards.iter().cloned());
            self.walk_arm(&one, &others);
            self.guards.truncate(guards);
        }
    }

    fn walk_arm(&mut self, one: &Asked<'d>, others: &[LeftOut]) {
        loop {
            let start = self.flow.clone();
            if one.several {
                self.forget_stores(one.choice);
            }
            for (name, bound, value) in &one.names {
                // What was told of the value that it had in another arm is told of no value that it has in this one.
                self.forget_name(*name);
                match bound {
                    Some(bound) => self.bound.insert(*name, bound.clone()),
                    None => self.bound.remove(name),
                };
                match value {
                    Some(value) => self.values.insert(*name, value.clone()),
                    None => self.values.remove(name),
                };
            }
            self.walk_outcomes(one.choice, &one.insight, None, others);
            if !one.definite {
                self.flow.join(&start);
            }
            if !one.several || start.covers(&self.flow) || self.given_up(one.choice.span) {
                return;
            }
        }
    }
}
