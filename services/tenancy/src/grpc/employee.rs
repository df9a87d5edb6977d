//! Employees.

use caller::{Actor, BusinessScope, Tenant};
use proto::{
    frontdesk::tenancy::v1::{
        self as pb, CreateEmployeeRequest, CreateEmployeeResponse, EmployeeServiceHandler,
        ListEmployeesRequest, ListEmployeesResponse,
    },
    parse::{chosen_id, optional_id},
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{app::CreateEmployee, domain::Employee, store::Store};

/// Serves `EmployeeService`.
#[derive(Debug)]
pub(crate) struct Employees {
    store: Store,
}

impl Employees {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
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
        let rows = tx.employees(&listing).await?;
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
        let command = parse(&scope.actor(), &request)?;
        let employee = command.run(self.store.begin(&scope)).await?;
        Ok(CreateEmployeeResponse { employee: Some(pb::Employee::from(&employee)) })
    }
}

fn parse(actor: &Actor, request: &CreateEmployeeRequest) -> Result<CreateEmployee, Status> {
    Ok(CreateEmployee {
        id: chosen_id("employee_id", &request.employee_id, actor)?,
        name: fields::name("name", &request.name)?,
        user: optional_id("user_id", &request.user_id)?,
    })
}
