//! Use cases: they own the transactions and decide with `domain`; `store` alone speaks SQL.

pub(crate) mod admit_session;
pub(crate) mod change_role;
pub(crate) mod confirm_address;
pub(crate) mod create_admin;
pub(crate) mod diagnose_sign_in;
pub(crate) mod find_business;
pub(crate) mod link_identity;
pub(crate) mod manage_members;
pub(crate) mod oauth_flow;
pub(crate) mod open_session;
pub(crate) mod refresh_session;
pub(crate) mod register_account;
pub(crate) mod reset_password;
pub(crate) mod retention;
pub(crate) mod sign_out;
pub(crate) mod trust_device;
