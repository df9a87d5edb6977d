//! Use cases: what the service does, one file each. They decide with `domain` and publish what they change; `store` alone
//! speaks SQL.

mod change_follow_up;
mod complete_phone;
mod create_business;
mod create_customer;
mod create_employee;
mod create_follow_up;
mod create_voice_connection;
mod find_customers;
mod join_team;
mod keep_customer_records;
mod merge_customers;
mod publish_all;
mod publish_customer;
mod publish_follow_up;
mod record_marketing_consent;
mod rewrap_data_keys;
mod update_business;
mod update_customer;
mod write_customer_note;

pub use change_follow_up::{ChangeFollowUp, FollowUpChange};
pub use create_business::CreateBusiness;
pub use create_customer::CreateCustomer;
pub use create_employee::CreateEmployee;
pub use create_follow_up::CreateFollowUp;
pub use create_voice_connection::CreateVoiceConnection;
pub use find_customers::{CustomerSearch, FindCustomers};
pub use join_team::JoinTeam;
pub use keep_customer_records::{RecordFormula, RecordPatchTest, delete_formula, delete_patch_test};
pub use merge_customers::{MergeCustomers, UndoCustomerMerge};
pub use publish_all::publish_all;
pub use record_marketing_consent::RecordMarketingConsent;
pub use rewrap_data_keys::rewrap_data_keys;
pub use update_business::UpdateBusiness;
pub use update_customer::UpdateCustomer;
pub use write_customer_note::{CreateCustomerNote, UpdateCustomerNote, delete_customer_note};
