//! Closures and special hours.

use caller::Role;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        AddOpeningExceptionRequest, DaySpan, ListOpeningExceptionsRequest, OpeningException,
        RemoveOpeningExceptionRequest, availability_service_client::AvailabilityServiceClient,
    },
};
use testkit::{as_agent, as_user};
use tonic::Status;
use tonic_types::StatusExt;
use uuid::Uuid;

use crate::{
    events::schedule_versions,
    salon::{
        ANA, BEN, CONNECTION, CUT, OTHER, Salon, WILLOW, anyone, by, field, hours, local, reason, starts,
        weekdays, with_key,
    },
};

pub fn closed(first: &str, last: &str) -> AddOpeningExceptionRequest {
    AddOpeningExceptionRequest {
        business_id: WILLOW.to_string(),
        first_date: first.to_owned(),
        last_date: last.to_owned(),
        spans: vec![],
        label: "Christmas".to_owned(),
        ..Default::default()
    }
}

fn removal(id: &str) -> RemoveOpeningExceptionRequest {
    RemoveOpeningExceptionRequest {
        business_id: WILLOW.to_string(),
        opening_exception_id: id.to_owned(),
        ..Default::default()
    }
}

fn list(page_size: i32, page_token: &str) -> ListOpeningExceptionsRequest {
    ListOpeningExceptionsRequest {
        business_id: WILLOW.to_string(),
        page_size,
        page_token: page_token.to_owned(),
        from_date: String::new(),
    }
}

pub async fn add(salon: &Salon, request: AddOpeningExceptionRequest) -> Result<OpeningException, Status> {
    let response = salon.opening_exceptions().add_opening_exception(salon.manager(request)).await?;
    Ok(response.into_inner().opening_exception.unwrap())
}

async fn remove(salon: &Salon, id: &str) -> Result<(), Status> {
    salon.opening_exceptions().remove_opening_exception(salon.manager(removal(id))).await.map(drop)
}

async fn firsts(salon: &Salon, request: ListOpeningExceptionsRequest) -> Vec<String> {
    let request = as_user(&salon.host, Role::Guest, WILLOW, request);
    let page = salon.opening_exceptions().list_opening_exceptions(request).await.unwrap().into_inner();
    page.opening_exceptions.into_iter().map(|exception| exception.first_date).collect()
}

#[tokio::test]
async fn nothing_is_offered_on_closed_days_and_all_of_it_again_once_they_are_not() {
    let salon = Salon::open().await;
    let open = salon.offered_on_tuesday(vec![anyone(CUT)]).await;
    assert_eq!(open.len(), 35);
    let closure = add(&salon, closed("2026-06-02", "2026-06-03")).await.unwrap();
    for date in ["2026-06-02", "2026-06-03"] {
        assert!(salon.search(vec![anyone(CUT)], date).await.unwrap().offers.is_empty(), "{date}");
    }
    assert_eq!(salon.search(vec![anyone(CUT)], "2026-06-04").await.unwrap().offers.len(), 35);
    let refused = salon.book(vec![by(CUT, ANA)], local("2026-06-02", "10:00")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotWorking);
    remove(&salon, &closure.id).await.unwrap();
    assert_eq!(salon.offered_on_tuesday(vec![anyone(CUT)]).await, open);
}

#[tokio::test]
async fn special_hours_count_instead_of_the_week_within_what_people_work() {
    let salon = Salon::open().await;
    let special = AddOpeningExceptionRequest { spans: hours(7, 11), ..closed("2026-06-02", "2026-06-02") };
    add(&salon, special).await.unwrap();
    let offered = salon.offered_on_tuesday(vec![anyone(CUT)]).await;
    assert_eq!((offered[0].as_str(), offered[offered.len() - 1].as_str()), ("09:00", "10:30"));
    salon.set_week(BEN, weekdays(6, 18)).await;
    assert_eq!(salon.offered_on_tuesday(vec![anyone(CUT)]).await[0], "07:00");
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await[0], "09:00");
}

#[tokio::test]
async fn a_replica_that_looked_at_the_day_before_looks_again() {
    let salon = Salon::open().await;
    let mut replica = AvailabilityServiceClient::new(salon.replica().await);
    let mut offered = async || {
        let request = proto::frontdesk::scheduling::v1::SearchAvailabilityRequest {
            business_id: WILLOW.to_string(),
            items: vec![anyone(CUT)],
            from: Some(proto::time::to_proto(local("2026-06-02", "00:00"))),
            to: Some(proto::time::to_proto(local("2026-06-03", "00:00"))),
            page_size: 200,
            page_token: String::new(),
            ..Default::default()
        };
        let found = replica.search_availability(salon.agent(request)).await.unwrap();
        starts(&found.into_inner().offers).len()
    };
    assert_eq!(offered().await, 35);
    add(&salon, closed("2026-06-02", "2026-06-02")).await.unwrap();
    assert_eq!(offered().await, 0);
}

#[tokio::test]
async fn dates_that_another_exception_has_are_refused_with_its_id() {
    let salon = Salon::open().await;
    let christmas = add(&salon, closed("2026-12-25", "2026-12-26")).await.unwrap();
    for (first, last) in [("2026-12-26", "2026-12-27"), ("2026-12-20", "2026-12-31")] {
        let refused = add(&salon, closed(first, last)).await.unwrap_err();
        assert_eq!(reason(&refused), Reason::Overlaps);
        assert_eq!(refused.get_details_error_info().unwrap().metadata["id"], christmas.id);
    }
    add(&salon, closed("2026-12-24", "2026-12-24")).await.unwrap();
    add(&salon, closed("2026-12-27", "2026-12-27")).await.unwrap();
    assert_eq!(firsts(&salon, list(0, "")).await, ["2026-12-24", "2026-12-25", "2026-12-27"]);
    // Another business's dates are its own.
    salon.set_hours(OTHER, vec![]).await;
    let theirs =
        AddOpeningExceptionRequest { business_id: OTHER.to_string(), ..closed("2026-12-25", "2026-12-26") };
    let theirs = as_user(&salon.host, Role::Manager, OTHER, theirs);
    salon.opening_exceptions().add_opening_exception(theirs).await.unwrap();
}

#[tokio::test]
async fn exceptions_are_listed_by_date_a_page_at_a_time_to_guests_and_the_agent() {
    let salon = Salon::open().await;
    for first in ["2026-12-25", "2026-08-03", "2027-01-01", "2026-05-04"] {
        add(&salon, closed(first, first)).await.unwrap();
    }
    let (mut seen, mut token) = (vec![], String::new());
    loop {
        let request = as_agent(&salon.host, CONNECTION, WILLOW, list(2, &token));
        let page = salon.opening_exceptions().list_opening_exceptions(request).await.unwrap().into_inner();
        seen.extend(page.opening_exceptions.into_iter().map(|exception| exception.first_date));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(seen, ["2026-05-04", "2026-08-03", "2026-12-25", "2027-01-01"]);
    let coming = ListOpeningExceptionsRequest { from_date: "2026-12-25".to_owned(), ..list(0, "") };
    assert_eq!(firsts(&salon, coming).await, ["2026-12-25", "2027-01-01"]);
}

#[tokio::test]
async fn a_malformed_exception_names_its_field() {
    let salon = Salon::open().await;
    let day = || closed("2026-12-25", "2026-12-26");
    let span = |from_minute, to_minute| DaySpan { from_minute, to_minute };
    let cases = [
        (AddOpeningExceptionRequest { first_date: String::new(), ..day() }, "first_date"),
        (AddOpeningExceptionRequest { first_date: "25.12.2026".to_owned(), ..day() }, "first_date"),
        (AddOpeningExceptionRequest { first_date: "2026-12-25T10:00".to_owned(), ..day() }, "first_date"),
        (AddOpeningExceptionRequest { first_date: "1999-12-25".to_owned(), ..day() }, "first_date"),
        (AddOpeningExceptionRequest { last_date: "2026-12-24".to_owned(), ..day() }, "last_date"),
        (AddOpeningExceptionRequest { last_date: "2026-02-30".to_owned(), ..day() }, "last_date"),
        (AddOpeningExceptionRequest { last_date: "2028-01-01".to_owned(), ..day() }, "last_date"),
        (AddOpeningExceptionRequest { label: "x".repeat(81), ..day() }, "label"),
        (AddOpeningExceptionRequest { label: "two\nlines".to_owned(), ..day() }, "label"),
        (AddOpeningExceptionRequest { spans: vec![span(540, 600), span(595, 700)], ..day() }, "spans[1]"),
        (AddOpeningExceptionRequest { spans: vec![span(541, 600)], ..day() }, "spans[0]"),
        (AddOpeningExceptionRequest { spans: vec![span(540, 1445)], ..day() }, "spans[0]"),
        (AddOpeningExceptionRequest { spans: vec![span(0, 5); 21], ..day() }, "spans"),
    ];
    for (request, expected) in cases {
        assert_eq!(field(&add(&salon, request).await.unwrap_err()), expected);
    }
    let listed = async |request| {
        field(&salon.opening_exceptions().list_opening_exceptions(salon.manager(request)).await.unwrap_err())
    };
    assert_eq!(listed(list(201, "")).await, "page_size");
    assert_eq!(listed(list(0, "bm9wZQ")).await, "page_token");
    assert_eq!(
        listed(ListOpeningExceptionsRequest { from_date: "soon".to_owned(), ..list(0, "") }).await,
        "from_date"
    );
    assert_eq!(field(&remove(&salon, "x").await.unwrap_err()), "opening_exception_id");
    assert!(firsts(&salon, list(0, "")).await.is_empty());
}

#[tokio::test]
async fn exceptions_are_changed_by_managers_of_the_business_alone() {
    let salon = Salon::open().await;
    salon.set_hours(OTHER, vec![]).await;
    let christmas = add(&salon, closed("2026-12-25", "2026-12-26")).await.unwrap();
    let cases = [(Role::Employee, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)];
    for (role, business, expected) in cases {
        let request = as_user(&salon.host, role, business, closed("2026-12-27", "2026-12-27"));
        let refused = salon.opening_exceptions().add_opening_exception(request).await.unwrap_err();
        assert_eq!(reason(&refused), expected);
        let request = as_user(&salon.host, role, business, removal(&christmas.id));
        let refused = salon.opening_exceptions().remove_opening_exception(request).await.unwrap_err();
        assert_eq!(reason(&refused), expected);
    }
    let theirs = RemoveOpeningExceptionRequest { business_id: OTHER.to_string(), ..removal(&christmas.id) };
    let theirs = as_user(&salon.host, Role::Owner, OTHER, theirs);
    let refused = salon.opening_exceptions().remove_opening_exception(theirs).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
    let missing = remove(&salon, &Uuid::from_u128(404).to_string()).await.unwrap_err();
    assert_eq!(reason(&missing), Reason::NotFound);
    assert_eq!(firsts(&salon, list(0, "")).await, ["2026-12-25"]);
}

#[tokio::test]
async fn a_repeated_addition_has_one_effect_and_each_change_is_told_and_audited_once() {
    let salon = Salon::open().await;
    let once = || with_key(salon.manager(closed("2026-12-25", "2026-12-26")), "k1");
    let first = salon.opening_exceptions().add_opening_exception(once()).await.unwrap().into_inner();
    let again = salon.opening_exceptions().add_opening_exception(once()).await.unwrap().into_inner();
    assert_eq!(first, again);
    add(&salon, closed("2026-12-26", "2026-12-26")).await.unwrap_err();
    remove(&salon, &first.opening_exception.unwrap().id).await.unwrap();
    assert_eq!(schedule_versions(&salon).await, [1, 2, 3, 4, 5, 6, 7, 8]);
    let trail = salon.trail().await;
    let actions: Vec<_> = trail[6..].iter().map(|(action, _)| action.as_str()).collect();
    assert_eq!(actions, ["AddOpeningException", "RemoveOpeningException"]);
}
