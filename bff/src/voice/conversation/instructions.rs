//! What the model is told before a conversation.

use agent_tools::Setting;
use jiff::Zoned;

use crate::voice::playbook::Playbook;

/// The model's instructions for a conversation that begins at `now`.
#[must_use]
pub fn instructions(playbook: &Playbook, now: &Zoned) -> String {
    let now = now.strftime("%A, %Y-%m-%d, %H:%M").to_string();
    let setting = Setting { salon: &playbook.salon, now: &now, language: playbook.language.name() };
    agent_tools::instructions(setting, &playbook.prompt, playbook.may)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voice::playbook::tests::ready;

    #[test]
    fn the_model_is_told_the_salons_own_day_and_time() {
        let now = "2026-06-01T09:00[Europe/London]".parse().unwrap();
        let told = instructions(&Playbook::read(ready()).unwrap(), &now);
        for part in ["Willow & Co", "Monday, 2026-06-01, 09:00", "Be kind.", "in English"] {
            assert!(told.contains(part), "{part}: {told}");
        }
    }
}
