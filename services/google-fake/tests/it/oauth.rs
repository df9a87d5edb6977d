use google_fake::{EVENTS, LIST};
use jiff::SignedDuration;
use reqwest::StatusCode;

use crate::{BACK, Google, MIA};

#[tokio::test]
async fn a_code_is_exchanged_once_by_its_client_with_its_proof() {
    let google = Google::open().await;
    let question = Google::question(&[]);
    let back = google.fake.answer(&question, MIA, Some(&[LIST, EVENTS])).unwrap();
    assert!(back.as_str().starts_with(BACK));
    assert!(back.query_pairs().any(|(name, value)| name == "state" && value == "4711"));
    let code = google.code(&question, &[LIST, EVENTS]);
    let (status, tokens) = google.exchange(&code).await;
    assert_eq!((status, tokens["token_type"].as_str()), (StatusCode::OK, Some("Bearer")));
    assert!(tokens["refresh_token"].is_string() && tokens["expires_in"] == 3_599);
    assert_eq!(google.exchange(&code).await.1["error"], "invalid_grant");
    for (name, wrong) in [("code_verifier", "x"), ("redirect_uri", "https://elsewhere.example.com/")] {
        let code = google.code(&question, &[LIST, EVENTS]);
        let asked = [
            ("grant_type", "authorization_code"),
            ("code", code.as_str()),
            ("redirect_uri", if name == "redirect_uri" { wrong } else { BACK }),
            ("code_verifier", if name == "code_verifier" { wrong } else { crate::VERIFIER }),
        ];
        assert_eq!(google.token(&asked).await.1["error"], "invalid_grant", "{name}");
    }
    let (status, answer) = google.token(&[("client_secret", "wrong"), ("grant_type", "refresh_token")]).await;
    assert_eq!((status, &answer["error"]), (StatusCode::UNAUTHORIZED, &"invalid_client".into()));
}

#[tokio::test]
async fn a_question_that_is_not_as_it_should_be_is_not_asked() {
    let google = Google::open().await;
    for wrong in [
        ("client_id", "other"),
        ("redirect_uri", "https://elsewhere.example.com/"),
        ("response_type", "token"),
        ("scope", ""),
        ("code_challenge_method", "plain"),
        ("code_challenge", "short"),
    ] {
        assert!(google.fake.answer(&Google::question(&[wrong]), MIA, None).is_err(), "{wrong:?}");
    }
    let denied = google.fake.answer(&Google::question(&[]), MIA, None).unwrap();
    let given: Vec<String> = denied.query_pairs().map(|(name, _)| name.into_owned()).collect();
    assert_eq!(given, ["error", "state"]);
}

#[tokio::test]
async fn a_refresh_token_comes_with_offline_access_and_consent_alone() {
    let google = Google::open().await;
    let refresh = async |changed: &[(&str, &str)]| {
        let code = google.code(&Google::question(changed), &[LIST]);
        google.exchange(&code).await.1["refresh_token"].is_string()
    };
    assert!(refresh(&[("prompt", "none")]).await, "the first consent");
    assert!(!refresh(&[("prompt", "none")]).await);
    assert!(!refresh(&[("access_type", "online")]).await);
    assert!(refresh(&[]).await);
}

#[tokio::test]
async fn access_expires_and_ends_with_the_consent() {
    let google = Google::open().await;
    let (_, tokens) = google.exchange(&google.code(&Google::question(&[]), &[LIST, EVENTS])).await;
    let text = |name: &str| tokens[name].as_str().unwrap().to_owned();
    let (access, refresh) = (text("access_token"), text("refresh_token"));
    let list = "users/me/calendarList";
    assert_eq!(google.get(&access, list).await.0, StatusCode::OK);
    assert_eq!(google.get("ya29.made-up", list).await.0, StatusCode::UNAUTHORIZED);
    google.time.advance(SignedDuration::from_secs(3_600));
    assert_eq!(google.get(&access, list).await.0, StatusCode::UNAUTHORIZED);
    let (_, fresh) = google.refresh(&refresh).await;
    assert!(fresh["refresh_token"].is_null());
    let access = fresh["access_token"].as_str().unwrap();
    assert_eq!(google.get(access, list).await.0, StatusCode::OK);
    assert_eq!(google.revoke(&refresh).await, StatusCode::OK);
    assert_eq!(google.revoke(&refresh).await, StatusCode::BAD_REQUEST);
    assert_eq!(google.get(access, list).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(google.refresh(&refresh).await.1["error"], "invalid_grant");
}

#[tokio::test]
async fn a_rotated_refresh_token_that_is_spent_again_ends_the_consent() {
    let google = Google::open().await;
    google.fake.rotate();
    let (_, tokens) = google.exchange(&google.code(&Google::question(&[]), &[LIST])).await;
    let first = tokens["refresh_token"].as_str().unwrap().to_owned();
    let second = google.refresh(&first).await.1["refresh_token"].as_str().unwrap().to_owned();
    assert_eq!(google.refresh(&first).await.1["error"], "invalid_grant");
    assert_eq!(google.refresh(&second).await.1["error"], "invalid_grant");
    assert_eq!(google.fake.refreshes(), (1, 1));
}

#[tokio::test]
async fn a_scope_that_was_not_allowed_is_refused() {
    let google = Google::open().await;
    let (_, tokens) = google.exchange(&google.code(&Google::question(&[]), &[LIST])).await;
    assert_eq!(tokens["scope"], LIST);
    let access = tokens["access_token"].as_str().unwrap();
    let (status, body) = google.get(access, "calendars/primary/events").await;
    assert_eq!((status, crate::reason(&body)), (StatusCode::FORBIDDEN, "insufficientPermissions"));
}
