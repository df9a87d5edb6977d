//! Matching phrases to services, and the list of phrases that matched none.

use caller::{Actor, BusinessScope, Tenant};
use engine::{
    id::{CallId, ServiceId},
    schedule::Schedule,
};
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, ListUnmatchedPhrasesRequest, ListUnmatchedPhrasesResponse, MatchServicesRequest,
        MatchServicesResponse, MatchingServiceHandler, RemoveServiceAliasRequest, RemoveServiceAliasResponse,
        ResolvePhraseRequest, ResolvePhraseResponse,
        matching_service_methods::{REMOVE_SERVICE_ALIAS, RESOLVE_PHRASE},
    },
    page::page,
    parse::{id, optional_id},
    time::to_proto,
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use super::fields;
use crate::{
    app::{MatchServices, Matched, RemoveServiceAlias, Resolution, ResolvePhrase},
    contract::FromEngine,
    domain::{
        id::PhraseId,
        matching::{Candidate, Manner, Verdict},
        phrase::{MAX_ALIAS, UnmatchedPhrase},
    },
    store::Store,
};

const MAX_PHRASE: usize = 200;
const CANDIDATES: usize = 5;
const MOST_CANDIDATES: usize = 20;

/// Serves `MatchingService`.
#[derive(Debug)]
pub(crate) struct Matching {
    store: Store,
}

impl Matching {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl MatchingServiceHandler for Matching {
    async fn match_services(
        &self,
        scope: BusinessScope,
        request: MatchServicesRequest,
    ) -> Result<MatchServicesResponse, Status> {
        let phrase = fields::line("phrase", &request.phrase, MAX_PHRASE)?;
        let most = most(request.most)?;
        let call: Option<CallId> = optional_id("call_id", &request.call_id)?;
        let by_agent = matches!(scope.actor(), Actor::Agent { .. });
        let matched = MatchServices { phrase, call, by_agent }.run(self.store.begin(&scope)).await?;
        let Matched { verdict, candidates, catalogue } = matched;
        let candidates = candidates.iter().take(most);
        Ok(MatchServicesResponse {
            verdict: pb::MatchVerdict::from(verdict).into(),
            candidates: candidates.filter_map(|one| self::matched(one, &catalogue.schedule)).collect(),
        })
    }

    async fn list_unmatched_phrases(
        &self,
        scope: BusinessScope,
        request: ListUnmatchedPhrasesRequest,
    ) -> Result<ListUnmatchedPhrasesResponse, Status> {
        let page = page(request.page_size, &request.page_token)?;
        let (count, id) = page.after.unwrap_or((i64::MAX, Uuid::max()));
        let tx = self.store.begin(&scope);
        let rows = tx.unmatched_phrases(request.dismissed, (count, PhraseId(id)), page.limit()).await?;
        tx.release();
        let (phrases, next_page_token) =
            page.answer(&rows, |row| (row.count, row.id.0), pb::UnmatchedPhrase::from);
        Ok(ListUnmatchedPhrasesResponse { phrases, next_page_token })
    }

    async fn resolve_phrase(
        &self,
        scope: BusinessScope,
        request: ResolvePhraseRequest,
    ) -> Result<ResolvePhraseResponse, Status> {
        let phrase: PhraseId = id("phrase_id", &request.phrase_id)?;
        let resolution = resolution(&request)?;
        self.store
            .idempotent(&scope, &RESOLVE_PHRASE, &request, async |tx| {
                let service = ResolvePhrase { phrase, resolution }.run(tx).await?;
                Ok(ResolvePhraseResponse { service: service.as_ref().map(pb::Service::from_engine) })
            })
            .await
    }

    async fn remove_service_alias(
        &self,
        scope: BusinessScope,
        request: RemoveServiceAliasRequest,
    ) -> Result<RemoveServiceAliasResponse, Status> {
        let service: ServiceId = id("service_id", &request.service_id)?;
        let alias = fields::line("alias", &request.alias, MAX_ALIAS)?;
        self.store
            .idempotent(&scope, &REMOVE_SERVICE_ALIAS, &request, async |tx| {
                let service = RemoveServiceAlias { service, alias }.run(tx).await?;
                Ok(RemoveServiceAliasResponse { service: Some(pb::Service::from_engine(&service)) })
            })
            .await
    }
}

fn resolution(request: &ResolvePhraseRequest) -> Result<Resolution, Status> {
    let service: Option<ServiceId> = optional_id("service_id", &request.service_id)?;
    let alias = fields::optional_line("alias", &request.alias, MAX_ALIAS)?;
    match (service, alias) {
        (Some(service), alias) => Ok(Resolution::Alias(service, alias)),
        (None, None) => Ok(Resolution::Dismissed),
        (None, Some(_)) => Err(invalid("alias", "must be empty where no service is named")),
    }
}

fn most(most: i32) -> Result<usize, Status> {
    match usize::try_from(most) {
        Ok(0) => Ok(CANDIDATES),
        Ok(most) if most <= MOST_CANDIDATES => Ok(most),
        _ => Err(invalid("most", "must lie between 0 and 20")),
    }
}

fn matched(candidate: &Candidate, schedule: &Schedule) -> Option<pb::MatchedService> {
    Some(pb::MatchedService {
        service: Some(pb::Service::from_engine(schedule.services.get(&candidate.service)?)),
        score: candidate.score.part(),
        manner: pb::MatchManner::from(candidate.manner).into(),
        matched: candidate.matched.clone(),
    })
}

impl From<Verdict> for pb::MatchVerdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Clear => Self::Clear,
            Verdict::Unclear => Self::Unclear,
            Verdict::Nothing => Self::Nothing,
        }
    }
}

impl From<Manner> for pb::MatchManner {
    fn from(manner: Manner) -> Self {
        match manner {
            Manner::Exact => Self::Exact,
            Manner::Words => Self::Words,
            Manner::Spelling => Self::Spelling,
            Manner::Sound => Self::Sound,
        }
    }
}

impl From<&UnmatchedPhrase> for pb::UnmatchedPhrase {
    fn from(phrase: &UnmatchedPhrase) -> Self {
        Self {
            id: phrase.id.to_string(),
            phrase: phrase.phrase.clone(),
            count: phrase.count,
            first_at: Some(to_proto(phrase.first_at)),
            last_at: Some(to_proto(phrase.last_at)),
            last_call_id: phrase.last_call.map(|call| call.to_string()).unwrap_or_default(),
            dismissed: phrase.is_dismissed,
        }
    }
}
