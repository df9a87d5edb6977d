//! A fake in the place of tenancy, as its contract promises it: the salon's employees, and a log of them; and what a test
//! has it tell.

use std::sync::Arc;

use boot::{Host, peer::Peer};
use calendar_sync::FOLLOWER;
use caller::{BusinessScope, Tenant, UserId};
use proto::frontdesk::{
    events::v1::{AccountBelowOwner, AccountLeft, Event, event::Payload},
    tenancy::{
        internal::v1::{
            DirectoryServiceAdapter, DirectoryServiceHandler, FindPeopleRequest, FindPeopleResponse,
        },
        v1::Employee,
    },
};
use testkit::{USER, event_log, host_on, peer, serve};
use tonic::{Status, async_trait};
use uuid::Uuid;

use crate::salon::{MIA, SALON, Salon, TOM};

/// Mia signs in as the person of the tests; Tom has no account.
fn employees() -> [(Uuid, String); 2] {
    [(MIA, USER.to_string()), (TOM, String::new())]
}

/// What a test has not added to its log never arrives: what is known is known because it was asked.
#[derive(Debug)]
struct Tenancy;

#[async_trait]
impl DirectoryServiceHandler for Tenancy {
    async fn find_people(
        &self,
        scope: BusinessScope,
        request: FindPeopleRequest,
    ) -> Result<FindPeopleResponse, Status> {
        let of_salon = employees().into_iter().filter(|_| scope.business() == SALON);
        let asked = of_salon.filter(|(id, _)| request.employee_ids.contains(&id.to_string()));
        let employee =
            |(id, user_id): (Uuid, String)| Employee { id: id.to_string(), user_id, ..Default::default() };
        Ok(FindPeopleResponse {
            employees: asked.map(employee).collect(),
            customers: vec![],
            time_zone: "Europe/London".to_owned(),
        })
    }
}

/// What the log tells of a record of the salon.
pub fn told(position: i64, aggregate: Uuid, payload: Payload) -> Event {
    event_log::event(position, SALON, aggregate, position, payload)
}

/// Serves it with this log, for a service on `host`.
pub async fn tenancy(host: &Host, log: &event_log::Events) -> Peer {
    let own = Host { shutdown: host.shutdown.clone(), ..host_on("tenancy", host.clock.clone()) };
    let directory = DirectoryServiceAdapter::new(Arc::new(Tenancy), own.gate.clone());
    let routes = event_log::routes(log, &own).add_service(directory.into_server());
    peer("tenancy", serve(routes, &own).await, host)
}

impl Salon {
    /// Has tenancy tell of an employee, and waits until the service has read it.
    pub async fn tell(&self, employee: Employee) {
        self.tell_of(employee.id.clone(), Payload::Employee(employee)).await;
    }

    /// Has tenancy tell that an account is no member any more, and waits until the service has read it.
    pub async fn tell_that_account_left(&self, account: UserId) {
        self.tell_of_leaving(account, false).await;
    }

    /// The same of a person who ended their own membership.
    pub async fn tell_that_account_left_by_itself(&self, account: UserId) {
        self.tell_of_leaving(account, true).await;
    }

    async fn tell_of_leaving(&self, account: UserId, by_themselves: bool) {
        let user_id = account.to_string();
        self.tell_of(user_id.clone(), Payload::AccountLeft(AccountLeft { user_id, by_themselves })).await;
    }

    /// Has tenancy tell that an account is a member below OWNER now, and waits until the service has read it.
    pub async fn tell_that_account_is_below_owner(&self, account: UserId) {
        let user_id = account.to_string();
        self.tell_of(user_id.clone(), Payload::AccountBelowOwner(AccountBelowOwner { user_id })).await;
    }

    async fn tell_of(&self, record: String, payload: Payload) {
        let mut position = 0;
        self.tenancy.send_modify(|events| {
            position = i64::try_from(events.len()).unwrap() + 1;
            let record = record.parse().unwrap();
            events.push(told(position, record, payload));
        });
        self.until(async || outbox::caught_up(&self.app, FOLLOWER, "tenancy", position).await.unwrap()).await;
    }
}
