//! Who is let in to which method, in which role.

use core::time::Duration;
use std::time::Instant;

use caller::{Actor, Audience, Method as Rpc, Role, ScopeKind};
use http::{Method, StatusCode};
use proto::frontdesk::{
    home::v1::home_service_methods::GET_HOME,
    scheduling::v1::{
        appointment_service_methods::LIST_APPOINTMENTS, catalogue_service_methods::LIST_SERVICES,
    },
};
use tokio::time::timeout;

use super::stage::{
    ANA, ANAS_SESSION, EVERYONE, NO_BUSINESS, OTHER, Stage, Standing, WILLOW, place, rest_methods,
};

const PATIENCE: Duration = Duration::from_secs(10);

/// What the rule says, spelled out.
fn expected(method: &Rpc, standing: Standing) -> (StatusCode, &'static str) {
    let role = match standing {
        Standing::Stranger => None,
        Standing::Member(role) => Some(role),
        Standing::Admin => Some(Role::Admin),
    };
    match method.rule.scope {
        ScopeKind::Business if role.is_none() => (StatusCode::NOT_FOUND, "NOT_FOUND"),
        ScopeKind::Business if role < Some(method.rule.least_role) => (StatusCode::FORBIDDEN, "ROLE_TOO_LOW"),
        ScopeKind::Installation if role != Some(Role::Admin) => (StatusCode::FORBIDDEN, "ROLE_TOO_LOW"),
        _ => (StatusCode::OK, ""),
    }
}

#[tokio::test]
async fn every_method_lets_in_whom_its_rule_says_in_the_role_they_have() {
    for standing in EVERYONE {
        let stage = Stage::open().await;
        place(&stage, standing);
        let mut ana = stage.ana().await;
        for method in rest_methods() {
            let before = stage.services.count();
            let answer = ana.call(method, &WILLOW.to_string()).await;
            let seen = (answer.status, answer.reason());
            let (status, reason) = expected(method, standing);
            assert_eq!(seen, (status, reason.to_owned()), "{} as {standing:?}: {}", method.path, answer.text);
            let let_in = usize::from(status == StatusCode::OK);
            if method.path == GET_HOME.path {
                // The door's own: it asks for each part that the role may read.
                assert_eq!(stage.services.count() > before, let_in == 1, "{standing:?}");
                continue;
            }
            assert_eq!(stage.services.count(), before + let_in, "{} as {standing:?}", method.path);
            if let_in == 0 {
                continue;
            }
            let called = stage.services.last();
            assert_eq!(called.path, method.path);
            if method.rule.scope != ScopeKind::None {
                assert_eq!(called.actor, Some(Actor::Person { user: ANA, session: ANAS_SESSION }));
            }
            if method.rule.scope == ScopeKind::Business {
                let role = if let Standing::Member(role) = standing { role } else { Role::Admin };
                assert_eq!((called.business, called.role), (Some(WILLOW), Some(role)));
            }
        }
    }
}

#[tokio::test]
async fn a_business_of_others_reads_as_one_that_does_not_exist() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Owner));
    let mut ana = stage.ana().await;
    let missing = uuid::Uuid::from_u128(404).to_string();
    for method in rest_methods().filter(|method| method.rule.scope == ScopeKind::Business) {
        let of_others = ana.call(method, &OTHER.to_string()).await;
        let of_missing = ana.call(method, &missing).await;
        assert_eq!(of_others.status, StatusCode::NOT_FOUND);
        assert_eq!(of_others.json(), of_missing.json());
    }
    assert_eq!(stage.services.count(), 0);
}

#[tokio::test]
async fn an_admin_finds_nothing_in_a_business_that_does_not_exist() {
    let stage = Stage::open().await;
    place(&stage, Standing::Admin);
    let mut ana = stage.ana().await;
    for method in rest_methods().filter(|method| method.rule.scope == ScopeKind::Business) {
        let answer = ana.call(method, &NO_BUSINESS.to_string()).await;
        assert_eq!((answer.status, answer.reason()), (StatusCode::NOT_FOUND, "NOT_FOUND".to_owned()));
    }
    assert_eq!(stage.services.count(), 0);
}

#[tokio::test]
async fn without_a_token_nothing_is_open_but_what_is_public() {
    let stage = Stage::open().await;
    let mut signed_out = stage.ana().await;
    signed_out.token = None;
    let mut public = 0;
    for method in rest_methods() {
        let answer = signed_out.call(method, &WILLOW.to_string()).await;
        if method.rule.audiences.contains(&Audience::Public) {
            public += 1;
            assert_eq!(answer.status, StatusCode::OK, "{}", method.path);
        } else {
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{}", method.path);
        }
    }
    assert_eq!(stage.services.count(), public);
}

#[tokio::test]
async fn a_lost_membership_a_lower_role_and_a_dead_session_are_refused_within_a_second() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Owner));
    let mut ana = stage.ana().await;
    let willow = WILLOW.to_string();
    let mut changes: Vec<(Box<dyn Fn()>, StatusCode)> = Vec::new();
    let auth = stage.auth.clone();
    changes.push((Box::new(move || auth.set_role(ANA, WILLOW, Some(Role::Guest))), StatusCode::FORBIDDEN));
    let auth = stage.auth.clone();
    changes.push((Box::new(move || auth.set_role(ANA, WILLOW, None)), StatusCode::NOT_FOUND));
    let auth = stage.auth.clone();
    changes.push((Box::new(move || auth.end(ANAS_SESSION)), StatusCode::UNAUTHORIZED));
    for (change, refused) in changes {
        ana.call(&LIST_APPOINTMENTS, &willow).await;
        change();
        let since = Instant::now();
        loop {
            let asked = since.elapsed();
            if ana.call(&LIST_APPOINTMENTS, &willow).await.status == refused {
                break;
            }
            assert!(asked < Duration::from_secs(1), "{refused} came too late");
        }
    }
}

#[tokio::test]
async fn many_calls_at_once_ask_auth_once() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Owner));
    let ana = stage.ana().await;
    let mut asked = stage.auth.dawdle();
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let mut ana = ana.clone();
            tokio::spawn(async move { ana.call(&LIST_SERVICES, &WILLOW.to_string()).await.status })
        })
        .collect();
    asked.changed().await.unwrap();
    stage.auth.hurry();
    for call in calls {
        assert_eq!(call.await.unwrap(), StatusCode::OK);
    }
    assert_eq!(*asked.borrow(), 1);
}

#[tokio::test]
async fn an_answer_that_was_asked_for_long_ago_is_not_believed_however_late_it_came() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Owner));
    let mut ana = stage.ana().await;
    let willow = WILLOW.to_string();
    let mut asked = stage.auth.dawdle();
    let (mut early, place) = (ana.clone(), willow.clone());
    let early = tokio::spawn(async move { early.call(&LIST_SERVICES, &place).await.status });
    timeout(PATIENCE, asked.wait_for(|asked| *asked == 1)).await.unwrap().unwrap();
    stage.time.advance(jiff::SignedDuration::from_secs(1));
    let late = tokio::spawn(async move { ana.call(&LIST_SERVICES, &willow).await.status });
    stage.auth.hurry();
    assert_eq!(early.await.unwrap(), StatusCode::OK);
    let again = timeout(PATIENCE, asked.wait_for(|asked| *asked == 2)).await;
    again.expect("who came later was told what was asked before").unwrap();
    assert_eq!(late.await.unwrap(), StatusCode::OK);
}

/// The number that callers are put through to, whom the door believes, who is let in, and what is carried away.
#[test]
fn what_an_unattended_browser_must_not_do_needs_a_trusted_device() {
    for name in [
        "PublishAgentSettings",
        "RollBackAgentSettings",
        "CreateVoiceConnection",
        "RotateVoiceSecret",
        "DeleteVoiceConnection",
        "ConnectProvider",
        "RotateProviderToken",
        "MakeCalendarFeed",
        "Invite",
        "SetMemberRole",
        "RemoveMember",
        "DisableAccount",
        "EnableAccount",
        "ChangePassword",
        "ChangeEmail",
        "ConnectIdentity",
        "DisconnectIdentity",
        "BeginCustomerExport",
        "BeginAppointmentExport",
        "ExportCalls",
        "EraseCustomer",
        "CreateImport",
        "StartImport",
    ] {
        let mut named =
            proto::methods::ALL.iter().filter(|method| method.path.ends_with(&format!("/{name}")));
        assert!(named.next().is_some_and(|method| method.rule.sensitive), "{name}");
    }
}

#[tokio::test]
async fn internal_methods_have_no_way_in() {
    let stage = Stage::open().await;
    stage.auth.make_admin(ANA);
    let mut ana = stage.ana().await;
    for method in proto::methods::ALL.iter().filter(|method| method.rest.is_empty()) {
        for path in [method.path.to_owned(), format!("/api{}", method.path)] {
            let answer = ana.send(Method::POST, &path, Some("{}".to_owned())).await;
            let closed = [StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED];
            assert!(closed.contains(&answer.status), "{path}: {}", answer.status);
        }
    }
    assert_eq!(stage.services.count(), 0);
}
