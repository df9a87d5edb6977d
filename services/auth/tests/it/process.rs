//! The binary, as an operator runs it.

use std::process::Output;

use proto::frontdesk::auth::internal::v1::ResetPasswordRequest;
use tokio::process::Command;

use crate::fixture::{Auth, PUBLIC_URL, config};

async fn run(auth: &Auth, arguments: &[&str]) -> Output {
    let config = config(&auth.database);
    Command::new(env!("CARGO_BIN_EXE_auth"))
        .args(arguments)
        .env_clear()
        .env("LISTEN", "127.0.0.1:0")
        .env("DATABASE_URL", config.service.database_url.expose())
        .env("MIGRATION_URL", config.service.migration_url.expose())
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
    let token = printed.trim_end().strip_prefix("https://desk.test/reset-password?token=").unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains(token), "the token stays out of the logs");

    auth.time.set(boot::clock::Clock::system().now());
    let message =
        ResetPasswordRequest { token: token.to_owned(), new_password: "my own password".to_owned() };
    auth.sessions().reset_password(auth.door(message)).await.unwrap();
    assert_eq!(auth.sign_in("ada@demo.test", "my own password").await.unwrap().role, "ADMIN");
    assert_eq!(auth.peek("SELECT name FROM account", []).await.unwrap(), "ada");
}

#[tokio::test]
async fn create_admin_refuses_what_is_no_e_mail() {
    let auth = Auth::start().await;
    let output = run(&auth, &["create-admin", "--email", "ada"]).await;
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not an e-mail address"));
    assert_eq!(auth.peek("SELECT count(*)::text FROM account", []).await.unwrap(), "0");
}
