//! Calls of a list, for a person who may not see every customer's number.

use proto::contact::ContactReach;

use crate::{
    domain::call::{CallState, Listed},
    error::Error,
    store::{After, Tx, Wanted},
};

/// Calls that are looked through at once, and how often.
const AT_ONCE: u32 = 200;
const LOOKS: usize = 10;

/// At most `rows` of the calls that are wanted, after one of them. Words with a number in them find no calls of customers
/// whose numbers are hidden: what is found, digit by digit, would tell them.
///
/// # Errors
/// When the database is away.
pub async fn find_calls(
    tx: &Tx,
    wanted: &Wanted,
    mut after: Option<After>,
    rows: u32,
    reach: &ContactReach,
) -> Result<Vec<Listed>, Error> {
    if matches!(reach, ContactReach::All) || !wanted.filter.may_name_a_number() {
        return tx.filtered_calls(wanted, after, rows).await;
    }
    let most = usize::try_from(rows).unwrap_or(usize::MAX);
    let mut found = Vec::new();
    for _ in 0..LOOKS {
        let calls = tx.filtered_calls(wanted, after, AT_ONCE).await?;
        let last = calls.last().map(|call| After { started_at: call.started_at, id: call.id });
        let is_end = calls.len() < AT_ONCE as usize;
        found.extend(calls.into_iter().filter(|call| is_contact_shown(call, reach)));
        if is_end || found.len() >= most {
            break;
        }
        after = last;
    }
    found.truncate(most);
    Ok(found)
}

/// Whether a person may see the number of a call's caller. Before a call has ended, the agent may still recognise its
/// caller as a customer beyond `reach`: until then, the number of an unknown one is kept back as well.
pub fn is_contact_shown(call: &Listed, reach: &ContactReach) -> bool {
    match (reach, &call.customer) {
        (ContactReach::All, _) => true,
        (ContactReach::Customers(_), Some((customer, _))) => reach.includes(&customer.to_string()),
        (ContactReach::Customers(_), None) => call.state != CallState::Live,
    }
}
