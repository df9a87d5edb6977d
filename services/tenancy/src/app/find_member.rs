//! Asks auth who is a member of a business.

use core::time::Duration;

use boot::peer::Peer;
use caller::{Actor, BusinessId, BusinessScope, Tenant, UserId};
use proto::{
    error::invalid,
    frontdesk::auth::internal::v1::{
        FindMemberRequest, FoundMember, membership_service_client::MembershipServiceClient,
    },
    parse,
};
use tonic::Status;

use crate::Error;

/// How long auth may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// The role of members who see no personal data.
const GUEST: &str = "GUEST";

/// A member of a business.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Whose account it is.
    pub user: UserId,
    /// What the person is called.
    pub name: String,
    /// Why the account is of no use to an employee; continues a sentence about it or its address.
    pub unfit: Option<&'static str>,
}

/// Asks auth.
#[derive(Debug, Clone)]
pub struct Members(Peer);

impl Members {
    /// What the auth service that is served there says.
    #[must_use]
    pub fn new(auth: Peer) -> Self {
        Self(auth)
    }

    /// Refuses an account that a person names although it is no member of their business, or of no use to an employee.
    /// A service names accounts before they are members.
    ///
    /// # Errors
    /// That `user_id` is wrong, or that auth does not answer.
    pub async fn require(&self, scope: &BusinessScope, user: Option<UserId>) -> Result<(), Status> {
        let (Some(user), Actor::Person { .. }) = (user, scope.actor()) else { return Ok(()) };
        let business = scope.business();
        let message = FindMemberRequest {
            business_id: business.to_string(),
            user_id: user.to_string(),
            email: String::new(),
        };
        let patience = scope.remaining().map_or(PATIENCE, |left| left.min(PATIENCE));
        let found = self.find(business, message, patience).await?.map(member).transpose()?;
        match found.ok_or(Error::Unknown("user_id", "member"))?.unfit {
            Some(unfit) => Err(invalid("user_id", unfit)),
            None => Ok(()),
        }
    }

    /// The member whose address this is.
    ///
    /// # Errors
    /// When auth does not answer, or takes it for no address.
    pub async fn of_address(&self, business: BusinessId, email: &str) -> Result<Option<Member>, Status> {
        let message = FindMemberRequest {
            business_id: business.to_string(),
            user_id: String::new(),
            email: email.to_owned(),
        };
        self.find(business, message, PATIENCE).await?.map(member).transpose()
    }

    async fn find(
        &self,
        business: BusinessId,
        message: FindMemberRequest,
        patience: Duration,
    ) -> Result<Option<FoundMember>, Status> {
        let request = self.0.as_service(Some(business), message, patience);
        let answer = MembershipServiceClient::new(self.0.channel()).find_member(request).await?;
        Ok(answer.into_inner().member)
    }
}

fn member(found: FoundMember) -> Result<Member, Status> {
    let unfit = match (found.disabled, found.role.as_str()) {
        (true, _) => Some("belongs to an account that is disabled"),
        (false, GUEST) => Some("belongs to a guest: give them another role under Members first"),
        (false, _) => None,
    };
    Ok(Member { user: parse::id("user_id", &found.user_id)?, name: found.name, unfit })
}
