import { useLayoutEffect, useMemo, useRef } from 'react';
import type { Column } from '../../day/columns';
import { startWithin } from '../../day/free-starts';
import type { Span } from '../../day/spans';
import { instantOf } from '../../time/local';
import { dayKey, localMinute } from '../../time/zoned';
import type { Place } from '../why-not/why-not-dialog';
import type { FreeActions } from './column-body';
import type { FreeStarts } from './use-free-starts';

/** A visit to be booked: when, and as far as that is known by whom and for what. */
export type NewVisit = { start: Date; employeeId?: string; serviceId?: string };

type Wanted = {
  serviceId: string;
  starts: FreeStarts | undefined;
  zone: string;
  onCreate: ((visit: NewVisit) => void) | undefined;
  onWhyNot: ((place: Place) => void) | undefined;
  onSpan: ((column: Column, span: Span) => void) | undefined;
  onBlock: (blockId: string) => void;
};

/** How fine a press is taken for a start that is free nearby. */
const PRESS_MINUTES = 15;
const STEP_MINUTES = 15;

/**
 * What a press on free time does: it begins a booking; for a chosen service that can't start there it
 * asks why. `pointed` is the place of the focus or the pointer, for keys that act on a place.
 */
export function useFree(wanted: Wanted) {
  const latest = useRef(wanted);
  const last = useRef<{ day: string; employeeId: string; minute: number } | undefined>(undefined);
  useLayoutEffect(() => {
    latest.current = wanted;
  });
  const pressable = Boolean(wanted.onCreate ?? wanted.onWhyNot);
  const drawable = Boolean(wanted.onSpan);
  // New actions would render every column again.
  const actions = useMemo((): FreeActions => {
    const press = (column: Column, minute: number) => {
      const { serviceId, starts, zone, onCreate, onWhyNot } = latest.current;
      const { day, employeeId, key } = column;
      const start = serviceId ? startWithin(starts?.get(key) ?? [], minute, PRESS_MINUTES) : minute;
      if (start !== undefined && onCreate)
        onCreate({
          start: instantOf(day, start, zone),
          ...(employeeId ? { employeeId } : {}),
          ...(serviceId ? { serviceId } : {}),
        });
      else if (serviceId) onWhyNot?.({ day, minute, employeeId, serviceId });
    };
    return {
      onPoint: ({ day, employeeId }, minute) => {
        last.current = { day, employeeId, minute };
      },
      onPress: pressable ? press : undefined,
      onSpan: drawable ? (column, span) => latest.current.onSpan?.(column, span) : undefined,
      onBlock: (blockId) => latest.current.onBlock(blockId),
    };
  }, [pressable, drawable]);

  /** The focused card, or the last place pointed at on this day; else now. */
  const pointed = (columns: readonly Column[], day: string, now: Date) => {
    const key =
      document.activeElement instanceof HTMLElement ? document.activeElement.dataset.card : undefined;
    const card = columns.flatMap(({ cards }) => cards).find((candidate) => candidate.key === key);
    if (card) return { day: card.day, employeeId: card.employeeId, minute: card.from };
    const there = last.current;
    if (there && columns.some((column) => column.day === there.day)) return there;
    const { zone } = latest.current;
    const minute =
      dayKey(now, zone) === day
        ? Math.ceil(localMinute(now, zone).minute / STEP_MINUTES) * STEP_MINUTES
        : (columns[0]?.working[0]?.from ?? 9 * 60);
    return { day, employeeId: columns.length === 1 ? (columns[0]?.employeeId ?? '') : '', minute };
  };
  return { actions, pointed };
}
