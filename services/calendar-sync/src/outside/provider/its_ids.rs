//! Our appointments in a booking system that gives ids of its own. Before one is created it is kept that it is; an
//! answer that was lost makes the next attempt look for it, by the mark that each of ours bears.

use std::collections::BTreeMap;

use caller::Worker;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::{GivesIds, Paced, ProviderError, TheirAppointment, Uncreated, Unwritten};
use crate::{
    SERVICE,
    domain::{
        AppointmentId, CalendarId,
        busy::{Change, Content},
        calendar::Place,
        event::{Etag, EventId},
        provider::Outgoing,
    },
    error::Error,
    outside::WriteError,
    store::{KnownAppointment, Sent, There, Tx},
};

/// Pages that are looked through for an appointment whose answer was lost.
const MOST_PAGES: usize = 200;

/// How long after it is created an appointment is in its system's list for certain.
const LISTED: SignedDuration = SignedDuration::from_secs(60);

/// How long a system that knows keys keeps one for certain. An older answer is looked for by the mark.
const KEPT: SignedDuration = SignedDuration::from_hours(1);

/// One employee's appointments in such a system.
pub(super) struct ItsIds<'t> {
    pub(super) provider: &'t Paced,
    pub(super) by: &'t dyn GivesIds,
    pub(super) employee: &'t str,
    pub(super) place: Place,
}

impl ItsIds<'_> {
    /// Writes an appointment if its version is the expected one; `None` expects that there is none.
    pub(super) async fn put(&self, outgoing: &Outgoing, expected: Option<&Etag>) -> Result<Etag, WriteError> {
        let Sent { key, there } = self.begin(outgoing).await?;
        match (there, expected) {
            (There::No, _) => self.create(outgoing, key).await,
            (There::Perhaps, _) => match self.created_before(outgoing, key).await? {
                Some(id) => {
                    self.keep(outgoing, &id).await?;
                    self.say_changed(outgoing, &id).await
                }
                None => self.create(outgoing, key).await,
            },
            (There::Under(id), None) => self.say_changed(outgoing, &id).await,
            (There::Under(id), Some(expected)) => {
                match self.provider.update(self.by, &id, outgoing, expected).await {
                    Ok(()) => self.version(&id).await?.ok_or_else(vanished),
                    Err(Unwritten::Stale) => self.say_changed(outgoing, &id).await,
                    Err(other) => Err(other.into()),
                }
            }
        }
    }

    /// The appointment whose answer was lost, if it is there. Sending it again says so in one call, where its system
    /// knows keys; what it answers besides says nothing of the first time.
    async fn created_before(&self, outgoing: &Outgoing, key: Uuid) -> Result<Option<String>, WriteError> {
        if self.by.knows_keys() && is_known_still(key, self.tx().now()) {
            match self.provider.create(self.by, outgoing, key).await {
                Ok(id) => return Ok(Some(id)),
                // It was sent otherwise then.
                Err(Uncreated::KeySpent) => {}
                Err(Uncreated::Unwritten(error)) => return Err(error),
            }
        }
        Ok(self.find(&outgoing.id).await?)
    }

    /// Cancels an appointment if its version is the expected one; one that is not there is cancelled.
    pub(super) async fn delete(&self, event: &EventId, expected: Option<&Etag>) -> Result<(), WriteError> {
        let tx = self.tx();
        let sent = tx.sent(self.place.calendar, event).await?;
        tx.commit().await?;
        let id = match sent.map(|sent| sent.there) {
            Some(There::Under(id)) => Some(id),
            Some(There::Perhaps | There::No) => self.find(event).await?,
            // A copy that bears our mark was never sent: it is known by its own id.
            None => Some(event.0.clone()).filter(|id| !is_our_form(id)),
        };
        if let Some(id) = id {
            self.cancel(&id, expected).await?;
        }
        let tx = self.tx();
        tx.forget_their_id(self.place.calendar, event).await?;
        Ok(tx.commit().await?)
    }

    async fn cancel(&self, id: &str, expected: Option<&Etag>) -> Result<(), WriteError> {
        let expected = match expected {
            Some(expected) => Some(expected.clone()),
            None => self.version(id).await?,
        };
        let Some(expected) = expected else { return Ok(()) };
        match self.provider.cancel(self.by, id, &expected).await {
            Ok(()) => Ok(()),
            Err(Unwritten::Stale) => match self.version(id).await? {
                None => Ok(()),
                Some(current) => Err(WriteError::Changed(current)),
            },
            Err(other) => Err(other.into()),
        }
    }

    async fn create(&self, outgoing: &Outgoing, key: Uuid) -> Result<Etag, WriteError> {
        let mut created = self.provider.create(self.by, outgoing, key).await;
        if matches!(created, Err(Uncreated::KeySpent)) && is_settled(key, self.tx().now()) {
            // It was cancelled there before its answer was heard of, and is another one by now.
            self.forget(outgoing).await?;
            let Sent { key, .. } = self.begin(outgoing).await?;
            created = self.provider.create(self.by, outgoing, key).await;
        }
        let id = match created {
            Ok(id) => id,
            Err(Uncreated::KeySpent) => {
                return Err(WriteError::Failed("the booking system has it already".to_owned()));
            }
            Err(Uncreated::Unwritten(error)) => {
                // What was refused is not there.
                if matches!(error, WriteError::Refused(_) | WriteError::Later(_)) {
                    self.forget(outgoing).await?;
                }
                return Err(error);
            }
        };
        self.keep(outgoing, &id).await?;
        self.version(&id).await?.ok_or_else(vanished)
    }

    /// What is there is to be written over; what was cancelled there is created anew.
    async fn say_changed(&self, outgoing: &Outgoing, id: &str) -> Result<Etag, WriteError> {
        if let Some(current) = self.version(id).await? {
            return Err(WriteError::Changed(current));
        }
        self.forget(outgoing).await?;
        let Sent { key, .. } = self.begin(outgoing).await?;
        self.create(outgoing, key).await
    }

    async fn version(&self, id: &str) -> Result<Option<Etag>, ProviderError> {
        self.provider.version(self.by, id).await
    }

    /// The appointment that bears the mark of an event.
    async fn find(&self, event: &EventId) -> Result<Option<String>, ProviderError> {
        let mut after = None;
        for _ in 0..MOST_PAGES {
            let page = self.provider.appointments(&[self.employee], after.as_deref()).await?;
            let marked = page.of_each.into_iter().flatten().find_map(|their| match their {
                TheirAppointment::Standing { event: found, ours, .. } if ours.as_ref() == Some(event) => {
                    Some(found.id.0)
                }
                _ => None,
            });
            if marked.is_some() || !page.more {
                return Ok(marked);
            }
            after = Some(page.next);
        }
        Err(ProviderError::Failed("it has too many appointments to look through".to_owned()))
    }

    async fn begin(&self, outgoing: &Outgoing) -> Result<Sent, Error> {
        let tx = self.tx();
        let sent = tx.begin_sending(self.place.calendar, &outgoing.id, outgoing.appointment).await?;
        tx.commit().await?;
        Ok(sent)
    }

    async fn keep(&self, outgoing: &Outgoing, id: &str) -> Result<(), Error> {
        let tx = self.tx();
        tx.keep_their_id(self.place.calendar, &outgoing.id, outgoing.appointment, id).await?;
        tx.commit().await
    }

    async fn forget(&self, outgoing: &Outgoing) -> Result<(), Error> {
        let tx = self.tx();
        tx.forget_their_id(self.place.calendar, &outgoing.id).await?;
        tx.commit().await
    }

    fn tx(&self) -> Tx {
        self.provider.store.begin(&Worker::new(SERVICE, self.place.business))
    }
}

/// Whether what was created with a key would be listed by now.
fn is_settled(key: Uuid, now: Timestamp) -> bool {
    age(key, now).is_none_or(|age| age >= LISTED)
}

/// Whether a system that knows keys still knows this one for certain.
fn is_known_still(key: Uuid, now: Timestamp) -> bool {
    age(key, now).is_some_and(|age| age < KEPT)
}

/// How long ago a key was made, which it tells itself.
fn age(key: Uuid, now: Timestamp) -> Option<SignedDuration> {
    let (seconds, _) = key.get_timestamp()?.to_unix();
    let made = Timestamp::from_second(i64::try_from(seconds).ok()?).ok()?;
    Some(now.duration_since(made))
}

fn vanished() -> WriteError {
    WriteError::Failed("it was cancelled there as it was written".to_owned())
}

/// Whether an id has the form of those that we make.
fn is_our_form(id: &str) -> bool {
    id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The appointments of ours on a page, by their ids there.
#[derive(Debug, Default)]
pub(super) struct Known(BTreeMap<String, Ours>);

/// One of ours.
#[derive(Debug, Clone)]
struct Ours {
    event: EventId,
    appointment: AppointmentId,
    /// What it is to say, for a system that does not tell it.
    title: String,
}

/// Which appointments on a page are ours. One whose answer was lost is known from now on.
pub(super) async fn known(tx: &Tx, calendar: CalendarId, page: &[TheirAppointment]) -> Result<Known, Error> {
    // What no row takes is none that is known.
    let usable = || page.iter().filter(|their| their.id().is_usable());
    let external: Vec<&str> = usable().map(|their| their.id().0.as_str()).collect();
    let marked: Vec<(&EventId, &str, AppointmentId)> = usable().filter_map(TheirAppointment::mark).collect();
    if external.is_empty() {
        return Ok(Known::default());
    }
    let marks: Vec<&str> = marked.iter().map(|(event, ..)| event.0.as_str()).collect();
    let rows = tx.known_appointments(calendar, &external, &marks).await?;
    let mut known: BTreeMap<String, Ours> = rows.iter().filter_map(with_their_id).collect();
    for (event, external, appointment) in marked {
        let row = rows.iter().find(|row| row.event == *event);
        let is_known = row.is_some_and(|row| row.external.is_some());
        if is_known || known.contains_key(external) || known.values().any(|ours| ours.event == *event) {
            continue;
        }
        tx.learn_their_id(calendar, event, appointment, external).await?;
        let title = row.and_then(|row| row.title.clone()).unwrap_or_default();
        known.insert(external.to_owned(), Ours { event: event.clone(), appointment, title });
    }
    Ok(Known(known))
}

fn with_their_id(known: &KnownAppointment) -> Option<(String, Ours)> {
    let KnownAppointment { event, appointment, external, title } = known;
    let title = title.clone().unwrap_or_default();
    Some((external.clone()?, Ours { event: event.clone(), appointment: *appointment, title }))
}

impl Known {
    /// What an appointment there means here.
    pub(super) fn change(&self, their: TheirAppointment, now: Timestamp) -> Change {
        let ours = self.0.get(&their.id().0);
        let id = ours.map_or_else(|| their.id().clone(), |ours| ours.event.clone());
        match their {
            TheirAppointment::Standing { mut event, ours: marked, changed_at, changed_by } => {
                event.id = id.clone();
                match ours {
                    Some(ours) => {
                        event.appointment = Some(ours.appointment);
                        if event.title.is_empty() {
                            event.title.clone_from(&ours.title);
                        }
                    }
                    // A copy that bears our mark is its owner's own.
                    None if marked.is_some() => event.appointment = None,
                    None => {}
                }
                Change { at: changed_at, by: changed_by, id, content: Content::Event(Some(event)) }
            }
            TheirAppointment::Deleted { changed_at, changed_by, .. } => {
                Change { at: changed_at, by: changed_by, id, content: Content::Event(None) }
            }
            TheirAppointment::Unreadable { reason, .. } => {
                Change { at: now, by: None, id, content: Content::Unreadable(reason) }
            }
        }
    }
}
