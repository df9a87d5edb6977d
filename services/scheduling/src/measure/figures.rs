//! Business figures: what was booked, moved, held and missed, and through which channel.

use caller::Actor;
use opentelemetry::{
    KeyValue,
    metrics::{Counter, Meter},
};

/// What a transaction did that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// An appointment was booked.
    Booked,
    /// An appointment took another time or other employees.
    Moved,
    /// An appointment was cancelled.
    Cancelled,
    /// A time was held for a customer.
    Held,
    /// A hold ended without a booking, by its time.
    HoldExpired,
    /// A waiting customer was found to fit time that was freed.
    WaitlistOffered,
}

/// Where a change came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// A person, in the browser.
    Browser,
    /// The agent, on the telephone.
    Agent,
    /// Another service of the installation, such as the calendars'.
    Service,
}

impl Channel {
    const ALL: [Self; 3] = [Self::Browser, Self::Agent, Self::Service];

    /// The channel of an actor.
    #[must_use]
    pub fn of(actor: Actor) -> Self {
        match actor {
            Actor::Person { .. } => Self::Browser,
            Actor::Agent { .. } => Self::Agent,
            Actor::Service { .. } => Self::Service,
        }
    }

    fn attribute(self) -> KeyValue {
        let name = match self {
            Self::Browser => "browser",
            Self::Agent => "agent",
            Self::Service => "service",
        };
        KeyValue::new("channel", name)
    }
}

/// Counters of figures.
#[derive(Debug, Clone)]
pub(super) struct Figures {
    appointments: Counter<u64>,
    held: Counter<u64>,
    expired: Counter<u64>,
    offers: Counter<u64>,
    unmet: Counter<u64>,
}

impl Figures {
    pub(super) fn of(meter: &Meter) -> Self {
        let figures = Self {
            appointments: meter
                .u64_counter("frontdesk.appointments.changed")
                .with_description("Appointments booked, moved and cancelled, by channel.")
                .with_unit("{appointment}")
                .build(),
            held: meter
                .u64_counter("frontdesk.holds.taken")
                .with_description("Times held for a customer, by channel.")
                .with_unit("{hold}")
                .build(),
            expired: meter
                .u64_counter("frontdesk.holds.expired")
                .with_description("Holds that expired; counted when their time is next wanted.")
                .with_unit("{hold}")
                .build(),
            offers: meter
                .u64_counter("frontdesk.waitlist.offers")
                .with_description("Waitlist entries found to fit time that was freed.")
                .with_unit("{entry}")
                .build(),
            unmet: meter
                .u64_counter("frontdesk.demand.unmet")
                .with_description("Searches that found no free time.")
                .with_unit("{search}")
                .build(),
        };
        for channel in Channel::ALL {
            for figure in [Figure::Booked, Figure::Moved, Figure::Cancelled, Figure::Held] {
                figures.count(figure, channel, 0);
            }
        }
        for counter in [&figures.expired, &figures.offers, &figures.unmet] {
            counter.add(0, &[]);
        }
        figures
    }

    pub(super) fn count(&self, figure: Figure, channel: Channel, count: u64) {
        let changed = |change| {
            self.appointments.add(count, &[KeyValue::new("change", change), channel.attribute()]);
        };
        match figure {
            Figure::Booked => changed("booked"),
            Figure::Moved => changed("moved"),
            Figure::Cancelled => changed("cancelled"),
            Figure::Held => self.held.add(count, &[channel.attribute()]),
            Figure::HoldExpired => self.expired.add(count, &[]),
            Figure::WaitlistOffered => self.offers.add(count, &[]),
        }
    }

    pub(super) fn unmet_demand(&self) {
        self.unmet.add(1, &[]);
    }
}
