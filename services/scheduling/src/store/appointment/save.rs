//! Books appointments, and saves where they stand.

use database::{named, to_db};
use engine::{
    appointment::{Appointment, State},
    progress::Stage,
    visit::Occupied,
};

use crate::{
    Error,
    store::{
        Tx,
        item::{add_items, item_columns},
        ledger::{add_rows, no_sources, refused},
        progress::stage_name,
        purpose::Purpose,
    },
};

/// An appointment, its items, where it began and the time it takes, in one way there and back.
const ADD: &str = concat!(
    "WITH booked AS (
        INSERT INTO appointment (business_id, id, state, customer_id, call_id, starts_at, ends_at, price_minor,
            currency, notes, version, created_at, squeezed_in, series_id, occurrence, planned_at)
        VALUES (:business_id, :visit_id, :state, :customer_id, :call_id, :starts_at, :ends_at, :price_minor,
            :currency, :notes, :version, :created_at, :squeezed_in, :series_id, :occurrence, :planned_at)
    ), begun AS (
        INSERT INTO state_change (business_id, visit_id, position, state, entered_at, entered_by)
        VALUES (:business_id, :visit_id, 1, :begun_as, :now, :actor)
    ), taken AS (",
    add_rows!(),
    ") ",
    add_items!("appointment_item")
);
const SAVE_STATE: &str = "UPDATE appointment
    SET state = :state, version = :version, cancelled_at = :cancelled_at, cancelled_by = :cancelled_by,
        cancel_reason = :cancel_reason, late_cancellation = :late
    WHERE business_id = :business_id AND id = :id";

impl Tx {
    /// Books a visit's time.
    ///
    /// # Errors
    /// SLOT_TAKEN.
    pub async fn add_appointment(
        &self,
        appointment: &Appointment,
        occupied: &[Occupied],
    ) -> Result<(), Error> {
        let occasion = &appointment.occasion;
        let occurrence = occasion.occurrence;
        let values = named! {
            business_id: self.business.0,
            visit_id: appointment.id.0,
            state: stage_name(appointment.state.stage()),
            customer_id: occasion.customer.map(|customer| customer.0),
            call_id: occasion.call.map(|call| call.0),
            starts_at: to_db(appointment.starts_at),
            ends_at: to_db(appointment.ends_at),
            price_minor: appointment.price.minor,
            currency: appointment.price.currency.as_str(),
            notes: occasion.notes.as_str(),
            version: appointment.version,
            created_at: to_db(appointment.created_at),
            squeezed_in: appointment.squeezed_in,
            series_id: occurrence.map(|occurrence| occurrence.series.0),
            occurrence: occurrence.map(|occurrence| i16::from(occurrence.number)),
            planned_at: occurrence.map(|occurrence| to_db(occurrence.planned_at)),
            begun_as: stage_name(Stage::Booked),
            now: self.at(),
            actor: self.actor(),
        };
        let rows = self.row_columns(Purpose::of(appointment), occupied, no_sources(occupied));
        self.try_execute(ADD, values.and(item_columns(&appointment.items)).and(rows))
            .await
            .map_err(refused)?;
        match appointment.state.stage() {
            Stage::Booked => Ok(()),
            further => self.add_state_change(appointment.id, further, false).await,
        }
    }

    /// Saves where an appointment stands.
    pub(crate) async fn save_state(&self, appointment: &Appointment) -> Result<(), Error> {
        let cancellation = match &appointment.state {
            State::Cancelled(cancellation) => Some(cancellation),
            _ => None,
        };
        let values = named! {
            business_id: self.business.0,
            id: appointment.id.0,
            state: stage_name(appointment.state.stage()),
            version: appointment.version,
            cancelled_at: cancellation.map(|cancelled| to_db(cancelled.at)),
            cancelled_by: cancellation.map(|cancelled| cancelled.by.clone()),
            cancel_reason: cancellation.map(|cancelled| cancelled.reason.clone()),
            late: appointment.state.was_cancelled_late(),
        };
        self.execute(SAVE_STATE, values).await.map(drop)
    }
}
