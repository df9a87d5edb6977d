//! The fake against what Google documents: developers.google.com/workspace/calendar/api and
//! developers.google.com/identity/protocols/oauth2/web-server.

#![expect(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod events;
mod oauth;
mod push;

use boot::clock::{Clock, TestClock};
use google_fake::{Client, EVENTS, GoogleFake, LIST, Role};
use reqwest::{Method, StatusCode, Url};
use serde_json::{Value, json};

const MIA: &str = "mia@example.com";
const BACK: &str = "https://desk.example.com/onboarding/oauth-callback";
/// Of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

struct Google {
    fake: GoogleFake,
    time: TestClock,
    url: String,
    client: reqwest::Client,
}

impl Google {
    async fn open() -> Self {
        let (clock, time) = Clock::test("2026-06-01T08:00:00Z".parse().unwrap());
        let client = Client { id: "desk".into(), secret: "hunter2".into(), redirect_uris: vec![BACK.into()] };
        let fake = GoogleFake::new(client, &[MIA], clock);
        fake.add_calendar(MIA, "holidays", "Holidays", Role::Reader);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = fake.router();
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { fake, time, url, client: reqwest::Client::builder().no_proxy().build().unwrap() }
    }

    /// Where a person is asked, with some parameters changed.
    fn question(changed: &[(&str, &str)]) -> Url {
        let scope = format!("{LIST} {EVENTS}");
        let mut asked = vec![
            ("client_id", "desk"),
            ("redirect_uri", BACK),
            ("response_type", "code"),
            ("scope", &scope),
            ("state", "4711"),
            ("access_type", "offline"),
            ("prompt", "consent"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ];
        asked.retain(|(name, _)| !changed.iter().any(|(other, _)| other == name));
        asked.extend(changed);
        Url::parse_with_params("https://accounts.google.com/o/oauth2/v2/auth", asked).unwrap()
    }

    /// The code of a person who allows it.
    fn code(&self, question: &Url, scopes: &[&str]) -> String {
        let back = self.fake.answer(question, MIA, Some(scopes)).unwrap();
        back.query_pairs().find(|(name, _)| name == "code").unwrap().1.into_owned()
    }

    async fn token(&self, more: &[(&str, &str)]) -> (StatusCode, Value) {
        let form = [&[("client_id", "desk"), ("client_secret", "hunter2")], more].concat();
        let answer = self.client.post(format!("{}/token", self.url)).form(&form).send().await.unwrap();
        (answer.status(), answer.json().await.unwrap())
    }

    async fn exchange(&self, code: &str) -> (StatusCode, Value) {
        let more = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", BACK),
            ("code_verifier", VERIFIER),
        ];
        self.token(&more).await
    }

    async fn refresh(&self, token: &str) -> (StatusCode, Value) {
        self.token(&[("grant_type", "refresh_token"), ("refresh_token", token)]).await
    }

    async fn revoke(&self, token: &str) -> StatusCode {
        let asked = self.client.post(format!("{}/revoke", self.url)).form(&[("token", token)]);
        asked.send().await.unwrap().status()
    }

    /// An access token for both scopes.
    async fn access(&self) -> String {
        let (_, tokens) = self.exchange(&self.code(&Self::question(&[]), &[LIST, EVENTS])).await;
        tokens["access_token"].as_str().unwrap().to_owned()
    }

    async fn call(
        &self,
        token: &str,
        (method, path): (Method, &str),
        etag: Option<&str>,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let mut asked =
            self.client.request(method, format!("{}/calendar/v3/{path}", self.url)).bearer_auth(token);
        if let Some(etag) = etag {
            asked = asked.header("if-match", etag);
        }
        if let Some(body) = body {
            asked = asked.json(&body);
        }
        let answer = asked.send().await.unwrap();
        (answer.status(), serde_json::from_str(&answer.text().await.unwrap()).unwrap_or_default())
    }

    async fn get(&self, token: &str, path: &str) -> (StatusCode, Value) {
        self.call(token, (Method::GET, path), None, None).await
    }
}

fn event(hour: i64) -> Value {
    let at = |hour: i64| json!({ "dateTime": format!("2026-06-01T{hour:02}:00:00Z") });
    json!({ "summary": "Dentist", "start": at(hour), "end": at(hour + 1) })
}

fn reason(body: &Value) -> &str {
    body["error"]["errors"][0]["reason"].as_str().unwrap_or_default()
}
