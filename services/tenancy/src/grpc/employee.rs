//! Employees.

use caller::{Actor, BusinessScope, InstallationScope, Tenant, UserId};
use proto::{
    frontdesk::tenancy::v1::{
        self as pb, CreateEmployeeRequest, CreateEmployeeResponse, EmployeeServiceHandler,
        FindEmployeeRequest, FindEmployeeResponse, ListEmployeesRequest, ListEmployeesResponse,
        UnlinkEmployeeAccountRequest, UnlinkEmployeeAccountResponse, UpdateEmployeeRequest,
        UpdateEmployeeResponse, employee_service_methods::CREATE_EMPLOYEE,
    },
    parse::{self, chosen_id, optional_id},
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    app::{CreateEmployee, Members, UnlinkAccount, UpdateEmployee},
    domain::Employee,
    store::Store,
};

/// Serves `EmployeeService`.
#[derive(Debug)]
pub(crate) struct Employees {
    store: Store,
    members: Members,
}

impl Employees {
    pub(crate) fn new(store: Store, members: Members) -> Self {
        Self { store, members }
    }

    /// Refuses an account that is no use to an employee. One that an employee has is not linked anew, whatever became
    /// of it since.
    async fn require_member(&self, scope: &BusinessScope, user: Option<UserId>) -> Result<(), Status> {
        let Some(account) = user else { return Ok(()) };
        let tx = self.store.begin(scope);
        let is_linked = tx.employee_of(account).await?.is_some();
        tx.commit().await?;
        if is_linked { Ok(()) } else { self.members.require(scope, user).await }
    }
}

#[async_trait]
impl EmployeeServiceHandler for Employees {
    async fn list_employees(
        &self,
        scope: BusinessScope,
        request: ListEmployeesRequest,
    ) -> Result<ListEmployeesResponse, Status> {
        let (page, listing) = fields::listing(request.page_size, &request.page_token)?;
        let tx = self.store.begin(&scope);
        let rows = tx.employees(&listing, Some(request.former)).await?;
        tx.commit().await?;
        let key = |row: &&Employee| (row.name.clone(), row.id.0);
        let (employees, next_page_token) = page.answer(&rows, key, pb::Employee::from);
        Ok(ListEmployeesResponse { employees, next_page_token })
    }

    async fn create_employee(
        &self,
        scope: BusinessScope,
        request: CreateEmployeeRequest,
    ) -> Result<CreateEmployeeResponse, Status> {
        let command = command(&scope.actor(), &request)?;
        self.require_member(&scope, command.user).await?;
        self.store
            .idempotent(&scope, &CREATE_EMPLOYEE, &request, async |tx| {
                let employee = command.run(tx).await?;
                Ok(CreateEmployeeResponse { employee: Some(pb::Employee::from(&employee)) })
            })
            .await
    }

    async fn update_employee(
        &self,
        scope: BusinessScope,
        request: UpdateEmployeeRequest,
    ) -> Result<UpdateEmployeeResponse, Status> {
        let command = UpdateEmployee {
            id: parse::id("employee_id", &request.employee_id)?,
            name: fields::name("name", &request.name)?,
            last_day: fields::optional_date("last_day", &request.last_day)?,
            user: optional_id("user_id", &request.user_id)?,
            version: fields::seen_version(request.version)?,
        };
        self.require_member(&scope, command.user).await?;
        let employee = command.run(self.store.begin(&scope)).await?;
        Ok(UpdateEmployeeResponse { employee: Some(pb::Employee::from(&employee)) })
    }

    async fn unlink_employee_account(
        &self,
        scope: BusinessScope,
        request: UnlinkEmployeeAccountRequest,
    ) -> Result<UnlinkEmployeeAccountResponse, Status> {
        let command = UnlinkAccount {
            id: parse::id("employee_id", &request.employee_id)?,
            version: fields::seen_version(request.version)?,
        };
        let employee = command.run(self.store.begin(&scope)).await?;
        Ok(UnlinkEmployeeAccountResponse { employee: Some(pb::Employee::from(&employee)) })
    }

    async fn find_employee(
        &self,
        scope: InstallationScope,
        request: FindEmployeeRequest,
    ) -> Result<FindEmployeeResponse, Status> {
        let id = parse::id("employee_id", &request.employee_id)?;
        let tx = self.store.begin_installation(&scope);
        let (business, employee) = tx.employee_anywhere(id).await?;
        tx.commit().await?;
        let employee = Some(pb::Employee::from(&employee));
        Ok(FindEmployeeResponse { business_id: business.to_string(), employee })
    }
}

fn command(actor: &Actor, request: &CreateEmployeeRequest) -> Result<CreateEmployee, Status> {
    Ok(CreateEmployee {
        id: chosen_id("employee_id", &request.employee_id, actor)?,
        name: fields::name("name", &request.name)?,
        user: optional_id("user_id", &request.user_id)?,
    })
}
