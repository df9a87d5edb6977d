//! The salon as scheduling.

use async_trait::async_trait;
use caller::BusinessScope;
use proto::{
    contact::ContactReach,
    error::{Reason, refuse},
    frontdesk::scheduling::v1::*,
    time,
};
use tonic::Status;

use super::{Serving, not_called_by_the_door};

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
        self.0.answers("search_availability").await;
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
            return Ok(BookAppointmentResponse { appointment, ..Default::default() });
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
        Ok(BookAppointmentResponse { appointment: Some(appointment), ..Default::default() })
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
