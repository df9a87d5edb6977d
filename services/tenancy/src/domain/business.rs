//! A salon.

use caller::BusinessId;

use super::{Country, Phone, Zone};

/// A salon, as it introduces itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Business {
    /// The tenant.
    pub id: BusinessId,
    /// Its name.
    pub name: String,
    /// One line, as printed on a card.
    pub address: Option<String>,
    /// The number it answers.
    pub phone: Option<Phone>,
    /// The zone it opened with.
    pub zone: Zone,
    /// Grows by one with each change.
    pub version: i64,
}

impl Business {
    /// The country whose way of dialling its people use: its own number's, and where
    /// several share the country code the zone's among them; without a number the zone's.
    #[must_use]
    pub fn country(&self) -> Option<Country> {
        let zone = Country::of_zone(&self.zone);
        let sharing = self.phone.as_ref().map(Phone::countries).unwrap_or_default();
        match sharing.first() {
            Some(main) => zone.filter(|zone| sharing.contains(zone)).or(Some(*main)),
            None => zone,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn business(phone: Option<&str>, zone: &str) -> Business {
        Business {
            id: BusinessId(uuid::Uuid::nil()),
            name: "Willow & Co".to_owned(),
            address: None,
            phone: phone.map(|number| Phone::parse(number).unwrap()),
            zone: zone.parse().unwrap(),
            version: 1,
        }
    }

    #[test]
    fn a_business_dials_as_its_own_number_does_and_else_as_its_zone() {
        let german = business(Some("+49 30 901820"), "Europe/London");
        assert_eq!(german.country(), Country::parse("DE"));
        let canadian = business(Some("+1 416 555 0134"), "America/Toronto");
        assert_eq!(canadian.country(), Country::parse("CA"));
        assert_eq!(business(None, "Europe/London").country(), Country::parse("GB"));
        assert_eq!(business(None, "Etc/UTC").country(), None);
    }

    #[test]
    fn a_number_of_no_country_leaves_the_zone_to_decide() {
        assert_eq!(business(Some("+800 1234 5678"), "Europe/Paris").country(), Country::parse("FR"));
    }
}
