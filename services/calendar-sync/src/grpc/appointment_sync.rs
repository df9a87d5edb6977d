//! How each appointment is in calendars and in the booking system.

use caller::BusinessScope;
use jiff::Timestamp;
use proto::{
    frontdesk::calendarsync::v1::{
        self as pb, AppointmentSyncServiceHandler, ListAppointmentSyncRequest, ListAppointmentSyncResponse,
        ListSyncHistoryRequest, ListSyncHistoryResponse, RetryAppointmentSyncRequest,
        RetryAppointmentSyncResponse, SyncHistoryLine, SyncStep,
    },
    page::page,
    parse,
    time::to_proto,
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use super::calendar::wire_kind;
use crate::{
    app::RepairEvents,
    domain::{AppointmentId, sync_step::Step},
    store::{AfterAppointment, HistoryLine, Store, SyncState, SyncedAppointment, SyncedEvent},
};

/// Serves `AppointmentSyncService`.
#[derive(Debug)]
pub struct AppointmentSync {
    store: Store,
    repair: RepairEvents,
}

impl AppointmentSync {
    /// The appointments in `store`.
    #[must_use]
    pub fn new(store: Store, repair: RepairEvents) -> Self {
        Self { store, repair }
    }
}

#[async_trait]
impl AppointmentSyncServiceHandler for AppointmentSync {
    async fn list_appointment_sync(
        &self,
        scope: BusinessScope,
        request: ListAppointmentSyncRequest,
    ) -> Result<ListAppointmentSyncResponse, Status> {
        let page = page::<(i64, Timestamp, Uuid)>(request.page_size, &request.page_token)?;
        let after =
            page.after.map(|(rank, starts, id)| AfterAppointment { rank, starts, id: AppointmentId(id) });
        let tx = self.store.begin(&scope);
        let rows = tx.appointment_sync(request.needs_look, after, page.limit()).await?;
        tx.commit().await?;
        let key = |row: &SyncedAppointment| (row.rank, row.span.starts(), row.appointment.0);
        let (appointments, next_page_token) = page.answer(rows, key, synced);
        Ok(ListAppointmentSyncResponse { appointments, next_page_token })
    }

    async fn retry_appointment_sync(
        &self,
        scope: BusinessScope,
        request: RetryAppointmentSyncRequest,
    ) -> Result<RetryAppointmentSyncResponse, Status> {
        self.repair.retry(&scope, parse::id("appointment_id", &request.appointment_id)?).await?;
        Ok(RetryAppointmentSyncResponse {})
    }

    async fn list_sync_history(
        &self,
        scope: BusinessScope,
        request: ListSyncHistoryRequest,
    ) -> Result<ListSyncHistoryResponse, Status> {
        let appointment = parse::id("appointment_id", &request.appointment_id)?;
        let tx = self.store.begin(&scope);
        let lines = tx.history(appointment).await?;
        tx.commit().await?;
        Ok(ListSyncHistoryResponse { lines: lines.into_iter().map(line).collect() })
    }
}

fn synced(row: SyncedAppointment) -> pb::SyncedAppointment {
    pb::SyncedAppointment {
        appointment_id: row.appointment.to_string(),
        title: row.title,
        starts_at: Some(to_proto(row.span.starts())),
        ends_at: Some(to_proto(row.span.ends())),
        events: row.events.into_iter().map(event).collect(),
    }
}

fn event(event: SyncedEvent) -> pb::SyncedEvent {
    let state = match event.state {
        SyncState::Waiting => pb::SyncState::Waiting,
        SyncState::Written => pb::SyncState::Written,
        SyncState::Retrying => pb::SyncState::Retrying,
        SyncState::Parked => pb::SyncState::Parked,
    };
    pb::SyncedEvent {
        calendar_id: event.calendar.to_string(),
        kind: wire_kind(event.kind).into(),
        employee_id: event.employee.to_string(),
        calendar_name: event.calendar_name,
        state: state.into(),
        fault: event.fault.unwrap_or_default(),
        failures: event.failures,
        again_at: event.again_at.map(to_proto),
        written_at: event.written_at.map(to_proto),
    }
}

fn line(line: HistoryLine) -> SyncHistoryLine {
    let step = match line.step {
        Step::Planned => SyncStep::Planned,
        Step::Written => SyncStep::Written,
        Step::Failed => SyncStep::Failed,
        Step::Parked => SyncStep::Parked,
        Step::Retried => SyncStep::Retried,
        Step::Removed => SyncStep::Removed,
        Step::Repaired => SyncStep::Repaired,
    };
    SyncHistoryLine {
        at: Some(to_proto(line.at)),
        step: step.into(),
        calendar_id: line.calendar.to_string(),
        calendar_name: line.calendar_name,
        fault: line.fault.unwrap_or_default(),
    }
}
