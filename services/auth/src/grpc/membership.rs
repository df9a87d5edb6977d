//! `MembershipService`: whose accounts belong to a business, for other services.

use caller::{BusinessScope, Tenant};
use proto::{
    frontdesk::auth::internal::v1::{
        FindMemberRequest, FindMemberResponse, FoundMember, MembershipServiceHandler,
    },
    parse,
};
use tonic::{Status, async_trait};

use super::email;
use crate::store::{Member, Store};

/// Memberships of businesses.
#[derive(Debug)]
pub struct Memberships {
    store: Store,
}

impl Memberships {
    /// Memberships of a store.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl MembershipServiceHandler for Memberships {
    async fn find_member(
        &self,
        scope: BusinessScope,
        request: FindMemberRequest,
    ) -> Result<FindMemberResponse, Status> {
        let account = parse::optional_id("user_id", &request.user_id)?;
        let tx = self.store.begin();
        let found = match account {
            Some(account) => tx.member(account, scope.business()).await?,
            None => tx.member_of(&email("email", &request.email)?, scope.business()).await?,
        };
        tx.commit().await?;
        Ok(FindMemberResponse { member: found.map(wire_member) })
    }
}

fn wire_member(member: Member) -> FoundMember {
    FoundMember {
        user_id: member.id.to_string(),
        name: member.name,
        role: member.role.as_str().to_owned(),
        disabled: member.disabled,
    }
}
