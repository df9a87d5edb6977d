import { Box, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarOff } from 'lucide-react';
import { useState } from 'react';
import { may } from '../api/access';
import { closuresQuery } from '../business/queries';
import { spansOf } from '../day/spans';
import { OpeningExceptionAccess } from '../gen/access';
import type { OpeningException } from '../gen/frontdesk/scheduling/v1/opening_exception_pb';
import { Reading } from '../layout/reading';
import { hoursText } from '../team/hours';
import { datesText } from '../time/day-text';
import { dayKey } from '../time/zoned';
import { Button } from '../ui/button';
import { Card, CardRow } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { useNow } from '../ui/use-now';
import { ClosureDialog } from './closure-dialog';
import { RemoveClosureDialog, useRemovingClosure } from './remove-closure';

type ClosuresCardProps = { businessId: string; role: string; zone: string };

/** Days on which the salon is closed or open at other hours, from today on. */
export function ClosuresCard({ businessId, role, zone }: ClosuresCardProps) {
  const today = dayKey(useNow(60_000), zone);
  const query = useQuery(closuresQuery(businessId, today));
  const [adding, setAdding] = useState(false);
  const removing = useRemovingClosure(businessId);
  const changes = may(OpeningExceptionAccess.addOpeningException, role);
  const add = changes && <Button onClick={() => setAdding(true)}>Add closure or hours</Button>;
  return (
    <Card
      title="Closures and special hours"
      flush
      action={query.data?.openingExceptions.length ? add : undefined}
    >
      <Reading
        query={query}
        what="The closures"
        skeleton={<RowsSkeleton rows={2} label="Loading closures" />}
      >
        {({ openingExceptions }) =>
          openingExceptions.length === 0 ? (
            <Empty icon={CalendarOff} title="Open every week as usual" action={add}>
              Holidays and days with other hours are listed here.
            </Empty>
          ) : (
            <Box as="ul" aria-label="Closures and special hours" listStyleType="none">
              {openingExceptions.map((closure) => (
                <Row
                  key={closure.id}
                  closure={closure}
                  onRemove={changes ? () => removing.begin(closure) : undefined}
                />
              ))}
            </Box>
          )
        }
      </Reading>
      {adding && (
        <ClosureDialog businessId={businessId} zone={zone} today={today} onClose={() => setAdding(false)} />
      )}
      {removing.asking && (
        <RemoveClosureDialog businessId={businessId} zone={zone} {...removing.asking} {...removing} />
      )}
    </Card>
  );
}

type RowProps = { closure: OpeningException; onRemove: (() => void) | undefined };

function Row({ closure, onRemove }: RowProps) {
  const { firstDate, lastDate, spans, label } = closure;
  const dates = datesText(firstDate, lastDate);
  return (
    <CardRow align="center">
      <Stack gap="0" flex="1" minWidth="0">
        <Text fontWeight="600">{label || (spans.length === 0 ? 'Closed' : 'Special hours')}</Text>
        <Muted>
          {dates} · {hoursText(spansOf(spans), 'closed')}
        </Muted>
      </Stack>
      {onRemove && (
        <Button
          variant="quiet"
          color="fg.muted"
          onClick={onRemove}
          aria-label={`Remove ${label || 'the closure'} on ${dates}`}
        >
          Remove
        </Button>
      )}
    </CardRow>
  );
}
