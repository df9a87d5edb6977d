// @vitest-environment jsdom
import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, it, vi } from 'vitest';
import {
  type CalendarSchema,
  ListCalendarsResponseSchema,
} from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({ api, session: { state: {} } }));

const { ReadingStep } = await import('./reading-step');

const BUSINESS = '01900000-0000-7000-8000-000000000001';
let calendar: MessageInitShape<typeof CalendarSchema>;

beforeEach(() => {
  fillJsdomGaps();
  calendar = { id: 'c1', employeeId: 'e1', name: 'Work' };
  api.mockImplementation(async ({ path }) =>
    path === `/v1/businesses/${BUSINESS}/calendars`
      ? toJson(ListCalendarsResponseSchema, create(ListCalendarsResponseSchema, { calendars: [calendar] }))
      : {},
  );
});
afterEach(cleanup);

const open = (calendarId = 'c1') =>
  mount([{ path: '/', element: <ReadingStep businessId={BUSINESS} calendarId={calendarId} /> }], '/');

it('says how many entries were read so far, until all were', async () => {
  calendar = { ...calendar, entriesRead: 1250 };
  open();
  await screen.findByText(/1,250 entries read so far\./);
  calendar = { ...calendar, entriesRead: 0, syncedAt: timestampFromDate(new Date()) };
  await screen.findByRole('heading', { name: 'Calendar connected' });
});

it('says why a calendar can’t be read, and that it is tried again', async () => {
  calendar = { ...calendar, lastError: 'it did not answer in time' };
  open();
  await screen.findByText(
    /^It did not answer in time\. It is tried again by itself; you can close this page\./,
  );
});

it('says that a calendar is not connected instead of waiting for it', async () => {
  open('another');
  await screen.findByText('This calendar is not connected, or you have no access to it.');
});
