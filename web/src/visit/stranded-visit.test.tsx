// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ListStrandedAppointmentsResponseSchema } from '../gen/frontdesk/scheduling/v1/day_pb';
import { StrandedReason } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import type { Outgoing } from '../http/transport';
import { dialogsWork, mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

dialogsWork();
const { StrandedVisit } = await import('./stranded-visit');

const EMPLOYEE = 'EMPLOYEE';
const HOUR_MS = 3_600_000;

const listed = (stranded: { appointmentId: string; employeeName: string; endsInHours: number }[]) =>
  toJson(
    ListStrandedAppointmentsResponseSchema,
    create(ListStrandedAppointmentsResponseSchema, {
      total: stranded.length,
      stranded: stranded.map(({ appointmentId, employeeName, endsInHours }) => ({
        appointmentId,
        employeeName,
        customerName: 'Priya Nair',
        reason: StrandedReason.TIME_OFF,
        startsAt: timestampFromDate(new Date(Date.now() + (endsInHours - 1) * HOUR_MS)),
        endsAt: timestampFromDate(new Date(Date.now() + endsInHours * HOUR_MS)),
      })),
    }),
  );

function show(answer: unknown) {
  api.mockImplementation(async () => answer);
  const Component = () => (
    <StrandedVisit businessId="b1" appointmentId="visit" zone="Europe/London" role={EMPLOYEE} />
  );
  mount([{ path: '/', Component }], '/');
}

afterEach(() => {
  cleanup();
  api.mockReset();
});

describe('a visit whose employee is not at work then', () => {
  it('says so, and notes calls to its customer', async () => {
    show(listed([{ appointmentId: 'visit', employeeName: 'Noah Adeyemi', endsInHours: 3 }]));
    await screen.findByText(/^Noah is away\. Find another time or stylist, or tell the customer\./);
    fireEvent.click(screen.getByRole('button', { name: 'Called, no answer' }));
    await waitFor(() =>
      expect(api.mock.calls.map(([{ path }]) => path)).toContainEqual(
        expect.stringMatching(/visit.*contact/i),
      ),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Customer told' }));
    await screen.findByRole('dialog', { name: 'Customer told' });
  });

  it('asks what became of it once it is over', async () => {
    show(listed([{ appointmentId: 'visit', employeeName: 'Noah Adeyemi', endsInHours: -1 }]));
    await screen.findByText(/^Noah was away\. What became of the visit is not known yet\./);
    expect(screen.queryByRole('button', { name: 'Called, no answer' })).toBeNull();
  });

  it('says nothing of one whose employee is there', async () => {
    show(listed([]));
    await waitFor(() => expect(api).toHaveBeenCalled());
    expect(screen.queryByRole('group', { name: 'Calls to the customer' })).toBeNull();
  });
});
