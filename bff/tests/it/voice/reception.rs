//! What reception does beside booking, as the voice door calls it.

use async_trait::async_trait;
use caller::BusinessScope;
use proto::{
    contact::ContactReach,
    frontdesk::{scheduling::v1::*, tenancy::v1::*},
};
use tonic::Status;

use super::services::{Serving, not_called_by_the_door};

#[async_trait]
impl ScheduleServiceHandler for Serving {
    async fn contact_reach(&self, _: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(ContactReach::All)
    }

    async fn get_opening_hours(
        &self,
        scope: BusinessScope,
        request: GetOpeningHoursRequest,
    ) -> Result<GetOpeningHoursResponse, Status> {
        drop(self.0.for_agent("get_opening_hours", &scope, &request.business_id)?);
        // Tuesday to Saturday, nine to six.
        let spans = (2..=6).map(|weekday| WeeklySpan { weekday, from_minute: 540, to_minute: 1080 });
        Ok(GetOpeningHoursResponse { time_zone: "Europe/London".into(), spans: spans.collect() })
    }

    async fn set_opening_hours(
        &self,
        _: BusinessScope,
        _: SetOpeningHoursRequest,
    ) -> Result<SetOpeningHoursResponse, Status> {
        not_called_by_the_door()
    }

    async fn set_weekly_schedule(
        &self,
        _: BusinessScope,
        _: SetWeeklyScheduleRequest,
    ) -> Result<SetWeeklyScheduleResponse, Status> {
        not_called_by_the_door()
    }

    async fn list_weekly_schedules(
        &self,
        _: BusinessScope,
        _: ListWeeklySchedulesRequest,
    ) -> Result<ListWeeklySchedulesResponse, Status> {
        not_called_by_the_door()
    }

    async fn remove_weekly_schedule(
        &self,
        _: BusinessScope,
        _: RemoveWeeklyScheduleRequest,
    ) -> Result<RemoveWeeklyScheduleResponse, Status> {
        not_called_by_the_door()
    }

    async fn set_day_hours(
        &self,
        _: BusinessScope,
        _: SetDayHoursRequest,
    ) -> Result<SetDayHoursResponse, Status> {
        not_called_by_the_door()
    }

    async fn remove_day_hours(
        &self,
        _: BusinessScope,
        _: RemoveDayHoursRequest,
    ) -> Result<RemoveDayHoursResponse, Status> {
        not_called_by_the_door()
    }

    async fn list_staff_schedules(
        &self,
        _: BusinessScope,
        _: ListStaffSchedulesRequest,
    ) -> Result<ListStaffSchedulesResponse, Status> {
        not_called_by_the_door()
    }

    async fn list_day_hours(
        &self,
        _: BusinessScope,
        _: ListDayHoursRequest,
    ) -> Result<ListDayHoursResponse, Status> {
        not_called_by_the_door()
    }
}

#[async_trait]
impl OpeningExceptionServiceHandler for Serving {
    async fn contact_reach(&self, _: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(ContactReach::All)
    }

    async fn list_opening_exceptions(
        &self,
        scope: BusinessScope,
        request: ListOpeningExceptionsRequest,
    ) -> Result<ListOpeningExceptionsResponse, Status> {
        drop(self.0.for_agent("list_opening_exceptions", &scope, &request.business_id)?);
        Ok(ListOpeningExceptionsResponse::default())
    }

    async fn add_opening_exception(
        &self,
        _: BusinessScope,
        _: AddOpeningExceptionRequest,
    ) -> Result<AddOpeningExceptionResponse, Status> {
        not_called_by_the_door()
    }

    async fn remove_opening_exception(
        &self,
        _: BusinessScope,
        _: RemoveOpeningExceptionRequest,
    ) -> Result<RemoveOpeningExceptionResponse, Status> {
        not_called_by_the_door()
    }
}

#[async_trait]
impl FollowUpServiceHandler for Serving {
    async fn contact_reach(&self, _: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(ContactReach::All)
    }

    async fn list_follow_ups(
        &self,
        _: BusinessScope,
        _: ListFollowUpsRequest,
    ) -> Result<ListFollowUpsResponse, Status> {
        not_called_by_the_door()
    }

    async fn create_follow_up(
        &self,
        scope: BusinessScope,
        request: CreateFollowUpRequest,
    ) -> Result<CreateFollowUpResponse, Status> {
        let mut book = self.0.for_agent("create_follow_up", &scope, &request.business_id)?;
        let id = match book.answered("create_follow_up", &scope) {
            Some(id) => id,
            None => {
                let id = book.new_id();
                book.answer("create_follow_up", &scope, &id);
                book.messages.push(request);
                id
            }
        };
        let follow_up = FollowUp { id, ..FollowUp::default() };
        Ok(CreateFollowUpResponse { follow_up: Some(follow_up), ..CreateFollowUpResponse::default() })
    }

    async fn assign_follow_up(
        &self,
        _: BusinessScope,
        _: AssignFollowUpRequest,
    ) -> Result<AssignFollowUpResponse, Status> {
        not_called_by_the_door()
    }

    async fn complete_follow_up(
        &self,
        _: BusinessScope,
        _: CompleteFollowUpRequest,
    ) -> Result<CompleteFollowUpResponse, Status> {
        not_called_by_the_door()
    }

    async fn reopen_follow_up(
        &self,
        _: BusinessScope,
        _: ReopenFollowUpRequest,
    ) -> Result<ReopenFollowUpResponse, Status> {
        not_called_by_the_door()
    }
}

#[async_trait]
impl WaitlistServiceHandler for Serving {
    async fn contact_reach(&self, _: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(ContactReach::All)
    }

    async fn join_waitlist(
        &self,
        scope: BusinessScope,
        request: JoinWaitlistRequest,
    ) -> Result<JoinWaitlistResponse, Status> {
        let mut book = self.0.for_agent("join_waitlist", &scope, &request.business_id)?;
        let entry = WaitlistEntry { id: book.new_id(), ..WaitlistEntry::default() };
        book.waiting.push(request);
        Ok(JoinWaitlistResponse { entry: Some(entry), ..JoinWaitlistResponse::default() })
    }

    async fn move_to_waitlist(
        &self,
        _: BusinessScope,
        _: MoveToWaitlistRequest,
    ) -> Result<MoveToWaitlistResponse, Status> {
        not_called_by_the_door()
    }

    async fn list_waitlist(
        &self,
        _: BusinessScope,
        _: ListWaitlistRequest,
    ) -> Result<ListWaitlistResponse, Status> {
        not_called_by_the_door()
    }

    async fn leave_waitlist(
        &self,
        _: BusinessScope,
        _: LeaveWaitlistRequest,
    ) -> Result<LeaveWaitlistResponse, Status> {
        not_called_by_the_door()
    }

    async fn book_from_waitlist(
        &self,
        _: BusinessScope,
        _: BookFromWaitlistRequest,
    ) -> Result<BookFromWaitlistResponse, Status> {
        not_called_by_the_door()
    }
}
