//! Shown defs: their present values are told just before every event that a viewer sees and every question that it is asked,
//! before a statement that reads them, and at the end.

use super::expr::one;
use super::{Builder, index_values};
use crate::ir::*;
use crate::model::{BinaryOp, LocalId, PlayerSet, ReadingId, SiteKind};

/// A shown def for one combination of its arguments.
pub(super) struct Instance {
    def: usize,
    args: Vec<(LocalId, Vec<u64>)>,
}

impl Builder<'_> {
    pub(super) fn shown_instances(&mut self) {
        for (def, shown) in self.d.shown.iter().enumerate() {
            for values in index_values(&shown.params) {
                let params = shown.params.iter().map(|index| index.local);
                let args = params.zip(values.iter().map(|v| vec![*v as u64]));
                let args = args.collect();
                self.shown.push(Instance { def, args });
            }
        }
    }

    /// To those who see something of an event. At the end all are shown everything anyway.
    pub(super) fn show_with(&mut self, event: &EventCode) {
        if self.shown.is_empty() || self.d.site(event.site).kind == SiteKind::End {
            return;
        }
        self.scope(|b| {
            let saw = b.scalar();
            let copy = Instr::Copy {
                dst: saw,
                src: event.viewers,
                words: 1,
            };
            b.emit(copy);
            if let Some(chooser) = event.chooser {
                b.add_player(saw, chooser);
            }
            for (_, viewers) in &event.parts {
                b.set_binary(BinaryOp::Union, one(saw), one(saw), one(*viewers));
            }
            b.show(saw, |_| true);
        });
    }

    fn add_player(&mut self, players: Slot, player: Slot) {
        let set = Operand {
            slot: players,
            words: 1,
        };
        let element = player;
        self.emit(Instr::SetInsert { set, element });
    }

    /// A question tells those who are asked. Draws are no questions.
    pub(super) fn show_to_asked(&mut self, kind: &NodeKind) {
        let NodeKind::Decision(arms) = kind else {
            return;
        };
        if self.shown.is_empty() {
            return;
        }
        self.scope(|b| {
            let asked = b.players(PlayerSet::EMPTY);
            for arm in arms {
                let player = match arm.player {
                    ArmPlayer::Slot(slot) => slot,
                    ArmPlayer::Fixed(p) => b.number(i64::from(p)),
                };
                let Some(active) = arm.active else {
                    b.add_player(asked, player);
                    continue;
                };
                let (yes, join) = (b.new_block(), b.new_block());
                b.branch(active, yes, join);
                b.start(yes);
                b.add_player(asked, player);
                b.jump(join);
                b.start(join);
            }
            b.show(asked, |_| true);
        });
    }

    /// At the end.
    pub(super) fn show_to_all(&mut self) {
        if !self.shown.is_empty() {
            self.scope(|b| {
                let all = b.players(b.d.everyone());
                b.show(all, |_| true);
            });
        }
    }

    /// Before a statement that reads shown defs.
    pub(super) fn show_for(&mut self, reading: Option<ReadingId>) {
        let Some(ReadingId(number)) = reading else {
            return;
        };
        let reading = &self.d.readings[number as usize];
        if !reading.told.is_empty() {
            self.scope(|b| {
                let told = b.players(reading.told);
                b.show(told, |def| reading.defs.contains(&def));
            });
        }
    }

    /// As [`Builder::show_for`], where a loop looks at them again.
    pub(super) fn show_again(&mut self, reading: Option<ReadingId>) {
        let again = |ReadingId(number)| self.d.readings[number as usize].again;
        self.show_for(reading.filter(|id| again(*id)));
    }

    /// Tells the present values of shown defs, to those among `who` who see them.
    fn show(&mut self, who: Slot, wanted: impl Fn(usize) -> bool) {
        let instances = std::mem::take(&mut self.shown);
        for instance in instances.iter().filter(|i| wanted(i.def)) {
            self.bound.extend(instance.args.iter().cloned());
            let shown = &self.d.shown[instance.def];
            self.scope(|b| {
                let value = b.value(&shown.body);
                let viewers = b.unmarked(|b| b.value(&shown.viewers).slot);
                let told = b.combined(Op::And, viewers, who);
                // The arguments distinguish instances.
                let args = instance.args.iter().map(|(_, arg)| Operand {
                    slot: b.number(arg[0] as i64),
                    words: 1,
                });
                let mut parts: Vec<(Operand, Slot)> = args.map(|arg| (arg, told)).collect();
                parts.push((value, told));
                let nobody = b.players(PlayerSet::EMPTY);
                b.emit(Instr::Event(Box::new(EventCode {
                    site: shown.site,
                    chooser: None,
                    alternative: None,
                    labelled: false,
                    viewers: nobody,
                    parts,
                    said: None,
                })));
            });
        }
        self.shown = instances;
    }

    fn players(&mut self, players: PlayerSet) -> Slot {
        self.number(players.word() as i64)
    }
}
