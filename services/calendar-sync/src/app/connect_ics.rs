//! Connects an employee to a calendar that is published under an address.

use std::sync::Arc;

use caller::{BusinessScope, Tenant};
use proto::{calendar_feed, label::cleaned};
use tokio::sync::Notify;
use url::Url;

use super::{CheckEmployee, connect_calendar::require_own};
use crate::{
    domain::{
        CalendarId, EmployeeId,
        caldav::Password,
        calendar::{Calendar, Kind, Listed},
        feed,
        ical::Collection,
        ics::{AddressFault, host, spelt_out},
        slots::server_of,
    },
    error::Error,
    outside::{ics, web::Web},
    store::{Store, Tx},
    vault::{Sealed, Vault},
};

/// How often an address is read at most, in seconds: as booking systems are.
const READ_EVERY: i32 = 60;
/// Published calendars of one employee at most.
const MOST_OF_EMPLOYEE: i64 = 10;
/// Characters of a calendar's own name that are kept.
const LONGEST_NAME: usize = 200;

/// Connects published calendars.
#[derive(Debug, Clone)]
pub struct ConnectIcs {
    /// Where they are kept.
    pub store: Store,
    /// Knows the employees.
    pub employees: CheckEmployee,
    /// Seals the addresses.
    pub vault: Vault,
    /// Reads them.
    pub web: Web,
    /// Notified when a calendar may be due.
    pub hint: Arc<Notify>,
}

impl ConnectIcs {
    /// Connects the calendar at an address.
    ///
    /// # Errors
    /// [`Error::Address`]; [`Error::Connected`]; [`Error::TooManyAddresses`]; [`Error::NotOwnEmployee`] for someone
    /// else's calendar, below OWNER;
    /// what [`CheckEmployee::check`] refuses.
    pub async fn connect(
        &self,
        scope: &BusinessScope,
        address: &str,
        employee: EmployeeId,
    ) -> Result<Listed, Error> {
        self.connect_as(scope, self.store.new_id(), address, employee).await
    }

    /// As [`Self::connect`], under this id.
    ///
    /// # Errors
    /// As [`Self::connect`]; [`Error::CalendarExists`] when the id is another calendar's.
    pub async fn connect_as(
        &self,
        scope: &BusinessScope,
        id: CalendarId,
        address: &str,
        employee: EmployeeId,
    ) -> Result<Listed, Error> {
        self.employees.check(scope, employee).await?;
        let tx = self.store.begin(scope);
        require_own(scope, &tx, employee).await?;
        tx.commit().await?;
        self.employees.learn_zone(scope).await?;
        let (url, address, collection) = self.find(scope, address).await?;
        let tx = self.store.begin(scope);
        self.require_new(&tx, None, &address).await?;
        if tx.count_ics_calendars(employee).await? >= MOST_OF_EMPLOYEE {
            return Err(Error::TooManyAddresses);
        }
        let name = name(&collection, &url);
        let calendar = Calendar { id, kind: Kind::Ics, employee, name };
        if !tx.add_calendar(&calendar).await? {
            return Err(Error::CalendarExists);
        }
        let sealed = self.vault.seal(&tx, calendar.id.0, &address).await?;
        tx.add_ics_calendar(calendar.id, &host(&url), &sealed).await?;
        tx.add_sync_state(calendar.id, &server_of(&url)).await?;
        tx.space_reads(calendar.id, READ_EVERY).await?;
        let connected = tx.calendar(calendar.id).await?;
        tx.commit().await?;
        self.hint.notify_one();
        Ok(connected)
    }

    /// Replaces a calendar's address, once a calendar was read there.
    ///
    /// # Errors
    /// [`Error::Address`]; [`Error::Connected`]; [`Error::NotFound`]; [`Error::NotOwnEmployee`].
    pub async fn change_address(
        &self,
        scope: &BusinessScope,
        calendar: CalendarId,
        address: &str,
    ) -> Result<(), Error> {
        let tx = self.store.begin(scope);
        tx.ics_calendar(calendar).await?;
        require_own(scope, &tx, tx.calendar(calendar).await?.calendar.employee).await?;
        tx.commit().await?;
        let (url, address, _) = self.find(scope, address).await?;
        let tx = self.store.begin(scope);
        // A calendar is locked before the plan, as everywhere.
        tx.make_due(calendar).await?;
        self.require_new(&tx, Some(calendar), &address).await?;
        let sealed = self.vault.seal(&tx, calendar.0, &address).await?;
        tx.change_ics_address(calendar, &host(&url), &sealed).await?;
        tx.change_server(calendar, &server_of(&url)).await?;
        tx.commit().await?;
        self.hint.notify_one();
        Ok(())
    }

    /// What is wrong with each of these addresses, as far as that shows without reading it.
    ///
    /// # Errors
    /// When the addresses of the business's calendars can't be read.
    pub async fn check(
        &self,
        scope: &BusinessScope,
        addresses: &[&str],
    ) -> Result<Vec<Option<Error>>, Error> {
        let tx = self.store.begin(scope);
        let known = self.addresses(&tx).await?;
        tx.commit().await?;
        let mut faults = Vec::with_capacity(addresses.len());
        for address in addresses {
            faults.push(match self.address(scope, address).await {
                Ok((_, address)) if known.iter().any(|(_, known)| *known == address) => {
                    Some(Error::Connected)
                }
                Ok(_) => None,
                Err(fault @ Error::Address(_)) => Some(fault),
                Err(other) => return Err(other),
            });
        }
        Ok(faults)
    }

    /// An address that a person wrote, if it may be called.
    async fn address(&self, scope: &BusinessScope, written: &str) -> Result<(Url, Password), Error> {
        let url = self.web.address(&spelt_out(written)).map_err(AddressFault::from)?;
        if self.is_own(scope, &url).await? {
            return Err(AddressFault::Own.into());
        }
        let address = Password::new(url.to_string());
        Ok((url, address))
    }

    /// The calendar at an address that a person wrote.
    async fn find(&self, scope: &BusinessScope, address: &str) -> Result<(Url, Password, Collection), Error> {
        let (url, address) = self.address(scope, address).await?;
        let published = ics::published(&self.web, &address).await?;
        Ok((url, address, published.collection))
    }

    /// Whether an address is a feed of the business: its appointments would take their own time.
    async fn is_own(&self, scope: &BusinessScope, url: &Url) -> Result<bool, Error> {
        let secret = calendar_feed::secret_in(url.path()).filter(|secret| feed::is_secret(secret));
        let Some(secret) = secret else { return Ok(false) };
        match self.store.feed_of(secret).await {
            Ok((business, _)) => Ok(business == scope.business()),
            Err(Error::NotFound(_)) => Ok(false),
            Err(other) => Err(other),
        }
    }

    /// Refuses an address that another calendar of the business has.
    async fn require_new(
        &self,
        tx: &Tx,
        calendar: Option<CalendarId>,
        address: &Password,
    ) -> Result<(), Error> {
        tx.plan().await?.lock().await?;
        let known = self.addresses(tx).await?;
        let taken = known.iter().any(|(id, known)| Some(*id) != calendar && known == address);
        if taken { Err(Error::Connected) } else { Ok(()) }
    }

    /// The addresses of the business's calendars.
    async fn addresses(&self, tx: &Tx) -> Result<Vec<(CalendarId, Password)>, Error> {
        let sealed = tx.ics_addresses().await?;
        let open = |(id, sealed): (CalendarId, Sealed)| {
            self.vault.open(tx.business(), id.0, &sealed).map(|address| (id, address))
        };
        sealed.into_iter().map(open).collect()
    }
}

/// What its owner calls it, or where it is.
fn name(collection: &Collection, url: &Url) -> String {
    let own: String = cleaned(collection.name.as_deref().unwrap_or_default());
    let own: String = own.trim().chars().take(LONGEST_NAME).collect();
    if own.is_empty() { host(url) } else { own }
}
