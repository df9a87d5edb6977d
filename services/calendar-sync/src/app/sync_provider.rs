//! Reads a booking system's employees, services and appointments, step by step, in a run that people can watch.

use core::time::Duration;

use caller::{Tenant, Worker};

use super::OpenProvider;
use crate::{
    SERVICE,
    domain::{
        ConnectionId,
        provider::{Counts, MappedEmployee, ProviderError, RecordKind, compare, told_left_out},
    },
    error::Error,
    outside::provider::Paced,
    store::{Run, RunId},
};

/// Employees, services, appointments.
const STEPS: i32 = 3;
/// How long a run may take: less than after what it counts as abandoned.
const PATIENCE: Duration = Duration::from_secs(540);
/// Pages of one employee's appointments that are counted.
const MOST_PAGES: usize = 200;

/// Reads booking systems.
#[derive(Debug, Clone)]
pub struct SyncProvider {
    /// Opens what is connected.
    pub open: OpenProvider,
}

impl SyncProvider {
    /// Reads a system's records and counts its appointments; keeps them, unless it is a dry run. The run ends also
    /// when its caller does not wait for it.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Running`]. What goes wrong on the way ends the run, which says so.
    pub async fn sync(&self, scope: &impl Tenant, id: ConnectionId, dry: bool) -> Result<Run, Error> {
        let (_, provider) = self.open.open(scope, id).await?;
        let run: RunId = self.open.store.new_id();
        let tx = self.open.store.begin(scope);
        tx.add_run(id, run, dry, STEPS).await?;
        tx.commit().await?;
        let (this, worker) = (self.clone(), Worker::new(SERVICE, scope.business()));
        let running = tokio::spawn(async move {
            let read = tokio::time::timeout(PATIENCE, this.read(&worker, id, run, &provider, dry)).await;
            let late = |_| Err(ProviderError::Failed("it took too long".to_owned()).into());
            let read = read.unwrap_or_else(late);
            this.end(&worker, run, read).await
        });
        running.await.unwrap_or(Err(Error::NotFound("run")))
    }

    async fn end(
        &self,
        worker: &Worker,
        run: RunId,
        read: Result<(Counts, Option<String>), Error>,
    ) -> Result<Run, Error> {
        let (counts, fault) = match read {
            Ok(read) => read,
            Err(Error::Provider(error)) => (Counts::default(), Some(error.to_string())),
            Err(other) => {
                tracing::error!(error = %other, "a booking system was not read");
                (Counts::default(), Some("it was cut off: try again".to_owned()))
            }
        };
        let tx = self.open.store.begin(worker);
        let ended = tx.end_run(run, counts, fault.as_deref()).await?;
        tx.commit().await?;
        Ok(ended)
    }

    /// Reads all; says what it counted, and which records were left out.
    async fn read(
        &self,
        worker: &Worker,
        id: ConnectionId,
        run: RunId,
        provider: &Paced,
        dry: bool,
    ) -> Result<(Counts, Option<String>), Error> {
        let tx = self.open.store.begin(worker);
        let kept = tx.records(id).await?;
        let mapped = tx.mapped_employees(id).await?;
        tx.commit().await?;
        let employees = provider.employees().await?;
        self.step(worker, run, 1).await?;
        let services = provider.services().await?;
        self.step(worker, run, 2).await?;
        let appointments = count_appointments(provider, &mapped).await?;
        let left_out = told_left_out(&[employees.left_out, services.left_out].concat());
        let (employees, services) = (employees.kept, services.kept);
        if !dry {
            let tx = self.open.store.begin(worker);
            tx.save_records(id, RecordKind::Employee, &employees).await?;
            tx.save_records(id, RecordKind::Service, &services).await?;
            tx.commit().await?;
        }
        let changes = compare(&kept, RecordKind::Employee, &employees).and(compare(
            &kept,
            RecordKind::Service,
            &services,
        ));
        let counts = Counts {
            employees: count(employees.len()),
            services: count(services.len()),
            appointments: count(appointments),
            ..changes
        };
        Ok((counts, left_out))
    }

    async fn step(&self, worker: &Worker, run: RunId, done: i32) -> Result<(), Error> {
        let tx = self.open.store.begin(worker);
        tx.step_run(run, done).await?;
        tx.commit().await
    }
}

async fn count_appointments(provider: &Paced, mapped: &[MappedEmployee]) -> Result<usize, Error> {
    let mut found = 0;
    for MappedEmployee { external, .. } in mapped {
        found += count_of_employee(provider, external).await?;
    }
    Ok(found)
}

async fn count_of_employee(provider: &Paced, external: &str) -> Result<usize, Error> {
    let (mut found, mut after) = (0, None);
    for _ in 0..MOST_PAGES {
        let page = provider.appointments(&[external], after.as_deref()).await?;
        found += page.standing();
        if !page.more {
            return Ok(found);
        }
        after = Some(page.next);
    }
    // A part of them would look like all.
    Err(ProviderError::Failed("an employee has too many appointments to count".to_owned()).into())
}

fn count(found: usize) -> i32 {
    i32::try_from(found).unwrap_or(i32::MAX)
}
