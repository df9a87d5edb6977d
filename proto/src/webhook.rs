//! Where platforms, calendars and booking systems deliver. No method has these paths: the doors take what comes, and
//! services tell the sender the whole address.

use core::fmt::Display;

/// Where voice platforms deliver.
pub const VOICE: &str = "/api/webhooks/voice/{platform}/{connection_id}";
/// Where Twilio opens the socket of a conversation.
pub const RELAY: &str = "/api/webhooks/voice/twilio/{connection_id}/relay";
/// Where calendars push.
pub const CALENDAR: &str = "/api/webhooks/calendars/{connection_id}";
/// Where booking systems push.
pub const PROVIDER: &str = "/api/webhooks/providers/{connection_id}";

/// Below here voice platforms deliver.
pub const BELOW_VOICE: &str = "/api/webhooks/voice/";

/// Where a voice platform delivers what happens in calls of a connection.
#[must_use]
pub fn voice(platform: &str, connection: impl Display) -> String {
    of(&VOICE.replace("{platform}", platform), connection)
}

/// Where a calendar pushes.
#[must_use]
pub fn calendar(connection: impl Display) -> String {
    of(CALENDAR, connection)
}

/// Where a booking system pushes.
#[must_use]
pub fn provider(connection: impl Display) -> String {
    of(PROVIDER, connection)
}

fn of(route: &str, connection: impl Display) -> String {
    route.replace("{connection_id}", &connection.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_route_leads_to_one_connection() {
        assert_eq!(voice("retell", "c1"), "/api/webhooks/voice/retell/c1");
        assert_eq!(calendar("c2"), "/api/webhooks/calendars/c2");
        assert_eq!(provider("c3"), "/api/webhooks/providers/c3");
    }

    #[test]
    fn what_voice_platforms_call_lies_below_one_path() {
        assert!([VOICE, RELAY].iter().all(|route| route.starts_with(BELOW_VOICE)));
        assert!([CALENDAR, PROVIDER].iter().all(|route| !route.starts_with(BELOW_VOICE)));
    }
}
