//! Why a start is free or not.

use jiff::{SignedDuration, Timestamp};
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        Candidate, ExplainAvailabilityRequest, ExplainAvailabilityResponse, Hypothesis, Obstacle, VisitItem,
        obstacle::{Kind, Part},
        visit_obstacle::Kind as Whole,
    },
    time::to_proto,
};
use tonic::Status;
use uuid::Uuid;

use crate::{
    closures,
    salon::{
        ANA, BEN, COLOUR, CUT, MASSAGE, Salon, WILLOW, anyone, booking, by, fact, field, local, monday,
        reason, service, shown,
    },
    time_off,
};

const TUESDAY: &str = "2026-06-02";

pub fn request(items: Vec<VisitItem>, start: Timestamp) -> ExplainAvailabilityRequest {
    ExplainAvailabilityRequest {
        business_id: WILLOW.to_string(),
        items,
        starts_at: Some(to_proto(start)),
        ..ExplainAvailabilityRequest::default()
    }
}

impl Salon {
    pub async fn explain_as(
        &self,
        request: ExplainAvailabilityRequest,
    ) -> Result<ExplainAvailabilityResponse, Status> {
        Ok(self.availability().explain_availability(self.agent(request)).await?.into_inner())
    }

    pub async fn explain(&self, items: Vec<VisitItem>, start: Timestamp) -> ExplainAvailabilityResponse {
        self.explain_as(request(items, start)).await.unwrap()
    }

    /// The employees' names, as tenancy's events bring them.
    async fn named() -> Self {
        let salon = Self::open().await;
        let names = format!(
            "UPDATE employee SET name = CASE id WHEN '{ANA}' THEN 'Ana' ELSE 'Ben' END WHERE business_id = '{WILLOW}'"
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(names)).execute(&mut salon.superuser().await).await.unwrap();
        salon
    }
}

fn candidate(explained: &ExplainAvailabilityResponse, item: usize, employee: Uuid) -> &Candidate {
    let all = &explained.items[item].candidates;
    all.iter().find(|candidate| candidate.employee_id == employee.to_string()).unwrap()
}

/// An obstacle's kind, part, end and record.
fn told(obstacle: &Obstacle) -> (Kind, Part, String, String) {
    (obstacle.kind(), obstacle.part(), shown(obstacle.until.as_ref()), obstacle.record_id.clone())
}

#[tokio::test]
async fn a_free_start_is_answered_with_the_visit_as_it_would_be_booked() {
    let salon = Salon::named().await;
    let explained = salon.explain(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await;
    assert_eq!(explained.sentence, "10 am tomorrow is free with Ana.");
    assert_eq!(explained.time_zone, "Europe/London");
    assert_eq!(shown(explained.offer.unwrap().ends_at.as_ref()), "10:30");
    assert!(explained.next_offer.is_none() && explained.obstacles.is_empty());
    assert_eq!(explained.items[0].candidates[0].obstacles, []);
}

#[tokio::test]
async fn a_person_reads_times_as_their_screen_shows_them() {
    let salon = Salon::named().await;
    let question = salon.employee(request(vec![by(CUT, ANA)], local("2026-06-07", "15:00")));
    let read = salon.availability().explain_availability(question).await.unwrap().into_inner();
    assert_eq!(
        read.sentence,
        "We are closed at 15:00 on Sunday 7 June, but 9:00 on Monday 8 June with Ana is free."
    );
}

#[tokio::test]
async fn an_appointment_in_the_way_is_named_by_its_id_and_never_by_its_customer() {
    let salon = Salon::named().await;
    let booked = salon.book(vec![by(COLOUR, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    let explained = salon.explain(vec![by(CUT, ANA)], local(TUESDAY, "10:15")).await;
    let obstacles = &candidate(&explained, 0, ANA).obstacles;
    assert_eq!(
        obstacles.iter().map(told).collect::<Vec<_>>(),
        [(Kind::Booked, Part::Service, "10:30".to_owned(), booked.id)]
    );
    // Colour takes from half past ten to eleven.
    assert_eq!(
        explained.sentence,
        "Ana is with another customer until 10:30 am, but 10:30 am with Ana is free."
    );
    assert_eq!(shown(explained.next_offer.unwrap().starts_at.as_ref()), "10:30");
    assert!(explained.offer.is_none());
}

#[tokio::test]
async fn a_held_time_and_an_absence_are_told_apart() {
    let salon = Salon::named().await;
    let hold = salon.hold(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    salon.import(vec![fact("dentist", local(TUESDAY, "11:03"), local(TUESDAY, "11:57"))]).await.unwrap();
    let held = salon.explain(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await;
    let obstacle = told(&candidate(&held, 0, ANA).obstacles[0]);
    assert_eq!((obstacle.0, obstacle.3), (Kind::Held, hold.id));
    assert!(held.sentence.starts_with("10 am tomorrow with Ana is being held for another customer"));
    let away = salon.explain(vec![by(CUT, ANA)], local(TUESDAY, "11:30")).await;
    let obstacle = told(&candidate(&away, 0, ANA).obstacles[0]);
    assert_eq!((obstacle.0, obstacle.2.as_str()), (Kind::Busy, "11:57"));
    assert_eq!(away.sentence, "Ana is away until 11:57 am, but 12 pm with Ana is free.");

    // Once the hold has expired, nothing is in the way any more.
    salon.time.advance(SignedDuration::from_mins(6));
    let free = salon.explain(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await;
    assert!(free.offer.is_some());
}

#[tokio::test]
async fn what_lies_in_a_buffer_is_told_as_such() {
    let salon = Salon::named().await;
    salon.book(vec![by(CUT, BEN)], local(TUESDAY, "10:00")).await.unwrap();
    let explained = salon.explain(vec![anyone(MASSAGE)], local(TUESDAY, "10:30")).await;
    assert_eq!(candidate(&explained, 0, BEN).obstacles[0].part(), Part::BufferBefore);
    assert_eq!(
        explained.sentence,
        "There is not enough room between customers at 10:30 am tomorrow, but 10:45 am with Ben is free."
    );
}

#[tokio::test]
async fn each_service_of_a_visit_is_explained_at_its_own_time() {
    let salon = Salon::named().await;
    let booked = salon.book(vec![by(CUT, BEN)], local(TUESDAY, "11:00")).await.unwrap();
    let explained = salon.explain(vec![anyone(CUT), anyone(MASSAGE)], local(TUESDAY, "10:30")).await;
    assert_eq!(candidate(&explained, 0, ANA).obstacles, []);
    let massage = candidate(&explained, 1, BEN);
    assert_eq!(massage.obstacles[0].record_id, booked.id);
    assert_eq!(shown(explained.items[1].starts_at.as_ref()), "11:00");
    assert!(explained.sentence.starts_with("Ben is with another customer until 11:30 am, but"));
}

#[tokio::test]
async fn hours_lead_time_and_horizon_are_in_the_way_of_the_visit_as_a_whole() {
    let salon = Salon::named().await;
    let whole = |explained: &ExplainAvailabilityResponse| {
        explained.obstacles.iter().map(|obstacle| obstacle.kind()).collect::<Vec<_>>()
    };
    let sunday = salon.explain(vec![anyone(CUT)], local("2026-06-07", "10:00")).await;
    assert_eq!(whole(&sunday), [Whole::Closed]);
    assert_eq!(
        sunday.sentence,
        "We are closed at 10 am on Sunday 7 June, but 9 am on Monday 8 June with Ana is free."
    );
    let late = salon.explain(vec![anyone(CUT)], local(TUESDAY, "17:45")).await;
    assert!(late.sentence.starts_with("We close at 6 pm, before the visit would be over, but"));
    let past = salon.explain(vec![anyone(CUT)], local("2026-05-29", "10:00")).await;
    assert_eq!(whole(&past), [Whole::TooSoon]);
    assert!(past.sentence.starts_with("10 am on Friday 29 May has passed already, but"));
    let far = salon.explain(vec![anyone(CUT)], local("2027-06-01", "10:00")).await;
    assert_eq!(whole(&far), [Whole::TooFar]);
    assert!(far.next_offer.is_none());
}

#[tokio::test]
async fn the_desk_hears_what_is_really_in_the_way_and_not_of_the_notice_of_customers() {
    let salon = Salon::named().await;
    sqlx::query("UPDATE business_settings SET lead_minutes = 120, schedule_version = schedule_version + 1")
        .execute(&mut salon.superuser().await)
        .await
        .unwrap();
    let taken = salon.book_as(salon.employee(booking(vec![by(CUT, ANA)], monday("10:00")))).await.unwrap();
    let question = || request(vec![by(CUT, ANA)], monday("10:00"));
    let by_desk = salon.availability().explain_availability(salon.employee(question())).await.unwrap();
    let by_desk = by_desk.into_inner();
    assert!(by_desk.obstacles.is_empty(), "{by_desk:?}");
    assert!(by_desk.sentence.starts_with("Ana is with another customer until"), "{}", by_desk.sentence);
    let by_agent = salon.explain_as(question()).await.unwrap();
    assert_eq!(by_agent.obstacles[0].kind(), Whole::TooSoon);
    let for_customer = ExplainAvailabilityRequest { for_customer: true, ..question() };
    let for_customer = salon.availability().explain_availability(salon.employee(for_customer)).await.unwrap();
    assert_eq!(for_customer.into_inner().obstacles, by_agent.obstacles);
    // Once its start has passed, the visit itself may still get another employee then.
    salon.time.advance(SignedDuration::from_mins(70));
    let stays = ExplainAvailabilityRequest {
        hypothesis: Some(Hypothesis { without_visit_ids: vec![taken.id], ..Default::default() }),
        ..request(vec![by(CUT, BEN)], monday("10:00"))
    };
    let free = salon.availability().explain_availability(salon.employee(stays.clone())).await.unwrap();
    assert_eq!(free.into_inner().obstacles, []);
    let other = ExplainAvailabilityRequest { starts_at: Some(to_proto(monday("09:55"))), ..stays };
    let other = salon.availability().explain_availability(salon.employee(other)).await.unwrap().into_inner();
    assert_eq!(other.obstacles[0].kind(), Whole::TooSoon);
}

#[tokio::test]
async fn who_does_not_do_a_service_is_told_and_nothing_else_is_offered() {
    let salon = Salon::named().await;
    let explained = salon.explain(vec![by(MASSAGE, ANA)], local(TUESDAY, "10:00")).await;
    assert_eq!(candidate(&explained, 0, ANA).obstacles[0].kind(), Kind::NotSkilled);
    assert!(explained.sentence.starts_with("Ana does not do Massage"));
    let nails = Uuid::from_u128(0xc9);
    salon.create_service(service(nails, "Nails", &[30], &[])).await.unwrap();
    let explained = salon.explain(vec![anyone(nails)], local(TUESDAY, "10:00")).await;
    assert!(explained.items[0].candidates.is_empty());
    assert!(explained.sentence.starts_with("No one here does Nails at the moment"));
}

#[tokio::test]
async fn the_sentence_is_said_in_german_too() {
    let salon = Salon::named().await;
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    let request = ExplainAvailabilityRequest {
        language: "de".to_owned(),
        ..request(vec![by(CUT, ANA)], local(TUESDAY, "10:00"))
    };
    assert_eq!(
        salon.explain_as(request).await.unwrap().sentence,
        "Ana hat bis 10:30 Uhr einen anderen Termin, aber um 10:30 Uhr ist bei Ana frei."
    );
}

#[tokio::test]
async fn a_malformed_question_is_refused_by_its_field() {
    let salon = Salon::open().await;
    let good = || request(vec![anyone(CUT)], local(TUESDAY, "10:00"));
    let off_the_grid = Some(to_proto(local(TUESDAY, "10:00") + SignedDuration::from_secs(1)));
    for (bad, named) in [
        (ExplainAvailabilityRequest { items: vec![], ..good() }, "items"),
        (ExplainAvailabilityRequest { items: vec![anyone(CUT); 7], ..good() }, "items"),
        (ExplainAvailabilityRequest { starts_at: None, ..good() }, "starts_at"),
        (ExplainAvailabilityRequest { starts_at: off_the_grid, ..good() }, "starts_at"),
        (ExplainAvailabilityRequest { language: "fr".to_owned(), ..good() }, "language"),
    ] {
        assert_eq!(field(&salon.explain_as(bad).await.unwrap_err()), named);
    }
    let unknown = request(vec![anyone(Uuid::from_u128(0xdead))], local(TUESDAY, "10:00"));
    assert_eq!(reason(&salon.explain_as(unknown).await.unwrap_err()), Reason::NotFound);
}

#[tokio::test]
async fn closures_and_time_off_are_named_by_their_records_and_not_by_their_reasons() {
    let salon = Salon::named().await;
    let leave = time_off::ask(&salon, time_off::days(TUESDAY, TUESDAY)).await.unwrap();
    time_off::approve(&salon, &leave.id).await.unwrap();
    let away = salon.explain(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await;
    let told: Vec<_> = candidate(&away, 0, ANA).obstacles.iter().map(told).collect();
    assert_eq!(told[0].0, Kind::NotWorking);
    assert_eq!((told[1].0, told[1].3.as_str(), told.len()), (Kind::Off, leave.id.as_str(), 2));
    assert!(away.sentence.starts_with("Ana is not at work at 10 am tomorrow, but"), "{}", away.sentence);

    let wednesday = "2026-06-03";
    let closure = closures::add(&salon, closures::closed(wednesday, wednesday)).await.unwrap();
    let closed = salon.explain(vec![anyone(CUT)], local(wednesday, "10:00")).await;
    let obstacle = &closed.obstacles[0];
    assert_eq!((obstacle.kind(), obstacle.record_id.as_str()), (Whole::Closed, closure.id.as_str()));
    assert!(closed.sentence.starts_with("We are closed at 10 am on Wednesday 3 June, but"));
    // Weekly hours have no record to refer to.
    assert_eq!(
        salon.explain(vec![anyone(CUT)], local("2026-06-07", "10:00")).await.obstacles[0].record_id,
        ""
    );
}
