import { expect, it, vi } from 'vitest';
import { ProductEventType as Type } from '../gen/frontdesk/telemetry/v1/product_event_pb';

vi.mock('../session/current', () => ({ api: undefined, session: { onEnd: () => () => undefined } }));

const { detailText } = await import('./detail-text');

it.each([
  [Type.CALL_ENDED, 'BOOKED', 'Booked'],
  [Type.CALL_ENDED, 'A_LATER_ONE', 'A_LATER_ONE'],
  [Type.FILE_EXPORTED, 'calls', 'calls'],
  [Type.PAGE_OPENED, '', ''],
])('of type %s, %s is shown as "%s"', (type, detail, text) => {
  expect(detailText(type, detail)).toBe(text);
});
