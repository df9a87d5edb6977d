//! A salon.

use caller::BusinessId;

use super::{BrandColor, Country, Currency, Email, LogoDigest, Phone, Stale, Website, Zone};

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
    /// Where to write to.
    pub email: Option<Email>,
    /// Where it is on the web.
    pub website: Option<Website>,
    /// What new prices are in.
    pub currency: Option<Currency>,
    /// The colour it is recognised by.
    pub brand_color: Option<BrandColor>,
    /// Its logo.
    pub logo: Option<LogoDigest>,
    /// Grows by one with each change.
    pub version: i64,
}

/// What its owner says of a salon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Details {
    /// Its name.
    pub name: String,
    /// One line, as printed on a card.
    pub address: Option<String>,
    /// The number it answers.
    pub phone: Option<Phone>,
    /// Where to write to.
    pub email: Option<Email>,
    /// Where it is on the web.
    pub website: Option<Website>,
    /// What new prices are in.
    pub currency: Option<Currency>,
    /// The colour it is recognised by.
    pub brand_color: Option<BrandColor>,
}

/// What a salon has of what it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusinessSetup {
    /// The tenant.
    pub id: BusinessId,
    /// People who serve customers.
    pub employees: i64,
    /// Platforms that answer its telephone.
    pub voice_connections: i64,
    /// Tasks that are not done.
    pub open_follow_ups: i64,
    /// Of the platforms that answer its telephone, those that need its owner.
    pub broken_voice_connections: usize,
    /// The published version of its agent; 0 before there is one.
    pub agent_version: i32,
    /// Of the platforms that need its owner, those that have another agent than the published one.
    pub failed_publications: usize,
}

impl Business {
    /// The business, if no change was made since `version` was seen.
    ///
    /// # Errors
    /// [`Stale`] with the current version.
    pub fn seen_at(self, version: Option<i64>) -> Result<Self, Stale> {
        match version {
            Some(version) if version != self.version => Err(Stale(self.version)),
            _ => Ok(self),
        }
    }

    /// What its owner says of it, replaced.
    #[must_use]
    pub fn described(self, details: Details) -> Self {
        let Details { name, address, phone, email, website, currency, brand_color } = details;
        let version = self.version;
        let described = Self { name, address, phone, email, website, currency, brand_color, ..self.clone() };
        if described == self { self } else { Self { version: version + 1, ..described } }
    }

    /// With this logo, or without one.
    #[must_use]
    pub fn recognised_by(self, logo: Option<LogoDigest>) -> Self {
        if logo == self.logo { self } else { Self { logo, version: self.version + 1, ..self } }
    }

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
            email: None,
            website: None,
            currency: None,
            brand_color: None,
            logo: None,
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
    fn a_change_counts_and_the_same_again_does_not() {
        let before = business(None, "Europe/London");
        let details = |name: &str| Details {
            name: name.to_owned(),
            address: None,
            phone: None,
            email: None,
            website: None,
            currency: Some("GBP".parse().unwrap()),
            brand_color: None,
        };
        let after = before.clone().described(details("Willow"));
        assert_eq!((after.name.as_str(), after.version), ("Willow", 2));
        assert_eq!(after.clone().described(details("Willow")), after);
        assert_eq!(after.clone().seen_at(Some(1)), Err(Stale(2)));
        assert_eq!(after.clone().seen_at(Some(2)).as_ref(), Ok(&after));
    }

    #[test]
    fn another_logo_is_a_change_and_the_same_again_is_none() {
        let logo = || Some(LogoDigest::stored("0".repeat(64)));
        let with = business(None, "Europe/London").recognised_by(logo());
        assert_eq!((with.logo.clone(), with.version), (logo(), 2));
        assert_eq!(with.clone().recognised_by(logo()), with);
        assert_eq!(with.recognised_by(None).version, 3);
    }

    #[test]
    fn a_number_of_no_country_leaves_the_zone_to_decide() {
        assert_eq!(business(Some("+800 1234 5678"), "Europe/Paris").country(), Country::parse("FR"));
    }
}
