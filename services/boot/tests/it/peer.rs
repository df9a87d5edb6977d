use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use caller::{Bearer, PASSPORT_HEADER, Verifier};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use tonic::Code;

use testkit::echo::{Echo, SAY, call, call_within};

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

/// Takes one connection, reads up to its first request, and says goodbye to it unbegun.
async fn say_goodbye(listener: &TcpListener) {
    const PREFACE: usize = 24;
    const HEADERS: u8 = 1;
    const SETTINGS: [u8; 9] = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    const GOAWAY: [u8; 17] = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let (mut stream, _) = listener.accept().await.unwrap();
    stream.write_all(&SETTINGS).await.unwrap();
    stream.read_exact(&mut [0; PREFACE]).await.unwrap();
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head).await.unwrap();
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
        stream.read_exact(&mut vec![0; length]).await.unwrap();
        if head[3] == HEADERS {
            break;
        }
    }
    stream.write_all(&GOAWAY).await.unwrap();
    // To the end, or what is unread would reset the connection before the goodbye is read.
    stream.read_to_end(&mut vec![]).await.unwrap();
}

#[tokio::test]
async fn a_call_that_the_peer_has_not_begun_goes_out_again() {
    let (host, _) = testkit::host("telemetry");
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let peer = testkit::peer("scheduling", listener.local_addr().unwrap(), &host);
    let server = tokio::spawn(async move {
        say_goodbye(&listener).await;
        let routes = Echo::routes(|request| async move { Ok(request.into_inner()) });
        boot::grpc::serve(listener, routes, &host).await
    });
    assert_eq!(call(&peer, SAY).await.unwrap(), "hello");
    server.abort();
}

/// Refuses every call before it is begun, and counts them.
async fn refuse_all(listener: TcpListener, seen: Arc<AtomicUsize>) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let seen = seen.clone();
        tokio::spawn(async move {
            let mut connection = h2::server::handshake(stream).await.unwrap();
            while let Some(Ok((_, mut respond))) = connection.accept().await {
                seen.fetch_add(1, Ordering::Relaxed);
                respond.send_reset(h2::Reason::REFUSED_STREAM);
            }
        });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_peer_under_load_gets_a_fifth_more_than_the_calls() {
    const CALLERS: usize = 20;
    const CALLS: usize = 6_000;
    /// Ten retries a second are allowed besides, counted over ten seconds.
    const FLOOR: usize = 100;
    let (host, _) = testkit::host("telemetry");
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let peer = testkit::peer("scheduling", listener.local_addr().unwrap(), &host);
    let seen = Arc::new(AtomicUsize::new(0));
    let server = tokio::spawn(refuse_all(listener, seen.clone()));
    let begun = Instant::now();
    let callers = (0..CALLERS).map(|_| {
        let peer = peer.clone();
        tokio::spawn(async move {
            for _ in 0..CALLS / CALLERS {
                assert_eq!(call(&peer, SAY).await.unwrap_err().code(), Code::Unavailable);
            }
        })
    });
    for caller in futures::future::join_all(callers).await {
        caller.unwrap();
    }
    let (seen, windows) = (seen.load(Ordering::Relaxed), 1 + begun.elapsed().as_secs() as usize / 10);
    assert!(seen > CALLS, "nothing was sent again");
    let most = CALLS + CALLS / 5 + FLOOR * windows;
    assert!(seen <= most, "{CALLS} calls were sent {seen} times, of {most} at most");
    server.abort();
}
