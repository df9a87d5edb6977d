//! The demo calendar, behaving as Google's does: a sync token, tombstones, a private
//! marker, versions.

use caller::Worker;
use tonic::async_trait;

use super::{Cursor, OutsideCalendar, Page, ReadError, Then, WriteError};
use crate::{
    SERVICE,
    domain::{
        calendar::{Place, Token},
        event::{Etag, Event, EventId},
    },
    error::Error,
    store::{Head, Store, Tx},
};

/// Changes on a page.
const PAGE: u32 = 250;

/// Keeps the demo calendars.
#[derive(Debug)]
pub(super) struct DemoCalendar {
    store: Store,
}

/// What a cursor of the demo calendar says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Position {
    /// In the listing of what was there when the head was this.
    Whole { after: i64, head: i64 },
    /// In the changes.
    Changes { after: i64 },
}

impl Position {
    fn parse(cursor: &Cursor, head: Head) -> Option<Self> {
        match cursor {
            Cursor::Beginning => Some(Self::Whole { after: 0, head: head.change }),
            Cursor::Since(Token(token)) => {
                let after = token.parse().ok()?;
                (head.floor..=head.change).contains(&after).then_some(Self::Changes { after })
            }
            Cursor::Next(page) => match page.split_once('/') {
                Some((after, head)) => {
                    Some(Self::Whole { after: after.parse().ok()?, head: head.parse().ok()? })
                }
                None => Some(Self::Changes { after: page.parse().ok()? }),
            },
        }
    }

    fn after(self) -> i64 {
        match self {
            Self::Whole { after, .. } | Self::Changes { after } => after,
        }
    }

    fn then(self, last: Option<i64>, full: bool) -> Then {
        let last = last.unwrap_or(self.after());
        match self {
            Self::Whole { head, .. } if full => Then::More(format!("{last}/{head}")),
            Self::Changes { .. } if full => Then::More(last.to_string()),
            // What was changed while the pages were read is read again.
            Self::Whole { head, .. } => Then::End(Token(head.to_string())),
            Self::Changes { .. } => Then::End(Token(last.to_string())),
        }
    }
}

impl DemoCalendar {
    pub(super) fn new(store: Store) -> Self {
        Self { store }
    }

    fn begin(&self, place: Place) -> Tx {
        self.store.begin(&Worker::new(SERVICE, place.business))
    }

    async fn read(&self, place: Place, cursor: Cursor) -> Result<Option<Page>, Error> {
        let tx = self.begin(place);
        let head = tx.demo_head(place.calendar).await?;
        let Some(position) = Position::parse(&cursor, head) else { return Ok(None) };
        let whole = matches!(position, Position::Whole { .. });
        let changes = tx.demo_changes(place.calendar, position.after(), whole, PAGE).await?;
        tx.commit().await?;
        let last = changes.last().map(|(number, _)| *number);
        let then = position.then(last, changes.len() == PAGE as usize);
        Ok(Some(Page { changes: changes.into_iter().map(|(_, change)| change).collect(), then }))
    }
}

#[async_trait]
impl OutsideCalendar for DemoCalendar {
    async fn changes(&self, place: Place, cursor: Cursor) -> Result<Page, ReadError> {
        let page = self.read(place, cursor).await.map_err(|error| ReadError::Failed(error.to_string()))?;
        page.ok_or(ReadError::InvalidToken)
    }

    async fn put(&self, place: Place, event: Event, expected: Option<Etag>) -> Result<Etag, WriteError> {
        let (tx, calendar) = (self.begin(place), place.calendar);
        let head = tx.take_demo_head(calendar).await?;
        if let Some(known) = tx.demo_event(calendar, &event.id).await?
            && expected.as_ref() != Some(&known.etag)
        {
            return Err(WriteError::Changed(known.etag));
        }
        let etag = tx.put_demo_event(calendar, head, &event).await?;
        tx.commit().await?;
        Ok(etag)
    }

    async fn delete(&self, place: Place, id: &EventId, expected: Option<Etag>) -> Result<(), WriteError> {
        let (tx, calendar) = (self.begin(place), place.calendar);
        let head = tx.take_demo_head(calendar).await?;
        let Some(known) = tx.demo_event(calendar, id).await?.filter(|known| !known.deleted) else {
            return Ok(());
        };
        if expected.as_ref() != Some(&known.etag) {
            return Err(WriteError::Changed(known.etag));
        }
        tx.delete_demo_event(calendar, head, id).await?;
        Ok(tx.commit().await?)
    }
}

impl From<Error> for WriteError {
    fn from(error: Error) -> Self {
        Self::Failed(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: Head = Head { change: 40, floor: 10 };

    #[test]
    fn a_token_is_good_from_the_oldest_tombstone_to_the_newest_change() {
        let since = |token: &str| Position::parse(&Cursor::Since(Token(token.to_owned())), HEAD);
        assert_eq!(since("10"), Some(Position::Changes { after: 10 }));
        assert_eq!(since("40"), Some(Position::Changes { after: 40 }));
        for invalid in ["9", "41", "-1", "", "0/40", "x"] {
            assert_eq!(since(invalid), None, "{invalid}");
        }
    }

    #[test]
    fn a_full_page_leads_to_the_next_and_the_last_one_to_a_token() {
        let whole = Position::parse(&Cursor::Beginning, HEAD).unwrap();
        let Then::More(page) = whole.then(Some(17), true) else { panic!("a full page is not the last") };
        let next = Position::parse(&Cursor::Next(page), Head { change: 99, floor: 10 }).unwrap();
        assert_eq!(next, Position::Whole { after: 17, head: 40 });
        assert_eq!(next.then(None, false), Then::End(Token("40".to_owned())));
        let changes = Position::Changes { after: 12 };
        assert_eq!(changes.then(Some(20), true), Then::More("20".to_owned()));
        assert_eq!(changes.then(None, false), Then::End(Token("12".to_owned())));
    }
}
