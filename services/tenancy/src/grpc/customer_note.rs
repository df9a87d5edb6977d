//! Notes about customers.

use caller::BusinessScope;
use jiff::Timestamp;
use proto::{
    frontdesk::tenancy::v1::{
        self as pb, CreateCustomerNoteRequest, CreateCustomerNoteResponse, CustomerNoteServiceHandler,
        DeleteCustomerNoteRequest, DeleteCustomerNoteResponse, GetPinnedNotesRequest, GetPinnedNotesResponse,
        ListCustomerNotesRequest, ListCustomerNotesResponse, UpdateCustomerNoteRequest,
        UpdateCustomerNoteResponse,
        customer_note_service_methods::{CREATE_CUSTOMER_NOTE, DELETE_CUSTOMER_NOTE, UPDATE_CUSTOMER_NOTE},
    },
    page::page,
    parse::{id, some_ids, text},
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use super::fields;
use crate::{
    app::{CreateCustomerNote, UpdateCustomerNote, delete_customer_note},
    domain::{CustomerId, CustomerNoteId},
    store::{NoteKey, SignedNote, Store},
};

const LONGEST_TEXT: usize = 2_000;
/// Most customers whose pinned notes are read at once.
const MOST_CUSTOMERS: usize = 200;
/// Whether the last note of a page is pinned, when it was written, and its id.
type After = (u32, Timestamp, Uuid);

/// Serves `CustomerNoteService`.
#[derive(Debug)]
pub(crate) struct CustomerNotes {
    store: Store,
}

impl CustomerNotes {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl CustomerNoteServiceHandler for CustomerNotes {
    async fn list_customer_notes(
        &self,
        scope: BusinessScope,
        request: ListCustomerNotesRequest,
    ) -> Result<ListCustomerNotesResponse, Status> {
        let customer = id("customer_id", &request.customer_id)?;
        let page = page::<After>(request.page_size, &request.page_token)?;
        let after = page.after.map(|(pinned, at, id)| (pinned > 0, at, CustomerNoteId(id)));
        let tx = self.store.begin(&scope);
        tx.customer(customer).await?;
        let rows = tx.customer_notes(customer, after, page.limit()).await?;
        tx.commit().await?;
        let key = |row: &&SignedNote| (u32::from(row.note.pinned), row.note.created_at, row.note.id.0);
        let (notes, next_page_token) = page.answer(&rows, key, pb::CustomerNote::from);
        Ok(ListCustomerNotesResponse { notes, next_page_token })
    }

    async fn get_pinned_notes(
        &self,
        scope: BusinessScope,
        request: GetPinnedNotesRequest,
    ) -> Result<GetPinnedNotesResponse, Status> {
        let customers = some_ids("customer_ids", &request.customer_ids, MOST_CUSTOMERS)?;
        let tx = self.store.begin(&scope);
        let notes = tx.pinned_notes(&customers).await?;
        tx.commit().await?;
        let of_customer = |notes: &[(CustomerId, String)]| pb::PinnedNotes {
            customer_id: notes.first().map(|(customer, _)| customer.to_string()).unwrap_or_default(),
            texts: notes.iter().map(|(_, text)| text.clone()).collect(),
        };
        let customers = notes.chunk_by(|(one, _), (other, _)| one == other).map(of_customer).collect();
        Ok(GetPinnedNotesResponse { customers })
    }

    async fn create_customer_note(
        &self,
        scope: BusinessScope,
        request: CreateCustomerNoteRequest,
    ) -> Result<CreateCustomerNoteResponse, Status> {
        let command = CreateCustomerNote {
            customer: id("customer_id", &request.customer_id)?,
            text: text("text", &request.text, LONGEST_TEXT)?,
            pinned: request.pinned,
        };
        self.store
            .idempotent(&scope, &CREATE_CUSTOMER_NOTE, &request, async |tx| {
                let (created, change) = command.run(tx).await?;
                let note = Some(pb::CustomerNote::from(&created));
                Ok(CreateCustomerNoteResponse { note, change_id: change.to_string() })
            })
            .await
    }

    async fn update_customer_note(
        &self,
        scope: BusinessScope,
        request: UpdateCustomerNoteRequest,
    ) -> Result<UpdateCustomerNoteResponse, Status> {
        let command = UpdateCustomerNote {
            key: key(&request.customer_id, &request.note_id)?,
            text: text("text", &request.text, LONGEST_TEXT)?,
            pinned: request.pinned,
            version: fields::seen_version(request.version)?,
        };
        self.store
            .idempotent(&scope, &UPDATE_CUSTOMER_NOTE, &request, async |tx| {
                let (updated, change) = command.run(tx).await?;
                let note = Some(pb::CustomerNote::from(&updated));
                Ok(UpdateCustomerNoteResponse { note, change_id: fields::change_id(change) })
            })
            .await
    }

    async fn delete_customer_note(
        &self,
        scope: BusinessScope,
        request: DeleteCustomerNoteRequest,
    ) -> Result<DeleteCustomerNoteResponse, Status> {
        let key = key(&request.customer_id, &request.note_id)?;
        self.store
            .idempotent(&scope, &DELETE_CUSTOMER_NOTE, &request, async |tx| {
                let change = delete_customer_note(tx, key).await?;
                Ok(DeleteCustomerNoteResponse { change_id: fields::change_id(change) })
            })
            .await
    }
}

fn key(customer_id: &str, note_id: &str) -> Result<NoteKey, Status> {
    Ok((id("customer_id", customer_id)?, id("note_id", note_id)?))
}
