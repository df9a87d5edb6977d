import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { call } from '../api/call';
import { type Destination, placeOf, samePlace } from '../day/move-visit';
import { customerOf } from '../day/naming';
import {
  type Appointment,
  AppointmentService,
  type AppointmentState,
} from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { messageOf } from '../http/errors';
import type { Undone } from '../ui/undos';
import { readVisitsAgain } from './read-visits-again';

const { getAppointment, moveAppointment, restoreAppointment, setAppointmentState } =
  AppointmentService.method;

/** Takes a move back, if the visit still is where the move put it. */
export function undoMove(businessId: string, moved: Appointment, before: Destination): () => Promise<Undone> {
  return taking(async () => {
    const appointmentId = moved.id;
    const { appointment } = await call(getAppointment, { businessId, appointmentId });
    if (!appointment || !samePlace(placeOf(appointment), placeOf(moved)))
      return { tone: 'bad', text: `Not undone: ${customerOf(moved)} was changed again since.` };
    await change(moveAppointment, {
      businessId,
      appointmentId,
      startsAt: timestampFromDate(before.startsAt),
      employeeIds: before.employeeIds,
      extraMinutes: before.extraMinutes,
      version: appointment.version,
      // As it was before, so it was agreed on.
      customerAgreed: true,
    });
    return { tone: 'good', text: `${customerOf(moved)} is back where it was.` };
  });
}

/** Takes a cancellation back, if the time is still free. */
export function undoCancel(businessId: string, cancelled: Appointment): () => Promise<Undone> {
  return taking(async () => {
    await change(restoreAppointment, { businessId, appointmentId: cancelled.id });
    return { tone: 'good', text: `${customerOf(cancelled)} is booked again.` };
  });
}

/** Brings a visit back to the state before. */
export function undoState(
  businessId: string,
  visit: Appointment,
  before: AppointmentState,
  name: string,
): () => Promise<Undone> {
  return taking(async () => {
    await change(setAppointmentState, { businessId, appointmentId: visit.id, state: before });
    return { tone: 'good', text: `${customerOf(visit)} is “${name}” again.` };
  });
}

/** Takes a new booking back. */
export function undoBooking(cancel: () => Promise<unknown>): () => Promise<Undone> {
  return taking(async () => {
    await cancel();
    return { tone: 'info', text: 'Taken back. The time is free again.' };
  });
}

const change: typeof call = (method, input) => call(method, input, { idempotencyKey: crypto.randomUUID() });

const taking = (takeBack: () => Promise<Undone>) => async (): Promise<Undone> => {
  try {
    return await takeBack();
  } catch (error) {
    return { tone: 'bad', text: `Not undone. ${messageOf(error, 'The server refused it.')}` };
  } finally {
    void readVisitsAgain();
  }
};
