//! Voice comes before browsers when the door has more to do than it can.

use core::{net::IpAddr, task::Poll};

use axum::{body::Body, response::Response};
use bff::edge::Limits;
use bytes::Bytes;
use futures::{
    FutureExt,
    future::{BoxFuture, join_all},
    poll, stream,
};
use http::{Request, StatusCode, header};

use super::{
    door::{Answer, Door, STUCK, path},
    salon::CONNECTION,
};

const BROWSER: [u8; 4] = [192, 0, 2, 1];

fn limits(in_flight: usize) -> Limits {
    Limits { in_flight, parts: 1, ..Limits::default() }
}

type Waiting<'a> = BoxFuture<'a, Response>;

impl Door {
    fn ask(&self, from: impl Into<IpAddr>, request: Request<Body>) -> Waiting<'_> {
        self.edge.answer(from.into(), request).boxed()
    }

    fn browse(&self, path: &str) -> Waiting<'_> {
        self.ask(BROWSER, Request::get(path).body(Body::empty()).unwrap())
    }

    /// Requests of browsers that are never answered, as many as the door takes.
    async fn full_of_browsers(&self) -> Vec<Waiting<'_>> {
        let mut taken = vec![];
        loop {
            let mut request = self.browse(STUCK);
            match poll!(&mut request) {
                Poll::Pending => taken.push(request),
                Poll::Ready(refused) => {
                    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
                    assert_eq!(refused.headers()[header::RETRY_AFTER], "1");
                    return taken;
                }
            }
        }
    }

    /// A delivery whose body does not end.
    fn trickle(&self, from: u8) -> Waiting<'_> {
        let endless = stream::pending::<Result<Bytes, core::convert::Infallible>>();
        let post = Request::post(path("retell", &CONNECTION.to_string()));
        self.ask([203, 0, 113, from], post.body(Body::from_stream(endless)).unwrap())
    }
}

fn is_busy(answer: &Answer) -> bool {
    (answer.status, answer.reason()) == (StatusCode::SERVICE_UNAVAILABLE, "BUSY")
}

#[tokio::test]
async fn a_delivery_gets_in_while_browsers_hold_all_that_they_may() {
    let door = Door::limited(limits(10)).await;
    let browsers = door.full_of_browsers().await;
    assert_eq!(browsers.len(), 8);
    assert_eq!(door.event("call_started").await.status, StatusCode::NO_CONTENT);
    let unsigned = door.post(&path("retell", &CONNECTION.to_string()), None, vec![]).await;
    assert_eq!((unsigned.status, unsigned.reason()), (StatusCode::UNAUTHORIZED, "BAD_SIGNATURE"));
    for (path, status) in [("/healthz", StatusCode::NOT_FOUND), (STUCK, StatusCode::SERVICE_UNAVAILABLE)] {
        // No probe is served here, but none is refused for want of room either.
        assert_eq!(door.browse(path).await.status(), status, "{path}");
    }
    drop(browsers);
}

#[tokio::test]
async fn bodies_of_unknown_senders_leave_the_reserve_to_signed_deliveries() {
    let door = Door::limited(Limits { parts: 2, ..limits(40) }).await;
    assert_eq!(door.event("call_started").await.status, StatusCode::NO_CONTENT);
    // Eight places are voice's, four of them for requests on probation, two of each network.
    let mut browsers = vec![];
    for network in 0..2 {
        for _ in 0..16 {
            let request = Request::get(STUCK).body(Body::empty()).unwrap();
            let mut request = door.ask([192, 0, 2, network], request);
            assert!(poll!(&mut request).is_pending());
            browsers.push(request);
        }
    }
    let mut held = vec![];
    for (from, taken) in [(1, true), (1, true), (1, false), (2, true), (2, true), (3, false)] {
        let mut slow = door.trickle(from);
        match poll!(&mut slow) {
            Poll::Pending => held.push(slow),
            Poll::Ready(refused) => {
                assert!(!taken, "{from}");
                assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
            }
        }
    }
    assert_eq!(held.len(), 4);
    held.pop();
    // One place for probation is enough for as many signed ones as the reserve has places.
    let answers = join_all((0..6).map(|_| door.event("call_started"))).await;
    let taken = answers.iter().filter(|answer| answer.status == StatusCode::NO_CONTENT).count();
    assert_eq!(taken, 5);
    assert_eq!(answers.iter().filter(|answer| is_busy(answer)).count(), 1);
}

#[tokio::test]
async fn a_signed_delivery_may_take_any_place() {
    let door = Door::limited(limits(10)).await;
    door.event("call_started").await;
    let answers = join_all((0..11).map(|_| door.event("call_started"))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == StatusCode::NO_CONTENT).count(), 10);
    assert!(is_busy(&answers[10]));
}
