//! A booking system that a profile describes.

mod calls;
mod reading;

use boot::clock::Clock;
use jiff::{Timestamp, tz::TimeZone};
use serde_json::Value;
use tonic::async_trait;
use uuid::Uuid;

use super::{
    Day, GivesIds, ListedRecord, Provider, ProviderError, TheirPage, Uncreated, Unwritten, Writing, bounded,
    fault::Fault,
    windows::{self, Reading},
};
use crate::{
    domain::{
        event::Etag,
        free_time::{Minutes, without},
        mark::marked,
        profile::{self, Filled, List, Profile, has_any, records, text_at, texts_at},
        provider::{CallLimit, Credentials, Outgoing, System, listed},
    },
    outside::{WriteError, web::Web},
};
use calls::of_settings;

/// Pages of employees, services or one day that are read.
const MOST_PAGES: u32 = 50;

/// Speaks to it.
#[derive(Debug, Clone)]
pub struct Described {
    /// How it is asked, and what it answers.
    pub profile: Profile,
    /// Calls it.
    pub web: Web,
    /// Tells the time.
    pub clock: Clock,
}

impl Described {
    /// The records of a list that count.
    async fn list(&self, with: &Credentials, list: &List) -> Result<Vec<ListedRecord>, ProviderError> {
        let filled = of_settings(with);
        let only = list.only.as_ref().map(|only| profile::fill(only, &filled, str::to_owned));
        let mut found = vec![];
        for page in 0..MOST_PAGES {
            let answer = self.read(with, &list.path, self.page_query(page), &filled).await?;
            let counts = records(&answer, &list.list).iter().filter(|record| !has_any(record, &list.without));
            let counts = counts.filter(|record| only.is_none() || text_at(record, &list.id) == only);
            found.extend(
                counts.map(|record| listed(text_at(record, &list.id), &texts_at(record, &list.name))),
            );
            bounded(&found)?;
            if page + 1 >= self.pages(&answer) {
                break;
            }
        }
        Ok(found)
    }

    /// What an appointment's places are filled with.
    fn filled<'f>(&self, with: &'f Credentials, outgoing: &Outgoing) -> Result<Filled<'f>, Unwritten> {
        let mut filled = of_settings(with);
        let service = outgoing.service.clone().unwrap_or_else(|| with.setting(profile::SERVICE).to_owned());
        if service.is_empty() {
            return Err(Unwritten::Refused(format!(
                "{} books services: map the service of “{}”, then try again",
                self.profile.name, outgoing.title
            )));
        }
        let (starts, ends) = (self.local(outgoing.span.starts()), self.local(outgoing.span.ends()));
        filled.extend([
            ("service", service),
            ("employee", outgoing.employee.clone()),
            ("title", outgoing.title.clone()),
            ("note", marked(&outgoing.title, &outgoing.id, outgoing.appointment)),
            ("starts", outgoing.span.starts().to_string()),
            ("ends", outgoing.span.ends().to_string()),
            ("date", starts.strftime("%F").to_string()),
            ("starts_time", starts.strftime("%T").to_string()),
            ("ends_time", ends.strftime("%T").to_string()),
        ]);
        Ok(filled)
    }

    fn local(&self, at: Timestamp) -> jiff::civil::DateTime {
        self.zone().to_datetime(at)
    }

    fn zone(&self) -> TimeZone {
        TimeZone::get(&self.profile.zone).unwrap_or(TimeZone::UTC)
    }

    /// One appointment, if it is there.
    async fn one(&self, with: &Credentials, id: &str) -> Result<Option<Value>, ProviderError> {
        let mut filled = of_settings(with);
        filled.insert("id", id.to_owned());
        match self.call(with, &self.profile.one, &filled).await {
            Ok(body) if has_any(&body, &self.profile.appointments.gone) => Ok(None),
            Ok(body) => Ok(Some(body)),
            Err(Fault::Gone) => Ok(None),
            Err(fault) => Err(fault.into()),
        }
    }
}

#[async_trait]
impl Provider for Described {
    fn system(&self) -> System {
        self.profile.system()
    }

    fn limit(&self) -> CallLimit {
        CallLimit { per_second: self.profile.calls.per_second, burst: self.profile.calls.burst }
    }

    async fn account(&self, with: &Credentials) -> Result<String, ProviderError> {
        let found = self.list(with, &self.profile.account).await?;
        let one = found.into_iter().flatten().next();
        one.map(|named| named.name).ok_or_else(|| {
            ProviderError::Failed(format!("{} knows no such account for this login", self.profile.name))
        })
    }

    async fn employees(&self, with: &Credentials) -> Result<Vec<ListedRecord>, ProviderError> {
        self.list(with, &self.profile.employees).await
    }

    async fn services(&self, with: &Credentials) -> Result<Vec<ListedRecord>, ProviderError> {
        self.list(with, &self.profile.services).await
    }

    async fn appointments(
        &self,
        with: &Credentials,
        employees: &[&str],
        after: Option<&str>,
    ) -> Result<TheirPage, ProviderError> {
        if employees.len() > 1 && !self.profile.appointments.lists_all() {
            return Err(ProviderError::Failed(format!("{} lists by employee alone", self.profile.name)));
        }
        let reading = Reading::after(after, true, self.clock.now())?;
        let page = |window| self.page_of_window(with, employees, window);
        reading.read(self.limit(), employees.len(), page).await
    }

    fn earliest(&self, read_up_to: &[&str]) -> Option<String> {
        windows::earliest(read_up_to)
    }

    fn calls(&self, after: Option<&str>) -> u32 {
        windows::calls(after, self.limit())
    }

    /// When the employee works, without what is booked.
    async fn free(
        &self,
        with: &Credentials,
        employee: &str,
        day: &Day,
    ) -> Result<Vec<Minutes>, ProviderError> {
        let working = self.working(with, employee, day).await?;
        let booked = self.booked(with, employee, day).await?;
        Ok(without(&working, &booked))
    }

    fn writing(&self) -> Writing<'_> {
        Writing::ItsIds(self)
    }
}

#[async_trait]
impl GivesIds for Described {
    /// It may know no keys: an answer that was lost is looked for by the mark.
    async fn create(&self, with: &Credentials, outgoing: &Outgoing, key: Uuid) -> Result<String, Uncreated> {
        let mut filled = self.filled(with, outgoing)?;
        filled.insert("key", key.to_string());
        let body = self.call(with, &self.profile.create, &filled).await?;
        let unsaid = || WriteError::Failed("the booking system did not say what it entered".to_owned());
        Ok(text_at(&body, &self.profile.create.id).ok_or_else(unsaid)?)
    }

    async fn update(
        &self,
        with: &Credentials,
        id: &str,
        outgoing: &Outgoing,
        expected: &Etag,
    ) -> Result<(), Unwritten> {
        let mut filled = self.filled(with, outgoing)?;
        filled.extend([("id", id.to_owned()), ("version", expected.0.clone())]);
        match self.call(with, &self.profile.update, &filled).await.map_err(Unwritten::from) {
            Err(Unwritten::Refused(reason)) => {
                // Some systems refuse what is cancelled instead of saying that it changed.
                let is_there = self.one(with, id).await?.is_some();
                Err(if is_there { Unwritten::Refused(reason) } else { Unwritten::Stale })
            }
            other => other.map(drop),
        }
    }

    /// The version is compared before: cancelling takes none.
    async fn cancel(&self, with: &Credentials, id: &str, expected: &Etag) -> Result<(), Unwritten> {
        if self.version(with, id).await?.as_ref() != Some(expected) {
            return Err(Unwritten::Stale);
        }
        let mut filled = of_settings(with);
        filled.extend([("id", id.to_owned()), ("version", expected.0.clone())]);
        Ok(self.call(with, &self.profile.cancel, &filled).await.map(drop)?)
    }

    async fn version(&self, with: &Credentials, id: &str) -> Result<Option<Etag>, ProviderError> {
        let found = self.one(with, id).await?;
        Ok(found.and_then(|found| text_at(&found, &self.profile.appointments.version)).map(Etag))
    }
}
