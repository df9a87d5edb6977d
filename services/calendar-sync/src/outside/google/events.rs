//! Reads and writes the events of a calendar.

mod reading;

use boot::clock::Clock;
use caller::Worker;
use reqwest::StatusCode;
use serde_json::Value;
use tonic::async_trait;

use super::{
    Google, GoogleError,
    api::{Call, body},
};
use crate::{
    SERVICE,
    domain::{
        calendar::Place,
        event::{Etag, Event, EventId},
        google::{FIELDS, Item, written},
    },
    error::Error,
    outside::{Cursor, OutsideCalendar, Page, ReadError, WriteError, web::Answer},
    store::{self, Store},
};

/// The version of an event that is not there.
const ABSENT: &str = "";

/// Keeps calendars at Google; without a client of ours there, none can be reached.
#[derive(Debug)]
pub(in crate::outside) struct GoogleCalendar {
    pub(in crate::outside) store: Store,
    pub(in crate::outside) clock: Clock,
    pub(in crate::outside) google: Option<Google>,
}

/// A connected calendar, opened.
struct Opened<'g> {
    google: &'g Google,
    stored: store::GoogleCalendar,
}

impl Opened<'_> {
    fn events(&self, method: &'static str, more: &[&str]) -> Result<Call, GoogleError> {
        let path = ["calendars", &self.stored.external_id, "events"];
        self.google.api.call(method, &[&path, more].concat())
    }

    async fn send(&self, call: &Call) -> Result<Answer, GoogleError> {
        self.google.api.send_as(self.stored.user, &self.stored.account, call).await
    }

    /// One event; `None` when it was never there.
    async fn event(&self, id: &str) -> Result<Option<Item>, GoogleError> {
        let call = self.events("GET", &[id])?.query(&[("fields", FIELDS)]);
        let answer = self.send(&call).await?;
        if matches!(answer.status, StatusCode::NOT_FOUND | StatusCode::GONE) {
            return Ok(None);
        }
        let value: Value = body(&answer)?;
        Item::read(&value).map(Some).map_err(|(_, unread)| GoogleError::Failed(format!("the event {unread}")))
    }

    /// Whether an event is not there, or with which version it is.
    async fn is_gone(&self, id: &str) -> Result<(), WriteError> {
        match self.event(id).await?.filter(|item| !item.is_cancelled()) {
            None => Ok(()),
            Some(item) => Err(WriteError::Changed(Etag(item.etag().unwrap_or(ABSENT).to_owned()))),
        }
    }
}

impl GoogleCalendar {
    async fn open(&self, place: Place) -> Result<Opened<'_>, Error> {
        let google = self.google.as_ref().ok_or(Error::NoGoogle)?;
        let tx = self.store.begin(&Worker::new(SERVICE, place.business));
        let stored = tx.google_calendar(place.calendar).await?;
        tx.commit().await?;
        Ok(Opened { google, stored })
    }

    /// Puts an event in place of the version that is expected, or where there never was one.
    async fn write(
        &self,
        opened: &Opened<'_>,
        event: &Event,
        version: Option<&str>,
    ) -> Result<Etag, WriteError> {
        let id = event.id.0.as_str();
        let call = match version {
            Some(etag) => opened.events("PUT", &[id])?.expecting(etag),
            None => opened.events("POST", &[])?,
        };
        let answer = opened.send(&call.query(&[("fields", "id,etag")]).body(&written(event))).await?;
        match answer.status {
            // An id that was used: by this event, whose answer was lost, or before it was deleted.
            StatusCode::CONFLICT | StatusCode::PRECONDITION_FAILED => {
                Err(WriteError::Changed(self.version(opened, id).await?))
            }
            StatusCode::NOT_FOUND | StatusCode::GONE if version.is_some() => {
                Err(WriteError::Changed(self.version(opened, id).await?))
            }
            StatusCode::NOT_FOUND => {
                Err(WriteError::Unreachable("the account has no such calendar any more".to_owned()))
            }
            _ => {
                let value: Value = body(&answer)?;
                let etag = value.get("etag").and_then(Value::as_str).unwrap_or(ABSENT);
                Ok(Etag(etag.to_owned()))
            }
        }
    }

    /// The version that an event has now, or had when it was deleted.
    async fn version(&self, opened: &Opened<'_>, id: &str) -> Result<Etag, WriteError> {
        let item = opened.event(id).await?;
        let etag = item.as_ref().and_then(Item::etag).unwrap_or(ABSENT);
        Ok(Etag(etag.to_owned()))
    }
}

#[async_trait]
impl OutsideCalendar for GoogleCalendar {
    async fn changes(&self, place: Place, cursor: Cursor) -> Result<Page, ReadError> {
        self.page(place, cursor).await
    }

    async fn put(&self, place: Place, event: Event, expected: Option<Etag>) -> Result<Etag, WriteError> {
        let opened = self.open(place).await?;
        self.write(&opened, &event, present(expected.as_ref())).await
    }

    async fn delete(&self, place: Place, event: &EventId, expected: Option<Etag>) -> Result<(), WriteError> {
        let opened = self.open(place).await?;
        let Some(etag) = present(expected.as_ref()) else { return opened.is_gone(&event.0).await };
        let answer = opened.send(&opened.events("DELETE", &[&event.0])?.expecting(etag)).await?;
        match answer.status {
            StatusCode::NOT_FOUND | StatusCode::GONE => Ok(()),
            StatusCode::PRECONDITION_FAILED => opened.is_gone(&event.0).await,
            status if status.is_success() => Ok(()),
            status => Err(GoogleError::Answered(status.as_u16()).into()),
        }
    }

    async fn leave(&self, place: Place) {
        if let Ok(opened) = self.open(place).await {
            opened.google.stop_channels(place, &opened.stored).await;
        }
    }
}

fn present(expected: Option<&Etag>) -> Option<&str> {
    expected.map(|etag| etag.0.as_str()).filter(|etag| *etag != ABSENT)
}
