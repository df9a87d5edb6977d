//! What records are called in the list of changes.

use database::Naming;

/// The kinds of records that this service names. Accounts are named to businesses that they are, or were, members of.
pub const NAMINGS: &[Naming] = &[Naming {
    kind: "user",
    sql: "SELECT account.id, account.name, NULL::timestamptz AS at
        FROM membership AS member JOIN account ON account.id = member.account_id
        WHERE member.business_id = :business_id AND member.account_id = ANY(:ids::uuid[])",
}];
