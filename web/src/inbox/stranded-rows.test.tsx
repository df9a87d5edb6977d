// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { StrandedAppointmentSchema, StrandedReason } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import type { Outgoing } from '../http/transport';
import { mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { StrandedRow } = await import('./stranded-rows');

const EMPLOYEE = 'EMPLOYEE';
const START = new Date('2026-06-01T09:00:00Z');
const END = new Date('2026-06-01T09:30:00Z');

const line = create(StrandedAppointmentSchema, {
  appointmentId: 'visit',
  startsAt: timestampFromDate(START),
  endsAt: timestampFromDate(END),
  employeeName: 'Noah Adeyemi',
  customerName: 'Priya Nair',
  serviceNames: ['Cut'],
  reason: StrandedReason.TIME_OFF,
});

const ways = async (now: Date) => {
  const Component = () => (
    <StrandedRow businessId="b1" line={line} zone="Europe/London" role={EMPLOYEE} now={now} />
  );
  mount([{ path: '/', Component }], '/');
  const group = await screen.findByRole('group', { name: 'Settle the visit of Priya Nair' });
  return within(group)
    .getAllByRole('button')
    .map(({ textContent }) => textContent?.replace(' for Priya Nair', ''));
};

afterEach(() => {
  cleanup();
  api.mockReset();
});

describe('the line of a stranded visit', () => {
  it('offers every way to settle it while it is to come', async () => {
    expect(await ways(new Date(END.getTime() - 60_000))).toEqual([
      'Another time',
      'Another stylist',
      'Waitlist',
      'Cancel the visit',
      'Called, no answer',
      'Customer told',
    ]);
    expect(screen.getByText('Noah is away')).toBeTruthy();
  });

  it('asks what became of it once it went by', async () => {
    expect(await ways(new Date('2026-06-02T08:00:00Z'))).toEqual([
      'No-show',
      'Cancel the visit',
      'Customer told',
    ]);
    expect(
      screen.getByText(/^Was to come yesterday, 10:00 with Noah Adeyemi; what became of it\?/),
    ).toBeTruthy();
    expect(screen.getByText('Noah was away')).toBeTruthy();
    api.mockResolvedValue({});
    fireEvent.click(screen.getByRole('button', { name: /^No-show/ }));
    await waitFor(() => expect(api).toHaveBeenCalledTimes(1));
    expect(api.mock.calls[0]?.[0]).toMatchObject({
      path: expect.stringContaining('/appointments/visit'),
      body: { state: 'APPOINTMENT_STATE_NO_SHOW' },
    });
  });
});
