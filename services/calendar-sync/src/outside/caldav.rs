//! Calendars on CalDAV servers: RFC 4791, and RFC 6578 for what changed where a server has that.

mod bounds;
mod dav;
mod discover;
mod listing;

pub use discover::calendars;

use boot::clock::Clock;
use caller::Worker;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use reqwest::{StatusCode, Url};
use serde::{Deserialize, Serialize};
use tonic::async_trait;

use super::{
    Cursor, OutsideCalendar, Page, ReadError, Then, WriteError,
    apart::apart,
    web::{Answer, Web, WebError},
};
use crate::{
    SERVICE,
    domain::{
        busy::{Change, Content, MOST_BYTES},
        caldav::{Account, AccountFault},
        calendar::{Place, Token},
        event::{Etag, Event, EventId},
        ical::{self, Budget, Horizon},
    },
    error::Error,
    store::Store,
    vault::Vault,
};
use dav::Entry;
use discover::{DEPTH, XML};

/// Entries fetched in one request.
const TOGETHER: usize = 50;
/// Days after which all is read again, so that series go on.
const WHOLE_EVERY: i32 = 7;
/// The version of an event that is not there.
const ABSENT: &str = "";

/// Keeps calendars on CalDAV servers.
#[derive(Debug)]
pub(super) struct CaldavCalendar {
    pub(super) store: Store,
    pub(super) vault: Vault,
    pub(super) web: Web,
    pub(super) clock: Clock,
}

/// A connected calendar, opened.
struct Opened {
    collection: Url,
    account: Account,
    zone: TimeZone,
}

/// Between two pages: what is still to be fetched, and where the server goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Reading {
    /// The day all was last read, in UTC.
    whole_on: Date,
    /// The server's token for what was listed, or its digest.
    token: String,
    /// Listed and not yet fetched.
    pending: Vec<String>,
    /// The listing was cut off.
    truncated: bool,
}

impl Reading {
    fn token(&self) -> Token {
        Token(format!("{} {}", self.whole_on, self.token))
    }

    /// The day of the last whole reading, and the server's token.
    fn parse(token: &Token) -> Option<(Date, &str)> {
        let (day, token) = token.0.split_once(' ')?;
        Some((day.parse().ok()?, token))
    }
}

impl CaldavCalendar {
    async fn open(&self, place: Place) -> Result<Opened, Error> {
        let tx = self.store.begin(&Worker::new(SERVICE, place.business));
        let stored = tx.caldav_calendar(place.calendar).await?;
        tx.commit().await?;
        Ok(Opened {
            account: Account {
                server: stored.collection.to_string(),
                username: stored.username,
                password: self.vault.open(place.business, place.calendar.0, &stored.password)?,
            },
            collection: stored.collection,
            zone: stored.zone,
        })
    }

    /// Fetches the next of what was listed.
    async fn fetch(&self, opened: &Opened, reading: &mut Reading) -> Result<Vec<Change>, ReadError> {
        let hrefs: Vec<String> = reading.pending.drain(..reading.pending.len().min(TOGETHER)).collect();
        if hrefs.is_empty() {
            return Ok(vec![]);
        }
        let ask = opened.account.ask("REPORT", opened.collection.clone());
        let answer = self.web.send(ask.header(DEPTH, "1").body(XML, dav::multiget(&hrefs))).await?;
        let said = multistatus(answer).await?;
        let (zone, now) = (opened.zone.clone(), self.clock.now());
        let changes = apart(move || changes(said.entries, &zone, now)).await;
        changes.flatten().ok_or_else(|| failed("its entries are more than can be read"))
    }

    async fn page(&self, place: Place, cursor: Cursor) -> Result<Page, ReadError> {
        let opened = self.open(place).await.map_err(here)?;
        let today = TimeZone::UTC.to_datetime(self.clock.now()).date();
        let (mut changes, mut reading) = match cursor {
            Cursor::Beginning => self.list(&opened, "", today).await?,
            Cursor::Since(token) => {
                let (whole_on, token) = Reading::parse(&token).ok_or(ReadError::InvalidToken)?;
                if (today - whole_on).get_days() >= WHOLE_EVERY {
                    return Err(ReadError::InvalidToken);
                }
                self.list(&opened, token, whole_on).await?
            }
            Cursor::Next(reading) => {
                let reading: Reading = serde_json::from_str(&reading).map_err(|_| ReadError::InvalidToken)?;
                if reading.pending.is_empty() && reading.truncated {
                    self.list(&opened, &reading.token, reading.whole_on).await?
                } else {
                    (vec![], reading)
                }
            }
        };
        changes.extend(self.fetch(&opened, &mut reading).await?);
        let then = if reading.pending.is_empty() && !reading.truncated {
            Then::End(reading.token())
        } else {
            Then::More(serde_json::to_string(&reading).map_err(|_| failed("its listing can't be kept"))?)
        };
        Ok(Page { changes, then })
    }

    /// The version that an event has now; `None` when it is not there.
    async fn version(&self, opened: &Opened, url: &Url) -> Result<Option<Etag>, WriteError> {
        let ask = opened.account.ask("PROPFIND", url.clone()).header(DEPTH, "0");
        let answer = self.web.send(ask.body(XML, dav::propfind(&["D:getetag"]))).await?;
        if matches!(answer.status, StatusCode::NOT_FOUND | StatusCode::GONE) {
            return Ok(None);
        }
        let Answer { status, body, .. } = answer;
        let said = dav::multistatus(body).await.filter(|_| status == StatusCode::MULTI_STATUS);
        let said = said.ok_or_else(|| refusal(status))?;
        Ok(said.entries.into_iter().find_map(|entry| entry.etag).map(Etag))
    }
}

#[async_trait]
impl OutsideCalendar for CaldavCalendar {
    async fn changes(&self, place: Place, cursor: Cursor) -> Result<Page, ReadError> {
        self.page(place, cursor).await
    }

    async fn put(&self, place: Place, event: Event, expected: Option<Etag>) -> Result<Etag, WriteError> {
        let opened = self.open(place).await?;
        let url = event_url(&opened.collection, &event.id)?;
        let version = expected.as_ref().map(|etag| etag.0.as_str()).filter(|version| *version != ABSENT);
        let ask = opened.account.ask("PUT", url.clone()).expecting(version);
        let ask = ask.body("text/calendar; charset=utf-8", ical::write(&event, self.clock.now()));
        let answer = self.web.send(ask).await?;
        match answer.status {
            StatusCode::PRECONDITION_FAILED => {
                let current = self.version(&opened, &url).await?;
                Err(WriteError::Changed(current.unwrap_or_else(|| Etag(ABSENT.to_owned()))))
            }
            status if status.is_success() => match answer.etag {
                Some(etag) => Ok(Etag(etag)),
                // The server changed what it was sent, and says its version only when it is asked.
                None => Ok(self.version(&opened, &url).await?.unwrap_or_else(|| Etag(ABSENT.to_owned()))),
            },
            status => Err(refusal(status)),
        }
    }

    async fn delete(&self, place: Place, event: &EventId, expected: Option<Etag>) -> Result<(), WriteError> {
        let opened = self.open(place).await?;
        let url = event_url(&opened.collection, event)?;
        let Some(etag) = expected.filter(|etag| etag.0 != ABSENT) else {
            return match self.version(&opened, &url).await? {
                None => Ok(()),
                Some(current) => Err(WriteError::Changed(current)),
            };
        };
        let ask = opened.account.ask("DELETE", url.clone()).expecting(Some(&etag.0));
        match self.web.send(ask).await?.status {
            StatusCode::NOT_FOUND | StatusCode::GONE => Ok(()),
            StatusCode::PRECONDITION_FAILED => match self.version(&opened, &url).await? {
                None => Ok(()),
                Some(current) => Err(WriteError::Changed(current)),
            },
            status if status.is_success() => Ok(()),
            status => Err(refusal(status)),
        }
    }
}

/// What entries say at `now`; `None` where it is more than can be read. One budget is for the series of all of them: a
/// server answers with as many entries as it likes.
fn changes(entries: Vec<Entry>, zone: &TimeZone, now: Timestamp) -> Option<Vec<Change>> {
    let budget = Budget::default();
    let mut bytes = 0;
    let bounded = |change: Change| {
        bytes += change.bytes();
        (bytes <= MOST_BYTES).then_some(change)
    };
    entries.into_iter().map(|entry| change(entry, zone, now, &budget)).map(bounded).collect()
}

/// What an entry says at `now`.
fn change(entry: Entry, zone: &TimeZone, now: Timestamp, budget: &Budget) -> Change {
    let id = object_id(&entry.href);
    let Some(data) = entry.data else {
        // It was deleted after it was listed, or the server keeps it to itself.
        let content = match entry.status {
            Some(404 | 410) => Content::Instances(vec![]),
            _ => Content::Unreadable("is not shown by the server".to_owned()),
        };
        return Change { at: now, by: None, id, content };
    };
    match ical::read(&data, &id, zone, Horizon::around(now), budget) {
        Ok(object) => {
            let at = object.changed_at.unwrap_or(now).min(now);
            Change { at, by: None, id, content: Content::Instances(object.events) }
        }
        Err(unread) => Change { at: now, by: None, id, content: Content::Unreadable(unread.to_string()) },
    }
}

/// Where one of our events is.
fn event_url(collection: &Url, event: &EventId) -> Result<Url, WriteError> {
    let url = collection.join(&format!("{event}.ics"));
    url.map_err(|_| WriteError::Refused("the calendar's address takes no events".to_owned()))
}

/// What an entry is known by: the last part of its address, which no other has in its calendar.
fn object_id(href: &str) -> EventId {
    EventId::of_object(href.rsplit('/').next().unwrap_or(href))
}

async fn multistatus(Answer { status, body, .. }: Answer) -> Result<dav::Multistatus, ReadError> {
    let said = dav::multistatus(body).await.filter(|_| status == StatusCode::MULTI_STATUS);
    said.ok_or_else(|| match status {
        StatusCode::UNAUTHORIZED => ReadError::Refused(AccountFault::Credentials.to_string()),
        status => failed(&format!("the server answers {}", status.as_u16())),
    })
}

/// What an error status means for a write.
fn refusal(status: StatusCode) -> WriteError {
    let number = status.as_u16();
    match number {
        401 => WriteError::Unreachable(AccountFault::Credentials.to_string()),
        429 | 503 => WriteError::Unreachable("the server asks to come back later".to_owned()),
        // The entry itself is what the server does not want.
        400 | 403 | 405 | 409 | 413 | 415 | 422 => {
            WriteError::Refused(format!("the server refuses this event ({number})"))
        }
        _ => WriteError::Failed(format!("the server answers {number}")),
    }
}

fn failed(reason: &str) -> ReadError {
    ReadError::Failed(reason.to_owned())
}

fn here(error: Error) -> ReadError {
    ReadError::Failed(error.to_string())
}

impl From<WebError> for ReadError {
    fn from(error: WebError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<WebError> for WriteError {
    fn from(error: WebError) -> Self {
        Self::Unreachable(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_keeps_the_day_of_the_last_whole_reading() {
        let reading = Reading {
            whole_on: jiff::civil::date(2026, 6, 1),
            token: "http://example.com/a b".to_owned(),
            pending: vec![],
            truncated: false,
        };
        assert_eq!(
            Reading::parse(&reading.token()),
            Some((jiff::civil::date(2026, 6, 1), "http://example.com/a b"))
        );
        assert_eq!(Reading::parse(&Token("17".to_owned())), None);
    }

    #[test]
    fn an_entry_is_known_by_the_last_part_of_its_address() {
        assert_eq!(object_id("/mia/work/a%20b.ics"), EventId("a%20b.ics".to_owned()));
        assert_eq!(object_id("https://example.com/mia/a.ics"), EventId("a.ics".to_owned()));
        let long = "x".repeat(2_000);
        assert_eq!(object_id(&long), object_id(&format!("/mia/{long}")));
        assert!(object_id(&long).0.len() < 50);
    }

    #[test]
    fn one_budget_is_for_the_series_of_a_whole_answer_and_costs_no_single_event() {
        let entry = |n: u32, lines: &str| {
            let event = format!("BEGIN:VEVENT\r\nUID:{n}\r\n{lines}\r\nDURATION:PT1H\r\nEND:VEVENT\r\n");
            let data = format!("BEGIN:VCALENDAR\r\n{event}END:VCALENDAR\r\n");
            Entry { href: format!("/mia/{n}.ics"), data: Some(data), ..Entry::default() }
        };
        // Each walks through 2,000 years.
        let rule = "FREQ=YEARLY;COUNT=4000000;BYDAY=MO,TU,WE,TH,FR,SA,SU";
        let series = |n| entry(n, &format!("DTSTART:00010101T100000Z\r\nRRULE:{rule}"));
        let single = entry(50, "DTSTART:20260601T100000Z");
        let now = "2026-06-01T08:00:00Z".parse().unwrap();
        let read = changes((0..50).map(series).chain([single]).collect(), &TimeZone::UTC, now).unwrap();
        let readable =
            |change: &&Change| matches!(&change.content, Content::Instances(events) if !events.is_empty());
        let readable: Vec<&str> = read.iter().filter(readable).map(|change| change.id.0.as_str()).collect();
        assert_eq!(readable, ["0.ics", "1.ics", "50.ics"]);
        assert!(read.iter().any(|change| {
            matches!(&change.content, Content::Unreadable(why) if why.contains("too long to be followed"))
        }));
    }
}
