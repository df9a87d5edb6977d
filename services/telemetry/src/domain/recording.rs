//! A call's recording: awaited from the platform that made it, kept for a time, gone.

use jiff::{SignedDuration, Timestamp};
use url::Url;

use super::{CallId, UploadId};

/// Longer ones are not kept: an hour and a half of WAV as platforms make it.
pub const MOST_BYTES: u64 = 160 << 20;
/// Attempts at a copy, the last one half a day after the first.
const MOST_ATTEMPTS: i32 = 12;
const FIRST_WAIT: SignedDuration = SignedDuration::from_mins(1);
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(3);

/// What there is of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recording {
    /// The platform has it.
    Awaited {
        /// Why it was not copied yet.
        failure: Option<String>,
    },
    /// It is kept here.
    Kept(Kept),
    /// It could not be copied, and is not tried again.
    Lost {
        /// Why.
        failure: String,
    },
    /// It was kept as long as recordings are.
    Expired,
}

/// A recording that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// What it is.
    pub audio: Audio,
    /// Its length.
    pub size_bytes: u64,
    /// When it is deleted.
    pub delete_at: Timestamp,
}

/// Where a recording is to be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// At an address that the platform named.
    Address(String),
    /// In the platform's API, behind the connection's login, under this id.
    Platform(String),
    /// In pieces that the platform delivered.
    Upload(UploadId),
}

impl Source {
    /// An address on the web; `None` for any other, which might be read back as another kind of source.
    #[must_use]
    pub fn address(url: String) -> Option<Self> {
        let is_web = Url::parse(&url).is_ok_and(|parsed| matches!(parsed.scheme(), "https" | "http"));
        is_web.then_some(Self::Address(url))
    }

    /// Reads what [`Source::write`] wrote.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let upload = text.strip_prefix(UPLOAD).and_then(|id| id.parse().ok());
        match (upload, text.strip_prefix(PLATFORM)) {
            (Some(id), _) => Self::Upload(UploadId(id)),
            (None, Some(id)) => Self::Platform(id.to_owned()),
            (None, None) => Self::Address(text.to_owned()),
        }
    }

    /// As it is stored: no address begins like the others.
    #[must_use]
    pub fn write(&self) -> String {
        match self {
            Self::Address(address) => address.clone(),
            Self::Platform(id) => format!("{PLATFORM}{id}"),
            Self::Upload(id) => format!("{UPLOAD}{id}"),
        }
    }
}

const PLATFORM: &str = "platform:";
/// The sweep of pieces reads it as well.
pub const UPLOAD: &str = "upload:";

/// Something to be done about a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Task {
    /// It is to be copied.
    Copy {
        /// From here.
        source: Source,
        /// Attempts so far, this one included.
        attempts: i32,
    },
    /// It was kept long enough.
    Expire,
    /// Its person was erased while it might have been copied.
    Erase,
}

/// Whose recording it is a task about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The business.
    pub business: caller::BusinessId,
    /// The call.
    pub call: CallId,
}

impl Place {
    /// Where the object store has it.
    #[must_use]
    pub fn key(self) -> String {
        format!("{}/{}", self.business, self.call)
    }
}

/// What comes of a failed copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Another attempt at this time.
    Again(Timestamp),
    /// None.
    GiveUp,
}

impl Next {
    /// After `attempts` that failed.
    #[must_use]
    pub fn after(attempts: i32, now: Timestamp) -> Self {
        if attempts >= MOST_ATTEMPTS {
            return Self::GiveUp;
        }
        let doublings = attempts.clamp(1, 16) - 1;
        let wait = FIRST_WAIT.checked_mul(1 << doublings).unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT);
        now.checked_add(wait).map_or(Self::GiveUp, Self::Again)
    }
}

/// Audio that browsers play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audio {
    /// MP3.
    Mpeg,
    /// WAV.
    Wav,
    /// Ogg.
    Ogg,
    /// MP4, with AAC.
    Mp4,
    /// WebM.
    Webm,
}

impl Audio {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Mpeg, Self::Wav, Self::Ogg, Self::Mp4, Self::Webm];

    /// Its content type.
    #[must_use]
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Mpeg => "audio/mpeg",
            Self::Wav => "audio/wav",
            Self::Ogg => "audio/ogg",
            Self::Mp4 => "audio/mp4",
            Self::Webm => "audio/webm",
        }
    }

    /// The one with this content type.
    #[must_use]
    pub fn parse(content_type: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|audio| audio.content_type() == content_type)
    }

    /// What a file is by its first bytes: what a server says of it may be anything.
    #[must_use]
    pub fn recognise(beginning: &[u8]) -> Option<Self> {
        let starts = |mark: &[u8]| beginning.starts_with(mark);
        let at = |from: usize, mark: &[u8]| beginning.get(from..).is_some_and(|rest| rest.starts_with(mark));
        if starts(b"RIFF") && at(8, b"WAVE") {
            return Some(Self::Wav);
        }
        if starts(b"OggS") {
            return Some(Self::Ogg);
        }
        if at(4, b"ftyp") {
            return Some(Self::Mp4);
        }
        if starts(&[0x1A, 0x45, 0xDF, 0xA3]) {
            return Some(Self::Webm);
        }
        // A frame of MPEG audio begins with eleven ones; a layer of 00 is reserved.
        let frame = matches!(beginning, [0xFF, second, ..] if second & 0xE0 == 0xE0 && second & 0x06 != 0);
        (starts(b"ID3") || frame).then_some(Self::Mpeg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn audio_is_known_by_how_it_begins() {
        let known: [(&[u8], Audio); 6] = [
            (b"RIFF\0\0\0\0WAVEfmt ", Audio::Wav),
            (b"ID3\x04", Audio::Mpeg),
            (&[0xFF, 0xFB, 0x90], Audio::Mpeg),
            (b"OggS\0", Audio::Ogg),
            (b"\0\0\0\x1cftypM4A ", Audio::Mp4),
            (&[0x1A, 0x45, 0xDF, 0xA3], Audio::Webm),
        ];
        for (bytes, audio) in known {
            assert_eq!(Audio::recognise(bytes), Some(audio));
            assert_eq!(Audio::parse(audio.content_type()), Some(audio));
        }
        let others: [&[u8]; 5] = [b"", b"<!doctype html>", b"RIFF\0\0\0\0AVI ", &[0xFF, 0xE1], b"{}"];
        for other in others {
            assert_eq!(Audio::recognise(other), None);
        }
    }

    #[test]
    fn a_source_is_read_as_it_was_written() {
        let upload = UploadId("01900000-0000-7000-8000-0000000000c9".parse().unwrap());
        let address = Source::Address("https://files.example/a.wav".to_owned());
        for source in [address, Source::Platform("RE1".to_owned()), Source::Upload(upload)] {
            assert_eq!(Source::read(&source.write()), source);
        }
    }

    #[test]
    fn an_address_is_on_the_web() {
        for url in ["https://files.example/a.wav", "http://files.example/a.wav", "HTTPS://a.example/a.wav"] {
            assert_eq!(Source::address(url.to_owned()), Some(Source::Address(url.to_owned())));
        }
        let upload = "upload:01900000-0000-7000-8000-0000000000c9";
        for url in ["platform:RE1", upload, "file:///etc/passwd", "files.example/a.wav", ""] {
            assert_eq!(Source::address(url.to_owned()), None, "{url}");
        }
    }

    #[test]
    fn a_copy_is_tried_again_ever_later_for_half_a_day() {
        let start = Timestamp::UNIX_EPOCH;
        let mut now = start;
        let mut attempts = 1;
        while let Next::Again(at) = Next::after(attempts, now) {
            let wait = at.duration_since(now);
            assert!((FIRST_WAIT..=LONGEST_WAIT).contains(&wait), "{wait}");
            (now, attempts) = (at, attempts + 1);
        }
        assert_eq!(attempts, MOST_ATTEMPTS);
        assert!(now.duration_since(start) > SignedDuration::from_hours(12));
        assert_eq!(Next::after(i32::MAX, now), Next::GiveUp);
    }
}
