//! `AccountAdminService`: accounts of the whole installation.

use boot::clock::Clock;
use caller::{InstallationScope, UserId};
use proto::{
    frontdesk::auth::v1::{
        AccountAdminServiceHandler, DisableAccountRequest, DisableAccountResponse, EnableAccountRequest,
        EnableAccountResponse,
    },
    parse,
};
use tonic::{Status, async_trait};

use crate::{app::disable_account::DisableAccount, store::Store};

/// Shuts accounts out and lets them in again.
#[derive(Debug)]
pub struct AccountAdmin {
    accounts: DisableAccount,
}

impl AccountAdmin {
    /// Accounts of a store.
    #[must_use]
    pub fn new(store: Store, clock: Clock) -> Self {
        Self { accounts: DisableAccount { store, clock } }
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
}
