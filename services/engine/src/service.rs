//! What the salon sells.

use currency::Currency;
use serde::{Deserialize, Serialize};

use super::{
    id::{EmployeeId, ServiceId},
    slots::SLOT_MINUTES,
};

const MAX_SEGMENTS: usize = 20;
/// The longest segment, in minutes.
pub const MAX_SEGMENT_MINUTES: u16 = 720;
const MAX_SERVICE_MINUTES: u16 = 1440;
const MAX_BUFFER_MINUTES: u16 = 120;
const MAX_PRICE_MINOR: i32 = 100_000_000;

/// A stretch of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// What the employee does.
    pub kind: SegmentKind,
    /// How long.
    pub minutes: u16,
}

/// What the employee does during a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SegmentKind {
    /// Works on the customer.
    Active,
    /// Is free, while the customer waits (colour takes).
    Processing,
}

/// Money.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// In the currency's minor unit.
    pub minor: i32,
    /// ISO 4217.
    pub currency: String,
}

/// What is wrong with a service, by the field's name in the contract.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} {problem}")]
pub struct ServiceError {
    /// The field.
    pub field: String,
    /// Continues the sentence that the field begins.
    pub problem: &'static str,
}

/// How a service takes up time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segments {
    segments: Vec<Segment>,
    buffer_before: u16,
    buffer_after: u16,
}

impl Segments {
    /// A course of segments that begins and ends with the employee at work.
    ///
    /// # Errors
    /// Names the field that is out of bounds.
    pub fn new(segments: Vec<Segment>, before: u16, after: u16) -> Result<Self, ServiceError> {
        let error = |field: String, problem| Err(ServiceError { field, problem });
        if segments.is_empty() || segments.len() > MAX_SEGMENTS {
            return error("segments".to_owned(), "must be 1 to 20");
        }
        for (index, segment) in segments.iter().enumerate() {
            let fits = (SLOT_MINUTES..=MAX_SEGMENT_MINUTES).contains(&segment.minutes);
            if !fits || !segment.minutes.is_multiple_of(SLOT_MINUTES) {
                return error(format!("segments[{index}].minutes"), "must be a multiple of 5, 5 to 720");
            }
        }
        if [segments.first(), segments.last()].into_iter().flatten().any(|s| s.kind != SegmentKind::Active) {
            return error("segments".to_owned(), "must begin and end with an active one");
        }
        for (field, minutes) in [("buffer_before_minutes", before), ("buffer_after_minutes", after)] {
            if minutes > MAX_BUFFER_MINUTES || !minutes.is_multiple_of(SLOT_MINUTES) {
                return error(field.to_owned(), "must be a multiple of 5, 0 to 120");
            }
        }
        let course = Self { segments, buffer_before: before, buffer_after: after };
        if course.minutes() > MAX_SERVICE_MINUTES {
            return error("segments".to_owned(), "must not take more than 24 hours together");
        }
        Ok(course)
    }

    /// Its segments, in order.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Minutes kept free before.
    #[must_use]
    pub fn buffer_before(&self) -> u16 {
        self.buffer_before
    }

    /// Minutes kept free after.
    #[must_use]
    pub fn buffer_after(&self) -> u16 {
        self.buffer_after
    }

    /// Minutes from the start of the first segment to the end of the last.
    #[must_use]
    pub fn minutes(&self) -> u16 {
        self.segments.iter().map(|segment| segment.minutes).sum()
    }

    /// The same with segments of other lengths.
    ///
    /// # Errors
    /// Names the field that is out of bounds.
    pub fn with_minutes(&self, minutes: &[u16]) -> Result<Self, ServiceError> {
        if minutes.len() != self.segments.len() {
            return Err(ServiceError {
                field: "segment_minutes".to_owned(),
                problem: "must be one per segment",
            });
        }
        let segments = self.segments.iter().zip(minutes);
        let segments = segments.map(|(segment, &minutes)| Segment { kind: segment.kind, minutes }).collect();
        Self::new(segments, self.buffer_before, self.buffer_after)
    }

    /// The same, extended at its end by `minutes`, which may be negative; `None` if its last segment
    /// would be out of bounds.
    #[must_use]
    pub fn lengthened(&self, minutes: i16) -> Option<Self> {
        let mut segments = self.segments.clone();
        let last = segments.last_mut()?;
        last.minutes = last.minutes.checked_add_signed(minutes)?;
        Self::new(segments, self.buffer_before, self.buffer_after).ok()
    }

    /// Minutes after the start at which the first processing time begins; `None` if there is none.
    #[must_use]
    pub fn waits_from(&self) -> Option<u16> {
        let first = self.segments.iter().position(|segment| segment.kind == SegmentKind::Processing)?;
        Some(self.segments[..first].iter().map(|segment| segment.minutes).sum())
    }

    /// The segments that need the employee, as minutes after the start.
    pub fn active(&self) -> impl Iterator<Item = core::ops::Range<u16>> {
        self.segments
            .iter()
            .scan(0, |at, segment| {
                let from = *at;
                *at += segment.minutes;
                Some((segment.kind, from..*at))
            })
            .filter_map(|(kind, range)| (kind == SegmentKind::Active).then_some(range))
    }
}

impl Price {
    /// A price.
    ///
    /// # Errors
    /// Names the field that is out of bounds.
    pub fn new(minor: i32, currency: String) -> Result<Self, ServiceError> {
        if !(0..=MAX_PRICE_MINOR).contains(&minor) {
            return Err(ServiceError { field: "price_minor".to_owned(), problem: "must be 0 to 100000000" });
        }
        if currency.parse::<Currency>().is_err() {
            return Err(ServiceError { field: "currency".to_owned(), problem: ::currency::PROBLEM });
        }
        Ok(Self { minor, currency })
    }
}

/// Something a customer can book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Service {
    /// Its id.
    pub id: ServiceId,
    /// What it is called.
    pub name: String,
    /// What it is listed under, or empty.
    pub category: String,
    /// How it takes up time.
    pub course: Segments,
    /// What it costs.
    pub price: Price,
    /// What people call it on the phone.
    pub aliases: Vec<String>,
    /// Who does it, ascending.
    pub employees: Vec<EmployeeId>,
    /// Who of them does it otherwise, ascending.
    pub overrides: Vec<SkillOverride>,
    /// Kinds of resources it needs one each of, from its start to its end.
    pub resource_kinds: Vec<String>,
    /// Grows by one with each change.
    pub version: i64,
    /// What a customer must have been tested for before, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub patch_test: String,
}

/// How one employee does a service otherwise than the rest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillOverride {
    /// Who.
    pub employee: EmployeeId,
    /// How it takes up the employee's time, where that differs.
    pub course: Option<Segments>,
    /// What it costs in the currency's minor unit, where that differs.
    pub price_minor: Option<i32>,
}

impl Service {
    /// How it takes up time when `employee` does it.
    #[must_use]
    pub fn course_of(&self, employee: EmployeeId) -> &Segments {
        self.override_of(employee).and_then(|skill| skill.course.as_ref()).unwrap_or(&self.course)
    }

    /// What it costs when `employee` does it.
    #[must_use]
    pub fn price_of(&self, employee: EmployeeId) -> i32 {
        self.override_of(employee).and_then(|skill| skill.price_minor).unwrap_or(self.price.minor)
    }

    /// Every way it may take up time.
    pub fn courses(&self) -> impl Iterator<Item = &Segments> + Clone {
        let others = self.overrides.iter().filter_map(|skill| skill.course.as_ref());
        core::iter::once(&self.course).chain(others)
    }

    /// The service extended by `minutes`, for every employee; `None` if that is out of bounds for any
    /// of them.
    #[must_use]
    pub fn lengthened(&self, minutes: i16) -> Option<Self> {
        let skill = |skill: &SkillOverride| {
            let course = match &skill.course {
                Some(course) => Some(course.lengthened(minutes)?),
                None => None,
            };
            Some(SkillOverride { course, ..skill.clone() })
        };
        let overrides = self.overrides.iter().map(skill).collect::<Option<_>>()?;
        Some(Self { course: self.course.lengthened(minutes)?, overrides, ..self.clone() })
    }

    fn override_of(&self, employee: EmployeeId) -> Option<&SkillOverride> {
        let index = self.overrides.binary_search_by_key(&employee, |skill| skill.employee).ok()?;
        self.overrides.get(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn active(minutes: u16) -> Segment {
        Segment { kind: SegmentKind::Active, minutes }
    }

    fn processing(minutes: u16) -> Segment {
        Segment { kind: SegmentKind::Processing, minutes }
    }

    fn refused_field(segments: Vec<Segment>, before: u16, after: u16) -> String {
        Segments::new(segments, before, after).unwrap_err().field
    }

    #[test]
    fn the_employee_is_needed_around_the_processing_time() {
        let course = Segments::new(vec![active(30), processing(25), active(15)], 5, 10).unwrap();
        assert_eq!(course.minutes(), 70);
        assert_eq!(course.active().collect::<Vec<_>>(), [0..30, 55..70]);
    }

    #[test]
    fn more_time_comes_at_the_end_and_leaves_at_least_five_minutes() {
        let course = Segments::new(vec![active(30), processing(25), active(15)], 5, 10).unwrap();
        let minutes = |more| course.lengthened(more).map(|course| course.active().collect::<Vec<_>>());
        assert_eq!(minutes(20), Some(vec![0..30, 55..90]));
        assert_eq!(minutes(-10), Some(vec![0..30, 55..60]));
        assert_eq!([minutes(-15), minutes(-20), minutes(710), minutes(3)], [const { None }; 4]);
    }

    #[test]
    fn what_is_out_of_bounds_is_named() {
        assert_eq!(refused_field(vec![], 0, 0), "segments");
        assert_eq!(refused_field(vec![active(30), active(7)], 0, 0), "segments[1].minutes");
        assert_eq!(refused_field(vec![active(725)], 0, 0), "segments[0].minutes");
        assert_eq!(refused_field(vec![active(30), processing(30)], 0, 0), "segments");
        assert_eq!(refused_field(vec![active(720), active(720), active(5)], 0, 0), "segments");
        assert_eq!(refused_field(vec![active(30)], 3, 0), "buffer_before_minutes");
        assert_eq!(refused_field(vec![active(30)], 0, 125), "buffer_after_minutes");
    }

    #[test]
    fn a_price_has_a_currency_and_is_not_negative() {
        assert!(Price::new(0, "GBP".to_owned()).is_ok());
        assert_eq!(Price::new(-1, "GBP".to_owned()).unwrap_err().field, "price_minor");
        for wrong in ["gbp", "XXX", "XAU"] {
            assert_eq!(Price::new(100, wrong.to_owned()).unwrap_err().field, "currency", "{wrong}");
        }
    }
}
