import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { type AuditEntry, AuditEntrySchema } from '../../gen/frontdesk/tenancy/v1/audit_pb';
import { oneChangeEach } from './one-change';

const entry = (id: string, field: string, more: MessageInitShape<typeof AuditEntrySchema> = {}): AuditEntry =>
  create(AuditEntrySchema, {
    id,
    at: timestampFromDate(new Date('2026-11-26T11:55:00.250Z')),
    actor: 'user:olga',
    action: 'CreateService',
    recordId: 'toner',
    changes: [{ field }],
    ...more,
  });

const told = (entries: AuditEntry[]) =>
  oneChangeEach(entries).map(({ id, changes }) => [id, ...changes.map(({ field }) => field)]);

describe('the entries of one change', () => {
  it('are one', () => {
    expect(told([entry('3', 'employees'), entry('2', 'price'), entry('1', 'steps')])).toEqual([
      ['3', 'employees', 'price', 'steps'],
    ]);
  });

  it('are one, though those of another record made at once lie between them', () => {
    expect(
      told([entry('3', 'start'), entry('2', 'start', { recordId: 'colour' }), entry('1', 'employees')]),
    ).toEqual([
      ['3', 'start', 'employees'],
      ['2', 'start'],
    ]);
  });

  it.each([
    ['another record', { recordId: 'colour' }],
    ['another person', { actor: 'user:ana' }],
    ['another change', { action: 'UpdateService' }],
    ['another time', { at: timestampFromDate(new Date('2026-11-26T11:55:00.251Z')) }],
    ['a refusal', { refusal: 'ROLE_TOO_LOW' }],
  ] as const)('are not those of %s', (_, more) => {
    expect(told([entry('2', 'price'), entry('1', 'steps', more)])).toHaveLength(2);
  });

  it('are not those of records without an id', () => {
    expect(told([entry('2', 'a', { recordId: '' }), entry('1', 'b', { recordId: '' })])).toHaveLength(2);
  });
});
