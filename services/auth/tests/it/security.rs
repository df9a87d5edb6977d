//! Where a person is signed in, and the record of what happened.

use auth::migration::keep_at_least;
use boot::{environment::Environment, security::SecurityProfile};
use database::{named, sqlstate};
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::auth::{
        internal::v1::{
            Client, RecordRefusalRequest, RefreshRequest, Tokens,
            security_record_service_client::SecurityRecordServiceClient,
        },
        v1::{
            EndSessionRequest, ListSecurityEventsRequest, ListSecurityEventsResponse, ListSessionsRequest,
            SecurityEventKind, SignOutEverywhereRequest, SignedInSession,
        },
    },
    time,
};
use sea_orm::ConnectionTrait;
use testkit::as_service;
use tonic::{Code, Status};

use crate::fixture::{Auth, EMAIL, PASSWORD, at, business, connect, fields, reason, user};

impl Auth {
    async fn list(&self, n: u128, tokens: &Tokens) -> Vec<SignedInSession> {
        let request = self.person(n, tokens, ListSessionsRequest {});
        self.security().list_sessions(request).await.unwrap().into_inner().sessions
    }

    async fn end(&self, n: u128, tokens: &Tokens, session: &str) -> Result<(), Status> {
        let message = EndSessionRequest { session_id: session.to_owned() };
        self.security().end_session(self.person(n, tokens, message)).await.map(drop)
    }

    async fn events(&self, tokens: &Tokens, size: i32, token: &str) -> ListSecurityEventsResponse {
        let message = ListSecurityEventsRequest { page_size: size, page_token: token.to_owned() };
        self.security().list_security_events(self.person(1, tokens, message)).await.unwrap().into_inner()
    }

    async fn record_refusal(&self, message: RecordRefusalRequest) -> Result<(), Status> {
        let mut client = SecurityRecordServiceClient::new(self.channel.clone());
        client.record_refusal(self.door(message)).await.map(drop)
    }
}

fn refusal() -> RecordRefusalRequest {
    RecordRefusalRequest {
        user_id: user(1).to_string(),
        business_id: business(1).to_string(),
        method: "/frontdesk.auth.v1.MemberService/Invite".to_owned(),
        reason: "ROLE_TOO_LOW".to_owned(),
        client: Some(at("192.0.2.1")),
    }
}

#[tokio::test]
async fn a_person_sees_where_they_are_signed_in_the_latest_used_first() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    auth.add(2, "other@demo.test").await;
    let desk = auth.sign_in_as(EMAIL, PASSWORD, at("192.0.2.1")).await.unwrap();
    auth.advance(SignedDuration::from_mins(5));
    let iphone = Client {
        address: "2001:db8::7".to_owned(),
        user_agent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"
            .to_owned(),
        device: String::new(),
    };
    let phone = auth.sign_in_as(EMAIL, PASSWORD, iphone).await.unwrap();
    let over = auth.sign_in_as(EMAIL, PASSWORD, at("192.0.2.1")).await.unwrap();
    auth.sign_out(&over.refresh_token).await.unwrap();
    auth.sign_in_as("other@demo.test", PASSWORD, at("192.0.2.1")).await.unwrap();
    auth.advance(SignedDuration::from_mins(5));
    let message = RefreshRequest { refresh_token: desk.refresh_token.clone(), client: Some(at("192.0.2.9")) };
    auth.sessions().refresh(auth.door(message)).await.unwrap();

    let listed = auth.list(1, &phone).await;
    let told: Vec<_> =
        listed.iter().map(|s| (s.id.as_str(), s.current, s.browser.as_str(), s.address.as_str())).collect();
    let expected = [
        (desk.session_id.as_str(), false, "Chrome on Windows", "192.0.2.9"),
        (phone.session_id.as_str(), true, "Safari on iPhone", "2001:db8::7"),
    ];
    assert_eq!(told, expected);
    let at = |time: &Option<_>| time::required("at", time.as_ref()).unwrap();
    let now = auth.host.clock.now();
    assert_eq!(at(&listed[0].last_used_at), now);
    assert_eq!(at(&listed[0].signed_in_at), now - SignedDuration::from_mins(10));
    assert_eq!(
        at(&listed[0].expires_at),
        now - SignedDuration::from_mins(10) + SignedDuration::from_hours(24)
    );
    assert!(!listed[0].trusted);
}

#[tokio::test]
async fn a_person_ends_their_own_sessions_and_no_others() {
    let (auth, tokens) = Auth::signed_in().await;
    let other = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    auth.add(2, "other@demo.test").await;
    let stranger = auth.sign_in("other@demo.test", PASSWORD).await.unwrap();
    let refused = auth.end(2, &stranger, &other.session_id).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
    assert_eq!(fields(&auth.end(1, &tokens, "").await.unwrap_err()), ["session_id"]);
    auth.end(1, &tokens, &other.session_id).await.unwrap();
    assert!(!auth.admit(&other, None).await.alive);
    assert_eq!(reason(&auth.end(1, &tokens, &other.session_id).await.unwrap_err()), Reason::NotFound);
    assert!(auth.admit(&tokens, None).await.alive);
    auth.end(1, &tokens, &tokens.session_id).await.unwrap();
    assert!(!auth.admit(&tokens, None).await.alive);
    assert_eq!(auth.kinds(1).await, "SIGNED_OUT SESSION_ENDED SIGNED_IN SIGNED_IN");
}

#[tokio::test]
async fn signing_out_everywhere_ends_every_session_of_the_person() {
    let (auth, tokens) = Auth::signed_in().await;
    let other = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    auth.add(2, "other@demo.test").await;
    let stranger = auth.sign_in("other@demo.test", PASSWORD).await.unwrap();
    let request = auth.person(1, &tokens, SignOutEverywhereRequest {});
    auth.security().sign_out_everywhere(request).await.unwrap();
    for session in [&tokens, &other] {
        assert!(!auth.admit(session, None).await.alive);
        assert_eq!(reason(&auth.refresh(&session.refresh_token).await.unwrap_err()), Reason::Unauthenticated);
    }
    auth.refresh(&stranger.refresh_token).await.unwrap();
    assert!(auth.kinds(1).await.starts_with("SIGNED_OUT_EVERYWHERE"));
}

#[tokio::test]
async fn the_record_comes_in_pages_the_latest_first_and_says_where_from() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    auth.sign_in_as(EMAIL, "incorrect horse", at("198.51.100.7")).await.unwrap_err();
    let tokens = auth.sign_in_as(EMAIL, PASSWORD, at("192.0.2.1")).await.unwrap();
    auth.advance(SignedDuration::from_secs(1));
    auth.record_refusal(refusal()).await.unwrap();
    let first = auth.events(&tokens, 2, "").await;
    let rest = auth.events(&tokens, 2, &first.next_page_token).await;
    assert!(rest.next_page_token.is_empty());
    let told: Vec<_> = first.events.iter().chain(&rest.events).collect();
    let kinds: Vec<_> = told.iter().map(|event| event.kind()).collect();
    use SecurityEventKind::{Refused, Registered, SignInFailed, SignedIn};
    assert_eq!(kinds, [Refused, SignedIn, SignInFailed, Registered]);
    assert_eq!(told[0].detail, "/frontdesk.auth.v1.MemberService/Invite ROLE_TOO_LOW");
    assert_eq!(told[0].business_id, business(1).to_string());
    assert_eq!((told[2].address.as_str(), told[2].browser.as_str()), ("198.51.100.7", "Chrome on Windows"));
    assert!(told.iter().all(|event| event.actor_name.is_empty()));
    let message = ListSecurityEventsRequest { page_size: 0, page_token: "bm9uZQ".to_owned() };
    let refused = auth.security().list_security_events(auth.person(1, &tokens, message)).await.unwrap_err();
    assert_eq!(fields(&refused), ["page_token"]);
}

#[tokio::test]
async fn a_refusal_is_recorded_for_a_person_there_is_and_every_field_is_read() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    for (spoilt, field) in [
        (RecordRefusalRequest { user_id: "x".to_owned(), ..refusal() }, "user_id"),
        (RecordRefusalRequest { business_id: "x".to_owned(), ..refusal() }, "business_id"),
        (RecordRefusalRequest { method: String::new(), ..refusal() }, "method"),
        (RecordRefusalRequest { reason: "R".repeat(65), ..refusal() }, "reason"),
        (RecordRefusalRequest { client: Some(at("here")), ..refusal() }, "client.address"),
    ] {
        assert_eq!(fields(&auth.record_refusal(spoilt).await.unwrap_err()), [field]);
    }
    let missing = RecordRefusalRequest { user_id: user(7).to_string(), ..refusal() };
    assert_eq!(reason(&auth.record_refusal(missing).await.unwrap_err()), Reason::NotFound);
    auth.record_refusal(RecordRefusalRequest { business_id: String::new(), ..refusal() }).await.unwrap();
    let request = as_service("tenancy", &auth.host, None, refusal());
    let mut client = SecurityRecordServiceClient::new(auth.channel.clone());
    assert_eq!(client.record_refusal(request).await.unwrap_err().code(), Code::PermissionDenied);
    assert_eq!(auth.kinds(1).await, "REFUSED");
}

impl Auth {
    /// So many failed sign-ins in the record of the person `n`, a second apart from now on.
    async fn failed(&self, n: u128, times: i32) {
        let sql = "INSERT INTO security_event (account_id, kind, at, browser, detail)
            SELECT :account_id, 'SIGN_IN_FAILED', :now + n * interval '1 second', '', ''
            FROM generate_series(1, :times) AS n RETURNING kind";
        let now = database::to_db(self.host.clock.now());
        self.peek(sql, named! { account_id: user(n).0, now, times }).await;
    }
}

#[tokio::test]
async fn a_record_keeps_the_profiles_latest_entries_and_forgets_the_old() {
    let (auth, _) = Auth::signed_in().await;
    auth.add(2, "other@demo.test").await;
    auth.sign_in("other@demo.test", PASSWORD).await.unwrap();
    auth.failed(1, 60).await;
    auth.advance(SignedDuration::from_mins(2));
    auth.record_refusal(refusal()).await.unwrap();
    let kept = format!("REFUSED {}", "SIGN_IN_FAILED ".repeat(49));
    assert_eq!(auth.kinds(1).await, kept.trim());
    assert_eq!(auth.kinds(2).await, "SIGNED_IN", "one person's record does not push out another's");
    auth.advance(SignedDuration::from_hours(25));
    let tokens = auth.sign_in("other@demo.test", PASSWORD).await.unwrap();
    let message = ListSecurityEventsRequest::default();
    let listed = auth.security().list_security_events(auth.person(2, &tokens, message)).await.unwrap();
    assert_eq!(listed.into_inner().events.len(), 1);
    assert_eq!(auth.kinds(1).await, "", "another person's sign-in deletes old events too");
}

#[tokio::test]
async fn refusals_have_a_tenth_of_a_record_and_push_out_nothing_else() {
    let (auth, _) = Auth::signed_in().await;
    for _ in 0..60 {
        auth.record_refusal(refusal()).await.unwrap();
    }
    assert_eq!(auth.kinds(1).await, format!("{}SIGNED_IN", "REFUSED ".repeat(5)));
}

#[tokio::test]
async fn production_keeps_a_thousand_entries_for_thirty_days() {
    let auth = Auth::start_in(Environment::Production).await;
    auth.add(1, EMAIL).await;
    auth.failed(1, 1010).await;
    auth.advance(SignedDuration::from_hours(1));
    auth.record_refusal(refusal()).await.unwrap();
    assert_eq!(auth.kinds(1).await.split(' ').count(), 1000);
    auth.advance(SignedDuration::from_hours(30 * 24 - 1));
    auth.record_refusal(refusal()).await.unwrap();
    assert_eq!(auth.kinds(1).await.split(' ').count(), 1000);
}

#[tokio::test]
async fn the_app_can_wash_out_no_more_of_a_record_than_the_owner_of_the_tables_allows() {
    let auth = Auth::start().await;
    auth.time.set(boot::clock::Clock::system().now());
    auth.add(1, EMAIL).await;
    auth.failed(1, 60).await;
    let app = connect(&auth.database.app_url).await;
    let all = format!("SELECT prune_security_events('{}', 0, 'infinity')", user(1));
    let profile = SecurityProfile::of(Environment::Production).events;
    keep_at_least(&auth.database.migration_url, profile).await.unwrap();
    for sql in [
        "UPDATE security_event_floor SET most = 50",
        "DELETE FROM security_event_floor",
        "INSERT INTO security_event_floor VALUES (false, 50, '1 day')",
    ] {
        let refused = app.execute_unprepared(sql).await.unwrap_err();
        assert_eq!(sqlstate(&refused).as_deref(), Some("42501"), "{sql}: {refused}");
    }
    // A made-up entry of the future makes nothing old.
    let future = format!(
        "INSERT INTO security_event (account_id, kind, at, browser, detail)
        VALUES ('{}', 'SIGNED_IN', 'infinity', '', '')",
        user(2)
    );
    app.execute_unprepared(&future).await.unwrap();
    app.execute_unprepared(&all).await.unwrap();
    assert_eq!(auth.kinds(1).await.split(' ').count(), 60);
    let weakest = SecurityProfile::of(Environment::Test).events;
    keep_at_least(&auth.database.migration_url, weakest).await.unwrap();
    app.execute_unprepared(&all).await.unwrap();
    assert_eq!(auth.kinds(1).await.split(' ').count(), 50);
}

#[tokio::test]
async fn the_app_adds_to_the_record_and_can_neither_change_nor_empty_it() {
    let (auth, _) = Auth::signed_in().await;
    let app = connect(&auth.database.app_url).await;
    for sql in [
        "UPDATE security_event SET kind = 'SIGNED_OUT'",
        "DELETE FROM security_event",
        "TRUNCATE security_event",
    ] {
        let refused = app.execute_unprepared(sql).await.unwrap_err();
        assert_eq!(sqlstate(&refused).as_deref(), Some("42501"), "{sql}: {refused}");
    }
    for function in ["prune_security_events", "forget_unproved_accounts"] {
        let pinned = "SELECT proconfig::text FROM pg_proc WHERE proname = :function AND prosecdef";
        let path = auth.peek(pinned, named! { function }).await.unwrap();
        assert_eq!(path, r#"{"search_path=pg_catalog, pg_temp"}"#, "{function}");
    }
}
