//! Offers in the order that was asked for, page by page.

use engine::{
    part_of_day::PartOfDay,
    ranking::{Rank, Shortest, lost_minutes},
    slots::SLOT_SECONDS,
    span::Span,
};
use jiff::{SignedDuration, Timestamp};
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{self as pb, SearchAvailabilityRequest},
    page::{Page, foreign_page_token},
};
use tonic::Status;

use crate::{app::Agenda, contract::offer};

/// Where an offer stands: in which the best come first, by services that another employee would do
/// than was preferred, and by minutes lost; then by its start.
pub(super) type Place = (Option<(u32, u32)>, Timestamp);

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
    pub(super) fn rest(self, starts: Span, page: &Page<Place>) -> Result<Span, Status> {
        match (self, page.after) {
            (Self::Best, None | Some((Some(_), _))) | (Self::Earliest, None) => Ok(starts),
            (Self::Earliest, Some((None, last))) => {
                let next = last.checked_add(SignedDuration::from_secs(SLOT_SECONDS)).ok();
                let rest = next.and_then(|next| Span::new(next.max(starts.starts_at()), starts.ends_at()));
                rest.ok_or_else(foreign_page_token)
            }
            (Self::Best, Some((None, _))) | (Self::Earliest, Some((Some(_), _))) => Err(foreign_page_token()),
        }
    }

    /// A page's offers and one more, where there is one, each with its key.
    pub(super) fn offers(
        self,
        agenda: &Agenda,
        part: Option<PartOfDay>,
        page: &Page<Place>,
    ) -> Result<Vec<(pb::Offer, Place)>, Status> {
        let wanted = usize::try_from(page.limit()).unwrap_or(usize::MAX);
        let shortest = Shortest::of(&agenda.schedule);
        let shown = |placement: &_| pb::Offer {
            lost_minutes: lost_minutes(placement, &agenda.line, shortest).into(),
            ..offer(placement, &agenda.schedule)
        };
        if self == Self::Earliest {
            let found = agenda.first_offers(part, wanted);
            return Ok(found.iter().map(|found| (shown(found), (None, found.starts_at))).collect());
        }
        let after = page.after.map(rank).transpose()?;
        let ranked = |found| (Rank::of(&found, &agenda.request, &agenda.line, shortest), found);
        let mut ranked: Vec<_> = agenda.offers(part).into_iter().map(ranked).collect();
        ranked.retain(|(rank, _)| after.is_none_or(|after| *rank > after));
        ranked.sort_unstable_by_key(|(rank, _)| *rank);
        ranked.truncate(wanted);
        Ok(ranked.iter().map(|(rank, found)| (shown(found), place(*rank))).collect())
    }
}

fn place(rank: Rank) -> Place {
    let disliked = u32::try_from(rank.disliked).unwrap_or(u32::MAX);
    (Some((disliked, rank.lost_minutes.into())), rank.starts_at)
}

fn rank(place: Place) -> Result<Rank, Status> {
    let parse = || {
        let (disliked, lost) = place.0?;
        let (disliked, lost_minutes) = (usize::try_from(disliked).ok()?, u16::try_from(lost).ok()?);
        Some(Rank { disliked, lost_minutes, starts_at: place.1 })
    };
    parse().ok_or_else(foreign_page_token)
}
