//! The second salon, which its owner has begun to set up: it has hours, a person and two services. What is left to do is
//! on its home.

use proto::frontdesk::{scheduling::v1 as scheduling, tenancy::v1 as tenancy};

use super::{Peers, TIMEOUT, business, id, salon::HARBOUR, span};

/// Name, minutes, pence.
const SERVICES: [(&str, i32, i32); 2] = [("Skin fade", 40, 3000), ("Hot towel shave", 30, 2400)];

/// Sets it up as far as it is; what is there stays.
pub async fn begin(peers: &Peers) -> anyhow::Result<()> {
    let harbour = Some(business(HARBOUR));
    let mut schedules =
        scheduling::schedule_service_client::ScheduleServiceClient::new(peers.scheduling.channel());
    let message = scheduling::SetOpeningHoursRequest {
        business_id: HARBOUR.to_owned(),
        time_zone: "Europe/London".to_owned(),
        spans: (2..=6).map(|day| span(day, (10, 18))).collect(),
        ..Default::default()
    };
    schedules.set_opening_hours(peers.scheduling.as_service(harbour, message, TIMEOUT)).await?;
    let mut employees = tenancy::employee_service_client::EmployeeServiceClient::new(peers.tenancy.channel());
    let message = tenancy::CreateEmployeeRequest {
        business_id: HARBOUR.to_owned(),
        employee_id: id("harbour-employee", 0),
        name: "Joe Penrose".to_owned(),
        user_id: String::new(),
    };
    employees.create_employee(peers.tenancy.as_service(harbour, message, TIMEOUT)).await?;
    let mut catalogue =
        scheduling::catalogue_service_client::CatalogueServiceClient::new(peers.scheduling.channel());
    for (n, (name, minutes, price)) in SERVICES.into_iter().enumerate() {
        let segment = scheduling::Segment { kind: scheduling::SegmentKind::Active.into(), minutes };
        let service = scheduling::Service {
            id: id("harbour-service", n),
            name: name.to_owned(),
            category: "Barbering".to_owned(),
            segments: vec![segment],
            price_minor: price,
            currency: "GBP".to_owned(),
            ..Default::default()
        };
        let message =
            scheduling::CreateServiceRequest { business_id: HARBOUR.to_owned(), service: Some(service) };
        catalogue.create_service(peers.scheduling.as_service(harbour, message, TIMEOUT)).await?;
    }
    Ok(())
}
