//! Boards as a player sees them.
//!
//! Drawn are the variables that say something of cells or nodes — sets of them, places of single pieces, a value for each —
//! as far as the viewer sees them, and nothing else is read. How cells lie is in `cells`, how a graph is shown in `graph`.

mod cells;
mod graph;
mod places;

pub use graph::{Map, Node, Way};
pub use places::{BoardPlan, Held};

use super::interpret::{Silent, run};
use super::{Machine, State};
use crate::model::types::Type;
use crate::model::{BoardLayout, Description, Expr, ExprKind, KnowledgeKind, MarkRule, Var, VarId};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// One board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RenderedBoard {
    /// The name of the board.
    pub name: String,
    /// Who sees it so, where the viewers are drawn boards of their own; none where one drawing is for all.
    pub viewers: Vec<String>,
    pub picture: Picture,
    /// The variables that can be read off the drawing, by their names in [`super::View`].
    pub shown: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Picture {
    Cells(Cells),
    Map(Map),
}

/// Cells in rows and columns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cells {
    /// From left to right.
    pub columns: Vec<String>,
    /// From top to bottom: the name of the row, and what its cells show from left to right.
    pub rows: Vec<(String, Vec<String>)>,
    /// Whose the marks of the cells are, in the same rows, where the variables that put something there say so: what is
    /// there is an element of one player's, or a player.
    pub owners: Vec<Vec<Option<usize>>>,
    /// Cells are hexagons: each row begins half a cell further right than the one above.
    pub slanted: bool,
    /// The marks with the variables that they stand for.
    pub legend: Vec<(String, String)>,
    /// Whose the variables of the legend are.
    pub legend_owners: Vec<Option<usize>>,
}

/// One element of a variable, with its value.
struct Element<'m> {
    id: VarId,
    var: &'m Var,
    /// With its indices.
    name: &'m str,
    /// Its place among the elements of the variable.
    number: u64,
    words: SmallVec<[u64; 8]>,
    /// What stands there means nothing yet.
    is_unset: bool,
}

/// What one element of a variable says of a board.
struct Layer {
    var: VarId,
    name: String,
    /// Texts that its mark may begin with, best first.
    calls: [String; 2],
    /// The cells in it, by ordinal.
    cells: Vec<u64>,
    /// For a variable with a value for each cell: what this cell shows, `None` if nothing.
    value: Option<Option<String>>,
    /// The player whose element it is, or who is the value.
    owner: Option<usize>,
}

/// What a layout says of a cell or node.
#[derive(Clone, Default)]
struct Marked {
    mark: String,
    /// The rule that gave it, and the first of its marks that holds.
    rule: Option<(usize, usize)>,
    /// That rule is the `else`.
    otherwise: bool,
}

/// What there is to draw.
struct Subject {
    name: String,
    /// The type of the cells or nodes.
    node: Type,
}

#[doc(hidden)]
impl Machine {
    /// The boards of the game as a player sees them; `None` sees everything. A board of which the viewer sees no variable
    /// is left out, and so is a graph without a layout. The viewer's layout says what the cells show, if it has one that
    /// can be worked out; otherwise each variable gets a mark of its own. Who sees everything is drawn the board of a
    /// player to whom nothing on it is hidden; where there is none, those of all who have a layout.
    pub fn render(&self, state: &State, viewer: Option<usize>) -> Vec<RenderedBoard> {
        self.render_set(state, viewer, &FxHashSet::default())
    }

    /// As [`Machine::render`]; nothing is drawn of the elements with these names, which nobody has set.
    pub fn render_set(
        &self,
        state: &State,
        viewer: Option<usize>,
        unset: &FxHashSet<&str>,
    ) -> Vec<RenderedBoard> {
        let mut elements = self.elements(state, viewer);
        for element in &mut elements {
            element.is_unset = unset.contains(element.name);
        }
        let seats = match viewer {
            Some(seat) => vec![seat],
            None => (0..self.player_count()).collect(),
        };
        let mut rendered_boards = Vec::new();
        for subject in self.subjects(&elements, &seats) {
            let layers = layers(&subject.node, &elements);
            let laid = self.laid_out(state, &subject, &seats, layers.len());
            if laid.is_empty() {
                rendered_boards.extend(cells::render(self.description(), &subject, layers));
            }
            rendered_boards.extend(laid);
        }
        rendered_boards
    }

    /// What a viewer sees of the variables.
    fn elements(&self, state: &State, viewer: Option<usize>) -> Vec<Element<'_>> {
        let mut elements = Vec::new();
        for info in &self.program.slots {
            let Some(id) = info.var else { continue };
            let slots = &self.program.vars[id.0 as usize];
            let number = (info.slot - slots.base) / u32::from(slots.words);
            let viewers = slots.viewers[number as usize];
            let var = self.description().var(id);
            if var.note || viewer.is_some_and(|v| !viewers.contains(v)) {
                continue;
            }
            let words = (0..u32::from(slots.words)).map(|w| self.read(&state.words, info.slot + w));
            elements.push(Element {
                id,
                var,
                name: &info.name,
                number: u64::from(number),
                words: words.collect(),
                is_unset: false,
            });
        }
        elements
    }

    /// The boards that variables speak of, and the graphs that have a layout, in order.
    fn subjects(&self, elements: &[Element<'_>], seats: &[usize]) -> Vec<Subject> {
        let mut subjects: Vec<Subject> = Vec::new();
        let mut add = |name: &str, node: &Type| {
            if !subjects.iter().any(|s| s.name == name && s.node == *node) {
                subjects.push(Subject {
                    name: name.to_string(),
                    node: node.clone(),
                });
            }
        };
        for element in elements {
            let value = match &element.var.ty {
                Type::Set(ty) | Type::Optional(ty) => ty,
                ty => ty,
            };
            let index = element.var.indices.last().map(|index| &index.ty);
            for ty in [Some(value), index].into_iter().flatten() {
                if let Type::Enum(cells) = ty {
                    add(&cells.name, ty);
                }
            }
        }
        for seat in seats {
            for (_, layout) in self.layouts(*seat) {
                if layout.graph.is_some() {
                    add(&layout.board, &self.description().local(layout.cell).ty);
                }
            }
        }
        subjects
    }

    fn layouts(&self, seat: usize) -> impl Iterator<Item = (usize, &BoardLayout)> {
        self.knowledge_of(seat).filter_map(|(i, k)| match &k.kind {
            KnowledgeKind::Layout(layout) => Some((i, layout)),
            _ => None,
        })
    }

    /// A board by the layouts of these seats: as the first of them sees it who sees all `layers`, or all views of it.
    fn laid_out(
        &self,
        state: &State,
        subject: &Subject,
        seats: &[usize],
        layers: usize,
    ) -> Vec<RenderedBoard> {
        let mut rendered_boards: Vec<RenderedBoard> = Vec::new();
        for seat in seats {
            let Some((rendered, seen)) = self.laid_out_for(state, subject, *seat) else {
                continue;
            };
            if seen == layers {
                return vec![rendered];
            }
            let viewer = self.player_name(*seat).to_string();
            let same =
                |d: &&mut RenderedBoard| d.picture == rendered.picture && d.shown == rendered.shown;
            match rendered_boards.iter_mut().find(same) {
                Some(known) => known.viewers.push(viewer),
                None => rendered_boards.push(RenderedBoard {
                    viewers: vec![viewer],
                    ..rendered
                }),
            }
        }
        rendered_boards
    }

    /// A board by the layout of a seat, and how many layers the seat sees; `None` without a layout, or where an error of
    /// its rules is in the way.
    fn laid_out_for(
        &self,
        state: &State,
        subject: &Subject,
        seat: usize,
    ) -> Option<(RenderedBoard, usize)> {
        let (entry, layout) = self.layouts(seat).find(|(_, layout)| {
            let node = &self.description().local(layout.cell).ty;
            layout.board == subject.name && *node == subject.node
        })?;
        let elements = self.elements(state, Some(seat));
        let layers = layers(&subject.node, &elements);
        let marks = self.marks(state, (entry, layout), &subject.node, seat)?;
        let picture = match &layout.graph {
            Some(graph) => Picture::Map(graph::map(graph, &marks)),
            // Nobody looks at a board of which nothing is seen.
            None if layers.is_empty() => return None,
            None => Picture::Cells(cells::laid_out(
                self.description(),
                &subject.node,
                &marks,
                &layers,
            )?),
        };
        let shown = layers.iter().filter(|layer| layer.is_shown(layout, &marks));
        let rendered = RenderedBoard {
            name: subject.name.clone(),
            viewers: Vec::new(),
            picture,
            shown: shown.map(|layer| layer.name.clone()).collect(),
        };
        Some((rendered, layers.len()))
    }

    /// What a layout says of every cell, by ordinal.
    fn marks(
        &self,
        state: &State,
        (entry, layout): (usize, &BoardLayout),
        node: &Type,
        seat: usize,
    ) -> Option<Vec<Marked>> {
        let cells = self.holding(state, (entry, layout), node, seat)?;
        let marks = cells.into_iter().map(|holding| {
            let Some(&(first, mark)) = holding.first() else {
                return Marked::default();
            };
            let rule = &layout.rules[first];
            let texts = holding.iter().filter(|(number, _)| *number == first);
            let texts: Vec<&str> = texts.map(|(_, i)| rule.marks[*i].text.as_str()).collect();
            Marked {
                rule: Some((first, mark)),
                mark: texts.join(","),
                otherwise: rule.otherwise,
            }
        });
        Some(marks.collect())
    }

    /// Which marks of a layout hold for every cell, by ordinal: the number of the rule and that of the mark in it.
    fn holding(
        &self,
        state: &State,
        (entry, layout): (usize, &BoardLayout),
        node: &Type,
        seat: usize,
    ) -> Option<Vec<Vec<(usize, usize)>>> {
        let code = self.program.knowledge.get(entry)?;
        let of_state = code.of_state.as_ref()?;
        let cell = code.cell?;
        let mut cells = Vec::new();
        for i in 0..node.size()? {
            let mut frame = self.unpack(state);
            frame[code.me as usize] = seat as u64;
            frame[cell as usize] = node.value_at(i) as u64;
            run(&self.program, &mut frame, of_state.code, &mut Silent).ok()?;
            let mut conditions = of_state.values.iter();
            let mut holding = Vec::new();
            for (number, rule) in layout.rules.iter().enumerate() {
                for i in 0..rule.marks.len() {
                    let (holds, _) = conditions.next()?;
                    if frame[holds.slot as usize] != 0 {
                        holding.push((number, i));
                    }
                }
            }
            cells.push(holding);
        }
        Some(cells)
    }
}

/// Whether the values of a type lie in rows and columns.
pub(super) fn has_shape(description: &Description, ty: &Type) -> bool {
    cells::shape(description, ty).is_some()
}

/// What variables say of a board.
fn layers(node: &Type, elements: &[Element<'_>]) -> Vec<Layer> {
    elements.iter().filter_map(|e| layer(node, e)).collect()
}

/// Of numbered nodes, every variable of the type speaks of them.
fn layer(node: &Type, element: &Element<'_>) -> Option<Layer> {
    let Element {
        id,
        var,
        name,
        number,
        words,
        is_unset,
    } = element;
    let last = var.indices.last().map(|index| &index.ty);
    let index = last.map(|ty| (ty, number % ty.size().unwrap_or(1).max(1)));
    let called = index.map(|(ty, i)| ty.show(ty.value_at(i)));
    let made = |cells, value| Layer {
        var: *id,
        name: name.to_string(),
        calls: [called.clone().unwrap_or_default(), var.name.clone()],
        cells,
        value,
        owner: owner(element),
    };
    match (&var.ty, index) {
        (Type::Set(ty), _) if **ty == *node => {
            let holds = |i: &u64| words[(i / 64) as usize] >> (i % 64) & 1 == 1;
            let cells = (0..node.size().unwrap_or(0)).filter(holds).collect();
            Some(made(cells, None))
        }
        (ty, _) if ty == node && *is_unset => Some(made(Vec::new(), None)),
        (ty, _) if ty == node => Some(made(vec![node.ordinal(words[0] as i64)], None)),
        (Type::Optional(ty), _) if **ty == *node => {
            Some(made(words[0].checked_sub(1).into_iter().collect(), None))
        }
        (ty, Some((of, cell))) if of == node && ty.is_scalar() => {
            let value = words[0] as i64;
            let is_nothing = value == 0 && matches!(ty, Type::Optional(_) | Type::Bool);
            let blank = *is_unset || is_nothing;
            let text = if *ty == Type::Bool {
                "#".to_string()
            } else {
                ty.show(value)
            };
            Some(made(vec![cell], Some((!blank).then_some(text))))
        }
        _ => None,
    }
}

/// The player whom an index of an element names, or its value.
fn owner(element: &Element<'_>) -> Option<usize> {
    let value = element.words.first().copied().unwrap_or(0);
    match &element.var.ty {
        Type::Player(_) => return Some(value as usize),
        Type::Optional(ty) if matches!(**ty, Type::Player(_)) => {
            return value.checked_sub(1).map(|player| player as usize);
        }
        _ => {}
    }
    let mut number = element.number;
    for index in element.var.indices.iter().rev() {
        let size = index.ty.size().unwrap_or(1).max(1);
        if matches!(index.ty, Type::Player(_)) {
            return Some((number % size) as usize);
        }
        number /= size;
    }
    None
}

impl Layer {
    /// Whether it puts something on its cells.
    fn is_there(&self) -> bool {
        !matches!(self.value, Some(None))
    }

    /// Whether it can be read off a board that a layout has marked: wherever it is, a rule that reads it gave the mark.
    fn is_shown(&self, layout: &BoardLayout, marks: &[Marked]) -> bool {
        let reads = |rule: &MarkRule| rule.marks.iter().any(|mark| reads(&mark.cond, self.var));
        if self.value.is_some() {
            return layout.rules.iter().any(reads);
        }
        let by_it = |cell: &u64| {
            let rule = marks.get(*cell as usize).and_then(|m| m.rule);
            rule.is_some_and(|(rule, _)| reads(&layout.rules[rule]))
        };
        layout.rules.iter().any(reads) && self.cells.iter().all(by_it)
    }
}

fn reads(cond: &Expr, var: VarId) -> bool {
    cond.any(|e| matches!(e.kind, ExprKind::Var { var: id, .. } if id == var))
}

fn reads_no_state(cond: &Expr) -> bool {
    !cond.any(|e| matches!(e.kind, ExprKind::Var { .. }))
}
