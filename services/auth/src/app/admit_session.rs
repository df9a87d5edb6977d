//! Says whether a session may act, and in which role, for the door's every request.

use caller::{BusinessId, SessionId, UserId};
use jiff::Timestamp;

use super::find_business::Businesses;
use crate::{
    Error,
    store::{Standing, Store},
};

/// Admits sessions.
#[derive(Debug)]
pub(crate) struct AdmitSession {
    pub store: Store,
    pub businesses: Businesses,
}

/// A session that may act.
#[derive(Debug)]
pub(crate) struct Admission {
    /// What it may act as.
    pub standing: Standing,
    /// An administrator named a business that does not exist.
    pub no_such_business: bool,
}

impl AdmitSession {
    /// `None` unless `session` is alive and `person`'s.
    ///
    /// # Errors
    /// When neither the database nor, for a business not heard of, tenancy answers.
    pub(crate) async fn run(
        &self,
        session: SessionId,
        person: UserId,
        business: Option<BusinessId>,
        now: Timestamp,
    ) -> Result<Option<Admission>, Error> {
        let tx = self.store.begin();
        let standing = tx.standing(session, business, now).await?;
        tx.commit().await?;
        let alive =
            |standing: &Standing| standing.session.person == person && standing.session.family.is_alive(now);
        let Some(standing) = standing.filter(alive) else { return Ok(None) };
        let no_such_business = match business {
            Some(business) if standing.admin && !standing.business_known => {
                !self.businesses.exists(business).await?
            }
            _ => false,
        };
        Ok(Some(Admission { standing, no_such_business }))
    }
}
