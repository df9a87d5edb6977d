//! The salon as three services.

use std::sync::Arc;

use async_trait::async_trait;
use caller::{BusinessScope, InstallationScope};
use proto::{
    contact::ContactReach,
    error::{Reason, invalid, refuse},
    frontdesk::{
        scheduling::v1::*,
        telemetry::{internal::v1::*, v1::CallState},
        tenancy::{internal::v1::*, v1::*},
    },
    time,
};
use tonic::Status;

use super::salon::{BUSINESS, CONNECTION, Salon, UNDIALLABLE};

/// The salon, as one service sees it.
#[derive(Debug, Clone)]
pub struct Serving(pub Arc<Salon>);

pub fn not_called_by_the_door<T>() -> Result<T, Status> {
    panic!("the voice door doesn't call this")
}

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
            ..OpenVoiceConnectionResponse::default()
        })
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
        book.looked.push((request.taken_count, request.incomplete));
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

    async fn find_employee(
        &self,
        _: InstallationScope,
        _: FindEmployeeRequest,
    ) -> Result<FindEmployeeResponse, Status> {
        not_called_by_the_door()
    }
}

#[async_trait]
impl CatalogueServiceHandler for Serving {
    async fn list_services(
        &self,
        scope: BusinessScope,
        request: ListServicesRequest,
    ) -> Result<ListServicesResponse, Status> {
        let book = self.0.for_agent("list_services", &scope, &request.business_id)?;
        // One a page: what lies on the last is found as well.
        let at: usize = request.page_token.parse().unwrap_or(0);
        let next = at + 1;
        Ok(ListServicesResponse {
            services: book.services.get(at).cloned().into_iter().collect(),
            next_page_token: if next < book.services.len() { next.to_string() } else { String::new() },
        })
    }

    async fn create_service(
        &self,
        _: BusinessScope,
        _: CreateServiceRequest,
    ) -> Result<CreateServiceResponse, Status> {
        not_called_by_the_door()
    }

    async fn update_service(
        &self,
        _: BusinessScope,
        _: UpdateServiceRequest,
    ) -> Result<UpdateServiceResponse, Status> {
        not_called_by_the_door()
    }

    async fn archive_service(
        &self,
        _: BusinessScope,
        _: ArchiveServiceRequest,
    ) -> Result<ArchiveServiceResponse, Status> {
        not_called_by_the_door()
    }
}

/// The words of `text`; how they are matched in earnest is scheduling's business.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| word.len() > 1).map(str::to_lowercase).collect()
}

#[async_trait]
impl MatchingServiceHandler for Serving {
    async fn match_services(
        &self,
        scope: BusinessScope,
        request: MatchServicesRequest,
    ) -> Result<MatchServicesResponse, Status> {
        let mut book = self.0.for_agent("match_services", &scope, &request.business_id)?;
        let spoken = words(&request.phrase);
        let names = |service: &Service| {
            core::iter::once(&service.name)
                .chain(&service.aliases)
                .flat_map(|name| words(name))
                .collect::<Vec<_>>()
        };
        let meant =
            book.services.iter().filter(|service| names(service).iter().any(|word| spoken.contains(word)));
        let matched = meant
            .map(|service| MatchedService { service: Some(service.clone()), ..MatchedService::default() });
        let candidates: Vec<_> = matched.collect();
        let verdict = match candidates.len() {
            0 => MatchVerdict::Nothing,
            1 => MatchVerdict::Clear,
            _ => MatchVerdict::Unclear,
        };
        book.phrases.push((request.phrase, request.call_id));
        Ok(MatchServicesResponse { verdict: verdict.into(), candidates })
    }

    async fn list_unmatched_phrases(
        &self,
        _: BusinessScope,
        _: ListUnmatchedPhrasesRequest,
    ) -> Result<ListUnmatchedPhrasesResponse, Status> {
        not_called_by_the_door()
    }

    async fn resolve_phrase(
        &self,
        _: BusinessScope,
        _: ResolvePhraseRequest,
    ) -> Result<ResolvePhraseResponse, Status> {
        not_called_by_the_door()
    }

    async fn remove_service_alias(
        &self,
        _: BusinessScope,
        _: RemoveServiceAliasRequest,
    ) -> Result<RemoveServiceAliasResponse, Status> {
        not_called_by_the_door()
    }
}

#[async_trait]
impl AvailabilityServiceHandler for Serving {
    async fn search_availability(
        &self,
        scope: BusinessScope,
        request: SearchAvailabilityRequest,
    ) -> Result<SearchAvailabilityResponse, Status> {
        let mut book = self.0.for_agent("search_availability", &scope, &request.business_id)?;
        let from = time::required("from", request.from.as_ref())?;
        let to = time::required("to", request.to.as_ref())?;
        let free = book.free.iter().filter(|start| (from..to).contains(*start));
        let offers = free.map(|start| book.offer(&request.items, *start)).collect::<Result<_, Status>>()?;
        book.searches.push(request);
        Ok(SearchAvailabilityResponse {
            offers,
            next_page_token: String::new(),
            time_zone: "Europe/London".into(),
            next_offer: None,
            sources: book.sources.clone(),
        })
    }

    async fn explain_availability(
        &self,
        _: BusinessScope,
        _: ExplainAvailabilityRequest,
    ) -> Result<ExplainAvailabilityResponse, Status> {
        not_called_by_the_door()
    }

    async fn create_hold(
        &self,
        scope: BusinessScope,
        request: CreateHoldRequest,
    ) -> Result<CreateHoldResponse, Status> {
        let mut book = self.0.for_agent("create_hold", &scope, &request.business_id)?;
        if let Some(id) = book.answered("create_hold", &scope) {
            return Ok(CreateHoldResponse { hold: book.held.get(&id).cloned() });
        }
        let starts_at = time::required("starts_at", request.starts_at.as_ref())?;
        let Some(at) = book.free.iter().position(|free| *free == starts_at) else {
            return Err(refuse(Reason::SlotTaken, "this time is taken"));
        };
        let offer = book.offer(&request.items, starts_at)?;
        book.free.remove(at);
        let hold = Hold { id: book.new_id(), expires_at: None, offer: Some(offer) };
        book.holds.insert(hold.id.clone(), (hold.clone(), request.call_id));
        book.held.insert(hold.id.clone(), hold.clone());
        book.answer("create_hold", &scope, &hold.id);
        Ok(CreateHoldResponse { hold: Some(hold) })
    }

    async fn release_hold(
        &self,
        _: BusinessScope,
        _: ReleaseHoldRequest,
    ) -> Result<ReleaseHoldResponse, Status> {
        not_called_by_the_door()
    }

    async fn release_call_holds(
        &self,
        scope: BusinessScope,
        request: ReleaseCallHoldsRequest,
    ) -> Result<ReleaseCallHoldsResponse, Status> {
        let mut book = self.0.for_agent("release_call_holds", &scope, &request.business_id)?;
        let before = book.holds.len();
        book.holds.retain(|_, (_, call_id)| *call_id != request.call_id);
        let released = before - book.holds.len();
        book.released.push(request.call_id);
        Ok(ReleaseCallHoldsResponse { released: i32::try_from(released).unwrap() })
    }
}

#[async_trait]
impl AppointmentServiceHandler for Serving {
    async fn contact_reach(&self, _: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(ContactReach::All)
    }

    async fn book_appointment(
        &self,
        scope: BusinessScope,
        request: BookAppointmentRequest,
    ) -> Result<BookAppointmentResponse, Status> {
        let mut book = self.0.for_agent("book_appointment", &scope, &request.business_id)?;
        if let Some(id) = book.answered("book_appointment", &scope) {
            let appointment = book.appointments.iter().find(|appointment| appointment.id == id).cloned();
            return Ok(BookAppointmentResponse { appointment });
        }
        assert!(request.items.is_empty() && request.starts_at.is_none(), "a hold is booked as it is");
        let Some((hold, call_id)) = book.holds.remove(&request.hold_id) else {
            return Err(refuse(Reason::HoldGone, "the hold is gone"));
        };
        assert_eq!(call_id, request.call_id, "a call books what it holds");
        let known = book.customers.iter().find(|customer| customer.id == request.customer_id).cloned();
        let customer = known.ok_or_else(|| refuse(Reason::NotFound, "there is no such customer"))?;
        let offer = hold.offer.unwrap_or_default();
        let appointment = Appointment {
            id: book.new_id(),
            customer_id: customer.id,
            customer_name: customer.name,
            starts_at: offer.starts_at,
            items: offer.items,
            call_id,
            ..Appointment::default()
        };
        book.appointments.push(appointment.clone());
        book.answer("book_appointment", &scope, &appointment.id);
        Ok(BookAppointmentResponse { appointment: Some(appointment) })
    }

    async fn cancel_appointment(
        &self,
        scope: BusinessScope,
        request: CancelAppointmentRequest,
    ) -> Result<CancelAppointmentResponse, Status> {
        let mut book = self.0.for_agent("cancel_appointment", &scope, &request.business_id)?;
        book.answer("cancel_appointment", &scope, &request.appointment_id);
        let visit = book.appointments.iter_mut().find(|visit| visit.id == request.appointment_id);
        let visit = visit.ok_or_else(|| refuse(Reason::NotFound, "there is no such appointment"))?;
        visit.set_state(AppointmentState::Cancelled);
        Ok(CancelAppointmentResponse {
            appointment: Some(visit.clone()),
            ..CancelAppointmentResponse::default()
        })
    }

    async fn book_walk_in(
        &self,
        _: BusinessScope,
        _: BookWalkInRequest,
    ) -> Result<BookWalkInResponse, Status> {
        not_called_by_the_door()
    }

    async fn set_appointment_state(
        &self,
        _: BusinessScope,
        _: SetAppointmentStateRequest,
    ) -> Result<SetAppointmentStateResponse, Status> {
        not_called_by_the_door()
    }

    async fn restore_appointment(
        &self,
        _: BusinessScope,
        _: RestoreAppointmentRequest,
    ) -> Result<RestoreAppointmentResponse, Status> {
        not_called_by_the_door()
    }

    async fn move_appointment(
        &self,
        scope: BusinessScope,
        request: MoveAppointmentRequest,
    ) -> Result<MoveAppointmentResponse, Status> {
        let mut book = self.0.for_agent("move_appointment", &scope, &request.business_id)?;
        book.answer("move_appointment", &scope, &request.appointment_id);
        let starts_at = time::required("starts_at", request.starts_at.as_ref())?;
        if !book.free.contains(&starts_at) {
            return Err(refuse(Reason::SlotTaken, "this time is taken"));
        }
        let visit = book.appointments.iter_mut().find(|visit| visit.id == request.appointment_id);
        let visit = visit.ok_or_else(|| refuse(Reason::NotFound, "there is no such appointment"))?;
        assert_eq!(request.employee_ids.len(), visit.items.len());
        visit.starts_at = request.starts_at;
        Ok(MoveAppointmentResponse { appointment: Some(visit.clone()), ..MoveAppointmentResponse::default() })
    }

    async fn change_appointment(
        &self,
        _: BusinessScope,
        _: ChangeAppointmentRequest,
    ) -> Result<ChangeAppointmentResponse, Status> {
        not_called_by_the_door()
    }

    async fn get_appointment(
        &self,
        _: BusinessScope,
        _: GetAppointmentRequest,
    ) -> Result<GetAppointmentResponse, Status> {
        not_called_by_the_door()
    }

    async fn list_appointments(
        &self,
        _: BusinessScope,
        _: ListAppointmentsRequest,
    ) -> Result<ListAppointmentsResponse, Status> {
        not_called_by_the_door()
    }

    async fn list_customer_appointments(
        &self,
        scope: BusinessScope,
        request: ListCustomerAppointmentsRequest,
    ) -> Result<ListCustomerAppointmentsResponse, Status> {
        let book = self.0.for_agent("list_customer_appointments", &scope, &request.business_id)?;
        assert!(request.upcoming && !request.include_cancelled);
        let theirs = book.appointments.iter().filter(|visit| {
            visit.customer_id == request.customer_id && visit.state() != AppointmentState::Cancelled
        });
        Ok(ListCustomerAppointmentsResponse {
            appointments: theirs.cloned().collect(),
            ..ListCustomerAppointmentsResponse::default()
        })
    }

    async fn list_conflicts(
        &self,
        _: BusinessScope,
        _: ListConflictsRequest,
    ) -> Result<ListConflictsResponse, Status> {
        not_called_by_the_door()
    }
}

/// Calls are named after the platform's.
fn call_id(facts: &CallFacts) -> String {
    format!("our {}", facts.platform_call_id)
}

fn key(delivery: &Delivery) -> (String, String) {
    assert_eq!(delivery.connection_id, CONNECTION.to_string());
    assert!(!delivery.body.is_empty() && delivery.received_at.is_some());
    (delivery.connection_id.clone(), delivery.event_key.clone())
}

#[async_trait]
impl IntakeServiceHandler for Serving {
    async fn record_call_event(
        &self,
        scope: BusinessScope,
        request: RecordCallEventRequest,
    ) -> Result<RecordCallEventResponse, Status> {
        let mut book = self.0.for_agent("record_call_event", &scope, &request.business_id)?;
        let (delivery, facts) = (request.delivery.unwrap(), request.facts.unwrap());
        let call_id = call_id(&facts);
        let duplicate = book.events.insert(key(&delivery), (delivery, facts)).is_some();
        Ok(RecordCallEventResponse { call_id, duplicate })
    }

    async fn begin_tool_call(
        &self,
        scope: BusinessScope,
        request: BeginToolCallRequest,
    ) -> Result<BeginToolCallResponse, Status> {
        let mut book = self.0.for_agent("begin_tool_call", &scope, &request.business_id)?;
        let (delivery, facts) = (request.delivery.unwrap(), request.facts.unwrap());
        let key = key(&delivery);
        let known = book.tools.get(&key).map(|(.., tool_call_id)| tool_call_id.clone());
        let tool_call_id = known.unwrap_or_else(|| book.new_id());
        let result = book.finished.get(&tool_call_id).map(|finished| finished.result.clone());
        let facts_of = call_id(&facts);
        book.tools.insert(key, (delivery, request.name, tool_call_id.clone()));
        Ok(BeginToolCallResponse { call_id: facts_of, tool_call_id, result: result.unwrap_or_default() })
    }

    async fn list_untold_calls(
        &self,
        scope: BusinessScope,
        request: ListUntoldCallsRequest,
    ) -> Result<ListUntoldCallsResponse, Status> {
        let book = self.0.for_agent("list_untold_calls", &scope, &request.business_id)?;
        assert_eq!(request.connection_id, CONNECTION.to_string());
        let has = |key: &String| book.events.contains_key(&(CONNECTION.to_string(), key.clone()));
        let is_told = |call: &EndedCall| {
            let ended = |facts: &CallFacts| {
                facts.platform_call_id == call.platform_call_id && facts.state() == CallState::Ended
            };
            call.event_keys.iter().any(has)
                || (call.end_suffices && book.events.values().any(|(_, facts)| ended(facts)))
        };
        let untold = request.calls.iter().filter(|call| !is_told(call));
        let platform_call_ids = untold.map(|call| call.platform_call_id.clone()).collect();
        Ok(ListUntoldCallsResponse { platform_call_ids })
    }

    async fn finish_tool_call(
        &self,
        scope: BusinessScope,
        request: FinishToolCallRequest,
    ) -> Result<FinishToolCallResponse, Status> {
        let mut book = self.0.for_agent("finish_tool_call", &scope, &request.business_id)?;
        book.finished.insert(request.tool_call_id.clone(), request);
        Ok(FinishToolCallResponse {})
    }
}
