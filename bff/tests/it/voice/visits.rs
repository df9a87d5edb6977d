//! Visits to come, told, moved and cancelled for a caller who has proven who they are; hours, messages, the waitlist.

use proto::frontdesk::scheduling::v1::{Appointment, AppointmentState, PlacedItem};
use proto::frontdesk::telemetry::v1::CallOutcome;
use serde_json::{Value, json};

use super::{
    door::Door,
    line::{Line, SALON, vapi},
    salon::{ANA, CUT, PHONE, SECRET},
};

pub const CANCELLED: AppointmentState = AppointmentState::Cancelled;
const CANCEL: &str = "Shall I cancel Women's cut and finish tomorrow at 2 pm with Mia?";
const VISIT: &str = "01900000-0000-7000-8000-00000000a001";

impl Door {
    /// Ana comes tomorrow at two.
    pub fn book_visit(&self) {
        let starts_at: jiff::Timestamp = "2026-06-02T13:00:00Z".parse().unwrap();
        let placed = PlacedItem {
            service_id: CUT.to_string(),
            service_name: "Women's cut & finish".into(),
            employee_name: "Mia Larsen".into(),
            ..PlacedItem::default()
        };
        self.book().appointments.push(Appointment {
            id: VISIT.into(),
            customer_id: ANA.to_string(),
            customer_name: "Ana Sousa".into(),
            starts_at: Some(proto::time::to_proto(starts_at)),
            items: vec![placed],
            ..Appointment::default()
        });
    }
}

#[tokio::test]
async fn a_caller_hears_their_visits_once_number_and_name_fit() {
    let door = Door::open().await;
    door.book_visit();
    let told = door.tool("find_appointments", json!({"name": "ana sousa"})).await;
    assert_eq!(told.say(), "You have Women's cut and finish tomorrow at 2 pm with Mia.");
    assert_eq!(told.body["appointments"][0]["appointment_id"], VISIT);
    // The same words for a wrong name and for a number that no customer has.
    let wrong = door.tool("find_appointments", json!({"name": "Ana Silva"})).await;
    let unknown =
        door.tool("find_appointments", json!({"name": "Ana Sousa", "phone": "+447700900999"})).await;
    assert_eq!((wrong.body["ok"].clone(), wrong.say()), (json!(false), unknown.say()));
    assert!(wrong.body.get("appointments").is_none());
    let nameless = door.tool("find_appointments", json!({"customer_id": ANA.to_string()})).await;
    assert_eq!(nameless.say(), "May I have your full name, as it's booked?");
}

#[tokio::test]
async fn a_visit_is_cancelled_after_the_caller_has_agreed() {
    let door = Door::open().await;
    door.book_visit();
    let asked = door.tool("cancel_appointment", json!({"name": "Ana Sousa"})).await;
    assert_eq!(asked.say(), CANCEL);
    assert_eq!(asked.body["needs_confirmation"], true);
    assert_ne!(door.book().appointments[0].state(), CANCELLED);
    let done = door
        .tool("cancel_appointment", json!({"name": "Ana Sousa", "appointment_id": VISIT, "confirmed": true}))
        .await;
    assert!(done.say().starts_with("I've cancelled Women's cut and finish"), "{}", done.say());
    let book = door.book();
    assert_eq!(book.appointments[0].state(), CANCELLED);
    let outcomes: Vec<CallOutcome> = book.finished.values().map(|finished| finished.outcome()).collect();
    assert!(outcomes.contains(&CallOutcome::Cancelled));
}

#[tokio::test]
async fn a_visit_is_moved_to_a_time_that_is_free() {
    let door = Door::open().await;
    door.book_visit();
    let to = |start: &str, confirmed: bool| json!({"name": "Ana Sousa", "starts_at": start, "confirmed": confirmed});
    let asked = door.tool("move_appointment", to("2026-06-02T10:00:00+01:00", false)).await;
    let question = "Shall I move Women's cut and finish tomorrow at 2 pm with Mia to tomorrow at 10 am?";
    assert_eq!(asked.say(), question);
    let other = door.tool("move_appointment", to("2026-06-02T11:00:00+01:00", true)).await;
    assert_eq!(other.body["needs_confirmation"], true, "the caller has agreed to ten");
    let mut eleven = to("2026-06-02T11:00:00+01:00", true);
    eleven["appointment_id"] = json!(VISIT);
    let taken = door.tool("move_appointment", eleven).await;
    assert_eq!(taken.body["reason"], "SLOT_TAKEN");
    let moved = door.tool("move_appointment", to("2026-06-02T10:00:00+01:00", true)).await;
    assert_eq!(
        moved.say(),
        "I've moved it: Women's cut and finish tomorrow at 10 am with Mia. See you then!"
    );
}

#[tokio::test]
async fn a_platform_that_says_confirmed_before_the_caller_was_asked_changes_nothing() {
    let door = Door::open().await;
    door.book_visit();
    let confirmed = json!({"name": "Ana Sousa", "appointment_id": VISIT, "confirmed": true});
    let asked = door.tool("cancel_appointment", confirmed.clone()).await;
    assert_eq!((asked.say(), &asked.body["needs_confirmation"]), (CANCEL, &json!(true)));
    // Another call has not heard that question.
    let mut elsewhere = super::door::tool("cancel_appointment", confirmed.clone());
    elsewhere["call"]["call_id"] = json!("call_2");
    assert_eq!(door.deliver(&elsewhere).await.body["needs_confirmation"], true);
    // To move it is another question.
    let moved = json!({"name": "Ana Sousa", "starts_at": "2026-06-02T10:00:00+01:00", "confirmed": true});
    assert_eq!(door.tool("move_appointment", moved).await.body["needs_confirmation"], true);
    assert_ne!(door.book().appointments[0].state(), CANCELLED);
    // What is delivered again gets the first answer.
    assert_eq!(door.tool("cancel_appointment", confirmed).await.say(), CANCEL);
    let agreed = json!({"name": "Ana Sousa", "confirmed": true});
    assert!(door.tool("cancel_appointment", agreed).await.say().starts_with("I've cancelled"));
}

#[tokio::test]
async fn a_question_and_its_confirmation_in_one_delivery_change_nothing() {
    let door = Line::VapiBearer.open().await;
    door.book_visit();
    let cancel = |id: &str, confirmed: bool| {
        let parameters = json!({"name": "Ana Sousa", "confirmed": confirmed});
        json!({"id": id, "name": "cancel_appointment", "parameters": parameters})
    };
    let deliver = async |list: Value| {
        let body = vapi(json!({"type": "tool-calls", "toolCallList": list})).to_string().into_bytes();
        let answer = Line::VapiBearer.deliver(&door, &body).await.json();
        let results = answer["results"].as_array().unwrap().clone();
        results.iter().map(|one| one["result"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let both = deliver(json!([cancel("t1", false), cancel("t2", true)])).await;
    assert!(both.iter().all(|answer| answer.contains("\"needs_confirmation\":true")), "{both:?}");
    assert_ne!(door.book().appointments[0].state(), CANCELLED);
    let agreed = deliver(json!([cancel("t3", true)])).await;
    assert!(agreed[0].contains("I've cancelled"), "{agreed:?}");
}

#[tokio::test]
async fn elevenlabs_may_say_the_same_again_once_the_caller_was_asked() {
    let door = Line::ElevenLabs.open().await;
    door.book_visit();
    let body = json!({"tool": "cancel_appointment", "conversation_id": "call_1", "caller_id": PHONE,
        "called_number": SALON, "parameters": {"name": "Ana Sousa", "confirmed": true}});
    let body = body.to_string().into_bytes();
    let bearer = || vec![("authorization".to_owned(), format!("Bearer {SECRET}"))];
    let asked = Line::ElevenLabs.deliver_as(&door, bearer(), &body).await.json();
    assert_eq!(asked["say"], CANCEL);
    let agreed = Line::ElevenLabs.deliver_as(&door, bearer(), &body).await.json();
    assert!(agreed["say"].as_str().unwrap().starts_with("I've cancelled"), "{agreed}");
    assert_eq!(door.book().appointments[0].state(), CANCELLED);
    // From here on it is done, however often it is delivered.
    assert_eq!(Line::ElevenLabs.deliver_as(&door, bearer(), &body).await.json(), agreed);
}

#[tokio::test]
async fn a_visit_of_another_customer_is_never_found() {
    let door = Door::open().await;
    door.book_visit();
    door.book().appointments[0].customer_id = CUT.to_string();
    for tool in ["cancel_appointment", "move_appointment"] {
        let arguments = json!({"name": "Ana Sousa", "appointment_id": VISIT, "confirmed": true,
            "starts_at": "2026-06-02T10:00:00+01:00"});
        let answer = door.tool(tool, arguments).await;
        assert_eq!((&answer.body["ok"], answer.say()), (&json!(false), "You have nothing booked with us."));
    }
}

#[tokio::test]
async fn the_salon_tells_its_hours_takes_messages_and_keeps_a_waitlist() {
    let door = Door::open().await;
    let hours = door.tool("opening_hours", json!({"day": "tuesday"})).await;
    assert_eq!(hours.say(), "Tomorrow we're open from 9 am to 6 pm.");

    let none = door.tool("take_message", json!({})).await;
    assert_eq!(none.say(), "What would you like me to pass on?");
    let taken = door.tool("take_message", json!({"message": "I'm running late", "name": "Ana"})).await;
    assert_eq!(taken.say(), "I've passed that on to the team. They'll call you back.");

    let anyone = door.tool("join_waitlist", json!({"service": "haircut"})).await;
    assert_eq!(anyone.say(), "Whom may I put on the list?");
    let arguments = json!({"service": "haircut", "customer_id": ANA.to_string(), "first_day": "tomorrow",
        "last_day": "friday", "part_of_day": "afternoon"});
    let joined = door.tool("join_waitlist", arguments).await;
    assert!(joined.say().starts_with("You're on our list until Friday the 5th of June."), "{}", joined.say());

    let book = door.book();
    assert_eq!(
        (book.messages[0].text.as_str(), book.messages[0].phone.as_str()),
        ("Ana: I'm running late", PHONE)
    );
    let waiting = &book.waiting[0];
    assert_eq!((waiting.first_date.as_str(), waiting.last_date.as_str()), ("2026-06-02", "2026-06-05"));
    assert_eq!((waiting.from_minute, waiting.to_minute), (720, 1020));
}
