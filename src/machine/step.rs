//! From node to node.

use super::endless::longest_loop;
use super::event_sink::{Answer, SinkHost};
use super::interpret::{Host, MAX_STEPS, Silent, Stop, run};
use super::playout::{ObservedSteps, Told};
use super::{Action, Event, Machine, Payoffs, PlayError, State, Turn};
use crate::compile::codes;
use crate::ir::meaning::Trouble;
use crate::ir::{FaultId, Listing, NodeKind};
use crate::model::{Claim, PlayerSet};
use crate::text::span::Span;
use smallvec::SmallVec;

impl Machine {
    /// The first node of play.
    ///
    /// # Errors
    /// Where the rules run into an error before it.
    pub fn initial(&self) -> Result<State, PlayError> {
        self.begin(&mut Silent)?
            .ok_or_else(|| self.trouble(Trouble::Index))
    }

    /// As [`Machine::initial`], with the events before the first node. A sink that answers `ControlFlow` may end the run
    /// early, and then there is no state.
    ///
    /// # Errors
    /// As [`Machine::initial`].
    pub fn initial_observed<A: Answer>(
        &self,
        sink: &mut dyn FnMut(Event<'_>) -> A,
    ) -> Result<A::Of<State>, PlayError> {
        let mut telling = SinkHost::of(PlayerSet::ALL, sink);
        let state = self.begin(&mut telling)?;
        telling
            .ended(state)
            .ok_or_else(|| self.trouble(Trouble::Index))
    }

    /// Plays on to the next node. `actions` holds one action for each player to move, in seating order; at a chance node
    /// the one outcome. They are taken to be what `legal`, `sample` or `outcomes` gave. The state is left as it was on an
    /// error.
    ///
    /// # Errors
    /// Where the rules run into an error, or the actions do not have the form of this node's.
    pub fn step(&self, state: &mut State, actions: &[Action]) -> Result<(), PlayError> {
        match self.advance(state, actions, &mut Silent)? {
            Some(()) => Ok(()),
            None => Err(self.trouble(Trouble::Index)),
        }
    }

    /// As [`Machine::step`], and passes on every event in order: the choices or the draw themselves first, then reveals
    /// and changes of shown values. A sink that answers `ControlFlow` may end the run early; the state is then left as it
    /// was.
    ///
    /// # Errors
    /// As [`Machine::step`].
    pub fn step_observed<A: Answer>(
        &self,
        state: &mut State,
        actions: &[Action],
        sink: &mut dyn FnMut(Event<'_>) -> A,
    ) -> Result<A::Of<()>, PlayError> {
        let mut telling = SinkHost::of(PlayerSet::ALL, sink);
        let stepped = self.tell(state, actions, &mut telling)?;
        telling
            .ended(stepped)
            .ok_or_else(|| self.trouble(Trouble::Index))
    }

    /// `None`: the run came to no node.
    pub(super) fn begin<H: Host>(&self, host: &mut H) -> Result<Option<State>, PlayError> {
        let mut frame = self.first_frame();
        match run(&self.program, &mut frame, self.program.entry, host) {
            Ok(Stop::Rest(node)) => Ok(Some(self.pack(&frame, node))),
            Ok(_) => Ok(None),
            Err(trouble) => {
                let first = self.description().play.stmts.first();
                Err(self.trouble_after(trouble, first.map(|s| s.span)))
            }
        }
    }

    /// A step with events: by machine code, where that is worth it by now, or else by the interpreter. `None`: nothing more
    /// was wanted, and the state is as it was.
    fn tell<H: Host>(
        &self,
        state: &mut State,
        actions: &[Action],
        host: &mut H,
    ) -> Result<Option<()>, PlayError> {
        match ObservedSteps::of(self) {
            Some(mut steps) => self.tell_natively(&mut steps, state, actions, host),
            None => self.advance(state, actions, host),
        }
    }

    /// The same by machine code.
    pub(super) fn tell_natively<H: Host>(
        &self,
        steps: &mut ObservedSteps<'_>,
        state: &mut State,
        actions: &[Action],
        host: &mut H,
    ) -> Result<Option<()>, PlayError> {
        let viewers = host.viewers();
        let mut sink = |event: Event<'_>| host.event(event, &[], None);
        match steps.step(state, actions, viewers, &mut sink)? {
            Told::Next => Ok(Some(())),
            Told::Enough => Ok(None),
            // The interpreter has the words for what is wrong; all that happens until then has been told.
            Told::Trouble(trouble) => {
                match self.advance(&mut state.clone(), actions, &mut Silent) {
                    Err(error) => Err(error),
                    Ok(_) => {
                        let node = &self.program.nodes[state.node as usize];
                        let error = self.trouble_after(trouble, Some(node.span));
                        Err(self.explain(state, actions, error))
                    }
                }
            }
        }
    }

    /// `None`: the run came to no node, and the state is as it was.
    pub(super) fn advance<H: Host>(
        &self,
        state: &mut State,
        actions: &[Action],
        host: &mut H,
    ) -> Result<Option<()>, PlayError> {
        let mut frame = self.unpack(state);
        let node = &self.program.nodes[state.node as usize];
        self.enter_all(state, actions, &mut frame)?;
        match run(&self.program, &mut frame, node.resume, host) {
            Ok(Stop::Rest(next)) => {
                *state = self.pack(&frame, next);
                Ok(Some(()))
            }
            Ok(_) => Ok(None),
            Err(trouble) => {
                let error = self.trouble_after(trouble, Some(node.span));
                Err(self.explain(state, actions, error))
            }
        }
    }

    /// Puts actions where the program looks for them.
    ///
    /// # Errors
    /// Where they do not have the form of this node's.
    pub(super) fn enter_all(
        &self,
        state: &State,
        actions: &[Action],
        frame: &mut [u64],
    ) -> Result<(), PlayError> {
        match &self.program.nodes[state.node as usize].kind {
            NodeKind::Terminal => return Err(self.misfit(state, "the game is over")),
            NodeKind::Chance(listing) => {
                let [outcome] = actions else {
                    return Err(self.misfit(state, "a draw has one outcome"));
                };
                self.enter(state, listing, outcome, frame)?;
            }
            NodeKind::Decision(arms) => {
                // Mostly one chooses.
                if let ([arm], [action]) = (&arms[..], actions)
                    && arm.active.is_none()
                {
                    return self.enter(state, &arm.listing, action, frame);
                }
                let Turn::Decision(players) = self.turn(state) else {
                    return Err(self.misfit(state, "nobody chooses here"));
                };
                let mut taking_part = 0;
                for arm in arms.iter().filter(|arm| self.is_active(state, arm)) {
                    let player = self.arm_player(state, arm);
                    let place = players.rank(player);
                    let Some(action) = actions.get(place) else {
                        return Err(self.misfit(state, "a player's action is missing"));
                    };
                    self.enter(state, &arm.listing, action, frame)?;
                    taking_part += 1;
                }
                if taking_part != players.len() {
                    return Err(self.misfit(state, "the same player is asked twice at a time"));
                }
                if actions.len() != taking_part {
                    return Err(self.misfit(state, "there are more actions than players to move"));
                }
            }
        }
        Ok(())
    }

    /// Puts an action where the program looks for it.
    fn enter(
        &self,
        state: &State,
        listing: &Listing,
        action: &Action,
        frame: &mut [u64],
    ) -> Result<(), PlayError> {
        let Some((&number, mut rest)) = action.0.split_first() else {
            return Err(self.misfit(state, "an action without values"));
        };
        let Some(alternative) = listing.alternatives.get(number as usize) else {
            return Err(self.misfit(state, "there is no such option"));
        };
        frame[listing.chosen as usize] = number;
        for (operand, ty) in &alternative.parts {
            let Some((value, after)) = rest.split_at_checked(operand.words as usize) else {
                return Err(self.misfit(state, "an action with too few values"));
            };
            if !ty.holds(value) {
                return Err(self.misfit(state, "an action with a value that does not exist"));
            }
            let from = operand.slot as usize;
            frame[from..from + value.len()].copy_from_slice(value);
            rest = after;
        }
        if rest.is_empty() {
            Ok(())
        } else {
            Err(self.misfit(state, "an action with too many values"))
        }
    }

    fn misfit(&self, state: &State, message: &str) -> PlayError {
        PlayError {
            code: codes::ILLEGAL_MOVE,
            span: self.program.nodes[state.node as usize].span,
            message: message.to_string(),
            hint: None,
        }
    }

    /// Adds to an error the moves, or the outcome, that led to it from `state`: for an error that was met in the state
    /// after them. The errors of [`Machine::step`] say it already.
    #[doc(hidden)]
    pub fn explain(&self, state: &State, actions: &[Action], mut error: PlayError) -> PlayError {
        let mut moves = Vec::new();
        match self.turn(state) {
            Turn::Decision(players) => {
                let acting = players.iter();
                for (player, action) in acting.zip(actions) {
                    moves.push(format!(
                        "{} chose `{}`",
                        self.player_name(player),
                        self.action_text(state, player, action, None)
                    ));
                }
            }
            Turn::Chance => {
                if let Some(outcome) = actions.first() {
                    let text = self.outcome_text(state, outcome, None);
                    moves.push(format!("`{text}` was drawn"));
                }
            }
            Turn::Terminal => {}
        }
        if !moves.is_empty() {
            error.message = format!("{} (after {})", error.message, moves.join(" and "));
        }
        error
    }

    /// The error of a run that began at `start`: where it ended says nothing when it did not end.
    pub(super) fn trouble_after(&self, trouble: Trouble, start: Option<Span>) -> PlayError {
        let endless = matches!(trouble, Trouble::TooManySteps);
        let mut error = self.trouble(trouble);
        let round = || longest_loop(&self.description().play);
        if let Some(place) = round().or(start).filter(|_| endless) {
            error.span = place;
        }
        error
    }

    pub(super) fn trouble(&self, trouble: Trouble) -> PlayError {
        match trouble {
            Trouble::Fault { fault, value } => self.fault_error(fault, value),
            Trouble::TooManySteps => PlayError {
                code: codes::TOO_MANY_STEPS,
                span: self.description().payoff.span,
                message: format!("the rules take more than {MAX_STEPS} steps between two moves"),
                hint: Some("look for a loop with a large bound and no choice inside".into()),
            },
            Trouble::Index => PlayError {
                code: codes::ILLEGAL_MOVE,
                span: self.description().payoff.span,
                message: "a move that was not among the options".into(),
                hint: None,
            },
        }
    }

    pub(super) fn fault_error(&self, fault: FaultId, value: i64) -> PlayError {
        let fault = &self.program.faults[fault as usize];
        PlayError {
            code: fault.code,
            span: fault.span,
            message: fault.message.replace("{}", &value.to_string()),
            hint: fault.hint.clone(),
        }
    }

    /// Payoffs at a terminal state.
    ///
    /// # Errors
    /// When the game is not over, when they do not add up to what the game claims, or when the rules of the payoff run
    /// into an error.
    pub fn payoffs(&self, state: &State) -> Result<Payoffs, PlayError> {
        Ok(self.in_payoff(&self.payoff_units(state)?))
    }

    /// Units of 1/[`Machine::payoff_denominator`] as payoffs.
    #[doc(hidden)]
    pub fn in_payoff(&self, units: &[i64]) -> Payoffs {
        let mut payoffs = Payoffs::new();
        self.fill_payoffs(units, &mut payoffs);
        payoffs
    }

    /// The same in a place that is there.
    #[doc(hidden)]
    #[inline]
    pub fn fill_payoffs(&self, units: &[i64], payoffs: &mut Payoffs) {
        let den = self.payoff_denominator() as f64;
        payoffs.clear();
        units.iter().for_each(|&n| payoffs.push(n as f64 / den));
    }

    /// Payoffs at a terminal state, exact, in units of 1/[`Machine::payoff_denominator`].
    ///
    /// # Errors
    /// As [`Machine::payoffs`].
    #[doc(hidden)]
    pub fn payoff_units(&self, state: &State) -> Result<SmallVec<[i64; 8]>, PlayError> {
        if self.turn(state) != Turn::Terminal {
            return Err(self.misfit(state, "there are no payoffs before the game is over"));
        }
        let payoff = &self.program.payoff;
        let mut frame = self.frames.borrow();
        self.unpack_over(state, &mut frame[..]);
        run(&self.program, &mut frame[..], payoff.code, &mut Silent)
            .map_err(|t| self.trouble(t))?;
        let units: SmallVec<[i64; 8]> = payoff
            .values
            .iter()
            .map(|&slot| frame[slot as usize] as i64)
            .collect();
        self.claimed(&units)?;
        Ok(units)
    }

    /// Whether payoffs add up to what the game claims.
    pub(super) fn claimed(&self, units: &SmallVec<[i64; 8]>) -> Result<(), PlayError> {
        let payoff = &self.program.payoff;
        if let Claim::ConstantSum { n, den } = self.description().payoff.claim {
            let mut sum = 0i128;
            for side in &self.description().payoff.sides {
                let mut members = side.iter();
                let Some(first) = members.next() else {
                    continue;
                };
                sum += i128::from(units[first]);
                if let Some(other) = members.find(|&p| units[p] != units[first]) {
                    let error = self.fault_error(payoff.fault, 0);
                    return Err(PlayError {
                        message: format!(
                            "{} and {} are in one team and get different payoffs, and the game claims a sum over the teams",
                            self.player_name(first),
                            self.player_name(other)
                        ),
                        ..error
                    });
                }
            }
            if sum * i128::from(den) != i128::from(n) * i128::from(payoff.den) {
                let error = self.fault_error(payoff.fault, 0);
                let show = |units: &mut dyn Iterator<Item = i64>| {
                    let shown = units.map(|u| crate::model::types::show_ratio(u, payoff.den));
                    shown.collect::<Vec<_>>().join(", ")
                };
                let sides = &self.description().payoff.sides;
                let mut shown = show(&mut units.iter().copied());
                if sides.iter().any(|side| side.len() > 1) {
                    let first = sides.iter().filter_map(|side| side.iter().next());
                    let once = show(&mut first.map(|player| units[player]));
                    shown = format!("{shown} ({once} with each team once)");
                }
                let shares = sum == i128::from(payoff.den);
                let hint = "payoffs that add up to 1, as those of `share` do, are `constant-sum 1`";
                return Err(PlayError {
                    hint: shares.then(|| hint.to_owned()).or(error.hint),
                    message: format!(
                        "the payoffs are {}, and the game claims that they add up to {}",
                        shown,
                        crate::model::types::show_ratio(n, den)
                    ),
                    ..error
                });
            }
        }
        Ok(())
    }

    #[doc(hidden)]
    pub fn payoff_denominator(&self) -> i64 {
        self.program.payoff.den
    }
}
