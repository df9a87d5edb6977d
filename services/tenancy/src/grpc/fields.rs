//! Request fields that several methods have.

use proto::{
    error::invalid,
    page::{self, Page},
    parse,
};
use tonic::Status;
use uuid::Uuid;

use caller::BusinessId;

use crate::domain::{
    BrandColor, Currency, Dialled, Email, Listing, PhoneError, Place, UnknownColor, UnknownCurrency,
    VoicePlatform, Website, Zone,
};

const LONGEST_NAME: usize = 200;
const LONGEST_ADDRESS: usize = 300;
/// Businesses that an administrator reads about at once.
const MOST_BUSINESSES: usize = 50;

/// A name or label: one line of at most 200 characters.
pub(super) fn name(field: &str, value: &str) -> Result<String, Status> {
    parse::line(field, value, LONGEST_NAME)
}

/// An address on one line, or none.
pub(super) fn address(value: &str) -> Result<Option<String>, Status> {
    parse::optional_line("address", value, LONGEST_ADDRESS)
}

/// An IANA zone.
pub(super) fn zone(value: &str) -> Result<Zone, Status> {
    if value.is_empty() {
        return Err(invalid("time_zone", "is required"));
    }
    value.parse().map_err(|error: crate::domain::UnknownZone| invalid("time_zone", &error.to_string()))
}

/// A telephone number as a person gave it, or none.
pub(super) fn dialled(value: &str) -> Result<Option<Dialled>, Status> {
    let number = (!value.trim().is_empty()).then(|| Dialled::parse(value));
    number.transpose().map_err(no_phone)
}

/// Why `phone` is refused.
pub(super) fn no_phone(error: PhoneError) -> Status {
    invalid("phone", &error.to_string())
}

/// An e-mail address, or none.
pub(super) fn email(value: &str) -> Result<Option<Email>, Status> {
    let address = (!value.trim().is_empty()).then(|| Email::parse(value));
    address.transpose().map_err(|error| invalid("email", &error.to_string()))
}

/// A web address, or none.
pub(super) fn website(value: &str) -> Result<Option<Website>, Status> {
    let address = (!value.trim().is_empty()).then(|| Website::parse(value));
    address.transpose().map_err(|error| invalid("website", &error.to_string()))
}

/// A currency, or none.
pub(super) fn currency(value: &str) -> Result<Option<Currency>, Status> {
    let code = (!value.is_empty()).then(|| value.parse());
    code.transpose().map_err(|error: UnknownCurrency| invalid("currency", &error.to_string()))
}

/// A colour, or none.
pub(super) fn brand_color(value: &str) -> Result<Option<BrandColor>, Status> {
    let color = (!value.is_empty()).then(|| value.parse());
    color.transpose().map_err(|error: UnknownColor| invalid("brand_color", &error.to_string()))
}

/// Some businesses that an administrator asks about.
pub(super) fn businesses(ids: &[String]) -> Result<Vec<BusinessId>, Status> {
    parse::some_ids("business_ids", ids, MOST_BUSINESSES)
}

/// A voice platform.
pub(super) fn platform(value: i32) -> Result<VoicePlatform, Status> {
    use proto::frontdesk::tenancy::v1::VoicePlatform as Wire;
    match Wire::try_from(value) {
        Ok(Wire::Retell) => Ok(VoicePlatform::Retell),
        Ok(Wire::Vapi) => Ok(VoicePlatform::Vapi),
        Ok(Wire::Twilio) => Ok(VoicePlatform::Twilio),
        Ok(Wire::Elevenlabs) => Ok(VoicePlatform::ElevenLabs),
        Ok(Wire::Unspecified) => Err(invalid("platform", "is required")),
        Err(_) => Err(invalid("platform", "is not a known platform")),
    }
}

/// The version that was seen; `None` for any.
pub(super) fn seen_version(version: i64) -> Result<Option<i64>, Status> {
    match version {
        0 => Ok(None),
        1.. => Ok(Some(version)),
        _ => Err(invalid("version", "must not be negative")),
    }
}

/// A page of a list by name and id, and what the store reads for it.
pub(super) fn listing(size: i32, token: &str) -> Result<(Page<(String, Uuid)>, Listing), Status> {
    let page = page::page(size, token)?;
    let after = page.after.clone().map_or_else(Place::start, |(name, id)| Place { name, id });
    let listing = Listing { limit: page.limit(), after };
    Ok((page, listing))
}
