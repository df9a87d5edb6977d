import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ScrollText, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { businessQuery } from '../../business/queries';
import type { AuditEntry, FieldChange } from '../../gen/frontdesk/tenancy/v1/audit_pb';
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
import { movedVisit } from './moved-visit';
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
  const moved = movedVisit(entry, read, new Date());
  const about = [actorText(entry, names), at && dateAndTime(timestampDate(at), zone)]
    .filter(Boolean)
    .join(' · ');
  return (
    <Flex
      columnGap="4"
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
        {moved && <Text fontSize="0.9375rem">{moved.text}</Text>}
        <Values changes={worthTelling(moved?.rest ?? changes, read)} read={read} />
      </Stack>
      {recordId && recordId !== shown && (
        <ButtonLink variant="quiet" ms={{ base: '-3', sm: '0' }} to={paths.audit(businessId, recordId)}>
          All its changes
          <ScreenReaderOnly>
            : {record ? nameText(record, zone) : titleText(entry, undefined, zone)}
          </ScreenReaderOnly>
        </ButtonLink>
      )}
    </Flex>
  );
}

/** A new record holds a dozen values, which would push the next changes out of sight. */
const VALUES_AT_FIRST = 4;

export function Values({ changes, read }: { changes: readonly FieldChange[]; read: Read }) {
  const [whole, setWhole] = useState(false);
  // A single one more takes no more room than the button.
  const isShort = changes.length <= VALUES_AT_FIRST + 1;
  const shown = whole || isShort ? changes : replacedFirst(changes).slice(0, VALUES_AT_FIRST);
  return (
    <>
      {shown.map((change) => (
        <Text key={`${change.field} ${change.before} ${change.after}`} fontSize="0.9375rem">
          {changeText(change, read)}
        </Text>
      ))}
      {!isShort && (
        <Button
          variant="quiet"
          alignSelf="flex-start"
          ms="-3"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
        >
          {whole ? 'Show fewer values' : `Show all ${changes.length} values`}
        </Button>
      )}
    </>
  );
}

const isThere = (json: string) => json !== '' && json !== 'null';

/** A value in place of another says more of a change than what came or went with it. */
const replacedFirst = (changes: readonly FieldChange[]): FieldChange[] => {
  const isReplaced = ({ before, after }: FieldChange) => isThere(before) && isThere(after);
  return [...changes].sort((one, other) => Number(isReplaced(other)) - Number(isReplaced(one)));
};
