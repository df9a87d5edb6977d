//! Patch tests that visits need and customers lack.

use core::sync::atomic::Ordering;

use caller::Role;
use proto::{
    error::Reason,
    frontdesk::{
        scheduling::v1::{
            CheckPatchTestsRequest, PatchTestWarning, UpdateServiceRequest, patch_test_warning::Kind,
        },
        tenancy::v1::{PatchTest, PatchTestResult},
    },
    time::to_proto,
};
use testkit::as_user;
use tonic::{Request, Status};
use uuid::Uuid;

use crate::salon::{ANA, BEN, COLOUR, CUT, OTHER, STRANGER, Salon, WILLOW, field, local, reason, service};

const MIA: Uuid = Uuid::from_u128(0xd1);

/// Willow, where colour needs a test.
async fn open() -> Salon {
    let salon = Salon::open().await;
    let mut colour = service(COLOUR, "Colour", &[30, 30, 15], &[ANA, BEN]);
    (colour.id, colour.version, colour.patch_test) = (String::new(), 1, "Tint".to_owned());
    let request = UpdateServiceRequest {
        business_id: WILLOW.to_string(),
        service_id: COLOUR.to_string(),
        service: Some(colour),
    };
    let updated = salon.catalogue().update_service(salon.manager(request)).await.unwrap().into_inner();
    assert_eq!(updated.service.unwrap().patch_test, "Tint");
    salon
}

fn request(services: &[Uuid], customer: &str) -> CheckPatchTestsRequest {
    CheckPatchTestsRequest {
        business_id: WILLOW.to_string(),
        customer_id: customer.to_owned(),
        service_ids: services.iter().map(ToString::to_string).collect(),
        starts_at: Some(to_proto(local("2026-06-02", "10:00"))),
    }
}

async fn check(
    salon: &Salon,
    request: Request<CheckPatchTestsRequest>,
) -> Result<Vec<PatchTestWarning>, Status> {
    Ok(salon.patch_tests().check_patch_tests(request).await?.into_inner().warnings)
}

async fn kinds(salon: &Salon, services: &[Uuid]) -> Vec<Kind> {
    let warnings = check(salon, salon.employee(request(services, &MIA.to_string()))).await.unwrap();
    warnings.iter().map(PatchTestWarning::kind).collect()
}

fn test(tested_on: &str, valid_until: &str, result: PatchTestResult) -> PatchTest {
    PatchTest {
        customer_id: MIA.to_string(),
        subject: "tint ".to_owned(),
        tested_on: tested_on.to_owned(),
        valid_until: valid_until.to_owned(),
        result: result.into(),
        ..PatchTest::default()
    }
}

#[tokio::test]
async fn a_missing_or_expired_test_and_a_reaction_are_warned_of_on_the_day_of_the_visit() {
    let salon = open().await;
    let tests = |tests: Vec<PatchTest>| *salon.tenancy.patch_tests.lock().unwrap() = tests;
    assert_eq!(kinds(&salon, &[CUT, COLOUR, COLOUR]).await, [Kind::Missing], "each test once");
    tests(vec![test("2026-05-01", "2026-06-02", PatchTestResult::NoReaction)]);
    assert_eq!(kinds(&salon, &[COLOUR]).await, []);
    tests(vec![test("2026-05-01", "2026-06-01", PatchTestResult::NoReaction)]);
    assert_eq!(kinds(&salon, &[COLOUR]).await, [Kind::Expired]);
    tests(vec![test("2026-05-01", "", PatchTestResult::Reaction)]);
    let warnings = check(&salon, salon.agent(request(&[COLOUR], &MIA.to_string()))).await.unwrap();
    let PatchTestWarning { service_name, subject, tested_on, sentence, .. } = &warnings[0];
    assert_eq!(
        (service_name.as_str(), subject.as_str(), tested_on.as_str()),
        ("Colour", "Tint", "2026-05-01")
    );
    assert_eq!(sentence, "The patch test for Tint on 1 May 2026 showed a reaction.");
    assert_eq!(kinds(&salon, &[CUT]).await, [], "a cut needs none");
}

#[tokio::test]
async fn an_unnamed_customer_has_no_test_and_tenancy_is_asked_only_where_one_is_needed() {
    let salon = open().await;
    let warnings = check(&salon, salon.employee(request(&[COLOUR], ""))).await.unwrap();
    assert_eq!(warnings[0].kind(), Kind::Missing);
    assert_eq!(kinds(&salon, &[COLOUR]).await, [Kind::Missing]);
    salon.tenancy.away.store(true, Ordering::SeqCst);
    assert_eq!(kinds(&salon, &[CUT]).await, []);
    let refused = check(&salon, salon.employee(request(&[COLOUR], &MIA.to_string()))).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::Unavailable);
}

#[tokio::test]
async fn what_is_unknown_or_foreign_is_refused() {
    let salon = open().await;
    let unknown = check(&salon, salon.employee(request(&[CUT, MIA], ""))).await.unwrap_err();
    assert_eq!(field(&unknown), "service_ids[1]");
    let none = check(&salon, salon.employee(request(&[], ""))).await.unwrap_err();
    assert_eq!(field(&none), "service_ids");
    let stranger = check(&salon, salon.employee(request(&[CUT], &STRANGER.to_string()))).await.unwrap_err();
    assert_eq!(field(&stranger), "customer_id");
    for (role, business, expected) in
        [(Role::Guest, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let sent = as_user(&salon.host, role, business, request(&[CUT], ""));
        assert_eq!(reason(&check(&salon, sent).await.unwrap_err()), expected);
    }
}
