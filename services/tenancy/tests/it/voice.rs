use caller::Role;
use prost::Message;
use proto::{
    error::Reason,
    frontdesk::tenancy::{
        internal::v1::{OpenVoiceConnectionRequest, OpenVoiceConnectionResponse},
        v1::{
            CreateVoiceConnectionRequest, DeleteVoiceConnectionRequest, HmacAlgorithm, HmacEncoding,
            HmacFormat, ListVoiceConnectionsRequest, RotateVoiceSecretRequest, UpdateVoiceConnectionRequest,
            VoiceConnection, VoicePlatform, WebhookCheck,
        },
    },
};
use testkit::{SESSION, USER, as_agent, as_person, as_user};
use tonic::Status;
use uuid::Uuid;

use crate::stage::{LINDE, Spoilt, Stage, WILLOW, assert_field_refused, assert_refused};

const LINE: Uuid = Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0301);

fn line() -> CreateVoiceConnectionRequest {
    CreateVoiceConnectionRequest {
        business_id: WILLOW.to_string(),
        voice_connection_id: LINE.to_string(),
        platform: VoicePlatform::Retell.into(),
        label: "Main line".to_owned(),
        secret: "key_hunter2".to_owned(),
        ..Default::default()
    }
}

fn list() -> ListVoiceConnectionsRequest {
    ListVoiceConnectionsRequest { business_id: WILLOW.to_string(), ..Default::default() }
}

fn open(id: Uuid) -> OpenVoiceConnectionRequest {
    OpenVoiceConnectionRequest { voice_connection_id: id.to_string() }
}

pub async fn opened(stage: &Stage, id: Uuid) -> Result<OpenVoiceConnectionResponse, Status> {
    let response = stage.voice_secrets().open_voice_connection(stage.service("bff", open(id))).await;
    response.map(tonic::Response::into_inner)
}

#[tokio::test]
async fn a_connection_is_listed_without_its_secret_and_opened_for_the_door() {
    let stage = Stage::open().await;
    let chosen = stage.voice_connections().create_voice_connection(stage.owner_of(WILLOW, line())).await;
    assert_field_refused(chosen, "voice_connection_id");
    let request = stage.seeding(WILLOW, line());
    let made = stage.voice_connections().create_voice_connection(request).await.unwrap().into_inner();
    let expected = VoiceConnection {
        id: LINE.to_string(),
        platform: VoicePlatform::Retell.into(),
        label: "Main line".to_owned(),
        webhook_check: WebhookCheck::PlatformSignature.into(),
        has_api_key: true,
        // Below the public address, whatever the address is that someone reads this at.
        webhook_url: format!("https://desk.test/api/webhooks/voice/retell/{LINE}"),
        ..Default::default()
    };
    assert_eq!(made.voice_connection, Some(expected.clone()));
    let listed = stage.voice_connections().list_voice_connections(stage.owner_of(WILLOW, list())).await;
    assert_eq!(listed.unwrap().into_inner().voice_connections, [expected]);
    let answer = OpenVoiceConnectionResponse {
        business_id: WILLOW.to_string(),
        platform: VoicePlatform::Retell.into(),
        secret: "key_hunter2".to_owned(),
        time_zone: "Europe/London".to_owned(),
        webhook_check: WebhookCheck::PlatformSignature.into(),
        ..Default::default()
    };
    assert_eq!(opened(&stage, LINE).await.unwrap(), answer);
}

#[tokio::test]
async fn connecting_again_returns_the_same_connection_unless_the_secret_differs() {
    let stage = Stage::open().await;
    let seed = |message| stage.seeding(WILLOW, message);
    let first = stage.voice_connections().create_voice_connection(seed(line())).await.unwrap();
    let again = stage.voice_connections().create_voice_connection(seed(line())).await.unwrap();
    assert_eq!(first.into_inner(), again.into_inner());
    let other = CreateVoiceConnectionRequest { secret: "key_other".to_owned(), ..line() };
    let result = stage.voice_connections().create_voice_connection(seed(other)).await;
    assert_refused(result, Reason::AlreadyExists);
    assert_eq!(opened(&stage, LINE).await.unwrap().secret, "key_hunter2");
}

#[tokio::test]
async fn a_connection_whose_id_two_businesses_have_opens_for_neither() {
    let stage = Stage::open().await;
    stage.voice_connections().create_voice_connection(stage.seeding(WILLOW, line())).await.unwrap();
    assert_eq!(opened(&stage, LINE).await.unwrap().business_id, WILLOW.to_string());
    let theirs = CreateVoiceConnectionRequest { business_id: LINDE.to_string(), ..line() };
    stage.voice_connections().create_voice_connection(stage.seeding(LINDE, theirs)).await.unwrap();
    assert_refused(opened(&stage, LINE).await, Reason::NotFound);
}

#[tokio::test]
async fn connections_are_listed_by_label_a_page_at_a_time() {
    let stage = Stage::open().await;
    for label in ["Second line", "main line", "Backup"] {
        stage.voice_connection(WILLOW, label, "s").await;
    }
    stage.voice_connection(LINDE, "Anderswo", "s").await;
    let message = ListVoiceConnectionsRequest { page_size: 2, ..list() };
    let request = stage.owner_of(WILLOW, message.clone());
    let first = stage.voice_connections().list_voice_connections(request).await.unwrap().into_inner();
    let labels = |page: &[VoiceConnection]| page.iter().map(|c| c.label.clone()).collect::<Vec<_>>();
    assert_eq!(labels(&first.voice_connections), ["Backup", "main line"]);
    let message = ListVoiceConnectionsRequest { page_token: first.next_page_token, ..message };
    let request = stage.owner_of(WILLOW, message);
    let second = stage.voice_connections().list_voice_connections(request).await.unwrap().into_inner();
    assert_eq!(labels(&second.voice_connections), ["Second line"]);
}

#[tokio::test]
async fn only_an_owner_connects_and_lists() {
    let stage = Stage::open().await;
    let manager = as_user(&stage.host, Role::Manager, WILLOW, line());
    let result = stage.voice_connections().create_voice_connection(manager).await;
    assert_refused(result, Reason::RoleTooLow);
    let manager = as_user(&stage.host, Role::Manager, WILLOW, list());
    let result = stage.voice_connections().list_voice_connections(manager).await;
    assert_refused(result, Reason::RoleTooLow);
    let agent = as_agent(&stage.host, LINE, WILLOW, list());
    let result = stage.voice_connections().list_voice_connections(agent).await;
    assert_refused(result, Reason::RoleTooLow);
    let foreign = stage.owner_of(LINDE, line());
    let result = stage.voice_connections().create_voice_connection(foreign).await;
    assert_refused(result, Reason::NotFound);
    let foreign = stage.owner_of(LINDE, list());
    let result = stage.voice_connections().list_voice_connections(foreign).await;
    assert_refused(result, Reason::NotFound);
}

#[tokio::test]
async fn only_the_door_opens_a_secret() {
    let stage = Stage::open().await;
    let id = stage.voice_connection(WILLOW, "Main line", "key_hunter2").await;
    for issuer in ["local", "scheduling", "telemetry"] {
        let result = stage.voice_secrets().open_voice_connection(stage.service(issuer, open(id))).await;
        assert_refused(result, Reason::RoleTooLow);
    }
    let admin = as_person(&stage.host, USER, SESSION, None, Some(Role::Admin), open(id));
    assert_refused(stage.voice_secrets().open_voice_connection(admin).await, Reason::RoleTooLow);
    let agent = as_agent(&stage.host, id, WILLOW, open(id));
    assert_refused(stage.voice_secrets().open_voice_connection(agent).await, Reason::RoleTooLow);
}

#[tokio::test]
async fn an_unknown_connection_is_not_found() {
    let stage = Stage::open().await;
    assert_refused(opened(&stage, LINE).await, Reason::NotFound);
    let message = OpenVoiceConnectionRequest { voice_connection_id: "main".to_owned() };
    let result = stage.voice_secrets().open_voice_connection(stage.service("bff", message)).await;
    assert_field_refused(result, "voice_connection_id");
}

#[tokio::test]
async fn a_connection_of_a_business_that_is_not_there_is_not_found() {
    let stage = Stage::empty().await;
    let result = stage.voice_connections().create_voice_connection(stage.seeding(WILLOW, line())).await;
    assert_refused(result, Reason::NotFound);
}

#[tokio::test]
async fn a_malformed_field_of_a_connection_is_named() {
    let stage = Stage::open().await;
    let wrong: [Spoilt<CreateVoiceConnectionRequest>; 7] = [
        ("voice_connection_id", |r| r.voice_connection_id = "main".to_owned()),
        ("platform", |r| r.platform = VoicePlatform::Unspecified.into()),
        ("platform", |r| r.platform = 99),
        ("label", |r| r.label = " ".to_owned()),
        ("label", |r| r.label = "x".repeat(201)),
        ("secret", |r| r.secret = String::new()),
        ("secret", |r| r.secret = "x".repeat(1025)),
    ];
    for (field, spoil) in wrong {
        let mut request = line();
        spoil(&mut request);
        let result = stage.voice_connections().create_voice_connection(stage.seeding(WILLOW, request)).await;
        assert_field_refused(result, field);
    }
}

/// A format that Vapi can be given.
fn hmac() -> HmacFormat {
    HmacFormat {
        algorithm: HmacAlgorithm::Sha256.into(),
        encoding: HmacEncoding::Hex.into(),
        signature_header: "X-Signature".to_owned(),
        signature_prefix: "sha256=".to_owned(),
        timestamp_header: "X-Timestamp".to_owned(),
        payload: "{timestamp}.{body}".to_owned(),
    }
}

fn vapi() -> CreateVoiceConnectionRequest {
    CreateVoiceConnectionRequest {
        platform: VoicePlatform::Vapi.into(),
        webhook_check: WebhookCheck::Hmac.into(),
        hmac: Some(hmac()),
        platform_agent_id: "asst_1".to_owned(),
        api_key: "api_hunter3".to_owned(),
        ..line()
    }
}

#[tokio::test]
async fn each_platform_is_opened_with_what_checks_its_deliveries_and_without_the_key_of_its_api() {
    let stage = Stage::open().await;
    let account = "AC0123456789abcdef0123456789abcdef";
    let twilio = CreateVoiceConnectionRequest {
        platform: VoicePlatform::Twilio.into(),
        account: account.to_owned(),
        ..line()
    };
    let bearer = CreateVoiceConnectionRequest { platform: VoicePlatform::Vapi.into(), ..line() };
    let eleven = CreateVoiceConnectionRequest { platform: VoicePlatform::Elevenlabs.into(), ..line() };
    let format = HmacFormat {
        signature_header: "x-signature".to_owned(),
        timestamp_header: "x-timestamp".to_owned(),
        ..hmac()
    };
    let wanted = [
        (twilio, WebhookCheck::PlatformSignature, None, true),
        (bearer, WebhookCheck::Bearer, None, false),
        (vapi(), WebhookCheck::Hmac, Some(format), true),
        (eleven, WebhookCheck::PlatformSignature, None, false),
    ];
    for (n, (request, check, hmac, has_api_key)) in (0_u128..).zip(wanted) {
        let id = Uuid::from_u128(0x700 + n);
        let request = CreateVoiceConnectionRequest { voice_connection_id: id.to_string(), ..request };
        let made =
            stage.voice_connections().create_voice_connection(stage.seeding(WILLOW, request.clone())).await;
        let made = made.unwrap().into_inner().voice_connection.unwrap();
        assert_eq!((made.webhook_check(), made.has_api_key), (check, has_api_key));
        let opened = opened(&stage, id).await.unwrap();
        assert_eq!((opened.platform, opened.webhook_check()), (request.platform, check));
        assert_eq!((&opened.hmac, &made.hmac), (&hmac, &hmac));
        assert_eq!((opened.secret.as_str(), opened.old_secret.as_str()), ("key_hunter2", ""));
        let told = String::from_utf8_lossy(&opened.encode_to_vec()).into_owned();
        assert!(!told.contains("api_hunter3") && !told.contains(account), "the door calls no platform");
    }
}

#[tokio::test]
async fn what_a_platform_does_not_offer_is_refused_by_its_field() {
    let stage = Stage::open().await;
    let wrong: [Spoilt<CreateVoiceConnectionRequest>; 12] = [
        ("webhook_check", |r| (r.webhook_check, r.hmac) = (WebhookCheck::PlatformSignature.into(), None)),
        ("webhook_check", |r| (r.webhook_check, r.hmac) = (9, None)),
        ("webhook_check", |r| r.platform = VoicePlatform::Retell.into()),
        ("hmac", |r| r.hmac = None),
        ("hmac", |r| r.webhook_check = WebhookCheck::Bearer.into()),
        ("hmac.algorithm", |r| r.hmac.as_mut().unwrap().algorithm = 0),
        ("hmac.encoding", |r| r.hmac.as_mut().unwrap().encoding = 0),
        ("hmac.signature_header", |r| r.hmac.as_mut().unwrap().signature_header = "x y".to_owned()),
        ("hmac.timestamp_header", |r| r.hmac.as_mut().unwrap().timestamp_header.clear()),
        ("hmac.payload", |r| r.hmac.as_mut().unwrap().payload = "{body}".to_owned()),
        ("account", |r| r.account = "AC1".to_owned()),
        ("api_key", |r| r.api_key = "x".repeat(1025)),
    ];
    for (field, spoil) in wrong {
        let mut request = vapi();
        spoil(&mut request);
        let result = stage.voice_connections().create_voice_connection(stage.seeding(WILLOW, request)).await;
        assert_field_refused(result, field);
    }
}

fn rotate(secret: &str, api_key: &str) -> RotateVoiceSecretRequest {
    RotateVoiceSecretRequest {
        business_id: WILLOW.to_string(),
        voice_connection_id: LINE.to_string(),
        secret: secret.to_owned(),
        api_key: api_key.to_owned(),
    }
}

#[tokio::test]
async fn a_new_secret_counts_at_once_and_the_old_one_for_an_hour_more() {
    let stage = Stage::open().await;
    stage.voice_connections().create_voice_connection(stage.seeding(WILLOW, vapi())).await.unwrap();
    let rotated = async |secret: &str, api_key: &str| {
        let request = stage.owner_of(WILLOW, rotate(secret, api_key));
        let response = stage.voice_connections().rotate_voice_secret(request).await.unwrap();
        assert_eq!(response.into_inner().voice_connection.unwrap().id, LINE.to_string());
        opened(&stage, LINE).await.unwrap()
    };
    let kept = "SELECT hashtextextended(encode(sealed_api_key, 'hex'), 0) FROM voice_connection";
    let first = stage.count(kept).await;
    let now = rotated("key_new", "").await;
    assert_eq!((now.secret.as_str(), now.old_secret.as_str()), ("key_new", "key_hunter2"));
    assert_eq!(stage.count(kept).await, first, "the key for the platform's API is kept");
    // The same again does not take the old one away.
    let again = rotated("key_new", "api_new").await;
    assert_eq!(again.old_secret, "key_hunter2");
    let second = stage.count(kept).await;
    assert_ne!(second, first);
    let key_alone = rotated("", "api_newer").await;
    assert_eq!((key_alone.secret.as_str(), key_alone.old_secret.as_str()), ("key_new", "key_hunter2"));
    assert_ne!(stage.count(kept).await, second, "the secret need not be known any more");
    stage.time.advance(jiff::SignedDuration::from_mins(61));
    let later = opened(&stage, LINE).await.unwrap();
    assert_eq!((later.secret.as_str(), later.old_secret.as_str()), ("key_new", ""));
}

#[tokio::test]
async fn a_connection_is_renamed_and_removed() {
    let stage = Stage::open().await;
    stage.voice_connections().create_voice_connection(stage.seeding(WILLOW, line())).await.unwrap();
    let rename = UpdateVoiceConnectionRequest {
        business_id: WILLOW.to_string(),
        voice_connection_id: LINE.to_string(),
        label: "Night line".to_owned(),
        platform_agent_id: "agent_7".to_owned(),
        voice: String::new(),
    };
    let request = stage.owner_of(WILLOW, rename.clone());
    let renamed = stage.voice_connections().update_voice_connection(request).await.unwrap().into_inner();
    let renamed = renamed.voice_connection.unwrap();
    assert_eq!((renamed.label.as_str(), renamed.platform_agent_id.as_str()), ("Night line", "agent_7"));
    assert_eq!(opened(&stage, LINE).await.unwrap().secret, "key_hunter2");
    let delete = || DeleteVoiceConnectionRequest {
        business_id: WILLOW.to_string(),
        voice_connection_id: LINE.to_string(),
    };
    for _ in 0..2 {
        stage.voice_connections().delete_voice_connection(stage.owner_of(WILLOW, delete())).await.unwrap();
    }
    assert_refused(opened(&stage, LINE).await, Reason::NotFound);
    let request = stage.owner_of(WILLOW, rename);
    assert_refused(stage.voice_connections().update_voice_connection(request).await, Reason::NotFound);
    let request = stage.owner_of(WILLOW, rotate("key_new", ""));
    assert_refused(stage.voice_connections().rotate_voice_secret(request).await, Reason::NotFound);
}

#[tokio::test]
async fn only_the_business_s_owner_changes_its_connections() {
    let stage = Stage::open().await;
    stage.voice_connections().create_voice_connection(stage.seeding(WILLOW, line())).await.unwrap();
    let manager = as_user(&stage.host, Role::Manager, WILLOW, rotate("key_new", ""));
    assert_refused(stage.voice_connections().rotate_voice_secret(manager).await, Reason::RoleTooLow);
    let foreign = stage.owner_of(LINDE, rotate("key_new", ""));
    assert_refused(stage.voice_connections().rotate_voice_secret(foreign).await, Reason::NotFound);
    let theirs = RotateVoiceSecretRequest { business_id: LINDE.to_string(), ..rotate("key_new", "") };
    let request = stage.owner_of(LINDE, theirs);
    assert_refused(stage.voice_connections().rotate_voice_secret(request).await, Reason::NotFound);
    let request = stage.owner_of(WILLOW, rotate("key_new", "api"));
    assert_field_refused(stage.voice_connections().rotate_voice_secret(request).await, "api_key");
    let request = stage.owner_of(WILLOW, rotate("", ""));
    assert_field_refused(stage.voice_connections().rotate_voice_secret(request).await, "secret");
    assert_eq!(opened(&stage, LINE).await.unwrap().secret, "key_hunter2");
}
