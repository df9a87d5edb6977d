import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { FieldChangeSchema, RecordNameSchema } from '../../gen/frontdesk/tenancy/v1/audit_pb';
import { changeText, currencyOf, type Reading, valueText, worthTelling } from './value-text';

const SOFIA = '01900000-0000-7000-8000-00000000000a';
const CUT = '01900000-0000-7000-8000-00000000000b';
const GONE = '01900000-0000-7000-8000-00000000000c';
const OTHER = '01900000-0000-7000-8000-00000000000d';

const reading: Reading = {
  zone: 'Europe/London',
  currency: 'GBP',
  names: new Map([
    [SOFIA, create(RecordNameSchema, { id: SOFIA, kind: 'employee', name: 'Sofia Marino' })],
    [CUT, create(RecordNameSchema, { id: CUT, kind: 'service', name: 'Cut & finish' })],
    [GONE, create(RecordNameSchema, { id: GONE, kind: 'employee', gone: true })],
  ]),
};

const change = (field: string, before: string, after: string) =>
  create(FieldChangeSchema, { field, before, after });
const told = (field: string, before: unknown, after: unknown) =>
  changeText(change(field, JSON.stringify(before) ?? '', JSON.stringify(after) ?? ''), reading);

describe('a change of a field', () => {
  it('is told in plain words', () => {
    expect(told('name', 'Shampoo', 'Mild shampoo')).toBe('Name: Shampoo → Mild shampoo');
    expect(told('tags', undefined, ['VIP', 'colour'])).toBe('Tags: VIP, colour');
    expect(told('webhook_check', undefined, 'PLATFORM_SIGNATURE')).toBe('Webhook check: platform signature');
    expect(told('webhook_check', undefined, 'BEARER')).toBe('Webhook check: bearer');
    expect(told('state', 'BOOKED', 'CANCELLED')).toBe('State: booked → cancelled');
    const prompt = 'You answer the telephone of the salon. '.repeat(8).trim();
    expect(told('prompt', prompt, `${prompt} Be brief.`)).toMatch(/^Prompt: … .* salon\. → … .* Be brief\.$/);
    expect(told('archived', false, true)).toBe('Archived: no → yes');
    expect(told('sku', 'S-1', null)).toBe('SKU: S-1 → nothing');
    expect([told('added', null, 19_800), told('left_out', null, 0)]).toEqual([
      'Added: 19,800',
      'Left out: 0',
    ]);
  });

  it('names records instead of their ids, and says what no longer exists', () => {
    expect(told('employee_id', SOFIA, GONE)).toBe(
      'Employee: Sofia Marino → an employee who no longer exists',
    );
    expect(told('employee_ids', undefined, [SOFIA, GONE])).toBe(
      'Employee: Sofia Marino, an employee who no longer exists',
    );
    expect(told('service_id', undefined, CUT)).toBe('Service: Cut & finish');
    expect(told('undoes', undefined, OTHER)).toBe('Undoes: another record');
    expect(told('done_by', undefined, `user:${SOFIA}`)).toBe('Done by: Sofia Marino');
    expect(told('done_by', undefined, `agent:${OTHER}`)).toBe('Done by: The phone agent');
  });

  it('writes money, lengths, shares and times as people do', () => {
    expect(told('price_minor', 4000, 4550)).toBe('Price: £40 → £45.50');
    expect(told('buffer_after_minutes', 0, 90)).toBe('Time kept free afterwards: 0 min → 1 h 30 min');
    expect(told('horizon_days', 180, 90)).toBe('Bookable ahead: 180 days → 90 days');
    expect(told('least_hours', undefined, 48)).toBe('At least before: 48 h');
    expect(told('tax_basis_points', 1900, 2000)).toBe('Tax: 19 % → 20 %');
    expect(told('starts_at', undefined, '2026-06-02T08:00:00+00:00')).toMatch(/^Starts: 2 Jun 2026, 0?9:00/);
    expect(told('first_date', undefined, '2026-12-24')).toBe('First day: 24 Dec 2026');
    expect(told('effective_from', undefined, '-infinity')).toBe('Applies from: the beginning');
    expect(told('from_minutes', [540], [600, 840])).toBe('From: 09:00 → 10:00, 14:00');
  });

  it('tells hours, steps and who does a service as people do', () => {
    const value = (field: string, lines: unknown) => valueText(field, JSON.stringify(lines), reading);
    expect(value('opening_hours', [{ weekday: 2, from_minute: 540, to_minute: 1140 }])).toBe(
      'Tuesday 09:00–19:00',
    );
    expect(
      value('service_segment', [
        { kind: 'ACTIVE', minutes: 45, position: 1 },
        { kind: 'PROCESSING', minutes: 30, position: 2 },
      ]),
    ).toBe('active 45 min, processing 30 min');
    expect(
      value('service_employee', [
        { employee_id: SOFIA, price_minor: 4000, segment_minutes: [] },
        { employee_id: GONE, price_minor: null, segment_minutes: [] },
      ]),
    ).toBe('Sofia Marino (price £40), an employee who no longer exists');
  });

  it('says of a logo that there is one, not what it is', () => {
    const [first, second] = ['a'.repeat(64), 'b'.repeat(64)];
    expect(told('logo_digest', null, first)).toBe('Logo: added');
    expect(told('logo_digest', first, second)).toBe('Logo: replaced');
    expect(told('logo_digest', first, null)).toBe('Logo: removed');
  });

  it('leaves out fields that hold nothing', () => {
    const changes = [
      change('sku', '', 'null'),
      change('name', '', '"Soap"'),
      change('created_at', '', '"2026-06-01T08:00:00Z"'),
    ];
    expect(worthTelling(changes, reading).map(({ field }) => field)).toEqual(['name']);
  });

  it('tells fields in one order whichever part of a record came first, the name before all', () => {
    const changes = [
      change('service_employee', '', '"x"'),
      change('price_minor', '', '4000'),
      change('name', '', '"Cut"'),
    ];
    const order = (list: typeof changes) => worthTelling(list, reading).map(({ field }) => field);
    expect(order(changes)).toEqual(['name', 'price_minor', 'service_employee']);
    expect(order(changes.toReversed())).toEqual(order(changes));
  });

  it('tells last what a new record is not, and what its amounts are in', () => {
    const changes = [
      change('late_cancellation', '', 'false'),
      change('currency', '', '"GBP"'),
      change('ends_at', '', '"2026-06-01T08:00:00Z"'),
    ];
    const order = (list: typeof changes) => worthTelling(list, reading).map(({ field }) => field);
    expect(order(changes)).toEqual(['ends_at', 'late_cancellation', 'currency']);
    const changed = [
      change('ends_at', '"2026-06-01T08:00:00Z"', '"2026-06-01T09:00:00Z"'),
      change('late_cancellation', 'true', 'false'),
    ];
    expect(order(changed)).toEqual(['late_cancellation', 'ends_at']);
  });

  it('reads amounts in the currency that the entry names', () => {
    expect(currencyOf([change('currency', '', '"EUR"')], 'GBP')).toBe('EUR');
    expect(currencyOf([change('price_minor', '1', '2')], 'GBP')).toBe('GBP');
  });
});
