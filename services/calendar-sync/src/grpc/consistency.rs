//! Whether the book, the calendars and the booking system say the same.

use caller::BusinessScope;
use proto::{
    frontdesk::calendarsync::v1::{
        self as pb, CheckConsistencyRequest, CheckConsistencyResponse, CheckedSide, ConsistencyCheck,
        ConsistencyServiceHandler, DifferenceKind, GetConsistencyRequest, GetConsistencyResponse,
        RepairDifferenceRequest, RepairDifferenceResponse, SideEvent,
    },
    parse,
    time::to_proto,
};
use tonic::{Status, async_trait};

use super::{MAX_TEXT, calendar::wire_kind};
use crate::{
    app::{CheckConsistency, Found, RepairEvents, Side},
    domain::{
        calendar::Calendar,
        consistency::{Difference, MOST_DIFFERENCES, Theirs},
        event::{Event, EventId},
    },
    store::{Checked, Planned, Store},
};

/// Serves `ConsistencyService`.
#[derive(Debug)]
pub struct Consistency {
    store: Store,
    check: CheckConsistency,
    repair: RepairEvents,
}

impl Consistency {
    /// Checks and repairs what is in `store`.
    #[must_use]
    pub fn new(store: Store, check: CheckConsistency, repair: RepairEvents) -> Self {
        Self { store, check, repair }
    }
}

#[async_trait]
impl ConsistencyServiceHandler for Consistency {
    async fn check_consistency(
        &self,
        scope: BusinessScope,
        _: CheckConsistencyRequest,
    ) -> Result<CheckConsistencyResponse, Status> {
        let Found { checked, sides, planned } = self.check.check(&scope).await?;
        let differences = sides.iter().flat_map(|side| {
            let found = side.differences.as_ref().into_iter().flatten();
            found.map(|found| {
                let planned = planned.get(&(side.calendar.id, found.id().clone()));
                difference(&side.calendar, found, planned)
            })
        });
        let found = CheckConsistencyResponse {
            differences: differences.take(MOST_DIFFERENCES).collect(),
            check: None,
            sides: sides.iter().map(wire).collect(),
        };
        let findings = serde_json::to_value(&found)
            .map_err(|error| Status::internal(format!("what a check found can't be kept: {error}")))?;
        let tx = self.store.begin(&scope);
        tx.save_findings(&checked, findings).await?;
        tx.commit().await?;
        Ok(CheckConsistencyResponse { check: Some(summary(checked)), ..found })
    }

    async fn get_consistency(
        &self,
        scope: BusinessScope,
        _: GetConsistencyRequest,
    ) -> Result<GetConsistencyResponse, Status> {
        let tx = self.store.begin(&scope);
        let last = tx.last_check().await?;
        let findings = tx.findings().await?;
        tx.commit().await?;
        // What another release kept otherwise is found again by the next check.
        let kept = findings.and_then(|kept| serde_json::from_value::<CheckConsistencyResponse>(kept).ok());
        let CheckConsistencyResponse { differences, sides, .. } = kept.unwrap_or_default();
        Ok(GetConsistencyResponse { check: last.map(summary), differences, sides })
    }

    async fn repair_difference(
        &self,
        scope: BusinessScope,
        request: RepairDifferenceRequest,
    ) -> Result<RepairDifferenceResponse, Status> {
        let calendar = parse::id("calendar_id", &request.calendar_id)?;
        let event = EventId(parse::raw_text("event_id", &request.event_id, MAX_TEXT)?);
        let appointment = parse::id("appointment_id", &request.appointment_id)?;
        self.repair.repair(&scope, calendar, &event, appointment).await?;
        Ok(RepairDifferenceResponse {})
    }
}

fn summary(checked: Checked) -> ConsistencyCheck {
    let (in_step_at, in_step_digest) = checked.in_step.unzip();
    ConsistencyCheck {
        checked_at: Some(to_proto(checked.at)),
        from: Some(to_proto(checked.window.from)),
        to: Some(to_proto(checked.window.to)),
        appointment_count: checked.appointments,
        difference_count: checked.differences,
        unread_side_count: checked.unread_sides,
        digest: checked.digest,
        in_step_at: in_step_at.map(to_proto),
        in_step_digest: in_step_digest.unwrap_or_default(),
    }
}

fn wire(side: &Side) -> CheckedSide {
    CheckedSide {
        calendar_id: side.calendar.id.to_string(),
        calendar_kind: wire_kind(side.calendar.kind).into(),
        calendar_name: side.calendar.name.clone(),
        employee_id: side.calendar.employee.to_string(),
        event_count: i32::try_from(side.count).unwrap_or(i32::MAX),
        digest: side.digest.clone(),
        expected_digest: side.expected_digest.clone(),
        fault: side.differences.as_ref().err().cloned().unwrap_or_default(),
        is_read_only: side.calendar.kind.is_read_only(),
    }
}

fn difference(calendar: &Calendar, found: &Difference, planned: Option<&Planned>) -> pb::Difference {
    let (kind, ours, theirs, fields): (_, Option<&Event>, Option<&Theirs>, &[_]) = match found {
        Difference::Missing(ours) => (DifferenceKind::Missing, Some(ours), None, &[]),
        Difference::Extra(theirs) => (DifferenceKind::Extra, None, Some(theirs), &[]),
        Difference::Changed(ours, theirs, fields) => {
            (DifferenceKind::Changed, Some(ours), Some(theirs), fields)
        }
    };
    let event = ours.or_else(|| theirs.map(|theirs| &theirs.event));
    let appointment = event.and_then(|event| event.appointment);
    let of = |event: &Event| SideEvent {
        title: event.title.clone(),
        starts_at: Some(to_proto(event.span.starts())),
        ends_at: Some(to_proto(event.span.ends())),
        ..SideEvent::default()
    };
    pb::Difference {
        kind: kind.into(),
        calendar_id: calendar.id.to_string(),
        calendar_kind: wire_kind(calendar.kind).into(),
        calendar_name: calendar.name.clone(),
        employee_id: calendar.employee.to_string(),
        event_id: found.id().to_string(),
        appointment_id: appointment.map(|id| id.to_string()).unwrap_or_default(),
        ours: ours.map(|ours| SideEvent {
            changed_at: planned.map(|planned| to_proto(planned.changed_at)),
            actor: planned.and_then(|planned| planned.changed_by.clone()).unwrap_or_default(),
            ..of(ours)
        }),
        theirs: theirs.map(|theirs| SideEvent {
            changed_at: Some(to_proto(theirs.changed_at)),
            changed_by: theirs.changed_by.clone().unwrap_or_default(),
            ..of(&theirs.event)
        }),
        fields: fields.iter().map(|field| field.name().to_owned()).collect(),
        is_being_written: planned.is_some_and(|planned| planned.waiting),
    }
}
