import { AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Column, PlacedCard } from './columns';
import type { Span } from './spans';

/** Blocked time of an employee, and what for. */
export type BlockedTime = Span & { blockId: string; label: string; employeeName: string };

/** An entry of the day's list. */
export type DayEntry = { key: string } & Span & ({ card: PlacedCard } | { block: BlockedTime });

/** The visits and blocked times of all employees on a day, by time. */
export function entriesOn(day: string, columns: readonly Column[]): DayEntry[] {
  return columns
    .filter((column) => column.day === day)
    .flatMap(({ key, cards, shades, employeeName }): DayEntry[] => [
      ...shades.flatMap((shade): DayEntry[] => {
        if (shade.kind !== 'blocked') return [];
        const { from, to, label, blockId } = shade;
        return [{ key: `${key}/${blockId}`, from, to, block: { from, to, label, blockId, employeeName } }];
      }),
      ...cards.map((card): DayEntry => ({ key: card.key, from: card.from, to: card.to, card })),
    ])
    .sort((one, other) => one.from - other.from || one.to - other.to);
}

const SETTLED = [AppointmentState.COMPLETED, AppointmentState.NO_SHOW, AppointmentState.CANCELLED];

/** Whether nothing of an entry is left to do at a minute of its day: a visit that is over and still open is not. */
export const isSettled = (entry: DayEntry, minute: number): boolean =>
  entry.to <= minute && ('block' in entry || SETTLED.includes(entry.card.appointment.state));
