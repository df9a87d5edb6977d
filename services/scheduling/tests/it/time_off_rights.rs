//! Who asks for time off, decides about it and sees why it is taken.

use caller::{Role, SessionId, UserId};
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        ApproveTimeOffRequest, DayUnavailable, DayUnavailableReason, GetDayRequest, ListTimeOffRequest,
        RequestTimeOffRequest, TimeOffKind, TimeOffState, WithdrawTimeOffRequest,
    },
};
use testkit::{USER, as_person, as_user};
use uuid::Uuid;

use crate::{
    salon::{ANA, BEN, OTHER, Salon, WILLOW, reason},
    time_off::{approval, approve, ask, days, ids, list, listed, refusal, withdrawal},
};

#[tokio::test]
async fn managers_decide_and_what_others_asked_for_is_taken_back_by_managers_alone() {
    let salon = Salon::open().await;
    let asked = ask(&salon, days("2026-06-02", "2026-06-02")).await.unwrap();
    let refused = salon.time_off().approve_time_off(salon.employee(approval(&asked.id))).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
    let refused = salon.time_off().decline_time_off(salon.employee(refusal(&asked.id))).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
    let as_other = |role| {
        let (user, session) = (UserId(Uuid::from_u128(0xb0b)), SessionId(Uuid::from_u128(0xb0c)));
        as_person(&salon.host, user, session, Some(WILLOW), Some(role), withdrawal(&asked.id))
    };
    let refused = salon.time_off().withdraw_time_off(as_other(Role::Employee)).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
    salon.time_off().withdraw_time_off(salon.employee(withdrawal(&asked.id))).await.unwrap();
    let again = ask(&salon, days("2026-06-02", "2026-06-02")).await.unwrap();
    let withdrawal = as_other(Role::Manager)
        .map(|request| WithdrawTimeOffRequest { time_off_id: again.id.clone(), ..request });
    salon.time_off().withdraw_time_off(withdrawal).await.unwrap();
    let guest = as_user(&salon.host, Role::Guest, WILLOW, list());
    let refused = salon.time_off().list_time_off(guest).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
}

#[tokio::test]
async fn an_employee_asks_for_their_own_time_off_alone() {
    let salon = Salon::open().await;
    let bens = || RequestTimeOffRequest { employee_id: BEN.to_string(), ..days("2026-06-02", "2026-06-02") };
    let refused = salon.time_off().request_time_off(salon.employee(bens())).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
    assert!(listed(&salon, list()).await.is_empty());
    let own = days("2026-06-02", "2026-06-02");
    salon.time_off().request_time_off(salon.employee(own)).await.unwrap();
    salon.time_off().request_time_off(salon.manager(bens())).await.unwrap();
}

#[tokio::test]
async fn time_off_of_another_business_is_not_found() {
    let salon = Salon::open().await;
    salon.set_hours(OTHER, vec![]).await;
    let asked = ask(&salon, days("2026-06-02", "2026-06-02")).await.unwrap();
    let other = OTHER.to_string();
    let missing = Uuid::from_u128(404).to_string();
    assert_eq!(reason(&approve(&salon, &missing).await.unwrap_err()), Reason::NotFound);
    let theirs = ApproveTimeOffRequest { business_id: other.clone(), ..approval(&asked.id) };
    let theirs = as_user(&salon.host, Role::Owner, OTHER, theirs);
    let refused = salon.time_off().approve_time_off(theirs).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
    let theirs = WithdrawTimeOffRequest { business_id: other.clone(), ..withdrawal(&asked.id) };
    let theirs = as_user(&salon.host, Role::Owner, OTHER, theirs);
    let refused = salon.time_off().withdraw_time_off(theirs).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
    let theirs =
        as_user(&salon.host, Role::Owner, OTHER, ListTimeOffRequest { business_id: other, ..list() });
    let theirs = salon.time_off().list_time_off(theirs).await.unwrap().into_inner();
    assert!(theirs.time_off.is_empty());
    assert_eq!(listed(&salon, list()).await[0].state(), TimeOffState::Requested);
}

#[tokio::test]
async fn colleagues_see_when_an_employee_is_away_but_not_why() {
    let salon = Salon::open().await;
    let sick = |date| RequestTimeOffRequest {
        kind: TimeOffKind::Sick.into(),
        reason: "a broken leg".to_owned(),
        ..days(date, date)
    };
    let approved = ask(&salon, sick("2026-06-02")).await.unwrap();
    approve(&salon, &approved.id).await.unwrap();
    let waiting = ask(&salon, sick("2026-06-03")).await.unwrap();
    let colleague = |role| {
        let (user, session) = (UserId(Uuid::from_u128(0xb0b)), SessionId(Uuid::from_u128(0xb0c)));
        as_person(&salon.host, user, session, Some(WILLOW), Some(role), list())
    };
    let seen = salon.time_off().list_time_off(colleague(Role::Employee)).await.unwrap().into_inner().time_off;
    assert_eq!(ids(&seen), [&approved.id]);
    assert_eq!((seen[0].kind(), seen[0].reason.as_str()), (TimeOffKind::Other, ""));
    assert_eq!(seen[0].decision.as_ref().unwrap().note, "");
    let all = salon.time_off().list_time_off(colleague(Role::Manager)).await.unwrap().into_inner().time_off;
    assert_eq!(ids(&all), [&approved.id, &waiting.id]);
    assert_eq!((all[0].kind(), all[0].reason.as_str()), (TimeOffKind::Sick, "a broken leg"));
    let own = listed(&salon, list()).await;
    assert_eq!((ids(&own).len(), own[0].reason.as_str()), (2, "a broken leg"));
}

#[tokio::test]
async fn a_day_shows_colleagues_that_an_employee_is_away_but_not_why() {
    let salon = Salon::open().await;
    let sick = |employee: Uuid| RequestTimeOffRequest {
        employee_id: employee.to_string(),
        kind: TimeOffKind::Sick.into(),
        ..days("2026-06-02", "2026-06-02")
    };
    let colleague = UserId(Uuid::from_u128(0xb0b));
    let session = SessionId(Uuid::from_u128(0xb0c));
    for employee in [ANA, BEN] {
        let request =
            as_person(&salon.host, colleague, session, Some(WILLOW), Some(Role::Manager), sick(employee));
        let asked = salon.time_off().request_time_off(request).await.unwrap().into_inner();
        approve(&salon, &asked.time_off.unwrap().id).await.unwrap();
    }
    let kinds = async |user, role| {
        let message = GetDayRequest {
            business_id: WILLOW.to_string(),
            first_date: "2026-06-02".to_owned(),
            ..GetDayRequest::default()
        };
        let request = as_person(&salon.host, user, session, Some(WILLOW), Some(role), message);
        let day = salon.days().get_day(request).await.unwrap().into_inner();
        [ANA, BEN].map(|employee| {
            let column =
                day.columns.iter().find(|column| column.employee_id == employee.to_string()).unwrap();
            let off = |span: &&DayUnavailable| span.reason() == DayUnavailableReason::TimeOff;
            column.unavailable.iter().find(off).unwrap().time_off_kind()
        })
    };
    // The user of the tests is Ana.
    assert_eq!(kinds(USER, Role::Employee).await, [TimeOffKind::Sick, TimeOffKind::Other]);
    assert_eq!(kinds(USER, Role::Manager).await, [TimeOffKind::Sick; 2]);
    let stranger = UserId(Uuid::from_u128(0xb0d));
    assert_eq!(kinds(stranger, Role::Employee).await, [TimeOffKind::Other; 2]);
}
