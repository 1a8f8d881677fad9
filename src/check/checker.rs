//! The state of one check, and the small tools that every pass uses: reporting, making expressions, folding constants.

use super::Settings;
use super::codes;
use super::declare::Names;
use super::scope::Binding;
use crate::model;
use crate::model::boards::Board;
use crate::model::evaluate::evaluate_within;
use crate::model::facts::Fact;
use crate::model::functions::TableKey;
use crate::model::types::{EnumType, Type};
use crate::model::{
    Description, Expr, ExprKind, Local, LocalId, Reading, Rows, ShownDef, Site, SiteId, SiteKind,
    Text, Var,
};
use crate::syntax::ast;
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::span::Span;
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How many expressions and statements a game may have once rules and defs stand where they are called.
const MAX_WORK: u32 = 100_000;
/// How deep expressions and statements may nest, calls of rules and defs included.
const MAX_DEPTH: u32 = 250;
/// Steps that all folding of constants may take together.
const FOLD_FUEL: u64 = 20_000_000;
/// Elements that a set type may range over.
pub const MAX_SET: u64 = 4096;
/// Elements of an array.
pub const MAX_ARRAY: u64 = 65_536;
/// Values of a scalar type.
pub const MAX_SCALAR: u64 = 1 << 62;
pub const MAX_PLAYERS: usize = 32;
/// The hint of what must be known before play.
pub const OF_CONSTANTS: &str = "build it from literals, params and constants";

/// A constant: a scalar or a set, or an array of them.
#[derive(Clone)]
pub struct ConstValue {
    /// Outermost first.
    pub indices: Vec<Type>,
    /// A `Const`, a `ConstSet`, or a `ConstArray` for an array.
    pub expr: Expr,
}

/// What holds at one place of the text: the names in reach, what is known there, what may not happen there.
#[derive(Clone, Default)]
pub struct Frame {
    pub names: Vec<(String, Binding)>,
    pub facts: Vec<Fact>,
    /// Why the state cannot be read here.
    pub no_state: Option<&'static str>,
    /// Why nothing can be revealed here.
    pub no_reveal: Option<&'static str>,
    /// Inside `seen by` or `reveal(… to …)`, where `none` is nobody.
    pub viewers: bool,
    pub loops: u32,
    /// How many loops around the innermost one a `break` leaves too: `each x in S, y in T` is two.
    pub around: u32,
    /// Who will be to move, where it is asked whether there is another turn.
    pub next_mover: Option<String>,
}

pub struct Checker<'a> {
    pub file: &'a ast::File,
    pub settings: &'a Settings,
    pub problems: Vec<Diagnostic>,
    reported: FxHashSet<(Code, Span)>,
    pub names: Names<'a>,
    pub players: Option<Arc<EnumType>>,
    pub types: FxHashMap<&'a str, Option<Type>>,
    /// The enums of which only the first values are there, cut to them.
    pub enums: FxHashMap<&'a str, Option<Arc<EnumType>>>,
    pub params: FxHashMap<&'a str, Option<ConstValue>>,
    pub consts: FxHashMap<&'a str, Option<ConstValue>>,
    pub boards: IndexMap<&'a str, Option<Arc<Board>>>,
    /// The tables of boards that were asked for, by the name of the board.
    pub tables: FxHashMap<(String, TableKey), Rows>,
    /// Declarations being resolved, to find cycles.
    pub resolving: Vec<&'a str>,
    pub vars: Vec<Var>,
    /// Whether the type of each variable could be made out.
    pub var_ok: Vec<bool>,
    /// The declarations of `vars`, one to one.
    pub var_items: Vec<&'a ast::StateVar>,
    /// What decides whether some of them are there.
    pub conditional: Vec<(&'a ast::Expr, std::ops::Range<usize>)>,
    /// How many of them are there: the first ones.
    pub present: usize,
    /// Which of them are notes.
    pub var_notes: Vec<bool>,
    pub locals: Vec<Local>,
    pub sites: Vec<Site>,
    /// The texts of reveals in expressions that are no statements yet.
    pub said: FxHashMap<SiteId, Text>,
    /// The name that the whole of the expression that comes next is given, if it has one: the text of a reveal there may say it.
    pub given_name: Option<String>,
    /// What comes behind an `or` or an `and` whose left side ends with `x in S`, and whether that is an `and`.
    pub after_in: Option<(Span, bool)>,
    /// How many holes the texts have.
    pub holes: usize,
    pub shown: Vec<ShownDef>,
    /// The statements that read them.
    pub readings: Vec<Reading>,
    /// The place of each shown def in `shown`.
    pub shown_index: FxHashMap<&'a str, usize>,
    /// The defs and rules around the present place.
    pub calls: Vec<&'a str>,
    /// The defs and rules that a call has reached.
    pub reached: FxHashSet<&'a str>,
    pub frame: Frame,
    /// Above 0 inside a branch that the params rule out.
    pub dead: u32,
    /// Above 0 inside the statements of an `after`.
    pub trials: u32,
    /// Above 0 inside `one move`.
    pub moves: u32,
    /// Above 0 where notes may be read.
    pub noting: u32,
    /// Whether the place that comes next is a note's.
    pub storing_note: bool,
    /// Whether the statement just checked never goes on to the next one.
    pub diverged: bool,
    /// The names that the choice just checked leaves to the rest of its block.
    pub left: Vec<(String, Binding)>,
    /// Where a store may reveal its indices: those that do, which are bound before it.
    pub index_lets: Option<Vec<(LocalId, Expr)>>,
    /// The values that have a name in the choice or the draw that is being checked, and those that keep it afterwards.
    pub computed: Vec<super::computed::Computed>,
    pub kept: Vec<super::computed::Computed>,
    /// What names run over, where that is known before the game starts: a set, less what the `where` leaves out.
    pub runs: FxHashMap<LocalId, (Vec<u64>, &'a ast::Binder)>,
    /// The names of the last few `sum(x in S) …` and their like, and where these ended.
    pub ended: Vec<(String, Span)>,
    /// The names of the blocks that are over, and where they got their values.
    pub gone: FxHashMap<String, Span>,
    work: u32,
    depth: u32,
    fuel: u64,
    exhausted: bool,
}

impl<'a> Checker<'a> {
    pub fn new(file: &'a ast::File, settings: &'a Settings) -> Checker<'a> {
        Checker {
            file,
            settings,
            problems: Vec::new(),
            reported: FxHashSet::default(),
            names: Names::default(),
            players: None,
            types: FxHashMap::default(),
            enums: FxHashMap::default(),
            params: FxHashMap::default(),
            consts: FxHashMap::default(),
            boards: IndexMap::new(),
            tables: FxHashMap::default(),
            resolving: Vec::new(),
            vars: Vec::new(),
            var_ok: Vec::new(),
            var_items: Vec::new(),
            conditional: Vec::new(),
            present: 0,
            var_notes: Vec::new(),
            noting: 0,
            storing_note: false,
            locals: Vec::new(),
            sites: Vec::new(),
            said: FxHashMap::default(),
            given_name: None,
            after_in: None,
            holes: 0,
            shown: Vec::new(),
            readings: Vec::new(),
            shown_index: FxHashMap::default(),
            calls: Vec::new(),
            reached: FxHashSet::default(),
            frame: Frame::default(),
            dead: 0,
            trials: 0,
            moves: 0,
            diverged: false,
            left: Vec::new(),
            index_lets: None,
            computed: Vec::new(),
            kept: Vec::new(),
            runs: FxHashMap::default(),
            ended: Vec::new(),
            gone: FxHashMap::default(),
            work: 0,
            depth: 0,
            fuel: FOLD_FUEL,
            exhausted: false,
        }
    }

    pub fn run(mut self) -> (Option<Description>, Vec<Diagnostic>) {
        let description = self.describe();
        let mut problems = self.problems;
        problems.sort_by_key(|d| (d.span, d.code));
        (description, problems)
    }

    fn describe(&mut self) -> Option<Description> {
        self.declare();
        if !self.requirements() {
            self.resolve_params();
            return None;
        }
        self.leave_out_state();
        self.resolve_enums();
        self.resolve_players();
        let teams = self.resolve_teams();
        let params = self.resolve_params();
        self.resolve_boards();
        self.resolve_types();
        self.resolve_consts();
        self.resolve_state();
        self.resolve_shown();
        let play = self.play();
        let payoff = self.payoff();
        let uncalled = self.unreached();
        let knowledge = match &play {
            Some(play) => self.knowledge(play),
            None => Vec::new(),
        };
        Some(Description {
            knowledge,
            boards: self.boards.values().flatten().cloned().collect(),
            name: self.file.name.text.clone(),
            params: params
                .iter()
                .map(|(name, (value, _))| (name.clone(), value.clone()))
                .collect(),
            param_types: params
                .into_iter()
                .map(|(name, (_, ty))| (name, ty))
                .collect(),
            players: self.players.clone()?,
            teams: teams?,
            vars: self.vars.drain(..self.present).collect(),
            locals: std::mem::take(&mut self.locals),
            sites: std::mem::take(&mut self.sites),
            // Nobody, until it is known who could know them.
            hole_viewers: vec![model::PlayerSet::EMPTY; self.holes],
            events: Vec::new(),
            readings: std::mem::take(&mut self.readings),
            shown: std::mem::take(&mut self.shown),
            play: play?,
            payoff: payoff?,
            uncalled,
        })
    }

    // ---- reporting ----------------------------------------------------------------------------

    /// Keeps a problem, once for each place and kind: inlined copies repeat themselves.
    pub fn report(&mut self, d: Diagnostic) {
        if self.reported.insert((d.code, d.span)) {
            self.problems.push(d);
        }
    }

    /// Keeps a problem about sizes and ranges, unless the params rule this place out anyway.
    pub fn report_live(&mut self, d: Diagnostic) {
        if self.dead == 0 {
            self.report(d);
        }
    }

    /// Forgets the problems after the first `told`.
    pub fn untell(&mut self, told: usize) {
        for d in self.problems.drain(told..) {
            self.reported.remove(&(d.code, d.span));
        }
    }

    // ---- budgets ------------------------------------------------------------------------------

    /// Goes one level deeper; `None` when that is too deep or the text has become too long.
    pub fn deeper<T>(
        &mut self,
        span: Span,
        body: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.exhausted {
            return None;
        }
        if self.depth >= MAX_DEPTH {
            self.report(
                Diagnostic::error(
                    codes::TOO_DEEP,
                    span,
                    format!("this is nested more than {MAX_DEPTH} deep, calls included"),
                )
                .hint(
                    "name parts of it with `let`, or call fewer defs and rules inside each other",
                ),
            );
            return None;
        }
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        result
    }

    /// Counts one expression or statement; false when there are too many.
    pub fn count_work(&mut self, span: Span) -> bool {
        self.work = self.work.saturating_add(1);
        if self.work > MAX_WORK && !self.exhausted {
            self.exhausted = true;
            self.report(
                Diagnostic::error(
                    codes::TOO_LONG,
                    span,
                    format!(
                        "with every rule and def standing where it is called, the game has more than {MAX_WORK} \
                         expressions and statements"
                    ),
                )
                .hint("call rules and defs from fewer places, or in a loop"),
            );
        }
        !self.exhausted
    }

    // ---- making things ------------------------------------------------------------------------

    pub fn new_local(&mut self, name: &str, ty: Type, span: Span) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(Local {
            name: name.to_string(),
            ty,
            span,
        });
        id
    }

    pub fn new_site(&mut self, kind: SiteKind, span: Span) -> SiteId {
        let id = SiteId(self.sites.len() as u32);
        self.sites.push(Site { kind, span });
        id
    }

    /// An expression, folded to a constant where its parts are constants.
    pub fn make(&mut self, kind: ExprKind, ty: Type, span: Span) -> Expr {
        self.count_work(span);
        let expr = Expr { kind, ty, span };
        if self.fuel == 0 {
            return expr;
        }
        fold_one(expr, &mut self.fuel)
    }

    pub fn scalar(&self, value: i64, ty: Type, span: Span) -> Expr {
        Expr {
            kind: ExprKind::Const(value),
            ty,
            span,
        }
    }

    /// The constant of a value by its words.
    pub fn constant(&self, words: Vec<u64>, ty: Type, span: Span) -> Expr {
        let kind = match &ty {
            Type::Set(_) => ExprKind::ConstSet(words),
            _ => ExprKind::Const(words.first().copied().unwrap_or(0) as i64),
        };
        Expr { kind, ty, span }
    }

    /// The set of all values of an element type.
    pub fn full_set(&mut self, element: &Type, span: Span) -> Option<Expr> {
        let ty = self.set_type(element.clone(), span)?;
        let n = element.size().unwrap_or(0);
        let mut words = vec![0u64; ty.words()];
        for (i, word) in words.iter_mut().enumerate() {
            let left = n.saturating_sub(i as u64 * 64);
            *word = if left >= 64 {
                u64::MAX
            } else {
                (1 << left) - 1
            };
        }
        Some(self.constant(words, ty, span))
    }

    pub fn empty_set(&mut self, element: &Type, span: Span) -> Option<Expr> {
        let ty = self.set_type(element.clone(), span)?;
        Some(self.constant(vec![0; ty.words()], ty, span))
    }

    pub fn local_expr(&self, id: LocalId, span: Span) -> Expr {
        Expr {
            kind: ExprKind::Local(id),
            ty: self.locals[id.0 as usize].ty.clone(),
            span,
        }
    }

    /// The words of a constant scalar or set.
    pub fn words_of(&mut self, e: &Expr) -> Option<Vec<u64>> {
        match &e.kind {
            ExprKind::Const(v) => Some(vec![*v as u64]),
            ExprKind::ConstSet(words) => Some(words.clone()),
            _ => evaluate_within(e, &FxHashMap::default(), &mut self.fuel),
        }
    }

    /// Complains that a value is not known before play, or that there is none.
    pub fn not_known(&mut self, e: &Expr, message: String, label: &str, hint: &str) {
        let problem = if self.has_worked_enough() {
            too_much_work(e.span)
        } else if e.free_locals().is_some_and(|read| read.is_empty()) {
            Diagnostic::error(codes::NOT_CONSTANT, e.span, "this has no value")
                .label("an element that is not there or not the only one, or a value out of its range")
                .hint("say with `require` what it takes, or test it first: `if size(S) == 1 then only(S) else …`")
        } else {
            let problem = Diagnostic::error(codes::NOT_CONSTANT, e.span, message);
            let problem = match label {
                "" => problem,
                label => problem.label(label),
            };
            problem.hint(hint)
        };
        self.report(problem);
    }

    /// The words of a value that must be known before play; `what` names it in the message, and `hint` says how else it is done.
    pub fn words_known(&mut self, e: &Expr, what: &str, hint: &str) -> Option<Vec<u64>> {
        let words = self.words_of(e);
        if words.is_none() {
            let message = format!("{what} must be known before the game starts");
            self.not_known(e, message, "this is not", hint);
        }
        words
    }

    /// The same of a scalar.
    pub fn known(&mut self, e: &Expr, what: &str) -> Option<i64> {
        let words = self.words_known(e, what, OF_CONSTANTS)?;
        words.first().map(|&w| w as i64)
    }

    /// Whether nothing more is computed before play.
    pub fn has_worked_enough(&self) -> bool {
        self.fuel == 0
    }

    /// Runs a pass in a place of its own: no names, no facts.
    pub fn in_frame<T>(&mut self, frame: Frame, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.frame, frame);
        let ended = std::mem::take(&mut self.ended);
        let result = body(self);
        (self.frame, self.ended) = (outer, ended);
        result
    }

    /// Checks a branch that the params rule out: its errors count, what it makes counts for its type alone.
    pub fn in_dead<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let sites = self.sites.len();
        let facts = self.frame.facts.clone();
        let diverged = self.diverged;
        self.dead += 1;
        let made = body(self);
        self.dead -= 1;
        self.sites.truncate(sites);
        self.said.retain(|site, _| (site.0 as usize) < sites);
        self.frame.facts = facts;
        self.diverged = diverged;
        made
    }
}

/// True for a constant scalar or set.
pub fn is_const(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Const(_) | ExprKind::ConstSet(_))
}

/// A constant that is too much to compute.
pub fn too_much_work(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::TOO_LONG,
        span,
        format!("the constants up to here take more than {FOLD_FUEL} steps to compute"),
    )
    .hint("compute them in fewer steps, or outside of the game, and write down what comes of it")
}

/// Folds the top of an expression whose parts are folded already.
fn fold_one(mut expr: Expr, fuel: &mut u64) -> Expr {
    use model::BinaryOp;
    match expr.kind {
        ExprKind::If {
            cond: c,
            then: a,
            otherwise: b,
        } => {
            return match c.kind {
                ExprKind::Const(v) => *(if v != 0 { a } else { b }),
                _ => Expr {
                    kind: ExprKind::If {
                        cond: c,
                        then: a,
                        otherwise: b,
                    },
                    ..expr
                },
            };
        }
        ExprKind::Binary {
            op: op @ (BinaryOp::And | BinaryOp::Or),
            left: a,
            right: b,
        } => {
            let absorbing = i64::from(op == BinaryOp::Or);
            return match (&a.kind, &b.kind) {
                (ExprKind::Const(v), _) if *v != absorbing => *b,
                (_, ExprKind::Const(v)) if *v != absorbing => *a,
                (ExprKind::Const(_), _) => *a,
                _ => Expr {
                    kind: ExprKind::Binary {
                        op,
                        left: a,
                        right: b,
                    },
                    ..expr
                },
            };
        }
        ExprKind::Let {
            local: id,
            value,
            body,
        } => {
            if is_const(&body) && is_const(&value) {
                return *body;
            }
            expr.kind = ExprKind::Let {
                local: id,
                value,
                body,
            };
            return expr;
        }
        _ => {}
    }
    let foldable = match &expr.kind {
        ExprKind::Unary { value: a, .. }
        | ExprKind::Field { record: a, .. }
        | ExprKind::Cast(a)
        | ExprKind::Element { index: a, .. }
        | ExprKind::Unwrap { value: a, .. } => is_const(a),
        ExprKind::Binary {
            left: a, right: b, ..
        }
        | ExprKind::RangeSet { low: a, high: b } => is_const(a) && is_const(b),
        ExprKind::Record(items) | ExprKind::SetOf(items) | ExprKind::Call { args: items, .. } => {
            items.iter().all(is_const)
        }
        ExprKind::Match { scrutinee, .. } => is_const(scrutinee),
        ExprKind::Fold(fold) => is_const(&fold.domain),
        _ => false,
    };
    if foldable && let Some(words) = evaluate_within(&expr, &FxHashMap::default(), fuel) {
        expr.kind = match &expr.ty {
            Type::Set(_) => ExprKind::ConstSet(words),
            _ => ExprKind::Const(words.first().copied().unwrap_or(0) as i64),
        };
    }
    expr
}
