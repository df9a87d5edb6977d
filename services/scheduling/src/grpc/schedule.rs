//! When the salon and its people work.

use cache::LIFE;
use caller::BusinessScope;
use jiff::tz::TimeZone;
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{
        GetOpeningHoursRequest, GetOpeningHoursResponse, ScheduleServiceHandler, SetOpeningHoursRequest,
        SetOpeningHoursResponse, SetWeeklyScheduleRequest, SetWeeklyScheduleResponse,
        schedule_service_methods::{SET_OPENING_HOURS, SET_WEEKLY_SCHEDULE},
    },
    parse::{id, text},
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    contract::spans,
    domain::id::EmployeeId,
    store::{OPENING_HOURS, Store},
};

const MAX_ZONE: usize = 64;

/// Serves `ScheduleService`.
#[derive(Debug)]
pub(crate) struct Schedules {
    store: Store,
}

impl Schedules {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }

    /// The same for whoever may ask.
    async fn opening_hours(&self, scope: &BusinessScope) -> Result<GetOpeningHoursResponse, Status> {
        let tx = self.store.begin(scope).await?;
        let zone = tx.zone().await?;
        let pattern = tx.opening_pattern().await?;
        tx.commit().await?;
        Ok(GetOpeningHoursResponse { time_zone: zone_name(&zone), spans: spans(&pattern) })
    }
}

#[async_trait]
impl ScheduleServiceHandler for Schedules {
    async fn get_opening_hours(
        &self,
        scope: BusinessScope,
        _: GetOpeningHoursRequest,
    ) -> Result<GetOpeningHoursResponse, Status> {
        self.store.answers().read(OPENING_HOURS, &scope, "", LIFE, || self.opening_hours(&scope)).await
    }

    async fn set_opening_hours(
        &self,
        scope: BusinessScope,
        request: SetOpeningHoursRequest,
    ) -> Result<SetOpeningHoursResponse, Status> {
        let zone = zone(&request.time_zone)?;
        let pattern = fields::pattern(&request.spans)?;
        let tx = self.store.begin(&scope).await?;
        let version = tx.set_zone(&zone).await?;
        tx.replace_opening(version, &pattern).await?;
        tx.announce_schedule(version).await?;
        tx.audit(&SET_OPENING_HOURS, tx.business()).await?;
        tx.commit().await?;
        Ok(SetOpeningHoursResponse {})
    }

    async fn set_weekly_schedule(
        &self,
        scope: BusinessScope,
        request: SetWeeklyScheduleRequest,
    ) -> Result<SetWeeklyScheduleResponse, Status> {
        let employee: EmployeeId = id("employee_id", &request.employee_id)?;
        let pattern = fields::pattern(&request.spans)?;
        let tx = self.store.begin(&scope).await?;
        let version = tx.next_schedule().await?;
        tx.replace_week(version, employee, &pattern).await?;
        tx.announce_schedule(version).await?;
        tx.audit(&SET_WEEKLY_SCHEDULE, employee).await?;
        tx.commit().await?;
        Ok(SetWeeklyScheduleResponse {})
    }
}

fn zone(name: &str) -> Result<TimeZone, Status> {
    let name = text("time_zone", name, MAX_ZONE)?;
    let zone = TimeZone::get(&name).ok().filter(|zone| zone.iana_name().is_some());
    zone.ok_or_else(|| invalid("time_zone", "is not an IANA time zone"))
}

/// What the contract calls a zone.
pub(super) fn zone_name(zone: &TimeZone) -> String {
    zone.iana_name().unwrap_or("UTC").to_owned()
}
