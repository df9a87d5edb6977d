import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action';
import { fetchedAhead } from '../api/fetched-ahead';
import { undoRecordAction } from '../business/undo-change';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import {
  CustomerRecordService,
  type PatchTest,
  PatchTestResult,
} from '../gen/frontdesk/tenancy/v1/customer_record_pb';
import { messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { dayKey } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { patchTestsQuery, readPatchTestsAgain } from './queries';
import { RecordRow } from './record-row';
import { dayText } from './record-text';

const PatchTestDialog = fetchedAhead(() =>
  import('./patch-test-dialog').then(({ PatchTestDialog }) => PatchTestDialog),
);

type CardProps = { businessId: string; customer: Customer; zone: string };

/** A customer's patch tests, the latest first, and whether each still counts. */
export function PatchTestsCard({ businessId, customer, zone }: CardProps) {
  const [adding, setAdding] = useState(false);
  const query = useQuery(patchTestsQuery(businessId, customer.id));
  const today = dayKey(new Date(), zone);
  return (
    <Card
      title="Patch tests"
      action={
        <Button onClick={() => setAdding(true)}>
          <Plus size={18} aria-hidden />
          Add patch test
        </Button>
      }
    >
      <Reading
        query={query}
        what="The patch tests"
        skeleton={<RowsSkeleton rows={1} label="Loading patch tests" />}
      >
        {({ patchTests }) =>
          patchTests.length === 0 ? (
            <Muted>No patch test on record.</Muted>
          ) : (
            <Box as="ul" listStyleType="none" aria-label="Patch tests">
              {patchTests.map((test) => (
                <Row key={test.id} businessId={businessId} customer={customer} test={test} today={today} />
              ))}
            </Box>
          )
        }
      </Reading>
      {adding && (
        <PatchTestDialog
          businessId={businessId}
          customer={customer}
          today={today}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  );
}

type RowProps = { businessId: string; customer: Customer; test: PatchTest; today: string };

function Row({ businessId, customer: { id: customerId, name }, test, today }: RowProps) {
  const queries = useQueryClient();
  const { act, running, error } = useAction(CustomerRecordService.method.deletePatchTest, {
    onDone: ({ changeId }) => {
      readPatchTestsAgain(queries, businessId, customerId);
      toasts.show(
        'good',
        `Deleted the patch test of ${name}: ${test.subject}.`,
        undoRecordAction(businessId, changeId, `The patch test of ${name} is back.`),
      );
    },
  });
  const reacted = test.result === PatchTestResult.REACTION;
  const over = test.validUntil !== '' && test.validUntil < today;
  return (
    <RecordRow
      what={`patch test of ${test.subject}`}
      kind="patch test"
      signature={[`Tested ${dayText(test.testedOn)}`, test.authorName].filter(Boolean).join(' · ')}
      running={running}
      refused={error && messageOf(error, 'The patch test could not be deleted.')}
      onDelete={() => act({ businessId, customerId, patchTestId: test.id })}
    >
      <Stack gap="1">
        <Flex gap="2" align="center" wrap="wrap">
          <Text fontWeight="600" overflowWrap="anywhere">
            {test.subject}
          </Text>
          <Badge tone={reacted ? 'bad' : 'good'}>{reacted ? 'Reaction' : 'No reaction'}</Badge>
          {over && <Badge tone="warn">No longer valid</Badge>}
        </Flex>
        {test.validUntil && <Muted>Valid until {dayText(test.validUntil)}</Muted>}
      </Stack>
    </RecordRow>
  );
}
