import { chakra, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarOff, Clock } from 'lucide-react';
import { closuresQuery, openingHoursQuery } from '../business/queries';
import { exceptionOn, minuteText, type OpenState, openState, weekdayName, weekOf } from '../day/opening';
import { spansOf } from '../day/spans';
import type { OpeningException } from '../gen/frontdesk/scheduling/v1/opening_exception_pb';
import type { GetOpeningHoursResponse } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { Reading } from '../layout/reading';
import { datesText, shortDateText } from '../time/day-text';
import { dayAfter } from '../time/local';
import { weekdayOf } from '../time/local-day';
import { dayKey, daysBetween, localMinute } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Card } from '../ui/card';
import { Bar, Loading } from '../ui/skeleton';
import { Empty, Note } from '../ui/states';
import { Figures } from '../ui/text';
import { useNow } from '../ui/use-now';

/** How far ahead other hours than the usual are told. */
const NOTICE_DAYS = 14;

/** Whether the business is open now, the closures of the coming days, and the week's opening hours. */
export function OpeningHours({ businessId }: { businessId: string }) {
  const query = useQuery(openingHoursQuery(businessId));
  return (
    <Card title="Opening hours">
      <Reading query={query} what="The opening hours" skeleton={<HoursSkeleton />}>
        {(hours) => <Closures businessId={businessId} hours={hours} />}
      </Reading>
    </Card>
  );
}

type HoursProps = { businessId: string; hours: GetOpeningHoursResponse };

/** Without its closures a salon would be called open on Christmas: nothing is said before they are read. */
function Closures({ businessId, hours }: HoursProps) {
  const now = useNow(30_000);
  const today = dayKey(now, hours.timeZone);
  const query = useQuery(closuresQuery(businessId, today));
  return (
    <Reading query={query} what="The closures" skeleton={<HoursSkeleton />}>
      {({ openingExceptions }) => <Week hours={hours} closures={openingExceptions} now={now} />}
    </Reading>
  );
}

type WeekProps = { hours: GetOpeningHoursResponse; closures: OpeningException[]; now: Date };

function Week({ hours, closures, now }: WeekProps) {
  const { spans, timeZone: zone } = hours;
  if (spans.length === 0 && closures.length === 0) {
    return (
      <Empty icon={Clock} title="No opening hours yet">
        Without them no time can be offered on the phone.
      </Empty>
    );
  }
  const today = dayKey(now, zone);
  const last = dayAfter(today, NOTICE_DAYS);
  const soon = closures.filter(({ firstDate }) => firstDate <= last);
  // The usual hours of a day that has others are not today's.
  const marked = exceptionOn(closures, today) ? 0 : localMinute(now, zone).weekday;
  return (
    <Stack gap="4">
      <OpenNow state={openState(spans, closures, now, zone)} />
      {soon.length > 0 && (
        <Note tone="info" icon={CalendarOff}>
          <Stack as="ul" aria-label="Closures and special hours" gap="0.5" listStyleType="none">
            {soon.map((closure) => (
              <li key={closure.id}>{closureText(closure, today)}</li>
            ))}
          </Stack>
        </Note>
      )}
      <Stack as="ul" gap="0" listStyleType="none">
        {weekOf(spans).map(({ weekday, spans }) => (
          <Flex
            as="li"
            key={weekday}
            justify="space-between"
            gap="4"
            py="1.5"
            fontWeight={weekday === marked ? '650' : '400'}
            aria-current={weekday === marked ? 'date' : undefined}
          >
            <span>{weekdayName(weekday)}</span>
            <Figures textAlign="end" color={spans.length === 0 ? 'fg.muted' : undefined}>
              {spans.length === 0 && 'Closed'}
              {spans.map(({ from, to }) => (
                <chakra.span
                  display="block"
                  key={from}
                >{`${minuteText(from)} – ${minuteText(to)}`}</chakra.span>
              ))}
            </Figures>
          </Flex>
        ))}
      </Stack>
    </Stack>
  );
}

/** "Tomorrow: 9:00 – 15:00 (Staff party)", "24 – 26 Dec 2026: closed (Christmas)". */
function closureText({ firstDate, lastDate, spans, label }: OpeningException, today: string): string {
  const near = firstDate === lastDate ? daysBetween(today, firstDate) : undefined;
  const when = near === 0 ? 'Today' : near === 1 ? 'Tomorrow' : datesText(firstDate, lastDate);
  const hours = spansOf(spans).map(({ from, to }) => `${minuteText(from)} – ${minuteText(to)}`);
  return `${when}: ${hours.join(', ') || 'closed'}${label ? ` (${label})` : ''}`;
}

function OpenNow({ state }: { state: OpenState }) {
  if (state.kind === 'never') return null;
  return (
    <Flex align="center" gap="3" wrap="wrap">
      <Badge tone={state.kind === 'open' ? 'good' : 'quiet'}>
        {state.kind === 'open' ? 'Open now' : 'Closed now'}
      </Badge>
      <chakra.span color="fg.muted" fontSize="0.9375rem">
        {state.kind === 'open' ? `until ${minuteText(state.until)}` : `opens ${opening(state.opens)}`}
      </chakra.span>
    </Flex>
  );
}

/** A weekday's name is that of the coming week. */
const WEEK = 7;

function opening({ inDays, day, at }: { inDays: number; day: string; at: number }): string {
  const name = inDays < WEEK ? weekdayName(weekdayOf(day)) : shortDateText(day);
  const when = inDays === 0 ? 'at' : inDays === 1 ? 'tomorrow at' : `${name} at`;
  return `${when} ${minuteText(at)}`;
}

function HoursSkeleton() {
  return (
    <Loading label="Loading opening hours">
      <Stack gap="4">
        {['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((day) => (
          <Flex key={day} justify="space-between">
            <Bar width="96px" />
            <Bar width="112px" />
          </Flex>
        ))}
      </Stack>
    </Loading>
  );
}
