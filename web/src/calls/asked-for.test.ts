import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { PartOfDay } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { ServiceSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { ToolCallSchema } from '../gen/frontdesk/telemetry/v1/call_pb';
import { askedFor } from './asked-for';

const TODAY = '2026-11-25';
const known = {
  services: [
    create(ServiceSchema, {
      id: 'cut',
      name: 'Cut & finish',
      aliases: ['haircut'],
      employeeIds: ['ana', 'ben'],
    }),
    create(ServiceSchema, { id: 'colour', name: 'Full colour', employeeIds: ['ana'] }),
  ],
  employees: [
    { id: 'ana', name: 'Ana Costa' },
    { id: 'ben', name: 'Ben Hart' },
    { id: 'ben2', name: 'Ben Stone' },
  ],
};

const tool = (name: string, args: unknown, result: unknown = {}) =>
  create(ToolCallSchema, { name, arguments: JSON.stringify(args), result: JSON.stringify(result), ok: true });

const asked = (...tools: ReturnType<typeof tool>[]) => {
  const { guests, day, part } = askedFor(tools, TODAY, known);
  return [
    guests.map((wishes) => wishes.map(({ serviceId, employeeId }) => [serviceId, employeeId])),
    day,
    part,
  ];
};

it('starts the booking with the caller’s last request', () => {
  const first = tool('search_availability', { service: 'full colour', part_of_day: 'morning' });
  const offers = [{ starts_at: '2026-11-27T14:00:00+00:00' }];
  const last = tool(
    'search_availability',
    { service: 'Haircut', employee: 'ana', part_of_day: 'afternoon' },
    { offers },
  );
  expect(asked(first, last, tool('list_services', {}))).toEqual([
    [[['cut', 'ana']]],
    '2026-11-27',
    PartOfDay.AFTERNOON,
  ]);
});

it('leaves out an employee with an ambiguous name or without the skill', () => {
  expect(asked(tool('search_availability', { service: 'perm', employee: 'Ben' }))[0]).toEqual([[['', '']]]);
  expect(asked(tool('search_availability', { service: 'haircut', employee: 'Ben' }))[0]).toEqual([
    [['cut', '']],
  ]);
  expect(asked(tool('hold_slot', { service: 'Full colour', employee: 'Ben Hart' }))[0]).toEqual([
    [['colour', '']],
  ]);
});

it('a day that is over, or none, is today', () => {
  expect(asked(tool('search_availability', { service: 'haircut', day: '2026-11-01' }))[1]).toBe(TODAY);
  expect(asked(tool('search_availability', { service: 'haircut', day: '2026-12-01' }))[1]).toBe('2026-12-01');
  expect(asked()).toEqual([[[['', '']]], TODAY, PartOfDay.UNSPECIFIED]);
});
