//! A served tenancy service on a database of its own, and what tests say to it.

use std::sync::Arc;

use boot::{
    Host,
    clock::TestClock,
    peer::{Peer, PeerChannel},
};
use caller::{BusinessId, Role};
use proto::{
    error::{Reason, reason_of},
    frontdesk::tenancy::{
        internal::v1::voice_secret_service_client::VoiceSecretServiceClient,
        v1::{
            CreateBusinessRequest, CreateCustomerRequest, CreateCustomerResponse, CreateEmployeeRequest,
            CreateVoiceConnectionRequest, Customer, Employee, VoicePlatform,
            business_service_client::BusinessServiceClient,
            customer_merge_service_client::CustomerMergeServiceClient,
            customer_note_service_client::CustomerNoteServiceClient,
            customer_record_service_client::CustomerRecordServiceClient,
            customer_service_client::CustomerServiceClient, employee_service_client::EmployeeServiceClient,
            erasure_service_client::ErasureServiceClient, follow_up_service_client::FollowUpServiceClient,
            import_service_client::ImportServiceClient, item_service_client::ItemServiceClient,
            record_change_service_client::RecordChangeServiceClient,
            stock_service_client::StockServiceClient, supplier_service_client::SupplierServiceClient,
            voice_connection_service_client::VoiceConnectionServiceClient,
        },
    },
};
use sealing::envelope::MasterKeys;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tenancy::{Addresses, NAME, Peers, PlatformUrls, migration::Migrator};
use testkit::{Scheduling, TestDatabase, TestRedis, as_service, as_user};
use tonic::{Request, Response, Status};
use tonic_types::StatusExt;
use uuid::Uuid;

use crate::{holders::Holders, onboarding::Onboarding};

/// "Willow & Co", of London.
pub const WILLOW: BusinessId = BusinessId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001));
/// "Salon Linde", of Berlin.
pub const LINDE: BusinessId = BusinessId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0002));
/// One master key, as configured.
pub const KEYS: &str = "first:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE";

/// A field, and what makes it malformed.
pub type Spoilt<T> = (&'static str, fn(&mut T));

pub struct Stage {
    pub host: Host,
    pub time: TestClock,
    pub database: Arc<TestDatabase>,
    pub channel: PeerChannel,
    pub scheduling: Arc<Scheduling>,
    pub onboarding: Arc<Onboarding>,
}

impl Stage {
    /// The service with both businesses.
    pub async fn open() -> Self {
        Self::open_with(None).await
    }

    /// The service with both businesses, and answers kept in `cache`.
    pub async fn open_with(cache: Option<&TestRedis>) -> Self {
        let stage = Self::empty_with(cache).await;
        stage.business(WILLOW, "Willow & Co", "020 7946 0018", "Europe/London").await;
        stage.business(LINDE, "Salon Linde", "", "Europe/Berlin").await;
        stage
    }

    /// The service without businesses.
    pub async fn empty() -> Self {
        Self::empty_with(None).await
    }

    async fn empty_with(cache: Option<&TestRedis>) -> Self {
        let (mut host, time) = testkit::host(NAME);
        host.cache = cache.map(TestRedis::client);
        let database = Arc::new(testkit::database::<Migrator>(NAME).await);
        Self::beside(database, host, time).await
    }

    /// The service with both businesses, beside voice platforms and a voice door.
    pub async fn reaching(addresses: Addresses) -> Self {
        let (host, time) = testkit::host(NAME);
        let database = Arc::new(testkit::database::<Migrator>(NAME).await);
        let stage = Self::at(database, host, time, addresses).await;
        stage.business(WILLOW, "Willow & Co", "020 7946 0018", "Europe/London").await;
        stage.business(LINDE, "Salon Linde", "", "Europe/Berlin").await;
        stage
    }

    /// The service on a database that others may use as well.
    pub async fn beside(database: Arc<TestDatabase>, host: Host, time: TestClock) -> Self {
        Self::at(database, host, time, nowhere()).await
    }

    async fn at(database: Arc<TestDatabase>, host: Host, time: TestClock, addresses: Addresses) -> Self {
        let scheduling = Arc::<Scheduling>::default();
        let onboarding = Arc::<Onboarding>::default();
        let keys = MasterKeys::parse(KEYS).expect("master keys");
        let served = serve_beside(&host, &database, keys, addresses, &scheduling, &onboarding).await;
        let channel = served.expect("the service starts").channel();
        Self { host, time, database, channel, scheduling, onboarding }
    }

    /// The service with both businesses, beside services that erase people when `holders` says so.
    pub async fn holding(holders: &Arc<Holders>) -> Self {
        let (host, time) = testkit::host(NAME);
        let database = Arc::new(testkit::database::<Migrator>(NAME).await);
        let onboarding = Arc::<Onboarding>::default();
        let [auth, _] = onboarding.serve(&host).await;
        let [telemetry, scheduling, calendar_sync] = holders.serve(&host).await;
        let peers = Peers { auth, scheduling, calendar_sync, telemetry };
        let keys = MasterKeys::parse(KEYS).expect("master keys");
        let routes = tenancy::routes(database.connect(&host).await, keys, peers, nowhere(), &host).await;
        let address = testkit::serve(routes.expect("the service starts"), &host).await;
        let channel = testkit::peer(NAME, address, &host).channel();
        let stage = Self { host, time, database, channel, scheduling: Arc::default(), onboarding };
        stage.business(WILLOW, "Willow & Co", "020 7946 0018", "Europe/London").await;
        stage.business(LINDE, "Salon Linde", "", "Europe/Berlin").await;
        stage
    }

    pub fn businesses(&self) -> BusinessServiceClient<PeerChannel> {
        BusinessServiceClient::new(self.channel.clone())
    }

    pub fn employees(&self) -> EmployeeServiceClient<PeerChannel> {
        EmployeeServiceClient::new(self.channel.clone())
    }

    pub fn customers(&self) -> CustomerServiceClient<PeerChannel> {
        CustomerServiceClient::new(self.channel.clone())
    }

    pub fn erasures(&self) -> ErasureServiceClient<PeerChannel> {
        ErasureServiceClient::new(self.channel.clone())
    }

    pub fn customer_merges(&self) -> CustomerMergeServiceClient<PeerChannel> {
        CustomerMergeServiceClient::new(self.channel.clone())
    }

    pub fn customer_records(&self) -> CustomerRecordServiceClient<PeerChannel> {
        CustomerRecordServiceClient::new(self.channel.clone())
    }

    pub fn customer_notes(&self) -> CustomerNoteServiceClient<PeerChannel> {
        CustomerNoteServiceClient::new(self.channel.clone())
    }

    pub fn record_changes(&self) -> RecordChangeServiceClient<PeerChannel> {
        RecordChangeServiceClient::new(self.channel.clone())
    }

    pub fn follow_ups(&self) -> FollowUpServiceClient<PeerChannel> {
        FollowUpServiceClient::new(self.channel.clone())
    }

    pub fn items(&self) -> ItemServiceClient<PeerChannel> {
        ItemServiceClient::new(self.channel.clone())
    }

    pub fn stock(&self) -> StockServiceClient<PeerChannel> {
        StockServiceClient::new(self.channel.clone())
    }

    pub fn suppliers(&self) -> SupplierServiceClient<PeerChannel> {
        SupplierServiceClient::new(self.channel.clone())
    }

    pub fn imports(&self) -> ImportServiceClient<PeerChannel> {
        ImportServiceClient::new(self.channel.clone())
    }

    pub fn voice_connections(&self) -> VoiceConnectionServiceClient<PeerChannel> {
        VoiceConnectionServiceClient::new(self.channel.clone())
    }

    pub fn voice_secrets(&self) -> VoiceSecretServiceClient<PeerChannel> {
        VoiceSecretServiceClient::new(self.channel.clone())
    }

    /// A request of an employee of `business`.
    pub fn employee_of<T>(&self, business: BusinessId, message: T) -> Request<T> {
        as_user(&self.host, Role::Employee, business, message)
    }

    /// A request of a manager of `business`.
    pub fn manager_of<T>(&self, business: BusinessId, message: T) -> Request<T> {
        as_user(&self.host, Role::Manager, business, message)
    }

    /// A request of an owner of `business`.
    pub fn owner_of<T>(&self, business: BusinessId, message: T) -> Request<T> {
        as_user(&self.host, Role::Owner, business, message)
    }

    /// A request of the service that fills the demo, which chooses ids.
    pub fn seeding<T>(&self, business: BusinessId, message: T) -> Request<T> {
        as_service("local", &self.host, Some(business), message)
    }

    /// A request of the service `issuer` that names no business.
    pub fn service<T>(&self, issuer: &str, message: T) -> Request<T> {
        as_service(issuer, &self.host, None, message)
    }

    pub async fn business(&self, id: BusinessId, name: &str, phone: &str, zone: &str) {
        let message = CreateBusinessRequest {
            business_id: id.to_string(),
            name: name.to_owned(),
            address: String::new(),
            phone: phone.to_owned(),
            time_zone: zone.to_owned(),
            currency: String::new(),
        };
        self.businesses().create_business(self.service("local", message)).await.expect("a business");
    }

    pub async fn customer(&self, business: BusinessId, name: &str, phone: &str) -> Customer {
        self.try_customer(business, name, phone, "").await.expect("a customer")
    }

    pub async fn try_customer(
        &self,
        business: BusinessId,
        name: &str,
        phone: &str,
        email: &str,
    ) -> Result<Customer, Status> {
        let message = new_customer(business, name, phone, email);
        let response = self.customers().create_customer(self.employee_of(business, message)).await;
        Ok(created(response?))
    }

    pub async fn employee(&self, business: BusinessId, name: &str) -> Employee {
        let message = CreateEmployeeRequest {
            business_id: business.to_string(),
            employee_id: String::new(),
            name: name.to_owned(),
            user_id: String::new(),
        };
        let response = self.employees().create_employee(self.owner_of(business, message)).await;
        response.expect("an employee").into_inner().employee.expect("one is returned")
    }

    /// A second Ana, as only those that were there before the rule against her, and invitations that were accepted.
    pub async fn namesake_of_ana(&self, business: BusinessId) -> Employee {
        let other = self.employee(business, "Ana Ash").await;
        sqlx::query("UPDATE employee SET name = 'Ana' WHERE id = $1::uuid")
            .bind(&other.id)
            .execute(&mut self.superuser().await)
            .await
            .expect("she is renamed");
        Employee { name: "Ana".to_owned(), ..other }
    }

    /// Id of a new connection.
    pub async fn voice_connection(&self, business: BusinessId, label: &str, secret: &str) -> Uuid {
        let message = CreateVoiceConnectionRequest {
            business_id: business.to_string(),
            voice_connection_id: String::new(),
            platform: VoicePlatform::Retell.into(),
            label: label.to_owned(),
            secret: secret.to_owned(),
            ..Default::default()
        };
        let response =
            self.voice_connections().create_voice_connection(self.owner_of(business, message)).await;
        let connection = response.expect("a connection").into_inner().voice_connection;
        connection.expect("one is returned").id.parse().expect("an id")
    }

    /// A connection that row-level security doesn't bind.
    pub async fn superuser(&self) -> PgConnection {
        PgConnection::connect(&self.database.superuser_url).await.expect("the superuser connects")
    }

    /// The number a superuser's query gives.
    pub async fn count(&self, sql: &str) -> i64 {
        let mut connection = self.superuser().await;
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut connection).await.expect("a number")
    }
}

/// Serves tenancy on `database` with these master keys.
pub async fn serve(host: &Host, database: &TestDatabase, keys: &str) -> anyhow::Result<Peer> {
    let keys = MasterKeys::parse(keys)?;
    serve_beside(host, database, keys, nowhere(), &Arc::default(), &Arc::default()).await
}

/// Where nothing answers.
pub fn nowhere() -> Addresses {
    let nowhere = || "http://127.0.0.1:9".parse().expect("an address");
    let platforms =
        PlatformUrls { retell: nowhere(), vapi: nowhere(), elevenlabs: nowhere(), twilio: nowhere() };
    Addresses { public_url: "https://desk.test".parse().expect("an address"), platforms }
}

/// [`serve`] beside a scheduling service that says whose numbers an employee may see, and those that take on
/// employees.
pub async fn serve_beside(
    host: &Host,
    database: &TestDatabase,
    keys: MasterKeys,
    addresses: Addresses,
    scheduling: &Arc<Scheduling>,
    onboarding: &Arc<Onboarding>,
) -> anyhow::Result<Peer> {
    let [auth, calendar_sync] = onboarding.serve(host).await;
    let [telemetry, ..] = Arc::<Holders>::default().serve(host).await;
    let peers = Peers { auth, scheduling: scheduling.serve(host).await, calendar_sync, telemetry };
    let routes = tenancy::routes(database.connect(host).await, keys, peers, addresses, host).await?;
    Ok(testkit::peer(NAME, testkit::serve(routes, host).await, host))
}

pub fn new_customer(business: BusinessId, name: &str, phone: &str, email: &str) -> CreateCustomerRequest {
    CreateCustomerRequest {
        business_id: business.to_string(),
        customer_id: String::new(),
        name: name.to_owned(),
        phone: phone.to_owned(),
        email: email.to_owned(),
    }
}

pub fn created(response: Response<CreateCustomerResponse>) -> Customer {
    response.into_inner().customer.expect("a customer is returned")
}

/// Asserts that the call was refused for `reason`.
#[track_caller]
pub fn assert_refused<T: core::fmt::Debug>(result: Result<T, Status>, reason: Reason) {
    let status = result.expect_err("the call is refused");
    assert_eq!(reason_of(&status), Some(reason), "{status:?}");
}

/// Asserts that the call was refused for `field` alone.
#[track_caller]
pub fn assert_field_refused<T: core::fmt::Debug>(result: Result<T, Status>, field: &str) {
    let status = result.expect_err("the call is refused");
    assert_eq!(reason_of(&status), Some(Reason::InvalidField), "{status:?}");
    let details = status.get_details_bad_request().expect("the field is named");
    let fields: Vec<_> = details.field_violations.iter().map(|violation| violation.field.as_str()).collect();
    assert_eq!(fields, [field]);
}
