//! What an answer shall be worked out with instead of what is.

use engine::{
    id::{SubjectId, VisitId},
    span::Span,
};
use jiff::SignedDuration;
use proto::{error::invalid, frontdesk::scheduling::v1 as pb, parse::id, time};
use tonic::Status;

use crate::domain::hypothesis::Hypothesis;

const MOST: usize = 50;
const LONGEST: SignedDuration = SignedDuration::from_hours(25);

pub(super) fn parse(
    as_of: Option<&pbjson_types::Timestamp>,
    hypothesis: Option<&pb::Hypothesis>,
) -> Result<Hypothesis, Status> {
    let as_of = time::parse("as_of", as_of)?;
    let Some(hypothesis) = hypothesis else { return Ok(Hypothesis { as_of, ..Hypothesis::default() }) };
    if hypothesis.taken.len() > MOST {
        return Err(invalid("hypothesis.taken", "must be at most 50"));
    }
    if hypothesis.without_visit_ids.len() > MOST {
        return Err(invalid("hypothesis.without_visit_ids", "must be at most 50"));
    }
    let visit = |(index, visit): (usize, &String)| {
        id::<VisitId>(&format!("hypothesis.without_visit_ids[{index}]"), visit)
    };
    Ok(Hypothesis {
        as_of,
        taken: hypothesis.taken.iter().enumerate().map(taken).collect::<Result<_, _>>()?,
        without: hypothesis.without_visit_ids.iter().enumerate().map(visit).collect::<Result<_, _>>()?,
    })
}

fn taken((index, taken): (usize, &pb::HypotheticalTime)) -> Result<(SubjectId, Span), Status> {
    let field = |name: &str| format!("hypothesis.taken[{index}].{name}");
    let subject = id(&field("subject_id"), &taken.subject_id)?;
    let from = time::required(&field("from"), taken.from.as_ref())?;
    let to = time::required(&field("to"), taken.to.as_ref())?;
    let span = Span::new(from, to).filter(|span| span.length() <= LONGEST);
    let span = span.ok_or_else(|| invalid(&field("to"), "must lie after from, at most 25 hours"))?;
    Ok((subject, span))
}
