//! A salon that is known to a Google of the test's own.

use std::collections::BTreeSet;

use boot::Host;
use calendar_sync::GoogleApp;
use caller::Role;
use google_fake::{Client, EVENTS, GoogleFake, LIST};
use proto::frontdesk::calendarsync::{
    internal::v1::{
        ListPersonCalendarsRequest, ListPersonCalendarsResponse,
        person_calendar_service_client::PersonCalendarServiceClient,
    },
    v1::{
        BeginConsentRequest, BeginConsentResponse, Calendar, CalendarKind, ConnectGoogleCalendarRequest,
        Consent, ConsentState, DisconnectCalendarRequest, FinishConsentRequest, ListConsentsRequest,
        WithdrawConsentRequest, consent_service_client::ConsentServiceClient,
    },
};
use serde_json::{Value, json};
use testkit::{SESSION, USER, as_person, as_service, as_user};
use tonic::{Request, Status, transport::Channel};
use uuid::Uuid;

use crate::{
    salon::{MIA, PUBLIC, SALON, Salon},
    scheduling::PATIENCE,
};

pub const ACCOUNT: &str = "mia@example.com";

/// A salon that is known to a Google with one account.
pub struct World {
    pub salon: Salon,
    pub google: GoogleFake,
}

/// Starts a Google on the clock of `host`.
pub async fn start(host: &Host) -> (GoogleFake, GoogleApp) {
    start_with(host, &[ACCOUNT]).await
}

/// Starts one with these accounts.
pub async fn start_with(host: &Host, accounts: &[&str]) -> (GoogleFake, GoogleApp) {
    let redirect_uris = vec![format!("{PUBLIC}onboarding/oauth-callback")];
    let client = Client { id: "desk".to_owned(), secret: "a client's secret".to_owned(), redirect_uris };
    let google = GoogleFake::new(client, accounts, host.clock.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base: url::Url = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
    let router = google.router();
    tokio::spawn(async move { axum::serve(listener, router).await });
    let app = GoogleApp {
        client_id: "desk".to_owned(),
        client_secret: "a client's secret".parse().unwrap(),
        authorization: base.join("o/oauth2/v2/auth").unwrap(),
        oauth: base.clone(),
        api: base.join("calendar/v3/").unwrap(),
        public_url: PUBLIC.parse().unwrap(),
    };
    (google, app)
}

impl World {
    pub async fn open() -> Self {
        let mut google = None;
        let salon = Salon::known_to(async |host| {
            let (fake, app) = start(host).await;
            google = Some(fake);
            app
        })
        .await;
        Self { salon, google: google.unwrap() }
    }

    /// A salon whose Mia has her primary calendar connected, watched, and read since.
    pub async fn connected() -> (Self, Calendar) {
        let world = Self::open().await;
        world.allow().await;
        let calendar = world.connect(ACCOUNT, MIA).await.unwrap();
        world.salon.until(async || world.salon.count("SELECT count(*) FROM google_channel").await == 1).await;
        let busy =
            "SELECT count(*) FROM sync_state WHERE due_at <= '2026-06-01T08:00:00Z' OR lease IS NOT NULL";
        world.salon.until(async || world.salon.count(busy).await == 0).await;
        (world, calendar)
    }

    pub fn consents(&self) -> ConsentServiceClient<Channel> {
        ConsentServiceClient::new(self.salon.channel.clone())
    }

    pub fn person<T>(&self, message: T) -> Request<T> {
        as_person(&self.salon.host, USER, SESSION, None, None, message)
    }

    pub async fn begin(&self) -> BeginConsentResponse {
        let message = BeginConsentRequest { kind: CalendarKind::Google.into() };
        self.consents().begin_consent(self.person(message)).await.unwrap().into_inner()
    }

    /// The person's answer at Google, and what the page that they are led back to makes of it.
    pub async fn answer(&self, asked: &BeginConsentResponse, allowed: Option<&[&str]>) -> Result<(), Status> {
        let question = asked.authorization_url.parse().unwrap();
        let back = self.google.answer(&question, ACCOUNT, allowed).unwrap();
        let value = |wanted: &str| {
            back.query_pairs().find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
        };
        self.finish(&value("state").unwrap(), value("code").as_deref()).await
    }

    pub async fn finish(&self, state: &str, code: Option<&str>) -> Result<(), Status> {
        let message = FinishConsentRequest {
            state: state.to_owned(),
            allowed: code.is_some(),
            code: code.unwrap_or_default().to_owned(),
        };
        self.consents().finish_consent(self.person(message)).await.map(drop)
    }

    pub async fn allow(&self) {
        let asked = self.begin().await;
        self.answer(&asked, Some(&[LIST, EVENTS])).await.unwrap();
    }

    pub async fn withdraw(&self) {
        self.try_withdraw(false).await.unwrap();
    }

    pub async fn try_withdraw(&self, take_out: bool) -> Result<(), Status> {
        let request = self.person(WithdrawConsentRequest { take_out });
        self.consents().withdraw_consent(request).await.map(drop)
    }

    /// How the consent for Google stands, and for which account.
    pub async fn standing(&self) -> (ConsentState, String) {
        let found = self.consent().await;
        (found.state(), found.account)
    }

    /// The consent for Google.
    pub async fn consent(&self) -> Consent {
        let listed = self.consents().list_consents(self.person(ListConsentsRequest {})).await.unwrap();
        let consents = listed.into_inner().consents;
        consents.into_iter().find(|consent| consent.kind() == CalendarKind::Google).unwrap()
    }

    pub async fn calendars(&self) -> Result<ListPersonCalendarsResponse, Status> {
        let message = ListPersonCalendarsRequest { user_id: USER.to_string() };
        let request = as_service("bff", &self.salon.host, None, message);
        let mut client = PersonCalendarServiceClient::new(self.salon.channel.clone());
        Ok(client.list_person_calendars(request).await?.into_inner())
    }

    pub async fn connect(&self, external_id: &str, employee: Uuid) -> Result<Calendar, Status> {
        self.connect_as(Role::Owner, external_id, employee).await
    }

    pub async fn connect_as(
        &self,
        role: Role,
        external_id: &str,
        employee: Uuid,
    ) -> Result<Calendar, Status> {
        let message = ConnectGoogleCalendarRequest {
            business_id: SALON.to_string(),
            external_id: external_id.to_owned(),
            employee_id: employee.to_string(),
        };
        let request = as_user(&self.salon.host, role, SALON, message);
        Ok(self.salon.calendars().connect_google_calendar(request).await?.into_inner().calendar.unwrap())
    }

    pub async fn disconnect(&self, calendar: &Calendar) {
        let message = DisconnectCalendarRequest {
            business_id: SALON.to_string(),
            calendar_id: calendar.id.clone(),
            take_out: false,
        };
        let request = as_user(&self.salon.host, Role::Owner, SALON, message);
        self.salon.calendars().disconnect_calendar(request).await.unwrap();
    }

    /// Mia enters an event.
    pub fn put(&self, id: &str, event: Value) {
        self.google.put(ACCOUNT, ACCOUNT, id, event);
    }

    /// Lets the calendar fall due and waits until scheduling holds `expected`: title, start and end.
    pub async fn until_held(&self, expected: &[&str]) {
        self.salon.read_again().await;
        let expected: BTreeSet<String> = expected.iter().map(|text| (*text).to_owned()).collect();
        let waiting = async {
            while self.held() != expected {
                tokio::task::yield_now().await;
            }
        };
        let waited = tokio::time::timeout(PATIENCE, waiting).await;
        assert!(waited.is_ok(), "{:?}, not {expected:?}: {:?}", self.held(), self.salon.calendar().await);
    }

    fn held(&self) -> BTreeSet<String> {
        let imported = self.salon.scheduling.imported();
        let shown = |fact: &proto::frontdesk::scheduling::internal::v1::BusyFact| {
            let [from, to] = [fact.starts_at.as_ref(), fact.ends_at.as_ref()]
                .map(|at| proto::time::required("at", at).unwrap().to_string());
            format!("{} {from} {to}", fact.title)
        };
        imported.busy.values().map(shown).collect()
    }
}

/// An event of the first of June or a later day.
pub fn event(title: &str, day: u8, hour: u8) -> Value {
    json!({
        "summary": title,
        "start": { "dateTime": format!("2026-06-{day:02}T{hour:02}:00:00Z") },
        "end": { "dateTime": format!("2026-06-{day:02}T{hour:02}:30:00Z") },
    })
}
