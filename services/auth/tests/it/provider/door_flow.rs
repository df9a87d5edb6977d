//! The flow that the door drives.

use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::auth::{
        internal::v1::{BeginRedirectRequest, FinishRedirectRequest, RedeemHandoffRequest, Tokens},
        v1::SignOutEverywhereRequest,
    },
};
use testkit::as_person;
use tonic::Status;

use super::{DOOR, PAGE, Person, Scene, parameters};
use crate::fixture::{EMAIL, fields, reason};

/// A flow whose person has agreed.
struct Agreed {
    state: String,
    code: String,
    binding: String,
}

impl Scene {
    async fn begin(&self, redirect_uri: &str) -> Result<(String, String), Status> {
        let message = BeginRedirectRequest { redirect_uri: redirect_uri.to_owned() };
        let begun = self.providers().begin_redirect(self.auth.door(message)).await?.into_inner();
        Ok((begun.authorization_url, begun.binding))
    }

    async fn agree(&self, person: Person) -> Agreed {
        let (url, binding) = self.begin(DOOR).await.unwrap();
        assert!(url.starts_with(&format!("{}/authorize?", self.provider.issuer())), "{url}");
        let request = parameters(&url);
        let code =
            self.provider.authorise(&request, person, self.seconds()).expect("the request is in order");
        Agreed { state: request["state"].clone(), code, binding }
    }

    async fn finish(&self, Agreed { state, code, binding }: Agreed) -> Result<String, Status> {
        let message = FinishRedirectRequest { state, code, binding, client: None };
        Ok(self.providers().finish_redirect(self.auth.door(message)).await?.into_inner().handoff)
    }

    async fn redeem(&self, handoff: &str, binding: &str) -> Result<Tokens, Status> {
        let (handoff, binding) = (handoff.to_owned(), binding.to_owned());
        let message = RedeemHandoffRequest { handoff, binding, client: None };
        let answer = self.providers().redeem_handoff(self.auth.door(message)).await?;
        Ok(answer.into_inner().tokens.unwrap())
    }

    /// A handoff and the browser it is bound to.
    async fn handed_off(&self) -> (String, String) {
        let agreed = self.agree(Person::new("1", "nora@demo.test")).await;
        let binding = agreed.binding.clone();
        (self.finish(agreed).await.unwrap(), binding)
    }
}

fn nora() -> Person {
    Person::new("1", "nora@demo.test")
}

#[tokio::test]
async fn the_doors_flow_ends_in_a_session_for_the_browser_that_began_it() {
    let scene = Scene::open().await;
    let (handoff, binding) = scene.handed_off().await;
    assert_eq!(handoff.split('.').count(), 3);
    assert_eq!(scene.count("session").await, 0, "an address opens no session");
    let tokens = scene.redeem(&handoff, &binding).await.unwrap();
    assert_eq!(tokens.role, "GUEST");
    let again = scene.auth.refresh(&tokens.refresh_token).await.unwrap();
    assert_eq!(again.session_id, tokens.session_id);
}

#[tokio::test]
async fn a_flow_is_good_once_for_ten_minutes_in_one_browser() {
    let scene = Scene::open().await;
    let agreed = scene.agree(nora()).await;
    let Agreed { state, code, binding } = &agreed;
    let (state, code, binding) = (state.clone(), code.clone(), binding.clone());
    let stolen = Agreed { state: state.clone(), code: code.clone(), binding: "another browser".to_owned() };
    assert_eq!(reason(&scene.finish(stolen).await.unwrap_err()), Reason::TokenSpent);
    let unknown = Agreed { state: "unknown".to_owned(), code: code.clone(), binding: binding.clone() };
    assert_eq!(reason(&scene.finish(unknown).await.unwrap_err()), Reason::TokenSpent);
    scene.finish(agreed).await.unwrap();
    let replayed = Agreed { state, code, binding };
    assert_eq!(reason(&scene.finish(replayed).await.unwrap_err()), Reason::TokenSpent);
    let late = scene.agree(nora()).await;
    scene.auth.advance(SignedDuration::from_mins(10));
    assert_eq!(reason(&scene.finish(late).await.unwrap_err()), Reason::TokenSpent);
}

#[tokio::test]
async fn a_handoff_is_good_once_for_a_minute_in_one_browser() {
    let scene = Scene::open().await;
    let (handoff, binding) = scene.handed_off().await;
    for (handoff, binding) in [
        (handoff.as_str(), "another browser"),
        (handoff.as_str(), ""),
        ("a.b.c", binding.as_str()),
        (&handoff[..handoff.len() - 3], binding.as_str()),
    ] {
        let refused = scene.redeem(handoff, binding).await.unwrap_err();
        assert_eq!(reason(&refused), Reason::TokenSpent, "{handoff} {binding}");
    }
    scene.redeem(&handoff, &binding).await.unwrap();
    assert_eq!(reason(&scene.redeem(&handoff, &binding).await.unwrap_err()), Reason::TokenSpent);
    let (late, binding) = scene.handed_off().await;
    scene.auth.advance(SignedDuration::from_secs(60));
    assert_eq!(reason(&scene.redeem(&late, &binding).await.unwrap_err()), Reason::TokenSpent);
    assert_eq!(scene.count("session").await, 1);
}

#[tokio::test]
async fn a_handoff_redeemed_many_times_at_once_opens_one_session() {
    let scene = Scene::open().await;
    let (handoff, binding) = scene.handed_off().await;
    let attempts = (0..10).map(|_| scene.redeem(&handoff, &binding));
    let opened = futures::future::join_all(attempts).await.into_iter().filter(Result::is_ok).count();
    assert_eq!((opened, scene.count("session").await), (1, 1));
}

#[tokio::test]
async fn signing_out_everywhere_ends_the_handoffs_as_well() {
    let scene = Scene::open().await;
    let (handoff, binding) = scene.handed_off().await;
    let tokens = scene.redeem(&handoff, &binding).await.unwrap();
    let (pending, binding) = scene.handed_off().await;
    let nora = scene.auth.peek("SELECT id::text FROM account", []).await.unwrap();
    let (nora, session) = (nora.parse().unwrap(), tokens.session_id.parse().unwrap());
    let request = as_person(&scene.auth.host, nora, session, None, None, SignOutEverywhereRequest {});
    scene.auth.security().sign_out_everywhere(request).await.unwrap();
    assert_eq!(reason(&scene.redeem(&pending, &binding).await.unwrap_err()), Reason::TokenSpent);
}

#[tokio::test]
async fn an_access_token_is_no_handoff_and_a_handoff_no_access_token() {
    let scene = Scene::open().await;
    let (handoff, binding) = scene.handed_off().await;
    let tokens = scene.redeem(&handoff, &binding).await.unwrap();
    let refused = scene.redeem(&tokens.access_token, &binding).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::TokenSpent);
    let header = jsonwebtoken::decode_header(&handoff).unwrap();
    assert_eq!(header.typ.as_deref(), Some("handoff+jwt"));
}

#[tokio::test]
async fn what_the_database_keeps_of_flows_and_handoffs_opens_nothing() {
    let scene = Scene::open().await;
    let agreed = scene.agree(nora()).await;
    let kept = "SELECT row_to_json(provider_transaction)::text FROM provider_transaction";
    let kept = scene.auth.peek(kept, []).await.unwrap();
    assert!(!kept.contains(&agreed.state) && !kept.contains(&agreed.binding), "{kept}");
    let handoff = scene.finish(agreed).await.unwrap();
    assert_eq!(scene.count("provider_transaction").await, 0);
    let kept = scene.auth.peek("SELECT row_to_json(handoff)::text FROM handoff", []).await.unwrap();
    assert!(!kept.contains(handoff.split('.').nth(1).unwrap()), "{kept}");
}

#[tokio::test]
async fn unfinished_flows_are_deleted() {
    let scene = Scene::open().await;
    for _ in 0..5 {
        scene.begin(DOOR).await.unwrap();
    }
    scene.auth.advance(SignedDuration::from_mins(10));
    scene.begin("http://localhost:3000/oauth2/callback/google").await.unwrap();
    assert_eq!(scene.count("provider_transaction").await, 1);
}

#[tokio::test]
async fn the_provider_answers_to_addresses_of_ours_alone() {
    let scene = Scene::open().await;
    for address in ["https://evil.test/oauth2/callback/google", PAGE, "//evil.test", "/\\evil.test", ""] {
        assert_eq!(fields(&scene.begin(address).await.unwrap_err()), ["redirect_uri"], "{address}");
    }
}

#[tokio::test]
async fn the_doors_flow_joins_no_account_silently_either() {
    let scene = Scene::open().await;
    scene.auth.add(1, EMAIL).await;
    let agreed = scene.agree(Person::new("1", EMAIL)).await;
    assert_eq!(reason(&scene.finish(agreed).await.unwrap_err()), Reason::AccountExists);
    assert_eq!(scene.count("handoff").await, 0);
}
