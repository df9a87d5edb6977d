import { useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { call } from '../api/call';
import { businessQuery } from '../business/queries';
import { CallService } from '../gen/frontdesk/telemetry/v1/call_pb';
import { messageOf } from '../http/errors';
import { fileName } from '../intelligence/csv';
import { productEvents } from '../reports/note';
import { Button } from '../ui/button';
import { saveTable } from '../ui/save-file';
import { toasts } from '../ui/toasts';
import { type CallWish, filterOf } from './filter';

const CALLS_PAGE = '/:businessId/calls';
/** Calls in one file: more no spreadsheet is pleasant with. */
const MOST_CALLS = 50_000;

type ExportCallsProps = { businessId: string; wish: CallWish; disabled: boolean };

/** The calls of the list as a file for a spreadsheet. */
export function ExportCalls({ businessId, wish, disabled }: ExportCallsProps) {
  const [exported, setExported] = useState<number>();
  const client = useQueryClient();
  const run = async () => {
    setExported(0);
    try {
      const { csv, calls, whole } = await readAll(businessId, wish, setExported);
      const { business } = await client.ensureQueryData(businessQuery(businessId));
      saveTable(fileName(business?.name ?? '', 'calls', wish.first || 'start', wish.last || 'today'), csv);
      productEvents.note('FILE_EXPORTED', businessId, CALLS_PAGE, 'calls');
      toasts.show(
        whole ? 'good' : 'info',
        whole
          ? `Exported ${calls.toLocaleString('en-GB')} ${calls === 1 ? 'call' : 'calls'}.`
          : `Exported the latest ${calls.toLocaleString('en-GB')} calls. Choose dates to export the others.`,
      );
    } catch (error) {
      toasts.show('bad', messageOf(error, 'The calls could not be exported.'));
    } finally {
      setExported(undefined);
    }
  };
  return (
    <Button minHeight="12" disabled={disabled} loading={exported !== undefined} onClick={() => void run()}>
      {exported === undefined && <Download size={18} aria-hidden />}
      {exported ? `Exporting, ${exported.toLocaleString('en-GB')} so far` : 'Export'}
    </Button>
  );
}

async function readAll(businessId: string, wish: CallWish, onProgress: (calls: number) => void) {
  let [csv, calls, pageToken] = ['', 0, ''];
  do {
    const page = await call(CallService.method.exportCalls, {
      businessId,
      pageToken,
      customerId: wish.customer,
      filter: filterOf(wish),
    });
    csv += page.csv;
    calls += page.calls;
    pageToken = page.nextPageToken;
    onProgress(calls);
  } while (pageToken && calls < MOST_CALLS);
  return { csv, calls, whole: !pageToken };
}
