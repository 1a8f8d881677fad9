//! Knowledge blocks: which words follow one another, and where their lines may break.

use super::writer::{FrameKind, Row, Writer};
use crate::syntax::ast::{
    ActionClass, Expr, Knowledge, KnowledgeEntry, KnowledgeKind, LayoutRule, Name, WeightKind,
    WeightRule,
};

impl Writer<'_> {
    pub(super) fn knowledge(&mut self, knowledge: &Knowledge) {
        let Knowledge {
            owners,
            entries,
            span: _,
        } = knowledge;
        self.put("knowledge");
        self.expr(owners);
        self.braces(FrameKind::Rows, entries, |w, entry| {
            let row = match entry.kind {
                KnowledgeKind::Category { .. } => Row::Value,
                _ => Row::Def,
            };
            w.row(row, |w| {
                w.entry(entry);
                w.end_of_row();
            });
        });
    }

    fn entry(&mut self, entry: &KnowledgeEntry) {
        match &entry.kind {
            KnowledgeKind::Maximise { name, value } => {
                self.playout(name);
                self.put("maximise");
                self.soft();
                self.expr(value);
            }
            KnowledgeKind::Minimise { name, value } => {
                self.playout(name);
                self.put("minimise");
                self.soft();
                self.expr(value);
            }
            KnowledgeKind::Weights { name, rules } => {
                self.playout(name);
                self.put("weights");
                self.braces(FrameKind::Rows, rules, |w, rule| {
                    w.row(Row::Arm, |w| w.weight(rule));
                });
            }
            KnowledgeKind::Filter { name, cond, amends } => {
                self.put(if *amends { "amend" } else { "filter" });
                self.name(name);
                self.is(cond);
            }
            KnowledgeKind::Evaluate(value) => {
                self.put("evaluate");
                self.is(value);
            }
            KnowledgeKind::Category { name, of, value } => {
                self.put("category");
                self.name(name);
                self.put("of");
                self.expr(of);
                self.is(value);
            }
            KnowledgeKind::Information(attributes) => {
                self.words("abstraction information");
                self.braces(FrameKind::Rows, attributes, |w, (name, value)| {
                    w.row(Row::Def, |w| {
                        w.name(name);
                        w.is(value);
                        w.end_of_row();
                    });
                });
            }
            KnowledgeKind::Layout {
                cell,
                board,
                picture,
                rules,
            } => {
                self.put("layout");
                self.name(cell);
                self.put("in");
                self.expr(board);
                let drawn = picture.iter().map(|_| None);
                let rows: Vec<Option<&LayoutRule>> = drawn.chain(rules.iter().map(Some)).collect();
                self.braces(FrameKind::Rows, &rows, |w, row| match row {
                    Some(rule) => w.row(Row::Arm, |w| w.layout_rule(rule)),
                    None => w.row(Row::Plain, |w| {
                        w.any();
                        w.end_of_row();
                    }),
                });
            }
            KnowledgeKind::Actions(classes) => {
                self.words("abstraction actions");
                self.braces(FrameKind::Rows, classes, |w, class| {
                    w.row(Row::Arm, |w| w.class(class));
                });
            }
        }
    }

    fn playout(&mut self, name: &Name) {
        self.put("playout");
        self.name(name);
        self.tab(0);
        self.put("=");
    }

    fn is(&mut self, value: &Expr) {
        self.tab(0);
        self.put("=");
        self.soft();
        self.expr(value);
    }

    fn weight(&mut self, rule: &WeightRule) {
        let WeightRule {
            kind,
            label,
            cond,
            span: _,
        } = rule;
        if let WeightKind::First = kind {
            self.put("first");
        }
        if let Some(label) = label {
            self.name(label);
        }
        if let Some(cond) = cond {
            self.put("where");
            self.expr(cond);
        }
        if let WeightKind::Weight(value) = kind {
            if label.is_none() && cond.is_none() {
                self.put("else");
            }
            self.tab(0);
            self.put("=>");
            self.soft();
            self.expr(value);
        }
        self.end_of_row();
    }

    fn layout_rule(&mut self, rule: &LayoutRule) {
        let LayoutRule {
            each,
            cond,
            mark: _,
            span: _,
        } = rule;
        if let Some(binder) = each {
            self.put("each");
            self.binder(binder);
            self.mark(":");
        }
        match cond {
            Some(cond) => self.expr(cond),
            None => self.put("else"),
        }
        self.tab(0);
        self.put("=>");
        self.any();
        self.end_of_row();
    }

    fn class(&mut self, class: &ActionClass) {
        let ActionClass {
            label,
            values,
            span: _,
        } = class;
        if let Some(label) = label {
            self.name(label);
            self.tab(0);
        }
        self.put("=>");
        self.list("(", values, ")", Writer::expr);
        self.end_of_row();
    }
}
