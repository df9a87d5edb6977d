//! Use cases: they own the transactions and decide with `domain`; `store` alone speaks SQL.

pub(crate) mod accept_invitation;
pub(crate) mod admit_session;
pub(crate) mod change_password;
pub(crate) mod change_role;
pub(crate) mod check_password;
pub(crate) mod confirm_address;
pub(crate) mod create_admin;
pub(crate) mod diagnose_sign_in;
pub(crate) mod disable_account;
pub(crate) mod end_session;
pub(crate) mod find_business;
pub(crate) mod link_identity;
pub(crate) mod manage_members;
pub(crate) mod oauth_flow;
pub(crate) mod open_session;
pub(crate) mod provision_account;
pub(crate) mod read_profile;
pub(crate) mod record_refusal;
pub(crate) mod refresh_session;
pub(crate) mod refuse_demo;
pub(crate) mod register_account;
pub(crate) mod rename_person;
pub(crate) mod reset_password;
pub(crate) mod retention;
pub(crate) mod take_over_account;
pub(crate) mod trust_device;
