//! Connects employees to the calendars that the cells of a table name.

use caller::{BusinessScope, UserId};

use super::{ConnectCalendar, ConnectGoogle, ConnectIcs};
use crate::{
    domain::{
        CalendarId, EmployeeId,
        calendar::{Calendar, Kind},
        calendar_cell::{Account, CalendarCell, CellFault, named},
        consent::PersonCalendar,
    },
    error::Error,
    outside::google::Listed,
    store::Store,
};

/// Checks and connects calendars of employees who are added from a table.
#[derive(Debug)]
pub struct ConnectEmployeeCalendar {
    /// Where they are kept.
    pub store: Store,
    /// Connects simulated ones; `None` in production.
    pub demo: Option<ConnectCalendar>,
    /// Connects those of accounts at Google.
    pub google: ConnectGoogle,
    /// Connects published ones.
    pub ics: ConnectIcs,
}

/// The calendars of an account at Google, or how it stands.
type AtGoogle = Result<Vec<Listed>, Account>;

impl ConnectEmployeeCalendar {
    /// What is wrong with each cell, for a person who adds employees.
    ///
    /// # Errors
    /// When it can't be told.
    pub async fn check(
        &self,
        scope: &BusinessScope,
        importer: Option<UserId>,
        cells: &[String],
    ) -> Result<Vec<Option<Error>>, Error> {
        let cells: Vec<CalendarCell> = cells.iter().map(|cell| CalendarCell::parse(cell)).collect();
        let addresses: Vec<&str> = cells
            .iter()
            .filter_map(
                |cell| if let CalendarCell::Address(address) = cell { Some(address.as_str()) } else { None },
            )
            .collect();
        let mut addresses = self.ics.check(scope, &addresses).await?.into_iter();
        let is_at_google = |cell: &CalendarCell| matches!(cell, CalendarCell::AtGoogle(_));
        // Google is asked once, and only where it has to be.
        let at_google = if cells.iter().any(is_at_google) {
            self.at_google(importer).await?
        } else {
            Err(Account::Absent)
        };
        let fault = |cell: &CalendarCell| match cell {
            CalendarCell::Address(_) => addresses.next().flatten(),
            CalendarCell::Demo => self.demo().err().map(Error::from),
            CalendarCell::AtGoogle(cell) => self.external_id(cell, &at_google).err().map(Error::from),
        };
        Ok(cells.iter().map(fault).collect())
    }

    /// Connects an employee, whom the table adds, to the calendar that a cell names.
    ///
    /// # Errors
    /// [`Error::Cell`]; what connecting such a calendar refuses.
    pub async fn connect(
        &self,
        scope: &BusinessScope,
        importer: Option<UserId>,
        cell: &str,
        employee: EmployeeId,
        id: CalendarId,
    ) -> Result<(), Error> {
        if self.is_connected(scope, id, employee).await? {
            return Ok(());
        }
        match self.connect_new(scope, importer, cell, employee, id).await {
            // Another attempt may have connected it meanwhile.
            Err(error @ (Error::CalendarExists | Error::Connected)) => {
                if self.is_connected(scope, id, employee).await? { Ok(()) } else { Err(error) }
            }
            outcome => outcome,
        }
    }

    async fn connect_new(
        &self,
        scope: &BusinessScope,
        importer: Option<UserId>,
        cell: &str,
        employee: EmployeeId,
        id: CalendarId,
    ) -> Result<(), Error> {
        match CalendarCell::parse(cell) {
            CalendarCell::Address(address) => self.ics.connect_as(scope, id, &address, employee).await?,
            CalendarCell::Demo => {
                let name = PersonCalendar::demo().name;
                let calendar = Calendar { id, kind: Kind::Demo, employee, name };
                self.demo()?.connect(scope, &calendar).await?
            }
            CalendarCell::AtGoogle(cell) => {
                let at_google = self.at_google(importer).await?;
                let external_id = self.external_id(&cell, &at_google)?;
                let user = importer.ok_or(Error::GoogleConsentMissing)?;
                self.google.connect_of(scope, user, id, external_id, employee).await?
            }
        };
        Ok(())
    }

    /// Whether an earlier attempt came to its end.
    async fn is_connected(
        &self,
        scope: &BusinessScope,
        id: CalendarId,
        employee: EmployeeId,
    ) -> Result<bool, Error> {
        let tx = self.store.begin(scope);
        let found = tx.calendar(id).await;
        tx.commit().await?;
        match found {
            Ok(found) if found.calendar.employee == employee => Ok(true),
            Ok(_) => Err(Error::CalendarExists),
            Err(Error::NotFound(_)) => Ok(false),
            Err(other) => Err(other),
        }
    }

    fn demo(&self) -> Result<&ConnectCalendar, CellFault> {
        self.demo.as_ref().ok_or_else(|| self.unknown(Account::Absent))
    }

    fn unknown(&self, account: Account) -> CellFault {
        CellFault::Unknown { account, demo: self.demo.is_some() }
    }

    async fn at_google(&self, importer: Option<UserId>) -> Result<AtGoogle, Error> {
        let Some(google) = &self.google.google else { return Ok(Err(Account::Absent)) };
        let Some(user) = importer else { return Ok(Err(Account::NotAllowed)) };
        match google.calendars(user).await.map_err(Error::from) {
            Ok(found) => Ok(Ok(found)),
            Err(Error::GoogleConsentMissing) => Ok(Err(Account::NotAllowed)),
            Err(other) => Err(other),
        }
    }

    fn external_id<'a>(&self, cell: &str, at_google: &'a AtGoogle) -> Result<&'a str, CellFault> {
        let found = at_google.as_ref().map_err(|account| self.unknown(*account))?;
        named(cell, found.iter().map(|listed| (listed.id.as_str(), listed.name())), self.demo.is_some())
    }
}
