//! What is told of booking systems, as the contract has it.

use proto::{frontdesk::calendarsync::v1 as pb, time::to_proto};
use uuid::Uuid;

use crate::{
    app::{Comparison, Records},
    domain::{
        free_time::difference,
        provider::{Counts, Mapped, Named, ProviderKind, Record, RecordKind, Setting, System, suggestion},
    },
    grpc::calendar::wire_cleanup,
    store::{Ending, Run},
};

pub(super) fn wire_kind(kind: &ProviderKind) -> pb::ProviderKind {
    match kind {
        ProviderKind::Demo => pb::ProviderKind::Demo,
        ProviderKind::Square => pb::ProviderKind::Square,
        ProviderKind::Profile(_) => pb::ProviderKind::Profile,
    }
}

pub(super) fn system(system: System) -> pb::ProviderSystem {
    pb::ProviderSystem {
        kind: wire_kind(&system.kind).into(),
        profile: system.kind.profile().to_owned(),
        name: system.name,
        token_label: system.token,
        settings: system.settings.into_iter().map(setting).collect(),
    }
}

fn setting(setting: Setting) -> pb::ProviderSetting {
    pb::ProviderSetting {
        key: setting.key,
        label: setting.label,
        hint: setting.hint,
        is_required: setting.required,
        is_secret: setting.secret,
        default_value: setting.default,
    }
}

pub(super) fn run(run: Run) -> pb::ProviderRun {
    let (state, finished_at, fault) = match run.ending {
        Ending::Running => (pb::ProviderRunState::Running, None, String::new()),
        Ending::Done(at) => (pb::ProviderRunState::Done, Some(at), String::new()),
        Ending::Failed(at, fault) => (pb::ProviderRunState::Failed, Some(at), fault),
    };
    let Counts { employees, services, appointments, added, changed, removed } = run.counts;
    pb::ProviderRun {
        id: run.id.to_string(),
        state: state.into(),
        dry_run: run.dry,
        started_at: Some(to_proto(run.started_at)),
        finished_at: finished_at.map(to_proto),
        steps_done: run.steps.0,
        step_count: run.steps.1,
        fault,
        counts: Some(pb::ProviderRunCounts { employees, services, appointments, added, changed, removed }),
    }
}

pub(super) fn wire_record(record: &Record, records: &Records) -> pb::ProviderRecord {
    let (kind, own) = match record.kind {
        RecordKind::Employee => (pb::ProviderRecordKind::Employee, &records.employees),
        RecordKind::Service => (pb::ProviderRecordKind::Service, &records.services),
    };
    // What is mapped already is no suggestion for another.
    let taken = |named: &&Named<Uuid>| {
        !records.theirs.iter().any(|other| other.kind == record.kind && other.mapped == Some(named.id))
    };
    let suggested =
        record.mapped.is_none().then(|| suggestion(&record.name, own.iter().filter(taken))).flatten();
    let of_record =
        |mapped: &&Mapped| record.kind == RecordKind::Employee && mapped.external == record.external;
    let mapped = records.mapped.iter().find(of_record);
    pb::ProviderRecord {
        written_count: mapped.map(|mapped| mapped.written).unwrap_or_default(),
        cleanup: mapped.and_then(|mapped| mapped.cleanup.clone()).map(wire_cleanup),
        calendar_id: mapped.map(|mapped| mapped.calendar.to_string()).unwrap_or_default(),
        kind: kind.into(),
        external_id: record.external.clone(),
        name: record.name.clone(),
        mapped_id: record.mapped.map(|id| id.to_string()).unwrap_or_default(),
        suggested_id: suggested.map(|named| named.id.to_string()).unwrap_or_default(),
        is_gone: record.gone,
    }
}

pub(super) fn availability(compared: Comparison) -> pb::EmployeeAvailability {
    let Comparison { employee, stretches, fault } = compared;
    pb::EmployeeAvailability {
        employee_id: employee.id.to_string(),
        employee_name: employee.name,
        difference_minutes: if fault.is_some() { 0 } else { difference(&stretches) },
        fault: fault.map(|fault| fault.to_string()).unwrap_or_default(),
        spans: stretches
            .into_iter()
            .map(|stretch| pb::AvailabilitySpan {
                from_minute: stretch.from,
                to_minute: stretch.to,
                is_free_here: stretch.here,
                is_free_there: stretch.there,
            })
            .collect(),
    }
}
