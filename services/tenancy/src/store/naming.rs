//! What records are called in the list of changes.

use database::Naming;
use proto::frontdesk::tenancy::v1::RecordName;
use uuid::Uuid;

use super::Tx;
use crate::Error;

macro_rules! naming {
    ($kind:literal, $select:literal) => {
        Naming {
            kind: $kind,
            sql: concat!(
                "SELECT ",
                $select,
                ", NULL::timestamptz AS at FROM ",
                $kind,
                " WHERE business_id = :business_id AND id = ANY(:ids::uuid[])"
            ),
        }
    };
}

/// The kinds of records that this service names.
const NAMINGS: &[Naming] = &[
    naming!("employee", "id, name"),
    naming!("customer", "id, name"),
    naming!("item", "id, name"),
    naming!("supplier", "id, name"),
    naming!("voice_connection", "id, label AS name"),
    naming!("import", "id, COALESCE(file_name, '') AS name"),
];

/// The employees who sign in with accounts.
const OF_ACCOUNTS: Naming = Naming {
    kind: "user",
    sql: "SELECT user_id AS id, name, NULL::timestamptz AS at FROM employee
        WHERE business_id = :business_id AND user_id = ANY(:ids::uuid[])",
};

impl Tx {
    /// What this service's records of a kind are called, one answer each; none for another service's kind.
    pub async fn own_names(&self, kind: &str, ids: &[Uuid]) -> Result<Vec<RecordName>, Error> {
        match NAMINGS.iter().find(|naming| naming.kind == kind) {
            Some(naming) => self.record_names(self.business.0, naming, ids).await,
            None => Ok(vec![]),
        }
    }

    /// The employees who sign in with these accounts, under the accounts' ids: those that are an employee's.
    pub async fn names_of_accounts(&self, accounts: &[Uuid]) -> Result<Vec<RecordName>, Error> {
        let mut names = self.record_names(self.business.0, &OF_ACCOUNTS, accounts).await?;
        names.retain(|name| !name.gone);
        Ok(names)
    }
}
