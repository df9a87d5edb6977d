//! Currencies.

use core::{fmt, str::FromStr};

/// Currencies without smaller parts.
const WHOLE: [&str; 16] = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF",
    "XPF",
];
/// Currencies of a thousand parts.
const IN_THOUSANDTHS: [&str; 7] = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];

/// The code of a currency by ISO 4217, such as GBP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Currency(String);

/// Not a code of ISO 4217.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be three capital letters of ISO 4217")]
pub struct UnknownCurrency;

impl Currency {
    /// The code.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Decimals of its amounts.
    #[must_use]
    pub fn digits(&self) -> usize {
        let code = self.as_str();
        if WHOLE.contains(&code) {
            0
        } else if IN_THOUSANDTHS.contains(&code) {
            3
        } else {
            2
        }
    }
}

impl FromStr for Currency {
    type Err = UnknownCurrency;

    fn from_str(text: &str) -> Result<Self, UnknownCurrency> {
        let plausible = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        plausible.then(|| Self(text.to_owned())).ok_or(UnknownCurrency)
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_currency_is_three_capital_letters() {
        assert_eq!("GBP".parse::<Currency>().unwrap().to_string(), "GBP");
        for wrong in ["", "gbp", "GB", "GBPX", "£££", "G1P"] {
            assert_eq!(wrong.parse::<Currency>(), Err(UnknownCurrency), "{wrong}");
        }
    }
}
