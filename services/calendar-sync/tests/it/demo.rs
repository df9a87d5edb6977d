//! The demo calendar, as its owner uses it.

use caller::Role;
use proto::{
    error::{Reason, reason_of},
    frontdesk::calendarsync::v1::{DeleteDemoEventRequest, ListDemoEventsRequest, PutDemoEventRequest},
    time::to_proto,
};
use testkit::{as_service, as_user};
use uuid::Uuid;

use crate::{
    calendars::field,
    salon::{CALENDAR, OTHER, SALON, Salon, TOM, TOMS, at, putting},
};

#[tokio::test]
async fn an_event_is_there_until_it_is_deleted() {
    let salon = Salon::with_calendar().await;
    let put = salon.put("dentist", 9).await.unwrap();
    assert_eq!(
        (put.id.as_str(), put.title.as_str(), put.appointment_id.as_str()),
        ("dentist", "Dentist", "")
    );
    assert_eq!(salon.events(CALENDAR).await, [put]);
    salon.delete("dentist").await.unwrap();
    assert!(salon.events(CALENDAR).await.is_empty());
    assert_eq!(reason_of(&salon.delete("dentist").await.unwrap_err()), Some(Reason::NotFound));
    salon.put("dentist", 10).await.unwrap();
    assert_eq!(salon.events(CALENDAR).await[0].starts_at, Some(to_proto(at(10, 0))));
}

#[tokio::test]
async fn putting_the_same_event_again_changes_nothing() {
    let salon = Salon::with_calendar().await;
    salon.put("dentist", 9).await.unwrap();
    let change = salon.count("SELECT change FROM demo_calendar").await;
    salon.put("dentist", 9).await.unwrap();
    assert_eq!(salon.count("SELECT change FROM demo_calendar").await, change);
    salon.put("dentist", 11).await.unwrap();
    assert_eq!(salon.count("SELECT change FROM demo_calendar").await, change + 1);
    assert_eq!(salon.events(CALENDAR).await.len(), 1);
}

#[tokio::test]
async fn an_event_without_an_id_gets_one_of_its_own() {
    let salon = Salon::with_calendar().await;
    let first = salon.put("", 9).await.unwrap();
    let second = salon.put("", 9).await.unwrap();
    assert!(!first.id.is_empty() && first.id != second.id);
}

#[tokio::test]
async fn events_are_listed_by_start_page_by_page() {
    let salon = Salon::with_calendar().await;
    for (id, hour) in [("c|1", 12), ("a", 15), ("b", 12), ("d", 9), ("e", 12)] {
        salon.put(id, hour).await.unwrap();
    }
    let (mut listed, mut token) = (vec![], String::new());
    loop {
        let message = ListDemoEventsRequest {
            business_id: SALON.to_string(),
            calendar_id: CALENDAR.to_string(),
            page_size: 2,
            page_token: token,
        };
        let request = as_user(&salon.host, Role::Employee, SALON, message);
        let page = salon.demo().list_demo_events(request).await.unwrap().into_inner();
        assert!(page.events.len() <= 2);
        listed.extend(page.events.into_iter().map(|event| event.id));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(listed, ["d", "b", "c|1", "e", "a"]);
}

#[tokio::test]
async fn changes_at_once_each_take_a_number_of_their_own() {
    let salon = Salon::with_calendar().await;
    let ids: Vec<String> = (0..12).map(|n| format!("event-{n}")).collect();
    let mut puts = tokio::task::JoinSet::new();
    for id in ids {
        let (mut demo, request) =
            (salon.demo(), as_user(&salon.host, Role::Employee, SALON, putting(&id, 9)));
        puts.spawn(async move { demo.put_demo_event(request).await.map(drop) });
    }
    for put in puts.join_all().await {
        put.unwrap();
    }
    assert_eq!(salon.count("SELECT change FROM demo_calendar").await, 12);
    assert_eq!(salon.count("SELECT count(DISTINCT change) FROM demo_event").await, 12);
}

#[tokio::test]
async fn an_employee_sees_and_changes_the_events_of_their_own_calendar_alone() {
    let salon = Salon::with_calendar().await;
    salon.connect(TOMS, TOM).await.unwrap();
    let host = &salon.host;
    let toms = |role| {
        let salon = &salon;
        async move {
            let (business_id, calendar_id) = (SALON.to_string(), TOMS.to_string());
            let list = ListDemoEventsRequest {
                business_id: business_id.clone(),
                calendar_id: calendar_id.clone(),
                ..Default::default()
            };
            let put = PutDemoEventRequest { calendar_id: calendar_id.clone(), ..putting("toms", 9) };
            let delete = DeleteDemoEventRequest { business_id, calendar_id, event_id: "toms".to_owned() };
            let mut demo = salon.demo();
            [
                demo.put_demo_event(as_user(host, role, SALON, put)).await.map(drop),
                demo.list_demo_events(as_user(host, role, SALON, list)).await.map(drop),
                demo.delete_demo_event(as_user(host, role, SALON, delete)).await.map(drop),
            ]
        }
    };
    for refused in toms(Role::Employee).await {
        let refused = refused.unwrap_err();
        assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow), "{refused:?}");
    }
    assert_eq!(salon.events(TOMS).await, []);
    for done in toms(Role::Manager).await {
        done.unwrap();
    }
    salon.put("dentist", 9).await.unwrap();
    salon.delete("dentist").await.unwrap();
}

#[tokio::test]
async fn only_the_businesss_people_reach_its_calendars() {
    let salon = Salon::with_calendar().await;
    salon.put("dentist", 9).await.unwrap();
    let list = || ListDemoEventsRequest {
        business_id: SALON.to_string(),
        calendar_id: CALENDAR.to_string(),
        ..Default::default()
    };
    let delete = || DeleteDemoEventRequest {
        business_id: SALON.to_string(),
        calendar_id: CALENDAR.to_string(),
        event_id: "dentist".to_owned(),
    };
    for (role, business, reason) in
        [(Role::Guest, SALON, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let host = &salon.host;
        let refusals = [
            salon.demo().list_demo_events(as_user(host, role, business, list())).await.map(drop),
            salon.demo().put_demo_event(as_user(host, role, business, putting("x", 9))).await.map(drop),
            salon.demo().delete_demo_event(as_user(host, role, business, delete())).await.map(drop),
        ];
        for refused in refusals {
            assert_eq!(reason_of(&refused.unwrap_err()), Some(reason));
        }
    }
    let seeding = as_service("local", &salon.host, Some(SALON), putting("seeded", 10));
    salon.demo().put_demo_event(seeding).await.unwrap();
    let deleting = as_service("local", &salon.host, Some(SALON), delete());
    let refused = salon.demo().delete_demo_event(deleting).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
}

#[tokio::test]
async fn a_calendar_of_another_business_does_not_exist() {
    let salon = Salon::with_calendar().await;
    salon.put("dentist", 9).await.unwrap();
    let elsewhere = PutDemoEventRequest { business_id: OTHER.to_string(), ..putting("mine", 9) };
    let refused = salon.demo().put_demo_event(as_user(&salon.host, Role::Owner, OTHER, elsewhere)).await;
    assert_eq!(reason_of(&refused.unwrap_err()), Some(Reason::NotFound));
    let list = ListDemoEventsRequest {
        business_id: OTHER.to_string(),
        calendar_id: CALENDAR.to_string(),
        ..Default::default()
    };
    let refused = salon.demo().list_demo_events(as_user(&salon.host, Role::Owner, OTHER, list)).await;
    assert_eq!(reason_of(&refused.unwrap_err()), Some(Reason::NotFound));
    let unknown = PutDemoEventRequest { calendar_id: Uuid::nil().to_string(), ..putting("mine", 9) };
    let refused = salon.demo().put_demo_event(as_user(&salon.host, Role::Owner, SALON, unknown)).await;
    assert_eq!(reason_of(&refused.unwrap_err()), Some(Reason::NotFound));
    let unknown = DeleteDemoEventRequest {
        business_id: OTHER.to_string(),
        calendar_id: CALENDAR.to_string(),
        event_id: "dentist".to_owned(),
    };
    let refused = salon.demo().delete_demo_event(as_user(&salon.host, Role::Owner, OTHER, unknown)).await;
    assert_eq!(reason_of(&refused.unwrap_err()), Some(Reason::NotFound));
    assert_eq!(salon.events(CALENDAR).await.len(), 1);
}

type Spoil = fn(&mut PutDemoEventRequest);

#[tokio::test]
async fn a_malformed_field_is_named() {
    let salon = Salon::with_calendar().await;
    let spoils: [(&str, Spoil); 6] = [
        ("calendar_id", |r| r.calendar_id.clear()),
        ("event_id", |r| r.event_id = "x".repeat(256)),
        ("title", |r| r.title.clear()),
        ("starts_at", |r| r.starts_at = None),
        ("ends_at", |r| r.ends_at = None),
        ("ends_at", |r| r.ends_at = r.starts_at),
    ];
    for (name, spoil) in spoils {
        let mut message = putting("dentist", 9);
        spoil(&mut message);
        let request = as_user(&salon.host, Role::Employee, SALON, message);
        assert_eq!(field(&salon.demo().put_demo_event(request).await.unwrap_err()), name);
    }
    assert_eq!(field(&salon.delete("").await.unwrap_err()), "event_id");
}
