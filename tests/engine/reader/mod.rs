//! A second reader of descriptions: it walks the statements as `docs/language.md` says, slowly, and notes who is told what.
//! What machines tell is compared with that. It shares no code with the check of visibility, nor with the compiler.

mod choices;
pub mod compare;
mod games;
mod moves;
mod statements;
mod values;

use super::records::walk::Told;
use ruse::internal::machine::{Action, Observation};
use ruse::internal::model::types::Type;
use ruse::internal::model::{Description, Init, LocalId, PlayerSet, SiteId, SiteKind, VarId};
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
    /// A way through a move goes on with one of these options.
    Open(Vec<u64>),
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

/// What happens up to where play waits.
#[derive(Clone, Debug)]
pub struct Segment {
    pub events: Vec<Told>,
    pub rest: Rest,
}

/// One reading of a game under a script of steps.
pub struct Reader<'d> {
    d: &'d Description,
    /// By variable and element.
    vars: Vec<Vec<Words>>,
    locals: HashMap<LocalId, Words>,
    /// The variable that is stored to at once, with what is stored.
    at_once: Option<(VarId, Vec<Words>)>,
    /// What is chosen next, within one move.
    way: Option<moves::Way>,
    script: std::slice::Iter<'d, Vec<Action>>,
    events: Vec<Told>,
    segments: Vec<Segment>,
}

/// What happens under a script.
///
/// # Errors
/// Where play runs into an error, or there is too much to list.
pub fn read(d: &Description, script: &[Vec<Action>]) -> Result<Vec<Segment>, Stop> {
    let vars = d.vars.iter().map(|var| match &var.init {
        Init::Same(words) => vec![words.clone(); var.elements() as usize],
        Init::Each(list) => list.clone(),
    });
    let vars = vars.collect();
    // The script outlives the reader no less than the description.
    let mut reader = Reader {
        d,
        vars,
        at_once: None,
        locals: HashMap::new(),
        way: None,
        script: script.iter(),
        events: Vec::new(),
        segments: Vec::new(),
    };
    match reader.block(&d.play) {
        Err(Stop::Asked) => {}
        Err(stop) => return Err(stop),
        Ok(_) => reader.rest(Rest::End)?,
    }
    Ok(reader.segments)
}

impl Reader<'_> {
    /// Play waits: those who are asked are told what is shown, and at the end all are.
    fn rest(&mut self, rest: Rest) -> Result<(), Stop> {
        let who = match &rest {
            Rest::Decision(arms) => arms.iter().map(|(player, _)| *player as usize).collect(),
            Rest::Chance(_) => PlayerSet::EMPTY,
            Rest::End => self.d.everyone(),
        };
        self.show(who, &|_| true)?;
        self.segments.push(Segment {
            events: std::mem::take(&mut self.events),
            rest,
        });
        Ok(())
    }

    /// The actions of the next step.
    fn ask(&mut self, rest: Rest) -> Result<Vec<Action>, Stop> {
        self.rest(rest)?;
        self.script.next().cloned().ok_or(Stop::Asked)
    }

    /// An event, and before it what is shown to those who see it. At the end all are shown everything anyway.
    fn tell(&mut self, viewers: PlayerSet, observation: Observation) -> Result<(), Stop> {
        if self.d.site(observation.site).kind != SiteKind::End {
            self.show(viewers, &|_| true)?;
        }
        if !viewers.is_empty() {
            self.events.push((viewers, observation));
        }
        Ok(())
    }

    /// Tells the values of shown defs to those among `who` who see them.
    fn show(&mut self, who: PlayerSet, wanted: &dyn Fn(SiteId) -> bool) -> Result<(), Stop> {
        let d = self.d;
        for def in d.shown.iter().filter(|def| wanted(def.site)) {
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
                let viewers = self.players(&def.viewers)? & who;
                if viewers.is_empty() {
                    continue;
                }
                let observation = Observation {
                    site: def.site,
                    chooser: None,
                    pattern: (1 << (args.len() + 1)) - 1,
                    values: args.into_iter().chain(value).collect(),
                };
                self.events.push((viewers, observation));
            }
        }
        Ok(())
    }
}

/// All values of a type that has a size, in order.
fn values_of(ty: &Type) -> Words {
    let size = ty.size().unwrap_or(0);
    (0..size).map(|i| ty.value_at(i) as u64).collect()
}
