//! Mail: queued with the change it tells of, sent by a worker.

pub(crate) mod mail_worker;
pub(crate) mod mailer;
