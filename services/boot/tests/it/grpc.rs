use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use boot::grpc::Limits;
use futures::FutureExt;
use tokio::sync::{Notify, mpsc};
use tonic::{Code, Status};
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};
use tonic_types::StatusExt;

use testkit::echo::{Echo, Held, SAY, call, call_within};

/// Sends when it is dropped.
struct OnDrop(mpsc::UnboundedSender<()>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        // The receiver is gone once the test is over.
        let _ = self.0.send(());
    }
}

async fn health(peer: &boot::peer::Peer) -> Result<ServingStatus, Status> {
    let answer = HealthClient::new(peer.channel()).check(HealthCheckRequest::default()).await?;
    Ok(answer.into_inner().status())
}

#[tokio::test]
async fn the_callers_deadline_reaches_the_handler() {
    let (host, _) = testkit::host("scheduling");
    let routes = Echo::routes(|request| async move {
        let header = request.metadata().get(caller::DEADLINE_HEADER).expect("a deadline is sent");
        Ok(header.to_str().unwrap().to_owned())
    });
    let address = testkit::serve(routes, &host).await;
    let peer = testkit::peer("scheduling", address, &host);
    let sent = call_within(&peer, SAY, Duration::from_millis(1500)).await.unwrap();
    assert_eq!(caller::parse_timeout(&sent), Some(Duration::from_millis(1500)));
}

#[tokio::test]
async fn a_handler_that_outlives_the_deadline_is_dropped_and_answered_for() {
    let (host, _) = testkit::host("scheduling");
    let (dropped, mut drops) = mpsc::unbounded_channel();
    let routes = Echo::routes(move |_| {
        let guard = OnDrop(dropped.clone());
        async move {
            futures::future::pending::<()>().await;
            drop(guard);
            Ok(String::new())
        }
    });
    let address = testkit::serve(routes, &host).await;
    let peer = testkit::peer("scheduling", address, &host);
    let refused = call_within(&peer, SAY, Duration::from_millis(50)).await.unwrap_err();
    assert_eq!(refused.code(), Code::DeadlineExceeded);
    drops.recv().await.expect("the handler is dropped");
}

#[tokio::test]
async fn a_panic_is_internal_tells_nothing_and_leaves_the_server_serving() {
    let (host, _) = testkit::host("scheduling");
    let routes = Echo::routes(|request| async move {
        assert_ne!(request.get_ref(), "hello", "a secret");
        Ok(String::new())
    });
    let address = testkit::serve(routes, &host).await;
    let peer = testkit::peer("scheduling", address, &host);
    for _ in 0..3 {
        let refused = call(&peer, SAY).await.unwrap_err();
        assert_eq!(refused.code(), Code::Internal);
        assert!(!format!("{refused:?}").contains("secret"));
        assert_eq!(refused.get_details_error_info().unwrap().reason, "INTERNAL");
    }
}

#[tokio::test]
async fn more_calls_than_allowed_are_refused_for_now_but_health_answers() {
    let (host, _) = testkit::host("scheduling");
    let held = Held::default();
    let limits = Limits { in_flight: 1, ..Limits::default() };
    let address = testkit::serve_within(held.routes(), &host, limits).await;
    let peer = testkit::peer("scheduling", address, &host);
    let first = tokio::spawn({
        let peer = peer.clone();
        async move { call(&peer, SAY).await }
    });
    held.entered.notified().await;

    let refused = call(&peer, SAY).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable);
    assert!(refused.get_details_retry_info().unwrap().retry_delay.is_some());
    assert_eq!(health(&peer).await.unwrap(), ServingStatus::Serving);

    held.release.notify_one();
    assert_eq!(first.await.unwrap().unwrap(), "done");
}

#[tokio::test]
async fn a_call_under_way_at_shutdown_is_finished_and_no_new_one_is_taken() {
    let (host, _) = testkit::host("scheduling");
    let held = Held::default();
    let routes = held.routes();
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let served = tokio::spawn({
        let host = host.clone();
        async move { boot::grpc::serve(listener, routes, &host).await }
    });
    let peer = testkit::peer("scheduling", address, &host);
    let under_way = tokio::spawn(async move { call(&peer, SAY).await });
    held.entered.notified().await;

    host.shutdown.cancel();
    let late = testkit::peer("scheduling", address, &host);
    while call_within(&late, "/test.v1.Echo/Other", Duration::from_secs(5)).await.unwrap_err().code()
        != Code::Unavailable
    {
        tokio::task::yield_now().await;
    }
    held.release.notify_one();
    assert_eq!(under_way.await.unwrap().unwrap(), "done");
    served.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_service_that_leaves_is_not_serving_by_its_health_but_takes_calls_until_it_shuts_down() {
    let (mut host, _) = testkit::host("scheduling");
    let probes = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap().local_addr().unwrap();
    host.health_listen = Some(probes);
    let address = testkit::serve(Echo::routes(|_| async { Ok("done".to_owned()) }), &host).await;
    let (early, kubelet) =
        (testkit::peer("scheduling", address, &host), testkit::peer("scheduling", probes, &host));
    assert_eq!(call(&early, SAY).await.unwrap(), "done");

    host.leaving.cancel();
    for peer in [&early, &kubelet] {
        while health(peer).await.unwrap() != ServingStatus::NotServing {
            tokio::task::yield_now().await;
        }
    }
    let late = testkit::peer("scheduling", address, &host);
    for peer in [&early, &late] {
        assert_eq!(call(peer, SAY).await.unwrap(), "done");
    }
    host.shutdown.cancel();
    while call(&late, SAY).await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert_eq!(health(&kubelet).await.unwrap(), ServingStatus::NotServing);
}

#[tokio::test]
async fn a_call_that_never_ends_does_not_hold_up_shutdown() {
    let (host, _) = testkit::host("scheduling");
    let entered = Arc::new(Notify::new());
    let enter = entered.clone();
    let routes = Echo::routes(move |_| {
        enter.notify_one();
        futures::future::pending()
    });
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let peer = testkit::peer("scheduling", listener.local_addr().unwrap(), &host);
    let limits = Limits { drain: Duration::from_millis(20), ..Limits::default() };
    let served = tokio::spawn({
        let host = host.clone();
        async move { boot::grpc::serve_within(listener, routes, &host, limits).await }
    });
    let stuck = tokio::spawn(async move { call(&peer, SAY).await });
    entered.notified().await;

    host.shutdown.cancel();
    tokio::time::timeout(Duration::from_secs(5), served).await.expect("the drain ends").unwrap().unwrap();
    assert!(stuck.now_or_never().is_none(), "the call was still open");
}

#[tokio::test]
async fn an_unknown_method_is_unimplemented() {
    let (host, _) = testkit::host("scheduling");
    let address = testkit::serve(Echo::routes(|_| async { Ok(String::new()) }), &host).await;
    let peer = testkit::peer("scheduling", address, &host);
    for path in ["/test.v1.Echo/Other", "/other.v1.Other/Say"] {
        assert_eq!(call(&peer, path).await.unwrap_err().code(), Code::Unimplemented);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_come_of_age_lose_no_call_that_was_not_begun() {
    let (host, _) = testkit::host("scheduling");
    let limits = Limits { connection_age: Duration::from_millis(100), ..Limits::default() };
    let address = testkit::serve_within(Echo::routes(|_| async { Ok(String::new()) }), &host, limits).await;
    let peer = testkit::peer("scheduling", address, &host);
    let callers = (0..8).map(|_| {
        let peer = peer.clone();
        tokio::spawn(async move {
            let end = Instant::now() + Duration::from_secs(1);
            while Instant::now() < end {
                if let Err(status) = call(&peer, SAY).await {
                    // The rare one whose socket closed under it: it may have been begun.
                    assert_eq!(status.code(), Code::Unavailable, "{status:?}");
                    assert_eq!(status.message(), "the connection to scheduling broke");
                }
            }
        })
    });
    for outcome in futures::future::join_all(callers).await {
        outcome.unwrap();
    }
}
