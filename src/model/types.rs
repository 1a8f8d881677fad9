//! The types of a checked description: every one finite, with an order and a numbering.
//!
//! A *value* is an `i64`: an integer stands for itself, any other value for its ordinal. The *ordinal* of a value is its
//! place, from 0, in the order of its type: enums by declaration, products left to right, `none` before everything. Sets
//! have no ordinals, but an order too: [`compare_sets`].

use std::sync::Arc;

/// A finite type (or an exact number, which occurs in constants and payoffs only).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// The integers `lo..=hi`.
    Int {
        lo: i64,
        hi: i64,
    },
    Bool,
    Enum(Arc<EnumType>),
    /// The players in seating order.
    Player(Arc<EnumType>),
    Product(Arc<ProductType>),
    Optional(Arc<Type>),
    /// Sets over a type that has a size. Bit i stands for the element with ordinal i.
    Set(Arc<Type>),
    /// An array over an index type. Not a scalar; arrays of arrays have several of these, outermost first.
    Array {
        index: Arc<Type>,
        element: Arc<Type>,
    },
    /// The exact rationals n/den with lo ≤ n ≤ hi. The value is the numerator n.
    Number {
        den: i64,
        lo: i64,
        hi: i64,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EnumType {
    pub name: String,
    pub values: Vec<EnumValue>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EnumValue {
    pub name: String,
    /// What it prints as.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProductType {
    /// The declared name, if it has one.
    pub name: Option<String>,
    pub fields: Vec<(String, Type)>,
    /// How a value prints: literals and the numbers of fields. `None`: `(a, b)`.
    pub text: Option<Vec<ProductText>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ProductText {
    Literal(String),
    Field(usize),
}

/// The most elements that may be in a set which is a field of a product.
pub const MAX_SET_FIELD: u64 = 16;

impl Type {
    pub fn set_of(element: Type) -> Type {
        Type::Set(Arc::new(element))
    }

    pub fn optional(inner: Type) -> Type {
        Type::Optional(Arc::new(inner))
    }

    pub fn constant(value: i64) -> Type {
        Type::Int {
            lo: value,
            hi: value,
        }
    }

    /// How many values a scalar type has; `None` for sets, arrays and numbers, and where it would not fit.
    pub fn size(&self) -> Option<u64> {
        match self {
            Type::Int { lo, hi } => u64::try_from(hi.checked_sub(*lo)?.checked_add(1)?).ok(),
            Type::Bool => Some(2),
            Type::Enum(e) | Type::Player(e) => Some(e.values.len() as u64),
            Type::Product(p) => p
                .fields
                .iter()
                .try_fold(1u64, |n, (_, t)| n.checked_mul(t.field_size()?)),
            Type::Optional(t) => t.size()?.checked_add(1),
            Type::Set(_) | Type::Array { .. } | Type::Number { .. } => None,
        }
    }

    /// How many values a field of this type has in a product. Of a set with few possible elements there are as many as it has
    /// subsets; as a number such a value is its bits, which is its place in the order of sets, too.
    pub fn field_size(&self) -> Option<u64> {
        match self {
            Type::Set(t) => t.size().filter(|n| *n <= MAX_SET_FIELD).map(|n| 1 << n),
            _ => self.size(),
        }
    }

    /// True for the types whose value is one `i64`.
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Type::Set(_) | Type::Array { .. })
    }

    /// The least and the greatest value of a scalar type.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        match self {
            Type::Int { lo, hi } | Type::Number { lo, hi, .. } => Some((*lo, *hi)),
            _ => Some((0, self.size()? as i64 - 1)),
        }
    }

    /// Integers or numbers with other bounds, as they are; any other type as it is.
    pub fn with_bounds(&self, lo: i64, hi: i64) -> Type {
        match self {
            Type::Int { .. } => Type::Int { lo, hi },
            Type::Number { den, .. } => Type::Number { den: *den, lo, hi },
            other => other.clone(),
        }
    }

    /// How many 64-bit words a value takes in a register file: 1 for a scalar, ⌈elements/64⌉ for a set.
    /// Arrays have no registers of their own; each element has.
    pub fn words(&self) -> usize {
        match self {
            Type::Set(t) => (t.size().unwrap_or(0) as usize).div_ceil(64).max(1),
            _ => 1,
        }
    }

    /// Whether some words are a value of the type: a scalar within its bounds, a set without bits beyond its elements.
    pub fn holds(&self, words: &[u64]) -> bool {
        match (self, words) {
            (Type::Set(t), _) => {
                let size = t.size().unwrap_or(0);
                words.len() == self.words()
                    && words.last().is_none_or(|last| {
                        let used = size.saturating_sub((words.len() as u64 - 1) * 64);
                        used >= 64 || last >> used == 0
                    })
            }
            (_, [word]) => self
                .bounds()
                .is_some_and(|(lo, hi)| lo <= *word as i64 && *word as i64 <= hi),
            _ => false,
        }
    }

    /// The value with the given ordinal.
    pub fn value_at(&self, ordinal: u64) -> i64 {
        match self {
            Type::Int { lo, .. } => lo + ordinal as i64,
            _ => ordinal as i64,
        }
    }

    /// The ordinal of a value of this type.
    pub fn ordinal(&self, value: i64) -> u64 {
        match self {
            Type::Int { lo, .. } => (value - lo) as u64,
            _ => value as u64,
        }
    }

    /// The element type of a set.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::Set(t) => Some(t),
            _ => None,
        }
    }

    /// The value of one field of a product, out of the product's value.
    pub fn field_value(product: &ProductType, field: usize, value: i64) -> i64 {
        let mut rest = value as u64;
        for (i, (_, ty)) in product.fields.iter().enumerate().rev() {
            let size = ty.field_size().unwrap_or(1);
            if i == field {
                return ty.value_at(rest % size);
            }
            rest /= size;
        }
        0
    }

    /// What a scalar value prints as.
    pub fn show(&self, value: i64) -> String {
        match self {
            Type::Int { .. } => value.to_string(),
            Type::Bool => (if value != 0 { "true" } else { "false" }).to_string(),
            Type::Enum(e) | Type::Player(e) => e
                .values
                .get(value as usize)
                .map_or_else(|| format!("?{value}"), |v| v.text.clone()),
            Type::Product(p) => {
                let field = |i: usize| {
                    let value = Type::field_value(p, i, value);
                    p.fields[i].1.show_words(&[value as u64])
                };
                match &p.text {
                    Some(parts) => parts
                        .iter()
                        .map(|part| match part {
                            ProductText::Literal(s) => s.clone(),
                            ProductText::Field(i) => field(*i),
                        })
                        .collect(),
                    None => {
                        let fields: Vec<String> = (0..p.fields.len()).map(field).collect();
                        format!("({})", fields.join(", "))
                    }
                }
            }
            Type::Optional(_) if value == 0 => "none".to_string(),
            Type::Optional(t) => t.show(t.value_at(value as u64 - 1)),
            Type::Number { den, .. } => show_ratio(value, *den),
            Type::Set(_) | Type::Array { .. } => String::from("…"),
        }
    }

    /// The scalar value that a text stands for: as it prints, or for an enum by its name. `None` also for types with more
    /// than 65,536 values other than integers.
    pub fn read(&self, text: &str) -> Option<i64> {
        match self {
            Type::Int { lo, hi } => text.parse().ok().filter(|v| lo <= v && v <= hi),
            Type::Enum(e) | Type::Player(e) => e
                .values
                .iter()
                .position(|v| v.text == text)
                .or_else(|| e.values.iter().position(|v| v.name == text))
                .map(|i| i as i64),
            Type::Set(_) | Type::Array { .. } | Type::Number { .. } => None,
            _ => {
                let size = self.size().filter(|&n| n <= 65_536)?;
                (0..size)
                    .map(|i| self.value_at(i))
                    .find(|&v| self.show(v) == text)
            }
        }
    }

    /// What a set prints as: `{a, b}`. `words` holds its bits.
    pub fn show_set(&self, words: &[u64]) -> String {
        let Some(element) = self.element() else {
            return String::from("…");
        };
        let members: Vec<String> = bits(words)
            .map(|i| element.show(element.value_at(i)))
            .collect();
        format!("{{{}}}", members.join(", "))
    }

    /// Any value of the type, by its words: a scalar takes one.
    pub fn show_words(&self, words: &[u64]) -> String {
        match self {
            Type::Set(_) => self.show_set(words),
            _ => self.show(words.first().copied().unwrap_or(0) as i64),
        }
    }
}

/// The positions of the bits that are set, lowest first.
pub fn bits(words: &[u64]) -> impl Iterator<Item = u64> + '_ {
    words.iter().enumerate().flat_map(|(w, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let i = u64::from(rest.trailing_zeros());
            rest &= rest - 1;
            Some(w as u64 * 64 + i)
        })
    })
}

/// How two sets of one type compare: by the greatest element that only one of them has. So a part comes before the whole.
pub fn compare_sets(a: &[u64], b: &[u64]) -> std::cmp::Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

/// `n/den` in lowest terms: `3/2`, `-1`.
pub fn show_ratio(n: i64, den: i64) -> String {
    let r = num_rational::Ratio::new(n, den);
    r.to_string()
}

/// Denominator and bounds of the numerator.
pub fn ratio_parts(ty: &Type) -> Option<(i64, i64, i64)> {
    match ty {
        Type::Int { lo, hi } => Some((1, *lo, *hi)),
        Type::Number { den, lo, hi } => Some((*den, *lo, *hi)),
        _ => None,
    }
}

pub fn lcm(a: i64, b: i64) -> Option<i64> {
    (a / num_gcd(a, b)).checked_mul(b)
}

fn num_gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// A type as part of a message.
pub fn said(ty: &Type) -> String {
    match ty {
        Type::Int { lo, hi } if lo == hi => format!("the integer {lo}"),
        Type::Int { .. } => format!("an integer in `{ty}`"),
        Type::Number { .. } => "a number".to_string(),
        Type::Bool => "true or false".to_string(),
        _ => {
            let name = ty.to_string();
            let vowel = name.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']);
            format!("{} `{name}`", if vowel { "an" } else { "a" })
        }
    }
}

/// The type as a person writes it.
impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Type::Int { lo, hi } => write!(f, "{lo}..{hi}"),
            Type::Bool => write!(f, "bool"),
            Type::Enum(e) if e.name.is_empty() => {
                let names: Vec<&str> = e.values.iter().map(|v| v.name.as_str()).collect();
                write!(f, "enum {{ {} }}", names.join(", "))
            }
            Type::Enum(e) => write!(f, "{}", e.name),
            Type::Player(_) => write!(f, "Player"),
            Type::Product(p) => match &p.name {
                Some(name) => write!(f, "{name}"),
                None => {
                    let fields: Vec<String> =
                        p.fields.iter().map(|(n, t)| format!("{n}: {t}")).collect();
                    write!(f, "({})", fields.join(", "))
                }
            },
            Type::Optional(t) => write!(f, "{t}?"),
            Type::Set(t) => write!(f, "set of {t}"),
            Type::Array {
                index: i,
                element: t,
            } => write!(f, "[{i}] {t}"),
            Type::Number { .. } => write!(f, "number"),
        }
    }
}
