//! Values that tests speak of: people, services, times, requests.

use caller::{BusinessId, IDEMPOTENCY_HEADER};
use jiff::Timestamp;
use proto::{
    error::{Reason, reason_of},
    frontdesk::scheduling::{
        internal::v1::BusyFact,
        v1::{BookAppointmentRequest, DaySpan, Offer, Segment, SegmentKind, Service, VisitItem, WeeklySpan},
    },
    time::to_proto,
};
use tonic::{Request, Status};
use tonic_types::StatusExt;
use uuid::Uuid;

pub const WILLOW: BusinessId = BusinessId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001));
pub const OTHER: BusinessId = BusinessId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0002));
/// The connection to the salon's booking system.
pub const PROVIDER: Uuid = Uuid::from_u128(0xb00);
/// An employee or customer of another business, or of none.
pub const STRANGER: Uuid = Uuid::from_u128(0x5714);
pub const ANA: Uuid = Uuid::from_u128(0xa1);
pub const BEN: Uuid = Uuid::from_u128(0xb1);
/// 30 minutes, no buffers; both do it.
pub const CUT: Uuid = Uuid::from_u128(0xc1);
/// 30 at work, 30 processing, 15 at work, 10 minutes kept free after; both do it.
pub const COLOUR: Uuid = Uuid::from_u128(0xc2);
/// 45 minutes, 5 minutes kept free before; Ben alone does it.
pub const MASSAGE: Uuid = Uuid::from_u128(0xc3);
pub const CALL: Uuid = Uuid::from_u128(0xca11);
pub const CONNECTION: Uuid = Uuid::from_u128(0xc0);

/// An instant of Monday, 1 June 2026, by London's clock.
pub fn monday(time: &str) -> Timestamp {
    local("2026-06-01", time)
}

/// An instant by London's clock.
pub fn local(date: &str, time: &str) -> Timestamp {
    let civil: jiff::civil::DateTime = format!("{date}T{time}").parse().unwrap();
    civil.in_tz("Europe/London").unwrap().timestamp()
}

/// What London's clock shows.
pub fn shown(at: Option<&pbjson_types::Timestamp>) -> String {
    let at = proto::time::required("shown", at).unwrap();
    at.in_tz("Europe/London").unwrap().strftime("%H:%M").to_string()
}

pub fn starts(offers: &[Offer]) -> Vec<String> {
    offers.iter().map(|offer| shown(offer.starts_at.as_ref())).collect()
}

pub fn reason(status: &Status) -> Reason {
    reason_of(status).unwrap_or_else(|| panic!("{status:?} has no reason"))
}

/// The field an invalid request's refusal names.
pub fn field(status: &Status) -> String {
    assert_eq!(reason(status), Reason::InvalidField, "{status:?}");
    status.get_details_bad_request().unwrap().field_violations[0].field.clone()
}

pub fn anyone(service: Uuid) -> VisitItem {
    VisitItem { service_id: service.to_string(), ..VisitItem::default() }
}

pub fn by(service: Uuid, employee: Uuid) -> VisitItem {
    VisitItem { service_id: service.to_string(), employee_id: employee.to_string(), ..VisitItem::default() }
}

pub fn with_key<T>(mut request: Request<T>, key: &str) -> Request<T> {
    request.metadata_mut().insert(IDEMPOTENCY_HEADER, key.parse().unwrap());
    request
}

/// Spans of the same hours on Monday to Saturday.
pub fn weekdays(from: i32, to: i32) -> Vec<WeeklySpan> {
    let span = |weekday| WeeklySpan { weekday, from_minute: from * 60, to_minute: to * 60 };
    (1..=6).map(span).collect()
}

/// Hours of one date, from and to full hours.
pub fn hours(from: i32, to: i32) -> Vec<DaySpan> {
    vec![DaySpan { from_minute: from * 60, to_minute: to * 60 }]
}

pub fn booking(items: Vec<VisitItem>, start: Timestamp) -> BookAppointmentRequest {
    BookAppointmentRequest {
        business_id: WILLOW.to_string(),
        items,
        starts_at: Some(to_proto(start)),
        ..BookAppointmentRequest::default()
    }
}

pub fn fact(id: &str, from: Timestamp, to: Timestamp) -> BusyFact {
    BusyFact {
        external_id: id.to_owned(),
        title: format!("{id} elsewhere"),
        starts_at: Some(to_proto(from)),
        ends_at: Some(to_proto(to)),
        ..BusyFact::default()
    }
}

pub fn removed(id: &str) -> BusyFact {
    BusyFact { external_id: id.to_owned(), removed: true, ..BusyFact::default() }
}

pub fn service(id: Uuid, name: &str, segments: &[i32], employees: &[Uuid]) -> Service {
    let kind = |index| if index % 2 == 0 { SegmentKind::Active } else { SegmentKind::Processing };
    let segment = |(index, minutes): (usize, &i32)| Segment { kind: kind(index).into(), minutes: *minutes };
    Service {
        id: id.to_string(),
        name: name.to_owned(),
        category: "Hair".to_owned(),
        segments: segments.iter().enumerate().map(segment).collect(),
        price_minor: 4500,
        currency: "GBP".to_owned(),
        employee_ids: employees.iter().map(ToString::to_string).collect(),
        ..Service::default()
    }
}
