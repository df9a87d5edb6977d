import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { AppointmentSchema } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { cancellationText } from './cancellation-text';

const NOW = new Date('2026-06-02T12:00Z');
const READERS = { employees: [{ name: 'Mia Larsen', userId: 'm' }], userId: 'me' };

const said = (cancelledBy: string, reason: string, lateCancellation = false) =>
  cancellationText(
    create(AppointmentSchema, {
      cancellation: { cancelledBy, cancelledAt: timestampFromDate(new Date('2026-06-01T09:02Z')), reason },
      lateCancellation,
    }),
    READERS,
    'Europe/London',
    NOW,
  );

test('a cancellation says who, when, whether it was late, and why', () => {
  expect(said('user:m', 'Ill', true)).toBe(
    'Cancelled by Mia Larsen, yesterday, 10:02, at short notice. “Ill”',
  );
  expect(said('user:me', '')).toBe('Cancelled by you, yesterday, 10:02.');
  expect(said('user:gone', '')).toBe('Cancelled by a team member, yesterday, 10:02.');
  expect(said('agent:a', 'Can’t come')).toBe(
    'Cancelled by the customer by phone, yesterday, 10:02. “Can’t come”',
  );
  expect(said('service:tenancy', '')).toBe('Cancelled by Frontdesk, yesterday, 10:02.');
});

test('a visit that stands says nothing of it', () => {
  expect(cancellationText(create(AppointmentSchema, {}), READERS, 'Europe/London', NOW)).toBe('');
});
