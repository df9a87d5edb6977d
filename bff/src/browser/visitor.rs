//! The caller of a path of the contract, and what its rule allows.

use std::sync::Arc;

use caller::{Audience, Bearer, BusinessId, Denied, IdempotencyKey, Method, Passport, Role, ScopeKind};
use proto::{
    error::{Reason, denied, refuse},
    frontdesk::auth::internal::v1::Client,
};
use tonic::Status;

use super::{Browser, token::Person};
use crate::edge::Deadline;

/// A door with one visitor in it.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// The door.
    pub door: Arc<Browser>,
    /// `None` on public paths.
    pub person: Option<Person>,
    /// Where they call from.
    pub client: Client,
    /// When the answer is due.
    pub deadline: Deadline,
    /// The key of the attempt.
    pub idempotency_key: Option<IdempotencyKey>,
}

impl Visitor {
    /// Asks the service of `method` for the visitor, whom its rule lets in.
    ///
    /// # Errors
    /// The rule's refusal, which is noted; the service's.
    pub async fn ask<Request, Response>(
        &self,
        method: &'static Method,
        business: Option<BusinessId>,
        request: Request,
    ) -> Result<Response, Status>
    where
        Request: prost::Message + 'static,
        Response: prost::Message + Default + 'static,
    {
        let passport = self.passport(method, business).await?;
        let key = self.idempotency_key.as_ref().filter(|_| method.rule.idempotency_key);
        self.door.gateway.call(method, &passport, self.deadline.left(), key, request).await
    }

    /// What `method` is called with; a refusal is noted.
    pub async fn passport(
        &self,
        method: &'static Method,
        business: Option<BusinessId>,
    ) -> Result<Passport, Status> {
        let admitted = self.admit(method, business).await;
        if let Err(status) = &admitted {
            self.record(method, business, status).await;
        }
        admitted
    }

    /// Leaves a note of a person's refused call.
    async fn record(&self, method: &'static Method, business: Option<BusinessId>, status: &Status) {
        if let Some(person) = self.person {
            self.door.record.note(person.user, method.path, business, status, &self.client).await;
        }
    }

    async fn admit(&self, method: &'static Method, business: Option<BusinessId>) -> Result<Passport, Status> {
        let Some(person) = self.person else {
            let bearer = Bearer::Service { name: self.door.gateway.host().signer.issuer().to_owned() };
            return Ok(Passport { bearer, business });
        };
        let wary = method.rule.sensitive && self.door.gateway.host().security.trusted_device;
        let admissions = &self.door.admissions;
        let admission = if wary {
            // The device may have been confirmed a moment ago, for this very call.
            admissions.admit_now(person, business).await
        } else {
            admissions.admit(person, business).await
        };
        let admission = admission.map_err(|refusal| refusal.status().clone())?;
        let role = admission.role();
        permit(method, business, role)?;
        if wary && !admission.trusted_device {
            return Err(refuse(Reason::DeviceNotTrusted, "this needs a trusted device"));
        }
        Ok(Passport { bearer: Bearer::User { user: person.user, session: person.session, role }, business })
    }
}

/// The rule of `method` for a person; the service checks it again.
fn permit(method: &Method, business: Option<BusinessId>, role: Option<Role>) -> Result<(), Status> {
    let rule = &method.rule;
    if !rule.audiences.contains(&Audience::User) {
        return Err(denied(Denied::WrongCaller));
    }
    match (rule.scope, role) {
        (ScopeKind::Business, None) => Err(denied(Denied::OtherBusiness)),
        (ScopeKind::Business, Some(role)) if business.is_some() && role < rule.least_role => {
            Err(denied(Denied::RoleTooLow(rule.least_role)))
        }
        (ScopeKind::Installation, role) if role != Some(Role::Admin) => {
            Err(denied(Denied::RoleTooLow(Role::Admin)))
        }
        _ => Ok(()),
    }
}
