//! Lists who changed what, in tenancy and in the other services, as one list.

use core::time::Duration;
use std::collections::{BTreeSet, HashMap};

use boot::peer::Peer;
use caller::{BusinessId, BusinessScope, Tenant};
use futures::future::join_all;
use jiff::Timestamp;
use proto::{
    frontdesk::{
        changes::internal::v1::{ListChangesRequest, change_log_service_client::ChangeLogServiceClient},
        tenancy::v1::AuditEntry,
    },
    time,
};
use tonic::Status;
use uuid::Uuid;

use crate::{Error, store::Store};

/// A service that does not answer by then is told of as missing.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where an entry stands in the list.
pub type Place = (Timestamp, Uuid);

/// Lists changes.
#[derive(Debug)]
pub struct ListChanges {
    /// What is kept here.
    pub store: Store,
    /// The services that keep changes of their own records, with their names.
    pub others: Vec<(&'static str, Peer)>,
}

/// Entries, the latest first, and the services whose entries are missing among them.
#[derive(Debug)]
pub struct Changes {
    /// With the names of those who acted.
    pub entries: Vec<AuditEntry>,
    /// Services that did not answer.
    pub missing: Vec<String>,
}

impl ListChanges {
    /// The first `limit` entries before a place, about one record if one is given.
    ///
    /// # Errors
    /// When the own entries can't be read.
    pub async fn run(
        &self,
        scope: &BusinessScope,
        record: Option<Uuid>,
        before: Option<Place>,
        limit: u32,
    ) -> Result<Changes, Error> {
        let tx = self.store.begin(scope);
        let own = tx.changes(record, before, limit).await?;
        let mut entries: Vec<AuditEntry> = own.into_iter().map(AuditEntry::from).collect();
        let request = ListChangesRequest {
            business_id: scope.business().to_string(),
            record_id: record.map(|id| id.to_string()).unwrap_or_default(),
            before_at: before.map(|(at, _)| time::to_proto(at)),
            before_id: before.map(|(_, id)| id.to_string()).unwrap_or_default(),
            limit: i32::try_from(limit).unwrap_or(i32::MAX),
        };
        let asked = self.others.iter().map(|(name, peer)| {
            let asking = ask(peer, scope.business(), request.clone());
            async move { (*name, asking.await) }
        });
        let mut missing = vec![];
        for (name, answer) in join_all(asked).await {
            match answer {
                Ok(theirs) => entries.extend(theirs),
                Err(status) => {
                    tracing::warn!(service = name, %status, "changes of a service are missing");
                    missing.push(name.to_owned());
                }
            }
        }
        entries.sort_by_key(|entry| core::cmp::Reverse(place(entry)));
        entries.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let accounts: BTreeSet<Uuid> = entries.iter().filter_map(account).collect();
        let names = tx.names_of_accounts(&accounts.into_iter().collect::<Vec<_>>()).await?;
        tx.commit().await?;
        let names: HashMap<_, _> = names.into_iter().collect();
        for entry in &mut entries {
            entry.actor_name = account(entry).and_then(|id| names.get(&id).cloned()).unwrap_or_default();
        }
        Ok(Changes { entries, missing })
    }
}

async fn ask(
    peer: &Peer,
    business: BusinessId,
    request: ListChangesRequest,
) -> Result<Vec<AuditEntry>, Status> {
    let request = peer.as_service(Some(business), request, PATIENCE);
    Ok(ChangeLogServiceClient::new(peer.channel()).list_changes(request).await?.into_inner().entries)
}

/// Where an entry stands. One that no service writes comes last.
pub fn place(entry: &AuditEntry) -> Place {
    let at = time::parse("at", entry.at.as_ref()).ok().flatten().unwrap_or(Timestamp::MIN);
    (at, entry.id.parse().unwrap_or_default())
}

/// The account that acted, if a person did.
fn account(entry: &AuditEntry) -> Option<Uuid> {
    entry.actor.strip_prefix("user:")?.parse().ok()
}
