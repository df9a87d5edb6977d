//! What is kept for a time only.

use boot::retention::{SYNC_HISTORY, in_days};
use calendar_sync::retention::KEPT;
use uuid::Uuid;

use crate::salon::{CALENDAR, MIA, SALON, Salon};

#[tokio::test]
async fn what_happened_in_a_calendar_is_forgotten_when_it_is_old() {
    let salon = Salon::open().await;
    salon.connect(CALENDAR, MIA).await.unwrap();
    let older = in_days(SYNC_HISTORY) + 1;
    for (n, days) in [(1, older), (2, 1)] {
        let at = salon.host.clock.now() - jiff::SignedDuration::from_hours(24 * days);
        let id = Uuid::from_u128(n);
        salon
            .meddle(&format!(
                "INSERT INTO sync_history VALUES ('{SALON}', '{id}', '{CALENDAR}', '{id}', '{at}', 'WRITTEN')"
            ))
            .await;
    }
    for kept in KEPT {
        salon.app.delete_old(kept).await.unwrap();
    }
    let left = "SELECT count(*) FROM sync_history WHERE step = 'WRITTEN'";
    assert_eq!(salon.count(left).await, 1);
}
