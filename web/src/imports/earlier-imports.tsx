import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Box, Flex } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useZone } from '../business/use-zone';
import { type Import, type ImportKind, ImportState } from '../gen/frontdesk/tenancy/v1/import_pb';
import { dateAndTime } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { importPages, isRunning } from './queries';

const LOOK_EVERY_MS = 5_000;

const STATES: Readonly<Record<ImportState, string>> = {
  [ImportState.UNSPECIFIED]: '',
  [ImportState.RECEIVING]: 'Not sent to its end',
  [ImportState.CHECKING]: 'Being checked',
  [ImportState.CHECKED]: 'Waiting for you',
  [ImportState.IMPORTING]: 'Running',
  [ImportState.DONE]: 'Done',
  [ImportState.CANCELLED]: 'Cancelled',
  [ImportState.EXPIRED]: 'Deleted after a day',
};

type EarlierImportsProps = { businessId: string; kind: ImportKind; onShow: (importId: string) => void };

/** Imports begun before, the latest first; nothing where there are none. */
export function EarlierImports({ businessId, kind, onShow }: EarlierImportsProps) {
  const zone = useZone(businessId);
  const query = useInfiniteQuery({
    ...importPages(businessId, kind),
    // One that a worker is at is not left standing as it was.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ imports }) => imports.some(({ state }) => isRunning(state)))
        ? LOOK_EVERY_MS
        : false,
  });
  const imports = query.data?.pages.flatMap((page) => page.imports) ?? [];
  const worth = imports.filter(({ state }) => state !== ImportState.RECEIVING);
  if (worth.length === 0 && !query.hasNextPage) return null;
  return (
    <Card title="Earlier imports">
      <ul>
        {worth.map((one) => (
          <Flex as="li" key={one.id} listStyleType="none" gap="3" align="center" py="1">
            <Box flex="1" minWidth="0">
              <Text overflowWrap="anywhere">{one.fileName || 'Pasted lines'}</Text>
              <Muted fontSize="0.875rem">{aboutOf(one, zone)}</Muted>
            </Box>
            <Button variant="quiet" onClick={() => onShow(one.id)}>
              Open
              <ScreenReaderOnly> {one.fileName || 'pasted lines'}</ScreenReaderOnly>
            </Button>
          </Flex>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button variant="quiet" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show earlier imports
        </Button>
      )}
    </Card>
  );
}

function aboutOf({ state, createdAt, lineCount, importedCount }: Import, zone: string): string {
  const at = createdAt && dateAndTime(timestampDate(createdAt), zone);
  const count = importedCount > 0 && `${importedCount.toLocaleString()} imported`;
  const out = state === ImportState.DONE ? lineCount - importedCount : 0;
  const leftOut = out > 0 && `${out.toLocaleString()} left out`;
  return [STATES[state], count, leftOut, at].filter(Boolean).join(' · ');
}
