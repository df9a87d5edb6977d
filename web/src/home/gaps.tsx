import { Flex, Stack } from '@chakra-ui/react';
import { CalendarCheck2, CloudOff } from 'lucide-react';
import { useCallback, useState } from 'react';
import { fetchedAhead } from '../api/fetched-ahead';
import type { Column } from '../day/columns';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { messageOf } from '../http/errors';
import { minutesText, timeOfDay, timeSpan } from '../time/zoned';
import { Button } from '../ui/button';
import { CardRow } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty, Failed, Note } from '../ui/states';
import { Figures, Muted, ScreenReaderOnly, Text } from '../ui/text';
import type { FreeTime } from './free-time';
import { useFreeTime } from './use-free-time';

const BookingDialog = fetchedAhead(() =>
  import('../booking/booking-dialog').then(({ BookingDialog }) => BookingDialog),
);

/** What comes up within the next hours; a quiet day has many more. */
const SHOWN = 6;
const NAMED = 3;

type GapsProps = {
  businessId: string;
  columns: readonly Column[];
  services: readonly Service[];
  now: Date;
  zone: string;
  mayBook: boolean;
};

/** Today's free times, with the employee and the services that fit; each can be booked from here. */
export function Gaps(props: GapsProps) {
  const { businessId, columns, zone, mayBook } = props;
  const { free, error, retry, retrying } = useFreeTime(props);
  const [all, setAll] = useState(false);
  const [at, setAt] = useState<FreeTime | null>(null);
  const close = useCallback(() => setAt(null), []);
  if (!free) return <RowsSkeleton rows={3} label="Looking for free time" />;
  if (error && free.length === 0) {
    return (
      <Failed
        title="Free time can’t be shown"
        message={messageOf(error)}
        onRetry={retry}
        retrying={retrying}
      />
    );
  }
  return (
    <>
      {error && (
        <Stack px={{ base: '4', sm: '6' }} pb="3">
          <Note tone="warn" icon={CloudOff}>
            {messageOf(error)} Some free time may be missing.
          </Note>
        </Stack>
      )}
      {free.length === 0 ? (
        <NothingFree columns={columns} />
      ) : (
        <Stack as="ul" gap="0" listStyleType="none">
          {free.slice(0, all ? free.length : SHOWN).map((time) => (
            <Row
              key={`${time.employeeId}/${time.to.getTime()}`}
              time={time}
              zone={zone}
              onBook={mayBook ? () => setAt(time) : undefined}
            />
          ))}
        </Stack>
      )}
      {!all && free.length > SHOWN && (
        <Flex justify="center" py="2">
          <Button variant="quiet" onClick={() => setAll(true)}>
            Show all {free.length}
          </Button>
        </Flex>
      )}
      {at && (
        <BookingDialog
          open
          businessId={businessId}
          start={at.from}
          employeeId={at.employeeId}
          onClose={close}
        />
      )}
    </>
  );
}

function NothingFree({ columns }: { columns: readonly Column[] }) {
  const open = columns.some(({ working }) => working.length > 0);
  return (
    <Empty icon={CalendarCheck2} title={open ? 'Nothing left to fill today' : 'No one works today'}>
      {open && 'Time that comes free shows up here.'}
    </Empty>
  );
}

type RowProps = { time: FreeTime; zone: string; onBook: (() => void) | undefined };

function Row({ time, zone, onBook }: RowProps) {
  const { employeeName, from, to, minutes, fits } = time;
  const named = fits.slice(0, NAMED).map(({ name }) => name);
  const more = fits.length - named.length;
  return (
    <CardRow align="center" gap="4" rowGap="2">
      <Stack gap="0.5" flex="1" minWidth="0">
        <Text fontWeight="600">
          <Figures>{timeSpan(from, to, zone)}</Figures>
          <Muted as="span" fontWeight="400">
            {` · ${minutesText(minutes)}`}
          </Muted>
        </Text>
        <Muted>
          {employeeName}
          {betweenText(time)}
        </Muted>
        <Muted lineClamp="2">
          {`Fits ${named.join(', ')}`}
          {more > 0 && ` and ${more} more`}
        </Muted>
      </Stack>
      {onBook && (
        <Button onClick={onBook}>
          Book
          <ScreenReaderOnly>
            {' '}
            {timeOfDay(from, zone)} with {employeeName}
          </ScreenReaderOnly>
        </Button>
      )}
    </CardRow>
  );
}

function betweenText({ after, before }: FreeTime): string {
  if (after && before) return `, between ${after} and ${before}`;
  if (after) return `, after ${after}`;
  if (before) return `, before ${before}`;
  return ', nothing booked';
}
