//! Pages of lists, and the tokens that continue them.
//!
//! A token is the key of the page's last row, in a form that clients cannot read by eye. Clients may
//! send any bytes, so [`Key::read`] gives only values that a database and the contract both hold.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use jiff::{Timestamp, civil::Date};
use prost::Message;
use tonic::Status;
use uuid::Uuid;

use crate::{error::invalid, time::in_range};

const DEFAULT_PAGE: u32 = 50;
/// Rows on a page at most, unless the list says less.
pub const MAX_PAGE: u32 = 200;
/// A page of rows with much text ends here: services take messages of at most 4 MiB of each other.
const MAX_PAGE_BYTES: usize = 1 << 20;
/// Two names of 200 characters and an id, with room.
const MAX_TOKEN_BYTES: usize = 4096;

/// What a list is ordered by.
pub trait Key: Sized {
    /// Appends the key to `bytes`.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Takes a key off the front of `bytes`; `None` for bytes that [`Key::write`] does not write.
    fn read(bytes: &mut &[u8]) -> Option<Self>;
}

/// A page of a list ordered by `K`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<K> {
    size: u32,
    /// Key of the last row of the page before.
    pub after: Option<K>,
}

impl<K: Key> Page<K> {
    /// Rows on the page at most, 1 to 200.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Rows to read: one more than the page shows tells whether there is another page.
    #[must_use]
    pub fn limit(&self) -> u32 {
        self.size.saturating_add(1)
    }

    /// Writes `rows` as messages until the page is full, by rows or by bytes, and makes the token of
    /// the next page; it is empty on the last one.
    pub fn answer<T, M: Message>(
        &self,
        rows: impl IntoIterator<Item = T>,
        key: impl Fn(&T) -> K,
        mut message: impl FnMut(T) -> M,
    ) -> (Vec<M>, String) {
        let size = usize::try_from(self.size).unwrap_or(usize::MAX);
        let (mut messages, mut last, mut bytes) = (Vec::new(), None, 0);
        for row in rows {
            let row_key = key(&row);
            let row = message(row);
            bytes += row.encoded_len();
            if let Some(last) = &last
                && (messages.len() == size || bytes > MAX_PAGE_BYTES)
            {
                return (messages, page_token(last));
            }
            last = Some(row_key);
            messages.push(row);
        }
        (messages, String::new())
    }
}

/// A list's page: 50 rows by default, 200 at most.
///
/// # Errors
/// INVALID_ARGUMENT, naming `page_size` or `page_token`.
pub fn page<K: Key>(size: i32, token: &str) -> Result<Page<K>, Status> {
    page_of(size, token, DEFAULT_PAGE, MAX_PAGE)
}

/// As [`page`], with a default and a maximum of the list's own.
///
/// # Errors
/// INVALID_ARGUMENT, naming `page_size` or `page_token`.
pub fn page_of<K: Key>(size: i32, token: &str, default: u32, most: u32) -> Result<Page<K>, Status> {
    let size = match u32::try_from(size) {
        Ok(0) => default,
        Ok(size) if size <= most => size,
        _ => return Err(invalid("page_size", &format!("must lie between 0 and {most}"))),
    };
    let after = (!token.is_empty()).then(|| read(token).ok_or_else(foreign_page_token)).transpose()?;
    Ok(Page { size, after })
}

/// For a page token that this list did not give out.
#[must_use]
pub fn foreign_page_token() -> Status {
    invalid("page_token", "was not given out by this list")
}

/// The token that continues a list after `key`.
#[must_use]
pub fn page_token(key: &impl Key) -> String {
    let mut bytes = Vec::new();
    key.write(&mut bytes);
    B64.encode(bytes)
}

fn read<K: Key>(token: &str) -> Option<K> {
    if token.len() > MAX_TOKEN_BYTES {
        return None;
    }
    let bytes = B64.decode(token).ok()?;
    let mut rest = bytes.as_slice();
    let key = K::read(&mut rest)?;
    rest.is_empty().then_some(key)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*taken)
}

impl Key for i64 {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.to_be_bytes());
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        take(bytes).map(Self::from_be_bytes)
    }
}

impl Key for u32 {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.to_be_bytes());
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        take(bytes).map(Self::from_be_bytes)
    }
}

impl Key for Uuid {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.as_bytes());
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        take(bytes).map(Self::from_bytes)
    }
}

/// In microseconds, as Postgres keeps it; years 1 to 9999.
impl Key for Timestamp {
    fn write(&self, bytes: &mut Vec<u8>) {
        self.as_microsecond().write(bytes);
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Self::from_microsecond(i64::read(bytes)?).ok().and_then(in_range)
    }
}

/// Years 1 to 9999.
impl Key for Date {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.year().to_be_bytes());
        bytes.extend(self.month().to_be_bytes());
        bytes.extend(self.day().to_be_bytes());
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let year = take(bytes).map(i16::from_be_bytes).filter(|year| *year >= 1)?;
        let [month, day] = take(bytes)?;
        Self::new(year, i8::from_be_bytes([month]), i8::from_be_bytes([day])).ok()
    }
}

/// No text of a database has a NUL.
impl Key for String {
    fn write(&self, bytes: &mut Vec<u8>) {
        // Longer text makes a token that is refused: no list is ordered by such.
        u32::try_from(self.len()).unwrap_or(u32::MAX).write(bytes);
        bytes.extend(self.as_bytes());
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let length = usize::try_from(u32::read(bytes)?).ok()?;
        let (text, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        Self::from_utf8(text.to_vec()).ok().filter(|text| !text.contains('\0'))
    }
}

impl<K: Key> Key for Option<K> {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(self.is_some()));
        if let Some(key) = self {
            key.write(bytes);
        }
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        match take(bytes)? {
            [0] => Some(None),
            [1] => K::read(bytes).map(Some),
            _ => None,
        }
    }
}

impl<A: Key, B: Key> Key for (A, B) {
    fn write(&self, bytes: &mut Vec<u8>) {
        self.0.write(bytes);
        self.1.write(bytes);
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some((A::read(bytes)?, B::read(bytes)?))
    }
}

impl<A: Key, B: Key, C: Key> Key for (A, B, C) {
    fn write(&self, bytes: &mut Vec<u8>) {
        self.0.write(bytes);
        self.1.write(bytes);
        self.2.write(bytes);
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some((A::read(bytes)?, B::read(bytes)?, C::read(bytes)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Sample = (Option<Date>, (Timestamp, Uuid), String);

    fn sample() -> Sample {
        let at = "2026-06-01T12:00:00.000001Z".parse().unwrap();
        (Some(jiff::civil::date(2026, 2, 28)), (at, Uuid::from_u128(7)), "Ünal|7".to_owned())
    }

    #[test]
    fn a_page_token_gives_its_key_back() {
        let page = page::<Sample>(0, &page_token(&sample())).unwrap();
        assert_eq!(page, Page { size: 50, after: Some(sample()) });
    }

    #[test]
    fn no_part_of_a_token_is_a_token() {
        let token = page_token(&sample());
        for end in 1..token.len() {
            assert!(page::<Sample>(0, &token[..end]).is_err(), "{end}");
        }
        assert!(page::<Sample>(0, &format!("{token}AA")).is_err());
    }

    #[test]
    fn times_and_dates_of_tokens_lie_between_years_1_and_9999() {
        let year_zero = -62_135_596_800_000_001_i64;
        for micros in [i64::MIN, year_zero, i64::MAX, 253_402_300_800_000_000] {
            assert!(page::<Timestamp>(0, &page_token(&micros)).is_err(), "{micros}");
        }
        assert!(page::<Timestamp>(0, &page_token(&(year_zero + 1))).is_ok());
        for year in [i16::MIN, -1, 0, 10_000] {
            let bytes = [year.to_be_bytes()[0], year.to_be_bytes()[1], 1, 1];
            assert!(page::<Date>(0, &B64.encode(bytes)).is_err(), "{year}");
        }
    }

    #[test]
    fn refuses_what_no_list_gave_out() {
        assert!(page::<String>(201, "").is_err());
        assert!(page::<String>(-1, "").is_err());
        assert!(page::<String>(0, "%%").is_err());
        assert!(page::<String>(0, &page_token(&"Anna\0".to_owned())).is_err());
        assert!(page::<String>(0, &page_token(&"a".repeat(MAX_TOKEN_BYTES))).is_err());
    }

    #[test]
    fn a_page_shows_what_was_asked_for_and_names_the_next_only_if_there_is_one() {
        let page: Page<i64> = page(2, "").unwrap();
        assert_eq!(page.limit(), 3);
        let answer = |rows: Vec<i64>| page.answer(rows, |row| *row, |row| row);
        assert_eq!(answer(vec![7, 8, 9]), (vec![7, 8], page_token(&8_i64)));
        for rows in [vec![], vec![7], vec![7, 8]] {
            assert_eq!(answer(rows.clone()), (rows, String::new()));
        }
    }

    #[test]
    fn a_page_of_large_rows_ends_early_and_goes_on_after_them() {
        let page: Page<i64> = page(200, "").unwrap();
        let text = |row: i64| "a".repeat(usize::try_from(row).unwrap());
        let half = i64::try_from(MAX_PAGE_BYTES / 2).unwrap();
        let (shown, next) = page.answer([half, half / 2, half], |row| *row, text);
        assert_eq!((shown.len(), next), (2, page_token(&(half / 2))));
        // A row larger than a page is a page of its own.
        let (shown, next) = page.answer([half * 3, 1], |row| *row, text);
        assert_eq!((shown.len(), next), (1, page_token(&(half * 3))));
    }
}
