//! Offers in the order that was asked for, page by page.

use jiff::{SignedDuration, Timestamp};
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{self as pb, SearchAvailabilityRequest},
    parse::{Page, foreign_page_token},
};
use tonic::Status;

use super::wanted;
use crate::{
    contract::offer,
    domain::{
        part_of_day::PartOfDay,
        ranking::{Rank, Shortest, lost_minutes},
        slots::SLOT_SECONDS,
        span::Span,
    },
    store::Agenda,
};

/// In which order offers come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ranking {
    Earliest,
    Best,
}

pub(super) fn part_of_day(request: &SearchAvailabilityRequest) -> Result<Option<PartOfDay>, Status> {
    match pb::PartOfDay::try_from(request.part_of_day) {
        Ok(pb::PartOfDay::Unspecified) => Ok(None),
        Ok(pb::PartOfDay::Morning) => Ok(Some(PartOfDay::Morning)),
        Ok(pb::PartOfDay::Afternoon) => Ok(Some(PartOfDay::Afternoon)),
        Ok(pb::PartOfDay::Evening) => Ok(Some(PartOfDay::Evening)),
        Err(_) => Err(invalid("part_of_day", "is not one of the contract")),
    }
}

pub(super) fn ranking(request: &SearchAvailabilityRequest) -> Result<Ranking, Status> {
    match pb::OfferRanking::try_from(request.ranking) {
        Ok(pb::OfferRanking::Unspecified | pb::OfferRanking::Earliest) => Ok(Ranking::Earliest),
        Ok(pb::OfferRanking::Best) => Ok(Ranking::Best),
        Err(_) => Err(invalid("ranking", "is not one of the contract")),
    }
}

impl Ranking {
    /// What of `starts` has to be looked at for a page.
    pub(super) fn rest(self, starts: Span, page: &Page) -> Result<Span, Status> {
        match (self, &page.after) {
            (Self::Best, _) | (Self::Earliest, None) => Ok(starts),
            (Self::Earliest, Some(key)) => {
                let last: Option<Timestamp> = key.parse().ok();
                let next =
                    last.and_then(|last| last.checked_add(SignedDuration::from_secs(SLOT_SECONDS)).ok());
                next.and_then(|next| Span::new(next, starts.ends_at())).ok_or_else(foreign_page_token)
            }
        }
    }

    /// A page's offers and one more, where there is one, each with its key.
    pub(super) fn offers(
        self,
        agenda: &Agenda,
        part: Option<PartOfDay>,
        page: &Page,
    ) -> Result<Vec<(pb::Offer, String)>, Status> {
        let wanted = usize::try_from(wanted(page)).unwrap_or(usize::MAX);
        let shortest = Shortest::of(&agenda.schedule);
        let shown = |placement: &_| pb::Offer {
            lost_minutes: lost_minutes(placement, &agenda.line, shortest).into(),
            ..offer(placement, &agenda.schedule)
        };
        if self == Self::Earliest {
            let found = agenda.first_offers(part, wanted);
            return Ok(found.iter().map(|found| (shown(found), found.starts_at.to_string())).collect());
        }
        let after = page.after.as_deref().map(|key| parse(key).ok_or_else(foreign_page_token)).transpose()?;
        let rank = |found| (Rank::of(&found, &agenda.wish, &agenda.line, shortest), found);
        let mut ranked: Vec<_> = agenda.offers(part).into_iter().map(rank).collect();
        ranked.retain(|(rank, _)| after.is_none_or(|after| *rank > after));
        ranked.sort_unstable_by_key(|(rank, _)| *rank);
        ranked.truncate(wanted);
        Ok(ranked.iter().map(|(rank, found)| (shown(found), key(*rank))).collect())
    }
}

fn key(rank: Rank) -> String {
    format!("{} {} {}", rank.disliked, rank.lost_minutes, rank.starts_at)
}

fn parse(key: &str) -> Option<Rank> {
    let mut parts = key.splitn(3, ' ');
    Some(Rank {
        disliked: parts.next()?.parse().ok()?,
        lost_minutes: parts.next()?.parse().ok()?,
        starts_at: parts.next()?.parse().ok()?,
    })
}
