//! Identities that a signed-in person connects and disconnects.

use proto::{
    error::Reason,
    frontdesk::auth::{
        internal::v1::Tokens,
        v1::{ConnectIdentityRequest, DisconnectIdentityRequest, Identity, ListIdentitiesRequest},
    },
};
use tonic::Status;

use super::{PAGE, PageFlow, Person, Scene};
use crate::fixture::{EMAIL, PASSWORD, claims, fields, reason};

impl Scene {
    async fn connect(&self, tokens: &Tokens, person: Person) -> Result<Identity, Status> {
        self.connect_with(tokens, &self.agreed(person), PASSWORD).await
    }

    async fn connect_with(
        &self,
        tokens: &Tokens,
        flow: &PageFlow,
        password: &str,
    ) -> Result<Identity, Status> {
        let message = ConnectIdentityRequest {
            code: flow.code.clone(),
            code_verifier: flow.verifier.clone(),
            redirect_uri: PAGE.to_owned(),
            current_password: password.to_owned(),
        };
        let answer = self.auth.accounts().connect_identity(self.auth.person(1, tokens, message)).await?;
        Ok(answer.into_inner().identity.unwrap())
    }

    async fn disconnect(&self, tokens: &Tokens, id: &str) -> Result<(), Status> {
        self.disconnect_with(tokens, id, PASSWORD).await
    }

    async fn disconnect_with(&self, tokens: &Tokens, id: &str, password: &str) -> Result<(), Status> {
        let message =
            DisconnectIdentityRequest { identity_id: id.to_owned(), current_password: password.to_owned() };
        self.auth.accounts().disconnect_identity(self.auth.person(1, tokens, message)).await.map(drop)
    }

    async fn identities(&self, tokens: &Tokens) -> Vec<Identity> {
        let request = self.auth.person(1, tokens, ListIdentitiesRequest {});
        self.auth.accounts().list_identities(request).await.unwrap().into_inner().identities
    }

    /// The owner, signed in with their password.
    async fn owner() -> (Self, Tokens) {
        let scene = Self::open().await;
        scene.auth.add(1, EMAIL).await;
        let tokens = scene.auth.sign_in(EMAIL, PASSWORD).await.unwrap();
        (scene, tokens)
    }
}

#[tokio::test]
async fn a_connected_identity_signs_its_person_in_under_any_e_mail() {
    let (scene, tokens) = Scene::owner().await;
    let connected = scene.connect(&tokens, Person::new("1", "private@mail.test")).await.unwrap();
    assert_eq!((connected.provider.as_str(), connected.email.as_str()), ("google", "private@mail.test"));
    assert_eq!(connected.connected_at.unwrap().seconds, scene.seconds());
    assert_eq!(scene.identities(&tokens).await.len(), 1);
    let by_google = scene.sign_in(Person::new("1", "private@mail.test")).await.unwrap();
    let claims = claims(&by_google.access_token, &scene.auth.jwks().await);
    assert_eq!(claims["email"], EMAIL);
    assert!(scene.auth.kinds(1).await.contains("IDENTITY_CONNECTED"));
}

#[tokio::test]
async fn connecting_the_same_identity_again_changes_nothing() {
    let (scene, tokens) = Scene::owner().await;
    let first = scene.connect(&tokens, Person::new("1", "private@mail.test")).await.unwrap();
    let second = scene.connect(&tokens, Person::new("1", "private@mail.test")).await.unwrap();
    assert_eq!((first.id, scene.identities(&tokens).await.len()), (second.id, 1));
}

#[tokio::test]
async fn another_persons_identity_is_not_taken_from_them() {
    let (scene, tokens) = Scene::owner().await;
    scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap();
    let refused = scene.connect(&tokens, Person::new("1", "nora@demo.test")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::AlreadyExists);
    assert_eq!(scene.identities(&tokens).await, []);
}

#[tokio::test]
async fn a_disconnected_identity_no_longer_signs_in() {
    let (scene, tokens) = Scene::owner().await;
    let id = scene.connect(&tokens, Person::new("1", EMAIL)).await.unwrap().id;
    scene.disconnect(&tokens, &id).await.unwrap();
    assert_eq!(scene.identities(&tokens).await, []);
    let refused = scene.sign_in(Person::new("1", EMAIL)).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::AccountExists);
    assert_eq!(reason(&scene.disconnect(&tokens, &id).await.unwrap_err()), Reason::NotFound);
    assert!(scene.auth.kinds(1).await.contains("IDENTITY_DISCONNECTED"));
}

#[tokio::test]
async fn the_last_way_to_sign_in_stays_even_when_two_go_at_once() {
    let (scene, tokens) = Scene::owner().await;
    let first = scene.connect(&tokens, Person::new("1", "one@mail.test")).await.unwrap().id;
    let second = scene.connect(&tokens, Person::new("2", "two@mail.test")).await.unwrap().id;
    scene.auth.peek("UPDATE account SET password_hash = NULL RETURNING email", []).await;
    let outcomes = futures::future::join(
        scene.disconnect_with(&tokens, &first, ""),
        scene.disconnect_with(&tokens, &second, ""),
    )
    .await;
    let refused = match outcomes {
        (Ok(()), Err(refused)) | (Err(refused), Ok(())) => refused,
        both => panic!("{both:?}"),
    };
    assert_eq!(reason(&refused), Reason::LastOne);
    assert_eq!(scene.identities(&tokens).await.len(), 1);
}

#[tokio::test]
async fn an_identity_is_named_by_its_id_and_another_persons_is_none() {
    let (scene, tokens) = Scene::owner().await;
    assert_eq!(fields(&scene.disconnect(&tokens, "mine").await.unwrap_err()), ["identity_id"]);
    scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap();
    let others = scene.auth.peek("SELECT id::text FROM identity", []).await.unwrap();
    assert_eq!(reason(&scene.disconnect(&tokens, &others).await.unwrap_err()), Reason::NotFound);
}

#[tokio::test]
async fn identities_change_only_with_the_password_and_a_code_outlives_a_typo() {
    let (scene, tokens) = Scene::owner().await;
    let flow = scene.agreed(Person::new("1", "private@mail.test"));
    for wrong in ["", "incorrect horse"] {
        let refused = scene.connect_with(&tokens, &flow, wrong).await.unwrap_err();
        assert_eq!(fields(&refused), ["current_password"]);
    }
    assert_eq!(scene.identities(&tokens).await, []);
    let id = scene.connect_with(&tokens, &flow, PASSWORD).await.unwrap().id;
    for wrong in ["", "incorrect horse"] {
        let refused = scene.disconnect_with(&tokens, &id, wrong).await.unwrap_err();
        assert_eq!(fields(&refused), ["current_password"]);
    }
    assert_eq!(scene.identities(&tokens).await.len(), 1);
}

#[tokio::test]
async fn who_has_no_password_shows_none_and_every_change_of_the_ways_in_is_mailed_once() {
    let (scene, tokens) = Scene::owner().await;
    scene.auth.peek("UPDATE account SET password_hash = NULL RETURNING email", []).await;
    let one = Person::new("1", "one@mail.test");
    let two = Person::new("2", "two@mail.test");
    let first = scene.connect_with(&tokens, &scene.agreed(one), "").await.unwrap().id;
    scene.connect_with(&tokens, &scene.agreed(two), "").await.unwrap();
    let again = Person::new("2", "two@mail.test");
    scene.connect_with(&tokens, &scene.agreed(again), "").await.unwrap();
    scene.disconnect_with(&tokens, &first, "").await.unwrap();
    let told: Vec<_> = scene.auth.mails().await.into_iter().map(|[to, subject, _]| (to, subject)).collect();
    let expected =
        ["A Google account was connected"; 2].into_iter().chain(["A Google account was disconnected"]);
    let expected: Vec<_> = expected.map(|subject| (EMAIL.to_owned(), subject.to_owned())).collect();
    assert_eq!(told, expected);
    assert!(scene.auth.mail_to(EMAIL).await[1].contains("one@mail.test"));
}
