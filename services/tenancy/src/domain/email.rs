//! E-mail addresses.

use core::fmt;

use proto::label::is_unseen;

/// Longest address a mail server accepts (RFC 5321 §4.5.3.1.3, without the brackets).
const LONGEST: usize = 254;
const LONGEST_LOCAL: usize = 64;
const LONGEST_LABEL: usize = 63;

/// Not an address mail could reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not an e-mail address")]
pub struct EmailError;

/// A plausible address: whether it exists shows when mail is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Reads an address; the domain, which ignores case, becomes lower case.
    ///
    /// # Errors
    /// When no mail server could deliver to it.
    pub fn parse(text: &str) -> Result<Self, EmailError> {
        let text = text.trim();
        let (local, domain) = text.rsplit_once('@').ok_or(EmailError)?;
        let plausible = text.len() <= LONGEST && plausible_local(local) && plausible_domain(domain);
        plausible.then(|| Self(format!("{local}@{}", domain.to_lowercase()))).ok_or(EmailError)
    }

    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn plausible_local(local: &str) -> bool {
    (1..=LONGEST_LOCAL).contains(&local.len())
        && local.split('.').all(|atom| !atom.is_empty())
        && local.chars().all(|c| is_sign(c) || ".!#$%&'*+/=?^_`{|}~-".contains(c))
}

/// Whether `c` is a letter or a digit that is seen: Hangul's fillers are letters as well.
fn is_sign(c: char) -> bool {
    c.is_alphanumeric() && !is_unseen(c)
}

fn plausible_domain(domain: &str) -> bool {
    let label = |label: &str| {
        (1..=LONGEST_LABEL).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| is_sign(c) || c == '-')
    };
    let top = domain.rsplit('.').next().unwrap_or_default();
    domain.contains('.') && domain.split('.').all(label) && top.chars().any(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_local_part_and_lowers_the_domain() {
        let email = Email::parse(" Ana.O'Neil+salon@Example.CO.UK ").unwrap();
        assert_eq!(email.as_str(), "Ana.O'Neil+salon@example.co.uk");
        assert!(Email::parse("jörg@müller.example").is_ok());
    }

    #[test]
    fn refuses_what_mail_cannot_reach() {
        let long = format!("{}@example.com", "a".repeat(65));
        for text in [
            "",
            "ana",
            "@example.com",
            "ana@",
            "ana@example",
            "a b@example.com",
            "ana@example..com",
            "ana@-example.com",
            ".ana@example.com",
            "ana@@example.com",
            "ana@127.0.0.1",
            "a,b@example.com",
            "ana\u{3164}@example.com",
            "ana@example.com\nBcc: x@example.com",
            &long,
        ] {
            assert_eq!(Email::parse(text), Err(EmailError), "{text:?}");
        }
    }
}
