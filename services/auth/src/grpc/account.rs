//! `AccountService`: the signed-in person's own account.

use caller::PersonScope;
use proto::{
    error::invalid,
    frontdesk::auth::v1::{
        AccountServiceHandler, GetMeRequest, GetMeResponse, ListMyBusinessIdsRequest,
        ListMyBusinessIdsResponse, ListMyMembershipsRequest, ListMyMembershipsResponse, Membership,
    },
    parse,
};
use tonic::{Status, async_trait};

use crate::{
    issue::Person,
    store::{NamedMembership, Place, Store},
};

/// Serves people their own accounts.
#[derive(Debug)]
pub struct Accounts {
    store: Store,
}

impl Accounts {
    /// Accounts of a store.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl AccountServiceHandler for Accounts {
    async fn get_me(&self, scope: PersonScope, _: GetMeRequest) -> Result<GetMeResponse, Status> {
        let tx = self.store.begin().await?;
        let account = tx.account(scope.user()).await?;
        let memberships = tx.memberships(scope.user()).await?;
        tx.commit().await?;
        let person = Person { account, memberships };
        Ok(GetMeResponse {
            role: person.role().to_string(),
            id: person.account.id.to_string(),
            email: person.account.email.as_str().to_owned(),
            name: person.account.name,
        })
    }

    async fn list_my_business_ids(
        &self,
        scope: PersonScope,
        _: ListMyBusinessIdsRequest,
    ) -> Result<ListMyBusinessIdsResponse, Status> {
        let tx = self.store.begin().await?;
        let memberships = tx.memberships(scope.user()).await?;
        tx.commit().await?;
        let business_ids = memberships.iter().map(|membership| membership.business.to_string()).collect();
        Ok(ListMyBusinessIdsResponse { business_ids })
    }

    async fn list_my_memberships(
        &self,
        scope: PersonScope,
        request: ListMyMembershipsRequest,
    ) -> Result<ListMyMembershipsResponse, Status> {
        let page = parse::page(request.page_size, &request.page_token)?;
        let after = page.after.as_deref().map(place).transpose()?.unwrap_or_default();
        let tx = self.store.begin().await?;
        // One more than wanted tells whether there is another page.
        let mut found = tx.named_memberships(scope.user(), &after, page.size + 1).await?;
        tx.commit().await?;
        let wanted = page.size as usize;
        let next_page_token = match found.get(wanted.saturating_sub(1)) {
            Some(last) if found.len() > wanted => parse::page_token(&key(last)),
            _ => String::new(),
        };
        found.truncate(wanted);
        Ok(ListMyMembershipsResponse { memberships: found.into_iter().map(wire).collect(), next_page_token })
    }
}

fn wire(NamedMembership { membership, name }: NamedMembership) -> Membership {
    Membership {
        business_id: membership.business.to_string(),
        business_name: name,
        role: membership.role.as_str().to_owned(),
    }
}

fn key(last: &NamedMembership) -> String {
    format!("{}{}", last.membership.business, last.name)
}

fn place(key: &str) -> Result<Place, Status> {
    let parsed = key
        .split_at_checked(36)
        .and_then(|(business, name)| Some(Place { name: name.to_owned(), business: business.parse().ok()? }));
    parsed.ok_or_else(|| invalid("page_token", "is not one this list gave out"))
}
