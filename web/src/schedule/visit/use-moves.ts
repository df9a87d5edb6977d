import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useAction } from '../../api/action';
import { whyNotMoved } from '../../booking/why-refused';
import { readVisitsAgain } from '../../business/read-visits-again';
import { undoAction } from '../../business/undo-change';
import { useConsent } from '../../business/use-consent';
import { type Destination, elsewhere, lengthText, movedTo, type Told } from '../../day/move-visit';
import { customerOf, movedBackText, whenAndWho } from '../../day/naming';
import type { Appointment } from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import { AppointmentService } from '../../gen/frontdesk/scheduling/v1/appointment_service_pb';
import type { DayVisit } from '../../gen/frontdesk/scheduling/v1/day_pb';
import { ApiError, messageOf } from '../../http/errors';
import { inSentence } from '../../time/in-sentence';
import { toasts } from '../../ui/toasts';

export type Moves = {
  /** The visits as they stand with what is on its way and not yet read again. */
  withMoves: (visits: readonly DayVisit[]) => DayVisit[];
  move: (appointment: Appointment, to: Destination, told?: Told) => void;
  /** What is to be known before a move, while it is asked. */
  question: ReactNode;
};

/** What becomes of a move of a visit in a series: this visit alone, several, or nothing. */
export type SeriesQuestion = {
  visit: Appointment;
  to: Destination;
  onOne: () => void;
  onDone: () => void;
  onClose: () => void;
};

type Pending = { visit: Appointment; underWay: boolean };

/**
 * Moves that show at once, and go back with the reason when the server refuses. When the time is taken,
 * `onTaken` is offered beside it. Of a visit in a series, `onSeries` asks first which of them is meant.
 */
export function useMoves(
  businessId: string,
  zone: string,
  nameOf: (employeeId: string) => string,
  onTaken: ((visit: Appointment, to: Destination) => void) | undefined,
  onSeries: (question: SeriesQuestion) => void,
): Moves {
  const [moved, setMoved] = useState<ReadonlyMap<string, Pending>>(new Map());
  const wanted = useRef(new Map<string, { visit: Appointment; to: Destination }>());
  const told = useRef(new Map<string, Told>());

  const put = (id: string, pending: Pending | undefined) =>
    setMoved((before) => {
      const after = new Map(before);
      if (pending) after.set(id, pending);
      else after.delete(id);
      return after;
    });

  const { act } = useAction(AppointmentService.method.moveAppointment, {
    onDone: ({ appointment, changeId }, { appointmentId = '' }) => {
      if (!appointment) return;
      put(appointmentId, { visit: appointment, underWay: false });
      told.current.get(appointmentId)?.onDone();
      const want = wanted.current.get(appointmentId);
      const customer = customerOf(appointment);
      const change = want ? lengthText(want.visit, want.to) : undefined;
      const text = change
        ? `${customer} ${change}.`
        : `Moved ${customer} to ${inSentence(whenAndWho(appointment, zone))}.`;
      const undone = change
        ? `The visit of ${customer} is as it was before.`
        : movedBackText(want?.visit ?? appointment, zone);
      toasts.show('good', text, undoAction(businessId, changeId, undone));
      void readVisitsAgain();
    },
    onRefused: (error, { appointmentId = '' }) => {
      put(appointmentId, undefined);
      const asker = told.current.get(appointmentId);
      const want = wanted.current.get(appointmentId);
      const squeeze =
        onTaken && want && error instanceof ApiError && error.reason === 'SLOT_TAKEN'
          ? { label: 'Squeeze in…', run: () => onTaken(want.visit, want.to) }
          : undefined;
      const tell = (reason: string) =>
        asker ? asker.onRefused(reason) : toasts.show('bad', `Not moved. ${reason}`, squeeze);
      if (want) void whyNotMoved(businessId, want.visit, want.to, error).then(tell);
      else tell(messageOf(error, 'The visit could not be moved.'));
      // Reads the day again, to show what is in the way.
      void readVisitsAgain();
    },
  });

  /** A visit of a series shows at its new place while it is asked which of them is meant. */
  const askSeries = (visit: Appointment, to: Destination, asker?: Told) => {
    put(visit.id, { visit: movedTo(visit, to, nameOf), underWay: true });
    onSeries({
      visit,
      to,
      onOne: () => send(visit, to, asker),
      onDone: () => {
        put(visit.id, undefined);
        asker?.onDone();
      },
      onClose: () => {
        put(visit.id, undefined);
        asker?.onRefused('');
      },
    });
  };

  const { ask, question } = useConsent(nameOf);
  const send = (appointment: Appointment, to: Destination, asker?: Told) =>
    ask(
      appointment,
      to.employeeIds,
      (agreed) => sendAgreed(appointment, to, agreed, asker),
      () => {
        put(appointment.id, undefined);
        asker?.onRefused('Not moved: the customer asked for this employee and no one else.');
      },
    );
  const sendAgreed = (appointment: Appointment, to: Destination, customerAgreed: boolean, asker?: Told) => {
    if (asker) told.current.set(appointment.id, asker);
    else told.current.delete(appointment.id);
    wanted.current.set(appointment.id, { visit: appointment, to });
    put(appointment.id, { visit: movedTo(appointment, to, nameOf), underWay: true });
    act({
      businessId,
      appointmentId: appointment.id,
      startsAt: timestampFromDate(to.startsAt),
      employeeIds: to.employeeIds,
      extraMinutes: to.extraMinutes,
      version: appointment.version,
      customerAgreed,
    });
  };

  const withMoves = useCallback(
    (visits: readonly DayVisit[]) =>
      visits.map((visit) => {
        const pending = moved.get(visit.appointment?.id ?? '');
        if (!pending || !visit.appointment) return visit;
        const isAhead = pending.underWay || pending.visit.version > visit.appointment.version;
        return isAhead ? elsewhere(visit, pending.visit) : visit;
      }),
    [moved],
  );
  // A new function would render every card again.
  const latest = useRef({ askSeries, send });
  useLayoutEffect(() => {
    latest.current = { askSeries, send };
  });
  const move = useCallback((visit: Appointment, to: Destination, asker?: Told) => {
    if (visit.seriesId) latest.current.askSeries(visit, to, asker);
    else latest.current.send(visit, to, asker);
  }, []);
  return { withMoves, move, question };
}
