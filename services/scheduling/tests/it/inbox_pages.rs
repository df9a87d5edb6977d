//! However many lines of the inbox are open, each is on one page, and every page says how many there are.

use proto::frontdesk::scheduling::v1::{
    ContactOutcome, ListStrandedAppointmentsRequest, ListStrandedAppointmentsResponse,
};
use tonic::Status;

use crate::{
    inbox::{open_ids, record, set_day},
    salon::{ANA, BEN, CUT, Salon, WILLOW, by, field, local},
};

const TUESDAY: &str = "2026-06-02";

fn request(page_size: i32, page_token: &str) -> ListStrandedAppointmentsRequest {
    ListStrandedAppointmentsRequest {
        business_id: WILLOW.to_string(),
        page_size,
        page_token: page_token.to_owned(),
        ..ListStrandedAppointmentsRequest::default()
    }
}

async fn list(
    salon: &Salon,
    request: ListStrandedAppointmentsRequest,
) -> Result<ListStrandedAppointmentsResponse, Status> {
    Ok(salon.days().list_stranded_appointments(salon.employee(request)).await?.into_inner())
}

/// Five visits of Ana's and one of Ben's on Tuesday morning, by start; Ana is not there before noon.
async fn stranded() -> (Salon, Vec<String>, String) {
    let salon = Salon::open().await;
    let mut visits = vec![];
    for start in ["11:00", "09:00", "10:30", "09:30", "10:00"] {
        let visit = salon.book(vec![by(CUT, ANA)], local(TUESDAY, start)).await.unwrap();
        visits.push((start, visit.id));
    }
    let served = salon.book(vec![by(CUT, BEN)], local(TUESDAY, "10:00")).await.unwrap().id;
    set_day(&salon, ANA, TUESDAY, 12, 18).await;
    visits.sort();
    (salon, visits.into_iter().map(|(_, id)| id).collect(), served)
}

#[tokio::test]
async fn pages_follow_the_start_and_every_page_says_how_many_lines_are_open() {
    let (salon, visits, _) = stranded().await;
    let (mut token, mut pages, mut seen) = (String::new(), vec![], vec![]);
    loop {
        let page = list(&salon, request(2, &token)).await.unwrap();
        pages.push((page.stranded.len(), page.total));
        seen.extend(page.stranded.into_iter().map(|line| line.appointment_id));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!((pages, &seen), (vec![(2, 5), (2, 5), (1, 5)], &visits));
    assert_eq!(open_ids(&salon).await, visits, "all of them without a size");

    record(&salon, &visits[0], ContactOutcome::Told).await.unwrap();
    let first = list(&salon, request(2, "")).await.unwrap();
    assert_eq!((first.stranded[0].appointment_id.as_str(), first.total), (visits[1].as_str(), 4));
}

#[tokio::test]
async fn the_line_of_one_visit_is_found_wherever_it_stands() {
    let (salon, visits, served) = stranded().await;
    let one = async |id: &str| {
        let request = ListStrandedAppointmentsRequest { appointment_id: id.to_owned(), ..request(1, "") };
        let found = list(&salon, request).await.unwrap();
        (found.stranded.len(), found.total, found.next_page_token)
    };
    assert_eq!(one(&visits[4]).await, (1, 1, String::new()));
    assert_eq!(one(&served).await, (0, 0, String::new()));
}

#[tokio::test]
async fn a_page_that_the_list_does_not_have_names_its_field() {
    let (salon, ..) = stranded().await;
    assert_eq!(field(&list(&salon, request(201, "")).await.unwrap_err()), "page_size");
    assert_eq!(field(&list(&salon, request(2, "AAAA")).await.unwrap_err()), "page_token");
}
