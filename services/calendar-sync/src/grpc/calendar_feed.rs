//! Addresses under which other calendars read what employees have to do.

use caller::{BusinessScope, Unscoped};
use proto::{
    calendar_feed,
    error::{Reason, refuse},
    frontdesk::calendarsync::{
        internal::v1::{CalendarFeedReadServiceHandler, ReadCalendarFeedRequest, ReadCalendarFeedResponse},
        v1::{
            CalendarFeed, CalendarFeedServiceHandler, ListCalendarFeedsRequest, ListCalendarFeedsResponse,
            MakeCalendarFeedRequest, MakeCalendarFeedResponse, RevokeCalendarFeedRequest,
            RevokeCalendarFeedResponse,
        },
    },
    page::page,
    parse,
    time::to_proto,
};
use tonic::{Status, async_trait};
use url::Url;
use uuid::Uuid;

use crate::{
    app::ManageFeeds,
    domain::{
        EmployeeId,
        feed::{self, Feed},
    },
    store::Store,
};

/// Serves `CalendarFeedService` and `CalendarFeedReadService`.
#[derive(Debug)]
pub struct CalendarFeeds {
    /// Where they are kept.
    pub store: Store,
    /// Manages them.
    pub feeds: ManageFeeds,
    /// Where calendars reach this installation, if it was told.
    pub public_url: Option<Url>,
}

#[async_trait]
impl CalendarFeedServiceHandler for CalendarFeeds {
    async fn list_calendar_feeds(
        &self,
        scope: BusinessScope,
        request: ListCalendarFeedsRequest,
    ) -> Result<ListCalendarFeedsResponse, Status> {
        let page = page::<Uuid>(request.page_size, &request.page_token)?;
        let tx = self.store.begin(&scope);
        let rows = tx.feeds(EmployeeId(page.after.unwrap_or_default()), page.limit()).await?;
        tx.commit().await?;
        let (feeds, next_page_token) = page.answer(rows, |feed| feed.employee.0, message);
        Ok(ListCalendarFeedsResponse { feeds, next_page_token })
    }

    async fn make_calendar_feed(
        &self,
        scope: BusinessScope,
        request: MakeCalendarFeedRequest,
    ) -> Result<MakeCalendarFeedResponse, Status> {
        let employee = parse::id("employee_id", &request.employee_id)?;
        let (feed, secret) = self.feeds.make(&scope, employee, request.names_customers).await?;
        let path = calendar_feed::path(&secret);
        // Without a public URL the path is all that is known.
        let whole = self.public_url.as_ref().and_then(|url| url.join(&path).ok());
        let address = whole.map_or(path, String::from);
        Ok(MakeCalendarFeedResponse { feed: Some(message(feed)), address })
    }

    async fn revoke_calendar_feed(
        &self,
        scope: BusinessScope,
        request: RevokeCalendarFeedRequest,
    ) -> Result<RevokeCalendarFeedResponse, Status> {
        self.feeds.revoke(&scope, parse::id("employee_id", &request.employee_id)?).await?;
        Ok(RevokeCalendarFeedResponse {})
    }
}

#[async_trait]
impl CalendarFeedReadServiceHandler for CalendarFeeds {
    async fn read_calendar_feed(
        &self,
        _: Unscoped,
        request: ReadCalendarFeedRequest,
    ) -> Result<ReadCalendarFeedResponse, Status> {
        // Postgres takes no text with a NUL.
        if !feed::is_secret(&request.token) {
            return Err(refuse(Reason::NotFound, "there is no such address"));
        }
        let written = self.feeds.read(&request.token).await?;
        Ok(ReadCalendarFeedResponse { calendar: written.calendar, etag: written.etag })
    }
}

fn message(feed: Feed) -> CalendarFeed {
    CalendarFeed {
        employee_id: feed.employee.to_string(),
        names_customers: feed.names_customers,
        made_at: Some(to_proto(feed.made_at)),
        read_at: feed.read_at.map(to_proto),
    }
}
