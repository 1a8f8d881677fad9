//! Exact weighted means of vectors, as they come up in a walk over a tree: integers of a machine word as long as they
//! suffice, and arbitrary precision from then on.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use smallvec::SmallVec;

/// A vector of rational numbers.
#[derive(Clone, Debug)]
pub enum Exact {
    /// Numerators over one positive denominator.
    Small(SmallVec<[i128; 4]>, i128),
    Large(Vec<BigRational>),
}

/// A denominator above this is reduced when the next mean is taken.
const LARGE: i128 = 1 << 48;

impl Exact {
    pub fn zero(len: usize) -> Exact {
        Exact::Small(SmallVec::from_elem(0, len), 1)
    }

    pub fn integers(values: impl IntoIterator<Item = i128>) -> Exact {
        Exact::Small(values.into_iter().collect(), 1)
    }

    /// Adds `weight` times another vector of the same length.
    pub fn add(&mut self, other: &Exact, weight: u64) {
        if let (Exact::Small(a, d), Exact::Small(b, e)) = (&mut *self, other)
            && add_small(a, d, b, *e, i128::from(weight)).is_some()
        {
            return;
        }
        let weight = BigRational::from_integer(BigInt::from(weight));
        let mut sum = self.ratios();
        for (a, b) in std::iter::zip(&mut sum, other.ratios()) {
            *a += b * &weight;
        }
        *self = Exact::Large(sum);
    }

    /// Divides by a number above 0.
    pub fn divide(&mut self, by: u64) {
        if let Exact::Small(a, d) = self {
            if *d > LARGE {
                reduce(a, d);
            }
            if let Some(product) = d.checked_mul(i128::from(by)) {
                *d = product;
                return;
            }
        }
        let by = BigInt::from(by);
        *self = Exact::Large(self.ratios().into_iter().map(|r| r / &by).collect());
    }

    /// Adds an integer to the last number.
    pub fn add_to_last(&mut self, n: i128) {
        if let Exact::Small(a, d) = self
            && let Some(last) = a.last_mut()
            && let Some(sum) = d.checked_mul(n).and_then(|n| last.checked_add(n))
        {
            *last = sum;
            return;
        }
        let mut list = self.ratios();
        if let Some(last) = list.last_mut() {
            *last += BigInt::from(n);
        }
        *self = Exact::Large(list);
    }

    /// The numbers in lowest terms.
    pub fn ratios(&self) -> Vec<BigRational> {
        match self {
            Exact::Small(a, d) => a
                .iter()
                .map(|&n| BigRational::new(BigInt::from(n), BigInt::from(*d)))
                .collect(),
            Exact::Large(list) => list.clone(),
        }
    }

    /// Whether every number is 0.
    pub fn is_zero(&self) -> bool {
        match self {
            Exact::Small(a, _) => a.iter().all(|&n| n == 0),
            Exact::Large(list) => list.iter().all(Zero::is_zero),
        }
    }
}

/// `a/d += weight · b/e`; `None`, and nothing changed, where it does not fit.
fn add_small(
    a: &mut SmallVec<[i128; 4]>,
    d: &mut i128,
    b: &[i128],
    e: i128,
    weight: i128,
) -> Option<()> {
    let (scale, times, common) = if *d == e {
        (1, weight, e)
    } else {
        let g = gcd(*d, e);
        let scale = e / g;
        (scale, (*d / g).checked_mul(weight)?, d.checked_mul(scale)?)
    };
    let mut sum: SmallVec<[i128; 4]> = SmallVec::with_capacity(a.len());
    for (&x, &y) in std::iter::zip(a.iter(), b) {
        let x = if scale == 1 { x } else { x.checked_mul(scale)? };
        sum.push(x.checked_add(y.checked_mul(times)?)?);
    }
    *a = sum;
    *d = common;
    Some(())
}

fn reduce(a: &mut [i128], d: &mut i128) {
    let g = a
        .iter()
        .fold(*d, |g, &n| if g == 1 { 1 } else { gcd(g, n) });
    if g > 1 {
        a.iter_mut().for_each(|n| *n /= g);
        *d /= g;
    }
}

/// Of a positive number and any other.
fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        // Division of 64-bit numbers is several times faster.
        if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
            return i128::from(gcd64(x, y));
        }
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

fn gcd64(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(e: &Exact) -> Vec<String> {
        e.ratios().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn means_are_exact() {
        let mut third = Exact::integers([1, -1, 0]);
        third.divide(3);
        let mut half = Exact::integers([1, -1, 2]);
        half.divide(2);
        let mut sum = Exact::zero(3);
        sum.add(&third, 1);
        sum.add(&half, 2);
        sum.divide(3);
        sum.add_to_last(1);
        assert_eq!(text(&sum), ["4/9", "-4/9", "5/3"]);
        assert!(matches!(sum, Exact::Small(..)));
    }

    #[test]
    fn goes_on_where_words_end() {
        // 1/2 + 1/3 + 1/5 + … over the primes below 150: the denominator has far more than 128 bits.
        let mut sum = Exact::zero(1);
        let mut check = BigRational::from_integer(BigInt::from(0));
        for n in (2u64..150).filter(|n| (2..*n).all(|d| n % d != 0)) {
            let mut x = Exact::integers([1]);
            x.divide(n);
            sum.add(&x, 1);
            check += BigRational::new(BigInt::from(1), BigInt::from(n));
        }
        assert!(matches!(sum, Exact::Large(_)));
        assert_eq!(sum.ratios()[0], check);
        sum.add_to_last(-1);
        sum.divide(2);
        assert_eq!(sum.ratios()[0], (check - BigInt::from(1)) / BigInt::from(2));
    }

    #[test]
    fn deep_chains_stay_small_by_reducing() {
        let mut x = Exact::integers([1, 1]);
        for _ in 0..1000 {
            let mut sum = Exact::zero(2);
            for _ in 0..7 {
                sum.add(&x, 1);
            }
            sum.divide(7);
            x = sum;
        }
        assert!(matches!(x, Exact::Small(..)));
        assert_eq!(text(&x), ["1", "1"]);
    }

    #[test]
    fn greatest_common_divisors() {
        assert_eq!(gcd(12, -18), 6);
        assert_eq!(gcd(7, 0), 7);
        assert_eq!(gcd(1 << 100, 1 << 90), 1 << 90);
        assert_eq!(gcd(i128::MAX, i128::MIN), 1);
    }
}
