//! Matching phrases to services, and the list of phrases that matched none.

use std::collections::BTreeSet;

use caller::{BusinessId, Role};
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        scheduling::v1::{
            ListUnmatchedPhrasesRequest, MatchManner, MatchServicesRequest, MatchServicesResponse,
            MatchVerdict, RemoveServiceAliasRequest, ResolvePhraseRequest, Service, UnmatchedPhrase,
            matching_service_client::MatchingServiceClient,
        },
    },
};
use scheduling::domain::matching::{trigram::similarity, words::words};
use testkit::as_user;
use tonic::{Request, Status};
use uuid::Uuid;

use crate::{
    events::{events, schedule_versions},
    salon::{
        ANA, CALL, COLOUR, CUT, MASSAGE, OTHER, Salon, WILLOW, field, reason, service, weekdays, with_key,
    },
};

fn phrase(phrase: &str) -> MatchServicesRequest {
    MatchServicesRequest {
        business_id: WILLOW.to_string(),
        phrase: phrase.to_owned(),
        most: 0,
        call_id: CALL.to_string(),
    }
}

async fn matched(
    salon: &Salon,
    request: Request<MatchServicesRequest>,
) -> Result<MatchServicesResponse, Status> {
    Ok(salon.matching().match_services(request).await?.into_inner())
}

/// An agent hears `said` in a call.
async fn hear(salon: &Salon, said: &str, call: Uuid) -> MatchVerdict {
    let request = MatchServicesRequest { call_id: call.to_string(), ..phrase(said) };
    matched(salon, salon.agent(request)).await.unwrap().verdict()
}

fn list(dismissed: bool) -> ListUnmatchedPhrasesRequest {
    ListUnmatchedPhrasesRequest { business_id: WILLOW.to_string(), dismissed, ..Default::default() }
}

async fn heard(salon: &Salon, dismissed: bool) -> Vec<UnmatchedPhrase> {
    let page = salon.matching().list_unmatched_phrases(salon.manager(list(dismissed))).await.unwrap();
    page.into_inner().phrases
}

fn counts(phrases: &[UnmatchedPhrase]) -> Vec<(&str, i64)> {
    phrases.iter().map(|phrase| (phrase.phrase.as_str(), phrase.count)).collect()
}

fn resolution(phrase: &UnmatchedPhrase, service: Option<Uuid>, alias: &str) -> ResolvePhraseRequest {
    ResolvePhraseRequest {
        business_id: WILLOW.to_string(),
        phrase_id: phrase.id.clone(),
        service_id: service.map(|service| service.to_string()).unwrap_or_default(),
        alias: alias.to_owned(),
    }
}

async fn resolve(
    salon: &Salon,
    phrase: &UnmatchedPhrase,
    service: Option<Uuid>,
    alias: &str,
) -> Result<Option<Service>, Status> {
    let request = salon.manager(resolution(phrase, service, alias));
    Ok(salon.matching().resolve_phrase(request).await?.into_inner().service)
}

#[tokio::test]
async fn a_phrase_finds_its_service_for_people_and_agents() {
    let salon = Salon::open().await;
    for request in [salon.employee(phrase("a Colour, please")), salon.agent(phrase("colur"))] {
        let found = matched(&salon, request).await.unwrap();
        assert_eq!(found.verdict(), MatchVerdict::Clear);
        assert_eq!(found.candidates[0].service.as_ref().unwrap().id, COLOUR.to_string());
        assert!((0.6..1.0).contains(&found.candidates[0].score));
    }
    let exact = matched(&salon, salon.agent(phrase("CUT"))).await.unwrap();
    let best = &exact.candidates[0];
    assert_eq!((best.score, best.manner(), best.matched.as_str()), (1.0, MatchManner::Exact, "Cut"));
    assert_eq!(salon.count("SELECT count(*) FROM unmatched_phrase").await, 0);
}

#[tokio::test]
async fn two_services_of_one_word_are_both_named_and_none_is_chosen() {
    let salon = Salon::open().await;
    for (number, name) in [(1, "Women's cut"), (2, "Men's cut"), (3, "Children's cut")] {
        salon.create_service(service(Uuid::from_u128(number), name, &[30], &[ANA])).await.unwrap();
    }
    let found = matched(&salon, salon.agent(phrase("cuts for women or men"))).await.unwrap();
    assert_eq!(found.verdict(), MatchVerdict::Unclear);
    let one = MatchServicesRequest { most: 1, ..phrase("cuts for women or men") };
    assert_eq!(matched(&salon, salon.agent(one)).await.unwrap().candidates.len(), 1);
}

#[tokio::test]
async fn a_new_service_is_found_at_once() {
    let salon = Salon::open().await;
    let replica = salon.replica().await;
    assert_eq!(hear(&salon, "balayage", CALL).await, MatchVerdict::Nothing);
    salon.create_service(service(Uuid::from_u128(9), "Balayage", &[30], &[ANA])).await.unwrap();
    assert_eq!(hear(&salon, "balayage", CALL).await, MatchVerdict::Clear);
    let mut client = MatchingServiceClient::new(replica);
    let there = client.match_services(salon.agent(phrase("balayage"))).await.unwrap().into_inner();
    assert_eq!(there.verdict(), MatchVerdict::Clear);
}

#[tokio::test]
async fn likeness_of_writing_is_that_of_postgres() {
    let salon = Salon::empty().await;
    let texts = [
        "Women's cut",
        "cut and finish",
        "balayage",
        "balayge",
        "short back and sides",
        "a",
        "cut cut",
        "kolor 20",
    ];
    let mut superuser = salon.superuser().await;
    sqlx::raw_sql("CREATE EXTENSION IF NOT EXISTS pg_trgm").execute(&mut superuser).await.unwrap();
    for one in texts.map(words) {
        for other in texts.map(words) {
            let theirs: f32 = sqlx::query_scalar("SELECT similarity($1, $2)")
                .bind(one.join(" "))
                .bind(other.join(" "))
                .fetch_one(&mut superuser)
                .await
                .unwrap();
            assert!(
                (similarity(&one, &other) - f64::from(theirs)).abs() < 1e-6,
                "{one:?} {other:?} {theirs}"
            );
        }
    }
}

#[tokio::test]
async fn what_an_agent_hears_and_nothing_answers_to_is_kept_once_a_call() {
    let salon = Salon::open().await;
    let other_call = Uuid::from_u128(0xca12);
    for (said, call) in
        [("Beard dye!", CALL), ("beard DYE", CALL), ("beard dye", other_call), ("tattoo", CALL)]
    {
        assert_eq!(hear(&salon, said, call).await, MatchVerdict::Nothing);
    }
    // People see for themselves, and punctuation is nothing to look at.
    matched(&salon, salon.employee(phrase("piercing"))).await.unwrap();
    hear(&salon, "?!", CALL).await;
    let phrases = heard(&salon, false).await;
    assert_eq!(counts(&phrases), [("beard dye", 2), ("tattoo", 1)]);
    assert_eq!(phrases[0].last_call_id, other_call.to_string());
    let told =
        events(&salon).await.into_iter().filter(|event| matches!(event.payload, Some(Payload::Phrase(_))));
    assert_eq!(told.count(), 4);
    assert_eq!(salon.trail().await.last().unwrap(), &("MatchServices".to_owned(), "agent".to_owned()));
}

#[tokio::test]
async fn agents_that_hear_the_same_at_once_are_all_counted() {
    let salon = Salon::open().await;
    let fill = format!(
        "INSERT INTO unmatched_phrase SELECT '{WILLOW}', gen_random_uuid(), 'old ' || n, 1,
            '2026-01-01', '2026-01-01', NULL FROM generate_series(1, 1000) n"
    );
    sqlx::query(sqlx::AssertSqlSafe(fill)).execute(&mut salon.superuser().await).await.unwrap();
    let said = ["tattoo".to_owned(), "piercing".to_owned(), "old 7".to_owned()];
    let salon_hears =
        |number: u128| hear(&salon, &said[number as usize % 3], Uuid::from_u128(0xca00 + number));
    futures::future::join_all((0..30).map(salon_hears)).await;
    let counted = "SELECT sum(count)::bigint FROM unmatched_phrase WHERE phrase IN ('tattoo', 'piercing')";
    assert_eq!(salon.count(counted).await, 20);
    assert_eq!(salon.deadlocks().await, 0);
}

#[tokio::test]
async fn phrases_are_listed_the_most_frequent_first_a_page_at_a_time() {
    let salon = Salon::open().await;
    for (said, times) in [("xyzzy", 1), ("plugh", 3), ("frobozz", 2), ("quux", 3)] {
        for call in 0..times {
            hear(&salon, said, Uuid::from_u128(0xca00 + call)).await;
        }
    }
    let (mut listed, mut page_token) = (vec![], String::new());
    loop {
        let request = ListUnmatchedPhrasesRequest { page_size: 1, page_token, ..list(false) };
        let page =
            salon.matching().list_unmatched_phrases(salon.manager(request)).await.unwrap().into_inner();
        assert_eq!(page.phrases.len(), 1);
        listed.extend(page.phrases);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    let listed = counts(&listed);
    assert_eq!(listed[2..], [("frobozz", 2), ("xyzzy", 1)]);
    assert_eq!(listed[..2].iter().copied().collect::<BTreeSet<_>>(), [("plugh", 3), ("quux", 3)].into());
}

#[tokio::test]
async fn the_phrase_heard_longest_ago_goes_when_there_are_a_thousand() {
    let salon = Salon::open().await;
    let fill = format!(
        "INSERT INTO unmatched_phrase SELECT '{WILLOW}', gen_random_uuid(), 'old ' || n, 1,
            '2026-01-01', '2026-01-01'::timestamptz + n * interval '1 minute', NULL FROM generate_series(1, 1000) n"
    );
    sqlx::query(sqlx::AssertSqlSafe(fill)).execute(&mut salon.superuser().await).await.unwrap();
    hear(&salon, "tattoo", CALL).await;
    assert_eq!(salon.count("SELECT count(*) FROM unmatched_phrase").await, 1000);
    let gone = "SELECT count(*) FROM unmatched_phrase WHERE phrase IN ('old 1', 'tattoo')";
    assert_eq!(salon.count(gone).await, 1);
}

#[tokio::test]
async fn a_phrase_becomes_an_alias_and_is_found_from_then_on() {
    let salon = Salon::open().await;
    hear(&salon, "Rub-down", CALL).await;
    let phrases = heard(&salon, false).await;
    let before = schedule_versions(&salon).await.len();
    let resolved = resolve(&salon, &phrases[0], Some(MASSAGE), "").await.unwrap().unwrap();
    assert_eq!(resolved.aliases, ["rub down"]);
    assert_eq!(schedule_versions(&salon).await.len(), before + 1);
    assert_eq!(heard(&salon, false).await, []);
    assert_eq!(hear(&salon, "rub down", CALL).await, MatchVerdict::Clear);
    assert_eq!(reason(&resolve(&salon, &phrases[0], Some(MASSAGE), "").await.unwrap_err()), Reason::NotFound);
}

#[tokio::test]
async fn an_alias_that_is_taken_away_is_not_found_any_more() {
    let salon = Salon::open().await;
    hear(&salon, "I'd like a rub-down", CALL).await;
    let phrases = heard(&salon, false).await;
    resolve(&salon, &phrases[0], Some(MASSAGE), "rub down").await.unwrap();
    let remove = |alias: &str| RemoveServiceAliasRequest {
        business_id: WILLOW.to_string(),
        service_id: MASSAGE.to_string(),
        alias: alias.to_owned(),
    };
    let refused = salon.matching().remove_service_alias(salon.manager(remove("rub"))).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
    for _ in 0..2 {
        let request = with_key(salon.manager(remove("rub down")), "k1");
        let left = salon.matching().remove_service_alias(request).await.unwrap().into_inner();
        assert_eq!(left.service.unwrap().aliases, Vec::<String>::new());
    }
    assert_eq!(hear(&salon, "rub down", CALL).await, MatchVerdict::Nothing);
}

#[tokio::test]
async fn a_phrase_that_was_put_aside_is_counted_but_not_in_the_way() {
    let salon = Salon::open().await;
    hear(&salon, "pizza", CALL).await;
    let phrases = heard(&salon, false).await;
    assert_eq!(resolve(&salon, &phrases[0], None, "").await.unwrap(), None);
    hear(&salon, "pizza", Uuid::from_u128(0xca12)).await;
    assert_eq!(heard(&salon, false).await, []);
    assert_eq!(counts(&heard(&salon, true).await), [("pizza", 2)]);
    resolve(&salon, &phrases[0], Some(CUT), "").await.unwrap();
    assert_eq!(heard(&salon, true).await, []);
}

#[tokio::test]
async fn a_repeated_resolution_has_one_effect_and_one_answer() {
    let salon = Salon::open().await;
    hear(&salon, "rub-down", CALL).await;
    let phrase = &heard(&salon, false).await[0];
    let attempt = || with_key(salon.manager(resolution(phrase, Some(MASSAGE), "")), "k1");
    let first = salon.matching().resolve_phrase(attempt()).await.unwrap().into_inner();
    let second = salon.matching().resolve_phrase(attempt()).await.unwrap().into_inner();
    assert_eq!(first, second);
    assert_eq!(second.service.unwrap().aliases.len(), 1);
}

#[tokio::test]
async fn an_alias_is_checked_like_any() {
    let salon = Salon::open().await;
    let full = Service {
        aliases: (0..20).map(|number| format!("wash {number}")).collect(),
        ..service(Uuid::from_u128(9), "Wash", &[10], &[ANA])
    };
    salon.create_service(full).await.unwrap();
    let long = "blah ".repeat(39);
    for said in ["tattoo", long.as_str()] {
        hear(&salon, said, CALL).await;
    }
    let phrases = heard(&salon, false).await;
    let (long, tattoo) = if phrases[0].phrase == "tattoo" { (1, 0) } else { (0, 1) };
    let refused = async |at: usize, service: Option<Uuid>, alias: &str| {
        resolve(&salon, &phrases[at], service, alias).await.unwrap_err()
    };
    assert_eq!(field(&refused(long, Some(CUT), "").await), "alias");
    assert_eq!(field(&refused(tattoo, Some(CUT), &"x".repeat(101)).await), "alias");
    assert_eq!(field(&refused(tattoo, Some(CUT), "a\nb").await), "alias");
    assert_eq!(field(&refused(tattoo, None, "ink").await), "alias");
    assert_eq!(field(&refused(tattoo, Some(Uuid::from_u128(9)), "").await), "service_id");
    assert_eq!(reason(&refused(tattoo, Some(Uuid::from_u128(404)), "").await), Reason::NotFound);
    assert_eq!(heard(&salon, false).await.len(), 2);
    let phrase_id = "7".to_owned();
    let request = ResolvePhraseRequest { phrase_id, ..resolution(&phrases[0], None, "") };
    let refused = salon.matching().resolve_phrase(salon.manager(request)).await.unwrap_err();
    assert_eq!(field(&refused), "phrase_id");
}

#[tokio::test]
async fn a_malformed_phrase_names_its_field() {
    let salon = Salon::open().await;
    let refused = async |request| field(&matched(&salon, salon.agent(request)).await.unwrap_err());
    assert_eq!(refused(phrase(" ")).await, "phrase");
    assert_eq!(refused(phrase(&"x".repeat(201))).await, "phrase");
    assert_eq!(refused(MatchServicesRequest { most: 21, ..phrase("cut") }).await, "most");
    assert_eq!(refused(MatchServicesRequest { call_id: "7".into(), ..phrase("cut") }).await, "call_id");
    let foreign = ListUnmatchedPhrasesRequest { page_token: "bm9wZQ".into(), ..list(false) };
    let foreign = salon.matching().list_unmatched_phrases(salon.manager(foreign)).await.unwrap_err();
    assert_eq!(field(&foreign), "page_token");
}

#[tokio::test]
async fn only_managers_read_phrases_and_only_of_their_business() {
    let salon = Salon::open().await;
    salon.set_hours(OTHER, weekdays(9, 18)).await;
    hear(&salon, "tattoo", CALL).await;
    let request = salon.employee(list(false));
    let refused = salon.matching().list_unmatched_phrases(request).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
    let as_other = |business: BusinessId| {
        let request = ListUnmatchedPhrasesRequest { business_id: business.to_string(), ..list(false) };
        as_user(&salon.host, Role::Owner, OTHER, request)
    };
    let refused = salon.matching().list_unmatched_phrases(as_other(WILLOW)).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
    let theirs = salon.matching().list_unmatched_phrases(as_other(OTHER)).await.unwrap().into_inner();
    assert_eq!(theirs.phrases, []);
}
