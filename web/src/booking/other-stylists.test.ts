import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { AppointmentSchema } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { ServiceSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { itemsWith, stylistsFor } from './other-stylists';

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
});
