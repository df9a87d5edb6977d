//! The binary, as an operator runs it.

use core::time::Duration;
use std::process::Output;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use caller::{BusinessId, Keyring};
use clap::ValueEnum;
use proto::frontdesk::auth::internal::v1::ResetPasswordRequest;
use tokio::{process::Command, time::timeout};
use uuid::Uuid;

use crate::fixture::{Auth, PUBLIC_URL, config};

const DEMO: BusinessId = BusinessId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001));
const PATIENCE: Duration = Duration::from_secs(60);

/// As the environment spells what stands before the database.
fn pooler(auth: &Auth) -> String {
    let (_, pooler) = auth.database.reached();
    pooler.to_possible_value().unwrap().get_name().to_owned()
}

async fn run(auth: &Auth, arguments: &[&str]) -> Output {
    let config = config(&auth.database);
    Command::new(env!("CARGO_BIN_EXE_auth"))
        .args(arguments)
        .env_clear()
        .env("LISTEN", "127.0.0.1:0")
        .env("ENVIRONMENT", "test")
        .env("DATABASE_URL", config.service.database_url.expose())
        .env("DATABASE_POOLER", pooler(auth))
        .env("MIGRATION_URL", &auth.database.migration_url)
        .env("PASSPORT_KEYS", &config.service.passport_keys)
        .env("SESSION_KEY", config.session_key.expose())
        .env("SEALING_KEY", config.sealing_key.expose())
        .env("PUBLIC_URL", PUBLIC_URL)
        .output()
        .await
        .unwrap()
}

#[tokio::test]
async fn create_admin_prints_nothing_but_a_link_that_works() {
    let auth = Auth::start().await;
    let output = run(&auth, &["create-admin", "--email", "ada@demo.test"]).await;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let asked = printed.trim_end().strip_suffix("&name=ask").expect("its page asks for a name");
    let token = asked.strip_prefix("https://desk.test/reset-password?token=").unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains(token), "the token stays out of the logs");

    auth.time.set(boot::clock::Clock::system().now());
    let message = ResetPasswordRequest {
        token: token.to_owned(),
        new_password: "my own password".to_owned(),
        client: None,
        name: " Ada Admin ".to_owned(),
    };
    auth.sessions().reset_password(auth.door(message)).await.unwrap();
    assert_eq!(auth.sign_in("ada@demo.test", "my own password").await.unwrap().role, "ADMIN");
    assert_eq!(auth.peek("SELECT name FROM account", []).await.unwrap(), "Ada Admin");
}

#[tokio::test]
async fn production_does_not_serve_the_accounts_of_a_demo() {
    let auth = Auth::start().await;
    let person = auth.add(1, "owner@demo.test").await;
    auth.set_role(person, DEMO, "OWNER").await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("auth.json");
    std::fs::write(&keys, &Keyring::generate(&[("auth", [9; 32])]).unwrap()[0].1).unwrap();
    let config = config(&auth.database);
    let served = Command::new(env!("CARGO_BIN_EXE_auth"))
        .env_clear()
        .env("LISTEN", "127.0.0.1:0")
        .env("MESH", "1")
        .env("DATABASE_URL", config.service.database_url.expose())
        .env("DATABASE_POOLER", pooler(&auth))
        .env("MIGRATION_URL", &auth.database.migration_url)
        .env("REDIS_URL", "redis://127.0.0.1:9")
        .env("PASSPORT_KEYS", &keys)
        .env("SESSION_KEY", B64.encode(boot::random::bytes::<32>()))
        .env("SEALING_KEY", B64.encode(boot::random::bytes::<32>()))
        .env("SMTP_URL", "smtps://mail.example.com")
        .env("MAIL_FROM", "Frontdesk <desk@example.com>")
        .env("PUBLIC_URL", PUBLIC_URL)
        .env("TENANCY_URL", "http://tenancy:7100")
        .kill_on_drop(true)
        .output();
    let output = timeout(PATIENCE, served).await.expect("it was served").unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("DATABASE_URL: this database holds the demo's accounts"), "{said}");
}

#[tokio::test]
async fn create_admin_refuses_what_is_no_e_mail() {
    let auth = Auth::start().await;
    let output = run(&auth, &["create-admin", "--email", "ada"]).await;
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not an e-mail address"));
    assert_eq!(auth.peek("SELECT count(*)::text FROM account", []).await.unwrap(), "0");
}
