//! Tells followers what an account may no longer do in a business.

use caller::{BusinessId, UserId, Worker};
use proto::frontdesk::events::v1::{AccountBelowOwner, AccountLeft, event::Payload};

use crate::{Error, store::Store};

/// What became of a membership.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MembershipChange {
    /// It was removed, is only a guest's, or its account was disabled.
    Left {
        /// The person did that, rather than someone who manages the members.
        by_themselves: bool,
    },
    /// It is a manager's or an employee's.
    BelowOwner,
}

/// A person whose membership of a business changed.
#[derive(Debug)]
pub struct TellOfAccount {
    /// The business.
    pub business: BusinessId,
    /// The account the person signs in with.
    pub user: UserId,
    /// The version of the membership, which grows with every change of it.
    pub version: i64,
    /// What became of it.
    pub change: MembershipChange,
}

impl TellOfAccount {
    /// Publishes it. An employee whose account it is keeps it: what they wrote has their name.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn run(self, store: &Store) -> Result<(), Error> {
        let tx = store.begin(&Worker::new("tell-of-account", self.business));
        let user_id = self.user.to_string();
        let payload = match self.change {
            MembershipChange::Left { by_themselves } => {
                Payload::AccountLeft(AccountLeft { user_id, by_themselves })
            }
            MembershipChange::BelowOwner => Payload::AccountBelowOwner(AccountBelowOwner { user_id }),
        };
        tx.publish_change(self.user, self.version, payload).await?;
        tx.commit().await
    }
}
