//! `knowledge X { … }`: playouts, filters, amendments, evaluations, categories, abstractions.

use super::problems::Region;
use super::{Piece, Reader, Rule};
use crate::syntax::ast::{
    ActionClass, Expr, Knowledge, KnowledgeEntry, KnowledgeKind, LayoutRule, Name, Quoted,
    WeightKind, WeightRule,
};

impl<'t> Reader<'t> {
    pub(super) fn knowledge(&mut self, piece: Piece<'t>) -> Option<Knowledge> {
        let span = self.span(&piece);
        let mut owners = None;
        let mut rest = Vec::new();
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::expr => owners = Some(self.expr(part)),
                Rule::kw_knowledge | Rule::lbrace | Rule::rbrace => {}
                _ => rest.push(part),
            }
        }
        let mut entries = Vec::new();
        self.recovering(rest, Region::Knowledge, |reader, piece| {
            let span = reader.span(&piece);
            let kind = match piece.as_rule() {
                Rule::playout => reader.playout(piece),
                Rule::filter => reader.filter(piece),
                Rule::evaluate => reader.first_expr(piece).map(KnowledgeKind::Evaluate),
                Rule::category => reader.category(piece),
                Rule::abstraction => reader.abstraction(piece),
                Rule::layout => reader.layout(piece),
                _ => None,
            };
            entries.extend(kind.map(|kind| KnowledgeEntry { kind, span }));
        });
        Some(Knowledge {
            owners: owners?,
            entries,
            span,
        })
    }

    fn playout(&mut self, piece: Piece<'t>) -> Option<KnowledgeKind> {
        let mut name = None;
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::ident => name = Some(self.name(&part)),
                Rule::extreme => {
                    let mut maximise = true;
                    let mut value = None;
                    for part in part.into_inner() {
                        match part.as_rule() {
                            Rule::kw_minimise => maximise = false,
                            Rule::expr => value = Some(self.expr(part)),
                            _ => {}
                        }
                    }
                    return Some(if maximise {
                        KnowledgeKind::Maximise {
                            name: name?,
                            value: value?,
                        }
                    } else {
                        KnowledgeKind::Minimise {
                            name: name?,
                            value: value?,
                        }
                    });
                }
                Rule::weights => {
                    let rules = part
                        .into_inner()
                        .filter(|p| p.as_rule() == Rule::weight_rule)
                        .filter_map(|p| self.weight_rule(p))
                        .collect();
                    return Some(KnowledgeKind::Weights { name: name?, rules });
                }
                _ => {}
            }
        }
        None
    }

    fn filter(&mut self, piece: Piece<'t>) -> Option<KnowledgeKind> {
        let (mut name, mut cond, mut amends) = (None, None, false);
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::kw_amend => amends = true,
                Rule::ident => name = Some(self.name(&part)),
                Rule::expr => cond = Some(self.expr(part)),
                _ => {}
            }
        }
        Some(KnowledgeKind::Filter {
            name: name?,
            cond: cond?,
            amends,
        })
    }

    fn weight_rule(&mut self, piece: Piece<'t>) -> Option<WeightRule> {
        let span = self.span(&piece);
        let inner = piece
            .into_inner()
            .find(|p| matches!(p.as_rule(), Rule::first_rule | Rule::plain_rule))?;
        let first = inner.as_rule() == Rule::first_rule;
        let (mut label, mut cond, mut weight) = (None, None, None);
        for part in inner.into_inner() {
            match part.as_rule() {
                Rule::weight_label => label = self.only_name(part),
                Rule::where_clause => cond = self.first_expr(part),
                Rule::expr => weight = Some(self.expr(part)),
                _ => {}
            }
        }
        Some(WeightRule {
            kind: if first {
                WeightKind::First
            } else {
                WeightKind::Weight(weight?)
            },
            label,
            cond,
            span,
        })
    }

    fn only_name(&mut self, piece: Piece<'t>) -> Option<Name> {
        piece
            .into_inner()
            .find(|p| p.as_rule() == Rule::ident)
            .map(|p| self.name(&p))
    }

    fn category(&mut self, piece: Piece<'t>) -> Option<KnowledgeKind> {
        let (mut name, mut of, mut value) = (None, None, None);
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::ident => name = Some(self.name(&part)),
                Rule::place => of = Some(self.expr(part)),
                Rule::expr => value = Some(self.expr(part)),
                _ => {}
            }
        }
        Some(KnowledgeKind::Category {
            name: name?,
            of: of?,
            value: value?,
        })
    }

    fn layout(&mut self, piece: Piece<'t>) -> Option<KnowledgeKind> {
        let (mut cell, mut board) = (None, None);
        let (mut picture, mut rules) = (Vec::new(), Vec::new());
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::ident => cell = Some(self.name(&part)),
                Rule::expr => board = Some(self.expr(part)),
                Rule::picture_row => {
                    let text = part.into_inner().find(|p| p.as_rule() == Rule::text);
                    picture.extend(text.map(|text| self.quoted(&text)));
                }
                Rule::layout_rule => rules.extend(self.layout_rule(part)),
                _ => {}
            }
        }
        Some(KnowledgeKind::Layout {
            cell: cell?,
            board: board?,
            picture,
            rules,
        })
    }

    fn layout_rule(&mut self, piece: Piece<'t>) -> Option<LayoutRule> {
        let span = self.span(&piece);
        let (mut each, mut cond, mut mark) = (None, None, None);
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::family => {
                    let binder = part.into_inner().find(|p| p.as_rule() == Rule::binder);
                    each = Some(self.binder(binder?)?);
                }
                Rule::expr => cond = Some(self.expr(part)),
                Rule::text => mark = Some(self.quoted(&part)),
                _ => {}
            }
        }
        Some(LayoutRule {
            each,
            cond,
            mark: mark?,
            span,
        })
    }

    pub(super) fn quoted(&self, text: &Piece<'_>) -> Quoted {
        Quoted {
            text: text.as_str().trim_matches('"').to_owned(),
            span: self.span(text),
        }
    }

    fn abstraction(&mut self, piece: Piece<'t>) -> Option<KnowledgeKind> {
        let mut actions = false;
        let (mut attributes, mut classes) = (Vec::new(), Vec::new());
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::kw_actions => actions = true,
                Rule::attribute => {
                    let (mut name, mut value) = (None, None);
                    for part in part.into_inner() {
                        match part.as_rule() {
                            Rule::ident => name = Some(self.name(&part)),
                            Rule::expr => value = Some(self.expr(part)),
                            _ => {}
                        }
                    }
                    attributes.extend(name.zip(value));
                }
                Rule::class => {
                    let span = self.span(&part);
                    let mut label = None;
                    let mut values: Vec<Expr> = Vec::new();
                    for part in part.into_inner() {
                        match part.as_rule() {
                            Rule::ident => label = Some(self.name(&part)),
                            Rule::expr => values.push(self.expr(part)),
                            _ => {}
                        }
                    }
                    classes.push(ActionClass {
                        label,
                        values,
                        span,
                    });
                }
                _ => {}
            }
        }
        Some(if actions {
            KnowledgeKind::Actions(classes)
        } else {
            KnowledgeKind::Information(attributes)
        })
    }
}
