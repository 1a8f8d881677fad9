//! The names of a file: which there are, and which clash. Nothing is resolved yet.

use super::calls::function_words;
use super::checker::Checker;
use super::codes;
use super::habits::WORDS;
use crate::model::types::{EnumType, EnumValue};
use crate::syntax::ast::{self, Item};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The types that every game has, each of which is the set of its values too.
pub const BUILT_IN: [&str; 2] = ["Player", "bool"];

#[derive(Clone)]
pub enum Decl<'a> {
    Param(&'a ast::Param),
    Const(&'a ast::Const),
    Type(&'a ast::TypeItem),
    Enum(Arc<EnumType>),
    Board(&'a ast::Board),
    /// By its place among the state variables.
    Var(usize),
    Def(&'a ast::Def),
    /// By seat, those without a seat under the present params included.
    Player(usize),
    Team(&'a ast::Team),
}

#[derive(Default)]
pub struct Names<'a> {
    pub decls: FxHashMap<&'a str, Decl<'a>>,
    spans: FxHashMap<&'a str, Span>,
    pub rules: FxHashMap<&'a str, &'a ast::Rule>,
    pub rule_order: Vec<&'a ast::Rule>,
    /// Every enum that has a value of this name, with the value's place in it.
    /// Those that params leave out are among them; `Checker::cut` leaves them out.
    pub enum_values: FxHashMap<&'a str, Vec<(Arc<EnumType>, usize)>>,
    /// The enums that have only the first of their values.
    pub cut: FxHashMap<&'a str, &'a ast::EnumItem>,
    /// Declared names and enum values in the order of the file, for suggestions.
    pub order: Vec<&'a str>,
    pub players: Option<&'a ast::Players>,
    pub teams: Vec<&'a ast::Team>,
    pub play: Option<&'a ast::Play>,
    pub payoff: Option<&'a ast::Payoff>,
}

impl<'a> Checker<'a> {
    pub fn declare(&mut self) {
        let file: &'a ast::File = self.file;
        for item in &file.items {
            self.declare_item(item);
        }
        let values: Vec<&'a str> = self
            .names
            .order
            .iter()
            .copied()
            .filter(|n| self.names.enum_values.contains_key(n))
            .collect();
        for value in values {
            if let Some(decl) = self.names.decls.get(value) {
                let what = decl.noun();
                if let Some(&span) = self.names.spans.get(value) {
                    self.report(
                        Diagnostic::error(
                            codes::DUPLICATE_NAME,
                            span,
                            format!("`{value}` is {what} and an enum value"),
                        )
                        .hint("give one of them another name"),
                    );
                }
            }
        }
        self.require_blocks();
    }

    fn declare_item(&mut self, item: &'a Item) {
        match item {
            Item::Param(param) => {
                self.declare_name(&param.name, Decl::Param(param));
                let indices = param.indices.iter();
                indices.for_each(|i| self.declare_enums(&i.ty));
                param.ty.iter().for_each(|t| self.declare_enums(t));
            }
            // It declares no name.
            Item::Require(_) => {}
            Item::Players(players) => {
                if let Some(first) = self.names.players {
                    self.repeated("players", players.span, first.span);
                    return;
                }
                self.names.players = Some(players);
                for (i, name) in players.names.iter().enumerate() {
                    self.declare_name(name, Decl::Player(i));
                }
            }
            Item::Type(ty) => {
                self.declare_name(&ty.name, Decl::Type(ty));
                if let ast::TypeKind::Enum(values) = &ty.ty.kind {
                    self.declare_values(&ty.name.text, values);
                } else {
                    self.declare_enums(&ty.ty);
                }
            }
            Item::Enum(e) => {
                let ty = self.declare_values(&e.name.text, &e.values);
                self.declare_name(&e.name, Decl::Enum(ty));
                if e.count.is_some() {
                    self.names.cut.insert(&e.name.text, e);
                }
            }
            Item::Board(board) => {
                self.declare_name(&board.name, Decl::Board(board));
                if let ast::BoardKind::Graph {
                    nodes: ast::Nodes::Names(values),
                    ..
                } = &board.kind
                {
                    self.declare_values(&board.name.text, values);
                }
            }
            Item::Const(c) => {
                self.declare_name(&c.name, Decl::Const(c));
                c.indices.iter().for_each(|i| self.declare_enums(&i.ty));
                c.ty.iter().for_each(|t| self.declare_enums(t));
            }
            Item::State(state) => {
                if let Some(cond) = &state.cond {
                    let first = self.var_items.len();
                    self.conditional
                        .push((cond, first..first + state.vars.len()));
                }
                for var in &state.vars {
                    self.declare_var(var, false);
                }
            }
            Item::Team(team) => {
                self.names.teams.push(team);
                self.declare_name(&team.name, Decl::Team(team));
            }
            Item::Note(var) => self.declare_var(var, true),
            Item::Def(def) => {
                if function_words().any(|word| word == def.name.text) {
                    self.reserved(&def.name);
                }
                self.declare_name(&def.name, Decl::Def(def));
                def.params.iter().for_each(|p| self.declare_enums(&p.ty));
                def.ty.iter().for_each(|t| self.declare_enums(t));
            }
            Item::Rule(rule) => self.declare_rule(rule),
            Item::Play(play) => match self.names.play {
                Some(first) => self.repeated("play", play.span, first.span),
                None => self.names.play = Some(play),
            },
            // Knowledge declares no names.
            Item::Knowledge(_) => {}
            Item::Payoff(payoff) => match self.names.payoff {
                Some(first) => self.repeated("payoff", payoff.span, first.span),
                None => self.names.payoff = Some(payoff),
            },
        }
    }

    fn declare_var(&mut self, var: &'a ast::StateVar, note: bool) {
        let id = self.var_items.len();
        self.var_items.push(var);
        self.var_notes.push(note);
        self.declare_name(&var.name, Decl::Var(id));
        var.indices.iter().for_each(|i| self.declare_enums(&i.ty));
        self.declare_enums(&var.ty);
    }

    fn declare_rule(&mut self, rule: &'a ast::Rule) {
        let name = rule.name.text.as_str();
        rule.params.iter().for_each(|p| self.declare_enums(&p.ty));
        if name == "reveal" || WORDS.contains(&name) {
            self.reserved(&rule.name);
        }
        self.names.rule_order.push(rule);
        if let Some(first) = self.names.rules.get(name).copied() {
            self.duplicate(&rule.name, first.name.span);
        } else if let Some(Decl::Def(def)) = self.names.decls.get(name).cloned() {
            self.duplicate(&rule.name, def.name.span);
        } else {
            self.names.rules.insert(name, rule);
        }
    }

    fn declare_name(&mut self, name: &'a ast::Name, decl: Decl<'a>) {
        let text = name.text.as_str();
        if BUILT_IN.contains(&text) {
            self.reserved(name);
            return;
        }
        if let Some(&first) = self.names.spans.get(text) {
            self.duplicate(name, first);
            return;
        }
        if let Decl::Def(_) = decl
            && let Some(rule) = self.names.rules.get(text).copied()
        {
            self.duplicate(name, rule.name.span);
        }
        self.names.spans.insert(text, name.span);
        self.names.order.push(text);
        self.names.decls.insert(text, decl);
    }

    fn declare_enums(&mut self, ty: &'a ast::Type) {
        match &ty.kind {
            ast::TypeKind::Enum(values) => {
                self.declare_values("", values);
            }
            ast::TypeKind::Product(fields) => {
                fields.iter().for_each(|(_, t)| self.declare_enums(t));
            }
            ast::TypeKind::Optional(t) | ast::TypeKind::Set(t) => self.declare_enums(t),
            ast::TypeKind::Range { .. }
            | ast::TypeKind::Bool
            | ast::TypeKind::Number
            | ast::TypeKind::Named { .. } => {}
        }
    }

    fn declare_values(&mut self, name: &str, values: &'a [ast::EnumValue]) -> Arc<EnumType> {
        let ty = Arc::new(enum_type(name, values));
        for (i, value) in values.iter().enumerate() {
            let text = value.name.text.as_str();
            if BUILT_IN.contains(&text) {
                self.reserved(&value.name);
                continue;
            }
            if let Some(first) = values[..i].iter().find(|v| v.name.text == text) {
                self.duplicate(&value.name, first.name.span);
                continue;
            }
            let held = self.names.enum_values.entry(text).or_default();
            if !held.iter().any(|(t, _)| *t == ty) {
                held.push((ty.clone(), i));
            }
            self.names.order.push(text);
        }
        ty
    }

    fn duplicate(&mut self, name: &ast::Name, first: Span) {
        self.report(declared_twice(name, first).hint("give one of them another name"));
    }

    fn reserved(&mut self, name: &ast::Name) {
        self.report(
            Diagnostic::error(
                codes::RESERVED_NAME,
                name.span,
                format!("`{}` has a meaning of its own in the language", name.text),
            )
            .hint("choose another name"),
        );
    }

    fn repeated(&mut self, block: &str, span: Span, first: Span) {
        self.report(
            Diagnostic::error(
                codes::REPEATED_BLOCK,
                span,
                format!("a game has one `{block}`"),
            )
            .label("a second one")
            .note(first, "the first one"),
        );
    }

    fn require_blocks(&mut self) {
        let span = self.file.name.span;
        let blocks = [
            (
                "players",
                "who plays",
                "for example: players { Alice, Bob }",
                self.names.players.is_some(),
            ),
            (
                "play",
                "how it is played",
                "for example: play { Alice chooses n in 1..3 into number }",
                self.names.play.is_some(),
            ),
            (
                "payoff",
                "what each player gets",
                "for example: payoff zero-sum: [p in Player] if winner == p then 1 else -1",
                self.names.payoff.is_some(),
            ),
        ];
        for (block, what, hint, there) in blocks {
            if !there && !self.is_lost(block) {
                // The three share a place, so they are told apart by hand.
                self.problems.push(
                    Diagnostic::error(
                        codes::MISSING_BLOCK,
                        span,
                        format!("the game does not say {what}: it has no `{block}`"),
                    )
                    .hint(hint),
                );
            }
        }
    }
}

pub fn enum_type(name: &str, values: &[ast::EnumValue]) -> EnumType {
    EnumType {
        name: name.to_string(),
        values: values
            .iter()
            .map(|v| EnumValue {
                name: v.name.text.clone(),
                text: v.text.clone().unwrap_or_else(|| v.name.text.clone()),
            })
            .collect(),
    }
}

/// Two declarations of one name.
pub(super) fn declared_twice(name: &ast::Name, first: Span) -> Diagnostic {
    let message = format!("`{}` is declared twice", name.text);
    Diagnostic::error(codes::DUPLICATE_NAME, name.span, message)
        .label("declared again")
        .note(first, "first declared here")
}
