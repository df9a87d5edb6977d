import { create } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type AuditEntry, AuditEntrySchema } from '../../gen/frontdesk/tenancy/v1/audit_pb';

/** Entries of one change together: a service is saved with its steps and employees, and each of these has an entry. */
export function oneChangeEach(entries: readonly AuditEntry[]): AuditEntry[] {
  const changes: AuditEntry[] = [];
  for (const entry of entries) {
    // Several visits that are moved together have their entries in any order.
    const at = placeOfSame(changes, entry);
    const same = changes[at];
    if (same) {
      changes[at] = create(AuditEntrySchema, { ...same, changes: [...same.changes, ...entry.changes] });
    } else changes.push(entry);
  }
  return changes;
}

const instant = ({ at }: AuditEntry) => at && timestampDate(at).getTime();

/** Where the change is that an entry is part of, among those of its instant; -1 without one. */
function placeOfSame(changes: readonly AuditEntry[], entry: AuditEntry): number {
  for (let index = changes.length - 1; index >= 0; index--) {
    const change = changes[index];
    if (!change || instant(change) !== instant(entry)) break;
    if (isSame(change, entry)) return index;
  }
  return -1;
}

function isSame(one: AuditEntry, other: AuditEntry): boolean {
  return (
    one.recordId !== '' &&
    one.recordId === other.recordId &&
    one.action === other.action &&
    one.actor === other.actor &&
    one.refusal === '' &&
    other.refusal === '' &&
    instant(one) === instant(other)
  );
}
