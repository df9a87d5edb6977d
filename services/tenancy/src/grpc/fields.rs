//! Request fields that several methods have.

use jiff::civil::Date;
use proto::{
    error::invalid,
    page::{self, Page},
    parse,
};
use tonic::Status;
use uuid::Uuid;

use caller::BusinessId;

use crate::domain::{
    Barcode, BarcodeError, BrandColor, ChangeId, Currency, Dialled, Email, Listing, PhoneError, Place, Tags,
    UnknownColor, UnknownCurrency, VoicePlatform, Website, Zone, amount,
};

const LONGEST_NAME: usize = 200;
const LONGEST_CATEGORY: usize = 80;
const MOST_TAGS: usize = 20;
const LONGEST_TAG: usize = 40;
const LONGEST_SKU: usize = 64;
const LONGEST_UNIT: usize = 20;
/// A note beside a record that is about something else.
pub(crate) const LONGEST_REMARK: usize = 500;
const LARGEST_QUANTITY: i32 = 1_000_000;
const WHOLE_TAX: i32 = 10_000;
const LONGEST_ADDRESS: usize = 300;
/// Businesses that an administrator reads about at once.
const MOST_BUSINESSES: usize = 50;

/// The change that a request made; empty where nothing changed.
pub(crate) fn change_id(change: Option<ChangeId>) -> String {
    change.map(|change| change.to_string()).unwrap_or_default()
}

/// A name or label: one line of at most 200 characters.
pub(crate) fn name(field: &str, value: &str) -> Result<String, Status> {
    parse::line(field, value, LONGEST_NAME)
}

/// The name of a business, which invitations show to people elsewhere.
pub(crate) fn business_name(value: &str) -> Result<String, Status> {
    parse::public_name("name", value, LONGEST_NAME)
}

/// An address on one line, or none.
pub(crate) fn address(value: &str) -> Result<Option<String>, Status> {
    parse::optional_line("address", value, LONGEST_ADDRESS)
}

/// An IANA zone.
pub(crate) fn zone(value: &str) -> Result<Zone, Status> {
    if value.is_empty() {
        return Err(invalid("time_zone", "is required"));
    }
    value.parse().map_err(|error: crate::domain::UnknownZone| invalid("time_zone", &error.to_string()))
}

/// A telephone number as a person gave it, or none.
pub(crate) fn dialled(value: &str) -> Result<Option<Dialled>, Status> {
    let number = (!value.trim().is_empty()).then(|| Dialled::parse(value));
    number.transpose().map_err(no_phone)
}

/// Why `phone` is refused.
pub(crate) fn no_phone(error: PhoneError) -> Status {
    invalid("phone", &error.to_string())
}

/// An e-mail address, or none.
pub(crate) fn email(value: &str) -> Result<Option<Email>, Status> {
    let address = (!value.trim().is_empty()).then(|| Email::parse(value));
    address.transpose().map_err(|error| invalid("email", &error.to_string()))
}

/// A web address, or none.
pub(crate) fn website(value: &str) -> Result<Option<Website>, Status> {
    let address = (!value.trim().is_empty()).then(|| Website::parse(value));
    address.transpose().map_err(|error| invalid("website", &error.to_string()))
}

/// A currency, or none.
pub(crate) fn currency(value: &str) -> Result<Option<Currency>, Status> {
    let code = (!value.is_empty()).then(|| value.parse());
    code.transpose().map_err(|error: UnknownCurrency| invalid("currency", &error.to_string()))
}

/// A colour, or none.
pub(crate) fn brand_color(value: &str) -> Result<Option<BrandColor>, Status> {
    let color = (!value.is_empty()).then(|| value.parse());
    color.transpose().map_err(|error: UnknownColor| invalid("brand_color", &error.to_string()))
}

/// Some businesses that an administrator asks about.
pub(crate) fn businesses(ids: &[String]) -> Result<Vec<BusinessId>, Status> {
    parse::some_ids("business_ids", ids, MOST_BUSINESSES)
}

/// A voice platform.
pub(crate) fn platform(value: i32) -> Result<VoicePlatform, Status> {
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

/// A date, as 2026-06-02.
pub(crate) fn date(field: &str, text: &str) -> Result<Date, Status> {
    optional_date(field, text)?.ok_or_else(|| invalid(field, "is required"))
}

/// A date, as 2026-06-02, or none.
pub(crate) fn optional_date(field: &str, text: &str) -> Result<Option<Date>, Status> {
    if text.is_empty() {
        return Ok(None);
    }
    // No other way to write a date is taken.
    let date = text.parse().ok().filter(|date: &Date| date.to_string() == text);
    date.map(Some).ok_or_else(|| invalid(field, "is not a date, as 2026-06-02"))
}

/// The version that was seen; `None` for any.
pub(crate) fn seen_version(version: i64) -> Result<Option<i64>, Status> {
    match version {
        0 => Ok(None),
        1.. => Ok(Some(version)),
        _ => Err(invalid("version", "must not be negative")),
    }
}

/// What an item is filed under, or nothing.
pub(crate) fn category(field: &str, value: &str) -> Result<String, Status> {
    Ok(parse::optional_line(field, value, LONGEST_CATEGORY)?.unwrap_or_default())
}

/// The number of an item, or none.
pub(crate) fn sku(field: &str, value: &str) -> Result<Option<String>, Status> {
    parse::optional_line(field, value, LONGEST_SKU)
}

/// What is counted; nothing for pieces.
pub(crate) fn unit(field: &str, value: &str) -> Result<String, Status> {
    Ok(parse::optional_line(field, value, LONGEST_UNIT)?.unwrap_or_default())
}

/// The number on a package, or none.
pub(crate) fn barcode(field: &str, value: &str) -> Result<Option<Barcode>, Status> {
    let code = (!value.trim().is_empty()).then(|| value.trim().parse());
    code.transpose().map_err(|error: BarcodeError| invalid(field, &error.to_string()))
}

/// An amount in minor units.
pub(crate) fn amount(field: &str, minor: i32) -> Result<i32, Status> {
    if (0..=amount::LARGEST).contains(&minor) {
        Ok(minor)
    } else {
        Err(invalid(field, "must lie between 0 and 99,999,999"))
    }
}

/// A tax in hundredths of a percent.
pub(crate) fn tax(field: &str, basis_points: i32) -> Result<i32, Status> {
    if (0..=WHOLE_TAX).contains(&basis_points) {
        Ok(basis_points)
    } else {
        Err(invalid(field, "must lie between 0 and 10,000"))
    }
}

/// How many of an item, `least` or more.
pub(crate) fn quantity(field: &str, quantity: i32, least: i32) -> Result<u32, Status> {
    let fits = (least..=LARGEST_QUANTITY).contains(&quantity);
    let refused = || invalid(field, &format!("must lie between {least} and 1,000,000"));
    u32::try_from(quantity).ok().filter(|_| fits).ok_or_else(refused)
}

/// What a customer is filed under.
pub(crate) fn tags(texts: &[String]) -> Result<Tags, Status> {
    if texts.len() > MOST_TAGS {
        return Err(invalid("tags", "must be at most 20"));
    }
    let tag = |(index, text): (usize, &String)| parse::line(&format!("tags[{index}]"), text, LONGEST_TAG);
    Ok(Tags::new(texts.iter().enumerate().map(tag).collect::<Result<_, _>>()?))
}

/// A page of a list by name and id, and what the store reads for it.
pub(crate) fn listing(size: i32, token: &str) -> Result<(Page<(String, Uuid)>, Listing), Status> {
    let page = page::page(size, token)?;
    let after = page.after.clone().map_or_else(Place::start, |(name, id)| Place { name, id });
    let listing = Listing { limit: page.limit(), after };
    Ok((page, listing))
}
