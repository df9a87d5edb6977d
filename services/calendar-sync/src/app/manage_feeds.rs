//! Makes, revokes and answers the addresses under which other calendars read what employees have to do.

use caller::{Actor, BusinessScope, Tenant, Worker};

use super::{CheckEmployee, connect_calendar::require_own};
use crate::{
    SERVICE,
    domain::{
        EmployeeId,
        feed::{self, Feed, Written},
    },
    error::Error,
    store::Store,
};

/// Manages them.
#[derive(Debug)]
pub struct ManageFeeds {
    /// Where they are kept.
    pub store: Store,
    /// Knows the employees.
    pub employees: CheckEmployee,
}

impl ManageFeeds {
    /// Makes an employee's address in place of the one before, and says its secret.
    ///
    /// # Errors
    /// [`Error::NotOwnEmployee`] for someone else's, below OWNER; what [`CheckEmployee::check`] refuses.
    pub async fn make(
        &self,
        scope: &BusinessScope,
        employee: EmployeeId,
        names_customers: bool,
    ) -> Result<(Feed, String), Error> {
        self.employees.check(scope, employee).await?;
        let secret = feed::secret(boot::random::bytes());
        let tx = self.store.begin(scope);
        require_own(scope, &tx, employee).await?;
        let maker = match scope.actor() {
            Actor::Person { user, .. } => Some(user),
            Actor::Agent { .. } | Actor::Service { .. } => None,
        };
        let feed = tx.save_feed(employee, &secret, names_customers, maker).await?;
        tx.commit().await?;
        Ok((feed, secret))
    }

    /// Revokes an employee's address.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::NotOwnEmployee`] for someone else's, below OWNER.
    pub async fn revoke(&self, scope: &BusinessScope, employee: EmployeeId) -> Result<(), Error> {
        let tx = self.store.begin(scope);
        // Where there is none, everyone is told so; a refusal after it takes the deletion back.
        tx.revoke_feed(employee).await?;
        require_own(scope, &tx, employee).await?;
        tx.commit().await
    }

    /// What is read under the address with this secret.
    ///
    /// # Errors
    /// [`Error::NotFound`], after the employee's last day as well.
    pub async fn read(&self, secret: &str) -> Result<Written, Error> {
        let (business, feed) = self.store.feed_of(secret).await?;
        let tx = self.store.begin(&Worker::new(SERVICE, business));
        if tx.has_left(feed.employee).await? {
            return Err(Error::NotFound("calendar feed"));
        }
        let parts = match feed::within(tx.now()) {
            Some(within) => tx.parts_within(feed.employee, within).await?,
            None => vec![],
        };
        tx.note_feed_read(&feed).await?;
        tx.commit().await?;
        Ok(feed::written(feed.employee, parts, feed.names_customers))
    }
}
