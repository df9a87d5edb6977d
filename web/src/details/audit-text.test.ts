import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { AuditEntrySchema, FieldChangeSchema } from '../gen/frontdesk/tenancy/v1/audit_pb';
import {
  actionText,
  actorText,
  changeText,
  missingText,
  plain,
  refusalText,
  valueText,
  worthTelling,
} from './audit-text';

const change = (field: string, before: string, after: string) =>
  create(FieldChangeSchema, { field, before, after });

describe('an entry of the audit trail', () => {
  it('is told in plain words', () => {
    expect(['UpdateItem', 'CreateItem', 'SetDayHours', 'AddStock'].map(actionText)).toEqual([
      'Changed item',
      'Created item',
      'Set day hours',
      'Added stock',
    ]);
    expect(plain('customer_note')).toBe('Customer note');
    expect(changeText(change('name', '"Shampoo"', '"Mild shampoo"'))).toBe('Name: Shampoo → Mild shampoo');
    expect(changeText(change('tags', '', '["VIP","colour"]'))).toBe('Tags: VIP, colour');
    expect(['null', 'true', '"PLATFORM_SIGNATURE"', '"VIP"'].map(valueText)).toEqual([
      'nothing',
      'yes',
      'platform signature',
      'VIP',
    ]);
  });

  it('tells hours and steps as people do', () => {
    const hours = '[{"weekday":2,"from_minute":540,"to_minute":1140}]';
    const steps =
      '[{"kind":"ACTIVE","minutes":45,"position":1},{"kind":"PROCESSING","minutes":30,"position":2}]';
    expect(valueText(hours)).toBe('Tuesday 09:00–19:00');
    expect(valueText(steps)).toBe('active 45 min, processing 30 min');
    expect(valueText('[{"price_minor":4000,"segment_minutes":[]}]')).toBe('price minor 4000');
    expect(missingText(['scheduling', 'telemetry'])).toBe('visits, services and hours; calls');
  });

  it('leaves out fields that hold nothing', () => {
    const told = worthTelling([
      change('sku', '', 'null'),
      change('name', '', '"Soap"'),
      change('created_at', '', '"2026-06-01T08:00:00Z"'),
    ]);
    expect(told.map(({ field }) => field)).toEqual(['name']);
  });

  it('names who did it', () => {
    const by = (actor: string, actorName = '') => actorText(create(AuditEntrySchema, { actor, actorName }));
    expect([by('user:1', 'Mia'), by('agent:1'), by('service:join-team'), by('user:1')]).toEqual([
      'Mia',
      'The phone agent',
      'Frontdesk (join team)',
      'A member who is no employee',
    ]);
    expect(refusalText('SLOT_TAKEN')).toBe('the time was taken');
    expect(refusalText('HOLD_GONE')).toBe('hold gone');
  });
});
