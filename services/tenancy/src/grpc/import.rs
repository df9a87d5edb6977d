//! Imports.

use std::sync::Arc;

use caller::{BusinessScope, Denied, Role};
use jiff::Timestamp;
use proto::{
    error::{denied, invalid},
    frontdesk::tenancy::v1::{
        self as pb, CancelImportRequest, CancelImportResponse, CheckImportRequest, CheckImportResponse,
        CreateImportRequest, CreateImportResponse, GetImportRequest, GetImportResponse, ImportServiceHandler,
        ListImportLinesRequest, ListImportLinesResponse, ListImportsRequest, ListImportsResponse,
        PreviewImportRequest, PreviewImportResponse, PutImportPartRequest, PutImportPartResponse,
        StartImportRequest, StartImportResponse, import_service_methods::CREATE_IMPORT,
    },
    page::page,
    parse::{id, optional_line},
};
use tokio::sync::Notify;
use tonic::{Status, async_trait};
use uuid::Uuid;

use crate::{
    Error,
    app::{cancel_import, check_import, create_import, preview_import, put_import_part, start_import},
    domain::{DateOrder, Import, ImportId, ImportKind, LineState},
    lines::{fields, table_reading::ChosenMapping},
    store::{ImportLine, Store, Tx},
};

const LONGEST_FILE_NAME: usize = 200;
const MOST_PARTS: i32 = 32;
const LONGEST_PART: usize = 512 * 1024;
const MOST_COLUMNS: usize = 1000;
const LONGEST_FIELD: usize = 100;

/// Serves `ImportService`.
#[derive(Debug)]
pub(crate) struct Imports {
    store: Store,
    /// Wakes the worker.
    hint: Arc<Notify>,
}

impl Imports {
    pub(crate) fn new(store: Store, hint: Arc<Notify>) -> Self {
        Self { store, hint }
    }

    /// The import, if the caller may see it.
    async fn seen(&self, tx: &Tx, scope: &BusinessScope, import_id: &str) -> Result<Import, Status> {
        let import = tx.import(id("import_id", import_id)?).await?;
        allow(scope, import.kind)?;
        Ok(import)
    }

    /// The id of an import that the caller may change.
    async fn allowed(&self, scope: &BusinessScope, import_id: &str) -> Result<ImportId, Status> {
        let tx = self.store.begin(scope);
        let import = self.seen(&tx, scope, import_id).await?;
        tx.commit().await?;
        Ok(import.id)
    }
}

#[async_trait]
impl ImportServiceHandler for Imports {
    async fn create_import(
        &self,
        scope: BusinessScope,
        request: CreateImportRequest,
    ) -> Result<CreateImportResponse, Status> {
        let kind = kind(request.kind)?;
        allow(&scope, kind)?;
        let file_name = optional_line("file_name", &request.file_name, LONGEST_FILE_NAME)?;
        self.store
            .idempotent(&scope, &CREATE_IMPORT, &request, async |tx| {
                let import = create_import(tx, kind, file_name).await?;
                Ok(CreateImportResponse { import: Some(pb::Import::from(&import)) })
            })
            .await
    }

    async fn put_import_part(
        &self,
        scope: BusinessScope,
        request: PutImportPartRequest,
    ) -> Result<PutImportPartResponse, Status> {
        if !(0..MOST_PARTS).contains(&request.part) {
            return Err(invalid("part", "must lie between 0 and 31"));
        }
        if request.text.len() > LONGEST_PART {
            return Err(invalid("text", "is longer than 524,288 bytes"));
        }
        let id = self.allowed(&scope, &request.import_id).await?;
        put_import_part(self.store.begin(&scope), id, request.part, &request.text).await?;
        Ok(PutImportPartResponse {})
    }

    async fn preview_import(
        &self,
        scope: BusinessScope,
        request: PreviewImportRequest,
    ) -> Result<PreviewImportResponse, Status> {
        let part_count = part_count(request.part_count)?;
        let mapping = request.mapping.as_ref().map(mapping).transpose()?;
        let id = self.allowed(&scope, &request.import_id).await?;
        let reading = preview_import(self.store.begin(&scope), id, part_count, mapping).await?;
        // Examples are looked for in every line.
        let message = tokio::task::spawn_blocking(move || PreviewImportResponse::from(&reading));
        Ok(message.await.map_err(|error| Error::Stored("preview", Box::new(error)))?)
    }

    async fn check_import(
        &self,
        scope: BusinessScope,
        request: CheckImportRequest,
    ) -> Result<CheckImportResponse, Status> {
        let part_count = part_count(request.part_count)?;
        let id = self.allowed(&scope, &request.import_id).await?;
        let mapping = request.mapping.as_ref().map(mapping).transpose()?;
        let order = date_order(request.date_order)?;
        let import = check_import(self.store.begin(&scope), id, part_count, mapping, order).await?;
        self.hint.notify_one();
        Ok(CheckImportResponse { import: Some(pb::Import::from(&import)) })
    }

    async fn start_import(
        &self,
        scope: BusinessScope,
        request: StartImportRequest,
    ) -> Result<StartImportResponse, Status> {
        let id = self.allowed(&scope, &request.import_id).await?;
        let import = start_import(self.store.begin(&scope), id).await?;
        self.hint.notify_one();
        Ok(StartImportResponse { import: Some(pb::Import::from(&import)) })
    }

    async fn cancel_import(
        &self,
        scope: BusinessScope,
        request: CancelImportRequest,
    ) -> Result<CancelImportResponse, Status> {
        let id = self.allowed(&scope, &request.import_id).await?;
        let import = cancel_import(self.store.begin(&scope), id).await?;
        Ok(CancelImportResponse { import: Some(pb::Import::from(&import)) })
    }

    async fn get_import(
        &self,
        scope: BusinessScope,
        request: GetImportRequest,
    ) -> Result<GetImportResponse, Status> {
        let tx = self.store.begin(&scope);
        let import = self.seen(&tx, &scope, &request.import_id).await?;
        tx.commit().await?;
        Ok(GetImportResponse {
            columns: fields(import.kind).all.iter().map(|field| field.name.to_owned()).collect(),
            table_columns: import.columns.iter().map(pb::ImportColumn::from).collect(),
            date_order: import.date_order.map_or(pb::DateOrder::Unspecified, pb::DateOrder::from).into(),
            import: Some(pb::Import::from(&import)),
        })
    }

    async fn list_imports(
        &self,
        scope: BusinessScope,
        request: ListImportsRequest,
    ) -> Result<ListImportsResponse, Status> {
        let kind = kind(request.kind)?;
        allow(&scope, kind)?;
        let page = page::<(Timestamp, Uuid)>(request.page_size, &request.page_token)?;
        let before = page.after.map(|(at, id)| (at, ImportId(id)));
        let tx = self.store.begin(&scope);
        let rows = tx.imports(kind, before, page.limit()).await?;
        tx.commit().await?;
        let key = |row: &&Import| (row.at, row.id.0);
        let (imports, next_page_token) = page.answer(&rows, key, pb::Import::from);
        Ok(ListImportsResponse { imports, next_page_token })
    }

    async fn list_import_lines(
        &self,
        scope: BusinessScope,
        request: ListImportLinesRequest,
    ) -> Result<ListImportLinesResponse, Status> {
        let page = page::<i64>(request.page_size, &request.page_token)?;
        let after = page.after.map_or(0, |line| i32::try_from(line).unwrap_or(i32::MAX));
        let state = line_state(request.state)?;
        let tx = self.store.begin(&scope);
        let import = self.seen(&tx, &scope, &request.import_id).await?;
        let rows = tx.import_lines(import.id, state, after, page.limit()).await?;
        tx.commit().await?;
        let key = |row: &&ImportLine| i64::from(row.number);
        let (lines, next_page_token) = page.answer(&rows, key, pb::ImportLine::from);
        Ok(ListImportLinesResponse { lines, next_page_token })
    }
}

/// Adding employees is an owner's.
fn allow(scope: &BusinessScope, kind: ImportKind) -> Result<(), Status> {
    if kind == ImportKind::Employees && scope.role() < Role::Owner {
        return Err(denied(Denied::RoleTooLow(Role::Owner)));
    }
    Ok(())
}

fn kind(wire: i32) -> Result<ImportKind, Status> {
    match pb::ImportKind::try_from(wire) {
        Ok(pb::ImportKind::Items) => Ok(ImportKind::Items),
        Ok(pb::ImportKind::Customers) => Ok(ImportKind::Customers),
        Ok(pb::ImportKind::Employees) => Ok(ImportKind::Employees),
        Ok(pb::ImportKind::Appointments) => Ok(ImportKind::Appointments),
        Ok(pb::ImportKind::Unspecified) => Err(invalid("kind", "is required")),
        Err(_) => Err(invalid("kind", "is not a known kind")),
    }
}

fn part_count(wire: i32) -> Result<i32, Status> {
    match wire {
        1..=MOST_PARTS => Ok(wire),
        _ => Err(invalid("part_count", "must lie between 1 and 32")),
    }
}

fn mapping(wire: &pb::ColumnMapping) -> Result<ChosenMapping, Status> {
    if wire.fields.len() > MOST_COLUMNS {
        return Err(invalid("mapping.fields", "must be at most 1,000"));
    }
    let field = |name: &String| optional_line("mapping.fields", name, LONGEST_FIELD);
    let fields = wire.fields.iter().map(field).collect::<Result<_, _>>()?;
    Ok(ChosenMapping { fields, no_headings: wire.no_headings })
}

fn date_order(wire: i32) -> Result<Option<DateOrder>, Status> {
    match pb::DateOrder::try_from(wire) {
        Ok(pb::DateOrder::Unspecified) => Ok(None),
        Ok(pb::DateOrder::DayFirst) => Ok(Some(DateOrder::DayFirst)),
        Ok(pb::DateOrder::MonthFirst) => Ok(Some(DateOrder::MonthFirst)),
        Err(_) => Err(invalid("date_order", "is not a known order")),
    }
}

fn line_state(wire: i32) -> Result<Option<LineState>, Status> {
    match pb::ImportLineState::try_from(wire) {
        Ok(pb::ImportLineState::Unspecified) => Ok(None),
        Ok(pb::ImportLineState::Unchecked) => Ok(Some(LineState::Unchecked)),
        Ok(pb::ImportLineState::Good) => Ok(Some(LineState::Good)),
        Ok(pb::ImportLineState::Bad) => Ok(Some(LineState::Bad)),
        Ok(pb::ImportLineState::Imported) => Ok(Some(LineState::Imported)),
        Ok(pb::ImportLineState::Failed) => Ok(Some(LineState::Failed)),
        Err(_) => Err(invalid("state", "is not a known state")),
    }
}
