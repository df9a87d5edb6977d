//! The browser door from a browser's side.

mod account;
mod address;
mod agent_chat;
mod calendar_pushes;
mod device;
mod edge;
mod home;
mod leaving;
mod live;
mod messages;
mod metadata;
mod oauth;
mod page;
mod page_report;
mod person_calendars;
mod production;
mod provider_pushes;
mod record;
mod refusals;
mod routes;
mod rules;
mod session;
mod stage;
mod telemetry;
mod tokens;
mod xsrf;
