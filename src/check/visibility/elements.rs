//! Who sees each element of each state variable, worked out once.

use crate::model::evaluate::evaluate;
use crate::model::types::{Type, bits};
use crate::model::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The ordinals that one index may have; `None`: any.
pub type Possible = Option<Vec<u64>>;

/// Who sees the elements of one variable. Only the indices that visibility depends on are told apart.
#[derive(Debug)]
pub struct Elements {
    /// The positions and sizes of those indices, outermost first.
    pub dims: SmallVec<[(usize, u64); 2]>,
    /// One mask for each combination, row-major.
    pub masks: Vec<PlayerSet>,
}

/// Above this many combinations, an index that visibility depends on is treated as if any could be meant.
const MOST: u64 = 1 << 16;

impl Elements {
    pub fn of(d: &Description, var: &Var) -> Elements {
        let mut dims: SmallVec<[(usize, u64); 2]> = SmallVec::new();
        for (i, Index { local, ty }) in var.indices.iter().enumerate() {
            if var.viewers.reads_local(*local) {
                dims.push((i, ty.size().unwrap_or(1)));
            }
        }
        let total = dims
            .iter()
            .try_fold(1u64, |n, (_, size)| n.checked_mul(*size))
            .filter(|&n| n <= MOST);
        // Where it cannot be told apart, anybody may see an element and nobody certainly does.
        let unknown = Elements {
            dims: SmallVec::new(),
            masks: vec![PlayerSet::EMPTY, d.everyone()],
        };
        let Some(total) = total else {
            return unknown;
        };
        let mut masks = Vec::with_capacity(total as usize);
        for k in 0..total {
            let mut locals = FxHashMap::default();
            let mut rest = k;
            for &(i, size) in dims.iter().rev() {
                let Index { local, ty } = &var.indices[i];
                locals.insert(*local, vec![ty.value_at(rest % size) as u64]);
                rest /= size;
            }
            let Some(words) = evaluate(&var.viewers, &locals) else {
                return unknown;
            };
            masks.push(PlayerSet::from_words(&words) & d.everyone());
        }
        Elements { dims, masks }
    }

    /// Who sees every element that could be meant, and who sees at least one.
    pub fn viewers(&self, indices: &[Possible]) -> (PlayerSet, PlayerSet) {
        let (mut every, mut some) = (PlayerSet::ALL, PlayerSet::EMPTY);
        if self.dims.is_empty() {
            for &m in &self.masks {
                every &= m;
                some |= m;
            }
            return (every, some);
        }
        for k in 0..self.masks.len() as u64 {
            let mut rest = k;
            let mut fits = true;
            for &(i, size) in self.dims.iter().rev() {
                let ordinal = rest % size;
                rest /= size;
                if let Some(Some(list)) = indices.get(i) {
                    fits &= list.contains(&ordinal);
                }
            }
            if fits {
                every &= self.masks[k as usize];
                some |= self.masks[k as usize];
            }
        }
        if some.is_empty() && every == PlayerSet::ALL {
            every = PlayerSet::EMPTY;
        }
        (every, some)
    }

    /// The elements that are told apart, by their names (`hand[Ann]`, other indices as `…`), with those who see them.
    pub fn named(&self, var: &Var) -> Vec<(String, PlayerSet)> {
        if self.uniform() {
            let viewers = self.masks.first().copied().unwrap_or_default();
            return vec![(var.name.clone(), viewers)];
        }
        let last = self.dims.last().map_or(0, |(i, _)| *i);
        let element = |(k, &viewers): (usize, &PlayerSet)| {
            let mut rest = k as u64;
            let mut shown: FxHashMap<usize, u64> = FxHashMap::default();
            for &(i, size) in self.dims.iter().rev() {
                shown.insert(i, rest % size);
                rest /= size;
            }
            let mut name = var.name.clone();
            for (i, Index { ty, .. }) in var.indices.iter().enumerate().take(last + 1) {
                match shown.get(&i) {
                    Some(&ordinal) => {
                        name.push_str(&format!("[{}]", ty.show(ty.value_at(ordinal))));
                    }
                    None => name.push_str("[…]"),
                }
            }
            (name, viewers)
        };
        self.masks.iter().enumerate().map(element).collect()
    }

    /// True if everybody sees the same elements whatever the indices.
    pub fn uniform(&self) -> bool {
        self.masks.windows(2).all(|w| w[0] == w[1])
    }
}

/// The values in a set, as words.
pub fn members(ty: &Type, words: &[u64]) -> Vec<u64> {
    let Some(element) = ty.element() else {
        return Vec::new();
    };
    bits(words).map(|i| element.value_at(i) as u64).collect()
}
