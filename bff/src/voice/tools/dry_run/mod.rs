//! What tools change in a chat in which a person tries the agent: nothing of it is stored. It is laid over what the
//! services say, so that a time that the agent keeps is not offered again, and a visit that it books can be moved.

mod overlay;

use std::sync::{Arc, Mutex, MutexGuard};

use jiff::{SignedDuration, Timestamp};
use proto::{
    error::{Reason, refuse},
    frontdesk::{
        scheduling::v1::{
            Appointment, BookAppointmentRequest, BookAppointmentResponse, CancelAppointmentRequest,
            CancelAppointmentResponse, CreateHoldRequest, CreateHoldResponse, GetAppointmentRequest,
            GetAppointmentResponse, Hold, Hypothesis, JoinWaitlistRequest, JoinWaitlistResponse,
            MoveAppointmentRequest, MoveAppointmentResponse, Offer, SearchAvailabilityRequest,
            SearchAvailabilityResponse, VisitItem, WaitlistEntry,
            appointment_service_methods::GET_APPOINTMENT, availability_service_methods::SEARCH_AVAILABILITY,
        },
        tenancy::v1::{
            CreateCustomerRequest, CreateCustomerResponse, CreateFollowUpRequest, CreateFollowUpResponse,
            Customer, FollowUp, GetCustomerRequest, GetCustomerResponse, ListCustomersRequest,
            ListCustomersResponse,
            customer_service_methods::{GET_CUSTOMER, LIST_CUSTOMERS},
        },
    },
    time,
};
use tonic::Status;

use self::overlay::{MOST_KEPT, Visit, asked_again, is_kept};
use crate::voice::agent::Agent;

pub use overlay::Overlay;

/// As long as scheduling keeps a time.
const HELD: SignedDuration = SignedDuration::from_mins(5);
/// Starts lie five minutes apart: from one to here there is that one alone.
const ONE_START: SignedDuration = SignedDuration::from_mins(1);

/// The salon as it is, which a trial only reads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Salon<'a> {
    pub agent: &'a Agent,
    pub now: Timestamp,
    /// Free times are looked for as they were then; `None` is now.
    pub as_of: Option<Timestamp>,
}

/// What was changed so far.
#[derive(Debug, Clone, Default)]
pub struct DryRun(Arc<Mutex<Overlay>>);

impl DryRun {
    /// One that goes on from what a chat's page carried.
    #[must_use]
    pub fn resumed(overlay: Overlay) -> Self {
        Self(Arc::new(Mutex::new(overlay)))
    }

    /// What the page carries on.
    #[must_use]
    pub fn overlay(&self) -> Overlay {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Overlay> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// What a search for free times is worked out with.
    #[must_use]
    pub fn hypothesis(&self, now: Timestamp) -> Hypothesis {
        self.lock().hypothesis("", now)
    }

    /// Whether the services know of a customer; those of the trial alone they don't.
    #[must_use]
    pub fn is_stored(&self, customer_id: &str) -> bool {
        self.lock().customers.iter().all(|customer| customer.id != customer_id)
    }

    /// The trial's own customers of a telephone number.
    #[must_use]
    pub fn customers_of(&self, phone: &str) -> Vec<Customer> {
        self.lock().customers.iter().filter(|customer| customer.phone == phone).cloned().collect()
    }

    /// A customer's visits to come, as they are in the trial.
    #[must_use]
    pub fn visits_over(&self, customer_id: &str, stored: Vec<Appointment>) -> Vec<Appointment> {
        let overlay = self.lock();
        let untouched = stored
            .into_iter()
            .filter(|visit| overlay.visits.iter().all(|changed| changed.appointment.id != visit.id));
        let theirs = overlay.visits.iter().filter(|visit| visit.appointment.customer_id == customer_id);
        let changed = theirs.filter(|visit| !visit.cancelled).map(|visit| visit.appointment.clone());
        let mut visits: Vec<Appointment> = untouched.chain(changed).collect();
        visits.sort_by_key(|visit| visit.starts_at.as_ref().map_or((0, 0), |at| (at.seconds, at.nanos)));
        visits
    }

    fn room(&self) -> Result<MutexGuard<'_, Overlay>, Status> {
        let overlay = self.lock();
        let fullest = overlay.customers.len().max(overlay.holds.len()).max(overlay.visits.len());
        match fullest < MOST_KEPT {
            true => Ok(overlay),
            false => Err(refuse(Reason::TooManyHolds, "this chat has tried as much as one chat may")),
        }
    }

    pub(super) async fn create_customer(
        &self,
        salon: Salon<'_>,
        message: CreateCustomerRequest,
    ) -> Result<CreateCustomerResponse, Status> {
        if !message.phone.is_empty() {
            // Tenancy says whether it is a number.
            let wanted = ListCustomersRequest {
                business_id: salon.agent.business_id(),
                phone: message.phone.clone(),
                page_size: 1,
                ..ListCustomersRequest::default()
            };
            let _: ListCustomersResponse = salon.agent.call(&LIST_CUSTOMERS, None, wanted).await?;
        }
        let mut overlay = self.room()?;
        let id = overlay.new_id();
        let customer = Customer { id, name: message.name, phone: message.phone, ..Customer::default() };
        overlay.customers.push(customer.clone());
        Ok(CreateCustomerResponse { customer: Some(customer) })
    }

    pub(super) async fn create_hold(
        &self,
        salon: Salon<'_>,
        message: CreateHoldRequest,
    ) -> Result<CreateHoldResponse, Status> {
        let starts_at = time::required("starts_at", message.starts_at.as_ref())?;
        let customer = message.customer_id;
        let offer = self.offer(salon, message.items, customer, starts_at, "").await?;
        let expires_at = salon.now + HELD;
        let mut overlay = self.room()?;
        let (id, expires_at) = (overlay.new_id(), Some(time::to_proto(expires_at)));
        let hold = Hold { id, expires_at, offer: Some(offer) };
        overlay.holds.push(hold.clone());
        Ok(CreateHoldResponse { hold: Some(hold) })
    }

    /// The offer at one start, if it is free in the trial; of a visit that is moved, `without` where it is now.
    async fn offer(
        &self,
        salon: Salon<'_>,
        items: Vec<VisitItem>,
        customer_id: String,
        starts_at: Timestamp,
        without: &str,
    ) -> Result<Offer, Status> {
        let hypothesis = self.lock().hypothesis(without, salon.now);
        let stored = self.is_stored(&customer_id);
        let wanted = SearchAvailabilityRequest {
            business_id: salon.agent.business_id(),
            items,
            from: Some(time::to_proto(starts_at)),
            to: Some(time::to_proto(starts_at + ONE_START)),
            page_size: 1,
            as_of: salon.as_of.map(time::to_proto),
            hypothesis: Some(hypothesis),
            customer_id: if stored { customer_id } else { String::new() },
            // As on the telephone: a new visit needs the notice of customers, one that is moved none.
            for_customer: without.is_empty(),
            ..SearchAvailabilityRequest::default()
        };
        let found: SearchAvailabilityResponse = salon.agent.call(&SEARCH_AVAILABILITY, None, wanted).await?;
        let offer = found.offers.into_iter().next();
        offer.ok_or_else(|| refuse(Reason::SlotTaken, "this time is not free"))
    }

    pub(super) async fn book_appointment(
        &self,
        salon: Salon<'_>,
        message: BookAppointmentRequest,
    ) -> Result<BookAppointmentResponse, Status> {
        let customer_name = self.name_of(salon, &message.customer_id).await?;
        let mut overlay = self.room()?;
        let now = salon.now;
        let at = overlay.holds.iter().position(|hold| hold.id == message.hold_id && is_kept(hold, now));
        let at = at.ok_or_else(|| refuse(Reason::HoldGone, "the hold is gone"))?;
        let offer = overlay.holds.remove(at).offer.unwrap_or_default();
        let appointment = Appointment {
            id: overlay.new_id(),
            customer_id: message.customer_id,
            customer_name,
            starts_at: offer.starts_at,
            ends_at: offer.ends_at,
            items: offer.items,
            ..Appointment::default()
        };
        let visit = Visit { appointment: appointment.clone(), booked_before: false, cancelled: false };
        overlay.put(visit);
        Ok(BookAppointmentResponse { appointment: Some(appointment), ..BookAppointmentResponse::default() })
    }

    async fn name_of(&self, salon: Salon<'_>, customer_id: &str) -> Result<String, Status> {
        let known = self.lock().customers.iter().find(|known| known.id == customer_id).cloned();
        if let Some(customer) = known {
            return Ok(customer.name);
        }
        let wanted = GetCustomerRequest {
            business_id: salon.agent.business_id(),
            customer_id: customer_id.to_owned(),
        };
        let found: GetCustomerResponse = salon.agent.call(&GET_CUSTOMER, None, wanted).await?;
        Ok(found.customer.unwrap_or_default().name)
    }

    /// A visit as it is in the trial, and whether it is in the book.
    async fn visit(&self, salon: Salon<'_>, appointment_id: &str) -> Result<(Appointment, bool), Status> {
        let known = self.lock().visits.iter().find(|visit| visit.appointment.id == appointment_id).cloned();
        if let Some(visit) = known {
            return Ok((visit.appointment, visit.booked_before));
        }
        let wanted = GetAppointmentRequest {
            business_id: salon.agent.business_id(),
            appointment_id: appointment_id.to_owned(),
        };
        let found: GetAppointmentResponse = salon.agent.call(&GET_APPOINTMENT, None, wanted).await?;
        let visit = found.appointment.ok_or_else(|| Status::internal("the answer has no appointment"))?;
        Ok((visit, true))
    }

    pub(super) async fn move_appointment(
        &self,
        salon: Salon<'_>,
        message: MoveAppointmentRequest,
    ) -> Result<MoveAppointmentResponse, Status> {
        let (visit, booked_before) = self.visit(salon, &message.appointment_id).await?;
        let starts_at = time::required("starts_at", message.starts_at.as_ref())?;
        let items = visit.items.iter().map(asked_again).collect();
        let offer = self.offer(salon, items, visit.customer_id.clone(), starts_at, &visit.id).await?;
        let moved =
            Appointment { starts_at: offer.starts_at, ends_at: offer.ends_at, items: offer.items, ..visit };
        self.room()?.put(Visit { appointment: moved.clone(), booked_before, cancelled: false });
        Ok(MoveAppointmentResponse { appointment: Some(moved), ..MoveAppointmentResponse::default() })
    }

    pub(super) async fn cancel_appointment(
        &self,
        salon: Salon<'_>,
        message: CancelAppointmentRequest,
    ) -> Result<CancelAppointmentResponse, Status> {
        let (appointment, booked_before) = self.visit(salon, &message.appointment_id).await?;
        self.room()?.put(Visit { appointment: appointment.clone(), booked_before, cancelled: true });
        Ok(CancelAppointmentResponse {
            appointment: Some(appointment),
            ..CancelAppointmentResponse::default()
        })
    }

    pub(super) async fn join_waitlist(
        &self,
        salon: Salon<'_>,
        message: JoinWaitlistRequest,
    ) -> Result<JoinWaitlistResponse, Status> {
        let customer_name = self.name_of(salon, &message.customer_id).await?;
        let id = self.lock().new_id();
        let entry =
            WaitlistEntry { id, customer_id: message.customer_id, customer_name, ..Default::default() };
        Ok(JoinWaitlistResponse { entry: Some(entry), ..JoinWaitlistResponse::default() })
    }

    pub(super) async fn create_follow_up(
        &self,
        _: Salon<'_>,
        message: CreateFollowUpRequest,
    ) -> Result<CreateFollowUpResponse, Status> {
        let id = self.lock().new_id();
        let follow_up = FollowUp { id, text: message.text, phone: message.phone, ..FollowUp::default() };
        Ok(CreateFollowUpResponse { follow_up: Some(follow_up), ..CreateFollowUpResponse::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::{overlay::tests::visit, *};

    #[test]
    fn a_customer_s_visits_are_as_the_trial_left_them() {
        let visits = vec![visit("stored", true, true), visit("dry-run-1", false, false)];
        let run = DryRun::resumed(Overlay { visits, ..Overlay::default() });
        let stored = vec![visit("stored", true, false).appointment, visit("other", true, false).appointment];
        let seen = run.visits_over("ana", stored);
        assert_eq!(seen.iter().map(|visit| visit.id.as_str()).collect::<Vec<_>>(), ["other", "dry-run-1"]);
        assert!(run.visits_over("rui", vec![]).is_empty());
    }
}
