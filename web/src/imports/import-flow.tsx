import { Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { GetImportResponse, ImportKind } from '../gen/frontdesk/tenancy/v1/import_pb';
import { Reading } from '../layout/reading';
import { Surface } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { ColumnsForm } from './columns-form';
import { EarlierImports } from './earlier-imports';
import { ImportProgress } from './import-progress';
import type { ImportWords } from './import-words';
import { importQuery } from './queries';
import { ReadColumns } from './read-columns';
import { TableForm } from './table-form';
import { useFinished } from './use-finished';
import { useImportAddress } from './use-import-address';
import { useTable } from './use-table';

type ImportFlowProps = {
  businessId: string;
  kind: ImportKind;
  words: ImportWords;
  /** Where to look at what was imported. */
  done: ReactNode;
  /** Reads again what the import made. Keeps its identity. */
  onFinished?: () => void;
};

/** A table is sent, checked line by line, shown, and imported. */
export function ImportFlow({ businessId, kind, words, done, onFinished }: ImportFlowProps) {
  const { importId, show } = useImportAddress();
  const table = useTable(businessId, kind, importId, show);
  const { open, sending, refused } = table;
  if (!importId && open)
    return (
      <ColumnsForm
        key={open.importId}
        businessId={businessId}
        open={open}
        onChecked={(id) => {
          table.close();
          show(id);
        }}
        onCancel={table.close}
      />
    );
  if (!importId)
    return (
      <Stack gap="6">
        <TableForm words={words} sending={sending} refused={refused} onSend={table.send} />
        <EarlierImports businessId={businessId} kind={kind} onShow={show} />
      </Stack>
    );
  return (
    <Shown
      businessId={businessId}
      importId={importId}
      words={words}
      done={done}
      onFinished={onFinished}
      onAgain={() => show('')}
      columnsOf={({ tableColumns, dateOrder }) => (
        <ReadColumns
          columns={tableColumns}
          dateOrder={dateOrder}
          onAnew={table.isKept ? (mapping) => void table.assignAnew(importId, mapping) : undefined}
          sending={sending}
          refused={refused}
        />
      )}
    />
  );
}

type ShownProps = {
  businessId: string;
  importId: string;
  words: ImportWords;
  done: ReactNode;
  onFinished: (() => void) | undefined;
  onAgain: () => void;
  /** What the columns of its table were read as. */
  columnsOf: (answer: GetImportResponse) => ReactNode;
};

function Shown({ businessId, importId, words, done, onFinished, onAgain, columnsOf }: ShownProps) {
  const query = useQuery(importQuery(businessId, importId));
  useFinished(query.data?.import?.state, onFinished);
  return (
    <Reading
      query={query}
      what="The import"
      framed
      missingIsPage
      skeleton={
        <Surface>
          <RowsSkeleton rows={3} label="Loading the import" />
        </Surface>
      }
    >
      {(answer) =>
        answer.import && (
          <ImportProgress
            businessId={businessId}
            shown={answer.import}
            columns={answer.columns}
            readColumns={columnsOf(answer)}
            words={words}
            done={done}
            onAgain={onAgain}
          />
        )
      }
    </Reading>
  );
}
