//! Currencies.

use core::{fmt, str::FromStr};

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
