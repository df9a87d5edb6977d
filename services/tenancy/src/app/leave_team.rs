//! Tells followers that an account is no member of the business any more, or only a guest.

use caller::{BusinessId, UserId, Worker};
use proto::frontdesk::events::v1::{AccountLeft, event::Payload};

use crate::{Error, store::Store};

/// A person whose membership of a business was removed, or made a guest's.
#[derive(Debug)]
pub struct LeaveTeam {
    /// The business.
    pub business: BusinessId,
    /// The account the person signs in with.
    pub user: UserId,
    /// The version of the membership, which grows with every change of it.
    pub version: i64,
}

impl LeaveTeam {
    /// Publishes it. An employee whose account it is keeps it: what they wrote has their name.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn run(self, store: &Store) -> Result<(), Error> {
        let tx = store.begin(&Worker::new("leave-team", self.business));
        let payload = Payload::AccountLeft(AccountLeft { user_id: self.user.to_string() });
        tx.publish_change(self.user, self.version, payload).await?;
        tx.commit().await
    }
}
