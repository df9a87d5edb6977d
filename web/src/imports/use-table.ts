import { useState } from 'react';
import { call } from '../api/call';
import { type ImportKind, ImportService } from '../gen/frontdesk/tenancy/v1/import_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { checkTable, type Mapping, type SentTable, sendTable, type Table, TooLarge } from './send-table';

/** A table whose columns a person assigns, with what was assigned before. */
export type OpenTable = SentTable & { mapping?: Mapping };

/**
 * The table that a person chose, from its file to its check. One that leaves nothing open is checked at once; of any
 * other one, and where the person wants to, columns are assigned first. It is kept here while the page is open, so that
 * its columns can be assigned anew.
 */
export function useTable(businessId: string, kind: ImportKind, onChecked: (importId: string) => void) {
  const [table, setTable] = useState<Table>();
  const [open, setOpen] = useState<OpenTable>();
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const trying = async (work: () => Promise<void>) => {
    setSending(true);
    setError(null);
    try {
      await work();
    } catch (failed) {
      setError(failed);
    } finally {
      setSending(false);
    }
  };
  const send = (chosen: Table) =>
    trying(async () => {
      const { settled, ...sent } = await sendTable(businessId, kind, chosen);
      setTable(chosen);
      if (!settled) return setOpen(sent);
      await checkTable(businessId, sent);
      onChecked(sent.importId);
    });
  /** Sends the table once more, to have its columns assigned otherwise than in an import, which ends. */
  const assignAnew = (importId: string, mapping: Mapping) =>
    trying(async () => {
      if (!table) return;
      const { settled: _, ...sent } = await sendTable(businessId, kind, table);
      await call(ImportService.method.cancelImport, { businessId, importId });
      setOpen({ ...sent, mapping });
      onChecked('');
    });
  const close = () => setOpen(undefined);
  return { open, sending, refused: refusalOf(error), isKept: !!table, send, assignAnew, close };
}

function refusalOf(error: unknown): string | undefined {
  const fault = fieldErrorsOf(error).text;
  if (fault) return `The table ${fault}.`;
  if (error instanceof TooLarge) return 'The table is too large: split it.';
  return error ? messageOf(error, 'The table could not be sent.') : undefined;
}
