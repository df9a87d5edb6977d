//! Appointments that go from one employee to another in booking systems of others, between two readings: the employee
//! before is free, in whichever order it happened.

use jiff::{SignedDuration, Timestamp};
use proto::frontdesk::scheduling::internal::v1::BusyFact;
use provider_fakes::{
    phorest::{Entry, Phorest},
    square::Square,
};
use uuid::Uuid;

use crate::{
    others::{Theirs, beside},
    provider::map,
    salon::{MIA, Salon, TOM, at},
};

/// Waits until scheduling holds these starts for Mia and for Tom.
async fn until_held(salon: &Salon, mias: &[Timestamp], toms: &[Timestamp]) {
    let expected = [mias.to_vec(), toms.to_vec()];
    salon
        .until(async || {
            // One of the two is handed back while the other one is read: calls are counted by the clock.
            salon.time.advance(SignedDuration::from_secs(20));
            salon.read_again().await;
            salon.until_at_rest().await;
            [MIA, TOM].map(|employee| held(salon, employee)) == expected
        })
        .await;
}

/// When what scheduling holds of an employee starts.
fn held(salon: &Salon, employee: Uuid) -> Vec<Timestamp> {
    let (imported, employee) = (salon.scheduling.imported(), employee.to_string());
    let is_own = |calendar: &str| imported.employee_of(calendar) == Some(employee.as_str());
    let own = imported.busy.iter().filter(|((calendar, _), _)| is_own(calendar));
    let starts = |fact: &BusyFact| proto::time::required("starts_at", fact.starts_at.as_ref()).unwrap();
    let mut starts: Vec<Timestamp> = own.map(|(_, fact)| starts(fact)).collect();
    starts.sort_unstable();
    starts
}

/// Mia and Tom are mapped, and Mia's one appointment there was read, all of it and then what changed since.
async fn read<T: Theirs>() -> (Salon, T, String) {
    let (salon, theirs, connection) = beside::<T>().await;
    map(&salon, &connection, T::mia(), Some(MIA)).await.unwrap();
    map(&salon, &connection, T::tom(), Some(TOM)).await.unwrap();
    let own = theirs.enter(at(35, 0));
    until_held(&salon, &[at(35, 0)], &[]).await;
    salon.let_pass(SignedDuration::from_mins(5)).await;
    (salon, theirs, own)
}

async fn one_that_goes_to_another_employee_frees_the_one_before<T: Theirs>() {
    let (salon, theirs, own) = read::<T>().await;
    theirs.give(&own, T::tom());
    until_held(&salon, &[], &[at(35, 0)]).await;
    salon.let_pass(SignedDuration::from_mins(5)).await;
    // At another time as well, in another month.
    theirs.give(&own, T::mia());
    theirs.shift(&own, at(24 * 60, 0));
    until_held(&salon, &[at(24 * 60, 0)], &[]).await;
    salon.let_pass(SignedDuration::from_mins(5)).await;
    theirs.shift(&own, at(40, 0));
    theirs.give(&own, T::tom());
    until_held(&salon, &[], &[at(40, 0)]).await;
}

async fn one_that_goes_and_comes_back_before_it_is_read_stays_where_it_is<T: Theirs>() {
    let (salon, theirs, own) = read::<T>().await;
    theirs.give(&own, T::tom());
    theirs.give(&own, T::mia());
    let marker = theirs.enter(at(50, 0));
    until_held(&salon, &[at(35, 0), at(50, 0)], &[]).await;
    theirs.cancel(&marker);
    until_held(&salon, &[at(35, 0)], &[]).await;
}

async fn one_that_goes_and_is_cancelled_there_frees_both<T: Theirs>() {
    let (salon, theirs, own) = read::<T>().await;
    theirs.give(&own, T::tom());
    theirs.cancel(&own);
    until_held(&salon, &[], &[]).await;
}

async fn one_that_is_cancelled_and_entered_for_another_frees_the_one_before<T: Theirs>() {
    let (salon, theirs, own) = read::<T>().await;
    theirs.cancel(&own);
    let other = theirs.enter(at(35, 0));
    theirs.give(&other, T::tom());
    until_held(&salon, &[], &[at(35, 0)]).await;
}

/// All is read anew, and not what changed.
async fn one_that_goes_frees_the_one_before_where_all_is_read<T: Theirs>() {
    let (salon, theirs, own) = read::<T>().await;
    salon.let_pass(SignedDuration::from_hours(8 * 24)).await;
    theirs.shift(&own, at(24 * 10, 0));
    until_held(&salon, &[at(24 * 10, 0)], &[]).await;
    salon.let_pass(SignedDuration::from_hours(8 * 24)).await;
    theirs.shift(&own, at(24 * 20, 0));
    theirs.give(&own, T::tom());
    until_held(&salon, &[], &[at(24 * 20, 0)]).await;
}

macro_rules! of_each_system {
    ($($test:ident),+ $(,)?) => {
        mod phorest {
            $(#[tokio::test]
            async fn $test() {
                super::$test::<super::Phorest>().await;
            })+
        }
        mod square {
            $(#[tokio::test]
            async fn $test() {
                super::$test::<super::Square>().await;
            })+
        }
    };
}

of_each_system!(
    one_that_goes_to_another_employee_frees_the_one_before,
    one_that_goes_and_comes_back_before_it_is_read_stays_where_it_is,
    one_that_goes_and_is_cancelled_there_frees_both,
    one_that_is_cancelled_and_entered_for_another_frees_the_one_before,
    one_that_goes_frees_the_one_before_where_all_is_read,
);

/// Square never gives an id again; Phorest does not say that it does not.
#[tokio::test]
async fn one_that_is_deleted_and_entered_for_another_under_its_id_frees_the_one_before() {
    let (salon, phorest, own) = read::<Phorest>().await;
    let again = |staff: &str| {
        phorest.cancel(&own);
        let entry = Entry {
            staff: staff.to_owned(),
            service: "service-colour".to_owned(),
            starts: at(35, 0),
            ends: at(35, 30),
            note: String::new(),
        };
        phorest.edit(|book, now| book.enter_again(&own, entry, now));
    };
    again(Phorest::tom());
    until_held(&salon, &[], &[at(35, 0)]).await;
    salon.let_pass(SignedDuration::from_mins(5)).await;
    // Before it is read, it is hers again.
    again(Phorest::mia());
    again(Phorest::tom());
    again(Phorest::mia());
    until_held(&salon, &[at(35, 0)], &[]).await;
}
