import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ScrollText, TriangleAlert } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { businessQuery } from '../../business/queries';
import type { AuditEntry } from '../../gen/frontdesk/tenancy/v1/audit_pb';
import { ButtonLink } from '../../layout/links';
import { Reading } from '../../layout/reading';
import { isId, paths } from '../../paths';
import { dateAndTime } from '../../time/zoned';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { LongList } from '../../ui/long-list';
import { RowsSkeleton } from '../../ui/skeleton';
import { Empty, Note } from '../../ui/states';
import { Muted, ScreenReaderOnly, Text } from '../../ui/text';
import { auditPages } from '../queries';
import type { TabProps } from '../tab-props';
import { actorText, missingText, refusalText, titleText } from './entry-text';
import { oneChangeEach } from './one-change';
import { nameText, recordNamed, recordNames } from './record-names';
import { changeText, currencyOf, type Reading as Read, worthTelling } from './value-text';

const ROW_HEIGHT = 84;

/** Who changed which record from what to what, and which changes were refused. */
export function AuditTab({ businessId, zone }: TabProps) {
  const [search] = useSearchParams();
  const wanted = search.get('record') ?? '';
  const recordId = isId(wanted) ? wanted : '';
  const query = useInfiniteQuery(auditPages(businessId, recordId));
  const currency = useQuery(businessQuery(businessId)).data?.business?.currency ?? '';
  // Where an employee and their calendar have one id, these are the changes of both.
  const of = query.data && recordNamed(recordNames(query.data.pages), 'employee', recordId);
  const ofRecord = of ? nameText(of, zone) : 'one record';
  return (
    <Card
      title={recordId ? `Changes of ${ofRecord}` : 'Changes'}
      flush
      action={recordId && <ButtonLink to={paths.details(businessId, 'audit')}>All changes</ButtonLink>}
    >
      <Reading query={query} what="The changes" skeleton={<RowsSkeleton rows={6} label="Loading changes" />}>
        {({ pages }) => {
          const entries = oneChangeEach(pages.flatMap((page) => page.entries));
          const read = { zone, currency, names: recordNames(pages) };
          const missing = [...new Set(pages.flatMap((page) => page.missingServices))];
          return (
            <>
              {missing.length > 0 && (
                <Note tone="warn" icon={TriangleAlert}>
                  Changes of {missingText(missing)} can’t be read right now and are missing here. Reload in a
                  moment.
                </Note>
              )}
              {entries.length === 0 ? (
                <Empty icon={ScrollText} title="No changes yet">
                  What is changed from now on appears here, with who changed it.
                </Empty>
              ) : (
                <LongList items={entries} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT}>
                  {(entry) => <EntryRow businessId={businessId} entry={entry} read={read} shown={recordId} />}
                </LongList>
              )}
            </>
          );
        }}
      </Reading>
      {query.hasNextPage && (
        <Flex justify="center" py="3">
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show earlier changes
          </Button>
        </Flex>
      )}
    </Card>
  );
}

type EntryRowProps = { businessId: string; entry: AuditEntry; read: Read; shown: string };

function EntryRow({ businessId, entry, read: { zone, currency, names }, shown }: EntryRowProps) {
  const { recordId, changes, refusal, at } = entry;
  const read = { zone, currency: currencyOf(changes, currency), names };
  const record = recordNamed(names, entry.recordKind, recordId);
  const about = [actorText(entry, names), at && dateAndTime(timestampDate(at), zone)]
    .filter(Boolean)
    .join(' · ');
  return (
    <Flex
      gap="4"
      align="flex-start"
      wrap="wrap"
      px={{ base: '4', sm: '6' }}
      py="3"
      borderTop="1px solid"
      borderColor="line"
    >
      <Stack gap="0.5" flex="1 1 16rem" minWidth="0">
        <Flex gap="2" align="center" wrap="wrap">
          <Text fontWeight="600">{titleText(entry, record, zone)}</Text>
          {refusal && <Badge tone="bad">Refused: {refusalText(refusal)}</Badge>}
        </Flex>
        <Muted fontSize="0.875rem">{about}</Muted>
        {worthTelling(changes, read).map((change) => (
          <Text key={`${change.field} ${change.before} ${change.after}`} fontSize="0.9375rem">
            {changeText(change, read)}
          </Text>
        ))}
      </Stack>
      {recordId && recordId !== shown && (
        <ButtonLink variant="quiet" to={paths.audit(businessId, recordId)}>
          All its changes
          <ScreenReaderOnly>
            : {record ? nameText(record, zone) : titleText(entry, undefined, zone)}
          </ScreenReaderOnly>
        </ButtonLink>
      )}
    </Flex>
  );
}
