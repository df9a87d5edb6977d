import { chakra, Flex } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ImportLineState } from '../gen/frontdesk/tenancy/v1/import_pb';
import { Reading } from '../layout/reading';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { LongTable } from '../ui/long-table';
import { RowsSkeleton } from '../ui/skeleton';
import { Text } from '../ui/text';
import { columnText, linkText } from './import-text';
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
};

/** Lines of a table with what stands in them, and what is wrong with each. */
export function ImportLines({ title, businessId, importId, state, columns }: ImportLinesProps) {
  const query = useInfiniteQuery(importLinePages(businessId, importId, state));
  // A line that can’t be imported links no account.
  const linking = state === ImportLineState.GOOD || state === ImportLineState.IMPORTED;
  return (
    <Card title={title} flush>
      <Reading query={query} what="The lines" skeleton={<RowsSkeleton label="Loading lines" />}>
        {({ pages }) => {
          const lines = pages.flatMap((page) => page.lines);
          const hasFaults = lines.some(({ fault }) => fault);
          const hasLinks = linking && lines.some(({ linkedTo }) => linkedTo);
          const used = columns.map((_, at) => lines.some(({ cells }) => cells[at]));
          return (
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
                      <th scope="col" key={column}>
                        {columnText(column)}
                      </th>
                    ) : null,
                  )}
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
                      <Text maxWidth="26rem">{fault && `${columnText(field)} ${fault}`}</Text>
                    </td>
                  )}
                  {hasLinks && <td>{linkText(linkedTo, state === ImportLineState.IMPORTED)}</td>}
                  {columns.map((column, at) =>
                    used[at] ? (
                      <td key={column}>
                        <Sent>{cells[at]}</Sent>
                      </td>
                    ) : null,
                  )}
                </>
              )}
            </LongTable>
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
