//! Telephone numbers.

/// A number in E.164: a plus sign and 2 to 15 digits, the first not 0.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phone(String);

impl Phone {
    /// Parses a number; `None` when it is not E.164.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('+')?;
        let fits = (2..=15).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && !digits.starts_with('0');
        fits.then(|| Self(text.to_owned()))
    }

    /// The number with its plus sign.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_a_plus_sign_and_up_to_fifteen_digits() {
        assert_eq!(Phone::parse("+442079460000").unwrap().as_str(), "+442079460000");
        for wrong in
            ["", "+", "+4", "442079460000", "+0442079460000", "+44 20", "+1234567890123456", "anonymous"]
        {
            assert_eq!(Phone::parse(wrong), None, "{wrong}");
        }
    }
}
