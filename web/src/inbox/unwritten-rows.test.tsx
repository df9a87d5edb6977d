// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  CalendarKind,
  CalendarSchema,
  UnwrittenAppointmentSchema,
} from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import type { Outgoing } from '../http/transport';
import { mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { UnwrittenRow } = await import('./unwritten-rows');

const SALON = '01900000-0000-7000-8000-000000000001';
const VISIT = '01900000-0000-7000-8000-0000000000f1';

const onRetried = vi.fn();

beforeEach(() => {
  onRetried.mockReset();
  api.mockReset().mockImplementation(async () => ({}));
});
afterEach(cleanup);

function show(kind: CalendarKind, role: string, isRefused: boolean) {
  const visit = create(UnwrittenAppointmentSchema, {
    appointmentId: VISIT,
    title: 'Cut – Ana',
    fault: 'map the service to one there',
    isRefused,
  });
  const calendar = create(CalendarSchema, { kind, unwritten: [visit], unwrittenCount: 1 });
  const row = { id: 'one', calendar, visit };
  const Row = () => (
    <UnwrittenRow
      businessId={SALON}
      unwritten={row}
      zone="Europe/London"
      role={role}
      now={new Date()}
      onRetried={onRetried}
    />
  );
  mount([{ path: '*', Component: Row }], '/');
}

it('names the visit that was refused and why, and has it tried again', async () => {
  show(CalendarKind.PROVIDER, 'EMPLOYEE', true);
  expect((await screen.findByRole('link', { name: 'Cut – Ana' })).getAttribute('href')).toContain(VISIT);
  screen.getByText('Map the service to one there.');
  screen.getByText(/not tried again by itself/);
  screen.getByText('Employees and services are mapped by the owner.');
  fireEvent.click(screen.getByRole('button', { name: 'Try again: Cut – Ana' }));
  await vi.waitFor(() =>
    expect(api.mock.calls.some(([{ path }]) => path.endsWith(`${VISIT}:retry`))).toBe(true),
  );
  await vi.waitFor(() => expect(onRetried).toHaveBeenCalledTimes(1));
});

it('leads an owner to where people and services are mapped, and to all that failed', async () => {
  show(CalendarKind.PROVIDER, 'OWNER', true);
  const mapping = await screen.findByRole('link', { name: 'Who and what is who in the booking system' });
  expect(mapping.getAttribute('href')).toBe(`/${SALON}/provider-sync`);
  const all = screen.getByRole('link', { name: 'All that failed' });
  expect(all.getAttribute('href')).toBe(`/${SALON}/appointment-sync?only=failed`);
});

it('says of one that failed that it is tried again by itself', async () => {
  show(CalendarKind.CALDAV, 'EMPLOYEE', false);
  await screen.findByText(/^It is tried again by itself/);
  expect(screen.queryByText('Employees and services are mapped by the owner.')).toBeNull();
});
