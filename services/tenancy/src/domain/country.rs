//! Countries, as far as dialling goes.

use std::{collections::HashMap, sync::LazyLock};

use phonenumber::country::Id;

use super::Zone;

static ZONES: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    include_str!("zones.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .collect()
});

/// A country with a telephone numbering plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Country(pub(super) Id);

impl Country {
    /// Reads an ISO 3166-1 code.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        code.parse().ok().map(Self)
    }

    /// The country a zone lies in; `None` for zones of no country, such as `Etc/UTC`.
    #[must_use]
    pub fn of_zone(zone: &Zone) -> Option<Self> {
        ZONES.get(zone.as_str()).and_then(|code| Self::parse(code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(zone: &str) -> Option<Country> {
        Country::of_zone(&zone.parse().unwrap())
    }

    #[test]
    fn a_zone_lies_in_its_country_under_its_old_name_too() {
        assert_eq!(of("Europe/London"), Country::parse("GB"));
        assert_eq!(of("America/Chicago"), Country::parse("US"));
        assert_eq!(of("Asia/Calcutta"), Country::parse("IN"));
        assert_eq!(of("Europe/Kiev"), Country::parse("UA"));
        assert_eq!(of("Iceland"), Country::parse("IS"));
        assert_eq!(of("Etc/GMT+5"), None);
    }

    #[test]
    fn every_country_of_the_table_has_a_numbering_plan_or_no_people() {
        // French Southern Territories, South Georgia, Pitcairn, US Minor Outlying Islands.
        const WITHOUT: [&str; 4] = ["TF", "GS", "PN", "UM"];
        for (zone, code) in ZONES.iter() {
            assert!(Country::parse(code).is_some() || WITHOUT.contains(code), "{zone} {code}");
        }
        assert_eq!(ZONES.len(), 531);
    }
}
