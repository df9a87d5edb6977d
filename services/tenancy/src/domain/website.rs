//! Where a business is on the web.

use core::fmt;

use http::Uri;

const LONGEST: usize = 300;

/// An address that begins with `https://` or `http://` and names a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Website(String);

/// Not an address a browser could open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a web address such as https://willow.example")]
pub struct NoWebsite;

impl Website {
    /// Reads an address; without a scheme it is one of https.
    ///
    /// # Errors
    /// When it is too long, has another scheme or names no host.
    pub fn parse(text: &str) -> Result<Self, NoWebsite> {
        let text = text.trim();
        let address = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
        let uri: Uri = address.parse().map_err(|_| NoWebsite)?;
        let web = matches!(uri.scheme_str(), Some("https" | "http"));
        let host = uri.host().is_some_and(|host| host.contains('.') && !host.starts_with('.'));
        // A user name and a password would come before an @.
        let plain = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
        (web && host && plain && address.len() <= LONGEST).then_some(Self(address)).ok_or(NoWebsite)
    }

    /// A stored address.
    #[must_use]
    pub fn stored(address: String) -> Self {
        Self(address)
    }

    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Website {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_a_scheme_is_one_of_https() {
        let parsed = |text: &str| Website::parse(text).map(|website| website.to_string());
        assert_eq!(parsed(" willow.example ").as_deref(), Ok("https://willow.example"));
        assert_eq!(parsed("http://willow.example/book?x=1").as_deref(), Ok("http://willow.example/book?x=1"));
    }

    #[test]
    fn what_a_browser_would_not_open_is_refused() {
        let long = format!("https://willow.example/{}", "x".repeat(300));
        for wrong in [
            "",
            "willow",
            "javascript:alert(1)",
            "ftp://willow.example",
            "a b.example",
            "https://",
            "https://me:pw@willow.example",
            &long,
        ] {
            assert_eq!(Website::parse(wrong), Err(NoWebsite), "{wrong}");
        }
    }
}
