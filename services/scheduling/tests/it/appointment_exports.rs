//! Appointments as a file.

use caller::{BusinessId, Role, UserId};
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        BeginAppointmentExportRequest, ReadAppointmentExportRequest,
        appointment_export_service_client::AppointmentExportServiceClient,
    },
};
use testkit::{SESSION, as_person};
use tonic::Status;
use uuid::Uuid;

use crate::{
    clock_changes::salon_in,
    salon::{ANA, BEN, CUT, OTHER, Salon, WILLOW, by, field, local, reason},
};

const TUESDAY: &str = "2026-06-02";
const WEDNESDAY: &str = "2026-06-03";
const HEADS: &str = r#""Appointment","State","Start","End","Start in UTC","End in UTC","Employee","Employee id","Service","Service id","Customer","Customer id","Guest""#;

fn beginning(business: BusinessId, first: &str, last: &str) -> BeginAppointmentExportRequest {
    BeginAppointmentExportRequest {
        business_id: business.to_string(),
        first_date: first.to_owned(),
        last_date: last.to_owned(),
    }
}

async fn begin(salon: &Salon, first: &str, last: &str) -> Result<String, Status> {
    let request = salon.manager(beginning(WILLOW, first, last));
    let mut client = AppointmentExportServiceClient::new(salon.channel());
    Ok(client.begin_appointment_export(request).await?.into_inner().export_id)
}

fn reading(export: &str, page_token: String) -> ReadAppointmentExportRequest {
    ReadAppointmentExportRequest { business_id: WILLOW.to_string(), export_id: export.to_owned(), page_token }
}

async fn read(salon: &Salon, export: &str) -> Result<String, Status> {
    let mut client = AppointmentExportServiceClient::new(salon.channel());
    let (mut text, mut token) = (String::new(), String::new());
    loop {
        let part = client.read_appointment_export(salon.manager(reading(export, token))).await?.into_inner();
        text.push_str(&part.csv);
        token = part.next_page_token;
        if token.is_empty() {
            return Ok(text);
        }
    }
}

#[tokio::test]
async fn each_service_of_the_days_is_a_line_by_the_salons_clock() {
    let salon = Salon::open().await;
    let both = salon.book(vec![by(CUT, ANA), by(CUT, BEN)], local(TUESDAY, "09:00")).await.unwrap();
    let cancelled = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "12:00")).await.unwrap();
    salon.cancel(&cancelled.id).await.unwrap();
    salon.book(vec![by(CUT, ANA)], local(WEDNESDAY, "09:00")).await.unwrap();
    let export = begin(&salon, TUESDAY, TUESDAY).await.unwrap();
    let text = read(&salon, &export).await.unwrap();
    let lines: Vec<&str> = text.split_terminator("\r\n").collect();
    assert_eq!((lines.len(), lines[0]), (4, HEADS), "{text}");
    let begins = |line: &str, id: &str, state: &str, start: &str| {
        let expected = format!(r#""{id}","{state}","{TUESDAY} {start}","#);
        assert!(line.starts_with(&expected), "{line} does not begin with {expected}");
    };
    begins(lines[1], &both.id, "BOOKED", "09:00");
    begins(lines[2], &both.id, "BOOKED", "09:30");
    begins(lines[3], &cancelled.id, "CANCELLED", "12:00");
    // London is an hour ahead in summer.
    assert!(
        lines[1].contains(r#","2026-06-02T08:00Z","2026-06-02T08:30Z","#)
            && lines[1].contains(&ANA.to_string()),
        "{text}"
    );
    assert!(lines[2].contains(&BEN.to_string()) && lines[2].contains(&CUT.to_string()), "{text}");

    let week = begin(&salon, TUESDAY, "2026-06-08").await.unwrap();
    assert_eq!(read(&salon, &week).await.unwrap().lines().count(), 5);
    let none = begin(&salon, "2026-07-01", "2026-07-02").await.unwrap();
    assert_eq!(read(&salon, &none).await.unwrap(), format!("{HEADS}\r\n"));
}

#[tokio::test]
async fn an_appointment_over_the_repeated_hour_has_its_start_and_end_in_utc() {
    let salon = salon_in("Europe/London", "2026-10-25", 0, 4).await;
    let start = "2026-10-25T00:45:00Z".parse().unwrap();
    salon.book(vec![by(CUT, ANA)], start).await.unwrap();
    let export = begin(&salon, "2026-10-25", "2026-10-25").await.unwrap();
    let text = read(&salon, &export).await.unwrap();
    // The clock shows 01:00 again while the appointment lasts.
    let times = r#","2026-10-25 01:45","2026-10-25 01:15","2026-10-25T00:45Z","2026-10-25T01:15Z","#;
    assert!(text.contains(times), "{text}");
}

#[tokio::test]
async fn names_that_look_like_formulas_are_text_and_pages_follow_on_each_other() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:00")).await.unwrap();
    let mut superuser = salon.superuser().await;
    let many = format!(
        "INSERT INTO customer VALUES ('{WILLOW}', '{ANA}', '=cmd(\"x\")', '');
         UPDATE appointment SET customer_id = '{ANA}';
         INSERT INTO appointment SELECT (jsonb_populate_record(a, jsonb_build_object('id', md5(n::text)))).*
             FROM appointment a, generate_series(1, 250) n;
         INSERT INTO appointment_item SELECT (jsonb_populate_record(i, jsonb_build_object('visit_id', md5(n::text)))).*
             FROM appointment_item i, generate_series(1, 250) n WHERE i.visit_id = '{}';",
        booked.id
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(many)).execute(&mut superuser).await.unwrap();
    let export = begin(&salon, TUESDAY, TUESDAY).await.unwrap();
    let text = read(&salon, &export).await.unwrap();
    let mut ids: Vec<&str> = text.lines().skip(1).filter_map(|line| line.get(1..37)).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((ids.len(), text.matches(HEADS).count()), (251, 1));
    assert_eq!(text.matches(r#","'=cmd(""x"")","#).count(), 251, "{text:.500}");
}

#[tokio::test]
async fn an_export_is_noted_and_read_by_who_began_it_for_an_hour() {
    let salon = Salon::open().await;
    let export = begin(&salon, TUESDAY, WEDNESDAY).await.unwrap();
    let noted =
        format!("SELECT count(*) FROM change_entry WHERE record_id = '{export}' AND actor LIKE 'user:%'");
    assert_eq!(salon.count(&noted).await, 1);
    let mut client = AppointmentExportServiceClient::new(salon.channel());
    let other = UserId(Uuid::from_u128(0xbeef));
    let stranger = as_person(
        &salon.host,
        other,
        SESSION,
        Some(WILLOW),
        Some(Role::Owner),
        reading(&export, String::new()),
    );
    let refused = client.read_appointment_export(stranger).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
    let employee = salon.employee(reading(&export, String::new()));
    assert_eq!(reason(&client.read_appointment_export(employee).await.unwrap_err()), Reason::RoleTooLow);
    salon.time.advance(SignedDuration::from_mins(59));
    read(&salon, &export).await.unwrap();
    salon.time.advance(SignedDuration::from_mins(1));
    assert_eq!(reason(&read(&salon, &export).await.unwrap_err()), Reason::NotFound);
}

#[tokio::test]
async fn an_export_is_a_managers_and_of_at_most_a_year_of_the_own_salon() {
    let salon = Salon::open().await;
    for (first, last, wrong) in [
        ("", TUESDAY, "first_date"),
        (TUESDAY, "Tuesday", "last_date"),
        (WEDNESDAY, TUESDAY, "last_date"),
        (TUESDAY, "2027-06-04", "last_date"),
    ] {
        assert_eq!(field(&begin(&salon, first, last).await.unwrap_err()), wrong);
    }
    let mut client = AppointmentExportServiceClient::new(salon.channel());
    let employee = salon.employee(beginning(WILLOW, TUESDAY, TUESDAY));
    assert_eq!(reason(&client.begin_appointment_export(employee).await.unwrap_err()), Reason::RoleTooLow);
    let elsewhere = salon.manager(beginning(OTHER, TUESDAY, TUESDAY));
    assert_eq!(reason(&client.begin_appointment_export(elsewhere).await.unwrap_err()), Reason::NotFound);
}
