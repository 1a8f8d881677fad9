//! Statements, one after the other.

use super::values::{arm, ordinal};
use super::{Reader, Stop, Words};
use ruse::internal::machine::Observation;
use ruse::internal::model::types::Type;
use ruse::internal::model::{Block, Expr, Place, PlaceIndex, Stmt, StmtKind, StoreOp, VarId};

/// How a statement ends.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Flow {
    Next,
    /// Out of so many loops around the innermost one too.
    Break(u32),
    Continue,
    End,
}

impl Reader<'_> {
    pub fn block(&mut self, block: &Block) -> Result<Flow, Stop> {
        for stmt in &block.stmts {
            let flow = self.stmt(stmt)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<Flow, Stop> {
        if !matches!(stmt.kind, StmtKind::While { .. }) {
            self.read_shown(stmt, false)?;
        }
        match &stmt.kind {
            StmtKind::Let { local, value } => {
                let value = self.value(value)?;
                self.locals.insert(*local, value);
            }
            StmtKind::Store { place, op, value } => {
                let value = self.value(value)?;
                self.store(place, *op, &value)?;
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                let taken = if self.holds(cond)? { then } else { otherwise };
                return self.block(taken);
            }
            StmtKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => {
                let value = self.scalar(scrutinee)?;
                if let Some(taken) = arm(arms, value).or(otherwise.as_ref()) {
                    return self.block(taken);
                }
            }
            StmtKind::Each {
                local,
                domain,
                cond,
                body,
            } => {
                for value in self.elements(domain)? {
                    self.locals.insert(*local, vec![value as u64]);
                    if let Some(cond) = cond {
                        self.read_shown(stmt, true)?;
                        if !self.holds(cond)? {
                            continue;
                        }
                    }
                    match self.block(body)? {
                        Flow::Break(0) => break,
                        Flow::Break(n) => return Ok(Flow::Break(n - 1)),
                        Flow::End => return Ok(Flow::End),
                        Flow::Next | Flow::Continue => {}
                    }
                }
            }
            StmtKind::Repeat { count, body } => {
                let count = self.scalar(count)?;
                for _ in 0..count {
                    match self.block(body)? {
                        Flow::Break(0) => break,
                        Flow::Break(n) => return Ok(Flow::Break(n - 1)),
                        Flow::End => return Ok(Flow::End),
                        Flow::Next | Flow::Continue => {}
                    }
                }
            }
            StmtKind::While { cond, bound, body } => {
                for _ in 0..*bound {
                    self.read_shown(stmt, false)?;
                    if !self.holds(cond)? {
                        break;
                    }
                    match self.block(body)? {
                        Flow::Break(0) => break,
                        Flow::Break(n) => return Ok(Flow::Break(n - 1)),
                        Flow::End => return Ok(Flow::End),
                        Flow::Next | Flow::Continue => {}
                    }
                }
            }
            StmtKind::Turns { .. } => return self.turns(stmt),
            StmtKind::Together(arms) => return self.together(arms),
            StmtKind::OneMove(one) => return self.one_move(one),
            StmtKind::Choice(choice) if self.way.is_some() => return self.choice_on_way(choice),
            StmtKind::Choice(choice) => return self.choice(choice),
            StmtKind::Draw(draw) => self.draw(draw)?,
            StmtKind::Deal(deal) => self.deal(deal)?,
            StmtKind::Expr(e) | StmtKind::Said { event: e, .. } => {
                self.value(e)?;
            }
            StmtKind::Break { around } => return Ok(Flow::Break(*around)),
            StmtKind::Continue => return Ok(Flow::Continue),
            StmtKind::End(site) => {
                let observation = Observation {
                    site: *site,
                    chooser: None,
                    pattern: 0,
                    values: Default::default(),
                };
                self.tell(self.d.everyone(), observation)?;
                return Ok(Flow::End);
            }
            StmtKind::Note(block) | StmtKind::Block(block) => return self.block(block),
            StmtKind::AtOnce { var, body } => {
                let stored = self.vars[var.0 as usize].clone();
                self.at_once = Some((*var, stored));
                let flow = self.block(body)?;
                if let Some((var, stored)) = self.at_once.take() {
                    self.vars[var.0 as usize] = stored;
                }
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    /// Tells what is shown before a statement looks at it; `again`: where a loop does so in each round.
    fn read_shown(&mut self, stmt: &Stmt, again: bool) -> Result<(), Stop> {
        let Some(id) = stmt.reading else {
            return Ok(());
        };
        let reading = &self.d.readings[id.0 as usize];
        if again && !reading.again {
            return Ok(());
        }
        let sites = reading.defs.iter().map(|def| self.d.shown[*def].site);
        let sites: Vec<_> = sites.collect();
        self.show(reading.told, &|site| sites.contains(&site))
    }

    /// `first` is looked at once, who takes part and the condition before each turn.
    fn turns(&mut self, stmt: &Stmt) -> Result<Flow, Stop> {
        let StmtKind::Turns {
            local,
            first,
            among,
            cond,
            bound,
            body,
        } = &stmt.kind
        else {
            return Err(Stop::Fault);
        };
        let players = self.d.player_count() as i64;
        let mut from = self.scalar(first)?;
        for _ in 0..*bound {
            self.read_shown(stmt, true)?;
            let members = self.players(among)?;
            let seats = (0..players).map(|k| (from + k) % players);
            let Some(turn) = seats.into_iter().find(|p| members.contains(*p as usize)) else {
                break;
            };
            self.locals.insert(*local, vec![turn as u64]);
            if let Some(cond) = cond
                && !self.holds(cond)?
            {
                break;
            }
            match self.block(body)? {
                Flow::Break(0) => break,
                Flow::Break(n) => return Ok(Flow::Break(n - 1)),
                Flow::End => return Ok(Flow::End),
                Flow::Next | Flow::Continue => {}
            }
            from = turn + 1;
        }
        Ok(Flow::Next)
    }

    /// The number of the element of a variable.
    pub fn offset(&self, var: VarId, indices: &[i64]) -> Result<usize, Stop> {
        let types = self.d.var(var).index_types();
        if types.len() != indices.len() {
            return Err(Stop::Fault);
        }
        let mut at = 0;
        for (ty, value) in types.iter().zip(indices) {
            at = at * ty.size().ok_or(Stop::Fault)? + ordinal(ty, *value)?;
        }
        Ok(at as usize)
    }

    fn index(&mut self, e: &Expr, each: bool) -> Result<Vec<i64>, Stop> {
        match each {
            true => self.elements(e),
            false => Ok(vec![self.scalar(e)?]),
        }
    }

    pub fn store(&mut self, place: &Place, op: StoreOp, value: &Words) -> Result<(), Stop> {
        let mut all: Vec<Vec<i64>> = vec![Vec::new()];
        for index in &place.indices {
            let values = match index {
                PlaceIndex::One(e) => self.index(e, false)?,
                PlaceIndex::Each(e) => self.index(e, true)?,
            };
            let longer = all.iter().flat_map(|known| {
                let longer = values.iter().map(|v| [known.as_slice(), &[*v]].concat());
                longer.collect::<Vec<_>>()
            });
            all = longer.collect();
        }
        let ty = self.d.var(place.var).ty.clone();
        for indices in all {
            let at = self.offset(place.var, &indices)?;
            let kept = match &mut self.at_once {
                Some((var, stored)) if *var == place.var => &mut stored[at],
                _ => &mut self.vars[place.var.0 as usize][at],
            };
            let pairs = std::iter::zip(kept.iter_mut(), value);
            match (op, &ty) {
                (StoreOp::Set, _) => kept.clone_from(value),
                (StoreOp::Add, Type::Set(_)) => pairs.for_each(|(k, v)| *k |= v),
                (StoreOp::Sub, Type::Set(_)) => pairs.for_each(|(k, v)| *k &= !v),
                (StoreOp::Add, _) => pairs.for_each(|(k, v)| *k = k.wrapping_add(*v)),
                (StoreOp::Sub, _) => pairs.for_each(|(k, v)| *k = k.wrapping_sub(*v)),
            }
            if !ty.holds(kept) {
                return Err(Stop::Fault);
            }
        }
        Ok(())
    }
}
