//! The contract's services. Translates, decides nothing.

mod account;
mod provisioning;
mod session;

pub use account::Accounts;
pub use provisioning::Provisioning;
pub use session::Sessions;

use proto::error::invalid;
use tonic::Status;

use crate::domain::email::Email;

fn email(field: &str, text: &str) -> Result<Email, Status> {
    if text.trim().is_empty() {
        return Err(invalid(field, "is required"));
    }
    Email::parse(text).map_err(|error| invalid(field, &error.to_string()))
}
