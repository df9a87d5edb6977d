//! Time zones.

use core::{fmt, str::FromStr};

use jiff::{Timestamp, civil::Date, tz::TimeZone};

/// Not a name of the IANA time zone database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not an IANA time zone")]
pub struct UnknownZone;

/// An IANA time zone, by the name the database spells it with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone(String);

impl Zone {
    /// Its name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The date there; in UTC if this machine does not know the zone.
    #[must_use]
    pub fn date_at(&self, at: Timestamp) -> Date {
        at.to_zoned(TimeZone::get(&self.0).unwrap_or(TimeZone::UTC)).date()
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Zone {
    type Err = UnknownZone;

    fn from_str(text: &str) -> Result<Self, UnknownZone> {
        let zone = TimeZone::get(text).map_err(|_| UnknownZone)?;
        let name = zone.iana_name().filter(|_| !zone.is_unknown()).ok_or(UnknownZone)?;
        // Files a machine keeps beside the database's own: copies, and what it calls local.
        let foreign = ["posix/", "right/"].iter().any(|folder| name.starts_with(folder))
            || ["localtime", "posixrules", "Factory"].contains(&name);
        if foreign { Err(UnknownZone) } else { Ok(Self(name.to_owned())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_there_begins_at_its_own_midnight() {
        let zone: Zone = "America/New_York".parse().unwrap();
        let on = |at: &str| zone.date_at(at.parse().unwrap()).to_string();
        assert_eq!(
            (on("2026-06-02T03:59:00Z"), on("2026-06-02T04:00:00Z")),
            ("2026-06-01".into(), "2026-06-02".into())
        );
    }

    #[test]
    fn knows_the_databases_names_in_any_case_and_spells_them_its_way() {
        assert_eq!("Europe/London".parse::<Zone>().unwrap().as_str(), "Europe/London");
        assert_eq!("america/new_york".parse::<Zone>().unwrap().as_str(), "America/New_York");
        assert_eq!("Asia/Calcutta".parse::<Zone>().unwrap().as_str(), "Asia/Calcutta");
        assert!("Etc/UTC".parse::<Zone>().is_ok());
    }

    #[test]
    fn refuses_what_is_no_zone_everywhere() {
        for text in [
            "",
            "London",
            "Europe/Londn",
            "Etc/Unknown",
            "localtime",
            "posixrules",
            "Factory",
            "+01:00",
            "posix/Europe/London",
            "right/Europe/London",
            "../../etc/passwd",
            "/etc/localtime",
            "EST5EDT,M3.2.0,M11.1.0",
        ] {
            assert_eq!(text.parse::<Zone>(), Err(UnknownZone), "{text:?}");
        }
    }
}
