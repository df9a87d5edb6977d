//! A salon of ten employees with eight bookings a day each, to be searched.

use core::time::Duration;

use anyhow::Context;
use boot::peer::Peer;
use caller::{BusinessId, IDEMPOTENCY_HEADER};
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
const DAYS: i64 = 8;
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
    let salon = Salon { business: id("bench-salon", 0), service: id("bench-service", 0), booked };
    let peer = |n: usize| Peer::lazy(MEMBERS[n].name, &url(base_port, MEMBERS[n]), &host);
    people(&peer(1)?, &salon).await.context("the salon's people")?;
    let scheduling = peer(2)?;
    catalogue(&scheduling, &salon).await.context("the salon's catalogue")?;
    for day in 1..=DAYS {
        for hour in BOOKED_HOURS {
            for employee in 0..EMPLOYEES {
                book(&scheduling, &salon, employee, at(day, hour)?).await?;
            }
        }
    }
    Ok(salon)
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
    let spans: Vec<_> = (1..=7)
        .map(|weekday| scheduling::WeeklySpan { weekday, from_minute: 9 * 60, to_minute: 18 * 60 })
        .collect();
    let mut client = scheduling::schedule_service_client::ScheduleServiceClient::new(channel.clone());
    let message = scheduling::SetOpeningHoursRequest {
        business_id: salon.business.clone(),
        time_zone: ZONE.to_owned(),
        spans: spans.clone(),
    };
    client.set_opening_hours(scheduling.as_service(business(salon)?, message, TIMEOUT)).await?;
    for n in 0..EMPLOYEES {
        let message = scheduling::SetWeeklyScheduleRequest {
            business_id: salon.business.clone(),
            employee_id: id("bench-employee", n),
            spans: spans.clone(),
            effective_from: String::new(),
        };
        client.set_weekly_schedule(scheduling.as_service(business(salon)?, message, TIMEOUT)).await?;
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
