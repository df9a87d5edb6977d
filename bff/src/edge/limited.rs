//! What is counted of the refusals that limits cause.

use opentelemetry::{KeyValue, global, metrics::Counter};

/// A limit of the door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Requests worked on at the same time.
    Requests,
    /// Of those, what one network gets.
    NetworkRequests,
    /// Connections of one network.
    NetworkConnections,
    /// Live sockets.
    Sockets,
    /// Live sockets of one network.
    NetworkSockets,
    /// Frames of one live socket.
    SocketFrames,
    /// Sign-ins with the provider that one network begins, or brings a code of.
    ProviderSignIns,
    /// Requests of one person.
    PersonRequests,
    /// Reports of one person's pages.
    PersonReports,
    /// Turns of one person's chats with the agent.
    PersonChats,
}

impl Limit {
    const ALL: [Self; 10] = [
        Self::Requests,
        Self::NetworkRequests,
        Self::NetworkConnections,
        Self::Sockets,
        Self::NetworkSockets,
        Self::SocketFrames,
        Self::ProviderSignIns,
        Self::PersonRequests,
        Self::PersonReports,
        Self::PersonChats,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Requests => "requests",
            Self::NetworkRequests => "network_requests",
            Self::NetworkConnections => "network_connections",
            Self::Sockets => "sockets",
            Self::NetworkSockets => "network_sockets",
            Self::SocketFrames => "socket_frames",
            Self::ProviderSignIns => "provider_sign_ins",
            Self::PersonRequests => "person_requests",
            Self::PersonReports => "person_reports",
            Self::PersonChats => "person_chats",
        }
    }
}

/// Counts what limits refuse.
#[derive(Debug, Clone)]
pub struct LimitCounter(Counter<u64>);

impl Default for LimitCounter {
    fn default() -> Self {
        Self::new()
    }
}

impl LimitCounter {
    /// The process's counter. Must be made after telemetry has started.
    #[must_use]
    pub fn new() -> Self {
        let counter = global::meter("frontdesk")
            .u64_counter("frontdesk.door.limited")
            .with_description("Requests, connections, sockets and frames refused by a limit.")
            .with_unit("{refusal}")
            .build();
        for limit in Limit::ALL {
            counter.add(0, &[KeyValue::new("limit", limit.name())]);
        }
        Self(counter)
    }

    /// Counts one that `limit` refused.
    pub fn count(&self, limit: Limit) {
        self.0.add(1, &[KeyValue::new("limit", limit.name())]);
    }
}
