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

/// The secret in the path of a feed, wherever that is below.
#[must_use]
pub fn secret_in(path: &str) -> Option<&str> {
    let (before, file) = path.rsplit_once('/')?;
    ROUTE.strip_suffix("/{file}").filter(|folder| before.ends_with(folder)).and(file.strip_suffix(ENDING))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_one_address() {
        assert_eq!(path("s3cret"), "/api/calendar-feeds/s3cret.ics");
        assert_eq!(secret_in(&path("s3cret")), Some("s3cret"));
        assert_eq!(secret_in("/salon/api/calendar-feeds/s3cret.ics"), Some("s3cret"));
        for other in ["/calendars/s3cret.ics", "/api/calendar-feeds/s3cret", "s3cret.ics", ""] {
            assert_eq!(secret_in(other), None, "{other}");
        }
    }
}
