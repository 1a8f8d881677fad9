//! Cells of comma-separated values.

use super::numbers::unsigned_zero;

/// A mean and the ends of its interval, each after a comma; nothing where there is none.
pub fn estimate(mean: Option<f64>, interval: Option<(f64, f64)>) -> String {
    let numbers = [mean, interval.map(|i| i.0), interval.map(|i| i.1)];
    let cells = numbers.map(|x| match x {
        Some(x) => format!(",{}", unsigned_zero(format!("{x:.6}"))),
        None => ",".to_string(),
    });
    cells.concat()
}

/// As RFC 4180 has it.
pub fn quoted(word: &str) -> String {
    if word.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", word.replace('"', "\"\""))
    } else {
        word.to_string()
    }
}
