//! Square.

use caller::Role;
use jiff::{SignedDuration, Timestamp};
use proto::{
    error::{Reason, reason_of},
    frontdesk::calendarsync::{
        internal::v1::{TakeProviderPushRequest, provider_push_service_client::ProviderPushServiceClient},
        v1::{
            CompareProviderAvailabilityRequest, ConnectProviderRequest, ProviderKind, ProviderRunState,
            RotateProviderTokenRequest,
        },
    },
};
use provider_fakes::{
    Fault,
    square::{LOCATION, Push, Square, TOKEN},
};
use testkit::{as_service, as_user};
use tonic::Status;
use uuid::Uuid;

use crate::{
    calendars::field,
    desk::{CUT, DAY},
    others::{Theirs, beside, connect, map_service, ours, serve, settings, system},
    provider::{client, map, sync},
    salon::{MIA, PUBLIC, SALON, Salon, at, visit},
};

/// The key that Square signs with.
const KEY: &str = "square-signature-key";

impl Theirs for Square {
    fn connecting(url: &str) -> ConnectProviderRequest {
        ConnectProviderRequest {
            business_id: SALON.to_string(),
            kind: ProviderKind::Square.into(),
            label: "Square".to_owned(),
            token: TOKEN.to_owned(),
            settings: settings(&[
                ("server", url),
                ("location", LOCATION),
                ("service", provider_fakes::square::CUT),
                ("signature", KEY),
            ]),
            ..ConnectProviderRequest::default()
        }
    }

    async fn serve(salon: &Salon) -> (Self, String) {
        let square = Self::new(salon.host.clock.clone());
        square.page_of(3);
        let url = serve(square.router()).await;
        (square, url)
    }

    fn standing(&self) -> Vec<(String, bool, Timestamp)> {
        self.edit(|book, _| {
            let all = book.standing().into_iter();
            all.map(|found| (found.id.clone(), found.seller_note.contains("[frontdesk "), found.start_at))
                .collect()
        })
    }

    fn enter(&self, starts: Timestamp) -> String {
        self.edit(|book, now| book.enter(Self::mia(), starts, now))
    }

    fn shift(&self, id: &str, starts: Timestamp) {
        self.edit(|book, now| book.change(id, now, |found| found.start_at = starts));
    }

    fn cancel(&self, id: &str) {
        self.edit(|book, now| book.cancel(id, now));
    }

    fn give(&self, id: &str, person: &str) {
        self.edit(|book, now| {
            book.change(id, now, |found| {
                let segments = found.appointment_segments.iter_mut();
                segments.for_each(|segment| person.clone_into(&mut segment.team_member_id));
            })
        });
    }

    fn fail(&self, fault: Fault, count: usize) {
        Self::fail(self, fault, count);
    }

    fn mend(&self) {
        Self::mend(self);
    }

    fn mia() -> &'static str {
        "TM-MIA"
    }

    fn tom() -> &'static str {
        "TM-TOM"
    }
}

/// Where Square pushes to for a connection.
pub fn push_url(connection: &str) -> String {
    format!("{PUBLIC}api/webhooks/providers/{connection}")
}

/// The key of a salon's subscription.
pub fn subscribe(square: &Square, connection: &str) {
    square.subscribe(&push_url(connection), KEY);
}

pub async fn deliver(salon: &Salon, connection: &str, push: &Push) -> Result<(), Status> {
    let message = TakeProviderPushRequest {
        connection_id: connection.to_owned(),
        url: push_url(connection),
        signature: push.signature.clone(),
        body: push.body.clone().into_bytes(),
    };
    let request = as_service("bff", &salon.host, None, message);
    ProviderPushServiceClient::new(salon.channel.clone()).take_provider_push(request).await.map(drop)
}

#[tokio::test]
async fn it_is_connected_with_a_token_and_a_location() {
    let salon = Salon::open().await;
    let (_, url) = Square::serve(&salon).await;
    let offered = system(&salon, ProviderKind::Square).await;
    let secret: Vec<&str> = offered
        .settings
        .iter()
        .filter(|setting| setting.is_secret)
        .map(|setting| setting.key.as_str())
        .collect();
    assert_eq!(secret, ["signature"]);
    let mut message = Square::connecting(&url);
    message.settings.remove("location");
    assert_eq!(field(&connect(&salon, message).await.unwrap_err()), "settings.location");
    let wrong = ConnectProviderRequest { token: "wrong".to_owned(), ..Square::connecting(&url) };
    assert_eq!(field(&connect(&salon, wrong).await.unwrap_err()), "token");
    let connected = connect(&salon, Square::connecting(&url)).await.unwrap();
    assert_eq!(connected.push_url, push_url(&connected.id), "below the public address, with its own id");
    let dump = salon.dump(&["provider_connection", "data_key"]).await;
    for secret in [TOKEN, KEY, LOCATION] {
        let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
        assert!(!dump.contains(secret) && !dump.contains(&hex), "{secret}");
    }
}

#[tokio::test]
async fn team_and_services_are_read_to_the_last_page_and_variations_are_named() {
    let (salon, square, connection) = beside::<Square>().await;
    map(&salon, &connection, "TM-MIA", Some(MIA)).await.unwrap();
    for hour in 0..7 {
        square.enter(at(30 + hour, 0));
    }
    let run = sync(&salon, &connection, false).await;
    let counts = run.counts.unwrap();
    assert_eq!(run.state(), ProviderRunState::Done, "{}", run.fault);
    assert_eq!((counts.employees, counts.services, counts.appointments), (2, 3, 7));
    let names = "SELECT count(*) FROM provider_record WHERE name IN ('Mia Larsen', 'Tom Reed', 'Cut', 'Colour – Full')";
    assert_eq!(salon.count(names).await, 4);
}

#[tokio::test]
async fn bookings_are_kept_in_step_both_ways() {
    let (salon, square, connection) = beside::<Square>().await;
    map_service(&salon, &connection, "VARIATION-FULL", CUT).await;
    let mut booked = visit(0xF1, 1, &[(MIA, "Women's cut", 30, 30)]);
    booked.items[0].service_id = CUT.to_string();
    salon.publish(booked).await;
    let own = square.enter(at(35, 0));
    map(&salon, &connection, "TM-MIA", Some(MIA)).await.unwrap();
    salon.scheduling.until(|imported| imported.busy.len() == 1).await;
    salon.until_written().await;
    assert_eq!(ours(&square), [at(30, 0)]);
    let (services, minutes) = square.edit(|book, _| {
        let segments = book.standing().into_iter().filter(|found| found.start_at == at(30, 0));
        let segments: Vec<_> = segments.flat_map(|found| found.appointment_segments.clone()).collect();
        (segments[0].service_variation_id.clone(), segments[0].duration_minutes)
    });
    assert_eq!((services.as_str(), minutes), ("VARIATION-FULL", 30));

    square.fail(Fault::LostAnswer, 1);
    salon.publish_and_wait_out(visit(0xF2, 1, &[(MIA, "Cut", 40, 30)])).await;
    square.fail(Fault::LostAnswer, 1);
    salon.publish_and_wait_out(visit(0xF2, 2, &[(MIA, "Cut", 41, 30)])).await;
    assert_eq!(ours(&square), [at(30, 0), at(41, 0)]);

    square.cancel(&own);
    salon.read_again().await;
    salon.scheduling.until(|imported| imported.busy.is_empty()).await;
    // What was moved there is written over, at the version that it has now.
    let (id, ..) = square.standing().into_iter().find(|(_, ours, _)| *ours).unwrap();
    square.shift(&id, at(50, 0));
    salon.publish(visit(0xF1, 2, &[(MIA, "Cut", 33, 30)])).await;
    assert_eq!(ours(&square), [at(33, 0), at(41, 0)]);
}

#[tokio::test]
async fn a_signed_push_has_the_bookings_read_at_once_and_doubled_ones_change_nothing() {
    let (salon, square, connection) = beside::<Square>().await;
    map(&salon, &connection, "TM-MIA", Some(MIA)).await.unwrap();
    salon
        .until(async || salon.count("SELECT count(*) FROM sync_state WHERE synced_at IS NULL").await == 0)
        .await;
    subscribe(&square, &connection);
    square.enter(at(35, 0));
    let pushes = square.take_pushes();
    assert_eq!(pushes.len(), 1);
    deliver(&salon, &connection, &pushes[0]).await.unwrap();
    deliver(&salon, &connection, &pushes[0]).await.unwrap();
    salon.scheduling.until(|imported| imported.busy.len() == 1).await;
}

#[tokio::test]
async fn the_signature_key_is_entered_later_without_the_token_and_pushes_are_taken_from_then_on() {
    let salon = Salon::open().await;
    let (square, url) = Square::serve(&salon).await;
    let mut message = Square::connecting(&url);
    message.settings.remove("signature");
    let connected = connect(&salon, message).await.unwrap();
    assert!(!connected.takes_pushes, "the key exists only once the webhook does");
    subscribe(&square, &connected.id);
    square.enter(at(35, 0));
    let push = square.take_pushes().remove(0);
    let refused = deliver(&salon, &connected.id, &push).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::NotFound));

    salon.time.advance(SignedDuration::from_secs(60));
    let rotate = async |given: &[(&str, &str)]| {
        let message = RotateProviderTokenRequest {
            business_id: SALON.to_string(),
            connection_id: connected.id.clone(),
            token: String::new(),
            settings: settings(given),
        };
        let request = as_user(&salon.host, Role::Owner, SALON, message);
        client(&salon).rotate_provider_token(request).await
    };
    assert_eq!(field(&rotate(&[]).await.unwrap_err()), "token");
    let changed = rotate(&[("signature", KEY)]).await.unwrap().into_inner().connection.unwrap();
    assert!(changed.takes_pushes);
    assert_eq!(changed.token_changed_at, connected.token_changed_at, "the token stayed");
    deliver(&salon, &connected.id, &push).await.unwrap();
}

#[tokio::test]
async fn services_need_to_be_mapped_until_one_is_set_for_those_that_are_not() {
    let salon = Salon::open().await;
    let (_square, url) = Square::serve(&salon).await;
    let mut message = Square::connecting(&url);
    message.settings.remove("service");
    let connected = connect(&salon, message).await.unwrap();
    assert!(connected.needs_services);
    let message = RotateProviderTokenRequest {
        business_id: SALON.to_string(),
        connection_id: connected.id,
        token: String::new(),
        settings: settings(&[("service", provider_fakes::square::CUT)]),
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    let changed = client(&salon).rotate_provider_token(request).await.unwrap().into_inner();
    assert!(!changed.connection.unwrap().needs_services);
}

#[tokio::test]
async fn the_kept_token_is_sent_to_no_other_server() {
    let salon = Salon::open().await;
    let (_square, url) = Square::serve(&salon).await;
    // It would take the token.
    let (_other, other_url) = Square::serve(&salon).await;
    let (url, other_url) = (url.as_str(), other_url.as_str());
    let connected = connect(&salon, Square::connecting(url)).await.unwrap();
    let rotate = async |token: &str, given: &[(&str, &str)]| {
        let message = RotateProviderTokenRequest {
            business_id: SALON.to_string(),
            connection_id: connected.id.clone(),
            token: token.to_owned(),
            settings: settings(given),
        };
        let request = as_user(&salon.host, Role::Owner, SALON, message);
        client(&salon).rotate_provider_token(request).await
    };
    let refused = rotate("", &[("server", other_url), ("signature", KEY)]).await.unwrap_err();
    assert_eq!(field(&refused), "settings.server");
    rotate("", &[("server", url), ("signature", KEY)]).await.unwrap();
    rotate(TOKEN, &[("server", other_url)]).await.unwrap();
}

#[tokio::test]
async fn a_push_that_is_signed_otherwise_or_for_another_connection_is_unknown() {
    let (salon, square, connection) = beside::<Square>().await;
    subscribe(&square, &connection);
    square.enter(at(35, 0));
    let push = square.take_pushes().remove(0);
    let other = Uuid::from_u128(7).to_string();
    for (connection, push) in [
        (&connection, Push { signature: "AAAA".to_owned(), ..push.clone() }),
        (&connection, Push { signature: String::new(), ..push.clone() }),
        (&connection, Push { body: push.body.replace("booking", "bookinG"), ..push.clone() }),
        (&other, push.clone()),
    ] {
        let refused = deliver(&salon, connection, &push).await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(Reason::NotFound));
    }
}

#[tokio::test]
async fn free_time_there_is_what_could_be_booked() {
    let (salon, square, connection_id) = beside::<Square>().await;
    map(&salon, &connection_id, "TM-MIA", Some(MIA)).await.unwrap();
    square.enter(at(12, 0));
    let message = CompareProviderAvailabilityRequest {
        business_id: SALON.to_string(),
        connection_id,
        date: DAY.to_owned(),
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    let compared = client(&salon).compare_provider_availability(request).await.unwrap().into_inner();
    let mia = compared.employees.into_iter().find(|found| found.employee_id == MIA.to_string()).unwrap();
    assert_eq!(mia.fault, "");
    let there = |span: &&proto::frontdesk::calendarsync::v1::AvailabilitySpan| span.is_free_there;
    let minutes: i32 = mia.spans.iter().filter(there).map(|span| span.to_minute - span.from_minute).sum();
    // From 9 to 17 of UTC, without half an hour.
    assert_eq!(minutes, 8 * 60 - 30, "{:?}", mia.spans);
}

#[tokio::test]
async fn what_was_cancelled_there_before_its_answer_was_heard_is_created_anew_at_its_new_time() {
    let (salon, square, connection) = beside::<Square>().await;
    map(&salon, &connection, "TM-MIA", Some(MIA)).await.unwrap();
    salon
        .until(async || salon.count("SELECT count(*) FROM sync_state WHERE synced_at IS NULL").await == 0)
        .await;
    square.fail(Fault::LostAnswer, 1);
    let booked = |version, hour| visit(0xF1, version, &[(MIA, "Cut", hour, 30)]);
    salon.publish_and_follow(booked(1, 40)).await;
    salon
        .until(async || {
            salon.count("SELECT count(*) FROM calendar_write WHERE last_error IS NOT NULL").await == 1
        })
        .await;
    let (id, ..) = square.standing().remove(0);
    square.cancel(&id);
    // Its time changes before the next attempt, which comes with the key of the first.
    salon.publish_and_follow(booked(2, 41)).await;
    let spent = "SELECT count(*) FROM calendar_write WHERE last_error LIKE '%has it already%'";
    salon
        .until(async || {
            salon.meddle("UPDATE calendar_write SET due_at = '2026-06-01' WHERE written < wanted").await;
            salon.count(spent).await == 1
        })
        .await;
    assert_eq!(ours(&square), []);
    // By now the list would tell of one that stands.
    salon.time.advance(SignedDuration::from_secs(61));
    salon.wait_out().await;
    assert_eq!(ours(&square), [at(41, 0)]);
}
