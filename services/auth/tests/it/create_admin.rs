//! Creating the first administrator of an installation, where a stranger may have registered before.

use auth::{Config, CreateAdmin, create_admin, domain::email::Email};
use boot::{clock::Clock, environment::Environment};
use proto::{error::Reason, frontdesk::auth::internal::v1::RegisterRequest};
use tokio_util::sync::CancellationToken;

use crate::fixture::{Auth, PUBLIC_URL, at, config, reason};

const BOSS: &str = "boss@demo.test";
const SQUATTED: &str = "the first one's password";

#[tokio::test]
async fn an_earlier_registration_of_the_admins_address_loses_all_access() {
    let auth = Auth::start().await;
    auth.time.set(Clock::system().now());
    let squatter = RegisterRequest {
        name: "Stranger".to_owned(),
        email: BOSS.to_owned(),
        password: SQUATTED.to_owned(),
        invitation: String::new(),
        client: Some(at("192.0.2.7")),
    };
    auth.register(squatter).await.unwrap();
    let session = auth.sign_in(BOSS, SQUATTED).await.unwrap();
    let identity = "INSERT INTO identity (id, account_id, issuer, subject, email, connected_at)
        SELECT gen_random_uuid(), id, 'https://issuer.test', 'squatter', email, created_at FROM account
        RETURNING email";
    auth.peek(identity, []).await;
    let device = "INSERT INTO trusted_device
        SELECT gen_random_uuid(), id, sha256('x'), '', created_at, created_at + interval '1 day' FROM account
        RETURNING browser";
    auth.peek(device, []).await;

    let link = auth.link(BOSS).await;
    assert_eq!(reason(&auth.sign_in(BOSS, SQUATTED).await.unwrap_err()), Reason::WrongCredentials);
    assert_eq!(reason(&auth.refresh(&session.refresh_token).await.unwrap_err()), Reason::Unauthenticated);
    for table in ["identity", "trusted_device", "email_proof"] {
        assert_eq!(
            auth.peek(&format!("SELECT count(*)::text FROM {table}"), []).await.unwrap(),
            "0",
            "{table}"
        );
    }
    let account = "SELECT concat_ws(' ', name, admin, email_verified_at IS NOT NULL) FROM account";
    assert_eq!(auth.peek(account, []).await.unwrap(), "Ada Admin t t");
    let told = "SELECT concat_ws(' ', kind, detail) FROM security_event WHERE detail = 'ADMIN'";
    assert_eq!(auth.peek(told, []).await.unwrap(), "ROLE_CHANGED ADMIN");

    let token = link.strip_prefix(&format!("{PUBLIC_URL}/reset-password?token=")).unwrap();
    auth.reset(token, "my own password").await.unwrap();
    assert_eq!(auth.sign_in(BOSS, "my own password").await.unwrap().role, "ADMIN");
}

#[tokio::test]
async fn production_makes_no_admin_with_the_keys_of_a_developers_machine() {
    let auth = Auth::start().await;
    let Config { mut service, .. } = config(&auth.database);
    service.environment = Environment::Production;
    let config = Config { service, ..config(&auth.database) };
    let admin = CreateAdmin { email: Email::parse(BOSS).unwrap(), name: None };
    let refused = create_admin(&config, admin, CancellationToken::new()).await.unwrap_err();
    assert!(refused.to_string().contains("SESSION_KEY"), "{refused:#}");
    assert_eq!(auth.peek("SELECT count(*)::text FROM account", []).await.unwrap(), "0");
}
