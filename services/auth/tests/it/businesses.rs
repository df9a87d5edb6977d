//! Whether a business exists, where an ADMIN asks to be let in.

use std::sync::Arc;

use caller::{BusinessScope, InstallationScope};
use database::named;
use proto::{
    error::{Reason, refuse},
    frontdesk::{
        auth::internal::v1::{AdmitRequest, AdmitResponse, EnsureUserRequest},
        tenancy::v1::{
            Business, BusinessServiceAdapter, BusinessServiceHandler, CreateBusinessRequest,
            CreateBusinessResponse, GetBusinessRequest, GetBusinessResponse, ListBusinessSetupsRequest,
            ListBusinessSetupsResponse, ListBusinessesRequest, ListBusinessesResponse, UpdateBusinessRequest,
            UpdateBusinessResponse,
        },
    },
};
use testkit::as_service;
use tonic::{Status, async_trait, service::Routes};

use crate::fixture::{Auth, EMAIL, PASSWORD, business, config, reason, user};

/// Has the first business, whose event never arrives.
struct Tenancy;

#[async_trait]
impl BusinessServiceHandler for Tenancy {
    async fn get_business(
        &self,
        _: BusinessScope,
        request: GetBusinessRequest,
    ) -> Result<GetBusinessResponse, Status> {
        if request.business_id != business(1).to_string() {
            return Err(refuse(Reason::NotFound, "there is no such business"));
        }
        let brand_color = "#aa3300".to_owned();
        let business = Business { id: request.business_id, brand_color, ..Default::default() };
        Ok(GetBusinessResponse { business: Some(business) })
    }

    async fn list_businesses(
        &self,
        _: InstallationScope,
        _: ListBusinessesRequest,
    ) -> Result<ListBusinessesResponse, Status> {
        Err(Status::unimplemented("not asked for"))
    }

    async fn create_business(
        &self,
        _: InstallationScope,
        _: CreateBusinessRequest,
    ) -> Result<CreateBusinessResponse, Status> {
        Err(Status::unimplemented("not asked for"))
    }

    async fn update_business(
        &self,
        _: BusinessScope,
        _: UpdateBusinessRequest,
    ) -> Result<UpdateBusinessResponse, Status> {
        Err(Status::unimplemented("not asked for"))
    }

    async fn list_business_setups(
        &self,
        _: InstallationScope,
        _: ListBusinessSetupsRequest,
    ) -> Result<ListBusinessSetupsResponse, Status> {
        Err(Status::unimplemented("not asked for"))
    }
}

/// Serves it.
async fn tenancy(auth: &Auth) -> core::net::SocketAddr {
    let tenancy = testkit::host_on("tenancy", auth.host.clock.clone());
    let adapter = BusinessServiceAdapter::new(Arc::new(Tenancy), tenancy.gate.clone());
    testkit::serve(Routes::new(adapter.into_server()), &tenancy).await
}

#[tokio::test]
async fn marks_that_an_earlier_release_did_not_keep_are_asked_for_once() {
    let auth = Auth::start().await;
    for n in [1, 2] {
        let old =
            "INSERT INTO business_name (business_id, name, version) VALUES (:id, 'Willow', 7) RETURNING name";
        auth.peek(old, named! { id: business(n).0 }).await;
    }
    let marks = async || {
        let sql =
            "SELECT string_agg(concat_ws(' ', name, brand_color, version, marked), ', ' ORDER BY business_id)
            FROM business_name";
        auth.peek(sql, []).await.unwrap()
    };
    assert_eq!(marks().await, "Willow  7 f, Willow  7 f");
    let peer = testkit::peer("tenancy", tenancy(&auth).await, &auth.host);
    let config = config(&auth.database);
    let database = auth.database.connect(&auth.host).await;
    auth::learn_marks(peer, &config, database, &auth.host).unwrap().await;
    // The second one is gone, and has nothing to show.
    assert_eq!(marks().await, "Willow #aa3300 7 t, Willow  7 t");
}

#[tokio::test]
async fn an_admin_is_told_of_a_business_that_does_not_exist() {
    let auth = Auth::start().await;
    let message = EnsureUserRequest {
        user_id: user(1).to_string(),
        email: EMAIL.to_owned(),
        name: "Ada Admin".to_owned(),
        password: PASSWORD.to_owned(),
        admin: true,
    };
    auth.provisioning().ensure_user(as_service("local", &auth.host, None, message)).await.unwrap();
    let tokens = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    let address = tenancy(&auth).await;
    let config = auth::Config { tenancy_url: format!("http://{address}"), ..config(&auth.database) };
    let mut sessions = auth.replica(&config).await;
    let request = |n| AdmitRequest {
        session_id: tokens.session_id.clone(),
        user_id: user(1).to_string(),
        business_id: business(n).to_string(),
    };
    let made_a_moment_ago = sessions.admit(auth.door(request(1))).await.unwrap().into_inner();
    assert!(made_a_moment_ago.admin && !made_a_moment_ago.no_such_business);
    let missing = sessions.admit(auth.door(request(2))).await.unwrap().into_inner();
    assert!(missing.alive && missing.no_such_business);
    // Without tenancy what is known is let in, and what is not can't be told.
    let refused = auth.sessions().admit(auth.door(request(1))).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::Unavailable);
    let known = "INSERT INTO business_name (business_id, name, version) VALUES (:business_id, 'Willow', 1)
        RETURNING name";
    assert_eq!(auth.peek(known, named! { business_id: business(1).0 }).await.as_deref(), Some("Willow"));
    let answer: AdmitResponse = auth.admit(&tokens, Some(business(1))).await;
    assert!(answer.admin && !answer.no_such_business);
}
