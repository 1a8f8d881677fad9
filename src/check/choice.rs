//! Choices, draws and deals: their options, who sees them, and what follows.

use super::checker::Checker;
use super::codes;
use super::convert::said;
use super::facts::meet;
use super::hides_one::hides_one;
use super::scope::Binding;
use super::stmt::place_key;
use super::taken::Taken;
use crate::model::facts::{Fact, Key, decided};
use crate::model::types::Type;
use crate::model::{
    Alternative, Block, Choice, Deal, Draw, Expr, Hole, Part, SiteKind, Sizes, StmtKind, Text,
    TextCase, TextPart,
};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// Who sees a part that does not say so itself.
#[derive(Copy, Clone)]
pub(super) enum Chooser<'a> {
    Player { e: &'a ast::Expr, secretly: bool },
    Chance,
}

/// `subsets(from, sizes)`.
struct Subsets<'a> {
    from: &'a ast::Expr,
    sizes: &'a ast::Expr,
}

impl<'a> Checker<'a> {
    /// A choice. In the form without labels, `left` holds the names that stay in reach afterwards. `meanwhile`: what may happen
    /// between the choice and what follows from it.
    pub fn choice(
        &mut self,
        c: &'a ast::Choice,
        span: Span,
        meanwhile: &'a [ast::Stmt],
    ) -> Option<Choice> {
        let player = self.player_type();
        let chooser = self.quietly("the name of the chooser", |this| {
            let player = player.as_ref()?;
            let chooser = this.expr(&c.chooser, Some(player))?;
            match chooser.ty.element() == Some(player) {
                true => this.several_choosers(&chooser),
                false => this.coerce(chooser, player),
            }
        });
        let viewers = if c.secretly {
            // A chooser in error has been reported above.
            chooser.as_ref().and_then(|_| self.only_viewer(&c.chooser))
        } else {
            self.everyone(c.chooser.span)
        };
        let who = Chooser::Player {
            e: &c.chooser,
            secretly: c.secretly,
        };
        let site = self.new_site(SiteKind::Choice, span);
        let before = self.frame.facts.clone();
        let mut ways: Vec<Option<Vec<Fact>>> = Vec::new();
        let mut ends = true;
        let mut alternatives = Vec::new();
        let mut left = Vec::new();
        let asts = match &c.options {
            ast::ChoiceOptions::Product(a) => std::slice::from_ref(a),
            ast::ChoiceOptions::Labelled(all) => all.as_slice(),
        };
        self.refuse_telling_labels(c, asts);
        for a in asts {
            self.frame.facts.clone_from(&before);
            let (made, names) = self.alternative(a, who, meanwhile);
            let (ended, facts) = self.way();
            ends &= ended;
            ways.push(facts);
            alternatives.push(made);
            left = names;
        }
        let mut goes_on_without = false;
        let kept = std::mem::take(&mut self.kept);
        let otherwise = match &c.otherwise {
            Some(block) => {
                self.frame.facts = before;
                self.forget_stored_by(meanwhile);
                let made = self.block(block);
                let (ended, facts) = self.way();
                ends &= ended;
                goes_on_without = !ended;
                ways.push(facts);
                Some(made)
            }
            None => None,
        };
        self.frame.facts = meet(ways);
        self.diverged = ends;
        if goes_on_without {
            for (_, binding) in &mut left {
                *binding = Binding::Unset(span);
            }
        }
        self.kept = match goes_on_without {
            true => Vec::new(),
            false => kept,
        };
        self.left = left;
        let alternatives = alternatives.into_iter().collect::<Option<Vec<_>>>()?;
        let alternatives = self.alike_as_one(c, alternatives)?;
        Some(Choice {
            site,
            chooser: chooser?,
            viewers: viewers?,
            alternatives,
            otherwise: match otherwise {
                Some(block) => Some(block?),
                None => None,
            },
            span,
        })
    }

    /// A choice is of one player.
    fn several_choosers(&mut self, chooser: &Expr) -> Option<Expr> {
        self.report(
            Diagnostic::error(codes::TYPE_MISMATCH, chooser.span, "one player chooses")
                .label(format!("this is {}", said(&chooser.ty)))
                .hint("`each p in Player { p chooses … }` is one after the other, and `together each p in Player { p chooses … }` all at once"),
        );
        None
    }

    /// One alternative, and the names of its parts.
    fn alternative(
        &mut self,
        a: &'a ast::Alternative,
        who: Chooser<'a>,
        meanwhile: &'a [ast::Stmt],
    ) -> (Option<Alternative>, Vec<(String, Binding)>) {
        let start = self.frame.names.len();
        let outer = std::mem::take(&mut self.computed);
        let parts = self.parts(&a.parts, who);
        let cond = self.where_cond(a.cond.as_ref());
        let text = self.text(a.text.as_ref());
        if let Some(Some(cond)) = &cond {
            self.learn(cond, true);
        }
        let never = matches!(&cond, Some(Some(cond)) if decided(cond) == Some(false));
        let cond = cond.map(|cond| cond.map(|cond| self.with_computed(cond)));
        let mut computed = std::mem::replace(&mut self.computed, outer);
        self.forget_stored_by(meanwhile);
        self.forget_parts(&parts);
        self.outdate(&mut computed, parts.as_deref(), meanwhile);
        self.diverged = false;
        // What is chosen later in the block may take the names again.
        let names = self.part_names(start, &a.parts);
        for (name, binding) in &names {
            let mut own = self.frame.names[start..].iter_mut();
            if let Some((_, bound)) = own.find(|(n, _)| n == name) {
                *bound = binding.clone();
            }
        }
        let body = match &a.body {
            // What follows a move that is never an option.
            Some(body) if never => {
                self.in_dead(|this| this.block(body));
                Some(Block::default())
            }
            Some(body) => self
                .block(body)
                .map(|body| self.body_with_computed(&computed, body)),
            None => Some(Block::default()),
        };
        let stmts = a.body.as_ref().map_or(&[][..], |body| &body.stmts);
        self.outdate(&mut computed, None, stmts);
        let names = self.part_names(start, &a.parts);
        self.are_gone(start);
        self.kept = computed;
        let made = (|| {
            Some(Alternative {
                label: a.label.as_ref().map(|l| l.text.clone()),
                which: None,
                parts: parts?,
                cond: cond?,
                text: text?,
                body: body?,
                span: a.span,
            })
        })();
        (made, names)
    }

    /// The bindings of parts, for the rest of the block.
    fn part_names(&self, start: usize, parts: &[ast::Part]) -> Vec<(String, Binding)> {
        self.frame.names[start..]
            .iter()
            .filter(|(n, _)| parts.iter().any(|p| p.name.text == *n))
            .map(|(n, b)| {
                let b = match b {
                    Binding::Value(e) => Binding::Event(e.clone()),
                    other => other.clone(),
                };
                (n.clone(), b)
            })
            .collect()
    }

    /// What was known of the places that parts go to; what is there now is not `none` where no value of the part is.
    fn forget_parts(&mut self, parts: &Option<Vec<Part>>) {
        let places = || {
            let parts = parts.iter().flatten();
            parts.filter_map(|part| Some((part, part.into.as_ref()?)))
        };
        for (_, place) in places() {
            self.forget(place.var);
        }
        for (part, place) in places() {
            let element = part.domain.ty.element().filter(|_| part.sizes.is_none());
            let filled = element.is_some_and(|ty| !matches!(ty, Type::Optional(_)));
            // What says where it is may have been stored by another part.
            let stays = |key: &Key| {
                places().all(|(_, other)| other.var == place.var || !key.reads(other.var))
            };
            if let Some(key) = place_key(place).filter(|key| filled && stays(key)) {
                self.frame.facts.push(Fact {
                    key,
                    nonempty: false,
                });
            }
        }
    }

    /// A `where`; the outer `None` is an error.
    fn where_cond(&mut self, cond: Option<&'a ast::Expr>) -> Option<Option<Expr>> {
        match cond {
            Some(c) => self
                .quietly("a `where`", |this| this.condition(c))
                .map(Some),
            None => Some(None),
        }
    }

    fn parts(&mut self, parts: &'a [ast::Part], who: Chooser<'a>) -> Option<Vec<Part>> {
        let mut made = Vec::new();
        let mut ok = true;
        for part in parts {
            let one = match (&part.family, &part.source) {
                (_, ast::Source::Value(ty)) => self.compute(part, ty.as_ref()).map(|()| Vec::new()),
                (Some(binder), _) => self.family(part, binder, who),
                (None, _) => self.part(part, who).map(|p| vec![p]),
            };
            match one {
                Some(one) => made.extend(one),
                None => ok = false,
            }
        }
        if let Some(note) = hides_one(parts, &made, matches!(who, Chooser::Chance)) {
            self.report(note);
        }
        ok.then_some(made)
    }

    fn part(&mut self, part: &'a ast::Part, who: Chooser<'a>) -> Option<Part> {
        if let Some(member) = &part.member {
            let (name, index) = (&part.name.text, &member.text);
            self.report(
                Diagnostic::error(
                    codes::BAD_FAMILY,
                    member.span,
                    format!("one `{name}` is chosen here, and it has an index"),
                )
                .hint(format!(
                    "to choose one for each: `each {index} in S: {name}[{index}] in …`"
                )),
            );
        }
        let made = self.part_named(part, &part.name.text, who);
        let binding = match &made {
            Some(made) if part.member.is_none() => {
                Binding::Value(self.local_expr(made.local, part.name.span))
            }
            _ => Binding::Poison,
        };
        self.bind(&part.name, binding);
        made
    }

    /// A part whose value goes by the given name, which is not brought into reach.
    pub(super) fn part_named(
        &mut self,
        part: &'a ast::Part,
        name: &str,
        who: Chooser<'a>,
    ) -> Option<Part> {
        let into = part.into.as_ref().map(|place| self.single_place(place));
        // `all` and enum values take their type from the place that the value goes to.
        let want = match &into {
            Some(Some((_, ty))) if ty.is_scalar() => {
                Some(Type::set_of(super::expr::base(ty).clone()))
            }
            _ => None,
        };
        let subsets = self.subsets(part);
        let want = match (&subsets, &into) {
            (Some(_), Some(Some((_, ty)))) => Some(ty.clone()),
            _ => want,
        };
        let from = subsets.as_ref().map_or(&part.domain, |s| s.from);
        let domain = match part.source {
            ast::Source::Place => self.taken_from(&part.domain),
            _ => self.quietly("the options of a choice", |this| {
                let want = if this.needy(from) {
                    want.as_ref()
                } else {
                    None
                };
                if want.is_none() {
                    this.refuse_empty(from)?;
                }
                this.refuse_or_move(from)?;
                let e = this.expr(from, want)?;
                let set = this.a_set(e)?;
                this.note_shortened(from, &set);
                Some(set)
            }),
        };
        let sizes = match &subsets {
            Some(subsets) => self.sizes(subsets).map(Some),
            None => Some(None),
        };
        let viewers = self.part_viewers(part, who);
        let ty = domain.as_ref().and_then(|d| match subsets {
            Some(_) => Some(d.ty.clone()),
            None => d.ty.element().cloned(),
        });
        let local = ty.map(|ty| self.new_local(name, ty, part.name.span));
        let into = match into {
            Some(into) => {
                let (place, ty) = into?;
                let value = self.local_expr(local?, part.name.span);
                if self.refuse_into_set(part, &value, &ty) {
                    return None;
                }
                self.can_hold(&value, &ty)?;
                Some(place)
            }
            None => None,
        };
        let sizes = sizes?.map(|Sizes { least, most }| Sizes {
            least: self.with_computed(least),
            most: most.map(|most| self.with_computed(most)),
        });
        Some(Part {
            local: local?,
            domain: self.with_computed(domain?),
            sizes,
            viewers: self.with_computed(viewers?),
            into: into.map(|place| self.place_with_computed(place)),
            span: part.span,
        })
    }

    /// The `subsets(S, k)` that a part is chosen from.
    fn subsets(&mut self, part: &'a ast::Part) -> Option<Subsets<'a>> {
        let ast::ExprKind::Call {
            function: name,
            args,
        } = &part.domain.kind
        else {
            return None;
        };
        if name.text != "subsets" {
            return None;
        }
        match args.as_slice() {
            [from, sizes] => Some(Subsets { from, sizes }),
            _ => None,
        }
    }

    /// How many elements a subset may have: a number, or a range of numbers.
    fn sizes(&mut self, subsets: &Subsets<'a>) -> Option<Sizes> {
        let mut number = |e: &'a ast::Expr| {
            self.quietly("the number of elements to choose", |this| {
                let n = this.expr(e, None)?;
                let n = this.integer(n)?;
                this.natural(n)
            })
        };
        match &subsets.sizes.kind {
            ast::ExprKind::Range {
                low: least,
                high: most,
            } => {
                let (least, most) = (number(least), number(most));
                Some(Sizes {
                    least: least?,
                    most: Some(most?),
                })
            }
            _ => Some(Sizes {
                least: number(subsets.sizes)?,
                most: None,
            }),
        }
    }

    fn part_viewers(&mut self, part: &'a ast::Part, who: Chooser<'a>) -> Option<Expr> {
        if let Some(seen) = &part.seen {
            return self.event_viewers(seen);
        }
        let secretly = |this: &mut Self| match who {
            Chooser::Player { e, .. } => this.only_viewer(e),
            Chooser::Chance => this.nobody(part.span),
        };
        if part.secretly || matches!(who, Chooser::Player { secretly: true, .. }) {
            return secretly(self);
        }
        match &part.into {
            Some(place) => self.place_viewers(place),
            None => self.everyone(part.span),
        }
    }

    /// The text of a move; the outer `None` is an error.
    pub fn text(&mut self, text: Option<&'a ast::Wording>) -> Option<Option<Text>> {
        let Some(text) = text else {
            return Some(None);
        };
        let facts = self.frame.facts.clone();
        let mut cases = Some(Vec::new());
        for (cond, said) in &text.cases {
            let cond = self.quietly("a text", |this| this.condition(cond));
            let parts = self.assuming(cond.as_ref(), true, |this| this.text_parts(said));
            if let Some(cond) = &cond {
                self.learn(cond, false);
            }
            let case = cond.zip(parts).map(|(cond, parts)| TextCase {
                cond: self.hole(cond),
                parts,
            });
            cases = cases.zip(case).map(|(mut cases, case)| {
                cases.push(case);
                cases
            });
        }
        let parts = self.text_parts(&text.otherwise);
        self.frame.facts = facts;
        let (cases, parts) = (cases?, parts?);
        let hidden = None;
        Some(Some(Text {
            cases,
            parts,
            hidden,
        }))
    }

    fn text_parts(&mut self, text: &'a ast::Text) -> Option<Vec<TextPart>> {
        let mut parts = Vec::new();
        for part in &text.parts {
            if let ast::TextPart::Hole(e) = part
                && let Some(family) = self.family_named(e)
            {
                for (i, (_, local)) in family.members.iter().enumerate() {
                    if i > 0 {
                        parts.push(Some(TextPart::Literal(", ".to_string())));
                    }
                    let value = self.local_expr(*local, e.span);
                    parts.push(Some(TextPart::Hole(self.hole(value))));
                }
                continue;
            }
            parts.push(match part {
                ast::TextPart::Literal(s) => Some(TextPart::Literal(s.clone())),
                ast::TextPart::Hole(e) => self
                    .quietly("a text", |this| this.expr(e, None))
                    .map(|value| TextPart::Hole(self.hole(value))),
            });
        }
        parts.into_iter().collect()
    }

    pub(super) fn hole(&mut self, value: Expr) -> Hole {
        let value = self.with_computed(value);
        let number = self.holes;
        self.holes += 1;
        Hole { value, number }
    }

    // ---- chance -------------------------------------------------------------------------------

    /// A draw, and the store that takes out what is drawn, if it is.
    pub fn draw(&mut self, d: &'a ast::Draw, span: Span) -> Option<(Draw, Option<StmtKind>)> {
        let start = self.frame.names.len();
        let site = self.new_site(SiteKind::Draw, span);
        let outer = std::mem::take(&mut self.computed);
        let parts = self.parts(&d.parts, Chooser::Chance);
        let cond = self.where_cond(d.cond.as_ref());
        let facts = self.frame.facts.clone();
        if let Some(Some(cond)) = &cond {
            self.learn(cond, true);
        }
        let weight = d.weight.as_ref().map(|w| {
            self.quietly("a weight", |this| {
                let w = this.expr(w, None)?;
                if matches!(w.ty, Type::Number { .. }) {
                    this.report(
                        Diagnostic::error(codes::TYPE_MISMATCH, w.span, "a weight is an integer")
                            .label("this is a number")
                            .hint(
                                "only the proportion counts: write 1 and 2 for one and two thirds",
                            ),
                    );
                    return None;
                }
                let w = this.integer(w)?;
                this.natural(w)
            })
        });
        let text = self.text(d.text.as_ref());
        let taken = self.taken_out(d, parts.as_deref());
        self.frame.facts = facts;
        if let Some(Some(cond)) = &cond {
            self.learn(cond, true);
        }
        let cond = cond.map(|cond| cond.map(|cond| self.with_computed(cond)));
        let weight = weight.map(|w| w.map(|w| self.with_computed(w)));
        let mut computed = std::mem::replace(&mut self.computed, outer);
        self.forget_parts(&parts);
        self.outdate(&mut computed, parts.as_deref(), &[]);
        self.kept = computed;
        // The names stay in reach; what they may hide has been reported.
        let names = self.part_names(start, &d.parts);
        self.frame.names.truncate(start);
        self.frame.names.extend(names);
        let weight = match weight {
            Some(w) => Some(w?),
            None => None,
        };
        let (counts, taken) = match taken? {
            Some(Taken { counts, store }) => (counts, Some(store)),
            None => (None, None),
        };
        let draw = Draw {
            site,
            parts: parts?,
            cond: cond?,
            weight: weight.or(counts),
            text: text?,
            revealing: d.revealing,
            span,
        };
        if let Some(StmtKind::Store { place, .. }) = &taken {
            self.forget(place.var);
        }
        Some((draw, taken))
    }

    pub fn deal(&mut self, deal: &'a ast::Deal, span: Span) -> Option<Deal> {
        let ast::Deal {
            count, from, to, ..
        } = deal;
        let count = self.quietly("the number of a deal", |this| {
            if count.kind == ast::ExprKind::All {
                let message = "a deal says how many, and `all` is a set";
                let problem = Diagnostic::error(codes::TYPE_MISMATCH, count.span, message);
                this.report(
                    problem.hint("write how many there are: `deal size(deck) from deck to …`"),
                );
                return None;
            }
            let n = this.expr(count, None)?;
            let n = this.integer(n)?;
            this.natural(n)
        });
        let (source, target) = (self.single_place(from), self.single_place(to));
        let viewers = target.as_ref().and_then(|_| self.place_viewers(to));
        let site = self.new_site(SiteKind::Deal, span);
        let ((from_place, a), (to_place, b)) = (source?, target?);
        self.forget(from_place.var);
        self.forget(to_place.var);
        for (place, ty) in [(from, &a), (to, &b)] {
            if !matches!(ty, Type::Set(_)) {
                self.report(
                    Diagnostic::error(
                        codes::TYPE_MISMATCH,
                        place.span,
                        "a deal goes from one set to another",
                    )
                    .label(format!("this is {}", said(ty)))
                    .hint("one value is taken out of a set by `draw x from S into …`"),
                );
                return None;
            }
        }
        if a != b {
            self.report(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    span,
                    "a deal goes between sets of the same type",
                )
                .note(from.span, format!("this is {}", said(&a)))
                .note(to.span, format!("this is {}", said(&b))),
            );
            return None;
        }
        Some(Deal {
            site,
            count: count?,
            from: from_place,
            to: to_place,
            viewers: viewers?,
            revealing: deal.revealing,
            span,
        })
    }
}
