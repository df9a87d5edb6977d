//! A salon of ten employees with eight bookings a day each, to be searched.

use core::time::Duration;

use anyhow::Context;
use boot::peer::Peer;
use caller::{BusinessId, IDEMPOTENCY_HEADER};
use futures::{StreamExt, TryStreamExt, stream};
use jiff::{Timestamp, ToSpan, tz::TimeZone};
use proto::{
    error::reason_of,
    frontdesk::{scheduling::v1 as scheduling, tenancy::v1 as tenancy},
    time::to_proto,
};

use crate::{
    all::host,
    demo::id,
    stack::{
        Secrets,
        plan::{MEMBERS, url},
    },
};

const EMPLOYEES: usize = 10;
/// Days from tomorrow on that a search looks at.
const DAYS: i64 = 31;
/// As many days back as are eleven times the days ahead: twelve times the history with them.
const PAST_DAYS: i64 = 11 * DAYS;
/// Bookings under way at once while the salon is filled.
const AT_ONCE: usize = 16;
/// Local hours at which each employee has a booking of 45 minutes.
const BOOKED_HOURS: [i8; 8] = [9, 10, 11, 12, 13, 14, 16, 17];
const TIMEOUT: Duration = Duration::from_secs(20);
const ZONE: &str = "Europe/London";

/// What searches and explanations need.
pub struct Salon {
    /// Its id.
    pub business: String,
    /// The service that everybody does.
    pub service: String,
    /// A start at which every employee is booked.
    pub booked: Timestamp,
    /// The first instant of the days that are booked.
    pub from: Timestamp,
    /// The first instant after them.
    pub to: Timestamp,
    zone: TimeZone,
    scheduling: Peer,
}

/// Makes the salon, or finds it as it was made.
pub async fn open(base_port: u16, secrets: &Secrets) -> anyhow::Result<Salon> {
    let host = host(secrets, &tokio_util::sync::CancellationToken::new())?;
    let zone = TimeZone::get(ZONE)?;
    let today = host.clock.now().to_zoned(zone.clone()).date();
    let at = |day: i64, hour| -> anyhow::Result<Timestamp> {
        Ok(today.checked_add(day.days())?.at(hour, 0, 0, 0).to_zoned(zone.clone())?.timestamp())
    };
    let booked = at(1, BOOKED_HOURS[0])?;
    let peer = |n: usize| Peer::lazy(MEMBERS[n].name, &url(base_port, MEMBERS[n]), &host);
    let salon = Salon {
        business: id("bench-salon", 0),
        service: id("bench-service", 0),
        booked,
        from: at(1, 0)?,
        to: at(1 + DAYS, 0)?,
        zone: zone.clone(),
        scheduling: peer(2)?,
    };
    people(&peer(1)?, &salon).await.context("the salon's people")?;
    catalogue(&salon.scheduling, &salon).await.context("the salon's catalogue")?;
    salon.fill(1..=DAYS).await?;
    Ok(salon)
}

impl Salon {
    /// The zone of its days.
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// Books eleven times as much, all of it over.
    ///
    /// # Errors
    /// When a booking is refused.
    pub async fn remember(&self) -> anyhow::Result<()> {
        self.fill(-PAST_DAYS..=-1).await
    }

    /// Changes the schedule: nothing that was kept of its days counts any more.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn forget_days(&self) -> anyhow::Result<()> {
        week(&self.scheduling, self, 0).await
    }

    async fn fill(&self, days: impl Iterator<Item = i64>) -> anyhow::Result<()> {
        let today = self.booked.to_zoned(self.zone.clone()).date().yesterday()?;
        let mut wanted = vec![];
        for day in days {
            let date = today.checked_add(day.days())?;
            for hour in BOOKED_HOURS {
                let at = date.at(hour, 0, 0, 0).to_zoned(self.zone.clone())?.timestamp();
                wanted.extend((0..EMPLOYEES).map(|employee| (employee, at)));
            }
        }
        stream::iter(wanted)
            .map(|(employee, at)| book(&self.scheduling, self, employee, at))
            .buffer_unordered(AT_ONCE)
            .try_collect()
            .await
    }
}

fn business(salon: &Salon) -> anyhow::Result<Option<BusinessId>> {
    Ok(Some(salon.business.parse()?))
}

async fn people(tenancy: &Peer, salon: &Salon) -> anyhow::Result<()> {
    let mut client = tenancy::business_service_client::BusinessServiceClient::new(tenancy.channel());
    let message = tenancy::CreateBusinessRequest {
        business_id: salon.business.clone(),
        name: "Ten Chairs".to_owned(),
        address: String::new(),
        phone: String::new(),
        time_zone: ZONE.to_owned(),
        currency: String::new(),
    };
    client.create_business(tenancy.as_service(None, message, TIMEOUT)).await?;
    let mut client = tenancy::employee_service_client::EmployeeServiceClient::new(tenancy.channel());
    for n in 0..EMPLOYEES {
        let message = tenancy::CreateEmployeeRequest {
            business_id: salon.business.clone(),
            employee_id: id("bench-employee", n),
            name: format!("Employee {n}"),
            user_id: String::new(),
        };
        client.create_employee(tenancy.as_service(business(salon)?, message, TIMEOUT)).await?;
    }
    Ok(())
}

async fn catalogue(scheduling: &Peer, salon: &Salon) -> anyhow::Result<()> {
    let channel = scheduling.channel();
    let mut client = scheduling::schedule_service_client::ScheduleServiceClient::new(channel.clone());
    let message = scheduling::SetOpeningHoursRequest {
        business_id: salon.business.clone(),
        time_zone: ZONE.to_owned(),
        spans: every_day(),
        ..Default::default()
    };
    client.set_opening_hours(scheduling.as_service(business(salon)?, message, TIMEOUT)).await?;
    for n in 0..EMPLOYEES {
        week(scheduling, salon, n).await?;
    }
    let service = scheduling::Service {
        id: salon.service.clone(),
        name: "Cut".to_owned(),
        category: "Hair".to_owned(),
        segments: vec![scheduling::Segment { kind: scheduling::SegmentKind::Active.into(), minutes: 45 }],
        price_minor: 4000,
        currency: "GBP".to_owned(),
        employee_ids: (0..EMPLOYEES).map(|n| id("bench-employee", n)).collect(),
        ..Default::default()
    };
    let message =
        scheduling::CreateServiceRequest { business_id: salon.business.clone(), service: Some(service) };
    let mut client = scheduling::catalogue_service_client::CatalogueServiceClient::new(channel);
    client.create_service(scheduling.as_service(business(salon)?, message, TIMEOUT)).await?;
    Ok(())
}

fn every_day() -> Vec<scheduling::WeeklySpan> {
    let span = |weekday| scheduling::WeeklySpan { weekday, from_minute: 9 * 60, to_minute: 18 * 60 };
    (1..=7).map(span).collect()
}

async fn week(scheduling: &Peer, salon: &Salon, n: usize) -> anyhow::Result<()> {
    let message = scheduling::SetWeeklyScheduleRequest {
        business_id: salon.business.clone(),
        employee_id: id("bench-employee", n),
        spans: every_day(),
        effective_from: String::new(),
        ..Default::default()
    };
    let mut client = scheduling::schedule_service_client::ScheduleServiceClient::new(scheduling.channel());
    client.set_weekly_schedule(scheduling.as_service(business(salon)?, message, TIMEOUT)).await?;
    Ok(())
}

/// Books one time; one that is taken was booked by an earlier run.
async fn book(scheduling: &Peer, salon: &Salon, n: usize, at: Timestamp) -> anyhow::Result<()> {
    let message = scheduling::BookAppointmentRequest {
        business_id: salon.business.clone(),
        items: vec![scheduling::VisitItem {
            service_id: salon.service.clone(),
            employee_id: id("bench-employee", n),
            ..Default::default()
        }],
        starts_at: Some(to_proto(at)),
        ..Default::default()
    };
    let mut request = scheduling.as_service(business(salon)?, message, TIMEOUT);
    request.metadata_mut().insert(IDEMPOTENCY_HEADER, format!("bench-{at}-{n}").parse()?);
    let mut client =
        scheduling::appointment_service_client::AppointmentServiceClient::new(scheduling.channel());
    match client.book_appointment(request).await {
        Ok(_) => Ok(()),
        Err(status) if reason_of(&status) == Some(proto::error::Reason::SlotTaken) => Ok(()),
        Err(status) => Err(status.into()),
    }
}
