//! The installation as production runs it: each service a process, TLS between all of them, two
//! database logins for each.

use std::{fs, sync::Arc, time::Duration};

use boot::{Host, clock::Clock, peer::Peer, transport::Transport};
use caller::{Keyring, Signer};
use local::{
    stack::{
        Certificates, Secrets,
        plan::{MEMBERS, Member, postgres_url, url},
    },
    visitor::{Visitor, willow},
};
use proto::frontdesk::events::v1::{FollowRequest, event_log_service_client::EventLogServiceClient};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tonic::Code;

use crate::stack::Stack;

/// Who follows the logs of the services that keep one.
const FOLLOWERS: [(&str, &[&str]); 4] = [
    ("auth", &["tenancy", "bff"]),
    ("tenancy", &["auth", "scheduling", "calendar-sync", "telemetry", "bff"]),
    ("scheduling", &["calendar-sync", "telemetry", "bff"]),
    ("telemetry", &["bff"]),
];
const ISSUERS: [&str; 7] = ["bff", "auth", "tenancy", "scheduling", "calendar-sync", "telemetry", "local"];
const PATIENCE: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_installation_under_tls_books_and_keeps_its_services_apart() {
    let stack = Stack::start(&["--processes", "--tls"]).await;
    book(&stack).await;
    for member in MEMBERS {
        plain_text_is_refused(&stack, member).await;
        logins_are_kept_apart(&stack, member.name).await;
    }
    for (source, followers) in FOLLOWERS {
        for issuer in ISSUERS {
            let expected = if followers.contains(&issuer) { Ok(()) } else { Err(Code::PermissionDenied) };
            assert_eq!(follow(&stack, source, issuer).await, expected, "{issuer} follows {source}");
        }
    }
}

/// From a browser to the ledger and back, through the doors and three services.
async fn book(stack: &Stack) {
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let service = owner.get(&willow("services")).await.unwrap()["services"][0].clone();
    let items = json!([{"serviceId": service["id"], "employeeId": service["employeeIds"][0]}]);
    let found = owner.post(&willow("availability:search"), &json!({"items": items})).await.unwrap();
    let body = json!({"items": items, "startsAt": found["offers"][0]["startsAt"]});
    let booked = owner.send(Method::POST, &willow("appointments"), Some(&body), Some("tls")).await.unwrap();
    let status = booked.status();
    let booked: Value = booked.json().await.unwrap();
    assert_eq!(status, StatusCode::OK, "{booked}");
    let taken = owner.send(Method::POST, &willow("appointments"), Some(&body), Some("again")).await.unwrap();
    assert_eq!(taken.status(), StatusCode::CONFLICT);
}

/// A host that signs as `issuer` does in this installation.
fn host(stack: &Stack, issuer: &'static str) -> Host {
    let secrets = Secrets::open(&stack.data().join("secrets")).unwrap();
    let keyring = fs::read_to_string(secrets.keyring(issuer)).unwrap();
    let mut host = testkit::host_on(issuer, Clock::system());
    host.signer = Signer::new(Arc::new(Keyring::parse(&keyring).unwrap()));
    host
}

async fn follow_at(peer: &Peer) -> Result<(), Code> {
    let request = peer.as_service(None, FollowRequest::default(), PATIENCE);
    let answer = EventLogServiceClient::new(peer.channel()).follow(request).await;
    answer.map(drop).map_err(|status| status.code())
}

async fn follow(stack: &Stack, source: &'static str, issuer: &'static str) -> Result<(), Code> {
    let member = MEMBERS.into_iter().find(|member| member.name == source).unwrap();
    let mut host = host(stack, issuer);
    host.transport = Certificates::in_folder(&stack.data().join("tls")).transport(issuer).unwrap();
    let url = url(stack.base_port(), member).replacen("http", "https", 1);
    follow_at(&Peer::lazy(source, &url, &host).unwrap()).await
}

async fn plain_text_is_refused(stack: &Stack, member: Member) {
    let mut host = host(stack, "bff");
    host.transport = Transport::mesh();
    let peer = Peer::lazy(member.name, &url(stack.base_port(), member), &host).unwrap();
    // It reads an alert where it expects HTTP/2.
    let refused = follow_at(&peer).await.unwrap_err();
    assert!(matches!(refused, Code::Unavailable | Code::Internal), "{}: {refused:?}", member.name);
}

/// What a running service could do with its login.
async fn logins_are_kept_apart(stack: &Stack, service: &str) {
    let database = service.replace('-', "_");
    let password = stack.secret(&format!("{database}_app"));
    let connect = async |role: &str, database: &str| {
        PgConnection::connect(&postgres_url(stack.base_port(), role, &password, database)).await
    };
    let code = |error: sqlx::Error| error.as_database_error().unwrap().code().unwrap().into_owned();

    let as_owner = connect(&format!("{database}_owner"), &database).await;
    assert_eq!(code(as_owner.unwrap_err()), "28P01", "{service}: the owner has the app's password");
    let (app, other) = (format!("{database}_app"), if service == "auth" { "tenancy" } else { "auth" });
    assert_eq!(code(connect(&app, other).await.unwrap_err()), "42501", "{service} reaches {other}");
    let mut app = connect(&app, &database).await.unwrap();
    for sql in [
        format!("SET ROLE {database}_owner"),
        format!("SET SESSION AUTHORIZATION {database}_owner"),
        format!("GRANT {database}_owner TO {database}_app"),
        format!("ALTER ROLE {database}_app SUPERUSER"),
        "SET ROLE postgres".to_owned(),
        "CREATE TABLE mine (id int)".to_owned(),
        "ALTER TABLE seaql_migrations ADD COLUMN mine int".to_owned(),
        "DROP TABLE seaql_migrations".to_owned(),
        "DELETE FROM seaql_migrations".to_owned(),
    ] {
        let refused = sqlx::raw_sql(AssertSqlSafe(sql.clone())).execute(&mut app).await;
        assert_eq!(code(refused.unwrap_err()), "42501", "{service}: {sql}");
    }
    // Everything that is the service's, table by table, is the owner's.
    let owned: i64 =
        sqlx::query_scalar("SELECT count(*) FROM pg_class WHERE pg_get_userbyid(relowner) = current_user")
            .fetch_one(&mut app)
            .await
            .unwrap();
    assert_eq!(owned, 0, "{service}");
    let connected: i64 =
        sqlx::query_scalar("SELECT count(*) FROM pg_stat_activity WHERE usename LIKE '%\\_owner'")
            .fetch_one(&mut app)
            .await
            .unwrap();
    assert_eq!(connected, 0, "{service}: a running service keeps a connection of the owner's");
}
