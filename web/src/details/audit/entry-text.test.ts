import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { AuditEntrySchema, RecordNameSchema } from '../../gen/frontdesk/tenancy/v1/audit_pb';
import { actionText, actorText, missingText, refusalText, titleText } from './entry-text';
import { plain } from './field-words';
import { nameText, recordNamed, recordNames } from './record-names';

const ZONE = 'Europe/London';
const named = (fields: MessageInitShape<typeof RecordNameSchema>) => create(RecordNameSchema, fields);

describe('an entry of the audit trail', () => {
  it('is told in plain words', () => {
    expect(['UpdateItem', 'CreateItem', 'SetDayHours', 'AddStock'].map(actionText)).toEqual([
      'Changed item',
      'Created item',
      'Set day hours',
      'Added stock',
    ]);
    expect(plain('customer_note')).toBe('Customer note');
    expect(missingText(['scheduling', 'telemetry'])).toBe('visits, services and hours; calls');
  });

  it('says which record was changed, by its name', () => {
    const entry = { action: 'UpdateService', recordKind: 'service', refusal: '' };
    const cut = named({ id: '1', kind: 'service', name: 'Cut & finish' });
    expect(titleText(entry, cut, ZONE)).toBe('Changed service: Cut & finish');
    expect(titleText(entry, named({ kind: 'service', gone: true }), ZONE)).toBe(
      'Changed service: a service that no longer exists',
    );
    expect(titleText(entry, undefined, ZONE)).toBe('Changed service');
    expect(titleText({ action: 'worker', recordKind: 'provider_record', refusal: '' }, undefined, ZONE)).toBe(
      'Provider record changed',
    );
  });

  it('tells what the worker does for a person as their import', () => {
    const entry = { action: 'worker', recordKind: 'customer', refusal: '', actor: 'user:1' };
    expect(titleText(entry, named({ kind: 'customer', name: 'Una' }), ZONE)).toBe('Imported customer: Una');
    expect(titleText({ ...entry, actor: 'service:import' }, undefined, ZONE)).toBe('Customer changed');
  });

  it('tells what is done with a table by its file, and that its import ended or was deleted', () => {
    const table = named({ kind: 'import', name: 'clients.csv' });
    const told = (fields: MessageInitShape<typeof AuditEntrySchema>, record = table) =>
      titleText(create(AuditEntrySchema, { recordKind: 'import', ...fields }), record, ZONE);
    expect(
      ['CreateImport', 'CheckImport', 'StartImport', 'CancelImport'].map((action) => told({ action })),
    ).toEqual([
      'Created import: clients.csv',
      'Checked import: clients.csv',
      'Started import: clients.csv',
      'Cancelled import: clients.csv',
    ]);
    const ended = { field: 'state', before: '"IMPORTING"', after: '"DONE"' };
    expect(told({ action: 'worker', actor: 'user:1', changes: [ended] })).toBe('Import ended: clients.csv');
    const deleted = { field: 'state', before: '"DONE"', after: '' };
    const gone = named({ kind: 'import', gone: true });
    expect(told({ action: 'worker', actor: 'service:retention', changes: [deleted] }, gone)).toBe(
      'Import deleted: a table that is deleted by now',
    );
    expect(told({ action: 'CreateImport' }, named({ kind: 'import' }))).toBe('Created import: pasted lines');
  });

  it('says what was tried and refused as not done', () => {
    const entry = { action: 'CreateEmployee', recordKind: '', refusal: 'INVALID_FIELD' };
    expect(titleText(entry, undefined, ZONE)).toBe('Create employee');
  });

  it('tells an accepted invitation as that', () => {
    const jack = named({ id: '1', kind: 'user', name: 'Jack' });
    const entered = (action: string, recordKind: string, record?: typeof jack) =>
      titleText({ action, recordKind, refusal: '' }, record, ZONE);
    expect(entered('Register', 'member', jack)).toBe('Joined: Jack');
    expect(entered('AcceptInvitation', 'member', jack)).toBe('Joined: Jack');
    expect(entered('Register', 'invitation')).toBe('Accepted the invitation');
  });

  it('names a visit by its customer and its time', () => {
    const at = timestampFromDate(new Date('2026-06-03T10:30:00Z'));
    expect(nameText(named({ kind: 'appointment', name: 'Ben Carter', at }), ZONE)).toMatch(
      /^Ben Carter, 3 Jun 2026, 11:30/,
    );
    expect(nameText(named({ kind: 'appointment', at }), ZONE)).toMatch(/^Guest without a name, /);
  });

  it('takes the record that exists where an id may be of two kinds', () => {
    const service = named({ id: '1', kind: 'service', name: 'Cut' });
    const gone = named({ id: '1', kind: 'employee', gone: true });
    for (const names of [
      [service, gone],
      [gone, service],
    ])
      expect(recordNames([{ names }]).get('1')).toBe(service);
  });

  it('takes the record of its own kind where an employee and their calendar have one id', () => {
    const eve = named({ id: '1', kind: 'employee', name: 'Eve Ember' });
    const calendar = named({ id: '1', kind: 'calendar', name: 'Demo calendar' });
    for (const of of [
      [eve, calendar],
      [calendar, eve],
    ]) {
      const names = recordNames([{ names: of }]);
      expect(recordNamed(names, 'employee', '1')).toBe(eve);
      expect(recordNamed(names, 'calendar', '1')).toBe(calendar);
    }
    const gone = named({ id: '2', kind: 'employee', gone: true });
    const cut = named({ id: '2', kind: 'service', name: 'Cut' });
    expect(recordNamed(recordNames([{ names: [gone, cut] }]), 'employee', '2')).toBe(cut);
  });

  it('names who did it', () => {
    const names = recordNames([{ names: [named({ id: '2', kind: 'user', gone: true })] }]);
    const by = (actor: string, actorName = '') =>
      actorText(create(AuditEntrySchema, { actor, actorName }), names);
    expect([by('user:1', 'Mia'), by('agent:1'), by('service:join-team')]).toEqual([
      'Mia',
      'The phone agent',
      'Frontdesk (join team)',
    ]);
    expect(by('service:provisioning')).toBe('Frontdesk');
    expect(by('user:2')).toBe('An administrator of Frontdesk');
    expect(by('user:1')).toBe('A team member');
    expect(refusalText('SLOT_TAKEN')).toBe('the time was taken');
    expect(refusalText('HOLD_GONE')).toBe('hold gone');
  });
});
