//! Auth and calendar-sync as their contract promises them: what they do for new employees.

use std::sync::{Arc, Mutex};

use boot::{Host, peer::Peer};
use caller::BusinessScope;
use proto::{
    error::{Reason, invalid, refuse},
    frontdesk::{
        auth::{
            internal::v1::{
                FindMemberRequest, FindMemberResponse, FoundMember, MembershipServiceAdapter,
                MembershipServiceHandler,
            },
            v1::{
                InviteRequest, InviteResponse, LiftBlockRequest, LiftBlockResponse, ListInvitationsRequest,
                ListInvitationsResponse, ListMembersRequest, ListMembersResponse, MemberServiceAdapter,
                MemberServiceHandler, RemoveMemberRequest, RemoveMemberResponse, SetMemberRoleRequest,
                SetMemberRoleResponse, WithdrawInvitationRequest, WithdrawInvitationResponse,
            },
        },
        calendarsync::internal::v1::{
            CheckEmployeeCalendarsRequest, CheckEmployeeCalendarsResponse, ConnectEmployeeCalendarRequest,
            ConnectEmployeeCalendarResponse, EmployeeCalendarServiceAdapter, EmployeeCalendarServiceHandler,
        },
    },
};
use testkit::{host_on, peer, serve};
use tonic::{Status, async_trait, service::Routes};
use uuid::Uuid;

/// Takes on all employees, until a test says otherwise.
#[derive(Debug, Default)]
pub struct Onboarding {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    away: bool,
    removed: bool,
    members: Vec<(String, FoundMember)>,
    strangers: Vec<String>,
    invited: Vec<InviteRequest>,
    connected: Vec<ConnectEmployeeCalendarRequest>,
}

impl Onboarding {
    /// From now on both are away, or there again.
    pub fn leave(&self, away: bool) {
        self.state.lock().unwrap().away = away;
    }

    /// From now on the one who invites may not.
    pub fn remove_inviter(&self) {
        self.state.lock().unwrap().removed = true;
    }

    /// In whose names people were invited.
    pub fn inviters(&self) -> Vec<String> {
        self.state.lock().unwrap().invited.iter().map(|one| one.on_behalf_of.clone()).collect()
    }

    /// Whose address and account belong to the business already.
    pub fn is_member(&self, email: &str, member: FoundMember) {
        self.state.lock().unwrap().members.push((email.to_owned(), member));
    }

    /// Whose account is no member's; all others are.
    pub fn is_stranger(&self, user: Uuid) {
        self.state.lock().unwrap().strangers.push(user.to_string());
    }

    /// Addresses that were invited, with their employees, one after the other.
    pub fn invited(&self) -> Vec<(String, String, String)> {
        let state = self.state.lock().unwrap();
        let invited = state.invited.iter();
        invited.map(|one| (one.email.clone(), one.role.clone(), one.employee_id.clone())).collect()
    }

    /// Calendars that were connected, with their employees and who added them.
    pub fn connected(&self) -> Vec<(String, String, String)> {
        let state = self.state.lock().unwrap();
        let connected = state.connected.iter();
        connected.map(|one| (one.calendar.clone(), one.employee_id.clone(), one.user_id.clone())).collect()
    }

    /// Serves both, for a service on `host`, until that shuts down.
    pub async fn serve(self: &Arc<Self>, host: &Host) -> [Peer; 2] {
        let own = |service| Host { shutdown: host.shutdown.clone(), ..host_on(service, host.clock.clone()) };
        let (auth, calendars) = (own("auth"), own("calendar-sync"));
        let members = MemberServiceAdapter::new(self.clone(), auth.gate.clone()).into_server();
        let memberships = MembershipServiceAdapter::new(self.clone(), auth.gate.clone()).into_server();
        let calendar =
            EmployeeCalendarServiceAdapter::new(self.clone(), calendars.gate.clone()).into_server();
        [
            peer("auth", serve(Routes::new(members).add_service(memberships), &auth).await, host),
            peer("calendar-sync", serve(Routes::new(calendar), &calendars).await, host),
        ]
    }

    fn there(&self) -> Result<std::sync::MutexGuard<'_, State>, Status> {
        let state = self.state.lock().unwrap();
        if state.away { Err(refuse(Reason::Unavailable, "away")) } else { Ok(state) }
    }
}

#[async_trait]
impl MemberServiceHandler for Onboarding {
    async fn invite(&self, _: BusinessScope, request: InviteRequest) -> Result<InviteResponse, Status> {
        let mut state = self.there()?;
        if state.members.iter().any(|(email, _)| *email == request.email) {
            return Err(refuse(Reason::AlreadyExists, "this person is a member already"));
        }
        if state.removed {
            return Err(refuse(Reason::RoleTooLow, "you may not do this here any more"));
        }
        let known = state.invited.contains(&request);
        if !request.check_only && !known {
            state.invited.push(request);
        }
        Ok(InviteResponse { invitation: None })
    }

    async fn list_members(
        &self,
        _: BusinessScope,
        _: ListMembersRequest,
    ) -> Result<ListMembersResponse, Status> {
        Err(Status::unimplemented("not asked"))
    }

    async fn set_member_role(
        &self,
        _: BusinessScope,
        _: SetMemberRoleRequest,
    ) -> Result<SetMemberRoleResponse, Status> {
        Err(Status::unimplemented("not asked"))
    }

    async fn remove_member(
        &self,
        _: BusinessScope,
        _: RemoveMemberRequest,
    ) -> Result<RemoveMemberResponse, Status> {
        Err(Status::unimplemented("not asked"))
    }

    async fn lift_block(&self, _: BusinessScope, _: LiftBlockRequest) -> Result<LiftBlockResponse, Status> {
        Err(Status::unimplemented("not asked"))
    }

    async fn list_invitations(
        &self,
        _: BusinessScope,
        _: ListInvitationsRequest,
    ) -> Result<ListInvitationsResponse, Status> {
        Err(Status::unimplemented("not asked"))
    }

    async fn withdraw_invitation(
        &self,
        _: BusinessScope,
        _: WithdrawInvitationRequest,
    ) -> Result<WithdrawInvitationResponse, Status> {
        Err(Status::unimplemented("not asked"))
    }
}

#[async_trait]
impl MembershipServiceHandler for Onboarding {
    async fn find_member(
        &self,
        _: BusinessScope,
        request: FindMemberRequest,
    ) -> Result<FindMemberResponse, Status> {
        let state = self.there()?;
        let FindMemberRequest { user_id, email, .. } = request;
        let by_address = || state.members.iter().find(|(known, _)| *known == email);
        let by_account = || state.members.iter().find(|(_, known)| known.user_id == user_id);
        let known = if user_id.is_empty() { by_address() } else { by_account() };
        let member = if let Some((_, member)) = known {
            Some(member.clone())
        } else if user_id.is_empty() {
            None
        } else {
            (!state.strangers.contains(&user_id)).then(|| FoundMember { user_id, ..Default::default() })
        };
        Ok(FindMemberResponse { member })
    }
}

#[async_trait]
impl EmployeeCalendarServiceHandler for Onboarding {
    async fn check_employee_calendars(
        &self,
        _: BusinessScope,
        request: CheckEmployeeCalendarsRequest,
    ) -> Result<CheckEmployeeCalendarsResponse, Status> {
        drop(self.there()?);
        let fault = |calendar: &String| if calendar.contains("unknown") { "is unknown" } else { "" };
        let faults = request.calendars.iter().map(|calendar| fault(calendar).to_owned()).collect();
        Ok(CheckEmployeeCalendarsResponse { faults })
    }

    async fn connect_employee_calendar(
        &self,
        _: BusinessScope,
        request: ConnectEmployeeCalendarRequest,
    ) -> Result<ConnectEmployeeCalendarResponse, Status> {
        let mut state = self.there()?;
        if request.calendar.contains("broken") {
            return Err(invalid("address", "is refused"));
        }
        if !state.connected.iter().any(|one| one.calendar_id == request.calendar_id) {
            state.connected.push(request);
        }
        Ok(ConnectEmployeeCalendarResponse {})
    }
}
