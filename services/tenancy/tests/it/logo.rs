//! The logo of a business.

use std::io::Cursor;

use boot::peer::PeerChannel;
use caller::{BusinessId, Role};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{
        Business, GetBusinessRequest, GetLogoRequest, RemoveLogoRequest, SetLogoRequest,
        logo_service_client::LogoServiceClient,
    },
};
use testkit::as_user;
use tonic::Status;

use crate::stage::{LINDE, Stage, WILLOW, assert_field_refused, assert_refused};

/// A picture of so many pixels each way.
pub fn png(side: u32) -> Vec<u8> {
    let picture = RgbImage::from_fn(side, side, |x, y| Rgb([x as u8, y as u8, 120]));
    let mut file = vec![];
    DynamicImage::ImageRgb8(picture).write_to(&mut Cursor::new(&mut file), ImageFormat::Png).unwrap();
    file
}

fn logos(stage: &Stage) -> LogoServiceClient<PeerChannel> {
    LogoServiceClient::new(stage.channel.clone())
}

/// Gives a business a logo, as its owner.
pub async fn set(stage: &Stage, business: BusinessId, content: Vec<u8>) -> Result<Business, Status> {
    let request = SetLogoRequest { business_id: business.to_string(), content };
    let answer = logos(stage).set_logo(stage.owner_of(business, request)).await?;
    Ok(answer.into_inner().business.unwrap())
}

async fn read(stage: &Stage, business: BusinessId, digest: &str) -> Result<Vec<u8>, Status> {
    let request = GetLogoRequest { business_id: business.to_string(), digest: digest.to_owned() };
    let guest = as_user(&stage.host, Role::Guest, business, request);
    Ok(logos(stage).get_logo(guest).await?.into_inner().content)
}

async fn known(stage: &Stage) -> String {
    let request = GetBusinessRequest { business_id: WILLOW.to_string() };
    let answer = stage.businesses().get_business(stage.employee_of(WILLOW, request)).await;
    answer.unwrap().into_inner().business.unwrap().logo_digest
}

#[tokio::test]
async fn an_owner_sets_it_and_its_people_see_it_until_it_is_removed() {
    let redis = testkit::redis().await;
    let stage = Stage::open_with(Some(&redis)).await;
    assert_eq!(known(&stage).await, "");
    let first = set(&stage, WILLOW, png(400)).await.unwrap();
    assert_eq!(known(&stage).await, first.logo_digest, "the kept answer went with the change");
    let drawn = image::load_from_memory(&read(&stage, WILLOW, &first.logo_digest).await.unwrap()).unwrap();
    assert_eq!((drawn.width(), drawn.height()), (256, 256));
    assert_eq!(set(&stage, WILLOW, png(400)).await.unwrap(), first, "the same again is no change");

    let second = set(&stage, WILLOW, png(40)).await.unwrap();
    assert_eq!(second.version, first.version + 1);
    assert_refused(read(&stage, WILLOW, &first.logo_digest).await, Reason::NotFound);
    assert_refused(read(&stage, LINDE, &second.logo_digest).await, Reason::NotFound);

    for unlike in ["", "\0", "../etc", &second.logo_digest.to_uppercase()] {
        assert_refused(read(&stage, WILLOW, unlike).await, Reason::NotFound);
    }

    let remove = || RemoveLogoRequest { business_id: WILLOW.to_string() };
    for _ in 0..2 {
        let gone = logos(&stage).remove_logo(stage.owner_of(WILLOW, remove())).await.unwrap().into_inner();
        let gone = gone.business.unwrap();
        assert_eq!((gone.logo_digest.as_str(), gone.version), ("", second.version + 1));
    }
    assert_refused(read(&stage, WILLOW, &second.logo_digest).await, Reason::NotFound);
    assert_eq!(stage.count("SELECT count(*) FROM business_logo").await, 0);
}

#[tokio::test]
async fn only_owners_change_it_and_only_members_see_it() {
    let stage = Stage::open().await;
    let set_it = SetLogoRequest { business_id: WILLOW.to_string(), content: png(20) };
    let manager = stage.manager_of(WILLOW, set_it.clone());
    assert_refused(logos(&stage).set_logo(manager).await, Reason::RoleTooLow);
    let stranger = as_user(&stage.host, Role::Owner, LINDE, set_it);
    assert_refused(logos(&stage).set_logo(stranger).await, Reason::NotFound);
    let digest = set(&stage, WILLOW, png(20)).await.unwrap().logo_digest;
    let request = GetLogoRequest { business_id: WILLOW.to_string(), digest };
    let stranger = as_user(&stage.host, Role::Owner, LINDE, request);
    assert_refused(logos(&stage).get_logo(stranger).await, Reason::NotFound);
}

#[tokio::test]
async fn a_file_that_is_no_picture_names_the_field() {
    let stage = Stage::open().await;
    for file in [vec![], b"<svg><script/></svg>".to_vec(), png(8), vec![0x89; 600_000]] {
        assert_field_refused(set(&stage, WILLOW, file).await, "content");
    }
    assert_eq!(known(&stage).await, "");
}
