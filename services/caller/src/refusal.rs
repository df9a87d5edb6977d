//! Changes that are refused, for those who keep a log of them.

use core::fmt;
use std::sync::Arc;

use crate::{Actor, BusinessId, Gate, Method};

/// A change that was refused to a caller with a valid passport.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// In which business.
    pub business: BusinessId,
    /// To whom.
    pub actor: Actor,
    /// What they called.
    pub method: &'static Method,
    /// Why, as the contract names it.
    pub reason: &'static str,
}

/// Keeps refusals.
pub trait Refusals: fmt::Debug + Send + Sync {
    /// Takes one on; does not wait.
    fn refused(&self, refusal: Refusal);
}

/// What a call that changes something comes to.
#[derive(Debug)]
pub struct Watch {
    pub(crate) gate: Gate,
    pub(crate) refusals: Arc<dyn Refusals>,
    pub(crate) passport: String,
    pub(crate) method: &'static Method,
}

impl Watch {
    /// It was refused. One without a valid passport for a business is not kept.
    pub fn refused(self, reason: &'static str) {
        let Self { gate, refusals, passport, method } = self;
        if let Some((business, actor)) = gate.bearer(&passport, method) {
            refusals.refused(Refusal { business, actor, method, reason });
        }
    }
}
