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
        matching_service_methods::{MATCH_SERVICES, REMOVE_SERVICE_ALIAS, RESOLVE_PHRASE},
    },
    page::page,
    parse::{id, optional_id},
    time::to_proto,
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use super::{
    catalogue::{MAX_ALIAS, MAX_ALIASES},
    fields,
};
use crate::{
    Error,
    contract::FromEngine,
    domain::{
        id::PhraseId,
        matching::{Candidate, Manner, Verdict, verdict},
        phrase::{UnmatchedPhrase, normal},
    },
    store::{Store, Tx},
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
        let tx = self.store.begin(&scope);
        let catalogue = tx.catalogue().await?;
        let ranked = catalogue.lexicon.rank(&phrase);
        let verdict = verdict(&ranked);
        if verdict != Verdict::Clear && matches!(scope.actor(), Actor::Agent { .. }) {
            hear(&tx, &phrase, call).await?;
        }
        tx.commit().await?;
        let ranked = ranked.iter().take(most);
        Ok(MatchServicesResponse {
            verdict: pb::MatchVerdict::from(verdict).into(),
            candidates: ranked.filter_map(|candidate| matched(candidate, &catalogue.schedule)).collect(),
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
        let resolution = Resolution::parse(&request)?;
        self.store
            .idempotent(&scope, &RESOLVE_PHRASE, &request, async |tx| {
                let service = resolution.carry_out(tx, phrase).await?;
                tx.publish_phrase(phrase).await?;
                tx.audit(&RESOLVE_PHRASE, phrase).await?;
                Ok(ResolvePhraseResponse { service })
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
                let remove = async |version| {
                    if !called(tx, service).await?.aliases.contains(&alias) {
                        return Err(Error::NotFound("alias"));
                    }
                    tx.remove_alias(version, service, &alias).await
                };
                tx.change_schedule(&REMOVE_SERVICE_ALIAS, service, remove).await?;
                Ok(RemoveServiceAliasResponse { service: Some(called(tx, service).await?) })
            })
            .await
    }
}

/// What becomes of a phrase.
enum Resolution {
    /// It is what people call a service, by itself or in other words.
    Alias(ServiceId, Option<String>),
    /// It means nothing that is sold here.
    Dismissed,
}

impl Resolution {
    fn parse(request: &ResolvePhraseRequest) -> Result<Self, Status> {
        let service: Option<ServiceId> = optional_id("service_id", &request.service_id)?;
        let alias = fields::optional_line("alias", &request.alias, MAX_ALIAS)?;
        match (service, alias) {
            (Some(service), alias) => Ok(Self::Alias(service, alias)),
            (None, None) => Ok(Self::Dismissed),
            (None, Some(_)) => Err(invalid("alias", "must be empty where no service is named")),
        }
    }

    /// The service, where one has a new alias.
    async fn carry_out(self, tx: &Tx, phrase: PhraseId) -> Result<Option<pb::Service>, Status> {
        let Self::Alias(service, alias) = self else {
            tx.take_phrase(phrase).await?;
            tx.dismiss_phrase(phrase).await?;
            return Ok(None);
        };
        let version = tx.next_schedule().await?;
        let heard = tx.take_phrase(phrase).await?.phrase;
        let alias = fields::line("alias", &alias.unwrap_or(heard), MAX_ALIAS)?;
        let known = called(tx, service).await?.aliases;
        if !known.contains(&alias) {
            if known.len() >= MAX_ALIASES {
                return Err(invalid("service_id", "has 20 aliases already"));
            }
            tx.add_alias(version, service, &alias).await?;
        }
        tx.publish_schedule(version).await?;
        tx.drop_phrase(phrase).await?;
        Ok(Some(called(tx, service).await?))
    }
}

/// Keeps what an agent heard, for a person to look at.
async fn hear(tx: &Tx, phrase: &str, call: Option<CallId>) -> Result<(), Error> {
    let Some(phrase) = normal(phrase) else { return Ok(()) };
    let id = tx.hear(&phrase, call).await?;
    tx.publish_phrase(id).await?;
    tx.audit(&MATCH_SERVICES, id).await
}

async fn called(tx: &Tx, service: ServiceId) -> Result<pb::Service, Error> {
    let service = tx.service(service).await?.ok_or(Error::NotFound("service"))?;
    Ok(pb::Service::from_engine(&service))
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
