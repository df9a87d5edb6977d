//! The mark that an appointment of ours bears in a booking system without a place for one: at the end of its note.

use uuid::Uuid;

use super::{AppointmentId, event::EventId};

const OPENS: &str = "[frontdesk ";
const CLOSES: char = ']';

/// A note that says `title` and bears the mark.
#[must_use]
pub fn marked(title: &str, event: &EventId, appointment: AppointmentId) -> String {
    format!("{title} {OPENS}{event} {}{CLOSES}", appointment.0.simple())
}

/// What a note of ours says before its mark.
#[must_use]
pub fn title_of(note: &str) -> &str {
    note.rsplit_once(OPENS).map_or(note, |(title, _)| title).trim()
}

/// Which event and appointment a note is marked with.
#[must_use]
pub fn mark_of(note: &str) -> Option<(EventId, AppointmentId)> {
    let (_, rest) = note.rsplit_once(OPENS)?;
    let (mark, _) = rest.split_once(CLOSES)?;
    let (event, appointment) = mark.split_once(' ')?;
    let is_id = event.len() == 32 && event.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then(|| EventId(event.to_owned())).zip(Uuid::parse_str(appointment).ok().map(AppointmentId))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::{CalendarId, EmployeeId};

    proptest! {
        #[test]
        fn a_mark_is_read_back_whatever_stands_around_it(
            title in ".*", after in "[^\\]]*", id in any::<u128>(), part in 0_i32..9
        ) {
            let appointment = AppointmentId(Uuid::from_u128(id));
            let event = EventId::of_part(CalendarId(Uuid::nil()), appointment, EmployeeId(Uuid::nil()), part);
            let note = marked(&title, &event, appointment);
            prop_assert_eq!(title_of(&note), title.trim());
            prop_assert_eq!(mark_of(&format!("{note}{after}")), Some((event, appointment)));
        }

        #[test]
        fn a_note_of_others_bears_none(note in ".*") {
            prop_assume!(!note.contains(OPENS));
            prop_assert_eq!(mark_of(&note), None);
        }
    }

    #[test]
    fn a_broken_mark_is_none() {
        for note in ["[frontdesk ]", "[frontdesk a b]", "[frontdesk 0123", ""] {
            assert_eq!(mark_of(note), None, "{note}");
        }
    }
}
