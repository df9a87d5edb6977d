//! Lists who changed what, in tenancy and in the other services, as one list.

use core::time::Duration;
use std::collections::{BTreeMap, HashMap};

use boot::peer::Peer;
use caller::{BusinessId, BusinessScope, Tenant};
use futures::future::join_all;
use jiff::Timestamp;
use proto::{
    frontdesk::{
        changes::internal::v1::{
            ListChangesRequest, NameRecordsRequest, RecordsOfKind,
            change_log_service_client::ChangeLogServiceClient,
        },
        tenancy::v1::{AuditEntry, RecordName},
    },
    time,
};
use tonic::Status;
use uuid::Uuid;

use crate::{
    Error,
    domain::{Keeper, NamedKind, NamedRecords},
    store::{Store, Tx},
};

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
    /// What the records are called that the entries name.
    pub names: Vec<RecordName>,
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
        let business = scope.business();
        let tx = self.store.begin(scope);
        let mut entries = tx.changes(business.0, record, before, limit).await?;
        let request = ListChangesRequest {
            business_id: business.to_string(),
            record_id: record.map(|id| id.to_string()).unwrap_or_default(),
            before_at: before.map(|(at, _)| time::to_proto(at)),
            before_id: before.map(|(_, id)| id.to_string()).unwrap_or_default(),
            limit: i32::try_from(limit).unwrap_or(i32::MAX),
        };
        let asked = self.others.iter().map(|(name, peer)| {
            let asking = ask(peer, business, request.clone());
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
        let names = self.names(&tx, business, &named_by(&entries)).await?;
        tx.commit().await?;
        let users: HashMap<String, &RecordName> = names
            .iter()
            .filter(|name| name.kind == NamedKind::User.as_str())
            .map(|user| (format!("user:{}", user.id), user))
            .collect();
        for entry in &mut entries {
            entry.actor_name = users.get(&entry.actor).map(|user| user.name.clone()).unwrap_or_default();
        }
        Ok(Changes { entries, names, missing })
    }

    /// What records are called: one query for each kind, and one call of each service that keeps some.
    async fn names(
        &self,
        tx: &Tx,
        business: BusinessId,
        records: &NamedRecords,
    ) -> Result<Vec<RecordName>, Error> {
        let mut names = vec![];
        let mut elsewhere = BTreeMap::<&str, Vec<RecordsOfKind>>::new();
        for (kind, mut ids) in records.by_kind() {
            if kind == NamedKind::User {
                // An employee is called the same everywhere.
                let employees = tx.names_of_accounts(&ids).await?;
                ids.retain(|id| employees.iter().all(|employee| employee.id != id.to_string()));
                names.extend(employees);
            }
            match kind.keeper() {
                _ if ids.is_empty() => {}
                Keeper::Tenancy => names.extend(tx.own_names(kind.as_str(), &ids).await?),
                Keeper::Other(service) => elsewhere.entry(service).or_default().push(RecordsOfKind {
                    kind: kind.as_str().to_owned(),
                    ids: ids.iter().map(Uuid::to_string).collect(),
                }),
            }
        }
        let asked = self.others.iter().filter_map(|(service, peer)| {
            let records = elsewhere.remove(service)?;
            let request = NameRecordsRequest { business_id: business.to_string(), records };
            Some(async move { (*service, ask_names(peer, business, request).await) })
        });
        for (service, answer) in join_all(asked.collect::<Vec<_>>()).await {
            match answer {
                Ok(theirs) => names.extend(theirs),
                Err(status) => tracing::warn!(service, %status, "names of a service's records are missing"),
            }
        }
        Ok(names)
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

async fn ask_names(
    peer: &Peer,
    business: BusinessId,
    request: NameRecordsRequest,
) -> Result<Vec<RecordName>, Status> {
    let request = peer.as_service(Some(business), request, PATIENCE);
    Ok(ChangeLogServiceClient::new(peer.channel()).name_records(request).await?.into_inner().names)
}

/// The records that entries are about, and those that they name.
fn named_by(entries: &[AuditEntry]) -> NamedRecords {
    let mut records = NamedRecords::default();
    for entry in entries {
        records.add_actor(&entry.actor);
        if let Ok(id) = entry.record_id.parse() {
            records.add_record(&entry.record_kind, id);
        }
    }
    // Last: a long list of ids in a field takes no name from what entries are about.
    for change in entries.iter().flat_map(|entry| &entry.changes) {
        records.add_field(&change.field, &change.before);
        records.add_field(&change.field, &change.after);
    }
    records
}

/// Where an entry stands. One that no service writes comes last.
pub fn place(entry: &AuditEntry) -> Place {
    let at = time::parse("at", entry.at.as_ref()).ok().flatten().unwrap_or(Timestamp::MIN);
    (at, entry.id.parse().unwrap_or_default())
}
