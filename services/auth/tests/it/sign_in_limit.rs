//! The limit of failed sign-ins, under production's profile.

use boot::{Host, environment::Environment, peer::PeerChannel};
use caller::Role;
use database::named;
use futures::future::join_all;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::auth::{
        internal::v1::{ForgotPasswordRequest, SignInRequest, session_service_client::SessionServiceClient},
        v1::{LiftBlockRequest, member_service_client::MemberServiceClient},
    },
};
use testkit::as_person;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::fixture::{Auth, EMAIL, PASSWORD, at, business, config, reason, told, user};

const HERE: &str = "192.0.2.1";
const ELSEWHERE: &str = "198.51.100.7";

impl Auth {
    /// Signs in with a wrong password so many times.
    async fn fail(&self, times: usize, email: &str, address: &str) {
        for n in 0..times {
            let refused = self.sign_in_as(email, "incorrect horse", at(address)).await.unwrap_err();
            assert_eq!(reason(&refused), Reason::WrongCredentials, "attempt {n}");
        }
    }

    async fn blocked(&self, email: &str, address: &str) -> Status {
        let refused = self.sign_in_as(email, PASSWORD, at(address)).await.unwrap_err();
        assert_eq!((refused.code(), reason(&refused)), (Code::ResourceExhausted, Reason::Blocked));
        refused
    }

    async fn lift(&self, n: u128, role: Role, whose: u128) -> Result<(), Status> {
        let message =
            LiftBlockRequest { business_id: business(1).to_string(), user_id: user(whose).to_string() };
        let request =
            as_person(&self.host, user(n), testkit::SESSION, Some(business(1)), Some(role), message);
        MemberServiceClient::new(self.channel.clone()).lift_block(request).await.map(drop)
    }
}

#[tokio::test]
async fn five_failures_block_the_right_password_for_an_hour_and_the_message_says_until_when() {
    let redis = testkit::redis().await;
    let auth = Auth::guarded(&redis).await;
    auth.add(1, EMAIL).await;
    auth.fail(5, EMAIL, HERE).await;
    let refused = auth.blocked(EMAIL, HERE).await;
    let message = "Too many failed sign-ins. Sign-in is blocked until 09:00 UTC, in 60 minutes.";
    assert_eq!(refused.message(), message);
    let again = refused.get_details_retry_info().unwrap().retry_delay;
    assert_eq!(again, Some(std::time::Duration::from_secs(3600)));

    auth.advance(SignedDuration::from_mins(59));
    let message = "Too many failed sign-ins. Sign-in is blocked until 09:00 UTC, in 1 minute.";
    assert_eq!(auth.blocked(EMAIL, HERE).await.message(), message);
    auth.advance(SignedDuration::from_mins(1));
    auth.sign_in_as(EMAIL, PASSWORD, at(HERE)).await.unwrap();
    let kinds = auth.kinds(1).await;
    let failed = "SIGN_IN_FAILED ".repeat(5);
    assert_eq!(kinds, format!("SIGNED_IN SIGN_IN_BLOCKED {failed}").trim());
}

#[tokio::test]
async fn a_right_password_forgets_the_failures_before_it_and_a_quarter_of_an_hour_does() {
    let redis = testkit::redis().await;
    let auth = Auth::guarded(&redis).await;
    auth.add(1, EMAIL).await;
    auth.fail(4, EMAIL, HERE).await;
    auth.sign_in_as(EMAIL, PASSWORD, at(HERE)).await.unwrap();
    auth.fail(4, EMAIL, HERE).await;
    auth.advance(SignedDuration::from_mins(15));
    auth.fail(4, EMAIL, HERE).await;
    auth.sign_in_as(EMAIL, PASSWORD, at(HERE)).await.unwrap();
}

#[tokio::test]
async fn another_address_and_another_account_stay_free() {
    let redis = testkit::redis().await;
    let auth = Auth::guarded(&redis).await;
    auth.add(1, EMAIL).await;
    auth.add(2, "other@demo.test").await;
    auth.fail(5, EMAIL, HERE).await;
    auth.blocked(EMAIL, HERE).await;
    auth.sign_in_as(EMAIL, PASSWORD, at(ELSEWHERE)).await.unwrap();
    auth.sign_in_as("other@demo.test", PASSWORD, at(HERE)).await.unwrap();
}

#[tokio::test]
async fn an_account_there_is_not_is_blocked_alike() {
    let redis = testkit::redis().await;
    let auth = Auth::guarded(&redis).await;
    auth.add(1, EMAIL).await;
    auth.fail(5, EMAIL, HERE).await;
    auth.fail(5, "unknown@demo.test", HERE).await;
    assert_eq!(told(&auth.blocked(EMAIL, HERE).await), told(&auth.blocked("unknown@demo.test", HERE).await));
    // What is written is the same as well: no time tells them apart.
    let entries = "SELECT string_agg(DISTINCT entries::text, ' and ') FROM (
        SELECT count(*) AS entries FROM security_event WHERE kind <> 'REGISTERED' GROUP BY account_id) AS counted";
    assert_eq!(auth.peek(entries, []).await.unwrap(), "6");
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_at_the_same_time_do_not_slip_through_together() {
    let redis = testkit::redis().await;
    let auth = Auth::guarded(&redis).await;
    auth.add(1, EMAIL).await;
    let attempts = (0..30).map(|_| auth.sign_in_as(EMAIL, "incorrect horse", at(HERE)));
    let refused: Vec<_> = join_all(attempts).await.into_iter().map(Result::unwrap_err).collect();
    let looked_at = refused.iter().filter(|refused| reason(refused) == Reason::WrongCredentials).count();
    assert_eq!(looked_at, 5);
    assert!(refused.iter().all(|r| matches!(reason(r), Reason::WrongCredentials | Reason::Blocked)));
}

#[tokio::test]
async fn an_address_that_fails_a_hundred_times_is_blocked_for_every_account() {
    let redis = testkit::redis().await;
    let auth = Auth::guarded(&redis).await;
    auth.add(1, EMAIL).await;
    for n in 0..25 {
        auth.fail(4, &format!("person{n}@demo.test"), HERE).await;
    }
    auth.blocked(EMAIL, HERE).await;
    auth.sign_in_as(EMAIL, PASSWORD, at(ELSEWHERE)).await.unwrap();
}

#[tokio::test]
async fn replicas_count_together_and_a_new_one_knows_the_block() {
    let redis = testkit::redis().await;
    let auth = Auth::guarded(&redis).await;
    auth.add(1, EMAIL).await;
    auth.fail(3, EMAIL, HERE).await;
    let mut other = auth.replica(&config(&auth.database)).await;
    for expected in [Reason::WrongCredentials, Reason::WrongCredentials, Reason::Blocked] {
        assert_eq!(reason(&attempt(&auth.host, &mut other, "incorrect horse").await.unwrap_err()), expected);
    }
    auth.blocked(EMAIL, HERE).await;
    let mut restarted = auth.replica(&config(&auth.database)).await;
    let refused = attempt(&auth.host, &mut restarted, PASSWORD).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::Blocked);
}

async fn attempt(
    host: &Host,
    replica: &mut SessionServiceClient<PeerChannel>,
    password: &str,
) -> Result<(), Status> {
    let message =
        SignInRequest { email: EMAIL.to_owned(), password: password.to_owned(), client: Some(at(HERE)) };
    replica.sign_in(testkit::as_service("bff", host, None, message)).await.map(drop)
}

#[tokio::test]
async fn with_redis_gone_in_the_middle_the_count_goes_on_and_the_block_holds() {
    let redis = testkit::redis().await;
    let auth = Auth::guarded(&redis).await;
    auth.add(1, EMAIL).await;
    auth.add(2, "other@demo.test").await;
    auth.fail(3, EMAIL, HERE).await;
    auth.fail(5, "other@demo.test", HERE).await;
    drop(redis);
    auth.fail(2, EMAIL, HERE).await;
    auth.blocked(EMAIL, HERE).await;
    auth.blocked("other@demo.test", HERE).await;
    auth.sign_in_as(EMAIL, PASSWORD, at(ELSEWHERE)).await.unwrap();
    auth.advance(SignedDuration::from_mins(60));
    auth.sign_in_as(EMAIL, PASSWORD, at(HERE)).await.unwrap();
}

#[tokio::test]
async fn without_any_redis_sign_in_is_limited_all_the_same() {
    let auth = Auth::start_in(Environment::Development).await;
    auth.add(1, EMAIL).await;
    auth.fail(10, EMAIL, HERE).await;
    let refused = auth.blocked(EMAIL, HERE).await;
    assert!(refused.message().ends_with("until 08:05 UTC, in 5 minutes."), "{}", refused.message());
    // The failures lie within the window still; the end of a block forgets them.
    auth.advance(SignedDuration::from_mins(5));
    auth.fail(1, EMAIL, HERE).await;
    auth.sign_in_as(EMAIL, PASSWORD, at(HERE)).await.unwrap();
}

#[tokio::test]
async fn the_owner_lifts_a_members_block_and_no_others() {
    let redis = testkit::redis().await;
    let auth = Auth::guarded(&redis).await;
    let member = auth.add(1, EMAIL).await;
    auth.add(2, "other@demo.test").await;
    auth.set_role(member, business(1), "EMPLOYEE").await.unwrap();
    auth.fail(5, EMAIL, HERE).await;
    auth.fail(5, EMAIL, ELSEWHERE).await;
    assert_eq!(reason(&auth.lift(2, Role::Manager, 1).await.unwrap_err()), Reason::RoleTooLow);
    assert_eq!(reason(&auth.lift(2, Role::Owner, 2).await.unwrap_err()), Reason::NotFound);
    auth.blocked(EMAIL, HERE).await;
    auth.lift(2, Role::Owner, 1).await.unwrap();
    for address in [HERE, ELSEWHERE] {
        auth.sign_in_as(EMAIL, PASSWORD, at(address)).await.unwrap();
    }
    let sql = "SELECT (actor_id = :actor AND business_id = :business)::text FROM security_event WHERE kind = 'BLOCK_LIFTED'";
    assert_eq!(auth.peek(sql, named! { actor: user(2).0, business: business(1).0 }).await.unwrap(), "true");
}

#[tokio::test]
async fn a_reset_password_lifts_the_block_and_trusts_no_device_any_more() {
    let redis = testkit::redis().await;
    let auth = Auth::guarded(&redis).await;
    auth.add(1, EMAIL).await;
    let device = "INSERT INTO trusted_device
        SELECT gen_random_uuid(), id, sha256('x'), '', :now, :now + interval '1 day' FROM account RETURNING browser";
    auth.peek(device, named! { now: database::to_db(auth.host.clock.now()) }).await;
    auth.fail(5, EMAIL, HERE).await;
    auth.blocked(EMAIL, HERE).await;
    let message = ForgotPasswordRequest { email: EMAIL.to_owned(), client: Some(at(ELSEWHERE)) };
    auth.registration().forgot_password(auth.door(message)).await.unwrap();
    auth.reset(&auth.token_to(EMAIL, "reset-password?token=").await, "a whole new password").await.unwrap();
    auth.sign_in_as(EMAIL, "a whole new password", at(HERE)).await.unwrap();
    assert_eq!(auth.peek("SELECT count(*)::text FROM trusted_device", []).await.unwrap(), "0");
}

#[tokio::test]
async fn the_members_list_says_until_when_a_member_is_blocked() {
    let redis = testkit::redis().await;
    let auth = Auth::guarded(&redis).await;
    for (n, email) in [(1, EMAIL), (2, "other@demo.test")] {
        auth.set_role(auth.add(n, email).await, business(1), "OWNER").await.unwrap();
    }
    let blocked = async || {
        let listed = auth.page_of_members(0, "").await.unwrap().members;
        let of = |email| listed.iter().find(|member| member.email == email).unwrap().blocked_until;
        [EMAIL, "other@demo.test"].map(of)
    };
    auth.fail(4, EMAIL, HERE).await;
    assert_eq!(blocked().await, [None, None]);
    auth.fail(1, EMAIL, HERE).await;
    let until = proto::time::to_proto(auth.host.clock.now() + SignedDuration::from_mins(60));
    assert_eq!(blocked().await, [Some(until), None]);
    auth.advance(SignedDuration::from_mins(60));
    assert_eq!(blocked().await, [None, None]);
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_ins_that_found_no_core_to_hash_on_are_not_counted() {
    let redis = testkit::redis().await;
    let auth = Auth::guarded(&redis).await;
    // One fewer than would block the address.
    let crowd = (0..99).map(|n| {
        let (auth, email) = (&auth, format!("person{n}@demo.test"));
        async move { auth.sign_in_as(&email, PASSWORD, at(HERE)).await }
    });
    let refused: Vec<_> = join_all(crowd).await.into_iter().map(Result::unwrap_err).collect();
    let (busy, looked_at): (Vec<_>, Vec<_>) =
        refused.iter().partition(|refused| reason(refused) == Reason::Busy);
    assert!(!busy.is_empty() && !looked_at.is_empty(), "{} busy of 99", busy.len());
    let mut connection = redis.client().get_multiplexed_async_connection().await.unwrap();
    let keys: Vec<String> = redis::cmd("KEYS").arg("signin:*").query_async(&mut connection).await.unwrap();
    let mut counted = Vec::new();
    for key in keys {
        counted.push(redis::cmd("ZCARD").arg(key).query_async::<usize>(&mut connection).await.unwrap());
    }
    assert_eq!(counted.into_iter().max(), Some(looked_at.len()), "the address's counter");
}

#[tokio::test]
async fn redis_holds_no_e_mail_and_no_address() {
    let redis = testkit::redis().await;
    let auth = Auth::guarded(&redis).await;
    auth.fail(5, "unknown@demo.test", HERE).await;
    let mut connection = redis.client().get_multiplexed_async_connection().await.unwrap();
    let keys: Vec<String> = redis::cmd("KEYS").arg("*").query_async(&mut connection).await.unwrap();
    assert_eq!(keys.len(), 4, "{keys:?}");
    for key in &keys {
        assert!(key.starts_with("signin:") && !key.contains("unknown") && !key.contains(HERE), "{key}");
        let left: i64 = redis::cmd("PTTL").arg(key).query_async(&mut connection).await.unwrap();
        assert!((1..=3_600_000).contains(&left), "{key} goes by itself");
    }
}
