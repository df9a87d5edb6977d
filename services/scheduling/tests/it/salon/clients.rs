//! A client of each of the services.

use boot::peer::PeerChannel;
use proto::frontdesk::scheduling::{
    internal::v1::busy_service_client::BusyServiceClient,
    v1::{
        appointment_service_client::AppointmentServiceClient,
        availability_service_client::AvailabilityServiceClient, block_service_client::BlockServiceClient,
        booking_health_service_client::BookingHealthServiceClient,
        booking_policy_service_client::BookingPolicyServiceClient,
        catalogue_service_client::CatalogueServiceClient, change_service_client::ChangeServiceClient,
        day_service_client::DayServiceClient, dependency_service_client::DependencyServiceClient,
        matching_service_client::MatchingServiceClient,
        opening_exception_service_client::OpeningExceptionServiceClient,
        pairing_service_client::PairingServiceClient, patch_test_service_client::PatchTestServiceClient,
        proposal_service_client::ProposalServiceClient, resource_service_client::ResourceServiceClient,
        schedule_service_client::ScheduleServiceClient, series_service_client::SeriesServiceClient,
        service_intelligence_service_client::ServiceIntelligenceServiceClient,
        time_off_service_client::TimeOffServiceClient, waitlist_service_client::WaitlistServiceClient,
    },
};

use super::Salon;

impl Salon {
    pub fn appointments(&self) -> AppointmentServiceClient<PeerChannel> {
        AppointmentServiceClient::new(self.channel.clone())
    }

    pub fn availability(&self) -> AvailabilityServiceClient<PeerChannel> {
        AvailabilityServiceClient::new(self.channel.clone())
    }

    pub fn booking_health(&self) -> BookingHealthServiceClient<PeerChannel> {
        BookingHealthServiceClient::new(self.channel.clone())
    }

    pub fn booking_policies(&self) -> BookingPolicyServiceClient<PeerChannel> {
        BookingPolicyServiceClient::new(self.channel.clone())
    }

    pub fn catalogue(&self) -> CatalogueServiceClient<PeerChannel> {
        CatalogueServiceClient::new(self.channel.clone())
    }

    pub fn changes(&self) -> ChangeServiceClient<PeerChannel> {
        ChangeServiceClient::new(self.channel.clone())
    }

    pub fn days(&self) -> DayServiceClient<PeerChannel> {
        DayServiceClient::new(self.channel.clone())
    }

    pub fn resources(&self) -> ResourceServiceClient<PeerChannel> {
        ResourceServiceClient::new(self.channel.clone())
    }

    pub fn dependencies(&self) -> DependencyServiceClient<PeerChannel> {
        DependencyServiceClient::new(self.channel.clone())
    }

    pub fn schedules(&self) -> ScheduleServiceClient<PeerChannel> {
        ScheduleServiceClient::new(self.channel.clone())
    }

    pub fn opening_exceptions(&self) -> OpeningExceptionServiceClient<PeerChannel> {
        OpeningExceptionServiceClient::new(self.channel.clone())
    }

    pub fn time_off(&self) -> TimeOffServiceClient<PeerChannel> {
        TimeOffServiceClient::new(self.channel.clone())
    }

    pub fn matching(&self) -> MatchingServiceClient<PeerChannel> {
        MatchingServiceClient::new(self.channel.clone())
    }

    pub fn pairings(&self) -> PairingServiceClient<PeerChannel> {
        PairingServiceClient::new(self.channel.clone())
    }

    pub fn patch_tests(&self) -> PatchTestServiceClient<PeerChannel> {
        PatchTestServiceClient::new(self.channel.clone())
    }

    pub fn intelligence(&self) -> ServiceIntelligenceServiceClient<PeerChannel> {
        ServiceIntelligenceServiceClient::new(self.channel.clone())
    }

    pub fn waitlist(&self) -> WaitlistServiceClient<PeerChannel> {
        WaitlistServiceClient::new(self.channel.clone())
    }

    pub fn blocks(&self) -> BlockServiceClient<PeerChannel> {
        BlockServiceClient::new(self.channel.clone())
    }

    pub fn series(&self) -> SeriesServiceClient<PeerChannel> {
        SeriesServiceClient::new(self.channel.clone())
    }

    pub fn proposals(&self) -> ProposalServiceClient<PeerChannel> {
        ProposalServiceClient::new(self.channel.clone())
    }

    pub fn busy(&self) -> BusyServiceClient<PeerChannel> {
        BusyServiceClient::new(self.channel.clone())
    }
}
