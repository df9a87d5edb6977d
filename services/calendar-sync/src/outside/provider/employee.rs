//! An employee's appointments in a booking system, kept in step as a calendar is. One worker at a time works on a
//! connection, in all replicas.

use core::time::Duration;

use boot::clock::Clock;
use caller::Worker;
use jiff::SignedDuration;
use tonic::async_trait;

use super::{
    GivesIds, Paced, ProviderError, Providers, TheirPage, Unwritten, Writing,
    its_ids::{self, ItsIds, Known},
};
use crate::{
    SERVICE,
    domain::{
        ConnectionId,
        busy::Change,
        calendar::{Place, Token},
        event::{Etag, Event, EventId},
        lease::Lease,
        provider::{Credentials, Outgoing},
    },
    error::Error,
    outside::{Cursor, OutsideCalendar, Page, ReadError, Then, WriteError},
    store::Store,
    vault::Vault,
};

/// The version of an appointment that is not there.
const ABSENT: &str = "";
/// When to come back to a connection that another worker works on.
const SOON: SignedDuration = SignedDuration::from_secs(1);
/// How long a write waits for it before: calls are short, and a worker that waits does nothing else.
const TO_WRITE: Duration = Duration::from_millis(500);
/// How long a page is waited for: one employee of a connection is read at a time, and a reading that ends halfway begins
/// anew.
const TO_READ: Duration = Duration::from_secs(5);
/// How often to look whether it is free.
const LOOK: Duration = Duration::from_millis(20);
/// How long a page may take with the wait for it: the turn at the connection is ended by the one who took it, before the
/// reader gives it up.
const PAGE: Duration = Duration::from_millis(9_500);

/// Keeps employees' appointments in booking systems.
#[derive(Debug)]
pub struct EmployeeCalendar {
    /// The booking systems.
    pub providers: Providers,
    /// What is mapped.
    pub store: Store,
    /// Opens tokens.
    pub vault: Vault,
    /// Tells the time.
    pub clock: Clock,
}

/// A turn at a connection.
struct Turn {
    provider: Paced,
    employee: String,
    connection: ConnectionId,
    lease: Lease,
}

impl EmployeeCalendar {
    /// Takes the turn at the connection of a calendar; `None` when another worker keeps it.
    async fn take(&self, place: Place, patience: Duration) -> Result<Option<Turn>, Error> {
        let began = tokio::time::Instant::now();
        loop {
            match self.try_take(place).await? {
                None if began.elapsed() < patience => tokio::time::sleep(LOOK).await,
                taken => return Ok(taken),
            }
        }
    }

    async fn try_take(&self, place: Place) -> Result<Option<Turn>, Error> {
        let tx = self.store.begin(&Worker::new(SERVICE, place.business));
        let stored = tx.provider_calendar(place.calendar).await?;
        let lease = Lease::begin(tx.new_id(), tx.now());
        let taken = tx.take_connection(stored.connection, lease).await?;
        tx.commit().await?;
        let provider = Paced {
            provider: self.providers.of(&stored.kind)?,
            credentials: Credentials::read(self.vault.open(
                place.business,
                stored.connection.0,
                &stored.token,
            )?),
            store: self.store.clone(),
            business: place.business,
            connection: stored.connection,
        };
        let turn = Turn { provider, employee: stored.employee, connection: stored.connection, lease };
        Ok(taken.then_some(turn))
    }

    /// The turn ends by itself, where this fails.
    async fn end(&self, place: Place, turn: &Turn) {
        let tx = self.store.begin(&Worker::new(SERVICE, place.business));
        let ended = async {
            tx.end_connection_turn(turn.connection, turn.lease).await?;
            tx.commit().await
        };
        if let Err(error) = ended.await {
            tracing::warn!(%error, "a turn at a booking system was not ended");
        }
    }

    /// After what the appointments of employees of one connection are read together who were read up to these.
    pub async fn cursor_of_all(&self, place: Place, read_up_to: &[&Token]) -> Result<Cursor, ReadError> {
        let kind = async {
            let tx = self.store.begin(&Worker::new(SERVICE, place.business));
            let stored = tx.provider_calendar(place.calendar).await?;
            tx.commit().await?;
            Ok::<_, Error>(stored.kind)
        };
        let provider = self.providers.of(&kind.await.map_err(failed)?).map_err(failed)?;
        let read_up_to: Vec<&str> = read_up_to.iter().map(|token| token.0.as_str()).collect();
        let earliest = provider.earliest(&read_up_to);
        Ok(earliest.map_or(Cursor::Beginning, |token| Cursor::Since(Token(token))))
    }

    /// A page of changes of the employees of one connection: each one's, and what comes after it.
    pub async fn changes_of_all(
        &self,
        places: &[Place],
        cursor: Cursor,
    ) -> Result<(Vec<Vec<Change>>, Then), ReadError> {
        let (page, known) = match cursor {
            Cursor::Beginning => self.page(places, None).await?,
            Cursor::Since(Token(after)) | Cursor::Next(after) => self.page(places, Some(&after)).await?,
        };
        let then = if page.more { Then::More(page.next) } else { Then::End(Token(page.next)) };
        let now = self.clock.now();
        let of_each = page
            .of_each
            .into_iter()
            .zip(known)
            .map(|(found, known)| found.into_iter().map(|their| known.change(their, now)).collect());
        Ok((of_each.collect(), then))
    }

    /// A page, and which of each employee's appointments are ours: all in one turn, so that none is written between.
    async fn page(
        &self,
        places: &[Place],
        after: Option<&str>,
    ) -> Result<(TheirPage, Vec<Known>), ReadError> {
        let nothing = || ReadError::Failed("nothing is to be read".to_owned());
        let place = *places.first().ok_or_else(nothing)?;
        let began = tokio::time::Instant::now();
        let turn = self.take(place, TO_READ).await.map_err(failed)?.ok_or(ReadError::Later(SOON))?;
        let page = async {
            let employees = self.employees(&turn, places).await.map_err(failed)?;
            let employees: Vec<&str> = employees.iter().map(String::as_str).collect();
            let page = turn.provider.appointments(&employees, after).await?;
            let known = self.known(places, &page).await.map_err(failed)?;
            Ok::<_, ReadError>((page, known))
        };
        let page = tokio::time::timeout(PAGE.saturating_sub(began.elapsed()), page).await;
        self.end(place, &turn).await;
        page.map_err(|_| ReadError::Failed("it did not answer in time".to_owned()))?
    }

    /// Whose appointments there the calendars stand for.
    async fn employees(&self, turn: &Turn, places: &[Place]) -> Result<Vec<String>, Error> {
        let [first, others @ ..] = places else { return Ok(vec![]) };
        let mut employees = vec![turn.employee.clone()];
        if !others.is_empty() {
            let tx = self.store.begin(&Worker::new(SERVICE, first.business));
            let there = tx.employees_of_connection(turn.connection).await?;
            tx.commit().await?;
            for place in others {
                let employee =
                    there.get(&place.calendar).ok_or(Error::NotFound("calendar of a booking system"))?;
                employees.push(employee.clone());
            }
        }
        Ok(employees)
    }

    async fn known(&self, places: &[Place], page: &TheirPage) -> Result<Vec<Known>, Error> {
        let mut known = vec![];
        let Some(first) = places.first() else { return Ok(known) };
        let tx = self.store.begin(&Worker::new(SERVICE, first.business));
        for (place, found) in places.iter().zip(&page.of_each) {
            known.push(its_ids::known(&tx, place.calendar, found).await?);
        }
        tx.commit().await?;
        Ok(known)
    }

    fn its_ids<'t>(&'t self, place: Place, turn: &'t Turn, by: &'t dyn GivesIds) -> ItsIds<'t> {
        ItsIds { provider: &turn.provider, by, employee: &turn.employee, place }
    }

    async fn outgoing(&self, place: Place, turn: &Turn, event: Event) -> Result<Outgoing, WriteError> {
        let appointment = event
            .appointment
            .ok_or_else(|| WriteError::Refused("it stands for no appointment".to_owned()))?;
        let tx = self.store.begin(&Worker::new(SERVICE, place.business));
        let service = tx.service_there(place.calendar, appointment, event.span).await?;
        tx.commit().await?;
        Ok(Outgoing {
            id: event.id,
            employee: turn.employee.clone(),
            service,
            title: event.title,
            span: event.span,
            appointment,
        })
    }
}

#[async_trait]
impl OutsideCalendar for EmployeeCalendar {
    async fn changes(&self, place: Place, cursor: Cursor) -> Result<Page, ReadError> {
        let (of_each, then) = self.changes_of_all(&[place], cursor).await?;
        Ok(Page { changes: of_each.into_iter().flatten().collect(), then })
    }

    async fn put(&self, place: Place, event: Event, expected: Option<Etag>) -> Result<Etag, WriteError> {
        let turn = self.take(place, TO_WRITE).await?.ok_or(WriteError::Later(SOON))?;
        let expected = present(expected.as_ref());
        let put = async {
            let outgoing = self.outgoing(place, &turn, event).await?;
            match turn.provider.provider.writing() {
                Writing::OurIds(by) => turn.provider.put(by, &outgoing, expected).await,
                Writing::ItsIds(by) => self.its_ids(place, &turn, by).put(&outgoing, expected).await,
            }
        };
        let put = put.await;
        self.end(place, &turn).await;
        put
    }

    async fn delete(&self, place: Place, event: &EventId, expected: Option<Etag>) -> Result<(), WriteError> {
        let turn = self.take(place, TO_WRITE).await?.ok_or(WriteError::Later(SOON))?;
        let expected = present(expected.as_ref());
        let deleted = match turn.provider.provider.writing() {
            Writing::OurIds(by) => turn.provider.delete(by, &event.0, expected).await,
            Writing::ItsIds(by) => self.its_ids(place, &turn, by).delete(event, expected).await,
        };
        self.end(place, &turn).await;
        deleted
    }
}

fn failed(error: Error) -> ReadError {
    ReadError::Failed(error.to_string())
}

fn present(expected: Option<&Etag>) -> Option<&Etag> {
    expected.filter(|etag| etag.0 != ABSENT)
}

impl From<ProviderError> for ReadError {
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::Forgotten => Self::InvalidToken,
            ProviderError::Later(wait) => Self::Later(wait),
            ProviderError::Token => Self::Refused(error.to_string()),
            other => Self::Failed(other.to_string()),
        }
    }
}

impl From<ProviderError> for WriteError {
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::Later(wait) => Self::Later(wait),
            other => Self::Unreachable(other.to_string()),
        }
    }
}

impl From<Unwritten> for WriteError {
    fn from(error: Unwritten) -> Self {
        match error {
            Unwritten::Stale => Self::Failed("the appointment keeps changing there".to_owned()),
            Unwritten::Refused(reason) => Self::Refused(reason),
            Unwritten::Provider(error) => error.into(),
        }
    }
}
