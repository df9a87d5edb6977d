import { chakra, Flex, Stack } from '@chakra-ui/react';
import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { may } from '../api/access';
import { useAction } from '../api/action';
import { ConsistencyAccess } from '../gen/access';
import {
  ConsistencyService,
  type Difference,
  type SideEvent,
} from '../gen/frontdesk/calendarsync/v1/consistency_pb';
import { messageOf } from '../http/errors';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { dateAndTime, moment, timeOfDay } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Empty } from '../ui/states';
import { Table } from '../ui/table';
import { Muted, ScreenReaderOnly } from '../ui/text';
import { toasts } from '../ui/toasts';
import { RepairAll } from './repair-all';
import {
  changedText,
  differenceText,
  kindText,
  type People,
  plannedText,
  repairText,
  writtenText,
} from './wording';

/** What a check tells of. */
const MOST_SHOWN = 500;

type DifferencesProps = {
  businessId: string;
  differences: readonly Difference[];
  total: number;
  role: string | undefined;
  zone: string;
  names: ReadonlyMap<string, string>;
  people: People;
};

/** In what the sides differ from the book, with a repair for each. */
export function Differences({ businessId, differences, total, role, zone, names, people }: DifferencesProps) {
  const [repaired, setRepaired] = useState<ReadonlySet<string>>(new Set());
  const note = (difference: Difference) => setRepaired((before) => new Set(before).add(keyOf(difference)));
  const isWritten = (difference: Difference) => difference.isBeingWritten || repaired.has(keyOf(difference));
  // Many are on their way after a connection is new: they would hide the few that a person has to look at.
  const [showsWritten, setShowsWritten] = useState(false);
  const written = differences.filter(({ isBeingWritten }) => isBeingWritten);
  const open = differences.filter(({ isBeingWritten }) => !isBeingWritten);
  const shown = showsWritten ? [...open, ...written] : open;
  return (
    <Card
      title="Differences"
      flush
      action={
        may(ConsistencyAccess.repairDifference, role) && (
          <RepairAll
            businessId={businessId}
            differences={differences.filter((difference) => !isWritten(difference))}
            onRepaired={note}
          />
        )
      }
    >
      {differences.length === 0 ? (
        <Empty icon={CircleCheck} title={total > 0 ? 'All differences are being repaired' : 'No differences'}>
          {total > 0
            ? 'Check again to see whether every calendar has what the book has.'
            : 'Every calendar that could be read has what the book has.'}
        </Empty>
      ) : (
        <>
          {shown.length > 0 && (
            <Table label="Differences" paired>
              <thead>
                <tr>
                  <th scope="col">Where</th>
                  <th scope="col">What</th>
                  <th scope="col">In the book</th>
                  <th scope="col">There</th>
                  <th scope="col" aria-label="Repair" />
                </tr>
              </thead>
              <tbody>
                {shown.map((difference) => (
                  <Row
                    key={keyOf(difference)}
                    businessId={businessId}
                    difference={difference}
                    isWritten={isWritten(difference)}
                    onRepaired={note}
                    role={role}
                    zone={zone}
                    name={names.get(difference.employeeId) ?? 'An employee'}
                    people={people}
                  />
                ))}
              </tbody>
            </Table>
          )}
          {written.length > 0 && (
            <Flex gap="3" align="center" wrap="wrap" px={{ base: '4', sm: '6' }} py="3">
              <Muted>{writtenText(written.length, open.length > 0)}</Muted>
              <Button
                variant="quiet"
                aria-expanded={showsWritten}
                onClick={() => setShowsWritten(!showsWritten)}
              >
                {showsWritten ? 'Hide' : 'Show'} {written.length === 1 ? 'it' : 'them'}
              </Button>
            </Flex>
          )}
          {total > MOST_SHOWN && (
            <Muted px={{ base: '4', sm: '6' }} py="2">
              {total - MOST_SHOWN} more are not shown. Repair these, and check again.
            </Muted>
          )}
        </>
      )}
    </Card>
  );
}

/** A difference is of one event in one calendar. */
const keyOf = ({ calendarId, eventId }: Difference) => `${calendarId} ${eventId}`;

type RowProps = {
  businessId: string;
  difference: Difference;
  isWritten: boolean;
  onRepaired: (difference: Difference) => void;
  role: string | undefined;
  zone: string;
  name: string;
  people: People;
};

function Row({ businessId, difference, isWritten, onRepaired, role, zone, name, people }: RowProps) {
  const { calendarId, eventId, appointmentId, ours, theirs } = difference;
  const title = ours?.title || theirs?.title || 'the event';
  const told = useRef<HTMLParagraphElement>(null);
  const [pressed, setPressed] = useState(false);
  // The button goes, and the focus stays in its row.
  useEffect(() => {
    if (pressed && isWritten && document.activeElement === document.body) told.current?.focus();
  }, [pressed, isWritten]);
  const { act, running } = useAction(ConsistencyService.method.repairDifference, {
    onDone: () => {
      onRepaired(difference);
      toasts.show('good', `${title} is being repaired in the calendar of ${name}.`);
    },
    onRefused: (error) => toasts.show('bad', messageOf(error, 'It could not be repaired.')),
  });
  return (
    <tr>
      <chakra.th scope="row" minWidth="7.5rem">
        {name}
        <Muted fontSize="0.875rem" fontWeight="400">
          {difference.calendarName} ({kindText(difference.calendarKind)})
        </Muted>
      </chakra.th>
      <td>
        <Badge tone="warn">{differenceText(difference)}</Badge>
      </td>
      <td data-label="In the book">
        <Side event={ours} zone={zone} changed={ours && plannedText(ours, people)} />
        {appointmentId && (
          <TextLink to={paths.appointment(businessId, appointmentId)}>
            The visit
            <ScreenReaderOnly> of {title}</ScreenReaderOnly>, and who changed it
          </TextLink>
        )}
      </td>
      <td data-label="There">
        <Side event={theirs} zone={zone} changed={theirs && changedText(theirs)} />
      </td>
      <td data-figures>
        {isWritten ? (
          <Muted ref={told} tabIndex={-1}>
            Being written
          </Muted>
        ) : (
          may(ConsistencyAccess.repairDifference, role) && (
            <Button
              loading={running}
              onClick={() => {
                setPressed(true);
                act({ businessId, calendarId, eventId, appointmentId });
              }}
            >
              {repairText(difference)}
              <ScreenReaderOnly>: {title}</ScreenReaderOnly>
            </Button>
          )
        )}
      </td>
    </tr>
  );
}

type SideProps = {
  event: SideEvent | undefined;
  zone: string;
  /** What happened when it changed: "Changed", and who did it. */
  changed: { what: string; who: string } | undefined;
};

function Side({ event, zone, changed }: SideProps) {
  if (!event) return <Muted whiteSpace="nowrap">Nothing</Muted>;
  const [from, to, at] = [event.startsAt, event.endsAt, event.changedAt].map(moment);
  return (
    <Stack gap="0">
      <span>{event.title}</span>
      {from && to && (
        <span>
          {dateAndTime(from, zone)} – {timeOfDay(to, zone)}
        </span>
      )}
      {at && (
        <Muted fontSize="0.875rem">
          {changed?.what} {dateAndTime(at, zone)}
          {changed?.who}
        </Muted>
      )}
    </Stack>
  );
}
