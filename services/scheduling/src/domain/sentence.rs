//! An explanation in one sentence, as it is said on the telephone or read on a screen.
//!
//! It tells the caller the first thing in the way, never whose appointment it is, and the next
//! time that is free.

mod english;
mod german;

use engine::{
    day::Day,
    dependency::Rule,
    explanation::{
        Candidate, ExplainedItem, ExplainedNeed, Explanation, Obstacle, Part, Record, VisitObstacle,
    },
    id::{DependencyId, EmployeeId, ServiceId},
    schedule::Schedule,
    visit::Placement,
};
use jiff::{Timestamp, civil::DateTime, tz::TimeZone};

/// A language the agent speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
}

impl Language {
    /// By its code of ISO 639-1.
    #[must_use]
    pub fn of(code: &str) -> Option<Self> {
        match code {
            "en" => Some(Self::English),
            "de" => Some(Self::German),
            _ => None,
        }
    }
}

/// How a time of day is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// As it is said: "3 pm".
    Spoken,
    /// As screens show it: "15:00".
    Screen,
}

/// The one thing a caller is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gist<'a> {
    Free(&'a str),
    Passed,
    TooSoon,
    TooFar,
    Closed,
    Closes(Moment),
    NotOffered(&'a str),
    DoesNotDo(&'a str, &'a str),
    Booked(&'a str, Moment),
    Held(&'a str),
    Away(&'a str, Moment),
    AwayFromThenOn(&'a str),
    NotAtWork(&'a str, Moment),
    NoneAtWork(&'a str, Moment),
    EverybodyBusy(&'a str, Moment),
    NoRoom(Moment),
    NothingOfKind(&'a str, Moment),
    NotEquipped,
    NotTogether,
    /// The service, what is needed before it, and by how many hours.
    NeedsEarlier(&'a str, &'a str, u16),
}

/// What follows on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outlook<'a> {
    /// The start itself is free.
    Taken,
    /// An employee is free then.
    Next(Moment, &'a str),
    /// Nothing is free for two weeks.
    Nothing,
}

/// A time as people say it, seen from today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Moment {
    shown: DateTime,
    day: SaidDay,
    clock: Clock,
}

/// How a day is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SaidDay {
    Today,
    Tomorrow,
    Named,
    /// The day that is spoken of already.
    Same,
}

/// Says an explanation; `next` is the first start after it that is free.
#[must_use]
pub fn say(
    explanation: &Explanation,
    next: Option<&Placement>,
    schedule: &Schedule,
    now: Timestamp,
    language: Language,
    clock: Clock,
) -> String {
    let speaker = Speaker { schedule, now, start: explanation.start, clock };
    let start = speaker.seen_from_today(explanation.start);
    let outlook = match (&explanation.offer, next) {
        (Some(_), _) => Outlook::Taken,
        (None, Some(next)) => Outlook::Next(speaker.moment(next.starts_at), speaker.with(next)),
        (None, None) => Outlook::Nothing,
    };
    let gist = speaker.gist(explanation);
    match language {
        Language::English => english::say(gist, start, outlook),
        Language::German => german::say(gist, start, outlook),
    }
}

/// Says whose calendars can't be seen; empty where all can. What was said before it is then as far as is known.
#[must_use]
pub fn doubt(unseen: &[&str], language: Language) -> String {
    match (unseen, language) {
        ([], _) => String::new(),
        (_, Language::English) => english::doubt(unseen),
        (_, Language::German) => german::doubt(unseen),
    }
}

struct Speaker<'a> {
    schedule: &'a Schedule,
    now: Timestamp,
    start: Timestamp,
    clock: Clock,
}

impl<'a> Speaker<'a> {
    fn gist(&self, explanation: &'a Explanation) -> Gist<'a> {
        if let Some(offer) = &explanation.offer {
            return Gist::Free(self.with(offer));
        }
        if let Some(obstacle) = explanation.obstacles.first() {
            return self.of_the_visit(*obstacle);
        }
        let blocked = explanation.items.iter().find(|item| item.candidates.iter().all(is_blocked));
        let used_up = explanation.items.iter().find_map(|item| {
            let is_used_up = |need: &&ExplainedNeed| need.candidates.iter().all(|one| blocks(&one.obstacles));
            Some((item, item.needs.iter().find(is_used_up)?))
        });
        match (blocked, used_up) {
            (Some(item), _) => self.of_an_item(item),
            (None, Some((item, need))) => {
                Gist::NothingOfKind(&need.kind, self.seen_from_today(item.span.starts_at()))
            }
            (None, None) => Gist::NoRoom(self.seen_from_today(self.start)),
        }
    }

    fn of_the_visit(&self, obstacle: VisitObstacle) -> Gist<'a> {
        match obstacle {
            VisitObstacle::TooSoon(_) if self.start < self.now => Gist::Passed,
            VisitObstacle::TooSoon(_) => Gist::TooSoon,
            VisitObstacle::TooFar(_) => Gist::TooFar,
            VisitObstacle::Closed { span, .. } if span.starts_at() > self.start => {
                Gist::Closes(self.moment(span.starts_at()))
            }
            VisitObstacle::Closed { .. } => Gist::Closed,
            VisitObstacle::NoResource => Gist::NotEquipped,
            VisitObstacle::NotTogether => Gist::NotTogether,
            VisitObstacle::EarlierVisit(rule) => self.of_a_rule(rule),
        }
    }

    fn of_a_rule(&self, rule: DependencyId) -> Gist<'a> {
        let rule = self.schedule.dependencies.iter().find(|one| one.id == rule);
        match rule.map(|rule| (rule, rule.rule)) {
            Some((rule, Rule::EarlierVisit { least_hours, .. })) => {
                Gist::NeedsEarlier(self.service(rule.then), self.service(rule.first), least_hours)
            }
            _ => Gist::NotTogether,
        }
    }

    fn of_an_item(&self, item: &ExplainedItem) -> Gist<'a> {
        let (service, at) = (self.service(item.service), self.seen_from_today(item.span.starts_at()));
        match item.candidates.as_slice() {
            [] => Gist::NotOffered(service),
            [only] => self.of_candidate(only, service, at),
            all if all
                .iter()
                .all(|one| matches!(worst(one), Some(Obstacle::NotWorking(_) | Obstacle::Off(_)))) =>
            {
                Gist::NoneAtWork(service, at)
            }
            _ => Gist::EverybodyBusy(service, at),
        }
    }

    fn of_candidate(&self, candidate: &Candidate, service: &'a str, at: Moment) -> Gist<'a> {
        let name = self.schedule.name_of(candidate.employee);
        match worst(candidate) {
            Some(Obstacle::NotSkilled) => Gist::DoesNotDo(name, service),
            // The caller must not learn that the absence is leave.
            Some(Obstacle::NotWorking(_) | Obstacle::Off(_)) => Gist::NotAtWork(name, at),
            Some(Obstacle::Taken { record, span, .. }) => match record {
                Record::Appointment(_) | Record::Hypothesis => {
                    Gist::Booked(name, self.moment(span.ends_at()))
                }
                Record::Hold(_) => Gist::Held(name),
                Record::Busy(_) | Record::Block(_) if self.is_midnight(span.ends_at()) => {
                    Gist::AwayFromThenOn(name)
                }
                Record::Busy(_) | Record::Block(_) => Gist::Away(name, self.moment(span.ends_at())),
            },
            None => Gist::NoRoom(at),
        }
    }

    /// The ledger has a long absence cut at midnights: that one ends there need not be so.
    fn is_midnight(&self, at: Timestamp) -> bool {
        let day = local(at, &self.schedule.zone).date();
        Day::of(day, &self.schedule.zone).starts_at() == at
    }

    fn service(&self, id: ServiceId) -> &'a str {
        self.schedule.services.get(&id).map_or("", |service| &service.name)
    }

    /// The name of the employee who does the whole visit; empty if there are several.
    fn with(&self, placement: &Placement) -> &'a str {
        let people: Vec<EmployeeId> = placement.items.iter().map(|item| item.employee).collect();
        match people.first() {
            Some(first) if people.iter().all(|other| other == first) => self.schedule.name_of(*first),
            _ => "",
        }
    }

    /// A moment after the start has been spoken of: its day goes without saying.
    fn moment(&self, at: Timestamp) -> Moment {
        let moment = self.seen_from_today(at);
        let same = moment.shown.date() == local(self.start, &self.schedule.zone).date();
        if same { Moment { day: SaidDay::Same, ..moment } } else { moment }
    }

    fn seen_from_today(&self, at: Timestamp) -> Moment {
        let (shown, today) = (local(at, &self.schedule.zone), local(self.now, &self.schedule.zone).date());
        let day = if shown.date() == today {
            SaidDay::Today
        } else if Some(shown.date()) == today.tomorrow().ok() {
            SaidDay::Tomorrow
        } else {
            SaidDay::Named
        };
        Moment { shown, day, clock: self.clock }
    }
}

/// Begins large and ends with a full stop.
fn sentence(said: &str, rest: &str) -> String {
    let mut letters = said.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}{rest}.", letters.as_str())
}

fn local(at: Timestamp, zone: &TimeZone) -> DateTime {
    zone.to_datetime(at)
}

/// What keeps a candidate from the service itself; buffers don't count for who goes on.
fn worst(candidate: &Candidate) -> Option<Obstacle> {
    candidate.obstacles.iter().find(|obstacle| is_in_the_service(obstacle)).copied()
}

fn blocks(obstacles: &[Obstacle]) -> bool {
    obstacles.iter().any(is_in_the_service)
}

fn is_in_the_service(obstacle: &Obstacle) -> bool {
    match obstacle {
        Obstacle::NotSkilled | Obstacle::NotWorking(_) | Obstacle::Off(_) => true,
        Obstacle::Taken { part, .. } => *part == Part::Service,
    }
}

fn is_blocked(candidate: &Candidate) -> bool {
    worst(candidate).is_some()
}

#[cfg(test)]
mod tests;
