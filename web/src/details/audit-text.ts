import type { AuditEntry, FieldChange } from '../gen/frontdesk/tenancy/v1/audit_pb';

/** "customer_note" and "UpdateItem" in words: "Customer note", "Update item". */
export function plain(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What is not said by adding "ed". */
const DONE: Readonly<Record<string, string>> = {
  Apply: 'Applied',
  Begin: 'Began',
  Cancel: 'Cancelled',
  Leave: 'Left',
  Map: 'Mapped',
  Send: 'Sent',
  Set: 'Set',
  Take: 'Took',
  Undo: 'Undid',
  Update: 'Changed',
  Withdraw: 'Withdrew',
};

/** "UpdateItem" as what was done: "Changed item". */
export function actionText(action: string): string {
  const [verb = '', ...rest] = plain(action).split(' ');
  const done = DONE[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb}ed`);
  return [done, ...rest].join(' ');
}

/** The name of a choice, such as PLATFORM_SIGNATURE. */
const CHOICE = /^[A-Z]+(_[A-Z]+)+$/;

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const clock = (minute: unknown) => {
  const minutes = Number(minute);
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
};

/** A line of a record: hours of a weekday, a step of a service, or its fields by name. */
function lineText(line: object): string {
  const fields = new Map<string, unknown>(Object.entries(line));
  if (fields.has('from_minute') && fields.has('to_minute')) {
    const day = WEEKDAYS[Number(fields.get('weekday')) - 1] ?? '';
    return `${day} ${clock(fields.get('from_minute'))}–${clock(fields.get('to_minute'))}`.trim();
  }
  if (fields.has('kind') && fields.has('minutes')) {
    return `${String(fields.get('kind')).toLowerCase()} ${String(fields.get('minutes'))} min`;
  }
  const said = [...fields].filter(([, value]) => !isNothing(value));
  return said.map(([name, value]) => `${plain(name).toLowerCase()} ${partText(value)}`).join(' · ');
}

const isNothing = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

const partText = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? lineText(value) : String(value);

/** What a field held: text without its quotes, "nothing" where it was empty. */
export function valueText(json: string): string {
  if (json === '') return 'nothing';
  const value: unknown = JSON.parse(json);
  if (value === null || value === '') return 'nothing';
  if (Array.isArray(value)) return value.length > 0 ? value.map(partText).join(', ') : 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string') return JSON.stringify(value);
  return CHOICE.test(value) ? plain(value).toLowerCase() : value;
}

/** "Name: Shampoo → Mild shampoo". */
export function changeText({ field, before, after }: FieldChange): string {
  const [was, is] = [valueText(before), valueText(after)];
  return was === 'nothing' ? `${plain(field)}: ${is}` : `${plain(field)}: ${was} → ${is}`;
}

/** The entry itself says when. */
const TIMES = ['created_at', 'updated_at'];

/** Changes worth a line: new records list what they hold, not what they lack. */
export function worthTelling(changes: readonly FieldChange[]): FieldChange[] {
  return changes.filter(
    ({ field, before, after }) => !TIMES.includes(field) && valueText(before) !== valueText(after),
  );
}

/** Who did it. */
export function actorText({ actor, actorName }: AuditEntry): string {
  if (actorName) return actorName;
  const [kind = '', name = ''] = actor.split(':');
  if (kind === 'agent') return 'The phone agent';
  if (kind === 'service') return `Frontdesk (${name.replaceAll('-', ' ')})`;
  return kind === 'user' ? 'A member who is no employee' : 'Frontdesk';
}

const REFUSALS: Readonly<Record<string, string>> = {
  ROLE_TOO_LOW: 'their role does not allow it',
  STALE: 'it was changed in between',
  INVALID_FIELD: 'a field was wrong',
  NOT_FOUND: 'there is no such record',
  ALREADY_EXISTS: 'there is one already',
  SLOT_TAKEN: 'the time was taken',
  TOO_SOON: 'it was too soon',
  TOO_FAR: 'it was too far ahead',
  NOT_WORKING: 'no one was at work then',
  UNAVAILABLE: 'a service did not answer',
};

const SERVICES: Readonly<Record<string, string>> = {
  auth: 'members and invitations',
  scheduling: 'visits, services and hours',
  'calendar-sync': 'calendars and booking systems',
  telemetry: 'calls',
};

/** "visits, services and hours and calls": what changes are missing of. */
export const missingText = (services: readonly string[]) =>
  services.map((service) => SERVICES[service] ?? plain(service).toLowerCase()).join('; ');

/** Why it was refused. */
export const refusalText = (reason: string) => REFUSALS[reason] ?? plain(reason).toLowerCase();
