//! Calls of a list, for a person who may not see every caller's number.

use caller::BusinessScope;
use contacts::{CallerReach, Contacts};
use tonic::Status;

use crate::{
    domain::{
        call::{Listed, ShownCall},
        phone::Phone,
    },
    store::{After, Store, Wanted},
};

/// Calls that are looked through at once, and how often.
const AT_ONCE: u32 = 200;
const LOOKS: usize = 10;

/// What the calls of a list are found with.
#[derive(Debug, Clone, Copy)]
pub struct FindCalls<'a> {
    /// Has the calls.
    pub store: &'a Store,
    /// Says whose numbers the person may see.
    pub contacts: &'a Contacts,
    /// Who reads.
    pub scope: &'a BusinessScope,
}

impl FindCalls<'_> {
    /// At most `rows` of the calls that are wanted, after one of them. Words with a number in them find no calls whose
    /// caller's number is hidden: what is found, digit by digit, would tell it.
    ///
    /// # Errors
    /// When the database is away; when scheduling does not answer for a person whom their own visits limit.
    pub async fn run(
        self,
        wanted: &Wanted,
        mut after: Option<After>,
        rows: u32,
    ) -> Result<Vec<ShownCall>, Status> {
        if self.scope.limited_to_own_visits().is_none() || !wanted.filter.may_name_a_number() {
            return self.page(wanted, after, rows).await;
        }
        let most = usize::try_from(rows).unwrap_or(usize::MAX);
        let mut found = Vec::new();
        for _ in 0..LOOKS {
            let calls = self.page(wanted, after, AT_ONCE).await?;
            let last =
                calls.last().map(|ShownCall { call, .. }| After { started_at: call.started_at, id: call.id });
            let is_end = calls.len() < AT_ONCE as usize;
            found.extend(calls.into_iter().filter(|shown| shown.has_contact));
            if is_end || found.len() >= most {
                break;
            }
            after = last;
        }
        found.truncate(most);
        Ok(found)
    }

    async fn page(self, wanted: &Wanted, after: Option<After>, rows: u32) -> Result<Vec<ShownCall>, Status> {
        let tx = self.store.begin(self.scope);
        let calls = tx.filtered_calls(wanted, after, rows).await?;
        tx.release();
        let reach = find_reach(self.contacts, self.scope, &calls).await?;
        Ok(calls.into_iter().map(|call| call.shown(&reach)).collect())
    }
}

/// What a person may see of the callers of some calls.
///
/// # Errors
/// When scheduling does not answer for a person whom their own visits limit.
pub async fn find_reach(
    contacts: &Contacts,
    scope: &BusinessScope,
    calls: &[Listed],
) -> Result<CallerReach, Status> {
    let unknown = calls.iter().filter_map(Listed::unknown_caller);
    let mut phones: Vec<_> = unknown.map(Phone::as_str).map(str::to_owned).collect();
    phones.sort_unstable();
    phones.dedup();
    contacts.reach_among(scope, phones).await
}
