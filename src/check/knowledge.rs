//! Knowledge: what helps players and is no rule. Names, types, and which choices a heuristic applies to.
//!
//! A heuristic names the variables of choices. It applies to every choice that binds all the names that nothing else
//! declares; one that applies nowhere is an error. Evaluations, categories and playouts read the assumed world; what a
//! filter or an abstraction reads, its owner must be able to see (`visibility`).

use super::checker::{Checker, Frame};
use super::codes;
use super::convert::{lcm, ratio_parts, said};
use super::scope::Binding;
use crate::model::types::Type;
use crate::model::{
    Action, ActionClass, ActionFilter, Attribute, Block, Choice, Expr, ExprKind, Heuristic,
    Knowledge, KnowledgeKind, LocalId, PlayerSet, Score,
};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// One alternative of one choice, and what it binds.
struct Candidate {
    action: Action,
    label: Option<String>,
    names: Vec<(String, LocalId)>,
    /// The names of values that only one of several alternatives with this label has.
    shared: Vec<String>,
}

/// What there is to choose.
struct Candidates {
    list: Vec<Candidate>,
    /// The names that are bound within a `one move`, to which knowledge of moves does not apply.
    in_moves: Vec<String>,
}

impl<'a> Checker<'a> {
    /// Every entry of every `knowledge` block, in the order of the file.
    pub fn knowledge(&mut self, play: &Block) -> Vec<Knowledge> {
        // What helps players may look at what is kept up for them.
        self.noting += 1;
        let list = self.knowledge_blocks(play);
        self.noting -= 1;
        list
    }

    fn knowledge_blocks(&mut self, play: &Block) -> Vec<Knowledge> {
        let options = self.options(play);
        let choosers = self.choosers(play);
        let file: &'a ast::File = self.file;
        let mut list = Vec::new();
        for item in &file.items {
            let ast::Item::Knowledge(block) = item else {
                continue;
            };
            let Some(owners) = self.owners(&block.owners) else {
                continue;
            };
            for entry in &block.entries {
                let Some(player) = self.player_type() else {
                    return list;
                };
                let me = self.new_local("me", player, entry.span);
                if let Some((name, kind)) = self.knowledge_entry(entry, me, &options) {
                    self.refuse_same_entry(&list, &name, owners, entry.span);
                    self.ask_whose(&choosers, owners, &kind, (block.owners.span, entry.span));
                    list.push(Knowledge {
                        owners,
                        me,
                        name,
                        kind,
                        span: entry.span,
                    });
                }
            }
        }
        list
    }

    /// Players pick entries by name, so that a player cannot have two of one name.
    fn refuse_same_entry(&mut self, list: &[Knowledge], name: &str, owners: PlayerSet, span: Span) {
        let first = list
            .iter()
            .find(|k| k.name == name && !(k.owners & owners).is_empty());
        if let Some(first) = first {
            self.report(
                Diagnostic::error(
                    codes::DUPLICATE_NAME,
                    span,
                    format!("the same player has two entries of knowledge called `{name}`"),
                )
                .note(first.span, "the first one")
                .hint("give one of them another name, or leave it out"),
            );
        }
    }

    fn options(&mut self, play: &Block) -> Candidates {
        let mut in_moves = Vec::new();
        play.for_each_choice_in_moves(|choice| {
            let parts = choice.alternatives.iter().flat_map(|a| &a.parts);
            in_moves.extend(parts.map(|p| self.locals[p.local.0 as usize].name.clone()));
        });
        let mut choices: Vec<&Choice> = Vec::new();
        play.for_each_choice(|choice| choices.push(choice));
        let mut list = Vec::new();
        for choice in choices {
            for (i, alternative) in choice.alternatives.iter().enumerate() {
                let names: Vec<(String, LocalId)> = alternative
                    .parts
                    .iter()
                    .map(|p| (self.locals[p.local.0 as usize].name.clone(), p.local))
                    .collect();
                // What stands for several alternatives has the values of all of them, and is known by its label only.
                let (names, shared) = match alternative.which {
                    None => (names, Vec::new()),
                    Some(_) => (Vec::new(), names.into_iter().map(|(n, _)| n).collect()),
                };
                list.push(Candidate {
                    action: Action {
                        site: choice.site,
                        alternative: i as u32,
                    },
                    label: alternative.label.clone(),
                    names,
                    shared,
                });
            }
        }
        Candidates { list, in_moves }
    }

    fn owners(&mut self, owners: &'a ast::Expr) -> Option<PlayerSet> {
        let made = self.in_frame(knowledge_frame(), |this| this.viewers(owners))?;
        let owners_set = self.words_of(&made).map(|w| PlayerSet::from_words(&w));
        if owners_set.is_none() {
            self.report(
                Diagnostic::error(
                    codes::NOT_CONSTANT,
                    owners.span,
                    "whose knowledge this is must be known before the game starts",
                )
                .hint("name a player, a set of players, or `Player` for everybody"),
            );
        }
        owners_set
    }

    fn knowledge_entry(
        &mut self,
        entry: &'a ast::KnowledgeEntry,
        me: LocalId,
        options: &Candidates,
    ) -> Option<(String, KnowledgeKind)> {
        use ast::KnowledgeKind as K;
        match &entry.kind {
            K::Maximise { name, value: e } => self
                .playout_extreme(e, me, options, false)
                .map(|list| (name.text.clone(), KnowledgeKind::Playout(list))),
            K::Minimise { name, value: e } => self
                .playout_extreme(e, me, options, true)
                .map(|list| (name.text.clone(), KnowledgeKind::Playout(list))),
            K::Weights { name, rules } => self
                .weights(rules, me, options, entry.span)
                .map(|list| (name.text.clone(), KnowledgeKind::Playout(list))),
            K::Filter {
                name,
                cond: e,
                amends,
            } => self.filter(e, me, options).map(|list| {
                let kind = match amends {
                    true => KnowledgeKind::Amend(list),
                    false => KnowledgeKind::Filter(list),
                };
                (name.text.clone(), kind)
            }),
            K::Evaluate(e) => {
                let value = self.about(me, &[], |this| this.number(e))?;
                Some(("evaluate".to_string(), KnowledgeKind::Evaluate(value)))
            }
            K::Category { name, of, value } => {
                let of = self.about(me, &[], |this| this.expr(of, None));
                let value = self.about(me, &[], |this| this.scalar_value(value));
                Some((
                    name.text.clone(),
                    KnowledgeKind::Category {
                        of: of?,
                        value: value?,
                    },
                ))
            }
            K::Information(attributes) => {
                let mut made = Vec::new();
                for (i, (name, e)) in attributes.iter().enumerate() {
                    if attributes[..i].iter().any(|(n, _)| n.text == name.text) {
                        self.report(
                            Diagnostic::error(
                                codes::DUPLICATE_NAME,
                                name.span,
                                format!("the abstraction has an attribute `{}` already", name.text),
                            )
                            .hint("give one of them another name"),
                        );
                    }
                    let value = self.about(me, &[], |this| this.scalar_value(e));
                    made.push(value.map(|value| Attribute {
                        name: name.text.clone(),
                        value,
                    }));
                }
                let made = made.into_iter().collect::<Option<Vec<_>>>()?;
                Some(("information".to_string(), KnowledgeKind::Information(made)))
            }
            K::Layout {
                cell,
                board,
                picture,
                rules,
            } => self.layout((cell, board), picture, rules, me),
            K::Actions(classes) => {
                let mut made = Vec::new();
                for class in classes {
                    made.extend(self.class(class, me, options)?);
                }
                Some(("actions".to_string(), KnowledgeKind::Actions(made)))
            }
        }
    }

    // ---- playouts -----------------------------------------------------------------------------

    fn playout_extreme(
        &mut self,
        e: &'a ast::Expr,
        me: LocalId,
        options: &Candidates,
        least: bool,
    ) -> Option<Vec<Heuristic>> {
        let free = self.chosen_names(e, options)?;
        let mut made = Vec::new();
        for option in options.list.iter().filter(|o| o.binds(&free)) {
            let value = self.about(me, &option.names, |this| this.number(e))?;
            made.push(Heuristic {
                action: option.action,
                score: if least {
                    Score::Least(value)
                } else {
                    Score::Greatest(value)
                },
            });
        }
        self.applies(!made.is_empty(), &free, e.span)?;
        Some(made)
    }

    fn weights(
        &mut self,
        rules: &'a [ast::WeightRule],
        me: LocalId,
        options: &Candidates,
        span: Span,
    ) -> Option<Vec<Heuristic>> {
        let mut used = vec![false; rules.len()];
        let mut frees = Vec::new();
        for rule in rules {
            let mut parts: Vec<&'a ast::Expr> = rule.cond.iter().collect();
            if let ast::WeightKind::Weight(e) = &rule.kind {
                parts.push(e);
            }
            frees.push(self.free_names(&parts, options)?);
        }
        let mut made = Vec::new();
        for option in &options.list {
            let fits: Vec<usize> = (0..rules.len())
                .filter(|&i| option.is(rules[i].label.as_ref()) && option.binds(&frees[i]))
                .collect();
            if fits.is_empty() {
                continue;
            }
            fits.iter().for_each(|&i| used[i] = true);
            let score = self.about(me, &option.names, |this| this.weigh(rules, &fits, span))?;
            made.push(Heuristic {
                action: option.action,
                score,
            });
        }
        for (i, rule) in rules.iter().enumerate() {
            if !used[i] {
                self.applies(false, &frees[i], rule.span)?;
            }
        }
        self.applies(!made.is_empty(), &[], span)?;
        Some(made)
    }

    /// The weight of one alternative: the first rule whose condition holds; 0 where none does. The number of the first
    /// prioritised rule that holds, or −1.
    fn weigh(&mut self, rules: &'a [ast::WeightRule], fits: &[usize], span: Span) -> Option<Score> {
        let most = rules.len() as i64;
        let rank = Type::Int { lo: -1, hi: most };
        let mut first = self.scalar(-1, rank.clone(), span);
        let mut weights: Vec<(Option<Expr>, Expr)> = Vec::new();
        let mut prioritised: Vec<(Expr, i64)> = Vec::new();
        for &i in fits {
            let cond = match &rules[i].cond {
                Some(c) => Some(self.condition(c)?),
                None => None,
            };
            match &rules[i].kind {
                ast::WeightKind::First => {
                    let cond = cond.unwrap_or_else(|| self.scalar(1, Type::Bool, span));
                    prioritised.push((cond, i as i64));
                }
                ast::WeightKind::Weight(e) => {
                    let value = self.number(e)?;
                    if let Some((lo, _)) = value.ty.bounds()
                        && lo < 0
                    {
                        self.report(
                            Diagnostic::error(
                                codes::TYPE_MISMATCH,
                                e.span,
                                "a weight may be below zero here",
                            )
                            .hint("weights are shares: 0 or more"),
                        );
                        return None;
                    }
                    weights.push((cond, value));
                }
            }
        }
        let mut den = 1;
        for (_, value) in &weights {
            let (d, ..) = ratio_parts(&value.ty)?;
            den = self.checked(lcm(den, d), span)?;
        }
        let zero = self.scalar(0, Type::constant(0), span);
        let mut weight = self.as_number(zero, den)?;
        for (cond, value) in weights.into_iter().rev() {
            let value = self.as_number(value, den)?;
            weight = match cond {
                None => value,
                Some(cond) => self.chosen_number(cond, value, weight, span),
            };
        }
        for (cond, i) in prioritised.into_iter().rev() {
            let rank_value = self.scalar(i, rank.clone(), span);
            first = self.make(
                ExprKind::If {
                    cond: Box::new(cond),
                    then: Box::new(rank_value),
                    otherwise: Box::new(first),
                },
                rank.clone(),
                span,
            );
        }
        Some(Score::Weight { first, weight })
    }

    fn chosen_number(&mut self, cond: Expr, a: Expr, b: Expr, span: Span) -> Expr {
        let (lo, hi) = match (a.ty.bounds(), b.ty.bounds()) {
            (Some((l, h)), Some((m, i))) => (l.min(m), h.max(i)),
            _ => (0, 0),
        };
        let den = match a.ty {
            Type::Number { den, .. } => den,
            _ => 1,
        };
        self.make(
            ExprKind::If {
                cond: Box::new(cond),
                then: Box::new(a),
                otherwise: Box::new(b),
            },
            Type::Number { den, lo, hi },
            span,
        )
    }

    // ---- filters ------------------------------------------------------------------------------

    /// Which options are worth a look, for every alternative that binds what the condition names.
    fn filter(
        &mut self,
        e: &'a ast::Expr,
        me: LocalId,
        options: &Candidates,
    ) -> Option<Vec<ActionFilter>> {
        let free = self.chosen_names(e, options)?;
        let mut made = Vec::new();
        for option in options.list.iter().filter(|o| o.binds(&free)) {
            let cond = self.about(me, &option.names, |this| this.condition(e))?;
            let action = option.action;
            made.push(ActionFilter { action, cond });
        }
        self.applies(!made.is_empty(), &free, e.span)?;
        Some(made)
    }

    // ---- abstractions -------------------------------------------------------------------------

    fn class(
        &mut self,
        class: &'a ast::ActionClass,
        me: LocalId,
        options: &Candidates,
    ) -> Option<Vec<ActionClass>> {
        let parts: Vec<&'a ast::Expr> = class.values.iter().collect();
        let free = self.free_names(&parts, options)?;
        let mut made = Vec::new();
        for option in options
            .list
            .iter()
            .filter(|o| o.is(class.label.as_ref()) && o.binds(&free))
        {
            let mut values = Vec::new();
            for e in &class.values {
                values.push(self.about(me, &option.names, |this| this.scalar_value(e))?);
            }
            let action = option.action;
            made.push(ActionClass { action, values });
        }
        if made.is_empty() {
            self.applies(false, &free, class.span)?;
        }
        Some(made)
    }

    // ---- tools --------------------------------------------------------------------------------

    /// Reads something with `me` and the variables of a choice in reach.
    pub(super) fn about<T>(
        &mut self,
        me: LocalId,
        names: &[(String, LocalId)],
        body: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let span = self.locals[me.0 as usize].span;
        let mut frame = knowledge_frame();
        let mut bind = |name: &str, id: LocalId, this: &Self| {
            let e = this.local_expr(id, span);
            frame.names.push((name.to_string(), Binding::Value(e)));
        };
        bind("me", me, self);
        for (name, id) in names {
            bind(name, *id, self);
        }
        self.in_frame(frame, body)
    }

    fn number(&mut self, e: &'a ast::Expr) -> Option<Expr> {
        let made = self.expr(e, None)?;
        self.numeric(&made)?;
        Some(made)
    }

    fn scalar_value(&mut self, e: &'a ast::Expr) -> Option<Expr> {
        let made = self.expr(e, None)?;
        if made.ty.is_scalar() && !matches!(made.ty, Type::Number { .. }) {
            return Some(made);
        }
        self.report(
            Diagnostic::error(
                codes::TYPE_MISMATCH,
                e.span,
                "an attribute is a single value",
            )
            .label(format!("this is {}", said(&made.ty)))
            .hint("use an integer, true or false, or an enum value, such as `size(…)`"),
        );
        None
    }

    /// The names that nothing but a choice could bind. Complains about those that no choice binds.
    fn free_names(&mut self, parts: &[&'a ast::Expr], options: &Candidates) -> Option<Vec<String>> {
        let mut free: Vec<(String, Span)> = Vec::new();
        for e in parts {
            super::free::names(e, &mut |name, span| {
                let declared = name == "me"
                    || name == "Player"
                    || self.names.decls.contains_key(name)
                    || self.names.enum_values.contains_key(name);
                if !declared && !free.iter().any(|(n, _)| n == name) {
                    free.push((name.to_string(), span));
                }
            });
        }
        for (name, span) in &free {
            if !options
                .list
                .iter()
                .any(|o| o.names.iter().any(|(n, _)| n == name))
            {
                match options.list.iter().find(|o| o.shared.contains(name)) {
                    Some(option) => self.shared_label(name, option, *span),
                    None if options.in_moves.contains(name) => self.in_one_move(name, *span),
                    None => self.unknown_name(name, *span),
                }
                return None;
            }
        }
        Some(free.into_iter().map(|(n, _)| n).collect())
    }

    /// A value of one of several alternatives that share a label.
    fn shared_label(&mut self, name: &str, option: &Candidate, span: Span) {
        let label = option.label.as_deref().unwrap_or_default();
        let message = format!(
            "`{name}` belongs to one of several alternatives called `{label}`, and knowledge takes these for one"
        );
        self.report(
            Diagnostic::error(codes::APPLIES_NOWHERE, span, message).hint(format!(
                "name the label alone, as in `{label} => …`; or give the alternative a label of its own"
            )),
        );
    }

    /// A value that is chosen within a `one move`.
    fn in_one_move(&mut self, name: &str, span: Span) {
        let message = format!(
            "`{name}` is chosen within a `one move`, and knowledge of moves does not apply to that"
        );
        self.report(
            Diagnostic::error(codes::APPLIES_NOWHERE, span, message).hint(
                "leave it out; `evaluate = …` says what the states are worth to which moves lead",
            ),
        );
    }

    /// The names that only a choice could bind, of which there must be some.
    fn chosen_names(&mut self, e: &'a ast::Expr, options: &Candidates) -> Option<Vec<String>> {
        let free = self.free_names(&[e], options)?;
        if free.is_empty() {
            self.report(
                Diagnostic::error(
                    codes::APPLIES_NOWHERE,
                    e.span,
                    "this does not depend on what is chosen",
                )
                .hint("name a variable of a choice: this then applies to the choices that bind it"),
            );
            return None;
        }
        Some(free)
    }

    fn applies(&mut self, some: bool, free: &[String], span: Span) -> Option<()> {
        if some {
            return Some(());
        }
        let reason = if free.is_empty() {
            "this applies to no choice".to_string()
        } else {
            let names: Vec<String> = free.iter().map(|n| format!("`{n}`")).collect();
            format!("no choice binds {} here", super::state::listed(&names))
        };
        self.report(
            Diagnostic::error(codes::APPLIES_NOWHERE, span, reason).hint(
                "a heuristic applies to the choices that have its label and bind every name in it",
            ),
        );
        None
    }
}

impl Candidate {
    fn binds(&self, free: &[String]) -> bool {
        free.iter()
            .all(|name| self.names.iter().any(|(n, _)| n == name))
    }

    fn is(&self, label: Option<&ast::Name>) -> bool {
        label.is_none_or(|l| self.label.as_deref() == Some(l.text.as_str()))
    }
}

fn knowledge_frame() -> Frame {
    Frame {
        no_reveal: Some("knowledge"),
        ..Frame::default()
    }
}
