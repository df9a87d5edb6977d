//! Copies appointments for a person to take away.

use engine::{dates::DateRange, id::VisitId};
use jiff::{Timestamp, tz::TimeZone};

use crate::{
    Error,
    domain::{appointment_export::AppointmentExport, id::AppointmentExportId},
    store::{Store, StoredAppointment, Tx},
};

/// Begins an export, which the list of changes shows.
pub(crate) async fn begin_appointment_export(
    store: &Store,
    tx: &Tx,
    dates: DateRange,
) -> Result<AppointmentExport, Error> {
    let export = AppointmentExport::begin(store.new_id(), dates, tx.actor(), tx.now());
    tx.add_appointment_export(&export).await?;
    Ok(export)
}

/// At most `rows` of the appointments of an export, by start, after the one that starts and is called `after`; and the
/// business's zone.
///
/// # Errors
/// [`Error::NotFound`] for an export of another person, or one that expired.
pub(crate) async fn read_appointment_export(
    tx: Tx,
    id: AppointmentExportId,
    after: (Timestamp, VisitId),
    rows: u32,
) -> Result<(Vec<StoredAppointment>, TimeZone), Error> {
    let export = tx.appointment_export(id).await?;
    let zone = tx.zone().await?;
    let appointments = match export.dates.span(&zone) {
        Some(starts) => tx.appointments(starts, after, rows).await?,
        None => vec![],
    };
    tx.release();
    Ok((appointments, zone))
}
