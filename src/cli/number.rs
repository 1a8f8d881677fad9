//! Numbers on the command line, with the range in the message when one does not fit.

use std::ops::RangeInclusive;

/// A reader of whole numbers in a range, for clap.
pub fn whole(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| {
        let value = text.trim().parse().ok();
        value.filter(|n| range.contains(n)).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("it must be a whole number from {least} to {most}")
        })
    }
}

/// A reader of numbers in a range, for clap.
pub fn amount(least: f64, most: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let value = text.trim().parse().ok();
        value
            .filter(|n| (least..=most).contains(n))
            .ok_or_else(|| match most < f64::MAX {
                true => format!("it must be a number from {least} to {most}"),
                false => format!("it must be a number that is at least {least}"),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::{amount, whole};

    #[test]
    fn an_amount_lies_in_its_range() {
        let read = amount(0.5, 2.0);
        assert_eq!(read("0.5"), Ok(0.5));
        assert_eq!(read("2"), Ok(2.0));
        for text in ["0.4", "2.1", "-1", "NaN", "inf", "", "one"] {
            let problem = "it must be a number from 0.5 to 2".to_string();
            assert_eq!(read(text), Err(problem), "{text}");
        }
    }

    #[test]
    fn a_number_lies_in_its_range() {
        let read = whole(1..=100);
        assert_eq!(read("1"), Ok(1));
        assert_eq!(read("100"), Ok(100));
        for text in ["0", "101", "-1", "1e2", "", "ten", "99999999999999999999"] {
            let problem = "it must be a whole number from 1 to 100".to_string();
            assert_eq!(read(text), Err(problem), "{text}");
        }
    }
}
