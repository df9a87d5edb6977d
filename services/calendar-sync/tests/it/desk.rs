//! What the salon does and how its days look, as scheduling answers it, and no other method.

use std::sync::Arc;

use caller::{BusinessScope, Tenant};
use proto::{
    contact::ContactReach,
    frontdesk::{
        events::v1::event::Payload,
        scheduling::v1::{
            ArchiveServiceRequest, ArchiveServiceResponse, CatalogueServiceHandler, CreateServiceRequest,
            CreateServiceResponse, DayColumn, DayServiceHandler, DaySpan, DayVisit, GetDayRequest,
            GetDayResponse, GetMonthRequest, GetMonthResponse, ListServicesRequest, ListServicesResponse,
            ListStrandedAppointmentsRequest, ListStrandedAppointmentsResponse, RecordContactRequest,
            RecordContactResponse, Service, UpdateServiceRequest, UpdateServiceResponse,
        },
    },
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use crate::{
    salon::{MIA, TOM},
    scheduling::Scheduling,
};

pub const CUT: Uuid = Uuid::from_u128(0x5E1);
pub const COLOUR: Uuid = Uuid::from_u128(0x5E2);
/// The day of the tests.
pub const DAY: &str = "2026-06-01";
/// Everyone works from 9 to 18.
const WORKING: DaySpan = DaySpan { from_minute: 540, to_minute: 1080 };

fn other<T>() -> Result<T, Status> {
    Err(Status::unimplemented("calendar-sync only reads"))
}

/// Two services, one a page.
pub struct Catalogue;

#[async_trait]
impl CatalogueServiceHandler for Catalogue {
    async fn list_services(
        &self,
        scope: BusinessScope,
        request: ListServicesRequest,
    ) -> Result<ListServicesResponse, Status> {
        assert_eq!(scope.business().to_string(), request.business_id);
        let service = |id: Uuid, name: &str| Service {
            id: id.to_string(),
            name: name.to_owned(),
            ..Service::default()
        };
        Ok(if request.page_token.is_empty() {
            ListServicesResponse {
                services: vec![service(CUT, "Women's cut")],
                next_page_token: "2".to_owned(),
            }
        } else {
            ListServicesResponse {
                services: vec![service(COLOUR, "Colour")],
                ..ListServicesResponse::default()
            }
        })
    }

    async fn create_service(
        &self,
        _: BusinessScope,
        _: CreateServiceRequest,
    ) -> Result<CreateServiceResponse, Status> {
        other()
    }

    async fn update_service(
        &self,
        _: BusinessScope,
        _: UpdateServiceRequest,
    ) -> Result<UpdateServiceResponse, Status> {
        other()
    }

    async fn archive_service(
        &self,
        _: BusinessScope,
        _: ArchiveServiceRequest,
    ) -> Result<ArchiveServiceResponse, Status> {
        other()
    }
}

/// Mia's and Tom's day, with what was published.
pub struct Days(pub Arc<Scheduling>);

#[async_trait]
impl DayServiceHandler for Days {
    async fn contact_reach(&self, _: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(ContactReach::All)
    }

    async fn get_day(&self, scope: BusinessScope, request: GetDayRequest) -> Result<GetDayResponse, Status> {
        assert_eq!(scope.business().to_string(), request.business_id);
        let column = |(id, name): (Uuid, &str)| DayColumn {
            date: DAY.to_owned(),
            employee_id: id.to_string(),
            employee_name: name.to_owned(),
            working: vec![WORKING],
            ..DayColumn::default()
        };
        let visit = |payload| match payload {
            Some(Payload::Appointment(appointment)) => {
                Some(DayVisit { appointment: Some(appointment), ..DayVisit::default() })
            }
            _ => None,
        };
        Ok(GetDayResponse {
            time_zone: "Europe/London".to_owned(),
            columns: [(MIA, "Mia Lane"), (TOM, "Tom Reed")].map(column).to_vec(),
            visits: self.0.published().into_iter().filter_map(|event| visit(event.payload)).collect(),
            ..GetDayResponse::default()
        })
    }

    async fn get_month(&self, _: BusinessScope, _: GetMonthRequest) -> Result<GetMonthResponse, Status> {
        other()
    }

    async fn list_stranded_appointments(
        &self,
        _: BusinessScope,
        _: ListStrandedAppointmentsRequest,
    ) -> Result<ListStrandedAppointmentsResponse, Status> {
        other()
    }

    async fn record_contact(
        &self,
        _: BusinessScope,
        _: RecordContactRequest,
    ) -> Result<RecordContactResponse, Status> {
        other()
    }
}
