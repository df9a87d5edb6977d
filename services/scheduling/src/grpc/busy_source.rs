//! Sources of busy time as messages of the contract.

use std::collections::{BTreeSet, HashSet};

use engine::{id::EmployeeId, schedule::Schedule};
use jiff::{SignedDuration, Timestamp};
use proto::{
    error::invalid,
    frontdesk::scheduling::{
        internal::v1::{self as internal, ReportSourcesRequest},
        v1 as pb,
    },
    parse::{id, optional_raw_text},
    time::{self, to_proto},
};
use tonic::Status;

use crate::domain::{
    busy_source::{BusySource, Failure, Freshness, Kind, Reading, SourceReport},
    id::SourceId,
};

const MAX_SOURCES: usize = 200;
const MAX_NAME: usize = 1000;
const MOST_SECONDS: i32 = 3600;
/// Of what another server says; the end of it tells nothing new.
const MAX_REASON: usize = 500;

/// The sources of some employees, as they are at `now`.
pub(super) fn sources(
    sources: &[BusySource],
    among: &BTreeSet<EmployeeId>,
    schedule: &Schedule,
    now: Timestamp,
) -> Vec<pb::BusySource> {
    let theirs = sources.iter().filter(|source| among.contains(&source.employee));
    theirs.map(|source| message(source, schedule.name_of(source.employee), now)).collect()
}

fn message(source: &BusySource, employee_name: &str, now: Timestamp) -> pb::BusySource {
    let (freshness, failure) = match source.reading.freshness(now) {
        Freshness::Fresh => (pb::Freshness::Fresh, None),
        Freshness::Stale => (pb::Freshness::Stale, None),
        Freshness::Unreachable(failure) => (pb::Freshness::Unreachable, Some(failure)),
        Freshness::Unread => (pb::Freshness::Unread, None),
    };
    pb::BusySource {
        source_id: source.id.to_string(),
        employee_id: source.employee.to_string(),
        employee_name: employee_name.to_owned(),
        kind: kind_of(source.kind).into(),
        name: source.name.clone(),
        freshness: freshness.into(),
        read_at: source.reading.read_at.map(to_proto),
        failing_since: failure.map(|failure| to_proto(failure.since)),
        reason: failure.map(|failure| failure.reason.clone()).unwrap_or_default(),
    }
}

fn kind_of(kind: Kind) -> pb::BusySourceKind {
    match kind {
        Kind::Demo => pb::BusySourceKind::Demo,
        Kind::Caldav => pb::BusySourceKind::Caldav,
        Kind::Provider => pb::BusySourceKind::Provider,
        Kind::Google => pb::BusySourceKind::Google,
        Kind::Ics => pb::BusySourceKind::Ics,
    }
}

/// The reports of a request.
pub(super) fn reports(request: &ReportSourcesRequest) -> Result<Vec<SourceReport>, Status> {
    if request.sources.is_empty() || request.sources.len() > MAX_SOURCES {
        return Err(invalid("sources", "must be 1 to 200"));
    }
    let mut seen = HashSet::new();
    let mut once = |report: SourceReport| match seen.insert(report.source.id) {
        true => Ok(report),
        false => Err(invalid("sources.source_id", "appears twice")),
    };
    request.sources.iter().map(report).map(|report| report.and_then(&mut once)).collect()
}

fn report(wire: &internal::SourceReport) -> Result<SourceReport, Status> {
    let read_at = time::parse("sources.read_at", wire.read_at.as_ref())?;
    let since = time::parse("sources.failing_since", wire.failing_since.as_ref())?;
    let reason: String = wire.reason.chars().filter(|letter| !letter.is_control()).take(MAX_REASON).collect();
    if since.is_some() == reason.is_empty() {
        return Err(invalid("sources.reason", "must be set where failing_since is, and only there"));
    }
    let source = BusySource {
        id: id::<SourceId>("sources.source_id", &wire.source_id)?,
        employee: id("sources.employee_id", &wire.employee_id)?,
        kind: kind(wire.kind())?,
        name: optional_raw_text("sources.name", &wire.name, MAX_NAME)?.unwrap_or_default(),
        reading: Reading {
            every: every(wire.read_every_seconds)?,
            read_at,
            failure: since.map(|since| Failure { since, reason }),
        },
    };
    Ok(SourceReport { source, is_gone: wire.gone })
}

fn every(seconds: i32) -> Result<SignedDuration, Status> {
    match seconds {
        0..=MOST_SECONDS => Ok(SignedDuration::from_secs(seconds.into())),
        _ => Err(invalid("sources.read_every_seconds", "must be 0 to 3600")),
    }
}

fn kind(kind: pb::BusySourceKind) -> Result<Kind, Status> {
    match kind {
        pb::BusySourceKind::Unspecified => Err(invalid("sources.kind", "is required")),
        pb::BusySourceKind::Demo => Ok(Kind::Demo),
        pb::BusySourceKind::Caldav => Ok(Kind::Caldav),
        pb::BusySourceKind::Provider => Ok(Kind::Provider),
        pb::BusySourceKind::Google => Ok(Kind::Google),
        pb::BusySourceKind::Ics => Ok(Kind::Ics),
    }
}
