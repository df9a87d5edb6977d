// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { AppointmentSchema, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { ListAppointmentsResponseSchema } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { mount } from '../testing/mount';
import { NextAppointments } from './next-appointments';
import { nextAppointmentPages } from './queries';

const BUSINESS = '01900000-0000-7000-8000-000000000001';

vi.mock('../session/current', () => ({
  // What is shown was read before.
  api: () => new Promise(() => undefined),
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const visit = (customerName: string, state: AppointmentState) =>
  create(AppointmentSchema, {
    id: customerName,
    customerName,
    state,
    startsAt: timestampFromDate(new Date('2026-06-03T09:00:00Z')),
    endsAt: timestampFromDate(new Date('2026-06-03T10:00:00Z')),
  });

afterEach(cleanup);

it('lists who comes next, and no one who cancelled', async () => {
  const Component = () => <NextAppointments businessId={BUSINESS} />;
  const { client } = mount([{ path: '/', Component }], '/');
  const appointments = [visit('Ana', AppointmentState.BOOKED), visit('Ben', AppointmentState.CANCELLED)];
  const page = create(ListAppointmentsResponseSchema, { appointments, timeZone: 'Europe/London' });
  client.setQueryData(nextAppointmentPages(BUSINESS).queryKey, { pages: [page], pageParams: [''] });
  await screen.findByText('Ana');
  expect(screen.queryByText('Ben')).toBeNull();
});
