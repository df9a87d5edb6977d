//! The contract's services. Translates, decides nothing.

mod account;
mod account_admin;
mod frontend;
mod member;
mod membership;
mod provider;
mod provisioning;
mod registration;
mod security;
mod security_record;
mod session;

pub use account::Accounts;
pub use account_admin::AccountAdmin;
pub use frontend::Frontend;
pub use member::Members;
pub use membership::Memberships;
pub use provider::Providers;
pub use provisioning::Provisioning;
pub use registration::Registration;
pub use security::Security;
pub use security_record::SecurityRecord;
pub use session::Sessions;

use proto::{error::invalid, frontdesk::auth::internal::v1 as internal};
use tonic::Status;

use crate::{
    app::open_session::Granted,
    domain::{account::LONGEST_NAME, client::Client, email::Email},
};

fn email(field: &str, text: &str) -> Result<Email, Status> {
    if text.trim().is_empty() {
        return Err(invalid(field, "is required"));
    }
    Email::parse(text).map_err(|error| invalid(field, &error.to_string()))
}

fn name(field: &str, text: &str) -> Result<String, Status> {
    proto::parse::public_name(field, text, LONGEST_NAME)
}

/// The browser behind a call of the door.
fn client(sent: Option<internal::Client>) -> Result<Client, Status> {
    let internal::Client { address, user_agent, device } = sent.unwrap_or_default();
    Client::parse(&address, &user_agent, &device)
        .map_err(|error| invalid("client.address", &error.to_string()))
}

/// What a session's browser is handed, on the wire.
fn tokens(Granted { person, session, issued }: Granted) -> internal::Tokens {
    internal::Tokens {
        access_token: issued.access_token,
        refresh_token: issued.refresh_token,
        session_id: session.to_string(),
        refresh_max_age_seconds: i32::try_from(issued.life_left.as_secs()).unwrap_or(i32::MAX),
        role: person.role().to_string(),
        business_ids: person.memberships.iter().map(|m| m.business.to_string()).collect(),
    }
}
