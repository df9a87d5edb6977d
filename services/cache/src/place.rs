//! Where a value is kept, and what makes it count.

use caller::BusinessId;

/// Everything the cache keeps is under it; nothing else is.
pub(crate) const PREFIX: &str = "cache:";

/// What is cached, as the figures name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(&'static str);

impl Kind {
    /// A kind of answers: lower case letters and hyphens, so that no key can be read as another.
    ///
    /// # Panics
    /// On any other character; where it is a constant, at compile time.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        let bytes = name.as_bytes();
        assert!(!bytes.is_empty(), "a kind has a name");
        let mut at = 0;
        while at < bytes.len() {
            assert!(bytes[at].is_ascii_lowercase() || bytes[at] == b'-', "lower case and hyphens");
            at += 1;
        }
        Self(name)
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0
    }
}

/// Names a state of one kind of answers of one business; no two are ever the same, so a
/// generation that Redis forgot can't come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Generation([u8; 16]);

impl Generation {
    pub(crate) fn draw() -> Self {
        Self(boot::random::bytes())
    }

    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// What is kept of a value: the generation it was loaded under, then the value.
    pub(crate) fn stamp(&self, value: &[u8]) -> Vec<u8> {
        [&self.0, value].concat()
    }

    /// The value in `kept`, if it is of this generation.
    pub(crate) fn opens<'a>(&self, kept: &'a [u8]) -> Option<&'a [u8]> {
        kept.strip_prefix(&self.0)
    }
}

/// The key of a generation.
pub(crate) fn generation_key(service: &str, kind: Kind, business: BusinessId) -> String {
    format!("{PREFIX}{service}:{}:{business}:generation", kind.0)
}

/// The key of a value.
pub(crate) fn value_key(service: &str, kind: Kind, business: BusinessId, key: &str) -> String {
    format!("{PREFIX}{service}:{}:{business}:value:{key}", kind.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_opens_under_its_own_generation_alone() {
        let (one, other) = (Generation::draw(), Generation::draw());
        assert_eq!(one.opens(&one.stamp(b"open at nine")), Some(&b"open at nine"[..]));
        assert_eq!(one.opens(&one.stamp(b"")), Some(&b""[..]));
        assert_eq!(other.opens(&one.stamp(b"open at nine")), None);
        assert_eq!(one.opens(b"short"), None);
    }

    #[test]
    fn a_generation_is_read_back_as_it_was_written() {
        let drawn = Generation::draw();
        assert_eq!(Generation::parse(drawn.bytes()), Some(drawn));
        assert_eq!(Generation::parse(b"7"), None);
    }

    #[test]
    fn no_key_of_a_value_is_the_key_of_a_generation() {
        let (kind, business) = (Kind::new("opening-hours"), BusinessId(uuid::Uuid::nil()));
        let generation = generation_key("scheduling", kind, business);
        for key in ["", "generation", ":generation"] {
            assert_ne!(value_key("scheduling", kind, business, key), generation);
        }
    }
}
