import { chakra, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Clock } from 'lucide-react';
import { openingHoursQuery } from '../business/queries';
import { minuteText, type OpenState, openState, weekdayName, weekOf } from '../day/opening';
import type { GetOpeningHoursResponse } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { Reading } from '../layout/reading';
import { localMinute } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Card } from '../ui/card';
import { Bar, Loading } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Figures } from '../ui/text';
import { useNow } from '../ui/use-now';

/** Whether the business is open now, and the week's opening hours. */
export function OpeningHours({ businessId }: { businessId: string }) {
  const query = useQuery(openingHoursQuery(businessId));
  return (
    <Card title="Opening hours">
      <Reading query={query} what="The opening hours" skeleton={<HoursSkeleton />}>
        {(hours) => <Week hours={hours} />}
      </Reading>
    </Card>
  );
}

function Week({ hours }: { hours: GetOpeningHoursResponse }) {
  const now = useNow(30_000);
  if (hours.spans.length === 0) {
    return (
      <Empty icon={Clock} title="No opening hours yet">
        Without them no time can be offered on the phone.
      </Empty>
    );
  }
  const today = localMinute(now, hours.timeZone).weekday;
  return (
    <Stack gap="4">
      <OpenNow state={openState(hours.spans, now, hours.timeZone)} />
      <Stack as="ul" gap="0" listStyleType="none">
        {weekOf(hours.spans).map(({ weekday, spans }) => (
          <Flex
            as="li"
            key={weekday}
            justify="space-between"
            gap="4"
            py="1.5"
            fontWeight={weekday === today ? '650' : '400'}
            aria-current={weekday === today ? 'date' : undefined}
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

function opening({ inDays, weekday, at }: { inDays: number; weekday: number; at: number }): string {
  const day = inDays === 0 ? 'at' : inDays === 1 ? 'tomorrow at' : `${weekdayName(weekday)} at`;
  return `${day} ${minuteText(at)}`;
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
