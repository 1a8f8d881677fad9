//! Operations on numbers and on words of sets.

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Add,
    Sub,
    Mul,
    /// Rounded down.
    Div,
    /// With the sign of the divisor.
    Mod,
    Min,
    Max,
    Eq,
    Ne,
    Lt,
    Le,
    And,
    Or,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum SetOp {
    Union,
    Difference,
    Intersect,
}

impl Op {
    /// What it comes to. Sums and products wrap around.
    #[inline]
    pub fn apply(self, a: i64, b: i64) -> i64 {
        match self {
            Op::Add => a.wrapping_add(b),
            Op::Sub => a.wrapping_sub(b),
            Op::Mul => a.wrapping_mul(b),
            // A divisor of 0 is excluded by its type.
            Op::Div => {
                let (q, r) = (a.checked_div(b).unwrap_or(0), a.checked_rem(b).unwrap_or(0));
                if r != 0 && (r < 0) != (b < 0) {
                    q - 1
                } else {
                    q
                }
            }
            Op::Mod => {
                let r = a.checked_rem(b).unwrap_or(0);
                if r != 0 && (r < 0) != (b < 0) {
                    r + b
                } else {
                    r
                }
            }
            Op::Min => a.min(b),
            Op::Max => a.max(b),
            Op::Eq => i64::from(a == b),
            Op::Ne => i64::from(a != b),
            Op::Lt => i64::from(a < b),
            Op::Le => i64::from(a <= b),
            Op::And => a & b,
            Op::Or => a | b,
        }
    }

    pub(super) fn sign(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "div",
            Op::Mod => "mod",
            Op::Min => "min",
            Op::Max => "max",
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::And => "and",
            Op::Or => "or",
        }
    }
}

impl SetOp {
    /// What it makes of a word of each set.
    #[inline]
    pub fn apply(self, a: u64, b: u64) -> u64 {
        match self {
            SetOp::Union => a | b,
            SetOp::Difference => a & !b,
            SetOp::Intersect => a & b,
        }
    }

    pub(super) fn sign(self) -> &'static str {
        match self {
            SetOp::Union => "∪",
            SetOp::Difference => "∖",
            SetOp::Intersect => "∩",
        }
    }
}
