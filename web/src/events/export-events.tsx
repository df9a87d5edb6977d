import { Download } from 'lucide-react';
import { useState } from 'react';
import { call } from '../api/call';
import { ProductEventService } from '../gen/frontdesk/telemetry/v1/product_event_pb';
import { messageOf } from '../http/errors';
import { viewerZone } from '../time/zoned';
import { Button } from '../ui/button';
import { saveTable } from '../ui/save-file';
import { toasts } from '../ui/toasts';
import { type EventWish, filterOf } from './wish';

/** Events in one file: more no spreadsheet is pleasant with. */
const MOST_EVENTS = 100_000;

/** The events that pass the filters as a file for a spreadsheet. */
export function ExportEvents({ wish }: { wish: EventWish }) {
  const [running, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    try {
      const filter = filterOf(wish, new Date(), viewerZone());
      let [csv, events, pageToken] = ['', 0, ''];
      do {
        const page = await call(ProductEventService.method.exportProductEvents, { filter, pageToken });
        csv += page.csv;
        events += page.events;
        pageToken = page.nextPageToken;
      } while (pageToken && events < MOST_EVENTS);
      saveTable('frontdesk-events.csv', csv);
      const exported = `Exported ${events.toLocaleString('en-GB')} ${events === 1 ? 'event' : 'events'}`;
      toasts.show(pageToken ? 'info' : 'good', pageToken ? `${exported}, the latest.` : `${exported}.`);
    } catch (error) {
      toasts.show('bad', messageOf(error, 'The events could not be exported.'));
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button loading={running} onClick={() => void run()}>
      {!running && <Download size={18} aria-hidden />}
      Export
    </Button>
  );
}
