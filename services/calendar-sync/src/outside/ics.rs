//! Calendars that are published under an address as one .ics file, which is read as a whole unless it is unchanged.

use std::collections::BTreeSet;

use boot::clock::Clock;
use caller::Worker;
use jiff::{SignedDuration, Timestamp, civil::Date, fmt::rfc2822::DateTimeParser, tz::TimeZone};
use reqwest::{
    StatusCode, Url,
    header::{ACCEPT, IF_MODIFIED_SINCE, IF_NONE_MATCH},
};
use serde::{Deserialize, Serialize};
use tonic::async_trait;

use super::{
    Cursor, OutsideCalendar, Page, ReadError, Then, WriteError,
    apart::apart,
    web::{Ask, Login, Web, WebError},
};
use crate::{
    SERVICE,
    domain::{
        busy::Change,
        caldav::Password,
        calendar::{Place, Token},
        event::{Etag, Event, EventId},
        ical::{Collection, Horizon, Unread},
        ics::AddressFault,
    },
    error::Error,
    store::Store,
    vault::Vault,
};

/// Of a calendar of twenty thousand events.
const MOST_BYTES: usize = 8 << 20;
/// Days after which all is read again, so that series go on.
const WHOLE_EVERY: i32 = 7;
/// The time of a change counts once it is so long over: within its second more may change (RFC 9110, 8.8.2.2).
const SETTLED: SignedDuration = SignedDuration::from_secs(60);
/// As long as a server may ask to be left alone for.
const LONGEST_REST: SignedDuration = SignedDuration::from_hours(1);

/// Reads calendars that are published under an address.
#[derive(Debug)]
pub(super) struct IcsCalendar {
    pub(super) store: Store,
    pub(super) vault: Vault,
    pub(super) web: Web,
    pub(super) clock: Clock,
}

/// A file as it was read.
#[derive(Debug)]
pub struct Published {
    /// What it says.
    pub collection: Collection,
    validators: Validators,
}

/// By which a server tells that nothing changed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Validators {
    etag: Option<String>,
    last_modified: Option<String>,
}

impl Validators {
    /// Those by which a file that was read at `now` is known again.
    fn settled(self, now: Timestamp) -> Self {
        let is_over = |at: &String| {
            let at = DateTimeParser::new().parse_timestamp(at);
            at.is_ok_and(|at| now.duration_since(at) > SETTLED)
        };
        Self { last_modified: self.last_modified.filter(is_over), ..self }
    }
}

/// Up to where a calendar was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    /// The lane of the address: another one has versions of its own.
    lane: String,
    /// The zone that days and floating times were told in: one that was changed while it was read counts, too.
    zone: String,
    /// The day all of it was last told, in UTC.
    whole_on: Date,
    digest: String,
    validators: Validators,
    /// It was read once more since then, and had no event any more.
    #[serde(default)]
    emptied: bool,
}

impl Known {
    fn parse(token: &Token) -> Option<Self> {
        serde_json::from_str(&token.0).ok()
    }

    fn token(&self) -> Result<Token, ReadError> {
        let text = serde_json::to_string(self);
        text.map(Token).map_err(|_| ReadError::Failed("its version can't be kept".to_owned()))
    }

    /// What is kept of a file that has no event any more, the first time that it is read so: servers answer so, too, when
    /// something is wrong. What was told of it still holds.
    fn doubting(self, address: &Password, digest: &str) -> Option<Self> {
        let doubts = self.lane == address.lane() && self.digest != digest && !self.emptied;
        doubts.then_some(Self { emptied: true, validators: Validators::default(), ..self })
    }

    /// Whether what the unchanged file of an address says is still what was told of it.
    fn holds(&self, address: &Password, zone: &TimeZone, today: Date) -> bool {
        self.lane == address.lane()
            && self.zone == name(zone)
            && (today - self.whole_on).get_days() < WHOLE_EVERY
    }
}

/// Reads the calendar at an address.
///
/// # Errors
/// [`AddressFault`].
pub async fn published(web: &Web, address: &Password) -> Result<Published, AddressFault> {
    let changed = changed(web, address, &Validators::default()).await?;
    changed.ok_or_else(|| AddressFault::Unreachable("the server's answer can't be understood".to_owned()))
}

/// The calendar at an address, unless it is still the one of these validators.
async fn changed(
    web: &Web,
    address: &Password,
    known: &Validators,
) -> Result<Option<Published>, AddressFault> {
    let url: Url = address.expose().parse().map_err(|_| AddressFault::Missing)?;
    // One address that fails rests alone: many are at the same few servers.
    let ask = Ask::new("GET", url, Login::InBody).lane(address.lane()).at_most(MOST_BYTES);
    let ask = ask.header(ACCEPT, "text/calendar, */*;q=0.1");
    let ask = known.etag.iter().fold(ask, |ask, etag| ask.header(IF_NONE_MATCH, etag));
    let ask = known.last_modified.iter().fold(ask, |ask, at| ask.header(IF_MODIFIED_SINCE, at));
    let answer = web.send(ask).await?;
    match answer.status {
        StatusCode::NOT_MODIFIED if *known != Validators::default() => return Ok(None),
        StatusCode::OK => {}
        status => return Err(refusal(status, answer.retry_after)),
    }
    let validators = Validators { etag: answer.etag, last_modified: answer.last_modified };
    let collection = worked(move || Collection::parse(&answer.body)).await?;
    if collection.is_free_busy() {
        return Err(AddressFault::FreeBusy);
    }
    Ok(Some(Published { collection, validators }))
}

impl IcsCalendar {
    async fn open(&self, place: Place) -> Result<(Password, TimeZone), Error> {
        let tx = self.store.begin(&Worker::new(SERVICE, place.business));
        let stored = tx.ics_calendar(place.calendar).await?;
        tx.commit().await?;
        Ok((self.vault.open(place.business, place.calendar.0, &stored.address)?, stored.zone))
    }

    /// Which of our events are in it: where a calendar that we write to is published, our mark is left out.
    async fn ours(&self, place: Place, changes: &[Change]) -> Result<BTreeSet<EventId>, Error> {
        let among: BTreeSet<EventId> = changes.iter().filter_map(|change| change.id.published_of()).collect();
        if among.is_empty() {
            return Ok(among);
        }
        let tx = self.store.begin(&Worker::new(SERVICE, place.business));
        let ours = tx.written_events(&among).await?;
        tx.commit().await?;
        Ok(ours)
    }

    async fn page(&self, place: Place, cursor: Cursor) -> Result<Page, ReadError> {
        let (address, zone) = self.open(place).await.map_err(|error| ReadError::Failed(error.to_string()))?;
        let now = self.clock.now();
        let today = TimeZone::UTC.to_datetime(now).date();
        let before = match cursor {
            Cursor::Since(token) => Known::parse(&token),
            Cursor::Beginning | Cursor::Next(_) => None,
        };
        let known = before.clone().filter(|known| known.holds(&address, &zone, today));
        let validators = known.as_ref().map(|known| known.validators.clone()).unwrap_or_default();
        let found = changed(&self.web, &address, &validators).await?;
        let Published { collection, validators } = match (found, &known) {
            (Some(published), _) => published,
            (None, Some(known)) => return Ok(unchanged(known.token()?)),
            (None, None) => return Err(ReadError::InvalidToken),
        };
        let (validators, digest) = (validators.settled(now), collection.digest());
        if let Some(known) = known.filter(|known| known.digest == digest) {
            return Ok(unchanged(Known { validators, emptied: false, ..known }.token()?));
        }
        let doubted = before.filter(|_| collection.is_empty());
        if let Some(doubted) = doubted.and_then(|before| before.doubting(&address, &digest)) {
            return Ok(unchanged(doubted.token()?));
        }
        let zone_name = name(&zone);
        let mut changes = worked(move || changes(&collection, &zone, now)).await?;
        let ours = self.ours(place, &changes).await.map_err(|error| ReadError::Failed(error.to_string()))?;
        changes.retain(|change| change.id.published_of().is_none_or(|id| !ours.contains(&id)));
        let read = Known {
            lane: address.lane(),
            zone: zone_name,
            whole_on: today,
            digest,
            validators,
            emptied: false,
        };
        Ok(Page { changes, then: Then::Whole(read.token()?) })
    }
}

fn changes(collection: &Collection, zone: &TimeZone, now: Timestamp) -> Result<Vec<Change>, Unread> {
    collection.changes(zone, Horizon::around(now), now)
}

fn name(zone: &TimeZone) -> String {
    zone.iana_name().unwrap_or_default().to_owned()
}

fn unchanged(token: Token) -> Page {
    Page { changes: vec![], then: Then::End(token) }
}

/// Works through a long file.
async fn worked<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Unread> + Send + 'static,
) -> Result<T, AddressFault> {
    let broken = || AddressFault::Unreachable("its calendar could not be read through".to_owned());
    Ok(apart(work).await.ok_or_else(broken)??)
}

/// What an error status means.
fn refusal(status: StatusCode, retry_after: Option<u32>) -> AddressFault {
    match status.as_u16() {
        401 | 403 => AddressFault::Login,
        404 => AddressFault::Missing,
        410 => AddressFault::Withdrawn,
        429 | 503 => {
            let asked = SignedDuration::from_secs(retry_after.unwrap_or_default().into());
            AddressFault::Later(asked.min(LONGEST_REST))
        }
        number => AddressFault::Unreachable(format!("the server answers {number}")),
    }
}

#[async_trait]
impl OutsideCalendar for IcsCalendar {
    async fn changes(&self, place: Place, cursor: Cursor) -> Result<Page, ReadError> {
        self.page(place, cursor).await
    }

    async fn put(&self, _: Place, _: Event, _: Option<Etag>) -> Result<Etag, WriteError> {
        Err(read_only())
    }

    async fn delete(&self, _: Place, _: &EventId, _: Option<Etag>) -> Result<(), WriteError> {
        Err(read_only())
    }
}

fn read_only() -> WriteError {
    WriteError::Refused("appointments are not written to a calendar that is only read".to_owned())
}

impl From<WebError> for AddressFault {
    fn from(error: WebError) -> Self {
        match error {
            WebError::Forbidden(reason) | WebError::Unknown(reason) => Self::Server(reason),
            WebError::Unreachable(reason) => Self::Unreachable(reason),
        }
    }
}

impl From<AddressFault> for ReadError {
    fn from(fault: AddressFault) -> Self {
        match fault {
            AddressFault::Later(wait) => Self::Resting(wait),
            AddressFault::Login
            | AddressFault::Missing
            | AddressFault::Withdrawn
            | AddressFault::FreeBusy => Self::Refused(fault.to_string()),
            other => Self::Failed(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_file_that_has_just_changed_is_not_known_by_the_time_of_that() {
        let read = Validators {
            etag: Some("\"1\"".to_owned()),
            last_modified: Some("Mon, 01 Jun 2026 08:00:00 GMT".to_owned()),
        };
        let after = |seconds| {
            let changed: Timestamp = "2026-06-01T08:00:00Z".parse().unwrap();
            read.clone().settled(changed + SignedDuration::from_secs(seconds))
        };
        assert_eq!(after(61), read);
        for seconds in [-1, 0, 60] {
            assert_eq!(after(seconds), Validators { last_modified: None, ..read.clone() });
        }
        let odd = Validators { last_modified: Some("yesterday".to_owned()), ..read.clone() };
        assert_eq!(odd.settled("2026-07-01T00:00:00Z".parse().unwrap()).last_modified, None);
    }

    #[test]
    fn an_unchanged_file_is_told_again_after_a_week_from_another_address_and_in_another_zone() {
        let [london, berlin] = ["Europe/London", "Europe/Berlin"].map(|zone| TimeZone::get(zone).unwrap());
        let [address, other] = ["https://example.com/a", "https://example.com/b"]
            .map(|address| Password::new(address.to_owned()));
        let known = Known {
            lane: address.lane(),
            zone: "Europe/London".to_owned(),
            whole_on: date(2026, 6, 1),
            digest: "x".to_owned(),
            validators: Validators { etag: Some("\"1\"".to_owned()), last_modified: None },
            emptied: false,
        };
        assert_eq!(Known::parse(&known.token().unwrap()), Some(known.clone()));
        assert_eq!(Known::parse(&Token("2026-06-01 17".to_owned())), None);
        assert!(known.holds(&address, &london, date(2026, 6, 7)));
        assert!(!known.holds(&address, &london, date(2026, 6, 8)));
        assert!(!known.holds(&other, &london, date(2026, 6, 1)));
        assert!(!known.holds(&address, &berlin, date(2026, 6, 1)));
        assert_eq!(known.clone().doubting(&other, "y"), None);
        assert_eq!(known.clone().doubting(&address, "x"), None);
        let doubted = known.doubting(&address, "y").unwrap();
        assert_eq!((doubted.digest.as_str(), &doubted.validators), ("x", &Validators::default()));
        assert_eq!(doubted.doubting(&address, "y"), None, "the second time it is believed");
    }
}
