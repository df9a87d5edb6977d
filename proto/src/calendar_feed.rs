//! Where other calendars read what employees have to do.

/// The route: calendars name the secret and its ending.
pub const ROUTE: &str = "/api/calendar-feeds/{file}";

/// What an address ends with.
pub const ENDING: &str = ".ics";

/// Where the feed of a secret is, below the public URL.
#[must_use]
pub fn path(secret: &str) -> String {
    ROUTE.replace("{file}", &format!("{secret}{ENDING}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_one_address() {
        assert_eq!(path("s3cret"), "/api/calendar-feeds/s3cret.ics");
    }
}
