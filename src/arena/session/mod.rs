//! A game in which people sit at some seats: it stops where one of them is asked, and can be taken back and taken up
//! again. No terminal is met here.
//!
//! The state of the game stays in the session. A person gets a [`SeatView`], which holds texts alone and is made of what
//! reached that seat. A hint comes from a player that is told the observations of that seat and nothing else.
//!
//! *Undo* goes back to a person's own last decision and plays everything before it again. Chance and the other players
//! keep their streams of random numbers: after the same moves the same things happen, so nothing is gained by taking a
//! move back and making it again. What the person saw in the meantime cannot be unseen.

mod boards;
mod ink;
pub mod input;
mod page;
pub mod screen;
mod seat_view;
mod tables;
mod tallies;

pub use page::Page;
pub use seat_view::SeatView;

use super::error::ArenaError;
use super::game::{CHANCE, Ply};
use super::own_record::OwnRecord;
use crate::machine::seat::{EventTexts, Rows};
use crate::machine::step_text::{Transition, step_text};
use crate::machine::{
    Action, Actions, Event, Machine, Observation, Payoffs, PlayError, Seat, State, Turn,
};
use crate::model::PlayerSet;
use crate::players::{Clock, Patience, Player, PlayerError, PlayerSpec, Question, Thought, build};
use crate::random::{Stream, derive, stream};
use crate::text::sources::Sources;
use std::sync::Arc;

/// The stream of hints within a game, beside those of the seats.
const HINTS: u64 = u64::MAX - 1;

/// Who sits at a seat.
#[derive(Clone, Debug)]
pub enum Occupant {
    Person,
    Player(PlayerSpec),
}

/// The word for a person among the players of a record.
pub const PERSON: &str = "person";

impl std::fmt::Display for Occupant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Occupant::Person => f.write_str(PERSON),
            Occupant::Player(spec) => spec.fmt(f),
        }
    }
}

/// What the session waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Waiting {
    /// For the person at this seat to choose.
    Choice(usize),
    /// For nothing: the game is over.
    End(Payoffs),
    /// Nobody waits any more.
    Stopped,
}

/// What another player would do in the place of a person.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The place of an option.
    pub option: usize,
    /// Whether it chose that blindly ([`Player::blind_choices`]).
    pub blind: bool,
    pub thought: Thought,
}

/// One game.
pub struct Session {
    machine: Arc<Machine>,
    texts: EventTexts,
    clock: Clock,
    occupants: Vec<Occupant>,
    /// By seat; nobody where a person sits.
    players: Vec<Option<Box<dyn Player>>>,
    seed: u64,
    game: u64,
    chance: Stream,
    state: State,
    plies: Vec<Ply>,
    /// By seat: what people have chosen here already, while others are still to choose.
    chosen: Vec<Option<Action>>,
    /// What has reached the people, in seating order.
    seats: Vec<Seat>,
    /// Nobody waited for a player: what it was about to choose is dropped, and the game has to be taken up anew.
    is_cut: bool,
}

impl Session {
    /// Begins game number `game` under a seed, with one entry of `occupants` for each seat. Chance and players draw from the
    /// same streams as in `play_game` where not all players are random.
    ///
    /// # Errors
    /// [`ArenaError::Player`] for a player that cannot play the game, [`ArenaError::Rules`] before the first node.
    pub fn new(
        machine: &Arc<Machine>,
        occupants: Vec<Occupant>,
        seed: u64,
        game: u64,
        clock: &Clock,
    ) -> Result<Session, ArenaError> {
        let mut players = Vec::new();
        for (p, occupant) in occupants.iter().enumerate() {
            players.push(match occupant {
                Occupant::Person => None,
                Occupant::Player(spec) => {
                    let built = build(spec, machine, clock);
                    Some(built.map_err(|error| ArenaError::Player {
                        game: None,
                        seat: machine.player_name(p).to_string(),
                        error,
                    })?)
                }
            });
        }
        let state = machine
            .initial()
            .map_err(|error| ArenaError::Rules { game, error })?;
        let n = machine.player_count();
        let mut session = Session {
            machine: Arc::clone(machine),
            texts: EventTexts::new(machine),
            clock: Arc::clone(clock),
            occupants,
            players,
            seed,
            game,
            chance: stream(seed, &[game, CHANCE]),
            state,
            plies: Vec::new(),
            chosen: vec![None; n],
            seats: Vec::new(),
            is_cut: false,
        };
        session.restart()?;
        Ok(session)
    }

    /// From now on what is revealed is told with the words of the rule that reveals it. The sources are those of the game.
    pub fn quote(&mut self, sources: &Sources) {
        self.texts.call(sources);
    }

    pub fn machine(&self) -> &Arc<Machine> {
        &self.machine
    }

    pub fn occupants(&self) -> &[Occupant] {
        &self.occupants
    }

    /// The number of the game, from 0.
    pub fn game(&self) -> u64 {
        self.game
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Everything that happened so far, hidden or not: for records, and not for people who still play.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The seats of people, in seating order.
    pub fn people(&self) -> impl Iterator<Item = usize> + '_ {
        let seats = self.occupants.iter().enumerate();
        seats.filter_map(|(p, who)| matches!(who, Occupant::Person).then_some(p))
    }

    /// What has reached the person at a seat; `None` where no person sits.
    pub fn seat(&self, seat: usize) -> Option<&Seat> {
        self.seats.iter().find(|s| s.player() == seat)
    }

    /// Lets everybody else play until a person is asked, the game is over or patience ends, in the middle of a search too.
    /// Where several choose at a time, people are asked first, in seating order, and nobody learns of a choice before all are
    /// made.
    ///
    /// # Errors
    /// As `play_game`.
    pub fn advance(&mut self, patience: Patience<'_>) -> Result<Waiting, ArenaError> {
        loop {
            if let Some(waiting) = self.step_on(patience)? {
                return Ok(waiting);
            }
        }
    }

    /// As [`Session::advance`], for one ply at most: `None` after one.
    ///
    /// # Errors
    /// As `play_game`.
    pub fn step_on(&mut self, patience: Patience<'_>) -> Result<Option<Waiting>, ArenaError> {
        if self.is_cut {
            let (plies, chosen) = (self.plies.clone(), self.chosen.clone());
            let is_whole = self.take_up(&plies, patience)?;
            self.chosen = chosen;
            if !is_whole {
                return Ok(Some(Waiting::Stopped));
            }
        }
        let actions = match self.machine.turn(&self.state) {
            Turn::Terminal => {
                let payoffs = self.machine.payoffs(&self.state);
                let end = payoffs.map(Waiting::End).map_err(|e| self.rules(e));
                return end.map(Some);
            }
            _ if !patience.waits(0) => return Ok(Some(Waiting::Stopped)),
            Turn::Chance => {
                let outcome = self.machine.sample_chance(&self.state, &mut self.chance);
                vec![outcome.map_err(|e| self.rules(e))?]
            }
            Turn::Decision(movers) => {
                let asked = self.people().find(|p| self.is_to_choose(movers, *p));
                if let Some(seat) = asked {
                    return Ok(Some(Waiting::Choice(seat)));
                }
                let mut actions = Vec::with_capacity(movers.len());
                for seat in movers {
                    if let Some(action) = &self.chosen[seat] {
                        actions.push(action.clone());
                        continue;
                    }
                    let action = self.ask(seat, patience)?;
                    if !patience.waits(0) {
                        self.is_cut = true;
                        return Ok(Some(Waiting::Stopped));
                    }
                    actions.push(action);
                }
                self.chosen.fill(None);
                actions
            }
        };
        self.step(actions)?;
        Ok(None)
    }

    /// Makes the choice of the person at a seat, who is asked: the place of an option in [`SeatView::options`]. False where
    /// there is no such option, or the person is not asked.
    ///
    /// # Errors
    /// [`ArenaError::Rules`]
    pub fn choose(&mut self, seat: usize, option: usize) -> Result<bool, ArenaError> {
        let Turn::Decision(movers) = self.machine.turn(&self.state) else {
            return Ok(false);
        };
        if !self.is_to_choose(movers, seat) || !self.is_person(seat) {
            return Ok(false);
        }
        let legal = self.legal(seat)?;
        let Some(action) = legal.get(option) else {
            return Ok(false);
        };
        self.chosen[seat] = Some(action.clone());
        Ok(true)
    }

    /// Goes back to the last decision of the person at a seat. False where there was none. Where patience ends on the way, the
    /// next [`Session::advance`] goes on with it.
    ///
    /// # Errors
    /// As [`Session::advance`].
    pub fn undo(&mut self, seat: usize, patience: Patience<'_>) -> Result<bool, ArenaError> {
        let mut state = self.machine.initial().map_err(|e| self.rules(e))?;
        let mut last = None;
        for (i, ply) in self.plies.iter().enumerate() {
            if let Turn::Decision(movers) = self.machine.turn(&state)
                && movers.contains(seat)
            {
                last = Some(i);
            }
            let step = self.machine.step(&mut state, &ply.actions);
            step.map_err(|e| self.rules(e))?;
        }
        let Some(last) = last else {
            return Ok(false);
        };
        let mut plies = self.plies.clone();
        plies.truncate(last);
        self.take_up(&plies, patience)?;
        Ok(true)
    }

    /// Plays the game from its beginning up to the end of `plies`, which are taken to fit the rules. Players that go on with
    /// what they thought before think again. False where patience ends on the way: then [`Session::plies`] are all of
    /// them, and the next [`Session::advance`] takes them up.
    ///
    /// # Errors
    /// As [`Session::advance`].
    pub fn take_up(&mut self, plies: &[Ply], patience: Patience<'_>) -> Result<bool, ArenaError> {
        self.restart()?;
        for ply in plies {
            match self.machine.turn(&self.state) {
                Turn::Terminal => break,
                Turn::Chance => {
                    // The draw is made again so that the stream goes on from where it was.
                    let outcome = self.machine.sample_chance(&self.state, &mut self.chance);
                    outcome.map_err(|e| self.rules(e))?;
                }
                Turn::Decision(movers) => {
                    for seat in movers {
                        self.decided(seat, patience)?;
                    }
                }
            }
            if !patience.waits(0) {
                self.is_cut = true;
                self.plies = plies.to_vec();
                return Ok(false);
            }
            self.step(ply.actions.clone())?;
        }
        Ok(true)
    }

    /// What another player would choose in the place of the person at a seat, who is asked. The same question gives the same
    /// hint, unless patience ends before.
    ///
    /// # Errors
    /// When the player cannot play the game, or fails.
    pub fn hint(
        &self,
        seat: usize,
        spec: &PlayerSpec,
        patience: Patience<'_>,
    ) -> Result<Hint, ArenaError> {
        let legal = self.legal(seat)?;
        let question = self.question(seat, &legal, patience);
        let steps: Vec<Vec<Action>> = self.plies.iter().map(|p| p.actions.clone()).collect();
        let mut own = OwnRecord::of(&self.machine, seat, &steps).map_err(|e| self.rules(e))?;
        // The last question is the one that is asked now.
        own.asked.pop();
        let choose = || {
            let mut player = build(spec, &self.machine, &self.clock)?;
            let observations = self.seat(seat).map_or(&[][..], Seat::observations);
            let purpose = [self.game, HINTS, seat as u64, observations.len() as u64];
            player.begin(seat, derive(self.seed, &purpose))?;
            let mut told = 0;
            for asked in &own.asked {
                let until = asked.seen.clamp(told, observations.len());
                for observation in &observations[told..until] {
                    player.observe(observation)?;
                }
                told = until;
                player.recall(&Question {
                    node: asked.node,
                    seat,
                    actions: &asked.actions,
                    patience,
                })?;
            }
            for observation in &observations[told..] {
                player.observe(observation)?;
            }
            let option = player.choose(&question)?;
            Ok(Hint {
                option,
                blind: player.blind_choices() > 0,
                thought: player.thought(),
            })
        };
        let hint = choose().map_err(|e| self.failed(seat, e))?;
        if hint.option < legal.len() {
            Ok(hint)
        } else {
            Err(self.bad_answer(seat))
        }
    }

    /// The players that are to choose now, with how many options each has. Where something is hidden, that is not for people
    /// who still play.
    ///
    /// # Errors
    /// [`ArenaError::Rules`]
    pub fn asked(&self) -> Result<Vec<(usize, &PlayerSpec, usize)>, ArenaError> {
        let mut asked = Vec::new();
        if let Turn::Decision(movers) = self.machine.turn(&self.state) {
            for seat in movers {
                if let Occupant::Player(spec) = &self.occupants[seat] {
                    asked.push((seat, spec, self.legal(seat)?.len()));
                }
            }
        }
        Ok(asked)
    }

    /// How many choices a player made blindly ([`Player::blind_choices`]); a person none.
    pub fn blind_choices(&self, seat: usize) -> u64 {
        let player = self.players.get(seat).and_then(Option::as_ref);
        player.map_or(0, |player| player.blind_choices())
    }

    /// What the person at a seat may see now. There are no options any more once the person has chosen.
    ///
    /// # Errors
    /// [`ArenaError::Rules`], and [`ArenaError::BadAnswer`] where no person sits.
    pub fn view(&self, seat: usize) -> Result<SeatView, ArenaError> {
        let told = self.seat(seat).ok_or_else(|| self.bad_answer(seat))?;
        let view = SeatView::new(&self.machine, &self.state, told, &self.texts);
        let mut view = view.map_err(|e| self.rules(e))?;
        if self.chosen[seat].is_some() {
            view.options.clear();
        }
        Ok(view)
    }

    /// How things lie for a seat where play rests now, whether it is asked or not: for whoever looks at the game from
    /// outside.
    pub fn board(&self, seat: usize) -> SeatView {
        let view = self.machine.view(&self.state, seat);
        let unset = self.seat(seat).map(Seat::unset).unwrap_or_default();
        SeatView {
            name: self.machine.player_name(seat).to_string(),
            seats: seat_view::names(&self.machine),
            boards: self.machine.render_set(&self.state, Some(seat), &unset),
            view: match self.seat(seat) {
                Some(own) => seat_view::shortened(view, own),
                None => view,
            },
            shown: match self.seat(seat) {
                Some(own) => own.shown(&self.texts),
                None => Vec::new(),
            },
            ..SeatView::default()
        }
    }

    /// The whole of a game that is over, for everybody: all that happened, and how things lie at the end.
    ///
    /// # Errors
    /// [`ArenaError::Rules`]
    pub fn uncovered(&self) -> Result<Option<SeatView>, ArenaError> {
        if self.machine.turn(&self.state) != Turn::Terminal {
            return Ok(None);
        }
        let machine = &self.machine;
        let mut state = machine.initial().map_err(|e| self.rules(e))?;
        let mut rows = Vec::with_capacity(self.plies.len());
        for ply in &self.plies {
            let mut after = state.clone();
            let stepped = machine.step(&mut after, &ply.actions);
            stepped.map_err(|e| self.rules(e))?;
            let step = Transition {
                ply: rows.len() + 1,
                before: &state,
                after: &after,
                actions: &ply.actions,
            };
            rows.push(step_text(machine, &step));
            state = after;
        }
        Ok(Some(SeatView {
            seats: seat_view::names(machine),
            boards: machine.render(&state, None),
            view: machine.whole_view(&state),
            told: Rows { rows, since: 0 },
            ..SeatView::default()
        }))
    }

    fn is_person(&self, seat: usize) -> bool {
        matches!(self.occupants.get(seat), Some(Occupant::Person))
    }

    fn is_to_choose(&self, movers: PlayerSet, seat: usize) -> bool {
        movers.contains(seat) && self.chosen[seat].is_none()
    }

    fn legal(&self, seat: usize) -> Result<Actions, ArenaError> {
        let mut legal = Actions::default();
        let listed = self.machine.legal(&self.state, seat, &mut legal);
        listed.map_err(|e| self.rules(e))?;
        Ok(legal)
    }

    fn question<'a>(
        &self,
        seat: usize,
        actions: &'a Actions,
        patience: Patience<'a>,
    ) -> Question<'a> {
        Question {
            node: self.machine.node(&self.state),
            seat,
            actions,
            patience,
        }
    }

    fn restart(&mut self) -> Result<(), ArenaError> {
        self.is_cut = false;
        for seat in 0..self.players.len() {
            let own = derive(self.seed, &[self.game, seat as u64]);
            if let Some(player) = &mut self.players[seat] {
                let begun = player.begin(seat, own);
                begun.map_err(|e| self.failed(seat, e))?;
            }
        }
        self.chance = stream(self.seed, &[self.game, CHANCE]);
        self.plies.clear();
        self.chosen.fill(None);
        let mut seats = Vec::from_iter(self.people().map(|p| Seat::new(&self.machine, p)));
        let mut events = Vec::new();
        let told = &mut |e: Event<'_>| events.push(seen(&e));
        let state = self.machine.initial_seated(&mut seats, told);
        self.state = state.map_err(|e| self.rules(e))?;
        self.seats = seats;
        self.send_events(&events)
    }

    fn ask(&mut self, seat: usize, patience: Patience<'_>) -> Result<Action, ArenaError> {
        let legal = self.legal(seat)?;
        let question = self.question(seat, &legal, patience);
        let Some(player) = &mut self.players[seat] else {
            return Err(self.bad_answer(seat));
        };
        let option = player.choose(&question);
        let option = option.map_err(|e| self.failed(seat, e))?;
        let action = legal.get(option).cloned();
        action.ok_or_else(|| self.bad_answer(seat))
    }

    /// Lets a seat pass over a decision that is made already.
    fn decided(&mut self, seat: usize, patience: Patience<'_>) -> Result<(), ArenaError> {
        let legal = self.legal(seat)?;
        let question = self.question(seat, &legal, patience);
        let Some(player) = &mut self.players[seat] else {
            return Ok(());
        };
        let decided = player.decided(&question);
        decided.map_err(|e| self.failed(seat, e))
    }

    fn step(&mut self, actions: Vec<Action>) -> Result<(), ArenaError> {
        let (mut events, mut after) = (Vec::new(), self.state.clone());
        let told = &mut |e: Event<'_>| events.push(seen(&e));
        let stepped = self
            .machine
            .step_seated(&mut after, &actions, &mut self.seats, told);
        stepped.map_err(|e| self.rules(e))?;
        let node = self.machine.node(&self.state);
        self.plies.push(Ply { node, actions });
        self.state = after;
        self.send_events(&events)
    }

    /// Gives everybody their own part of what happened, in order.
    fn send_events(&mut self, events: &[(PlayerSet, Observation)]) -> Result<(), ArenaError> {
        for (viewers, observation) in events {
            for seat in *viewers {
                if let Some(player) = &mut self.players[seat] {
                    let observed = player.observe(observation);
                    observed.map_err(|e| self.failed(seat, e))?;
                }
            }
        }
        Ok(())
    }

    fn rules(&self, error: PlayError) -> ArenaError {
        ArenaError::Rules {
            game: self.game,
            error,
        }
    }

    fn failed(&self, seat: usize, error: PlayerError) -> ArenaError {
        ArenaError::Player {
            game: Some(self.game),
            seat: self.machine.player_name(seat).to_string(),
            error,
        }
    }

    fn bad_answer(&self, seat: usize) -> ArenaError {
        ArenaError::BadAnswer {
            game: self.game,
            seat: self.machine.player_name(seat).to_string(),
        }
    }
}

fn seen(event: &Event<'_>) -> (PlayerSet, Observation) {
    (event.viewers, Observation::from(event))
}
