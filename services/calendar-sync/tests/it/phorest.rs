//! Phorest, which a profile describes.

use caller::Role;
use jiff::Timestamp;
use proto::{
    error::{Reason, reason_of},
    frontdesk::calendarsync::v1::{
        CompareProviderAvailabilityRequest, ConnectProviderRequest, ProviderKind, ProviderRunState,
        RotateProviderTokenRequest, TestProviderConnectionRequest,
    },
};
use provider_fakes::{
    Fault,
    phorest::{BRANCH, BUSINESS, CLIENT, Entry, PASSWORD, Phorest, USERNAME},
};
use testkit::as_user;

use crate::{
    calendars::field,
    desk::{CUT, DAY},
    others::{Theirs, beside, connect, map_service, ours, serve, settings, system, write_out},
    provider::{client, map, sync},
    salon::{MIA, SALON, Salon, TOM, at, visit},
};

impl Theirs for Phorest {
    fn connecting(url: &str) -> ConnectProviderRequest {
        let server = format!("{url}third-party-api-server/api/business/");
        ConnectProviderRequest {
            business_id: SALON.to_string(),
            kind: ProviderKind::Profile.into(),
            profile: "phorest".to_owned(),
            label: "Phorest".to_owned(),
            token: PASSWORD.to_owned(),
            settings: settings(&[
                ("server", &server),
                ("username", USERNAME),
                ("business", BUSINESS),
                ("branch", BRANCH),
                ("client", CLIENT),
                ("service", "service-cut"),
            ]),
        }
    }

    async fn serve(salon: &Salon) -> (Self, String) {
        let phorest = Self::new(salon.host.clock.clone());
        let url = serve(phorest.router()).await;
        (phorest, url)
    }

    fn standing(&self) -> Vec<(String, bool, Timestamp)> {
        self.edit(|book, _| {
            let all = book.standing().into_iter();
            all.map(|found| (found.id.clone(), found.entry.note.contains("[frontdesk "), found.entry.starts))
                .collect()
        })
    }

    fn enter(&self, starts: Timestamp) -> String {
        let entry = Entry {
            staff: Self::mia().to_owned(),
            service: "service-colour".to_owned(),
            starts,
            ends: starts + jiff::SignedDuration::from_mins(30),
            note: "Likes tea".to_owned(),
        };
        self.edit(|book, now| book.enter(entry, now))
    }

    fn shift(&self, id: &str, starts: Timestamp) {
        self.edit(|book, now| {
            book.change(id, now, |found| {
                let long = found.entry.ends.duration_since(found.entry.starts);
                (found.entry.starts, found.entry.ends) = (starts, starts + long);
            })
        });
    }

    fn cancel(&self, id: &str) {
        self.edit(|book, now| book.change(id, now, |found| found.deleted = true));
    }

    fn give(&self, id: &str, person: &str) {
        self.edit(|book, now| book.change(id, now, |found| person.clone_into(&mut found.entry.staff)));
    }

    fn fail(&self, fault: Fault, count: usize) {
        Self::fail(self, fault, count);
    }

    fn mend(&self) {
        Self::mend(self);
    }

    fn mia() -> &'static str {
        "staff-mia"
    }

    fn tom() -> &'static str {
        "staff-tom"
    }
}

#[tokio::test]
async fn it_is_connected_with_what_its_profile_asks_for_and_names_what_is_wrong() {
    let salon = Salon::open().await;
    let (_, url) = Phorest::serve(&salon).await;
    let offered = system(&salon, ProviderKind::Profile).await;
    assert_eq!((offered.name.as_str(), offered.token_label.as_str()), ("Phorest", "API password"));
    let keys: Vec<&str> = offered.settings.iter().map(|setting| setting.key.as_str()).collect();
    assert_eq!(keys, ["server", "username", "business", "branch", "client", "service"]);

    let right = || Phorest::connecting(&url);
    let with = |key: &str, value: &str| {
        let mut message = right();
        message.settings.insert(key.to_owned(), value.to_owned());
        message
    };
    let refused = async |message| connect(&salon, message).await.unwrap_err();
    assert_eq!(field(&refused(with("branch", "")).await), "settings.branch");
    assert_eq!(field(&refused(with("brunch", "7")).await), "settings.brunch");
    assert_eq!(field(&refused(with(&"b".repeat(41), "7")).await), "settings");
    let mut many = right();
    many.settings.extend((0..20).map(|n| (n.to_string(), "7".to_owned())));
    assert_eq!(field(&refused(many).await), "settings");
    assert_eq!(field(&refused(ConnectProviderRequest { token: "wrong".into(), ..right() }).await), "token");
    assert_eq!(field(&refused(ConnectProviderRequest { profile: "none".into(), ..right() }).await), "kind");
    assert_eq!(
        field(&refused(ConnectProviderRequest { profile: String::new(), ..right() }).await),
        "profile"
    );
    assert_eq!(reason_of(&refused(with("branch", "another")).await), Some(Reason::Unavailable));

    let connection = connect(&salon, right()).await.unwrap();
    assert_eq!((connection.kind(), connection.profile.as_str()), (ProviderKind::Profile, "phorest"));
    let dump = salon.dump(&["provider_connection", "data_key"]).await;
    for secret in [PASSWORD, USERNAME, BRANCH] {
        let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
        assert!(!dump.contains(secret) && !dump.contains(&hex), "{secret}");
    }
}

#[tokio::test]
async fn a_password_is_replaced_and_what_is_not_given_again_stays() {
    let (salon, _, connection_id) = beside::<Phorest>().await;
    let rotate = async |token: &str, given: &[(&str, &str)]| {
        let message = RotateProviderTokenRequest {
            business_id: SALON.to_string(),
            connection_id: connection_id.clone(),
            token: token.to_owned(),
            settings: settings(given),
        };
        client(&salon)
            .rotate_provider_token(as_user(&salon.host, Role::Owner, SALON, message))
            .await
            .map(drop)
    };
    assert_eq!(field(&rotate("wrong", &[]).await.unwrap_err()), "token");
    assert_eq!(field(&rotate(PASSWORD, &[("username", "global/other")]).await.unwrap_err()), "token");
    rotate(PASSWORD, &[("service", "service-colour")]).await.unwrap();
    let message = TestProviderConnectionRequest {
        business_id: SALON.to_string(),
        connection_id: connection_id.clone(),
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    assert_eq!(
        client(&salon).test_provider_connection(request).await.unwrap().into_inner().account,
        "Willow"
    );
}

#[tokio::test]
async fn who_left_is_left_out_and_a_run_counts_what_is_booked() {
    let (salon, phorest, connection) = beside::<Phorest>().await;
    map(&salon, &connection, "staff-mia", Some(MIA)).await.unwrap();
    let cancelled = phorest.enter(at(30, 0));
    phorest.cancel(&cancelled);
    // In this month, in a year, and further away than anyone books.
    for days in [2, 360, 500] {
        phorest.enter(at(24 * days + 10, 0));
    }
    let run = sync(&salon, &connection, true).await;
    let counts = run.counts.unwrap();
    assert_eq!(run.state(), ProviderRunState::Done, "{}", run.fault);
    assert_eq!((counts.employees, counts.services, counts.appointments), (2, 2, 2));
}

#[tokio::test]
async fn appointments_are_kept_in_step_both_ways() {
    let (salon, phorest, connection) = beside::<Phorest>().await;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 30, 30)])).await;
    let own = phorest.enter(at(35, 0));
    map(&salon, &connection, "staff-mia", Some(MIA)).await.unwrap();
    salon.scheduling.until(|imported| imported.busy.len() == 1).await;
    salon.until_written().await;
    assert_eq!(ours(&phorest), [at(30, 0)]);

    // A lost answer doubles nothing, whether it is of a new appointment or of a change.
    phorest.fail(Fault::LostAnswer, 1);
    salon.publish_and_wait_out(visit(0xF2, 1, &[(MIA, "Cut", 40, 30)])).await;
    phorest.fail(Fault::LostAnswer, 1);
    salon.publish_and_wait_out(visit(0xF1, 2, &[(MIA, "Cut", 31, 30)])).await;
    assert_eq!(ours(&phorest), [at(31, 0), at(40, 0)]);

    // What is moved there moves here, and goes to another employee there.
    phorest.shift(&own, at(36, 0));
    salon.read_again().await;
    let starts = at(36, 0).as_second();
    let moved = |fact: &proto::frontdesk::scheduling::internal::v1::BusyFact| {
        fact.starts_at.unwrap().seconds == starts
    };
    salon.scheduling.until(|imported| imported.busy.values().all(moved)).await;
    phorest.edit(|book, now| book.change(&own, now, |found| found.entry.staff = "staff-tom".to_owned()));
    salon.read_again().await;
    salon.scheduling.until(|imported| imported.busy.is_empty()).await;
    map(&salon, &connection, "staff-tom", Some(TOM)).await.unwrap();
    salon.scheduling.until(|imported| imported.busy.len() == 1).await;

    // What is called off here is cancelled there.
    let mut gone = visit(0xF1, 3, &[(MIA, "Cut", 31, 30)]);
    gone.state = proto::frontdesk::scheduling::v1::AppointmentState::Cancelled.into();
    salon.publish(gone).await;
    assert_eq!(ours(&phorest), [at(40, 0)]);
}

#[tokio::test]
async fn a_copy_of_an_appointment_of_ours_is_its_owners_time() {
    let (salon, phorest, connection) = beside::<Phorest>().await;
    map(&salon, &connection, "staff-mia", Some(MIA)).await.unwrap();
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 30, 30)])).await;
    let (written, ..) = phorest.standing().remove(0);
    let copy = phorest.edit(|book, now| {
        let mut entry = book.standing().into_iter().find(|found| found.id == written).unwrap().entry.clone();
        (entry.starts, entry.ends) = (at(40, 0), at(40, 30));
        book.enter(entry, now)
    });
    salon.read_again().await;
    let is_copy = |(_, id): &(String, String)| *id == copy;
    salon.scheduling.until(|imported| imported.busy.len() == 1 && imported.busy.keys().all(is_copy)).await;
    assert_eq!(ours(&phorest), [at(30, 0), at(40, 0)]);
}

#[tokio::test]
async fn what_was_cancelled_there_is_entered_anew_when_it_is_written_again() {
    let (salon, phorest, connection) = beside::<Phorest>().await;
    map(&salon, &connection, "staff-mia", Some(MIA)).await.unwrap();
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 30, 30)])).await;
    let (id, ..) = phorest.standing().remove(0);
    phorest.cancel(&id);
    salon.publish(visit(0xF1, 2, &[(MIA, "Cut", 32, 30)])).await;
    let standing = phorest.standing();
    assert_eq!(standing.len(), 1);
    assert!(standing[0].1 && standing[0].0 != id && standing[0].2 == at(32, 0), "{standing:?}");
}

#[tokio::test]
async fn an_appointment_without_a_service_there_waits_and_says_what_to_do() {
    let salon = Salon::open().await;
    let (phorest, url) = Phorest::serve(&salon).await;
    let mut message = Phorest::connecting(&url);
    message.settings.remove("service");
    let connection = connect(&salon, message).await.unwrap().id;
    sync(&salon, &connection, false).await;
    map(&salon, &connection, "staff-mia", Some(MIA)).await.unwrap();
    let booked = |id, version, hour| {
        let mut booked = visit(id, version, &[(MIA, "Women's cut", hour, 30)]);
        booked.items[0].service_id = CUT.to_string();
        booked
    };
    salon.scheduling.publish(&salon.host, &SALON.to_string(), booked(0xF1, 1, 30));
    let parked = "SELECT count(*) FROM calendar_write WHERE parked_at IS NOT NULL AND last_error LIKE '%map the service%'";
    salon.until(async || salon.count(parked).await == 1).await;
    map_service(&salon, &connection, "service-cut", CUT).await;
    salon.meddle("UPDATE calendar_write SET parked_at = NULL, due_at = '2026-06-01'").await;
    write_out(&salon).await;
    assert_eq!(ours(&phorest), [at(30, 0)]);
}

#[tokio::test]
async fn what_it_refuses_is_parked_alone_and_says_why() {
    let (salon, phorest, connection) = beside::<Phorest>().await;
    map(&salon, &connection, "staff-mia", Some(MIA)).await.unwrap();
    phorest.fail(Fault::Refused, 1);
    for n in 0..3 {
        let hour = i64::try_from(30 + n).unwrap();
        salon.scheduling.publish(
            &salon.host,
            &SALON.to_string(),
            visit(0xF0 + n, 1, &[(MIA, "Cut", hour, 30)]),
        );
    }
    salon
        .until(async || salon.count("SELECT count(*) FROM calendar_write WHERE written = wanted").await == 2)
        .await;
    let parked = "SELECT count(*) FROM calendar_write WHERE parked_at IS NOT NULL AND last_error LIKE '%not qualified%'";
    salon.until(async || salon.count(parked).await == 1).await;
    assert_eq!(phorest.standing().len(), 2);
}

#[tokio::test]
async fn free_time_there_is_the_rota_without_what_is_booked() {
    let (salon, phorest, connection_id) = beside::<Phorest>().await;
    map(&salon, &connection_id, "staff-mia", Some(MIA)).await.unwrap();
    phorest.enter(at(10, 0));
    let compare = async || {
        let message = CompareProviderAvailabilityRequest {
            business_id: SALON.to_string(),
            connection_id: connection_id.clone(),
            date: DAY.to_owned(),
        };
        let request = as_user(&salon.host, Role::Owner, SALON, message);
        let compared = client(&salon).compare_provider_availability(request).await.unwrap().into_inner();
        compared.employees.into_iter().find(|found| found.employee_id == MIA.to_string()).unwrap()
    };
    // The first reading meets no fault that is meant for a comparison.
    read(&salon).await;
    let spans = compare().await.spans;
    // 10 of UTC is 11 in London.
    let there: Vec<(i32, i32)> = spans
        .iter()
        .filter(|span| span.is_free_there)
        .map(|span| (span.from_minute, span.to_minute))
        .collect();
    assert_eq!((there.first().unwrap().0, there.last().unwrap().1), (540, 1020), "{spans:?}");
    assert!(there.iter().all(|(from, to)| *to <= 660 || *from >= 690), "{spans:?}");
    phorest.fail(Fault::Unavailable, 2);
    let away = compare().await;
    assert!(away.fault.contains("503") && away.difference_minutes == 0, "{}", away.fault);
}

/// Reads every calendar once, and lets no turn be under way: it would not outlast hours that go by.
async fn read(salon: &Salon) {
    salon.until_at_rest().await;
    salon.meddle("UPDATE sync_state SET synced_at = NULL").await;
    salon.read_again().await;
    salon.until_at_rest().await;
    assert_eq!(salon.count("SELECT count(*) FROM sync_state WHERE synced_at IS NULL").await, 0);
}

#[tokio::test]
async fn changes_are_asked_for_after_all_was_read_and_all_again_after_some_hours() {
    let (salon, phorest, connection) = beside::<Phorest>().await;
    map(&salon, &connection, "staff-mia", Some(MIA)).await.unwrap();
    read(&salon).await;
    // One that was entered before the last reading, and comes near without a change.
    phorest.edit(|book, _| {
        let now: Timestamp = "2026-05-01T00:00:00Z".parse().unwrap();
        book.enter(
            Entry {
                staff: "staff-mia".to_owned(),
                service: "service-cut".to_owned(),
                starts: at(50, 0),
                ends: at(51, 0),
                note: String::new(),
            },
            now,
        )
    });
    read(&salon).await;
    assert!(salon.scheduling.until(|_| true).await.busy.is_empty());
    salon.let_pass(jiff::SignedDuration::from_hours(6)).await;
    read(&salon).await;
    salon.scheduling.until(|imported| imported.busy.len() == 1).await;
}

#[tokio::test]
async fn the_time_of_an_appointment_that_is_moved_beyond_the_horizon_is_free_within_hours() {
    let (salon, phorest, connection) = beside::<Phorest>().await;
    let own = phorest.enter(at(35, 0));
    map(&salon, &connection, "staff-mia", Some(MIA)).await.unwrap();
    salon.scheduling.until(|imported| imported.busy.len() == 1).await;
    phorest.shift(&own, at(24 * 500, 0));
    salon.let_pass(jiff::SignedDuration::from_hours(6)).await;
    read(&salon).await;
    salon.scheduling.until(|imported| imported.busy.is_empty()).await;
}
