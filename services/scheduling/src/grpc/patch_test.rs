//! Whether customers were tested for what is done to them.

use caller::BusinessScope;
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, CheckPatchTestsRequest, CheckPatchTestsResponse, PatchTestServiceHandler,
        patch_test_warning::Kind,
    },
    parse::{id, optional_id},
};
use tonic::{Status, async_trait};

use crate::{
    app::{Lacking, Named, PatchTests, People, Treatment},
    domain::patch_test::{Lack, sentence},
};

const MAX_SERVICES: usize = 48;

/// Serves `PatchTestService`.
#[derive(Debug)]
pub(crate) struct PatchTestChecks {
    tests: PatchTests,
    people: People,
}

impl PatchTestChecks {
    pub(crate) fn new(tests: PatchTests, people: People) -> Self {
        Self { tests, people }
    }
}

#[async_trait]
impl PatchTestServiceHandler for PatchTestChecks {
    async fn check_patch_tests(
        &self,
        scope: BusinessScope,
        request: CheckPatchTestsRequest,
    ) -> Result<CheckPatchTestsResponse, Status> {
        let visit = treatment(&request)?;
        self.people.check(&scope, Named::customer("customer_id", visit.customer)).await?;
        let lacking = self.tests.lacking(&scope, &visit).await?;
        Ok(CheckPatchTestsResponse { warnings: lacking.iter().map(pb::PatchTestWarning::from).collect() })
    }
}

fn treatment(request: &CheckPatchTestsRequest) -> Result<Treatment, Status> {
    if !(1..=MAX_SERVICES).contains(&request.service_ids.len()) {
        return Err(invalid("service_ids", "must be 1 to 48"));
    }
    let service = |(index, text): (usize, &String)| id(&format!("service_ids[{index}]"), text);
    Ok(Treatment {
        customer: optional_id("customer_id", &request.customer_id)?,
        services: request.service_ids.iter().enumerate().map(service).collect::<Result<_, _>>()?,
        start: proto::time::parse("starts_at", request.starts_at.as_ref())?,
    })
}

impl From<&Lacking> for pb::PatchTestWarning {
    fn from(Lacking { service, lack }: &Lacking) -> Self {
        let of = |kind: Kind| Self {
            kind: kind.into(),
            service_id: service.id.to_string(),
            service_name: service.name.clone(),
            subject: service.patch_test.clone(),
            sentence: sentence(&service.patch_test, *lack),
            ..Self::default()
        };
        match lack {
            Lack::Missing => of(Kind::Missing),
            Lack::Expired { tested_on, valid_until } => Self {
                tested_on: tested_on.to_string(),
                valid_until: valid_until.to_string(),
                ..of(Kind::Expired)
            },
            Lack::Reaction { tested_on } => Self { tested_on: tested_on.to_string(), ..of(Kind::Reaction) },
        }
    }
}
