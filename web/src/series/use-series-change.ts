import { useRef } from 'react';
import { useAction } from '../api/action';
import { readVisitsAgain } from '../business/read-visits-again';
import { undoAction } from '../business/undo-change';
import { type Destination, isMovable } from '../day/move-visit';
import { customerOf } from '../day/naming';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { type Series, SeriesService } from '../gen/frontdesk/scheduling/v1/series_pb';
import { dateText, moment } from '../time/zoned';
import { toasts } from '../ui/toasts';
import { changesOf, inScope, type Scope, type ScopeOption } from './scopes';

/** "6 visits of Ben Carter, until 12 May 2027". */
function visitsText(count: number, last: Date | null, customer: string, zone: string): string {
  const visits = count === 1 ? '1 visit' : `${count} visits`;
  return `${visits} of ${customer}${last ? `, until ${dateText(last, zone)}` : ''}`;
}

type ChangeProps = { businessId: string; visit: Appointment; zone: string; onDone: (series: Series) => void };

/** Moves several visits of a series together. Says what moved and what did not, with an undo of all of it. */
export function useSeriesMove({ businessId, visit, zone, onDone }: ChangeProps) {
  const customer = customerOf(visit);
  const { act, running, error } = useAction(SeriesService.method.moveRestOfSeries, {
    onDone: ({ series, leftAppointmentIds, changeId }, { wholeSeries }) => {
      if (!series) return;
      void readVisitsAgain();
      const among = inScope(series.appointments, visit, wholeSeries ? 'all' : 'rest').filter(isMovable);
      const moved = among.filter(({ id }) => !leftAppointmentIds.includes(id));
      const left = leftAppointmentIds.length;
      const stays =
        left === 0 ? '' : left === 1 ? ' 1 stays where it was.' : ` ${left} stay where they were.`;
      const undo = undoAction(businessId, changeId, `The visits of ${customer} are back where they were.`);
      const what = visitsText(moved.length, moment(moved.at(-1)?.startsAt), customer, zone);
      toasts.show('good', `Changed ${what}.${stays}`, undo);
      onDone(series);
    },
    onRefused: () => void readVisitsAgain(),
  });
  const move = (to: Destination, scope: Scope, leaveTaken: boolean, customerAgreed: boolean) =>
    act({
      businessId,
      seriesId: visit.seriesId,
      fromAppointmentId: visit.id,
      wholeSeries: scope === 'all',
      leaveTaken,
      customerAgreed,
      ...changesOf(visit, to),
    });
  return { move, running, error };
}

/** Cancels several visits of a series together, with an undo of all of it. */
export function useSeriesCancel({ businessId, visit, zone, onDone }: ChangeProps) {
  const customer = customerOf(visit);
  const chosen = useRef<ScopeOption>(null);
  const { act, running, error } = useAction(SeriesService.method.cancelRestOfSeries, {
    onDone: ({ series, changeId }) => {
      if (!series || !chosen.current) return;
      void readVisitsAgain();
      const { count, last } = chosen.current;
      const undo = undoAction(businessId, changeId, `The visits of ${customer} are booked again.`);
      toasts.show('good', `Cancelled ${visitsText(count, last, customer, zone)}.`, undo);
      onDone(series);
    },
    onRefused: () => void readVisitsAgain(),
  });
  const cancel = (option: ScopeOption, reason: string) => {
    chosen.current = option;
    act({
      businessId,
      seriesId: visit.seriesId,
      fromAppointmentId: visit.id,
      wholeSeries: option.scope === 'all',
      reason,
    });
  };
  return { cancel, running, error };
}
