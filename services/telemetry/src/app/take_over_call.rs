//! A person takes a live call over: the caller is put through to the number that the agent passes callers on to.

use caller::BusinessScope;
use tonic::Status;

use crate::{
    domain::{CallId, call::Listed, take_over::Hindrance},
    neighbours::Neighbours,
    store::Store,
};

/// Whether a call can be taken over, and where it would ring.
///
/// # Errors
/// When there is no such call; when tenancy does not answer.
pub async fn find_take_over(
    store: &Store,
    neighbours: &Neighbours,
    scope: &BusinessScope,
    id: CallId,
) -> Result<Result<String, Hindrance>, Status> {
    let tx = store.begin(scope);
    let call = tx.call_by_id(id).await?;
    let identity = tx.call_identity(id).await?;
    let now = tx.now();
    tx.release();
    match call.hinders_take_over(now) {
        Some(hindrance) => Ok(Err(hindrance)),
        None => neighbours.call_transfer(scope, identity.connection).await,
    }
}

/// Takes a call over; hands over the call and the number that rings.
///
/// # Errors
/// The hindrance; when there is no such call; when the platform does not put the caller through.
pub async fn take_over_call(
    store: &Store,
    neighbours: &Neighbours,
    scope: &BusinessScope,
    id: CallId,
) -> Result<Result<(Listed, String), Hindrance>, Status> {
    let tx = store.begin(scope);
    let before = tx.call_by_id(id).await?;
    if let Some(hindrance) = before.hinders_take_over(tx.now()) {
        return Ok(Err(hindrance));
    }
    let identity = tx.call_identity(id).await?;
    // Noted first, so that of two people one alone has it ring.
    let taken = before.clone().taken_over(tx.actor(), tx.now());
    tx.save_call(&before, &taken).await?;
    tx.commit().await?;
    let transferred = neighbours.transfer_call(scope, &identity).await;
    let tx = store.begin(scope);
    let phone = match transferred {
        Ok(phone) => phone,
        Err(status) => {
            let now = tx.call_by_id(id).await?;
            if now.taken_over == taken.taken_over {
                let free = crate::domain::call::Call { taken_over: before.taken_over, ..now.clone() };
                tx.save_call(&now, &free).await?;
            }
            tx.commit().await?;
            return Err(status);
        }
    };
    let listed = tx.listed(id).await?;
    tx.release();
    Ok(Ok((listed, phone)))
}
