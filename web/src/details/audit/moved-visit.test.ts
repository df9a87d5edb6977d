import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { FieldChangeSchema, RecordNameSchema } from '../../gen/frontdesk/tenancy/v1/audit_pb';
import { movedVisit } from './moved-visit';
import { recordNames } from './record-names';

const [ANA, BEN] = ['00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002'];
const NOW = new Date('2026-11-20T08:00Z');

const reading = {
  zone: 'Europe/London',
  currency: 'GBP',
  names: recordNames([
    {
      names: [
        create(RecordNameSchema, { kind: 'employee', id: ANA, name: 'Ana' }),
        create(RecordNameSchema, { kind: 'employee', id: BEN, name: 'Ben' }),
      ],
    },
  ]),
};

const changed = (field: string, after: unknown, before?: unknown) =>
  create(FieldChangeSchema, {
    field,
    before: before === undefined ? '' : JSON.stringify(before),
    after: JSON.stringify(after),
  });

const [TEN, HALF_PAST] = ['2026-11-24T10:00:00+00:00', '2026-11-24T10:30:00+00:00'];

describe('a moved visit', () => {
  it('is one sentence, and what else changed stays', () => {
    const moved = movedVisit(
      {
        recordKind: 'appointment',
        changes: [
          changed('starts_at', '2026-11-25T11:30:00+00:00', TEN),
          changed('ends_at', '2026-11-25T12:00:00+00:00', HALF_PAST),
          changed('price_minor', 5000, 4000),
          changed('starts_at', TEN),
          changed('ends_at', HALF_PAST),
          changed('employee_ids', [ANA]),
          changed('next_employee_ids', [BEN]),
          changed('visit_id', ANA),
        ],
      },
      reading,
      NOW,
    );
    expect(moved?.text).toBe(
      'Moved from Tuesday 24 November, 10:00 with Ana to Wednesday 25 November, 11:30 with Ben',
    );
    expect(moved?.rest.map(({ field }) => field)).toEqual(['price_minor']);
  });

  it('leaves out who does it where that was not noted yet', () => {
    const moved = movedVisit(
      {
        recordKind: 'appointment',
        changes: [
          changed('starts_at', '2026-11-24T11:00:00+00:00', TEN),
          changed('starts_at', TEN),
          changed('employee_ids', [ANA]),
        ],
      },
      reading,
      NOW,
    );
    expect(moved?.text).toBe('Moved from Tuesday 24 November, 10:00 with Ana to 11:00');
  });

  it('is no booking, and no other record', () => {
    const booked = [changed('starts_at', TEN), changed('ends_at', HALF_PAST)];
    expect(movedVisit({ recordKind: 'appointment', changes: booked }, reading, NOW)).toBeUndefined();
    const service = [changed('employee_ids', [ANA]), changed('starts_at', TEN)];
    expect(movedVisit({ recordKind: 'service', changes: service }, reading, NOW)).toBeUndefined();
  });
});
