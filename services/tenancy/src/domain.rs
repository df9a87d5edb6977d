//! The rules of tenancy: pure, with time and randomness passed in.

mod agent_chat;
mod agent_publication;
mod agent_settings;
pub mod amount;
mod barcode;
mod brand_color;
mod business;
mod call_check;
mod call_transfer;
mod column_mapping;
mod country;
mod customer;
mod customer_export;
mod customer_merge;
mod customer_note;
mod customer_record;
mod date_order;
mod email;
mod employee;
mod erasure;
mod folded;
mod follow_up;
mod import;
mod item;
mod line_diff;
mod logo;
mod named_record;
pub mod numbering;
mod phone;
mod place;
mod platform_agent;
mod ready_agent;
mod stock;
mod stored_names;
mod supplier;
pub mod template;
mod undoable;
mod unread_call;
mod voice_connection;
mod webhook_check;
mod webhook_sample;
mod website;
mod zone;

pub use agent_chat::{AgentChat, AgentChatId, TooManyChats};
pub use agent_publication::{
    Publication, PublicationError, PublicationFault, PublicationState, PublishedConnection, first_check,
    next_check,
};
pub use agent_settings::{AgentDraft, AgentSettings, AgentVersion, Behaviour, Change, Language, Recording};
pub use barcode::{Barcode, BarcodeError};
pub use brand_color::{BrandColor, UnknownColor};
pub use business::{Business, BusinessSetup, Details};
pub use call_check::{
    CallCheckStatus, Span, has_settled, is_call_id, next_after, next_after_ours, next_call_check,
};
pub use call_transfer::TransferHindrance;
pub use column_mapping::{Field, Fields, MappedColumn, MappingFault};
pub use country::Country;
pub use currency::{Currency, UnknownCurrency};
pub use customer::{Customer, CustomerId, ERASED, MarketingConsent, Stale, Tags, WantedCustomers};
pub use customer_export::{CustomerExport, CustomerExportId};
pub use customer_merge::{CustomerMerge, CustomerMergeId, Lasting};
pub use customer_note::{CustomerNote, CustomerNoteId};
pub use customer_record::{ConsentChange, Formula, FormulaId, PatchTest, PatchTestId, Recorded};
pub use date_order::{DateFault, DateOrder, Dates, OpenDate, date};
pub use email::{Email, EmailError};
pub use employee::{Employee, EmployeeId, HasAccount, NameTaken, numbered_name};
pub use erasure::{Erasure, Holder, HolderState, KnownRecord, OVERDUE, Traces};
pub use folded::folded;
pub use follow_up::{FollowUp, FollowUpId, FollowUpState, Standing};
pub use import::{
    Import, ImportId, ImportKind, ImportState, KEPT_OPEN, LineState, Progress, TooManyImports,
    WrongImportState,
};
pub use item::{Item, ItemDetails, ItemId, ItemWithoutCurrency, NoCurrency, NotForSale};
pub use line_diff::Line;
pub use logo::{Logo, LogoDigest, LogoFault};
pub use named_record::{Keeper, NamedKind, NamedRecords};
pub use phone::{Dialled, Phone, PhoneError};
pub use place::{Listing, Place};
pub use platform_agent::{Part, PlatformAgent, Script};
pub use ready_agent::{ReadyAgent, value};
pub use stock::{Count, Movement, MovementId, MovementKind, NewMovement, NotUndone, StockTakeId};
pub use supplier::{Supplier, SupplierId};
pub use template::Variable;
pub use undoable::{ChangeId, Made, Undoable};
pub use unread_call::{UnreadCall, shown_since};
pub use voice_connection::{VoiceConnection, VoiceConnectionId, VoicePlatform, VoiceSecret};
pub use webhook_check::{HeaderName, HmacAlgorithm, HmacEncoding, HmacFormat, PayloadTemplate, WebhookCheck};
pub use webhook_sample::WebhookSample;
pub use website::{NoWebsite, Website};
pub use zone::{UnknownZone, Zone};
