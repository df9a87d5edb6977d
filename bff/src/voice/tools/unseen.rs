//! Calendars that can't be seen while free times are looked for, and what the caller hears of them: that there is
//! nothing free is never said where a calendar could not be read.

use std::collections::BTreeMap;

use proto::frontdesk::scheduling::v1::{BusySource, Freshness, Offer, VisitItem};
use serde_json::Value;

use super::{
    names,
    speech::{Joint, Speech},
};

/// Employees whose calendars can't be seen, by id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unseen(BTreeMap<String, String>);

/// What can be done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ways {
    /// The caller wants an employee: others may be free.
    pub others: bool,
    /// A message can be taken.
    pub message: bool,
}

impl Unseen {
    /// Those among the sources of an answer.
    pub fn of(sources: &[BusySource]) -> Self {
        let unseen = sources.iter().filter(|source| match source.freshness() {
            Freshness::Fresh | Freshness::Unspecified => false,
            Freshness::Stale | Freshness::Unreachable | Freshness::Unread => true,
        });
        let named = |source: &BusySource| {
            (source.employee_id.clone(), names::first(&source.employee_name).to_owned())
        };
        Self(unseen.map(named).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The offers of employees whose calendars can be seen; all of them, where there are no such.
    pub fn seen_first(&self, offers: Vec<Offer>) -> Vec<Offer> {
        if offers.iter().all(|offer| self.is_in(offer)) {
            return offers;
        }
        offers.into_iter().filter(|offer| !self.is_in(offer)).collect()
    }

    /// Said before offers.
    pub fn before_offers(&self, speech: Speech<'_>, items: &[VisitItem], offers: &[Offer]) -> String {
        let calendar = self.calendar(speech);
        if !offers.is_empty() && offers.iter().all(|offer| self.is_in(offer)) {
            return speech.pick(
                format!("I can't see {calendar} right now, so the salon may have to call you back. "),
                format!(
                    "{calendar} kann ich gerade nicht einsehen, der Salon muss sich vielleicht noch einmal melden. "
                ),
            );
        }
        let wished = |item: &VisitItem| {
            self.0.contains_key(&item.employee_id) || self.0.contains_key(&item.preferred_employee_id)
        };
        if !items.iter().any(wished) {
            return String::new();
        }
        speech.pick(
            format!("I can't see {calendar} right now. "),
            format!("{calendar} kann ich gerade nicht einsehen. "),
        )
    }

    /// Said where a day has no offers and others are looked at.
    pub fn nothing_known(&self, speech: Speech<'_>, asked: &str) -> String {
        let calendar = self.calendar(speech);
        speech.pick(
            format!("I can't see {calendar} right now, so I can't say for certain {asked}. "),
            format!("{calendar} kann ich gerade nicht einsehen, {asked} kann ich nichts Sicheres sagen. "),
        )
    }

    /// Said where there are no offers at all.
    pub fn no_offers(&self, speech: Speech<'_>, searched: &str, ways: Ways) -> String {
        let calendar = self.calendar(speech);
        let question = match (ways.message, ways.others) {
            (true, true) => speech.pick(
                "Shall I take a message for the salon, or look for someone else?",
                "Soll ich dem Salon etwas ausrichten oder bei jemand anderem nachsehen?",
            ),
            (true, false) => speech.pick(
                "Shall I take a message for the salon, or look at a later date?",
                "Soll ich dem Salon etwas ausrichten oder später nachsehen?",
            ),
            (false, true) => {
                speech.pick("Shall I look for someone else?", "Soll ich bei jemand anderem nachsehen?")
            }
            (false, false) => speech.pick("Would you like a later date?", "Möchten Sie später kommen?"),
        };
        speech.pick(
            format!("I can't see {calendar} right now, so I can't say what is free {searched}. {question}"),
            format!(
                "{calendar} kann ich gerade nicht einsehen, deshalb weiß ich nicht, ob {searched} etwas frei ist. \
                 {question}"
            ),
        )
    }

    /// First names for the agent's next step.
    pub fn to_json(&self) -> Vec<Value> {
        self.names().into_iter().map(Value::from).collect()
    }

    fn is_in(&self, offer: &Offer) -> bool {
        offer.items.iter().any(|item| self.0.contains_key(&item.employee_id))
    }

    fn names(&self) -> Vec<String> {
        self.0.values().filter(|name| !name.is_empty()).cloned().collect()
    }

    /// "Sofia's calendar"; in German as a sentence begins: "Den Kalender von Sofia".
    fn calendar(&self, speech: Speech<'_>) -> String {
        let names = self.names();
        let all = speech.list(&names, Joint::And);
        match names.len() {
            0 => speech.pick("one of the calendars", "Einen der Kalender").to_owned(),
            1 => speech.pick(format!("{all}'s calendar"), format!("Den Kalender von {all}")),
            _ => speech.pick(format!("the calendars of {all}"), format!("Die Kalender von {all}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Zoned;
    use proto::frontdesk::scheduling::v1::PlacedItem;

    use super::*;
    use crate::voice::playbook::Language;

    fn source(id: &str, name: &str, freshness: Freshness) -> BusySource {
        BusySource {
            employee_id: id.to_owned(),
            employee_name: name.to_owned(),
            freshness: freshness.into(),
            ..BusySource::default()
        }
    }

    fn offer(employee: &str) -> Offer {
        let item = PlacedItem { employee_id: employee.to_owned(), ..PlacedItem::default() };
        Offer { items: vec![item], ..Offer::default() }
    }

    fn both(said: impl Fn(Speech<'_>) -> String) -> [String; 2] {
        let now: Zoned = "2026-06-01T09:00[Europe/London]".parse().unwrap();
        [Language::English, Language::German].map(|language| said(Speech { language, now: &now }))
    }

    fn sofia() -> Unseen {
        let tom = source("t", "Tom Hill", Freshness::Fresh);
        Unseen::of(&[source("s", "Sofia Marin", Freshness::Unreachable), tom])
    }

    #[test]
    fn a_calendar_that_can_not_be_seen_is_never_called_full() {
        let ways = Ways { others: true, message: true };
        assert_eq!(
            both(|speech| sofia().no_offers(speech, speech.pick("tomorrow", "morgen"), ways)),
            [
                "I can't see Sofia's calendar right now, so I can't say what is free tomorrow. Shall I take a message \
                 for the salon, or look for someone else?",
                "Den Kalender von Sofia kann ich gerade nicht einsehen, deshalb weiß ich nicht, ob morgen etwas frei \
                 ist. Soll ich dem Salon etwas ausrichten oder bei jemand anderem nachsehen?",
            ]
        );
        for ways in [(true, true), (true, false), (false, true), (false, false)] {
            let ways = Ways { others: ways.0, message: ways.1 };
            let [english, german] = both(|speech| sofia().no_offers(speech, "", ways));
            assert!(!english.contains("nothing") && !german.contains("nichts frei"));
            assert_eq!(english.contains("message"), ways.message);
        }
    }

    #[test]
    fn others_are_offered_first_and_an_unseen_one_with_a_word_of_caution() {
        let offers = vec![offer("s"), offer("t")];
        assert_eq!(sofia().seen_first(offers), [offer("t")]);
        assert_eq!(sofia().seen_first(vec![offer("s")]), [offer("s")]);
        assert_eq!(
            both(|speech| sofia().before_offers(speech, &[], &[offer("s")])),
            [
                "I can't see Sofia's calendar right now, so the salon may have to call you back. ",
                "Den Kalender von Sofia kann ich gerade nicht einsehen, der Salon muss sich vielleicht noch einmal \
                 melden. ",
            ]
        );
        assert_eq!(both(|speech| sofia().before_offers(speech, &[], &[offer("t")])), ["", ""]);
        let wished = VisitItem { preferred_employee_id: "s".to_owned(), ..VisitItem::default() };
        assert_eq!(
            both(|speech| sofia().before_offers(speech, core::slice::from_ref(&wished), &[offer("t")])),
            [
                "I can't see Sofia's calendar right now. ",
                "Den Kalender von Sofia kann ich gerade nicht einsehen. "
            ]
        );
    }

    #[test]
    fn several_are_named_together_and_one_without_a_name_is_none_the_less_told() {
        let both_unseen =
            Unseen::of(&[source("s", "Sofia", Freshness::Stale), source("t", "Tom", Freshness::Unread)]);
        assert_eq!(
            both(|speech| both_unseen.nothing_known(speech, speech.pick("today", "heute"))),
            [
                "I can't see the calendars of Sofia and Tom right now, so I can't say for certain today. ",
                "Die Kalender von Sofia und Tom kann ich gerade nicht einsehen, heute kann ich nichts Sicheres sagen. ",
            ]
        );
        let nameless = Unseen::of(&[source("n", "", Freshness::Unreachable)]);
        assert!(both(|speech| nameless.calendar(speech)) == ["one of the calendars", "Einen der Kalender"]);
        assert!(Unseen::of(&[source("s", "Sofia", Freshness::Fresh)]).is_empty());
    }
}
