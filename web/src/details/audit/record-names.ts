import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { RecordName } from '../../gen/frontdesk/tenancy/v1/audit_pb';
import { dateAndTime } from '../../time/zoned';

/** Names of records: by their kinds and ids, and by their ids alone. */
export type RecordNames = ReadonlyMap<string, RecordName>;

const keyOf = (kind: string, id: string) => `${kind} ${id}`;

/** Where an id alone is of two kinds, such as an employee and their calendar, the record that exists. */
export function recordNames(pages: readonly { names: readonly RecordName[] }[]): RecordNames {
  const names = new Map<string, RecordName>();
  for (const name of pages.flatMap((page) => page.names))
    for (const key of [name.id, keyOf(name.kind, name.id)])
      if (!name.gone || !names.has(key)) names.set(key, name);
  return names;
}

/** The record of an id that a field or an entry says the kind of. */
export function recordNamed(names: RecordNames, kind: string, id: string): RecordName | undefined {
  const named = names.get(keyOf(kind, id));
  return named && !named.gone ? named : (names.get(id) ?? named);
}

/** What is said of a record that is not there any more, and of one without a name. */
const KINDS: Readonly<Record<string, { gone: string; nameless: string }>> = {
  appointment: { gone: 'a visit that no longer exists', nameless: 'Guest without a name' },
  appointment_export: { gone: 'an export of appointments', nameless: 'Appointments' },
  block: { gone: 'blocked time that no longer exists', nameless: 'Blocked time' },
  call: { gone: 'a call that no longer exists', nameless: 'Unknown caller' },
  call_export: { gone: 'an export of calls', nameless: 'All calls' },
  calendar: { gone: 'a calendar that is disconnected', nameless: 'Calendar' },
  customer: { gone: 'a customer who no longer exists', nameless: 'Customer' },
  employee: { gone: 'an employee who no longer exists', nameless: 'Employee' },
  import: { gone: 'a table that is deleted by now', nameless: 'pasted lines' },
  item: { gone: 'an item that no longer exists', nameless: 'Item' },
  provider_connection: { gone: 'a booking system that is disconnected', nameless: 'Booking system' },
  resource: { gone: 'a resource that no longer exists', nameless: 'Resource' },
  service: { gone: 'a service that no longer exists', nameless: 'Service' },
  supplier: { gone: 'a supplier that no longer exists', nameless: 'Supplier' },
  time_off: { gone: 'time off that no longer exists', nameless: 'Time off' },
  user: { gone: 'an account outside this business', nameless: 'Account' },
  voice_connection: { gone: 'a connection that no longer exists', nameless: 'Connection' },
  waitlist_entry: { gone: 'a waitlist entry that no longer exists', nameless: 'Guest without a name' },
};

/** "Sofia Marino"; a visit or a call with its time: "Ben Carter, 3 Jun 2026, 11:30". */
export function nameText({ kind, name, at, gone }: RecordName, zone: string): string {
  const words = KINDS[kind];
  if (gone) return words?.gone ?? 'a record that no longer exists';
  const called = name || words?.nameless || 'a record without a name';
  return at ? `${called}, ${dateAndTime(timestampDate(at), zone)}` : called;
}
