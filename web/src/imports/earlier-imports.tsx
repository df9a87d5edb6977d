import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Box, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useZone } from '../business/use-zone';
import { type Import, type ImportKind, ImportState } from '../gen/frontdesk/tenancy/v1/import_pb';
import { dateAndTime } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { importsQuery } from './queries';

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
  const imports = useQuery(importsQuery(businessId, kind)).data?.imports ?? [];
  const worth = imports.filter(({ state }) => state !== ImportState.RECEIVING);
  if (worth.length === 0) return null;
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
    </Card>
  );
}

function aboutOf({ state, createdAt, importedCount }: Import, zone: string): string {
  const at = createdAt && dateAndTime(timestampDate(createdAt), zone);
  const count = importedCount > 0 && `${importedCount.toLocaleString()} imported`;
  return [STATES[state], count, at].filter(Boolean).join(' · ');
}
