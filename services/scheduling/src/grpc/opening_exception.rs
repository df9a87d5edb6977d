//! Dates with other opening hours than the week's.

use caller::BusinessScope;
use engine::{id::OpeningExceptionId, working::OpeningException};
use jiff::civil::Date;
use proto::{
    contact::ContactReach,
    frontdesk::scheduling::v1::{
        self as pb, AddOpeningExceptionRequest, AddOpeningExceptionResponse, ListOpeningExceptionsRequest,
        ListOpeningExceptionsResponse, OpeningExceptionServiceHandler, RemoveOpeningExceptionRequest,
        RemoveOpeningExceptionResponse,
    },
    page::page,
    parse::id,
};
use tonic::{Status, async_trait};

use super::{fields, schedule::changed};
use crate::{app::ChangeWorkingTime, contract::FromEngine, store::Store};

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
    async fn contact_reach(&self, scope: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(self.store.contact_reach(scope).await?)
    }

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
        let opening_exception = Some(pb::OpeningException::from_engine(&exception));
        let change = ChangeWorkingTime::AddException(exception);
        let answer = |stranded, change_id| AddOpeningExceptionResponse {
            opening_exception: opening_exception.filter(|_| !request.validate_only),
            stranded,
            change_id,
        };
        changed(&self.store, &scope, &request, request.validate_only, &change, answer).await
    }

    async fn remove_opening_exception(
        &self,
        scope: BusinessScope,
        request: RemoveOpeningExceptionRequest,
    ) -> Result<RemoveOpeningExceptionResponse, Status> {
        let id: OpeningExceptionId = id("opening_exception_id", &request.opening_exception_id)?;
        let change = ChangeWorkingTime::RemoveException(id);
        let answer = |stranded, change_id| RemoveOpeningExceptionResponse { stranded, change_id };
        changed(&self.store, &scope, &request, request.validate_only, &change, answer).await
    }
}

fn parse(id: OpeningExceptionId, request: &AddOpeningExceptionRequest) -> Result<OpeningException, Status> {
    Ok(OpeningException {
        id,
        dates: fields::dates(&request.first_date, &request.last_date)?,
        hours: fields::day_hours(&request.spans)?,
        label: fields::optional_line("label", &request.label, MAX_LABEL)?.unwrap_or_default(),
    })
}
