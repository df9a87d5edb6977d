//! What changed in a calendar, page by page; series that changed are fetched with their instances.

use futures::{StreamExt, stream};
use jiff::{civil::Date, tz::TimeZone};
use reqwest::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{GoogleCalendar, Opened};
use crate::{
    domain::{
        busy::{Change, Content},
        calendar::{Place, Token},
        event::{Event, EventId},
        google::{FIELDS, Item},
        ical::{Horizon, Unread},
    },
    outside::{Cursor, Page, ReadError, Then, google::api::body},
};

/// Events on a page; the most that Google gives.
const PAGE: &str = "2500";
/// Series whose instances are fetched between two pages, and at once.
const TOGETHER: usize = 20;
const AT_ONCE: usize = 4;
/// Days after which all is read again, so that series go on.
const WHOLE_EVERY: i32 = 7;

/// Between two pages: what is still to be fetched, and where Google goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Reading {
    /// The day all was last read, in UTC.
    whole_on: Date,
    /// The token that was given for what was read before; `None` while all is read.
    since: Option<String>,
    /// Where the listing goes on, or the token for the next time.
    next: Next,
    /// Series that changed and are not fetched yet.
    pending: Vec<Pending>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Next {
    Page(String),
    Token(String),
}

/// A series that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Pending {
    series: String,
    /// The instances that were, as they were listed: all there is of a series that is in another calendar.
    exceptions: Vec<Value>,
    changed_at: jiff::Timestamp,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listing {
    #[serde(default)]
    items: Vec<Value>,
    next_page_token: Option<String>,
    next_sync_token: Option<String>,
}

impl Reading {
    /// The day of the last whole reading, and Google's token.
    fn parse(token: &Token) -> Option<(Date, &str)> {
        let (day, token) = token.0.split_once(' ')?;
        Some((day.parse().ok()?, token))
    }
}

impl GoogleCalendar {
    /// Lists a page of what changed since a token, or of all there is. A request with a token may carry no filter.
    async fn list(
        &self,
        opened: &Opened<'_>,
        whole_on: Date,
        since: Option<String>,
        page: Option<String>,
    ) -> Result<(Vec<Change>, Reading), ReadError> {
        let now = self.clock.now();
        let fields = format!("nextPageToken,nextSyncToken,items({FIELDS})");
        let call = opened.events("GET", &[])?.query(&[("maxResults", PAGE), ("fields", &fields)]);
        let call = match &since {
            Some(token) => call.query(&[("syncToken", token)]),
            None => call.query(&[("timeMin", &Horizon::around(now).from.to_string())]),
        };
        let call = match &page {
            Some(token) => call.query(&[("pageToken", token)]),
            None => call,
        };
        let answer = opened.send(&call).await?;
        if answer.status == StatusCode::GONE {
            return Err(ReadError::InvalidToken);
        }
        if answer.status == StatusCode::NOT_FOUND {
            return Err(ReadError::Refused("the account has no such calendar any more".to_owned()));
        }
        let listing: Listing = body(&answer)?;
        let next = match (listing.next_page_token, listing.next_sync_token) {
            (Some(page), _) => Next::Page(page),
            (None, Some(token)) => Next::Token(token),
            (None, None) => {
                return Err(ReadError::Failed("Google does not say up to where it was read".to_owned()));
            }
        };
        let (changes, pending) = self.sort(opened, listing.items);
        Ok((changes, Reading { whole_on, since, next, pending }))
    }

    /// What was listed: single events as they are, and the series that have to be fetched.
    fn sort(&self, opened: &Opened<'_>, items: Vec<Value>) -> (Vec<Change>, Vec<Pending>) {
        let now = self.clock.now();
        let (mut changes, mut pending): (Vec<Change>, Vec<Pending>) = (vec![], vec![]);
        for value in items {
            let item = match Item::read(&value) {
                Ok(item) => item,
                Err((Some(id), unread)) => {
                    changes.push(Change { at: now, by: None, id, content: unreadable(unread) });
                    continue;
                }
                Err((None, _)) => {
                    tracing::warn!("Google listed an event without an id, which is left out");
                    continue;
                }
            };
            let changed_at = item.changed_at(now);
            match item.series() {
                Some(series) if item.is_exception() || !item.is_cancelled() => {
                    let exceptions = if item.is_exception() { vec![value.clone()] } else { vec![] };
                    match pending.iter_mut().find(|known| known.series == series) {
                        Some(known) => {
                            known.exceptions.extend(exceptions);
                            known.changed_at = known.changed_at.max(changed_at);
                        }
                        None => {
                            let series = series.to_owned();
                            pending.push(Pending { series, exceptions, changed_at });
                        }
                    }
                }
                _ => changes.push(Change {
                    at: changed_at,
                    by: None,
                    id: item.id(),
                    content: content(item.event(&opened.stored.zone)),
                }),
            }
        }
        (changes, pending)
    }

    /// Fetches the next of the series that changed.
    async fn fetch(&self, opened: &Opened<'_>, reading: &mut Reading) -> Result<Vec<Change>, ReadError> {
        let next: Vec<Pending> = reading.pending.drain(..reading.pending.len().min(TOGETHER)).collect();
        let fetched = next.into_iter().map(|pending| self.series(opened, pending));
        let fetched: Vec<Result<Vec<Change>, ReadError>> =
            stream::iter(fetched).buffered(AT_ONCE).collect().await;
        Ok(fetched.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// The instances of a series that are near, with those that differ from it.
    async fn series(&self, opened: &Opened<'_>, pending: Pending) -> Result<Vec<Change>, ReadError> {
        let now = self.clock.now();
        let id = EventId::of_object(&pending.series);
        let fields = format!("nextPageToken,items({FIELDS})");
        let Horizon { from, to } = Horizon::around(now);
        let (from, to) = (from.to_string(), to.to_string());
        let call = opened.events("GET", &[&pending.series, "instances"])?.query(&[
            ("maxResults", PAGE),
            ("timeMin", &from),
            ("timeMax", &to),
            ("fields", &fields),
        ]);
        let answer = opened.send(&call).await?;
        if matches!(answer.status, StatusCode::NOT_FOUND | StatusCode::GONE) {
            return Ok(self.lone(opened, id, &pending));
        }
        let listing: Listing = body(&answer)?;
        let content = if listing.next_page_token.is_some() {
            unreadable(Unread("has more instances in a year than can be read".to_owned()))
        } else {
            let read = listing.items.iter().map(|value| {
                let item = Item::read(value).map_err(|(_, unread)| unread)?;
                item.instance(&id, &opened.stored.zone)
            });
            match read.collect::<Result<Vec<Option<Event>>, Unread>>() {
                Ok(events) => Content::Instances(events.into_iter().flatten().collect()),
                Err(unread) => unreadable(unread),
            }
        };
        Ok(vec![Change { at: pending.changed_at, by: None, id, content }])
    }

    /// Instances that are in the calendar without their series: invitations to some of its days.
    fn lone(&self, opened: &Opened<'_>, id: EventId, pending: &Pending) -> Vec<Change> {
        let at = pending.changed_at;
        let mut changes = vec![Change { at, by: None, id, content: Content::Instances(vec![]) }];
        changes.extend(pending.exceptions.iter().filter_map(|value| {
            let item = Item::read(value).ok()?;
            Some(Change { at, by: None, id: item.id(), content: content(item.event(&opened.stored.zone)) })
        }));
        changes
    }

    /// What changed since the cursor, or all there is.
    pub(super) async fn page(&self, place: Place, cursor: Cursor) -> Result<Page, ReadError> {
        let opened = self.open(place).await.map_err(|error| ReadError::Failed(error.to_string()))?;
        let today = TimeZone::UTC.to_datetime(self.clock.now()).date();
        let (mut changes, mut reading) = match cursor {
            Cursor::Beginning => self.list(&opened, today, None, None).await?,
            Cursor::Since(token) => {
                let (whole_on, token) = Reading::parse(&token).ok_or(ReadError::InvalidToken)?;
                if (today - whole_on).get_days() >= WHOLE_EVERY {
                    return Err(ReadError::InvalidToken);
                }
                self.list(&opened, whole_on, Some(token.to_owned()), None).await?
            }
            Cursor::Next(reading) => {
                let reading: Reading = serde_json::from_str(&reading).map_err(|_| ReadError::InvalidToken)?;
                match &reading.next {
                    Next::Page(page) if reading.pending.is_empty() => {
                        self.list(&opened, reading.whole_on, reading.since.clone(), Some(page.clone()))
                            .await?
                    }
                    _ => (vec![], reading),
                }
            }
        };
        changes.extend(self.fetch(&opened, &mut reading).await?);
        let then = match &reading.next {
            Next::Token(token) if reading.pending.is_empty() => {
                Then::End(Token(format!("{} {token}", reading.whole_on)))
            }
            _ => Then::More(
                serde_json::to_string(&reading)
                    .map_err(|_| ReadError::Failed("its listing can't be kept".to_owned()))?,
            ),
        };
        Ok(Page { changes, then })
    }
}

fn content(event: Result<Option<Event>, Unread>) -> Content {
    match event {
        Ok(event) => Content::Instances(event.into_iter().collect()),
        Err(unread) => unreadable(unread),
    }
}

fn unreadable(Unread(reason): Unread) -> Content {
    Content::Unreadable(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_keeps_the_day_of_the_last_whole_reading() {
        let token = Token("2026-06-01 CPDAlvWDx70CEPDAlvWDx70CGAU=".to_owned());
        assert_eq!(
            Reading::parse(&token),
            Some((jiff::civil::date(2026, 6, 1), "CPDAlvWDx70CEPDAlvWDx70CGAU="))
        );
        assert_eq!(Reading::parse(&Token("17".to_owned())), None);
    }
}
