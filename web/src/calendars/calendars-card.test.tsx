// @vitest-environment jsdom
import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CalendarKind, ListCalendarsResponseSchema } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { ListEmployeesResponseSchema } from '../gen/frontdesk/tenancy/v1/employee_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount } from '../testing/mount';
import { toasts } from '../ui/toasts';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { CalendarsCard } = await import('./calendars-card');

const BASE = '/v1/businesses/b1';
type Listed = MessageInitShape<typeof ListCalendarsResponseSchema>;
let listed: Listed;
const work = { id: 'c1', employeeId: 'e1', kind: CalendarKind.CALDAV, name: 'Work', writtenCount: 40 };
const ending = (leftCount: number, fault = '') => ({
  id: 'c1',
  employeeId: 'e1',
  kind: CalendarKind.CALDAV,
  name: 'Work',
  cleanup: { eventCount: 40, leftCount, fault },
});
const sent = (verb: string, path: string) =>
  api.mock.calls.map(([request]) => request).filter((one) => one.verb === verb && one.path === BASE + path);

const shown = { businessId: 'b1', role: 'OWNER', zone: 'Europe/London', manage: true };
const open = () => mount([{ path: '/', element: <CalendarsCard {...shown} /> }], '/');

beforeEach(() => {
  dialogsWork();
  fillJsdomGaps();
  listed = { calendars: [work], mayConnectOthers: true };
  api.mockReset().mockImplementation(async ({ path }) => {
    if (path === `${BASE}/calendars`)
      return toJson(ListCalendarsResponseSchema, create(ListCalendarsResponseSchema, listed));
    if (path === `${BASE}/employees`)
      return toJson(
        ListEmployeesResponseSchema,
        create(ListEmployeesResponseSchema, {
          employees: [
            { id: 'e1', name: 'Sofia' },
            { id: 'e2', name: 'Ben' },
          ],
        }),
      );
    return {};
  });
});
afterEach(() => {
  cleanup();
  for (const toast of [...toasts.list]) toasts.dismiss(toast.id);
});

it('names a calendar that is not up to date, and whose it is', async () => {
  listed = { calendars: [{ ...work, lastError: 'the calendar can’t be read: the server answers 503' }] };
  open();
  const item = within(
    (await screen.findByRole('link', { name: 'Not up to date' })).closest('li') as HTMLElement,
  );
  await item.findByText(/^Sofia/);
  item.getByText(/Work$/);
});

it('lists calendars by the names of their employees', async () => {
  listed = { calendars: [work, { ...work, id: 'c2', employeeId: 'e2', name: 'Home' }] };
  open();
  await screen.findByText('Ben');
  const [first, second] = screen.getAllByRole('listitem');
  expect(first?.textContent).toMatch(/^Ben/);
  expect(second?.textContent).toMatch(/^Sofia/);
});

describe('disconnecting a calendar', () => {
  it('takes out what is ahead unless that is unticked', async () => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: /^Disconnect ?Work of Sofia$/ }));
    const dialog = within(screen.getByRole('dialog', { name: 'Disconnect Work of Sofia?' }));
    const box = dialog.getByRole('checkbox', {
      name: 'Take out the 40 upcoming appointments that Frontdesk wrote',
    });
    expect(box).toHaveProperty('checked', true);
    fireEvent.click(dialog.getByRole('button', { name: 'Disconnect' }));
    await waitFor(() => expect(sent('DELETE', '/calendars/c1')).toHaveLength(1));
    expect(sent('DELETE', '/calendars/c1')[0]?.query?.get('takeOut')).toBe('true');
    expect(toasts.list).toEqual([]);
  });

  it('is done at once where they are left', async () => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: /^Disconnect ?Work of Sofia$/ }));
    const dialog = within(screen.getByRole('dialog', { name: 'Disconnect Work of Sofia?' }));
    fireEvent.click(dialog.getByRole('checkbox'));
    dialog.getByText(/They stay there, with customers’ names/);
    fireEvent.click(dialog.getByRole('button', { name: 'Disconnect' }));
    await waitFor(() => expect(toasts.list[0]?.text).toBe('Work of Sofia is disconnected.'));
    expect(sent('DELETE', '/calendars/c1')[0]?.query?.get('takeOut')).not.toBe('true');
  });

  it('asks nothing where Frontdesk wrote nothing', async () => {
    listed = { calendars: [{ ...work, writtenCount: 0 }], mayConnectOthers: true };
    open();
    fireEvent.click(await screen.findByRole('button', { name: /^Disconnect ?Work of Sofia$/ }));
    expect(screen.queryByRole('checkbox')).toBeNull();
  });
});

describe('a calendar that is being disconnected', () => {
  it('says how far that is, and that it is done', async () => {
    listed = { ending: [ending(29)], mayConnectOthers: true };
    open();
    await screen.findByText('Taking out 12 of 40 …');
    expect(screen.queryByText('No calendar is connected')).toBeNull();
    const bar = await screen.findByRole('progressbar', { name: 'Taking appointments out of Work of Sofia' });
    expect(bar.getAttribute('aria-valuenow')).toBe('28');
    expect(screen.queryByRole('button', { name: /Try again/ })).toBeNull();
    listed = { mayConnectOthers: true };
    // It looks again every second.
    await screen.findByText('No calendar is connected', {}, { timeout: 4000 });
    await waitFor(() => expect(toasts.list[0]?.text).toMatch(/^Work.* is disconnected\.$/));
  });

  it('gives the reason why it waits, and the ways out', async () => {
    listed = { ending: [ending(28, 'the calendar did not answer in time')], mayConnectOthers: true };
    open();
    await screen.findByText(/28 appointments are still there: The calendar did not answer in time\./);
    fireEvent.click(
      await screen.findByRole('button', { name: /^Try again ?to take appointments out of Work of Sofia$/ }),
    );
    await waitFor(() => expect(sent('DELETE', '/calendars/c1')[0]?.query?.get('takeOut')).toBe('true'));
    fireEvent.click(await screen.findByRole('button', { name: /^Keep connected ?Work of Sofia$/ }));
    await waitFor(() => expect(sent('POST', '/calendars/c1:keep')).toHaveLength(1));
    await waitFor(() => expect(toasts.list[0]?.text).toContain('stays connected'));
    fireEvent.click(screen.getByRole('button', { name: /^Disconnect now and leave them/ }));
    await waitFor(() => expect(sent('DELETE', '/calendars/c1')).toHaveLength(2));
    expect(sent('DELETE', '/calendars/c1')[1]?.query?.get('takeOut')).not.toBe('true');
  });
});
