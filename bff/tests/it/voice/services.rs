//! The salon as three services.

mod scheduling;
mod telemetry;
mod tenancy;

use std::sync::Arc;

use tonic::Status;

use super::salon::Salon;

/// The salon, as one service sees it.
#[derive(Debug, Clone)]
pub struct Serving(pub Arc<Salon>);

pub fn not_called_by_the_door<T>() -> Result<T, Status> {
    panic!("the voice door doesn't call this")
}
