//! `AccountAdminService`: accounts of the whole installation.

use boot::clock::Clock;
use caller::{InstallationScope, UserId};
use proto::{
    frontdesk::auth::v1::{
        AccountAdminServiceHandler, AccountName, BusinessOwners, DisableAccountRequest,
        DisableAccountResponse, EnableAccountRequest, EnableAccountResponse, ListAccountNamesRequest,
        ListAccountNamesResponse, ListBusinessOwnersRequest, ListBusinessOwnersResponse,
    },
    parse,
};
use tonic::{Status, async_trait};

use crate::{
    app::disable_account::DisableAccount,
    store::{Owners, Store},
};

/// Businesses that an administrator reads about at once.
const MOST_BUSINESSES: usize = 50;
/// Accounts that an administrator asks the names of at once.
const MOST_ACCOUNTS: usize = 200;

/// Shuts accounts out and lets them in again, and says whom businesses belong to.
#[derive(Debug)]
pub struct AccountAdmin {
    accounts: DisableAccount,
    store: Store,
    clock: Clock,
}

impl AccountAdmin {
    /// Accounts of a store.
    #[must_use]
    pub fn new(store: Store, clock: Clock) -> Self {
        Self { accounts: DisableAccount { store: store.clone(), clock: clock.clone() }, store, clock }
    }
}

#[async_trait]
impl AccountAdminServiceHandler for AccountAdmin {
    async fn disable_account(
        &self,
        scope: InstallationScope,
        request: DisableAccountRequest,
    ) -> Result<DisableAccountResponse, Status> {
        let person: UserId = parse::id("user_id", &request.user_id)?;
        self.accounts.disable(&scope, person).await?;
        Ok(DisableAccountResponse {})
    }

    async fn enable_account(
        &self,
        scope: InstallationScope,
        request: EnableAccountRequest,
    ) -> Result<EnableAccountResponse, Status> {
        let person: UserId = parse::id("user_id", &request.user_id)?;
        self.accounts.enable(&scope, person).await?;
        Ok(EnableAccountResponse {})
    }

    async fn list_account_names(
        &self,
        _scope: InstallationScope,
        request: ListAccountNamesRequest,
    ) -> Result<ListAccountNamesResponse, Status> {
        let ids: Vec<UserId> = parse::some_ids("user_ids", &request.user_ids, MOST_ACCOUNTS)?;
        let tx = self.store.begin();
        let named = tx.account_names(&ids).await?;
        tx.commit().await?;
        let wire = |(id, name): (UserId, String)| AccountName { user_id: id.to_string(), name };
        Ok(ListAccountNamesResponse { accounts: named.into_iter().map(wire).collect() })
    }

    async fn list_business_owners(
        &self,
        _scope: InstallationScope,
        request: ListBusinessOwnersRequest,
    ) -> Result<ListBusinessOwnersResponse, Status> {
        let ids = parse::some_ids("business_ids", &request.business_ids, MOST_BUSINESSES)?;
        let tx = self.store.begin();
        let owners = tx.owners(&ids, self.clock.now()).await?;
        tx.commit().await?;
        Ok(ListBusinessOwnersResponse { businesses: owners.iter().map(of_business).collect() })
    }
}

fn of_business(owners: &Owners) -> BusinessOwners {
    let count = |people: i64| i32::try_from(people).unwrap_or(i32::MAX);
    BusinessOwners {
        business_id: owners.business.to_string(),
        owner_count: count(owners.owners),
        invited_owner_count: count(owners.invited),
        member_count: count(owners.members),
    }
}
