import { create } from '@bufbuild/protobuf';
import { describe, expect, it, vi } from 'vitest';

vi.mock('../session/current', () => ({ api: vi.fn() }));

import { AppointmentSchema } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import {
  ExplainAvailabilityResponseSchema,
  Obstacle_Kind,
  VisitObstacle_Kind,
} from '../gen/frontdesk/scheduling/v1/availability_pb';
import { ServiceSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { isFreeAt, itemsWith, stylistsFor } from './other-stylists';

const service = (id: string, employeeIds: string[]) => create(ServiceSchema, { id, employeeIds });
const visit = create(AppointmentSchema, {
  items: [
    { serviceId: 'cut', employeeId: 'ana' },
    { serviceId: 'colour', employeeId: 'ana', extraMinutes: 15 },
    { serviceId: 'nails', employeeId: 'eve', guest: 1 },
  ],
});

describe('another stylist', () => {
  it('does all that the absent one would have done', () => {
    const services = [
      service('cut', ['ana', 'ben', 'cem']),
      service('colour', ['ana', 'cem']),
      service('nails', ['eve']),
    ];
    expect(stylistsFor(visit, 'ana', services)).toEqual(['cem']);
    expect(stylistsFor(visit, 'eve', services)).toEqual([]);
  });

  it('takes over the items of the absent one alone', () => {
    const items = itemsWith(visit, 'ana', 'cem');
    expect(items.map(({ employeeId }) => employeeId)).toEqual(['cem', 'cem', 'eve']);
    expect(items.map(({ guest, extraMinutes }) => [guest, extraMinutes])).toEqual([
      [0, 0],
      [0, 15],
      [1, 0],
    ]);
  });

  it('is free for a visit whose start is near or has passed, and not where work takes the time', () => {
    const start = new Date('2026-06-02T10:00:00Z');
    const answer = (...kinds: Obstacle_Kind[]) =>
      create(ExplainAvailabilityResponseSchema, {
        obstacles: [{ kind: VisitObstacle_Kind.TOO_SOON }],
        items: [{ candidates: [{ employeeName: 'Cem', obstacles: kinds.map((kind) => ({ kind })) }] }],
      });
    expect(isFreeAt(start, answer())).toBe(true);
    expect(isFreeAt(start, answer(Obstacle_Kind.BOOKED))).toBe(false);
    expect(isFreeAt(start, undefined)).toBe(false);
  });
});
