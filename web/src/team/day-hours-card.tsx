import { Flex, Stack } from '@chakra-ui/react';
import { CalendarCog, PencilLine, Plus, Trash2 } from 'lucide-react';
import { type Span, spansOf } from '../day/spans';
import type { DayHours } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { longDayText } from '../time/day-text';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Empty } from '../ui/states';
import { Figures, Muted, ScreenReaderOnly, Text } from '../ui/text';
import { hoursText } from './hours';

type DayHoursCardProps = {
  days: readonly DayHours[];
  work: { add: () => void; edit: (day: DayHours) => void; remove: (day: DayHours) => void } | undefined;
};

/** Dates from today on that have hours of their own. */
export function DayHoursCard({ days, work }: DayHoursCardProps) {
  return (
    <Card
      title="Single days"
      flush
      action={
        work && (
          <Button onClick={work.add}>
            <Plus size={18} aria-hidden />
            Other hours
          </Button>
        )
      }
    >
      {days.length === 0 ? (
        <Empty icon={CalendarCog} title="Every day follows the weekly hours">
          Add a date on which this employee works other hours, or not at all.
        </Empty>
      ) : (
        <Stack as="ul" aria-label="Days with other hours" gap="0" listStyleType="none">
          {days.map((day) => (
            <Flex
              as="li"
              key={day.date}
              gap="3"
              align="center"
              px={{ base: '4', sm: '6' }}
              py="2.5"
              borderTop="1px solid"
              borderColor="line"
            >
              <Stack gap="0" flex="1" minWidth="0">
                <Text fontWeight="600">{longDayText(day.date)}</Text>
                <Muted>
                  <Hours spans={spansOf(day.spans)} /> instead of{' '}
                  <Hours spans={spansOf(day.weekly)} none="a day off" />
                </Muted>
              </Stack>
              {work && (
                <Flex gap="1">
                  <Button
                    variant="quiet"
                    minWidth="11"
                    px={{ base: '0', sm: '3' }}
                    onClick={() => work.edit(day)}
                  >
                    <PencilLine size={18} aria-hidden />
                    <Text as="span" hideBelow="sm">
                      Edit
                    </Text>
                    <ScreenReaderOnly> {longDayText(day.date)}</ScreenReaderOnly>
                  </Button>
                  <Button
                    variant="quiet"
                    minWidth="11"
                    px="0"
                    color="fg.muted"
                    aria-label={`Remove the hours of ${longDayText(day.date)}`}
                    onClick={() => work.remove(day)}
                  >
                    <Trash2 size={18} aria-hidden />
                  </Button>
                </Flex>
              )}
            </Flex>
          ))}
        </Stack>
      )}
    </Card>
  );
}

/** Stretches of a day, each whole on its line. */
function Hours({ spans, none }: { spans: readonly Span[]; none?: string }) {
  if (spans.length === 0) return hoursText(spans, none);
  return spans.map((span, index) => (
    <Figures key={span.from} whiteSpace="nowrap">
      {index > 0 && ', '}
      {hoursText([span])}
    </Figures>
  ));
}
