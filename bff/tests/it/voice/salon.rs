//! A salon behind the door: tenancy, scheduling and telemetry as far as the voice
//! door calls them, strict about who calls and under which key.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard},
};

use caller::{Actor, BusinessId, BusinessScope, InstallationScope, Tenant};
use jiff::Timestamp;
use proto::{
    error::{Reason, refuse},
    frontdesk::{
        scheduling::v1::{
            Appointment, BusySource, Hold, JoinWaitlistRequest, Offer, PlacedItem, SearchAvailabilityRequest,
            Service, VisitItem,
        },
        telemetry::{
            internal::v1::{CallFacts, Delivery, FinishToolCallRequest},
            v1::CallOutcome,
        },
        tenancy::{
            internal::v1::CallCheck,
            v1::{
                AgentSettings, CreateFollowUpRequest, Customer, Employee, HmacFormat, ReadyAgent,
                VoicePlatform, WebhookCheck,
            },
        },
    },
    time,
};
use tonic::Status;
use uuid::Uuid;

pub const BUSINESS: BusinessId = BusinessId(Uuid::from_u128(0xb1));
pub const CONNECTION: Uuid = Uuid::from_u128(0xc1);
pub const SECRET: &str = "key_3f5c1e0b9a7d42c6";
pub const ANA: Uuid = Uuid::from_u128(0xa1);
pub const CUT: Uuid = Uuid::from_u128(0x51);
pub const MIA: Uuid = Uuid::from_u128(0xe1);
/// Ana's telephone.
pub const PHONE: &str = "+447700900123";

/// E.164 in form, but of no numbering plan.
pub const UNDIALLABLE: &str = "+999123456";

/// What the services know, and what they were asked.
#[derive(Debug)]
pub struct Book {
    pub platform: VoicePlatform,
    pub check: WebhookCheck,
    pub hmac: Option<HmacFormat>,
    pub secret: String,
    pub old_secret: String,
    /// What is published.
    pub agent: ReadyAgent,
    pub customers: Vec<Customer>,
    pub services: Vec<Service>,
    pub employees: Vec<Employee>,
    /// Starts that are free for any service.
    pub free: Vec<Timestamp>,
    /// Open holds and their calls.
    pub holds: BTreeMap<String, (Hold, String)>,
    /// Every hold there was.
    pub held: BTreeMap<String, Hold>,
    pub appointments: Vec<Appointment>,
    pub released: Vec<String>,
    pub events: BTreeMap<(String, String), (Delivery, CallFacts)>,
    /// Deliveries that name no call, with their kinds.
    pub notices: BTreeMap<(String, String), (Delivery, String)>,
    /// With the names of their tools and calls, and their own ids.
    pub tools: BTreeMap<(String, String), (Delivery, String, String, String)>,
    pub finished: BTreeMap<String, FinishToolCallRequest>,
    pub searches: Vec<SearchAvailabilityRequest>,
    /// As of when calendars are known.
    pub sources: Vec<BusySource>,
    /// What was said to mean a service, and in which call.
    pub phrases: Vec<(String, String)>,
    /// Pieces of recordings, by upload.
    pub recordings: BTreeMap<String, Vec<Vec<u8>>>,
    /// Messages that callers left.
    pub messages: Vec<CreateFollowUpRequest>,
    pub waiting: Vec<JoinWaitlistRequest>,
    /// Checks for lost calls that are due.
    pub checks: Vec<CallCheck>,
    /// Calls that the platform lists, with what it tells of each.
    pub documents: Vec<(String, Option<String>)>,
    /// Calls that it refuses to tell, and why.
    pub refused: BTreeMap<&'static str, Reason>,
    pub documents_read: usize,
    /// Checks that ended: calls taken in, and whether some could not be.
    pub checked: Vec<(i32, bool)>,
    pub opened: usize,
    /// How often the published agent was read.
    pub read: usize,
    /// Methods that can't be reached.
    pub down: BTreeSet<&'static str>,
    /// Methods that never answer.
    pub hung: BTreeSet<&'static str>,
    /// Those that were called all the same.
    pub unreached: Vec<&'static str>,
    answered: BTreeMap<(&'static str, String), String>,
    made: u128,
}

/// An agent that may do everything.
fn agent() -> ReadyAgent {
    ReadyAgent {
        version: 3,
        settings: Some(AgentSettings {
            greeting: "Hello, this is Willow & Co. How can I help you?".into(),
            prompt: "Be the kindest receptionist of the street.".into(),
            languages: vec!["en".into()],
            may_book: true,
            may_move: true,
            may_cancel: true,
            may_join_waitlist: true,
            may_take_messages: true,
            may_quote_prices: true,
            ..AgentSettings::default()
        }),
        salon: "Willow & Co".into(),
        time_zone: "Europe/London".into(),
    }
}

#[derive(Debug)]
pub struct Salon(Mutex<Book>);

impl Salon {
    pub fn new() -> Self {
        let service = Service {
            id: CUT.to_string(),
            name: "Women's cut & finish".into(),
            segments: vec![proto::frontdesk::scheduling::v1::Segment { kind: 1, minutes: 60 }],
            price_minor: 6200,
            currency: "GBP".into(),
            aliases: vec!["haircut".into()],
            employee_ids: vec![MIA.to_string()],
            ..Service::default()
        };
        Self(Mutex::new(Book {
            platform: VoicePlatform::Retell,
            check: WebhookCheck::PlatformSignature,
            hmac: None,
            secret: SECRET.into(),
            old_secret: String::new(),
            agent: agent(),
            customers: vec![customer(ANA, "Ana Sousa", PHONE)],
            services: vec![service],
            employees: vec![Employee {
                id: MIA.to_string(),
                name: "Mia Larsen".into(),
                ..Employee::default()
            }],
            free: vec!["2026-06-02T09:00:00Z".parse().unwrap(), "2026-06-02T13:00:00Z".parse().unwrap()],
            holds: BTreeMap::new(),
            held: BTreeMap::new(),
            appointments: vec![],
            released: vec![],
            events: BTreeMap::new(),
            notices: BTreeMap::new(),
            tools: BTreeMap::new(),
            finished: BTreeMap::new(),
            searches: vec![],
            sources: vec![],
            phrases: vec![],
            recordings: BTreeMap::new(),
            messages: vec![],
            waiting: vec![],
            checks: vec![],
            documents: vec![],
            refused: BTreeMap::new(),
            documents_read: 0,
            checked: vec![],
            opened: 0,
            read: 0,
            down: BTreeSet::new(),
            hung: BTreeSet::new(),
            unreached: vec![],
            answered: BTreeMap::new(),
            made: 0,
        }))
    }

    pub fn book(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap()
    }

    /// The book for an agent of the one connection, in the one business.
    pub fn for_agent(
        &self,
        method: &'static str,
        scope: &BusinessScope,
        business_id: &str,
    ) -> Result<MutexGuard<'_, Book>, Status> {
        assert_eq!(scope.actor(), Actor::Agent { connection: CONNECTION }, "{method}");
        assert_eq!((scope.business(), business_id), (BUSINESS, BUSINESS.to_string().as_str()), "{method}");
        assert!(scope.remaining().is_some(), "{method} has no deadline");
        self.reach(method)
    }

    pub fn for_door(&self, scope: &InstallationScope) -> Result<MutexGuard<'_, Book>, Status> {
        assert_eq!(*scope.actor(), Actor::Service { name: "bff".into() });
        self.reach("open")
    }

    /// Never ends where the method hangs.
    pub async fn answers(&self, method: &'static str) {
        let hangs = self.book().hung.contains(method);
        if hangs {
            self.book().unreached.push(method);
            core::future::pending().await
        }
    }

    fn reach(&self, method: &'static str) -> Result<MutexGuard<'_, Book>, Status> {
        let mut book = self.book();
        if book.down.contains(method) {
            book.unreached.push(method);
            return Err(refuse(Reason::Unavailable, "the service can't be reached"));
        }
        Ok(book)
    }
}

pub fn customer(id: Uuid, name: &str, phone: &str) -> Customer {
    Customer { id: id.to_string(), name: name.into(), phone: phone.into(), ..Customer::default() }
}

impl Book {
    pub fn new_id(&mut self) -> String {
        self.made += 1;
        Uuid::from_u128(0xf000_0000 + self.made).to_string()
    }

    /// The id this key made before; writes without a key are a fault of the door.
    pub fn answered(&self, method: &'static str, scope: &BusinessScope) -> Option<String> {
        let key = scope.idempotency_key().unwrap_or_else(|| panic!("{method} without an idempotency key"));
        self.answered.get(&(method, key.as_str().to_owned())).cloned()
    }

    pub fn answer(&mut self, method: &'static str, scope: &BusinessScope, id: &str) {
        let key = scope.idempotency_key().expect("checked before").as_str().to_owned();
        self.answered.insert((method, key), id.to_owned());
    }

    /// Whether the last tool failed by a fault, and none left a message; of the only call there is.
    pub fn ends_on_fault(&self) -> bool {
        let last = self.finished.values().next_back();
        let took_message = |finished: &FinishToolCallRequest| finished.outcome() == CallOutcome::Message;
        last.is_some_and(|last| last.result.contains("UNAVAILABLE"))
            && !self.finished.values().any(took_message)
    }

    /// What a tool asked in a call, as it was answered.
    pub fn questions(&self, call: &str, name: &str) -> Vec<String> {
        let of_tool = self.tools.values().filter(|(_, tool, of, _)| tool == name && of == call);
        let answers = of_tool.filter_map(|(.., id)| self.finished.get(id)).map(|finished| &finished.result);
        answers.filter(|answer| answer.contains("\"needs_confirmation\":true")).cloned().collect()
    }

    pub fn offer(&self, items: &[VisitItem], starts_at: Timestamp) -> Result<Offer, Status> {
        let placed = items.iter().map(|item| {
            let service = self.services.iter().find(|service| service.id == item.service_id);
            let service = service.ok_or_else(|| refuse(Reason::NotFound, "there is no such service"))?;
            let employee =
                if item.employee_id.is_empty() { MIA.to_string() } else { item.employee_id.clone() };
            let employee = self.employees.iter().find(|known| known.id == employee);
            let employee = employee.ok_or_else(|| refuse(Reason::NotFound, "there is no such employee"))?;
            Ok(PlacedItem {
                service_id: service.id.clone(),
                service_name: service.name.clone(),
                employee_id: employee.id.clone(),
                employee_name: employee.name.clone(),
                starts_at: Some(time::to_proto(starts_at)),
                ends_at: None,
                ..PlacedItem::default()
            })
        });
        Ok(Offer {
            starts_at: Some(time::to_proto(starts_at)),
            ends_at: None,
            items: placed.collect::<Result<_, Status>>()?,
            price_minor: 6200,
            currency: "GBP".into(),
            lost_minutes: 0,
        })
    }
}
