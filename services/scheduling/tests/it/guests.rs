//! Visits of several guests, ranked offers, and employees who do a service otherwise.

use jiff::SignedDuration;
use proto::{
    frontdesk::scheduling::v1::{
        OfferRanking, PartOfDay, SearchAvailabilityRequest, SearchAvailabilityResponse, Service,
        SkillOverride, VisitItem,
    },
    time::to_proto,
};
use uuid::Uuid;

use crate::salon::{ANA, BEN, COLOUR, CUT, Salon, WILLOW, anyone, by, field, local, service, shown, starts};

const TUESDAY: &str = "2026-06-02";
const PERM: Uuid = Uuid::from_u128(0xa6);

fn of_guest(guest: i32, item: VisitItem) -> VisitItem {
    VisitItem { guest, ..item }
}

fn on_tuesday(items: Vec<VisitItem>) -> SearchAvailabilityRequest {
    let from = local(TUESDAY, "00:00");
    SearchAvailabilityRequest {
        business_id: WILLOW.to_string(),
        items,
        from: Some(to_proto(from)),
        to: Some(to_proto(from + SignedDuration::from_hours(24))),
        page_size: 200,
        ..SearchAvailabilityRequest::default()
    }
}

impl Salon {
    async fn found(&self, request: SearchAvailabilityRequest) -> SearchAvailabilityResponse {
        self.search_as(self.agent(request)).await.unwrap()
    }

    /// A perm that Ben does in half the time, for less.
    async fn with_a_perm() -> Self {
        let salon = Self::open().await;
        let faster = SkillOverride {
            employee_id: BEN.to_string(),
            segment_minutes: vec![30],
            price_minor: Some(2000),
        };
        let perm = Service { overrides: vec![faster], ..service(PERM, "Perm", &[60], &[ANA, BEN]) };
        salon.create_service(perm).await.unwrap();
        salon
    }
}

#[tokio::test]
async fn two_guests_are_served_at_once_by_two() {
    let salon = Salon::open().await;
    let both = vec![of_guest(0, anyone(CUT)), of_guest(1, anyone(CUT))];
    let booked = salon.book(both.clone(), local(TUESDAY, "10:00")).await.unwrap();
    assert_eq!(booked.items.iter().map(|item| item.guest).collect::<Vec<_>>(), [0, 1]);
    assert_ne!(booked.items[0].employee_id, booked.items[1].employee_id);
    assert_eq!(shown(booked.ends_at.as_ref()), "10:30");
    assert_eq!(booked.price_minor, 2 * booked.items[0].price_minor);
}

#[tokio::test]
async fn guests_without_a_free_employee_come_in_turn() {
    let salon = Salon::open().await;
    // There are two employees: the third guest begins when the first has gone.
    let three: Vec<_> = (0..3).map(|guest| of_guest(guest, anyone(CUT))).collect();
    let offered = salon.offered_on_tuesday(three.clone()).await;
    assert_eq!((offered[0].as_str(), offered.last().unwrap().as_str()), ("09:00", "17:00"));
    let booked = salon.book(three, local(TUESDAY, "17:00")).await.unwrap();
    let begins: Vec<_> =
        booked.items.iter().map(|item| (item.guest, shown(item.starts_at.as_ref()))).collect();
    let expected = [(0, "17:00"), (1, "17:00"), (2, "17:30")].map(|(guest, at)| (guest, at.to_owned()));
    assert_eq!(begins, expected);
    assert_eq!(shown(booked.ends_at.as_ref()), "18:00");

    let with_ana: Vec<_> = (0..2).map(|guest| of_guest(guest, by(CUT, ANA))).collect();
    let booked = salon.book(with_ana, local(TUESDAY, "10:00")).await.unwrap();
    assert_eq!(shown(booked.items[1].starts_at.as_ref()), "10:30");
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_guest_is_served_while_anothers_colour_takes() {
    let salon = Salon::open().await;
    let both = vec![of_guest(0, by(COLOUR, ANA)), of_guest(1, by(CUT, ANA))];
    let booked = salon.book(both, local(TUESDAY, "10:00")).await.unwrap();
    assert_eq!(shown(booked.items[1].starts_at.as_ref()), "10:30");
    assert_eq!(shown(booked.ends_at.as_ref()), "11:15");
    // Another visit goes into the half hour in which the colour takes.
    salon.book(vec![by(COLOUR, ANA)], local(TUESDAY, "13:00")).await.unwrap();
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "13:30")).await.unwrap();
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn guests_and_their_services_are_counted() {
    let salon = Salon::open().await;
    let refused = async |items: Vec<VisitItem>| {
        let request = salon.agent(on_tuesday(items));
        field(&salon.search_as(request).await.unwrap_err())
    };
    assert_eq!(refused(vec![]).await, "items");
    assert_eq!(refused(vec![anyone(CUT); 7]).await, "items");
    assert_eq!(refused(vec![anyone(CUT); 50]).await, "items");
    assert_eq!(refused(vec![of_guest(0, anyone(CUT)), of_guest(2, anyone(CUT))]).await, "items");
    assert_eq!(refused(vec![of_guest(1, anyone(CUT))]).await, "items");
    assert_eq!(refused(vec![of_guest(8, anyone(CUT))]).await, "items[0].guest");
    assert_eq!(refused(vec![of_guest(-1, anyone(CUT))]).await, "items[0].guest");
    let preferring = VisitItem { preferred_employee_id: "Ana".to_owned(), ..anyone(CUT) };
    assert_eq!(refused(vec![preferring]).await, "items[0].preferred_employee_id");
}

#[tokio::test]
async fn who_is_faster_takes_less_time_and_less_money() {
    let salon = Salon::with_a_perm().await;
    let ana = salon.book(vec![by(PERM, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    let ben = salon.book(vec![by(PERM, BEN)], local(TUESDAY, "10:00")).await.unwrap();
    assert_eq!(shown(ana.ends_at.as_ref()), "11:00");
    assert_eq!((shown(ben.ends_at.as_ref()).as_str(), ben.price_minor), ("10:30", 2000));
    assert_ne!(ana.price_minor, 2000);
    // At the end of the day there is time for Ben alone.
    let offers = salon.search(vec![anyone(PERM)], TUESDAY).await.unwrap().offers;
    let last = offers.last().unwrap();
    assert_eq!(
        (shown(last.starts_at.as_ref()).as_str(), last.items[0].employee_id.clone()),
        ("17:30", BEN.to_string())
    );
}

#[tokio::test]
async fn a_preferred_employee_is_taken_where_there_is_a_choice() {
    let salon = Salon::with_a_perm().await;
    for preferred in [ANA, BEN] {
        let item = VisitItem { preferred_employee_id: preferred.to_string(), ..anyone(PERM) };
        let offer = salon.search(vec![item], TUESDAY).await.unwrap().offers.remove(0);
        assert_eq!(offer.items[0].employee_id, preferred.to_string());
    }
    salon.book(vec![by(PERM, ANA)], local(TUESDAY, "09:00")).await.unwrap();
    let item = VisitItem { preferred_employee_id: ANA.to_string(), ..anyone(PERM) };
    let earliest = salon.search(vec![item.clone()], TUESDAY).await.unwrap().offers.remove(0);
    assert_eq!(
        (shown(earliest.starts_at.as_ref()).as_str(), earliest.items[0].employee_id.clone()),
        ("09:00", BEN.to_string())
    );
    let best = SearchAvailabilityRequest { ranking: OfferRanking::Best.into(), ..on_tuesday(vec![item]) };
    let best = salon.found(best).await.offers.remove(0);
    assert_eq!(
        (shown(best.starts_at.as_ref()).as_str(), best.items[0].employee_id.clone()),
        ("10:00", ANA.to_string())
    );
}

#[tokio::test]
async fn the_best_offers_leave_no_gap_that_nothing_fits_into() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:15")).await.unwrap();
    let request = |ranking: OfferRanking, page_size, page_token: String| SearchAvailabilityRequest {
        ranking: ranking.into(),
        page_size,
        page_token,
        ..on_tuesday(vec![by(CUT, ANA)])
    };
    let all = salon.found(request(OfferRanking::Best, 200, String::new())).await.offers;
    let lost: Vec<_> = all.iter().map(|offer| offer.lost_minutes).collect();
    assert!(lost.is_sorted() && lost[0] == 0 && *lost.last().unwrap() > 0, "{lost:?}");
    let at_a_quarter = all.iter().find(|offer| shown(offer.starts_at.as_ref()) == "09:30").unwrap();
    // No visit fits between ten and a quarter past.
    assert_eq!(at_a_quarter.lost_minutes, 15);
    let (mut paged, mut token) = (vec![], String::new());
    loop {
        let page = salon.found(request(OfferRanking::Best, 7, token)).await;
        paged.extend(page.offers);
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(paged, all);
    let mut earliest = salon.found(request(OfferRanking::Earliest, 200, String::new())).await.offers;
    earliest.sort_by_key(|offer| (offer.lost_minutes, offer.starts_at.as_ref().map(|at| at.seconds)));
    assert_eq!(earliest, all);
}

#[tokio::test]
async fn a_part_of_the_day_is_all_that_is_offered() {
    let salon = Salon::open().await;
    for (part, first, last) in [
        (PartOfDay::Morning, "09:00", "11:45"),
        (PartOfDay::Afternoon, "12:00", "16:45"),
        (PartOfDay::Evening, "17:00", "17:30"),
    ] {
        let request = SearchAvailabilityRequest { part_of_day: part.into(), ..on_tuesday(vec![anyone(CUT)]) };
        let offered = starts(&salon.found(request).await.offers);
        assert_eq!((offered.first().unwrap().as_str(), offered.last().unwrap().as_str()), (first, last));
    }
    let unknown = SearchAvailabilityRequest { part_of_day: 9, ..on_tuesday(vec![anyone(CUT)]) };
    assert_eq!(field(&salon.search_as(salon.agent(unknown)).await.unwrap_err()), "part_of_day");
    let unknown = SearchAvailabilityRequest { ranking: 9, ..on_tuesday(vec![anyone(CUT)]) };
    assert_eq!(field(&salon.search_as(salon.agent(unknown)).await.unwrap_err()), "ranking");
}

#[tokio::test]
async fn where_nothing_is_free_the_next_free_time_is_said() {
    let salon = Salon::open().await;
    let sunday = local("2026-06-07", "00:00");
    let request = |part: PartOfDay| SearchAvailabilityRequest {
        from: Some(to_proto(sunday)),
        to: Some(to_proto(sunday + SignedDuration::from_hours(24))),
        part_of_day: part.into(),
        ..on_tuesday(vec![anyone(CUT)])
    };
    let next = async |part| {
        let found = salon.found(request(part)).await;
        assert_eq!(found.offers, []);
        found.next_offer.unwrap().starts_at.map(|at| at.seconds).unwrap()
    };
    assert_eq!(next(PartOfDay::Unspecified).await, local("2026-06-08", "09:00").as_second());
    assert_eq!(next(PartOfDay::Evening).await, local("2026-06-08", "17:00").as_second());
    let found = salon.found(on_tuesday(vec![anyone(CUT)])).await;
    assert!(!found.offers.is_empty() && found.next_offer.is_none());
}
