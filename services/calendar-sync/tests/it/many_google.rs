//! Many people's accounts at Google, each with a calendar that is connected with its own person's consent.

use caller::{Role, UserId};
use google_fake::{EVENTS, GoogleFake, LIST};
use proto::frontdesk::calendarsync::v1::{
    BeginConsentRequest, CalendarKind, ConnectGoogleCalendarRequest, FinishConsentRequest,
    consent_service_client::ConsentServiceClient,
};
use testkit::{SESSION, as_person};
use uuid::Uuid;

use crate::{
    google::start_with,
    salon::{MIA, SALON, Salon},
};

/// A salon that is known to a Google with so many accounts.
pub async fn open(accounts: usize) -> (Salon, GoogleFake) {
    let names: Vec<String> = (0..accounts).map(account).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut google = None;
    let salon = Salon::known_to(async |host| {
        let (fake, app) = start_with(host, &names).await;
        google = Some(fake);
        app
    })
    .await;
    (salon, google.unwrap())
}

/// The `n`-th account, which its primary calendar is called after.
pub fn account(n: usize) -> String {
    format!("person-{n}@example.com")
}

/// The `n`-th person allows access and connects the calendar.
pub async fn connect(salon: &Salon, google: &GoogleFake, n: usize) {
    let user = UserId(Uuid::from_u128(0x6000_0000 + u128::try_from(n).unwrap()));
    let mut consents = ConsentServiceClient::new(salon.channel.clone());
    let begin = BeginConsentRequest { kind: CalendarKind::Google.into() };
    let begin = as_person(&salon.host, user, SESSION, None, None, begin);
    let asked = consents.begin_consent(begin).await.unwrap().into_inner();
    let question = asked.authorization_url.parse().unwrap();
    let back = google.answer(&question, &account(n), Some(&[LIST, EVENTS])).unwrap();
    let code = back.query_pairs().find(|(name, _)| name == "code").unwrap().1.into_owned();
    let finish = FinishConsentRequest { state: asked.state, allowed: true, code };
    consents.finish_consent(as_person(&salon.host, user, SESSION, None, None, finish)).await.unwrap();
    let connecting = ConnectGoogleCalendarRequest {
        business_id: SALON.to_string(),
        external_id: account(n),
        employee_id: MIA.to_string(),
    };
    let request = as_person(&salon.host, user, SESSION, Some(SALON), Some(Role::Owner), connecting);
    salon.calendars().connect_google_calendar(request).await.unwrap();
}
