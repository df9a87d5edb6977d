//! Services that go well with each other.

use caller::BusinessScope;
use engine::id::ServiceId;
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, CreatePairingRequest, CreatePairingResponse, DeletePairingRequest, DeletePairingResponse,
        ListMeasuredPairingsRequest, ListMeasuredPairingsResponse, ListPairingsRequest, ListPairingsResponse,
        PairingServiceHandler,
        pairing_service_methods::{CREATE_PAIRING, DELETE_PAIRING},
    },
    page::page,
    parse::{id, optional_id, optional_text},
    time::to_proto,
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use crate::{
    app::{CreatePairing, DeletePairing, MeasurePairings},
    domain::{id::PairingId, pairing::Pairing},
    store::{Store, StoredMeasured, StoredPairing},
};

const MAX_NOTE: usize = 200;
const PAIRS: usize = 50;
const MOST_PAIRS: usize = 200;

/// Serves `PairingService`.
#[derive(Debug)]
pub(crate) struct Pairings {
    store: Store,
}

impl Pairings {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl PairingServiceHandler for Pairings {
    async fn create_pairing(
        &self,
        scope: BusinessScope,
        request: CreatePairingRequest,
    ) -> Result<CreatePairingResponse, Status> {
        let pairing = parse(&self.store, &request)?;
        self.store
            .idempotent(&scope, &CREATE_PAIRING, &request, async |tx| {
                let stored = CreatePairing(pairing).run(tx).await?;
                Ok(CreatePairingResponse { pairing: Some(pb::Pairing::from(&stored)) })
            })
            .await
    }

    async fn delete_pairing(
        &self,
        scope: BusinessScope,
        request: DeletePairingRequest,
    ) -> Result<DeletePairingResponse, Status> {
        let id: PairingId = id("pairing_id", &request.pairing_id)?;
        self.store
            .idempotent(&scope, &DELETE_PAIRING, &request, async |tx| {
                DeletePairing(id).run(tx).await?;
                Ok(DeletePairingResponse {})
            })
            .await
    }

    async fn list_pairings(
        &self,
        scope: BusinessScope,
        request: ListPairingsRequest,
    ) -> Result<ListPairingsResponse, Status> {
        let service: Option<ServiceId> = optional_id("service_id", &request.service_id)?;
        let page = page(request.page_size, &request.page_token)?;
        let after = PairingId(page.after.unwrap_or(Uuid::nil()));
        let tx = self.store.begin(&scope);
        let rows = tx.pairings(service, after, page.limit()).await?;
        tx.release();
        let (pairings, next_page_token) = page.answer(&rows, |row| row.pairing.id.0, pb::Pairing::from);
        Ok(ListPairingsResponse { pairings, next_page_token })
    }

    async fn list_measured_pairings(
        &self,
        scope: BusinessScope,
        request: ListMeasuredPairingsRequest,
    ) -> Result<ListMeasuredPairingsResponse, Status> {
        let service: Option<ServiceId> = optional_id("service_id", &request.service_id)?;
        let most = most(request.most)?;
        let tx = self.store.begin(&scope);
        let (strongest, visits) = MeasurePairings { service, most }.run(&tx).await?;
        tx.release();
        let pairings = strongest.iter().map(pb::MeasuredPairing::from).collect();
        Ok(ListMeasuredPairingsResponse { pairings, visits })
    }
}

fn parse(store: &Store, request: &CreatePairingRequest) -> Result<Pairing, Status> {
    let service = id("service_id", &request.service_id)?;
    let suggested = id("suggested_service_id", &request.suggested_service_id)?;
    let note = optional_text("note", &request.note, MAX_NOTE)?.unwrap_or_default();
    Pairing::suggest(store.new_id(), service, suggested, note, store.now())
        .map_err(|error| invalid("suggested_service_id", &error.to_string()))
}

fn most(most: i32) -> Result<usize, Status> {
    match usize::try_from(most) {
        Ok(0) => Ok(PAIRS),
        Ok(most) if most <= MOST_PAIRS => Ok(most),
        _ => Err(invalid("most", "must lie between 0 and 200")),
    }
}

impl From<&StoredPairing> for pb::Pairing {
    fn from(stored: &StoredPairing) -> Self {
        let StoredPairing { pairing, service_name, suggested_name } = stored;
        Self {
            id: pairing.id.to_string(),
            service_id: pairing.service.to_string(),
            service_name: service_name.clone(),
            suggested_service_id: pairing.suggested.to_string(),
            suggested_service_name: suggested_name.clone(),
            note: pairing.note.clone(),
            created_at: Some(to_proto(pairing.created_at)),
        }
    }
}

impl From<&StoredMeasured> for pb::MeasuredPairing {
    fn from(measured: &StoredMeasured) -> Self {
        let StoredMeasured { service, other, together } = measured;
        Self {
            service_id: service.0.to_string(),
            service_name: service.1.clone(),
            other_service_id: other.0.to_string(),
            other_service_name: other.1.clone(),
            visits_with_both: together.both,
            visits_with_service: together.one,
            visits_with_other: together.other,
            lift: together.lift(),
        }
    }
}
