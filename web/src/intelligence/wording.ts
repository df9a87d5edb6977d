import { minutesText } from '../time/zoned';

export const count = (number: number) => number.toLocaleString('en-GB');

/** 0.0425 is "4.3 %". */
export const percent = (part: number) =>
  `${(part * 100).toLocaleString('en-GB', { maximumFractionDigits: 1 })} %`;

/** Whole hours from 60 minutes on. */
export const hours = (minutes: number) =>
  minutes < 60 ? minutesText(Math.round(minutes)) : `${count(Math.round(minutes / 60))} h`;

/** "+4 min", "−2 min", "as planned". */
export function minutesMore(minutes: number): string {
  const whole = Math.round(minutes);
  if (whole === 0) return 'as planned';
  return `${whole > 0 ? '+' : '−'}${Math.abs(whole)} min`;
}

/** "41 days", "1 day": halves are rounded. */
export function daysText(days: number): string {
  const whole = Math.round(days);
  return whole === 1 ? '1 day' : `${count(whole)} days`;
}

/** "1 visit", "12 visits". */
export const visitsText = (visits: number) => (visits === 1 ? '1 visit' : `${count(visits)} visits`);
