//! Exports of appointments.

use caller::BusinessScope;
use engine::visit::PlacedItem;
use jiff::{Timestamp, tz::TimeZone};
use proto::{
    csv::{APPOINTMENT_HEADS, line},
    frontdesk::scheduling::v1::{
        self as pb, AppointmentExportServiceHandler, BeginAppointmentExportRequest,
        BeginAppointmentExportResponse, ReadAppointmentExportRequest, ReadAppointmentExportResponse,
        appointment_export_service_methods::BEGIN_APPOINTMENT_EXPORT,
    },
    page::{MAX_PAGE, page},
    parse::id,
    time::to_proto,
};
use tonic::{Status, async_trait};

use super::{appointment::key, fields};
use crate::{
    app::{begin_appointment_export, read_appointment_export},
    contract::{FromEngine, text},
    store::{ItemNames, Store, StoredAppointment},
};

/// Serves `AppointmentExportService`.
#[derive(Debug)]
pub(crate) struct AppointmentExports {
    store: Store,
}

impl AppointmentExports {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl AppointmentExportServiceHandler for AppointmentExports {
    async fn begin_appointment_export(
        &self,
        scope: BusinessScope,
        request: BeginAppointmentExportRequest,
    ) -> Result<BeginAppointmentExportResponse, Status> {
        let dates = fields::dates(&request.first_date, &request.last_date)?;
        self.store
            .idempotent(&scope, &BEGIN_APPOINTMENT_EXPORT, &request, async |tx| {
                let export = begin_appointment_export(&self.store, tx, dates).await?;
                let expires_at = Some(to_proto(export.expires_at));
                Ok(BeginAppointmentExportResponse { export_id: export.id.to_string(), expires_at })
            })
            .await
    }

    async fn read_appointment_export(
        &self,
        scope: BusinessScope,
        request: ReadAppointmentExportRequest,
    ) -> Result<ReadAppointmentExportResponse, Status> {
        let id = id("export_id", &request.export_id)?;
        let page = page(MAX_PAGE.try_into().unwrap_or(0), &request.page_token)?;
        let (rows, zone) =
            read_appointment_export(self.store.begin(&scope), id, fields::after(&page), page.limit()).await?;
        let (lines, next_page_token) = page.answer(&rows, |row| key(row), |stored| lines(stored, &zone));
        let heads = if request.page_token.is_empty() { line(&APPOINTMENT_HEADS) } else { String::new() };
        Ok(ReadAppointmentExportResponse { csv: heads + &lines.concat(), next_page_token })
    }
}

/// A line for each service, its times by the business's clock and in UTC.
fn lines(stored: &StoredAppointment, zone: &TimeZone) -> String {
    let StoredAppointment { appointment, customer, names } = stored;
    let local = |at: Timestamp| zone.to_datetime(at).strftime("%Y-%m-%d %H:%M").to_string();
    let utc = |at: Timestamp| at.strftime("%Y-%m-%dT%H:%MZ").to_string();
    let id = appointment.id.to_string();
    let state = pb::AppointmentState::from_engine(appointment.state.stage());
    let state = state.as_str_name().trim_start_matches("APPOINTMENT_STATE_");
    let customer_id = text(appointment.occasion.customer);
    let of = |(item, names): (&PlacedItem, &ItemNames)| {
        line(&[
            &id,
            state,
            &local(item.starts_at),
            &local(item.ends_at),
            &utc(item.starts_at),
            &utc(item.ends_at),
            &names.employee,
            &item.employee.to_string(),
            &names.service,
            &item.service.to_string(),
            &customer.name,
            &customer_id,
            &(item.guest + 1).to_string(),
        ])
    };
    appointment.items.iter().zip(names).map(of).collect()
}
