//! The salon as tenancy.

use async_trait::async_trait;
use caller::{BusinessScope, InstallationScope};
use proto::{
    contact::ContactReach,
    error::{Reason, invalid, refuse},
    frontdesk::tenancy::{internal::v1::*, v1::*},
};
use tonic::Status;

use super::{Serving, not_called_by_the_door};
use crate::voice::salon::{BUSINESS, CONNECTION, UNDIALLABLE};

#[async_trait]
impl VoiceSecretServiceHandler for Serving {
    async fn open_voice_connection(
        &self,
        scope: InstallationScope,
        request: OpenVoiceConnectionRequest,
    ) -> Result<OpenVoiceConnectionResponse, Status> {
        let mut book = self.0.for_door(&scope)?;
        book.opened += 1;
        if request.voice_connection_id != CONNECTION.to_string() {
            return Err(refuse(Reason::NotFound, "there is no such voice connection"));
        }
        Ok(OpenVoiceConnectionResponse {
            business_id: BUSINESS.to_string(),
            platform: book.platform.into(),
            webhook_check: book.check.into(),
            hmac: book.hmac.clone(),
            secret: book.secret.clone(),
            old_secret: book.old_secret.clone(),
            time_zone: "Europe/London".into(),
        })
    }

    async fn open_platform_recording(
        &self,
        _: BusinessScope,
        _: OpenPlatformRecordingRequest,
    ) -> Result<OpenPlatformRecordingResponse, Status> {
        not_called_by_the_door()
    }
}

#[async_trait]
impl PlatformCallServiceHandler for Serving {
    async fn claim_call_check(
        &self,
        scope: InstallationScope,
        _: ClaimCallCheckRequest,
    ) -> Result<ClaimCallCheckResponse, Status> {
        let mut book = self.0.for_door(&scope)?;
        Ok(ClaimCallCheckResponse { check: book.checks.pop() })
    }

    async fn list_platform_calls(
        &self,
        scope: InstallationScope,
        request: ListPlatformCallsRequest,
    ) -> Result<ListPlatformCallsResponse, Status> {
        let book = self.0.for_door(&scope)?;
        assert!(request.check.is_some());
        if book.down.contains("platform") {
            return Err(refuse(Reason::WrongState, "the platform does not tell its calls"));
        }
        // One a page: what lies on the last is taken in as well.
        let at: usize = request.page_token.parse().unwrap_or(0);
        let next = at + 1;
        Ok(ListPlatformCallsResponse {
            platform_call_ids: book.documents.iter().map(|(id, _)| id.clone()).skip(at).take(1).collect(),
            next_page_token: if next < book.documents.len() { next.to_string() } else { String::new() },
        })
    }

    async fn read_platform_call(
        &self,
        scope: InstallationScope,
        request: ReadPlatformCallRequest,
    ) -> Result<ReadPlatformCallResponse, Status> {
        let mut book = self.0.for_door(&scope)?;
        book.documents_read += 1;
        if let Some(reason) = book.refused.get(&*request.platform_call_id) {
            return Err(refuse(*reason, "the platform does not tell this call"));
        }
        let found = book.documents.iter().find(|(id, _)| *id == request.platform_call_id);
        let document = found.and_then(|(_, document)| document.clone());
        let document = document.ok_or_else(|| refuse(Reason::NotFound, "there is no such call"))?;
        Ok(ReadPlatformCallResponse { document: document.into_bytes() })
    }

    async fn finish_call_check(
        &self,
        scope: InstallationScope,
        request: FinishCallCheckRequest,
    ) -> Result<FinishCallCheckResponse, Status> {
        let mut book = self.0.for_door(&scope)?;
        book.checked.push((request.taken_count, request.incomplete));
        Ok(FinishCallCheckResponse {})
    }
}

#[async_trait]
impl PublishedAgentServiceHandler for Serving {
    async fn get_published_agent(
        &self,
        scope: BusinessScope,
        request: GetPublishedAgentRequest,
    ) -> Result<GetPublishedAgentResponse, Status> {
        let mut book = self.0.for_agent("get_published_agent", &scope, &request.business_id)?;
        book.read += 1;
        Ok(GetPublishedAgentResponse { agent: Some(book.agent.clone()) })
    }
}

#[async_trait]
impl CustomerServiceHandler for Serving {
    async fn contact_reach(&self, _: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(ContactReach::All)
    }

    async fn list_customers(
        &self,
        scope: BusinessScope,
        request: ListCustomersRequest,
    ) -> Result<ListCustomersResponse, Status> {
        let book = self.0.for_agent("list_customers", &scope, &request.business_id)?;
        assert!(!request.phone.is_empty(), "the door may not list every customer");
        if request.phone == UNDIALLABLE {
            return Err(invalid("phone", "is not a telephone number"));
        }
        let customers = book.customers.iter().filter(|customer| customer.phone == request.phone).cloned();
        Ok(ListCustomersResponse { customers: customers.collect(), next_page_token: String::new() })
    }

    async fn get_customer(
        &self,
        _: BusinessScope,
        _: GetCustomerRequest,
    ) -> Result<GetCustomerResponse, Status> {
        not_called_by_the_door()
    }

    async fn create_customer(
        &self,
        scope: BusinessScope,
        request: CreateCustomerRequest,
    ) -> Result<CreateCustomerResponse, Status> {
        let mut book = self.0.for_agent("create_customer", &scope, &request.business_id)?;
        if let Some(id) = book.answered("create_customer", &scope) {
            return Ok(CreateCustomerResponse {
                customer: book.customers.iter().find(|customer| customer.id == id).cloned(),
            });
        }
        let id = book.new_id();
        let customer =
            Customer { id: id.clone(), name: request.name, phone: request.phone, ..Customer::default() };
        book.customers.push(customer.clone());
        book.answer("create_customer", &scope, &id);
        Ok(CreateCustomerResponse { customer: Some(customer) })
    }

    async fn update_customer(
        &self,
        _: BusinessScope,
        _: UpdateCustomerRequest,
    ) -> Result<UpdateCustomerResponse, Status> {
        not_called_by_the_door()
    }

    async fn record_marketing_consent(
        &self,
        _: BusinessScope,
        _: RecordMarketingConsentRequest,
    ) -> Result<RecordMarketingConsentResponse, Status> {
        not_called_by_the_door()
    }
}

#[async_trait]
impl EmployeeServiceHandler for Serving {
    async fn list_employees(
        &self,
        scope: BusinessScope,
        request: ListEmployeesRequest,
    ) -> Result<ListEmployeesResponse, Status> {
        let book = self.0.for_agent("list_employees", &scope, &request.business_id)?;
        Ok(ListEmployeesResponse { employees: book.employees.clone(), next_page_token: String::new() })
    }

    async fn create_employee(
        &self,
        _: BusinessScope,
        _: CreateEmployeeRequest,
    ) -> Result<CreateEmployeeResponse, Status> {
        not_called_by_the_door()
    }

    async fn update_employee(
        &self,
        _: BusinessScope,
        _: UpdateEmployeeRequest,
    ) -> Result<UpdateEmployeeResponse, Status> {
        not_called_by_the_door()
    }

    async fn unlink_employee_account(
        &self,
        _: BusinessScope,
        _: UnlinkEmployeeAccountRequest,
    ) -> Result<UnlinkEmployeeAccountResponse, Status> {
        not_called_by_the_door()
    }

    async fn find_employee(
        &self,
        _: InstallationScope,
        _: FindEmployeeRequest,
    ) -> Result<FindEmployeeResponse, Status> {
        not_called_by_the_door()
    }
}
