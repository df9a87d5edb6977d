//! How far a browser has read each log.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use boot::config::Secret;
use hmac::{Hmac, Mac};
use sealing::SealingKey;
use sha2::Sha256;

const PURPOSE: &[u8] = b"live cursor";

/// The logs followed, in the order of a cursor's positions.
pub const LOGS: [&str; 4] = ["auth", "tenancy", "scheduling", "telemetry"];

/// Which log, as an index into [`LOGS`].
pub type Log = usize;

/// A position in each log; `None` while the log has not been heard of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor(pub [Option<i64>; LOGS.len()]);

/// What cursors are sealed with: positions tell how much happens in other businesses.
#[derive(Debug, Clone)]
pub struct CursorKey(SealingKey);

impl CursorKey {
    /// A key of its own out of the door's, the same on every replica.
    #[must_use]
    pub fn derive(door: &Secret) -> Self {
        let mut mac =
            <Hmac<Sha256> as Mac>::new_from_slice(door.expose().as_bytes()).expect("any length is a key");
        mac.update(PURPOSE);
        Self(SealingKey::new(mac.finalize().into_bytes().into()))
    }
}

impl Cursor {
    /// Opens what [`Cursor::seal`] sealed.
    #[must_use]
    pub fn open(text: &str, key: &CursorKey) -> Option<Self> {
        let sealed = B64.decode(text).ok()?;
        let plain = key.0.open(&sealed, PURPOSE).ok()?;
        let (positions, []) = plain.as_chunks::<9>() else { return None };
        let positions: [[u8; 9]; LOGS.len()] = positions.try_into().ok()?;
        Some(Self(positions.map(|[known, at @ ..]| (known == 1).then(|| i64::from_be_bytes(at)))))
    }

    /// The cursor as browsers keep it, of one length whatever it says.
    #[must_use]
    pub fn seal(&self, key: &CursorKey) -> String {
        let mut plain = Vec::with_capacity(9 * LOGS.len());
        for position in self.0 {
            plain.push(u8::from(position.is_some()));
            plain.extend(position.unwrap_or_default().to_be_bytes());
        }
        B64.encode(key.0.seal(&plain, PURPOSE, boot::random::bytes()))
    }

    /// Whether this reader has yet to see what is at `position` of `log`; then it has.
    pub fn advance(&mut self, log: Log, position: i64) -> bool {
        let news = self.0[log].is_none_or(|at| position > at);
        if news {
            self.0[log] = Some(position);
        }
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> CursorKey {
        CursorKey::derive(&text.parse().unwrap())
    }

    #[test]
    fn a_cursor_comes_back_as_it_was_sealed_on_every_replica() {
        let cursor = Cursor([Some(7), None, Some(0), Some(i64::MAX)]);
        assert_eq!(Cursor::open(&cursor.seal(&key("one")), &key("one")), Some(cursor));
        assert_eq!(Cursor::open(&cursor.seal(&key("one")), &key("other")), None);
    }

    #[test]
    fn a_cursor_shows_nothing_of_its_positions() {
        let cursors =
            [Cursor::default(), Cursor([Some(7); 4]), Cursor([Some(7); 4]), Cursor([Some(i64::MAX); 4])];
        let sealed = cursors.map(|cursor| B64.decode(cursor.seal(&key("one"))).unwrap());
        for (index, one) in sealed.iter().enumerate() {
            assert_eq!(one.len(), sealed[0].len());
            assert!(!one.windows(8).any(|bytes| bytes == 7_i64.to_be_bytes()));
            assert!(!sealed[..index].contains(one), "the same position is sealed anew each time");
        }
    }

    #[test]
    fn what_was_never_sealed_is_no_cursor() {
        let sealed = Cursor([Some(7); 4]).seal(&key("one"));
        let flipped = format!("{}{}", if sealed.starts_with('A') { 'B' } else { 'A' }, &sealed[1..]);
        for text in ["", "%", "MS4yLjMuNA", &flipped, &sealed[4..], &sealed[..sealed.len() - 4]] {
            assert_eq!(Cursor::open(text, &key("one")), None, "{text}");
        }
    }

    #[test]
    fn nothing_is_read_twice() {
        let mut cursor = Cursor::default();
        assert!(cursor.advance(2, 5));
        assert!(!cursor.advance(2, 5));
        assert!(!cursor.advance(2, 4));
        assert!(cursor.advance(1, 4));
    }
}
