import type { Column } from '../day/columns';
import { minuteText, weekdayName } from '../day/opening';
import { minutesOf, type Span, without } from '../day/spans';
import { AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { weekdayOf } from '../time/local-day';

/** People who are at work, and people who are with a customer, for half of an hour at least. */
export type Hour = { hour: number; atWork: number; booked: number };

/** How busy an hour is: "tight" leaves few employees, or none, for walk-ins. */
export type Strain = 'none' | 'ample' | 'tight' | 'short';

const HALF_AN_HOUR = 30;
/** From this share of those at work on, an hour is tight. */
const TIGHT = 0.75;

/** Of the columns of one day, hour by hour. */
export function coverageOf(columns: readonly Column[], { from, to }: Span): Hour[] {
  const people = columns.map(({ working, cards }) => ({
    working,
    booked: cards
      .filter(({ appointment }) => appointment.state !== AppointmentState.NO_SHOW)
      .flatMap((card) => without([{ from: card.from, to: card.to }], card.processing)),
  }));
  const first = Math.floor(from / 60);
  return Array.from({ length: Math.ceil(to / 60) - first }, (_, index) => {
    const hour = first + index;
    const half = (spans: readonly Span[]) => minutesWithin(spans, hour * 60) >= HALF_AN_HOUR;
    return {
      hour,
      atWork: people.filter(({ working }) => half(working)).length,
      booked: people.filter(({ booked }) => half(booked)).length,
    };
  });
}

/** Of the hour that begins then, each minute once: visits beside each other take it only once. */
function minutesWithin(spans: readonly Span[], from: number): number {
  const hour = [{ from, to: from + 60 }];
  return 60 - minutesOf(without(hour, spans));
}

export function strainOf({ atWork, booked }: Pick<Hour, 'atWork' | 'booked'>): Strain {
  if (booked > atWork) return 'short';
  if (atWork === 0) return 'none';
  return booked / atWork >= TIGHT ? 'tight' : 'ample';
}

/** "Tuesday 14:00: 3 at work, 2 booked". */
export function hourText(day: string, { hour, atWork, booked }: Hour): string {
  return `${weekdayName(weekdayOf(day))} ${minuteText(hour * 60)}: ${atWork} at work, ${booked} booked`;
}
