//! A connection to a booking system that is called no more often than the system allows, over all replicas.

use std::sync::Arc;

use caller::{BusinessId, Worker};
use jiff::SignedDuration;
use uuid::Uuid;

use super::{Day, GivesIds, Provider, ProviderError, TakesIds, TheirPage, Uncreated, Unwritten};
use crate::{
    SERVICE,
    domain::{
        ConnectionId,
        event::Etag,
        free_time::Minutes,
        provider::{Credentials, Outgoing, ReadRecords},
    },
    outside::WriteError,
    store::Store,
};

/// One connection, what opens it, and its share of calls.
pub struct Paced {
    /// The system.
    pub provider: Arc<dyn Provider>,
    /// What opens it.
    pub credentials: Credentials,
    /// Where calls are counted.
    pub store: Store,
    /// Whose connection.
    pub business: BusinessId,
    /// Which.
    pub connection: ConnectionId,
}

impl Paced {
    /// Whose account the credentials open.
    pub async fn account(&self) -> Result<String, ProviderError> {
        self.admit().await?;
        self.heed(self.provider.account(&self.credentials).await).await
    }

    /// Who works there.
    pub async fn employees(&self) -> Result<ReadRecords, ProviderError> {
        self.admit().await?;
        Ok(self.heed(self.provider.employees(&self.credentials).await).await?.into_iter().collect())
    }

    /// What is done there.
    pub async fn services(&self) -> Result<ReadRecords, ProviderError> {
        self.admit().await?;
        Ok(self.heed(self.provider.services(&self.credentials).await).await?.into_iter().collect())
    }

    /// A page of changes of employees' appointments.
    pub async fn appointments(
        &self,
        employees: &[&str],
        after: Option<&str>,
    ) -> Result<TheirPage, ProviderError> {
        self.admit_calls(self.provider.calls(after)).await?;
        self.heed(self.provider.appointments(&self.credentials, employees, after).await).await
    }

    /// Minutes of a day at which an employee is free.
    pub async fn free(&self, employee: &str, day: &Day) -> Result<Vec<Minutes>, ProviderError> {
        self.admit().await?;
        self.heed(self.provider.free(&self.credentials, employee, day).await).await
    }

    /// Writes an appointment if its version is the expected one.
    pub async fn put(
        &self,
        by: &dyn TakesIds,
        outgoing: &Outgoing,
        expected: Option<&Etag>,
    ) -> Result<Etag, WriteError> {
        self.admit().await?;
        self.heed_write(by.put(&self.credentials, outgoing, expected).await).await
    }

    /// Deletes an appointment if its version is the expected one.
    pub async fn delete(
        &self,
        by: &dyn TakesIds,
        id: &str,
        expected: Option<&Etag>,
    ) -> Result<(), WriteError> {
        self.admit().await?;
        self.heed_write(by.delete(&self.credentials, id, expected).await).await
    }

    /// Creates an appointment.
    pub async fn create(
        &self,
        by: &dyn GivesIds,
        outgoing: &Outgoing,
        key: Uuid,
    ) -> Result<String, Uncreated> {
        self.admit().await?;
        let created = by.create(&self.credentials, outgoing, key).await;
        if let Err(Uncreated::Unwritten(WriteError::Later(wait))) = &created {
            self.rest(*wait).await;
        }
        created
    }

    /// Changes an appointment if its version is the expected one.
    pub async fn update(
        &self,
        by: &dyn GivesIds,
        id: &str,
        outgoing: &Outgoing,
        expected: &Etag,
    ) -> Result<(), Unwritten> {
        self.admit().await?;
        self.heed_unwritten(by.update(&self.credentials, id, outgoing, expected).await).await
    }

    /// Cancels an appointment if its version is the expected one.
    pub async fn cancel(&self, by: &dyn GivesIds, id: &str, expected: &Etag) -> Result<(), Unwritten> {
        self.admit().await?;
        self.heed_unwritten(by.cancel(&self.credentials, id, expected).await).await
    }

    /// The version of an appointment that is there.
    pub async fn version(&self, by: &dyn GivesIds, id: &str) -> Result<Option<Etag>, ProviderError> {
        self.admit().await?;
        self.heed(by.version(&self.credentials, id).await).await
    }

    async fn admit(&self) -> Result<(), ProviderError> {
        self.admit_calls(1).await
    }

    /// Counts calls that are made at once.
    async fn admit_calls(&self, calls: u32) -> Result<(), ProviderError> {
        let unknown = |_| ProviderError::Failed("calls to it can't be counted right now".to_owned());
        let tx = self.store.begin(&Worker::new(SERVICE, self.business));
        let later = tx.count_calls(self.connection, self.provider.limit(), calls).await.map_err(unknown)?;
        tx.commit().await.map_err(unknown)?;
        later.map_or(Ok(()), |wait| Err(ProviderError::Later(wait)))
    }

    /// A system that asks to be left alone is left alone by every replica.
    async fn heed<T>(&self, answer: Result<T, ProviderError>) -> Result<T, ProviderError> {
        if let Err(ProviderError::Later(wait)) = &answer {
            self.rest(*wait).await;
        }
        answer
    }

    async fn heed_write<T>(&self, answer: Result<T, WriteError>) -> Result<T, WriteError> {
        if let Err(WriteError::Later(wait)) = &answer {
            self.rest(*wait).await;
        }
        answer
    }

    async fn heed_unwritten(&self, answer: Result<(), Unwritten>) -> Result<(), Unwritten> {
        if let Err(Unwritten::Provider(ProviderError::Later(wait))) = &answer {
            self.rest(*wait).await;
        }
        answer
    }

    async fn rest(&self, wait: SignedDuration) {
        let tx = self.store.begin(&Worker::new(SERVICE, self.business));
        let kept = async {
            tx.rest_connection(self.connection, self.provider.limit(), wait).await?;
            tx.commit().await
        };
        if let Err(error) = kept.await {
            tracing::warn!(%error, "that a booking system asked to be left alone was not kept");
        }
    }
}
