//! Currencies that prices are in: which codes name one, and how many decimals their amounts have.

use core::{fmt, str::FromStr};

/// Currencies without smaller parts.
const WHOLE: [&str; 16] = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF",
    "XPF",
];
/// Currencies of a thousand parts.
const IN_THOUSANDTHS: [&str; 7] = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];

/// Codes of ISO 4217 that no price is in: metals, units of account, the code for tests and the one for no currency.
const NO_MONEY: [&str; 13] =
    ["XAG", "XAU", "XBA", "XBB", "XBC", "XBD", "XDR", "XPD", "XPT", "XSU", "XTS", "XUA", "XXX"];

/// The code of a currency by ISO 4217, such as GBP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Currency(String);

/// What is wrong with a code of none.
pub const PROBLEM: &str = "must be the code of a currency by ISO 4217, three capital letters such as GBP";

/// Not a code of a currency by ISO 4217.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{PROBLEM}")]
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
        (plausible && !NO_MONEY.contains(&text)).then(|| Self(text.to_owned())).ok_or(UnknownCurrency)
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
    fn a_currency_is_three_capital_letters_of_money() {
        assert_eq!("GBP".parse::<Currency>().unwrap().to_string(), "GBP");
        for wrong in ["", "gbp", "GB", "GBPX", "£££", "G1P", "XXX", "XTS", "XAU"] {
            assert_eq!(wrong.parse::<Currency>(), Err(UnknownCurrency), "{wrong}");
        }
    }

    #[test]
    fn amounts_have_as_many_decimals_as_iso_4217_says() {
        for (code, digits) in [("GBP", 2), ("JPY", 0), ("RWF", 0), ("KWD", 3)] {
            assert_eq!(code.parse::<Currency>().unwrap().digits(), digits, "{code}");
        }
    }
}
