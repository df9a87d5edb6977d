//! Telephone numbers and e-mail addresses of customers, which answers to employees may have to leave out.
//!
//! The contract marks the fields with `contact_of`. The adapter of a service removes them from what its handler
//! answers to people whom their own visits limit, so that no handler can forget to.

use std::collections::HashSet;

use caller::BusinessScope;
use tonic::Status;

/// Whose telephone numbers and e-mail addresses a person may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContactReach {
    /// All customers'.
    All,
    /// Those of these customers, by their ids.
    Customers(HashSet<String>),
}

impl ContactReach {
    /// Whether they may see those of a customer. Without a customer there is none to protect.
    #[must_use]
    pub fn includes(&self, customer_id: &str) -> bool {
        match self {
            Self::All => true,
            Self::Customers(ids) => customer_id.is_empty() || ids.contains(customer_id),
        }
    }
}

/// A message with telephone numbers or e-mail addresses of customers, its own or those of messages in it.
pub trait CarriesContacts {
    /// Removes those beyond `reach`, and says so in `contact_hidden`.
    fn limit_contacts(&mut self, reach: &ContactReach);
}

/// Removes from an answer what the caller may not see. `reach` is asked only about people whom their visits limit.
///
/// # Errors
/// When `reach` can't say: then nothing is answered.
pub async fn limit<R: CarriesContacts>(
    scope: &BusinessScope,
    mut response: R,
    reach: impl Future<Output = Result<ContactReach, Status>>,
) -> Result<R, Status> {
    if scope.limited_to_own_visits().is_some() {
        response.limit_contacts(&reach.await?);
    }
    Ok(response)
}
