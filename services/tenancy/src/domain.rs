//! The rules of tenancy: pure, with time and randomness passed in.

mod brand_color;
mod business;
mod country;
mod currency;
mod customer;
mod customer_merge;
mod customer_note;
mod customer_record;
mod email;
mod employee;
mod follow_up;
pub mod numbering;
mod phone;
mod place;
mod voice_connection;
mod webhook_check;
mod website;
mod zone;

pub use brand_color::{BrandColor, UnknownColor};
pub use business::{Business, BusinessSetup, Details};
pub use country::Country;
pub use currency::{Currency, UnknownCurrency};
pub use customer::{Customer, CustomerId, MarketingConsent, Stale, Tags, WantedCustomers};
pub use customer_merge::{CustomerMerge, CustomerMergeId, Lasting};
pub use customer_note::{CustomerNote, CustomerNoteId};
pub use customer_record::{ConsentChange, Formula, FormulaId, PatchTest, PatchTestId, Recorded};
pub use email::{Email, EmailError};
pub use employee::{Employee, EmployeeId};
pub use follow_up::{FollowUp, FollowUpId, FollowUpState};
pub use phone::{Dialled, Phone, PhoneError};
pub use place::{Listing, Place};
pub use voice_connection::{VoiceConnection, VoiceConnectionId, VoicePlatform, VoiceSecret};
pub use webhook_check::{HeaderName, HmacAlgorithm, HmacEncoding, HmacFormat, PayloadTemplate, WebhookCheck};
pub use website::{NoWebsite, Website};
pub use zone::{UnknownZone, Zone};
