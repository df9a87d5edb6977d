//! What telemetry must not carry.

use std::{
    fmt,
    sync::{Arc, Mutex},
};

use serde_json::json;
use tracing::{
    Dispatch, Event, Subscriber,
    field::{Field, Visit},
    span,
    subscriber::DefaultGuard,
};
use tracing_subscriber::{Layer, Registry, layer::Context, layer::SubscriberExt};

use super::{
    door::Door,
    salon::{ANA, CUT, PHONE, SECRET},
};

/// Keeps every field of every span and event.
#[derive(Clone, Default)]
pub struct Seen(Arc<Mutex<String>>);

/// As long as it lives, this thread is watched.
pub struct Watching {
    _guard: DefaultGuard,
    _another: Dispatch,
}

impl Seen {
    pub fn watch(&self) -> Watching {
        // While there is but one subscriber, spans that another thread meets first are off for all.
        let another = Dispatch::new(Registry::default());
        let guard = tracing::subscriber::set_default(Registry::default().with(self.clone()));
        Watching { _guard: guard, _another: another }
    }

    pub fn text(&self) -> String {
        self.0.lock().unwrap().clone()
    }
}

impl Visit for Seen {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.lock().unwrap().push_str(&format!("{field}={value:?}\n"));
    }
}

impl<S: Subscriber> Layer<S> for Seen {
    fn on_new_span(&self, attributes: &span::Attributes<'_>, _: &span::Id, _: Context<'_, S>) {
        attributes.record(&mut self.clone());
    }
    fn on_record(&self, _: &span::Id, values: &span::Record<'_>, _: Context<'_, S>) {
        values.record(&mut self.clone());
    }
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        event.record(&mut self.clone());
    }
}

#[tokio::test]
async fn spans_and_logs_name_the_tools_and_carry_no_number_name_or_secret() {
    let seen = Seen::default();
    let _watching = seen.watch();
    let door = Door::open().await;
    door.event("call_started").await;
    door.tool("find_customer", json!({"phone": PHONE})).await;
    let held =
        door.tool("hold_slot", json!({"starts_at": "2026-06-02T10:00:00+01:00", "service": CUT})).await;
    door.tool("book_appointment", json!({"hold_id": held.body["hold_id"], "customer_id": ANA})).await;
    door.book().down.insert("list_customers");
    door.tool("find_customer", json!({})).await;
    door.post("/api/webhooks/voice/retell/00000000-0000-0000-0000-0000000000c1", Some("v=1,d=2"), vec![])
        .await;

    let seen = seen.text();
    for tool in ["find_customer", "hold_slot", "book_appointment"] {
        assert!(seen.contains(&format!("gen_ai.tool.name=\"{tool}\"")), "{tool}: {seen}");
    }
    for private in [&PHONE[1..], "Sousa", SECRET] {
        assert!(!seen.contains(private), "{private}: {seen}");
    }
}
