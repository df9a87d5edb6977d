//! What optimised days were worked out from.

use database::named;
use engine::{id::ProposalId, optimiser::Input};
use sea_orm::FromQueryResult;

use super::Tx;
use crate::Error;

const KEEP_INPUT: &str = "UPDATE proposal SET input = :input WHERE business_id = :business_id AND id = :id";
const INPUT: &str =
    "SELECT input FROM proposal WHERE business_id = :business_id AND id = :id AND input IS NOT NULL";

#[derive(FromQueryResult)]
struct InputRow {
    input: serde_json::Value,
}

impl TryFrom<InputRow> for Input {
    type Error = Error;
    fn try_from(row: InputRow) -> Result<Self, Error> {
        serde_json::from_value(row.input).map_err(|_| Error::Stored("optimised day"))
    }
}

impl Tx {
    /// What an optimised day was worked out from.
    ///
    /// # Errors
    /// [`Error::NotFound`], also for a proposal of another cause.
    pub async fn optimisation_input(&self, id: ProposalId) -> Result<Input, Error> {
        let input =
            self.one::<InputRow, Input>(INPUT, named! { business_id: self.business.0, id: id.0 }).await?;
        input.ok_or(Error::NotFound("optimised day"))
    }
    /// Keeps what an optimised day was worked out from, for [`Self::optimisation_input`].
    pub async fn keep_optimisation_input(&self, id: ProposalId, input: &Input) -> Result<(), Error> {
        let input = serde_json::to_value(input).map_err(|_| Error::Stored("optimised day"))?;
        self.execute(KEEP_INPUT, named! { business_id: self.business.0, id: id.0, input }).await.map(drop)
    }
}
