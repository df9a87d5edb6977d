//! What callers hear and people read, word by word.

use jiff::civil::date;

use super::*;

fn moment(day: SaidDay, hour: i8, minute: i8) -> Moment {
    Moment { shown: date(2026, 11, 24).at(hour, minute, 0, 0), day, clock: Clock::Spoken }
}

fn both(gist: Gist<'_>, start: Moment, outlook: Outlook<'_>) -> [String; 2] {
    [english::say(gist, start, outlook), german::say(gist, start, outlook)]
}

#[test]
fn a_free_time_is_said_with_who_does_it() {
    let start = moment(SaidDay::Today, 14, 0);
    assert_eq!(
        both(Gist::Free("Mia"), start, Outlook::Taken),
        ["2 pm today is free with Mia.", "Heute um 14 Uhr ist bei Mia frei."]
    );
    assert_eq!(
        both(Gist::Free(""), moment(SaidDay::Named, 9, 15), Outlook::Taken),
        ["9:15 am on Tuesday 24 November is free.", "Am Dienstag, 24. November um 9:15 Uhr ist frei."]
    );
}

#[test]
fn noon_and_midnight_are_said_as_clocks_show_them() {
    let said =
        |hour, minute| english::say(Gist::Passed, moment(SaidDay::Today, hour, minute), Outlook::Taken);
    assert_eq!(said(0, 5), "12:05 am today has passed already.");
    assert_eq!(said(12, 0), "12 pm today has passed already.");
    assert_eq!(said(23, 30), "11:30 pm today has passed already.");
}

#[test]
fn a_screen_shows_times_as_its_clock_does() {
    let shown = |day, hour, minute| Moment { clock: Clock::Screen, ..moment(day, hour, minute) };
    let next = Outlook::Next(shown(SaidDay::Same, 14, 0), "Mia");
    assert_eq!(
        both(Gist::Closed, shown(SaidDay::Tomorrow, 3, 0), next),
        [
            "We are closed at 3:00 tomorrow, but 14:00 with Mia is free.",
            "Morgen um 3:00 Uhr haben wir geschlossen, aber um 14:00 Uhr ist bei Mia frei.",
        ]
    );
    assert_eq!(
        english::say(Gist::Passed, shown(SaidDay::Today, 0, 5), Outlook::Taken),
        "0:05 today has passed already."
    );
}

#[test]
fn another_customer_is_never_named_and_the_next_time_is() {
    let (start, until) = (moment(SaidDay::Tomorrow, 14, 0), moment(SaidDay::Same, 14, 20));
    let next = Outlook::Next(moment(SaidDay::Same, 14, 30), "Mia");
    assert_eq!(
        both(Gist::Booked("Mia", until), start, next),
        [
            "Mia is with another customer until 2:20 pm, but 2:30 pm with Mia is free.",
            "Mia hat bis 14:20 Uhr einen anderen Termin, aber um 14:30 Uhr ist bei Mia frei.",
        ]
    );
    assert_eq!(
        both(Gist::Held("Mia"), start, Outlook::Nothing),
        [
            "2 pm tomorrow with Mia is being held for another customer for a few minutes, \
             and nothing is free in the two weeks after.",
            "Morgen um 14 Uhr wird bei Mia gerade für jemand anderen freigehalten, \
             und in den zwei Wochen danach ist nichts frei.",
        ]
    );
}

#[test]
fn absences_and_hours_are_said_with_their_ends() {
    let (start, named) = (moment(SaidDay::Today, 18, 0), moment(SaidDay::Named, 9, 0));
    let next = Outlook::Next(named, "");
    for (gist, english, german) in [
        (Gist::Closed, "We are closed at 6 pm today", "Heute um 18 Uhr haben wir geschlossen"),
        (
            Gist::Closes(moment(SaidDay::Same, 18, 30)),
            "We close at 6:30 pm, before the visit would be over",
            "Wir schließen um 18:30 Uhr, bevor der Besuch zu Ende wäre",
        ),
        (
            Gist::Away("Mia", named),
            "Mia is away until 9 am on Tuesday 24 November",
            "Mia ist bis Dienstag, 24. November um 9 Uhr nicht da",
        ),
        (
            Gist::AwayFromThenOn("Mia"),
            "Mia is away for the rest of the day",
            "Mia ist an diesem Tag nicht mehr da",
        ),
        (
            Gist::NotAtWork("Mia", start),
            "Mia is not at work at 6 pm today",
            "Mia arbeitet heute um 18 Uhr nicht",
        ),
        (
            Gist::NotAtWork("", start),
            "The person you asked for is not at work at 6 pm today",
            "Die gewünschte Person arbeitet heute um 18 Uhr nicht",
        ),
    ] {
        let tails = [
            ", but 9 am on Tuesday 24 November is free.",
            ", aber am Dienstag, 24. November um 9 Uhr ist frei.",
        ];
        let expected = [format!("{english}{}", tails[0]), format!("{german}{}", tails[1])];
        assert_eq!(both(gist, start, next), expected);
    }
}

#[test]
fn services_and_everybody_who_does_them_are_named() {
    let start = moment(SaidDay::Today, 18, 0);
    for (gist, english, german) in [
        (
            Gist::NotOffered("Balayage"),
            "No one here does Balayage at the moment",
            "Balayage macht hier zurzeit niemand",
        ),
        (Gist::DoesNotDo("Mia", "Balayage"), "Mia does not do Balayage", "Mia macht Balayage nicht"),
        (
            Gist::NoneAtWork("Balayage", start),
            "No one who does Balayage is at work at 6 pm today",
            "Heute um 18 Uhr arbeitet niemand, der Balayage macht",
        ),
        (
            Gist::EverybodyBusy("Balayage", start),
            "Everybody who does Balayage is busy at 6 pm today",
            "Heute um 18 Uhr haben alle, die Balayage machen, schon etwas vor",
        ),
        (
            Gist::NoRoom(start),
            "There is not enough room between customers at 6 pm today",
            "Heute um 18 Uhr ist zwischen den Terminen nicht genug Zeit",
        ),
        (
            Gist::TooSoon,
            "6 pm today is too soon for us to book",
            "Ein Termin heute um 18 Uhr ist uns zu kurzfristig",
        ),
        (
            Gist::TooFar,
            "6 pm today is further ahead than we book",
            "Ein Termin heute um 18 Uhr liegt weiter voraus, als wir buchen",
        ),
    ] {
        assert_eq!(both(gist, start, Outlook::Taken), [format!("{english}."), format!("{german}.")]);
    }
}

#[test]
fn calendars_that_can_not_be_seen_are_named_and_none_is_called_full() {
    let both = |unseen: &[&str]| [doubt(unseen, Language::English), doubt(unseen, Language::German)];
    assert_eq!(
        both(&["Sofia"]),
        [
            "We can't see Sofia's calendar right now, so that may change.",
            "Den Kalender von Sofia können wir gerade nicht einsehen, das kann sich also noch ändern.",
        ]
    );
    assert_eq!(
        both(&["Sofia", "Tom"]),
        [
            "We can't see 2 calendars right now, so that may change.",
            "2 Kalender können wir gerade nicht einsehen, das kann sich also noch ändern.",
        ]
    );
    assert_eq!(both(&[]), ["", ""]);
}
