//! Records of the domain as messages of the contract: in answers and in events.

mod import;

use proto::{frontdesk::tenancy::v1 as pb, time::to_proto};

use crate::{
    domain::{
        Business, BusinessSetup, Customer, Employee, FollowUpState, HmacAlgorithm, HmacEncoding, ItemDetails,
        MarketingConsent, MovementKind, Supplier, VoiceConnection, VoicePlatform, WebhookCheck,
    },
    store::{NamedFollowUp, NamedMerge, SignedMovement, SignedNote, SuppliedItem},
};

impl From<&Business> for pb::Business {
    fn from(business: &Business) -> Self {
        Self {
            id: business.id.to_string(),
            name: business.name.clone(),
            address: business.address.clone().unwrap_or_default(),
            phone: text(business.phone.as_ref()),
            time_zone: business.zone.to_string(),
            version: business.version,
            email: text(business.email.as_ref()),
            website: text(business.website.as_ref()),
            currency: text(business.currency.as_ref()),
            brand_color: text(business.brand_color.as_ref()),
            logo_digest: text(business.logo.as_ref()),
        }
    }
}

impl From<&BusinessSetup> for pb::BusinessSetup {
    fn from(setup: &BusinessSetup) -> Self {
        Self {
            business_id: setup.id.to_string(),
            employee_count: count(setup.employees),
            voice_connection_count: count(setup.voice_connections),
            open_follow_up_count: count(setup.open_follow_ups),
            broken_voice_connection_count: i32::try_from(setup.broken_voice_connections).unwrap_or(i32::MAX),
            agent_version: setup.agent_version,
            failed_publication_count: i32::try_from(setup.failed_publications).unwrap_or(i32::MAX),
        }
    }
}

impl From<&Employee> for pb::Employee {
    fn from(employee: &Employee) -> Self {
        Self {
            id: employee.id.to_string(),
            name: employee.name.clone(),
            user_id: text(employee.user.as_ref()),
            version: employee.version,
            last_day: text(employee.last_day.as_ref()),
        }
    }
}

impl From<&Customer> for pb::Customer {
    fn from(customer: &Customer) -> Self {
        Self {
            id: customer.id.to_string(),
            name: customer.name.clone(),
            phone: text(customer.phone.as_ref()),
            email: text(customer.email.as_ref()),
            version: customer.version,
            tags: customer.tags.as_slice().to_vec(),
            marketing_consent: customer.marketing_consent.as_ref().map(pb::MarketingConsent::from),
            contact_hidden: false,
            merged_into: text(customer.merged_into.as_ref()),
            erased_at: customer.erased_at.map(to_proto),
        }
    }
}

impl From<&MarketingConsent> for pb::MarketingConsent {
    fn from(consent: &MarketingConsent) -> Self {
        let recorded_at = Some(to_proto(consent.at));
        Self { given: consent.given, recorded_at, recorded_by: consent.by.clone() }
    }
}

impl From<&NamedMerge> for pb::CustomerMerge {
    fn from(NamedMerge { merge, merged_name }: &NamedMerge) -> Self {
        let (undone_at, undone_by) = merge.undone.clone().unzip();
        Self {
            id: merge.id.to_string(),
            customer_id: merge.after.id.to_string(),
            merged_customer_id: merge.merged.to_string(),
            merged_name: merged_name.clone(),
            merged_at: Some(to_proto(merge.at)),
            merged_by: merge.by.clone(),
            undoable_until: Some(to_proto(merge.undoable_until())),
            undone_at: undone_at.map(to_proto),
            undone_by: undone_by.unwrap_or_default(),
        }
    }
}

impl From<&SignedNote> for pb::CustomerNote {
    fn from(SignedNote { note, author, editor }: &SignedNote) -> Self {
        Self {
            id: note.id.to_string(),
            customer_id: note.customer.to_string(),
            text: note.text.clone(),
            pinned: note.pinned,
            created_by: note.created_by.clone(),
            author_name: author.clone(),
            created_at: Some(to_proto(note.created_at)),
            version: note.version,
            edited_by: note.edited_by.clone().unwrap_or_default(),
            editor_name: editor.clone(),
        }
    }
}

impl From<&NamedFollowUp> for pb::FollowUp {
    fn from(named: &NamedFollowUp) -> Self {
        let follow_up = &named.follow_up;
        let (state, done) = match &follow_up.state {
            FollowUpState::Open => (pb::FollowUpState::Open, None),
            FollowUpState::Done { by, at } => (pb::FollowUpState::Done, Some((by.clone(), to_proto(*at)))),
        };
        let (done_by, done_at) = done.unzip();
        Self {
            id: follow_up.id.to_string(),
            text: follow_up.text.clone(),
            customer_id: text(follow_up.customer.as_ref()),
            customer_name: named.customer.clone(),
            phone: text(follow_up.phone.as_ref()),
            call_id: text(follow_up.call.as_ref()),
            employee_id: text(follow_up.employee.as_ref()),
            employee_name: named.employee.clone(),
            due_at: follow_up.due_at.map(to_proto),
            state: state.into(),
            created_by: follow_up.created_by.clone(),
            created_at: Some(to_proto(follow_up.created_at)),
            done_by: done_by.unwrap_or_default(),
            done_at,
            version: follow_up.version,
            contact_hidden: false,
        }
    }
}

impl From<&Supplier> for pb::Supplier {
    fn from(supplier: &Supplier) -> Self {
        Self {
            id: supplier.id.to_string(),
            name: supplier.name.clone(),
            phone: text(supplier.phone.as_ref()),
            email: text(supplier.email.as_ref()),
            note: supplier.note.clone().unwrap_or_default(),
            version: supplier.version,
        }
    }
}

impl From<&ItemDetails> for pb::ItemDetails {
    fn from(details: &ItemDetails) -> Self {
        Self {
            name: details.name.clone(),
            category: details.category.clone(),
            sku: text(details.sku.as_ref()),
            barcode: text(details.barcode.as_ref()),
            price_minor: details.price,
            cost_minor: details.cost,
            tax_basis_points: details.tax,
            supplier_id: text(details.supplier.as_ref()),
            low_stock_at: details.low_at,
            unit: details.unit.clone(),
        }
    }
}

impl From<&SuppliedItem> for pb::Item {
    fn from(SuppliedItem { item, supplier }: &SuppliedItem) -> Self {
        Self {
            id: item.id.to_string(),
            details: Some(pb::ItemDetails::from(&item.details)),
            currency: text(item.currency.as_ref()),
            supplier_name: supplier.clone(),
            on_hand: item.on_hand,
            low: item.is_low(),
            archived: item.archived,
            version: item.version,
        }
    }
}

impl From<MovementKind> for pb::StockMovementKind {
    fn from(kind: MovementKind) -> Self {
        match kind {
            MovementKind::Received => Self::Received,
            MovementKind::Sold => Self::Sold,
            MovementKind::Used => Self::Used,
            MovementKind::Counted => Self::Counted,
            MovementKind::Wasted => Self::Wasted,
        }
    }
}

impl From<&SignedMovement> for pb::StockMovement {
    fn from(SignedMovement { movement, author }: &SignedMovement) -> Self {
        let moved = &movement.moved;
        Self {
            id: moved.id.to_string(),
            item_id: moved.item.to_string(),
            kind: pb::StockMovementKind::from(moved.kind).into(),
            quantity: moved.quantity,
            on_hand: movement.on_hand,
            unit_cost_minor: moved.unit_cost,
            note: moved.note.clone().unwrap_or_default(),
            created_by: movement.by.clone(),
            author_name: author.clone(),
            created_at: Some(to_proto(movement.at)),
            undoes: text(moved.undoes.as_ref()),
            undone: movement.undone,
            may_undo: false,
            stock_take_id: text(moved.stock_take.as_ref()),
        }
    }
}

/// What is shown of a cell.
const SHOWN: usize = 200;

fn shortened(cell: &str) -> String {
    let mut shown: String = cell.chars().take(SHOWN).collect();
    if shown.len() < cell.len() {
        shown.push('…');
    }
    shown
}

/// A connection whose platform delivers to this address.
pub fn voice_connection(connection: &VoiceConnection, webhook_url: String) -> pb::VoiceConnection {
    pb::VoiceConnection {
        id: connection.id.to_string(),
        platform: pb::VoicePlatform::from(connection.platform).into(),
        label: connection.label.clone(),
        webhook_check: pb::WebhookCheck::from(&connection.check).into(),
        hmac: hmac(&connection.check),
        account: connection.account.clone(),
        platform_agent_id: connection.platform_agent.clone(),
        has_api_key: connection.has_api_key,
        voice: connection.voice.clone(),
        webhook_url,
    }
}

impl From<&WebhookCheck> for pb::WebhookCheck {
    fn from(check: &WebhookCheck) -> Self {
        match check {
            WebhookCheck::PlatformSignature => Self::PlatformSignature,
            WebhookCheck::Bearer => Self::Bearer,
            WebhookCheck::Hmac(_) => Self::Hmac,
        }
    }
}

/// The format of the HMAC by which deliveries are checked, if they are.
pub fn hmac(check: &WebhookCheck) -> Option<pb::HmacFormat> {
    let WebhookCheck::Hmac(format) = check else { return None };
    let algorithm = match format.algorithm {
        HmacAlgorithm::Sha256 => pb::HmacAlgorithm::Sha256,
        HmacAlgorithm::Sha512 => pb::HmacAlgorithm::Sha512,
        HmacAlgorithm::Sha1 => pb::HmacAlgorithm::Sha1,
    };
    let encoding = match format.encoding {
        HmacEncoding::Hex => pb::HmacEncoding::Hex,
        HmacEncoding::Base64 => pb::HmacEncoding::Base64,
    };
    Some(pb::HmacFormat {
        algorithm: algorithm.into(),
        encoding: encoding.into(),
        signature_header: format.signature_header.as_str().to_owned(),
        signature_prefix: format.signature_prefix.clone(),
        timestamp_header: format.timestamp_header.as_str().to_owned(),
        payload: format.payload.as_str().to_owned(),
    })
}

impl From<VoicePlatform> for pb::VoicePlatform {
    fn from(platform: VoicePlatform) -> Self {
        match platform {
            VoicePlatform::Retell => Self::Retell,
            VoicePlatform::Vapi => Self::Vapi,
            VoicePlatform::Twilio => Self::Twilio,
            VoicePlatform::ElevenLabs => Self::Elevenlabs,
        }
    }
}

fn count(rows: i64) -> i32 {
    i32::try_from(rows).unwrap_or(i32::MAX)
}

fn text(value: Option<&impl ToString>) -> String {
    value.map(ToString::to_string).unwrap_or_default()
}
