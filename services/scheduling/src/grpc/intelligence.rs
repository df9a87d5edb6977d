//! How services do.

use std::collections::BTreeMap;

use caller::BusinessScope;
use engine::{
    dates::DateRange,
    id::{EmployeeId, ServiceId},
    part_of_day::PartOfDay,
};
use jiff::SignedDuration;
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, GetServiceIntelligenceRequest, GetServiceIntelligenceResponse,
        ServiceIntelligenceServiceHandler,
    },
    page::page,
};
use tonic::{Status, async_trait};

use super::{fields, schedule::zone_name};
use crate::{
    app::ReadIntelligence,
    domain::intelligence::Report,
    store::{Store, Unmet},
};

/// From the first date to the last: 366 dates.
const LONGEST: SignedDuration = SignedDuration::from_hours(24 * 365);

/// Serves `ServiceIntelligenceService`.
#[derive(Debug)]
pub(crate) struct Intelligence {
    store: Store,
}

impl Intelligence {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl ServiceIntelligenceServiceHandler for Intelligence {
    async fn get_service_intelligence(
        &self,
        scope: BusinessScope,
        request: GetServiceIntelligenceRequest,
    ) -> Result<GetServiceIntelligenceResponse, Status> {
        let dates = dates(&request)?;
        let page = page(request.page_size, &request.page_token)?;
        let tx = self.store.begin(&scope);
        let read = ReadIntelligence { dates, after: page.after.map(ServiceId) };
        let intelligence = read.run(&tx, page.limit()).await?;
        tx.release();
        let (services, next_page_token) = page.answer(
            &intelligence.services,
            |(report, _)| report.service.0,
            |(report, name)| told(report, name, &intelligence.people),
        );
        Ok(GetServiceIntelligenceResponse {
            services,
            unmet_demand: intelligence.unmet.iter().map(pb::UnmetDemand::from).collect(),
            next_page_token,
            time_zone: zone_name(&intelligence.zone),
        })
    }
}

fn dates(request: &GetServiceIntelligenceRequest) -> Result<DateRange, Status> {
    let dates = fields::dates(&request.first_date, &request.last_date)?;
    if dates.last().duration_since(dates.first()) > LONGEST {
        return Err(invalid("last_date", "must lie at most 365 days after first_date"));
    }
    Ok(dates)
}

fn told(report: &Report, service_name: &str, people: &BTreeMap<EmployeeId, String>) -> pb::ServiceReport {
    let amount =
        |(currency, minor): (&String, &i64)| pb::Amount { minor: *minor, currency: currency.clone() };
    let share = |(employee, visits, share): (EmployeeId, i64, f64)| pb::EmployeeShare {
        employee_id: employee.to_string(),
        employee_name: people.get(&employee).cloned().unwrap_or_default(),
        visits,
        share,
    };
    pb::ServiceReport {
        service_id: report.service.to_string(),
        service_name: service_name.to_owned(),
        booked: report.total.booked,
        completed: report.total.completed,
        cancelled: report.total.cancelled,
        no_shows: report.total.no_shows,
        value: report.value.iter().map(amount).collect(),
        planned_minutes: report.total.planned_minutes,
        rebooking_days: report.rebooking.map(|rebooking| rebooking.days),
        rebookings: report.rebooking.map_or(0, |rebooking| rebooking.pairs),
        employees: report.shares().map(share).collect(),
        measured: report.measured.map(|measured| pb::MeasuredLength {
            visits: measured.visits,
            planned_minutes: measured.planned_minutes,
            actual_minutes: measured.actual_minutes,
        }),
    }
}

fn part_of_day(part: Option<PartOfDay>) -> pb::PartOfDay {
    match part {
        None => pb::PartOfDay::Unspecified,
        Some(PartOfDay::Morning) => pb::PartOfDay::Morning,
        Some(PartOfDay::Afternoon) => pb::PartOfDay::Afternoon,
        Some(PartOfDay::Evening) => pb::PartOfDay::Evening,
    }
}

impl From<&Unmet> for pb::UnmetDemand {
    fn from(unmet: &Unmet) -> Self {
        Self {
            service_ids: unmet.services.iter().map(ToString::to_string).collect(),
            part_of_day: part_of_day(unmet.part).into(),
            searches: unmet.searches,
        }
    }
}
