import type { AuditEntry, RecordName } from '../../gen/frontdesk/tenancy/v1/audit_pb';
import { plain } from './field-words';
import { nameText, type RecordNames } from './record-names';

/** What is not said by adding "ed". */
const DONE: Readonly<Record<string, string>> = {
  Apply: 'Applied',
  Begin: 'Began',
  Cancel: 'Cancelled',
  Leave: 'Left',
  Map: 'Mapped',
  Put: 'Sent',
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

/** How a person comes in: their membership begins, and their invitation goes. */
const ENTERING = new Set(['Register', 'AcceptInvitation']);
const ENTERED: Readonly<Record<string, string>> = {
  member: 'Joined',
  invitation: 'Accepted the invitation',
};

type Told = Pick<AuditEntry, 'action' | 'recordKind' | 'refusal'> &
  Partial<Pick<AuditEntry, 'actor' | 'changes'>>;

/** What was done, and to which record: "Changed service: Cut & finish"; of a refusal, what was tried. */
export function titleText(entry: Told, record: RecordName | undefined, zone: string): string {
  const done = deedText(entry);
  return record ? `${done}: ${nameText(record, zone)}` : done;
}

function deedText(entry: Told): string {
  const { action, recordKind, refusal } = entry;
  if (!action || action === 'worker') return workText(entry);
  if (refusal) return plain(action);
  const entered = ENTERING.has(action) && ENTERED[recordKind];
  return entered || actionText(action);
}

/** What was done without a person asking for it at that moment. */
function workText({ action, recordKind, actor = '', changes = [] }: Told): string {
  const kind = plain(recordKind);
  if (changes.length > 0 && changes.every(({ after }) => after === '')) return `${kind} deleted`;
  if (recordKind === 'import') return 'Import ended';
  // The worker that acts for a person imports their tables.
  return action === 'worker' && actor.startsWith('user:')
    ? `Imported ${kind.toLowerCase()}`
    : `${kind} changed`;
}

/** Who did it. An account that is known to be outside the business is an administrator's; others may have no name yet. */
export function actorText(
  { actor, actorName }: Pick<AuditEntry, 'actor' | 'actorName'>,
  names: RecordNames,
): string {
  if (actorName) return actorName;
  const [kind = '', name = ''] = actor.split(':');
  if (kind === 'agent') return 'The phone agent';
  if (kind === 'service' && name !== 'provisioning') return `Frontdesk (${name.replaceAll('-', ' ')})`;
  if (kind !== 'user') return 'Frontdesk';
  const account = names.get(name);
  if (account?.gone) return 'An administrator of Frontdesk';
  return account?.name || 'A team member';
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

/** "visits, services and hours; calls": what changes are missing of. */
export const missingText = (services: readonly string[]) =>
  services.map((service) => SERVICES[service] ?? plain(service).toLowerCase()).join('; ');

/** Why it was refused. */
export const refusalText = (reason: string) => REFUSALS[reason] ?? plain(reason).toLowerCase();
