import type { FieldChange } from '../../gen/frontdesk/tenancy/v1/audit_pb';
import { shortDateText } from '../../time/day-text';
import { dateAndTime, minutesText } from '../../time/zoned';
import { moneyText } from '../../ui/money';
import { changedPart } from './changed-part';
import { actorText } from './entry-text';
import { fieldText, plain } from './field-words';
import { nameText, type RecordNames, recordNamed } from './record-names';

/** What values are read by: the business's zone and money, and the names of the records on the page. */
export type Reading = { zone: string; currency: string; names: RecordNames };

const NOTHING = 'nothing';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ACTOR = /^(user|agent|service):/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** The name of a choice, such as PLATFORM_SIGNATURE. */
const CHOICE = /^[A-Z]+(_[A-Z]+)+$/;
/** Fields that hold a choice, of one word even. */
const CHOICES = new Set([
  'kind',
  'state',
  'role',
  'rule',
  'cause',
  'cadence',
  'platform',
  'outcome',
  'webhook_check',
]);

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function wordText(field: string, text: string, { zone, names }: Reading): string {
  if (ID.test(text)) {
    const name = recordNamed(names, field.replace(/_ids?$/, ''), text);
    return name ? nameText(name, zone) : 'another record';
  }
  if (ACTOR.test(text)) return actorText({ actor: text, actorName: '' }, names);
  if (INSTANT.test(text)) return dateAndTime(new Date(text), zone);
  if (DAY.test(text)) return shortDateText(text);
  if (text === '-infinity') return 'the beginning';
  return CHOICE.test(text) || CHOICES.has(field) ? plain(text).toLowerCase() : text;
}

function numberText(field: string, value: number, { currency }: Reading): string {
  if (/_minor$/.test(field)) return moneyText(value, currency) || String(value / 100);
  if (/^(from|to)_minutes?$/.test(field)) return clock(value);
  if (/minutes$/.test(field)) return minutesText(value);
  if (/_hours$/.test(field)) return minutesText(value * 60);
  if (/(^|_)days$/.test(field)) return value === 1 ? '1 day' : `${value} days`;
  if (/_basis_points$/.test(field)) return `${value / 100} %`;
  if (field === 'weekday') return WEEKDAYS[value - 1] ?? String(value);
  if (/^(added|left_out|line_count)$/.test(field)) return value.toLocaleString();
  return String(value);
}

/** A line of a record: hours of a weekday, a step of a service, who does it at which price, or its fields by name. */
function lineText(line: object, reading: Reading): string {
  const fields = new Map<string, unknown>(Object.entries(line).filter(([, value]) => !isNothing(value)));
  if (fields.has('from_minute') && fields.has('to_minute')) {
    const day = WEEKDAYS[Number(fields.get('weekday')) - 1] ?? '';
    return `${day} ${clock(Number(fields.get('from_minute')))}–${clock(Number(fields.get('to_minute')))}`.trim();
  }
  if (fields.has('kind') && fields.has('minutes'))
    return `${String(fields.get('kind')).toLowerCase()} ${minutesText(Number(fields.get('minutes')))}`;
  const employee = fields.get('employee_id');
  fields.delete('employee_id');
  const rest = [...fields].map(
    ([name, value]) => `${fieldText(name).toLowerCase()} ${partText(name, value, reading)}`,
  );
  if (employee === undefined) return rest.join(' · ');
  const who = partText('employee_id', employee, reading);
  return rest.length > 0 ? `${who} (${rest.join(', ')})` : who;
}

function partText(field: string, value: unknown, reading: Reading): string {
  if (isNothing(value)) return NOTHING;
  if (Array.isArray(value)) return value.map((part) => partText(field, part, reading)).join(', ');
  if (typeof value === 'object') return lineText(value as object, reading);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number'
    ? numberText(field, value, reading)
    : wordText(field, String(value), reading);
}

/** What a field held, as JSON: in words, "nothing" where it was empty. */
export function valueText(field: string, json: string, reading: Reading): string {
  return json === '' ? NOTHING : partText(field, JSON.parse(json), reading);
}

/** Fields whose value means nothing to people: only whether there is one is said. */
const UNSAID = new Set(['logo_digest']);

const isText = (json: string) => json.startsWith('"');

/** "Name: Shampoo → Mild shampoo"; of a long text the part that changed. */
export function changeText({ field, before, after }: FieldChange, reading: Reading): string {
  const [was, is] = [valueText(field, before, reading), valueText(field, after, reading)];
  const called = fieldText(field);
  if (UNSAID.has(field)) {
    if (was === NOTHING) return `${called}: added`;
    return `${called}: ${is === NOTHING ? 'removed' : 'replaced'}`;
  }
  if (was === NOTHING) return `${called}: ${is}`;
  const [from, to] = isText(before) && isText(after) ? changedPart(was, is) : [was, is];
  return `${called}: ${from} → ${to}`;
}

/** The entry itself says when. */
const TIMES = new Set(['created_at', 'updated_at', 'joined_at', 'connected_at']);

/** Changes worth a line, the name first: new records list what they hold, not what they lack. */
export function worthTelling(changes: readonly FieldChange[], reading: Reading): FieldChange[] {
  const worth = changes.filter(
    ({ field, before, after }) =>
      !TIMES.has(field) &&
      (UNSAID.has(field) || valueText(field, before, reading) !== valueText(field, after, reading)),
  );
  return worth.sort(
    (one, other) => rank(one) - rank(other) || fieldText(one.field).localeCompare(fieldText(other.field)),
  );
}

/** What a new record is not, and what its amounts are in, tells less of it than the rest. */
function rank({ field, before, after }: FieldChange): number {
  if (field === 'name') return 0;
  const isNew = before === '' || before === 'null';
  return isNew && (field === 'currency' || after === 'false') ? 2 : 1;
}

/** What an entry's amounts are in: its own currency where it names one, else the business's. */
export function currencyOf(changes: readonly FieldChange[], ofBusiness: string): string {
  const own = changes.find(({ field }) => field === 'currency');
  const named: unknown = JSON.parse(own?.after || own?.before || '""');
  return typeof named === 'string' && named !== '' ? named : ofBusiness;
}
