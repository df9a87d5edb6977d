import { Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ImportKind } from '../gen/frontdesk/tenancy/v1/import_pb';
import { Reading } from '../layout/reading';
import { Surface } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { EarlierImports } from './earlier-imports';
import { ImportProgress } from './import-progress';
import type { ImportWords } from './import-words';
import { importQuery } from './queries';
import { TableForm } from './table-form';
import { useImportAddress } from './use-import-address';

type ImportFlowProps = {
  businessId: string;
  kind: ImportKind;
  words: ImportWords;
  /** Where to look at what was imported. */
  done: ReactNode;
};

/** A table is sent, checked line by line, shown, and imported. */
export function ImportFlow({ businessId, kind, words, done }: ImportFlowProps) {
  const { importId, show } = useImportAddress();
  if (!importId)
    return (
      <Stack gap="6">
        <TableForm businessId={businessId} kind={kind} words={words} onSent={show} />
        <EarlierImports businessId={businessId} kind={kind} onShow={show} />
      </Stack>
    );
  return (
    <Shown businessId={businessId} importId={importId} words={words} done={done} onAgain={() => show('')} />
  );
}

type ShownProps = {
  businessId: string;
  importId: string;
  words: ImportWords;
  done: ReactNode;
  onAgain: () => void;
};

function Shown({ businessId, importId, words, done, onAgain }: ShownProps) {
  const query = useQuery(importQuery(businessId, importId));
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
      {({ import: shown, columns }) =>
        shown && (
          <ImportProgress
            businessId={businessId}
            shown={shown}
            columns={columns}
            words={words}
            done={done}
            onAgain={onAgain}
          />
        )
      }
    </Reading>
  );
}
