// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { StrandedAppointmentSchema } from '../gen/frontdesk/scheduling/v1/schedule_pb';

vi.mock('../business/read-team-again', () => ({ readTeamAgain: () => undefined }));

const { useHoursChange } = await import('./hours-change');

const visit = create(StrandedAppointmentSchema, {
  appointmentId: 'visit',
  startsAt: timestampFromDate(new Date('2026-11-24T10:00Z')),
  customerName: 'Priya Nair',
});

/** Changes of which each strands these, and what was sent of them. */
function changing(stranded: (typeof visit)[]) {
  const sent: string[] = [];
  const change = (key: string) => ({
    key,
    send: async (validateOnly: boolean) => {
      sent.push(`${validateOnly ? 'try' : 'make'} ${key}`);
      return { stranded, changeId: validateOnly ? '' : `change of ${key}` };
    },
  });
  const saved = vi.fn();
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useHoursChange(saved), { wrapper });
  return { sent, saved, result, apply: (key: string) => act(async () => result.current.apply(change(key))) };
}

it('saves a change that strands no visit at once', async () => {
  const { sent, saved, apply } = changing([]);
  await apply('week');
  await waitFor(() => expect(saved.mock.calls).toEqual([['change of week']]));
  expect(sent).toEqual(['try week', 'make week']);
});

it('shows the visits that a change strands, and saves it on a second press', async () => {
  const { sent, saved, result, apply } = changing([visit]);
  await apply('week');
  await waitFor(() => expect(result.current.strandedBy('week')).toHaveLength(1));
  expect(result.current.strandedBy('week')[0]).toMatchObject({ customer: 'Priya Nair' });
  expect(saved).not.toHaveBeenCalled();
  await apply('week');
  await waitFor(() => expect(saved).toHaveBeenCalledTimes(1));
  expect(sent).toEqual(['try week', 'make week']);
});

it('does not apply one change’s confirmation to another', async () => {
  const { sent, saved, result, apply } = changing([visit]);
  await apply('week');
  await waitFor(() => expect(result.current.strandedBy('week')).toHaveLength(1));
  expect(result.current.strandedBy('another')).toEqual([]);
  await apply('another');
  await waitFor(() => expect(result.current.strandedBy('another')).toHaveLength(1));
  expect(saved).not.toHaveBeenCalled();
  expect(sent).toEqual(['try week', 'try another']);
});
