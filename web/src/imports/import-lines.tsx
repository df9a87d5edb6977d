import { chakra, Flex } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { ImportLineState } from '../gen/frontdesk/tenancy/v1/import_pb';
import { messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { LongTable } from '../ui/long-table';
import { RowsSkeleton } from '../ui/skeleton';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { fieldText, linkText } from './import-text';
import { hasAddress, isErased, saveLeftOut } from './left-out-file';
import { importLinePages } from './queries';

const ROW_HEIGHT = 44;

/** A cell of the table as it was sent: a long one takes a few lines, and neither the width of the others nor the page. */
const Sent = chakra('div', {
  base: { maxWidth: '18rem', overflowWrap: 'break-word', lineClamp: 3, unicodeBidi: 'plaintext' },
});

type ImportLinesProps = {
  title: string;
  businessId: string;
  importId: string;
  state: ImportLineState;
  columns: string[];
  /** The file they are from; empty where they were pasted. */
  fileName: string;
};

/** Lines of a table with what stands in them, and what is wrong with each. */
export function ImportLines(props: ImportLinesProps) {
  const { title, businessId, importId, state, columns } = props;
  const query = useInfiniteQuery(importLinePages(businessId, importId, state));
  const lines = query.data?.pages.flatMap((page) => page.lines) ?? [];
  const isLeftOut = state === ImportLineState.BAD || state === ImportLineState.FAILED;
  const isThere = query.hasNextPage || !lines.every(isErased);
  // A line that can’t be imported links no account.
  const linking = state === ImportLineState.GOOD || state === ImportLineState.IMPORTED;
  return (
    <Card title={title} flush action={isLeftOut && isThere && <DownloadButton {...props} />}>
      <Reading query={query} what="The lines" skeleton={<RowsSkeleton label="Loading lines" />}>
        {() => {
          const hasFaults = lines.some(({ fault }) => fault);
          const hasLinks = linking && lines.some(({ linkedTo }) => linkedTo);
          const used = columns.map((_, at) => lines.some(({ cells }) => cells[at]));
          const usedCount = used.filter(Boolean).length;
          return (
            <>
              {isLeftOut && lines.some((line) => hasAddress(columns, line)) && (
                <Muted px={{ base: '4', sm: '6' }} pb="3" fontSize="0.875rem">
                  Addresses of calendars are secret: they stay in these lines until a day after the import.
                  Download them before to import them again.
                </Muted>
              )}
              <LongTable
                label={title}
                minWidth="40rem"
                head={
                  <>
                    <chakra.th scope="col" data-figures width="5rem">
                      Line
                    </chakra.th>
                    {hasFaults && (
                      <chakra.th scope="col" minWidth="14rem">
                        What is wrong
                      </chakra.th>
                    )}
                    {hasLinks && <th scope="col">Account</th>}
                    {columns.map((column, at) =>
                      used[at] ? (
                        <chakra.th scope="col" key={column} minWidth="7rem">
                          {fieldText(column)}
                        </chakra.th>
                      ) : null,
                    )}
                    {usedCount === 0 && <th scope="col">What it said</th>}
                  </>
                }
                items={lines}
                keyOf={({ line }) => String(line)}
                rowHeight={ROW_HEIGHT}
              >
                {({ line, cells, field, fault, linkedTo }) => (
                  <>
                    <th scope="row" data-figures>
                      {line}
                    </th>
                    {hasFaults && (
                      <td>
                        <Text maxWidth="26rem">{fault && `${fieldText(field)} ${fault}`}</Text>
                      </td>
                    )}
                    {hasLinks && <td>{linkText(linkedTo, state === ImportLineState.IMPORTED)}</td>}
                    {isErased({ cells }) ? (
                      <td colSpan={Math.max(1, usedCount)}>
                        <Muted>Erased</Muted>
                      </td>
                    ) : (
                      columns.map((column, at) =>
                        used[at] ? (
                          <td key={column}>
                            <Sent>{cells[at]}</Sent>
                          </td>
                        ) : null,
                      )
                    )}
                  </>
                )}
              </LongTable>
            </>
          );
        }}
      </Reading>
      {query.hasNextPage && (
        <Flex justify="center" py="3">
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more lines
          </Button>
        </Flex>
      )}
    </Card>
  );
}

/** Takes the lines away, to be corrected and imported again. */
function DownloadButton({ title, ...of }: ImportLinesProps) {
  const [running, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    try {
      await saveLeftOut(of);
    } catch (error) {
      toasts.show('bad', messageOf(error, 'The lines could not be downloaded.'));
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button loading={running} onClick={() => void run()} aria-label={`Download: ${title}`}>
      <Download size={18} aria-hidden />
      Download
    </Button>
  );
}
