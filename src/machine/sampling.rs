//! Random numbers as the IR means them, the same for every back end and on every machine.

use crate::ir::meaning::Trouble;
use crate::ir::select::nth_element;
use crate::ir::{Operand, SampleCode};
use rand::Rng;

/// The source of the numbers of a sample: a generator of random numbers, such as [`Stream`](crate::Stream) and every other of
/// the crate `rand`, or code that goes through all numbers to see where each leads.
pub trait Numbers {
    /// A number in `0..n`, for n ≥ 1.
    fn below(&mut self, n: u64) -> u64;
}

/// Uniform numbers by Lemire's multiplication with rejection ("Fast Random Integer Generation in an Interval", 2019),
/// which takes one 64-bit number except with probability n/2⁶⁴.
impl<R: Rng> Numbers for R {
    #[inline]
    fn below(&mut self, n: u64) -> u64 {
        let mut wide = u128::from(self.next_u64()) * u128::from(n);
        if (wide as u64) < n {
            let least = n.wrapping_neg() % n;
            while (wide as u64) < least {
                wide = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (wide >> 64) as u64
    }
}

/// A number in `0..n`, for n ≥ 1.
#[inline]
pub fn below(numbers: &mut impl Numbers, n: u64) -> u64 {
    numbers.below(n)
}

/// What is sampled in a trial, from sets of any length.
#[inline(always)]
pub(super) fn sample(
    frame: &mut [u64],
    code: &SampleCode,
    rng: &mut impl Numbers,
) -> Result<(), Trouble> {
    let words = |o: &Operand| o.slot as usize..o.slot as usize + o.words as usize;
    match code {
        SampleCode::Below { dst, bound: n } => {
            let n = frame[*n as usize];
            frame[*dst as usize] = if n == 0 { 0 } else { below(rng, n) };
        }
        SampleCode::Member {
            dst,
            set,
            lo,
            bound,
            hit,
        } => {
            let k = below(rng, *bound);
            let found = nth_element(&frame[words(set)], k);
            frame[*hit as usize] = u64::from(found.is_some());
            if let Some(element) = found {
                frame[*dst as usize] = (element as i64).wrapping_add(*lo) as u64;
            }
        }
        SampleCode::Attempts { dst, attempts: n } => frame[*dst as usize] = u64::from(*n),
        SampleCode::Element {
            dst,
            set,
            lo,
            fault,
        } => {
            let set = &frame[words(set)];
            let n: u32 = set.iter().map(|w| w.count_ones()).sum();
            let nothing = Trouble::Fault {
                fault: *fault,
                value: 0,
            };
            if n == 0 {
                return Err(nothing);
            }
            let element = nth_element(set, below(rng, u64::from(n))).ok_or(nothing)?;
            frame[*dst as usize] = (element as i64).wrapping_add(*lo) as u64;
        }
        // The rest is for playouts alone.
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    #[test]
    fn bounded_numbers_are_uniform_and_portable() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[below(&mut rng, 6) as usize] += 1;
        }
        // 5 degrees of freedom; 20.5 is the 0.1 % point of chi-square.
        let chi: f64 = counts
            .iter()
            .map(|&c| (f64::from(c) - 10_000.0).powi(2) / 10_000.0)
            .sum();
        assert!(chi < 20.5, "{counts:?}");
        assert_eq!(below(&mut rng, 1), 0);
    }
}
