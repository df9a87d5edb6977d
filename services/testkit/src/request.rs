//! Requests as callers make them, signed at the time of the host they go to.

use boot::Host;
use caller::{Bearer, BusinessId, PASSPORT_HEADER, Passport, Role, SessionId, Signer, UserId};
use tonic::Request;
use uuid::Uuid;

use crate::keyring;

/// The person of [`as_user`].
pub const USER: UserId = UserId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0a01));
/// The session of [`as_user`].
pub const SESSION: SessionId = SessionId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0a02));

/// A member of `business` calls.
#[must_use]
pub fn as_user<T>(host: &Host, role: Role, business: BusinessId, message: T) -> Request<T> {
    as_person(host, USER, SESSION, Some(business), Some(role), message)
}

/// Any person calls: without a business for their own account, with the role ADMIN
/// and none for the installation.
#[must_use]
pub fn as_person<T>(
    host: &Host,
    user: UserId,
    session: SessionId,
    business: Option<BusinessId>,
    role: Option<Role>,
    message: T,
) -> Request<T> {
    let bearer = Bearer::User { user, session, role };
    signed("bff", host, &Passport { bearer, business }, message)
}

/// A voice agent calls through a connection of `business`.
#[must_use]
pub fn as_agent<T>(host: &Host, connection: Uuid, business: BusinessId, message: T) -> Request<T> {
    let passport = Passport { bearer: Bearer::Agent { connection }, business: Some(business) };
    signed("bff", host, &passport, message)
}

/// The service `issuer` calls in its own name.
#[must_use]
pub fn as_service<T>(issuer: &str, host: &Host, business: Option<BusinessId>, message: T) -> Request<T> {
    let passport = Passport { bearer: Bearer::Service { name: issuer.to_owned() }, business };
    signed(issuer, host, &passport, message)
}

fn signed<T>(issuer: &str, host: &Host, passport: &Passport, message: T) -> Request<T> {
    let token = Signer::new(keyring(issuer)).sign(host.service, passport, host.clock.now());
    let mut request = Request::new(message);
    request.metadata_mut().insert(PASSPORT_HEADER, token.parse().expect("a passport is ASCII"));
    request
}
