//! How a business's agent speaks and what it may do.

use caller::{BusinessId, Role};
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{
        AgentSettings, AgentVersion, CompareAgentVersionsRequest, GetAgentSettingsRequest,
        GetAgentSettingsResponse, ListAgentVersionsRequest, PreviewAgentSettingsRequest,
        PublishAgentSettingsRequest, RollBackAgentSettingsRequest, SaveAgentDraftRequest,
        SaveAgentDraftResponse, agent_settings_service_client::AgentSettingsServiceClient,
    },
};
use testkit::{USER, as_user};
use tonic::Status;

use crate::stage::{LINDE, Spoilt, Stage, WILLOW, assert_field_refused, assert_refused};

fn agents(stage: &Stage) -> AgentSettingsServiceClient<boot::peer::PeerChannel> {
    AgentSettingsServiceClient::new(stage.channel.clone())
}

async fn read(stage: &Stage) -> GetAgentSettingsResponse {
    let request = stage.owner_of(WILLOW, GetAgentSettingsRequest { business_id: WILLOW.to_string() });
    agents(stage).get_agent_settings(request).await.unwrap().into_inner()
}

fn draft(settings: AgentSettings, revision: i64) -> SaveAgentDraftRequest {
    SaveAgentDraftRequest { business_id: WILLOW.to_string(), settings: Some(settings), revision }
}

async fn save(stage: &Stage, request: SaveAgentDraftRequest) -> Result<SaveAgentDraftResponse, Status> {
    let request = stage.owner_of(WILLOW, request);
    Ok(agents(stage).save_agent_draft(request).await?.into_inner())
}

pub async fn publish(stage: &Stage, revision: i64) -> Result<AgentVersion, Status> {
    let message = PublishAgentSettingsRequest { business_id: WILLOW.to_string(), revision };
    let request = stage.owner_of(WILLOW, message);
    Ok(agents(stage).publish_agent_settings(request).await?.into_inner().published.unwrap())
}

pub async fn roll_back(stage: &Stage, version: &str) -> Result<AgentVersion, Status> {
    roll_back_seen(stage, version, 0).await
}

async fn roll_back_seen(stage: &Stage, version: &str, revision: i64) -> Result<AgentVersion, Status> {
    let business_id = WILLOW.to_string();
    let message = RollBackAgentSettingsRequest { business_id, version: version.to_owned(), revision };
    let request = stage.owner_of(WILLOW, message);
    Ok(agents(stage).roll_back_agent_settings(request).await?.into_inner().published.unwrap())
}

/// Keeps a draft, whatever was seen.
pub async fn save_draft(stage: &Stage, settings: AgentSettings) {
    save(stage, draft(settings, 0)).await.unwrap();
}

/// What an agent does at first, with another greeting.
pub async fn greeting(stage: &Stage, greeting: &str) -> AgentSettings {
    AgentSettings { greeting: greeting.to_owned(), ..read(stage).await.draft.unwrap() }
}

/// A version and a draft of a business.
pub async fn published(stage: &Stage, business: BusinessId) {
    let get = GetAgentSettingsRequest { business_id: business.to_string() };
    let draft = agents(stage).get_agent_settings(stage.owner_of(business, get)).await.unwrap();
    let settings = AgentSettings { greeting: "Hello".to_owned(), ..draft.into_inner().draft.unwrap() };
    let message =
        SaveAgentDraftRequest { business_id: business.to_string(), settings: Some(settings), revision: 0 };
    agents(stage).save_agent_draft(stage.owner_of(business, message)).await.unwrap();
    let message = PublishAgentSettingsRequest { business_id: business.to_string(), revision: 0 };
    agents(stage).publish_agent_settings(stage.owner_of(business, message)).await.unwrap();
}

#[tokio::test]
async fn a_roll_back_does_not_replace_a_draft_that_a_colleague_wrote_meanwhile() {
    let stage = Stage::open().await;
    save_draft(&stage, greeting(&stage, "One").await).await;
    publish(&stage, 0).await.unwrap();
    let seen = read(&stage).await.revision;
    let theirs = greeting(&stage, "Two").await;
    save_draft(&stage, theirs.clone()).await;
    assert_refused(roll_back_seen(&stage, "0", seen).await, Reason::Stale);
    assert_field_refused(roll_back_seen(&stage, "0", -1).await, "revision");
    let now = read(&stage).await;
    assert_eq!((now.draft, now.published.unwrap().version), (Some(theirs), 1));
    assert_eq!(roll_back_seen(&stage, "0", now.revision).await.unwrap().version, 2);
}

#[tokio::test]
async fn a_draft_is_published_as_the_next_version_and_an_earlier_one_again() {
    let stage = Stage::open().await;
    let first = read(&stage).await;
    assert_eq!((first.revision, first.has_changes), (1, false));
    assert_eq!(first.published.as_ref().unwrap().version, 0);

    let hello = greeting(&stage, "Hello, {{salon}} here.").await;
    let saved = save(&stage, draft(hello.clone(), 0)).await.unwrap();
    assert_eq!((saved.revision, saved.has_changes, saved.draft.as_ref()), (2, true, Some(&hello)));
    assert_eq!(read(&stage).await.published.unwrap().version, 0, "a draft answers no call");
    let one = publish(&stage, 2).await.unwrap();
    assert_eq!(
        (one.version, one.published_by, one.settings),
        (1, format!("user:{USER}"), Some(hello.clone()))
    );
    assert_eq!(publish(&stage, 0).await.unwrap().version, 1, "nothing changed");

    let quiet = AgentSettings { may_quote_prices: false, ..hello.clone() };
    save(&stage, draft(quiet, 2)).await.unwrap();
    assert_eq!(publish(&stage, 3).await.unwrap().version, 2);
    let back = roll_back(&stage, "1").await.unwrap();
    assert_eq!((back.version, back.rolled_back_to, back.settings), (3, 1, Some(hello.clone())));
    let now = read(&stage).await;
    assert_eq!((now.draft, now.has_changes), (Some(hello), false));
    assert_eq!(roll_back(&stage, "3").await.unwrap().version, 3, "it is published already");
    assert_eq!(roll_back(&stage, "0").await.unwrap().version, 4, "what it did at first");
    assert_refused(roll_back(&stage, "9").await, Reason::NotFound);
    assert_field_refused(roll_back(&stage, "first").await, "version");

    let list = |page_size, page_token: &str| {
        let page_token = page_token.to_owned();
        let message = ListAgentVersionsRequest { business_id: WILLOW.to_string(), page_size, page_token };
        stage.owner_of(WILLOW, message)
    };
    let page = agents(&stage).list_agent_versions(list(3, "")).await.unwrap().into_inner();
    let numbers = |versions: &[AgentVersion]| versions.iter().map(|of| of.version).collect::<Vec<_>>();
    assert_eq!(numbers(&page.versions), [4, 3, 2]);
    let rest = agents(&stage).list_agent_versions(list(3, &page.next_page_token)).await.unwrap().into_inner();
    assert_eq!((numbers(&rest.versions), rest.next_page_token.as_str()), (vec![1], ""));
}

#[tokio::test]
async fn what_an_agent_does_at_first_is_published_as_it_is() {
    let stage = Stage::open().await;
    let first = read(&stage).await;
    let one = publish(&stage, 0).await.unwrap();
    assert_eq!((one.version, one.settings), (1, first.draft));
    assert_eq!(publish(&stage, 0).await.unwrap().version, 1, "it is published already");
}

#[tokio::test]
async fn two_owners_do_not_overwrite_each_other() {
    let stage = Stage::open().await;
    let mine = greeting(&stage, "Mine").await;
    save(&stage, draft(mine, 0)).await.unwrap();
    let second = greeting(&stage, "Second").await;
    save(&stage, draft(second, 2)).await.unwrap();
    let late = greeting(&stage, "Late").await;
    assert_refused(save(&stage, draft(late, 2)).await, Reason::Stale);
    assert_refused(publish(&stage, 2).await, Reason::Stale);
    assert_eq!(read(&stage).await.draft.unwrap().greeting, "Second");
}

#[tokio::test]
async fn of_two_owners_who_write_the_first_draft_at_once_the_second_is_told() {
    let stage = Stage::open().await;
    let seen = read(&stage).await.revision;
    let (mine, yours) = (greeting(&stage, "Mine").await, greeting(&stage, "Yours").await);
    let both = futures::join!(save(&stage, draft(mine, seen)), save(&stage, draft(yours, seen)));
    let (saved, refused): (Vec<_>, Vec<_>) = [both.0, both.1].into_iter().partition(Result::is_ok);
    assert_eq!(refused.len(), 1);
    refused.into_iter().for_each(|refused| assert_refused(refused, Reason::Stale));
    let kept = saved.into_iter().next().unwrap().unwrap();
    assert_eq!(read(&stage).await.draft, kept.draft);
}

#[tokio::test]
async fn what_is_published_many_times_at_once_is_one_version() {
    let stage = Stage::open().await;
    // Before the first draft there is no row that they could wait at.
    for version in [1, 2] {
        let published = futures::future::join_all((0..8).map(|_| publish(&stage, 0))).await;
        let versions: Vec<_> = published.into_iter().map(|one| one.unwrap().version).collect();
        assert_eq!(versions, [version; 8]);
        save_draft(&stage, greeting(&stage, "Hello again").await).await;
    }
    assert_eq!(stage.count("SELECT count(*) FROM agent_version").await, 2);
}

#[tokio::test]
async fn roll_backs_and_publications_at_once_are_versions_one_after_the_other() {
    let stage = Stage::open().await;
    for words in ["One", "Two"] {
        save_draft(&stage, greeting(&stage, words).await).await;
        publish(&stage, 0).await.unwrap();
    }
    save_draft(&stage, greeting(&stage, "Three").await).await;
    let (back, on, again) =
        futures::join!(roll_back(&stage, "1"), publish(&stage, 0), roll_back(&stage, "1"));
    let mut versions: Vec<_> = [back, on, again].into_iter().map(|one| one.unwrap().version).collect();
    versions.sort_unstable();
    versions.dedup();
    let count = i64::from(*versions.last().unwrap());
    assert_eq!(stage.count("SELECT count(*) FROM agent_version").await, count, "{versions:?}");
    let now = read(&stage).await;
    assert_eq!(i64::from(now.published.unwrap().version), count);
}

#[tokio::test]
async fn versions_and_the_draft_are_compared_field_by_field() {
    let stage = Stage::open().await;
    let settings = AgentSettings {
        prompt: format!("{}\nNever speak of the weather.", read(&stage).await.draft.unwrap().prompt),
        may_cancel: false,
        ..greeting(&stage, "Hello").await
    };
    save(&stage, draft(settings, 0)).await.unwrap();
    let compare = |from_version, to_version| {
        let message =
            CompareAgentVersionsRequest { business_id: WILLOW.to_string(), from_version, to_version };
        stage.owner_of(WILLOW, message)
    };
    let told = agents(&stage).compare_agent_versions(compare(0, -1)).await.unwrap().into_inner().changes;
    let fields: Vec<_> = told.iter().map(|change| change.field.as_str()).collect();
    assert_eq!(fields, ["greeting", "prompt", "may_cancel"]);
    let added: Vec<_> = told[1].lines.iter().filter(|line| line.before.is_none()).collect();
    assert_eq!(added[0].after.as_deref(), Some("Never speak of the weather."));
    publish(&stage, 0).await.unwrap();
    let same = agents(&stage).compare_agent_versions(compare(1, -1)).await.unwrap().into_inner();
    assert!(same.changes.is_empty());
    assert_field_refused(agents(&stage).compare_agent_versions(compare(-1, 1)).await, "from_version");
    assert_field_refused(agents(&stage).compare_agent_versions(compare(0, -2)).await, "to_version");
    assert_refused(agents(&stage).compare_agent_versions(compare(0, 7)).await, Reason::NotFound);
}

#[tokio::test]
async fn a_preview_has_the_values_of_today_and_keeps_nothing() {
    let stage = Stage::open().await;
    let settings = AgentSettings {
        prompt: "It is {{today}}, {{time}} in {{time_zone}}. Speak {{language}}.".to_owned(),
        languages: vec!["de".to_owned(), "en".to_owned()],
        ..greeting(&stage, "This is {{salon}}.").await
    };
    let message = PreviewAgentSettingsRequest { business_id: WILLOW.to_string(), settings: Some(settings) };
    let preview = agents(&stage).preview_agent_settings(stage.owner_of(WILLOW, message)).await.unwrap();
    let preview = preview.into_inner();
    assert!(preview.greeting.starts_with("This is ") && !preview.greeting.contains("{{"));
    let expected = "It is Montag, 1. Juni 2026, 09:00 in Europe/London. Speak Deutsch.";
    assert_eq!(preview.prompt, expected);
    assert!(preview.variables.iter().any(|variable| variable.name == "{{today}}"));
    assert_eq!(read(&stage).await.revision, 1);
}

#[tokio::test]
async fn what_is_wrong_with_settings_is_named_and_nothing_is_kept() {
    let stage = Stage::open().await;
    let fine = greeting(&stage, "Hello").await;
    let wrong: [Spoilt<AgentSettings>; 14] = [
        ("settings.greeting", |s| s.greeting.clear()),
        ("settings.greeting", |s| s.greeting = "x".repeat(501)),
        ("settings.greeting", |s| s.greeting = "{{owner}}".to_owned()),
        ("settings.prompt", |s| s.prompt = "{{salon".to_owned()),
        ("settings.prompt", |s| s.prompt = "x".repeat(20_001)),
        ("settings.languages", |s| s.languages.clear()),
        ("settings.languages", |s| s.languages = vec!["fr".to_owned()]),
        ("settings.languages", |s| s.languages = vec!["en".to_owned(); 2]),
        ("settings.transfer_phone", |s| s.transfer_phone = "none".to_owned()),
        ("settings.transfer_phone", |s| s.transfer_phone = "12".to_owned()),
        ("settings.recording_days", |s| (s.records_calls, s.recording_days) = (true, 0)),
        ("settings.recording_days", |s| (s.records_calls, s.recording_days) = (true, 731)),
        ("settings.recording_notice", |s| (s.records_calls, s.recording_days) = (true, 30)),
        ("settings.recording_notice", |s| {
            (s.records_calls, s.recording_days, s.recording_notice) = (true, 30, "x".repeat(301));
        }),
    ];
    for (field, spoil) in wrong {
        let mut settings = fine.clone();
        spoil(&mut settings);
        assert_field_refused(save(&stage, draft(settings, 0)).await, field);
    }
    let unset = SaveAgentDraftRequest { settings: None, ..draft(fine.clone(), 0) };
    assert_field_refused(save(&stage, unset).await, "settings");
    assert_eq!(read(&stage).await.revision, 1);
    let dialled = AgentSettings { transfer_phone: "020 7946 0018".to_owned(), ..fine };
    let saved = save(&stage, draft(dialled, 0)).await.unwrap();
    assert_eq!(saved.draft.unwrap().transfer_phone, "+442079460018", "as it is dialled there");
}

#[tokio::test]
async fn the_settings_are_the_owner_s_alone() {
    let stage = Stage::open().await;
    let get = || GetAgentSettingsRequest { business_id: WILLOW.to_string() };
    let manager = as_user(&stage.host, Role::Manager, WILLOW, get());
    assert_refused(agents(&stage).get_agent_settings(manager).await, Reason::RoleTooLow);
    let foreign = stage.owner_of(LINDE, get());
    assert_refused(agents(&stage).get_agent_settings(foreign).await, Reason::NotFound);
    let theirs = greeting(&stage, "Ours").await;
    save(&stage, draft(theirs, 0)).await.unwrap();
    let message = GetAgentSettingsRequest { business_id: LINDE.to_string() };
    let linde = agents(&stage).get_agent_settings(stage.owner_of(LINDE, message)).await.unwrap().into_inner();
    assert_eq!(linde.revision, 1);
}
