//! How a business's agent speaks and what it may do, for its owner.

use caller::BusinessScope;
use proto::{
    error::invalid,
    frontdesk::tenancy::v1::{
        self as pb, AgentSettingsServiceHandler, AgentVariable, CompareAgentVersionsRequest,
        CompareAgentVersionsResponse, GetAgentSettingsRequest, GetAgentSettingsResponse, LineChange,
        ListAgentVersionsRequest, ListAgentVersionsResponse, PreviewAgentSettingsRequest,
        PreviewAgentSettingsResponse, PublishAgentSettingsRequest, PublishAgentSettingsResponse,
        RollBackAgentSettingsRequest, RollBackAgentSettingsResponse, SaveAgentDraftRequest,
        SaveAgentDraftResponse, SettingChange,
    },
    page::page_of,
    parse::text,
    time::to_proto,
};
use tonic::{Status, async_trait};

use crate::{
    Error,
    app::{PublishAgent, RollBackAgent, SaveAgentDraft},
    domain::{
        AgentSettings, AgentVersion, Behaviour, Change, Dialled, Language, Line, PhoneError, Recording,
        Variable, template, value,
    },
    store::Store,
};

const LONGEST_GREETING: usize = 500;
const LONGEST_PROMPT: usize = 20_000;
const LONGEST_NOTICE: usize = 300;
const MOST_DAYS: i32 = 730;
const DEFAULT_PAGE: u32 = 20;
const MOST_ON_PAGE: u32 = 50;
/// As a version to compare with.
const DRAFT: i32 = -1;

/// Serves `AgentSettingsService`.
#[derive(Debug)]
pub(crate) struct Agents {
    store: Store,
}

impl Agents {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl AgentSettingsServiceHandler for Agents {
    async fn get_agent_settings(
        &self,
        scope: BusinessScope,
        _: GetAgentSettingsRequest,
    ) -> Result<GetAgentSettingsResponse, Status> {
        let tx = self.store.begin(&scope);
        let draft = tx.agent_draft().await?;
        let published = tx.published_agent().await?;
        tx.commit().await?;
        Ok(GetAgentSettingsResponse {
            has_changes: draft.settings != published.settings,
            draft: Some(wire(&draft.settings)),
            revision: draft.revision,
            published: Some(version(&published)),
        })
    }

    async fn save_agent_draft(
        &self,
        scope: BusinessScope,
        request: SaveAgentDraftRequest,
    ) -> Result<SaveAgentDraftResponse, Status> {
        let (settings, transfer) = parsed(request.settings)?;
        let revision = seen(request.revision)?;
        let command = SaveAgentDraft { settings, transfer, revision };
        let saved = command.run(self.store.begin(&scope)).await.map_err(|error| match error {
            Error::Phone(fault) => about_transfer(fault),
            other => other.into(),
        });
        let (draft, has_changes) = saved?;
        Ok(SaveAgentDraftResponse {
            draft: Some(wire(&draft.settings)),
            revision: draft.revision,
            has_changes,
        })
    }

    async fn publish_agent_settings(
        &self,
        scope: BusinessScope,
        request: PublishAgentSettingsRequest,
    ) -> Result<PublishAgentSettingsResponse, Status> {
        let command = PublishAgent { revision: seen(request.revision)? };
        let published = command.run(self.store.begin(&scope)).await?;
        Ok(PublishAgentSettingsResponse { published: Some(version(&published)) })
    }

    async fn list_agent_versions(
        &self,
        scope: BusinessScope,
        request: ListAgentVersionsRequest,
    ) -> Result<ListAgentVersionsResponse, Status> {
        let page = page_of::<i64>(request.page_size, &request.page_token, DEFAULT_PAGE, MOST_ON_PAGE)?;
        let before = page.after.map_or(i32::MAX, |after| i32::try_from(after).unwrap_or(i32::MAX));
        let tx = self.store.begin(&scope);
        let rows = tx.agent_versions(before, page.limit()).await?;
        tx.commit().await?;
        let (versions, next_page_token) = page.answer(&rows, |row| i64::from(row.version), version);
        Ok(ListAgentVersionsResponse { versions, next_page_token })
    }

    async fn roll_back_agent_settings(
        &self,
        scope: BusinessScope,
        request: RollBackAgentSettingsRequest,
    ) -> Result<RollBackAgentSettingsResponse, Status> {
        let number = request.version.parse().ok().filter(|version| *version >= 0);
        let command = RollBackAgent {
            version: number.ok_or_else(|| invalid("version", "is not a version"))?,
            revision: seen(request.revision)?,
        };
        let published = command.run(self.store.begin(&scope)).await?;
        Ok(RollBackAgentSettingsResponse { published: Some(version(&published)) })
    }

    async fn compare_agent_versions(
        &self,
        scope: BusinessScope,
        request: CompareAgentVersionsRequest,
    ) -> Result<CompareAgentVersionsResponse, Status> {
        if request.from_version < 0 {
            return Err(invalid("from_version", "must not be negative"));
        }
        if request.to_version < DRAFT {
            return Err(invalid("to_version", "must be a version, or -1 for the draft"));
        }
        let tx = self.store.begin(&scope);
        let before = tx.agent_version(request.from_version).await?.settings;
        let after = match request.to_version {
            DRAFT => tx.agent_draft().await?.settings,
            version => tx.agent_version(version).await?.settings,
        };
        tx.commit().await?;
        Ok(CompareAgentVersionsResponse {
            changes: before.changes_to(&after).into_iter().map(change).collect(),
        })
    }

    async fn preview_agent_settings(
        &self,
        scope: BusinessScope,
        request: PreviewAgentSettingsRequest,
    ) -> Result<PreviewAgentSettingsResponse, Status> {
        let (settings, _) = parsed(request.settings)?;
        let tx = self.store.begin(&scope);
        let business = tx.business().await?;
        tx.commit().await?;
        let now = self.store.clock().now();
        let value = |variable| value(variable, &settings, &business, now);
        let rendered = |field: &str, text: &str| {
            template::render(text, value).map_err(|error| invalid(field, &error.to_string()))
        };
        let variables = Variable::ALL.into_iter().map(|variable| AgentVariable {
            name: format!("{{{{{}}}}}", variable.name()),
            meaning: variable.meaning().to_owned(),
            value: value(variable),
        });
        Ok(PreviewAgentSettingsResponse {
            greeting: rendered("settings.greeting", &settings.greeting)?,
            prompt: rendered("settings.prompt", &settings.prompt)?,
            variables: variables.collect(),
        })
    }
}

fn seen(revision: i64) -> Result<Option<i64>, Status> {
    match revision {
        0 => Ok(None),
        1.. => Ok(Some(revision)),
        _ => Err(invalid("revision", "must not be negative")),
    }
}

/// Why the number to pass callers on to is refused.
fn about_transfer(error: PhoneError) -> Status {
    invalid("settings.transfer_phone", &error.to_string())
}

fn dialled(value: &str) -> Result<Option<Dialled>, Status> {
    let number = (!value.trim().is_empty()).then(|| Dialled::parse(value));
    number.transpose().map_err(about_transfer)
}

fn parsed(wire: Option<pb::AgentSettings>) -> Result<(AgentSettings, Option<Dialled>), Status> {
    let wire = wire.ok_or_else(|| invalid("settings", "is required"))?;
    let transfer = dialled(&wire.transfer_phone)?;
    let settings = AgentSettings {
        greeting: templated("settings.greeting", &wire.greeting, LONGEST_GREETING)?,
        prompt: templated("settings.prompt", &wire.prompt, LONGEST_PROMPT)?,
        languages: languages(&wire.languages)?,
        transfer: None,
        behaviour: Behaviour {
            book: wire.may_book,
            r#move: wire.may_move,
            cancel: wire.may_cancel,
            join_waitlist: wire.may_join_waitlist,
            take_messages: wire.may_take_messages,
            quote_prices: wire.may_quote_prices,
        },
        recording: recording(&wire)?,
    };
    Ok((settings, transfer))
}

fn templated(field: &str, value: &str, max: usize) -> Result<String, Status> {
    let value = text(field, value, max)?;
    template::check(&value).map_err(|error| invalid(field, &error.to_string()))?;
    Ok(value)
}

fn languages(codes: &[String]) -> Result<Vec<Language>, Status> {
    let field = "settings.languages";
    let known = codes.iter().map(|code| Language::ALL.into_iter().find(|language| language.code() == code));
    let languages: Vec<Language> =
        known.collect::<Option<_>>().ok_or_else(|| invalid(field, "has what the agent does not speak"))?;
    let is_twice = |language: &&Language| languages.iter().filter(|other| other == language).count() > 1;
    match languages.iter().find(is_twice) {
        _ if languages.is_empty() => Err(invalid(field, "is required")),
        Some(_) => Err(invalid(field, "has one twice")),
        None => Ok(languages),
    }
}

fn recording(wire: &pb::AgentSettings) -> Result<Option<Recording>, Status> {
    if !wire.records_calls {
        return Ok(None);
    }
    if !(1..=MOST_DAYS).contains(&wire.recording_days) {
        return Err(invalid("settings.recording_days", &format!("must lie between 1 and {MOST_DAYS}")));
    }
    let notice = text("settings.recording_notice", &wire.recording_notice, LONGEST_NOTICE)?;
    Ok(Some(Recording { notice, days: wire.recording_days }))
}

/// Settings, as the contract has them.
pub(super) fn wire(settings: &AgentSettings) -> pb::AgentSettings {
    let Behaviour { book, r#move, cancel, join_waitlist, take_messages, quote_prices } = settings.behaviour;
    let recording = settings.recording.as_ref();
    pb::AgentSettings {
        greeting: settings.greeting.clone(),
        prompt: settings.prompt.clone(),
        languages: settings.languages.iter().map(|language| language.code().to_owned()).collect(),
        transfer_phone: settings.transfer.clone().unwrap_or_default(),
        may_book: book,
        may_move: r#move,
        may_cancel: cancel,
        may_join_waitlist: join_waitlist,
        may_take_messages: take_messages,
        may_quote_prices: quote_prices,
        records_calls: recording.is_some(),
        recording_notice: recording.map(|recording| recording.notice.clone()).unwrap_or_default(),
        recording_days: recording.map(|recording| recording.days).unwrap_or_default(),
    }
}

fn version(version: &AgentVersion) -> pb::AgentVersion {
    let (by, at) = version.published.clone().unzip();
    pb::AgentVersion {
        version: version.version,
        settings: Some(wire(&version.settings)),
        published_by: by.unwrap_or_default(),
        published_at: at.map(to_proto),
        rolled_back_to: version.rolled_back_to.unwrap_or_default(),
    }
}

fn change(change: Change) -> SettingChange {
    let line = |line: Line| match line {
        Line::Same(text) => LineChange { before: Some(text.clone()), after: Some(text) },
        Line::Removed(text) => LineChange { before: Some(text), after: None },
        Line::Added(text) => LineChange { before: None, after: Some(text) },
    };
    SettingChange {
        field: change.field.to_owned(),
        before: change.before,
        after: change.after,
        lines: change.lines.into_iter().map(line).collect(),
    }
}
