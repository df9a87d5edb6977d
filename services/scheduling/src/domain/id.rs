//! Ids that the engine does not use.

typed_id::typed_id! {
    /// An outside calendar, or a connection to a booking system; calendar-sync makes these.
    SourceId,
    /// A busy fact that lies over a booking.
    ConflictId,
    /// A call to the customer of a stranded visit.
    ContactId,
    /// A change of several records that can be taken back.
    ChangeId,
    /// A phrase that meant no single service.
    PhraseId,
    /// A service that is suggested with another.
    PairingId,
    /// An export of appointments.
    AppointmentExportId,
}
