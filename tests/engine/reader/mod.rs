//! A second reader of descriptions: it walks the statements as `docs/language.md` says, slowly, and notes who is told what.
//! What machines tell is compared with that. It shares no code with the check of visibility, nor with the compiler.

mod choices;
pub mod compare;
mod games;
mod statements;
mod values;

use super::records::walk::Told;
use ruse::internal::machine::{Action, Observation};
use ruse::internal::model::types::Type;
use ruse::internal::model::{Description, Init, LocalId, PlayerSet, SiteId};
use std::collections::HashMap;

/// The words of a value, as the model has them.
pub type Words = Vec<u64>;

/// Why reading stops.
#[derive(Debug, PartialEq)]
pub enum Stop {
    /// The script ends here.
    Asked,
    /// An error of play.
    Fault,
    /// Too much to list.
    Large,
}

/// Where play waits.
#[derive(Clone, Debug, PartialEq)]
pub enum Rest {
    /// Who chooses, each with the options in order.
    Decision(Vec<(u64, Vec<Action>)>),
    /// The outcomes with their weights, sorted.
    Chance(Vec<(Action, u64)>),
    End,
}

/// A value of a shown def: its place and arguments, who sees it, the value.
pub type Showing = (SiteId, Words, PlayerSet, Words);

/// What happens up to where play waits.
#[derive(Clone, Debug)]
pub struct Segment {
    pub events: Vec<Told>,
    /// What is on view at each event.
    pub on_view: Vec<Vec<Showing>>,
    pub rest: Rest,
    /// What is on view then.
    pub shown: Vec<Showing>,
}

/// One reading of a game under a script of steps.
pub struct Reader<'d> {
    d: &'d Description,
    /// By variable and element.
    vars: Vec<Vec<Words>>,
    locals: HashMap<LocalId, Words>,
    script: std::slice::Iter<'d, Vec<Action>>,
    events: Vec<Told>,
    on_view: Vec<Vec<Showing>>,
    segments: Vec<Segment>,
}

/// What was on view before play, and what happens under a script.
///
/// # Errors
/// Where play runs into an error, or there is too much to list.
pub fn read(d: &Description, script: &[Vec<Action>]) -> Result<(Vec<Showing>, Vec<Segment>), Stop> {
    let vars = d.vars.iter().map(|var| match &var.init {
        Init::Same(words) => vec![words.clone(); var.elements() as usize],
        Init::Each(list) => list.clone(),
    });
    let vars = vars.collect();
    // The script outlives the reader no less than the description.
    let mut reader = Reader {
        d,
        vars,
        locals: HashMap::new(),
        script: script.iter(),
        events: Vec::new(),
        on_view: Vec::new(),
        segments: Vec::new(),
    };
    let before = reader.shown()?;
    match reader.block(&d.play) {
        Err(Stop::Asked) => {}
        Err(stop) => return Err(stop),
        Ok(_) => reader.rest(Rest::End)?,
    }
    Ok((before, reader.segments))
}

impl Reader<'_> {
    fn rest(&mut self, rest: Rest) -> Result<(), Stop> {
        let shown = self.shown()?;
        self.segments.push(Segment {
            events: std::mem::take(&mut self.events),
            on_view: std::mem::take(&mut self.on_view),
            rest,
            shown,
        });
        Ok(())
    }

    /// The actions of the next step.
    fn ask(&mut self, rest: Rest) -> Result<Vec<Action>, Stop> {
        self.rest(rest)?;
        self.script.next().cloned().ok_or(Stop::Asked)
    }

    fn tell(&mut self, viewers: PlayerSet, observation: Observation) {
        if !viewers.is_empty() {
            let shown = self.shown().unwrap_or_default();
            self.on_view.push(shown);
            self.events.push((viewers, observation));
        }
    }

    /// The values of all shown defs.
    fn shown(&mut self) -> Result<Vec<Showing>, Stop> {
        let d = self.d;
        let mut list = Vec::new();
        for def in &d.shown {
            let mut all: Vec<Words> = vec![Vec::new()];
            for param in &def.params {
                let values = values_of(&param.ty);
                let longer = all.iter().flat_map(|args| {
                    let longer = values.iter().map(|v| [args.as_slice(), &[*v]].concat());
                    longer.collect::<Vec<_>>()
                });
                all = longer.collect();
            }
            for args in all {
                for (param, value) in def.params.iter().zip(&args) {
                    self.locals.insert(param.local, vec![*value]);
                }
                let value = self.value(&def.body)?;
                let viewers = self.players(&def.viewers)?;
                list.push((def.site, args, viewers, value));
            }
        }
        Ok(list)
    }
}

/// All values of a type that has a size, in order.
fn values_of(ty: &Type) -> Words {
    let size = ty.size().unwrap_or(0);
    (0..size).map(|i| ty.value_at(i) as u64).collect()
}
