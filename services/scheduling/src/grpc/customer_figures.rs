//! What a customer's past visits add up to.

use caller::BusinessScope;
use jiff::Timestamp;
use proto::{
    frontdesk::scheduling::v1::{
        CustomerFiguresServiceHandler, GetCustomerFiguresRequest, GetCustomerFiguresResponse, Spend,
        UsualService,
    },
    parse::id,
    time::to_proto,
};
use tonic::{Status, async_trait};

use super::schedule::zone_name;
use crate::{
    app::{Named, People},
    store::Store,
};

/// Serves `CustomerFiguresService`.
#[derive(Debug)]
pub(crate) struct CustomerFiguresBook {
    store: Store,
    people: People,
}

impl CustomerFiguresBook {
    pub(crate) fn new(store: Store, people: People) -> Self {
        Self { store, people }
    }
}

#[async_trait]
impl CustomerFiguresServiceHandler for CustomerFiguresBook {
    async fn get_customer_figures(
        &self,
        scope: BusinessScope,
        request: GetCustomerFiguresRequest,
    ) -> Result<GetCustomerFiguresResponse, Status> {
        let customer = id("customer_id", &request.customer_id)?;
        self.people.check(&scope, Named::customer("customer_id", customer)).await?;
        let tx = self.store.begin(&scope);
        let figures = tx.customer_figures(customer).await?;
        let time_zone = zone_name(&tx.zone().await?);
        tx.release();
        let at = |at: Option<Timestamp>| at.map(to_proto);
        Ok(GetCustomerFiguresResponse {
            visit_count: count(figures.visits.iter().map(|visits| visits.count).sum()),
            first_visit_at: at(figures.visits.iter().map(|visits| visits.first_at).min()),
            last_visit_at: at(figures.visits.iter().map(|visits| visits.last_at).max()),
            usual_services: figures
                .usual
                .into_iter()
                .map(|usual| UsualService {
                    service_id: usual.service.to_string(),
                    service_name: usual.name,
                    visit_count: count(usual.visits),
                    last_at: Some(to_proto(usual.last_at)),
                })
                .collect(),
            spends: figures
                .visits
                .into_iter()
                .map(|visits| Spend {
                    currency: visits.currency,
                    price_minor: visits.price_minor,
                    visit_count: count(visits.count),
                })
                .collect(),
            no_show_count: count(figures.no_show_count),
            no_shows_at: figures.no_shows.into_iter().map(to_proto).collect(),
            time_zone,
        })
    }
}

fn count(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
