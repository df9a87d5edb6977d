// @vitest-environment jsdom
import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CalendarKind } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import {
  type ConsentSchema,
  ConsentState,
  ListConsentsResponseSchema,
} from '../gen/frontdesk/calendarsync/v1/consent_pb';
import type { Outgoing } from '../http/transport';
import type { User } from '../session/user';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount } from '../testing/mount';
import { toasts } from '../ui/toasts';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { Withdraw } = await import('./withdraw');
const { AllowStep } = await import('./allow-step');

const ACCOUNT = 'mia@example.com';
type Google = Omit<MessageInitShape<typeof ConsentSchema>, '$typeName' | '$unknown' | 'cleanup'> & {
  cleanup?: { eventCount: number; leftCount: number; fault: string };
};
let google: Google;
const user = {
  id: 'u',
  name: 'Mia',
  email: 'mia@salon.test',
  role: 'EMPLOYEE',
  provider: 'email',
  businessIds: ['b1'],
} satisfies User;
const sent = () =>
  api.mock.calls
    .map(([request]) => request)
    .filter(({ verb }) => verb === 'DELETE')
    .map(({ query }) => query?.get('takeOut') ?? 'false');
const withdraw = () => mount([{ path: '/', element: <Withdraw ofGoogle /> }], '/');
const allow = () => mount([{ path: '/', element: <AllowStep user={user} /> }], '/');

beforeEach(() => {
  dialogsWork();
  fillJsdomGaps();
  google = { kind: CalendarKind.GOOGLE, state: ConsentState.GIVEN, account: ACCOUNT, writtenCount: 3 };
  api.mockReset().mockImplementation(async ({ verb, path }) => {
    if (verb === 'GET' && path.endsWith('/me/calendar-consents'))
      return toJson(
        ListConsentsResponseSchema,
        create(ListConsentsResponseSchema, { consents: [google], hasCalendar: true }),
      );
    return {};
  });
});
afterEach(() => {
  cleanup();
  for (const toast of [...toasts.list]) toasts.dismiss(toast.id);
});

describe('withdrawing access', () => {
  it('takes out what Frontdesk wrote unless that is unticked', async () => {
    withdraw();
    await screen.findByText(/what becomes of the appointments that Frontdesk wrote/);
    fireEvent.click(screen.getByRole('button', { name: 'Withdraw access' }));
    const dialog = within(screen.getByRole('dialog', { name: `Withdraw access to ${ACCOUNT}?` }));
    const box = dialog.getByRole('checkbox', {
      name: 'Take out the 3 upcoming appointments that Frontdesk wrote',
    });
    expect(box).toHaveProperty('checked', true);
    fireEvent.click(box);
    dialog.getByText(/They stay there, with customers’ names/);
    fireEvent.click(box);
    fireEvent.click(dialog.getByRole('button', { name: 'Withdraw access' }));
    await waitFor(() => expect(sent()).toEqual(['true']));
    expect(toasts.list).toEqual([]);
  });

  it('asks nothing where Frontdesk wrote nothing', async () => {
    google = { ...google, writtenCount: 0 };
    withdraw();
    await waitFor(() => expect(api).toHaveBeenCalled());
    fireEvent.click(await screen.findByRole('button', { name: 'Withdraw access' }));
    await waitFor(() => expect(sent()).toEqual(['false']));
    await waitFor(() => expect(toasts.list[0]?.text).toMatch(/no longer sees/));
  });
});

describe('access that is being withdrawn', () => {
  const ending = (leftCount: number, fault = ''): Google => ({
    ...google,
    state: ConsentState.ENDING,
    writtenCount: 0,
    cleanup: { eventCount: 3, leftCount, fault },
  });

  it('says how far that is, and that it is done', async () => {
    google = ending(2);
    allow();
    await screen.findByText('Taking out 2 of 3 …');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    google = { kind: CalendarKind.GOOGLE, state: ConsentState.NOT_GIVEN };
    await waitFor(() => expect(toasts.list[0]?.text).toContain(ACCOUNT), { timeout: 4000 });
    await screen.findByRole('button', { name: 'Use Google Calendar' });
  });

  it('gives the reason why it waits, and the ways out', async () => {
    google = ending(2, 'the calendar did not answer in time');
    allow();
    await screen.findByText(/2 appointments are still there: The calendar did not answer in time\./);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(sent()).toEqual(['true']));
    fireEvent.click(await screen.findByRole('button', { name: 'Withdraw now and leave them' }));
    await waitFor(() => expect(sent()).toEqual(['true', 'false']));
    screen.getByRole('button', { name: 'Allow Google Calendar again' });
  });

  it('offers no other attempt where Google lets nothing be taken out', async () => {
    google = { ...ending(2, 'access has to be allowed again'), state: ConsentState.REVOKED };
    allow();
    await screen.findByText(/Google no longer lets Frontdesk use these calendars/);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    screen.getByRole('button', { name: 'Withdraw now and leave them' });
  });

  it('says why Google could not be told', async () => {
    google = ending(0, 'Google answers 503');
    allow();
    await screen.findByText(/Google could not be told that access ends: Google answers 503\./);
    expect(screen.queryByRole('button', { name: /leave/ })).toBeNull();
  });
});
