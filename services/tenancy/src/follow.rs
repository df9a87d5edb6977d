//! What happens here when auth changes who belongs to a business.

use boot::Host;
use boot::peer::Peer;
use cache::Cache;
use caller::UserId;
use database::Database;
use outbox::{Apply, FollowError, Follower};
use proto::{
    frontdesk::events::v1::{Event, event::Payload},
    parse,
};
use sea_orm::DatabaseTransaction;
use tonic::{Status, async_trait};

use crate::{
    Error, NAME,
    app::{JoinTeam, MembershipChange, TellOfAccount},
    store::Store,
};

/// The role of members who serve customers.
const EMPLOYEE: &str = "EMPLOYEE";
/// The role of members who see no personal data.
const GUEST: &str = "GUEST";
/// The role of members who manage what others may do.
const OWNER: &str = "OWNER";

/// Makes new members with the role EMPLOYEE employees, and others whose invitation was for an employee; tells followers
/// when an account is no member any more, only a guest, disabled, or below OWNER.
#[derive(Debug)]
struct Members {
    store: Store,
}

/// Follows auth until the host shuts down.
pub fn follow(auth: Peer, database: Database, host: &Host) -> impl Future<Output = ()> + Send + use<> {
    let members = Members { store: Store::new(database.clone(), Cache::open(host)) };
    Follower::new(NAME, auth, database, host).run(members)
}

#[async_trait]
impl Apply for Members {
    /// In a transaction of its own: it publishes what it changes, and finds it done the next time. That an account left
    /// may be published twice, which followers ignore by its version.
    async fn apply(&self, _tx: &DatabaseTransaction, event: &Event) -> Result<(), FollowError> {
        let Some(Payload::Membership(membership)) = &event.payload else { return Ok(()) };
        let poison = |status: Status| FollowError::Poison(status.message().to_owned());
        let business = parse::id("business_id", &event.business_id).map_err(poison)?;
        let user: UserId = parse::id("user_id", &membership.user_id).map_err(poison)?;
        let role = membership.role.as_str();
        let by_themselves = event.actor == format!("user:{user}");
        if let Some(change) = membership_change(role, membership.disabled, by_themselves) {
            let version = event.version;
            done(TellOfAccount { business, user, version, change }.run(&self.store).await)?;
        }
        // A guest is never an employee, although an earlier release let their invitation name one.
        if role.is_empty() || role == GUEST || membership.disabled {
            return Ok(());
        }
        // A membership of the release before says no name.
        let serves = role == EMPLOYEE && !membership.name.is_empty();
        if !serves && membership.employee_id.is_empty() {
            return Ok(());
        }
        let name = membership.name.clone();
        let employee = parse::optional_id("employee_id", &membership.employee_id).map_err(poison)?;
        done(JoinTeam { business, user, name, employee, serves }.run(&self.store).await)
    }
}

/// What followers hear of a membership; an owner's gives no right up. An account that is disabled left, as far as what it
/// may know is concerned.
fn membership_change(role: &str, disabled: bool, by_themselves: bool) -> Option<MembershipChange> {
    match (role, disabled) {
        ("" | GUEST, _) | (_, true) => Some(MembershipChange::Left { by_themselves }),
        (OWNER, false) => None,
        _ => Some(MembershipChange::BelowOwner),
    }
}

fn done(outcome: Result<(), Error>) -> Result<(), FollowError> {
    match outcome {
        // A business of another installation's backup: there is no team to join.
        Ok(()) | Err(Error::NotFound(_)) => Ok(()),
        Err(error) => Err(FollowError::Retry(error.to_string())),
    }
}
