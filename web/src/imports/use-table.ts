import { useState } from 'react';
import { call } from '../api/call';
import { type ImportKind, ImportService } from '../gen/frontdesk/tenancy/v1/import_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { checkTable, type Mapping, type SentTable, sendTable, type Table, TooLarge } from './send-table';

/** A table whose columns a person assigns, with what was assigned before. */
export type OpenTable = SentTable & { mapping?: Mapping };

type Kept = { importId: string; table: Table };
/** What failed while the page showed this import. */
type Failure = { shownId: string; error: unknown };

/**
 * The table that a person chose, from its file to its check. One that leaves nothing open is checked at once; of any
 * other one, and where the person wants to, columns are assigned first. It is kept here while the page is open, so that
 * its columns can be assigned anew, together with the import that it was sent for.
 */
export function useTable(
  businessId: string,
  kind: ImportKind,
  /** The import that the page shows; empty while it shows none. */
  shownId: string,
  onChecked: (importId: string) => void,
) {
  const [kept, setKept] = useState<Kept>();
  const [open, setOpen] = useState<OpenTable>();
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [seenId, setSeenId] = useState(shownId);
  if (seenId !== shownId) {
    setSeenId(shownId);
    setFailure(undefined);
  }

  const trying = async (work: () => Promise<void>) => {
    setSending(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure({ shownId, error });
    } finally {
      setSending(false);
    }
  };
  const send = (chosen: Table) =>
    trying(async () => {
      const { settled, ...sent } = await sendTable(businessId, kind, chosen);
      setKept({ importId: sent.importId, table: chosen });
      if (!settled) return setOpen(sent);
      await checkTable(businessId, sent);
      onChecked(sent.importId);
    });
  /** Sends the table once more, to have its columns assigned otherwise than in an import, which ends. */
  const assignAnew = (importId: string, mapping: Mapping) =>
    trying(async () => {
      if (kept?.importId !== importId) return;
      const { table } = kept;
      const { settled: _, ...sent } = await sendTable(businessId, kind, table);
      await call(ImportService.method.cancelImport, { businessId, importId });
      setKept({ importId: sent.importId, table });
      setOpen({ ...sent, mapping });
      onChecked('');
    });
  const close = () => {
    setOpen(undefined);
    setFailure(undefined);
  };
  return {
    open,
    sending,
    // A failure that comes after the page went on to another import is not that one's.
    refused: failure?.shownId === shownId ? refusalOf(failure.error) : undefined,
    /** Whether the table of the shown import is still at hand. */
    isKept: kept !== undefined && kept.importId === shownId,
    send,
    assignAnew,
    close,
  };
}

function refusalOf(error: unknown): string | undefined {
  const fault = fieldErrorsOf(error).text;
  if (fault) return `The table ${fault}.`;
  if (error instanceof TooLarge) return 'The table is too large: split it.';
  return error ? messageOf(error, 'The table could not be sent.') : undefined;
}
