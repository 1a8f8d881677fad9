//! Which code there is for playouts by a policy, and what a machine says of it.

use super::engine::{Engine, Native, NativeFlow, NoNative, playouts_before};
use super::portable::{self, Code};
use super::{cursor, lists, observed_steps, stepping};
use crate::compile::optimise::{Until, optimise};
use crate::compile::playout::{Flow, PlayoutOptions, flow};
use crate::compile::playout_policy::{PlayoutPolicy, UNIFORM};
use crate::ir::Program;
use crate::ir::cost::count;
use crate::machine::Machine;
use crate::model::Claim;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock, PoisonError};

/// The code of playouts by one policy, made when it is first asked for.
#[derive(Debug, Default)]
pub(in crate::machine) struct Codes {
    pub(super) policy: PlayoutPolicy,
    pub(super) silent: OnceLock<Option<Code>>,
    pub(super) observed: OnceLock<Option<Code>>,
    pub(super) after: OnceLock<Option<Code>>,
    pub(super) counted: OnceLock<Option<Code>>,
    pub(super) steps: OnceLock<Option<stepping::StepCode>>,
    pub(super) lasting_steps: OnceLock<Option<stepping::StepCode>>,
    /// Steps by the interpreter, before there is code.
    pub(super) slow_steps: AtomicUsize,
    pub(super) lists: lists::ListCodes,
    pub(super) moves: cursor::MoveCodes,
    pub(super) native: Native,
    pub(super) native_after: Native,
    pub(super) native_counted: Native,
    pub(super) native_observed: Native,
    pub(super) observed_steps: observed_steps::StepCode,
    pub(super) engine: Engine,
    /// How many passes are run; `None`: all.
    pub(super) passes: Option<usize>,
}

#[doc(hidden)]
impl Machine {
    /// Writes the flow of playouts and makes it small. What is made of it later begins there.
    pub fn write_playouts(&self) {
        let options = PlayoutOptions::default();
        let made = self.codes.silent.get().is_some() || self.codes.native.is_made();
        if !made && self.codes.policy.is_fusible(&self.program) {
            let flow = self.codes.flow(&self.program, options);
            self.codes.kept_of(options).keep(flow);
        }
    }

    /// Whether machine code was made for playouts so far, by whatever policy.
    pub fn has_native_code(&self) -> bool {
        let known = self.policies.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = known.iter().chain(std::iter::once(&self.codes));
        all.any(|codes| codes.natives().into_iter().any(Native::is_made))
    }

    /// Why no machine code was made for playouts, though it was to be.
    pub fn no_native_code(&self) -> Option<NoNative> {
        if self.has_native_code() {
            return None;
        }
        let known = self.policies.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = known.iter().chain(std::iter::once(&self.codes));
        all.find_map(|codes| codes.natives().into_iter().find_map(Native::refused))
    }

    /// Whether a step with events that is asked for now is made by machine code.
    pub fn tells_natively(&self) -> bool {
        self.codes.observed_step(self).is_some()
    }

    /// The flow of a silent playout after some of the passes.
    pub fn playout_flow(&self, until: Until<'_>) -> Flow {
        optimised(&self.program, PlayoutOptions::default(), &UNIFORM, until)
    }

    /// The same machine with playouts by an engine. Machines begin with [`Engine::Either`].
    pub fn with_engine(self, engine: Engine) -> Machine {
        let codes = Codes {
            engine,
            passes: self.codes.passes,
            ..Codes::default()
        };
        Machine {
            codes: Arc::new(codes),
            policies: Default::default(),
            ..self
        }
    }

    /// The same machine with playouts after the first of the passes only.
    #[cfg(test)]
    pub(crate) fn with_passes(self, passes: usize) -> Machine {
        let codes = Codes {
            engine: self.codes.engine,
            passes: Some(passes),
            ..Codes::default()
        };
        Machine {
            codes: Arc::new(codes),
            ..self
        }
    }
}

impl Codes {
    /// Where the machine code of each kind of playout is kept.
    fn natives(&self) -> [&Native; 4] {
        [
            &self.native,
            &self.native_after,
            &self.native_counted,
            &self.native_observed,
        ]
    }

    /// `None` where playouts go state by state: the frame is too long, or the policy needs the whole list at once.
    pub(super) fn code(&self, machine: &Machine, options: PlayoutOptions) -> Option<&Code> {
        let lock = match options {
            PlayoutOptions { after: true, .. } => &self.after,
            PlayoutOptions { counted: true, .. } => &self.counted,
            PlayoutOptions { observed: true, .. } => &self.observed,
            _ => &self.silent,
        };
        lock.get_or_init(|| {
            let program = &machine.program;
            if !self.policy.is_fusible(program) {
                return None;
            }
            let native = self.native_of(options);
            let flow = self.flow(program, options);
            let mut code = portable::translate(program, &flow)?;
            code.interface.sum = claimed_sum(machine);
            if let Some(native) = native {
                native.keep(flow);
            }
            Some(code)
        })
        .as_ref()
    }

    /// The flow of a playout, or what is left of it from before.
    fn flow(&self, program: &Program, options: PlayoutOptions) -> Flow {
        self.kept_of(options).kept().unwrap_or_else(|| {
            let until = self.passes.map_or(Until::All, Until::First);
            optimised(program, options, &self.policy, until)
        })
    }

    fn native_of(&self, options: PlayoutOptions) -> Option<&Native> {
        (self.engine != Engine::Portable).then(|| self.kept_of(options))
    }

    /// Where a flow is kept until something is made of it.
    fn kept_of(&self, options: PlayoutOptions) -> &Native {
        match options {
            PlayoutOptions { after: true, .. } => &self.native_after,
            PlayoutOptions { counted: true, .. } => &self.native_counted,
            PlayoutOptions { observed: true, .. } => &self.native_observed,
            _ => &self.native,
        }
    }

    /// Machine code for a playout that is asked for now; `None` where there is none, or not yet.
    pub(super) fn native(&self, machine: &Machine, options: PlayoutOptions) -> Option<&NativeFlow> {
        let native = self.native_of(options)?;
        let program = &machine.program;
        let flow = || {
            let fusible = self.policy.is_fusible(program);
            fusible.then(|| self.flow(program, options))
        };
        native.get(self.engine, playouts_before, flow, |flow| {
            let mut made = NativeFlow::new(program, flow)?;
            made.interface.sum = claimed_sum(machine);
            Ok(made)
        })
    }
}

pub(super) fn optimised(
    p: &Program,
    options: PlayoutOptions,
    policy: &PlayoutPolicy,
    until: Until<'_>,
) -> Flow {
    passed(p, flow(p, options, policy), until)
}

pub(super) fn passed(p: &Program, mut flow: Flow, until: Until<'_>) -> Flow {
    optimise(p, &mut flow, until);
    count(&mut flow.blocks, &p.tables);
    flow
}

/// What the payoffs of all players add up to, where a game claims that and that is all it claims.
pub(super) fn claimed_sum(machine: &Machine) -> Option<i64> {
    let payoff = &machine.description().payoff;
    let Claim::ConstantSum { n, den } = payoff.claim else {
        return None;
    };
    let (n, den) = (i128::from(n), i128::from(den));
    let units = n * i128::from(machine.payoff_denominator());
    let alone = payoff.sides.iter().all(|side| side.len() == 1);
    let plain = alone && payoff.sides.len() == machine.player_count() && units % den == 0;
    plain.then(|| i64::try_from(units / den).ok())?
}
