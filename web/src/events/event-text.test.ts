import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { ProductEventType as Type } from '../gen/frontdesk/telemetry/v1/product_event_pb';
import { pageName } from './page-name';

vi.mock('../session/current', () => ({ api: undefined, session: { onEnd: () => () => undefined } }));

const { eventText } = await import('./event-text');

it.each([
  [Type.PAGE_OPENED, '/:businessId/waitlist', '', 'Opened the waitlist'],
  [Type.PAGE_OPENED, '/:businessId/of-tomorrow', '', 'Opened /:businessId/of-tomorrow'],
  [Type.LIST_FILTERED, '/:businessId/calls', '', 'Searched or filtered the calls'],
  [Type.FILE_EXPORTED, '/:businessId/insights', 'demand', 'Exported the demand for services'],
  [Type.FILE_EXPORTED, '/:businessId/insights', 'of_tomorrow', 'Exported of_tomorrow'],
  [Type.CALL_ENDED, '', 'BOOKED', 'A call ended: Booked'],
  [Type.CALL_ENDED, '', 'A_LATER_ONE', 'A call ended: A_LATER_ONE'],
  [Type.CALL_BOOKED, '', '', 'Booked a visit in a call'],
  [99 as Type, '', '', 'Unknown event'],
])('of type %s on "%s" with "%s" reads "%s"', (type, page, detail, text) => {
  expect(eventText({ type, page, detail })).toBe(text);
});

it('every page behind the sign-in has a name for people', () => {
  const known = readFileSync('../bff/src/browser/page_report/pages.txt', 'utf8').trim().split('\n');
  const within = known.filter((page) => /^\/(:businessId|admin|my)(\/|$)/.test(page));
  expect(within.filter((page) => pageName(page) === page)).toEqual([]);
});
