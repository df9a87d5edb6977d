//! A person's consent, and the calendars it shows.

use boot::environment::Environment;
use caller::{Role, UserId};
use jiff::SignedDuration;
use proto::frontdesk::calendarsync::{
    internal::v1::{
        ListPersonCalendarsRequest, ListPersonCalendarsResponse,
        person_calendar_service_client::PersonCalendarServiceClient,
    },
    v1::{
        BeginConsentRequest, CalendarKind, DisconnectCalendarRequest, FinishConsentRequest,
        ListConsentsRequest, WithdrawConsentRequest, consent_service_client::ConsentServiceClient,
    },
};
use testkit::{SESSION, USER, as_person, as_service, as_user};
use tonic::{Request, Status, transport::Channel};
use uuid::Uuid;

use crate::{
    calendars::field,
    salon::{CALENDAR, MIA, SALON, Salon, TOM as TOM_AT_WORK, TOMS},
};

const TOM: UserId = UserId(Uuid::from_u128(0x70));

struct People {
    salon: Salon,
}

impl People {
    async fn open() -> Self {
        Self { salon: Salon::open().await }
    }

    async fn try_to_begin(&self, user: UserId) -> Result<String, Status> {
        let message = BeginConsentRequest { kind: CalendarKind::Demo.into() };
        let asked = self.consents().begin_consent(self.as_person(user, message)).await;
        asked.map(|asked| asked.into_inner().state)
    }

    fn consents(&self) -> ConsentServiceClient<Channel> {
        ConsentServiceClient::new(self.salon.channel.clone())
    }

    fn as_person<T>(&self, user: UserId, message: T) -> Request<T> {
        as_person(&self.salon.host, user, SESSION, None, None, message)
    }

    async fn begin(&self, user: UserId) -> String {
        self.try_to_begin(user).await.unwrap()
    }

    async fn finish(&self, user: UserId, state: &str, allowed: bool) -> Result<(), Status> {
        let message = FinishConsentRequest { state: state.to_owned(), allowed, code: String::new() };
        self.consents().finish_consent(self.as_person(user, message)).await.map(drop)
    }

    async fn withdraw(&self, user: UserId) {
        self.consents()
            .withdraw_consent(self.as_person(user, WithdrawConsentRequest { take_out: false }))
            .await
            .unwrap();
    }

    async fn has_calendar(&self, user: UserId) -> bool {
        let listed = self.consents().list_consents(self.as_person(user, ListConsentsRequest {})).await;
        listed.unwrap().into_inner().has_calendar
    }

    async fn calendars(&self, user: UserId) -> ListPersonCalendarsResponse {
        let message = ListPersonCalendarsRequest { user_id: user.to_string() };
        let request = as_service("bff", &self.salon.host, None, message);
        let mut client = PersonCalendarServiceClient::new(self.salon.channel.clone());
        client.list_person_calendars(request).await.unwrap().into_inner()
    }
}

#[tokio::test]
async fn calendars_are_seen_from_the_consent_to_its_withdrawal() {
    let people = People::open().await;
    let none = ListPersonCalendarsResponse { authorization_required: true, calendars: vec![] };
    assert_eq!(people.calendars(USER).await, none);
    let state = people.begin(USER).await;
    assert_eq!(people.calendars(USER).await, none, "asking is not consent");
    people.finish(USER, &state, true).await.unwrap();
    let seen = people.calendars(USER).await;
    assert!(!seen.authorization_required);
    let seen: Vec<_> = seen.calendars.iter().map(|found| (found.name.as_str(), found.kind())).collect();
    assert_eq!(seen, [("Demo calendar", CalendarKind::Demo)]);
    assert_eq!(people.calendars(TOM).await, none, "it is one person's");
    people.withdraw(USER).await;
    people.withdraw(USER).await;
    assert_eq!(people.calendars(USER).await, none);
}

#[tokio::test]
async fn an_employee_has_a_calendar_even_if_a_colleague_connected_it() {
    let people = People::open().await;
    people.salon.connect(TOMS, TOM_AT_WORK).await.unwrap();
    assert!(!people.has_calendar(USER).await, "a colleague's");
    people.salon.connect(CALENDAR, MIA).await.unwrap();
    assert!(people.has_calendar(USER).await);
    assert!(!people.has_calendar(TOM).await);
    let message = DisconnectCalendarRequest {
        business_id: SALON.to_string(),
        calendar_id: CALENDAR.to_string(),
        take_out: false,
    };
    let request = as_user(&people.salon.host, Role::Owner, SALON, message);
    people.salon.calendars().disconnect_calendar(request).await.unwrap();
    assert!(!people.has_calendar(USER).await);
}

#[tokio::test]
async fn a_denial_changes_nothing_and_ends_the_question() {
    let people = People::open().await;
    let state = people.begin(USER).await;
    people.finish(USER, &state, false).await.unwrap();
    assert!(people.calendars(USER).await.authorization_required);
    assert_eq!(field(&people.finish(USER, &state, true).await.unwrap_err()), "state");
    let state = people.begin(USER).await;
    people.finish(USER, &state, true).await.unwrap();
    let again = people.begin(USER).await;
    people.finish(USER, &again, false).await.unwrap();
    assert!(!people.calendars(USER).await.authorization_required, "an earlier consent stays");
}

#[tokio::test]
async fn a_state_answers_the_latest_question_of_its_person_once_and_within_ten_minutes() {
    let people = People::open().await;
    let first = people.begin(USER).await;
    let second = people.begin(USER).await;
    let toms = people.begin(TOM).await;
    for wrong in [first.as_str(), toms.as_str(), "", "x", &"x".repeat(256)] {
        assert_eq!(field(&people.finish(USER, wrong, true).await.unwrap_err()), "state", "{wrong}");
    }
    assert!(people.calendars(USER).await.authorization_required);
    people.finish(USER, &second, true).await.unwrap();
    people.salon.time.advance(SignedDuration::from_mins(10));
    assert_eq!(field(&people.finish(TOM, &toms, true).await.unwrap_err()), "state");
    assert!(people.calendars(TOM).await.authorization_required);
}

#[tokio::test]
async fn a_kind_is_required() {
    let people = People::open().await;
    let request = people.as_person(USER, BeginConsentRequest { kind: 0 });
    assert_eq!(field(&people.consents().begin_consent(request).await.unwrap_err()), "kind");
}

#[tokio::test]
async fn in_production_no_simulated_consent_is_asked_for_or_taken_and_no_simulated_calendar_is_connected() {
    let people = People { salon: Salon::open_in(Environment::Production).await };
    assert_eq!(field(&people.try_to_begin(USER).await.unwrap_err()), "kind");
    assert_eq!(field(&people.salon.connect(CALENDAR, MIA).await.unwrap_err()), "kind");
    assert_eq!(people.salon.count("SELECT count(*) FROM calendar").await, 0);
    // A question and a consent from before it was for real count for nothing.
    let meddled = format!(
        "INSERT INTO consent_request (user_id, state_hash, expires_at, kind)
            VALUES ('{USER}', sha256('left'), 'infinity', 'DEMO');
         INSERT INTO consent VALUES ('{TOM}', '2026-06-01')"
    );
    people.salon.meddle(&meddled).await;
    people.finish(USER, "left", true).await.unwrap();
    let none = ListPersonCalendarsResponse { authorization_required: true, calendars: vec![] };
    for person in [USER, TOM] {
        assert_eq!(people.calendars(person).await, none);
        let listed = people.consents().list_consents(people.as_person(person, ListConsentsRequest {})).await;
        assert_eq!(listed.unwrap().into_inner().consents, []);
    }
}
