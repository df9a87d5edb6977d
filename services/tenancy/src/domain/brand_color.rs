//! The colour a business is recognised by.

use core::{fmt, str::FromStr};

/// A colour as `#148c84`, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandColor(String);

/// Not a colour of six hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a colour such as #148c84")]
pub struct UnknownColor;

impl BrandColor {
    /// The colour as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for BrandColor {
    type Err = UnknownColor;

    fn from_str(text: &str) -> Result<Self, UnknownColor> {
        let digits = text.strip_prefix('#').ok_or(UnknownColor)?;
        let written = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        written.then(|| Self(text.to_ascii_lowercase())).ok_or(UnknownColor)
    }
}

impl fmt::Display for BrandColor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_has_six_digits_and_is_kept_in_lower_case() {
        assert_eq!("#148C84".parse::<BrandColor>().unwrap().as_str(), "#148c84");
        for wrong in ["", "148c84", "#148c8", "#148c84f", "#14zz84", "teal"] {
            assert_eq!(wrong.parse::<BrandColor>(), Err(UnknownColor), "{wrong}");
        }
    }
}
