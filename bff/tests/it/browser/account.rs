//! Accounts of people who are not signed in.

use core::time::Duration;

use caller::{Actor, Method as Rpc};
use http::StatusCode;
use prost::Message;
use proto::{
    error::{Reason, refuse, retry_later},
    frontdesk::auth::{
        internal::v1::{
            DiagnoseUserResponse, ForgotPasswordRequest, GetInvitationRequest, GetInvitationResponse,
            RegisterRequest, registration_service_methods as methods,
        },
        v1::{VerifyEmailRequest, account_service_methods::VERIFY_EMAIL},
    },
};
use serde_json::{Value, json};

use super::stage::{ANA, ANAS_SESSION, Stage, Visitor};

async fn stranger(stage: &Stage) -> Visitor {
    let mut browser = stage.stranger();
    browser.get("/").await;
    browser
}

/// What the last call of `method` said.
fn sent<T: Message + Default>(stage: &Stage, method: &Rpc) -> T {
    let called = stage.services.last();
    assert_eq!(called.path, method.path);
    T::decode(called.message).unwrap()
}

#[tokio::test]
async fn registering_hands_on_what_was_typed_and_says_what_comes_next() {
    let stage = Stage::open().await;
    let mut browser = stranger(&stage).await;
    let mut body = json!({ "name": "Mia", "email": "mia@demo.test", "password": "a long password" });
    let answer = browser.post("/api/auth/register/employee", &body).await;
    let told = "We have sent you an e-mail. Open the link in it to confirm your address.";
    assert_eq!((answer.status, answer.json()), (StatusCode::OK, json!({ "message": told })));
    let request: RegisterRequest = sent(&stage, &methods::REGISTER);
    assert_eq!((request.name.as_str(), request.email.as_str()), ("Mia", "mia@demo.test"));
    assert_eq!((request.password.as_str(), request.invitation.as_str()), ("a long password", ""));
    assert_eq!(request.client.unwrap().address, "127.0.0.1");
    body["invitation"] = json!("from the mail");
    let answer = browser.post("/api/auth/register/employee", &body).await;
    assert_eq!(answer.json(), json!({ "message": "Your account is ready. You can sign in now." }));
    assert_eq!(sent::<RegisterRequest>(&stage, &methods::REGISTER).invitation, "from the mail");
    assert!(!browser.cookies.contains_key("__Host-refresh"), "registering opens no session");
}

#[tokio::test]
async fn an_invitation_is_read_without_its_token_in_an_address() {
    let stage = Stage::open().await;
    let invitation = GetInvitationResponse {
        email: "mia@demo.test".to_owned(),
        business_name: "Willow & Co".to_owned(),
        role: "EMPLOYEE".to_owned(),
        has_account: false,
    };
    stage.services.reply(&methods::GET_INVITATION, &invitation);
    let mut browser = stranger(&stage).await;
    let answer = browser.post("/api/auth/invitation", &json!({ "invitation": "from the mail" })).await;
    let expected = json!({
        "email": "mia@demo.test", "businessName": "Willow & Co", "role": "EMPLOYEE", "hasAccount": false,
    });
    assert_eq!(answer.json(), expected);
    let request: GetInvitationRequest = sent(&stage, &methods::GET_INVITATION);
    assert_eq!(request.invitation, "from the mail");
    assert_eq!(browser.get("/api/auth/invitation?invitation=x").await.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn a_link_is_asked_for_in_the_same_words_for_everybody() {
    let stage = Stage::open().await;
    let mut browser = stranger(&stage).await;
    let told = "If there is an account with this e-mail, we have sent it a link to set a new password.";
    let answer = browser.post("/api/auth/forgot-password", &json!({ "email": "mia@demo.test" })).await;
    assert_eq!(answer.json(), json!({ "message": told }));
    let request: ForgotPasswordRequest = sent(&stage, &methods::FORGOT_PASSWORD);
    assert_eq!((request.email.as_str(), request.client.is_some()), ("mia@demo.test", true));
}

#[tokio::test]
async fn a_mailed_link_proves_an_address_in_the_name_of_who_is_signed_in() {
    let stage = Stage::open().await;
    let mut ana = stage.ana().await;
    let answer = ana.post("/api/auth/verify-email", &json!({ "token": "mailed" })).await;
    assert_eq!((answer.status, answer.json()), (StatusCode::OK, json!({})));
    assert_eq!(sent::<VerifyEmailRequest>(&stage, &VERIFY_EMAIL).token, "mailed");
    assert_eq!(stage.services.last().actor, Some(Actor::Person { user: ANA, session: ANAS_SESSION }));
    let refused = refuse(Reason::WrongAccount, "This link belongs to another account.");
    stage.services.refuse(&VERIFY_EMAIL, refused);
    let answer = ana.post("/api/auth/verify-email", &json!({ "token": "another's" })).await;
    assert_eq!((answer.status, answer.reason().as_str()), (StatusCode::FORBIDDEN, "WRONG_ACCOUNT"));
}

#[tokio::test]
async fn a_mailed_link_proves_nothing_for_who_is_not_signed_in() {
    let stage = Stage::open().await;
    let mut browser = stranger(&stage).await;
    let answer = browser.post("/api/auth/verify-email", &json!({ "token": "mailed" })).await;
    assert_eq!((answer.status, answer.reason().as_str()), (StatusCode::UNAUTHORIZED, "UNAUTHENTICATED"));
    assert_eq!(stage.services.overheard(), Vec::<String>::new());
}

#[tokio::test]
async fn a_developer_is_told_what_auth_knows() {
    let stage = Stage::open().await;
    let message = "There is no account with this address.".to_owned();
    stage.services.reply(&methods::DIAGNOSE_USER, &DiagnoseUserResponse { message: message.clone() });
    let mut browser = stranger(&stage).await;
    let answer = browser.post("/api/auth/diagnose-user", &json!({ "email": "mia@demo.test" })).await;
    assert_eq!(answer.json(), json!({ "message": message }));
}

#[tokio::test]
async fn refusals_of_auth_arrive_as_they_are_said() {
    let stage = Stage::open().await;
    let mut browser = stranger(&stage).await;
    let spent = refuse(Reason::TokenSpent, "The link has been used or has expired");
    stage.services.refuse(&methods::GET_INVITATION, spent);
    let answer = browser.post("/api/auth/invitation", &json!({ "invitation": "old" })).await;
    assert_eq!((answer.status, answer.reason().as_str()), (StatusCode::UNAUTHORIZED, "TOKEN_SPENT"));
    let blocked = retry_later(Reason::Blocked, "Try again at 12:00", Duration::from_secs(300));
    stage.services.refuse(&methods::FORGOT_PASSWORD, blocked);
    let answer = browser.post("/api/auth/forgot-password", &json!({ "email": "mia@demo.test" })).await;
    assert_eq!((answer.status, answer.reason().as_str()), (StatusCode::TOO_MANY_REQUESTS, "BLOCKED"));
    assert_eq!(
        (answer.header("retry-after"), &answer.json()["message"]),
        ("300", &json!("Try again at 12:00"))
    );
}

#[tokio::test]
async fn a_body_with_more_or_less_than_is_asked_for_is_refused() {
    let stage = Stage::open().await;
    let mut browser = stranger(&stage).await;
    let person = json!({ "name": "Mia", "email": "mia@demo.test", "password": "a long password" });
    for (path, right) in [
        ("/api/auth/login", json!({ "email": "mia@demo.test", "password": "x" })),
        ("/api/auth/register/employee", person),
        ("/api/auth/invitation", json!({ "invitation": "x" })),
        ("/api/auth/forgot-password", json!({ "email": "mia@demo.test" })),
        ("/api/auth/reset-password", json!({ "token": "x", "newPassword": "a long password" })),
        ("/api/auth/diagnose-user", json!({ "email": "mia@demo.test" })),
    ] {
        for more in ["role", "businessIds", "admin", "client"] {
            let mut body = right.clone();
            body[more] = json!("OWNER");
            let answer = browser.post(path, &body).await;
            let refused = (StatusCode::BAD_REQUEST, vec![more.to_owned()]);
            assert_eq!((answer.status, answer.fields()), refused, "{path}: {}", answer.text);
        }
        for body in [json!({}), json!([]), Value::Null] {
            assert_eq!(browser.post(path, &body).await.status, StatusCode::BAD_REQUEST, "{path} {body}");
        }
    }
    assert_eq!(stage.services.overheard(), Vec::<String>::new());
}
