import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { AuditEntrySchema, FieldChangeSchema } from '../gen/frontdesk/tenancy/v1/audit_pb';
import { actionText, actorText, changeText, plain, refusalText, valueText, worthTelling } from './audit-text';

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
    expect(refusalText('SLOT_TAKEN')).toBe('slot taken');
  });
});
