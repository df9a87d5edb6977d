import { movedText, type Place } from '../../day/moved-text';
import type { AuditEntry, FieldChange } from '../../gen/frontdesk/tenancy/v1/audit_pb';
import { nameText, recordNamed } from './record-names';
import type { Reading } from './value-text';

/** What notes where a visit was: its fields say where it went from, and the sentence says all of them. */
const PLACE = new Set(['starts_at', 'ends_at', 'employee_ids', 'next_employee_ids', 'visit_id']);

const parsed = (json: string): unknown => (json === '' ? null : JSON.parse(json));
const isHeld = (json: string) => parsed(json) !== null;

const instant = (json: string | undefined): Date | null => {
  const value = parsed(json ?? '');
  return typeof value === 'string' ? new Date(value) : null;
};

/** A moved visit as a sentence, and what else changed of it; undefined for every other change. */
export function movedVisit(
  { recordKind, changes }: Pick<AuditEntry, 'recordKind' | 'changes'>,
  reading: Reading,
  now: Date,
): { text: string; rest: FieldChange[] } | undefined {
  // A move keeps the place that was left, with who would have done it.
  const left = changes.find(({ field, before }) => field === 'employee_ids' && !isHeld(before));
  if (recordKind !== 'appointment' || !left) return undefined;
  const kept = (name: string) =>
    changes.find(({ field, before }) => field === name && !isHeld(before))?.after;
  const becomes = (name: string) =>
    changes.find(({ field, before, after }) => field === name && isHeld(before) && isHeld(after))?.after;
  const startsAt = instant(kept('starts_at'));
  if (!startsAt) return undefined;
  const namesOf = (json: string | undefined): string[] => {
    const ids = parsed(json ?? '');
    if (!Array.isArray(ids)) return [];
    return ids.map((id) => {
      const name = recordNamed(reading.names, 'employee', String(id));
      return name ? nameText(name, reading.zone) : '';
    });
  };
  const endsAt = instant(kept('ends_at'));
  const from: Place = { startsAt, endsAt, names: namesOf(left.after) };
  const to: Place = {
    startsAt: instant(becomes('starts_at')) ?? startsAt,
    endsAt: instant(becomes('ends_at')) ?? endsAt,
    names: namesOf(kept('next_employee_ids')),
  };
  return {
    text: movedText(from, to, reading.zone, now),
    rest: changes.filter(({ field }) => !PLACE.has(field)),
  };
}
