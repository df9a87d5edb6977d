import { Box, Flex, Grid, Stack } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { PartOfDay } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { clockOf, dayAfter, minuteOf } from '../time/local';
import { Button } from '../ui/button';
import { Choice } from '../ui/choice';
import { TextField } from '../ui/field';
import type { Draft } from './draft';

const PARTS: readonly [PartOfDay, string][] = [
  [PartOfDay.UNSPECIFIED, 'Any'],
  [PartOfDay.MORNING, 'Morning'],
  [PartOfDay.AFTERNOON, 'Afternoon'],
  [PartOfDay.EVENING, 'Evening'],
];

/** After how many weeks customers come again, or would rather come. */
const LATER_WEEKS = [1, 4, 6];

type WhenPartProps = { draft: Draft; today: string; onChange: (draft: Draft) => void };

/** On which day, in which part of it, or at which start. */
export function WhenPart(props: WhenPartProps) {
  return (
    <Stack gap="4">
      <Grid
        gap="3"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) minmax(0, 9rem)' }}
        alignItems="end"
      >
        <DayField {...props} />
        <StartField {...props} />
      </Grid>
      <Box mt="-3">
        <LaterDays {...props} />
      </Box>
      <PartField {...props} />
    </Stack>
  );
}

/** What of it few bookings need. */
export function OtherWhenPart(props: WhenPartProps) {
  return (
    <>
      <LaterDays {...props} />
      <StartField {...props} />
      <PartField {...props} />
    </>
  );
}

/** "At 10:30, afternoon": what is chosen beside the day, or nothing. */
export function otherWhenText({ start, part }: Draft): string {
  const named = part === PartOfDay.UNSPECIFIED ? undefined : PARTS.find(([one]) => one === part)?.[1];
  return [start === null ? '' : `at ${clockOf(start)}`, named?.toLowerCase()].filter(Boolean).join(', ');
}

export function DayField({ draft, today, onChange }: WhenPartProps) {
  const to = (day: string) => onChange({ ...draft, day });
  return (
    <Flex gap="1" align="flex-end">
      <Button
        variant="quiet"
        minHeight="12"
        minWidth="11"
        px="0"
        aria-label="The day before"
        disabled={draft.day <= today}
        onClick={() => to(dayAfter(draft.day, -1))}
      >
        <ChevronLeft size={20} aria-hidden />
      </Button>
      <Stack flex="1" minWidth="0">
        <TextField
          label="Day"
          type="date"
          min={today}
          value={draft.day}
          onChange={({ currentTarget: { value } }) => value >= today && to(value)}
        />
      </Stack>
      <Button
        variant="quiet"
        minHeight="12"
        minWidth="11"
        px="0"
        aria-label="The day after"
        onClick={() => to(dayAfter(draft.day, 1))}
      >
        <ChevronRight size={20} aria-hidden />
      </Button>
    </Flex>
  );
}

function StartField({ draft, onChange }: WhenPartProps) {
  return (
    <TextField
      label="Exact start"
      type="time"
      step={300}
      value={draft.start === null ? '' : clockOf(draft.start)}
      onChange={({ currentTarget: { value } }) => onChange({ ...draft, start: minuteOf(value) })}
    />
  );
}

function LaterDays({ draft, onChange }: WhenPartProps) {
  return (
    <Flex role="group" aria-label="Later" gap="1" wrap="wrap" ms="-3">
      {LATER_WEEKS.map((weeks) => (
        <Button
          key={weeks}
          variant="quiet"
          onClick={() => onChange({ ...draft, day: dayAfter(draft.day, weeks * 7) })}
        >
          + {weeks === 1 ? '1 week' : `${weeks} weeks`}
        </Button>
      ))}
    </Flex>
  );
}

function PartField({ draft, onChange }: WhenPartProps) {
  return (
    <Choice
      legend="Part of the day"
      value={draft.part}
      options={PARTS}
      onChange={(part) => onChange({ ...draft, part })}
    />
  );
}
