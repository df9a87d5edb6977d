//! Whether a session is alive and what its person may do in a business: auth
//! says, and is believed for less than a second.

use core::time::Duration;

use caller::{BusinessId, Role};
use jiff::{SignedDuration, Timestamp};
use moka::{future::Cache, ops::compute::Op};
use proto::{
    error::{Reason, refuse},
    frontdesk::auth::internal::v1::{AdmitRequest, AdmitResponse, session_service_methods::ADMIT},
};
use tonic::{Code, Status};

use super::token::Person;
use crate::{Gateway, refusal::Refusal};

/// From the question on: with the way to a service, no answer is older than a second.
const FRESH: SignedDuration = SignedDuration::from_millis(900);
/// Who comes later than this after the question has it asked again, and does not wait for that.
const EARLY: SignedDuration = SignedDuration::from_millis(600);
/// Nothing is good for longer.
const KEPT: Duration = Duration::from_millis(900);
const MOST_KEPT: u64 = 100_000;
const PATIENCE: Duration = Duration::from_secs(3);

/// What a living session may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Everything, in every business that exists.
    Admin,
    /// What this role may in the business asked about.
    Member(Role),
    /// Nothing there: not a member, no such business, or asked about no business.
    Stranger,
}

impl Standing {
    /// The role a passport carries.
    #[must_use]
    pub fn role(self) -> Option<Role> {
        match self {
            Self::Admin => Some(Role::Admin),
            Self::Member(role) => Some(role),
            Self::Stranger => None,
        }
    }
}

/// What a session may do, and from what device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Admission {
    /// What its person may.
    pub standing: Standing,
    /// Whether its device is trusted.
    pub trusted_device: bool,
}

impl Admission {
    /// The role a passport carries.
    #[must_use]
    pub fn role(self) -> Option<Role> {
        self.standing.role()
    }
}

type Question = (Person, Option<BusinessId>);

/// What auth said, and when it was asked.
#[derive(Debug, Clone)]
struct Answer {
    asked_at: Timestamp,
    said: Result<Admission, Status>,
}

impl Answer {
    /// Whether auth could not be asked.
    fn is_unavailable(&self) -> bool {
        self.said.as_ref().is_err_and(|status| status.code() == Code::Unavailable)
    }

    /// Whether it may be believed by who came, or began to listen, at `since`.
    fn is_good(&self, since: Timestamp) -> bool {
        self.asked_at >= since && self.said.is_ok()
    }
}

/// Asks auth, once for all who ask the same at the same time.
#[derive(Debug, Clone)]
pub struct Admissions {
    gateway: Gateway,
    kept: Cache<Question, Answer>,
}

impl Admissions {
    /// An empty cache of admissions.
    #[must_use]
    pub fn new(gateway: Gateway) -> Self {
        Self { gateway, kept: Cache::builder().max_capacity(MOST_KEPT).time_to_live(KEPT).build() }
    }

    /// What `person` may, in `business` or at all.
    ///
    /// # Errors
    /// UNAUTHENTICATED for a dead session, UNAVAILABLE when auth can't be asked.
    pub async fn admit(&self, person: Person, business: Option<BusinessId>) -> Result<Admission, Refusal> {
        self.admit_since(person, business, Timestamp::MIN).await
    }

    /// The same by an answer that was asked for at `since` or later, and not long ago.
    ///
    /// # Errors
    /// As [`Admissions::admit`].
    pub async fn admit_since(
        &self,
        person: Person,
        business: Option<BusinessId>,
        since: Timestamp,
    ) -> Result<Admission, Refusal> {
        let came = self.gateway.host().clock.now();
        let since = since.max(came.saturating_sub(FRESH).unwrap_or(came));
        loop {
            let kept = self.kept.entry((person, business));
            let stale = |answer: &Answer| !answer.is_good(since);
            let answered = kept.or_insert_with_if(self.answer(person, business), stale).await;
            let fresh = answered.is_fresh();
            let answer = answered.into_value();
            // An answer that was under way may have been asked for too long ago, too.
            if fresh || answer.asked_at >= since {
                self.renew(person, business, answer.asked_at, came);
                return answer.said.map_err(Refusal::from);
            }
        }
    }

    /// Renews an answer in the background before it is too old, so that an active person never waits
    /// for it.
    fn renew(&self, person: Person, business: Option<BusinessId>, asked_at: Timestamp, now: Timestamp) {
        if now.duration_since(asked_at) < EARLY {
            return;
        }
        let admissions = self.clone();
        tokio::spawn(async move {
            let kept = admissions.kept.entry((person, business));
            let renewed = kept.and_compute_with(async |known| {
                if known.is_some_and(|known| known.value().asked_at > asked_at) {
                    return Op::Nop;
                }
                let answer = admissions.answer(person, business).await;
                // What can't be asked does not displace what is good for a while yet.
                if answer.is_unavailable() { Op::Nop } else { Op::Put(answer) }
            });
            renewed.await;
        });
    }

    /// The same, as of now: for what is not asked again with the next call.
    ///
    /// # Errors
    /// As [`Admissions::admit`].
    pub async fn admit_now(
        &self,
        person: Person,
        business: Option<BusinessId>,
    ) -> Result<Admission, Refusal> {
        self.ask(person, business).await.map_err(Refusal::from)
    }

    async fn answer(&self, person: Person, business: Option<BusinessId>) -> Answer {
        let asked_at = self.gateway.host().clock.now();
        Answer { asked_at, said: self.ask(person, business).await }
    }

    async fn ask(&self, person: Person, business: Option<BusinessId>) -> Result<Admission, Status> {
        let message = AdmitRequest {
            session_id: person.session.to_string(),
            user_id: person.user.to_string(),
            business_id: business.map(|id| id.to_string()).unwrap_or_default(),
        };
        let answer: AdmitResponse =
            self.gateway.call_as_door(&ADMIT, None, PATIENCE, message).await.map_err(|error| {
                tracing::warn!(%error, "auth did not say whether to admit");
                refuse(Reason::Unavailable, "sessions can't be checked right now")
            })?;
        let standing = match &answer {
            AdmitResponse { alive: false, .. } => {
                return Err(refuse(Reason::Unauthenticated, "the session has ended"));
            }
            AdmitResponse { no_such_business: true, .. } => Standing::Stranger,
            AdmitResponse { admin: true, .. } => Standing::Admin,
            AdmitResponse { role, .. } => standing(role),
        };
        Ok(Admission { standing, trusted_device: answer.trusted_device })
    }
}

/// Of a member. A role this door doesn't know is none, and ADMIN is no membership.
fn standing(role: &str) -> Standing {
    match role.parse() {
        Ok(Role::Admin) | Err(_) => Standing::Stranger,
        Ok(role) => Standing::Member(role),
    }
}
