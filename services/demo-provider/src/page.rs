//! The page on which the system's own people edit: plain forms.

use axum::{
    Form, Router,
    extract::State,
    http::StatusCode,
    response::{Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use jiff::{SignedDuration, Timestamp, civil::DateTime};
use serde::Deserialize;

use crate::{
    DemoProvider,
    book::{Appointment, Book, Booking},
    fault::Fault,
};

/// Who edits here.
const BY: &str = "the salon, in its booking system";

pub(crate) fn routes() -> Router<DemoProvider> {
    Router::new()
        .route("/", get(page))
        .route("/appointments/add", post(add))
        .route("/appointments/move", post(move_later))
        .route("/appointments/delete", post(delete))
        .route("/faults", post(fail))
        .route("/faults/end", post(mend))
}

async fn page(State(system): State<DemoProvider>) -> Html<String> {
    let state = system.lock();
    let book = &state.book;
    let rows: String = book.appointments().into_iter().map(|appointment| row(book, appointment)).collect();
    let people: String = book
        .people
        .iter()
        .map(|person| format!("<option value=\"{}\">{}</option>", escaped(&person.id), escaped(&person.name)))
        .collect();
    let faults: String = Fault::ALL.iter().map(|(_, name)| format!("<option>{name}</option>")).collect();
    Html(format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\
         <title>Demo booking system</title><style>body{{font:16px/1.5 system-ui;margin:2rem;max-width:60rem}}\
         table{{border-collapse:collapse;width:100%}}th,td{{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #ccc}}\
         form{{display:inline-flex;gap:.5rem;flex-wrap:wrap;margin:.2rem 0}}</style>\
         <h1>Demo booking system of {account}</h1><p>It belongs to someone else, and knows nothing of Frontdesk. \
         Its token is <code>{token}</code>.</p>\
         <h2>Appointments</h2><table><thead><tr><th>When<th>Who<th>What<th>Changed by<th>Edit</thead><tbody>{rows}</tbody></table>\
         <h2>New appointment</h2><form method=post action=/appointments/add>\
         <label>Who <select name=employee>{people}</select></label>\
         <label>What <input name=title required maxlength=100></label>\
         <label>Start <input name=starts type=datetime-local required></label>\
         <label>Minutes <input name=minutes type=number value=60 min=5 max=720></label><button>Add</button></form>\
         <h2>Faults</h2><p>{left} requests will still fail.</p><form method=post action=/faults>\
         <label>Fault <select name=fault>{faults}</select></label>\
         <label>Requests <input name=count type=number value=3 min=1 max=100></label><button>Fail</button></form>\
         <form method=post action=/faults/end><button>End all faults</button></form></html>",
        account = escaped(&book.account),
        token = escaped(&book.token),
        left = state.faults.left(),
    ))
}

fn row(book: &Book, appointment: &Appointment) -> String {
    let [from, to] =
        [appointment.booking.starts_at, appointment.booking.ends_at].map(|at| book.zone.to_datetime(at));
    let name = book.people.iter().find(|person| person.id == appointment.booking.employee_id);
    let id = escaped(&appointment.id);
    let title = escaped(&appointment.booking.title);
    format!(
        "<tr><td>{} to {}<td>{}<td>{title}<td>{}<td>\
         <form method=post action=/appointments/move><input type=hidden name=id value=\"{id}\">\
         <button aria-label=\"Move {title} by an hour\">Later by an hour</button></form>\
         <form method=post action=/appointments/delete><input type=hidden name=id value=\"{id}\">\
         <button aria-label=\"Delete {title}\">Delete</button></form>",
        from.strftime("%d %b %H:%M"),
        to.strftime("%H:%M"),
        escaped(name.map_or("", |person| person.name.as_str())),
        escaped(&appointment.changed_by),
    )
}

#[derive(Debug, Deserialize)]
struct Added {
    employee: String,
    title: String,
    starts: DateTime,
    minutes: i64,
}

async fn add(State(system): State<DemoProvider>, Form(added): Form<Added>) -> Response {
    let (now, id) = (system.clock.now(), format!("A{}", system.clock.new_id().simple()));
    let done = system.edit(|book| {
        let starts = added.starts.to_zoned(book.zone.clone()).ok()?.timestamp();
        let booking = Booking {
            employee_id: added.employee,
            service_id: None,
            title: added.title,
            starts_at: starts,
            ends_at: starts + SignedDuration::from_mins(added.minutes.clamp(5, 720)),
            reference: None,
        };
        book.put(&id, booking, None, BY, now).ok().map(drop)
    });
    answer(done)
}

#[derive(Debug, Deserialize)]
struct Chosen {
    id: String,
}

async fn move_later(State(system): State<DemoProvider>, Form(Chosen { id }): Form<Chosen>) -> Response {
    let now = system.clock.now();
    let done = system.edit(|book| {
        let known = book.appointments().into_iter().find(|known| known.id == id)?.clone();
        let later = |at: Timestamp| at + SignedDuration::from_hours(1);
        let booking = Booking {
            starts_at: later(known.booking.starts_at),
            ends_at: later(known.booking.ends_at),
            ..known.booking
        };
        book.put(&id, booking, Some(&known.version), BY, now).ok().map(drop)
    });
    answer(done)
}

async fn delete(State(system): State<DemoProvider>, Form(Chosen { id }): Form<Chosen>) -> Response {
    let now = system.clock.now();
    let done = system.edit(|book| {
        let version = book.version(&id)?.to_owned();
        book.delete(&id, &version, BY, now).ok()
    });
    answer(done)
}

#[derive(Debug, Deserialize)]
struct Wished {
    fault: String,
    count: u32,
}

async fn fail(State(system): State<DemoProvider>, Form(Wished { fault, count }): Form<Wished>) -> Response {
    answer(Fault::parse(&fault).map(|fault| system.fail(fault, count.min(100))))
}

async fn mend(State(system): State<DemoProvider>) -> Response {
    system.mend();
    answer(Some(()))
}

fn answer(done: Option<()>) -> Response {
    match done {
        Some(()) => Redirect::to("/").into_response(),
        None => StatusCode::UNPROCESSABLE_ENTITY.into_response(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use boot::clock::Clock;
    use jiff::tz::TimeZone;

    use super::*;

    fn system() -> DemoProvider {
        let zone = TimeZone::get("Europe/London").unwrap();
        let book = Book::new("Willow & Co", "token", zone, &["Mia", "Noah"], &["Cut"]);
        let (clock, _) = Clock::test("2026-06-01T08:00:00Z".parse().unwrap());
        DemoProvider::new(book, clock)
    }

    async fn shown(system: &DemoProvider) -> String {
        page(State(system.clone())).await.0
    }

    /// Enters an appointment of Mia's at nine, and says its id.
    async fn add_one(system: &DemoProvider, title: &str) -> Chosen {
        let starts = "2026-06-01T09:00".parse().unwrap();
        let added = Added { employee: "P1".to_owned(), title: title.to_owned(), starts, minutes: 30 };
        assert_eq!(add(State(system.clone()), Form(added)).await.status(), StatusCode::SEE_OTHER);
        Chosen { id: system.edit(|book| book.appointments()[0].id.clone()) }
    }

    #[tokio::test]
    async fn its_people_add_move_and_delete_appointments_in_the_zone_of_the_salon() {
        let system = system();
        let id = add_one(&system, "Dentist").await.id;
        let added = shown(&system).await;
        assert!(added.contains("<tr><td>01 Jun 09:00 to 09:30<td>Mia<td>Dentist"), "{added}");
        assert!(added.contains(BY), "{added}");
        let starts = system.edit(|book| book.appointments()[0].booking.starts_at);
        assert_eq!(starts.to_string(), "2026-06-01T08:00:00Z");

        let chosen = || Form(Chosen { id: id.clone() });
        assert_eq!(move_later(State(system.clone()), chosen()).await.status(), StatusCode::SEE_OTHER);
        assert!(shown(&system).await.contains("01 Jun 10:00 to 10:30"));
        assert_eq!(delete(State(system.clone()), chosen()).await.status(), StatusCode::SEE_OTHER);
        assert!(!shown(&system).await.contains("Dentist"));
        for gone in [move_later(State(system.clone()), chosen()).await, delete(State(system), chosen()).await]
        {
            assert_eq!(gone.status(), StatusCode::UNPROCESSABLE_ENTITY);
        }
    }

    #[tokio::test]
    async fn what_is_entered_is_shown_as_text() {
        let system = system();
        add_one(&system, "<script>\"&").await;
        let shown = shown(&system).await;
        assert!(shown.contains("&lt;script&gt;&quot;&amp;") && !shown.contains("<script>"), "{shown}");
    }

    #[tokio::test]
    async fn faults_are_asked_for_and_ended_here() {
        let system = system();
        for (_, name) in Fault::ALL {
            let wished = Wished { fault: name.to_owned(), count: 2 };
            assert_eq!(fail(State(system.clone()), Form(wished)).await.status(), StatusCode::SEE_OTHER);
        }
        assert!(shown(&system).await.contains("<p>10 requests will still fail.</p>"));
        let unknown = Wished { fault: "fire".to_owned(), count: 2 };
        let refused = fail(State(system.clone()), Form(unknown)).await;
        assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
        mend(State(system.clone())).await;
        assert!(shown(&system).await.contains("<p>0 requests will still fail.</p>"));
    }
}
