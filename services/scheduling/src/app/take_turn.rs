//! Turns at the optimiser: one day of a business at a time, and few of all businesses.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

use caller::BusinessId;

use crate::Error;

/// Most days that are worked on at once, of all businesses.
const MOST_AT_ONCE: usize = 4;

/// Whose day is being worked on.
#[derive(Debug, Clone, Default)]
pub struct Turns(Arc<Mutex<HashSet<BusinessId>>>);

/// A business's turn, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    turns: Turns,
    business: BusinessId,
}

impl Turns {
    /// Takes the turn of a business.
    ///
    /// # Errors
    /// [`Error::Optimising`].
    pub fn take(&self, business: BusinessId) -> Result<Turn, Error> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.len() < MOST_AT_ONCE && taken.insert(business) {
            Ok(Turn { turns: self.clone(), business })
        } else {
            Err(Error::Optimising)
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.business);
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_business_has_one_turn_and_all_of_them_four() {
        let turns = Turns::default();
        let take = |number| turns.take(BusinessId(Uuid::from_u128(number)));
        let first = take(1).unwrap();
        assert!(matches!(take(1), Err(Error::Optimising)));
        let others: Vec<_> = (2..=4).map(|number| take(number).unwrap()).collect();
        assert!(matches!(take(5), Err(Error::Optimising)));
        drop(first);
        assert!(take(1).is_ok());
        drop(others);
    }
}
