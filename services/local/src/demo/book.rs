//! Fills the coming days with appointments, the same ones each time.

use boot::{Host, peer::Peer};
use caller::IDEMPOTENCY_HEADER;
use futures::{StreamExt, TryStreamExt, future, stream};
use jiff::{ToSpan, civil::Date, tz::TimeZone};
use proto::{
    error::{Reason, reason_of},
    frontdesk::scheduling::v1::{
        BookAppointmentRequest, VisitItem, appointment_service_client::AppointmentServiceClient,
    },
    time::to_proto,
};

use super::{
    TIMEOUT, business, id,
    salon::{CUSTOMERS, EMPLOYEES, SERVICES, WILLOW},
};

const AT_ONCE: usize = 4;

/// A visit that a customer might book. All but the minutes of the day are places in the demo's lists.
pub struct BookingRequest {
    /// What.
    pub service: usize,
    /// With whom.
    pub employee: usize,
    /// For whom.
    pub customer: usize,
    /// When it starts.
    pub minute: i32,
    /// When it ends.
    pub end: i32,
}

/// Books `days` days from today; returns how many visits are in the book.
pub async fn days(scheduling: &Peer, host: &Host, days: i64) -> anyhow::Result<usize> {
    let zone = TimeZone::get("Europe/London")?;
    let today = host.clock.now().to_zoned(zone.clone()).date();
    let dates = (0..days).map(|offset| today.checked_add(offset.days())).collect::<Result<Vec<_>, _>>()?;
    let requests =
        dates.into_iter().flat_map(|date| requests(date).into_iter().map(move |request| (date, request)));
    all(scheduling, &zone, requests).await
}

/// Books what customers want on some days; returns how many visits are in the book.
pub async fn all(
    scheduling: &Peer,
    zone: &TimeZone,
    requests: impl IntoIterator<Item = (Date, BookingRequest)>,
) -> anyhow::Result<usize> {
    let booked = stream::iter(requests)
        .map(|(date, request)| book(scheduling, zone, date, request))
        .buffered(AT_ONCE)
        .try_filter(|booked| future::ready(*booked))
        .try_collect::<Vec<_>>()
        .await?;
    Ok(booked.len())
}

/// The day's requests: about three quarters of each employee's day, from its date alone.
fn requests(date: Date) -> Vec<BookingRequest> {
    let day = i32::from(date.day_of_year()) as usize;
    let weekday = i32::from(date.weekday().to_monday_one_offset());
    let mut requests: Vec<BookingRequest> = Vec::new();
    for (employee, who) in EMPLOYEES.iter().enumerate().filter(|(_, who)| who.weekdays.contains(&weekday)) {
        let can: Vec<usize> =
            (0..SERVICES.len()).filter(|service| SERVICES[*service].employees.contains(&employee)).collect();
        let mut minute = who.hours.0 * 60;
        for turn in 0.. {
            let service = can[(day * 3 + employee * 5 + turn) % can.len()];
            let length: i32 = SERVICES[service].segments.iter().map(|(_, minutes)| minutes).sum();
            if minute + length > who.hours.1 * 60 {
                break;
            }
            // Every fourth place stays free, so that there is something to offer.
            if (day + employee + turn) % 4 != 3 {
                let favourite = day * 7 + employee * 11 + turn * 3;
                let end = minute + length;
                let elsewhere = |customer: usize| {
                    requests
                        .iter()
                        .any(|other| other.customer == customer && other.minute < end && minute < other.end)
                };
                // A customer is never booked twice at the same time.
                let customer = (favourite..favourite + CUSTOMERS.len())
                    .map(|customer| customer % CUSTOMERS.len())
                    .find(|customer| !elsewhere(*customer));
                requests.extend(customer.map(|customer| BookingRequest {
                    service,
                    employee,
                    customer,
                    minute,
                    end,
                }));
            }
            minute += (length + SERVICES[service].buffer_after + 14) / 15 * 15;
        }
    }
    requests
}

/// Books one request; a time that is over or taken is no error.
async fn book(
    scheduling: &Peer,
    zone: &TimeZone,
    date: Date,
    request: BookingRequest,
) -> anyhow::Result<bool> {
    let local = date.at((request.minute / 60) as i8, (request.minute % 60) as i8, 0, 0);
    let starts_at = local.to_zoned(zone.clone())?.timestamp();
    let message = BookAppointmentRequest {
        business_id: WILLOW.to_owned(),
        items: vec![VisitItem {
            service_id: id("service", request.service),
            employee_id: id("employee", request.employee),
            ..VisitItem::default()
        }],
        starts_at: Some(to_proto(starts_at)),
        customer_id: id("customer", request.customer),
        ..BookAppointmentRequest::default()
    };
    let mut call = scheduling.as_service(Some(business(WILLOW)), message, TIMEOUT);
    let key = format!("demo-{date}-{}-{}", request.employee, request.minute);
    call.metadata_mut().insert(IDEMPOTENCY_HEADER, key.parse()?);
    let mut client = AppointmentServiceClient::new(scheduling.channel());
    match client.book_appointment(call).await {
        Ok(_) => Ok(true),
        Err(status) => match reason_of(&status) {
            Some(Reason::SlotTaken | Reason::TooSoon | Reason::NotWorking | Reason::TooFar) => Ok(false),
            _ => Err(status.into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_working_day_is_busy_but_not_full() {
        let tuesday = Date::constant(2026, 11, 24);
        let requests = requests(tuesday);
        assert!(requests.len() >= 12, "{}", requests.len());
        assert!(super::requests(Date::constant(2026, 11, 22)).is_empty(), "closed on Sundays");
    }

    #[test]
    fn no_customer_sits_in_two_chairs_at_once() {
        for requests in (1..=28).map(|day| requests(Date::constant(2026, 11, day))) {
            for (n, request) in requests.iter().enumerate() {
                let others = requests[..n].iter().filter(|other| other.customer == request.customer);
                for other in others {
                    assert!(other.end <= request.minute || request.end <= other.minute);
                }
            }
        }
    }
}
