//! Alternatives with one label: nobody but the chooser sees which of them was taken. They become one alternative, in which the
//! chooser secretly chooses which of them it is, and then the values of that one; so there is one meaning, and who may know
//! what is asked as of any other secret. The values of the others have one option each.

use super::checker::Checker;
use super::codes;
use super::convert::join;
use crate::model::types::Type;
use crate::model::{
    Alternative, Block, Expr, ExprKind, Hole, LocalId, MatchArm, Part, Sizes, StmtKind, StoreOp,
    Text, TextCase, TextPart,
};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// Which of several alternatives it is.
struct Which {
    local: LocalId,
    ty: Type,
}

impl<'a> Checker<'a> {
    /// Others must not see from a value which of several alternatives with one label was taken.
    pub(super) fn refuse_telling_labels(
        &mut self,
        c: &'a ast::Choice,
        alternatives: &'a [ast::Alternative],
    ) {
        for (i, a) in alternatives.iter().enumerate() {
            let Some(label) = &a.label else {
                continue;
            };
            let mut others = alternatives.iter().enumerate().filter(|(j, _)| *j != i);
            let same = others.find_map(|(_, b)| b.label.as_ref().filter(|l| l.text == label.text));
            let Some(other) = same else {
                continue;
            };
            let told = a.parts.iter().find(|part| {
                let chosen = !matches!(part.source, ast::Source::Value(_));
                let hidden = part.secretly || c.secretly && part.into.is_none();
                chosen && !(hidden && part.seen.is_none())
            });
            if let Some(told) = told {
                let name = &told.name.text;
                self.report(
                    Diagnostic::error(
                        codes::DUPLICATE_NAME,
                        told.span,
                        format!(
                            "two alternatives are called `{}`, and `{name}` is not chosen `secretly`",
                            label.text
                        ),
                    )
                    .label("who sees it would know which of them was taken")
                    .note(other.span, "the other one")
                    .hint(format!(
                        "give one of them another name; or let nobody see which it is: `secretly {name} in …`"
                    )),
                );
            }
        }
    }

    /// The alternatives of a choice, those of one label put together.
    pub(super) fn alike_as_one(
        &mut self,
        c: &'a ast::Choice,
        alternatives: Vec<Alternative>,
    ) -> Option<Vec<Alternative>> {
        let mut groups: Vec<Vec<Alternative>> = Vec::new();
        for a in alternatives {
            let same = |group: &&mut Vec<Alternative>| {
                a.label.is_some() && group.first().is_some_and(|first| first.label == a.label)
            };
            match groups.iter_mut().find(same) {
                Some(group) => group.push(a),
                None => groups.push(vec![a]),
            }
        }
        let mut all = Vec::new();
        for mut group in groups {
            all.push(match group.len() {
                1 => group.pop()?,
                _ => self.one_for(c, group)?,
            });
        }
        Some(all)
    }

    fn one_for(&mut self, c: &'a ast::Choice, group: Vec<Alternative>) -> Option<Alternative> {
        let (label, span) = group.first().map(|a| (a.label.clone(), a.span))?;
        let number = group.len() as i64;
        let ty = Type::Int { lo: 1, hi: number };
        let name = format!("which {}", label.as_deref().unwrap_or_default());
        let local = self.new_local(&name, ty.clone(), span);
        let viewers = self.only_viewer(&c.chooser)?;
        let mut parts = vec![Part {
            local,
            domain: self.full_set(&ty, span)?,
            sizes: None,
            viewers,
            into: None,
            span,
        }];
        let which = Which { local, ty };
        let mut conditions = Vec::new();
        let mut text = Text {
            cases: Vec::new(),
            parts: Vec::new(),
            hidden: label.clone(),
        };
        let mut arms = Vec::new();
        for (i, a) in (1..).zip(group) {
            let span = a.span;
            if let Some(cond) = a.cond {
                conditions.push(MatchArm {
                    values: vec![i],
                    body: cond,
                });
            }
            let said = match a.text {
                Some(said) => said,
                None => self.plain_text(label.as_deref().unwrap_or_default(), &a.parts),
            };
            self.add_text(&which, i, i == number, said, span, &mut text);
            let mut stmts = Vec::new();
            for mut part in a.parts {
                if let Some(place) = part.into.take() {
                    let ty = self.vars[place.var.0 as usize].ty.clone();
                    let value = self.local_expr(part.local, part.span);
                    let value = self.coerce(value, &ty)?;
                    let op = StoreOp::Set;
                    self.put_stmt(StmtKind::Store { place, op, value }, part.span, &mut stmts);
                }
                parts.push(self.only_if(&which, i, part)?);
            }
            stmts.extend(a.body.stmts);
            arms.push(MatchArm {
                values: vec![i],
                body: Block { stmts },
            });
        }
        let mut body = Vec::new();
        let scrutinee = self.local_expr(local, span);
        let matching = StmtKind::Match {
            scrutinee,
            arms,
            otherwise: None,
        };
        self.put_stmt(matching, span, &mut body);
        let always = self.scalar(1, Type::Bool, span);
        let cond = (!conditions.is_empty()).then(|| {
            let whole = conditions.len() as i64 == number;
            self.chosen(
                &which,
                conditions,
                (!whole).then_some(always),
                Type::Bool,
                span,
            )
        });
        Some(Alternative {
            label,
            which: Some(local),
            parts,
            cond,
            text: Some(text),
            body: Block { stmts: body },
            span,
        })
    }

    /// A value by which of the alternatives it is.
    fn chosen(
        &mut self,
        which: &Which,
        arms: Vec<MatchArm<Expr>>,
        otherwise: Option<Expr>,
        ty: Type,
        span: Span,
    ) -> Expr {
        let scrutinee = Expr::local(which.local, which.ty.clone(), span);
        let kind = ExprKind::Match {
            scrutinee: Box::new(scrutinee),
            arms,
            otherwise: otherwise.map(Box::new),
        };
        self.make(kind, ty, span)
    }

    /// A value where it is one of the alternatives, and else another.
    fn where_it_is(&mut self, which: &Which, i: i64, value: Expr, otherwise: Expr) -> Expr {
        let (ty, span) = (value.ty.clone(), value.span);
        let arm = MatchArm {
            values: vec![i],
            body: value,
        };
        self.chosen(which, vec![arm], Some(otherwise), ty, span)
    }

    /// A part that has one option where another alternative is chosen.
    fn only_if(&mut self, which: &Which, i: i64, part: Part) -> Option<Part> {
        let ty = part.domain.ty.clone();
        let mut words = vec![0; ty.words()];
        if part.sizes.is_none() {
            *words.first_mut()? = 1;
        }
        let one = self.constant(words, ty, part.span);
        let sizes = match part.sizes {
            None => None,
            Some(Sizes { least, most }) => {
                let mut number = |e: Expr| {
                    let ty = join(&e.ty, &Type::constant(0))?;
                    let value = self.coerce(e, &ty)?;
                    let none = self.scalar(0, ty, part.span);
                    Some(self.where_it_is(which, i, value, none))
                };
                Some(Sizes {
                    least: number(least)?,
                    most: match most {
                        Some(most) => Some(number(most)?),
                        None => None,
                    },
                })
            }
        };
        Some(Part {
            domain: self.where_it_is(which, i, part.domain, one),
            sizes,
            ..part
        })
    }

    /// What an alternative says that has no text of its own.
    fn plain_text(&mut self, label: &str, parts: &[Part]) -> Text {
        let mut said = vec![TextPart::Literal(label.to_string())];
        for (i, part) in parts.iter().enumerate() {
            let before = if i == 0 { "(" } else { ", " };
            said.push(TextPart::Literal(before.to_string()));
            let value = self.local_expr(part.local, part.span);
            said.push(TextPart::Hole(self.hole(value)));
        }
        if !parts.is_empty() {
            said.push(TextPart::Literal(")".to_string()));
        }
        Text {
            cases: Vec::new(),
            parts: said,
            hidden: None,
        }
    }

    /// Adds what is said where it is one of the alternatives.
    fn add_text(
        &mut self,
        which: &Which,
        i: i64,
        last: bool,
        said: Text,
        span: Span,
        text: &mut Text,
    ) {
        let never = self.scalar(0, Type::Bool, span);
        for TextCase { cond, parts } in said.cases {
            let value = self.where_it_is(which, i, cond.value, never.clone());
            let number = cond.number;
            text.cases.push(TextCase {
                cond: Hole { value, number },
                parts,
            });
        }
        if last {
            text.parts = said.parts;
            return;
        }
        let always = self.scalar(1, Type::Bool, span);
        let value = self.where_it_is(which, i, always, never);
        text.cases.push(TextCase {
            cond: self.hole(value),
            parts: said.parts,
        });
    }
}
