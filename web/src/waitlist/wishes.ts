import { extraText } from '../day/lengths';
import { minuteText } from '../day/opening';
import type { WaitlistEntry } from '../gen/frontdesk/scheduling/v1/waitlist_pb';
import { LANGUAGE } from '../time/language';

const WHOLE_DAY = 1440;

const dateOf = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(LANGUAGE, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00Z`));

/** "2 Jun – 5 Jun, 9:00 – 12:00": when a visit would suit them. */
export function suitsText(entry: WaitlistEntry): string {
  const { firstDate, lastDate, fromMinute, toMinute } = entry;
  const day = { day: 'numeric', month: 'short' } as const;
  const dates =
    firstDate === lastDate
      ? dateOf(firstDate, { weekday: 'short', ...day })
      : `${dateOf(firstDate, day)} – ${dateOf(lastDate, day)}`;
  const whole = fromMinute === 0 && (toMinute === 0 || toMinute === WHOLE_DAY);
  return whole ? dates : `${dates}, ${minuteText(fromMinute)} – ${minuteText(toMinute)}`;
}

/** "Cut & finish (15 min longer)": what they wait for, by the names the catalogue has. */
export function wantedText(entry: WaitlistEntry, names: ReadonlyMap<string, string>): string {
  return entry.items
    .map(({ serviceId, extraMinutes }) => {
      const name = names.get(serviceId) ?? 'A service no longer offered';
      return extraMinutes === 0 ? name : `${name} (${extraText(extraMinutes)})`;
    })
    .join(', ');
}

const listed = (words: string[]) =>
  new Intl.ListFormat(LANGUAGE, { type: 'conjunction' }).format([...new Set(words.filter(Boolean))]);

/** "Cut & finish with Mia Larsen, 2 Jun – 5 Jun": what, with whom and when, in a sentence. */
export function waitsForText(
  entry: WaitlistEntry,
  services: ReadonlyMap<string, string>,
  employees: ReadonlyMap<string, string>,
): string {
  const whom = entry.items.map((item) => employees.get(item.employeeId || item.preferredEmployeeId) ?? '');
  const who = listed(whom);
  return `${wantedText(entry, services)}${who && ` with ${who}`}, ${suitsText(entry)}`;
}

export const waiterOf = (entry: WaitlistEntry): string => entry.customerName || 'Customer';
