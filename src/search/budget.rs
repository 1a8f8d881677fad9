//! How long a search may go on. The clock, where there is one, belongs to the caller.

/// The end of a search: after a number of playouts, or when the caller says so, whichever comes first. At least one
/// playout is made in any case.
#[derive(Copy, Clone)]
pub struct Budget<'a> {
    /// The greatest number of playouts; `None`: no such limit.
    pub playouts: Option<u64>,
    /// Asked before every playout but the first; the search ends when it answers false.
    pub keep_going: &'a dyn Fn() -> bool,
}

impl Budget<'static> {
    /// A number of playouts and nothing else: the same result on any machine.
    pub fn playouts(n: u64) -> Budget<'static> {
        Budget {
            playouts: Some(n),
            keep_going: &|| true,
        }
    }
}

impl Budget<'_> {
    /// Whether a search that has made `done` playouts may make another one.
    pub fn allows(&self, done: u64) -> bool {
        done == 0 || (self.playouts.is_none_or(|n| done < n) && (self.keep_going)())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_playout_is_always_made() {
        let never = Budget {
            playouts: Some(0),
            keep_going: &|| false,
        };
        assert!(never.allows(0));
        assert!(!never.allows(1));
    }

    #[test]
    fn the_number_of_playouts_is_kept() {
        let budget = Budget::playouts(3);
        assert_eq!((0..10).filter(|&done| budget.allows(done)).count(), 3);
    }
}
