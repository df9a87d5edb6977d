//! Matches a phrase that a customer or employee said or typed to a service.
//!
//! A name or an alias matches exactly, by the words it shares with the phrase, by the letters, or
//! by how its words sound; the best of these counts. Words that many services have count for
//! little. Nothing is guessed: where two services come close to each other, or none comes near,
//! the verdict says so.

mod sound;
pub mod trigram;
pub mod words;

use core::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use engine::{id::ServiceId, service::Service};
use sound::{Sound, Speaker};
use trigram::{Trigram, share, trigrams};
use words::{stem, words};

/// What covers the phrase counts twice as much as what covers the name: people say "cut" for
/// "women's cut and finish".
const OF_PHRASE: f64 = 0.6;
const OF_NAME: f64 = 0.3;
/// A name that is only written alike never scores as well as the name itself.
const SPELT: f64 = 0.9;
/// As is one that only sounds alike.
const SOUNDED: f64 = 0.9;
/// What a word that sounds alike is worth at least, beside one that is the same.
const ALIKE: f64 = 0.7;
/// A word that no service has, around a name that is there whole: "please".
const FILLER: f64 = 0.05;
/// More words of a phrase than this say nothing more.
const MOST_WORDS: usize = 40;

/// How well a phrase matches, in thousandths: 0 to 1000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(u16);

impl Score {
    /// An exact match.
    pub const EXACT: Self = Self(1000);
    /// What scores less is no candidate.
    pub const LEAST: Self = Self(350);
    /// What scores less is asked about, even if nothing else is near.
    const CLEAR: Self = Self(600);
    /// Scores nearer to each other than this are asked about.
    const MARGIN: u16 = 100;

    fn of(part: f64) -> Self {
        // Parts lie between 0 and 1.
        Self((part * 1000.0).round() as u16)
    }

    /// As a part of 1.
    #[must_use]
    pub fn part(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

/// How a phrase and a name came together; the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Manner {
    /// The same, but for case, accents and punctuation.
    Exact,
    /// By words they share.
    Words,
    /// By letters they share.
    Spelling,
    /// By how their words sound.
    Sound,
}

/// A service that a phrase may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Which.
    pub service: ServiceId,
    /// How well it matches.
    pub score: Score,
    /// How its name or alias matches.
    pub manner: Manner,
    /// That name or alias, as it is written.
    pub matched: String,
}

/// What candidates amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The first is meant.
    Clear,
    /// Several services are possible: ask which.
    Unclear,
    /// No service matches.
    Nothing,
}

/// What to make of candidates, the best of which comes first.
#[must_use]
pub fn verdict(ranked: &[Candidate]) -> Verdict {
    match ranked {
        [] => Verdict::Nothing,
        [best, ..] if best.score < Score::CLEAR => Verdict::Unclear,
        [best, second, ..] if best.score.0 - second.score.0 < Score::MARGIN => Verdict::Unclear,
        _ => Verdict::Clear,
    }
}

/// The names of a business's services, made ready to be found.
#[derive(Debug)]
pub struct Lexicon {
    names: Vec<Name>,
    words: Vec<Word>,
    known: HashMap<String, usize>,
    exact: HashMap<String, Vec<usize>>,
    sounding: HashMap<Sound, Vec<usize>>,
    spelt: HashMap<Trigram, Vec<usize>>,
}

/// A name or an alias.
#[derive(Debug)]
struct Name {
    service: ServiceId,
    text: String,
    words: Vec<usize>,
    trigrams: usize,
}

/// A word of a name.
#[derive(Debug, Default)]
struct Word {
    text: String,
    services: BTreeSet<ServiceId>,
    names: Vec<usize>,
}

impl Word {
    /// Less, the more services have it.
    fn weight(&self) -> f64 {
        1.0 / (1.0 + (self.services.len().max(1) as f64).ln())
    }
}

/// A word of a phrase: which words of the lexicon it is, or sounds like, and how much.
struct Heard {
    known: Option<usize>,
    alike: HashMap<usize, f64>,
}

impl Lexicon {
    /// The lexicon of `services`.
    #[must_use]
    pub fn new<'a>(services: impl IntoIterator<Item = &'a Service>) -> Self {
        let mut lexicon = Self {
            names: vec![],
            words: vec![],
            known: HashMap::new(),
            exact: HashMap::new(),
            sounding: HashMap::new(),
            spelt: HashMap::new(),
        };
        for service in services {
            for text in core::iter::once(&service.name).chain(&service.aliases) {
                lexicon.learn(service.id, text);
            }
        }
        let speaker = Speaker::new();
        for (index, word) in lexicon.words.iter().enumerate() {
            for sound in speaker.sounds(&word.text) {
                lexicon.sounding.entry(sound).or_default().push(index);
            }
        }
        lexicon
    }

    fn learn(&mut self, service: ServiceId, text: &str) {
        let parts = words(text);
        if parts.is_empty() {
            return;
        }
        let index = self.names.len();
        let letters = trigrams(&parts);
        self.exact.entry(parts.join(" ")).or_default().push(index);
        for trigram in &letters {
            self.spelt.entry(*trigram).or_default().push(index);
        }
        let stems: BTreeSet<&str> = parts.iter().map(|word| stem(word)).collect();
        let words = stems.into_iter().map(|stem| self.word(stem, service, index)).collect();
        self.names.push(Name { service, text: text.to_owned(), words, trigrams: letters.len() });
    }

    fn word(&mut self, stem: &str, service: ServiceId, name: usize) -> usize {
        let next = self.words.len();
        let index = *self.known.entry(stem.to_owned()).or_insert(next);
        if index == next {
            self.words.push(Word { text: stem.to_owned(), ..Word::default() });
        }
        self.words[index].services.insert(service);
        self.words[index].names.push(name);
        index
    }

    /// The services that `phrase` may mean, the best first, each with the name that matches best.
    /// The same for services in whatever order.
    #[must_use]
    pub fn rank(&self, phrase: &str) -> Vec<Candidate> {
        let mut spoken = words(phrase);
        spoken.truncate(MOST_WORDS);
        let exact = self.exact.get(&spoken.join(" ")).into_iter().flatten();
        let exact = exact.map(|name| (*name, Score::EXACT, Manner::Exact));
        let mut best: BTreeMap<ServiceId, (Score, Reverse<Manner>, Reverse<&str>)> = BTreeMap::new();
        for (name, score, manner) in exact
            .chain(self.by_words(&spoken))
            .chain(self.by_spelling(&spoken))
            .filter(|at| at.1 >= Score::LEAST)
        {
            let Name { service, text, .. } = &self.names[name];
            let found = (score, Reverse(manner), Reverse(text.as_str()));
            let known = best.entry(*service).or_insert(found);
            *known = (*known).max(found);
        }
        let mut ranked: Vec<_> = best.into_iter().collect();
        ranked.sort_by_key(|(service, found)| (Reverse(*found), *service));
        let candidate = |(service, (score, Reverse(manner), Reverse(text))): (_, (_, _, Reverse<&str>))| {
            Candidate { service, score, manner, matched: text.to_owned() }
        };
        ranked.into_iter().map(candidate).collect()
    }

    /// Names that share words with the phrase, as they are or as they sound.
    fn by_words(&self, spoken: &[String]) -> Vec<(usize, Score, Manner)> {
        let stems: BTreeSet<&str> = spoken.iter().map(|word| stem(word)).collect();
        let speaker = Speaker::new();
        let heard: Vec<Heard> = stems.into_iter().map(|stem| self.hear(stem, &speaker)).collect();
        let alike = heard.iter().flat_map(|heard| heard.alike.keys());
        let names: BTreeSet<usize> = alike.flat_map(|word| self.words[*word].names.iter().copied()).collect();
        let both = |name: usize| {
            let shared = self.coverage(&self.names[name], &heard, |alike| alike >= 1.0);
            let sounding = self.coverage(&self.names[name], &heard, |_| true);
            [(name, Score::of(shared), Manner::Words), (name, Score::of(SOUNDED * sounding), Manner::Sound)]
        };
        names.into_iter().flat_map(both).collect()
    }

    fn hear(&self, stem: &str, speaker: &Speaker) -> Heard {
        let known = self.known.get(stem).copied();
        let mut alike = HashMap::new();
        let own = [stem.to_owned()];
        let sounding = speaker.sounds(stem).into_iter().filter_map(|sound| self.sounding.get(&sound));
        for word in sounding.flatten() {
            let written = trigram::similarity(&own, core::slice::from_ref(&self.words[*word].text));
            alike.insert(*word, ALIKE + (1.0 - ALIKE) * written);
        }
        alike.extend(known.map(|word| (word, 1.0)));
        Heard { known, alike }
    }

    /// How much of the phrase and of the name is the other, by words that `counts`.
    fn coverage(&self, name: &Name, heard: &[Heard], counts: impl Fn(f64) -> bool) -> f64 {
        let alike = |heard: &Heard, word: &usize| {
            heard.alike.get(word).copied().filter(|alike| counts(*alike)).unwrap_or(0.0)
        };
        let weight = |word: &usize| self.words[*word].weight();
        let (mut covered, mut all, mut is_whole) = (0.0, 0.0, true);
        for word in &name.words {
            let best = heard.iter().map(|heard| alike(heard, word)).fold(0.0, f64::max);
            covered += weight(word) * best;
            all += weight(word);
            is_whole &= best > 0.0;
        }
        let of_name = covered / all;
        let (mut covered, mut all) = (0.0, 0.0);
        for heard in heard {
            let best = name.words.iter().map(|word| (alike(heard, word), weight(word)));
            let (best, worth) = best.fold((0.0, 0.0), |one, other| if other.0 > one.0 { other } else { one });
            all += match heard.known {
                _ if best > 0.0 => worth,
                Some(word) => weight(&word),
                None if is_whole => FILLER,
                None => 1.0,
            };
            covered += worth * best;
        }
        if covered == 0.0 { 0.0 } else { OF_PHRASE * covered / all + OF_NAME * of_name }
    }

    /// Names that are written like the phrase.
    fn by_spelling(&self, spoken: &[String]) -> Vec<(usize, Score, Manner)> {
        let letters = trigrams(spoken);
        let mut common: HashMap<usize, usize> = HashMap::new();
        for name in letters.iter().filter_map(|trigram| self.spelt.get(trigram)).flatten() {
            *common.entry(*name).or_default() += 1;
        }
        let score = |(name, common): (usize, usize)| {
            let alike = share(common, letters.len(), self.names[name].trigrams);
            (name, Score::of(SPELT * alike), Manner::Spelling)
        };
        common.into_iter().map(score).collect()
    }
}

#[cfg(test)]
mod tests;
