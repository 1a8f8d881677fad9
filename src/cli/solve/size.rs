//! Sizes of memory: `512M`, `4G`.

use crate::cli::output::plural;

/// Reads a size in bytes, for clap.
pub fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "K" | "KIB" => 1u64 << 10,
        "M" | "MIB" => 1 << 20,
        "G" | "GIB" => 1 << 30,
        _ => 0,
    };
    let number: Option<u64> = digits.trim().parse().ok();
    let bytes = number.and_then(|n| n.checked_mul(unit));
    bytes
        .filter(|&b| b > 0)
        .ok_or_else(|| "write a whole number and K, M or G, such as 512M or 4G".to_string())
}

/// A size as people read it.
pub fn shown(bytes: u64) -> String {
    let units = [(1u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{:.1} {name}", bytes as f64 / *unit as f64),
        None => plural(bytes, "byte"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_shown() {
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size(" 4 GiB"), Ok(4 << 30));
        assert_eq!(size("7k"), Ok(7 << 10));
        for wrong in ["", "4", "G", "0M", "-1G", "1.5G", "4T", "99999999999999G"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(shown(900), "900 bytes");
        assert_eq!(shown(3 << 19), "1.5 MiB");
    }
}
