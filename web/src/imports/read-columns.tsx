import { Stack } from '@chakra-ui/react';
import { DateOrder, type ImportColumn } from '../gen/frontdesk/tenancy/v1/import_pb';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Fact, Facts } from '../ui/facts';
import { Refusal } from '../ui/states';
import { fieldText, headingText } from './import-text';
import type { Mapping } from './send-table';

const ORDERS: Readonly<Record<DateOrder, string>> = {
  [DateOrder.UNSPECIFIED]: '',
  [DateOrder.DAY_FIRST]: 'Day first: 03/04/2026 is 3 April',
  [DateOrder.MONTH_FIRST]: 'Month first: 03/04/2026 is 4 March',
};

type ReadColumnsProps = {
  columns: readonly ImportColumn[];
  dateOrder: DateOrder;
  /** Assigns them otherwise, where the table is still at hand. */
  onAnew: ((mapping: Mapping) => void) | undefined;
  sending: boolean;
  refused: string | undefined;
};

/** What the columns of a table were read as. */
export function ReadColumns({ columns, dateOrder, onAnew, sending, refused }: ReadColumnsProps) {
  if (columns.length === 0) return null;
  const mapping = () => ({
    fields: columns.map(({ field }) => field),
    noHeadings: columns.every(({ heading }) => heading === ''),
  });
  return (
    <Card
      title="Columns"
      action={
        onAnew && (
          <Button loading={sending} onClick={() => onAnew(mapping())}>
            Change columns
          </Button>
        )
      }
    >
      <Stack gap="4">
        <Refusal>{refused}</Refusal>
        <Facts>
          {columns.map(({ heading, field }, at) => (
            <Fact key={at} name={headingText(heading, at)}>
              {field ? fieldText(field) : 'Left out'}
            </Fact>
          ))}
          {ORDERS[dateOrder] && <Fact name="Dates">{ORDERS[dateOrder]}</Fact>}
        </Facts>
      </Stack>
    </Card>
  );
}
