//! Numbering plans: Google's data, through the `phonenumber` crate.
//!
//! The crate's parser is asked about national numbers only, and believed only where
//! its answer fits the plan: it strips a trunk prefix from numbers that merely begin
//! with the same digit (St Petersburg, +7 812), another country's trunk prefix from
//! international numbers, and a country code from national numbers that begin alike.
//! Its data are good.

use phonenumber::{
    Metadata,
    country::Id,
    metadata::{DATABASE, Descriptor},
};

use super::Country;

/// Digits of a country code at most.
const LONGEST_CODE: usize = 3;
const TRUNK_ZERO: &str = "0";

/// The plans under one country code, among them that of `home`.
pub(super) struct Plan {
    code: u16,
    home: &'static Metadata,
    all: Vec<&'static Metadata>,
}

impl Plan {
    fn of_code(code: u16) -> Option<Self> {
        let all = DATABASE.by_code(&code)?;
        let home = all.iter().find(|plan| plan.is_main_country_for_code()).or(all.first())?;
        Some(Self { code, home, all })
    }

    fn of_country(country: Country) -> Option<Self> {
        let home = DATABASE.by_id(country.0.as_ref())?;
        Some(Self { code: home.country_code(), home, all: DATABASE.by_code(&home.country_code())? })
    }

    /// The plan `digits` begin with the code of, and the rest. No code begins another.
    fn split(digits: &str) -> Option<(Self, &str)> {
        (1..=LONGEST_CODE.min(digits.len())).find_map(|length| {
            let (code, national) = digits.split_at(length);
            Some((Self::of_code(code.parse().ok()?)?, national))
        })
    }

    /// Whether numbers of this length exist. The ranges in use change faster than any data set, so they
    /// are not checked: a customer with a new number must not be refused.
    fn possible(&self, national: &str) -> bool {
        let length = |wanted: &u16| usize::from(*wanted) == national.len();
        self.all.iter().flat_map(|plan| kinds(plan)).any(|kind| kind.possible_length().iter().any(length))
    }

    fn e164(&self, national: &str) -> String {
        format!("+{}{national}", self.code)
    }

    /// The best reading: one in a known range, else one of a possible length.
    fn best(&self, readings: &[&str], ranges: &[&'static Metadata]) -> Option<String> {
        let known =
            |national: &&&str| ranges.iter().any(|plan| kinds(plan).any(|kind| kind.is_match(national)));
        let possible = || readings.iter().filter(|national| self.possible(national));
        possible().find(known).or_else(|| possible().next()).map(|national| self.e164(national))
    }
}

/// The E.164 form of a number's digits from its country code on.
pub(super) fn international(digits: &str) -> Option<String> {
    let (plan, national) = Plan::split(digits)?;
    let trunk = plan.home.national_prefix();
    match trunk.and_then(|trunk| Some((trunk, national.strip_prefix(trunk)?))) {
        None => plan.best(&[national], &[]),
        // Where the trunk prefix is 0, as in +44 (0)20, few numbers begin with one.
        Some((TRUNK_ZERO, bare)) => plan.best(&[bare, national], &plan.all),
        Some((_, bare)) => plan.best(&[national, bare], &plan.all),
    }
}

/// The E.164 form of a number as dialled in `country`.
pub(super) fn national(digits: &str, country: Country) -> Option<String> {
    let plan = Plan::of_country(country)?;
    let abroad = plan.home.international_prefix().and_then(|prefix| prefix.find(digits));
    if let Some(prefix) = abroad.filter(|prefix| prefix.start() == 0) {
        return international(&digits[prefix.end()..]);
    }
    let parsed = phonenumber::parse(Some(country.0), digits).ok();
    let parsed = parsed.filter(|number| number.code().value() == plan.code);
    let parsed = parsed.map(|number| number.national().to_string());
    let bare = plan.home.national_prefix().and_then(|trunk| digits.strip_prefix(trunk));
    let readings: Vec<&str> = parsed.as_deref().into_iter().chain(bare).chain([digits]).collect();
    plan.best(&readings, &[plan.home])
}

/// The countries that share the code of a number in E.164, the main one first.
pub(super) fn countries(e164: &str) -> Vec<Country> {
    let Some((plan, _)) = e164.strip_prefix('+').and_then(Plan::split) else { return Vec::new() };
    let all = plan.all.iter().copied().filter(|other| other.id() != plan.home.id());
    core::iter::once(plan.home)
        .chain(all)
        .filter_map(|plan| plan.id().parse::<Id>().ok())
        .map(Country)
        .collect()
}

/// Reads the plans into memory, which takes longer than a caller should wait.
pub fn warm() {
    std::sync::LazyLock::force(&WARM);
}

static WARM: std::sync::LazyLock<()> = std::sync::LazyLock::new(|| drop(Plan::of_code(1)));

/// What a plan has numbers for. Its general description has no lengths of its own.
fn kinds(plan: &Metadata) -> impl Iterator<Item = &Descriptor> {
    let kinds = plan.descriptors();
    [
        kinds.fixed_line(),
        kinds.mobile(),
        kinds.toll_free(),
        kinds.premium_rate(),
        kinds.shared_cost(),
        kinds.personal_number(),
        kinds.voip(),
        kinds.pager(),
        kinds.uan(),
        kinds.voicemail(),
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number of every kind in every plan, by the plan's own example.
    fn examples() -> Vec<(&'static Metadata, &'static str)> {
        let of =
            |plan: &'static Metadata| kinds(plan).filter_map(Descriptor::example).map(move |n| (plan, n));
        DATABASE.iter().flat_map(of).collect()
    }

    #[test]
    fn every_plans_example_numbers_read_as_themselves_with_their_country_code() {
        let examples = examples();
        assert!(examples.len() > 1000, "{}", examples.len());
        for (plan, number) in examples {
            let e164 = format!("{}{number}", plan.country_code());
            assert_eq!(international(&e164), Some(format!("+{e164}")), "{}", plan.id());
        }
    }

    #[test]
    fn every_plans_example_numbers_read_alike_as_dialled_at_home() {
        for (plan, number) in examples() {
            let Some(country) = Country::parse(plan.id()) else { continue };
            let e164 = format!("+{}{number}", plan.country_code());
            assert_eq!(national(number, country), Some(e164), "{}", plan.id());
        }
    }

    #[test]
    fn a_trunk_prefix_is_no_part_of_the_number() {
        for plan in DATABASE.iter() {
            let (Some(country), Some(trunk)) = (Country::parse(plan.id()), plan.national_prefix()) else {
                continue;
            };
            for kind in [plan.descriptors().fixed_line(), plan.descriptors().mobile()] {
                let Some(number) = kind.and_then(Descriptor::example) else { continue };
                let e164 = format!("+{}{number}", plan.country_code());
                assert_eq!(national(&format!("{trunk}{number}"), country), Some(e164), "{}", plan.id());
            }
        }
    }
}
