//! The log others follow.

use proto::frontdesk::events::v1::{
    Event, FollowRequest, event::Payload, event_log_service_client::EventLogServiceClient,
    follow_request::From,
};

use crate::salon::{ANA, BEN, COLOUR, CUT, Salon, WILLOW, by, fact, local, removed};

/// All events of the log so far.
pub async fn events(salon: &Salon) -> Vec<Event> {
    let wanted = salon.count("SELECT count(*) FROM outbox").await;
    let mut client = EventLogServiceClient::new(salon.channel());
    let request =
        FollowRequest { follower: "test".to_owned(), from: Some(From::After(0)), log: String::new() };
    let request = testkit::as_service("calendar-sync", &salon.host, None, request);
    let mut stream = client.follow(request).await.unwrap().into_inner();
    let mut events = vec![];
    while (events.len() as i64) < wanted {
        events.extend(stream.message().await.unwrap().unwrap().event);
    }
    events
}

#[tokio::test]
async fn a_booking_and_its_cancellation_are_told_with_full_state() {
    let salon = Salon::open().await;
    let hold = salon.hold(vec![by(COLOUR, ANA), by(CUT, BEN)], local("2026-06-02", "09:00")).await.unwrap();
    let booked = salon.book_hold(&hold.id).await.unwrap();
    let cancelled = salon.cancel(&booked.id).await.unwrap();
    let told: Vec<_> = events(&salon)
        .await
        .into_iter()
        .filter_map(|event| match event.payload {
            Some(Payload::Appointment(appointment)) => {
                assert_eq!((event.aggregate_id, event.business_id), (booked.id.clone(), WILLOW.to_string()));
                assert_eq!(event.version, appointment.version);
                assert!(event.actor.starts_with("agent:"), "{}", event.actor);
                Some(appointment)
            }
            _ => None,
        })
        .collect();
    assert_eq!(told, [booked, cancelled]);
}

/// Versions of Willow's schedule that were told.
pub async fn schedule_versions(salon: &Salon) -> Vec<i64> {
    events(salon)
        .await
        .into_iter()
        .filter(|event| matches!(event.payload, Some(Payload::Catalogue(_))))
        .map(|event| {
            assert_eq!(event.aggregate_id, WILLOW.to_string());
            event.version
        })
        .collect()
}

#[tokio::test]
async fn every_change_of_the_schedule_is_told_once() {
    let salon = Salon::open().await;
    assert_eq!(schedule_versions(&salon).await, [1, 2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn a_conflict_is_told_when_it_arises_and_when_it_is_settled() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], local("2026-06-02", "10:00")).await.unwrap();
    let dentist = fact("dentist", local("2026-06-02", "10:00"), local("2026-06-02", "11:00"));
    salon.import(vec![dentist]).await.unwrap();
    let id = salon.conflicts().await[0].id.clone();
    salon.import(vec![removed("dentist")]).await.unwrap();
    let told: Vec<_> = events(&salon)
        .await
        .into_iter()
        .filter_map(|event| match event.payload {
            Some(Payload::Conflict(conflict)) => Some((conflict.conflict_id, event.version)),
            _ => None,
        })
        .collect();
    assert_eq!(told, [(id.clone(), 1), (id, 2)]);
}

#[tokio::test]
async fn every_write_is_audited_with_its_actor() {
    let salon = Salon::open().await;
    let hold = salon.hold(vec![by(CUT, ANA)], local("2026-06-02", "10:00")).await.unwrap();
    let booked = salon.book_hold(&hold.id).await.unwrap();
    salon.cancel(&booked.id).await.unwrap();
    salon.import(vec![fact("a", local("2026-06-02", "10:00"), local("2026-06-02", "11:00"))]).await.unwrap();
    let released = salon.hold(vec![by(CUT, BEN)], local("2026-06-02", "10:00")).await.unwrap();
    salon.release(&released.id).await.unwrap();
    salon.release_call().await;
    let trail = salon.trail().await;
    let trail: Vec<_> = trail.iter().map(|(action, actor)| (action.as_str(), actor.as_str())).collect();
    assert_eq!(
        trail,
        [
            ("SetOpeningHours", "service"),
            ("SetWeeklySchedule", "service"),
            ("SetWeeklySchedule", "service"),
            ("CreateService", "service"),
            ("CreateService", "service"),
            ("CreateService", "service"),
            ("CreateHold", "agent"),
            ("BookAppointment", "agent"),
            ("CancelAppointment", "agent"),
            ("ImportBusy", "service"),
            ("CreateHold", "agent"),
            ("ReleaseHold", "agent"),
            ("ReleaseCallHolds", "agent"),
        ]
    );
}
