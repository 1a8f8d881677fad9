//! Numbers as text: in the lines of results, where readers of JSON might round them, and in tables.

/// Numbers as text, each such that it reads back as the very same.
pub(super) fn join<T: std::fmt::Display>(numbers: impl Iterator<Item = T>) -> String {
    let words: Vec<String> = numbers.map(|n| n.to_string()).collect();
    words.join(" ")
}

/// The words of a text, each read.
///
/// # Errors
/// When one cannot be read.
pub(super) fn split<T>(text: &str, read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, String> {
    let words = text.split(' ').map(read);
    let numbers: Option<Vec<T>> = words.collect();
    numbers.ok_or_else(|| format!("`{text}` are no numbers"))
}

/// Numbers that were written by [`join`]; none is infinite.
///
/// # Errors
/// When a word is no such number.
pub(super) fn numbers(text: &str) -> Result<Vec<f64>, String> {
    split(text, |word| {
        let x: f64 = word.parse().ok()?;
        x.is_finite().then_some(x)
    })
}

/// A number as text that is not less than zero by a rounding.
pub fn unsigned_zero(text: String) -> String {
    match text.strip_prefix('-') {
        Some(digits) if !digits.contains(|c| matches!(c, '1'..='9')) => digits.to_string(),
        _ => text,
    }
}
