//! Takes in calls of which webhooks told too little: tenancy says at which platform to look next, one door at a time,
//! and what is found goes the way of a delivery.

use core::time::Duration;
use std::sync::Arc;

use boot::random::jitter;
use bytes::Bytes;
use caller::{Bearer, BusinessId, Method};
use opentelemetry::metrics::Meter;
use proto::{
    error::{Reason, reason_of},
    frontdesk::{
        telemetry::internal::v1::{
            EndedCall, ListUntoldCallsRequest, ListUntoldCallsResponse,
            intake_service_methods::LIST_UNTOLD_CALLS,
        },
        tenancy::internal::v1::{
            CallCheck, ClaimCallCheckRequest, ClaimCallCheckResponse, FinishCallCheckRequest,
            FinishCallCheckResponse, ListPlatformCallsRequest, ListPlatformCallsResponse,
            ReadPlatformCallRequest, ReadPlatformCallResponse,
            platform_call_service_methods::{
                CLAIM_CALL_CHECK, FINISH_CALL_CHECK, LIST_PLATFORM_CALLS, READ_PLATFORM_CALL,
            },
        },
    },
};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::{
    Line, VoiceDoor,
    agent::Agent,
    connection::Connection,
    delivery::{CallEvent, listed_key},
    intake::Intake,
    metrics::{Checked, Lost},
    readable::readable,
};
use crate::{Gateway, edge::Limits};

/// How often a door asks for work.
const EVERY: Duration = Duration::from_secs(5);
/// A platform may answer slowly, and in pages.
const PATIENCE: Duration = Duration::from_secs(28);
/// How long a check may take: shorter than its lease.
const LONGEST: Duration = Duration::from_secs(150);
/// Pages of one check; a day of a salon's calls is one.
const MOST_PAGES: usize = 50;

/// What takes lost calls in.
#[derive(Debug)]
pub struct LostCalls {
    door: VoiceDoor,
}

/// Why a check ended early.
enum Broken {
    /// The platform did not tell: tenancy keeps why, and has it checked again.
    There,
    /// A service could not be reached.
    Here(Status),
    /// A call that the platform did not tell lately is asked for later: it is checked again for its sake alone.
    Resting,
}

impl LostCalls {
    /// Takes calls in through `gateway`.
    #[must_use]
    pub fn new(gateway: Gateway, line: Line, limits: &Limits, meter: &Meter) -> Self {
        Self { door: VoiceDoor::new(gateway, line, limits, meter) }
    }

    /// Checks for calls until it is told to stop; a check that is broken off is repeated by another door.
    pub async fn run(self, stop: CancellationToken) {
        let looking = async {
            loop {
                let checked = self.check().await.unwrap_or_else(|status| {
                    tracing::warn!(%status, "lost calls are not looked for now");
                    false
                });
                if !checked {
                    tokio::time::sleep(jitter(EVERY)).await;
                }
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            () = looking => {}
        }
    }

    /// Takes the check that is due; says whether one was.
    ///
    /// # Errors
    /// When tenancy can't be asked.
    pub async fn check(&self) -> Result<bool, Status> {
        let claimed: ClaimCallCheckResponse = self.ask(&CLAIM_CALL_CHECK, ClaimCallCheckRequest {}).await?;
        let Some(check) = claimed.check else { return Ok(false) };
        let mut taken = 0;
        let done = timeout(LONGEST, self.take_in(&check, &mut taken)).await;
        let late = |_| Err(Broken::Here(Status::deadline_exceeded("the check took too long")));
        let incomplete = match done.unwrap_or_else(late) {
            Ok(()) => false,
            Err(Broken::There) if taken == 0 => return Ok(true),
            Err(Broken::There | Broken::Resting) => true,
            Err(Broken::Here(status)) => {
                tracing::warn!(%status, voice.connection.id = check.voice_connection_id, "calls were not taken in");
                true
            }
        };
        let finish = FinishCallCheckRequest { check: Some(check), taken_count: taken, incomplete };
        let FinishCallCheckResponse {} = self.ask(&FINISH_CALL_CHECK, finish).await?;
        Ok(true)
    }

    async fn take_in(&self, check: &CallCheck, taken: &mut i32) -> Result<(), Broken> {
        let connection = self.connection(check).await.map_err(Broken::Here)?;
        let platform = connection.platform;
        let done = self.pages(check, &connection, taken).await;
        let outcome = match &done {
            Ok(()) | Err(Broken::Resting) => Checked::Complete,
            Err(Broken::There) => Checked::Platform,
            Err(Broken::Here(_)) => Checked::Broken,
        };
        self.door.metrics.checked(platform, outcome);
        done
    }

    async fn pages(
        &self,
        check: &CallCheck,
        connection: &Arc<Connection>,
        taken: &mut i32,
    ) -> Result<(), Broken> {
        let mut page_token = String::new();
        let mut failed = None;
        for _ in 0..MOST_PAGES {
            let message = ListPlatformCallsRequest { check: Some(check.clone()), page_token };
            let page: ListPlatformCallsResponse = self.ask(&LIST_PLATFORM_CALLS, message).await?;
            for call in self.untold(connection, page.platform_call_ids).await? {
                match self.take(check, connection, &call).await {
                    Ok(news) => *taken += i32::from(news),
                    Err(Broken::There) => return Err(Broken::There),
                    // The others may be taken in.
                    Err(Broken::Resting) => failed = failed.or(Some(Broken::Resting)),
                    Err(broken @ Broken::Here(_)) => failed = Some(broken),
                }
            }
            if page.next_page_token.is_empty() {
                return failed.map_or(Ok(()), Err);
            }
            page_token = page.next_page_token;
        }
        Err(Broken::Here(Status::resource_exhausted("the platform lists calls without end")))
    }

    /// Those of some calls of which too little was told.
    async fn untold(&self, connection: &Connection, calls: Vec<String>) -> Result<Vec<String>, Status> {
        if calls.is_empty() {
            return Ok(calls);
        }
        let adapter = connection.platform.adapter();
        let ended = |call: String| EndedCall {
            event_keys: adapter.reports(&call).into_iter().chain([listed_key(&call)]).collect(),
            end_suffices: adapter.end_suffices(),
            platform_call_id: call,
        };
        let message = ListUntoldCallsRequest {
            business_id: connection.business.to_string(),
            connection_id: connection.id.to_string(),
            calls: calls.into_iter().map(ended).collect(),
        };
        let bearer = Bearer::Agent { connection: connection.id };
        let agent = Agent::new(self.door.gateway.clone(), bearer, connection.business, self.door.tool_time);
        let untold: ListUntoldCallsResponse = agent.call(&LIST_UNTOLD_CALLS, None, message).await?;
        Ok(untold.platform_call_ids)
    }

    /// Takes one call in; says whether it was news. One that can't be read holds up no other.
    async fn take(
        &self,
        check: &CallCheck,
        connection: &Arc<Connection>,
        call: &str,
    ) -> Result<bool, Broken> {
        let message =
            ReadPlatformCallRequest { check: Some(check.clone()), platform_call_id: call.to_owned() };
        let read: Result<ReadPlatformCallResponse, _> = self.ask(&READ_PLATFORM_CALL, message).await;
        let read = match read {
            // It was deleted there meanwhile.
            Err(status) if reason_of(&status) == Some(Reason::NotFound) => return Ok(false),
            Err(status) if !is_unreadable(&status) => return Err(status.into()),
            read => read,
        };
        let event = read.and_then(|read| {
            Ok((connection.platform.adapter().listed(&readable(&read.document))?, read.document))
        });
        let kept = match event {
            Ok((event, document)) => self.keep(check, connection, document.into(), event).await,
            Err(status) => Err(status),
        };
        match kept {
            Ok(news) => {
                if news {
                    self.door.metrics.lost(connection.platform, Lost::Taken);
                }
                Ok(news)
            }
            Err(status) if is_unreadable(&status) => {
                tracing::error!(%status, call, "a call of a platform can't be read");
                self.door.metrics.lost(connection.platform, Lost::Unreadable);
                Ok(false)
            }
            Err(status) => Err(Broken::Here(status)),
        }
    }

    async fn keep(
        &self,
        check: &CallCheck,
        connection: &Arc<Connection>,
        document: Bytes,
        mut event: CallEvent,
    ) -> Result<bool, Status> {
        let began = event.facts.started_at.map(|at| (at.seconds, at.nanos));
        let live = check.live_at.map(|at| (at.seconds, at.nanos));
        // A call that began since then ran on what was brought there.
        if event.facts.agent_version == 0 && began.zip(live).is_some_and(|(began, live)| began >= live) {
            event.facts.agent_version = check.live_version;
        }
        let now = self.door.gateway.host().clock.now();
        Intake::new(&self.door, connection.clone(), document, now).record(event).await
    }

    async fn connection(&self, check: &CallCheck) -> Result<Arc<Connection>, Status> {
        let malformed = || Status::internal("a check names no connection");
        let id = check.voice_connection_id.parse().map_err(|_| malformed())?;
        let business: BusinessId = check.business_id.parse().map_err(|_| malformed())?;
        let connection = self.door.connections.open(id).await?;
        if connection.business == business { Ok(connection) } else { Err(malformed()) }
    }

    async fn ask<Request, Response>(
        &self,
        method: &'static Method,
        message: Request,
    ) -> Result<Response, Status>
    where
        Request: prost::Message + Send + Sync + 'static,
        Response: prost::Message + Default + Send + Sync + 'static,
    {
        self.door.gateway.call_as_door(method, None, PATIENCE, message).await
    }
}

impl From<Status> for Broken {
    fn from(status: Status) -> Self {
        match reason_of(&status) {
            Some(Reason::WrongState) => Self::There,
            Some(Reason::NotYet) => Self::Resting,
            _ => Self::Here(status),
        }
    }
}

/// Whether asking again would end the same way.
fn is_unreadable(status: &Status) -> bool {
    matches!(reason_of(status), Some(Reason::InvalidField | Reason::TooLarge))
}
