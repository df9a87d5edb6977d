//! Square Appointments: its Bookings, Team and Catalog APIs, for one location of a seller.

mod api;
mod wire;

use boot::clock::Clock;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tonic::async_trait;
use uuid::Uuid;

use super::{
    Day, GivesIds, ListedRecord, Provider, ProviderError, TheirPage, Uncreated, Unwritten, Writing, bounded,
    fault::Fault,
    windows::{self, Reading, Window, WindowPage},
};
use crate::{
    app::SIGNATURE_KEY,
    domain::{
        event::Etag,
        free_time::{Minutes, joined},
        mark::marked,
        profile::{SERVER, SERVICE},
        provider::{CallLimit, Credentials, Outgoing, ProviderKind, Setting, System},
    },
    outside::web::Web,
};
use api::enc;
use wire::{
    Availabilities, Booking, BookingAnswer, Bookings, CatalogObject, Items, LocationAnswer, TeamMembers,
};

/// Square says no number, and answers 429 beyond its own. One worker at a time calls, so that a burst is spread by the
/// time that answers take.
const LIMIT: CallLimit = CallLimit { per_second: 20, burst: 1_000 };
const LOCATION: &str = "location";
/// Bookings of a page: a busy month is one call.
const PAGE: &str = "500";
/// Pages of team members or services that are read.
const MOST_PAGES: usize = 50;
/// The shortest stretch of time whose free starts Square gives.
const LEAST_RANGE: SignedDuration = SignedDuration::from_hours(24);

/// Speaks to Square.
#[derive(Debug, Clone)]
pub struct Square {
    /// Calls it.
    pub web: Web,
    /// Tells the time.
    pub clock: Clock,
}

impl Square {
    /// A booking that was not cancelled.
    async fn booking(&self, with: &Credentials, id: &str) -> Result<Option<Booking>, ProviderError> {
        match self.get::<BookingAnswer>(with, &format!("v2/bookings/{}", enc(id)), &[]).await {
            Ok(answer) => Ok(Some(answer.booking).filter(Booking::stands)),
            Err(Fault::Gone) => Ok(None),
            Err(fault) => Err(fault.into()),
        }
    }

    async fn page_of_window(
        &self,
        with: &Credentials,
        employees: &[&str],
        window: Window,
    ) -> Result<WindowPage, ProviderError> {
        let until = window.to().tomorrow().unwrap_or(window.to());
        let (from, until) = (format!("{}T00:00:00Z", window.from), format!("{until}T00:00:00Z"));
        let mut query = vec![
            ("limit", PAGE),
            ("location_id", with.setting(LOCATION)),
            ("start_at_min", from.as_str()),
            ("start_at_max", until.as_str()),
        ];
        if let [employee] = employees {
            query.push(("team_member_id", *employee));
        }
        if let Some(cursor) = &window.page {
            query.push(("cursor", cursor.as_str()));
        }
        let page: Bookings = self.get(with, "v2/bookings", &query).await?;
        let found = wire::of_each(page.bookings, employees, self.clock.now());
        Ok((found, page.cursor.filter(|cursor| !cursor.is_empty())))
    }

    /// What is sent of an appointment: a segment of the service's present version.
    async fn written(&self, with: &Credentials, outgoing: &Outgoing) -> Result<Value, Unwritten> {
        let service = outgoing.service.clone().unwrap_or_else(|| with.setting(SERVICE).to_owned());
        if service.is_empty() {
            return Err(Unwritten::Refused(format!(
                "Square books services: map the service of “{}”, then try again",
                outgoing.title
            )));
        }
        let path = format!("v2/catalog/object/{}", enc(&service));
        let variation = match self.get::<CatalogObject>(with, &path, &[]).await {
            Ok(found) => found.object,
            Err(Fault::Gone) => {
                return Err(Unwritten::Refused(
                    "Square no longer has the service: map another one".to_owned(),
                ));
            }
            Err(fault) => return Err(fault.into()),
        };
        let minutes = outgoing.span.ends().duration_since(outgoing.span.starts()).as_mins().max(1);
        Ok(json!({
            "start_at": outgoing.span.starts(),
            "location_id": with.setting(LOCATION),
            "seller_note": marked(&outgoing.title, &outgoing.id, outgoing.appointment),
            "appointment_segments": [{
                "duration_minutes": minutes,
                "service_variation_id": variation.id,
                "service_variation_version": variation.version,
                "team_member_id": outgoing.employee,
            }],
        }))
    }

    /// A service by whose free starts free time is told.
    async fn any_service(&self, with: &Credentials) -> Result<String, ProviderError> {
        let set = with.setting(SERVICE);
        if !set.is_empty() {
            return Ok(set.to_owned());
        }
        let first = self.services(with).await?.into_iter().flatten().next();
        first.map(|service| service.id).ok_or_else(|| {
            ProviderError::Failed("Square tells free time by service, and has none".to_owned())
        })
    }

    /// Square refuses what is cancelled instead of saying that it changed.
    async fn judged(&self, with: &Credentials, id: &str, fault: Fault) -> Unwritten {
        match (Unwritten::from(fault), self.booking(with, id).await) {
            (Unwritten::Refused(_), Ok(None)) => Unwritten::Stale,
            (unwritten, _) => unwritten,
        }
    }
}

#[async_trait]
impl Provider for Square {
    fn system(&self) -> System {
        let setting = |key: &str, label: &str, hint: &str| Setting {
            key: key.to_owned(),
            label: label.to_owned(),
            hint: hint.to_owned(),
            ..Setting::default()
        };
        System {
            kind: ProviderKind::Square,
            name: "Square".to_owned(),
            token: "Access token".to_owned(),
            settings: vec![
                Setting {
                    required: true,
                    default: "https://connect.squareup.com/".to_owned(),
                    ..setting(SERVER, "Server", "For a sandbox: https://connect.squareupsandbox.com/")
                },
                Setting {
                    required: true,
                    ..setting(LOCATION, "Location id", "Of the location that is this salon.")
                },
                setting(
                    SERVICE,
                    "Service variation id",
                    "Optional: what an appointment is entered as whose own service is mapped to none. Without it, such an appointment waits.",
                ),
                Setting {
                    secret: true,
                    ..setting(
                        SIGNATURE_KEY,
                        "Signature key of the webhook",
                        "Optional: with a webhook subscription to booking.created and booking.updated, changes arrive at once.",
                    )
                },
            ],
            pushes: true,
            books_services: true,
        }
    }

    fn limit(&self) -> CallLimit {
        LIMIT
    }

    async fn account(&self, with: &Credentials) -> Result<String, ProviderError> {
        let path = format!("v2/locations/{}", enc(with.setting(LOCATION)));
        match self.get::<LocationAnswer>(with, &path, &[]).await {
            Ok(LocationAnswer { location }) => Ok(location.name),
            Err(Fault::Gone) => {
                Err(ProviderError::Failed("Square has no such location for this token".to_owned()))
            }
            Err(fault) => Err(fault.into()),
        }
    }

    async fn employees(&self, with: &Credentials) -> Result<Vec<ListedRecord>, ProviderError> {
        let (mut found, mut cursor) = (vec![], None);
        for _ in 0..MOST_PAGES {
            let filter = json!({ "location_ids": [with.setting(LOCATION)], "status": "ACTIVE" });
            let body = json!({ "query": { "filter": filter }, "limit": 200, "cursor": cursor });
            let page: TeamMembers = self.post(with, "v2/team-members/search", &body).await?;
            found.extend(page.team_members.iter().map(wire::team_member));
            bounded(&found)?;
            cursor = page.cursor.filter(|cursor| !cursor.is_empty());
            if cursor.is_none() {
                break;
            }
        }
        Ok(found)
    }

    async fn services(&self, with: &Credentials) -> Result<Vec<ListedRecord>, ProviderError> {
        let (mut found, mut cursor) = (vec![], None);
        for _ in 0..MOST_PAGES {
            let body = json!({
                "product_types": ["APPOINTMENTS_SERVICE"],
                "enabled_location_ids": [with.setting(LOCATION)],
                "limit": 100,
                "cursor": cursor,
            });
            let page: Items = self.post(with, "v2/catalog/search-catalog-items", &body).await?;
            found.extend(page.items.iter().flat_map(wire::variations));
            bounded(&found)?;
            cursor = page.cursor.filter(|cursor| !cursor.is_empty());
            if cursor.is_none() {
                break;
            }
        }
        Ok(found)
    }

    /// All there are, each time: Square lists by start alone, and its pushes make that happen soon.
    async fn appointments(
        &self,
        with: &Credentials,
        employees: &[&str],
        after: Option<&str>,
    ) -> Result<TheirPage, ProviderError> {
        let reading = Reading::after(after, false, self.clock.now())?;
        reading.read(LIMIT, employees.len(), |window| self.page_of_window(with, employees, window)).await
    }

    fn earliest(&self, _: &[&str]) -> Option<String> {
        None
    }

    fn calls(&self, after: Option<&str>) -> u32 {
        windows::calls(after, LIMIT)
    }

    /// What a customer could book, from each free start on for as long as the service takes.
    async fn free(
        &self,
        with: &Credentials,
        employee: &str,
        day: &Day,
    ) -> Result<Vec<Minutes>, ProviderError> {
        let out_of_range = || ProviderError::Failed("the day is out of range".to_owned());
        let (starts, ends) = day.span().ok_or_else(out_of_range)?;
        let least = starts.checked_add(LEAST_RANGE).ok();
        let filter = json!({
            "start_at_range": { "start_at": starts, "end_at": least.map_or(ends, |least| ends.max(least)) },
            "location_id": with.setting(LOCATION),
            "segment_filters": [{
                "service_variation_id": self.any_service(with).await?,
                "team_member_id_filter": { "any": [employee] },
            }],
        });
        let body = json!({ "query": { "filter": filter } });
        let found: Availabilities = self.post(with, "v2/bookings/availability/search", &body).await?;
        let of_day = found.availabilities.into_iter().filter(|free| (starts..ends).contains(&free.start_at));
        let spans = of_day.filter_map(|free| {
            let ends: Timestamp = free.start_at.checked_add(free.lasts()).ok()?;
            Some((day.minute(free.start_at), day.minute(ends)))
        });
        Ok(joined(spans.collect()))
    }

    fn writing(&self) -> Writing<'_> {
        Writing::ItsIds(self)
    }
}

#[async_trait]
impl GivesIds for Square {
    async fn create(&self, with: &Credentials, outgoing: &Outgoing, key: Uuid) -> Result<String, Uncreated> {
        let booking = self.written(with, outgoing).await?;
        let body = json!({ "idempotency_key": key, "booking": booking });
        let created: BookingAnswer = self.post(with, "v2/bookings", &body).await?;
        Ok(created.booking.id)
    }

    async fn update(
        &self,
        with: &Credentials,
        id: &str,
        outgoing: &Outgoing,
        expected: &Etag,
    ) -> Result<(), Unwritten> {
        let mut booking = self.written(with, outgoing).await?;
        booking["version"] = version(expected);
        let body = json!({ "booking": booking });
        match self.put::<BookingAnswer>(with, &format!("v2/bookings/{}", enc(id)), &body).await {
            Ok(_) => Ok(()),
            Err(fault) => Err(self.judged(with, id, fault).await),
        }
    }

    async fn cancel(&self, with: &Credentials, id: &str, expected: &Etag) -> Result<(), Unwritten> {
        let body = json!({ "booking_version": version(expected) });
        let path = format!("v2/bookings/{}/cancel", enc(id));
        match self.post::<BookingAnswer>(with, &path, &body).await {
            Ok(_) => Ok(()),
            Err(fault) => Err(self.judged(with, id, fault).await),
        }
    }

    fn knows_keys(&self) -> bool {
        true
    }

    async fn version(&self, with: &Credentials, id: &str) -> Result<Option<Etag>, ProviderError> {
        Ok(self.booking(with, id).await?.map(|booking| Etag(booking.version.to_string())))
    }
}

fn version(etag: &Etag) -> Value {
    etag.0.parse::<i64>().map_or(Value::Null, Value::from)
}
