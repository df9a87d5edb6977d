import { Box, chakra, Flex, Stack } from '@chakra-ui/react';
import { CalendarSearch, CalendarX2, CircleHelp, CloudOff } from 'lucide-react';
import { useState } from 'react';
import { AsOf, Doubts } from '../business/freshness-note';
import { inDoubt } from '../day/freshness';
import type { Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { messageOf } from '../http/errors';
import { dayName, minutesText, moment, timeOfDay, timeSpan } from '../time/zoned';
import { Button } from '../ui/button';
import { moneyText } from '../ui/money';
import { Bar, Loading } from '../ui/skeleton';
import { Empty, Failed, Note } from '../ui/states';
import { Figures } from '../ui/text';
import { handsOf, minutesOf, reasonsOf, sameStart } from './offers';
import type { Found } from './use-offers';

/** As many as can be weighed at once. */
const AT_FIRST = 8;

type OffersPartProps = {
  found: Found;
  /** "Tomorrow", for sentences. */
  day: string;
  zone: string;
  /** Something is being held already: one at a time. */
  busy: boolean;
  onChoose: (offer: Offer) => void;
};

/** Free times, the best first, each with what speaks for it. */
export function OffersPart({ found, day, zone, busy, onChoose }: OffersPartProps) {
  const { searchable, offers, next, whyNot, sources, loading, error, retry } = found;
  if (!searchable) {
    return (
      <Empty icon={CalendarSearch} title="Which service?">
        Free times show here as soon as every service is chosen.
      </Empty>
    );
  }
  if (error && offers.length === 0) {
    return <Failed title="Free times can’t be shown" message={messageOf(error)} onRetry={retry} />;
  }
  if (loading && offers.length === 0) return <OffersSkeleton />;
  const unsure = inDoubt(sources).length > 0;
  return (
    <Stack gap="3">
      {error && (
        <Note tone="warn" icon={CloudOff}>
          {messageOf(error)} What you see may be out of date.
        </Note>
      )}
      <Doubts sources={sources} zone={zone} />
      {whyNot && (
        <Note tone="info" icon={CircleHelp}>
          {whyNot}
        </Note>
      )}
      {offers.length > 0 ? (
        <Offers found={found} zone={zone} busy={busy} onChoose={onChoose} />
      ) : (
        <Empty
          icon={CalendarX2}
          title={`Nothing ${unsure ? 'is known to be' : 'is'} free ${day}`}
          action={next && <NextFree offer={next} zone={zone} busy={busy} onChoose={onChoose} />}
        >
          {next ? 'The next time that fits:' : 'Nothing is free later either, as far as bookings are taken.'}
        </Empty>
      )}
      <AsOf sources={sources} zone={zone} />
    </Stack>
  );
}

function Offers({ found, zone, busy, onChoose }: Omit<OffersPartProps, 'day'>) {
  const { offers, items, asked } = found;
  const [all, setAll] = useState(false);
  const shown = all ? offers : offers.slice(0, AT_FIRST);
  return (
    <Stack gap="3">
      <Box as="ul" listStyleType="none" display="grid" gap="2" aria-label="Free times">
        {shown.map((offer) => (
          <li key={moment(offer.startsAt)?.getTime()}>
            <OfferButton
              offer={offer}
              reasons={[
                ...(asked && sameStart(asked, offer) ? ['As asked'] : []),
                ...reasonsOf(offer, items, offers),
              ]}
              zone={zone}
              busy={busy}
              onChoose={onChoose}
            />
          </li>
        ))}
      </Box>
      {shown.length < offers.length && (
        <Button variant="quiet" onClick={() => setAll(true)}>
          Show {offers.length - shown.length} more
        </Button>
      )}
    </Stack>
  );
}

const Face = chakra('button', {
  base: {
    width: '100%',
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    columnGap: '4',
    rowGap: '0.5',
    textAlign: 'start',
    px: '4',
    py: '2.5',
    border: '1px solid',
    borderColor: 'line',
    borderRadius: 'button',
    bg: 'bg.card',
    cursor: 'pointer',
    transition: 'colors',
    _hover: { bg: 'bg.hover', borderColor: 'line.strong' },
    _disabled: { opacity: '0.55', cursor: 'progress' },
  },
});

type OfferProps = { offer: Offer; zone: string; busy: boolean; onChoose: (offer: Offer) => void };

function OfferButton({ offer, reasons, zone, busy, onChoose }: OfferProps & { reasons: string[] }) {
  const [from, to] = [moment(offer.startsAt), moment(offer.endsAt)];
  if (!from || !to) return null;
  return (
    <Face type="button" disabled={busy} onClick={() => onChoose(offer)}>
      <Figures fontWeight="650" fontSize="1.0625rem">
        {timeSpan(from, to, zone)}
      </Figures>
      <Figures fontWeight="550" textAlign="end">
        {moneyText(offer.priceMinor, offer.currency)}
      </Figures>
      <chakra.span fontSize="0.9375rem" overflowWrap="anywhere">
        with {handsOf(offer)}
      </chakra.span>
      <Figures color="fg.muted" fontSize="0.875rem" textAlign="end">
        {minutesText(minutesOf(offer))}
      </Figures>
      <chakra.span gridColumn="1 / -1" color="fg.muted" fontSize="0.875rem">
        {reasons.join(' · ')}
      </chakra.span>
    </Face>
  );
}

function NextFree({ offer, zone, busy, onChoose }: OfferProps) {
  const from = moment(offer.startsAt);
  if (!from) return null;
  return (
    <Button disabled={busy} minHeight="12" whiteSpace="normal" onClick={() => onChoose(offer)}>
      {dayName(from, zone, new Date())}, {timeOfDay(from, zone)} with {handsOf(offer)}
    </Button>
  );
}

function OffersSkeleton() {
  return (
    <Loading label="Looking for free times">
      <Stack gap="2">
        {[0, 1, 2, 3].map((row) => (
          <Flex
            key={row}
            direction="column"
            gap="2"
            p="4"
            border="1px solid"
            borderColor="line"
            borderRadius="button"
          >
            <Bar width="40%" />
            <Bar width="60%" height="0.75rem" />
          </Flex>
        ))}
      </Stack>
    </Loading>
  );
}
