//! Coalesces concurrent loads of the same value into one.

use core::future::Future;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use prost::Message;
use tokio::sync::OnceCell;

use crate::place::Generation;

/// The value's key and the generation it is loaded under: a caller who has seen a newer
/// generation never joins a load that began before it.
type Destination = (String, Generation);
/// What the load brought, or nothing when it failed.
type Landing = OnceCell<Option<Arc<[u8]>>>;

/// Loads under way in this process.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flights(Arc<Mutex<HashMap<Destination, Weak<Landing>>>>);

/// Who brought the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Brought {
    /// This caller, who may keep it.
    Here,
    /// Another one.
    Elsewhere,
}

impl Flights {
    /// Runs `load`, or waits if one for `to` is running already. If the leading caller is cancelled,
    /// the next in line loads; if its load fails, each of the others loads for itself.
    pub(crate) async fn fly<M, E, F>(
        &self,
        to: Destination,
        load: impl FnOnce() -> F,
    ) -> (Result<M, E>, Brought)
    where
        M: Message + Default,
        F: Future<Output = Result<M, E>>,
    {
        let landing = self.join(&to);
        let (mut load, mut own) = (Some(load), None);
        let landed = landing.get_or_init(|| async {
            let load = load.take().expect("a load that has begun is not begun again");
            let loaded = load().await;
            let bytes = loaded.as_ref().ok().map(|value: &M| value.encode_to_vec().into());
            own = Some(loaded);
            bytes
        });
        let landed = landed.await.clone();
        drop(landing);
        self.forget(&to);
        match (own, landed.and_then(|bytes: Arc<[u8]>| M::decode(&*bytes).ok())) {
            (Some(own), _) => (own, Brought::Here),
            (None, Some(value)) => (Ok(value), Brought::Elsewhere),
            (None, None) => {
                let load = load.expect("another caller has loaded");
                (load().await, Brought::Elsewhere)
            }
        }
    }

    fn join(&self, to: &Destination) -> Arc<Landing> {
        let mut flights = self.lock();
        if let Some(flight) = flights.get(to).and_then(Weak::upgrade) {
            return flight;
        }
        // Those hung up on have left without a word.
        flights.retain(|_, flight| flight.strong_count() > 0);
        let flight = Arc::new(Landing::new());
        flights.insert(to.clone(), Arc::downgrade(&flight));
        flight
    }

    fn forget(&self, to: &Destination) {
        let mut flights = self.lock();
        if flights.get(to).is_some_and(|flight| flight.strong_count() == 0) {
            flights.remove(to);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Destination, Weak<Landing>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::Barrier;

    use super::*;

    fn destination() -> Destination {
        ("cache:key".to_owned(), Generation::draw())
    }

    /// A load that waits at the barrier before it ends.
    async fn slow(barrier: &Barrier, ends: Result<String, &'static str>) -> Result<String, &'static str> {
        barrier.wait().await;
        ends
    }

    #[tokio::test]
    async fn a_caller_during_a_load_gets_its_value() {
        let (flights, to, barrier) = (Flights::default(), destination(), Barrier::new(2));
        let leader = flights.fly(to.clone(), || slow(&barrier, Ok("nine".to_owned())));
        let other = async {
            let load = || async { unreachable!("a load is running already") };
            let mut other = Box::pin(flights.fly(to.clone(), load));
            assert!(futures::poll!(&mut other).is_pending());
            barrier.wait().await;
            let flown: (Result<String, &str>, _) = other.await;
            flown
        };
        let (first, second) = tokio::join!(leader, other);
        assert_eq!(first, (Ok("nine".to_owned()), Brought::Here));
        assert_eq!(second, (Ok("nine".to_owned()), Brought::Elsewhere));
        assert!(flights.lock().is_empty());
    }

    #[tokio::test]
    async fn a_load_that_is_cut_off_is_taken_over() {
        let (flights, to) = (Flights::default(), destination());
        let mut cut = Box::pin(flights.fly(to.clone(), core::future::pending::<Result<String, ()>>));
        assert!(futures::poll!(&mut cut).is_pending());
        let mut next = Box::pin(flights.fly(to.clone(), || async { Ok::<_, ()>("ten".to_owned()) }));
        assert!(futures::poll!(&mut next).is_pending());
        drop(cut);
        assert_eq!(next.await, (Ok("ten".to_owned()), Brought::Here));
    }

    #[tokio::test]
    async fn a_failed_load_fails_no_other_caller() {
        let (flights, to, barrier) = (Flights::default(), destination(), Barrier::new(2));
        let leader = flights.fly(to.clone(), || slow(&barrier, Err("refused")));
        let other = async {
            let load = || async { Ok::<_, &str>("eleven".to_owned()) };
            let mut other = Box::pin(flights.fly(to.clone(), load));
            assert!(futures::poll!(&mut other).is_pending());
            barrier.wait().await;
            other.await
        };
        let (first, second) = tokio::join!(leader, other);
        assert_eq!(first, (Err("refused"), Brought::Here));
        assert_eq!(second, (Ok("eleven".to_owned()), Brought::Elsewhere));
    }
}
