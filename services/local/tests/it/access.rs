//! Who may call what: every method of the contract against everybody who may come.

use std::collections::BTreeMap;

use bff::browser::by_hand;
use boot::environment::Environment;
use caller::{Audience, Method as Rpc, Role, ScopeKind};
use futures::future::join_all;
use local::visitor::Visitor;
use proto::frontdesk::auth::v1::security_service_methods::SIGN_OUT_EVERYWHERE;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::stack::Stack;

/// An id that no record has.
const MISSING: &str = "01900000-0000-7000-8000-00000000dead";

/// A business that does not exist.
const NOWHERE: &str = "01900000-0000-7000-8000-00000000beef";

/// What the door says while auth does not answer, as on a machine that is busy with other things.
const UNTOLD: &str = "sessions can't be checked right now";
const MOST_ATTEMPTS: usize = 5;

/// Who comes, as the demo salon knows them.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Caller {
    /// Without a token.
    Anonymous,
    Member(Role),
    Admin,
    /// An ADMIN at a business that does not exist.
    AdminNowhere,
    /// Owner of another business.
    Stranger,
    /// With the token of a session that has ended.
    SignedOut,
}

const CALLERS: [Caller; 9] = [
    Caller::Anonymous,
    Caller::Member(Role::Guest),
    Caller::Member(Role::Employee),
    Caller::Member(Role::Manager),
    Caller::Member(Role::Owner),
    Caller::Admin,
    Caller::AdminNowhere,
    Caller::Stranger,
    Caller::SignedOut,
];

/// What an answer says about whether the caller was let in.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    LetIn,
    Unauthenticated,
    RoleTooLow,
    NoSuchBusiness,
    Untold,
}

impl Caller {
    async fn come(self, stack: &Stack) -> Visitor {
        let name = match self {
            Self::Anonymous => return Visitor::met(&stack.url()).await.unwrap(),
            Self::Member(role) => role.as_str().to_lowercase(),
            Self::Admin | Self::AdminNowhere => "admin".to_owned(),
            Self::Stranger => "harbour".to_owned(),
            Self::SignedOut => "employee".to_owned(),
        };
        let visitor = Visitor::sign_in(&stack.url(), &name).await.unwrap();
        if self == Self::SignedOut {
            visitor.post("/api/auth/logout", &json!({})).await.unwrap();
        }
        visitor
    }

    /// What the access rule of `method` says of this caller at their business.
    fn verdict(self, method: &Rpc) -> Verdict {
        let rule = &method.rule;
        if rule.audiences.contains(&Audience::Public) {
            return Verdict::LetIn;
        }
        match (self, rule.scope) {
            (Self::Anonymous | Self::SignedOut, _) => Verdict::Unauthenticated,
            (Self::Stranger | Self::AdminNowhere, ScopeKind::Business) => Verdict::NoSuchBusiness,
            (Self::Admin | Self::AdminNowhere, _) | (_, ScopeKind::None | ScopeKind::Person) => {
                Verdict::LetIn
            }
            (_, ScopeKind::Installation) => Verdict::RoleTooLow,
            (Self::Member(role), ScopeKind::Business) if role < rule.least_role => Verdict::RoleTooLow,
            (Self::Member(_), ScopeKind::Business) => Verdict::LetIn,
        }
    }
}

/// What a refusal means; whatever else is answered, the caller was let in.
fn judged(status: StatusCode, body: &Value) -> Verdict {
    let reason = body["details"][0]["reason"].as_str().unwrap_or_default();
    match (status, reason, body["message"].as_str()) {
        (StatusCode::SERVICE_UNAVAILABLE, _, Some(UNTOLD)) => Verdict::Untold,
        (StatusCode::UNAUTHORIZED, "UNAUTHENTICATED", _) => Verdict::Unauthenticated,
        (StatusCode::FORBIDDEN, "ROLE_TOO_LOW", _) => Verdict::RoleTooLow,
        (StatusCode::NOT_FOUND, "NOT_FOUND", Some("there is no such business")) => Verdict::NoSuchBusiness,
        _ => Verdict::LetIn,
    }
}

/// The path of a method at a business, about records that are not there.
fn path(template: &str, business: &str) -> String {
    let ids = BTreeMap::from([("business_id", business)]);
    let mut path = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap();
        path.push_str(before);
        path.push_str(ids.get(name).unwrap_or(&MISSING));
        rest = after;
    }
    path + rest
}

/// Asks once more, a few times, while the door can't tell who comes: that says nothing of the rule.
async fn ask(visitor: &Visitor, verb: &Method, path: &str) -> (StatusCode, Value) {
    let body = (*verb != Method::GET && *verb != Method::DELETE).then(|| json!({}));
    let mut attempts = 0;
    loop {
        attempts += 1;
        let answer = visitor.send(verb.clone(), path, body.as_ref(), None).await.unwrap();
        let (status, said): (_, Value) = (answer.status(), answer.json().await.unwrap_or_default());
        if judged(status, &said) != Verdict::Untold || attempts == MOST_ATTEMPTS {
            return (status, said);
        }
    }
}

/// Every method with a path; the one that ends the caller's own session comes last.
fn methods() -> Vec<&'static Rpc> {
    let mut methods: Vec<_> =
        proto::methods::ALL.iter().copied().filter(|method| !method.rest.is_empty()).collect();
    methods.sort_by_key(|method| method.path == SIGN_OUT_EVERYWHERE.path);
    methods
}

/// Asks for everything as `caller`; what went against the rule.
async fn walk(stack: &Stack, caller: Caller) -> Vec<String> {
    let visitor = caller.come(stack).await;
    let mut wrong = Vec::new();
    // Outside businesses this ADMIN is the other one, whose session must not end meanwhile.
    let asked = |method: &&Rpc| caller != Caller::AdminNowhere || method.rule.scope == ScopeKind::Business;
    for method in methods().into_iter().filter(asked) {
        let (verb, template) = method.rest.split_once(' ').unwrap();
        let business = if caller == Caller::AdminNowhere { NOWHERE } else { local::demo::salon::WILLOW };
        let path = path(template, business);
        let (status, body) = ask(&visitor, &verb.parse().unwrap(), &path).await;
        let (expected, seen) = (caller.verdict(method), judged(status, &body));
        // A record that is not there is missing; the salon itself and its lists are there.
        let about_the_salon = method.rule.scope == ScopeKind::Business && !path.contains(MISSING);
        let found = !about_the_salon || status != StatusCode::NOT_FOUND;
        let sound = ![StatusCode::INTERNAL_SERVER_ERROR, StatusCode::NOT_IMPLEMENTED].contains(&status);
        if seen != expected || (expected == Verdict::LetIn && !(found && sound)) {
            wrong.push(format!("{caller:?} {verb} {path}: expected {expected:?}, got {status} {body}"));
        }
    }
    wrong
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everybody_reaches_what_the_access_rules_say_and_nothing_else() {
    let stack = Stack::start(&[]).await;
    stack.add_owner("harbour", local::demo::salon::HARBOUR).await;
    let contract: Value = serde_json::from_str(proto::rest::OPENAPI).unwrap();
    let paths = contract["paths"].as_object().unwrap().values();
    let operations: usize = paths.map(|path| path.as_object().unwrap().len()).sum();
    assert_eq!(methods().len(), operations, "no route is missing");

    let wrong = join_all(CALLERS.map(|caller| walk(&stack, caller))).await.concat();

    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn routes_written_by_hand_are_open_unless_they_are_about_a_person() {
    let stack = Stack::start(&[]).await;
    stack.add_owner("harbour", local::demo::salon::HARBOUR).await;
    let mut callers = Vec::new();
    for caller in CALLERS {
        callers.push((caller, caller.come(&stack).await));
    }
    // Those that are about cookies, sockets and redirects have tests of their own.
    let posted = by_hand(Environment::Development).into_iter().filter(|route| {
        route.verb == Method::POST && !["/api/auth/login", "/api/auth/logout"].contains(&route.path)
    });
    let mut personal = 0;
    for route in posted {
        let about_a_person = route.path.starts_with("/api/v1/");
        personal += usize::from(about_a_person);
        for (caller, visitor) in &callers {
            let out = about_a_person && matches!(caller, Caller::Anonymous | Caller::SignedOut);
            let expected = if out { Verdict::Unauthenticated } else { Verdict::LetIn };
            let (status, body) = ask(visitor, &route.verb, route.path).await;
            assert_eq!(judged(status, &body), expected, "{caller:?} {}: {status} {body}", route.path);
            assert!(status.is_client_error(), "an empty body is refused: {} {status} {body}", route.path);
        }
    }
    assert!(personal > 0);
}
