//! A game by the rules, from its beginning to an end.

use super::memory::Memory;
use crate::machine::{
    Action, Actions, InformationKeys, Machine, Outcomes, Payoffs, PlayError, State, Stepper, Turn,
};
use crate::model::PlayerSet;
use crate::random::Stream;
use crate::search::history::key;
use crate::search::history::target::{LISTED, OnWay, Target, Way};
use crate::search::mcts::RollOuts;
use crate::search::mcts::roll_outs::RollOut;
use crate::solve::regret::outcome_walk::{Place, Walk};
use crate::solve::regret::sampling::RegretTables;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use std::hash::BuildHasher;
use std::ops::Range;
use std::rc::Rc;

/// How games begin, before the first node.
pub struct Start {
    state: State,
    keys: InformationKeys,
    /// How much of what the searching player saw is told by then.
    used: usize,
    aims: bool,
}

impl Start {
    pub fn new(machine: &Machine, target: Option<&mut Target<'_>>) -> Result<Start, PlayError> {
        let mut keys = InformationKeys::new(machine.player_count());
        let mut used = Some(0);
        let state = machine.initial_observed(&mut |event| {
            keys.see(&event);
            if let (Some(target), Some(before)) = (&target, used) {
                used = target.hear(before, &event);
            }
        })?;
        let mut start = Start {
            state,
            keys,
            used: used.unwrap_or(0),
            aims: false,
        };
        if let Some(target) = target {
            let at = OnWay {
                state: start.state.clone(),
                used: start.used,
            };
            start.aims = used.is_some() && target.way(&at)? == Way::Open;
        }
        Ok(start)
    }
}

/// What is to be decided at the node where the walk stands.
enum Node {
    /// Not looked at yet.
    New,
    /// With the outcomes.
    Chance(Outcomes),
    Decision(Deciding),
    End(Payoffs),
}

/// Players who choose at the same time.
struct Deciding {
    movers: PlayerSet,
    lists: SmallVec<[Actions; 4]>,
    /// For each mover its choices in the tables, if there is room for them.
    known: SmallVec<[Option<Range<usize>>; 4]>,
    /// What those chose who have chosen.
    chosen: SmallVec<[usize; 4]>,
    /// After this the game is played on without learning.
    leaving: bool,
}

impl Deciding {
    /// The action of each mover, once all have chosen.
    fn joint(&self) -> SmallVec<[&Action; 4]> {
        let chosen = std::iter::zip(&self.lists, &self.chosen);
        chosen.map(|(list, &place)| &list[place]).collect()
    }
}

/// What games are played with, one after the other.
pub struct Engines<'m> {
    roll_out: Box<dyn RollOut + 'm>,
    stepper: Stepper<'m>,
}

impl<'m> Engines<'m> {
    pub fn new(machine: &'m Machine, roll_outs: &RollOuts) -> Engines<'m> {
        Engines {
            roll_out: roll_outs.start(machine),
            stepper: machine.stepper(),
        }
    }
}

pub struct GameWalk<'w, 't, 'm> {
    machine: &'w Machine,
    target: Option<&'w mut Target<'t>>,
    memory: &'w mut Memory,
    engines: &'w mut Engines<'m>,
    at: OnWay,
    keys: InformationKeys,
    /// The way still tells what was seen, and has not come to the question yet.
    aims: bool,
    node: Node,
    /// A key of all that was chosen and drawn before this node.
    path: u64,
    /// Where chance decides, or what is taken for chance.
    chances: Vec<f64>,
    /// For each joint choice or outcome here, whether the question can come after it.
    fitting: Option<Rc<[bool]>>,
}

impl<'w, 't, 'm> GameWalk<'w, 't, 'm> {
    pub fn new(
        machine: &'w Machine,
        start: &Start,
        target: Option<&'w mut Target<'t>>,
        memory: &'w mut Memory,
        engines: &'w mut Engines<'m>,
    ) -> GameWalk<'w, 't, 'm> {
        GameWalk {
            machine,
            target,
            memory,
            engines,
            at: OnWay {
                state: start.state.clone(),
                used: start.used,
            },
            keys: start.keys.clone(),
            aims: start.aims,
            node: Node::New,
            path: 0,
            chances: Vec::new(),
            fitting: None,
        }
    }

    /// What a player is paid at the end, in units of payoff.
    pub fn paid(&self, player: usize) -> f64 {
        match &self.node {
            Node::End(payoffs) => payoffs[player],
            _ => 0.0,
        }
    }

    fn step(&mut self, actions: &[Action]) -> Result<(), PlayError> {
        self.node = Node::New;
        self.path = FxBuildHasher.hash_one((self.path, actions));
        let keys = &mut self.keys;
        let target = self.target.as_deref().filter(|_| self.aims);
        let mut used = Some(self.at.used);
        self.machine
            .step_observed(&mut self.at.state, actions, &mut |event| {
                keys.see(&event);
                if let (Some(target), Some(before)) = (target, used) {
                    used = target.hear(before, &event);
                }
            })?;
        if let Some(target) = target {
            self.at.used = used.unwrap_or(0);
            self.aims = used.is_some() && target.way(&self.at)? == Way::Open;
        }
        Ok(())
    }

    /// What is to be decided where something is drawn, if it matters what.
    fn draw(&mut self) -> Result<Option<Outcomes>, PlayError> {
        let Some(target) = self.target.as_deref_mut().filter(|_| self.aims) else {
            return Ok(None);
        };
        let mut outcomes = Outcomes::default();
        let few = self
            .machine
            .few_outcomes(&self.at.state, LISTED, &mut outcomes)?;
        if !few {
            return Ok(None);
        }
        self.fitting = target.fitting_outcomes(&self.at, &outcomes)?;
        self.chances.clear();
        let chances = (0..outcomes.list.len()).map(|i| outcomes.probability(i));
        self.chances.extend(chances);
        Ok(Some(outcomes))
    }

    fn decide(
        &mut self,
        movers: PlayerSet,
        tables: &mut RegretTables,
    ) -> Result<Deciding, PlayError> {
        let mut deciding = Deciding {
            movers,
            lists: SmallVec::new(),
            known: SmallVec::new(),
            chosen: SmallVec::new(),
            leaving: false,
        };
        let place = self.machine.node(&self.at.state);
        for mover in movers {
            let mut list = Actions::default();
            let stepper = &mut self.engines.stepper;
            stepper.legal_at(&self.at.state, mover, &mut list)?;
            let key = key(&self.keys, mover, place, &list);
            let found = self.memory.find_or_add(mover, key, list.len(), tables);
            let was_known = found.as_ref().is_some_and(|(_, was_known)| *was_known);
            deciding.leaving |= !was_known && !self.aims;
            deciding.known.push(found.map(|(choices, _)| choices));
            deciding.lists.push(list);
        }
        self.fitting = match self.target.as_deref_mut().filter(|_| self.aims) {
            Some(target) => target.fitting_choices(&self.at, movers, &deciding.lists)?,
            None => None,
        };
        Ok(deciding)
    }
}

impl Walk for GameWalk<'_, '_, '_> {
    type Error = PlayError;

    fn players(&self) -> usize {
        self.machine.player_count()
    }

    fn place(&mut self, tables: &mut RegretTables, rng: &mut Stream) -> Result<Place, PlayError> {
        while matches!(self.node, Node::New) {
            self.node = match self.machine.turn(&self.at.state) {
                Turn::Terminal => Node::End(self.machine.payoffs(&self.at.state)?),
                Turn::Decision(movers) => Node::Decision(self.decide(movers, tables)?),
                Turn::Chance => match self.draw()? {
                    Some(outcomes) => Node::Chance(outcomes),
                    // Whatever is drawn, nothing more is to be said of it.
                    None => {
                        let outcome = self.machine.sample_chance(&self.at.state, rng)?;
                        self.step(&[outcome])?;
                        continue;
                    }
                },
            };
        }
        let Node::Decision(deciding) = &self.node else {
            return Ok(match self.node {
                Node::Chance(_) => Place::Chance,
                _ => Place::End,
            });
        };
        let turn = deciding.chosen.len();
        let player = deciding.movers.iter().nth(turn);
        Ok(match (&deciding.known[turn], player) {
            (Some(choices), Some(player)) => Place::Decision {
                player,
                choices: choices.clone(),
            },
            // Nothing can be kept: it is as if chance decided.
            _ => {
                let choices = deciding.lists[turn].len();
                self.chances.clear();
                self.chances.resize(choices, 1.0 / choices as f64);
                Place::Chance
            }
        })
    }

    fn chances(&self) -> &[f64] {
        &self.chances
    }

    fn aim(&mut self, allowed: &mut Vec<bool>) -> Result<bool, PlayError> {
        let Some(fitting) = self.fitting.as_ref().filter(|_| self.aims) else {
            return Ok(false);
        };
        allowed.clear();
        let Node::Decision(deciding) = &self.node else {
            allowed.extend_from_slice(fitting);
            return Ok(true);
        };
        // Of the joint choices those that begin as the movers before chose; some of them with each choice of this one.
        let turn = deciding.chosen.len();
        let before = std::iter::zip(&deciding.lists, &deciding.chosen);
        let before = before.fold(0, |number, (list, &chosen)| number * list.len() + chosen);
        let after = deciding.lists[turn + 1..].iter();
        let after: usize = after.map(|list| list.len()).product();
        let choices = deciding.lists[turn].len();
        allowed.extend((0..choices).map(|choice| {
            let first = (before * choices + choice) * after;
            fitting[first..first + after].contains(&true)
        }));
        Ok(true)
    }

    fn history(&mut self, choices: usize) -> Option<usize> {
        let path = match &self.node {
            Node::Decision(deciding) => FxBuildHasher.hash_one((self.path, &deciding.chosen[..])),
            _ => self.path,
        };
        self.memory.history(path, choices)
    }

    fn go(&mut self, choice: usize, rng: &mut Stream) -> Result<(), PlayError> {
        match &mut self.node {
            Node::Chance(outcomes) => {
                let outcome = outcomes.list.swap_remove(choice).0;
                self.step(&[outcome])
            }
            Node::Decision(deciding) => {
                deciding.chosen.push(choice);
                if deciding.chosen.len() < deciding.lists.len() {
                    return Ok(());
                }
                if deciding.leaving {
                    let (state, joint) = (&self.at.state, deciding.joint());
                    let mut payoffs = Payoffs::new();
                    let roll_out = &mut self.engines.roll_out;
                    roll_out.play_after(state, &joint, rng, &mut payoffs)?;
                    drop(joint);
                    self.node = Node::End(payoffs);
                    return Ok(());
                }
                let joint: SmallVec<[Action; 4]> = deciding.joint().into_iter().cloned().collect();
                self.step(&joint)
            }
            Node::New | Node::End(_) => Ok(()),
        }
    }

    /// Counted from the middle of what it can be, so that estimates vary less.
    fn payoff(&self, player: usize) -> f64 {
        let (least, most) = self.machine.features().payoff_bounds[player];
        self.paid(player) - (least + most) / 2.0
    }
}
