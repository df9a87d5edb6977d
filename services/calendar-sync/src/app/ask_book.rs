//! Asks scheduling, who owns the book, what the salon does and how its days look.

use core::time::Duration;

use boot::peer::Peer;
use caller::{BusinessScope, Tenant};
use jiff::civil::Date;
use proto::frontdesk::scheduling::v1::{
    GetDayRequest, GetDayResponse, ListServicesRequest, catalogue_service_client::CatalogueServiceClient,
    day_service_client::DayServiceClient,
};
use tonic::Status;
use uuid::Uuid;

use crate::{domain::provider::Named, error::Error};

const CALL: Duration = Duration::from_secs(10);
const PAGE: i32 = 200;
/// Pages of services at most.
const MOST_PAGES: usize = 5;

/// Knows the book.
#[derive(Debug, Clone)]
pub struct AskBook {
    /// Scheduling.
    pub scheduling: Peer,
}

impl AskBook {
    /// What the salon does.
    ///
    /// # Errors
    /// [`Error::Book`].
    pub async fn services(&self, scope: &BusinessScope) -> Result<Vec<Named<Uuid>>, Error> {
        let mut client = CatalogueServiceClient::new(self.scheduling.channel());
        let mut message = ListServicesRequest {
            business_id: scope.business().to_string(),
            page_size: PAGE,
            page_token: String::new(),
        };
        let mut services = vec![];
        for _ in 0..MOST_PAGES {
            let request = self.scheduling.as_service(Some(scope.business()), message.clone(), CALL);
            let answer = client.list_services(request).await.map_err(unread)?.into_inner();
            services.extend(
                answer
                    .services
                    .into_iter()
                    .filter_map(|service| Some(Named { id: service.id.parse().ok()?, name: service.name })),
            );
            if answer.next_page_token.is_empty() {
                break;
            }
            message.page_token = answer.next_page_token;
        }
        Ok(services)
    }

    /// How a day looks; today, by the salon's clock, without a date.
    ///
    /// # Errors
    /// [`Error::Book`].
    pub async fn day(&self, scope: &BusinessScope, date: Option<Date>) -> Result<GetDayResponse, Error> {
        let date = date.map(|date| date.to_string()).unwrap_or_default();
        let message = GetDayRequest {
            business_id: scope.business().to_string(),
            first_date: date.clone(),
            last_date: date,
            employee_id: String::new(),
        };
        let request = self.scheduling.as_service(Some(scope.business()), message, CALL);
        let answer = DayServiceClient::new(self.scheduling.channel()).get_day(request).await;
        Ok(answer.map_err(unread)?.into_inner())
    }
}

fn unread(status: Status) -> Error {
    Error::Book(Box::new(status))
}
