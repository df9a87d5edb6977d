import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it, vi } from 'vitest';
import { AppointmentSchema } from '../gen/frontdesk/scheduling/v1/appointment_pb';

vi.mock('../session/current', () => ({
  api: vi.fn(),
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { undoneText } = await import('./undone-text');

const visit = create(AppointmentSchema, { customerName: 'Ben Carter' });
const [bookedAt, movedAt] = [new Date('2026-06-01T09:00:00Z'), new Date('2026-06-01T09:05:00Z')];
const booking = { at: bookedAt, by: 'me', text: 'Booked' };
const move = { at: movedAt, by: 'me', text: 'Moved from 09:00 to 09:30' };
const undoable = (at: Date, appointmentCount = 1) => ({ madeAt: timestampFromDate(at), appointmentCount });

describe('an undo from the history of a visit says', () => {
  it('that a change is undone, of one visit or of several', () => {
    expect(undoneText(visit, [move, booking], undoable(movedAt))).toBe(
      'The visit of Ben Carter is as it was before.',
    );
    expect(undoneText(visit, [move, booking], undoable(movedAt, 4))).toBe(
      'The visits of Ben Carter are as they were before.',
    );
  });

  it('that the time is free again, if it takes the booking back', () => {
    expect(undoneText(visit, [booking], undoable(bookedAt))).toBe('Taken back. The time is free again.');
    expect(undoneText(visit, [booking], undoable(bookedAt, 6))).toBe(
      'Taken back. The time of all 6 visits is free again.',
    );
  });
});
