//! Rows of bits, one bit per five-minute slot: the kernel of the search.
//!
//! A bit that lies beyond the end of a row reads as clear, so that nothing is ever
//! found where nothing is known.

use core::ops::Range;

use jiff::{SignedDuration, Timestamp};

/// Length of a slot in minutes.
pub const SLOT_MINUTES: u16 = 5;
/// Length of a slot in seconds.
pub const SLOT_SECONDS: i64 = 300;
/// Most slots a day can have: 25 hours make 300.
pub const DAY_SLOTS: usize = DAY_WORDS * WORD;

const WORD: usize = u64::BITS as usize;
const DAY_WORDS: usize = 5;

/// How many whole slots fit between `origin` and `at`; 0 if `at` lies before.
#[must_use]
pub fn whole_slots_until(origin: Timestamp, at: Timestamp) -> usize {
    let seconds = at.duration_since(origin).as_secs();
    usize::try_from(seconds / SLOT_SECONDS).unwrap_or(0)
}

/// How many slots begin between `origin` and `at`.
#[must_use]
pub fn slots_until(origin: Timestamp, at: Timestamp) -> usize {
    let whole = whole_slots_until(origin, at);
    let rest = at.duration_since(origin) - SignedDuration::from_secs(whole as i64 * SLOT_SECONDS);
    whole + usize::from(rest.is_positive())
}

/// The slots of one local day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DaySlots([u64; DAY_WORDS]);

impl DaySlots {
    /// Sets the slots of `range`.
    pub fn set(&mut self, range: Range<usize>) {
        set(&mut self.0, range);
    }

    /// Whether slot `index` is set.
    #[must_use]
    pub fn get(&self, index: usize) -> bool {
        get(&self.0, index)
    }

    /// The slots set in both.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
        self
    }

    /// How many slots are set.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether some slot is set in both.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(word, other)| word & other != 0)
    }

    /// Adds the slots of `other`.
    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// Takes the slots of `other` away.
    pub fn remove(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    /// How many slots are set with fewer than `length` in a row.
    #[must_use]
    pub fn count_in_short_runs(&self, length: usize) -> usize {
        let mut long = self.0;
        runs(&mut long, length);
        let mut have = 1;
        while have < length {
            let step = have.min(length - have);
            or_behind(&mut long, step);
            have += step;
        }
        self.0.iter().zip(&long).map(|(word, long)| (word & !long).count_ones() as usize).sum()
    }

    /// The set slots as ranges, ascending.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let mut from = 0;
        core::iter::from_fn(move || {
            let starts = (from..DAY_SLOTS).find(|slot| self.get(*slot))?;
            let ends = (starts..DAY_SLOTS).find(|slot| !self.get(*slot)).unwrap_or(DAY_SLOTS);
            from = ends;
            Some(starts..ends)
        })
    }
}

/// Slots of any number, such as those of several days in a row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Slots {
    words: Vec<u64>,
    len: usize,
}

impl Slots {
    /// `len` clear slots.
    #[must_use]
    pub fn clear(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(WORD)], len }
    }

    /// `len` set slots.
    #[must_use]
    pub fn full(len: usize) -> Self {
        let mut slots = Self::clear(len);
        slots.set(0..len);
        slots
    }

    /// No slots yet, with room for `len`.
    #[must_use]
    pub fn with_room(len: usize) -> Self {
        Self { words: Vec::with_capacity(len.div_ceil(WORD)), len: 0 }
    }

    /// How many slots there are, set or not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no slot at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether slot `index` is set.
    #[must_use]
    pub fn get(&self, index: usize) -> bool {
        get(&self.words, index)
    }

    /// Whether all slots of `range` are there, and none of them is set.
    #[must_use]
    pub fn are_clear(&self, range: Range<usize>) -> bool {
        range.end <= self.len && !range.into_iter().any(|slot| self.get(slot))
    }

    /// Sets the slots of `range`, as far as there are any.
    pub fn set(&mut self, range: Range<usize>) {
        set(&mut self.words, range.start..range.end.min(self.len));
    }

    /// Adds a day of `len` slots at the end. No slot after them may be set.
    pub fn append(&mut self, day: &DaySlots, len: usize) {
        debug_assert!((len..DAY_SLOTS).all(|slot| !day.get(slot)));
        let (first, bit) = (self.len / WORD, self.len % WORD);
        self.len += len;
        self.words.resize(self.len.div_ceil(WORD), 0);
        let mut carried = 0;
        for (to, word) in self.words[first..].iter_mut().zip(day.0.into_iter().chain([0])) {
            *to |= word << bit | carried;
            carried = word >> 1 >> (WORD - 1 - bit);
        }
    }

    /// Keeps the slots that `other` has too.
    pub fn and(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// As it is `slots` later: what lies there comes that much earlier.
    #[must_use]
    pub fn earlier(mut self, slots: usize) -> Self {
        if slots > 0 {
            let (skipped, bit) = (slots / WORD, slots % WORD);
            for index in 0..self.words.len() {
                let word = |index: usize| self.words.get(index).copied().unwrap_or(0);
                self.words[index] = joined(word(index + skipped), word(index + skipped + 1), bit);
            }
        }
        self
    }

    /// Keeps the slots that `other` has `ahead` slots later.
    pub fn and_ahead(&mut self, other: &Self, ahead: usize) {
        let (skipped, bit) = (ahead / WORD, ahead % WORD);
        let there = other.words.get(skipped..).unwrap_or_default();
        let next = there.iter().skip(1).chain([&0]);
        for (word, (low, high)) in self.words.iter_mut().zip(there.iter().zip(next)) {
            *word &= joined(*low, *high, bit);
        }
        self.words.iter_mut().skip(there.len()).for_each(|word| *word = 0);
    }

    /// Adds the slots of `other`.
    pub fn or(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// The slots that are set here and clear in `other`.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let words = self.words.iter().zip(&other.words).map(|(word, other)| word & !other).collect();
        Self { words, len: self.len }
    }

    /// The slots from which `length` slots in a row are set.
    #[must_use]
    pub fn runs(mut self, length: usize) -> Self {
        runs(&mut self.words, length);
        self
    }

    /// The set slots, ascending.
    pub fn ones(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            core::iter::successors((word != 0).then_some(word), |word| {
                let rest = word & (word - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |word| index * WORD + word.trailing_zeros() as usize)
        })
    }
}

fn get(words: &[u64], index: usize) -> bool {
    words.get(index / WORD).is_some_and(|word| word >> (index % WORD) & 1 == 1)
}

fn set(words: &mut [u64], range: Range<usize>) {
    for index in range.start / WORD..range.end.div_ceil(WORD).min(words.len()) {
        let from = range.start.saturating_sub(index * WORD);
        let to = (range.end - index * WORD).min(WORD);
        if from < to {
            words[index] |= (u64::MAX >> (WORD - (to - from))) << from;
        }
    }
}

/// Keeps the slots from which `length` slots in a row are set, by doubling: log₂ steps.
fn runs(words: &mut [u64], length: usize) {
    let mut have = 1;
    while have < length {
        let step = have.min(length - have);
        and_own_ahead(words, step);
        have += step;
    }
}

/// As [`Slots::and_ahead`] with itself. Upwards, each word is read before it changes.
fn and_own_ahead(words: &mut [u64], ahead: usize) {
    let (skipped, bit) = (ahead / WORD, ahead % WORD);
    let both = words.len().saturating_sub(skipped + 1);
    for index in 0..both {
        words[index] &= joined(words[index + skipped], words[index + skipped + 1], bit);
    }
    for index in both..words.len() {
        words[index] &= joined(words.get(index + skipped).copied().unwrap_or(0), 0, bit);
    }
}

/// Adds each slot again `later` slots later. Downwards, each word is read before it changes.
fn or_behind(words: &mut [u64], later: usize) {
    let (skipped, bit) = (later / WORD, later % WORD);
    for index in (skipped..words.len()).rev() {
        let carried = (index - skipped).checked_sub(1).map_or(0, |index| words[index]);
        words[index] |= words[index - skipped] << bit | carried >> 1 >> (WORD - 1 - bit);
    }
}

/// The 64 bits that begin at `bit` of `low` and go on in `high`.
fn joined(low: u64, high: u64, bit: usize) -> u64 {
    // Shifted twice, since shifting by all 64 at once means nothing.
    low >> bit | high << 1 << (WORD - 1 - bit)
}

#[cfg(test)]
mod tests;
