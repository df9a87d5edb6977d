//! `transfer_call`: the caller goes on with a person of the team, and the conversation ends.

use proto::error::Reason;

use super::{
    answer::{Answer, Refused},
    desk::Desk,
};

/// Has the caller put through, where the line can be handed over.
pub fn transfer(desk: &Desk) -> Result<Answer, Refused> {
    let speech = desk.speech();
    let number = desk.hands_over_to.as_deref().ok_or_else(|| {
        let sorry = speech.pick(
            "I'm sorry, I can't put you through from here.",
            "Ich kann Sie von hier aus leider nicht verbinden.",
        );
        let instead = match desk.may.take_messages {
            true => {
                speech.pick("Shall I take a message for the team?", "Soll ich dem Team etwas ausrichten?")
            }
            false => speech.pick(
                "Please call again in the opening hours.",
                "Bitte rufen Sie während der Öffnungszeiten noch einmal an.",
            ),
        };
        Refused::new(Reason::WrongState, format!("{sorry} {instead}"))
    })?;
    let say = speech.pick(
        "I'll put you through to the team now. One moment, please.",
        "Ich verbinde Sie jetzt mit dem Team. Einen Moment, bitte.",
    );
    Ok(Answer::done(say).with(TO, number))
}

/// The field of the answer that has the number.
pub const TO: &str = "transfer_to";
