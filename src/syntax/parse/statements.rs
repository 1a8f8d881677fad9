//! Statements: what a play does, chooses and draws.

use super::expressions::error;
use super::problems::Region;
use super::{Piece, Reader, Rule};
use crate::syntax::ast::{
    Alternative, AssignOp, Binder, Block, Choice, ChoiceOptions, Deal, Draw, Expr, ExprKind,
    MatchArm, Name, OneMove, Part, Pattern, Source, Stmt, StmtKind, Text, Together, Turns, Wording,
};
use crate::syntax::codes;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

impl<'t> Reader<'t> {
    pub(super) fn block(&mut self, piece: Piece<'t>) -> Block {
        let span = self.span(&piece);
        let mut stmts = Vec::new();
        let pieces = piece.into_inner().collect();
        self.recovering(pieces, Region::Statements, |reader, piece| {
            let span = reader.span(&piece);
            match piece.as_rule() {
                Rule::stmt => stmts.push(reader.stmt(piece)),
                Rule::bad_stmt => stmts.push(Stmt {
                    kind: StmtKind::Error,
                    span,
                }),
                _ => {}
            }
        });
        Block { stmts, span }
    }

    /// A block, or one statement in place of it.
    fn body(&mut self, piece: Piece<'t>) -> Option<Block> {
        let part = piece.into_inner().next()?;
        if part.as_rule() == Rule::block {
            return Some(self.block(part));
        }
        let stmt = self.stmt(part);
        let span = stmt.span;
        Some(Block {
            stmts: vec![stmt],
            span,
        })
    }

    fn stmt(&mut self, piece: Piece<'t>) -> Stmt {
        let mut span = self.span(&piece);
        let inner = piece
            .into_inner()
            .find(|p| !matches!(p.as_rule(), Rule::nest | Rule::semi));
        let Some(inner) = inner else {
            return Stmt {
                kind: StmtKind::Error,
                span,
            };
        };
        // A `;` after a statement is no part of it.
        span.end = self.span(&inner).end;
        let kind = self
            .deeper(1, span, |reader| reader.stmt_kind(inner))
            .flatten()
            .unwrap_or(StmtKind::Error);
        Stmt { kind, span }
    }

    fn stmt_kind(&mut self, piece: Piece<'t>) -> Option<StmtKind> {
        let rule = piece.as_rule();
        if rule == Rule::plain_stmt {
            return self.plain(piece);
        }
        if rule == Rule::note_stmt {
            return match self.plain(piece)? {
                StmtKind::Assign { place, op, value } => Some(StmtKind::Note { place, op, value }),
                _ => None,
            };
        }
        let (mut name, mut block, mut chained) = (None, None, None);
        let mut binders = Vec::new();
        let mut exprs = Vec::new();
        let mut ty = None;
        let (mut among, mut cond, mut revealing) = (None, None, false);
        let mut otherwise = None;
        if rule == Rule::draw_stmt {
            return self.draw(piece);
        }
        if rule == Rule::one_move_stmt {
            return self.one_move(piece);
        }
        if rule == Rule::reveal_stmt {
            let reveal = piece.into_inner().next()?;
            let span = self.span(&reveal);
            return Some(StmtKind::Expr(self.operand_alone(reveal, span)));
        }
        if rule == Rule::match_stmt {
            return self.match_stmt(piece);
        }
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::ident => name = Some(self.name(&part)),
                Rule::ty => ty = Some(self.ty(part)),
                Rule::binder => binders.push(self.binder(part)?),
                Rule::expr | Rule::place => exprs.push(self.expr(part)),
                Rule::among => among = self.first_expr(part),
                Rule::while_clause => cond = self.first_expr(part),
                Rule::revealing => revealing = true,
                Rule::block if rule == Rule::if_stmt && block.is_some() => {
                    otherwise = Some(self.block(part));
                }
                Rule::block => block = Some(self.block(part)),
                Rule::if_stmt => chained = Some(part),
                _ => {}
            }
        }
        if let Some(chained) = chained {
            let span = self.span(&chained);
            let kind = self
                .deeper(1, span, |reader| reader.stmt_kind(chained))
                .flatten();
            let stmt = Stmt {
                kind: kind.unwrap_or(StmtKind::Error),
                span,
            };
            otherwise = Some(Block {
                stmts: vec![stmt],
                span,
            });
        }
        let mut exprs = exprs.into_iter();
        Some(match rule {
            Rule::let_stmt => StmtKind::Let {
                name: name?,
                ty,
                value: exprs.next()?,
            },
            Rule::if_stmt => StmtKind::If {
                cond: exprs.next()?,
                then: block?,
                otherwise,
            },
            Rule::each_stmt => {
                self.note_backwards(&binders);
                StmtKind::Each {
                    binders,
                    body: block?,
                }
            }
            Rule::repeat_stmt => StmtKind::Repeat {
                count: exprs.next()?,
                body: block?,
            },
            Rule::while_stmt => StmtKind::While {
                cond: exprs.next()?,
                bound: exprs.next()?,
                body: block?,
            },
            Rule::turns_stmt => StmtKind::Turns(Box::new(Turns {
                name: name?,
                first: exprs.next()?,
                among,
                cond,
                bound: exprs.next()?,
                body: block?,
            })),
            Rule::together_stmt => return self.together(binders.into_iter().next(), block?),
            Rule::deal_stmt => StmtKind::Deal(Box::new(Deal {
                count: exprs.next()?,
                from: exprs.next()?,
                to: exprs.next()?,
                revealing,
            })),
            Rule::end_stmt => StmtKind::End,
            Rule::break_stmt => StmtKind::Break,
            Rule::continue_stmt => StmtKind::Continue,
            _ => return None,
        })
    }

    fn match_stmt(&mut self, piece: Piece<'t>) -> Option<StmtKind> {
        let pieces: Vec<_> = piece.into_inner().collect();
        let (mut scrutinee, mut unread) = (None, None);
        let mut arms = Vec::new();
        self.recovering(pieces, Region::Arms, |reader, part| match part.as_rule() {
            Rule::expr => scrutinee = Some(reader.expr(part)),
            Rule::arm => arms.extend(reader.arm(part)),
            Rule::bad_stmt => unread = Some(reader.span(&part)),
            _ => {}
        });
        let is_else = |arm: &MatchArm<Block>| {
            let mut patterns = arm.patterns.iter();
            patterns.any(|p| matches!(p, Pattern::Else(_)))
        };
        // What could not be read stands for all values that have no arm.
        let unread = unread.filter(|_| !arms.iter().any(is_else));
        arms.extend(unread.map(unread_arm));
        Some(StmtKind::Match {
            scrutinee: scrutinee?,
            arms,
        })
    }

    /// A store, a choice or the call of a rule.
    fn plain(&mut self, piece: Piece<'t>) -> Option<StmtKind> {
        let mut place = None;
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::place => place = Some(self.expr(part)),
                Rule::call => {
                    let (rule, args) = self.call(part)?;
                    return Some(StmtKind::Call { rule, args });
                }
                Rule::assign => {
                    let (mut op, mut value) = (AssignOp::Set, None);
                    for part in part.into_inner() {
                        match part.as_rule() {
                            Rule::plus_eq => op = AssignOp::Add,
                            Rule::minus_eq => op = AssignOp::Sub,
                            Rule::expr => value = Some(self.expr(part)),
                            _ => {}
                        }
                    }
                    return Some(StmtKind::Assign {
                        place: place?,
                        op,
                        value: value?,
                    });
                }
                Rule::chooses => return self.choice(place?, part),
                _ => {}
            }
        }
        None
    }

    fn choice(&mut self, chooser: Expr, piece: Piece<'t>) -> Option<StmtKind> {
        let (mut secretly, mut options, mut otherwise) = (false, None, None);
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::secretly => secretly = true,
                Rule::product => options = Some(ChoiceOptions::Product(self.alternative(part))),
                Rule::alternatives => {
                    let mut labelled = Vec::new();
                    let pieces = part.into_inner().collect();
                    self.recovering(pieces, Region::Alternatives, |reader, piece| {
                        if piece.as_rule() == Rule::alternative {
                            labelled.push(reader.alternative(piece));
                        }
                    });
                    self.look_at_labels(&labelled);
                    options = Some(ChoiceOptions::Labelled(labelled));
                }
                Rule::otherwise => {
                    let block = part.into_inner().find(|p| p.as_rule() == Rule::block)?;
                    otherwise = Some(self.block(block));
                }
                _ => {}
            }
        }
        Some(StmtKind::Choice(Box::new(Choice {
            chooser,
            secretly,
            options: options?,
            otherwise,
        })))
    }

    /// One labelled alternative, or the options of a choice without labels.
    fn alternative(&mut self, piece: Piece<'t>) -> Alternative {
        let mut span = self.span(&piece);
        let mut label: Option<Name> = None;
        let (mut cond, mut text, mut body) = (None, None, None);
        let mut parts = Vec::new();
        for part in piece.into_inner() {
            let at = self.span(&part);
            match part.as_rule() {
                Rule::ident => label = Some(self.name(&part)),
                Rule::parts => parts = self.parts(part),
                Rule::where_clause => self.where_clause(&mut cond, part, at),
                Rule::says => self.says(&mut text, part, at),
                Rule::into | Rule::seen => self.late_store_clause(&mut parts, part, at),
                Rule::body => body = self.body(part),
                Rule::comma | Rule::semi => {
                    span = self.trimmed(Span {
                        start: span.start,
                        end: at.start,
                    });
                }
                _ => {}
            }
        }
        Alternative {
            label,
            parts,
            cond,
            text,
            body,
            span,
        }
    }

    fn where_clause(&mut self, cond: &mut Option<Expr>, piece: Piece<'t>, span: Span) {
        if let Some(expr) = self.first_expr(piece) {
            self.once(cond, expr, "where", span);
        }
    }

    pub(super) fn says(&mut self, text: &mut Option<Wording>, piece: Piece<'t>, span: Span) {
        let (mut cases, mut cond, mut last) = (Vec::new(), None, None);
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::expr => cond = Some(self.expr(part)),
                Rule::text => match cond.take() {
                    Some(cond) => cases.push((cond, self.text(&part))),
                    None => last = Some(self.text(&part)),
                },
                _ => {}
            }
        }
        if let Some(otherwise) = last {
            self.once(text, Wording { cases, otherwise }, "as", span);
        }
    }

    /// The two texts of what holds or not: the condition is what is revealed, also where it stands.
    pub(super) fn says_so(&mut self, revealed: &Expr, piece: Piece<'t>) -> Option<Wording> {
        let texts = piece.into_inner().filter(|p| p.as_rule() == Rule::text);
        let mut texts = texts.map(|text| self.text(&text));
        let cases = vec![(revealed.clone(), texts.next()?)];
        let otherwise = texts.next()?;
        Some(Wording { cases, otherwise })
    }

    pub(super) fn as_clause(&mut self, piece: Piece<'t>) -> Option<Text> {
        let text = piece.into_inner().find(|p| p.as_rule() == Rule::text)?;
        Some(self.text(&text))
    }

    fn parts(&mut self, piece: Piece<'t>) -> Vec<Part> {
        let mut parts = Vec::new();
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::part => parts.extend(self.part(part)),
                Rule::part_let => parts.extend(self.part_let(part)),
                _ => {}
            }
        }
        parts
    }

    fn part_let(&mut self, piece: Piece<'t>) -> Option<Part> {
        let span = self.span(&piece);
        let (mut name, mut ty, mut value) = (None, None, None);
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::ident => name = Some(self.name(&part)),
                Rule::ty => ty = Some(self.ty(part)),
                Rule::expr => value = Some(self.expr(part)),
                _ => {}
            }
        }
        Some(Part {
            family: None,
            name: name?,
            member: None,
            domain: value?,
            source: Source::Value(ty),
            secretly: false,
            into: None,
            seen: None,
            span,
        })
    }

    fn part(&mut self, piece: Piece<'t>) -> Option<Part> {
        let span = self.span(&piece);
        let (mut name, mut domain, mut secretly) = (None, None, false);
        let source = match piece.as_rule() {
            Rule::taken => Source::Place,
            _ => Source::Set,
        };
        let (mut into, mut seen) = (None, None);
        let (mut family, mut member) = (None, None);
        for part in piece.into_inner() {
            let at = self.span(&part);
            match part.as_rule() {
                Rule::into | Rule::seen => self.store_clause(&mut into, &mut seen, part, at),
                Rule::secretly => secretly = true,
                Rule::ident => name = Some(self.name(&part)),
                Rule::family => {
                    let binder = part.into_inner().find(|p| p.as_rule() == Rule::binder)?;
                    family = self.binder(binder);
                }
                Rule::member => {
                    let index = part.into_inner().find(|p| p.as_rule() == Rule::ident)?;
                    member = Some(self.name(&index));
                }
                Rule::expr => domain = Some(self.expr(part)),
                Rule::place => domain = Some(self.expr(part)),
                _ => {}
            }
        }
        Some(Part {
            family,
            name: name?,
            member,
            domain: domain?,
            source,
            secretly,
            into,
            seen,
            span,
        })
    }

    /// `into place` or `seen by viewers`.
    fn store_clause(
        &mut self,
        into: &mut Option<Expr>,
        seen: &mut Option<Expr>,
        piece: Piece<'t>,
        span: Span,
    ) {
        let is_into = piece.as_rule() == Rule::into;
        let expr = self.first_expr(piece).unwrap_or_else(|| error(span));
        if is_into {
            self.once(into, expr, "into", span);
        } else {
            self.once(seen, expr, "seen by", span);
        }
    }

    /// An `into` or `seen by` that stands after another clause: it belongs to the last part.
    fn late_store_clause(&mut self, parts: &mut [Part], piece: Piece<'t>, span: Span) {
        let last = parts.last_mut();
        if let Some(Part {
            source: Source::Value(_),
            name,
            ..
        }) = last
        {
            let problem = Diagnostic::error(
                codes::BAD_STATEMENT,
                span,
                format!(
                    "`{}` is not chosen here, so it has no `into` and no `seen by`",
                    name.text
                ),
            );
            self.report(problem.hint(
                "put the clause right after the set that it belongs to: `a in S into place, let n = …`",
            ));
        } else if let Some(last) = last {
            self.store_clause(&mut last.into, &mut last.seen, piece, span);
            last.span = last.span.to(span);
        }
    }

    fn draw(&mut self, piece: Piece<'t>) -> Option<StmtKind> {
        let mut parts: Vec<Part> = Vec::new();
        let (mut cond, mut weight, mut text, mut revealing) = (None, None, None, None);
        for part in piece.into_inner() {
            let at = self.span(&part);
            match part.as_rule() {
                Rule::parts => parts = self.parts(part),
                Rule::taken => parts.extend(self.part(part)),
                Rule::where_clause => self.where_clause(&mut cond, part, at),
                Rule::says => self.says(&mut text, part, at),
                Rule::into | Rule::seen => self.late_store_clause(&mut parts, part, at),
                Rule::weighted => {
                    let expr = self.first_expr(part).unwrap_or_else(|| error(at));
                    self.once(&mut weight, expr, "weighted", at);
                }
                Rule::revealing => self.once(&mut revealing, (), "revealing", at),
                _ => {}
            }
        }
        Some(StmtKind::Draw(Box::new(Draw {
            parts,
            cond,
            weight,
            text,
            revealing: revealing.is_some(),
        })))
    }

    fn one_move(&mut self, piece: Piece<'t>) -> Option<StmtKind> {
        let (mut body, mut greatest, mut otherwise) = (None, None, None);
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::block => body = Some(self.block(part)),
                Rule::greatest => greatest = self.first_expr(part),
                Rule::otherwise => {
                    let block = part.into_inner().find(|p| p.as_rule() == Rule::block)?;
                    otherwise = Some(self.block(block));
                }
                _ => {}
            }
        }
        Some(StmtKind::OneMove(Box::new(OneMove {
            body: body?,
            greatest,
            otherwise,
        })))
    }

    fn together(&mut self, binder: Option<Binder>, block: Block) -> Option<StmtKind> {
        let inner = match block.stmts.as_slice() {
            [each] if binder.is_none() => each_inside(each, &block),
            _ => None,
        };
        if let Some((problem, binder, body)) = inner {
            self.report(problem);
            return self.together(Some(binder), body);
        }
        let mut arms = Vec::new();
        let empty = block.stmts.is_empty();
        for stmt in block.stmts {
            match stmt.kind {
                StmtKind::Choice(_) | StmtKind::Error => arms.push(stmt),
                _ => self.report(
                    Diagnostic::error(
                        codes::NOT_A_CHOICE,
                        stmt.span,
                        "a `together` block holds choices only",
                    )
                    .hint("what follows from a choice stands behind it: `p chooses n in S => x = n`, or `into x`; other statements stand before or after the block"),
                ),
            }
        }
        let Some(binder) = binder else {
            if empty {
                self.report(no_choice(block.span));
            }
            return Some(StmtKind::Together(Together::Arms(arms)));
        };
        if let Some(second) = arms.get(1) {
            self.report(
                Diagnostic::error(
                    codes::GIVEN_TWICE,
                    second.span,
                    "`together each` holds one choice, this is the second",
                )
                .hint("let one choice have several parts: `p chooses a in S, b in T`"),
            );
        }
        let Some(arm) = arms.into_iter().next() else {
            if empty {
                self.report(no_choice(block.span));
            }
            return None;
        };
        Some(StmtKind::Together(Together::Each {
            binder,
            arm: Box::new(arm),
        }))
    }

    fn arm(&mut self, piece: Piece<'t>) -> Option<MatchArm<Block>> {
        let span = self.span(&piece);
        let (mut patterns, mut body) = (Vec::new(), None);
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::patterns => patterns = self.patterns(part),
                Rule::body => body = self.body(part),
                _ => {}
            }
        }
        Some(MatchArm {
            patterns,
            body: body?,
            span,
        })
    }

    /// An operand that is no part of a larger expression.
    fn operand_alone(&mut self, piece: Piece<'t>, span: Span) -> Expr {
        self.deeper(1, span, |reader| reader.primary(piece))
            .unwrap_or(Expr {
                kind: ExprKind::Error,
                span,
            })
    }
}

/// `together { each p in S { … } }`, with what is meant.
fn each_inside(each: &Stmt, block: &Block) -> Option<(Diagnostic, Binder, Block)> {
    let StmtKind::Each { binders, body } = &each.kind else {
        return None;
    };
    let [binder] = binders.as_slice() else {
        return None;
    };
    let message = "whoever chooses in a `together` is named before its block";
    let problem = Diagnostic::error(codes::NOT_A_CHOICE, each.span, message)
        .hint("write `together each p in S { p chooses … }`")
        .edit(
            Span {
                start: block.span.start,
                end: each.span.start,
            },
            "",
        )
        .edit(
            Span {
                start: each.span.end,
                end: block.span.end,
            },
            "",
        );
    Some((problem, binder.clone(), body.clone()))
}

fn no_choice(block: Span) -> Diagnostic {
    Diagnostic::error(
        codes::NOT_A_CHOICE,
        block,
        "this `together` block holds no choice",
    )
    .hint("write who chooses what, as in `p chooses c in hand[p] into bid[p]`")
}

fn unread_arm(span: Span) -> MatchArm<Block> {
    let kind = StmtKind::Error;
    let stmts = vec![Stmt { kind, span }];
    MatchArm {
        patterns: vec![Pattern::Else(span)],
        body: Block { stmts, span },
        span,
    }
}
