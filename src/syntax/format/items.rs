//! What stands directly in `game Name { … }`: which words follow one another, and where their lines may break.
//!
//! Every kind of item is named here, so that a new one does not compile until somebody says how it is set.

use super::writer::{FrameKind, Row, Writer};
use crate::syntax::ast::{
    Board, BoardKind, Claim, Const, Def, DefParam, EdgeList, Edges, EnumItem, EnumValue, File,
    Index, Item, Name, Nodes, Param, Payoff, PayoffArm, PayoffBody, PayoffValue, Play, Players,
    Require, Rule, Shown, State, StateVar, Team, Type, TypeItem, TypeKind,
};

impl Writer<'_> {
    pub(super) fn file(&mut self, file: &File) {
        let File {
            name,
            extends,
            items,
            lost: _,
            comments: _,
            span: _,
        } = file;
        self.put("game");
        self.name(name);
        if extends.is_some() {
            self.put("extends");
            self.any();
        }
        let game = self.next_frame();
        self.braces(FrameKind::Rows, items, |w, item| {
            w.row(kind_of(item), |w| {
                w.item(item);
                w.end_of_row();
            });
        });
        self.spread(game);
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Param(param) => self.param(param),
            Item::Require(Require {
                condition,
                text,
                span: _,
            }) => {
                self.put("require");
                self.expr(condition);
                if text.is_some() {
                    self.text();
                }
            }
            Item::Players(players) => self.players(players),
            Item::Team(Team {
                name,
                members,
                span: _,
            }) => {
                self.put("team");
                self.name(name);
                self.names(members);
            }
            Item::Type(item) => self.type_item(item),
            Item::Enum(item) => {
                let EnumItem {
                    name,
                    count,
                    values,
                    span: _,
                } = item;
                self.put("enum");
                self.name(name);
                if let Some(count) = count {
                    self.expr(count);
                    self.put("of");
                }
                self.enum_values(values);
            }
            Item::Const(constant) => self.constant(constant),
            Item::Board(board) => self.board(board),
            Item::State(State { cond, vars }) => {
                self.put("state");
                if let Some(cond) = cond {
                    self.put("if");
                    self.expr(cond);
                }
                self.braces(FrameKind::Rows, vars, |w, var| {
                    w.row(Row::State, |w| {
                        w.state_var(var);
                        w.drop_mark(";");
                        w.drop_mark(",");
                    });
                });
            }
            Item::Note(var) => {
                self.put("note");
                self.state_var(var);
                self.drop_mark(",");
            }
            Item::Def(def) => self.def(def),
            Item::Rule(rule) => {
                let Rule {
                    name,
                    params,
                    body,
                    span: _,
                } = rule;
                self.put("rule");
                self.name(name);
                self.def_params(params);
                self.block(body);
            }
            Item::Play(Play { body, span: _ }) => {
                self.put("play");
                self.block(body);
            }
            Item::Payoff(Payoff { body, span: _ }) => {
                self.put("payoff");
                self.payoff_in_braces(body);
            }
            Item::Knowledge(knowledge) => self.knowledge(knowledge),
        }
    }

    fn param(&mut self, param: &Param) {
        let Param {
            name,
            indices,
            ty,
            default,
            span: _,
        } = param;
        self.put("param");
        self.name(name);
        if let Some(ty) = ty {
            self.tab(0);
            self.put(":");
            self.indices(indices);
            self.ty(ty);
        }
        self.put("=");
        self.soft();
        self.expr(default);
    }

    fn players(&mut self, players: &Players) {
        let Players {
            count,
            names,
            span: _,
        } = players;
        self.put("players");
        if let Some(count) = count {
            self.expr(count);
            self.put("of");
        }
        self.names(names);
    }

    fn names(&mut self, names: &[Name]) {
        self.list("{", names, "}", Writer::name);
    }

    fn type_item(&mut self, item: &TypeItem) {
        let TypeItem {
            name,
            ty,
            text,
            span: _,
        } = item;
        self.put("type");
        self.name(name);
        self.tab(0);
        self.put("=");
        self.ty(ty);
        if text.is_some() {
            self.text();
        }
    }

    fn enum_values(&mut self, values: &[EnumValue]) {
        self.list("{", values, "}", |w, value| {
            let EnumValue { name, text } = value;
            w.name(name);
            if text.is_some() {
                w.any();
            }
        });
    }

    fn constant(&mut self, constant: &Const) {
        let Const {
            name,
            indices,
            ty,
            value,
            span: _,
        } = constant;
        self.put("const");
        self.name(name);
        if let Some(ty) = ty {
            self.tab(0);
            self.put(":");
            self.indices(indices);
            self.ty(ty);
        }
        self.tab(1);
        self.put("=");
        self.soft();
        self.expr(value);
    }

    fn indices(&mut self, indices: &[Index]) {
        for (i, index) in indices.iter().enumerate() {
            let Index { name, ty, span: _ } = index;
            if i > 0 {
                self.tight();
            }
            self.put("[");
            self.tight();
            if let Some(name) = name {
                self.name(name);
                self.mark(":");
            }
            self.ty(ty);
            self.mark("]");
        }
    }

    fn board(&mut self, board: &Board) {
        let Board {
            name,
            kind,
            span: _,
        } = board;
        match kind {
            BoardKind::Graph { nodes, edges } => {
                self.put("graph");
                self.name(name);
                let rows: Vec<Option<&Edges>> = std::iter::once(None)
                    .chain(edges.iter().map(Some))
                    .collect();
                self.braces(FrameKind::Statements, &rows, |w, row| {
                    w.row(Row::Plain, |w| {
                        match row {
                            None => w.nodes(nodes),
                            Some(edges) => w.edges(edges),
                        }
                        w.end_of_row();
                    });
                });
            }
            BoardKind::Grid(sizes) => {
                self.put("grid");
                self.call(name, sizes);
            }
            BoardKind::Hex(sizes) => {
                self.put("hex");
                self.call(name, sizes);
            }
        }
    }

    fn nodes(&mut self, nodes: &Nodes) {
        self.put("nodes");
        match nodes {
            Nodes::Range { low, high } => {
                self.expr(low);
                self.mark("..");
                self.tight();
                self.expr(high);
            }
            Nodes::Names(values) => self.enum_values(values),
        }
    }

    fn edges(&mut self, edges: &Edges) {
        let Edges {
            directed,
            label,
            lists,
            span: _,
        } = edges;
        if *directed {
            self.put("directed");
        }
        self.put("edges");
        if let Some(label) = label {
            self.name(label);
        }
        self.braces(FrameKind::Statements, lists, |w, list| {
            w.row(Row::Plain, |w| {
                let EdgeList { from, to } = list;
                w.expr(from);
                w.mark(":");
                for node in to {
                    // A comma between nodes says nothing.
                    w.drop_mark(",");
                    w.soft();
                    w.expr(node);
                }
                if w.peek() == ";" && w.ahead(1) != "}" {
                    w.mark(";");
                } else {
                    w.drop_mark(";");
                    w.drop_mark(",");
                }
            });
        });
    }

    fn state_var(&mut self, var: &StateVar) {
        let StateVar {
            name,
            indices,
            ty,
            init,
            seen,
            span: _,
        } = var;
        self.name(name);
        self.tab(0);
        self.put(":");
        self.indices(indices);
        self.ty(ty);
        if let Some(init) = init {
            self.put("=");
            self.soft();
            self.expr(init);
        }
        if let Some(seen) = seen {
            self.soft();
            self.tab(1);
            self.words("seen by");
            self.expr(seen);
        }
    }

    fn def(&mut self, def: &Def) {
        let Def {
            shown,
            name,
            params,
            ty,
            body,
            span: _,
        } = def;
        if let Some(Shown { to, span: _ }) = shown {
            self.put("shown");
            if let Some(to) = to {
                self.put("to");
                self.expr(to);
            }
        }
        self.put("def");
        self.name(name);
        self.def_params(params);
        if let Some(ty) = ty {
            self.mark(":");
            self.ty(ty);
        }
        self.tab(0);
        self.put("=");
        self.soft();
        self.expr(body);
    }

    fn def_params(&mut self, params: &[DefParam]) {
        if self.peek() == "(" {
            self.tight();
            self.list("(", params, ")", |w, param| {
                let DefParam { into, name, ty } = param;
                if *into {
                    w.put("into");
                }
                w.name(name);
                w.mark(":");
                w.ty(ty);
            });
        }
    }

    // ---- payoff ----

    fn payoff_in_braces(&mut self, body: &PayoffBody) {
        if self.peek() == "{" {
            self.braces(FrameKind::Statements, &[()], |w, ()| {
                w.row(Row::Plain, |w| w.payoff_body(body));
            });
        } else {
            self.payoff_body(body);
        }
    }

    fn payoff_body(&mut self, body: &PayoffBody) {
        match body {
            PayoffBody::Claimed {
                claim,
                value,
                span: _,
            } => {
                self.claim(claim);
                match value {
                    PayoffValue::Array(value) => {
                        self.mark(":");
                        self.tab(1);
                        self.soft();
                        self.expr(value);
                    }
                    PayoffValue::Entries(entries) => {
                        if self.peek() == ":" {
                            self.mark(":");
                        }
                        self.braces(FrameKind::Rows, entries, |w, (name, value)| {
                            w.row(Row::Value, |w| {
                                w.name(name);
                                w.mark(":");
                                w.tab(0);
                                w.soft();
                                w.expr(value);
                                w.end_of_row();
                            });
                        });
                    }
                }
            }
            PayoffBody::Match {
                scrutinee,
                arms,
                span: _,
            } => {
                self.put("match");
                self.expr(scrutinee);
                self.braces(FrameKind::Rows, arms, |w, arm| {
                    let PayoffArm {
                        patterns,
                        body,
                        span: _,
                    } = arm;
                    w.arm(patterns, |w| w.payoff_in_braces(body));
                });
            }
        }
    }

    fn claim(&mut self, claim: &Claim) {
        let word = match claim {
            Claim::ZeroSum(_) => "zero",
            Claim::ConstantSum { .. } => "constant",
            Claim::GeneralSum(_) => "general",
        };
        self.put(word);
        self.mark("-");
        self.mark("sum");
        match claim {
            Claim::ConstantSum { sum, .. } => self.expr(sum),
            Claim::ZeroSum(_) | Claim::GeneralSum(_) => {}
        }
    }

    // ---- types ----

    pub(super) fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Range { low, high } => {
                self.expr(low);
                self.mark("..");
                self.tight();
                self.expr(high);
            }
            TypeKind::Bool | TypeKind::Number => self.any(),
            TypeKind::Enum(values) => {
                self.put("enum");
                self.enum_values(values);
            }
            // `Board.cell` is one name.
            TypeKind::Named { name, of } => {
                self.name(name);
                if let Some(of) = of {
                    self.mark(".");
                    self.tight();
                    self.name(of);
                }
            }
            TypeKind::Product(fields) => self.list("(", fields, ")", |w, (name, ty)| {
                w.name(name);
                w.mark(":");
                w.ty(ty);
            }),
            TypeKind::Optional(inner) => {
                self.ty(inner);
                // `T??` means no more than `T?`.
                self.mark("?");
                while self.drop_mark("?") {}
            }
            TypeKind::Set(inner) => {
                self.words("set of");
                self.ty(inner);
            }
        }
    }
}

fn kind_of(item: &Item) -> Row {
    match item {
        Item::Param(_) => Row::Param,
        Item::Type(_) => Row::Type,
        Item::Const(Const { ty: None, .. }) => Row::Value,
        Item::Const(_) => Row::Const,
        Item::Def(_) => Row::Def,
        Item::Note(_) => Row::State,
        Item::Require(_)
        | Item::Players(_)
        | Item::Team(_)
        | Item::Enum(_)
        | Item::Board(_)
        | Item::State(_)
        | Item::Rule(_)
        | Item::Play(_)
        | Item::Payoff(_)
        | Item::Knowledge(_) => Row::Plain,
    }
}
