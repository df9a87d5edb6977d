import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { LANGUAGE } from './language';

/** Formatting in a business's zone. Formatters are costly to make, so each is made once. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(
  zone: string,
  options: Intl.DateTimeFormatOptions,
  locale = LANGUAGE,
): Intl.DateTimeFormat {
  const key = `${locale}|${zone}|${JSON.stringify(options)}`;
  let found = formatters.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
    formatters.set(key, found);
  }
  return found;
}

/** A moment of the contract; null when unset. */
export function moment(timestamp: Timestamp | undefined): Date | null {
  return timestamp ? timestampDate(timestamp) : null;
}

/** The viewer's own zone. */
export function viewerZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** "9:30", "14:30". */
export function timeOfDay(date: Date, zone: string): string {
  return formatter(zone, { hour: 'numeric', minute: '2-digit' }).format(date);
}

/** "9:30:07", where much happens within a minute. */
export function timeToTheSecond(date: Date, zone: string): string {
  return formatter(zone, { hour: 'numeric', minute: '2-digit', second: '2-digit' }).format(date);
}

/** "26 Nov, 9:30", where the year is plain. */
export function dayAndTime(date: Date, zone: string): string {
  return `${formatter(zone, { day: 'numeric', month: 'short' }).format(date)}, ${timeOfDay(date, zone)}`;
}

/** "9:30 – 15:15", each end as it stands alone. */
export function timeSpan(from: Date, to: Date, zone: string): string {
  return `${timeOfDay(from, zone)} – ${timeOfDay(to, zone)}`;
}

/** "2026-03-29": which day it is there, for comparing and grouping. */
export function dayKey(date: Date, zone: string): string {
  const parts = formatter(zone, { year: 'numeric', month: '2-digit', day: '2-digit' }, 'en-CA');
  return parts.format(date);
}

/** Whole days between two day keys. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / 86_400_000);
}

/** "Today", "Tomorrow", "Yesterday", else "Friday, 5 December", with the year when it is another. */
export function dayName(date: Date, zone: string, now: Date): string {
  const [day, today] = [dayKey(date, zone), dayKey(now, zone)];
  const distance = daysBetween(today, day);
  if (Math.abs(distance) <= 1) {
    const words = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' }).format(distance, 'day');
    return words.charAt(0).toUpperCase() + words.slice(1);
  }
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : ({ year: 'numeric' } as const);
  return formatter(zone, { weekday: 'long', day: 'numeric', month: 'long', ...year }).format(date);
}

/** "5 Dec 2026". */
export function dateText(date: Date, zone: string): string {
  return formatter(zone, { dateStyle: 'medium' }).format(date);
}

/** "5 Dec 2026, 14:30". */
export function dateAndTime(date: Date, zone: string): string {
  return `${dateText(date, zone)}, ${timeOfDay(date, zone)}`;
}

/** ISO weekday (1 Monday to 7 Sunday) and minutes after midnight, there. */
export function localMinute(date: Date, zone: string): { weekday: number; minute: number } {
  const parts = formatter(zone, {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(date);
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? '';
  const weekday = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(part('weekday')) + 1;
  return { weekday, minute: Number(part('hour')) * 60 + Number(part('minute')) };
}

function offsetName(zone: string, at: Date): string {
  const parts = formatter(zone, { timeZoneName: 'longOffset' }).formatToParts(at);
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
}

/** Whether a clock on the viewer's wall would show another time. */
export function zoneDiffers(zone: string, viewer: string, at: Date): boolean {
  return zone !== viewer && offsetName(zone, at) !== offsetName(viewer, at);
}

/** "London" of "Europe/London". */
export function zoneCity(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/** "45 min", "1 h 30 min". */
export function minutesText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** "0:07", "12:40", "1:02:03": how long a call lasted, or how far into it something was said. */
export function clockText(milliseconds: number): string {
  const total = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60];
  const padded = String(seconds).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${padded}` : `${minutes}:${padded}`;
}
