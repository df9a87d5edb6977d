//! Explanations as messages of the contract.

use std::collections::BTreeSet;

use caller::Actor;
use engine::{
    explanation::{
        Candidate, ExplainedItem, ExplainedNeed, Explanation, Obstacle, Part, Record, ResourceCandidate,
        VisitObstacle,
    },
    id::EmployeeId,
    schedule::Schedule,
    span::Span,
    working::Absence,
};
use jiff::Timestamp;
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{self as pb, ExplainAvailabilityResponse},
    time::to_proto,
};
use tonic::Status;

use super::{busy_source::sources, schedule::zone_name};
use crate::{
    app::Explained,
    contract::{FromEngine, offer},
    domain::{
        busy_source::{BusySource, Freshness},
        sentence::{Clock, Language, doubt, say},
    },
};

/// The language of the sentence; English, where none is named.
pub(super) fn language(code: &str) -> Result<Language, Status> {
    let code = if code.is_empty() { "en" } else { code };
    Language::of(code).ok_or_else(|| invalid("language", "must be en or de"))
}

/// The agent says the sentence, a person reads it on a screen.
pub(super) fn clock(actor: &Actor) -> Clock {
    match actor {
        Actor::Person { .. } => Clock::Screen,
        Actor::Agent { .. } | Actor::Service { .. } => Clock::Spoken,
    }
}

pub(super) fn response(
    explained: &Explained,
    known: &[BusySource],
    now: Timestamp,
    language: Language,
    clock: Clock,
) -> ExplainAvailabilityResponse {
    let Explained { schedule, explanation, next } = explained;
    let said = say(explanation, next.as_ref(), schedule, now, language, clock);
    let unseen: BTreeSet<&str> = unseen(known, &depends_on(explanation), now)
        .map(|source| schedule.name_of(source.employee))
        .collect();
    let doubt = doubt(&unseen.into_iter().collect::<Vec<_>>(), language);
    ExplainAvailabilityResponse {
        offer: explanation.offer.as_ref().map(|free| offer(free, schedule)),
        obstacles: explanation.obstacles.iter().map(pb::VisitObstacle::from_engine).collect(),
        items: explanation.items.iter().map(|item| item_of(item, schedule)).collect(),
        next_offer: next.as_ref().map(|next| offer(next, schedule)),
        sentence: if doubt.is_empty() { said } else { format!("{said} {doubt}") },
        time_zone: zone_name(&schedule.zone),
        sources: sources(known, &considered(explanation), schedule, now),
    }
}

/// Everybody who was considered.
fn considered(explanation: &Explanation) -> BTreeSet<EmployeeId> {
    let candidates = explanation.items.iter().flat_map(|item| &item.candidates);
    candidates.map(|candidate| candidate.employee).collect()
}

/// Those on whose time the answer depends: who would do the visit, or else everybody who can't.
fn depends_on(explanation: &Explanation) -> BTreeSet<EmployeeId> {
    match &explanation.offer {
        Some(offer) => offer.items.iter().map(|item| item.employee).collect(),
        None => considered(explanation),
    }
}

fn unseen<'a>(
    known: &'a [BusySource],
    among: &BTreeSet<EmployeeId>,
    now: Timestamp,
) -> impl Iterator<Item = &'a BusySource> {
    let theirs = known.iter().filter(move |source| among.contains(&source.employee));
    theirs.filter(move |source| source.reading.freshness(now) != Freshness::Fresh)
}

impl FromEngine<&VisitObstacle> for pb::VisitObstacle {
    fn from_engine(obstacle: &VisitObstacle) -> Self {
        use pb::visit_obstacle::Kind;
        let (kind, from, until, record) = match *obstacle {
            VisitObstacle::TooSoon(until) => (Kind::TooSoon, None, Some(until), None),
            VisitObstacle::TooFar(from) => (Kind::TooFar, Some(from), None, None),
            VisitObstacle::Closed { span, exception } => {
                (Kind::Closed, Some(span.starts_at()), Some(span.ends_at()), exception.map(|id| id.0))
            }
            VisitObstacle::NoResource => (Kind::NoResource, None, None, None),
            VisitObstacle::NotTogether => (Kind::NotTogether, None, None, None),
            VisitObstacle::EarlierVisit(rule) => (Kind::EarlierVisit, None, None, Some(rule.0)),
        };
        Self {
            kind: kind.into(),
            from: from.map(to_proto),
            until: until.map(to_proto),
            record_id: record.map(|id| id.to_string()).unwrap_or_default(),
        }
    }
}

fn item_of(item: &ExplainedItem, schedule: &Schedule) -> pb::ExplainedItem {
    let name = schedule.services.get(&item.service).map(|service| service.name.clone());
    pb::ExplainedItem {
        service_id: item.service.to_string(),
        service_name: name.unwrap_or_default(),
        starts_at: Some(to_proto(item.span.starts_at())),
        ends_at: Some(to_proto(item.span.ends_at())),
        candidates: item.candidates.iter().map(|candidate| candidate_of(candidate, schedule)).collect(),
        guest: item.guest.into(),
        needs: item.needs.iter().map(|need| need_of(need, schedule)).collect(),
    }
}

fn need_of(need: &ExplainedNeed, schedule: &Schedule) -> pb::ExplainedNeed {
    let candidate = |candidate: &ResourceCandidate| {
        let resource = schedule.resources.get(&candidate.resource);
        pb::ResourceCandidate {
            resource_id: candidate.resource.to_string(),
            resource_name: resource.map(|resource| resource.name.clone()).unwrap_or_default(),
            obstacles: candidate.obstacles.iter().map(pb::Obstacle::from_engine).collect(),
        }
    };
    pb::ExplainedNeed { kind: need.kind.clone(), candidates: need.candidates.iter().map(candidate).collect() }
}

fn candidate_of(candidate: &Candidate, schedule: &Schedule) -> pb::Candidate {
    pb::Candidate {
        employee_id: candidate.employee.to_string(),
        employee_name: schedule.name_of(candidate.employee).to_owned(),
        obstacles: candidate.obstacles.iter().map(pb::Obstacle::from_engine).collect(),
    }
}

impl FromEngine<&Obstacle> for pb::Obstacle {
    fn from_engine(obstacle: &Obstacle) -> Self {
        use pb::obstacle::Kind;
        match *obstacle {
            Obstacle::NotSkilled => Self { kind: Kind::NotSkilled.into(), ..Self::default() },
            Obstacle::NotWorking(span) => lying_in(Part::Service, Kind::NotWorking, span, String::new()),
            Obstacle::Off(Absence { time_off, span }) => {
                lying_in(Part::Service, Kind::Off, span, time_off.to_string())
            }
            Obstacle::Taken { record, span, part } => {
                let (kind, id) = match record {
                    Record::Appointment(id) => (Kind::Booked, id.to_string()),
                    Record::Hold(id) => (Kind::Held, id.to_string()),
                    Record::Busy(id) => (Kind::Busy, id.to_string()),
                    Record::Hypothesis => (Kind::Supposed, String::new()),
                    Record::Block(id) => (Kind::Blocked, id.to_string()),
                };
                lying_in(part, kind, span, id)
            }
        }
    }
}

fn lying_in(part: Part, kind: pb::obstacle::Kind, span: Span, record_id: String) -> pb::Obstacle {
    let part = match part {
        Part::Service => pb::obstacle::Part::Service,
        Part::BufferBefore => pb::obstacle::Part::BufferBefore,
        Part::BufferAfter => pb::obstacle::Part::BufferAfter,
    };
    pb::Obstacle {
        kind: kind.into(),
        part: part.into(),
        from: Some(to_proto(span.starts_at())),
        until: Some(to_proto(span.ends_at())),
        record_id,
    }
}
