//! Rules between services.

use caller::{BusinessScope, Tenant};
use engine::{
    dependency::{Dependency, MAX_EARLIER_DAYS, MAX_GAP_MINUTES, Rule},
    id::DependencyId,
    slots::SLOT_MINUTES,
};
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, CreateDependencyRequest, CreateDependencyResponse, DeleteDependencyRequest,
        DeleteDependencyResponse, DependencyServiceHandler, ListDependenciesRequest,
        ListDependenciesResponse, dependency_service_methods::CREATE_DEPENDENCY,
    },
    parse::{chosen_id, id},
};
use tonic::{Status, async_trait};

use crate::{
    app::{CreateDependency, DeleteDependency},
    contract::FromEngine,
    store::Store,
};

/// Serves `DependencyService`.
#[derive(Debug)]
pub(crate) struct Dependencies {
    store: Store,
}

impl Dependencies {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl DependencyServiceHandler for Dependencies {
    async fn list_dependencies(
        &self,
        scope: BusinessScope,
        _: ListDependenciesRequest,
    ) -> Result<ListDependenciesResponse, Status> {
        let tx = self.store.begin(&scope);
        let dependencies = tx.dependencies().await?;
        tx.release();
        Ok(ListDependenciesResponse {
            dependencies: dependencies.iter().map(pb::Dependency::from_engine).collect(),
        })
    }

    async fn create_dependency(
        &self,
        scope: BusinessScope,
        request: CreateDependencyRequest,
    ) -> Result<CreateDependencyResponse, Status> {
        let wanted = request.dependency.as_ref().ok_or_else(|| invalid("dependency", "is required"))?;
        let chosen: Option<DependencyId> = chosen_id("dependency.id", &wanted.id, &scope.actor())?;
        let new = parse(chosen.unwrap_or_else(|| self.store.new_id()), wanted)?;
        self.store
            .idempotent(&scope, &CREATE_DEPENDENCY, &request, async |tx| {
                let dependency = CreateDependency(new).run(tx).await?;
                Ok(CreateDependencyResponse { dependency: Some(pb::Dependency::from_engine(&dependency)) })
            })
            .await
    }

    async fn delete_dependency(
        &self,
        scope: BusinessScope,
        request: DeleteDependencyRequest,
    ) -> Result<DeleteDependencyResponse, Status> {
        let id: DependencyId = id("dependency_id", &request.dependency_id)?;
        DeleteDependency(id).run(self.store.begin(&scope)).await?;
        Ok(DeleteDependencyResponse {})
    }
}

fn parse(id: DependencyId, wanted: &pb::Dependency) -> Result<Dependency, Status> {
    let first = self::id("dependency.first_service_id", &wanted.first_service_id)?;
    let then = self::id("dependency.then_service_id", &wanted.then_service_id)?;
    if first == then {
        return Err(invalid("dependency.then_service_id", "must be another service"));
    }
    let rule = match wanted.rule() {
        pb::DependencyRule::Unspecified => return Err(invalid("dependency.rule", "is required")),
        pb::DependencyRule::Order => order(wanted)?,
        pb::DependencyRule::EarlierVisit => earlier(wanted)?,
        pb::DependencyRule::SameEmployee => Rule::SameEmployee,
        pb::DependencyRule::DifferentEmployee => Rule::DifferentEmployee,
        pb::DependencyRule::Parallel => Rule::Parallel,
    };
    let is_order = matches!(rule, Rule::Order { .. });
    let is_earlier = matches!(rule, Rule::EarlierVisit { .. });
    let strange = [
        ("least_gap_minutes", wanted.least_gap_minutes != 0 && !is_order, "is for an order alone"),
        ("most_gap_minutes", wanted.most_gap_minutes.is_some() && !is_order, "is for an order alone"),
        ("least_hours", wanted.least_hours != 0 && !is_earlier, "is for an earlier visit alone"),
        ("most_days", wanted.most_days.is_some() && !is_earlier, "is for an earlier visit alone"),
    ];
    if let Some((field, _, problem)) = strange.into_iter().find(|(_, is_there, _)| *is_there) {
        return Err(invalid(&format!("dependency.{field}"), problem));
    }
    Ok(Dependency { id, first, then, rule })
}

fn order(wanted: &pb::Dependency) -> Result<Rule, Status> {
    let minutes = |field: &str, minutes: i32| {
        let fits = |minutes: &u16| *minutes <= MAX_GAP_MINUTES && minutes.is_multiple_of(SLOT_MINUTES);
        let field = format!("dependency.{field}");
        let minutes = u16::try_from(minutes).ok().filter(fits);
        minutes.ok_or_else(|| invalid(&field, "must be a multiple of 5, 0 to 1440"))
    };
    let least = minutes("least_gap_minutes", wanted.least_gap_minutes)?;
    let most = wanted.most_gap_minutes.map(|most| minutes("most_gap_minutes", most)).transpose()?;
    if most.is_some_and(|most| most < least) {
        return Err(invalid("dependency.most_gap_minutes", "must not be less than least_gap_minutes"));
    }
    Ok(Rule::Order { least, most })
}

fn earlier(wanted: &pb::Dependency) -> Result<Rule, Status> {
    let most_days = wanted.most_days.map_or(Some(MAX_EARLIER_DAYS), |days| u16::try_from(days).ok());
    let most_days = most_days.filter(|days| (1..=MAX_EARLIER_DAYS).contains(days));
    let most_days = most_days.ok_or_else(|| invalid("dependency.most_days", "must be 1 to 730"))?;
    let least_hours = u16::try_from(wanted.least_hours).ok().filter(|hours| hours.div_ceil(24) <= most_days);
    let least_hours = least_hours
        .ok_or_else(|| invalid("dependency.least_hours", "must be 0 to as many hours as most_days has"))?;
    Ok(Rule::EarlierVisit { least_hours, most_days })
}
