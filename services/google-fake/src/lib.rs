//! A Google on this machine: consent and tokens (OAuth 2.0) and Calendar v3, as strict as Google documents them to be.
//! It refuses what Google refuses, and fails on request.

mod api;
mod calendar;
mod channel;
mod fault;
mod oauth;
mod page;
mod series;

use core::time::Duration;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::Router;
use boot::clock::Clock;
use serde_json::Value;
use tokio::sync::{OwnedRwLockWriteGuard, RwLock};
use url::Url;

use api::Refusal;
use calendar::Calendar;
pub use calendar::Role;
pub use channel::Push;
pub use fault::Fault;
use fault::Faults;
use oauth::Authority;

/// Scope of the list of calendars.
pub const LIST: &str = "https://www.googleapis.com/auth/calendar.calendarlist.readonly";
/// Scope of events.
pub const EVENTS: &str = "https://www.googleapis.com/auth/calendar.events";

/// Who may ask for consent.
#[derive(Debug, Clone)]
pub struct Client {
    /// Its id.
    pub id: String,
    /// Its secret.
    pub secret: String,
    /// Where people may be led back to.
    pub redirect_uris: Vec<String>,
}

/// The running Google.
#[derive(Debug, Clone)]
pub struct GoogleFake {
    state: Arc<Mutex<State>>,
    clock: Clock,
    /// Answers with tokens pass through it.
    gate: Arc<RwLock<()>>,
}

#[derive(Debug)]
struct State {
    authority: Authority,
    /// By account and the calendar's id.
    calendars: BTreeMap<(String, String), Calendar>,
    channels: BTreeMap<String, channel::Channel>,
    pushes: Vec<Push>,
    /// How often a calendar's last channel was stopped.
    unwatched: usize,
    faults: Faults,
    /// Events on a page at most.
    page: usize,
    /// How long each answer of the API takes.
    late_by: Duration,
    /// Calls of the API so far.
    calls: usize,
}

impl GoogleFake {
    /// A Google that knows this client and these accounts, each with a primary calendar.
    #[must_use]
    pub fn new(client: Client, accounts: &[&str], clock: Clock) -> Self {
        let primary = |account: &&str| {
            let (account, calendar) = ((*account).to_owned(), Calendar::new(account, Role::Owner));
            ((account.clone(), account), calendar)
        };
        let state = State {
            authority: Authority::new(client, accounts),
            calendars: accounts.iter().map(primary).collect(),
            channels: BTreeMap::new(),
            pushes: vec![],
            unwatched: 0,
            faults: Faults::default(),
            page: 2_500,
            late_by: Duration::ZERO,
            calls: 0,
        };
        Self { state: Arc::new(Mutex::new(state)), clock, gate: Arc::default() }
    }

    /// What it serves: consent under `/o/oauth2`, tokens under `/token` and `/revoke`, the API under `/calendar/v3`.
    pub fn router(&self) -> Router {
        let api = api::routes().layer(axum::middleware::from_fn_with_state(self.clone(), fault::meet));
        Router::new()
            .merge(oauth::routes())
            .merge(page::routes())
            .nest("/calendar/v3", api)
            .with_state(self.clone())
    }

    /// Adds a calendar to an account.
    pub fn add_calendar(&self, account: &str, id: &str, summary: &str, role: Role) {
        self.lock().calendars.insert((account.to_owned(), id.to_owned()), Calendar::new(summary, role));
    }

    /// Answers a question as a person does: the account allows these scopes, or denies. Says where the browser is led.
    ///
    /// # Errors
    /// What Google shows instead of asking.
    pub fn answer(&self, question: &Url, account: &str, allowed: Option<&[&str]>) -> Result<Url, String> {
        self.lock().authority.answer(question, account, allowed)
    }

    /// Ends what an account allowed, as a person does at Google.
    pub fn revoke(&self, account: &str) {
        self.lock().authority.revoke_account(account);
    }

    /// Whether anything is honoured that an account allowed.
    #[must_use]
    pub fn honours(&self, account: &str) -> bool {
        self.lock().authority.honours(account)
    }

    /// The next `count` revocations by a client are answered 503.
    pub fn fail_revocations(&self, count: usize) {
        self.lock().authority.unrevoked = count;
    }

    /// Every refresh brings a new refresh token from now on, and an old one ends all of them.
    pub fn rotate(&self) {
        self.lock().authority.rotates = true;
    }

    /// Answers with tokens are on their way until this is dropped; what they bring is given already.
    pub async fn hold_tokens(&self) -> OwnedRwLockWriteGuard<()> {
        self.gate.clone().write_owned().await
    }

    /// Access tokens that were given out are good no more.
    pub fn expire_access(&self) {
        self.lock().authority.access.clear();
    }

    /// How often a refresh token was spent, and how often one that was spent before.
    #[must_use]
    pub fn refreshes(&self) -> (usize, usize) {
        let state = self.lock();
        (state.authority.refreshed, state.authority.reused)
    }

    /// Puts an event into a calendar as its owner does; it is taken as it is.
    pub fn put(&self, account: &str, calendar: &str, id: &str, event: Value) {
        self.change(account, calendar, |book| drop(book.put(id, event)));
    }

    /// Deletes an event as its owner does; says whether it was there.
    pub fn delete(&self, account: &str, calendar: &str, id: &str) -> bool {
        self.change(account, calendar, |book| book.delete(id))
    }

    /// The events of a calendar that are not deleted, series as one.
    #[must_use]
    pub fn events(&self, account: &str, calendar: &str) -> Vec<Value> {
        self.lock().calendar(account, calendar).map(Calendar::standing).unwrap_or_default()
    }

    /// Sync tokens that were given out so far are good no more.
    pub fn forget(&self, account: &str, calendar: &str) {
        let mut state = self.lock();
        if let Some(book) = state.calendars.get_mut(&(account.to_owned(), calendar.to_owned())) {
            book.forget();
        }
    }

    /// The next `count` requests of the API meet this fault.
    pub fn fail(&self, fault: Fault, count: usize) {
        self.lock().faults.add(fault, count);
    }

    /// Nothing goes wrong any more.
    pub fn mend(&self) {
        self.lock().faults = Faults::default();
    }

    /// A page has at most so many events.
    pub fn page_of(&self, events: usize) {
        self.lock().page = events;
    }

    /// The API answers as late as a server far away does.
    pub fn answer_late(&self, by: Duration) {
        self.lock().late_by = by;
    }

    /// How often the API was called.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.lock().calls
    }

    /// What was pushed since the last time; who takes it delivers it, twice, or not at all.
    pub fn take_pushes(&self) -> Vec<Push> {
        core::mem::take(&mut self.lock().pushes)
    }

    /// The ids of the channels that are open.
    #[must_use]
    pub fn open_channels(&self) -> Vec<String> {
        let now = self.clock.now();
        let state = self.lock();
        state
            .channels
            .iter()
            .filter(|(_, channel)| channel.expires_at > now)
            .map(|(id, _)| id.clone())
            .collect()
    }

    /// How often a channel was stopped that was the last one open for its calendar.
    #[must_use]
    pub fn unwatched(&self) -> usize {
        self.lock().unwatched
    }

    /// Counts a call of the API; how long its answer takes.
    fn count_call(&self) -> Duration {
        let mut state = self.lock();
        state.calls += 1;
        state.late_by
    }

    /// Changes a calendar as a client does whose account may write to it.
    fn edit<T>(
        &self,
        account: &str,
        calendar: &str,
        edit: impl FnOnce(&mut Calendar) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let calendar = self.lock().named(account, calendar);
        let role = self.lock().calendar(account, &calendar).map(|found| found.role);
        if role.ok_or_else(Refusal::not_found)? < Role::Writer {
            return Err(Refusal::read_only());
        }
        self.change(account, &calendar, edit)
    }

    /// Changes a calendar, which is pushed to its channels.
    fn change<T>(&self, account: &str, calendar: &str, change: impl FnOnce(&mut Calendar) -> T) -> T {
        let now = self.clock.now();
        let mut state = self.lock();
        let key = (account.to_owned(), calendar.to_owned());
        let book = state.calendars.entry(key).or_insert_with(|| Calendar::new(calendar, Role::Owner));
        book.now = now;
        let before = book.change;
        let changed = change(book);
        if book.change != before {
            state.push_change(account, calendar, now);
        }
        changed
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn calendar(&self, account: &str, calendar: &str) -> Option<&Calendar> {
        self.calendars.get(&(account.to_owned(), self.named(account, calendar)))
    }

    /// An account's primary calendar bears its name.
    fn named(&self, account: &str, calendar: &str) -> String {
        if calendar == "primary" { account.to_owned() } else { calendar.to_owned() }
    }
}

/// A random name.
fn random() -> String {
    format!("{:032x}", u128::from_ne_bytes(boot::random::bytes()))
}
