import { create } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type AuditEntry, AuditEntrySchema } from '../../gen/frontdesk/tenancy/v1/audit_pb';

/** Entries of one change together: a service is saved with its steps and employees, and each of these has an entry. */
export function oneChangeEach(entries: readonly AuditEntry[]): AuditEntry[] {
  const changes: AuditEntry[] = [];
  for (const entry of entries) {
    const last = changes.at(-1);
    if (last && isSame(last, entry)) {
      changes[changes.length - 1] = create(AuditEntrySchema, {
        ...last,
        changes: [...last.changes, ...entry.changes],
      });
    } else changes.push(entry);
  }
  return changes;
}

function isSame(one: AuditEntry, other: AuditEntry): boolean {
  const at = ({ at }: AuditEntry) => at && timestampDate(at).getTime();
  return (
    one.recordId !== '' &&
    one.recordId === other.recordId &&
    one.action === other.action &&
    one.actor === other.actor &&
    one.refusal === '' &&
    other.refusal === '' &&
    at(one) === at(other)
  );
}
