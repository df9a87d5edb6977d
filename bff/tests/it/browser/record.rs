//! Notes of what people were refused.

use caller::{Method, Role};
use http::StatusCode;
use proto::frontdesk::{
    auth::{
        internal::v1::RecordRefusalRequest,
        v1::member_service_methods::{INVITE, LIST_MEMBERS},
    },
    scheduling::v1::{
        appointment_service_methods::LIST_APPOINTMENTS, catalogue_service_methods::LIST_SERVICES,
    },
};

use super::stage::{ANA, OTHER, Setting, Stage, Standing, WILLOW, place};

fn told(note: &RecordRefusalRequest) -> (&str, &str, &str, &str) {
    (&note.user_id, &note.business_id, &note.method, &note.reason)
}

#[tokio::test]
async fn who_is_refused_for_want_of_role_or_membership_is_noted_with_where_they_came_from() {
    let stage = Stage::set(Setting { trusted_proxies: "127.0.0.1", ..Setting::default() }).await;
    place(&stage, Standing::Member(Role::Guest));
    let (ana, willow, other) = (ANA.to_string(), WILLOW.to_string(), OTHER.to_string());
    let mut browser = stage.ana().await.with("x-forwarded-for", "198.51.100.7");
    browser.call(&LIST_APPOINTMENTS, &willow).await;
    browser.call(&LIST_SERVICES, &other).await;
    let notes = stage.services.noted(2).await;
    let (low, strange) = (told(&notes[0]), told(&notes[1]));
    assert_eq!(low, (ana.as_str(), willow.as_str(), LIST_APPOINTMENTS.path, "ROLE_TOO_LOW"));
    assert_eq!(strange, (ana.as_str(), other.as_str(), LIST_SERVICES.path, "NOT_FOUND"));
    assert_eq!(notes[0].client.as_ref().unwrap().address, "198.51.100.7");
}

#[tokio::test]
async fn who_lacks_a_trusted_device_is_noted() {
    let stage = Stage::production().await;
    place(&stage, Standing::Member(Role::Owner));
    stage.ana().await.call(&INVITE, &WILLOW.to_string()).await;
    assert_eq!(stage.services.noted(1).await[0].reason, "DEVICE_NOT_TRUSTED");
}

#[tokio::test]
async fn trying_the_same_again_is_noted_once_and_what_is_allowed_never() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Guest));
    let mut ana = stage.ana().await;
    let willow = WILLOW.to_string();
    for _ in 0..20 {
        assert_eq!(ana.call(&LIST_APPOINTMENTS, &willow).await.status, StatusCode::FORBIDDEN);
        assert_eq!(ana.call(&LIST_SERVICES, &willow).await.status, StatusCode::OK);
    }
    ana.call(&LIST_MEMBERS, &willow).await;
    let notes = stage.services.noted(2).await;
    let methods: Vec<&str> = notes.iter().map(|note| note.method.as_str()).collect();
    assert_eq!(methods, [LIST_APPOINTMENTS.path, LIST_MEMBERS.path]);
}

#[tokio::test]
async fn answers_do_not_wait_for_a_record_that_is_stuck() {
    let stage = Stage::open().await;
    stage.services.record_nothing();
    let mut ana = stage.ana().await;
    for method in reads() {
        assert_eq!(ana.call(method, &OTHER.to_string()).await.status, StatusCode::NOT_FOUND);
    }
    assert!(stage.services.noted.borrow().is_empty());
}

#[tokio::test]
async fn what_waits_is_noted_before_the_door_closes() {
    let mut stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Guest));
    let mut ana = stage.ana().await;
    for method in reads() {
        ana.call(method, &OTHER.to_string()).await;
    }
    stage.stop().await;
    assert_eq!(stage.services.noted.borrow().len(), reads().count());
}

/// What members of a business read there.
fn reads() -> impl Iterator<Item = &'static Method> {
    let list = |method: &&&Method| method.rest.starts_with("GET ") && method.rest.matches('{').count() == 1;
    let all = proto::methods::ALL.iter().filter(list).copied();
    all.filter(|method| method.rest.contains("{business_id}") && !method.rule.development_only)
}

#[tokio::test]
async fn made_up_businesses_are_recorded_once_per_person() {
    let mut stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Guest));
    let mut ana = stage.ana().await;
    for n in 0..20u128 {
        ana.call(&LIST_SERVICES, &uuid::Uuid::from_u128(n).to_string()).await;
    }
    stage.stop().await;
    assert_eq!(stage.services.noted.borrow().len(), 1);
}
