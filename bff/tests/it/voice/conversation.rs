//! What the agent's tools do for a caller.

use http::StatusCode;
use jiff::Timestamp;
use proto::frontdesk::{
    scheduling::v1::{BusySource, Freshness},
    telemetry::v1::CallOutcome,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    door::{Door, tool},
    salon::{ANA, CUT, MIA, PHONE, UNDIALLABLE, customer},
};

#[tokio::test]
async fn a_caller_is_recognised_offered_times_and_booked_once() {
    let door = Door::open().await;
    assert_eq!(door.event("call_started").await.status, StatusCode::NO_CONTENT);

    let found = door.tool("find_customer", json!({})).await;
    assert_eq!(found.status, StatusCode::OK);
    assert_eq!((found.say(), &found.body["customer_id"]), ("I have you as Ana. Is that right?", &json!(ANA)));

    let listed = door.tool("list_services", json!({"service": "a haircut"})).await;
    assert_eq!(listed.say(), "Women's cut and finish takes 1 hour and costs 62 pounds.");

    let offered = door.tool("search_availability", json!({"service": "Haircut", "day": "tuesday"})).await;
    assert_eq!(offered.say(), "Tomorrow I have 10 am or 2 pm with Mia. Which suits you best?");
    let offer = &offered.body["offers"][1];
    assert_eq!(offer["starts_at"], "2026-06-02T14:00:00+01:00");

    let arguments = json!({"starts_at": offer["starts_at"], "services": offer["services"]});
    let held = door.tool("hold_slot", arguments).await;
    assert_eq!(held.say(), "I'm keeping tomorrow at 2 pm with Mia for you. Shall I book it?");

    let arguments = json!({"hold_id": held.body["hold_id"], "customer_id": found.body["customer_id"]});
    let booked = door.tool("book_appointment", arguments).await;
    assert_eq!(
        booked.say(),
        "You're booked, Ana: Women's cut and finish, tomorrow at 2 pm with Mia. See you then!"
    );

    assert_eq!(door.event("call_ended").await.status, StatusCode::NO_CONTENT);
    let book = door.book();
    let [appointment] = book.appointments.as_slice() else { panic!("{:?}", book.appointments) };
    assert_eq!(
        (appointment.call_id.as_str(), appointment.customer_id.as_str()),
        ("our call_1", ANA.to_string().as_str())
    );
    assert_eq!(appointment.items[0].employee_id, MIA.to_string());
    assert_eq!(book.released, ["our call_1"]);
    assert_eq!(book.finished.len(), 5);
    let finished = book.finished.values().find(|finished| !finished.appointment_id.is_empty()).unwrap();
    assert!(finished.ok && finished.latency_ms >= 0);
    assert_eq!(
        (finished.appointment_id.as_str(), finished.outcome()),
        (appointment.id.as_str(), CallOutcome::Booked)
    );
    assert_eq!(finished.customer_name, "Ana Sousa");
    assert_eq!(serde_json::from_str::<Value>(&finished.result).unwrap(), booked.body);
    drop(book);
    let booked = [("gen_ai.tool.name", "book_appointment"), ("outcome", "OK")];
    assert_eq!(door.recorded("frontdesk.voice.tool.duration", &booked), 1);
}

#[tokio::test]
async fn a_new_customer_is_added_under_the_calling_number() {
    let door = Door::open().await;
    door.book().customers.clear();
    let found = door.tool("find_customer", json!({"phone": ""})).await;
    assert_eq!(
        (found.say(), &found.body["found"]),
        ("I don't think we've met. May I take your name?", &json!(false))
    );
    assert_eq!(door.tool("create_customer", json!({"name": " "})).await.body["ok"], false);
    let created = door.tool("create_customer", json!({"name": "Ben Carter"})).await;
    assert_eq!(created.say(), "Thank you, Ben. I've noted you down.");
    let book = door.book();
    assert_eq!((book.customers[0].name.as_str(), book.customers[0].phone.as_str()), ("Ben Carter", PHONE));
    assert_eq!(created.body["customer_id"], book.customers[0].id);
}

#[tokio::test]
async fn a_shared_number_is_asked_about_by_first_names() {
    let door = Door::open().await;
    door.book().customers.push(customer(Uuid::from_u128(0xa2), "Rui Costa", PHONE));
    let found = door.tool("find_customer", json!({})).await;
    assert_eq!(found.say(), "This number belongs to Ana and Rui. Who am I speaking to?");
    let found = door.tool("find_customer", json!({"name": "Rui"})).await;
    assert_eq!(found.body["customer_id"], json!(Uuid::from_u128(0xa2)));
    let book = door.book();
    let recognised: Vec<&str> =
        book.finished.values().map(|finished| finished.customer_name.as_str()).collect();
    assert_eq!(recognised, ["", "Rui Costa"]);
}

#[tokio::test]
async fn a_caller_without_a_usable_number_is_asked_for_one() {
    let door = Door::open().await;
    for number in ["anonymous", UNDIALLABLE] {
        let mut body = tool("find_customer", json!({}));
        body["call"]["from_number"] = number.into();
        let answer = door.deliver(&body).await;
        assert_eq!((answer.status, &answer.body["ok"]), (StatusCode::OK, &json!(false)));
        assert_eq!(answer.say(), "I can't see your number. What's the number you booked with?", "{number}");
    }
    let misheard = door.tool("find_customer", json!({"phone": UNDIALLABLE})).await;
    assert_eq!(misheard.say(), "I didn't get that quite right. Could you say it again?");
}

#[tokio::test]
async fn a_time_that_has_gone_is_said_and_the_call_goes_on() {
    let door = Door::open().await;
    let arguments = json!({"starts_at": "2026-06-02T11:00:00+01:00", "service": CUT});
    let refused = door.tool("hold_slot", arguments).await;
    assert_eq!((refused.status, &refused.body["reason"]), (StatusCode::OK, &json!("SLOT_TAKEN")));
    assert_eq!(refused.say(), "I'm sorry, that time has just gone. Shall I look for another?");
    let gone = json!({"hold_id": Uuid::nil(), "customer_id": ANA});
    assert_eq!(door.tool("book_appointment", gone).await.body["reason"], "HOLD_GONE");
    assert!(door.book().finished.values().all(|finished| !finished.ok && finished.appointment_id.is_empty()));
}

#[tokio::test]
async fn a_day_without_a_free_time_is_followed_by_the_days_after_it() {
    let door = Door::open().await;
    let arguments =
        json!({"services": ["haircut"], "day": "2026-06-01", "part_of_day": "afternoon", "employee": "mia"});
    let offered = door.tool("search_availability", arguments).await;
    let said = "I have nothing today in the afternoon. Tomorrow I have 2 pm with Mia. Does that suit you?";
    assert_eq!(offered.say(), said);
    let book = door.book();
    assert!(book.searches.iter().all(|search| search.items[0].employee_id == MIA.to_string()));
    let earliest = book.searches.iter().map(|search| search.from.as_ref().unwrap().seconds).min();
    assert!(earliest >= Some(door.time.now().as_second()));
}

#[tokio::test]
async fn a_week_without_a_free_time_is_said() {
    let door = Door::open().await;
    door.book().free.clear();
    let offered = door.tool("search_availability", json!({"service": "haircut"})).await;
    assert_eq!(offered.say(), "I have nothing free in the next seven days. Would you like a later date?");
    assert_eq!((&offered.body["ok"], &offered.body["offers"]), (&json!(true), &json!([])));
}

fn unreachable() -> BusySource {
    BusySource {
        employee_id: MIA.to_string(),
        employee_name: "Mia Larsen".into(),
        freshness: Freshness::Unreachable.into(),
        reason: "the calendar can't be read: no answer from https://dav.example.com".into(),
        ..BusySource::default()
    }
}

#[tokio::test]
async fn a_calendar_that_can_not_be_read_is_said_and_is_no_full_week() {
    let door = Door::open().await;
    door.book().sources = vec![unreachable()];
    let arguments = json!({"service": "haircut", "employee": "mia"});
    let offered = door.tool("search_availability", arguments).await;
    assert!(
        offered
            .say()
            .starts_with("I can't see Mia's calendar right now, so the salon may have to call you back. "),
        "{}",
        offered.say()
    );
    assert_eq!(offered.body["calendars_not_seen"], json!(["Mia"]));
    door.book().free.clear();
    // The same arguments once more would be the same delivery.
    let arguments = json!({"service": "haircut", "employee": "Mia"});
    let nothing = door.tool("search_availability", arguments).await;
    assert_eq!(
        nothing.say(),
        "I can't see Mia's calendar right now, so I can't say what is free in the next seven days. Shall I take a \
         message for the salon, or look for someone else?"
    );
    assert_eq!((&nothing.body["ok"], &nothing.body["offers"]), (&json!(true), &json!([])));
    // What a server of someone else's says is for the desk.
    assert!(!nothing.body.to_string().contains("example.com"));
}

#[tokio::test]
async fn a_german_caller_hears_of_a_calendar_that_can_not_be_read() {
    let door = Door::open().await;
    door.book().agent.settings.as_mut().unwrap().languages = vec!["de".into()];
    door.book().sources = vec![unreachable()];
    door.book().free.clear();
    let nothing = door.tool("search_availability", json!({"service": "haircut", "employee": "mia"})).await;
    assert_eq!(
        nothing.say(),
        "Den Kalender von Mia kann ich gerade nicht einsehen, deshalb weiß ich nicht, ob in den nächsten sieben Tagen \
         etwas frei ist. Soll ich dem Salon etwas ausrichten oder bei jemand anderem nachsehen?"
    );
}

#[tokio::test]
async fn what_the_agent_gets_wrong_is_told_to_it_in_detail() {
    let door = Door::open().await;
    for (name, args) in [
        ("search_availability", json!({"service": "haircut", "day": "whenever"})),
        ("search_availability", json!({"service": "haircut", "part_of_day": "night"})),
        ("hold_slot", json!({"service": CUT, "starts_at": "ten"})),
        ("book_appointment", json!({"customer_id": ANA})),
        ("find_customer", json!({"phone": 7})),
    ] {
        let answer = door.tool(name, args).await;
        assert_eq!(
            (answer.status, &answer.body["reason"]),
            (StatusCode::OK, &json!("INVALID_FIELD")),
            "{name}"
        );
        assert!(!answer.say().is_empty() && answer.body["detail"].is_string(), "{name}: {:?}", answer.body);
    }
    assert_eq!(
        door.tool("search_availability", json!({"service": "massage"})).await.body["reason"],
        "NOT_FOUND"
    );
    assert_eq!(door.tool("make_coffee", json!({})).await.body["reason"], "NOT_FOUND");
    let unknown = [("gen_ai.tool.name", "unknown"), ("outcome", "NOT_FOUND")];
    assert_eq!(door.recorded("frontdesk.voice.tool.duration", &unknown), 1);
}

#[tokio::test]
async fn a_name_that_means_several_services_is_asked_about() {
    let door = Door::open().await;
    let mut other = door.book().services[0].clone();
    other.id = Uuid::from_u128(0x52).to_string();
    other.name = "Men's cut".into();
    other.aliases.clear();
    door.book().services.push(other);
    let asked = door.tool("search_availability", json!({"service": "cut"})).await;
    assert_eq!(asked.say(), "Would you like Women's cut and finish or Men's cut?");
    assert_eq!(asked.body["services"][1]["service_id"], json!(Uuid::from_u128(0x52)));
    let everything = door.tool("list_services", json!({})).await;
    assert_eq!(everything.say(), "We offer Women's cut and finish and Men's cut. What would you like?");
    let book = door.book();
    assert!(book.searches.is_empty());
    assert_eq!(book.phrases, [("cut".to_owned(), "our call_1".to_owned())]);
}

#[tokio::test]
async fn offers_are_searched_from_now_on_and_spoken_apart() {
    let door = Door::open().await;
    let start: Timestamp = "2026-06-01T07:00:00Z".parse().unwrap();
    door.book().free = (0..40).map(|n| start + jiff::SignedDuration::from_mins(15 * n)).collect();
    let offered = door.tool("search_availability", json!({"service_id": "", "service": "haircut"})).await;
    assert_eq!(offered.say(), "Today I have 9 am, 10 am or 11 am with Mia. Which suits you best?");
}

#[tokio::test]
async fn what_the_salon_switched_off_is_refused_on_every_platform_and_a_price_is_not_said() {
    let door = Door::open().await;
    {
        let mut book = door.book();
        let settings = book.agent.settings.as_mut().unwrap();
        (settings.may_book, settings.may_quote_prices) = (false, false);
    }
    let listed = door.tool("list_services", json!({"service": "a haircut"})).await;
    assert_eq!(listed.say(), "Women's cut and finish takes 1 hour.");
    assert_eq!(listed.body["services"][0]["price"], Value::Null);
    let offered = door.tool("search_availability", json!({"service": "Haircut", "day": "tuesday"})).await;
    assert_eq!(offered.body["offers"][0]["price"], Value::Null);
    let refused =
        door.tool("hold_slot", json!({"service": "Haircut", "starts_at": "2026-06-02T10:00"})).await;
    assert_eq!((&refused.body["ok"], &refused.body["reason"]), (&json!(false), &json!("ROLE_TOO_LOW")));
    assert_eq!(
        refused.say(),
        "I'm sorry, I can't do that on the telephone. Shall I take a message for the team?"
    );
    assert!(door.book().held.is_empty());
}

#[tokio::test]
async fn a_search_without_a_free_time_names_the_services_that_were_wanted() {
    let door = Door::open().await;
    door.book().free.clear();
    let nothing = door.tool("search_availability", json!({"service": "Haircut", "day": "tuesday"})).await;
    assert_eq!(nothing.body["offers"], json!([]));
    assert_eq!(nothing.body["services"], json!([{"service_id": CUT.to_string()}]));
}

#[tokio::test]
async fn while_tenancy_is_away_calls_run_on_what_was_published_last() {
    let door = Door::open().await;
    door.tool("opening_hours", json!({})).await;
    door.book().down.insert("get_published_agent");
    let later = |id: &str, args: Value| {
        let mut body = tool("list_services", args);
        body["call"]["call_id"] = json!(id);
        body
    };
    let told = door.deliver(&later("call_2", json!({"service": "a haircut"}))).await;
    assert_eq!(told.say(), "Women's cut and finish takes 1 hour and costs 62 pounds.");
    // A call keeps to what it began with.
    door.book().down.clear();
    door.book().agent.settings.as_mut().unwrap().may_quote_prices = false;
    let again = door.deliver(&later("call_2", json!({"service": "haircut"}))).await;
    assert_eq!(again.say(), told.say());
    let next = door.deliver(&later("call_3", json!({"service": "haircut"}))).await;
    assert!(!next.say().contains("pounds"), "{}", next.say());

    let cold = Door::open().await;
    cold.book().down.insert("get_published_agent");
    let refused = cold.tool("list_services", json!({})).await;
    assert_eq!((&refused.body["ok"], &refused.body["reason"]), (&json!(false), &json!("UNAVAILABLE")));
    cold.book().down.clear();
    assert_eq!(cold.tool("list_services", json!({"service": "cut"})).await.body["ok"], true);
}

#[tokio::test]
async fn a_caller_of_a_german_agent_is_answered_in_german_in_the_salons_own_time() {
    let door = Door::open().await;
    door.book().agent.settings.as_mut().unwrap().languages = vec!["de".into(), "en".into()];
    let found = door.tool("find_customer", json!({})).await;
    assert_eq!(found.say(), "Ich habe Sie hier als Ana. Stimmt das?");
    let listed = door.tool("list_services", json!({"service": "a haircut"})).await;
    assert_eq!(listed.say(), "Women's cut und finish dauert eine Stunde und kostet 62 Pfund.");
    let offered = door.tool("search_availability", json!({"service": "Haircut", "day": "Dienstag"})).await;
    assert_eq!(
        offered.say(),
        "Morgen ist um 10 Uhr oder um 14 Uhr bei Mia etwas frei. Was passt Ihnen am besten?"
    );
    let offer = &offered.body["offers"][1];
    let arguments = json!({"starts_at": offer["starts_at"], "services": offer["services"]});
    let held = door.tool("hold_slot", arguments).await;
    assert_eq!(held.say(), "Ich halte morgen um 14 Uhr bei Mia für Sie frei. Soll ich das buchen?");
    let arguments = json!({"hold_id": held.body["hold_id"], "customer_id": found.body["customer_id"]});
    let booked = door.tool("book_appointment", arguments).await;
    assert_eq!(booked.say(), "Gebucht, Ana: Women's cut und finish, morgen um 14 Uhr bei Mia. Bis dann!");
    let hours = door.tool("opening_hours", json!({"day": "morgen"})).await;
    assert_eq!(hours.say(), "Morgen haben wir von 9 Uhr bis 18 Uhr geöffnet.");
    door.book().down.insert("search_availability");
    let away = door.tool("search_availability", json!({"service": "Haircut", "day": "Mittwoch"})).await;
    assert_eq!(
        away.say(),
        "Ich komme gerade leider nicht an den Kalender. Soll ich dem Team etwas ausrichten?"
    );
}
