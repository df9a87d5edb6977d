//! Dates with other opening hours than the week's.

use caller::BusinessScope;
use engine::{id::OpeningExceptionId, working::OpeningException};
use jiff::civil::Date;
use proto::{
    frontdesk::scheduling::v1::{
        self as pb, AddOpeningExceptionRequest, AddOpeningExceptionResponse, ListOpeningExceptionsRequest,
        ListOpeningExceptionsResponse, OpeningExceptionServiceHandler, RemoveOpeningExceptionRequest,
        RemoveOpeningExceptionResponse,
        opening_exception_service_methods::{ADD_OPENING_EXCEPTION, REMOVE_OPENING_EXCEPTION},
    },
    page::page,
    parse::id,
};
use tonic::{Status, async_trait};

use super::{fields, stranding::stranded};
use crate::{
    Error,
    app::WorkingTimeChange,
    contract::FromEngine,
    store::{ScheduleVersion, Store, Tx},
};

const MAX_LABEL: usize = 80;

/// Serves `OpeningExceptionService`.
#[derive(Debug)]
pub(crate) struct OpeningExceptions {
    store: Store,
}

impl OpeningExceptions {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl OpeningExceptionServiceHandler for OpeningExceptions {
    async fn list_opening_exceptions(
        &self,
        scope: BusinessScope,
        request: ListOpeningExceptionsRequest,
    ) -> Result<ListOpeningExceptionsResponse, Status> {
        let from = fields::optional_date("from_date", &request.from_date)?.unwrap_or(Date::ZERO);
        let page = page(request.page_size, &request.page_token)?;
        let after = page.after.unwrap_or(Date::ZERO);
        let tx = self.store.begin(&scope);
        let rows = tx.opening_exceptions(from, after, page.limit()).await?;
        tx.release();
        let (opening_exceptions, next_page_token) =
            page.answer(&rows, |exception| exception.dates.first(), pb::OpeningException::from_engine);
        Ok(ListOpeningExceptionsResponse { opening_exceptions, next_page_token })
    }

    async fn add_opening_exception(
        &self,
        scope: BusinessScope,
        request: AddOpeningExceptionRequest,
    ) -> Result<AddOpeningExceptionResponse, Status> {
        let exception = parse(self.store.new_id(), &request)?;
        if request.validate_only {
            // Never committed: what it would do is all that is asked for.
            let (_, stranded) = add(&self.store.begin(&scope), &exception).await?;
            return Ok(AddOpeningExceptionResponse { opening_exception: None, stranded });
        }
        self.store
            .idempotent(&scope, &ADD_OPENING_EXCEPTION, &request, async |tx| {
                let (version, stranded) = add(tx, &exception).await?;
                tx.publish_schedule(version).await?;
                tx.audit(&ADD_OPENING_EXCEPTION, exception.id).await?;
                let opening_exception = Some(pb::OpeningException::from_engine(&exception));
                Ok(AddOpeningExceptionResponse { opening_exception, stranded })
            })
            .await
    }

    async fn remove_opening_exception(
        &self,
        scope: BusinessScope,
        request: RemoveOpeningExceptionRequest,
    ) -> Result<RemoveOpeningExceptionResponse, Status> {
        let id: OpeningExceptionId = id("opening_exception_id", &request.opening_exception_id)?;
        let tx = self.store.begin(&scope);
        let edit = tx.edit_schedule().await?;
        tx.remove_opening_exception(edit.version, id).await?;
        let change = WorkingTimeChange { method: &REMOVE_OPENING_EXCEPTION, record: id.0, employee: None };
        let lost = change.end(tx, &edit, request.validate_only).await?;
        Ok(RemoveOpeningExceptionResponse { stranded: stranded(&lost) })
    }
}

/// Adds an exception: the schedule's version with it, and the visits it strands.
async fn add(
    tx: &Tx,
    exception: &OpeningException,
) -> Result<(ScheduleVersion, Vec<pb::StrandedAppointment>), Error> {
    let edit = tx.edit_schedule().await?;
    tx.add_opening_exception(edit.version, exception).await?;
    let lost = tx.stranded(&edit, None).await?;
    Ok((edit.version, stranded(&lost)))
}

fn parse(id: OpeningExceptionId, request: &AddOpeningExceptionRequest) -> Result<OpeningException, Status> {
    Ok(OpeningException {
        id,
        dates: fields::dates(&request.first_date, &request.last_date)?,
        hours: fields::day_hours(&request.spans)?,
        label: fields::optional_line("label", &request.label, MAX_LABEL)?.unwrap_or_default(),
    })
}
