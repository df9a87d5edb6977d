//! Amounts of money as people write them.

use super::Currency;

/// The largest amount, in minor units.
pub const LARGEST: i32 = 99_999_999;

/// Not an amount of a currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not an amount such as 12.50")]
pub struct NoAmount;

/// Reads an amount in minor units: with a point or a comma before the cents, with or without marks between the
/// thousands, with or without the currency beside it.
///
/// # Errors
/// When it is none, negative, larger than [`LARGEST`], or has more decimals than the currency.
pub fn parse(text: &str, currency: &Currency) -> Result<i32, NoAmount> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.trim_start_matches(['£', '€', '$', '¥']).trim_end_matches(['£', '€', '$', '¥']);
    let text = text.trim_start_matches(currency.as_str()).trim_end_matches(currency.as_str());
    let digits = currency.digits();
    let (whole, fraction) = split(text, digits);
    let whole: String = whole.chars().filter(|c| !matches!(c, ',' | '.' | '\'')).collect();
    let plausible = !whole.is_empty() && fraction.len() <= digits;
    if !plausible || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return Err(NoAmount);
    }
    let minor = format!("{whole}{fraction:0<digits$}");
    minor.parse::<i32>().ok().filter(|minor| *minor <= LARGEST).ok_or(NoAmount)
}

/// An amount as [`parse`] reads it: 12.50.
#[must_use]
pub fn text(minor: i32, currency: &Currency) -> String {
    let digits = currency.digits();
    let padded = format!("{minor:0>width$}", width = digits + 1);
    let (whole, fraction) = padded.split_at(padded.len() - digits);
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

/// The last point or comma comes before the cents, unless as many digits follow as between thousands. A single point
/// never stands between thousands: 12.345 is a mistake rather than a fortune.
fn split(text: &str, digits: usize) -> (&str, &str) {
    match text.rfind([',', '.']) {
        Some(at) if text.len() - at - 1 <= digits || !is_grouped(text) => (&text[..at], &text[at + 1..]),
        _ => (text, ""),
    }
}

fn is_grouped(text: &str) -> bool {
    let single_point = !text.contains(',') && text.matches('.').count() == 1;
    let mut groups = text.split([',', '.']);
    !single_point
        && groups.next().is_some_and(|first| (1..=3).contains(&first.len()))
        && groups.all(|group| group.len() == 3)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(currency: &str, text: &str) -> Result<i32, NoAmount> {
        parse(text, &currency.parse().unwrap())
    }

    #[test]
    fn an_amount_is_the_same_however_it_is_written() {
        for text in ["1234.50", "1,234.50", "1.234,50", "£1,234.5", " 1 234,50 ", "GBP 1234.50", "1'234.50"]
        {
            assert_eq!(of("GBP", text), Ok(123_450), "{text}");
        }
        assert_eq!(of("GBP", "1,234"), Ok(123_400));
        assert_eq!(of("JPY", "1,234"), Ok(1_234));
        assert_eq!(of("KWD", "1.234"), Ok(1_234));
    }

    #[test]
    fn what_is_no_amount_of_the_currency_is_refused() {
        for text in ["", "free", "-1", "1.234,567", "12.345", "1e3", "=1+1", "10000000.00", "٣"] {
            assert_eq!(of("GBP", text), Err(NoAmount), "{text}");
        }
        assert_eq!(of("JPY", "1.5"), Err(NoAmount));
    }

    proptest! {
        #[test]
        fn an_amount_reads_as_it_was_written(
            minor in 0..=LARGEST, currency in prop::sample::select(vec!["GBP", "JPY", "KWD"]),
        ) {
            let currency = currency.parse().unwrap();
            prop_assert_eq!(parse(&text(minor, &currency), &currency), Ok(minor));
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            let _ = of("GBP", &text);
        }
    }
}
