import { Box, Flex, Grid, Stack } from '@chakra-ui/react';
import { CalendarRange, PencilLine, Plus, Trash2 } from 'lucide-react';
import { weekdayName } from '../day/opening';
import type { Span } from '../day/spans';
import type { WeeklySchedule } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { shortDateText, sinceText } from '../time/day-text';
import { dayAfter } from '../time/local';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Empty } from '../ui/states';
import { Figures, Muted, ScreenReaderOnly, Text } from '../ui/text';
import { hoursText, inOrder, shownHours, totalOf, totalText, weekLines, weekOfSpans } from './hours';
import { HoursAxis, NOTHING } from './hours-axis';
import { TEAM_STYLES } from './styles';

type WeeksCardProps = {
  weeks: readonly WeeklySchedule[];
  today: string;
  /** What may be done with them; absent where they are only to be read. */
  work:
    | { add: () => void; edit: (week: WeeklySchedule) => void; remove: (week: WeeklySchedule) => void }
    | undefined;
};

/** The weeks of an employee, in order. */
export function WeeksCard({ weeks, today, work }: WeeksCardProps) {
  const inTurn = inOrder(weeks);
  const now = inTurn.filter(({ effectiveFrom }) => effectiveFrom <= today).at(-1);
  const add = work && (
    <Button onClick={work.add}>
      <Plus size={18} aria-hidden />
      New week
    </Button>
  );
  return (
    <Card title="Weekly hours" flush action={inTurn.length > 0 && add}>
      {inTurn.length === 0 ? (
        <Empty icon={CalendarRange} title="No weekly hours yet" action={add}>
          This employee can’t be booked until they have weekly hours.
        </Empty>
      ) : (
        <Stack as="ol" aria-label="Weeks" gap="0" listStyleType="none" css={TEAM_STYLES}>
          {inTurn.map((week, index) => (
            <Box
              as="li"
              key={week.effectiveFrom}
              px={{ base: '4', sm: '6' }}
              py="4"
              borderTop="1px solid"
              borderColor="line"
            >
              <WeekEntry
                week={week}
                isNow={week === now}
                over={index < (now ? inTurn.indexOf(now) : 0)}
                next={inTurn[index + 1]?.effectiveFrom}
                work={work}
              />
            </Box>
          ))}
        </Stack>
      )}
    </Card>
  );
}

type WeekEntryProps = Pick<WeeksCardProps, 'work'> & {
  week: WeeklySchedule;
  isNow: boolean;
  over: boolean;
  /** From when another one applies. */
  next: string | undefined;
};

function WeekEntry({ week, isNow, over, next, work }: WeekEntryProps) {
  const days = weekOfSpans(week.spans);
  const since = sinceText(week.effectiveFrom);
  const until = next ? shortDateText(dayAfter(next, -1)) : '';
  const total = totalOf(days);
  return (
    <Stack gap="3">
      <Flex gap="3" align="center" wrap="wrap" rowGap="1">
        <Flex gap="2.5" rowGap="0" align="center" wrap="wrap" flex="1 1 14rem" minWidth="0">
          <Text fontWeight="600">{periodText(week.effectiveFrom, until)}</Text>
          {isNow && <Badge tone="good">Now</Badge>}
          {over && <Badge>Past</Badge>}
          <Muted as="span">
            <Figures>{total > 0 ? `${totalText(total)} a week` : 'Not at work'}</Figures>
          </Muted>
        </Flex>
        {work && (
          <Flex gap="1">
            <Button variant="quiet" onClick={() => work.edit(week)}>
              <PencilLine size={18} aria-hidden />
              Edit
              <ScreenReaderOnly> the week {since}</ScreenReaderOnly>
            </Button>
            <Button
              variant="quiet"
              minWidth="11"
              px="0"
              color="fg.muted"
              aria-label={`Remove the week ${since}`}
              onClick={() => work.remove(week)}
            >
              <Trash2 size={18} aria-hidden />
            </Button>
          </Flex>
        )}
      </Flex>
      <Picture days={days} />
      <Stack as="ul" hideFrom="md" gap="0.5" listStyleType="none">
        {weekLines(days).map(({ days: which, spans }) => (
          <Flex as="li" key={which} justify="space-between" gap="4" fontSize="0.9375rem">
            <span>{which}</span>
            <Box textAlign="end" flexShrink="0">
              <HoursLines spans={spans} />
            </Box>
          </Flex>
        ))}
      </Stack>
    </Stack>
  );
}

/** "From 4 Jan 2027", "Until 3 Jan 2027", "From 4 Jan 2027 until 3 Mar 2027", "Every week". */
function periodText(effectiveFrom: string, until: string): string {
  const parts = [
    ...(effectiveFrom ? [sinceText(effectiveFrom)] : []),
    ...(until ? [`until ${until}`] : []),
  ].join(' ');
  return parts ? parts.charAt(0).toUpperCase() + parts.slice(1) : 'Every week';
}

/** Seven days beside each other, where there is room. */
function Picture({ days }: { days: readonly Span[][] }) {
  if (days.every((spans) => spans.length === 0)) return null;
  const shown = shownHours(days);
  return (
    <Grid as="ul" hideBelow="md" listStyleType="none" gap="3" gridTemplateColumns="repeat(7, minmax(0, 1fr))">
      {days.map((spans, index) => (
        <Stack as="li" key={weekdayName(index + 1)} gap="1" fontSize="0.8125rem">
          <Text as="span" fontWeight="550">
            {weekdayName(index + 1)}
          </Text>
          <HoursAxis cell={{ ...NOTHING, working: spans }} shown={shown} />
          <HoursLines spans={spans} />
        </Stack>
      ))}
    </Grid>
  );
}

/** Each stretch of a day on a line of its own. */
function HoursLines({ spans }: { spans: readonly Span[] }) {
  if (spans.length === 0) return <Figures color="fg.muted">{hoursText(spans)}</Figures>;
  return (
    <Stack as="span" gap="0" color="fg.muted">
      {spans.map((span) => (
        <Figures key={span.from}>{hoursText([span])}</Figures>
      ))}
    </Stack>
  );
}
