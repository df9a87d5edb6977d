//! When the salon and its people work.

use cache::LIFE;
use caller::BusinessScope;
use engine::id::EmployeeId;
use jiff::{civil::Date, tz::TimeZone};
use prost::Message;
use proto::{
    contact::ContactReach,
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, GetOpeningHoursRequest, GetOpeningHoursResponse, ListDayHoursRequest,
        ListDayHoursResponse, ListStaffSchedulesRequest, ListStaffSchedulesResponse,
        ListWeeklySchedulesRequest, ListWeeklySchedulesResponse, RemoveDayHoursRequest,
        RemoveDayHoursResponse, RemoveWeeklyScheduleRequest, RemoveWeeklyScheduleResponse,
        ScheduleServiceHandler, SetDayHoursRequest, SetDayHoursResponse, SetOpeningHoursRequest,
        SetOpeningHoursResponse, SetWeeklyScheduleRequest, SetWeeklyScheduleResponse,
    },
    page::page,
    parse::{id, text},
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use super::{fields, stranding::stranded};
use crate::{
    app::{ChangeWorkingTime, ListDayHours, Named, People},
    contract::{day_spans, spans, text as optional},
    store::{EmployeeHours, OPENING_HOURS, Store, Week},
};

const MAX_ZONE: usize = 64;

/// Serves `ScheduleService`.
#[derive(Debug)]
pub(crate) struct Schedules {
    store: Store,
    people: People,
}

impl Schedules {
    pub(crate) fn new(store: Store, people: People) -> Self {
        Self { store, people }
    }

    /// The same for every caller that may read opening hours.
    async fn opening_hours(&self, scope: &BusinessScope) -> Result<GetOpeningHoursResponse, Status> {
        let tx = self.store.begin(scope);
        let zone = tx.zone().await?;
        let pattern = tx.opening_pattern().await?;
        tx.release();
        Ok(GetOpeningHoursResponse { time_zone: zone_name(&zone), spans: spans(&pattern) })
    }
}

#[async_trait]
impl ScheduleServiceHandler for Schedules {
    async fn contact_reach(&self, scope: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(self.store.contact_reach(scope).await?)
    }

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
        let change = ChangeWorkingTime::OpeningHours(zone, pattern);
        let answer = |stranded, change_id| SetOpeningHoursResponse { stranded, change_id };
        changed(&self.store, &scope, &request, request.validate_only, &change, answer).await
    }

    async fn set_weekly_schedule(
        &self,
        scope: BusinessScope,
        request: SetWeeklyScheduleRequest,
    ) -> Result<SetWeeklyScheduleResponse, Status> {
        let week = Week {
            employee: id("employee_id", &request.employee_id)?,
            effective_from: fields::optional_date("effective_from", &request.effective_from)?,
            pattern: fields::pattern(&request.spans)?,
        };
        self.people.check(&scope, Named::employee("employee_id", week.employee)).await?;
        let change = ChangeWorkingTime::Week(week);
        let answer = |stranded, change_id| SetWeeklyScheduleResponse { stranded, change_id };
        changed(&self.store, &scope, &request, request.validate_only, &change, answer).await
    }

    async fn list_weekly_schedules(
        &self,
        scope: BusinessScope,
        request: ListWeeklySchedulesRequest,
    ) -> Result<ListWeeklySchedulesResponse, Status> {
        let employee: EmployeeId = id("employee_id", &request.employee_id)?;
        self.people.check(&scope, Named::employee("employee_id", employee)).await?;
        let page = page(request.page_size, &request.page_token)?;
        let tx = self.store.begin(&scope);
        let rows = tx.weeks(employee, page.after, page.limit()).await?;
        tx.release();
        let (schedules, next_page_token) =
            page.answer(&rows, |week| week.effective_from, pb::WeeklySchedule::from);
        Ok(ListWeeklySchedulesResponse { schedules, next_page_token })
    }

    async fn remove_weekly_schedule(
        &self,
        scope: BusinessScope,
        request: RemoveWeeklyScheduleRequest,
    ) -> Result<RemoveWeeklyScheduleResponse, Status> {
        let employee: EmployeeId = id("employee_id", &request.employee_id)?;
        self.people.check(&scope, Named::employee("employee_id", employee)).await?;
        let effective_from = fields::optional_date("effective_from", &request.effective_from)?;
        let change = ChangeWorkingTime::RemoveWeek(employee, effective_from);
        let answer = |stranded, change_id| RemoveWeeklyScheduleResponse { stranded, change_id };
        changed(&self.store, &scope, &request, request.validate_only, &change, answer).await
    }

    async fn set_day_hours(
        &self,
        scope: BusinessScope,
        request: SetDayHoursRequest,
    ) -> Result<SetDayHoursResponse, Status> {
        let day = EmployeeHours {
            employee: id("employee_id", &request.employee_id)?,
            date: fields::date("date", &request.date)?,
            hours: fields::day_hours(&request.spans)?,
        };
        self.people.check(&scope, Named::employee("employee_id", day.employee)).await?;
        let change = ChangeWorkingTime::DayHours(day);
        let answer = |stranded, change_id| SetDayHoursResponse { stranded, change_id };
        changed(&self.store, &scope, &request, request.validate_only, &change, answer).await
    }

    async fn remove_day_hours(
        &self,
        scope: BusinessScope,
        request: RemoveDayHoursRequest,
    ) -> Result<RemoveDayHoursResponse, Status> {
        let employee: EmployeeId = id("employee_id", &request.employee_id)?;
        self.people.check(&scope, Named::employee("employee_id", employee)).await?;
        let date = fields::date("date", &request.date)?;
        let change = ChangeWorkingTime::RemoveDayHours(employee, date);
        let answer = |stranded, change_id| RemoveDayHoursResponse { stranded, change_id };
        changed(&self.store, &scope, &request, request.validate_only, &change, answer).await
    }

    async fn list_staff_schedules(
        &self,
        scope: BusinessScope,
        request: ListStaffSchedulesRequest,
    ) -> Result<ListStaffSchedulesResponse, Status> {
        let dates = fields::dates(&request.first_date, &request.last_date)?;
        let page = page(request.page_size, &request.page_token)?;
        let after = EmployeeId(page.after.unwrap_or(Uuid::nil()));
        let tx = self.store.begin(&scope);
        let rows = tx.staff_schedules(dates, after, page.limit()).await?;
        tx.release();
        let (staff, next_page_token) = page.answer(&rows, |staff| staff.employee.0, pb::StaffSchedule::from);
        Ok(ListStaffSchedulesResponse { staff, next_page_token })
    }

    async fn list_day_hours(
        &self,
        scope: BusinessScope,
        request: ListDayHoursRequest,
    ) -> Result<ListDayHoursResponse, Status> {
        let employee: EmployeeId = id("employee_id", &request.employee_id)?;
        self.people.check(&scope, Named::employee("employee_id", employee)).await?;
        let from = fields::optional_date("from_date", &request.from_date)?.unwrap_or(Date::ZERO);
        let page = page(request.page_size, &request.page_token)?;
        let after = page.after.unwrap_or(Date::ZERO);
        let tx = self.store.begin(&scope);
        let rows = ListDayHours { employee, from, after }.run(&tx, page.limit()).await?;
        tx.release();
        let (days, next_page_token) = page.answer(
            &rows,
            |(day, _)| day.date,
            |(day, weekly)| pb::DayHours { weekly: day_spans(weekly), ..pb::DayHours::from(day) },
        );
        Ok(ListDayHoursResponse { days, next_page_token })
    }
}

/// Makes a change, once per idempotency key, or only looks at what it would do.
pub(super) async fn changed<R: Message + Default>(
    store: &Store,
    scope: &BusinessScope,
    request: &impl Message,
    validate_only: bool,
    change: &ChangeWorkingTime,
    answer: impl FnOnce(Vec<pb::StrandedAppointment>, String) -> R + Send,
) -> Result<R, Status> {
    if validate_only {
        let lost = change.preview(store.begin(scope)).await?;
        return Ok(answer(stranded(&lost), String::new()));
    }
    store
        .idempotent(scope, change.method(), request, async |tx| {
            let (lost, change) = change.run(tx).await?;
            Ok(answer(stranded(&lost), optional(change)))
        })
        .await
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
