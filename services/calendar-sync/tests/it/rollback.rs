//! What is to be written to calendars is planned in the transaction that causes it: one that is rolled back
//! leaves nothing to do.

use proto::error::{Reason, reason_of};

use crate::salon::{CALENDAR, MIA, SALON, Salon, TOM, TOMS, visit};

/// Lets each transaction that adds to a table go all the way, and refuses its commit.
fn refusing_commits(table: &str) -> String {
    format!(
        "CREATE SEQUENCE attempt;
         GRANT SELECT ON attempt TO PUBLIC;
         CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
             $$ BEGIN
                 PERFORM nextval('attempt');
                 RAISE EXCEPTION 'refused' USING ERRCODE = 'serialization_failure';
             END $$;
         CREATE CONSTRAINT TRIGGER refused AFTER INSERT ON {table} DEFERRABLE INITIALLY DEFERRED
             FOR EACH ROW EXECUTE FUNCTION refuse()"
    )
}

const WRITES: &str = "SELECT count(*) FROM calendar_write";

#[tokio::test]
async fn a_booking_whose_transaction_is_rolled_back_leaves_nothing_to_write() {
    let salon = Salon::with_calendar().await;
    salon.meddle(&refusing_commits("booked_part")).await;
    let position =
        salon.scheduling.publish(&salon.host, &SALON.to_string(), visit(0xF1, 1, &[(MIA, "Cut", 9, 30)]));
    // A sequence is not rolled back: it counts commits that were refused.
    salon.until(async || salon.count("SELECT is_called::int::bigint FROM attempt").await == 1).await;
    assert_eq!(salon.count(WRITES).await, 0);
    assert!(salon.events(CALENDAR).await.is_empty());
    let caught_up = async || {
        outbox::caught_up(&salon.app, calendar_sync::FOLLOWER, "scheduling", position).await.unwrap()
    };
    assert!(!caught_up().await);

    salon.meddle("DROP TRIGGER refused ON booked_part").await;
    salon.until(caught_up).await;
    salon.until_written().await;
    assert_eq!(salon.events(CALENDAR).await.len(), 1, "written once");
}

#[tokio::test]
async fn a_calendar_whose_connection_is_rolled_back_leaves_nothing_to_write_or_read() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(0xF1, 1, &[(TOM, "Cut", 9, 30)])).await;
    salon.meddle(&refusing_commits("calendar")).await;
    let refused = salon.connect(TOMS, TOM).await.unwrap_err();
    assert_ne!(reason_of(&refused), Some(Reason::InvalidField));
    assert_eq!(salon.count(WRITES).await, 0);
    assert_eq!(salon.count("SELECT count(*) FROM sync_state").await, 1);

    salon.meddle("DROP TRIGGER refused ON calendar").await;
    salon.connect(TOMS, TOM).await.unwrap();
    salon.until_written().await;
    assert_eq!(salon.events(TOMS).await.len(), 1);
}
