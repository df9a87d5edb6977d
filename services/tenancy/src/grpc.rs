//! The RPCs: each parses its request, calls one use case or one read of the store, and answers.

mod agent_settings;
mod audit;
mod business;
mod customer;
mod customer_export;
mod customer_merge;
mod customer_note;
mod customer_record;
mod directory;
mod employee;
pub(crate) mod fields;
mod follow_up;
mod import;
mod item;
mod patch_test_record;
mod stock;
mod supplier;
mod voice_connection;
mod webhook_check;

pub(crate) use agent_settings::Agents;
pub(crate) use audit::Audit;
pub(crate) use business::Businesses;
pub(crate) use customer::Customers;
pub(crate) use customer_export::CustomerExports;
pub(crate) use customer_merge::CustomerMerges;
pub(crate) use customer_note::CustomerNotes;
pub(crate) use customer_record::CustomerRecords;
pub(crate) use directory::Directory;
pub(crate) use employee::Employees;
pub(crate) use follow_up::FollowUps;
pub(crate) use import::Imports;
pub(crate) use item::Items;
pub(crate) use patch_test_record::PatchTestRecords;
pub(crate) use stock::Stock;
pub(crate) use supplier::Suppliers;
pub(crate) use voice_connection::VoiceConnections;
