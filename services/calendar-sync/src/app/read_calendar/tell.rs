//! Tells scheduling what was read of a calendar.

use proto::{
    frontdesk::scheduling::internal::v1::{
        self as pb, BusyFact, ImportBusyRequest, busy_service_client::BusyServiceClient, shortfall::Kind,
    },
    time::{required, to_proto},
};
use tracing::Instrument;

use super::{PATIENCE, Reader, Stopped};
use crate::{
    domain::{
        busy::Fact,
        calendar,
        shortfall::{Reason, Shortfall},
    },
    store::ReadTurn,
};

/// Facts told in one call.
const FACTS: usize = 500;

impl Reader {
    /// Tells scheduling, which takes what it knows already without harm; says what it does
    /// not hold as it was told.
    pub(super) async fn tell(&self, turn: &ReadTurn, facts: &[Fact]) -> Result<Vec<Shortfall>, Stopped> {
        let mut shortfalls = vec![];
        if facts.is_empty() {
            return Ok(shortfalls);
        }
        let span =
            tracing::info_span!("calendar read", calendar.id = %turn.place.calendar, facts = facts.len());
        async {
            for facts in facts.chunks(FACTS) {
                let tx = self.begin(turn);
                tx.add_told_events(turn.place.calendar, facts).await?;
                tx.commit().await?;
                shortfalls.extend(self.import(turn, facts).await?);
            }
            Ok(shortfalls)
        }
        .instrument(span)
        .await
    }

    async fn import(&self, turn: &ReadTurn, facts: &[Fact]) -> Result<Vec<Shortfall>, Stopped> {
        // What is told after the turn could undo what its successor told.
        if !turn.lease.covers(self.clock.now(), PATIENCE) {
            return Err(Stopped::TooLong);
        }
        // People are told whether it is a calendar or the booking system that is in the way.
        let id = turn.place.calendar.to_string();
        let (calendar_id, provider_connection_id) =
            if turn.kind == calendar::Kind::Provider { (String::new(), id) } else { (id, String::new()) };
        let message = ImportBusyRequest {
            business_id: turn.place.business.to_string(),
            employee_id: turn.employee.to_string(),
            calendar_id,
            facts: facts.iter().map(wire).collect(),
            provider_connection_id,
        };
        let request = self.scheduling.as_service(Some(turn.place.business), message, PATIENCE);
        let answer = BusyServiceClient::new(self.scheduling.channel()).import_busy(request).await;
        let answer = answer.map_err(|status| Stopped::Scheduling(status.message().to_owned()))?.into_inner();
        if answer.conflicts > 0 {
            tracing::info!(calendar = %turn.place.calendar, conflicts = answer.conflicts, "busy over bookings");
        }
        Ok(answer.shortfalls.into_iter().filter_map(|wire| shortfall(facts, wire)).collect())
    }
}

fn wire(fact: &Fact) -> BusyFact {
    let external_id = fact.id.0.clone();
    match &fact.busy {
        Some(busy) => BusyFact {
            external_id,
            title: busy.title.clone(),
            starts_at: Some(to_proto(busy.span.starts())),
            ends_at: Some(to_proto(busy.span.ends())),
            ..BusyFact::default()
        },
        None => BusyFact { external_id, removed: true, ..BusyFact::default() },
    }
}

/// What scheduling says of one of `facts`; nothing of one that it was only told is gone.
fn shortfall(facts: &[Fact], wire: pb::Shortfall) -> Option<Shortfall> {
    let fact = facts.get(usize::try_from(wire.index).ok()?)?;
    let reason = match wire.kind {
        Some(Kind::HeldUntil(until)) => Reason::TooLong(required("held_until", Some(&until)).ok()?),
        Some(Kind::OutOfRange(_)) => Reason::OutOfRange,
        Some(Kind::Refused(refused)) => Reason::Refused(format!("{} {}", refused.field, refused.fault)),
        None => Reason::Refused("it was not taken".to_owned()),
    };
    Some(Shortfall { id: fact.id.clone(), busy: fact.busy.clone()?, reason })
}
