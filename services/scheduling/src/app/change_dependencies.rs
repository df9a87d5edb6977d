//! Changes the rules between services.

use engine::{
    dependency::{Dependency, check},
    id::DependencyId,
};
use proto::frontdesk::scheduling::v1::dependency_service_methods::{CREATE_DEPENDENCY, DELETE_DEPENDENCY};

use crate::{Error, store::Tx};

const MOST: usize = 500;

/// A rule to add.
#[derive(Debug)]
pub struct CreateDependency(pub Dependency);

impl CreateDependency {
    /// Adds the rule, or returns the one that its id has already.
    ///
    /// # Errors
    /// Unknown services, one rule too many, [`Error::Repeats`], [`Error::Contradiction`].
    pub async fn run(self, tx: &Tx) -> Result<Dependency, Error> {
        let Self(new) = self;
        // A service that chose the id asks again: nothing changes.
        let known = tx.dependencies().await?;
        if let Some(same) = known.into_iter().find(|known| known.id == new.id) {
            return Ok(same);
        }
        let add = async |version| {
            // Read again, now that no other rule is added until this transaction ends.
            admit(tx, &new, tx.dependencies().await?).await?;
            tx.add_dependency(version, &new).await
        };
        tx.change_schedule(&CREATE_DEPENDENCY, new.id, add).await?;
        Ok(new)
    }
}

/// A rule to remove.
#[derive(Debug)]
pub struct DeleteDependency(pub DependencyId);

impl DeleteDependency {
    /// Removes the rule.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn run(self, tx: Tx) -> Result<(), Error> {
        let Self(id) = self;
        let remove = async |version| tx.remove_dependency(version, id).await;
        tx.change_schedule(&DELETE_DEPENDENCY, id, remove).await?;
        tx.commit().await
    }
}

/// Refuses a rule about unknown services, one that is there, and one that others contradict.
async fn admit(tx: &Tx, new: &Dependency, mut known: Vec<Dependency>) -> Result<(), Error> {
    if known.len() >= MOST {
        return Err(Error::invalid("dependency", "is one too many: 500 are there"));
    }
    let services = tx.services_by_id().await?;
    for (field, service) in [("first_service_id", new.first), ("then_service_id", new.then)] {
        if !services.contains_key(&service) {
            return Err(Error::invalid(format!("dependency.{field}"), "is no service of the business"));
        }
    }
    if let Some(same) = known.iter().find(|known| known.repeats(new)) {
        return Err(Error::Repeats { what: "rule", id: same.id.0 });
    }
    known.push(new.clone());
    Ok(check(&services, &known)?)
}
