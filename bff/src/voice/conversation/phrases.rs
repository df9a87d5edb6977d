//! What the agent says by itself, without the model.

use crate::voice::playbook::Language;

/// Why the agent ends a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Farewell {
    /// The model failed again and again.
    Trouble,
    /// The call is longer than one may be.
    TooLong,
    /// The process stops.
    Closing,
}

/// What comes of a call that the agent ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Afterwards {
    /// The team has a message and calls back.
    CalledBack,
    /// The caller has to call again.
    CallAgain,
    /// What the caller wanted is done.
    Done,
}

/// What a caller hears when a reply did not come.
#[must_use]
pub fn sorry(language: Language) -> &'static str {
    match language {
        Language::English => "I'm sorry, I didn't catch that. Could you say it again?",
        Language::German => "Entschuldigung, das habe ich nicht verstanden. Können Sie es noch einmal sagen?",
    }
}

/// What a caller hears before another telephone rings.
#[must_use]
pub fn putting_through(language: Language) -> &'static str {
    language.pick(
        "I'll put you through to the team now. One moment, please.",
        "Ich verbinde Sie jetzt mit dem Team. Einen Moment, bitte.",
    )
}

/// What a caller hears whom no one answered, and whether the team is told.
#[must_use]
pub fn no_answer(language: Language, message_taken: bool) -> &'static str {
    match message_taken {
        true => language.pick(
            "I'm sorry, no one could take your call just now. I've asked the team to call you back. Goodbye.",
            "Leider konnte gerade niemand abnehmen. Ich habe das Team gebeten, Sie zurückzurufen. Auf Wiederhören.",
        ),
        false => language.pick(
            "I'm sorry, no one could take your call just now. Please call again a little later. Goodbye.",
            "Leider konnte gerade niemand abnehmen. Bitte rufen Sie etwas später noch einmal an. Auf Wiederhören.",
        ),
    }
}

/// What follows for a caller whom our agent can't serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instead {
    /// Another telephone rings.
    PutThrough,
    /// The team calls back.
    CalledBack,
    /// Nothing.
    Nothing,
}

/// What a caller hears whom our agent can't serve, at the beginning of a call or in the middle.
#[must_use]
pub fn unserved(language: Language, instead: Instead) -> &'static str {
    match instead {
        Instead::PutThrough => language.pick(
            "I'm very sorry, something isn't working here. I'll put you through to the team. One moment, please.",
            "Es tut mir sehr leid, hier funktioniert gerade etwas nicht. Ich verbinde Sie mit dem Team. Einen Moment, bitte.",
        ),
        Instead::CalledBack => language.pick(
            "I'm very sorry, something isn't working here. I've asked the team to call you back. Goodbye.",
            "Es tut mir sehr leid, hier funktioniert gerade etwas nicht. Ich habe das Team gebeten, Sie zurückzurufen. Auf Wiederhören.",
        ),
        Instead::Nothing => language.pick(
            "I'm very sorry, something isn't working here. Please call again a little later. Goodbye.",
            "Es tut mir sehr leid, hier funktioniert gerade etwas nicht. Bitte rufen Sie etwas später noch einmal an. Auf Wiederhören.",
        ),
    }
}

/// What a caller hears whose message could not be taken, though it is tried for a while still.
#[must_use]
pub fn not_passed_on(language: Language) -> &'static str {
    language.pick(
        "I'm sorry, I can't pass that on right now. I'll keep trying, but please call again a little later to be sure.",
        "Das kann ich gerade leider nicht ausrichten. Ich versuche es weiter, aber rufen Sie bitte zur Sicherheit etwas \
         später noch einmal an.",
    )
}

/// The last words of a call, which promise a call back where the team has a message.
#[must_use]
pub fn farewell(why: Farewell, language: Language, afterwards: Afterwards) -> String {
    let (because, after) = match language {
        Language::English => (
            match why {
                Farewell::Trouble => "I'm sorry, I'm having trouble today.",
                Farewell::TooLong => "I'm sorry, I have to end our call here.",
                Farewell::Closing => "I'm very sorry, I have to end our call.",
            },
            match afterwards {
                Afterwards::CalledBack => "I've asked the team to call you back. Goodbye.",
                Afterwards::CallAgain => "Please call again a little later. Goodbye.",
                Afterwards::Done => "Thank you for calling. Goodbye.",
            },
        ),
        Language::German => (
            match why {
                Farewell::Trouble => "Es tut mir leid, heute klappt es leider nicht.",
                Farewell::TooLong => "Es tut mir leid, ich muss unser Gespräch hier beenden.",
                Farewell::Closing => "Es tut mir sehr leid, ich muss unser Gespräch beenden.",
            },
            match afterwards {
                Afterwards::CalledBack => "Ich habe das Team gebeten, Sie zurückzurufen. Auf Wiederhören.",
                Afterwards::CallAgain => "Bitte rufen Sie etwas später noch einmal an. Auf Wiederhören.",
                Afterwards::Done => "Vielen Dank für Ihren Anruf. Auf Wiederhören.",
            },
        ),
    };
    format!("{because} {after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_back_is_promised_only_where_the_team_has_a_message() {
        let said = |language, afterwards| farewell(Farewell::TooLong, language, afterwards);
        assert!(said(Language::English, Afterwards::CalledBack).contains("call you back"));
        assert!(said(Language::German, Afterwards::CalledBack).contains("zurückzurufen"));
        for (language, again, done) in [
            (
                Language::English,
                "Please call again a little later. Goodbye.",
                "Thank you for calling. Goodbye.",
            ),
            (
                Language::German,
                "Bitte rufen Sie etwas später noch einmal an. Auf Wiederhören.",
                "Vielen Dank für Ihren Anruf. Auf Wiederhören.",
            ),
        ] {
            assert!(said(language, Afterwards::CallAgain).ends_with(again));
            assert!(said(language, Afterwards::Done).ends_with(done));
        }
        assert!(sorry(Language::German).starts_with("Entschuldigung"));
    }
}
