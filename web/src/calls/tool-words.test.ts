import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { ToolCallSchema } from '../gen/frontdesk/telemetry/v1/call_pb';
import { answerText, askedItems, doneText, hasFailed } from './tool-words';

const tool = (name: string, args: unknown, more: MessageInitShape<typeof ToolCallSchema> = {}) =>
  create(ToolCallSchema, { name, arguments: JSON.stringify(args), result: '{}', ok: true, ...more });

const ID = '0190f4a2-0000-7000-8000-000000000001';

describe('what the agent did', () => {
  it('is a sentence with what the caller wants', () => {
    const wish = { service: 'haircut', part_of_day: 'afternoon', employee: 'anyone', day: 'friday' };
    expect(doneText(tool('search_availability', wish))).toBe(
      'Looked for free times: haircut, in the afternoon, on friday',
    );
    expect(doneText(tool('hold_slot', { services: ['cut', 'colour'], employee: 'Ana' }))).toBe(
      'Kept a time free: cut and colour with Ana',
    );
    expect(doneText(tool('create_customer', { name: 'Mia Wong' }))).toBe('Added a customer: Mia Wong');
    expect(doneText(tool('find_customer', {}))).toBe('Looked up the caller');
  });

  it('says a date as people write it, and a day as the caller said it', () => {
    const days = ['2026-11-27', '2026-02-30', 'today', 'tomorrow', 'next friday'];
    expect(days.map((day) => doneText(tool('search_availability', { service: 'cut', day })))).toEqual([
      'Looked for free times: cut, on Fri 27 Nov',
      'Looked for free times: cut, on 2026-02-30',
      'Looked for free times: cut, today',
      'Looked for free times: cut, tomorrow',
      'Looked for free times: cut, on next friday',
    ]);
  });

  it('shows no ids, and names a tool of another platform', () => {
    expect(doneText(tool('book_appointment', { services: [{ service_id: ID, employee_id: ID }] }))).toBe(
      'Booked the visit',
    );
    expect(doneText(tool('transferCall', {}))).toBe('Transfer call');
    expect(doneText(create(ToolCallSchema, { name: 'hold_slot', arguments: 'not json' }))).toBe(
      'Keeps a time free',
    );
  });

  it('failed by a fault of ours, not where the agent had to ask', () => {
    const refused = (reason: string) =>
      tool('hold_slot', {}, { ok: false, result: JSON.stringify({ ok: false, reason }) });
    const failed = ['UNAVAILABLE', 'BUSY', 'INTERNAL', 'INVALID_FIELD', 'SLOT_TAKEN', ''].map((reason) =>
      hasFailed(refused(reason)),
    );
    expect(failed).toEqual([true, true, true, false, false, false]);
    expect(hasFailed(tool('hold_slot', {}))).toBe(false);
  });

  it('was answered as the agent says it, or not yet', () => {
    const say = 'Tomorrow I have 2 pm. Does that suit you?';
    expect(answerText(tool('search_availability', {}, { result: JSON.stringify({ say }) }))).toBe(say);
    expect(answerText(tool('search_availability', {}, { result: '', ok: false }))).toBe('No answer yet');
    expect(answerText(tool('transfer', {}, { result: 'gone', ok: false }))).toBe('It did not work.');
    expect(answerText(tool('transfer', {}, { result: 'done' }))).toBe('');
  });
});

it('services are found in every form in which agents send them', () => {
  expect(askedItems({ service: 'cut', employee: 'Ana' })).toEqual([{ service: 'cut', employee: 'Ana' }]);
  expect(askedItems({ services: [{ service_id: ID, service: 'cut', employee_id: 'x' }, 'colour'] })).toEqual([
    { service: ID, employee: 'x' },
    { service: 'colour', employee: '' },
  ]);
  expect(askedItems({ services: { service: 'cut' } })).toEqual([{ service: 'cut', employee: '' }]);
  expect(askedItems({ service: '  ' })).toEqual([]);
});
