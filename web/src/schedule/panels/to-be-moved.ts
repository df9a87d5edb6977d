import type { Column, PlacedCard } from '../../day/columns';
import { overlap } from '../../day/spans';
import { moment } from '../../time/zoned';

/** A visit that has to be moved, and why. */
export type ToBeMoved = { card: PlacedCard; why: string };

/** The stranded visits of some days that are not over, each once, by start. */
export function toBeMoved(columns: readonly Column[], now: Date): ToBeMoved[] {
  const seen = new Set<string>();
  return columns
    .flatMap((column) =>
      column.cards.filter(({ stranded }) => stranded).map((card) => ({ card, why: whyOf(card, column) })),
    )
    .sort(({ card: one }, { card: other }) => one.day.localeCompare(other.day) || one.from - other.from)
    .filter(({ card: { appointment } }) => {
      const end = moment(appointment.endsAt);
      const settled = seen.has(appointment.id) || (end !== null && end <= now);
      seen.add(appointment.id);
      return !settled;
    });
}

const AWAY = new Set(['off', 'away', 'closed']);

/** "Sick", "Not working", "Closed". */
function whyOf(card: PlacedCard, { shades }: Column): string {
  const away = shades.filter((shade) => AWAY.has(shade.kind) && overlap(shade, card));
  return (away.find(({ kind }) => kind === 'off') ?? away[0])?.label ?? '';
}
