//! Barcodes of goods.

use core::{fmt, str::FromStr};

/// A GTIN: 8, 12, 13 or 14 digits, the last of which checks the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Barcode(String);

/// Not a GTIN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BarcodeError {
    /// Other characters, or another length.
    #[error("must be 8, 12, 13 or 14 digits")]
    NoGtin,
    /// A digit was misread.
    #[error("has a wrong digit: the last one does not check the others")]
    CheckDigit,
}

impl Barcode {
    /// As stored.
    pub(crate) fn stored(code: String) -> Self {
        Self(code)
    }

    /// Its digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Barcode {
    type Err = BarcodeError;

    fn from_str(text: &str) -> Result<Self, BarcodeError> {
        let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
        if !matches!(digits.len(), 8 | 12 | 13 | 14) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(BarcodeError::NoGtin);
        }
        // From the right, every second digit counts three times.
        let sum: u32 = digits
            .bytes()
            .rev()
            .zip([1, 3].iter().cycle())
            .map(|(byte, weight)| u32::from(byte - b'0') * weight)
            .sum();
        if sum.is_multiple_of(10) { Ok(Self(digits)) } else { Err(BarcodeError::CheckDigit) }
    }
}

impl fmt::Display for Barcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goods_have_codes_of_four_lengths_with_a_check_digit() {
        for code in ["96385074", "036000291452", "4006381333931", "14006381333938"] {
            assert_eq!(code.parse::<Barcode>().unwrap().as_str(), code);
        }
        assert_eq!("4006381-333931".parse::<Barcode>().unwrap().as_str(), "4006381333931");
    }

    #[test]
    fn a_misread_digit_is_noticed() {
        assert_eq!("4006381333932".parse::<Barcode>(), Err(BarcodeError::CheckDigit));
        for wrong in ["", "123", "40063813339311", "400638133393x", "４００６３８１３３３９３１"]
        {
            assert!(wrong.parse::<Barcode>().is_err(), "{wrong}");
        }
    }
}
