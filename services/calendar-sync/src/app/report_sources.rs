//! Tells scheduling as of when it knows each calendar, so that its answers can say it.

use core::time::Duration;

use boot::peer::Peer;
use caller::BusinessId;
use futures::{StreamExt, stream};
use jiff::Timestamp;
use proto::{
    frontdesk::scheduling::{
        internal::v1::{self as pb, ReportSourcesRequest, busy_service_client::BusyServiceClient},
        v1::BusySourceKind,
    },
    time::to_proto,
};
use tokio_util::sync::CancellationToken;

use crate::{
    domain::calendar::Kind,
    error::Error,
    store::{ReadTurn, SourceReport, Store},
};

const PATIENCE: Duration = Duration::from_secs(5);
const EVERY: Duration = Duration::from_secs(1);
/// Reports of one claim, which are at most those of one call.
const AT_MOST: usize = 200;
/// Businesses at once.
const AT_ONCE: usize = 4;

/// Tells scheduling how reading goes.
#[derive(Debug, Clone)]
pub struct ReportSources {
    /// What is due.
    pub store: Store,
    /// Who is told.
    pub scheduling: Peer,
    /// How often each calendar is read.
    pub interval: Duration,
}

impl ReportSources {
    /// Reports what is due until it is asked to stop.
    pub async fn run(self, shutdown: CancellationToken) {
        while !shutdown.is_cancelled() {
            match self.report_due().await {
                Ok(AT_MOST) => continue,
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "which calendars to report can't be read"),
            }
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = tokio::time::sleep(boot::random::spread(EVERY)) => {}
            }
        }
    }

    /// Reports some of what is due; says how many that were.
    async fn report_due(&self) -> Result<usize, Error> {
        let due = self.store.claim_reports(AT_MOST).await?;
        let count = due.of.values().map(Vec::len).sum();
        let report = |(business, reports): (BusinessId, Vec<SourceReport>)| async move {
            if let Err(error) = self.report(business, due.at, &reports).await {
                // It is due again soon.
                tracing::warn!(%business, %error, "scheduling was not told how its calendars are read");
            }
        };
        stream::iter(due.of).for_each_concurrent(AT_ONCE, report).await;
        Ok(count)
    }

    async fn report(
        &self,
        business: BusinessId,
        at: Timestamp,
        reports: &[SourceReport],
    ) -> anyhow::Result<()> {
        let wire = reports.iter().map(|report| wire(report, self.interval));
        self.tell(business, at, wire.collect()).await?;
        Ok(self.store.save_reported(business, at, reports).await?)
    }

    /// Tells that a calendar is being disconnected.
    ///
    /// # Errors
    /// What scheduling answers.
    pub async fn leave(&self, turn: &ReadTurn, at: Timestamp) -> Result<(), tonic::Status> {
        let gone = pb::SourceReport {
            source_id: turn.place.calendar.to_string(),
            employee_id: turn.employee.to_string(),
            kind: kind(turn.kind).into(),
            gone: true,
            ..pb::SourceReport::default()
        };
        self.tell(turn.place.business, at, vec![gone]).await
    }

    async fn tell(
        &self,
        business: BusinessId,
        at: Timestamp,
        sources: Vec<pb::SourceReport>,
    ) -> Result<(), tonic::Status> {
        let message = ReportSourcesRequest {
            business_id: business.to_string(),
            reported_at: Some(to_proto(at)),
            sources,
        };
        let request = self.scheduling.as_service(Some(business), message, PATIENCE);
        BusyServiceClient::new(self.scheduling.channel()).report_sources(request).await.map(drop)
    }
}

fn wire(report: &SourceReport, interval: Duration) -> pb::SourceReport {
    pb::SourceReport {
        source_id: report.calendar.to_string(),
        employee_id: report.employee.to_string(),
        kind: kind(report.kind).into(),
        name: report.name.clone(),
        read_at: report.read_at.map(to_proto),
        failing_since: report.failure.as_ref().map(|(since, _)| to_proto(*since)),
        reason: report.failure.as_ref().map(|(_, reason)| reason.clone()).unwrap_or_default(),
        gone: false,
        read_every_seconds: i32::try_from(interval.as_secs()).unwrap_or(i32::MAX),
    }
}

fn kind(kind: Kind) -> BusySourceKind {
    match kind {
        Kind::Demo => BusySourceKind::Demo,
        Kind::Caldav => BusySourceKind::Caldav,
        Kind::Provider => BusySourceKind::Provider,
        Kind::Google => BusySourceKind::Google,
        Kind::Ics => BusySourceKind::Ics,
    }
}
