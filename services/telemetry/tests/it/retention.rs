//! What is kept for a time only.

use jiff::SignedDuration;
use telemetry::retention::KEPT;

use crate::desk::{Desk, ended};

async fn forget(desk: &Desk) {
    for kept in KEPT {
        desk.app.delete_old(kept).await.unwrap();
    }
}

#[tokio::test]
async fn what_a_platform_sent_word_for_word_is_emptied_and_its_call_stays() {
    let desk = Desk::open().await;
    desk.record("ended", ended("platform-1")).await.unwrap();
    let raw = "SELECT count(*) FROM delivery WHERE body <> ''";
    forget(&desk).await;
    assert_eq!(desk.count(raw).await, 1);
    desk.time.advance(SignedDuration::from_hours(24 * 30 + 1));
    forget(&desk).await;
    assert_eq!(desk.count(raw).await, 0);
    assert_eq!(desk.count("SELECT count(*) FROM call WHERE outcome IS NOT NULL").await, 1);
    assert!(desk.record("ended", ended("platform-1")).await.unwrap().duplicate, "it is still known");
}
