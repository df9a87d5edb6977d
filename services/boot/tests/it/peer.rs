use std::time::Duration;

use caller::{Bearer, PASSPORT_HEADER, Verifier};
use tokio::net::TcpListener;
use tonic::Code;

use crate::echo::{Echo, SAY, call, call_within};

#[tokio::test]
async fn a_call_carries_a_passport_in_the_services_own_name() {
    let (host, _) = testkit::host("telemetry");
    let verifier = Verifier::new("scheduling", testkit::keyring("scheduling"));
    let now = host.clock.now();
    let routes = Echo::routes(move |request| {
        let token = request.metadata().get(PASSPORT_HEADER).expect("a passport").to_str().unwrap().to_owned();
        let passport = verifier.verify(&token, now);
        async move { Ok(format!("{:?}", passport.unwrap().bearer)) }
    });
    let address = testkit::serve(routes, &host).await;
    let peer = testkit::peer("scheduling", address, &host);
    let expected = format!("{:?}", Bearer::Service { name: "telemetry".to_owned() });
    assert_eq!(call(&peer, SAY).await.unwrap(), expected);
}

#[tokio::test]
async fn a_peer_that_is_not_there_is_unavailable_at_once_and_found_when_it_comes() {
    let (host, _) = testkit::host("telemetry");
    let reserved = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = reserved.local_addr().unwrap();
    drop(reserved);
    let peer = testkit::peer("scheduling", address, &host);
    assert_eq!(call(&peer, SAY).await.unwrap_err().code(), Code::Unavailable);

    let listener = TcpListener::bind(address).await.unwrap();
    let routes = Echo::routes(|_| async { Ok("here".to_owned()) });
    tokio::spawn(async move { boot::grpc::serve(listener, routes, &host).await });
    for _ in 0..4 {
        assert_eq!(call(&peer, SAY).await.unwrap(), "here");
    }
}

#[tokio::test]
async fn a_peer_that_says_nothing_is_given_up_at_the_deadline() {
    let (host, _) = testkit::host("telemetry");
    // Connections are taken by the system, and never served.
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let peer = testkit::peer("scheduling", listener.local_addr().unwrap(), &host);
    let refused = call_within(&peer, SAY, Duration::from_millis(50)).await.unwrap_err();
    assert_eq!(refused.code(), Code::DeadlineExceeded);
}
