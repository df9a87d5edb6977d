//! The service behind the real PgBouncer in transaction mode.

use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        scheduling::v1::{
            appointment_service_client::AppointmentServiceClient,
            availability_service_client::AvailabilityServiceClient,
        },
    },
};

use crate::{
    availability::between,
    events::events,
    salon::{ANA, CUT, Salon, booking, by, local, reason, starts},
};

const CONNECTIONS: u16 = 2;
/// Three for each half hour from nine to one.
const CLIENTS: i64 = 24;
/// Of each client before it books.
const SEARCHES: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replicas_search_book_and_publish_on_fewer_connections_than_they_have_clients() {
    let salon = Salon::pooled(CONNECTIONS).await;
    let replicas = [salon.channel(), salon.replica().await];
    let nine = local("2026-06-02", "09:00");
    let offered = async |replica: usize| {
        let mut wanted = between(nine, nine + SignedDuration::from_hours(9));
        wanted.items = vec![by(CUT, ANA)];
        let mut client = AvailabilityServiceClient::new(replicas[replica].clone());
        starts(&client.search_availability(salon.agent(wanted)).await.unwrap().into_inner().offers)
    };
    let clients = (0..CLIENTS).map(|number| {
        let (replica, salon, offered) = (usize::from(number % 2 == 0), &salon, &offered);
        let mut client = AppointmentServiceClient::new(replicas[replica].clone());
        async move {
            for _ in 0..SEARCHES {
                assert!(!offered(1 - replica).await.is_empty(), "an afternoon is free");
            }
            let start = nine + SignedDuration::from_mins(number / 3 * 30);
            client.book_appointment(salon.agent(booking(vec![by(CUT, ANA)], start))).await
        }
    });
    let (booked, refused): (Vec<_>, Vec<_>) =
        futures::future::join_all(clients).await.into_iter().partition(Result::is_ok);
    assert_eq!(booked.len() as i64, CLIENTS / 3);
    assert!(refused.iter().flat_map(|answer| answer.as_ref().err()).all(|r| reason(r) == Reason::SlotTaken));
    for replica in [0, 1] {
        assert_eq!(offered(replica).await[0], "13:00", "neither offers what the other has booked");
    }
    let published = events(&salon).await;
    let told =
        published.iter().filter(|event| matches!(event.payload, Some(Payload::Appointment(_)))).count();
    assert_eq!(told, booked.len());
    let connections = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = 'scheduling_app'";
    assert_eq!(salon.count(connections).await, i64::from(CONNECTIONS));
}
