//! How the calendars of several businesses are, for administrators.

use caller::{BusinessId, Role};
use proto::{
    error::{Reason, reason_of},
    frontdesk::calendarsync::v1::{CalendarHealth, ListCalendarHealthRequest},
};
use testkit::{SESSION, USER, as_person, as_user};
use tonic::{Code, Status};

use crate::salon::{OTHER, SALON, Salon, TOM, TOMS};

fn of(businesses: &[BusinessId]) -> ListCalendarHealthRequest {
    ListCalendarHealthRequest { business_ids: businesses.iter().map(ToString::to_string).collect() }
}

async fn health(salon: &Salon, businesses: &[BusinessId]) -> Result<Vec<CalendarHealth>, Status> {
    let request = as_person(&salon.host, USER, SESSION, None, Some(Role::Admin), of(businesses));
    Ok(salon.calendars().list_calendar_health(request).await?.into_inner().calendars)
}

#[tokio::test]
async fn calendars_are_counted_by_whether_they_are_in_step() {
    let salon = Salon::with_calendar().await;
    let read = salon.calendar().await.synced_at;
    let expected = [
        CalendarHealth { business_id: OTHER.to_string(), ..Default::default() },
        CalendarHealth {
            business_id: SALON.to_string(),
            calendar_count: 1,
            failing_count: 0,
            synced_at: read,
        },
    ];
    assert_eq!(health(&salon, &[OTHER, SALON]).await.unwrap(), expected);

    salon.connect(TOMS, TOM).await.unwrap();
    salon.until(async || health(&salon, &[SALON]).await.unwrap()[0].synced_at.is_some()).await;
    salon
        .meddle(&format!(
            "UPDATE sync_state SET last_error = 'refused', synced_at = NULL WHERE calendar_id = '{TOMS}'"
        ))
        .await;
    let told = health(&salon, &[SALON]).await.unwrap();
    assert_eq!((told[0].calendar_count, told[0].failing_count, told[0].synced_at), (2, 1, None));
}

#[tokio::test]
async fn it_is_for_administrators_who_name_one_to_fifty() {
    let salon = Salon::open().await;
    let owner = as_user(&salon.host, Role::Owner, SALON, of(&[SALON]));
    let refused = salon.calendars().list_calendar_health(owner).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    for wrong in [&[][..], &[SALON; 51]] {
        assert_eq!(health(&salon, wrong).await.unwrap_err().code(), Code::InvalidArgument);
    }
}
