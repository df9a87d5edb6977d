//! Consent and tokens (RFC 6749, 7636, 7009), as Google gives them to a web server's application.

use std::collections::{BTreeMap, BTreeSet};

use axum::{
    Form, Json, Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::post,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use sha2::{Digest, Sha256};
use url::Url;

use crate::{Client, GoogleFake, random};

const ACCESS_LIFE: i64 = 3_599;

/// Who may do what.
#[derive(Debug)]
pub(crate) struct Authority {
    client: Client,
    pub(crate) accounts: Vec<String>,
    codes: BTreeMap<String, Code>,
    grants: Vec<Grant>,
    pub(crate) access: BTreeMap<String, (usize, Timestamp)>,
    pub(crate) rotates: bool,
    pub(crate) refreshed: usize,
    pub(crate) reused: usize,
    /// Revocations that are answered 503 next.
    pub(crate) unrevoked: usize,
}

#[derive(Debug)]
struct Code {
    account: String,
    scopes: BTreeSet<String>,
    redirect_uri: String,
    challenge: String,
    offline: bool,
}

#[derive(Debug)]
struct Grant {
    account: String,
    scopes: BTreeSet<String>,
    refresh: Option<String>,
    spent: BTreeSet<String>,
    is_revoked: bool,
}

/// What the token endpoint refuses: its error code.
type Refused = (StatusCode, &'static str);
const INVALID_GRANT: Refused = (StatusCode::BAD_REQUEST, "invalid_grant");
const INVALID_CLIENT: Refused = (StatusCode::UNAUTHORIZED, "invalid_client");

impl Authority {
    pub(crate) fn new(client: Client, accounts: &[&str]) -> Self {
        Self {
            client,
            accounts: accounts.iter().map(|account| (*account).to_owned()).collect(),
            codes: BTreeMap::new(),
            grants: vec![],
            access: BTreeMap::new(),
            rotates: false,
            refreshed: 0,
            reused: 0,
            unrevoked: 0,
        }
    }

    /// Where the browser is led once a person has answered. What is wrong with a question is shown there and leads
    /// nowhere.
    pub(crate) fn answer(
        &mut self,
        question: &Url,
        account: &str,
        allowed: Option<&[&str]>,
    ) -> Result<Url, String> {
        let asked: BTreeMap<String, String> = question.query_pairs().into_owned().collect();
        let (mut back, scopes) = self.check(&asked)?;
        let state = asked.get("state").cloned().unwrap_or_default();
        let Some(allowed) = allowed else {
            back.query_pairs_mut().extend_pairs([("error", "access_denied"), ("state", &state)]);
            return Ok(back);
        };
        let scopes: BTreeSet<String> =
            scopes.into_iter().filter(|scope| allowed.contains(&scope.as_str())).collect();
        let code = format!("4/{}", random());
        back.query_pairs_mut().extend_pairs([
            ("state", state.as_str()),
            ("code", &code),
            ("scope", &scopes.iter().cloned().collect::<Vec<_>>().join(" ")),
        ]);
        let code_of = Code {
            account: account.to_owned(),
            scopes,
            redirect_uri: asked["redirect_uri"].clone(),
            challenge: asked["code_challenge"].clone(),
            offline: asked.get("access_type").is_some_and(|kind| kind == "offline")
                && (asked.get("prompt").is_some_and(|prompt| prompt == "consent")
                    || !self.grants.iter().any(|grant| grant.account == account && !grant.is_revoked)),
        };
        self.codes.insert(code, code_of);
        Ok(back)
    }

    /// A question's address to lead back to, and what it asks for.
    pub(crate) fn check(&self, asked: &BTreeMap<String, String>) -> Result<(Url, Vec<String>), String> {
        let value = |name: &str| asked.get(name).map(String::as_str).unwrap_or_default();
        if value("client_id") != self.client.id {
            return Err("invalid_client: the OAuth client was not found".to_owned());
        }
        if !self.client.redirect_uris.iter().any(|uri| uri == value("redirect_uri")) {
            return Err("redirect_uri_mismatch".to_owned());
        }
        if value("response_type") != "code" || value("scope").is_empty() {
            return Err("invalid_request".to_owned());
        }
        if value("code_challenge_method") != "S256" || value("code_challenge").len() != 43 {
            return Err("invalid_request: code_challenge".to_owned());
        }
        let back = Url::parse(value("redirect_uri")).map_err(|error| error.to_string())?;
        Ok((back, value("scope").split(' ').map(str::to_owned).collect()))
    }

    /// The account that an access token opens, and what for.
    pub(crate) fn opened(&self, token: &str, now: Timestamp) -> Option<(&str, &BTreeSet<String>)> {
        let (grant, expires_at) = self.access.get(token)?;
        let grant = self.grants.get(*grant).filter(|grant| !grant.is_revoked && *expires_at > now)?;
        Some((&grant.account, &grant.scopes))
    }

    pub(crate) fn honours(&self, account: &str) -> bool {
        self.grants.iter().any(|grant| grant.account == account && !grant.is_revoked)
    }

    pub(crate) fn revoke_account(&mut self, account: &str) {
        self.grants.iter_mut().filter(|grant| grant.account == account).for_each(|it| it.is_revoked = true);
    }

    fn token(
        &mut self,
        form: &BTreeMap<String, String>,
        now: Timestamp,
    ) -> Result<serde_json::Value, Refused> {
        let value = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
        if value("client_id") != self.client.id || value("client_secret") != self.client.secret {
            return Err(INVALID_CLIENT);
        }
        let grant = match value("grant_type") {
            "authorization_code" => {
                // A code is good once, whatever becomes of it.
                let code = self.codes.remove(value("code")).ok_or(INVALID_GRANT)?;
                let proof = URL_SAFE_NO_PAD.encode(Sha256::digest(value("code_verifier")));
                if code.redirect_uri != value("redirect_uri") || code.challenge != proof {
                    return Err(INVALID_GRANT);
                }
                self.grants.push(Grant {
                    account: code.account,
                    scopes: code.scopes,
                    refresh: code.offline.then(|| format!("1//{}", random())),
                    spent: BTreeSet::new(),
                    is_revoked: false,
                });
                self.grants.len() - 1
            }
            "refresh_token" => self.spend(value("refresh_token"))?,
            _ => return Err((StatusCode::BAD_REQUEST, "unsupported_grant_type")),
        };
        let access = format!("ya29.{}", random());
        self.access.insert(access.clone(), (grant, now + SignedDuration::from_secs(ACCESS_LIFE)));
        let given = &self.grants[grant];
        let mut answer = json!({
            "access_token": access,
            "expires_in": ACCESS_LIFE,
            "scope": given.scopes.iter().cloned().collect::<Vec<_>>().join(" "),
            "token_type": "Bearer",
        });
        if let Some(refresh) = &given.refresh
            && (value("grant_type") == "authorization_code" || self.rotates)
        {
            answer["refresh_token"] = json!(refresh);
        }
        Ok(answer)
    }

    fn spend(&mut self, refresh: &str) -> Result<usize, Refused> {
        if let Some(grant) = self.grants.iter_mut().find(|grant| grant.spent.contains(refresh)) {
            // One that was spent before may be stolen.
            grant.is_revoked = true;
            self.reused += 1;
            return Err(INVALID_GRANT);
        }
        let known = self.grants.iter().position(|grant| grant.refresh.as_deref() == Some(refresh));
        let index = known.ok_or(INVALID_GRANT)?;
        let grant = &mut self.grants[index];
        if grant.is_revoked {
            return Err(INVALID_GRANT);
        }
        self.refreshed += 1;
        if self.rotates {
            grant.spent.insert(refresh.to_owned());
            grant.refresh = Some(format!("1//{}", random()));
        }
        Ok(index)
    }

    fn revoke(&mut self, token: &str, now: Timestamp) -> bool {
        let of_access =
            self.access.get(token).filter(|(_, expires_at)| *expires_at > now).map(|(grant, _)| *grant);
        let index = of_access
            .or_else(|| self.grants.iter().position(|grant| grant.refresh.as_deref() == Some(token)));
        let grant = index.and_then(|index| self.grants.get_mut(index)).filter(|grant| !grant.is_revoked);
        grant.map(|grant| grant.is_revoked = true).is_some()
    }
}

pub(crate) fn routes() -> Router<GoogleFake> {
    Router::new().route("/token", post(token)).route("/revoke", post(revoke))
}

/// The extractor refuses what is not a form.
async fn token(State(google): State<GoogleFake>, Form(form): Form<BTreeMap<String, String>>) -> Response {
    let now = google.clock.now();
    let given = google.lock().authority.token(&form, now);
    let _open = google.gate.read().await;
    match given {
        Ok(answer) => Json(answer).into_response(),
        Err((status, error)) => (status, Json(json!({ "error": error }))).into_response(),
    }
}

async fn revoke(State(google): State<GoogleFake>, Form(form): Form<BTreeMap<String, String>>) -> Response {
    let token = form.get("token").map(String::as_str).unwrap_or_default();
    let now = google.clock.now();
    let authority = &mut google.lock().authority;
    if authority.unrevoked > 0 {
        authority.unrevoked -= 1;
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    if authority.revoke(token, now) {
        StatusCode::OK.into_response()
    } else {
        (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_token" }))).into_response()
    }
}
