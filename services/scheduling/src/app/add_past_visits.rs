//! Takes over the book of a salon that worked before it came here.

use std::collections::HashSet;

use proto::frontdesk::{events::v1::event::Payload, scheduling::v1 as pb};

use crate::{
    Error,
    domain::past_visit::PastVisit,
    store::{Tx, days_of},
};

/// Adds visits that are not known, takes their days and tells followers of those that are not over; returns how many.
///
/// # Errors
/// SLOT_TAKEN where two of them take the same time; what [`PastVisit::remember`] refuses;
/// [`Error::CustomersUnknown`] for a visit to come whose customer's name calendars could not show.
pub async fn add_past_visits(tx: Tx, visits: Vec<PastVisit>) -> Result<usize, Error> {
    tx.take_over().await?;
    let schedule = tx.settled_schedule().await?;
    let ids: Vec<_> = visits.iter().map(|visit| visit.id).collect();
    let known: HashSet<_> = tx.visits_among(&ids).await?.into_iter().collect();
    let new = visits.into_iter().filter(|visit| !known.contains(&visit.id));
    let remembered = new.map(|visit| visit.remember(&schedule)).collect::<Result<Vec<_>, _>>()?;
    let rows = remembered.iter().flat_map(|visit| &visit.rows);
    let spans: Vec<_> = rows.map(|recorded| recorded.row.during).collect();
    tx.take_days(&days_of(&spans, &schedule.zone)).await?;
    tx.add_remembered(&remembered).await?;
    let to_come = remembered.iter().map(|visit| &visit.appointment).filter(|visit| visit.ends_at > tx.now());
    let to_come: Vec<_> = to_come.map(|visit| visit.id).collect();
    for stored in tx.appointments_of(&to_come).await? {
        if stored.appointment.occasion.customer.is_some() && stored.customer.name.is_empty() {
            return Err(Error::CustomersUnknown);
        }
        let (id, version) = (stored.appointment.id, stored.appointment.version);
        tx.publish_change(id, version, Payload::Appointment(pb::Appointment::from(&stored))).await?;
    }
    tx.commit().await?;
    Ok(remembered.len())
}
